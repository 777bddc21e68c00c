/* flat_check.c: the same file judged and read by assay_flat.h and by assay.h. */
#include "flat_check.h"

#include <stdlib.h>
#include <string.h>

#include "assay_flat.h"

typedef struct {
    const uint8_t *head;
    uint64_t head_size;
    const uint8_t *arena;
    uint64_t arena_size;
    const assay_view *view;
} pair_of_views;

static const char *fault;

static void demand(int holds, const char *what)
{
    if (!holds && fault == NULL) {
        fault = what;
    }
}

static void *memory(uint64_t size)
{
    void *made = malloc(size == 0 ? 1 : (size_t)size);
    if (made == NULL) {
        abort();
    }
    memset(made, 0xA5, size == 0 ? 1 : (size_t)size);
    return made;
}

static void compare_errors(const uint64_t *out, const assay_error *e)
{
    const uint64_t fields[] = {e->status, e->offset, e->tensor, e->other, e->expected, e->found, e->has, e->name.at,
                               e->name.end, e->other_name.at, e->other_name.end};
    char one[ASSAY_ERROR_TEXT], other[ASSAY_ERROR_TEXT];
    demand(memcmp(out, fields, sizeof fields) == 0, "flat: another error");
    demand(assay_flat_error(out, one, sizeof one) == assay_error_format(other, sizeof other, e) &&
               strcmp(one, other) == 0, "flat: other words for an error");
}

/* One text, with memory for exactly it and its NUL, and for half of it. */
static void compare_texts(const pair_of_views *v, assay_text text)
{
    const uint64_t at[2] = {text.at, text.end};
    uint64_t end = 0, size = assay_text_utf8(v->view, text, NULL, 0);
    char *right = memory(size + 1), *flat = memory(size + 1);
    assay_text_utf8(v->view, text, right, size + 1);
    demand(assay_flat_texts(v->head, v->head_size, at, 2, 1, flat, size + 1, &end) == size && end == size &&
               memcmp(right, flat, (size_t)size + 1) == 0, "flat: another text");
    demand(assay_flat_texts(v->head, v->head_size, at, 2, 1, flat, size / 2, NULL) == size, "flat: a text that is cut");
    free(right);
    free(flat);
}

static void compare_slices(const pair_of_views *v, const assay_tensor *t, const uint64_t *row, const uint64_t *dims,
                           uint64_t step)
{
    assay_axis *axis = memory(t->rank * sizeof *axis);
    uint64_t *numbers = memory(t->rank * 24), run[6];
    uint64_t state_size = ASSAY_FLAT_SLICE(t->rank);
    void *state = memory(state_size);
    assay_slice slice;
    assay_run right;
    for (uint64_t k = 0; k < t->rank; k++) {
        const assay_axis one = {.start = dims[k] / 3, .stop = dims[k], .step = step};
        axis[k] = one;
        numbers[3 * k] = one.start;
        numbers[3 * k + 1] = one.stop;
        numbers[3 * k + 2] = one.step;
    }
    demand(assay_flat_slice_begin(v->head, v->head_size, v->arena, v->arena_size, row, numbers, t->rank, state,
                                  state_size - 1) == ASSAY_WORKSPACE, "flat: a state that is too small");
    assay_status status = assay_slice_begin(v->view, t, axis, t->rank, &slice);
    demand(assay_flat_slice_begin(v->head, v->head_size, v->arena, v->arena_size, row, numbers, t->rank, state,
                                  state_size) == status && status == ASSAY_OK, "flat: the beginning of a slice");
    for (uint64_t runs = 0; fault == NULL && status == ASSAY_OK && runs < 64; runs += 2) {
        uint64_t found = assay_flat_slice_next(state, state_size, 2, run), k = 0;
        for (; k < 2 && assay_slice_next(&slice, axis, &right); k++) {
            demand(k < found && run[3 * k] == right.byte && run[3 * k + 1] == right.skip &&
                       run[3 * k + 2] == right.bits, "flat: another run");
        }
        demand(k == found, "flat: the number of runs");
        if (found < 2) {
            break;
        }
    }
    free(state);
    free(numbers);
    free(axis);
}

