/* harness_access.c: fuzz the access functions. The input is a valid head, and then a list of calls: a byte that
 * selects the function, and its arguments. The data section is as long as the tensors need. */
#include <string.h>

#include "fuzz.h"

enum { CALLS = 48, MOST_AXES = 16, MOST_RUNS = 64, FILL = 0xA5 };

typedef unsigned __int128 wide;

const bool tail_is_data_size = false;
const size_t tail_more = 0;

/* ---- The list of calls -------------------------------------------------------------------------------- */

static const uint8_t *list;
static size_t left;

static uint64_t take(size_t count)
{
    uint64_t number = number_at(list, count < left ? count : left);
    list += count < left ? count : left;
    left -= count < left ? count : left;
    return number;
}

/* Take a number that is often near count. */
static uint64_t index_near(uint64_t count)
{
    uint64_t number = take(1);
    return number < 224 ? number % (count + 2) : number < 240 ? ASSAY_NONE - number % 16 : take(8);
}

static uint8_t *some_bytes(uint64_t *size)
{
    *size = take(1) % 32;
    *size = *size < left ? *size : left;
    uint8_t *bytes = guarded_copy(list, *size);
    take((size_t)*size);
    return bytes;
}

/* ---- Tensors and pairs -------------------------------------------------------------------------------- */

static void call_tensor_at(const assay_view *view)
{
    uint64_t index = index_near(view->tensors);
    assay_tensor *tensor = guarded(sizeof *tensor, FILL);
    bool there = assay_tensor_at(view, index, tensor);
    demand(there == (index < model_result.tensors), "a tensor that is not there, or not found");
    demand(there || all_bytes(tensor, sizeof *tensor, FILL), "a tensor written though there is none");
    demand(!there || tensor->index == model_result.order[index], "another tensor than the model's");
}

static void call_metadata_at(const assay_view *view)
{
    uint64_t index = index_near(view->pairs);
    assay_text *key = guarded(sizeof *key, FILL), *value = guarded(sizeof *value, FILL);
    bool there = assay_metadata_at(view, index, key, value);
    demand(there == (index < model_result.pairs), "a pair that is not there, or not found");
    demand(there || (all_bytes(key, sizeof *key, FILL) && all_bytes(value, sizeof *value, FILL)),
           "a pair written though there is none");
    demand(!there || (key->at == model_result.pair[index].key.at && value->at == model_result.pair[index].value.at),
           "another pair than the model's");
}

static bool is_text(const spec_text *text, const uint8_t *bytes, uint64_t size)
{
    uint64_t own;
    const uint8_t *utf8 = utf8_of(text, &own);
    return own == size && same_bytes(utf8, bytes, size);
}

static void call_find(const assay_view *view)
{
    uint64_t size, place = 0;
    const uint8_t *name = some_bytes(&size);
    assay_tensor *tensor = guarded(sizeof *tensor, FILL);
    while (place < model_result.tensors && !is_text(&model_result.tensor[place].name, name, size)) {
        place++;
    }
    bool there = assay_tensor_find(view, size == 0 ? NULL : name, size, tensor);
    demand(there == (place < model_result.tensors), "a name is found that is not there, or not found");
    demand(there ? tensor->index == place : all_bytes(tensor, sizeof *tensor, FILL), "a name finds another tensor");
}

static void call_metadata_find(const assay_view *view)
{
    uint64_t size, place = 0;
    const uint8_t *key = some_bytes(&size);
    assay_text *value = guarded(sizeof *value, FILL);
    while (place < model_result.pairs && !is_text(&model_result.pair[place].key, key, size)) {
        place++;
    }
    bool there = assay_metadata_find(view, size == 0 ? NULL : key, size, value);
    demand(there == (place < model_result.pairs), "a key is found that is not there, or not found");
    demand(there ? value->at == model_result.pair[place].value.at : all_bytes(value, sizeof *value, FILL),
           "a key finds another value");
}

/* ---- Cursors ------------------------------------------------------------------------------------------ */

static void call_text_next(const assay_view *view)
{
    assay_text text = {index_near(view->data_begin), index_near(view->data_begin)};
    const assay_text before = text;
    uint32_t *code = guarded(sizeof *code, FILL);
    bool more = assay_text_next(view, &text, code);
    demand(more == (before.at < before.end && before.end <= view->data_begin), "a text that is there or not");
    demand(text.end == before.end, "the end of a text was moved");
    demand(more ? text.at > before.at && text.at <= text.end && *code <= 0x10FFFF
                : text.at == before.at && all_bytes(code, sizeof *code, FILL), "a text's cursor goes wrong");
}

static void call_text_compare(const assay_view *view)
{
    uint64_t size, own = 0, place = index_near(view->tensors);
    const uint8_t *bytes = some_bytes(&size), *name = NULL;
    assay_text text = {index_near(view->data_begin), index_near(view->data_begin)};
    if (place < view->tensors) {
        name = utf8_of(&model_result.tensor[place].name, &own);
        text = (assay_text){model_result.tensor[place].name.at, model_result.tensor[place].name.end};
    }
    int order = assay_text_compare(view, text, size == 0 ? NULL : bytes, size);
    uint64_t least = own < size ? own : size;
    int wanted = name == NULL || least == 0 ? 0 : memcmp(name, bytes, (size_t)least);
    wanted = wanted != 0 ? (wanted > 0) - (wanted < 0) : (own > size) - (own < size);
    demand(order >= -1 && order <= 1, "a comparison that is none of -1, 0, 1");
    demand(name == NULL || order == wanted, "a name compares otherwise than its bytes");
}

