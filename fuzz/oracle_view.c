/* oracle_view.c: compare all that a view returns with the model; compare finding and text comparison with simple
 * code. */
#include <string.h>

#include "fuzz.h"

enum { FILL = 0xA5, MOST_AXES = 64, SLICED = 4, WAYS = 4, PROBED = 64, FIRST = 6, FILE_MOST = 65536 };

/* A text as UTF-8. */
typedef struct {
    const uint8_t *bytes;
    uint64_t size;
} utf8_text;

size_t utf8_encode(uint32_t code, uint8_t *out)
{
    if (code < 0x80) {
        out[0] = (uint8_t)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (uint8_t)(0xC0 + code / 64);
        out[1] = (uint8_t)(0x80 + code % 64);
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (uint8_t)(0xE0 + code / 4096);
        out[1] = (uint8_t)(0x80 + code / 64 % 64);
        out[2] = (uint8_t)(0x80 + code % 64);
        return 3;
    }
    out[0] = (uint8_t)(0xF0 + code / 262144);
    out[1] = (uint8_t)(0x80 + code / 4096 % 64);
    out[2] = (uint8_t)(0x80 + code / 64 % 64);
    out[3] = (uint8_t)(0x80 + code % 64);
    return 4;
}

/* Compare as strings of bytes: -1, 0 or 1. */
static int order_of(utf8_text a, utf8_text b)
{
    uint64_t least = a.size < b.size ? a.size : b.size;
    int order = least == 0 ? 0 : memcmp(a.bytes, b.bytes, (size_t)least);
    return order != 0 ? (order > 0) - (order < 0) : (a.size > b.size) - (a.size < b.size);
}

uint8_t *utf8_of(const spec_text *text, uint64_t *size)
{
    static uint8_t room[4 * SPEC_HEAD_MAX];
    *size = 0;
    for (uint64_t i = 0; i < text->count; i++) {
        *size += utf8_encode(text->code[i], room + *size);
    }
    return guarded_copy(room, *size);
}

/* ---- Texts -------------------------------------------------------------------------------------------- */

/* Read a text to its end, compare each code point with the model, and return its bytes. */
static utf8_text check_text(const assay_view *view, assay_text text, const spec_text *expected)
{
    const assay_text whole = text;
    utf8_text bytes;
    uint32_t code = 0;
    demand(text.at == expected->at && text.end == expected->end, "a text is elsewhere than in the model");
    for (uint64_t i = 0; i < expected->count; i++) {
        uint64_t before = text.at;
        demand(assay_text_next(view, &text, &code), "a text ends too early");
        demand(text.at > before && text.at <= expected->end && text.end == expected->end, "a text's cursor leaves it");
        demand(code == expected->code[i], "a code point that is not the model's");
    }
    demand(!assay_text_next(view, &text, &code) && text.at == expected->end, "a text does not end");
    bytes.bytes = utf8_of(expected, &bytes.size);
    char *room = guarded(bytes.size + 1, FILL);
    demand(assay_text_utf8(view, whole, room, bytes.size + 1) == bytes.size, "the length of a text as UTF-8");
    demand(same_bytes(room, bytes.bytes, bytes.size) && room[bytes.size] == '\0', "a text as UTF-8 is not the model's");
    return bytes;
}

static int sign(int number)
{
    return (number > 0) - (number < 0);
}

/* Compare a text with itself, with its beginning, with an extension, and with another. */
static void check_compare(const assay_view *view, assay_text text, utf8_text self, utf8_text other)
{
    uint8_t *more = guarded(self.size + 1, 'x');
    memcpy(more, self.bytes, (size_t)self.size);
    demand(assay_text_compare(view, text, self.bytes, self.size) == 0, "a text is not equal to itself");
    demand(assay_text_compare(view, text, more, self.size + 1) == -1, "a text is not before what begins with it");
    demand(self.size == 0 || assay_text_compare(view, text, self.bytes, self.size - 1) == 1,
           "a text is not after its beginning");
    demand(sign(assay_text_compare(view, text, other.bytes, other.size)) == order_of(self, other),
           "two texts compare otherwise than their bytes");
}

/* ---- Finding ------------------------------------------------------------------------------------------ */

/* Return the index of the text; count if it is missing. */
static uint64_t index_of(const utf8_text *texts, uint64_t count, utf8_text wanted)
{
    uint64_t at = 0;
    while (at < count && order_of(texts[at], wanted) != 0) {
        at++;
    }
    return at;
}

