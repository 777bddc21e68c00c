/* shard_match.c: the index against its shards, see model.h. Rules shard_missing to total_size. */
#include <string.h>

#include "model.h"
#include "index_tables.h"

static model_finding finding_of(uint32_t code, uint32_t shard)
{
    return (model_finding){.code = code,
                           .shard = shard,
                           .other = MODEL_NONE,
                           .offset = ASSAY_NONE,
                           .expected = ASSAY_NONE,
                           .found = ASSAY_NONE};
}

/* The finding is about this tensor of the index. */
static void set_tensor(const model_index *index, model_finding *finding, uint32_t number)
{
    finding->tensor = index->memory.key[number].name;
    finding->offset = finding->tensor.at - 1;
}

/* ---- One shard ---------------------------------------------------------------------------------------- */

/* A tensor of the shard that the index places in another. */
static void note_elsewhere(model_index *index, model_shard_entry *entry, uint32_t number)
{
    uint32_t other = index->memory.key[number].shard;
    if (entry->elsewhere++ == 0)
        entry->other = other;
    else if (entry->other != other)
        entry->other = MODEL_NONE;
    if (entry->elsewhere == 1 || number < entry->stranger)
        entry->stranger = number;
}

void model_shard(model_index *index, uint32_t shard, const assay_view *view, model_tell *tell, void *context)
{
    model_shard_entry *entry = &index->memory.shard[shard];
    model_finding strange = finding_of(MODEL_TENSOR_UNLISTED, shard);
    assay_tensor tensor;
    entry->state = SHARD_VALID;
    for (; assay_tensor_at(view, entry->holds, &tensor); entry->holds++) {
        uint32_t number = tables_tensor(index, view, tensor.name);
        if (number == MODEL_NONE) {
            if (strange.count++ == 0)
                strange.name = tensor.name;
        } else if (index->memory.key[number].shard != shard) {
            note_elsewhere(index, entry, number);
        } else {
            index->memory.key[number].here = 1;
            entry->here++;
        }
    }
    index->data += view->data_size;
    index->files += view->data_begin + view->data_size;
    if (strange.count > 0)
        entry->other = MODEL_NONE; /* so it is no other shard of this index */
    if (strange.count > 0 && entry->here > 0) {
        strange.view = view;
        index->clean = false;
        tell(context, &strange);
    }
}

void model_without(model_index *index, uint32_t shard, uint32_t code, model_tell *tell, void *context)
{
    const model_shard_entry *entry = &index->memory.shard[shard];
    model_finding finding = finding_of(code, shard);
    index->clean = false;
    if (code == MODEL_OK)
        return;
    set_tensor(index, &finding, entry->first);
    finding.count = entry->tensors;
    tell(context, &finding);
}

/* ---- All shards --------------------------------------------------------------------------------------- */

/* Which tensors were not found where they should be? */
static void count_missing(model_index *index)
{
    for (uint32_t i = 0; i < index->keys; i++) {
        const model_key *key = &index->memory.key[i];
        if (key->object != index->map || key->here)
            continue;
        model_shard_entry *entry = &index->memory.shard[key->shard];
        if (entry->missing++ == 0)
            entry->lacks = i;
    }
}

static void tell_swapped(model_index *index, uint32_t shard, model_tell *tell, void *context)
{
    model_shard_entry *entry = &index->memory.shard[shard];
    model_finding finding = finding_of(MODEL_SHARD_SWAPPED, shard);
    set_tensor(index, &finding, entry->first);
    finding.count = finding.expected = entry->tensors;
    finding.found = entry->holds;
    finding.other = entry->other;
    if (entry->other != MODEL_NONE) {
        model_shard_entry *other = &index->memory.shard[entry->other];
        finding.pair = other->state == SHARD_VALID && other->here == 0 && other->other == shard;
        if (finding.pair)
            other->state = SHARD_TOLD;
    }
    tell(context, &finding);
}

static void tell_tensors(model_index *index, uint32_t shard, model_tell *tell, void *context)
{
    const model_shard_entry *entry = &index->memory.shard[shard];
    if (entry->missing > 0) {
        model_finding finding = finding_of(MODEL_TENSOR_MISSING, shard);
        set_tensor(index, &finding, entry->lacks);
        finding.count = entry->missing;
        tell(context, &finding);
    }
    if (entry->elsewhere > 0) {
        model_finding finding = finding_of(MODEL_TENSOR_ELSEWHERE, shard);
        set_tensor(index, &finding, entry->stranger);
        finding.count = entry->elsewhere;
        finding.other = index->memory.key[entry->stranger].shard;
        tell(context, &finding);
    }
}

/* Told after all else, so that no number of them hides what is worse. */
static void tell_case(model_index *index, model_tell *tell, void *context)
{
    for (uint32_t i = 0; i < index->shards; i++) {
        uint32_t shard = index->memory.order[i], other = tables_add_case(index, shard);
        if (other == MODEL_NONE)
            continue;
        model_finding finding = finding_of(MODEL_PATH_CASE, shard);
        set_tensor(index, &finding, index->memory.shard[shard].first);
        finding.other = other;
        tell(context, &finding);
    }
}

static void tell_total(model_index *index, model_tell *tell, void *context)
{
    bool right = index->total == TOTAL_NUMBER && index->total_size == index->data;
    if (!index->clean || index->total == TOTAL_NONE || right)
        return;
    model_finding finding = finding_of(MODEL_TOTAL_SIZE, MODEL_NONE);
    finding.offset = index->total_at;
    finding.expected = index->data;
    finding.found = index->total == TOTAL_NUMBER ? index->total_size : ASSAY_NONE;
    tell(context, &finding);
}

void model_end(model_index *index, model_tell *tell, void *context)
{
    count_missing(index);
    for (uint32_t i = 0; i < index->shards; i++) {
        uint32_t shard = index->memory.order[i];
        const model_shard_entry *entry = &index->memory.shard[shard];
        if (entry->state != SHARD_VALID || (entry->missing == 0 && entry->elsewhere == 0))
            continue;
        index->clean = false;
        if (entry->here == 0)
            tell_swapped(index, shard, tell, context);
        else
            tell_tensors(index, shard, tell, context);
    }
    tell_total(index, tell, context);
    tell_case(index, tell, context);
}
