/* view.c: reading a valid file: its tensors, their shapes and bytes, its texts and metadata.
 *
 * Nothing here judges: what a view says has been checked before. But a cursor (assay_text, assay_dims) is
 * in the caller's hands between two calls, so every step is safe for any cursor: it reads below data_begin or
 * not at all. */
#include "core.h"
#include "dtypes.h"

/* Unfolds: packed_end, tensor_name, pair_name, object_rank, dim_start, dim_stop, dim_number, dim_there, dims_after. */

/* ---- Tensors ---------------------------------------------------------------------------------------- */

uint64_t assay_tensor_count(const assay_view *view)
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
  @ ensures place: tensor->index == place;
  @ ensures table: unpacked(tensor, entry, data_begin);
  @ ensures in_data: data_begin <= tensor->begin <= tensor->end <= data_begin + data_size;
  @*/
static void view_unpack(const assay_entry *entry, uint64_t data_begin, uint64_t place, assay_tensor *tensor)
/*@ ghost (uint64_t data_size) */
{
    uint64_t name = entry->name, shape = entry->shape;
    tensor->index = place;
    tensor->begin = data_begin + entry->begin;
    tensor->end = data_begin + entry->end;
    tensor->dtype = shape / ASSAY_ENTRY_DTYPE;
    tensor->bits = assay_dtype_bits((uint32_t)(shape / ASSAY_ENTRY_DTYPE));
    tensor->rank = shape / ASSAY_ENTRY_HIGH % (ASSAY_ENTRY_DTYPE / ASSAY_ENTRY_HIGH);
    tensor->name.at = name % ASSAY_ENTRY_HIGH;
    tensor->name.end = name % ASSAY_ENTRY_HIGH + name / ASSAY_ENTRY_HIGH % (ASSAY_ENTRY_PLAIN / ASSAY_ENTRY_HIGH);
    tensor->dims.at = shape % ASSAY_ENTRY_HIGH;
    tensor->dims.left = shape / ASSAY_ENTRY_HIGH % (ASSAY_ENTRY_DTYPE / ASSAY_ENTRY_HIGH);
}

/* The tensor at this place of the table. */
/*@ requires view: valid_view(view);
  @ requires place: place < view->tensors;
  @ requires out: \valid(tensor) && \separated(tensor, view) &&
  @     \separated(tensor, view->entry + (0 .. view->tensors - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns *tensor;
  @ ensures place: tensor->index == place;
  @ ensures table: unpacked(tensor, view->entry + place, view->data_begin);
  @ ensures name: in_header(&tensor->name, view);
  @ ensures in_data: in_data(tensor, view);
  @ ensures faithful: \old(view_says(view)) ==> tensor_says(tensor, view->head, view->data_begin);
  @ ensures text: \old(view_says(view)) ==> text_value(view->head, tensor->name.at, tensor->name.end) ==
  @     tensor_name(view->head, view->data_begin, place);
  @ ensures lexed: \old(view_says(view)) ==>
  @     text_lexed(view->head, tensor->name.at, tensor->name.end, view->data_begin);
  @ ensures kept: view_kept{Pre, Post}(view);
  @*/
static void view_tensor(const assay_view *view, uint64_t place, assay_tensor *tensor)
{
    //@ assert entry: valid_entry(view->entry + place, view->data_begin, view->data_size);
    //@ assert says: view_says(view) ==> entry_says(view->entry + place, view->head, view->data_begin, place);
    view_unpack(view->entry + place, view->data_begin, place, tensor) /*@ ghost (view->data_size) */;
    //@ assert begin: view->data_begin == \at(view->data_begin, Pre);
    //@ assert same: entry_same{Pre, Here}(view->entry + place);
    /*@ assert still: \at(view_says(view), Pre) ==>
            entry_says(view->entry + place, view->head, view->data_begin, place); */
    /*@ assert dims: \at(view_says(view), Pre) ==> dims_stand(&tensor->dims, view->head,
            object_shape(view->head, tensor_object(view->head, view->data_begin, place), view->data_begin),
            view->data_begin, 0); */
    //@ assert entries: entries_same{Pre, Here}(view->entry, view->tensors);
    //@ assert fields: view_fields{Pre, Here}(view);
    //@ assert table: valid_entries(view->entry, view->tensors, view->data_begin, view->data_size);
    //@ assert valid: valid_view(view);
    /*@ assert entries_say: entries_say{Pre}(view->entry, view->head, view->data_begin, view->tensors) ==>
            entries_say(view->entry, view->head, view->data_begin, view->tensors); */
    //@ assert says: view_says{Pre}(view) ==> view_says(view);
    //@ assert finds: view_finds{Pre}(view) ==> view_finds(view);
    /*@ ghost assay_name_closed(view->head, (uint32_t)tensor->name.at, (uint32_t)tensor->name.end,
            (uint32_t)view->data_begin); */
}

