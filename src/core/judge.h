/* judge.h: the stages F, H and G. A part of core.h. */
#ifndef ASSAY_JUDGE_H
#define ASSAY_JUDGE_H

/* ---- frame.c: length and sizes ------------------------------------------------------------------------- */

/* Stage F. ASSAY_OK: *end is 8 + N, and all of head[0 .. *end) is there. */
/*@ requires head: \valid_read(in.head + (0 .. in.head_size - 1));
    requires end: \valid(end);
    requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns *end, error->status, error->offset, error->expected, error->found;
    ensures whole: \result == ASSAY_OK ==> 8 <= *end <= ASSAY_END_MAX && *end <= in.head_size && *end <= in.file_size;
    ensures kept: \result == ASSAY_OK ==> *error == \old(*error);
    ensures status: \result != ASSAY_OK ==> error->status == \result;
    ensures more: \result == ASSAY_NEED_MORE ==>
        in.head_size < error->expected == (in.head_size < 8 ? 8 : 8 + header_length(in.head)) <= in.file_size &&
        error->expected <= ASSAY_END_MAX;
    ensures exact: frame_judged(in.head, in.head_size, in.file_size, max_header) ==
        (\result == ASSAY_OK ? 0 : verdict_of(\result, error->offset));
    ensures length: \result == ASSAY_OK ==> *end == 8 + header_length(in.head);
*/
static assay_status assay_frame(assay_input in, uint64_t max_header, uint32_t *end, assay_error *error);

#ifdef __FRAMAC__
#include "judge.acsl"
#endif

/* ---- error.c ---------------------------------------------------------------------------------------------- */

/* Clear an error: no field is set, and the status is ASSAY_OK. */
/*@ requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns *error;
    ensures status: error->status == ASSAY_OK;
    ensures right: has_right(error) && error_texts(error, 0);
*/
static void assay_error_none(assay_error *error);

/* Set the status of an error, and which of its fields are set; return the status. */
/*@ requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns error->status, error->has;
    ensures status: \result == status && error->status == status && has_right(error);
*/
static assay_status assay_error_status(assay_error *error, assay_status status);

/* Set which fields of an error are set. Its other fields are complete. */
/*@ requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns error->has;
    ensures has: has_right(error);
*/
static void assay_error_has(assay_error *error);

/* ---- judge.c: the stages -------------------------------------------------------------------------------- */

/* Judge stages F and H; keep in the workspace what there is room for. keep: the metadata's values too. Return what the
 * header has; the end is 0 if the stages are not passed. *error is set in any case. */
/*@ requires input: \valid_read(in.head + (0 .. in.head_size - 1)) && (options == \null || \valid_read(options));
    requires workspace: judge_workspace(w) && keep <= 1;
    requires output: \valid(error) && \separated(options, error);
    requires apart: \separated(error, w, w->entry + (0 .. w->entries - 1), w->word + (0 .. w->words - 1));
    terminates \true;
    exits \false;
    assigns *error, w->entry[0 .. w->entries - 1], w->word[0 .. w->words - 1];
    ensures passed: (\result.end != 0 <==> error->status == ASSAY_OK) && error->status < 4294967296;
    ensures error: error_right(error, \result.end != 0 ? \result.end : in.head_size);
    ensures usage: \old(!options_right(options)) ==> error->status == ASSAY_USAGE;
    ensures exact: \old(options_right(options)) ==>
        \old(head_judged(in.head, in.head_size, in.file_size, options)) ==
        (\result.end != 0 ? 0 : verdict_of(error->status, error->offset));
    ensures more: error->status == ASSAY_NEED_MORE && \old(options_right(options) &&
        frame_judged(in.head, in.head_size, in.file_size, limit_header(options)) != 0) ==>
        in.head_size < error->expected == (in.head_size < 8 ? 8 : 8 + header_length(in.head)) <= in.file_size;
    ensures right: \result.end != 0 ==> \old(options_right(options));
    ensures whole: \result.end != 0 ==> \result.end <= in.head_size && \result.end <= in.file_size;
    ensures counted: \result.end != 0 ==> counts_right(\result, in.head);
    ensures tensors: \result.end != 0 ==>
        tensors_kept(\old(w->entry), \old(w->entries), in.head, \result.end, \result.tensors);
    ensures pairs: \result.end != 0 ==>
        pairs_kept(\old(w->word), \old(w->words), keep, in.head, \result.end, \result.pairs);
*/
static assay_counts assay_judge_head(assay_input in, const assay_options *options, const assay_workspace *w,
                                     uint64_t keep, assay_error *error);

/* Set what the file of these counts needs; keep: the metadata's values too. */
/*@ requires counts: counts_right(counts, head);
    requires need: \valid(need);
    terminates \true;
    exits \false;
    assigns *need;
    ensures need: need_says(need, head, keep) && need->head == counts.end;
    ensures counts: need->tensors == counts.tensors && need->pairs == counts.pairs;
*/
static void assay_need_set(assay_counts counts, uint64_t keep, assay_need *need)
    /*@ ghost (const uint8_t *head) */;

