/* mutator.c: change a file meaningfully: read its header as a document, change members, and write it again, mostly with
 * matching header length, offsets and data size. The result depends on the seed only. */
#include <stdio.h>
#include <string.h>

#include "document.h"
#include "fuzz.h"
#include "random_source.h"

/* ---- Values ------------------------------------------------------------------------------------------- */

/* Return a number near a boundary, or a small one. */
static uint64_t some_number(void)
{
    static const uint8_t powers[] = {7, 8, 16, 24, 27, 31, 32, 53, 59, 60, 61, 62, 63};
    if (!one_in(3)) {
        return random_below(6);
    }
    if (one_in(4)) {
        return UINT64_MAX - random_below(8);
    }
    return (UINT64_C(1) << powers[random_below(sizeof powers)]) + random_below(3) - 1;
}

static raw_text raw(const char *text)
{
    raw_text made = {.size = (uint8_t)strlen(text)};
    memcpy(made.byte, text, made.size);
    return made;
}

static void some_text(raw_text *to)
{
    static const char *const texts[] = {"", "a", "b", "ab", "dtype", "shape", "__metadata_", "__metadata__x",
                                        "12345678", "123456789", "1234567\\u0038", "model.layers.0.weight",
                                        "model.layers.1.weight",
                                        "\\u0061", "\\n", "\\\"", "\\\\", "\\/", "\xC3\xA9", "\\u00e9", "\\u00E9",
                                        "\xF0\x9F\x98\x80", "\\ud83d\\ude00", "\\uD83D\\uDE00", "\xE2\x80\xAE", "\x7F",
                                        "\xEF\xBF\xBF"};
    static const char *const wrong[] = {"\\u0000", "\\ud800", "\\udc00", "\\ud83d\\u0041", "\\x", "\\u12", "\x01",
                                        "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x80", "\xFF",
                                        "__metadata__", "__metadata\\u005f_"};
    *to = one_in(24) ? raw(wrong[random_below(sizeof wrong / sizeof *wrong)])
                     : raw(texts[random_below(sizeof texts / sizeof *texts)]);
    if (one_in(3) && to->size < RAW) { /* a unique name */
        to->byte[to->size++] = (uint8_t)('0' + random_below(64));
        to->byte[to->size - 1] = to->byte[to->size - 1] == '\\' ? '_' : to->byte[to->size - 1];
    }
}

/* Write one of the letters of a text as an escape. */
static void respell(raw_text *text)
{
    static const char hex[] = "0123456789abcdef0123456789ABCDEF";
    size_t at = (size_t)random_below(text->size), row = 16 * (size_t)random_below(2);
    if (text->size == 0 || text->size + 5 > RAW || memchr(text->byte, '\\', text->size) != NULL ||
        text->byte[at] < ' ' || text->byte[at] > '~') {
        return;
    }
    uint8_t letter = text->byte[at], escape[6] = {'\\', 'u', '0', '0'};
    escape[4] = (uint8_t)hex[row + letter / 16];
    escape[5] = (uint8_t)hex[row + letter % 16];
    memmove(text->byte + at + 6, text->byte + at + 1, text->size - at - 1);
    memcpy(text->byte + at, escape, 6);
    text->size = (uint8_t)(text->size + 5);
}

static void write_number(uint8_t *to, uint64_t number)
{
    for (int k = 0; k < 8; k++) {
        to[k] = (uint8_t)(number >> 8 * k);
    }
}

/* ---- Tensors ------------------------------------------------------------------------------------------ */

static doc_tensor *any_tensor(document *doc)
{
    return &doc->tensor[random_below(doc->tensors)];
}

static void add_tensor(document *doc)
{
    if (doc->tensors < TENSORS) {
        doc_tensor *t = &doc->tensor[doc->tensors++];
        memset(t, 0, sizeof *t);
        some_text(&t->name);
        t->dtype = random_below(SPEC_DTYPES);
        t->rank = random_below(4);
        for (uint64_t k = 0; k < t->rank; k++) {
            t->dim[k] = random_below(5);
        }
        t->order = (uint8_t)random_below(6);
    }
}

static void copy_tensor(document *doc)
{
    if (doc->tensors < TENSORS) {
        doc->tensor[doc->tensors] = *any_tensor(doc);
        doc_tensor *t = &doc->tensor[doc->tensors++];
        if (one_in(2)) {
            some_text(&t->name);
        } else if (one_in(2)) {
            respell(&t->name);
        }
    }
}

