/* judge.h: the stages F, H and G. A part of core.h. */
#ifndef ASSAY_JUDGE_H
#define ASSAY_JUDGE_H

/* ---- frame.c: length and sizes ------------------------------------------------------------------------- */

/* Stage F. ASSAY_OK: *end is 8 + N, and all of head[0 .. *end) is there. */
/*@ requires head: \valid_read(head + (0 .. head_size - 1));
    requires end: \valid(end);
    requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns *end, *error;
    ensures whole: \result == ASSAY_OK ==> 8 <= *end <= ASSAY_END_MAX && *end <= head_size && *end <= file_size;
    ensures kept: \result == ASSAY_OK ==> *error == \old(*error);
    ensures status: \result != ASSAY_OK ==> error->status == \result;
    ensures more: \result == ASSAY_NEED_MORE ==>
        head_size < error->expected == (head_size < 8 ? 8 : 8 + header_length(head)) <= file_size &&
        error->expected <= ASSAY_END_MAX;
    ensures exact: frame_judged(head, head_size, file_size, max_header) ==
        (\result == ASSAY_OK ? 0 : verdict_of(\result, error->offset));
    ensures length: \result == ASSAY_OK ==> *end == 8 + header_length(head);
*/
assay_status assay_frame(const uint8_t *head, uint64_t head_size, uint64_t file_size, uint64_t max_header,
                         uint32_t *end, assay_error *error);

/* ---- judge.c: the stages -------------------------------------------------------------------------------- */

#ifdef __FRAMAC__
#include "judge.acsl"
#endif

/*@ requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns error->status;
    ensures status: \result == status && error->status == status;
*/
assay_status assay_error_status(assay_error *error, assay_status status);

/* Stages F and H: keeps in the workspace what there is room for; keep: the metadata's values too. ASSAY_OK: *end is
 * where the header ends. *error is set in any case. */
/*@ requires input: judge_input(head, head_size, options);
    requires workspace: judge_workspace(workspace) && keep <= 1;
    requires output: \valid(end) && \valid(found) && \valid(error) && \separated(options, error, end);
    requires apart: \separated(end, found, error, workspace->entry + (0 .. workspace->entries - 1),
        workspace->word + (0 .. workspace->words - 1)) && \separated(workspace, error, end, found);
    terminates \true;
    exits \false;
    assigns *end, *found, *error, workspace->entry[0 .. workspace->entries - 1],
        workspace->word[0 .. workspace->words - 1];
    ensures status: error->status == \result;
    ensures usage: \old(!options_right(options)) ==> \result == ASSAY_USAGE;
    ensures exact: \old(options_right(options)) ==> \old(head_judged(head, head_size, file_size, options)) ==
        (\result == ASSAY_OK ? 0 : verdict_of(\result, error->offset));
    ensures more: \result == ASSAY_NEED_MORE && \old(options_right(options) &&
        frame_judged(head, head_size, file_size, limit_header(options)) != 0) ==>
        head_size < error->expected == (head_size < 8 ? 8 : 8 + header_length(head)) <= file_size;
    ensures passed: \result == ASSAY_OK ==> \old(options_right(options));
    ensures whole: \result == ASSAY_OK ==> 10 <= *end <= ASSAY_END_MAX && *end <= head_size && *end <= file_size &&
        *end == 8 + header_length(head);
    ensures counted: \result == ASSAY_OK ==> counted(found, *end);
    ensures counts: \result == ASSAY_OK ==> counts_say(found, head, *end);
    ensures tensors: \result == ASSAY_OK ==>
        tensors_kept(\old(workspace->entry), \old(workspace->entries), head, *end, found->tensors);
    ensures pairs: \result == ASSAY_OK ==>
        pairs_kept(\old(workspace->word), \old(workspace->words), keep, head, *end, found->pairs);
*/
assay_status assay_judge_head(const uint8_t *head, uint64_t head_size, uint64_t file_size,
                              const assay_options *options, const assay_workspace *workspace, uint64_t keep,
                              uint32_t *end, assay_found *found, assay_error *error);

/* What the file of these counts needs; keep: the metadata's values too. */
/*@ requires counts: tensors * 6 <= end && pairs * 6 <= end && 10 <= end <= ASSAY_END_MAX;
    requires header: end == 8 + header_length(head) && tensor_count(head, end, tensors) && pair_count(head, end, pairs);
    requires need: \valid(need);
    terminates \true;
    exits \false;
    assigns *need;
    ensures need: need_says(need, head, keep) && need->head == end;
    ensures counts: need->tensors == tensors && need->pairs == pairs;
*/
void assay_need_set(uint32_t tensors, uint32_t pairs, uint64_t keep, uint32_t end, assay_need *need)
    /*@ ghost (const uint8_t *head) */;

