/* The root of the header: { members }, one of them perhaps __metadata__, the others tensors; spaces up to the end.
 * Rules H1 to H4, H10, H11; the limits on tensors, names and metadata. */
#include "core.h"
#include "words.h"

/* Unfolds: key_value, pair_judged, pair_end, root_key_judged, root_value_end, root_member_end, header_end,
 * metadata_fields, named_fields, root_member_fields, header_fields. */

/* A limit is exceeded at `at`. */
/*@ requires found: \valid(found);
    requires limit: limit <= 31;
    terminates \true;
    exits \false;
    assigns found->draft.expected, found->draft.found;
    ensures stop: \result == stop(limit, at);
    ensures fields: found_fields(found) == fields(expected, count);
*/
static assay_step assay_limited(assay_status limit, uint32_t at, uint64_t expected, uint64_t count, assay_found *found)
{
    found->draft.expected = expected;
    found->draft.found = count;
    return ASSAY_STOP(limit, at);
}

/* Return the position after `want`, the first byte of the value of the key whose closing quote is head[close]. */
/*@ requires head: head_ok(head, end);
    requires close: close < end;
    requires want: want == '"' || want == '{';
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures after: lands(\result, close + 3, end);
    ensures exact: \let p = key_value(head, close, end, want); \result == (p > end ? p : p + 1);
    ensures cost: assay_work <= \old(assay_work) + reached(\result, end) - close - 1;
*/
static assay_step assay_key_value(const uint8_t *head, uint32_t close, uint32_t end, uint8_t want)
{
    assay_step step = assay_colon(head, close + 1u, end);
    return step < ASSAY_STOPPED ? assay_open(head, (uint32_t)step, end, want) : step;
}

/* ---- __metadata__ ---------------------------------------------------------------------------------------- */

/*@ // The plan stands there.
    predicate plan_given{L}(assay_plan *given, assay_plan plan) =
        \valid_read(given) && given->entry == plan.entry && given->entries == plan.entries &&
        given->word == plan.word && given->words == plan.words &&
        given->max_tensors == plan.max_tensors && given->max_rank == plan.max_rank &&
        given->max_name == plan.max_name && given->max_metadata == plan.max_metadata;
*/

/* Is the root key head[at .. close) __metadata__? */
/*@ requires head: head_ok(head, end) && at <= close < end;
    requires lexed: string_end(head, at, end) == close;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures exact: \result == is_metadata(head, at, close);
    ensures escaped: \result == 1 ==> (has_escape(head, at, close) == 1 <==> close - at != 12);
    ensures cost: assay_work <= \old(assay_work) + close - at + 6;
*/
static bool assay_is_metadata(const uint8_t *head, uint32_t at, uint32_t close) /*@ ghost (uint32_t end) */
{
    //@ ghost assay_word_first(head, at, close, end);
    if (head[at] != '_' && head[at] != '\\') {
        return false;
    }
    assay_word word;
    assay_word_read(head, at, close, &word) /*@ ghost (end) */;
    return word.length == ASSAY_WORD_METADATA_LEN && word.lo == ASSAY_WORD_METADATA_LO
           && word.hi == ASSAY_WORD_METADATA_HI;
}

/* The metadata pair whose key is head[key .. close). Gives the quote that ends its value; keeps both. */
/*@ requires head: head_ok(head, end);
    requires key: 9 <= key <= close < end && string_end(head, key, end) == close;
    requires plan: \valid(plan.word + (0 .. plan.words - 1));
    requires pair: pair <= ASSAY_END_MAX;
    requires says: key == pair_key(head, end, pair) + 1;
    requires kept: pairs_kept(plan.word, plan.words, head, end, pair);
    terminates \true;
    exits \false;
    assigns plan.word[0 .. plan.words - 1], assay_work;
    ensures on: lands_on(\result, key + 3, end);
    ensures exact: pair_end(head, key - 1, end) == (\result > end ? \result : \result + 1);
    ensures kept: went_on(\result) ==> pairs_kept(plan.word, plan.words, head, end, pair + 1);
    ensures cost: assay_work <= \old(assay_work) + cost(close, \result, end);
*/
static assay_step assay_pair(const uint8_t *head, uint32_t key, uint32_t close, uint32_t end, assay_plan plan,
                             uint64_t pair)
{
    assay_step step = assay_key_value(head, close, end, '"');
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    uint32_t value = (uint32_t)step;
    step = assay_string(head, value, end);
    if (step < ASSAY_STOPPED && 2u * (pair + 1u) <= plan.words) {
        //@ ghost assay_pair_step(head, end, pair);
        plan.word[pair] = key;
        plan.word[plan.words - 1u - pair] = value;
    }
    return step;
}

