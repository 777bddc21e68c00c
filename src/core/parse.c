/* The judgement: frame and header (stages F and H), then the whole file (stage G), over memory that the caller gives.
 * Rules G1 metadata_key_twice, G2 name_twice; the statuses need_more, workspace, usage, seed. */
#include "core.h"

#define ASSAY_TWO_32 4294967296u

void assay_bound(uint64_t header_length, assay_need *need)
{
    uint64_t length = header_length < ASSAY_HEADER_MAX ? header_length : ASSAY_HEADER_MAX;
    need->head = 8u + length;
    need->tensors = length / 32u; /* the shortest tensor takes 50 bytes with its comma, */
    need->pairs = length / 4u;    /* the shortest pair 6: 4 words each are less than one a byte */
    need->entries = length / 32u;
    need->words = length;
}

static void assay_error_none(assay_error *error)
{
    error->status = ASSAY_OK;
    error->offset = ASSAY_NONE;
    error->tensor = ASSAY_NONE;
    error->other = ASSAY_NONE;
    error->expected = ASSAY_NONE;
    error->found = ASSAY_NONE;
}

static assay_status assay_error_status(assay_error *error, assay_status status)
{
    error->status = status;
    return status;
}

/* A key of an index, at head[at] behind its opening quote, that repeats an earlier one. */
static assay_status assay_error_twice(assay_error *error, assay_status status, uint32_t at, uint64_t earlier)
{
    error->status = status;
    error->offset = at - 1u;
    error->other = earlier;
    return status;
}

/* Stages F and H. ASSAY_OK: *end is where the header ends. */
static assay_status assay_read(const uint8_t *head, uint64_t head_size, uint64_t file_size,
                               const assay_options *options, assay_plan *plan, uint32_t *end, assay_found *found,
                               assay_need *need, assay_error *error)
{
    assay_error_none(error);
    if (options->api != ASSAY_API || options->relax != 0) {
        return assay_error_status(error, ASSAY_USAGE);
    }
    assay_status status = assay_frame(head, head_size, file_size, options->max_header, end, error);
    if (status == ASSAY_NEED_MORE) {
        need->head = error->expected;
    }
    if (status != ASSAY_OK) {
        return status;
    }
    plan->max_tensors = options->max_tensors;
    plan->max_rank = options->max_rank;
    plan->max_name = options->max_name;
    plan->max_metadata = options->max_metadata;
    assay_step step = assay_scan(head, *end, plan, found);
    if (step < ASSAY_STOPPED) {
        return ASSAY_OK;
    }
    error->status = step / ASSAY_TWO_32;
    error->offset = step % ASSAY_TWO_32;
    error->tensor = found->tensor;
    error->expected = found->expected;
    error->found = found->found;
    return (assay_status)error->status;
}

static void assay_need_set(const assay_found *found, uint64_t words_a_pair, uint32_t end, assay_need *need)
{
    need->head = end;
    need->tensors = found->tensors;
    need->pairs = found->pairs;
    need->entries = found->tensors;
    need->words = words_a_pair * found->pairs + 4u * found->tensors;
}

/* Copies where the names begin next to each other, for the index. */
static void assay_names(const assay_entry *entry, uint32_t n, uint32_t *name)
{
    for (uint32_t k = 0; k < n; k++) {
        name[k] = (uint32_t)(entry[k].name % ASSAY_TWO_32);
    }
}

/* G1: no metadata key twice. word[0 .. pairs) holds the keys, the index comes behind them. */
static assay_status assay_judge_keys(const uint8_t *head, uint32_t end, uint32_t *word, uint32_t pairs, uint64_t seed,
                                     assay_error *error)
{
    uint64_t repeat = 0;
    uint64_t earlier = 0;
    assay_status status = assay_index(head, end, word, pairs, word + pairs, seed, &repeat, &earlier);
    if (status == ASSAY_E_NAME_TWICE) {
        error->found = repeat;
        return assay_error_twice(error, ASSAY_E_METADATA_KEY_TWICE, word[repeat], earlier);
    }
    return assay_error_status(error, status);
}

