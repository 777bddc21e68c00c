/* view.c: reading a valid file: its tensors, their shapes and bytes, its texts and metadata.
 *
 * * Nothing here judges: what a view says has been checked before. But a cursor (assay_text, assay_dims) is
 * in the caller's hands between two calls, so every step is safe for any cursor: it reads below data_begin or
 * not at all. */
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

/* What an entry says, where the data section begins at file offset data_begin. */
/*@ requires entry: \valid_read(entry) && valid_entry(entry, data_begin, data_size);
  @ requires file: data_begin + data_size <= UINT64_MAX;
  @ requires out: \valid(tensor) && \separated(tensor, entry);
  @ terminates \true;
  @ exits \false;
  @ assigns *tensor;
  @ ensures place: tensor->place == place;
  @ ensures table: unpacked(tensor, entry, data_begin);
  @ ensures in_data: data_begin <= tensor->begin <= tensor->end <= data_begin + data_size;
  @*/
static void view_unpack(const assay_entry *entry, uint64_t data_begin, uint64_t place, assay_tensor *tensor)
/*@ ghost (uint64_t data_size) */
{
    uint64_t name = entry->name, shape = entry->shape;
    tensor->place = place;
    tensor->begin = data_begin + entry->begin;
    tensor->end = data_begin + entry->end;
    tensor->dtype = shape / ASSAY_ENTRY_DTYPE;
    tensor->bits = assay_dtype_bits((uint32_t)(shape / ASSAY_ENTRY_DTYPE));
    tensor->rank = shape / ASSAY_ENTRY_HIGH % (ASSAY_ENTRY_DTYPE / ASSAY_ENTRY_HIGH);
    tensor->name.at = name % ASSAY_ENTRY_HIGH;
    tensor->name.end = name % ASSAY_ENTRY_HIGH + name / ASSAY_ENTRY_HIGH;
    tensor->dims.at = shape % ASSAY_ENTRY_HIGH;
    tensor->dims.left = shape / ASSAY_ENTRY_HIGH % (ASSAY_ENTRY_DTYPE / ASSAY_ENTRY_HIGH);
}

/* The tensor at this place of the table. */
/*@ requires view: valid_view(view);
  @ requires place: place < view->tensors;
  @ requires out: \valid(tensor) && \separated(tensor, view, view->entry + (0 .. view->tensors - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns *tensor;
  @ ensures place: tensor->place == place;
  @ ensures table: unpacked(tensor, view->entry + place, view->data_begin);
  @ ensures in_data: in_data(tensor, view);
  @*/
static void view_tensor(const assay_view *view, uint64_t place, assay_tensor *tensor)
{
    //@ assert entry: valid_entry(view->entry + place, view->data_begin, view->data_size);
    view_unpack(view->entry + place, view->data_begin, place, tensor) /*@ ghost (view->data_size) */;
}

bool assay_tensor_at(const assay_view *view, uint64_t index, assay_tensor *tensor)
{
    if (index >= view->tensors) {
        return false;
    }
    view_tensor(view, view->order[index], tensor);
    return true;
}

bool assay_find(const assay_view *view, const uint8_t *name, uint64_t size, assay_tensor *tensor)
{
    uint32_t place = assay_index_find(view->head, (uint32_t)view->data_begin, view->name, (uint32_t)view->tensors,
                                      view->name_slot, view->seed, name, size);
    if (place >= view->tensors) {
        return false;
    }
    view_tensor(view, place, tensor);
    return true;
}

/* ---- Dims ------------------------------------------------------------------------------------------- */

/* What may stand between two dims: JSON white space and commas. */
/*@ terminates \true;
  @ exits \false;
  @ assigns \nothing;
  @ ensures gap: \result <==> dim_gap(byte) == 1;
  @*/
static bool dim_gap(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' || byte == ',';
}

/* The first byte at or behind `at` that is no gap, or end. */
/*@ requires head: \valid_read(head + (0 .. end - 1));
  @ requires text: at <= end;
  @ terminates \true;
  @ exits \false;
  @ assigns \nothing;
  @ ensures stop: \result == gap_stop(head, at, end);
  @ ensures bounds: at <= \result <= end;
  @*/