/* The pairs of __metadata__; at: behind its {. Gives the place behind its }. */
/*@ requires head: head_ok(head, end);
    requires at: 12 <= at <= end;
    requires plan: plan_ok(plan, found) && found_silent(found);
    requires first: pair_key(head, end, 0) == first_key(head, at, end);
    terminates \true;
    exits \false;
    assigns found->metadata, found->pairs, found->draft.expected, found->draft.found, plan.word[0 .. plan.words - 1],
        assay_work;
    ensures after: lands(\result, at + 1, end);
    ensures counted: went_on(\result) ==> at + 6 * found->pairs <= \result;
    ensures exact: \result == pairs_end(head, first_key(head, at, end), end, 1, plan.max_metadata);
    ensures silent: went_on(\result) ==> found_silent(found);
    ensures fields: found_fields(found) == pairs_fields(head, first_key(head, at, end), end, 1, plan.max_metadata);
    ensures always: went_on(\result) ==> \result == pairs_end(head, first_key(head, at, end), end, 1, unlimited);
    ensures metadata: went_on(\result) ==> found->metadata == 1 && pair_count(head, end, found->pairs);
    ensures kept: went_on(\result) ==> pairs_kept(plan.word, plan.words, head, end, found->pairs);
    ensures cost: assay_work <= \old(assay_work) + cost(at, \result, end);
*/
static assay_step assay_pairs(const uint8_t *head, uint32_t at, uint32_t end, assay_plan plan, assay_found *found)
{
    uint64_t pairs = 0;
    //@ ghost assay_pairs_step(head, at, end, 1, plan.max_metadata);
    assay_step step = assay_first_key(head, at, end);
    /*@ loop invariant on: lands_on(step, at, end);
        loop invariant which: went_on(step) ==> head[step] == '"' || head[step] == '}';
        loop invariant counted: went_on(step) ==> at + 6 * pairs <= step + (head[step] == '}' ? 1 : 0);
        loop invariant exact: pairs_end(head, first_key(head, at, end), end, 1, plan.max_metadata) ==
            unless_stopped(step, pairs_end(head, step, end, pairs + 1, plan.max_metadata));
        loop invariant always: went_on(step) ==> pairs_end(head, first_key(head, at, end), end, 1, unlimited) ==
            pairs_end(head, step, end, pairs + 1, unlimited);
        loop invariant fields: pairs_fields(head, first_key(head, at, end), end, 1, plan.max_metadata) ==
            (step > end ? no_fields : pairs_fields(head, step, end, pairs + 1, plan.max_metadata));
        loop invariant silent: found_silent(found);
        loop invariant place: went_on(step) ==> step == pair_key(head, end, pairs);
        loop invariant keys: \forall integer k; 0 <= k < pairs ==> head[pair_key(head, end, k)] == '"';
        loop invariant kept: pairs_kept(plan.word, plan.words, head, end, pairs);
        loop invariant cost: assay_work <= \at(assay_work, Pre) + cost(at, step, end);
        loop assigns step, pairs, plan.word[0 .. plan.words - 1], assay_work;
        loop variant step < ASSAY_STOPPED ? end - step : 0;
    */
    while (step < ASSAY_STOPPED && head[step] != '}') {
        //@ ghost assay_spend();
        uint32_t key = (uint32_t)step + 1u;
        //@ ghost assay_pairs_step(head, key - 1, end, pairs + 1, plan.max_metadata);
        //@ ghost assay_pairs_step(head, key - 1, end, pairs + 1, UINT64_MAX);
        step = assay_string(head, key, end);
        if (step >= ASSAY_STOPPED) {
            //@ assert string: no_fields == pairs_fields(head, first_key(head, at, end), end, 1, plan.max_metadata);
            return step;
        }
        if (pairs >= plan.max_metadata) {
            /*@ assert limit: fields(plan.max_metadata, pairs + 1) ==
                  pairs_fields(head, first_key(head, at, end), end, 1, plan.max_metadata); */
            return assay_limited(ASSAY_LIMIT_METADATA, key - 1u, plan.max_metadata, pairs + 1u, found);
        }
        step = assay_pair(head, key, (uint32_t)step, end, plan, pairs);
        //@ assert silent: found_silent(found);
        if (step >= ASSAY_STOPPED) {
            //@ assert pair: no_fields == pairs_fields(head, first_key(head, at, end), end, 1, plan.max_metadata);
            return step;
        }
        //@ ghost assay_pair_step(head, end, pairs);
        step = assay_next_key(head, (uint32_t)step + 1u, end);
        pairs = pairs + 1u;
    }
    if (step < ASSAY_STOPPED) {
        //@ ghost assay_pairs_step(head, step, end, pairs + 1, plan.max_metadata);
        //@ ghost assay_pairs_step(head, step, end, pairs + 1, UINT64_MAX);
        found->metadata = 1;
        found->pairs = pairs;
        step = step + 1u;
    }
    return step;
}

/* ---- Members of the root --------------------------------------------------------------------------------- */

