/* The header: { members }, one of them maybe __metadata__, the others tensors; spaces up to the end.
 * Rules H1 to H4, H10, H11; the limits on tensors, names and metadata. */
#include "core.h"
#include "words.h"

/* Keeps a metadata pair if there is room: both are offsets behind an opening quote. */
/*@ requires plan: \valid_read(plan) && plan->keep <= 1 && \valid(plan->word + (0 .. plan->words - 1));
    requires apart: \separated(plan, plan->word + (0 .. plan->words - 1));
    requires pair: pair <= ASSAY_END_MAX;
    requires text: 9 <= key < end && 9 <= value < end;
    requires kept: pairs_ok(plan->word, plan->words, plan->keep, pair, end);
    terminates \true;
    exits \false;
    assigns plan->word[0 .. plan->words - 1];
    ensures kept: pairs_ok(plan->word, plan->words, plan->keep, pair + 1, end);
*/
static void assay_keep_pair(const assay_plan *plan, uint64_t pair, uint32_t key, uint32_t value)
    /*@ ghost (uint32_t end) */
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
/*@ requires head: head_ok(head, end);
    requires at: 9 <= at <= end;
    requires plan: plan_ok(plan, found);
    requires counted: counted(found, at - 2);
    requires stored: stored(plan, found, end);
    terminates \true;
    exits \false;
    assigns found->pairs, found->expected, found->found, plan->word[0 .. plan->words - 1];
    ensures after: lands(\result, at + 4, end);
    ensures counted: went_on(\result) ==> counted(found, \result);
    ensures stored: went_on(\result) ==> stored(plan, found, end);
*/
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
    uint64_t pair = found->pairs;
    found->pairs = pair + 1u;
    //@ assert plan: plan_same{Pre, Here}(plan) && found->tensors == \at(found->tensors, Pre);
    //@ assert same: entries_same{Pre, Here}(plan->entry, plan->entries);
    //@ assert before: pairs_ok(plan->word, plan->words, plan->keep, pair, end);
    assay_keep_pair(plan, pair, at, value) /*@ ghost (end) */;
    //@ assert kept: entries_same{Pre, Here}(plan->entry, plan->entries);
    //@ assert entries: found->tensors <= plan->entries ==> entries_ok(plan->entry, found->tensors, end);
    return step + 1u;
}