/* Look up a name, its beginning, and the name with its last byte changed. */
static void probe(const assay_view *view, const utf8_text *texts, uint64_t count, uint64_t place, bool metadata)
{
    for (int change = 0; change < 3; change++) {
        utf8_text wanted = texts[place];
        uint8_t *bytes = guarded_copy(wanted.bytes, wanted.size);
        if (change > 0 && wanted.size == 0) {
            return;
        }
        wanted.size -= change == 1;
        wanted.bytes = change == 1 ? guarded_copy(bytes, wanted.size) : bytes;
        if (change == 2) {
            bytes[wanted.size - 1] ^= 0x11;
        }
        assay_tensor *tensor = guarded(sizeof *tensor, FILL);
        assay_text *value = guarded(sizeof *value, FILL), key, right;
        uint64_t found = index_of(texts, count, wanted);
        bool is = metadata ? assay_metadata_find(view, wanted.bytes, wanted.size, value)
                           : assay_tensor_find(view, wanted.bytes, wanted.size, tensor);
        demand(is == (found < count), is ? "a name is found that is not there" : "a name is not found");
        demand(is || (all_bytes(tensor, sizeof *tensor, FILL) && all_bytes(value, sizeof *value, FILL)),
               "an output was written though nothing was found");
        demand(!is || metadata || tensor->index == found, "a name finds another tensor");
        demand(!is || !metadata || assay_metadata_at(view, found, &key, &right), "a pair is not there");
        demand(!is || !metadata || same_bytes(value, &right, sizeof right), "a key finds another value");
    }
}

/* Check the names or keys, and that the view has them in order: then each is there once. */
static void check_names(const assay_view *view, const utf8_text *texts, uint64_t count, bool metadata)
{
    const uint32_t *place = metadata ? view->by_key : view->by_name;
    for (uint64_t i = 0; i < count; i++) {
        demand(place[i] < count, "the order of names has an index that no name has");
        demand(i == 0 || order_of(texts[place[i - 1]], texts[place[i]]) < 0, "the names are not in order");
    }
    for (uint64_t i = 0; i < count; i++) {
        if (i < PROBED || count - i <= FIRST) { /* the last, too: element numbers may be large */
            probe(view, texts, count, i, metadata);
        }
    }
}

/* ---- Tensors ------------------------------------------------------------------------------------------ */

/* Return a part of an axis: all of it, every other index, all but the first, the middle with a step that depends on
 * k. */
static assay_axis part_of(uint64_t dim, int way, uint64_t k)
{
    assay_axis parts[WAYS] = {{.stop = dim, .step = 1},
                              {.stop = dim, .step = 2},
                              {.start = dim > 0, .stop = dim, .step = 1},
                              {.start = dim / 3, .stop = dim - dim / 3, .step = 1 + k % 3}};
    return parts[way];
}

static void check_slices(const assay_view *view, const assay_tensor *tensor, const spec_tensor *expected)
{
    for (int way = 0; way < WAYS; way++) {
        assay_axis axis[MOST_AXES];
        for (uint64_t k = 0; k < expected->rank; k++) {
            axis[k] = part_of(expected->dim[k], way, k);
        }
        oracle_slice(view, tensor, expected, axis, expected->rank);
    }
}

/* All dims at once, in an array of exactly its size. */
static void check_dims(const assay_view *view, const assay_tensor *tensor, const spec_tensor *expected, uint64_t size)
{
    const uint64_t count = size < expected->rank ? size : expected->rank;
    uint64_t *dims = guarded(size * sizeof *dims, FILL);
    demand(assay_tensor_dims(view, tensor, dims, size) == count, "another number of dims at once");
    demand(same_bytes(dims, expected->dim, count * sizeof *dims), "dims at once that are not the model's");
    demand(all_bytes(dims + count, (size_t)(size - count) * sizeof *dims, FILL), "dims written beyond the last");
}

