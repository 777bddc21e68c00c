/* flat.c: assay.h for callers that pass numbers and memory alone. The arena holds a stored_view, the entries, and the
 * words that assay_parse was given. */
#include "flat_arena.h"

/* ---- The arena ------------------------------------------------------------------------------------------------ */

/* An assay_view without its pointers: arrays of words are numbers of elements from the first word. */
typedef struct {
    uint64_t made; /* MADE */
    uint64_t tensors, pairs, metadata, data_begin, data_size;
    uint64_t entries, words; /* what follows */
    uint64_t by_name, order, key, by_key, value;
} stored_view;

#define MADE UINT64_C(0x31746c6679617373) /* an arbitrary number */
#define HEAD_MAX 100000008u /* no valid file has a longer one */

static uint64_t arena_need(const assay_need *need)
{
    return sizeof(stored_view) + need->entries * sizeof(assay_entry) + need->words * sizeof(uint32_t);
}

bool assay_flat_open(const uint8_t *head, uint64_t head_size, const void *arena, uint64_t arena_size,
                    assay_view *view)
{
    const stored_view *stored = arena;
    if (head == NULL || !flat_is_aligned(arena) || arena_size < sizeof *stored || stored->made != MADE) {
        return false;
    }
    const assay_need need = {0, 0, 0, stored->entries, stored->words};
    if (stored->entries > UINT32_MAX || stored->words > UINT32_MAX || arena_need(&need) > arena_size ||
        stored->data_begin > head_size) {
        return false;
    }
    const assay_entry *entry = (const assay_entry *)(stored + 1);
    const uint32_t *word = (const uint32_t *)(entry + stored->entries);
    const assay_view made = {head, entry, word + stored->by_name, word + stored->order, word + stored->key,
                             word + stored->by_key, word + stored->value, stored->tensors, stored->pairs,
                             stored->metadata, stored->data_begin, stored->data_size};
    *view = made;
    return true;
}

/* ---- Judging ---------------------------------------------------------------------------------------------------- */

uint32_t assay_flat_api(void)
{
    return ASSAY_FLAT_API;
}

static assay_options options_of(const uint64_t *limits)
{
    assay_options options = ASSAY_OPTIONS;
    if (limits != NULL) {
        options.max_header = limits[0];
        options.max_tensors = limits[1];
        options.max_rank = limits[2];
        options.max_name = limits[3];
        options.max_metadata = limits[4];
    }
    return options;
}

static uint32_t put_result(const assay_result *result, uint64_t *out)
{
    const assay_error *error = &result->error;
    out[ASSAY_FLAT_STATUS] = error->status;
    out[ASSAY_FLAT_OFFSET] = error->offset;
    out[ASSAY_FLAT_TENSOR] = error->tensor;
    out[ASSAY_FLAT_OTHER] = error->other;
    out[ASSAY_FLAT_EXPECTED] = error->expected;
    out[ASSAY_FLAT_FOUND] = error->found;
    out[ASSAY_FLAT_HAS] = error->has;
    out[ASSAY_FLAT_NAME] = error->name.at;
    out[ASSAY_FLAT_NAME + 1u] = error->name.end;
    out[ASSAY_FLAT_OTHER_NAME] = error->other_name.at;
    out[ASSAY_FLAT_OTHER_NAME + 1u] = error->other_name.end;
    for (uint32_t k = ASSAY_FLAT_NEED_HEAD; k < ASSAY_FLAT_OUT; k++) {
        out[k] = ASSAY_NONE;
    }
    const bool all = error->status == ASSAY_OK || error->status == ASSAY_WORKSPACE;
    if (all || error->status == ASSAY_NEED_MORE) {
        out[ASSAY_FLAT_NEED_HEAD] = result->need.head;
    }
    if (all) {
        out[ASSAY_FLAT_TENSORS] = result->need.tensors;
        out[ASSAY_FLAT_PAIRS] = result->need.pairs;
        out[ASSAY_FLAT_ARENA] = arena_need(&result->need);
        out[ASSAY_FLAT_ENTRIES] = result->need.entries;
        out[ASSAY_FLAT_WORDS] = result->need.words;
    }
    return (uint32_t)error->status;
}

