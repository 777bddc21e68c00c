/* The stages: frame and header (F and H), then the whole file (G), over memory that the caller gives.
 * Rules G1 metadata_key_twice, G2 name_twice; the status usage. */
#include "core.h"

/* Unfolds: packed_end. */

#define ASSAY_TWO_32 4294967296u

/* Set the error of a step that stopped, and which of its fields are set. */
/*@ requires error: \valid(error) && \valid_read(found) && \separated(error, found);
    terminates \true;
    exits \false;
    assigns error->status, error->offset, error->tensor, error->expected, error->found, error->has, error->name.at,
        error->name.end;
    ensures status: error->status == step / 4294967296;
    ensures offset: error->offset == step % 4294967296;
    ensures name: error->name.at == found->name && error->name.end == found->name_end;
    ensures has: has_right(error);
*/
static void assay_error_step(assay_error *error, assay_step step, const assay_found *found)
{
    error->offset = step % ASSAY_TWO_32;
    error->tensor = found->tensor;
    error->expected = found->expected;
    error->found = found->found;
    error->name.at = found->name;
    error->name.end = found->name_end;
    assay_error_status(error, (assay_status)(step / ASSAY_TWO_32));
}

/* Judge stage F. ASSAY_OK: *end is where the header ends. */
/*@ requires input: \valid_read(in.head + (0 .. in.head_size - 1)) && (options == \null || \valid_read(options));
    requires output: \valid(error) && \separated(error, options) && \valid(end);
    terminates \true;
    exits \false;
    assigns *end, *error;
    ensures status: error->status == \result;
    ensures usage: \old(!options_right(options)) ==> \result == ASSAY_USAGE;
    ensures exact: \old(options_right(options)) ==>
        \old(frame_judged(in.head, in.head_size, in.file_size, limit_header(options))) ==
        (\result == ASSAY_OK ? 0 : verdict_of(\result, error->offset));
    ensures more: \result == ASSAY_NEED_MORE ==>
        in.head_size < error->expected == (in.head_size < 8 ? 8 : 8 + header_length(in.head)) <= in.file_size;
    ensures passed: \result == ASSAY_OK ==> \old(options_right(options));
    ensures whole: \result == ASSAY_OK ==>
        8 <= *end <= ASSAY_END_MAX && *end <= in.head_size && *end <= in.file_size;
    ensures length: \result == ASSAY_OK ==> *end == 8 + header_length(in.head);
    ensures right: has_right(error) && error_texts(error, 0);
*/
static assay_status assay_judge_frame(assay_input in, const assay_options *options, uint32_t *end, assay_error *error)
{
    uint64_t max_header = options == NULL ? ASSAY_NONE : options->max_header;
    bool right = options == NULL || (options->api == ASSAY_API && options->relax == 0);
    assay_error_none(error);
    if (!right) {
        return assay_error_status(error, ASSAY_USAGE);
    }
    assay_status status = assay_frame(in, max_header, end, error);
    assay_error_has(error);
    return status;
}

/*@ requires counted: \valid_read(found) && counted(found, end) &&
        counts_say(found, head, end) && 10 <= end <= ASSAY_END_MAX;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures counts: \result.end == end && \result.tensors == found->tensors && \result.pairs == found->pairs;
    ensures right: end == 8 + header_length(head) ==> counts_right(\result, head);
*/
static assay_counts assay_counts_of(const assay_found *found, uint32_t end)
    /*@ ghost (const uint8_t *head) */
{
    assay_counts counts = {end, (uint32_t)found->tensors, (uint32_t)found->pairs, (uint32_t)found->metadata};
    return counts;
}