bool assay_tensor_at(const assay_view *view, uint64_t index, assay_tensor *tensor)
{
    if (index >= view->tensors) {
        return false;
    }
    view_tensor(view, view->order[index], tensor);
    return true;
}

bool assay_tensor_find(const assay_view *view, const uint8_t *name, uint64_t size, assay_tensor *tensor)
{
    assay_texts texts = {view->entry, NULL};
    uint32_t count = (uint32_t)view->tensors;
    //@ ghost assay_list_texts(view->head, (uint32_t)view->data_begin);
    //@ assert inside: texts_inside(texts, view->tensors, view->data_begin);
    /*@ assert listed: view_says(view) ==> texts_listed(view->head, view->data_begin, 1, texts, view->tensors); */
    //@ assert plain: view_says(view) ==> texts_plain(view->head, texts, view->tensors);
    uint32_t place = assay_text_find(view->head, (uint32_t)view->data_begin, texts, view->by_name, count, name, size)
        /*@ ghost (1) */;
    if (place >= view->tensors) {
        return false;
    }
    view_tensor(view, place, tensor);
    return true;
}

/* ---- Dims ------------------------------------------------------------------------------------------- */

/* Where the dim begins that is read at `at`. */
/*@ requires head: head_ok(head, end);
  @ requires inside: at <= end;
  @ terminates \true;
  @ exits \false;
  @ assigns assay_work;
  @ ensures start: \result == dim_start(head, at, end);
  @ ensures bounds: at <= \result <= end;
  @*/
static uint32_t dim_first(const uint8_t *head, uint32_t at, uint32_t end)
{
    at = assay_space(head, at, end);
    return at < end && head[at] == ',' ? assay_space(head, at + 1u, end) : at;
}

static bool assay_dim_read(const uint8_t *head, uint32_t end, assay_dims *dims, uint64_t *dim)
{
    if (dims->left == 0 || dims->at >= end) {
        return false;
    }
    uint32_t at = dim_first(head, (uint32_t)dims->at, end);
    if (at >= end || !assay_is_number_start(head[at])) {
        return false;
    }
    assay_step step = assay_integer(head, at, end, dim);
    if (step >= ASSAY_STOPPED) {
        return false;
    }
    dims->at = step;
    dims->left--;
    return true;
}

bool assay_dim_next(const assay_view *view, assay_dims *dims, uint64_t *dim)
{
    //@ ghost assay_shapes_judged(view->head, (uint32_t)view->data_begin);
    bool more = assay_dim_read(view->head, (uint32_t)view->data_begin, dims, dim);
    //@ assert fields: view_fields{Pre, Here}(view);
    //@ assert entries: entries_same{Pre, Here}(view->entry, view->tensors);
    //@ assert valid: valid_view(view);
    //@ assert says: view_says{Pre}(view) ==> view_says(view);
    //@ assert finds: view_finds{Pre}(view) ==> view_finds(view);
    return more;
}

uint64_t assay_tensor_dims(const assay_view *view, const assay_tensor *tensor, uint64_t *dims, uint64_t size)
{
    uint64_t count = 0;
    assay_dims rest = {tensor->dims.at, tensor->dims.left};
    //@ ghost const uint8_t *head = view->head;
    //@ ghost uint64_t end = view->data_begin;
    //@ ghost assay_shapes_judged(head, (uint32_t)end);
    /*@ assert apart: \forall integer k; 0 <= k < size ==> \separated(dims + k, view) &&
            \separated(dims + k, view->entry + (0 .. view->tensors - 1)) &&
            \separated(dims + k, view->head + (0 .. view->data_begin - 1)); */
    /*@ loop invariant count: 0 <= count <= size;
        loop invariant view: valid_view(view) && view_kept{Pre, Here}(view);
        loop invariant rank: tensor_says{Pre}(tensor, head, end) ==> count + rest.left == \at(tensor->rank, Pre);
        loop invariant stand: tensor_says{Pre}(tensor, head, end) ==>
            dims_stand(&rest, head, shape_of{Pre}(tensor, head, end), end, count);
        loop invariant dims: tensor_says{Pre}(tensor, head, end) ==>
            dims_say(dims, head, shape_of{Pre}(tensor, head, end), end, count);
        loop assigns count, rest, dims[0 .. size - 1], assay_work;
        loop variant size - count;
    */
    while (count < size && assay_dim_next(view, &rest, dims + count)) {
        //@ ghost assay_spend();
        //@ assert before: \forall integer i; 0 <= i < count ==> dims[i] == \at(dims[i], LoopCurrent);
        count++;
    }
    //@ assert valid: valid_view(view);
    //@ assert says: view_says{Pre}(view) ==> view_says(view);
    //@ assert finds: view_finds{Pre}(view) ==> view_finds(view);
    //@ assert fields: view_fields{Pre, Here}(view);
    return count;
}

