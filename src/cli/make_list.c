/* make_list.c: see make_list.h. A list is read in two passes: the first counts, the second stores. The first works on a
 * copy, as strings are unescaped in place. */
#include "make_list.h"

#include <stdlib.h>
#include <string.h>

#include "assay_text.h"

typedef struct {
    json_reader from;
    model_error error;
    make_list *list;
    bool stores;
    uint64_t tensors, pairs, dims;
} reader;

/* What a tensor has. */
typedef struct {
    bool name, dtype, shape, file;
} members;

static bool fails_at(reader *in, uint32_t at, const char *why)
{
    if (in->list->wrong == NULL) {
        in->list->wrong = why;
        in->list->at = at;
    }
    return false;
}

static bool fails(reader *in, const char *why)
{
    return fails_at(in, in->from.pos, why);
}

/* Return where the next token begins. */
static uint32_t next_at(reader *in)
{
    uint8_t byte;
    (void)json_peek(&in->from, &byte); /* skips white space */
    return in->from.pos;
}

/* Is this the next byte? Then go on after it. */
static bool take(reader *in, uint8_t byte)
{
    uint8_t next;
    bool is = json_peek(&in->from, &next) && next == byte;
    in->from.pos += is;
    return is;
}

static bool need(reader *in, uint8_t byte, const char *why)
{
    return take(in, byte) || fails(in, why);
}

static bool read_string(reader *in, model_text *text)
{
    uint8_t next;
    if (!json_peek(&in->from, &next) || next != '"')
        return fails(in, "a string is expected");
    return json_read_string(&in->from, text) || fails(in, "a string is broken, or not UTF-8");
}

static bool read_number(reader *in, uint64_t *number)
{
    uint8_t next;
    model_text text;
    *number = 0;
    if (!json_peek(&in->from, &next) || next < '0' || next > '9')
        return fails(in, "a number without sign is expected");
    if (!json_read_number(&in->from, &text))
        return fails(in, "a number is broken");
    for (uint32_t i = 0; i < text.size; i++) {
        unsigned digit = (unsigned)in->from.bytes[text.at + i] - '0';
        if (digit > 9 || *number > (UINT64_MAX - digit) / 10)
            return fails(in, "a number is not an integer below 2^64");
        *number = *number * 10 + digit;
    }
    return true;
}

static bool is_word(const reader *in, model_text text, const char *word)
{
    return text.size == strlen(word) && memcmp(in->from.bytes + text.at, word, text.size) == 0;
}

static assay_chars bytes_of(const reader *in, model_text text)
{
    return (assay_chars){in->from.bytes + text.at, text.size};
}

/* ---- Parts of the list ------------------------------------------------------------------------------------ */

static bool read_shape(reader *in, assay_new_tensor *tensor)
{
    uint64_t dim, rank = 0, first = in->dims;
    if (!need(in, '[', "a shape must be an array"))
        return false;
    for (bool more = !take(in, ']'); more; more = take(in, ',')) {
        if (!read_number(in, &dim))
            return false;
        if (in->stores)
            in->list->head.dim[in->dims] = dim;
        in->dims++;
        rank++;
    }
    if (rank > 0 && !need(in, ']', "a shape ends with ]"))
        return false;
    if (in->stores) {
        tensor->dim = in->list->head.dim + first;
        tensor->rank = rank;
    }
    return true;
}

static bool read_dtype(reader *in, assay_new_tensor *tensor)
{
    model_text text;
    uint32_t at = next_at(in);
    if (!read_string(in, &text))
        return false;
    tensor->dtype = assay_dtype_parse((const char *)in->from.bytes + text.at, text.size);
    return tensor->dtype != 0 || fails_at(in, at, "an unknown dtype: their names are such as F32 or BF16");
}