uint32_t assay_flat_measure(const uint8_t *head, uint64_t head_size, uint64_t file_size, const uint64_t *limits,
                            uint64_t *out)
{
    const assay_input input = {head, head_size, file_size};
    const assay_options options = options_of(limits);
    assay_result result;
    assay_measure(&input, &options, &result);
    return put_result(&result, out);
}

/* Leave the view in its arena, and what it counts in out. */
static void view_store(const assay_view *view, const assay_workspace *workspace, stored_view *stored, uint64_t *out)
{
    const uint32_t *word = workspace->word;
    uint64_t dims = 0;
    assay_tensor tensor;

    stored->made = MADE;
    stored->tensors = view->tensors;
    stored->pairs = view->pairs;
    stored->metadata = view->metadata;
    stored->data_begin = view->data_begin;
    stored->data_size = view->data_size;
    stored->entries = workspace->entries;
    stored->words = workspace->words;
    stored->by_name = (uint64_t)(view->by_name - word);
    stored->order = (uint64_t)(view->order - word);
    stored->key = (uint64_t)(view->key - word);
    stored->by_key = (uint64_t)(view->by_key - word);
    stored->value = (uint64_t)(view->value - word);
    for (uint64_t i = 0; assay_tensor_at(view, i, &tensor); i++) {
        dims += tensor.rank;
    }
    out[ASSAY_FLAT_DIMS] = dims;
    out[ASSAY_FLAT_METADATA] = view->metadata;
    out[ASSAY_FLAT_DATA_BEGIN] = view->data_begin;
    out[ASSAY_FLAT_DATA_SIZE] = view->data_size;
}

/* Parse with what an arena has after the stored view, if these numbers of entries and words fit into it. */
static assay_status parse_in(const assay_input *input, const assay_options *options, stored_view *stored,
                             uint64_t arena_size, assay_workspace *workspace, assay_result *result)
{
    const assay_need need = {0, 0, 0, workspace->entries, workspace->words};
    if (workspace->entries > UINT32_MAX || workspace->words > UINT32_MAX || arena_need(&need) > arena_size) {
        workspace->entries = 0;
        workspace->words = 0;
    }
    workspace->entry = (assay_entry *)(stored + 1);
    workspace->word = (uint32_t *)(workspace->entry + workspace->entries);
    return assay_parse(input, options, workspace, result);
}

uint32_t assay_flat_parse(const uint8_t *head, uint64_t head_size, uint64_t file_size, const uint64_t *limits,
                          void *arena, uint64_t arena_size, uint64_t *out)
{
    const assay_input input = {head, head_size, file_size};
    const assay_options options = options_of(limits);
    assay_workspace workspace = {NULL, out[ASSAY_FLAT_ENTRIES], NULL, out[ASSAY_FLAT_WORDS]};
    assay_result result;
    if (workspace.entries == 0 && workspace.words == 0) { /* what the head needs is not known */
        assay_need most;
        assay_bound(head_size < 8u ? 0 : head_size - 8u, &most);
        workspace.entries = most.entries;
        workspace.words = most.words;
    }

    if (!flat_is_aligned(arena) || arena_size < sizeof(stored_view)) {
        const uint32_t status = assay_flat_measure(head, head_size, file_size, limits, out);
        out[ASSAY_FLAT_STATUS] = status != ASSAY_OK ? status : flat_is_aligned(arena) ? ASSAY_WORKSPACE : ASSAY_USAGE;
        return (uint32_t)out[ASSAY_FLAT_STATUS];
    }
    stored_view *stored = arena;
    stored->made = 0;
    if (parse_in(&input, &options, stored, arena_size, &workspace, &result) == ASSAY_WORKSPACE) {
        workspace.entries = result.need.entries;
        workspace.words = result.need.words;
        parse_in(&input, &options, stored, arena_size, &workspace, &result);
    }
    const uint32_t status = put_result(&result, out);
    if (status == ASSAY_OK) {
        view_store(&result.view, &workspace, stored, out);
    }
    return status;
}

/* ---- Tensors and metadata --------------------------------------------------------------------------------------- */