/* The member __metadata__, whose key is head[at .. close). Gives the place behind its value. */
/*@ requires head: head_ok(head, end);
    requires key: 9 <= at <= close < end && head[at - 1] == '"' && string_end(head, at, end) == close;
    requires metadata: is_metadata(head, at, close) == 1;
    requires escaped: has_escape(head, at, close) == 1 <==> close - at != 12;
    requires plan: plan_ok(plan, found) && found_silent(found);
    requires before: table_before(head, end, at - 1, found->tensors, found->metadata, found->pairs);
    requires once: found->metadata <= 1;
    requires given: plan_given(given, plan) && \separated(given, found);
    terminates \true;
    exits \false;
    assigns found->metadata, found->pairs, found->draft.expected, found->draft.found, plan.word[0 .. plan.words - 1],
        assay_work;
    ensures after: lands(\result, close + 4, end);
    ensures counted: went_on(\result) ==> close + 3 + 6 * found->pairs <= \result;
    ensures exact: \result == member_within(head, at - 1, end, \old(found->metadata), \old(found->tensors), plan);
    ensures silent: went_on(\result) ==> found_silent(found);
    ensures fields: no_tensor(found_fields(found)) ==
        member_says(head, at - 1, end, \old(found->metadata), \old(found->tensors), plan);
    ensures always: went_on(\result) ==> \result == root_value_end(head, close, end, 1, unlimited, unlimited);
    ensures once: went_on(\result) ==> \old(found->metadata) == 0 && found->metadata == 1;
    ensures pairs: went_on(\result) ==> pair_count(head, end, found->pairs);
    ensures kept: went_on(\result) ==> pairs_kept(plan.word, plan.words, head, end, found->pairs);
    ensures cost: assay_work <= \old(assay_work) + cost(close + 2, \result, end);
*/
static assay_step assay_metadata_member(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end,
                                        const assay_plan *given, assay_found *found)
    /*@ ghost (assay_plan plan) */
{
    //@ ghost assay_table_here(head, end, at - 1, found->tensors, found->metadata, found->pairs);
    //@ ghost uint64_t seen = found->metadata;
    //@ ghost uint64_t count = found->tensors;
    if (close - at != ASSAY_WORD_METADATA_LEN) {
        //@ assert escaped: member_says(head, at - 1, end, seen, count, plan) == no_tensor(no_fields);
        return ASSAY_STOP(ASSAY_E_KEYWORD_ESCAPED, at - 1u);
    }
    if (found->metadata == 1) {
        //@ assert twice: member_says(head, at - 1, end, seen, count, plan) == no_tensor(no_fields);
        return ASSAY_STOP(ASSAY_E_METADATA_TWICE, at - 1u);
    }
    assay_step step = assay_key_value(head, close, end, '{');
    /*@ assert says: member_says(head, at - 1, end, seen, count, plan) == no_tensor(step > end ? no_fields
          : pairs_fields(head, first_key(head, step, end), end, 1, plan.max_metadata)); */
    return step < ASSAY_STOPPED ? assay_pairs(head, (uint32_t)step, end, *given, found) : step;
}

/*@ requires entry: \valid(entry);
    requires draft: \valid_read(draft) && draft_valid(draft, ASSAY_END_MAX) && \separated(entry, draft);
    terminates \true;
    exits \false;
    assigns *entry;
    ensures name: entry->name == name;
    ensures shape: entry_shape(entry) == \old(draft->shape_at) + 1 && entry_rank(entry) == \old(draft->rank);
    ensures dtype: entry_dtype(entry) == \old(draft->dtype);
    ensures data: entry->begin == \old(draft->begin) && entry->end == \old(draft->end);
*/
static void assay_entry_set(assay_entry *entry, uint64_t name, const assay_draft *draft)
{
    uint64_t shape = draft->shape_at + 1u + draft->rank * ASSAY_ENTRY_HIGH + draft->dtype * ASSAY_ENTRY_DTYPE;
    //@ assert parts: shape == draft->shape_at + 1 + 4294967296 * (draft->rank + 134217728 * draft->dtype);
    //@ assert small: 0 <= draft->shape_at + 1 < 4294967296;
    //@ assert above: shape / 4294967296 == draft->rank + 134217728 * draft->dtype;
    //@ assert below: shape % 4294967296 == draft->shape_at + 1;
    //@ assert dtype: shape / 576460752303423488 == draft->dtype;
    entry->begin = draft->begin;
    entry->end = draft->end;
    entry->name = name;
    entry->shape = shape;
}

