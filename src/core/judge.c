/* The stages: frame and header (F and H), then the whole file (G), over memory that the caller gives.
 * Rules G1 metadata_key_twice, G2 name_twice; the status usage. */
#include "judge_steps.h"

#define ASSAY_TWO_32 4294967296u

/*@ requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns *error;
    ensures status: error->status == ASSAY_OK;
*/
static void assay_error_none(assay_error *error)
{
    error->status = ASSAY_OK;
    error->offset = ASSAY_NONE;
    error->tensor = ASSAY_NONE;
    error->other = ASSAY_NONE;
    error->expected = ASSAY_NONE;
    error->found = ASSAY_NONE;
}

assay_status assay_error_status(assay_error *error, assay_status status)
{
    error->status = status;
    return status;
}

/* A stop of stage H. */
/*@ requires error: \valid(error) && \valid_read(found) && \separated(error, found);
    terminates \true;
    exits \false;
    assigns *error;
    ensures status: \result == step / 4294967296 && error->status == \result;
    ensures offset: error->offset == step % 4294967296;
*/
static assay_status assay_error_step(assay_error *error, assay_step step, const assay_found *found)
{
    error->status = step / ASSAY_TWO_32;
    error->offset = step % ASSAY_TWO_32;
    error->tensor = found->tensor;
    error->expected = found->expected;
    error->found = found->found;
    return (assay_status)(step / ASSAY_TWO_32);
}

/* Stage F. ASSAY_OK: *end is where the header ends. */
/*@ requires input: judge_input(head, head_size, options);
    requires output: \valid(error) && \separated(error, options) && \valid(end);
    terminates \true;
    exits \false;
    assigns *end, *error;
    ensures status: error->status == \result;
    ensures usage: \old(!options_right(options)) ==> \result == ASSAY_USAGE;
    ensures exact: \old(options_right(options)) ==>
        \old(frame_judged(head, head_size, file_size, limit_header(options))) ==
        (\result == ASSAY_OK ? 0 : verdict_of(\result, error->offset));
    ensures more: \result == ASSAY_NEED_MORE ==>
        head_size < error->expected == (head_size < 8 ? 8 : 8 + header_length(head)) <= file_size;
    ensures passed: \result == ASSAY_OK ==> \old(options_right(options));
    ensures whole: \result == ASSAY_OK ==> 8 <= *end <= ASSAY_END_MAX && *end <= head_size && *end <= file_size;
    ensures length: \result == ASSAY_OK ==> *end == 8 + header_length(head);
*/
static assay_status assay_judge_frame(const uint8_t *head, uint64_t head_size, uint64_t file_size,
                                      const assay_options *options, uint32_t *end, assay_error *error)
{
    uint64_t max_header = options == NULL ? ASSAY_NONE : options->max_header;
    bool right = options == NULL || (options->api == ASSAY_API && options->relax == 0);
    assay_error_none(error);
    if (!right) {
        return assay_error_status(error, ASSAY_USAGE);
    }
    return assay_frame(head, head_size, file_size, max_header, end, error);
}

/* Stage H. */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires options: options == \null || \valid_read(options);
    requires room: \valid(entry + (0 .. entries - 1)) && \valid(word + (0 .. words - 1)) && keep <= 1;
    requires output: \valid(found) && \valid(error) && error->status == ASSAY_OK;
    requires apart: \separated(found, error, entry + (0 .. entries - 1), word + (0 .. words - 1));
    terminates \true;
    exits \false;
    assigns *found, entry[0 .. entries - 1], word[0 .. words - 1], *error;
    ensures status: error->status == \result;
    ensures exact: \let step = \old(header_end(head, end, limit_tensors(options), limit_rank(options),
                                               limit_name(options), limit_metadata(options)));
        (step > end ? verdict_of(step / 4294967296, step % 4294967296) : 0) ==
        (\result == ASSAY_OK ? 0 : verdict_of(\result, error->offset));
    ensures counted: \result == ASSAY_OK ==> counted(found, end) && 10 <= end;
    ensures counts: \result == ASSAY_OK ==> counts_say(found, head, end);
    ensures tensors: \result == ASSAY_OK ==> tensors_kept(entry, entries, head, end, found->tensors);
    ensures pairs: \result == ASSAY_OK ==> pairs_kept(word, words, keep, head, end, found->pairs);
*/
static assay_status assay_judge_header(const uint8_t *head, uint32_t end, const assay_options *options,
                                       assay_entry *entry, uint64_t entries, uint32_t *word, uint64_t words,
                                       uint64_t keep, assay_found *found, assay_error *error)
{
    uint64_t max_tensors = options == NULL ? ASSAY_NONE : options->max_tensors;
    uint64_t max_rank = options == NULL ? ASSAY_NONE : options->max_rank;
    uint64_t max_name = options == NULL ? ASSAY_NONE : options->max_name;
    uint64_t max_metadata = options == NULL ? ASSAY_NONE : options->max_metadata;
    assay_plan plan = {entry, entries, word, words, keep, max_tensors, max_rank, max_name, max_metadata};
    assay_step step = assay_scan(head, end, plan, found);
    if (step < ASSAY_STOPPED) {
        return ASSAY_OK;
    }
    //@ assert stopped: step > end && 1 <= step / ASSAY_TWO_32;
    return assay_error_step(error, step, found);
}

