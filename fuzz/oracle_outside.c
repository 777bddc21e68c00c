/* oracle_outside.c: check without the model that a view describes one unambiguous file: that the tensors partition
 * the data, names and keys differ, and sizes are right. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

/* The unescaped texts of a view, as UTF-8. */
typedef struct {
    const uint8_t *bytes;
    uint64_t size;
} decoded;

static decoded decode(const assay_view *view, assay_text text)
{
    static uint8_t room[4 * SPEC_HEAD_MAX];
    uint64_t size = 0, most = text.end - text.at;
    uint32_t code = 0;
    demand(text.at >= 9 && text.at <= text.end && text.end < view->data_begin, "a text that is not in the header");
    demand(view->head[text.at - 1] == '"' && view->head[text.end] == '"', "a text that is not between quotes");
    while (assay_text_next(view, &text, &code)) {
        demand(code != 0 && code <= 0x10FFFF && !(code >= 0xD800 && code < 0xE000), "a code point that is none");
        size += utf8_encode(code, room + size);
        demand(size <= most, "a text that is longer than its bytes");
    }
    return (decoded){guarded_copy(room, size), size};
}

static int order_of(const void *left, const void *right)
{
    const decoded *a = left, *b = right;
    if (a->size != b->size) {
        return a->size < b->size ? -1 : 1;
    }
    return memcmp(a->bytes, b->bytes, (size_t)a->size);
}

static void all_differ(decoded *texts, uint64_t count, const char *what)
{
    qsort(texts, (size_t)count, sizeof *texts, order_of);
    for (uint64_t i = 1; i < count; i++) {
        demand(order_of(&texts[i - 1], &texts[i]) != 0, what);
    }
}

/* Check that bits times the product of the dims is 8 times the length. */
static void check_size(const assay_view *view, const assay_tensor *tensor)
{
    assay_dims dims = tensor->dims;
    unsigned __int128 bits = tensor->bits;
    uint64_t dim = 0, rank = 0;
    bool empty = false;
    demand(dims.at >= 9 && dims.at < view->data_begin && view->head[dims.at - 1] == '[',
           "a shape that is not in the header");
    while (assay_dim_next(view, &dims, &dim)) {
        rank++;
        empty |= dim == 0;
        bits *= dim == 0 ? 1 : dim;
        demand(bits <= UINT64_MAX, "a shape that overflows");
    }
    bits = empty ? 0 : bits;
    demand(rank == tensor->rank, "a rank that is not the number of dims");
    demand(bits == (unsigned __int128)8 * (tensor->end - tensor->begin), "bits times dims is not the length");
}

/* Check that each tensor begins where the previous one ends, and the last ends with the file. So the tensors leave out
 * nothing and share nothing, and none, empty or not, begins inside another. Each element number occurs once. */
static void check_partition(const assay_view *view, uint64_t file_size)
{
    static uint8_t seen[SPEC_HEAD_MAX / 32];
    uint64_t position = view->data_begin, count = assay_tensor_count(view);
    assay_tensor t;
    demand(count <= sizeof seen, "more tensors than the header has room for");
    memset(seen, 0, (size_t)count);
    for (uint64_t i = 0; i < count; i++) {
        demand(assay_tensor_at(view, i, &t), "a tensor is not there");
        demand(t.begin == position && t.end >= t.begin && t.end <= file_size, "the tensors are no partition");
        demand(t.index < count && seen[t.index]++ == 0, "an element number occurs twice in the layout order");
        position = t.end;
        check_size(view, &t);
    }
    demand(position == file_size, "the tensors do not reach the end of the file");
}

void oracle_outside(const assay_view *view, uint64_t file_size)
{
    static decoded texts[SPEC_HEAD_MAX / 4];
    assay_tensor t;
    assay_text key, value;
    demand(view->data_begin + view->data_size == file_size, "the data section does not end with the file");
    check_partition(view, file_size);
    for (uint64_t i = 0; i < assay_tensor_count(view); i++) {
        demand(assay_tensor_at(view, i, &t), "a tensor is not there");
        texts[i] = decode(view, t.name);
    }
    all_differ(texts, assay_tensor_count(view), "two names are the same");
    for (uint64_t i = 0; i < assay_metadata_count(view); i++) {
        demand(assay_metadata_at(view, i, &key, &value), "a pair is not there");
        texts[i] = decode(view, key);
        decode(view, value);
    }
    all_differ(texts, assay_metadata_count(view), "two keys are the same");
}