/* Read a member of a tensor. */
static bool read_member(reader *in, assay_new_tensor *tensor, make_source *source, members *has)
{
    model_text key, text;
    bool *one = NULL, fine = false;
    uint32_t at = next_at(in);
    if (!read_string(in, &key) || !need(in, ':', "a colon is expected"))
        return false;
    if (is_word(in, key, "name")) {
        one = &has->name;
        fine = read_string(in, &text);
        tensor->name = fine ? bytes_of(in, text) : tensor->name;
    } else if (is_word(in, key, "dtype")) {
        one = &has->dtype;
        fine = read_dtype(in, tensor);
    } else if (is_word(in, key, "shape")) {
        one = &has->shape;
        fine = read_shape(in, tensor);
    } else if (is_word(in, key, "file")) {
        one = &has->file;
        fine = read_string(in, &source->file);
    } else if (is_word(in, key, "offset")) {
        one = &source->has_offset;
        fine = read_number(in, &source->offset);
    }
    if (one == NULL)
        return fails_at(in, at, "an unknown key: a tensor has name, dtype, shape, file and perhaps offset");
    bool twice = *one;
    *one = true;
    return fine && (!twice || fails_at(in, at, "a key is there twice"));
}

static bool read_tensor(reader *in)
{
    assay_new_tensor tensor = {.rank = 0};
    make_source source = {.offset = 0};
    members has = {false, false, false, false};
    if (!need(in, '{', "a tensor must be an object"))
        return false;
    do
        if (!read_member(in, &tensor, &source, &has))
            return false;
    while (take(in, ','));
    if (!need(in, '}', "a tensor ends with }"))
        return false;
    const char *lacks = !has.name    ? "a tensor has no name"
                        : !has.dtype ? "a tensor has no dtype"
                        : !has.shape ? "a tensor has no shape"
                        : !has.file  ? "a tensor has no file"
                                     : NULL;
    if (lacks != NULL)
        return fails(in, lacks);
    if (in->stores) {
        in->list->head.tensor[in->tensors] = tensor;
        in->list->source[in->tensors] = source;
    }
    in->tensors++;
    return true;
}

static bool read_tensors(reader *in)
{
    if (!need(in, '[', "tensors must be an array"))
        return false;
    if (take(in, ']'))
        return true;
    do
        if (!read_tensor(in))
            return false;
    while (take(in, ','));
    return need(in, ']', "the array of tensors ends with ]");
}

static bool read_metadata(reader *in)
{
    model_text key, value;
    if (!need(in, '{', "metadata must be an object"))
        return false;
    if (take(in, '}'))
        return true;
    do {
        if (!read_string(in, &key) || !need(in, ':', "a colon is expected") || !read_string(in, &value))
            return false;
        if (in->stores)
            in->list->head.pair[in->pairs] = (assay_new_pair){bytes_of(in, key), bytes_of(in, value)};
        in->pairs++;
    } while (take(in, ','));
    return need(in, '}', "metadata end with }");
}

/* Read the root, and check that nothing follows. */
static bool read_root(reader *in)
{
    model_text key;
    bool tensors = false, metadata = false;
    uint8_t byte;
    if (!need(in, '{', "the list must be a JSON object"))
        return false;
    do {
        uint32_t at = next_at(in);
        if (!read_string(in, &key) || !need(in, ':', "a colon is expected"))
            return false;
        bool *one = is_word(in, key, "tensors") ? &tensors : is_word(in, key, "metadata") ? &metadata : NULL;
        if (one == NULL || *one)
            return fails_at(in, at, "an unknown or repeated key: the list has tensors and perhaps metadata");
        *one = true;
        if (!(one == &tensors ? read_tensors(in) : read_metadata(in)))
            return false;
    } while (take(in, ','));
    if (!need(in, '}', "the list ends with }"))
        return false;
    if (json_peek(&in->from, &byte))
        return fails(in, "something follows the list");
    return tensors || fails(in, "the list has no tensors");
}

bool make_list_read(make_list *list, uint8_t *bytes, uint64_t size)
{
    uint8_t *copy = malloc((size_t)size + 1);
    *list = (make_list){.bytes = bytes};
    if (copy == NULL)
        return fails(&(reader){.list = list}, "not enough memory");
    memcpy(copy, bytes, (size_t)size);
    reader in = {.from = {copy, (uint32_t)size, 0, NULL}, .list = list};
    in.from.error = &in.error;
    bool fine = read_root(&in);
    free(copy);
    if (!fine)
        return false;
    list->source = calloc((size_t)in.tensors + 1, sizeof *list->source);
    if (list->source == NULL || !new_head_begin(&list->head, in.tensors, in.pairs, in.dims))
        return fails(&in, "not enough memory");
    reader again = {.from = {bytes, (uint32_t)size, 0, NULL}, .list = list, .stores = true};
    again.from.error = &again.error;
    return read_root(&again);
}