static void put_row(const assay_tensor *tensor, uint64_t *row)
{
    row[ASSAY_FLAT_ROW_INDEX] = tensor->index;
    row[ASSAY_FLAT_ROW_BEGIN] = tensor->begin;
    row[ASSAY_FLAT_ROW_END] = tensor->end;
    row[ASSAY_FLAT_ROW_DTYPE] = tensor->dtype;
    row[ASSAY_FLAT_ROW_BITS] = tensor->bits;
    row[ASSAY_FLAT_ROW_RANK] = tensor->rank;
    row[ASSAY_FLAT_ROW_NAME] = tensor->name.at;
    row[ASSAY_FLAT_ROW_NAME + 1u] = tensor->name.end;
    row[ASSAY_FLAT_ROW_SHAPE] = tensor->dims.at;
}

static assay_tensor tensor_of(const uint64_t *row)
{
    const assay_tensor tensor = {row[ASSAY_FLAT_ROW_INDEX], row[ASSAY_FLAT_ROW_BEGIN], row[ASSAY_FLAT_ROW_END],
                                 row[ASSAY_FLAT_ROW_DTYPE], row[ASSAY_FLAT_ROW_BITS], row[ASSAY_FLAT_ROW_RANK],
                                 {row[ASSAY_FLAT_ROW_NAME], row[ASSAY_FLAT_ROW_NAME + 1u]},
                                 {row[ASSAY_FLAT_ROW_SHAPE], row[ASSAY_FLAT_ROW_RANK]}};
    return tensor;
}

uint64_t assay_flat_tensors(const uint8_t *head, uint64_t head_size, const void *arena, uint64_t arena_size,
                            uint64_t first, uint64_t count, uint64_t *row)
{
    assay_view view;
    assay_tensor tensor;
    uint64_t k = 0;
    if (!assay_flat_open(head, head_size, arena, arena_size, &view)) {
        return 0;
    }
    for (; k < count && assay_tensor_at(&view, first + k, &tensor); k++) {
        put_row(&tensor, row + k * ASSAY_FLAT_ROW);
    }
    return k;
}

uint64_t assay_flat_dims(const uint8_t *head, uint64_t head_size, const void *arena, uint64_t arena_size,
                         const uint64_t *row, uint64_t count, uint64_t *dims, uint64_t room)
{
    assay_view view;
    uint64_t used = 0;
    if (!assay_flat_open(head, head_size, arena, arena_size, &view)) {
        return 0;
    }
    for (uint64_t k = 0; k < count && used < room; k++) {
        const assay_tensor tensor = tensor_of(row + k * ASSAY_FLAT_ROW);
        used += assay_tensor_dims(&view, &tensor, dims + used, room - used);
    }
    return used;
}

uint64_t assay_flat_pairs(const uint8_t *head, uint64_t head_size, const void *arena, uint64_t arena_size,
                          uint64_t first, uint64_t count, uint64_t *pair)
{
    assay_view view;
    assay_text key, value;
    uint64_t k = 0;
    if (!assay_flat_open(head, head_size, arena, arena_size, &view)) {
        return 0;
    }
    for (; k < count && assay_metadata_at(&view, first + k, &key, &value); k++) {
        uint64_t *to = pair + k * ASSAY_FLAT_PAIR;
        to[0] = key.at;
        to[1] = key.end;
        to[2] = value.at;
        to[3] = value.end;
    }
    return k;
}

uint32_t assay_flat_find(const uint8_t *head, uint64_t head_size, const void *arena, uint64_t arena_size,
                         const uint8_t *name, uint64_t size, uint64_t *row)
{
    assay_view view;
    assay_tensor tensor;
    if (!assay_flat_open(head, head_size, arena, arena_size, &view) || !assay_tensor_find(&view, name, size, &tensor)) {
        return 0;
    }
    put_row(&tensor, row);
    return 1;
}

uint32_t assay_flat_metadata(const uint8_t *head, uint64_t head_size, const void *arena, uint64_t arena_size,
                             const uint8_t *key, uint64_t size, uint64_t *value)
{
    assay_view view;
    assay_text found;
    if (!assay_flat_open(head, head_size, arena, arena_size, &view) || !assay_metadata_find(&view, key, size, &found)) {
        return 0;
    }
    value[0] = found.at;
    value[1] = found.end;
    return 1;
}

/* ---- Text ------------------------------------------------------------------------------------------------------- */