static const char beginning[] = "model.language_model.layers.self_attn.q_proj.weight_scale_and_so_on_and_on_";

/* Make hundreds of tensors, to test sorting and finding: copies with unique names and a common beginning, so that
 * names differ late. Their order ascends, descends, or is random. */
static void multiply(document *doc)
{
    int same = (int)random_below(sizeof beginning);
    size_t first = doc->tensors, count = 64 + (size_t)random_below(TENSORS - 63);
    uint64_t way = random_below(3);
    uint32_t number[TENSORS];
    for (uint32_t i = 0; i < TENSORS; i++) {
        number[i] = way == 0 ? i : TENSORS - i;
    }
    for (size_t i = TENSORS - 1; way == 2 && i > 0; i--) {
        size_t other = (size_t)random_below(i + 1);
        uint32_t between = number[i];
        number[i] = number[other];
        number[other] = between;
    }
    for (; doc->tensors < count; doc->tensors++) {
        doc_tensor *t = &doc->tensor[doc->tensors];
        *t = *any_tensor(doc);
        t->name.size = (uint8_t)snprintf((char *)t->name.byte, RAW, "%.*s%u", same, beginning,
                                         (unsigned)number[doc->tensors - first]);
    }
}

static void drop_tensor(document *doc)
{
    *any_tensor(doc) = doc->tensor[doc->tensors - 1];
    doc->tensors--;
}

static void swap_tensors(document *doc)
{
    doc_tensor *a = any_tensor(doc), *b = any_tensor(doc), between = *a;
    *a = *b;
    *b = between;
}

static void change_dtype(document *doc)
{
    any_tensor(doc)->dtype = random_below(SPEC_DTYPES);
}

static void change_dims(document *doc)
{
    doc_tensor *t = any_tensor(doc);
    if (t->rank < RANK && one_in(2)) {
        t->dim[t->rank++] = one_in(2) ? some_number() : random_below(4);
    } else if (t->rank > 0 && one_in(2)) {
        t->rank--;
    } else if (t->rank > 0) {
        t->dim[random_below(t->rank)] = some_number();
    }
}

static void change_name(document *doc)
{
    doc_tensor *t = any_tensor(doc);
    if (one_in(4)) {
        t->name = any_tensor(doc)->name;
    } else if (one_in(2)) {
        some_text(&t->name);
    }
    if (one_in(3)) {
        respell(&t->name);
    }
}

static void change_offsets(document *doc)
{
    doc_tensor *t = any_tensor(doc);
    uint64_t *side = one_in(2) ? &t->begin : &t->end, by = random_below(3) - 1;
    if (one_in(3)) {
        *side = some_number();
    } else if (one_in(2)) {
        *side += by;
    } else { /* move the whole tensor */
        t->begin += by;
        t->end += by;
    }
}

static void change_order(document *doc)
{
    any_tensor(doc)->order = (uint8_t)random_below(6);
}

static void break_tensor(document *doc)
{
    if (one_in(4)) {
        any_tensor(doc)->wrong = (fault)random_below(FAULTS);
    }
}

/* ---- Metadata and the rest ---------------------------------------------------------------------------- */

static void change_metadata(document *doc)
{
    doc_pair *pair = &doc->pair[random_below(doc->pairs)];
    if (!doc->metadata || one_in(6)) {
        doc->metadata = !doc->metadata;
    } else if (doc->pairs < PAIRS && one_in(2)) {
        pair = &doc->pair[doc->pairs++];
        some_text(&pair->key);
        some_text(&pair->value);
    } else if (doc->pairs > 0 && one_in(3)) {
        *pair = doc->pair[--doc->pairs];
    } else if (doc->pairs > 0 && one_in(2)) {
        pair->key = doc->pair[random_below(doc->pairs)].key;
        respell(&pair->key);
    } else {
        doc->metadata_place = (size_t)random_below(doc->tensors + 1);
    }
}

static void change_frame(document *doc)
{
    doc->spaces = one_in(2);
    doc->padding = (uint8_t)random_below(9);
    doc->bad_end = one_in(16);
    doc->length_off = (int8_t)(one_in(16) ? (int)random_below(5) - 2 : 0);
    doc->size_off = one_in(4) ? (int64_t)random_below(5) - 2 : one_in(8) ? (int64_t)some_number() : 0;
}