/* Counts the tensor, which the draft holds, and keeps it if there is room. name: as an entry keeps it. */
/*@ requires room: \valid(found) && \valid(plan.entry + (0 .. plan.entries - 1)) &&
        \separated(found, plan.entry + (0 .. plan.entries - 1));
    requires given: plan_given(given, plan) &&
        \separated(given, found, plan.entry + (0 .. plan.entries - 1), plan.word + (0 .. plan.words - 1));
    requires name: 9 <= name % 4294967296 && packed_end(name) < end <= ASSAY_END_MAX;
    requires draft: draft_valid(&found->draft, end);
    requires count: found->tensors == place <= ASSAY_END_MAX;
    requires tensor: name % 4294967296 == tensor_key(head, end, place) + 1 &&
        packed_end(name) == tensor_name_end(head, end, place);
    requires plain: name >= ASSAY_ENTRY_PLAIN ==> text_plain(head, name % 4294967296, packed_end(name));
    requires says: draft_says(&found->draft, head, tensor_object(head, end, place), end);
    requires data: found->draft.begin == tensor_begin(head, end, place)
        && found->draft.end == tensor_finish(head, end, place);
    requires kept: tensors_kept(plan.entry, plan.entries, head, end, place);
    requires remembers: draft_remembers(&found->draft, head, behind, end);
    terminates \true;
    exits \false;
    assigns found->tensors, plan.entry[0 .. plan.entries - 1];
    ensures count: found->tensors == place + 1;
    ensures kept: tensors_kept(plan.entry, plan.entries, head, end, place + 1);
    ensures remembers: draft_remembers(&found->draft, head, behind, end);
*/
static void assay_keep_tensor(const assay_plan *given, assay_found *found, uint64_t name)
    /*@ ghost (assay_plan plan, const uint8_t *head, uint32_t end, uint64_t place, uint64_t behind) */
{
    if (found->tensors < given->entries) {
        assay_entry_set(given->entry + found->tensors, name, &found->draft);
        //@ assert others: entries_same{Pre, Here}(plan.entry, place);
        //@ assert before: entries_ok(plan.entry, place, end);
        //@ assert said: entries_say(plan.entry, head, end, place);
        //@ assert ok: entry_ok(plan.entry + place, end);
        //@ assert says: entry_says(plan.entry + place, head, end, place);
    }
    //@ assert kept_ok: place + 1 <= plan.entries ==> entries_ok(plan.entry, place + 1, end);
    //@ assert kept_say: place + 1 <= plan.entries ==> entries_say(plan.entry, head, end, place + 1);
    //@ ghost Kept: ;
    found->tensors = found->tensors + 1u;
    //@ assert still: entries_same{Kept, Here}(plan.entry, plan.entries);
    //@ assert count: found->tensors == place + 1;
    //@ assert all_ok: place + 1 <= plan.entries ==> entries_ok(plan.entry, place + 1, end);
    //@ assert all_say: place + 1 <= plan.entries ==> entries_say(plan.entry, head, end, place + 1);
    //@ assert kept: tensors_kept(plan.entry, plan.entries, head, end, place + 1);
    //@ assert text: found->draft.text == \at(found->draft.text, Pre);
    //@ assert text_size: found->draft.text_size == \at(found->draft.text_size, Pre);
    //@ assert text_dtype: found->draft.text_dtype == \at(found->draft.text_dtype, Pre);
    //@ assert dims_at: found->draft.dims_at == \at(found->draft.dims_at, Pre);
    //@ assert dims_size: found->draft.dims_size == \at(found->draft.dims_size, Pre);
    //@ assert rank: found->draft.rank == \at(found->draft.rank, Pre);
    //@ assert elements: found->draft.elements == \at(found->draft.elements, Pre);
    //@ assert empty: found->draft.empty == \at(found->draft.empty, Pre);
    //@ assert end_at: found->draft.end_at == \at(found->draft.end_at, Pre);
    //@ assert end_size: found->draft.end_size == \at(found->draft.end_size, Pre);
    //@ assert end: found->draft.end == \at(found->draft.end, Pre);
    //@ assert dtype: dtype_kept(&found->draft);
    //@ assert ends: end_kept(&found->draft, head, behind, end);
    //@ assert dims: dims_kept(&found->draft, head, behind, end);
}

/* Judge the next tensor, whose name is head[at .. close), and keep it. plain: its name has no escape. Return the
 * position after its value. */