const uint8_t *assay_tensor_data(const assay_tensor *tensor, const uint8_t *file, uint64_t file_size)
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
        /*@ ghost if (text->end <= view->data_begin)
                      assay_text_step(view->head, (uint32_t)text->end, (uint32_t)text->end); */
        return false;
    }
    /*@ ghost if (text->end < view->data_begin) {
                  assay_string_lexed(view->head, (uint32_t)text->at, (uint32_t)text->end, (uint32_t)view->data_begin);
                  assay_text_lexed(view->head, (uint32_t)text->at, (uint32_t)text->end, (uint32_t)view->data_begin);
              } */
    uint64_t step = assay_decode(view->head, (uint32_t)text->at, (uint32_t)text->end);
    text->at = step % ASSAY_ENTRY_HIGH;
    *code_point = (uint32_t)(step / ASSAY_ENTRY_HIGH);
    //@ assert fields: view_fields{Pre, Here}(view);
    //@ assert order: words_same{Pre, Here}(view->order, 0, view->tensors);
    /*@ assert among_order: \forall integer v; among{Pre}(view->order, 0, view->tensors, v) ==>
            among(view->order, 0, view->tensors, v); */
    /*@ assert permutation: permutation{Pre}(view->order, view->tensors) ==> permutation(view->order, view->tensors); */
    /*@ assert before: \forall integer p, q; 0 <= p < q < view->tensors &&
            tensor_before(view->head, view->data_begin, \at(view->order[p], Pre), \at(view->order[q], Pre)) ==>
            tensor_before(view->head, view->data_begin, view->order[p], view->order[q]); */
    /*@ assert order_says: order_says{Pre}(view->order, view->head, view->data_begin, view->tensors) ==>
            order_says(view->order, view->head, view->data_begin, view->tensors); */
    //@ assert by_name: words_same{Pre, Here}(view->by_name, 0, view->tensors);
    /*@ assert among_name: \forall integer v; among{Pre}(view->by_name, 0, view->tensors, v) ==>
            among(view->by_name, 0, view->tensors, v); */
    //@ assert name_block: block{Pre}(view->by_name, 0, view->tensors) ==> block(view->by_name, 0, view->tensors);
    /*@ assert name_before: \forall integer x, y; 0 <= x < y < view->tensors && listed_before(view->head,
            view->data_begin, 1, \at(view->by_name[x], Pre), \at(view->by_name[y], Pre)) ==>
            listed_before(view->head, view->data_begin, 1, view->by_name[x], view->by_name[y]); */
    /*@ assert names_order: names_order{Pre}(view->head, view->data_begin, 1, view->by_name, view->tensors) ==>
            names_order(view->head, view->data_begin, 1, view->by_name, view->tensors); */
    //@ assert by_key: words_same{Pre, Here}(view->by_key, 0, view->pairs);
    /*@ assert among_key: \forall integer v; among{Pre}(view->by_key, 0, view->pairs, v) ==>
            among(view->by_key, 0, view->pairs, v); */
    //@ assert key_block: block{Pre}(view->by_key, 0, view->pairs) ==> block(view->by_key, 0, view->pairs);
    /*@ assert key_before: \forall integer x, y; 0 <= x < y < view->pairs && listed_before(view->head,
            view->data_begin, 0, \at(view->by_key[x], Pre), \at(view->by_key[y], Pre)) ==>
            listed_before(view->head, view->data_begin, 0, view->by_key[x], view->by_key[y]); */
    /*@ assert keys_order: names_order{Pre}(view->head, view->data_begin, 0, view->by_key, view->pairs) ==>
            names_order(view->head, view->data_begin, 0, view->by_key, view->pairs); */
    //@ assert key: words_same{Pre, Here}(view->key, 0, view->pairs);
    //@ assert value: words_same{Pre, Here}(view->value, 0, view->pairs);
    //@ assert entries: entries_same{Pre, Here}(view->entry, view->tensors);
    //@ assert readable: readable_view(view);
    //@ assert below: words_below(view->order, view->tensors, view->tensors);
    //@ assert below_name: words_below(view->by_name, view->tensors, view->tensors);
    //@ assert below_key: words_below(view->by_key, view->pairs, view->pairs);
    /*@ assert inside: keys_inside(view->key, view->pairs, view->data_begin) &&
            keys_inside(view->value, view->pairs, view->data_begin); */
    //@ assert valid: valid_view(view);
    /*@ assert entries_say: entries_say{Pre}(view->entry, view->head, view->data_begin, view->tensors) ==>
            entries_say(view->entry, view->head, view->data_begin, view->tensors); */
    /*@ assert keys_say: keys_say{Pre}(view->key, view->head, view->data_begin, view->pairs) ==>
            keys_say(view->key, view->head, view->data_begin, view->pairs); */
    /*@ assert values_say: values_say{Pre}(view->value, view->pairs, view->head, view->data_begin, view->pairs) ==>
            values_say(view->value, view->pairs, view->head, view->data_begin, view->pairs); */
    //@ assert says: view_says{Pre}(view) ==> view_says(view);
    //@ assert finds: view_finds{Pre}(view) ==> view_finds(view);
    return true;
}

