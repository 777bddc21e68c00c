/* flat_index.c: model.h for callers that pass numbers and memory alone. The arena holds a stored_index and the arrays
 * of its memory. */
#include "assay_index.h"
#include "flat_arena.h"
#include "model.h"

/* ---- The arena ------------------------------------------------------------------------------------------------ */

/* A model_index; its pointers are made again by each call. */
typedef struct {
    uint64_t made; /* MADE */
    model_index index;
} stored_index;

#define MADE UINT64_C(0x31786469666c7461) /* an arbitrary number */

/* Where the arrays are, in bytes from the beginning of the arena: those of 8 bytes first. */
typedef struct {
    uint64_t shard, key, slot, shard_slot, case_slot, order, end;
} places;

static places places_of(uint64_t keys, uint64_t shards)
{
    places at;
    at.shard = (sizeof(stored_index) + 7u) / 8u * 8u;
    at.key = at.shard + shards * sizeof(model_shard_entry);
    at.slot = at.key + keys * sizeof(model_key);
    at.shard_slot = at.slot + 2u * keys * sizeof(uint32_t);
    at.case_slot = at.shard_slot + 2u * shards * sizeof(uint32_t);
    at.order = at.case_slot + 2u * shards * sizeof(uint32_t);
    at.end = (at.order + shards * sizeof(uint32_t) + 7u) / 8u * 8u;
    return at;
}

static model_memory memory_in(void *arena, uint32_t keys, uint32_t shards)
{
    const places at = places_of(keys, shards);
    uint8_t *bytes = arena;
    model_memory memory;
    memory.shard = (model_shard_entry *)(void *)(bytes + at.shard);
    memory.key = (model_key *)(void *)(bytes + at.key);
    memory.slot = (uint32_t *)(void *)(bytes + at.slot);
    memory.shard_slot = (uint32_t *)(void *)(bytes + at.shard_slot);
    memory.case_slot = (uint32_t *)(void *)(bytes + at.case_slot);
    memory.order = (uint32_t *)(void *)(bytes + at.order);
    memory.keys = keys;
    memory.shards = shards;
    return memory;
}