/*@ requires head: head_ok(head, end);
    requires key: 9 <= at <= close < end && head[at - 1] == '"' && string_end(head, at, end) == close;
    requires plain: plain == 1 ==> text_plain(head, at, close);
    requires tensor: is_metadata(head, at, close) == 0;
    requires plan: plan_ok(plan, found) && found_silent(found);
    requires given: plan_given(given, plan) &&
        \separated(given, found, plan.entry + (0 .. plan.entries - 1), plan.word + (0 .. plan.words - 1));
    requires counted: found->tensors <= ASSAY_END_MAX;
    requires before: table_before(head, end, at - 1, found->tensors, found->metadata, found->pairs);
    requires kept: tensors_kept(plan.entry, plan.entries, head, end, found->tensors);
    requires draft: draft_remembers(&found->draft, head, at, end);
    terminates \true;
    exits \false;
    assigns found->tensors, found->draft, plan.entry[0 .. plan.entries - 1], assay_work;
    ensures after: lands(\result, close + 4, end);
    ensures size: went_on(\result) ==> close + 30 <= \result;
    ensures exact: \result == member_within(head, at - 1, end, \old(found->metadata), \old(found->tensors), plan);
    ensures silent: went_on(\result) ==> found_silent(found);
    ensures fields: !went_on(\result) ==> error_fields(found->tensors, found_fields(found)) ==
        member_says(head, at - 1, end, \old(found->metadata), \old(found->tensors), plan);
    ensures always: went_on(\result) ==> \result == root_value_end(head, close, end, 0, unlimited, unlimited);
    ensures count: went_on(\result) ==> found->tensors == \old(found->tensors) + 1;
    ensures same: !went_on(\result) ==> found->tensors == \old(found->tensors);
    ensures kept: went_on(\result) ==> tensors_kept(plan.entry, plan.entries, head, end, found->tensors);
    ensures draft: went_on(\result) ==> draft_remembers(&found->draft, head, \result, end);
    ensures cost: assay_work <= \old(assay_work) + cost(close + 2, \result, end);
*/
static assay_step assay_tensor_member(const uint8_t *head, uint32_t at, uint32_t close, bool plain, uint32_t end,
                                      const assay_plan *given, assay_found *found)
    /*@ ghost (assay_plan plan) */
{
    //@ ghost uint64_t count = found->tensors;
    /*@ assert says: member_says(head, at - 1, end, found->metadata, count, plan) == error_fields(count,
            named_fields(head, at - 1, close, end, count, plan.max_tensors, plan.max_rank,
                         plan.max_name)); */
    if (found->tensors >= given->max_tensors) {
        /*@ assert beyond: fields(plan.max_tensors, count + 1) ==
              named_fields(head, at - 1, close, end, count, plan.max_tensors, plan.max_rank,
              plan.max_name); */
        return assay_limited(ASSAY_LIMIT_TENSORS, at - 1u, given->max_tensors, found->tensors + 1u, found);
    }
    if (close - at > given->max_name) {
        /*@ assert long: fields(plan.max_name, close - at) ==
              named_fields(head, at - 1, close, end, count, plan.max_tensors, plan.max_rank,
              plan.max_name); */
        return assay_limited(ASSAY_LIMIT_NAME, at - 1u, given->max_name, close - at, found);
    }
    assay_step step = assay_key_value(head, close, end, '{');
    /*@ assert value: (step > end ? no_fields : object_fields(head, step - 1, end, plan.max_rank)) ==
          named_fields(head, at - 1, close, end, count, plan.max_tensors, plan.max_rank,
              plan.max_name); */
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    //@ assert object: step - 1 == key_value(head, close, end, '{') <= end;
    //@ ghost uint32_t open = (uint32_t)step - 1;
    //@ ghost assay_object_size(head, step - 1, end);
    step = assay_tensor_object(head, (uint32_t)step, end, given->max_rank, &found->draft);
    if (step >= ASSAY_STOPPED) {
        //@ assert fields: found_fields(found) == object_fields(head, open, end, plan.max_rank);
        return step;
    }
    //@ assert silent: found_silent(found);
    uint64_t name = at + (close - at) * ASSAY_ENTRY_HIGH + plain * ASSAY_ENTRY_PLAIN;
    //@ ghost assay_name_packed(at, close - at, plain);
    //@ assert same: entries_same{Pre, Here}(plan.entry, plan.entries);
    //@ assert counts: found->tensors == \at(found->tensors, Pre) && found->metadata == \at(found->metadata, Pre);
    //@ assert pairs: found->pairs == \at(found->pairs, Pre);
    //@ assert was: tensors_kept{Pre}(plan.entry, plan.entries, head, end, found->tensors);
    //@ assert ok: found->tensors <= plan.entries ==> entries_ok(plan.entry, found->tensors, end);
    //@ assert say: found->tensors <= plan.entries ==> entries_say(plan.entry, head, end, found->tensors);
    //@ ghost assay_table_here(head, end, at - 1, found->tensors, found->metadata, found->pairs);
    //@ assert remembers: draft_remembers(&found->draft, head, step, end);
    assay_keep_tensor(given, found, name) /*@ ghost (plan, head, end, found->tensors, step) */;
    //@ assert none: found_silent(found);
    return step;
}