static void call_dim_next(const assay_view *view)
{
    assay_dims dims = {index_near(view->data_begin), index_near(3)};
    const assay_dims before = dims;
    uint64_t *dim = guarded(sizeof *dim, FILL);
    bool more = assay_dim_next(view, &dims, dim);
    demand(more ? dims.at > before.at && dims.at <= view->data_begin && dims.left == before.left - 1
                : same_bytes(&dims, &before, sizeof dims) && all_bytes(dim, sizeof *dim, FILL),
           "a dims' cursor goes wrong");
    const assay_tensor forged = {.dims = before};
    uint64_t *first = guarded(sizeof *first, FILL);
    demand(assay_tensor_dims(view, &forged, first, 1) == more && *first == *dim, "the first dim at once is another");
}

static void call_data(const assay_view *view)
{
    static const uint8_t file[256];
    assay_tensor tensor = {.begin = index_near(view->data_begin), .end = index_near(view->data_begin)};
    uint64_t size = take(1);
    const uint8_t *data = assay_tensor_data(&tensor, file, size);
    bool inside = tensor.begin <= tensor.end && tensor.end <= size;
    demand(data == (inside ? file + tensor.begin : NULL), "data that do not lie in the file, or elsewhere");
}

/* ---- Slices ------------------------------------------------------------------------------------------- */

static uint64_t some_axes(const spec_tensor *expected, assay_axis *axis)
{
    uint64_t other = take(1), rank = expected->rank;
    uint64_t axes = other == 255 && rank > 0 ? rank - 1 : rank + (other == 0);
    for (uint64_t i = 0; i < axes && i < MOST_AXES; i++) {
        uint64_t dim = i < expected->rank ? expected->dim[i] : 1;
        memset(&axis[i], FILL, sizeof axis[i]);
        axis[i].start = index_near(dim);
        axis[i].stop = index_near(dim);
        axis[i].step = index_near(3);
        if (axis[i].start > axis[i].stop && take(1) < 240) { /* mostly in the right order */
            uint64_t start = axis[i].stop;
            axis[i].stop = axis[i].start;
            axis[i].start = start;
        }
    }
    return axes;
}

static void call_slice(const assay_view *view)
{
    assay_tensor tensor;
    assay_axis axis[MOST_AXES + 1];
    if (assay_tensor_at(view, index_near(view->tensors), &tensor) && tensor.rank < MOST_AXES) {
        const spec_tensor *expected = &model_result.tensor[tensor.index];
        oracle_slice(view, &tensor, expected, axis, some_axes(expected, axis));
    }
}

/* Walk a slice with arbitrary fields: each run lies within slice.begin and slice.bits. */
static void walk(assay_slice *slice, assay_axis *axis)
{
    for (int i = 0; i < MOST_RUNS; i++) {
        const assay_slice before = *slice;
        assay_run *run = guarded(sizeof *run, FILL);
        if (!assay_slice_next(slice, axis, run)) {
            demand(all_bytes(run, sizeof *run, FILL), "a run written though there is none");
            demand(same_bytes(slice, &before, sizeof before), "a slice written though there is no run");
            return;
        }
        demand(slice->begin == before.begin && slice->bits == before.bits && slice->axes == before.axes,
               "the slice's tensor was written");
        demand(run->byte >= slice->begin && run->skip < 8 && run->bits >= 1 &&
                   (wide)8 * (run->byte - slice->begin) + run->skip + run->bits <= slice->bits,
               "a run leaves the tensor");
    }
}

/* Change a field of a slice, or of its first or last axis. */
static void tamper(assay_slice *slice, assay_axis *axis)
{
    uint64_t *const state[] = {&slice->begin, &slice->bits, &slice->run, &slice->first};
    uint64_t which = take(1) % 8;
    if (which < 4) {
        *state[which] = index_near(*state[which]);
    } else if (slice->axes > 0) {
        uint64_t *const part[] = {&axis[0].span, &axis[0].jump, &axis[0].gone, &axis[slice->axes - 1].gone};
        *part[which - 4] = index_near(*part[which - 4]);
    }
}

/* Return whether the dims, at the position in the tensor, make its size. */
static bool dims_make_size(const assay_view *view, const assay_tensor *tensor, uint64_t axes)
{
    assay_dims dims = tensor->dims;
    wide bits = tensor->bits;
    uint64_t dim;
    bool empty = false;
    for (uint64_t k = 0; k < axes; k++) {
        if (!assay_dim_next(view, &dims, &dim)) {
            return false;
        }
        empty |= dim == 0;
        bits *= dim == 0 ? 1 : dim;
        if (bits > UINT64_MAX) {
            return false;
        }
    }
    return (empty ? 0 : bits) == (wide)8 * (tensor->end - tensor->begin);
}

