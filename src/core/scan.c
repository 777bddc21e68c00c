/* The header: { members }, one of them maybe __metadata__, the others tensors; spaces up to the end.
 * Rules H1 to H4, H10, H11; the limits on tensors, names and metadata. */
#include "core.h"
#include "words.h"

/* Keeps a metadata pair if there is room: both are offsets behind an opening quote. */
static void assay_keep_pair(const assay_plan *plan, uint64_t pair, uint32_t key, uint32_t value)
{
    if (plan->keep == 1) {
        if (2u * (pair + 1u) <= plan->words) {
            plan->word[pair] = key;
            plan->word[plan->words - 1u - pair] = value;
        }
    } else if (pair < plan->words) {
        plan->word[pair] = key;
    }
}

/* at: behind the opening quote of a metadata key. Gives the place behind the value. */
static assay_step assay_pair(const uint8_t *head, uint32_t at, uint32_t end, const assay_plan *plan,
                             assay_found *found)
{
    assay_step step = assay_string(head, at, end);
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    if (found->pairs >= plan->max_metadata) {
        found->expected = plan->max_metadata;
        found->found = found->pairs + 1u;
        return ASSAY_STOP(ASSAY_LIMIT_METADATA, at - 1u);
    }
    step = assay_colon(head, (uint32_t)step + 1u, end);
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    step = assay_open(head, (uint32_t)step, end, '"');
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    uint32_t value = (uint32_t)step;
    step = assay_string(head, value, end);
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    assay_keep_pair(plan, found->pairs, at, value);
    found->pairs = found->pairs + 1u;
    return step + 1u;
}

/* The value of __metadata__; at: behind the colon. Gives the place behind its }. */
static assay_step assay_metadata(const uint8_t *head, uint32_t at, uint32_t end, const assay_plan *plan,
                                 assay_found *found)
{
    found->metadata = 1;
    assay_step step = assay_open(head, at, end, '{');
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    step = assay_first_key(head, (uint32_t)step, end);
    while (step < ASSAY_STOPPED) {
        at = (uint32_t)step;
        if (head[at] == '}') {
            return at + 1u;
        }
        step = assay_pair(head, at + 1u, end, plan, found);
        if (step < ASSAY_STOPPED) {
            step = assay_next_key(head, (uint32_t)step, end);
        }
    }
    return step;
}

/* Keeps a tensor if there is room. */
static void assay_keep_tensor(const assay_plan *plan, uint64_t place, uint32_t name, uint32_t length,
                              const assay_draft *draft)
{
    if (place < plan->entries) {
        plan->entry[place].begin = draft->begin;
        plan->entry[place].end = draft->end;
        plan->entry[place].name = name + length * ASSAY_ENTRY_HIGH;
        plan->entry[place].shape = draft->shape_at + 1u + draft->rank * ASSAY_ENTRY_HIGH
                                   + draft->dtype * ASSAY_ENTRY_DTYPE;
    }
}

/* A tensor called head[name .. close); at: behind the colon. Gives the place behind its }. */
static assay_step assay_tensor_member(const uint8_t *head, uint32_t name, uint32_t close, uint32_t at, uint32_t end,
                                      const assay_plan *plan, assay_found *found)
{
    assay_step step = assay_open(head, at, end, '{');
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    assay_draft draft;
    step = assay_tensor_object(head, (uint32_t)step, end, plan->max_rank, &draft);
    if (step >= ASSAY_STOPPED) {
        found->expected = draft.expected;
        found->found = draft.found;
        return step;
    }
    assay_keep_tensor(plan, found->tensors, name, close - name, &draft);
    found->tensors = found->tensors + 1u;
    found->tensor = ASSAY_NONE;
    return step;
}

/* The limits on the tensor called head[name .. close). Gives close if they are kept. */
static assay_step assay_name_limits(uint32_t name, uint32_t close, const assay_plan *plan, assay_found *found)
{
    if (found->tensors >= plan->max_tensors) {
        found->expected = plan->max_tensors;
        found->found = found->tensors + 1u;
        return ASSAY_STOP(ASSAY_LIMIT_TENSORS, name - 1u);
    }
    if (close - name > plan->max_name) {
        found->expected = plan->max_name;
        found->found = close - name;
        return ASSAY_STOP(ASSAY_LIMIT_NAME, name - 1u);
    }
    return close;
}

/* Judges the root key head[at .. close). Gives close if it may stand there; *metadata: is it __metadata__? */
static assay_step assay_root_key(const uint8_t *head, uint32_t at, uint32_t close, const assay_plan *plan,
                                 assay_found *found, bool *metadata)
{
    assay_word word;
    assay_word_read(head, at, close, &word);
    *metadata = word.length == ASSAY_WORD_METADATA_LEN && word.lo == ASSAY_WORD_METADATA_LO
                && word.hi == ASSAY_WORD_METADATA_HI;
    if (!*metadata) {
        found->tensor = found->tensors;
        return assay_name_limits(at, close, plan, found);
    }
    if (close - at != ASSAY_WORD_METADATA_LEN) {
        return ASSAY_STOP(ASSAY_E_KEYWORD_ESCAPED, at - 1u);
    }
    if (found->metadata == 1) {
        return ASSAY_STOP(ASSAY_E_METADATA_TWICE, at - 1u);
    }
    return close;
}

/* at: behind the opening quote of a root key. Gives the place behind the value. */
static assay_step assay_root_member(const uint8_t *head, uint32_t at, uint32_t end, const assay_plan *plan,
                                    assay_found *found)
{
    assay_step step = assay_string(head, at, end);
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    uint32_t close = (uint32_t)step;
    bool metadata = false;
    step = assay_root_key(head, at, close, plan, found, &metadata);
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    step = assay_colon(head, close + 1u, end);
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    return metadata ? assay_metadata(head, (uint32_t)step, end, plan, found)
                    : assay_tensor_member(head, at, close, (uint32_t)step, end, plan, found);
}

/* at: behind the root's }. Gives end. */
static assay_step assay_padding(const uint8_t *head, uint32_t at, uint32_t end)
{
    while (at < end) {
        if (head[at] != ' ') {
            return ASSAY_STOP(ASSAY_E_TRAILING, at);
        }
        at = at + 1u;
    }
    return end;
}

assay_step assay_scan(const uint8_t *head, uint32_t end, const assay_plan *plan, assay_found *found)
{
    found->tensors = 0;
    found->pairs = 0;
    found->metadata = 0;
    found->tensor = ASSAY_NONE;
    found->expected = ASSAY_NONE;
    found->found = ASSAY_NONE;
    if (end == 8u) {
        return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
    }
    if (head[8] != '{') {
        return ASSAY_STOP(ASSAY_E_START, 8u);
    }
    assay_step step = assay_first_key(head, 9, end);
    while (step < ASSAY_STOPPED) {
        uint32_t at = (uint32_t)step;
        if (head[at] == '}') {
            return assay_padding(head, at + 1u, end);
        }
        step = assay_root_member(head, at + 1u, end, plan, found);
        if (step < ASSAY_STOPPED) {
            step = assay_next_key(head, (uint32_t)step, end);
        }
    }
    return step;
}