static void compare_tensor(const pair_of_views *v, uint64_t position, const uint64_t *row)
{
    assay_tensor t;
    demand(assay_tensor_at(v->view, position, &t), "flat: a tensor too many");
    const uint64_t right[ASSAY_FLAT_ROW] = {t.index, t.begin, t.end, t.dtype, t.bits, t.rank, t.name.at, t.name.end,
                                            t.dims.at};
    demand(memcmp(row, right, sizeof right) == 0, "flat: another row");
    uint64_t *one = memory(t.rank * 8), *other = memory(t.rank * 8), found[ASSAY_FLAT_ROW] = {0};
    demand(assay_flat_dims(v->head, v->head_size, v->arena, v->arena_size, row, 1, one, t.rank) == t.rank,
           "flat: the number of dims");
    assay_tensor_dims(v->view, &t, other, t.rank);
    demand(memcmp(one, other, (size_t)t.rank * 8) == 0, "flat: other dims");
    compare_texts(v, t.name);
    uint64_t size = assay_text_utf8(v->view, t.name, NULL, 0);
    char *name = memory(size + 1);
    assay_text_utf8(v->view, t.name, name, size + 1);
    demand(assay_flat_find(v->head, v->head_size, v->arena, v->arena_size, (uint8_t *)name, size, found) == 1 &&
               memcmp(found, right, sizeof right) == 0, "flat: a name that is not found");
    demand(assay_flat_find(v->head, v->head_size, v->arena, v->arena_size, (const uint8_t *)"\xff", 1, found) == 0,
           "flat: a name that is not there");
    free(name);
    if (position < 20) {
        compare_slices(v, &t, row, other, 1);
        compare_slices(v, &t, row, other, 2);
    }
    free(one);
    free(other);
}

static void compare_views(const pair_of_views *v, const uint64_t *out)
{
    const uint64_t tensors = assay_tensor_count(v->view), pairs = assay_metadata_count(v->view);
    uint64_t *row = memory(tensors * 8 * ASSAY_FLAT_ROW), *pair = memory(pairs * 8 * ASSAY_FLAT_PAIR), dims = 0;
    demand(out[ASSAY_FLAT_TENSORS] == tensors && out[ASSAY_FLAT_PAIRS] == pairs &&
               out[ASSAY_FLAT_METADATA] == v->view->metadata && out[ASSAY_FLAT_DATA_BEGIN] == v->view->data_begin &&
               out[ASSAY_FLAT_DATA_SIZE] == v->view->data_size, "flat: other numbers of a view");
    demand(assay_flat_tensors(v->head, v->head_size, v->arena, v->arena_size, 0, tensors + 1, row) == tensors,
           "flat: the number of rows");
    demand(assay_flat_tensors(v->head, v->head_size, v->arena, v->arena_size, UINT64_MAX, 1, row) == 0,
           "flat: a row beyond the last");
    for (uint64_t k = 0; k < tensors && fault == NULL; k++) {
        dims += row[k * ASSAY_FLAT_ROW + ASSAY_FLAT_ROW_RANK];
        compare_tensor(v, k, row + k * ASSAY_FLAT_ROW);
    }
    demand(dims == out[ASSAY_FLAT_DIMS], "flat: the number of all dims");
    demand(assay_flat_pairs(v->head, v->head_size, v->arena, v->arena_size, 0, pairs + 1, pair) == pairs,
           "flat: the number of pairs");
    for (uint64_t k = 0; k < pairs && fault == NULL; k++) {
        assay_text key, value;
        uint64_t found[2] = {0, 0}, size;
        demand(assay_metadata_at(v->view, k, &key, &value), "flat: a pair too many");
        const uint64_t right[ASSAY_FLAT_PAIR] = {key.at, key.end, value.at, value.end};
        demand(memcmp(pair + k * ASSAY_FLAT_PAIR, right, sizeof right) == 0, "flat: another pair");
        compare_texts(v, key);
        compare_texts(v, value);
        char *text = memory(size = assay_text_utf8(v->view, key, NULL, 0) + 1);
        assay_text_utf8(v->view, key, text, size);
        demand(assay_flat_metadata(v->head, v->head_size, v->arena, v->arena_size, (uint8_t *)text, size - 1,
                                   found) == 1 && found[0] == value.at && found[1] == value.end,
               "flat: a key that is not found");
        free(text);
    }
    free(row);
    free(pair);
}

/* An arena that is NULL, misaligned, one byte too small, or holds no view. */
static void refuse(const uint8_t *head, uint64_t head_size, uint64_t file_size, const uint64_t *limits,
                   const uint64_t *measured)
{
    uint64_t need = measured[ASSAY_FLAT_ARENA], out[ASSAY_FLAT_OUT], row[ASSAY_FLAT_ROW];
    uint8_t *arena = memory(need + 8), *none = memory(0);
    const struct {
        void *arena;
        uint64_t size;
        uint32_t status;
    } cases[] = {{NULL, need, ASSAY_USAGE}, {arena + 1, need, ASSAY_USAGE}, {arena, need - 1, ASSAY_WORKSPACE},
                 {none, 0, ASSAY_WORKSPACE}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        memcpy(out, measured, sizeof out);
        uint32_t status = assay_flat_parse(head, head_size, file_size, limits, cases[k].arena, cases[k].size, out);
        demand(status == cases[k].status && out[ASSAY_FLAT_STATUS] == status, "flat: an arena is not refused");
        demand(assay_flat_tensors(head, head_size, cases[k].arena, cases[k].size, 0, 1, row) == 0,
               "flat: a row of an arena that holds nothing");
    }
    free(arena);
    free(none);
}