/* Judge what comes after the stages F and H: is there room, stage G, the need. */
/*@ requires head: head_ok(in.head, counts.end) && counts_right(counts, in.head) && counts.end <= in.file_size;
    requires workspace: judge_workspace(w) && keep <= 1;
    requires kept: tensors_kept(w->entry, w->entries, in.head, counts.end, counts.tensors) &&
        pairs_kept(w->word, w->words, keep, in.head, counts.end, counts.pairs);
    requires output: \valid(need) && \valid(error) && error->status == ASSAY_OK && \separated(need, error) &&
        error_right(error, counts.end);
    requires apart: \separated(need, w, w->entry + (0 .. w->entries - 1), w->word + (0 .. w->words - 1)) &&
        \separated(error, w, w->entry + (0 .. w->entries - 1), w->word + (0 .. w->words - 1));
    terminates \true;
    exits \false;
    assigns *need, w->word[0 .. w->words - 1], *error;
    ensures status: \result == ASSAY_WORKSPACE || judged_whole(\result);
    ensures error: error->status == \result;
    ensures right: error_right(error, counts.end);
    ensures workspace: \result == ASSAY_WORKSPACE <==> room_short(in.head, \old(w->entries), \old(w->words), keep);
    ensures sound: \result == ASSAY_OK ==> valid_whole(in.head, in.file_size);
    ensures exact: \result >= ASSAY_E_METADATA_KEY_TWICE ==>
        broken_whole(in.head, in.file_size, \result, error->offset) && !valid_whole(in.head, in.file_size);
    ensures need: \result == ASSAY_OK || \result == ASSAY_WORKSPACE ==>
        need_says(need, in.head, keep) && need->head == counts.end;
    ensures counted: \result == ASSAY_OK ==> need->tensors == counts.tensors && need->pairs == counts.pairs;
    ensures same: \result != ASSAY_OK && \result != ASSAY_WORKSPACE ==>
        need_same{Pre, Post}(need) && need->head == \old(need->head);
    ensures room: \result == ASSAY_OK ==>
        counts.tensors <= \old(w->entries) && words_for(counts.tensors, counts.pairs, keep) <= \old(w->words);
    ensures tables: \result == ASSAY_OK ==> tables_judged(\old(w->entry), \old(w->word), \old(w->words), keep, in.head,
        counts.end, counts.pairs, counts.tensors, in.file_size - counts.end);
    ensures partition: \result == ASSAY_OK ==>
        partition(\old(w->entry), need->tensors, in.file_size - need->head);
*/
static assay_status assay_judge_rest(assay_input in, assay_counts counts, const assay_workspace *w, uint64_t keep,
                                     assay_need *need, assay_error *error);

/* ---- whole.c: stage G ----------------------------------------------------------------------------------- */

/* Stage G. The words: 7 a pair (the keys, the pairs in the order of their keys, room), then 6 a tensor (in the order of
 * their names, in layout order, room). */
/*@ requires head: head_ok(head, counts.end) && 8 <= counts.end;
    requires counts: counts.tensors < 16777215 && counts.pairs < 16777215;
    requires file: counts.end + data_size <= UINT64_MAX;
    requires entries: \valid_read(entry + (0 .. counts.tensors - 1)) && entries_ok(entry, counts.tensors, counts.end) &&
        entries_say(entry, head, counts.end, counts.tensors);
    requires words: \valid(word + (0 .. 7 * counts.pairs + 6 * counts.tensors - 1));
    requires keys: texts_ok(word, 0, counts.pairs, counts.end) && keys_say(word, head, counts.end, counts.pairs);
    requires error: \valid(error) && error->status == ASSAY_OK && \separated(error, entry + (0 .. counts.tensors - 1));
    terminates \true;
    exits \false;
    assigns word[counts.pairs .. 7 * counts.pairs + 6 * counts.tensors - 1], *error;
    ensures status: judged_whole(\result);
    ensures error: error->status == \result;
    ensures pair: \result == ASSAY_E_METADATA_KEY_TWICE ==> error->other < counts.pairs;
    ensures sound: \result == ASSAY_OK ==> whole(head, counts.end, counts.pairs, counts.tensors, data_size);
    ensures exact: \result >= ASSAY_E_METADATA_KEY_TWICE ==>
        whole_broken(head, counts.end, counts.pairs, counts.tensors, data_size, \result, error->offset);
    ensures words: \result == ASSAY_OK ==> words_judged(word, counts.pairs, counts.tensors, counts.end);
    ensures say: \result == ASSAY_OK ==> words_say(word, counts.pairs, counts.tensors, head, counts.end);
    ensures partition: \result == ASSAY_OK ==> partition(entry, counts.tensors, data_size);
    ensures entries: \result == ASSAY_OK ==>
        entries_ok(entry, counts.tensors, counts.end) && entries_say(entry, head, counts.end, counts.tensors);
*/
static assay_status assay_judge_whole(const uint8_t *head, assay_counts counts, uint64_t data_size,
                                      const assay_entry *entry, uint32_t *word, assay_error *error);

#endif