/* The member whose key begins at `at`, behind its opening quote. Gives the place behind its value. */
/*@ requires head: head_ok(head, end);
    requires key: 9 <= at <= end && head[at - 1] == '"';
    requires plan: plan_ok(plan, found) && found_silent(found) && found->tensor == UINT64_MAX;
    requires given: plan_given(given, plan) &&
        \separated(given, found, plan.entry + (0 .. plan.entries - 1), plan.word + (0 .. plan.words - 1));
    requires counted: counted(found, at - 2);
    requires before: table_before(head, end, at - 1, found->tensors, found->metadata, found->pairs);
    requires tensors: tensors_kept(plan.entry, plan.entries, head, end, found->tensors);
    requires pairs: pairs_kept(plan.word, plan.words, head, end, found->pairs);
    requires named: found_named(found, head, end);
    requires draft: draft_remembers(&found->draft, head, at, end);
    terminates \true;
    exits \false;
    assigns *found, plan.entry[0 .. plan.entries - 1], plan.word[0 .. plan.words - 1], assay_work;
    ensures after: lands(\result, at + 4, end);
    ensures counted: went_on(\result) ==> counted(found, \result);
    ensures exact: \result == member_within(head, at - 1, end, \old(found->metadata), \old(found->tensors), plan);
    ensures always: went_on(\result) ==> \let close = string_end(head, at, end);
        \result == root_value_end(head, close, end, is_metadata(head, at, close), unlimited, unlimited);
    ensures one: went_on(\result) ==> is_metadata(head, at, string_end(head, at, end)) != 1 ==>
        found->tensors == \old(found->tensors) + 1 && found->metadata == \old(found->metadata)
        && found->pairs == \old(found->pairs);
    ensures other: went_on(\result) ==> is_metadata(head, at, string_end(head, at, end)) == 1 ==>
        found->tensors == \old(found->tensors) && \old(found->metadata) == 0 && found->metadata == 1
        && pair_count(head, end, found->pairs);
    ensures tensors: went_on(\result) ==> tensors_kept(plan.entry, plan.entries, head, end, found->tensors);
    ensures pairs: went_on(\result) ==> pairs_kept(plan.word, plan.words, head, end, found->pairs);
    ensures silent: went_on(\result) ==> found_silent(found) && found->tensor == UINT64_MAX;
    ensures fields: !went_on(\result) ==> error_fields(found->tensor, found_fields(found)) ==
        member_says(head, at - 1, end, \old(found->metadata), \old(found->tensors), plan);
    ensures named: found_named(found, head, end);
    ensures draft: went_on(\result) ==> draft_remembers(&found->draft, head, \result, end);
    ensures cost: assay_work <= \old(assay_work) + cost(at, \result, end);
*/
static assay_step assay_root_member(const uint8_t *head, uint32_t at, uint32_t end, const assay_plan *given,
                                    assay_found *found)
    /*@ ghost (assay_plan plan) */
{
    uint32_t behind = assay_plain_end(head, at, end);
    assay_step step = behind < end && head[behind] == '"' ? behind : assay_string_rest(head, behind, end);
    //@ ghost uint64_t seen = found->metadata;
    //@ ghost uint64_t count = found->tensors;
    if (step >= ASSAY_STOPPED) {
        //@ assert string: member_says(head, at - 1, end, seen, count, plan) == no_tensor(no_fields);
        return step;
    }
    uint32_t close = (uint32_t)step;
    if (assay_is_metadata(head, at, close) /*@ ghost (end) */) {
        step = assay_metadata_member(head, at, close, end, given, found) /*@ ghost (plan) */;
        //@ assert name: found->name == \at(found->name, Pre) && found->name_end == \at(found->name_end, Pre);
        //@ assert silent: went_on(step) ==> found_silent(found) && found->tensor == UINT64_MAX;
        //@ assert remembers: went_on(step) ==> draft_remembers(&found->draft, head, step, end);
        //@ assert count: found->tensors == \at(found->tensors, Pre);
        //@ assert counted: went_on(step) ==> counted(found, step);
        //@ assert same: entries_same{Pre, Here}(plan.entry, plan.entries);
        //@ assert was: found->tensors <= plan.entries ==> entries_ok{Pre}(plan.entry, found->tensors, end);
        //@ assert ok: found->tensors <= plan.entries ==> entries_ok(plan.entry, found->tensors, end);
        //@ assert told: found->tensors <= plan.entries ==> entries_say{Pre}(plan.entry, head, end, found->tensors);
        //@ assert say: found->tensors <= plan.entries ==> entries_say(plan.entry, head, end, found->tensors);
        /*@ assert fields: !went_on(step) ==> error_fields(found->tensor, found_fields(found)) ==
              member_says(head, at - 1, end, seen, count, plan); */
        return step;
    }
    //@ ghost assay_name_here(head, end, at - 1, close, count, seen, found->pairs);
    step = assay_tensor_member(head, at, close, close == behind, end, given, found) /*@ ghost (plan) */;
    //@ assert pairs: found->pairs == \at(found->pairs, Pre) && found->metadata == \at(found->metadata, Pre);
    //@ assert counted: went_on(step) ==> counted(found, step);
    //@ assert unnamed: found->tensor == UINT64_MAX && found->name == 0 && found->name_end == 0;
    //@ assert silent: went_on(step) ==> found_silent(found) && found->tensor == UINT64_MAX;
    //@ assert remembers: went_on(step) ==> draft_remembers(&found->draft, head, step, end);
    if (step >= ASSAY_STOPPED) {
        found->tensor = found->tensors;
        found->name = at;
        found->name_end = close;
        //@ assert text: tensor_text(head, end, found->tensor, found->name, found->name_end);
    }
    /*@ assert stopped: !went_on(step) ==> error_fields(found->tensor, found_fields(found)) ==
          member_says(head, at - 1, end, seen, count, plan); */
    return step;
}