/* Return the index in an arena, with its pointers; NULL if there is none. */
static model_index *index_open(const uint8_t *bytes, uint64_t size, void *arena, uint64_t arena_size)
{
    stored_index *stored = arena;
    if (bytes == NULL || !flat_is_aligned(arena) || arena_size < sizeof *stored || stored->made != MADE ||
        stored->index.size != size ||
        places_of(stored->index.memory.keys, stored->index.memory.shards).end > arena_size) {
        return NULL;
    }
    stored->index.bytes = bytes;
    stored->index.memory = memory_in(arena, stored->index.memory.keys, stored->index.memory.shards);
    return &stored->index;
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

uint64_t assay_flat_index_need(const uint8_t *bytes, uint64_t size)
{
    model_need need;
    model_measure(bytes, size, &need);
    return places_of(need.keys, need.shards).end;
}

uint32_t assay_flat_index_read(uint8_t *bytes, uint64_t size, uint64_t seed, void *arena, uint64_t arena_size,
                               uint64_t *out)
{
    stored_index *stored = arena;
    model_need need;
    model_error error;
    for (uint32_t k = 0; k < ASSAY_FLAT_INDEX_OUT; k++) {
        out[k] = 0;
    }
    model_measure(bytes, size, &need);
    if (!flat_is_aligned(arena) || arena_size < places_of(need.keys, need.shards).end) {
        out[ASSAY_FLAT_INDEX_CODE] = flat_is_aligned(arena) ? ASSAY_WORKSPACE : ASSAY_USAGE;
        return (uint32_t)out[ASSAY_FLAT_INDEX_CODE];
    }
    const model_memory memory = memory_in(arena, need.keys, need.shards);
    stored->made = 0;
    uint32_t code = model_read(&stored->index, bytes, size, seed, &memory, &error);
    out[ASSAY_FLAT_INDEX_CODE] = code;
    out[ASSAY_FLAT_INDEX_OFFSET] = error.offset;
    out[ASSAY_FLAT_INDEX_EXPECTED] = error.expected;
    out[ASSAY_FLAT_INDEX_FOUND] = error.found;
    if (code == MODEL_OK) {
        stored->made = MADE;
        out[ASSAY_FLAT_INDEX_SHARDS] = stored->index.shards;
        out[ASSAY_FLAT_INDEX_TENSORS] = stored->index.tensors;
    } else {
        out[ASSAY_FLAT_INDEX_TENSOR] = error.tensor.at;
        out[ASSAY_FLAT_INDEX_TENSOR + 1u] = error.tensor.at == 0 ? 0 : error.tensor.size;
    }
    return code;
}

uint32_t assay_flat_index_path(const uint8_t *bytes, uint64_t size, void *arena, uint64_t arena_size, uint64_t k,
                               uint64_t *path)
{
    const model_index *index = index_open(bytes, size, arena, arena_size);
    if (index == NULL || k >= index->shards) {
        return 0;
    }
    const uint32_t shard = index->memory.order[k];
    const model_text text = model_path(index, shard);
    path[0] = text.at;
    path[1] = text.size;
    path[2] = shard;
    return 1;
}

/* ---- Findings --------------------------------------------------------------------------------------------------- */

typedef struct {
    uint64_t *finding;
    uint64_t room, count;
} finding_list;

static uint64_t shard_number(uint32_t shard)
{
    return shard == MODEL_NONE ? ASSAY_NONE : shard;
}

static void add_finding(void *context, const model_finding *found)
{
    finding_list *list = context;
    if (list->count < list->room) {
        uint64_t *to = list->finding + list->count * ASSAY_FLAT_FINDING;
        to[ASSAY_FLAT_FINDING_CODE] = found->code;
        to[ASSAY_FLAT_FINDING_SHARD] = shard_number(found->shard);
        to[ASSAY_FLAT_FINDING_OTHER] = shard_number(found->other);
        to[ASSAY_FLAT_FINDING_OFFSET] = found->offset;
        to[ASSAY_FLAT_FINDING_COUNT] = found->count;
        to[ASSAY_FLAT_FINDING_EXPECTED] = found->expected;
        to[ASSAY_FLAT_FINDING_FOUND] = found->found;
        to[ASSAY_FLAT_FINDING_TENSOR] = found->tensor.at;
        to[ASSAY_FLAT_FINDING_TENSOR + 1u] = found->tensor.size;
        to[ASSAY_FLAT_FINDING_NAME] = found->view == NULL ? 0 : found->name.at;
        to[ASSAY_FLAT_FINDING_NAME + 1u] = found->view == NULL ? 0 : found->name.end;
    }
    list->count++;
}

uint64_t assay_flat_index_shard(const uint8_t *bytes, uint64_t size, void *arena, uint64_t arena_size, uint64_t shard,
                                const uint8_t *head, uint64_t head_size, const void *view, uint64_t view_size,
                                uint64_t *finding, uint64_t room)
{
    model_index *index = index_open(bytes, size, arena, arena_size);
    finding_list list = {finding, room, 0};
    assay_view opened;
    if (index != NULL && shard < index->shards && assay_flat_open(head, head_size, view, view_size, &opened)) {
        model_shard(index, (uint32_t)shard, &opened, add_finding, &list);
    }
    return list.count;
}

uint64_t assay_flat_index_unread(const uint8_t *bytes, uint64_t size, void *arena, uint64_t arena_size, uint64_t shard,
                                 uint32_t code, uint64_t *finding, uint64_t room)
{
    model_index *index = index_open(bytes, size, arena, arena_size);
    finding_list list = {finding, room, 0};
    if (index != NULL && shard < index->shards) {
        model_shard_unread(index, (uint32_t)shard, code, add_finding, &list);
    }
    return list.count;
}

uint64_t assay_flat_index_end(const uint8_t *bytes, uint64_t size, void *arena, uint64_t arena_size, uint64_t *finding,
                              uint64_t room)
{
    model_index *index = index_open(bytes, size, arena, arena_size);
    finding_list list = {finding, room, 0};
    if (index != NULL) {
        model_end(index, add_finding, &list);
    }
    return list.count;
}