/* Judge stage H. Return what it has counted; the end is 0 if it is not passed. */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires options: options == \null || \valid_read(options);
    requires room: judge_workspace(w) && keep <= 1;
    requires output: \valid(error) && error->status == ASSAY_OK && error_right(error, end);
    requires apart: \separated(error, w, w->entry + (0 .. w->entries - 1), w->word + (0 .. w->words - 1));
    terminates \true;
    exits \false;
    assigns w->entry[0 .. w->entries - 1], w->word[0 .. w->words - 1], *error;
    ensures passed: \result.end == (error->status == ASSAY_OK ? end : 0) && error->status < 4294967296;
    ensures exact: \let step = \old(header_end(head, end, limit_tensors(options), limit_rank(options),
                                               limit_name(options), limit_metadata(options)));
        (step > end ? verdict_of(step / 4294967296, step % 4294967296) : 0) ==
        (\result.end != 0 ? 0 : verdict_of(error->status, error->offset));
    ensures right: error_right(error, end);
    ensures counts: \result.end != 0 && end == 8 + header_length(head) ==> counts_right(\result, head);
    ensures tensors: \result.end != 0 ==>
        tensors_kept(\old(w->entry), \old(w->entries), head, end, \result.tensors);
    ensures pairs: \result.end != 0 ==>
        pairs_kept(\old(w->word), \old(w->words), keep, head, end, \result.pairs);
*/
static assay_counts assay_judge_header(const uint8_t *head, uint32_t end, const assay_options *options,
                                       const assay_workspace *w, uint64_t keep, assay_error *error)
{
    uint64_t max_tensors = options == NULL ? ASSAY_NONE : options->max_tensors;
    uint64_t max_rank = options == NULL ? ASSAY_NONE : options->max_rank;
    uint64_t max_name = options == NULL ? ASSAY_NONE : options->max_name;
    uint64_t max_metadata = options == NULL ? ASSAY_NONE : options->max_metadata;
    assay_plan plan = {w->entry, w->entries,  w->word,  w->words, keep,
                       max_tensors, max_rank, max_name, max_metadata};
    assay_found found;
    assay_counts none = {0, 0, 0, 0};
    assay_step step = assay_scan(head, end, plan, &found);
    //@ assert status: error->status == ASSAY_OK;
    //@ assert has: error->has == \at(error->has, Pre);
    //@ assert who: error->tensor == \at(error->tensor, Pre) && error->other == \at(error->other, Pre);
    //@ assert name_same: error->name.at == \at(error->name.at, Pre) && error->name.end == \at(error->name.end, Pre);
    //@ assert other: error->other_name.at == \at(error->other_name.at, Pre);
    //@ assert other_end: error->other_name.end == \at(error->other_name.end, Pre);
    //@ assert same: has_right(error) && error_texts(error, end);
    //@ assert name: found.name <= found.name_end <= end;
    if (step >= ASSAY_STOPPED) {
        //@ assert stopped: step > end && 1 <= step / ASSAY_TWO_32;
        assay_error_step(error, step, &found);
        return none;
    }
    return assay_counts_of(&found, end) /*@ ghost (head) */;
}

static assay_counts assay_judge_head(assay_input in, const assay_options *options, const assay_workspace *w,
                                     uint64_t keep, assay_error *error)
{
    assay_counts counts = {0, 0, 0, 0};
    uint32_t end = 0;
    assay_status status = assay_judge_frame(in, options, &end, error);
    if (status == ASSAY_OK) {
        /*@ assert limits: limit_tensors(options) == \at(limit_tensors(options), Pre) &&
                limit_rank(options) == \at(limit_rank(options), Pre) &&
                limit_name(options) == \at(limit_name(options), Pre) &&
                limit_metadata(options) == \at(limit_metadata(options), Pre); */
        //@ assert workspace: workspace_same{Pre, Here}(w);
        counts = assay_judge_header(in.head, end, options, w, keep, error);
    }
    return counts;
}

/* Return whether there is room for the tensors and the pairs. */
/*@ requires counts: counts.tensors < 16777215 && counts.pairs < 16777215;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == 1 <==>
        counts.tensors <= entries && words_for(counts.tensors, counts.pairs, keep) <= words;
*/
static bool assay_has_room(assay_counts counts, uint64_t keep, uint64_t entries, uint64_t words)
{
    uint32_t pairs = counts.pairs;
    return counts.tensors <= entries && 7u * pairs + (keep == 1 ? pairs : 0) + 6u * counts.tensors <= words;
}