/* at: behind the root's }. Gives end. */
/*@ requires head: head_ok(head, end);
    requires at: 10 <= at <= end;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures all: went_on(\result) ==> \result == end;
    ensures exact: \result == trailing_end(head, at, end);
    ensures cost: assay_work <= \old(assay_work) + end - at;
*/
static assay_step assay_padding(const uint8_t *head, uint32_t at, uint32_t end)
{
    /*@ loop invariant at: \at(at, Pre) <= at <= end;
        loop invariant exact: trailing_end(head, \at(at, Pre), end) == trailing_end(head, at, end);
        loop invariant cost: assay_work <= \at(assay_work, Pre) + at - \at(at, Pre);
        loop assigns at, assay_work;
        loop variant end - at;
    */
    while (at < end) {
        //@ ghost assay_spend();
        //@ ghost assay_trailing_step(head, at, end);
        if (head[at] != ' ') {
            return ASSAY_STOP(ASSAY_E_TRAILING, at);
        }
        at = at + 1u;
    }
    //@ ghost assay_trailing_step(head, at, end);
    return end;
}

/* The root's members, from the first on; at: behind its {. Gives end. */
/*@ requires head: head_ok(head, end);
    requires at: at == 9 <= end;
    requires plan: plan_ok(plan, found);
    requires given: plan_given(given, plan) &&
        \separated(given, found, plan.entry + (0 .. plan.entries - 1), plan.word + (0 .. plan.words - 1));
    requires none: found->tensors == 0 && found->pairs == 0 && found->metadata == 0;
    requires silent: found_silent(found) && found->tensor == UINT64_MAX;
    requires named: found_named(found, head, end);
    requires draft: draft_remembers(&found->draft, head, at, end);
    terminates \true;
    exits \false;
    assigns *found, plan.entry[0 .. plan.entries - 1], plan.word[0 .. plan.words - 1], assay_work;
    ensures named: found_named(found, head, end);
    ensures all: went_on(\result) ==> \result == end && 10 <= end;
    ensures counted: went_on(\result) ==> counted(found, end);
    ensures exact: \let last = root_within(head, first_key(head, 9, end), end, 0, 0, plan);
        \result == (last > end ? last : trailing_end(head, last, end));
    ensures fields: !went_on(\result) ==> error_fields(found->tensor, found_fields(found)) ==
        root_says(head, first_key(head, 9, end), end, 0, 0, plan);
    ensures stored: went_on(\result) ==> stored(plan, found, end);
    ensures says: went_on(\result) ==> found_says(plan, found, head, end);
    ensures cost: assay_work <= \old(assay_work) + 20 * (end - 8) + 64;
*/
static assay_step assay_root(const uint8_t *head, uint32_t at, uint32_t end, const assay_plan *given,
                             assay_found *found)
    /*@ ghost (assay_plan plan) */
{
    //@ ghost assay_root_step(head, at, end, 0, 0, plan);
    //@ ghost assay_table_begin(head, end);
    assay_step step = assay_first_key(head, at, end);
    /*@ loop invariant on: lands_on(step, at, end);
        loop invariant which: went_on(step) ==> head[step] == '"' || head[step] == '}';
        loop invariant counted: went_on(step) ==> counted(found, step - (head[step] == '}' ? 0 : 1));
        loop invariant exact: root_within(head, first_key(head, 9, end), end, 0, 0, plan) ==
            unless_stopped(step, root_within(head, step, end, found->metadata, found->tensors, plan));
        loop invariant fields: root_says(head, first_key(head, 9, end), end, 0, 0, plan) == (step > end
            ? no_tensor(no_fields) : root_says(head, step, end, found->metadata, found->tensors, plan));
        loop invariant silent: found_silent(found) && found->tensor == UINT64_MAX;
        loop invariant before: went_on(step) ==>
            table_before(head, end, step, found->tensors, found->metadata, found->pairs);
        loop invariant tensors: tensors_kept(plan.entry, plan.entries, head, end, found->tensors);
        loop invariant pairs: pairs_kept(plan.word, plan.words, head, end, found->pairs);
        loop invariant plan: plan_given(given, plan);
        loop invariant named: found_named(found, head, end);
        loop invariant draft: went_on(step) ==> draft_remembers(&found->draft, head, step, end);
        loop invariant cost: assay_work <= \at(assay_work, Pre) + cost(at, step, end);
        loop assigns step, *found, plan.entry[0 .. plan.entries - 1], plan.word[0 .. plan.words - 1], assay_work;
        loop variant step < ASSAY_STOPPED ? end - step : 0;
    */
    while (step < ASSAY_STOPPED && head[step] != '}') {
        //@ ghost assay_spend();
        uint32_t key = (uint32_t)step;
        //@ ghost uint64_t tensors = found->tensors;
        //@ ghost uint64_t metadata = found->metadata;
        //@ ghost uint64_t pairs = found->pairs;
        //@ ghost assay_root_step(head, key, end, metadata, tensors, plan);
        step = assay_root_member(head, key + 1u, end, given, found) /*@ ghost (plan) */;
        //@ assert room: given->entries == plan.entries && given->words == plan.words;
        //@ assert limit: given->max_tensors == plan.max_tensors && given->max_rank == plan.max_rank;
        //@ assert limits: given->max_name == plan.max_name && given->max_metadata == plan.max_metadata;
        //@ assert given: plan_given(given, plan);
        if (step >= ASSAY_STOPPED) {
            //@ assert stopped: root_within(head, first_key(head, 9, end), end, 0, 0, plan) == step > end;
            return step;
        }
        step = assay_next_key(head, (uint32_t)step, end);
        //@ assert further: went_on(step) ==> key < step < end;
        //@ assert seen: found->metadata == metadata + is_metadata(head, key + 1, string_end(head, key + 1, end));
        //@ assert count: found->tensors == tensors + 1 - is_metadata(head, key + 1, string_end(head, key + 1, end));
        //@ ghost assay_table_step(head, end, key, step, tensors, metadata, pairs, found->pairs);
        /*@ assert same: is_metadata(head, key + 1, string_end(head, key + 1, end)) != 1 ==>
              found->metadata == metadata && found->pairs == pairs && found->tensors == tensors + 1; */
        /*@ assert before_tensor: went_on(step) && is_metadata(head, key + 1, string_end(head, key + 1, end)) != 1 ==>
              table_before(head, end, step, found->tensors, found->metadata, found->pairs); */
        /*@ assert before_pairs: went_on(step) && is_metadata(head, key + 1, string_end(head, key + 1, end)) == 1 ==>
              table_before(head, end, step, found->tensors, found->metadata, found->pairs); */
    }
    if (step >= ASSAY_STOPPED) {
        //@ assert over: root_within(head, first_key(head, 9, end), end, 0, 0, plan) == step > end;
        return step;
    }
    //@ ghost assay_root_step(head, step, end, found->metadata, found->tensors, plan);
    /*@ assert last: root_within(head, first_key(head, 9, end), end, 0, 0, plan) == step + 1; */
    //@ ghost assay_table_end(head, end, step, found->tensors, found->metadata, found->pairs);
    return assay_padding(head, (uint32_t)step + 1u, end);
}