/* Begin a slice of a tensor with changed fields, change fields of the slice, and walk it. */
static void call_slice_forged(const assay_view *view)
{
    assay_tensor tensor = {.begin = 0};
    assay_axis axis[MOST_AXES + 1];
    assay_slice slice;
    if (!assay_tensor_at(view, index_near(view->tensors), &tensor) || tensor.rank >= MOST_AXES) {
        return;
    }
    uint64_t axes = some_axes(&model_result.tensor[tensor.index], axis);
    uint64_t *const field[] = {&tensor.begin,   &tensor.end,       &tensor.bits,
                               &tensor.dims.at, &tensor.dims.left, &tensor.rank};
    uint64_t which = take(1) % 8;
    if (which < 6) {
        *field[which] = index_near(*field[which]);
    }
    assay_axis *mine = guarded_copy(axis, axes * sizeof *axis);
    assay_status status = assay_slice_begin(view, &tensor, mine, axes, &slice);
    demand(status == ASSAY_OK || status == ASSAY_USAGE, "a status that slices don't have");
    if (status == ASSAY_OK) {
        demand(axes == tensor.rank, "a slice of more axes than the rank, or of fewer");
        demand(dims_make_size(view, &tensor, axes), "a slice of a tensor whose dims do not make its size");
        demand(slice.begin == tensor.begin && slice.bits == 8 * (tensor.end - tensor.begin),
               "a slice of another tensor");
        for (uint64_t fields = take(1) % 5; fields > 0; fields--) {
            tamper(&slice, mine);
        }
        walk(&slice, mine);
    }
}

/* ---- Workspaces --------------------------------------------------------------------------------------- */

static void call_small(const question *q)
{
    const assay_input input = {q->head, q->head_size, q->file_size};
    assay_result measured;
    demand(assay_measure(&input, NULL, &measured) == ASSAY_OK, "measure and parse differ");
    const assay_need all = measured.need;
    uint64_t entries = take(1) % (all.entries + 1), words = take(2) % (all.words + 1);
    bool enough = entries >= all.entries && words >= all.words;
    assay_workspace room = {guarded(entries * sizeof(assay_entry), FILL), entries,
                            guarded(words * sizeof(uint32_t), FILL), words};
    assay_result *result = guarded(sizeof *result, FILL);
    assay_status status = assay_parse(&input, NULL, &room, result);
    demand(status == (enough ? ASSAY_OK : ASSAY_WORKSPACE) && result->error.status == status,
           "a workspace that is too small");
    demand(enough || all_bytes(&result->view, sizeof result->view, FILL), "a view was written without success");
    demand(same_bytes(&result->need, &all, sizeof all), "the need is not reported");
}

/* ---- The harness -------------------------------------------------------------------------------------- */

static void call(const assay_view *view, const question *q)
{
    static void (*const calls[])(const assay_view *view) = {call_tensor_at,  call_metadata_at,  call_find,
                                                            call_metadata_find, call_text_next, call_text_compare,
                                                            call_dim_next,   call_data,         call_slice,
                                                            call_slice_forged};
    uint64_t which = take(1) % 12;
    if (which < sizeof calls / sizeof *calls) {
        calls[which](view);
    } else if (which == 10) {
        call_slice(view);
    } else {
        call_small(q);
    }
}

/* Return a checksum, to detect changes of the memory of the view. */
static uint64_t sum_of(const void *bytes, uint64_t size)
{
    const uint8_t *byte = bytes;
    uint64_t sum = 0xCBF29CE484222325;
    for (uint64_t i = 0; i < size; i++) {
        sum = (sum ^ byte[i]) * 0x100000001B3;
    }
    return sum;
}

static uint64_t view_sum(const assay_view *v)
{
    return sum_of(v, sizeof *v) ^ sum_of(v->head, v->data_begin) * 3 ^
           sum_of(workspace_judged->entry, workspace_judged->entries * sizeof(assay_entry)) * 5 ^
           sum_of(workspace_judged->word, workspace_judged->words * sizeof(uint32_t)) * 7;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t length = size < 8 ? 0 : number_at(data, 8), last = 0;
    if (size < 10 || size > INPUT_MAX || length > size - 8) {
        return 0;
    }
    question q = {data, 8 + length, UINT64_MAX, NULL};
    spec_judge(&model_result, q.head, q.head_size, q.file_size, NULL);
    for (uint64_t i = 0; i < model_result.tensors; i++) {
        last = model_result.tensor[i].end > last ? model_result.tensor[i].end : last;
    }
    q.file_size = capped_sum(q.head_size, last);
    if (oracle_judge(&q)) {
        const assay_view *view = view_judged;
        uint64_t sum = view_sum(view);
        list = data + q.head_size;
        left = size - (size_t)q.head_size;
        for (int i = 0; i < CALLS && left > 0; i++) {
            call(view, &q);
        }
        demand(view_sum(view) == sum, "the view, its memory or the head was written");
    }
    guard_drop();
    return 0;
}