static void assay_need_set(assay_counts counts, uint64_t keep, assay_need *need)
    /*@ ghost (const uint8_t *head) */
{
    need->head = counts.end;
    need->tensors = counts.tensors;
    need->pairs = counts.pairs;
    need->entries = counts.tensors;
    need->words = 7u * counts.pairs + (keep == 1 ? counts.pairs : 0) + 6u * counts.tensors;
}

/* Set the need and the error of a file for which there is no room. */
/*@ requires output: \valid(need) && \valid(error) && \separated(need, error);
    requires counts: counts_right(counts, head);
    requires texts: error_texts(error, counts.end);
    terminates \true;
    exits \false;
    assigns *need, error->status, error->has;
    ensures status: \result == ASSAY_WORKSPACE && error->status == ASSAY_WORKSPACE;
    ensures error: error_right(error, counts.end);
    ensures need: need_says(need, head, keep) && need->head == counts.end;
*/
static assay_status assay_lacks_room(assay_counts counts, uint64_t keep, assay_need *need, assay_error *error)
    /*@ ghost (const uint8_t *head) */
{
    assay_need_set(counts, keep, need) /*@ ghost (head) */;
    return assay_error_status(error, ASSAY_WORKSPACE);
}

/* Set the need and the error of a file that keeps all rules. What is known of its tensors stays so. */
/*@ requires need: \valid(need) && \separated(need, entry + (0 .. counts.tensors - 1));
    requires error: \valid(error) && \separated(error, need, entry + (0 .. counts.tensors - 1));
    requires counts: counts_right(counts, head);
    requires entries: entries_ok(entry, counts.tensors, counts.end) &&
        entries_say(entry, head, counts.end, counts.tensors);
    requires partition: partition(entry, counts.tensors, data_size);
    terminates \true;
    exits \false;
    assigns *need, *error;
    ensures error: error->status == ASSAY_OK && has_right(error) && error_texts(error, 0);
    ensures need: need_says(need, head, keep) && need->head == counts.end;
    ensures counts: need->tensors == counts.tensors && need->pairs == counts.pairs;
    ensures entries: entries_ok(entry, counts.tensors, counts.end) &&
        entries_say(entry, head, counts.end, counts.tensors);
    ensures partition: partition(entry, counts.tensors, data_size);
*/
static void assay_accept(assay_counts counts, uint64_t keep, assay_need *need, assay_error *error)
    /*@ ghost (const uint8_t *head, const assay_entry *entry, uint64_t data_size) */
{
    //@ ghost uint32_t tensors = counts.tensors;
    assay_error_none(error);
    assay_need_set(counts, keep, need) /*@ ghost (head) */;
    //@ assert same: entries_same{Pre, Here}(entry, tensors);
    //@ assert ok: entries_ok(entry, tensors, counts.end);
    //@ assert says: entries_say(entry, head, counts.end, tensors);
    //@ assert ends: \forall integer i; 0 <= i < tensors ==> entry[i].end <= data_size;
    /*@ assert has: \forall integer i, b; 0 <= i < tensors ==>
            (tensor_has{Pre}(entry, i, b) <==> tensor_has(entry, i, b)); */
    //@ assert covered: \forall integer b; covered{Pre}(entry, tensors, b) ==> covered(entry, tensors, b);
    /*@ assert alone: \forall integer i, j, b; 0 <= i < tensors && 0 <= j < tensors && tensor_has(entry, i, b) &&
            tensor_has(entry, j, b) ==> i == j; */
    /*@ assert inside: \forall integer i, j; 0 <= i < tensors && 0 <= j < tensors ==>
            (begins_inside{Pre}(entry, i, j) <==> begins_inside(entry, i, j)); */
    //@ assert partition: partition(entry, tensors, data_size);
}

/* Return the text that begins at `at`, which is after its opening quote. */
/*@ requires head: head_ok(head, end) && at <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures inside: \result.at == at && at <= \result.end <= end;
*/
static assay_text assay_text_from(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_text text = {at, assay_text_end(head, at, end)};
    return text;
}