/* Begin without a tensor before. */
/*@ requires draft: \valid(draft);
    terminates \true;
    exits \false;
    assigns *draft;
    ensures silent: draft_silent(draft);
    ensures remembers: draft_remembers(draft, head, 8, end);
*/
static void assay_draft_init(assay_draft *draft) /*@ ghost (const uint8_t *head, uint32_t end) */
{
    draft->text = ASSAY_WORD_DTYPE_U8_LO + 0x220000u; /* any dtype would do */
    draft->text_size = ASSAY_WORD_DTYPE_U8_LEN;
    draft->text_dtype = ASSAY_DTYPE_U8;
    //@ ghost assay_dtype_first(draft->text);
    draft->expected = ASSAY_NONE;
    draft->found = ASSAY_NONE;
    draft->dims_at = 0;
    draft->dims_size = 0;
    draft->end_at = 0;
    draft->end_size = 0;
}

static assay_step assay_scan(const uint8_t *head, uint32_t end, assay_plan plan, assay_found *found)
{
    //@ assert apart: \separated(&plan, found, plan.entry + (0 .. plan.entries - 1));
    //@ assert apart_words: \separated(&plan, plan.word + (0 .. plan.words - 1));
    //@ ghost assay_plan kept = plan;
    found->tensors = 0;
    found->pairs = 0;
    found->metadata = 0;
    found->tensor = ASSAY_NONE;
    found->name = 0;
    found->name_end = 0;
    assay_draft_init(&found->draft) /*@ ghost (head, end) */;
    //@ assert fields: error_fields(found->tensor, found_fields(found)) == no_tensor(no_fields);
    if (end == 8u) {
        return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
    }
    if (head[8] != '{') {
        return ASSAY_STOP(ASSAY_E_START, 8u);
    }
    /*@ assert says: root_says(head, first_key(head, 9, end), end, 0, 0, kept) ==
          header_fields(head, end, plan.max_tensors, plan.max_rank, plan.max_name, plan.max_metadata); */
    return assay_root(head, 9u, end, &plan, found) /*@ ghost (kept) */;
}