int assay_text_compare(const assay_view *view, assay_text text, const uint8_t *bytes, uint64_t size)
{
    if (text.at > text.end || text.end > view->data_begin) {
        text.at = 0;
        text.end = 0;
        //@ ghost assay_text_step(view->head, 0, 0);
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
  @ requires out: \valid(text) && \separated(text, view) &&
  @     \separated(text, view->entry + (0 .. view->tensors - 1));
  @ requires view: valid_view(view);
  @ terminates \true;
  @ exits \false;
  @ assigns *text, assay_work;
  @ ensures kept: view_kept{Pre, Post}(view);
  @ ensures text: text->at == at && at <= text->end <= end;
  @ ensures end: text->end == text_end(head, at, end);
  @*/
static void view_text(const uint8_t *head, uint32_t at, uint32_t end, assay_text *text)
/*@ ghost (const assay_view *view) */
{
    text->at = at;
    text->end = assay_text_end(head, at, end);
    //@ assert fields: view_fields{Pre, Here}(view);
    //@ assert entries: entries_same{Pre, Here}(view->entry, view->tensors);
    //@ assert valid: valid_view(view);
    //@ assert says: view_says{Pre}(view) ==> view_says(view);
    //@ assert finds: view_finds{Pre}(view) ==> view_finds(view);
}

bool assay_metadata_at(const assay_view *view, uint64_t index, assay_text *key, assay_text *value)
{
    if (index >= view->pairs) {
        return false;
    }
    uint32_t end = (uint32_t)view->data_begin;
    //@ assert key: view_says(view) ==> view->key[index] == pair_key(view->head, end, index) + 1;
    /*@ assert value: view_says(view) ==>
            view->value[view->pairs - 1 - index] == pair_value(view->head, end, index) + 1; */
    view_text(view->head, view->key[index], end, key) /*@ ghost (view) */;
    //@ assert pairs: view->pairs == \at(view->pairs, Pre);
    view_text(view->head, view->value[view->pairs - 1 - index], end, value) /*@ ghost (view) */;
    //@ assert same: view->data_begin == end && view->pairs == \at(view->pairs, Pre);
    /*@ assert first: \at(view_says(view), Pre) ==>
            text_behind(key, view->head, end, pair_key(view->head, end, index)); */
    /*@ assert second: \at(view_says(view), Pre) ==>
            text_behind(value, view->head, end, pair_value(view->head, end, index)); */
    return true;
}

bool assay_metadata_find(const assay_view *view, const uint8_t *key, uint64_t size, assay_text *value)
{
    uint32_t end = (uint32_t)view->data_begin;
    assay_texts texts = {NULL, view->key};
    //@ ghost assay_list_texts(view->head, end);
    //@ assert inside: texts_inside(texts, view->pairs, view->data_begin);
    /*@ assert listed: view_says(view) ==> texts_listed(view->head, view->data_begin, 0, texts, view->pairs); */
    //@ assert plain: texts_plain(view->head, texts, view->pairs);
    uint32_t place = assay_text_find(view->head, end, texts, view->by_key, (uint32_t)view->pairs, key, size)
        /*@ ghost (0) */;
    if (place >= view->pairs) {
        return false;
    }
    /*@ assert value: view_says(view) ==>
            view->value[view->pairs - 1 - place] == pair_value(view->head, end, place) + 1; */
    view_text(view->head, view->value[view->pairs - 1 - place], end, value) /*@ ghost (view) */;
    //@ assert same: view->data_begin == end && view->pairs == \at(view->pairs, Pre);
    /*@ assert text: \at(view_says(view), Pre) ==>
            text_behind(value, view->head, end, pair_value(view->head, end, place)); */
    return true;
}