/* Lay the tensors out one after the other, in header order or another, so that the layout is valid. */
static void lay_out(document *doc)
{
    size_t order[TENSORS];
    uint64_t position = 0, bits;
    for (size_t i = 0; i < doc->tensors; i++) {
        order[i] = i;
    }
    for (size_t i = doc->tensors; one_in(2) && i > 1; i--) {
        size_t other = (size_t)random_below(i), last = order[i - 1];
        order[i - 1] = order[other];
        order[other] = last;
    }
    for (size_t i = 0; i < doc->tensors; i++) {
        doc_tensor *t = &doc->tensor[order[i]];
        if (document_bits(t, &bits) && bits % 8 != 0 && t->rank > 0) {
            t->dim[t->rank - 1] *= 4; /* a dtype of less than a byte: whole bytes */
        }
        if (!document_bits(t, &bits) || bits / 8 > UINT64_MAX - 200000 - position) {
            t->rank = 0;
            t->dtype = 1; /* a scalar U8 */
            bits = 8;
        }
        t->begin = position;
        t->end = position + bits / 8;
        position = t->end;
    }
}

static void mutate(document *doc)
{
    static void (*const changes[])(document *doc) = {add_tensor,   copy_tensor, drop_tensor,    swap_tensors,
                                                     change_dtype, change_dims, change_name,    change_offsets,
                                                     change_order, break_tensor, change_metadata, change_frame};
    for (uint64_t left = 1 + random_below(4); left > 0; left--) {
        if (doc->tensors == 0) {
            add_tensor(doc);
        }
        changes[random_below(sizeof changes / sizeof *changes)](doc);
    }
    if (one_in(1024) && doc->tensors > 0) {
        multiply(doc);
    }
    if (!one_in(4)) {
        lay_out(doc);
    }
    if (one_in(4) && doc->tensors > 0) {
        change_offsets(doc);
    }
}

/* ---- The mutator -------------------------------------------------------------------------------------- */

/* Change, insert or remove a byte in bytes[0 .. size), and return the new size. */
static size_t mutate_bytes(uint8_t *bytes, size_t size, size_t room)
{
    size_t at = (size_t)random_below(size);
    if (size < room && one_in(3)) {
        memmove(bytes + at + 1, bytes + at, size - at);
        bytes[at] = (uint8_t)random_word();
        return size + 1;
    }
    if (size > 0 && one_in(3)) {
        memmove(bytes + at, bytes + at + 1, size - at - 1);
        return size - 1;
    }
    if (size > 0) {
        bytes[at] = one_in(2) ? (uint8_t)random_word() : (uint8_t)(bytes[at] ^ 1u << random_below(8));
    }
    return size;
}

/* Return the size of the head of an input. */
static size_t head_size(const uint8_t *data, size_t size)
{
    uint64_t length = size < 8 ? 0 : number_at(data, 8);
    if (tail_is_data_size) {
        return size < 8 + tail_more ? 0 : size - 8 - tail_more;
    }
    return size < 8 || length > size - 8 ? size : 8 + (size_t)length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    static document doc;
    static uint8_t tail[INPUT_MAX];
    size_t space = room < 8 + tail_more ? 0 : room - 8 - tail_more, head = head_size(data, size);
    size_t tail_size = size - head < sizeof tail ? size - head : sizeof tail;
    random_seed(seed);
    memcpy(tail, data + head, tail_size);
    if (one_in(8) && head > 8) { /* change a byte of the JSON, and N with it */
        head = 8 + mutate_bytes(data + 8, head - 8, room < 16 + tail_more + head ? head - 8 : head - 7);
        write_number(data, head - 8);
    } else if (tail_is_data_size || one_in(3)) {
        document_read(&doc, data, head);
        mutate(&doc);
        while ((head = document_write(&doc, data, space)) == 0 && doc.tensors > 0) {
            doc.tensors /= 2;
        }
        if (tail_is_data_size) {
            write_number(tail, document_data(&doc) + (uint64_t)doc.size_off);
        }
    }
    if (tail_is_data_size) {
        tail_size = 8 + tail_more;
        tail[8 + random_below(tail_more)] ^= (uint8_t)(one_in(2) && tail_more > 0 ? random_word() : 0);
    } else {
        for (uint64_t left = random_below(4); left > 0; left--) {
            tail_size = mutate_bytes(tail, tail_size, sizeof tail);
        }
    }
    tail_size = tail_size < room - head ? tail_size : room - head;
    memcpy(data + head, tail, tail_size);
    return head + tail_size;
}