assay_status assay_judge_head(const uint8_t *head, uint64_t head_size, uint64_t file_size,
                              const assay_options *options, const assay_workspace *workspace, uint64_t keep,
                              uint32_t *end, assay_found *found, assay_error *error)
{
    assay_status status = assay_judge_frame(head, head_size, file_size, options, end, error);
    if (status != ASSAY_OK) {
        return status;
    }
    /*@ assert limits: limit_tensors(options) == \at(limit_tensors(options), Pre) &&
            limit_rank(options) == \at(limit_rank(options), Pre) &&
            limit_name(options) == \at(limit_name(options), Pre) &&
            limit_metadata(options) == \at(limit_metadata(options), Pre); */
    //@ assert entries: workspace->entries == \at(workspace->entries, Pre);
    //@ assert words: workspace->words == \at(workspace->words, Pre);
    return assay_judge_header(head, *end, options, workspace->entry, workspace->entries, workspace->word,
                              workspace->words, keep, found, error);
}

/* Is there room for the tensors and the pairs? */
/*@ requires counts: tensors < 16777215 && pairs < 16777215;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == 1 <==> tensors <= entries && words_for(tensors, pairs, keep) <= words;
*/
static bool assay_has_room(uint32_t tensors, uint32_t pairs, uint64_t keep, uint64_t entries, uint64_t words)
{
    return tensors <= entries && 7u * pairs + (keep == 1 ? pairs : 0) + 6u * tensors <= words;
}

void assay_need_set(uint32_t tensors, uint32_t pairs, uint64_t keep, uint32_t end, assay_need *need)
    /*@ ghost (const uint8_t *head) */
{
    need->head = end;
    need->tensors = tensors;
    need->pairs = pairs;
    need->entries = tensors;
    need->words = 7u * pairs + (keep == 1 ? pairs : 0) + 6u * tensors;
}

/* A file that keeps all rules: what is known of its tensors stays so. */
/*@ requires need: \valid(need) && \separated(need, entry + (0 .. tensors - 1));
    requires counts: tensors * 6 <= end && pairs * 6 <= end && 10 <= end <= ASSAY_END_MAX;
    requires header: end == 8 + header_length(head) && tensor_count(head, end, tensors) && pair_count(head, end, pairs);
    requires entries: entries_ok(entry, tensors, end) && entries_say(entry, head, end, tensors);
    requires partition: partition(entry, tensors, data_size);
    terminates \true;
    exits \false;
    assigns *need;
    ensures need: need_says(need, head, keep) && need->head == end;
    ensures counts: need->tensors == tensors && need->pairs == pairs;
    ensures entries: entries_ok(entry, tensors, end) && entries_say(entry, head, end, tensors);
    ensures partition: partition(entry, tensors, data_size);
*/
static void assay_accept(uint32_t tensors, uint32_t pairs, uint64_t keep, uint32_t end, assay_need *need)
    /*@ ghost (const uint8_t *head, const assay_entry *entry, uint64_t data_size) */
{
    assay_need_set(tensors, pairs, keep, end, need) /*@ ghost (head) */;
    //@ assert same: entries_same{Pre, Here}(entry, tensors);
    //@ assert ok: entries_ok(entry, tensors, end);
    //@ assert says: entries_say(entry, head, end, tensors);
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

assay_status assay_judge_rest(const uint8_t *head, uint64_t file_size, uint32_t end, const assay_workspace *w,
                              uint32_t tensors, uint32_t pairs, uint64_t keep, assay_need *need,
                              assay_error *error)
{
    assay_entry *entry = w->entry;
    uint32_t *word = w->word;
    uint64_t words = w->words;
    //@ ghost assay_counts_single(head, end);
    if (!assay_has_room(tensors, pairs, keep, w->entries, words)) {
        assay_need_set(tensors, pairs, keep, end, need) /*@ ghost (head) */;
        //@ assert need: need_says(need, head, keep) && need->head == end;
        return assay_error_status(error, ASSAY_WORKSPACE);
    }
    //@ assert room: !room_short(head, w->entries, words, keep);
    //@ ghost assay_verdict_single(head, file_size, end, pairs, tensors);
    assay_status status = assay_judge_whole(head, end, file_size - end, entry, tensors, word, pairs, error);
    //@ assert values: keep == 1 ==> words_same{Pre, Here}(word, words - pairs, words);
    //@ assert texts: keep == 1 ==> texts_ok(word, words - pairs, words, end);
    //@ assert say: keep == 1 ==> values_say(word, words, head, end, pairs);
    if (status != ASSAY_OK) {
        //@ assert judged: status != ASSAY_WORKSPACE;
        return status;
    }
    assay_accept(tensors, pairs, keep, end, need) /*@ ghost (head, entry, file_size - end) */;
    //@ assert need: need_says(need, head, keep) && need->head == end;
    return ASSAY_OK;
}