/* The same with the arena that suffices for every head of this size, and no measure: what assay_bound names is in use,
 * so that nothing was read twice. */
static void in_one_pass(const uint8_t *head, uint64_t head_size, uint64_t file_size, const uint64_t *limits,
                        const uint64_t *right, const assay_view *view)
{
    uint64_t out[ASSAY_FLAT_OUT] = {0}, arena_size = ASSAY_FLAT_ARENA_MOST(head_size);
    uint64_t *arena = memory(arena_size);
    assay_need most;
    assay_bound(head_size - 8, &most);
    assay_flat_parse(head, head_size, file_size, limits, arena, arena_size, out);
    demand(memcmp(out, right, sizeof out) == 0, "flat: another result in a large arena");
    if (out[ASSAY_FLAT_STATUS] == ASSAY_OK) {
        demand(arena[6] == most.entries && arena[7] == most.words, "flat: a large arena is not used in one pass");
        pair_of_views views = {head, head_size, (const uint8_t *)arena, arena_size, view};
        compare_views(&views, out);
    }
    free(arena);
}

const char *flat_check(const uint8_t *head, uint64_t head_size, uint64_t file_size, const assay_options *options)
{
    const uint64_t limits[5] = {options->max_header, options->max_tensors, options->max_rank, options->max_name,
                                options->max_metadata};
    const assay_input input = {head, head_size, file_size};
    uint64_t out[ASSAY_FLAT_OUT], again[ASSAY_FLAT_OUT] = {0};
    assay_result right;
    fault = NULL;
    assay_status status = assay_measure(&input, options, &right);
    demand(assay_flat_measure(head, head_size, file_size, limits, out) == status, "flat: another status");
    compare_errors(out, &right.error);
    demand(status != ASSAY_NEED_MORE || out[ASSAY_FLAT_NEED_HEAD] == right.need.head, "flat: the head that is needed");
    if (status != ASSAY_OK) {
        return fault;
    }
    assay_workspace w = {memory(right.need.entries * sizeof(assay_entry)), right.need.entries,
                         memory(right.need.words * 4), right.need.words};
    status = assay_parse(&input, options, &w, &right);
    refuse(head, head_size, file_size, limits, out);
    uint64_t arena_size = out[ASSAY_FLAT_ARENA];
    uint8_t *arena = memory(arena_size), *moved = memory(arena_size);
    demand(arena_size % 8 == 0, "flat: the size of an arena");
    /* The view of another file is in the arena: {}. */
    static const uint8_t other[10] = {2, 0, 0, 0, 0, 0, 0, 0, '{', '}'};
    demand(assay_flat_parse(other, sizeof other, sizeof other, NULL, arena, arena_size, again) == ASSAY_OK,
           "flat: {} is not valid");
    memcpy(moved, arena, 8);
    memset(again, 0, sizeof again);
    /* Without what assay_flat_measure has found, and with it. */
    demand(assay_flat_parse(head, head_size, file_size, limits, arena, arena_size, again) == status,
           "flat: another status without a measure");
    demand(assay_flat_parse(head, head_size, file_size, limits, arena, arena_size, out) == status,
           "flat: another status of the file");
    demand(memcmp(out, again, sizeof out) == 0, "flat: a measure changes the result");
    compare_errors(out, &right.error);
    demand((memcmp(moved, arena, 8) == 0) == (status == ASSAY_OK), "flat: the view of another file is left");
    memcpy(moved, arena, (size_t)arena_size);
    memset(arena, 0x5A, (size_t)arena_size);
    uint64_t row[ASSAY_FLAT_ROW];
    if (status == ASSAY_OK) {
        pair_of_views views = {head, head_size, moved, arena_size, &right.view};
        compare_views(&views, out);
        demand(assay_flat_tensors(head, right.view.data_begin - 1, moved, arena_size, 0, 1, row) == 0,
               "flat: a head that is too small");
    } else {
        demand(assay_flat_tensors(head, head_size, moved, arena_size, 0, 1, row) == 0, "flat: a row of no view");
    }
    in_one_pass(head, head_size, file_size, limits, out, &right.view);
    free(w.entry);
    free(w.word);
    free(arena);
    free(moved);
    return fault;
}