/* Set the texts of an error of stage G: the tensor's name, and the other tensor's or the metadata key. */
/*@ requires head: head_ok(head, counts.end);
    requires entries: \valid_read(entry + (0 .. counts.tensors - 1)) && entries_ok(entry, counts.tensors, counts.end);
    requires keys: \valid_read(key + (0 .. counts.pairs - 1)) && keys_inside(key, counts.pairs, counts.end);
    requires error: \valid(error) && \separated(error, entry + (0 .. counts.tensors - 1));
    requires pair: error->status == ASSAY_E_METADATA_KEY_TWICE ==> error->other < counts.pairs;
    terminates \true;
    exits \false;
    assigns error->has, error->name.at, error->name.end, error->other_name.at, error->other_name.end;
    ensures has: has_right(error);
    ensures texts: error_texts(error, counts.end);
*/
static void assay_error_texts(const uint8_t *head, assay_counts counts, const assay_entry *entry, const uint32_t *key,
                              assay_error *error)
{
    uint64_t tensor = error->tensor, other = error->other;
    assay_text text = {0, 0};
    error->name.at = 0;
    error->name.end = 0;
    if (tensor < counts.tensors) {
        //@ assert entry: entry_ok(entry + tensor, counts.end);
        assay_text name = assay_text_from(head, (uint32_t)(entry[tensor].name % ASSAY_ENTRY_HIGH), counts.end);
        error->name.at = name.at;
        error->name.end = name.end;
    }
    if (error->status == ASSAY_E_METADATA_KEY_TWICE) {
        text = assay_text_from(head, key[other], counts.end);
    } else if (other < counts.tensors) {
        //@ assert other: entry_ok{Pre}(entry + other, counts.end);
        text = assay_text_from(head, (uint32_t)(entry[other].name % ASSAY_ENTRY_HIGH), counts.end);
    }
    error->other_name.at = text.at;
    error->other_name.end = text.end;
    assay_error_has(error);
}

static assay_status assay_judge_rest(assay_input in, assay_counts counts, const assay_workspace *w, uint64_t keep,
                                     assay_need *need, assay_error *error)
{
    assay_entry *entry = w->entry;
    uint32_t *word = w->word;
    uint64_t words = w->words;
    //@ ghost const uint8_t *head = in.head;
    //@ ghost uint32_t end = counts.end;
    //@ ghost uint32_t pairs = counts.pairs;
    //@ ghost assay_counts_single(head, end);
    if (!assay_has_room(counts, keep, w->entries, words)) {
        return assay_lacks_room(counts, keep, need, error) /*@ ghost (head) */;
    }
    //@ assert room: !room_short(head, w->entries, words, keep);
    //@ ghost assay_verdict_single(head, in.file_size, end, pairs, counts.tensors);
    assay_status status = assay_judge_whole(in.head, counts, in.file_size - counts.end, entry, word, error);
    //@ assert values: keep == 1 ==> words_same{Pre, Here}(word, words - pairs, words);
    //@ assert texts: keep == 1 ==> texts_ok(word, words - pairs, words, end);
    //@ assert say: keep == 1 ==> values_say(word, words, head, end, pairs);
    if (status != ASSAY_OK) {
        //@ assert judged: status != ASSAY_WORKSPACE;
        //@ assert same: entries_same{Pre, Here}(entry, counts.tensors);
        //@ assert entries: entries_ok(entry, counts.tensors, end);
        //@ assert keys: words_same{Pre, Here}(word, 0, pairs);
        //@ assert inside: keys_inside(word, pairs, end);
        //@ assert need: need_same{Pre, Here}(need) && need->head == \at(need->head, Pre);
        assay_error_texts(in.head, counts, entry, word, error);
        //@ assert kept: need_same{Pre, Here}(need) && need->head == \at(need->head, Pre);
        return status;
    }
    assay_accept(counts, keep, need, error) /*@ ghost (head, entry, in.file_size - end) */;
    //@ assert need: need_says(need, head, keep) && need->head == end;
    return ASSAY_OK;
}
