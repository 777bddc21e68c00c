/* shard_match.c: compares an index with its shards, see model.h. Rules shard_missing to total_size, and path_case. */
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

/* Make a tensor of the index the subject of the finding. */
static void set_tensor(const model_index *index, model_finding *finding, uint32_t key)
{
    finding->tensor = index->memory.key[key].name;
    finding->offset = finding->tensor.at - 1;
}

/* ---- One shard ---------------------------------------------------------------------------------------- */

/* Count a tensor of the shard that the index places in another one. */
static void count_elsewhere(model_index *index, model_shard_entry *entry, uint32_t key)
{
    uint32_t other = index->memory.key[key].shard;
    if (entry->elsewhere++ == 0)
        entry->other = other;
    else if (entry->other != other)
        entry->other = MODEL_NONE;
    if (entry->elsewhere == 1 || key < entry->first_elsewhere)
        entry->first_elsewhere = key;
}

void model_shard(model_index *index, uint32_t shard, const assay_view *view, model_report *report, void *context)
{
    model_shard_entry *entry = &index->memory.shard[shard];
    model_finding unlisted = finding_of(MODEL_TENSOR_UNLISTED, shard);
    assay_tensor tensor;
    entry->state = SHARD_VALID;
    for (; assay_tensor_at(view, entry->held, &tensor); entry->held++) {
        uint32_t key = tables_tensor(index, view, tensor.name);
        if (key == MODEL_NONE) {
            if (unlisted.count++ == 0)
                unlisted.name = tensor.name;
        } else if (index->memory.key[key].shard != shard) {
            count_elsewhere(index, entry, key);
        } else {
            index->memory.key[key].found = 1;
            entry->found++;
        }
    }
    index->data += view->data_size;
    index->files += view->data_begin + view->data_size;
    if (unlisted.count > 0)
        entry->other = MODEL_NONE; /* the file is no other shard of this index */
    if (unlisted.count > 0 && entry->found > 0) {
        unlisted.view = view;
        index->clean = false;
        report(context, &unlisted);
    }
}

void model_shard_unread(model_index *index, uint32_t shard, uint32_t code, model_report *report, void *context)
{
    const model_shard_entry *entry = &index->memory.shard[shard];
    model_finding finding = finding_of(code, shard);
    index->clean = false;
    if (code == MODEL_OK)
        return;
    set_tensor(index, &finding, entry->first);
    finding.count = entry->tensors;
    report(context, &finding);
}

/* ---- All shards --------------------------------------------------------------------------------------- */

/* Count the tensors of the index that were not found in their shards. */
static void count_missing(model_index *index)
{
    for (uint32_t i = 0; i < index->keys; i++) {
        const model_key *key = &index->memory.key[i];
        if (key->object != index->map || key->found)
            continue;
        model_shard_entry *entry = &index->memory.shard[key->shard];
        if (entry->missing++ == 0)
            entry->first_missing = i;
    }
}

static void report_swapped(model_index *index, uint32_t shard, model_report *report, void *context)
{
    model_shard_entry *entry = &index->memory.shard[shard];
    model_finding finding = finding_of(MODEL_SHARD_SWAPPED, shard);
    set_tensor(index, &finding, entry->first);
    finding.count = finding.expected = entry->tensors;
    finding.found = entry->held;
    finding.other = entry->other;
    if (entry->other != MODEL_NONE) {
        const model_shard_entry *other = &index->memory.shard[entry->other];
        finding.pair = other->state == SHARD_VALID && other->found == 0 && other->other == shard;
    }
    report(context, &finding);
}

static void report_tensors(model_index *index, uint32_t shard, model_report *report, void *context)
{
    const model_shard_entry *entry = &index->memory.shard[shard];
    if (entry->missing > 0) {
        model_finding finding = finding_of(MODEL_TENSOR_MISSING, shard);
        set_tensor(index, &finding, entry->first_missing);
        finding.count = entry->missing;
        report(context, &finding);
    }
    if (entry->elsewhere > 0) {
        model_finding finding = finding_of(MODEL_TENSOR_ELSEWHERE, shard);
        set_tensor(index, &finding, entry->first_elsewhere);
        finding.count = entry->elsewhere;
        finding.other = index->memory.key[entry->first_elsewhere].shard;
        report(context, &finding);
    }
}

/* Report paths that differ in case only: after all others, because these findings may be many and harmless. */
static void report_case(model_index *index, model_report *report, void *context)
{
    for (uint32_t i = 0; i < index->shards; i++) {
        uint32_t shard = index->memory.order[i], other = tables_add_case(index, shard);
        if (other == MODEL_NONE)
            continue;
        model_finding finding = finding_of(MODEL_PATH_CASE, shard);
        set_tensor(index, &finding, index->memory.shard[shard].first);
        finding.other = other;
        report(context, &finding);
    }
}

static void report_total(model_index *index, model_report *report, void *context)
{
    bool right = index->total == TOTAL_NUMBER && index->total_size == index->data;
    if (!index->clean || index->total == TOTAL_NONE || right)
        return;
    model_finding finding = finding_of(MODEL_TOTAL_SIZE, MODEL_NONE);
    finding.offset = index->total_at;
    finding.expected = index->data;
    finding.found = index->total == TOTAL_NUMBER ? index->total_size : ASSAY_NONE;
    report(context, &finding);
}

void model_end(model_index *index, model_report *report, void *context)
{
    count_missing(index);
    for (uint32_t i = 0; i < index->shards; i++) {
        uint32_t shard = index->memory.order[i];
        const model_shard_entry *entry = &index->memory.shard[shard];
        if (entry->state != SHARD_VALID || (entry->missing == 0 && entry->elsewhere == 0))
            continue;
        index->clean = false;
        if (entry->found == 0)
            report_swapped(index, shard, report, context);
        else
            report_tensors(index, shard, report, context);
    }
    report_total(index, report, context);
    report_case(index, report, context);
}