/* The value of __metadata__; at: behind the colon. Gives the place behind its }. */
/*@ requires head: head_ok(head, end);
    requires at: 10 <= at <= end;
    requires plan: plan_ok(plan, found);
    requires counted: counted(found, at - 2);
    requires stored: stored(plan, found, end);
    terminates \true;
    exits \false;
    assigns found->metadata, found->pairs, found->expected, found->found, plan->word[0 .. plan->words - 1];
    ensures after: lands(\result, at + 2, end);
    ensures counted: went_on(\result) ==> counted(found, \result);
    ensures stored: went_on(\result) ==> stored(plan, found, end);
*/
static assay_step assay_metadata(const uint8_t *head, uint32_t at, uint32_t end, const assay_plan *plan,
                                 assay_found *found)
{
    found->metadata = 1;
    //@ assert plan: plan_same{Pre, Here}(plan) && found->tensors == \at(found->tensors, Pre);
    //@ assert pairs: found->pairs == \at(found->pairs, Pre);
    //@ assert same: entries_same{Pre, Here}(plan->entry, plan->entries);
    //@ assert entries: found->tensors <= plan->entries ==> entries_ok(plan->entry, found->tensors, end);
    //@ assert texts: pairs_ok(plan->word, plan->words, plan->keep, found->pairs, end);
    //@ assert kept: stored(plan, found, end);
    assay_step step = assay_open(head, at, end, '{');
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    step = assay_first_key(head, (uint32_t)step, end);
    /*@ loop invariant on: lands_on(step, \at(at, Pre) + 1, end);
        loop invariant counted: went_on(step) ==> counted(found, step);
        loop invariant gap: went_on(step) && head[step] != '}' ==> counted(found, step - 1);
        loop invariant stored: went_on(step) ==> stored(plan, found, end);
        loop assigns step, at, found->pairs, found->expected, found->found, plan->word[0 .. plan->words - 1];
        loop variant step < ASSAY_STOPPED ? end - step : 0;
    */
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

/*@ requires entry: \valid(entry);
    requires draft: \valid_read(draft) && draft_valid(draft, end) && \separated(entry, draft);
    requires name: 9 <= name && name + length < end <= ASSAY_END_MAX;
    terminates \true;
    exits \false;
    assigns *entry;
    ensures ok: entry_ok(entry, end);
*/
static void assay_entry_set(assay_entry *entry, uint32_t name, uint32_t length, const assay_draft *draft)
    /*@ ghost (uint32_t end) */
{
    entry->begin = draft->begin;
    entry->end = draft->end;
    entry->name = name + length * ASSAY_ENTRY_HIGH;
    entry->shape = draft->shape_at + 1u + draft->rank * ASSAY_ENTRY_HIGH + draft->dtype * ASSAY_ENTRY_DTYPE;
    //@ assert name: entry_name(entry) == name && entry->name / 4294967296 == length;
    //@ assert dtype: entry_dtype(entry) == draft->dtype;
    //@ assert parts: entry->shape == draft->shape_at + 1 + 4294967296 * (draft->rank + 134217728 * draft->dtype);
    //@ assert small: 0 <= draft->shape_at + 1 < 4294967296;
    //@ assert shape: entry_shape(entry) == draft->shape_at + 1;
}

/* Keeps a tensor if there is room. */
/*@ requires plan: \valid_read(plan) && \valid(plan->entry + (0 .. plan->entries - 1));
    requires apart: \separated(plan, draft, plan->entry + (0 .. plan->entries - 1));
    requires name: 9 <= name && name + length < end <= ASSAY_END_MAX;
    requires draft: \valid_read(draft) && draft_valid(draft, end);
    requires kept: place <= plan->entries ==> entries_ok(plan->entry, place, end);
    terminates \true;
    exits \false;
    assigns plan->entry[0 .. plan->entries - 1];
    ensures kept: place + 1 <= plan->entries ==> entries_ok(plan->entry, place + 1, end);
*/
static void assay_keep_tensor(const assay_plan *plan, uint64_t place, uint32_t name, uint32_t length,
                              const assay_draft *draft)
    /*@ ghost (uint32_t end) */
{
    if (place < plan->entries) {
        assay_entry_set(plan->entry + place, name, length, draft) /*@ ghost (end) */;
        //@ assert others: entries_same{Pre, Here}(plan->entry, place);
        //@ assert before: entries_ok(plan->entry, place, end);
    }
}

/* A tensor called head[name .. close); at: behind the colon. Gives the place behind its }. */
/*@ requires head: head_ok(head, end);
    requires name: 9 <= name <= close && close + 2 <= at <= end;
    requires plan: plan_ok(plan, found);
    requires counted: counted(found, name - 2);
    requires stored: stored(plan, found, end);
    terminates \true;
    exits \false;
    assigns found->tensors, found->tensor, found->expected, found->found, plan->entry[0 .. plan->entries - 1];
    ensures after: lands(\result, name + 4, end);
    ensures counted: went_on(\result) ==> counted(found, \result);
    ensures stored: went_on(\result) ==> stored(plan, found, end);
*/
static assay_step assay_tensor_member(const uint8_t *head, uint32_t name, uint32_t close, uint32_t at, uint32_t end,
                                      const assay_plan *plan, assay_found *found)
{
    assay_step step = assay_open(head, at, end, '{');
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    assay_draft draft;
    step = assay_tensor_object(head, (uint32_t)step, end, plan->max_rank, &draft);
    //@ assert apart: \separated(&draft, plan, found, plan->entry + (0 .. plan->entries - 1));
    //@ assert plan_read: plan_same{Pre, Here}(plan);
    //@ assert read: entries_same{Pre, Here}(plan->entry, plan->entries);
    //@ assert found_read: found_same{Pre, Here}(found);
    if (step >= ASSAY_STOPPED) {
        found->expected = draft.expected;
        found->found = draft.found;
        return step;
    }
    uint64_t place = found->tensors;
    found->tensors = place + 1u;
    found->tensor = ASSAY_NONE;
    //@ assert plan: plan_same{Pre, Here}(plan) && found->pairs == \at(found->pairs, Pre);
    //@ assert same: entries_same{Pre, Here}(plan->entry, plan->entries);
    //@ assert before: place <= plan->entries ==> entries_ok(plan->entry, place, end);
    assay_keep_tensor(plan, place, name, close - name, &draft) /*@ ghost (end) */;
    //@ assert entries_kept: plan->entries == \at(plan->entries, Pre);
    //@ assert words_kept: plan->words == \at(plan->words, Pre);
    //@ assert keep_kept: plan->keep == \at(plan->keep, Pre);
    //@ assert plan_kept: plan_same{Pre, Here}(plan);
    //@ assert found_kept: found->pairs == \at(found->pairs, Pre);
    //@ assert found: found->tensors == place + 1 && found->metadata == \at(found->metadata, Pre);
    //@ assert entries: found->tensors <= plan->entries ==> entries_ok(plan->entry, found->tensors, end);
    //@ assert pairs: pairs_ok(plan->word, plan->words, plan->keep, found->pairs, end);
    return step;
}

/* The limits on the tensor called head[name .. close). Gives close if they are kept. */
/*@ requires plan: \valid_read(plan) && \valid(found) && \separated(plan, found);
    requires name: 9 <= name <= close <= ASSAY_END_MAX;
    requires counted: found->tensors <= ASSAY_END_MAX;
    terminates \true;
    exits \false;
    assigns found->expected, found->found;
    ensures on: went_on(\result) ==> \result == close;
*/
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
/*@ requires head: head_ok(head, close);
    requires at: 9 <= at <= close;
    requires plan: \valid_read(plan) && \valid(found) && \separated(plan, found);
    requires counted: found->tensors <= ASSAY_END_MAX;
    requires metadata: \valid(metadata);
    terminates \true;
    exits \false;
    assigns *metadata, found->tensor, found->expected, found->found;
    ensures on: went_on(\result) ==> \result == close;
*/
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
/*@ requires head: head_ok(head, end);
    requires at: 9 <= at <= end;
    requires plan: plan_ok(plan, found);
    requires counted: counted(found, at - 2);
    requires stored: stored(plan, found, end);
    terminates \true;
    exits \false;
    assigns *found, plan->entry[0 .. plan->entries - 1], plan->word[0 .. plan->words - 1];
    ensures after: lands(\result, at + 4, end);
    ensures counted: went_on(\result) ==> counted(found, \result);
    ensures stored: went_on(\result) ==> stored(plan, found, end);
*/
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
    //@ assert plan: plan_same{Pre, Here}(plan) && found->tensors == \at(found->tensors, Pre);
    //@ assert pairs: found->pairs == \at(found->pairs, Pre);
    //@ assert same: entries_same{Pre, Here}(plan->entry, plan->entries);
    //@ assert entries: found->tensors <= plan->entries ==> entries_ok(plan->entry, found->tensors, end);
    //@ assert texts: pairs_ok(plan->word, plan->words, plan->keep, found->pairs, end);
    //@ assert kept: stored(plan, found, end);
    step = assay_colon(head, close + 1u, end);
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    return metadata ? assay_metadata(head, (uint32_t)step, end, plan, found)
                    : assay_tensor_member(head, at, close, (uint32_t)step, end, plan, found);
}

