/* view.c: reading a valid file: its tensors, their shapes and bytes, its texts and metadata.
 *
 * Nothing here judges: what a view says has been checked before. But a cursor (assay_text, assay_dims) is in the
 * caller's hands between two calls, so every step is safe for any cursor: it reads below data_begin or not at all. */
#include "core.h"
#include "dtypes.h"

/* (2^64 - 1) / 10 and the digit that remains. */
#define DIM_TENTH UINT64_C(1844674407370955161)
#define DIM_REST 5u

/* ---- Tensors ---------------------------------------------------------------------------------------- */

uint64_t assay_count(const assay_view *view)
{
    return view->tensors;
}

/* Unpacks an entry whose data begin at file offset data_begin. */
static void view_unpack(const assay_entry *entry, uint64_t data_begin, uint64_t place, assay_tensor *tensor)
{
    uint64_t name = entry->name, shape = entry->shape;
    tensor->place = place;
    tensor->begin = data_begin + entry->begin;
    tensor->end = data_begin + entry->end;
    tensor->dtype = shape / 576460752303423488u;
    tensor->bits = assay_dtype_bits((uint32_t)(shape / 576460752303423488u));
    tensor->rank = shape / 4294967296u % 134217728u;
    tensor->name.at = name % 4294967296u;
    tensor->name.end = name % 4294967296u + name / 4294967296u;
    tensor->dims.at = shape % 4294967296u;
    tensor->dims.left = shape / 4294967296u % 134217728u;
}

bool assay_tensor_at(const assay_view *view, uint64_t index, assay_tensor *tensor)
{
    if (index >= view->tensors) {
        return false;
    }
    uint32_t place = view->order[index];
    view_unpack(view->entry + place, view->data_begin, place, tensor);
    return true;
}

bool assay_find(const assay_view *view, const uint8_t *name, uint64_t size, assay_tensor *tensor)
{
    uint32_t place = assay_index_find(view->head, (uint32_t)view->data_begin, view->name, (uint32_t)view->tensors,
                                      view->name_slot, view->seed, name, size);
    if (place >= view->tensors) {
        return false;
    }
    view_unpack(view->entry + place, view->data_begin, place, tensor);
    return true;
}

/* ---- Dims ------------------------------------------------------------------------------------------- */

/* What may stand between two dims: JSON white space and commas. */
static bool dim_gap(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' || byte == ',';
}

/* The first byte at or behind `at` that is no gap, or end. */
static uint32_t dim_first(const uint8_t *head, uint32_t at, uint32_t end)
{
    while (at < end && dim_gap(head[at])) {
        at++;
    }
    return at;
}

/* The first byte at or behind `at` that is no digit, or end. */
static uint32_t dim_last(const uint8_t *head, uint32_t at, uint32_t end)
{
    while (at < end && head[at] >= '0' && head[at] <= '9') {
        at++;
    }
    return at;
}

/* The number that the digits head[at .. end) make. False: it is over 2^64 - 1. */
static bool dim_value(const uint8_t *head, uint32_t at, uint32_t end, uint64_t *value)
{
    uint64_t sum = 0;
    for (uint32_t i = at; i < end; i++) {
        uint32_t digit = head[i] - 48u;
        if (sum > DIM_TENTH || (sum == DIM_TENTH && digit > DIM_REST)) {
            return false;
        }
        sum = 10u * sum + digit;
    }
    *value = sum;
    return true;
}

bool assay_dim_next(const assay_view *view, assay_dims *dims, uint64_t *dim)
{
    if (dims->left == 0 || dims->at >= view->data_begin) {
        return false;
    }
    uint32_t end = (uint32_t)view->data_begin;
    uint32_t first = dim_first(view->head, (uint32_t)dims->at, end);
    uint32_t last = dim_last(view->head, first, end);
    uint64_t value;
    if (first == last || !dim_value(view->head, first, last, &value)) {
        return false;
    }
    dims->at = last;
    dims->left--;
    *dim = value;
    return true;
}

const uint8_t *assay_data(const assay_tensor *tensor, const uint8_t *file, uint64_t file_size)
{
    if (file == NULL || tensor->begin > tensor->end || tensor->end > file_size) {
        return NULL;
    }
    return file + tensor->begin;
}

/* ---- Text ------------------------------------------------------------------------------------------- */

bool assay_text_next(const assay_view *view, assay_text *text, uint32_t *code_point)
{
    if (text->at >= text->end || text->end > view->data_begin) {
        return false;
    }
    uint64_t step = assay_decode(view->head, (uint32_t)text->at, (uint32_t)text->end);
    text->at = step % 4294967296u;
    *code_point = (uint32_t)(step / 4294967296u);
    return true;
}

int assay_text_compare(const assay_view *view, assay_text text, const uint8_t *bytes, uint64_t size)
{
    if (text.at > text.end || text.end > view->data_begin) {
        text.at = 0;
        text.end = 0;
    }
    return assay_text_order(view->head, (uint32_t)text.at, (uint32_t)text.end, bytes, size);
}

/* ---- Metadata --------------------------------------------------------------------------------------- */

uint64_t assay_metadata_count(const assay_view *view)
{
    return view->pairs;
}

/* The text whose opening quote stands before `at`. */
static void view_text(const uint8_t *head, uint32_t at, uint32_t end, assay_text *text)
{
    text->at = at;
    text->end = assay_text_end(head, at, end);
}

bool assay_metadata_at(const assay_view *view, uint64_t index, assay_text *key, assay_text *value)
{
    if (index >= view->pairs) {
        return false;
    }
    uint32_t end = (uint32_t)view->data_begin;
    view_text(view->head, view->key[index], end, key);
    view_text(view->head, view->value[view->pairs - 1 - index], end, value);
    return true;
}

bool assay_metadata_find(const assay_view *view, const uint8_t *key, uint64_t size, assay_text *value)
{
    uint32_t end = (uint32_t)view->data_begin;
    uint32_t place = assay_index_find(view->head, end, view->key, (uint32_t)view->pairs, view->key_slot, view->seed,
                                      key, size);
    if (place >= view->pairs) {
        return false;
    }
    view_text(view->head, view->value[view->pairs - 1 - place], end, value);
    return true;
}