/* G2: no tensor name twice. word[0 .. n) becomes the names, the index comes behind them. */
static assay_status assay_judge_names(const uint8_t *head, uint32_t end, const assay_entry *entry, uint32_t *word,
                                      uint32_t n, uint64_t seed, assay_error *error)
{
    uint64_t repeat = 0;
    uint64_t earlier = 0;
    assay_names(entry, n, word);
    assay_status status = assay_index(head, end, word, n, word + n, seed, &repeat, &earlier);
    if (status == ASSAY_E_NAME_TWICE) {
        error->tensor = repeat;
        return assay_error_twice(error, ASSAY_E_NAME_TWICE, word[repeat], earlier);
    }
    return assay_error_status(error, status);
}

/* Stage G. The words: 3 a pair (keys, their index), then 4 a tensor (layout order, names, their index). */
static assay_status assay_judge(const uint8_t *head, uint32_t end, uint64_t data_size, const assay_entry *entry,
                                uint32_t tensors, uint32_t *word, uint32_t pairs, uint64_t seed, assay_error *error)
{
    uint32_t *order = word + 3u * pairs;
    assay_status status = assay_judge_keys(head, end, word, pairs, seed, error);
    if (status != ASSAY_OK) {
        return status;
    }
    assay_order(entry, tensors, order, order + tensors);
    status = assay_judge_names(head, end, entry, order + tensors, tensors, seed, error);
    if (status != ASSAY_OK) {
        return status;
    }
    return assay_layout(entry, order, tensors, end, data_size, error);
}

/* All three stages; keep: the metadata's values too. */
static assay_status assay_stages(const uint8_t *head, uint64_t head_size, uint64_t file_size, const assay_options *options,
                              const assay_workspace *workspace, uint64_t keep, assay_found *found, assay_need *need,
                              assay_error *error)
{
    assay_plan plan = {workspace->entry, workspace->entries, workspace->word, workspace->words, keep, 0, 0, 0, 0};
    uint32_t end = 0;
    assay_status status = assay_read(head, head_size, file_size, options, &plan, &end, found, need, error);
    if (status != ASSAY_OK) {
        return status;
    }
    assay_need_set(found, 3u + keep, end, need);
    if (need->entries > workspace->entries || need->words > workspace->words) {
        return assay_error_status(error, ASSAY_WORKSPACE);
    }
    return assay_judge(head, end, file_size - end, workspace->entry, (uint32_t)found->tensors, workspace->word,
                       (uint32_t)found->pairs, options->seed, error);
}

assay_status assay_measure(const uint8_t *head, uint64_t head_size, uint64_t file_size, const assay_options *options,
                           assay_need *need, assay_error *error)
{
    assay_options standard = ASSAY_OPTIONS;
    assay_plan plan = {NULL, 0, NULL, 0, 1, 0, 0, 0, 0};
    assay_found found;
    uint32_t end = 0;
    assay_status status = assay_read(head, head_size, file_size, options == NULL ? &standard : options, &plan, &end,
                                     &found, need, error);
    if (status == ASSAY_OK) {
        assay_need_set(&found, 4u, end, need);
    }
    return status;
}

assay_status assay_validate(const uint8_t *head, uint64_t head_size, uint64_t file_size, const assay_options *options,
                            const assay_workspace *workspace, assay_need *need, assay_error *error)
{
    assay_options standard = ASSAY_OPTIONS;
    assay_found found;
    return assay_stages(head, head_size, file_size, options == NULL ? &standard : options, workspace, 0, &found, need,
                     error);
}

assay_status assay_parse(const uint8_t *head, uint64_t head_size, uint64_t file_size, const assay_options *options,
                         const assay_workspace *workspace, assay_view *view, assay_need *need, assay_error *error)
{
    assay_options standard = ASSAY_OPTIONS;
    const assay_options *chosen = options == NULL ? &standard : options;
    assay_found found;
    assay_status status = assay_stages(head, head_size, file_size, chosen, workspace, 1, &found, need, error);
    if (status != ASSAY_OK) {
        return status;
    }
    const uint32_t *order = workspace->word + 3u * found.pairs;
    view->head = head;
    view->entry = workspace->entry;
    view->order = order;
    view->name = order + found.tensors;
    view->name_slot = order + 2u * found.tensors;
    view->key = workspace->word;
    view->key_slot = workspace->word + found.pairs;
    view->value = workspace->word + (workspace->words - found.pairs);
    view->tensors = found.tensors;
    view->pairs = found.pairs;
    view->metadata = found.metadata;
    view->data_begin = need->head;
    view->data_size = file_size - need->head;
    view->seed = chosen->seed;
    return ASSAY_OK;
}