static uint32_t dim_first(const uint8_t *head, uint32_t at, uint32_t end)
{
    /*@ loop invariant bounds: \at(at, Pre) <= at <= end;
      @ loop invariant stop: gap_stop(head, at, end) == gap_stop(head, \at(at, Pre), end);
      @ loop assigns at;
      @ loop variant end - at;
      @*/
    while (at < end && dim_gap(head[at])) {
        at++;
    }
    return at;
}

/* The first byte at or behind `at` that is no digit, or end. */
/*@ requires head: \valid_read(head + (0 .. end - 1));
  @ requires text: at <= end;
  @ terminates \true;
  @ exits \false;
  @ assigns \nothing;
  @ ensures stop: \result == digits_stop(head, at, end);
  @ ensures bounds: at <= \result <= end;
  @ ensures digits: \forall integer i; at <= i < \result ==> dim_digit(head[i]) == 1;
  @*/
static uint32_t dim_last(const uint8_t *head, uint32_t at, uint32_t end)
{
    /*@ loop invariant bounds: \at(at, Pre) <= at <= end;
      @ loop invariant stop: digits_stop(head, at, end) == digits_stop(head, \at(at, Pre), end);
      @ loop invariant digits: \forall integer i; \at(at, Pre) <= i < at ==> dim_digit(head[i]) == 1;
      @ loop assigns at;
      @ loop variant end - at;
      @*/
    while (at < end && head[at] >= '0' && head[at] <= '9') {
        at++;
    }
    return at;
}

/* The number that the digits head[at .. end) make. False: it is over 2^64 - 1. */
/*@ requires head: \valid_read(head + (0 .. end - 1));
  @ requires text: at <= end;
  @ requires digits: \forall integer i; at <= i < end ==> dim_digit(head[i]) == 1;
  @ requires out: \valid(value);
  @ terminates \true;
  @ exits \false;
  @ assigns *value;
  @ ensures answer: \result <==> decimal(head, at, end) <= UINT64_MAX;
  @ ensures number: \result ==> *value == decimal(head, at, end);
  @*/
static bool dim_value(const uint8_t *head, uint32_t at, uint32_t end, uint64_t *value)
{
    uint64_t sum = 0;
    bool huge = false;
    /*@ loop invariant bounds: at <= i <= end;
      @ loop invariant huge: huge <==> decimal(head, at, i) > UINT64_MAX;
      @ loop invariant sum: !huge ==> sum == decimal(head, at, i);
      @ loop assigns i, sum, huge;
      @ loop variant end - i;
      @*/
    for (uint32_t i = at; i < end; i++) {
        //@ assert digit: dim_digit(head[i]) == 1;
        uint32_t digit = head[i] - 48u;
        if (huge || sum > DIM_TENTH || (sum == DIM_TENTH && digit > DIM_REST)) {
            huge = true;
        } else {
            sum = 10u * sum + digit;
        }
    }
    if (!huge) {
        *value = sum;
    }
    return !huge;
}

bool assay_dim_read(const uint8_t *head, uint32_t end, assay_dims *dims, uint64_t *dim)
{
    if (dims->left == 0 || dims->at >= end) {
        return false;
    }
    uint32_t first = dim_first(head, (uint32_t)dims->at, end);
    uint32_t last = dim_last(head, first, end);
    uint64_t value = 0;
    if (first == last || !dim_value(head, first, last, &value)) {
        return false;
    }
    dims->at = last;
    dims->left--;
    *dim = value;
    return true;
}

bool assay_dim_next(const assay_view *view, assay_dims *dims, uint64_t *dim)
{
    return assay_dim_read(view->head, (uint32_t)view->data_begin, dims, dim);
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
    text->at = step % ASSAY_ENTRY_HIGH;
    *code_point = (uint32_t)(step / ASSAY_ENTRY_HIGH);
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
/*@ requires text: at <= end;
  @ requires head: head_ok(head, end);
  @ requires out: \valid(text);
  @ terminates \true;
  @ exits \false;
  @ assigns *text;
  @ ensures text: text->at == at && at <= text->end <= end;
  @*/
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