/* Behind the stages F and H: room, stage G, the need. */
/*@ requires head: head_ok(head, end) && 10 <= end <= file_size && end == 8 + header_length(head);
    requires counts: tensors * 6 <= end && pairs * 6 <= end && tensor_count(head, end, tensors) &&
        pair_count(head, end, pairs) && keep <= 1;
    requires workspace: judge_workspace(w);
    requires kept: tensors_kept(w->entry, w->entries, head, end, tensors) &&
        pairs_kept(w->word, w->words, keep, head, end, pairs);
    requires output: \valid(need) && \valid(error) && error->status == ASSAY_OK && \separated(need, error);
    requires apart: judge_apart(w, need, error);
    terminates \true;
    exits \false;
    assigns *need, w->word[0 .. w->words - 1], *error;
    ensures status: \result == ASSAY_WORKSPACE || judged_whole(\result);
    ensures error: error->status == \result;
    ensures workspace: \result == ASSAY_WORKSPACE <==> room_short(head, \old(w->entries), \old(w->words), keep);
    ensures sound: \result == ASSAY_OK ==> valid_whole(head, file_size);
    ensures exact: \result >= ASSAY_E_METADATA_KEY_TWICE ==>
        broken_whole(head, file_size, \result, error->offset) && !valid_whole(head, file_size);
    ensures need: \result == ASSAY_OK || \result == ASSAY_WORKSPACE ==>
        need_says(need, head, keep) && need->head == end;
    ensures counted: \result == ASSAY_OK ==> need->tensors == tensors && need->pairs == pairs;
    ensures same: \result != ASSAY_OK && \result != ASSAY_WORKSPACE ==>
        need_same{Pre, Post}(need) && need->head == \old(need->head);
    ensures room: \result == ASSAY_OK ==>
        tensors <= \old(w->entries) && words_for(tensors, pairs, keep) <= \old(w->words);
    ensures tables: \result == ASSAY_OK ==> tables_judged(\old(w->entry), \old(w->word), \old(w->words), keep, head,
        end, pairs, tensors, file_size - end);
    ensures partition: \result == ASSAY_OK ==> partition(\old(w->entry), need->tensors, file_size - need->head);
*/
assay_status assay_judge_rest(const uint8_t *head, uint64_t file_size, uint32_t end, const assay_workspace *w,
                              uint32_t tensors, uint32_t pairs, uint64_t keep, assay_need *need,
                              assay_error *error);

/* ---- whole.c: stage G ----------------------------------------------------------------------------------- */

/* Stage G. The words: 7 a pair (the keys, the pairs in the order of their keys, room), then 6 a tensor (in the order of
 * their names, in layout order, room). */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires counts: tensors < 16777215 && pairs < 16777215;
    requires file: end + data_size <= UINT64_MAX;
    requires entries: \valid_read(entry + (0 .. tensors - 1)) && entries_ok(entry, tensors, end) &&
        entries_say(entry, head, end, tensors);
    requires words: \valid(word + (0 .. 7 * pairs + 6 * tensors - 1));
    requires keys: texts_ok(word, 0, pairs, end) && keys_say(word, head, end, pairs);
    requires error: \valid(error) && error->status == ASSAY_OK && \separated(error, entry + (0 .. tensors - 1));
    terminates \true;
    exits \false;
    assigns word[pairs .. 7 * pairs + 6 * tensors - 1], *error;
    ensures status: judged_whole(\result);
    ensures error: error->status == \result;
    ensures sound: \result == ASSAY_OK ==> whole(head, end, pairs, tensors, data_size);
    ensures exact: \result >= ASSAY_E_METADATA_KEY_TWICE ==>
        whole_broken(head, end, pairs, tensors, data_size, \result, error->offset);
    ensures words: \result == ASSAY_OK ==> words_judged(word, pairs, tensors, end);
    ensures say: \result == ASSAY_OK ==> words_say(word, pairs, tensors, head, end);
    ensures partition: \result == ASSAY_OK ==> partition(entry, tensors, data_size);
    ensures entries: \result == ASSAY_OK ==>
        entries_ok(entry, tensors, end) && entries_say(entry, head, end, tensors);
*/
assay_status assay_judge_whole(const uint8_t *head, uint32_t end, uint64_t data_size, const assay_entry *entry,
                               uint32_t tensors, uint32_t *word, uint32_t pairs, assay_error *error);

#endif