/* at: behind the root's }. Gives end. */
/*@ requires head: head_ok(head, end);
    requires at: 10 <= at <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures all: went_on(\result) ==> \result == end;
*/
static assay_step assay_padding(const uint8_t *head, uint32_t at, uint32_t end)
{
    /*@ loop invariant at: \at(at, Pre) <= at <= end;
        loop assigns at;
        loop variant end - at;
    */
    while (at < end) {
        if (head[at] != ' ') {
            return ASSAY_STOP(ASSAY_E_TRAILING, at);
        }
        at = at + 1u;
    }
    return end;
}

/* The root's members; at: behind its {. Gives end. */
/*@ requires head: head_ok(head, end);
    requires at: 9 <= at <= end;
    requires plan: plan_ok(plan, found);
    requires counted: counted(found, 0);
    requires stored: stored(plan, found, end);
    terminates \true;
    exits \false;
    assigns *found, plan->entry[0 .. plan->entries - 1], plan->word[0 .. plan->words - 1];
    ensures all: went_on(\result) ==> \result == end && 10 <= end;
    ensures counted: went_on(\result) ==> counted(found, end);
    ensures stored: went_on(\result) ==> stored(plan, found, end);
*/
static assay_step assay_root(const uint8_t *head, uint32_t at, uint32_t end, const assay_plan *plan, assay_found *found)
{
    assay_step step = assay_first_key(head, at, end);
    /*@ loop invariant on: lands_on(step, \at(at, Pre), end);
        loop invariant plan: plan_ok(plan, found) && plan_same{Pre, Here}(plan);
        loop invariant counted: went_on(step) ==> counted(found, step);
        loop invariant gap: went_on(step) && head[step] != '}' ==> counted(found, step - 1);
        loop invariant stored: went_on(step) ==> stored(plan, found, end);
        loop assigns step, at, *found, plan->entry[0 .. \at(plan->entries, Pre) - 1],
            plan->word[0 .. \at(plan->words, Pre) - 1];
        loop variant step < ASSAY_STOPPED ? end - step : 0;
    */
    while (step < ASSAY_STOPPED) {
        at = (uint32_t)step;
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

/*@ requires found: \valid(found);
    terminates \true;
    exits \false;
    assigns *found;
    ensures none: found->tensors == 0 && found->pairs == 0 && found->metadata == 0;
*/
static void assay_found_begin(assay_found *found)
{
    found->tensors = 0;
    found->pairs = 0;
    found->metadata = 0;
    found->tensor = ASSAY_NONE;
    found->expected = ASSAY_NONE;
    found->found = ASSAY_NONE;
}

assay_step assay_scan(const uint8_t *head, uint32_t end, const assay_plan *plan, assay_found *found)
{
    assay_found_begin(found);
    //@ assert plan: plan_same{Pre, Here}(plan);
    if (end == 8u) {
        return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
    }
    if (head[8] != '{') {
        return ASSAY_STOP(ASSAY_E_START, 8u);
    }
    return assay_root(head, 9u, end, plan, found);
}