static void check_shape(const assay_view *view, const assay_tensor *tensor, const spec_tensor *expected)
{
    assay_dims dims = tensor->dims;
    uint64_t dim = 0;
    demand(tensor->rank == expected->rank && dims.left == expected->rank, "a rank that is not the model's");
    for (uint64_t k = 0; k < expected->rank; k++) {
        demand(assay_dim_next(view, &dims, &dim) && dim == expected->dim[k], "a dim that is not the model's");
    }
    demand(!assay_dim_next(view, &dims, &dim), "a dim beyond the last");
    if (tensor->index < PROBED) {
        check_dims(view, tensor, expected, expected->rank);
        check_dims(view, tensor, expected, expected->rank / 2);
        check_dims(view, tensor, expected, expected->rank + 2);
    }
    if (tensor->index < SLICED && expected->rank <= MOST_AXES) {
        check_slices(view, tensor, expected);
    }
}

static void check_data(const assay_tensor *tensor, uint64_t file_size)
{
    static const uint8_t file[FILE_MOST];
    demand(assay_tensor_data(tensor, NULL, file_size) == NULL, "data of no file");
    if (file_size <= FILE_MOST) {
        demand(assay_tensor_data(tensor, file, file_size) == file + tensor->begin, "a tensor's data lie elsewhere");
        demand(assay_tensor_data(tensor, file, tensor->end - (tensor->end > 0)) == NULL,
               "data beyond the end of the file");
    }
}

/* Check the tensors, in layout order. */
static void check_tensors(const assay_view *view, const spec_model *expected, uint64_t file_size, utf8_text *names)
{
    for (uint64_t i = 0; i < expected->tensors; i++) {
        assay_tensor t;
        demand(assay_tensor_at(view, i, &t), "a tensor is not there");
        demand(t.index == expected->order[i], "the layout order is not the model's");
        const spec_tensor *of = &expected->tensor[t.index];
        demand(t.begin - view->data_begin == of->begin && t.end - view->data_begin == of->end,
               "offsets that are not the model's");
        demand(t.dtype == of->dtype && t.bits == of->bits, "a dtype that is not the model's");
        names[t.index] = check_text(view, t.name, &of->name);
        check_shape(view, &t, of);
        check_data(&t, file_size);
    }
}

static void check_pairs(const assay_view *view, const spec_model *expected, utf8_text *keys)
{
    for (uint64_t i = 0; i < expected->pairs; i++) {
        assay_text key, value;
        demand(assay_metadata_at(view, i, &key, &value), "a pair is not there");
        keys[i] = check_text(view, key, &expected->pair[i].key);
        utf8_text other = check_text(view, value, &expected->pair[i].value);
        if (i < PROBED) {
            check_compare(view, value, other, keys[i]);
        }
    }
}

/* An index beyond the last is refused, and nothing is written. */
static void check_beyond(const assay_view *view, uint64_t index)
{
    assay_tensor *tensor = guarded(sizeof *tensor, FILL);
    assay_text *key = guarded(sizeof *key, FILL), *value = guarded(sizeof *value, FILL);
    demand(index < view->tensors || !assay_tensor_at(view, index, tensor), "a tensor beyond the last");
    demand(index < view->pairs || !assay_metadata_at(view, index, key, value), "a pair beyond the last");
    demand(index < view->tensors || all_bytes(tensor, sizeof *tensor, FILL), "a tensor written though there is none");
    demand(index < view->pairs || (all_bytes(key, sizeof *key, FILL) && all_bytes(value, sizeof *value, FILL)),
           "a pair written though there is none");
}

void oracle_view(const assay_view *view, const spec_model *expected, uint64_t file_size)
{
    static utf8_text names[SPEC_HEAD_MAX / 32], keys[SPEC_HEAD_MAX / 4];
    const assay_view before = *view;
    demand(assay_tensor_count(view) == expected->tensors, "the view and the model count differently");
    demand(assay_metadata_count(view) == expected->pairs, "the view and the model count pairs differently");
    demand(view->metadata == expected->metadata, "the view and the model disagree about __metadata__");
    demand(view->data_begin == expected->end && view->data_size == file_size - expected->end,
           "the data section lies elsewhere");
    check_tensors(view, expected, file_size, names);
    check_pairs(view, expected, keys);
    check_names(view, names, expected->tensors, false);
    check_names(view, keys, expected->pairs, true);
    for (uint64_t i = 0; i < expected->tensors && i < PROBED; i++) {
        assay_text name = {expected->tensor[i].name.at, expected->tensor[i].name.end};
        check_compare(view, name, names[i], names[(i + 1) % expected->tensors]);
    }
    check_beyond(view, expected->tensors);
    check_beyond(view, expected->pairs);
    check_beyond(view, UINT64_MAX);
    demand(same_bytes(view, &before, sizeof before), "the view was written");
}