uint64_t assay_flat_texts(const uint8_t *head, uint64_t head_size, const uint64_t *text, uint64_t stride,
                          uint64_t count, char *to, uint64_t room, uint64_t *end)
{
    const uint64_t size = head_size < HEAD_MAX ? head_size : HEAD_MAX;
    const assay_view view = {head, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, head == NULL ? 0 : size, 0};
    uint64_t used = 0;
    for (uint64_t k = 0; k < count; k++) {
        const assay_text one = {text[k * stride], text[k * stride + 1u]};
        uint64_t left = used < room ? room - used : 0;
        used += assay_text_utf8(&view, one, left > 0 ? to + used : to, left);
        if (end != NULL) {
            end[k] = used;
        }
    }
    return used;
}

uint64_t assay_flat_error(const uint64_t *out, char *to, uint64_t room)
{
    const assay_error error = {out[ASSAY_FLAT_STATUS], out[ASSAY_FLAT_OFFSET], out[ASSAY_FLAT_TENSOR],
                               out[ASSAY_FLAT_OTHER], out[ASSAY_FLAT_EXPECTED], out[ASSAY_FLAT_FOUND],
                               out[ASSAY_FLAT_HAS], {out[ASSAY_FLAT_NAME], out[ASSAY_FLAT_NAME + 1u]},
                               {out[ASSAY_FLAT_OTHER_NAME], out[ASSAY_FLAT_OTHER_NAME + 1u]}};
    return assay_error_format(to, room, &error);
}

uint64_t assay_flat_word(uint32_t kind, uint64_t number, char *to, uint64_t room)
{
    const uint32_t status = number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
    const char *word = kind == 0 ? assay_status_name(status) : kind == 1u ? assay_status_rule(status)
        : kind == 2u ? assay_status_text(status) : kind == 3u ? assay_dtype_name(number)
        : kind == 4u ? assay_version() : "";
    uint64_t size = 0;
    for (; word[size] != '\0'; size++) {
        if (size < room) {
            to[size] = word[size];
        }
    }
    if (room > 0) {
        to[size < room ? size : room - 1u] = '\0';
    }
    return size;
}

uint64_t assay_flat_dtype(const char *name, uint64_t size)
{
    return assay_dtype_parse(name, size);
}

/* ---- Slices ----------------------------------------------------------------------------------------------------- */

/* Return whether the state of a slice has room for that many axes. Without a division, for which some machines need a
 * library. */
static bool has_axes(uint64_t state_size, uint64_t axes)
{
    return axes <= UINT32_MAX && state_size >= sizeof(assay_slice) + axes * sizeof(assay_axis);
}

uint32_t assay_flat_slice_begin(const uint8_t *head, uint64_t head_size, const void *arena, uint64_t arena_size,
                                const uint64_t *row, const uint64_t *axis, uint64_t axes, void *state,
                                uint64_t state_size)
{
    assay_view view;
    assay_slice *slice = state;
    if (!flat_is_aligned(state) || !assay_flat_open(head, head_size, arena, arena_size, &view)) {
        return ASSAY_USAGE;
    }
    if (!has_axes(state_size, axes)) {
        return ASSAY_WORKSPACE;
    }
    assay_axis *walked = (assay_axis *)(slice + 1);
    const assay_tensor tensor = tensor_of(row);
    for (uint64_t k = 0; k < axes; k++) {
        walked[k].start = axis[3u * k];
        walked[k].stop = axis[3u * k + 1u];
        walked[k].step = axis[3u * k + 2u];
    }
    return assay_slice_begin(&view, &tensor, walked, axes, slice);
}

uint64_t assay_flat_slice_next(void *state, uint64_t state_size, uint64_t count, uint64_t *run)
{
    assay_slice *slice = state;
    uint64_t k = 0;
    assay_run next;
    if (!flat_is_aligned(state) || !has_axes(state_size, 0) || !has_axes(state_size, slice->axes)) {
        return 0;
    }
    for (; k < count && assay_slice_next(slice, (assay_axis *)(slice + 1), &next); k++) {
        run[3u * k] = next.byte;
        run[3u * k + 1u] = next.skip;
        run[3u * k + 2u] = next.bits;
    }
    return k;
}
