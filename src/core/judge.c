/* judge.c: the stages F, H and G over memory that the caller provides, and the public functions that judge.
 * Rules G1 metadata_key_twice, G2 name_twice; the statuses usage, need_more and workspace. */
#include "core.h"

/* Unfolds: packed_end, tensor_name_end. */

void assay_bound(uint64_t header_length, assay_need *need)
{
    uint64_t length = header_length < ASSAY_HEADER_MAX ? header_length : ASSAY_HEADER_MAX;
    need->head = 8u + length;
    need->tensors = length / 32u; /* the shortest tensor takes 50 bytes with its comma, */
    need->pairs = length / 4u;    /* the shortest pair 6: 8 words each are less than 4/3 a byte */
    need->entries = length / 32u;
    need->words = length + (uint32_t)length / 3u;
}

/* ---- Stages F and H ------------------------------------------------------------------------------------- */

/* Judge stage H. Return what the header has; the end is 0 if a rule is broken or a limit exceeded. */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires workspace: judge_workspace(w);
    requires output: \valid(error) && error_clear(error);
    requires apart: \separated(error, w, w->entry + (0 .. w->entries - 1), w->word + (0 .. w->words - 1));
    terminates \true;
    exits \false;
    assigns w->entry[0 .. w->entries - 1], w->word[0 .. w->words - 1], *error, assay_work;
    ensures passed: \result.end == (error->status == ASSAY_OK ? end : 0) && error->status < 4294967296;
    ensures clear: \result.end != 0 ==> error_clear(error);
    ensures exact: \let step = \old(header_end(head, end, limits.max_tensors, limits.max_rank, limits.max_name,
                                               limits.max_metadata));
        (step > end ? verdict_of(step / 4294967296, step % 4294967296) : 0) ==
        (\result.end != 0 ? 0 : verdict_of(error->status, error->offset));
    ensures right: error_right(error, end);
    ensures named: error_named(error, head, end);
    ensures alone: error->other == UINT64_MAX;
    ensures fields: \let said = \old(header_fields(head, end, limits.max_tensors, limits.max_rank, limits.max_name,
                                                  limits.max_metadata));
        \result.end == 0 ==> error_of_header(error, said);
    ensures counts: \result.end != 0 && end == 8 + header_length(head) ==> counts_right(\result, head);
    ensures tensors: \result.end != 0 ==>
        tensors_kept(\old(w->entry), \old(w->entries), head, end, \result.tensors);
    ensures pairs: \result.end != 0 ==> pairs_kept(\old(w->word), \old(w->words), head, end, \result.pairs);
    ensures cost: assay_work <= \old(assay_work) + 20 * (end - 8) + 64;
*/
static assay_counts assay_judge_header(const uint8_t *head, uint32_t end, assay_options limits,
                                       const assay_workspace *w, assay_error *error)
{
    assay_plan plan = {w->entry,           w->entries,      w->word,         w->words,
                       limits.max_tensors, limits.max_rank, limits.max_name, limits.max_metadata};
    assay_found found;
    assay_step step = assay_scan(head, end, plan, &found);
    //@ assert status: error->status == ASSAY_OK && error->offset == UINT64_MAX;
    //@ assert has: error->has == \at(error->has, Pre);
    //@ assert who: error->tensor == UINT64_MAX && error->other == UINT64_MAX;
    //@ assert what: error->expected == UINT64_MAX && error->found == UINT64_MAX;
    //@ assert name_same: error->name.at == 0 && error->name.end == 0;
    //@ assert other: error->other_name.at == 0 && error->other_name.end == 0;
    //@ assert name: found_named(&found, head, end);
    if (step < ASSAY_STOPPED) {
        //@ assert unnamed: error_named(error, head, end);
        assay_counts counts = {end, (uint32_t)found.tensors, (uint32_t)found.pairs, (uint32_t)found.metadata};
        return counts;
    }
    //@ assert stopped: step > end && 1 <= step / ASSAY_STOPPED;
    assay_counts none = {0, 0, 0, 0};
    error->tensor = found.tensor;
    error->name.at = found.name;
    error->name.end = found.name_end;
    //@ assert texts: error_texts(error, end);
    //@ assert who_now: error->tensor == found.tensor;
    //@ assert named: tensor_text(head, end, error->tensor, error->name.at, error->name.end);
    /*@ ghost uint64_t tensor = found.tensor;
              uint64_t expected = found.draft.expected;
              uint64_t what = found.draft.found; */
    /*@ assert said: error_fields(tensor, fields(expected, what)) == \at(header_fields(head, end, limits.max_tensors,
            limits.max_rank, limits.max_name, limits.max_metadata), Pre); */
    assay_error_set(error, (assay_status)(step / ASSAY_STOPPED), step % ASSAY_STOPPED, found.draft.expected,
                    found.draft.found);
    //@ assert still: error->tensor == tensor;
    //@ assert required: error->expected == expected;
    //@ assert given: error->found == what;
    //@ assert still_named: tensor_text(head, end, error->tensor, error->name.at, error->name.end);
    //@ assert no_other: error->other_name.at == 0 && error->other_name.end == 0;
    //@ assert now_named: error_named(error, head, end);
    return none;
}

/* Judge the stages F and H; keep in the workspace what there is room for. Return what the header has; the end is 0 if
 * the stages are not passed. *error is set in any case. */
/*@ requires input: \valid_read(in.head + (0 .. in.head_size - 1)) && (options == \null || \valid_read(options));
    requires workspace: judge_workspace(w);
    requires output: \valid(error) && \separated(options, error);
    requires apart: \separated(error, w, w->entry + (0 .. w->entries - 1), w->word + (0 .. w->words - 1));
    terminates \true;
    exits \false;
    assigns *error, w->entry[0 .. w->entries - 1], w->word[0 .. w->words - 1], assay_work;
    ensures passed: (\result.end != 0 <==> error->status == ASSAY_OK) && error->status < 4294967296;
    ensures clear: \result.end != 0 ==> error_clear(error);
    ensures error: error_right(error, \result.end != 0 ? \result.end : in.head_size);
    ensures named: \forall uint8_t *head; head == in.head ==> error_named(error, head, 8 + header_length(head));
    ensures alone: error->other == UINT64_MAX;
    ensures usage: \old(!options_right(options)) ==> error->status == ASSAY_USAGE && error_empty(error);
    ensures exact: \old(options_right(options)) ==>
        \old(head_judged(in.head, in.head_size, in.file_size, options)) ==
        (\result.end != 0 ? 0 : verdict_of(error->status, error->offset));
    ensures frame: \old(options_right(options)) && \old(frame_judged(in.head, in.head_size, in.file_size,
        limit_header(options))) != 0 ==>
        error_of_frame(error, in.head, in.head_size, in.file_size, \old(limit_header(options)));
    ensures header: \old(options_right(options)) && \old(frame_judged(in.head, in.head_size, in.file_size,
        limit_header(options))) == 0 && \result.end == 0 ==>
        error_of_header(error, \old(options_fields(in.head, options)));
    ensures more: error->status == ASSAY_NEED_MORE && \old(options_right(options)) && \old(frame_judged(in.head,
        in.head_size, in.file_size, limit_header(options))) != 0 ==>
        in.head_size < error->expected == (in.head_size < 8 ? 8 : 8 + header_length(in.head)) <= in.file_size;
    ensures right: \result.end != 0 ==> \old(options_right(options));
    ensures whole: \result.end != 0 ==> \result.end <= in.head_size && \result.end <= in.file_size;
    ensures counted: \result.end != 0 ==> counts_right(\result, in.head);
    ensures tensors: \result.end != 0 ==>
        tensors_kept(\old(w->entry), \old(w->entries), in.head, \result.end, \result.tensors);
    ensures pairs: \result.end != 0 ==>
        pairs_kept(\old(w->word), \old(w->words), in.head, \result.end, \result.pairs);
    ensures cost: assay_work <= \old(assay_work) + 20 * \min(in.head_size, ASSAY_END_MAX);
*/
static assay_counts assay_judge_head(assay_input in, const assay_options *options, const assay_workspace *w,
                                     assay_error *error)
{
    assay_options limits = ASSAY_OPTIONS;
    assay_counts counts = {0, 0, 0, 0};
    uint32_t end = 0;
    if (options != NULL) {
        limits = *options;
    }
    /*@ assert limits: limits.max_header == limit_header(options) && limits.max_tensors == limit_tensors(options) &&
            limits.max_rank == limit_rank(options) && limits.max_name == limit_name(options) &&
            limits.max_metadata == limit_metadata(options); */
    bool right = limits.api == ASSAY_API && limits.relax == 0;
    //@ assert right: right == 1 <==> options_right(options);
    if (assay_frame(in, right, limits.max_header, &end, error) == ASSAY_OK) {
        //@ assert workspace: workspace_same{Pre, Here}(w);
        counts = assay_judge_header(in.head, end, limits, w, error);
    }
    return counts;
}

/* ---- Stage G -------------------------------------------------------------------------------------------- */

/* G1 or G2: judge that no two of n texts are equal. word[0 .. n) becomes their indices in order, the other words are
 * lost. */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires count: n < 16777215;
    requires list: list == (texts.entry == \null ? 0 : 1);
    requires texts: texts_inside(texts, n, end) && texts_listed(head, end, list, texts, n);
    requires quote: \forall integer k; 0 <= k < n ==> 1 <= listed_at(head, end, list, k);
    requires word: \valid(word + (0 .. 6 * n - 1));
    requires keys: texts.entry == \null ==> \separated(texts.key + (0 .. n - 1), word + (0 .. 6 * n - 1));
    requires error: \valid(error) && error_clear(error);
    terminates \true;
    exits \false;
    assigns word[0 .. 6 * n - 1], error->status, error->offset, error->tensor, error->other, error->found,
        assay_work, assay_passes;
    ensures status: \result == ASSAY_OK || \result == (list == 0 ? ASSAY_E_METADATA_KEY_TWICE : ASSAY_E_NAME_TWICE);
    ensures error: error->status == \result;
    ensures clear: \result == ASSAY_OK ==> error_clear(error);
    ensures keys: \result == ASSAY_OK && list == 0 ==> keys_differ(head, end, n);
    ensures names: \result == ASSAY_OK && list == 1 ==> names_differ(head, end, n);
    ensures pair: \result == ASSAY_E_METADATA_KEY_TWICE ==> error->other < n && error->tensor == UINT64_MAX;
    ensures tensor: \result == ASSAY_E_NAME_TWICE ==> error->other < n && error->tensor < n;
    ensures key_twice: \result == ASSAY_E_METADATA_KEY_TWICE ==> \forall integer tensors;
        judged_names(head, end, n, tensors, E_METADATA_KEY_TWICE, error->offset);
    ensures name_twice: \result == ASSAY_E_NAME_TWICE ==> \forall integer pairs; keys_differ(head, end, pairs) ==>
        judged_names(head, end, pairs, n, E_NAME_TWICE, error->offset);
    ensures fields: \forall integer tensors, size; \result != ASSAY_OK ==> stage_fields(head, end, tensors, size,
        \result, error->offset, error->tensor, error->other, error->expected, error->found);
    ensures order: names_order(head, end, list, word, n);
*/
static assay_status assay_judge_texts(const uint8_t *head, uint32_t end, assay_texts texts, uint32_t *word, uint32_t n,
                                      assay_error *error)
    /*@ ghost (uint32_t list) */
{
    assay_repeat repeat = assay_names_sort(head, end, texts, word, n) /*@ ghost (list) */;
    //@ ghost assay_list_judged(head, end, repeat.later);
    if (repeat.later == n) {
        return ASSAY_OK;
    }
    //@ ghost assay_list_texts(head, end);
    //@ ghost assay_list_repeats(head, end, list, n, repeat.earlier, repeat.later);
    uint32_t at = assay_text_at(texts, repeat.later) /*@ ghost (n, end) */;
    //@ assert at: at == listed_at(head, end, list, repeat.later) >= 1;
    error->offset = at - 1u;
    error->other = repeat.earlier;
    if (texts.entry == NULL) {
        error->status = ASSAY_E_METADATA_KEY_TWICE;
        error->found = repeat.later;
        /*@ assert key_fields: \forall integer tensors, size; stage_fields(head, end, tensors, size, error->status,
                error->offset, error->tensor, error->other, error->expected, error->found); */
    } else {
        error->status = ASSAY_E_NAME_TWICE;
        error->tensor = repeat.later;
        /*@ assert name_fields: \forall integer tensors, size; stage_fields(head, end, tensors, size, error->status,
                error->offset, error->tensor, error->other, error->expected, error->found); */
    }
    return (assay_status)error->status;
}

/* G3 to G6. order[0 .. n) becomes the layout order; the 4n words after it are lost. Tensors that are linked in the
 * header and end where the data ends keep the rules. */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires count: n < 16777215;
    requires file: end + data_size <= UINT64_MAX;
    requires entries: \valid_read(entry + (0 .. n - 1)) && entries_ok(entry, n, end) &&
        entries_say(entry, head, end, n);
    requires order: \valid(order + (0 .. 5 * n - 1));
    requires error: \valid(error) && error_clear(error) && \separated(error, entry + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns order[0 .. 5 * n - 1], *error, assay_work;
    ensures status: \result == ASSAY_OK || ASSAY_E_TRUNCATED <= \result <= ASSAY_E_EMPTY_INSIDE;
    ensures error: error->status == \result;
    ensures clear: \result == ASSAY_OK ==> error_clear(error);
    ensures among: \result != ASSAY_OK ==> error_among(error, n, 0);
    ensures judged: \result != ASSAY_OK ==> judged_data(head, end, n, data_size, \result, error->offset);
    ensures fields: \result != ASSAY_OK ==> stage_fields(head, end, n, data_size, \result, error->offset,
        error->tensor, error->other, error->expected, error->found);
    ensures data: \result == ASSAY_OK ==> data_there(head, end, n, data_size) &&
        sound_below(head, end, n, data_size) && \forall integer p; !empty_inside(head, end, n, p);
    ensures order: words_below(order, n, n) && order_says(order, head, end, n);
*/
static assay_status assay_judge_data(uint32_t end, uint64_t data_size, const assay_entry *entry, uint32_t n,
                                     uint32_t *order, assay_error *error)
    /*@ ghost (const uint8_t *head) */
{
    //@ assert ok: \forall integer i; 0 <= i < n ==> entry_ok(entry + i, end);
    //@ assert intervals: intervals(entry, n);
    uint64_t reach = assay_order_linked(entry, n, order);
    //@ ghost assay_data_judged(head, end, entry, n, data_size);
    if (reach == data_size) {
        //@ ghost assay_order_judged(head, end, entry, n, order);
        //@ ghost assay_layout_partition(entry, order, n, data_size);
        //@ ghost assay_data_judged(head, end, entry, n, data_size);
        //@ assert clear: error_clear(error);
        return ASSAY_OK;
    }
    if (reach == ASSAY_NONE) {
        assay_order(entry, n, order, order + n);
    }
    //@ ghost assay_order_judged(head, end, entry, n, order);
    //@ ghost assay_data_fields(head, end, entry, n, data_size);
    //@ ghost Ready: ;
    assay_status status = assay_layout(entry, order, n, end, data_size, error);
    //@ assert unset: status == ASSAY_OK ==> error_clear(error);
    //@ assert same: entries_same{Ready, Here}(entry, n);
    /*@ assert each: \forall integer i; 0 <= i < n && entry_says{Pre}(entry + i, head, end, i) ==>
            entry_says(entry + i, head, end, i); */
    //@ ghost assay_data_judged(head, end, entry, n, data_size);
    return status;
}

/* Stage G. The words: 7 a pair (the keys, the pairs in the order of their keys, room), then 6 a tensor (in the order of
 * their names, in layout order, room). */
/*@ requires head: head_ok(head, counts.end) && 8 <= counts.end;
    requires counts: counts.tensors < 16777215 && counts.pairs < 16777215;
    requires file: counts.end + data_size <= UINT64_MAX;
    requires entries: \valid_read(entry + (0 .. counts.tensors - 1)) && entry != \null &&
        entries_ok(entry, counts.tensors, counts.end) && entries_say(entry, head, counts.end, counts.tensors);
    requires words: \valid(word + (0 .. 7 * counts.pairs + 6 * counts.tensors - 1));
    requires keys: texts_ok(word, 0, counts.pairs, counts.end) && keys_say(word, head, counts.end, counts.pairs);
    requires error: \valid(error) && error_clear(error) && \separated(error, entry + (0 .. counts.tensors - 1));
    terminates \true;
    exits \false;
    assigns word[counts.pairs .. 7 * counts.pairs + 6 * counts.tensors - 1], *error, assay_work, assay_passes;
    ensures status: judged_whole(\result);
    ensures error: error->status == \result;
    ensures clear: \result == ASSAY_OK ==> error_clear(error);
    ensures among: \result != ASSAY_OK ==> error_among(error, counts.tensors, counts.pairs);
    ensures sound: \result == ASSAY_OK ==> whole(head, counts.end, counts.pairs, counts.tensors, data_size);
    ensures broken: \result != ASSAY_OK ==>
        whole_broken(head, counts.end, counts.pairs, counts.tensors, data_size, \result, error->offset);
    ensures fields: \result != ASSAY_OK ==> stage_fields(head, counts.end, counts.tensors, data_size, \result,
        error->offset, error->tensor, error->other, error->expected, error->found);
    ensures words: \result == ASSAY_OK ==> words_judged(word, counts.pairs, counts.tensors, counts.end);
    ensures say: \result == ASSAY_OK ==> words_say(word, counts.pairs, counts.tensors, head, counts.end);
*/
static assay_status assay_judge_whole(const uint8_t *head, assay_counts counts, uint64_t data_size,
                                      const assay_entry *entry, uint32_t *word, assay_error *error)
{
    uint32_t end = counts.end, pairs = counts.pairs, tensors = counts.tensors;
    uint32_t *by_name = word + 7u * pairs;
    assay_texts keys = {NULL, word}, names = {entry, NULL};
    //@ ghost assay_list_texts(head, end);
    //@ assert keys: texts_inside(keys, pairs, end) && texts_listed(head, end, 0, keys, pairs);
    /*@ assert name: \forall integer k; 0 <= k < tensors && entry_ok(entry + k, end) &&
            entry_says(entry + k, head, end, k) ==> entry[k].name % 4294967296 == listed_at(head, end, 1, k) <= end; */
    /*@ assert named: \forall integer k; 0 <= k < tensors ==>
            9 <= entry[k].name % 4294967296 == listed_at(head, end, 1, k) <= end; */
    assay_status status = assay_judge_texts(head, end, keys, word + pairs, pairs, error) /*@ ghost (0) */;
    if (status != ASSAY_OK) {
        //@ assert broken: whole_broken(head, end, pairs, tensors, data_size, status, error->offset);
        /*@ assert fields: stage_fields(head, end, tensors, data_size, status, error->offset, error->tensor,
                error->other, error->expected, error->found); */
        return status;
    }
    //@ ghost Keyed: ;
    //@ assert differ: keys_differ(head, end, pairs);
    //@ assert same: entries_same{Pre, Here}(entry, tensors);
    /*@ assert each: \forall integer i; 0 <= i < tensors && entry_ok{Pre}(entry + i, end) &&
            entry_says{Pre}(entry + i, head, end, i) ==>
            entry_ok(entry + i, end) && entry_says(entry + i, head, end, i); */
    //@ assert ok: entries_ok(entry, tensors, end);
    //@ assert says: entries_say(entry, head, end, tensors);
    //@ assert inside: texts_inside(names, tensors, end);
    //@ assert listed: texts_listed(head, end, 1, names, tensors);
    status = assay_judge_texts(head, end, names, by_name, tensors, error) /*@ ghost (1) */;
    if (status != ASSAY_OK) {
        //@ assert broken_name: whole_broken(head, end, pairs, tensors, data_size, status, error->offset);
        /*@ assert fields_name: stage_fields(head, end, tensors, data_size, status, error->offset, error->tensor,
                error->other, error->expected, error->found); */
        return status;
    }
    //@ assert differ_names: names_differ(head, end, tensors);
    //@ ghost Named: ;
    //@ assert same_named: entries_same{Keyed, Here}(entry, tensors);
    /*@ assert each_named: \forall integer i; 0 <= i < tensors && entry_ok{Keyed}(entry + i, end) &&
            entry_says{Keyed}(entry + i, head, end, i) ==>
            entry_ok(entry + i, end) && entry_says(entry + i, head, end, i); */
    //@ assert ok_named: entries_ok(entry, tensors, end);
    //@ assert says_named: entries_say(entry, head, end, tensors);
    status = assay_judge_data(end, data_size, entry, tensors, by_name + tensors, error) /*@ ghost (head) */;
    /*@ assert broken_data: status != ASSAY_OK ==>
            whole_broken(head, end, pairs, tensors, data_size, status, error->offset); */
    /*@ assert fields_data: status != ASSAY_OK ==> stage_fields(head, end, tensors, data_size, status, error->offset,
            error->tensor, error->other, error->expected, error->found); */
    //@ assert key_words: words_same{Pre, Here}(word, 0, pairs);
    //@ assert key_order: words_same{Keyed, Here}(word + pairs, 0, pairs);
    /*@ assert key_among: \forall integer v; among{Keyed}(word + pairs, 0, pairs, v) ==>
            among(word + pairs, 0, pairs, v); */
    //@ assert order: names_order(head, end, 0, word + pairs, pairs);
    //@ assert name_order: words_same{Named, Here}(by_name, 0, tensors);
    /*@ assert name_among: \forall integer v; among{Named}(by_name, 0, tensors, v) ==>
            among(by_name, 0, tensors, v); */
    //@ assert by_name: names_order(head, end, 1, by_name, tensors);
    return status;
}

/* Return the text that begins at `at`, after its opening quote. */
/*@ requires head: head_ok(head, end) && at <= end;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures inside: \result.at == at && at <= \result.end <= end;
    ensures exact: \result.end == text_end(head, at, end);
    ensures closed: string_end(head, at, end) <= end ==> \result.end == string_end(head, at, end);
*/
static assay_text assay_text_from(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_text text = {at, assay_text_end(head, at, end)};
    return text;
}

/* Set the texts of an error of stage G: the tensor's name, and the other tensor's or the metadata key. */
/*@ requires head: head_ok(head, counts.end) && counts_right(counts, head) && counts.end <= file_size;
    requires entries: \valid_read(entry + (0 .. counts.tensors - 1)) && entries_ok(entry, counts.tensors, counts.end) &&
        entries_say(entry, head, counts.end, counts.tensors);
    requires keys: \valid_read(key + (0 .. counts.pairs - 1)) && keys_inside(key, counts.pairs, counts.end) &&
        keys_say(key, head, counts.end, counts.pairs);
    requires error: \valid(error) && \separated(error, entry + (0 .. counts.tensors - 1)) &&
        E_METADATA_KEY_TWICE <= error->status <= E_EMPTY_INSIDE;
    requires broken: whole_broken(head, counts.end, counts.pairs, counts.tensors, file_size - counts.end,
        error->status, error->offset);
    requires fields: stage_fields(head, counts.end, counts.tensors, file_size - counts.end, error->status,
        error->offset, error->tensor, error->other, error->expected, error->found);
    requires among: error_among(error, counts.tensors, counts.pairs);
    requires need: \valid_read(need) && \separated(need, error);
    terminates \true;
    exits \false;
    assigns error->has, error->name.at, error->name.end, error->other_name.at, error->other_name.end, assay_work;
    ensures has: has_right(error);
    ensures texts: error_texts(error, counts.end);
    ensures named: error_named(error, head, counts.end);
    ensures status: error->status == \old(error->status);
    ensures exact: broken_whole(head, file_size, error->status, error->offset) && !valid_whole(head, file_size);
    ensures fields: error_of_whole(error, head, file_size);
    ensures need_head: need->head == \old(need->head);
    ensures need_tensors: need->tensors == \old(need->tensors);
    ensures need_pairs: need->pairs == \old(need->pairs);
    ensures need_entries: need->entries == \old(need->entries);
    ensures need_words: need->words == \old(need->words);
*/
static void assay_error_texts(const uint8_t *head, assay_counts counts, const assay_entry *entry, const uint32_t *key,
                              assay_error *error)
    /*@ ghost (uint64_t file_size, const assay_need *need) */
{
    //@ ghost assay_verdict_single(head, file_size, counts.end, counts.pairs, counts.tensors);
    //@ ghost assay_fields_judged(head, file_size, counts.end, counts.tensors, error);
    //@ assert broken: broken_whole(head, file_size, error->status, error->offset) && !valid_whole(head, file_size);
    uint64_t tensor = error->tensor, other = error->other;
    assay_text name = {0, 0}, text = {0, 0};
    if (tensor < counts.tensors) {
        //@ assert entry: entry_ok(entry + tensor, counts.end) && entry_says(entry + tensor, head, counts.end, tensor);
        name = assay_text_from(head, (uint32_t)(entry[tensor].name % ASSAY_ENTRY_HIGH), counts.end);
    }
    if (error->status == ASSAY_E_METADATA_KEY_TWICE) {
        text = assay_text_from(head, key[other], counts.end);
    } else if (other < counts.tensors) {
        //@ assert other: entry_ok(entry + other, counts.end) && entry_says(entry + other, head, counts.end, other);
        text = assay_text_from(head, (uint32_t)(entry[other].name % ASSAY_ENTRY_HIGH), counts.end);
    }
    //@ assert name: tensor_text(head, counts.end, tensor, name.at, name.end);
    //@ assert other_name: other_text(head, counts.end, error->status, other, text.at, text.end);
    error->name.at = name.at;
    error->name.end = name.end;
    error->other_name.at = text.at;
    error->other_name.end = text.end;
    assay_error_has(error);
    //@ assert status: error->status == \at(error->status, Pre) && error->offset == \at(error->offset, Pre);
    //@ assert tensors: error->tensor == \at(error->tensor, Pre) && error->other == \at(error->other, Pre);
    //@ assert numbers: error->expected == \at(error->expected, Pre) && error->found == \at(error->found, Pre);
    //@ assert texts: error->name == name && error->other_name == text;
}

/* ---- The public functions -------------------------------------------------------------------------------- */

/* Return how many words the tables take; keep: 1, the metadata's values too. */
/*@ requires counts: counts.tensors < 16777215 && counts.pairs < 16777215;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == words_for(counts.tensors, counts.pairs, keep);
*/
static uint32_t assay_words_for(assay_counts counts, uint64_t keep)
{
    return (keep == 1 ? 8u : 7u) * counts.pairs + 6u * counts.tensors;
}

/* Set what the file of these counts needs. */
/*@ requires need: \valid(need) && \separated(need, error, entry + (0 .. n - 1));
    requires error: \valid_read(error) && error_clear(error);
    terminates \true;
    exits \false;
    assigns *need;
    ensures need: need->head == counts.end && need->tensors == counts.tensors && need->pairs == counts.pairs &&
        need->entries == counts.tensors && need->words == words;
    ensures clear: error_clear(error);
    ensures same: entries_same{Pre, Post}(entry, n);
*/
static void assay_need_set(assay_counts counts, uint32_t words, assay_need *need)
    /*@ ghost (const assay_error *error, const assay_entry *entry, uint32_t n) */
{
    need->head = counts.end;
    need->tensors = counts.tensors;
    need->pairs = counts.pairs;
    need->entries = counts.tensors;
    need->words = words;
}

/* Set the need and the error of a file for which there is no room. */
/*@ requires output: \valid(need) && \valid(error) && \separated(need, error);
    requires counts: counts_right(counts, head) && words == words_for(counts.tensors, counts.pairs, keep);
    requires clear: error_clear(error);
    terminates \true;
    exits \false;
    assigns *need, error->status, error->offset, error->expected, error->found, error->has;
    ensures status: \result == ASSAY_WORKSPACE && error->status == ASSAY_WORKSPACE;
    ensures error: has_right(error);
    ensures texts: error_texts(error, 0);
    ensures named: error_named(error, head, counts.end);
    ensures empty: error_empty(error);
    ensures need: need_says(need, head, keep) && need->head == counts.end;
*/
static assay_status assay_lacks_room(assay_counts counts, uint32_t words, assay_need *need, assay_error *error)
    /*@ ghost (const uint8_t *head, uint64_t keep, const assay_entry *entry) */
{
    assay_need_set(counts, words, need) /*@ ghost (error, entry, 0) */;
    //@ assert need: need_says(need, head, keep) && need->head == counts.end;
    return assay_error_set(error, ASSAY_WORKSPACE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE);
}

/* Judge stage G of a file for which there is room: it takes `needed` words. */
/*@ requires head: head_ok(in.head, counts.end) && counts_right(counts, in.head) && counts.end <= in.file_size;
    requires workspace: judge_workspace(w) && w->entry != \null && keep <= 1;
    requires kept: tensors_kept(w->entry, w->entries, in.head, counts.end, counts.tensors) &&
        pairs_kept(w->word, w->words, in.head, counts.end, counts.pairs);
    requires room: counts.tensors <= w->entries && needed == words_for(counts.tensors, counts.pairs, keep) <= w->words;
    requires output: \valid(need) && \valid(error) && \separated(need, error) && error_clear(error);
    requires apart: \separated(need, w, w->entry + (0 .. w->entries - 1), w->word + (0 .. w->words - 1)) &&
        \separated(error, w, w->entry + (0 .. w->entries - 1), w->word + (0 .. w->words - 1));
    terminates \true;
    exits \false;
    assigns *need, w->word[0 .. w->words - 1], *error, assay_work, assay_passes;
    ensures status: judged_whole(\result);
    ensures error: error->status == \result;
    ensures clear: \result == ASSAY_OK ==> error_clear(error);
    ensures right: has_right(error);
    ensures texts: error_texts(error, counts.end);
    ensures named: error_named(error, in.head, counts.end);
    ensures sound: \result == ASSAY_OK ==> valid_whole(in.head, in.file_size);
    ensures exact: \result >= ASSAY_E_METADATA_KEY_TWICE ==>
        broken_whole(in.head, in.file_size, \result, error->offset) && !valid_whole(in.head, in.file_size);
    ensures fields: \result >= ASSAY_E_METADATA_KEY_TWICE ==> error_of_whole(error, in.head, in.file_size);
    ensures need: \result == ASSAY_OK ==>
        need_says(need, in.head, keep) && need->head == counts.end;
    ensures counted: \result == ASSAY_OK ==> need->tensors == counts.tensors && need->pairs == counts.pairs;
    ensures same: \result != ASSAY_OK ==>
        need_same{Pre, Post}(need) && need->head == \old(need->head);
    ensures partition: \result == ASSAY_OK ==>
        partition(\old(w->entry), need->tensors, in.file_size - need->head);
    ensures tables: \result == ASSAY_OK ==> tables_judged(\old(w->entry), \old(w->word), \old(w->words), keep, in.head,
        counts.end, counts.pairs, counts.tensors, in.file_size - counts.end);
*/
static assay_status assay_judge_ready(assay_input in, assay_counts counts, const assay_workspace *w, uint32_t needed,
                                      assay_need *need, assay_error *error)
    /*@ ghost (uint64_t keep) */
{
    assay_entry *entry = w->entry;
    uint32_t *word = w->word;
    //@ ghost uint64_t words = w->words;
    //@ ghost const uint8_t *head = in.head;
    //@ ghost uint32_t end = counts.end;
    //@ ghost uint32_t pairs = counts.pairs;
    //@ ghost uint32_t tensors = counts.tensors;
    //@ ghost assay_counts_single(head, end);
    //@ ghost assay_verdict_single(head, in.file_size, end, pairs, tensors);
    assay_status status = assay_judge_whole(in.head, counts, in.file_size - counts.end, entry, word, error);
    //@ assert values: keep == 1 ==> words_same{Pre, Here}(word, words - pairs, words);
    //@ assert texts: keep == 1 ==> texts_ok(word, words - pairs, words, end);
    //@ assert say: keep == 1 ==> values_say(word, words, head, end, pairs);
    //@ assert same: entries_same{Pre, Here}(entry, tensors);
    //@ assert needed: need_same{Pre, Here}(need) && need->head == \at(need->head, Pre);
    if (status != ASSAY_OK) {
        //@ assert judged: error->status == status >= ASSAY_E_METADATA_KEY_TWICE;
        /*@ assert broken: whole_broken(head, end, pairs, tensors, in.file_size - end, error->status,
                error->offset); */
        /*@ assert fields: stage_fields(head, end, tensors, in.file_size - end, error->status, error->offset,
                error->tensor, error->other, error->expected, error->found); */
        //@ assert entries: entries_ok(entry, tensors, end);
        //@ assert keys: words_same{Pre, Here}(word, 0, pairs);
        //@ assert inside: keys_inside(word, pairs, end);
        //@ assert keys_say: keys_say(word, head, end, pairs);
        //@ assert entries_say: entries_say(entry, head, end, tensors);
        assay_error_texts(in.head, counts, entry, word, error) /*@ ghost (in.file_size, need) */;
        //@ assert status: error->status == status;
        return status;
    }
    //@ ghost Judged: ;
    assay_need_set(counts, needed, need) /*@ ghost (error, entry, tensors) */;
    //@ assert still: entries_same{Judged, Here}(entry, tensors);
    /*@ assert each: \forall integer i; 0 <= i < tensors && entry_ok{Pre}(entry + i, end) &&
            entry_says{Pre}(entry + i, head, end, i) ==>
            entry_ok(entry + i, end) && entry_says(entry + i, head, end, i); */
    //@ assert ok: entries_ok(entry, tensors, end);
    //@ assert says: entries_say(entry, head, end, tensors);
    //@ ghost assay_data_parts(head, end, entry, tensors, in.file_size - end);
    //@ assert need: need_says(need, head, keep);
    //@ assert done: error->status == ASSAY_OK;
    return ASSAY_OK;
}

/* Judge what comes after the stages F and H: is there room, stage G. */
/*@ requires head: head_ok(in.head, counts.end) && counts_right(counts, in.head) && counts.end <= in.file_size;
    requires workspace: judge_workspace(w) && w->entry != \null && keep <= 1;
    requires kept: tensors_kept(w->entry, w->entries, in.head, counts.end, counts.tensors) &&
        pairs_kept(w->word, w->words, in.head, counts.end, counts.pairs);
    requires output: \valid(need) && \valid(error) && \separated(need, error) && error_clear(error);
    requires apart: \separated(need, w, w->entry + (0 .. w->entries - 1), w->word + (0 .. w->words - 1)) &&
        \separated(error, w, w->entry + (0 .. w->entries - 1), w->word + (0 .. w->words - 1));
    terminates \true;
    exits \false;
    assigns *need, w->word[0 .. w->words - 1], *error, assay_work, assay_passes;
    ensures status: \result == ASSAY_WORKSPACE || judged_whole(\result);
    ensures error: error->status == \result;
    ensures clear: \result == ASSAY_OK ==> error_clear(error);
    ensures right: has_right(error);
    ensures texts: error_texts(error, counts.end);
    ensures named: error_named(error, in.head, counts.end);
    ensures workspace: \result == ASSAY_WORKSPACE <==> room_short(in.head, \old(w->entries), \old(w->words), keep);
    ensures bound: \result == ASSAY_WORKSPACE ==>
        !bound_met(\old(w->entries), \old(w->words), header_length(in.head));
    ensures room: \result == ASSAY_WORKSPACE ==> error_empty(error);
    ensures sound: \result == ASSAY_OK ==> valid_whole(in.head, in.file_size);
    ensures exact: \result >= ASSAY_E_METADATA_KEY_TWICE ==>
        broken_whole(in.head, in.file_size, \result, error->offset) && !valid_whole(in.head, in.file_size);
    ensures fields: \result >= ASSAY_E_METADATA_KEY_TWICE ==> error_of_whole(error, in.head, in.file_size);
    ensures need: \result == ASSAY_OK || \result == ASSAY_WORKSPACE ==>
        need_says(need, in.head, keep) && need->head == counts.end;
    ensures counted: \result == ASSAY_OK ==> need->tensors == counts.tensors && need->pairs == counts.pairs;
    ensures same: \result != ASSAY_OK && \result != ASSAY_WORKSPACE ==>
        need_same{Pre, Post}(need) && need->head == \old(need->head);
    ensures size: \result == ASSAY_OK ==>
        counts.tensors <= \old(w->entries) && words_for(counts.tensors, counts.pairs, keep) <= \old(w->words);
    ensures partition: \result == ASSAY_OK ==>
        partition(\old(w->entry), need->tensors, in.file_size - need->head);
    ensures tables: \result == ASSAY_OK ==> tables_judged(\old(w->entry), \old(w->word), \old(w->words), keep, in.head,
        counts.end, counts.pairs, counts.tensors, in.file_size - counts.end);
*/
static assay_status assay_judge_rest(assay_input in, assay_counts counts, const assay_workspace *w, uint64_t keep,
                                     assay_need *need, assay_error *error)
{
    //@ ghost assay_counts_single(in.head, counts.end);
    uint32_t needed = assay_words_for(counts, keep);
    if (counts.tensors > w->entries || needed > w->words) {
        //@ assert short: room_short(in.head, w->entries, w->words, keep);
        //@ ghost assay_counts_bounded(in.head, counts, keep);
        //@ assert bound: !bound_met(w->entries, w->words, header_length(in.head));
        return assay_lacks_room(counts, needed, need, error) /*@ ghost (in.head, keep, w->entry) */;
    }
    //@ assert room: !room_short(in.head, w->entries, w->words, keep);
    return assay_judge_ready(in, counts, w, needed, need, error) /*@ ghost (keep) */;
}

/* Set the view over the memory of the workspace. */
/*@ requires view: \valid(view) && \valid_read(w) && \separated(view, w, w->entry + (0 .. counts.tensors - 1));
    requires memory: \valid(w->word + (0 .. w->words - 1)) && 8 * counts.pairs + 6 * counts.tensors <= w->words;
    requires counts: counts.tensors < 16777215 && counts.pairs < 16777215;
    terminates \true;
    exits \false;
    assigns *view;
    ensures filled: view_over(view, head, counts, data_size, w);
*/
static void assay_view_over(const uint8_t *head, assay_counts counts, uint64_t data_size, const assay_workspace *w,
                           assay_view *view)
{
    uint32_t *word = w->word;
    view->head = head;
    view->entry = w->entry;
    view->by_name = word + 7u * counts.pairs;
    view->order = word + (7u * counts.pairs + counts.tensors);
    view->key = word;
    view->by_key = word + counts.pairs;
    view->value = word + (w->words - counts.pairs);
    view->tensors = counts.tensors;
    view->pairs = counts.pairs;
    view->metadata = counts.metadata;
    view->data_begin = counts.end;
    view->data_size = data_size;
}

/* Set the view of a file that has passed stage G. */
/*@ requires view: \valid(view) && \separated(view, w->entry + (0 .. counts.tensors - 1)) && \separated(view, need, w);
    requires memory: judge_workspace(w) && counts.tensors <= w->entries &&
        8 * counts.pairs + 6 * counts.tensors <= w->words;
    requires head: head_ok(head, counts.end) && counts_right(counts, head) && counts.end + data_size <= UINT64_MAX;
    requires need: \valid_read(need) && need_says(need, head, 1) && need->head == counts.end &&
        need->tensors == counts.tensors && need->pairs == counts.pairs;
    requires error: \valid_read(error) && \separated(view, error) && error_clear(error);
    requires tables: tables_judged(w->entry, w->word, w->words, 1, head, counts.end, counts.pairs, counts.tensors,
        data_size);
    requires whole: whole(head, counts.end, counts.pairs, counts.tensors, data_size);
    terminates \true;
    exits \false;
    assigns *view;
    ensures view: valid_view(view);
    ensures says: view_says(view);
    ensures finds: view_finds(view);
    ensures partition: partition(view->entry, view->tensors, view->data_size);
    ensures of: view->head == head && view->data_begin == counts.end && view->data_size == data_size;
    ensures memory: view->entry == w->entry;
    ensures words: view_words(view, w->word, w->words);
    ensures clear: error_clear(error);
    ensures need: need_says(need, head, 1) && need->head == counts.end;
*/
static void assay_view_set(const uint8_t *head, assay_counts counts, uint64_t data_size, const assay_workspace *w,
                           assay_view *view)
    /*@ ghost (const assay_error *error, const assay_need *need) */
{
    //@ ghost assay_entry *entry = w->entry;
    //@ ghost uint32_t tensors = counts.tensors;
    //@ ghost uint32_t end = counts.end;
    assay_view_over(head, counts, data_size, w, view);
    //@ assert same: entries_same{Pre, Here}(entry, tensors);
    /*@ assert each: \forall integer i; 0 <= i < tensors && entry_ok{Pre}(entry + i, end) &&
            entry_says{Pre}(entry + i, head, end, i) ==>
            entry_ok(entry + i, end) && entry_says(entry + i, head, end, i); */
    //@ assert ok: entries_ok(entry, tensors, end);
    //@ assert says: entries_say(entry, head, end, tensors);
    //@ assert head: need->head == \at(need->head, Pre);
    //@ assert tensors: need->tensors == \at(need->tensors, Pre);
    //@ assert pairs: need->pairs == \at(need->pairs, Pre);
    //@ assert entries: need->entries == \at(need->entries, Pre);
    //@ assert words: need->words == \at(need->words, Pre);
    //@ assert set: error->status == \at(error->status, Pre) && error->has == \at(error->has, Pre);
    //@ assert found: error->expected == \at(error->expected, Pre) && error->found == \at(error->found, Pre);
    //@ assert who: error->tensor == \at(error->tensor, Pre) && error->other == \at(error->other, Pre);
    //@ assert offset: error->offset == \at(error->offset, Pre);
    //@ assert name: error->name.at == \at(error->name.at, Pre) && error->name.end == \at(error->name.end, Pre);
    //@ assert other: error->other_name.at == \at(error->other_name.at, Pre);
    //@ assert other_end: error->other_name.end == \at(error->other_name.end, Pre);
    //@ assert clear: error_clear(error);
    //@ assert w_entry: w->entry == \at(w->entry, Pre);
    //@ assert w_entries: w->entries == \at(w->entries, Pre);
    //@ assert w_word: w->word == \at(w->word, Pre);
    //@ assert w_words: w->words == \at(w->words, Pre);
    //@ ghost assay_data_parts(head, end, entry, tensors, data_size);
    //@ ghost assay_view_judged(head, counts, data_size, w, view);
}

/* Return the status of stages F and H, which have not been passed. If more of the file is needed, state how much. */
/*@ requires need: \valid(need) && \valid_read(error) && \separated(need, error);
    requires status: error->status < 4294967296;
    requires input: \valid_read(input) && \separated(need, input) && error_right(error, input->head_size);
    terminates \true;
    exits \false;
    assigns need->head;
    ensures status: \result == error->status;
    ensures kept: error->status != ASSAY_NEED_MORE ==> need->head == \old(need->head);
    ensures more: error->status == ASSAY_NEED_MORE ==> need->head == error->expected;
    ensures right: error_right(error, input->head_size);
    ensures tensors: need->tensors == \old(need->tensors);
    ensures pairs: need->pairs == \old(need->pairs);
    ensures entries: need->entries == \old(need->entries);
    ensures words: need->words == \old(need->words);
    ensures input: input_same{Pre, Post}(input);
    ensures same: *error == \old(*error);
*/
static assay_status assay_unjudged(const assay_error *error, assay_need *need)
    /*@ ghost (const assay_input *input) */
{
    if (error->status == ASSAY_NEED_MORE) {
        need->head = error->expected;
    }
    return (assay_status)error->status;
}

assay_status assay_measure(const assay_input *input, const assay_options *options, assay_result *result)
{
    assay_workspace none = {NULL, 0, NULL, 0};
    assay_counts counts = assay_judge_head(*input, options, &none, &result->error);
    //@ assert input: input->head == \at(input->head, Pre) && input->head_size == \at(input->head_size, Pre);
    //@ assert input_file: input->file_size == \at(input->file_size, Pre);
    //@ assert need_head: result->need.head == \at(result->need.head, Pre);
    //@ assert need_tensors: result->need.tensors == \at(result->need.tensors, Pre);
    //@ assert need_pairs: result->need.pairs == \at(result->need.pairs, Pre);
    //@ assert need_entries: result->need.entries == \at(result->need.entries, Pre);
    //@ assert need_words: result->need.words == \at(result->need.words, Pre);
    //@ assert head_fields: counts.end == 0 ==> error_right(&result->error, input->head_size);
    //@ assert head_named: error_named(&result->error, \at(input->head, Pre), 8 + header_length(\at(input->head, Pre)));
    //@ assert stopped: counts.end == 0 ==> !\at(input_passes(input, options), Pre);
    if (counts.end == 0) {
        return assay_unjudged(&result->error, &result->need) /*@ ghost (input) */;
    }
    assay_need_set(counts, assay_words_for(counts, 1), &result->need) /*@ ghost (&result->error, none.entry, 0) */;
    //@ assert fields: error_right(&result->error, input->head_size);
    //@ assert named: error_named(&result->error, \at(input->head, Pre), 8 + header_length(\at(input->head, Pre)));
    //@ assert length: result->need.head == counts.end == 8 + header_length(input->head);
    //@ assert file: counts.end <= input->file_size;
    //@ assert exact: need_exact(&result->need, 1);
    //@ ghost assay_counts_bounded(input->head, counts, 1);
    //@ assert bound: need_bounded(&result->need);
    //@ assert tensors: tensor_count(input->head, result->need.head, result->need.tensors);
    //@ assert pairs: pair_count(input->head, result->need.head, result->need.pairs);
    return ASSAY_OK;
}

assay_status assay_validate(const assay_input *input, const assay_options *options, const assay_workspace *workspace,
                            assay_result *result)
{
    //@ ghost assay_input in = *input;
    //@ assert in: in.head == input->head;
    assay_counts counts = assay_judge_head(*input, options, workspace, &result->error);
    //@ assert need_head: result->need.head == \at(result->need.head, Pre);
    //@ assert need_tensors: result->need.tensors == \at(result->need.tensors, Pre);
    //@ assert need_pairs: result->need.pairs == \at(result->need.pairs, Pre);
    //@ assert need_entries: result->need.entries == \at(result->need.entries, Pre);
    //@ assert need_words: result->need.words == \at(result->need.words, Pre);
    //@ assert need: need_same{Pre, Here}(&result->need);
    //@ assert input: input->head == \at(input->head, Pre) && input->head_size == \at(input->head_size, Pre);
    //@ assert input_file: input->file_size == \at(input->file_size, Pre);
    //@ assert w_entry: workspace->entry == \at(workspace->entry, Pre);
    //@ assert w_entries: workspace->entries == \at(workspace->entries, Pre);
    //@ assert w_word: workspace->word == \at(workspace->word, Pre);
    //@ assert w_words: workspace->words == \at(workspace->words, Pre);
    //@ assert head_fields: counts.end == 0 ==> error_right(&result->error, input->head_size);
    //@ assert head_named: error_named(&result->error, \at(input->head, Pre), 8 + header_length(\at(input->head, Pre)));
    //@ assert stopped: counts.end == 0 ==> !\at(input_passes(input, options), Pre);
    if (counts.end == 0) {
        assay_status stopped = assay_unjudged(&result->error, &result->need) /*@ ghost (input) */;
        //@ assert stop_head: result->need.head == \at(result->need.head, Pre) || stopped == ASSAY_NEED_MORE;
        //@ assert stop_tensors: result->need.tensors == \at(result->need.tensors, Pre);
        //@ assert stop_pairs: result->need.pairs == \at(result->need.pairs, Pre);
        //@ assert stop_entries: result->need.entries == \at(result->need.entries, Pre);
        //@ assert stop_words: result->need.words == \at(result->need.words, Pre);
        /*@ assert stop_named: error_named(&result->error, \at(input->head, Pre),
                8 + header_length(\at(input->head, Pre))); */
        /*@ assert stop_exact: \at(options_right(options), Pre) ==>
                \at(input_judged(input, options), Pre) == verdict_of(stopped, result->error.offset); */
        return stopped;
    }
    //@ assert passed: \at(input_passes(input, options), Pre);
    //@ ghost Judged: ;
    assay_status status = assay_judge_rest(*input, counts, workspace, 0, &result->need, &result->error);
    //@ assert judged_head: input->head == \at(input->head, Pre);
    //@ assert judged_size: input->head_size == \at(input->head_size, Pre);
    //@ assert judged_file: input->file_size == \at(input->file_size, Pre);
    /*@ assert judged_need: status != ASSAY_OK && status != ASSAY_WORKSPACE ==>
            need_same{Judged, Here}(&result->need) && result->need.head == \at(result->need.head, Judged); */
    /*@ assert judged_kept: status != ASSAY_OK && status != ASSAY_WORKSPACE ==>
            need_same{Pre, Here}(&result->need) && result->need.head == \at(result->need.head, Pre); */
    //@ assert judged_fields: error_right(&result->error, input->head_size);
    //@ assert judged_end: counts.end == 8 + header_length(\at(input->head, Pre));
    //@ assert judged_named: error_named(&result->error, \at(input->head, Pre), counts.end);
    /*@ assert judged_exact: status >= ASSAY_E_METADATA_KEY_TWICE ==>
            broken_whole(input->head, input->file_size, status, result->error.offset); */
    /*@ assert judged_whole: status >= ASSAY_E_METADATA_KEY_TWICE ==>
            error_of_whole(&result->error, input->head, input->file_size); */
    /*@ assert judged_partition: status == ASSAY_OK ==> partition(\at(workspace->entry, Pre), result->need.tensors,
            input->file_size - result->need.head); */
    return status;
}

/* Judge what comes after the stages F and H, and set the view. */
/*@ requires head: head_ok(in.head, counts.end) && counts_right(counts, in.head) && counts.end <= in.file_size;
    requires workspace: judge_workspace(w) && w->entry != \null;
    requires kept: tensors_kept(w->entry, w->entries, in.head, counts.end, counts.tensors) &&
        pairs_kept(w->word, w->words, in.head, counts.end, counts.pairs);
    requires output: \valid(result) && error_clear(&result->error);
    requires apart: judge_room(w, result);
    terminates \true;
    exits \false;
    assigns *result, w->word[0 .. w->words - 1], assay_work, assay_passes;
    ensures status: \result == ASSAY_WORKSPACE || judged_whole(\result);
    ensures error: result->error.status == \result;
    ensures clear: \result == ASSAY_OK ==> error_clear(&result->error);
    ensures right: has_right(&result->error);
    ensures texts: error_texts(&result->error, counts.end);
    ensures named: error_named(&result->error, in.head, counts.end);
    ensures workspace: \result == ASSAY_WORKSPACE <==> room_short(in.head, \old(w->entries), \old(w->words), 1);
    ensures bound: \result == ASSAY_WORKSPACE ==>
        !bound_met(\old(w->entries), \old(w->words), header_length(in.head));
    ensures room: \result == ASSAY_WORKSPACE ==> error_empty(&result->error);
    ensures sound: \result == ASSAY_OK ==> valid_whole(in.head, in.file_size);
    ensures exact: \result >= ASSAY_E_METADATA_KEY_TWICE ==>
        broken_whole(in.head, in.file_size, \result, result->error.offset) && !valid_whole(in.head, in.file_size);
    ensures fields: \result >= ASSAY_E_METADATA_KEY_TWICE ==>
        error_of_whole(&result->error, in.head, in.file_size);
    ensures need: \result == ASSAY_OK || \result == ASSAY_WORKSPACE ==>
        need_says(&result->need, in.head, 1) && result->need.head == counts.end;
    ensures same: \result != ASSAY_OK && \result != ASSAY_WORKSPACE ==>
        need_same{Pre, Post}(&result->need) && result->need.head == \old(result->need.head);
    ensures view: \result == ASSAY_OK ==> valid_view(&result->view) && view_says(&result->view) &&
        view_finds(&result->view) && result->view.head == in.head && result->view.data_begin == counts.end &&
        result->view.data_begin + result->view.data_size == in.file_size;
    ensures memory: \result == ASSAY_OK ==> result->view.entry == \old(w->entry);
    ensures words: \result == ASSAY_OK ==> view_words(&result->view, \old(w->word), \old(w->words));
    ensures partition: \result == ASSAY_OK ==>
        partition(result->view.entry, result->view.tensors, result->view.data_size);
    ensures unchanged: \result != ASSAY_OK ==> result->view == \old(result->view);
*/
static assay_status assay_parse_rest(assay_input in, assay_counts counts, const assay_workspace *w,
                                     assay_result *result)
{
    assay_status status = assay_judge_rest(in, counts, w, 1, &result->need, &result->error);
    //@ assert w_entry: w->entry == \at(w->entry, Pre);
    //@ assert w_entries: w->entries == \at(w->entries, Pre);
    //@ assert w_word: w->word == \at(w->word, Pre);
    //@ assert w_words: w->words == \at(w->words, Pre);
    //@ assert view_head: result->view.head == \at(result->view.head, Pre);
    //@ assert view_entry: result->view.entry == \at(result->view.entry, Pre);
    //@ assert view_by_name: result->view.by_name == \at(result->view.by_name, Pre);
    //@ assert view_order: result->view.order == \at(result->view.order, Pre);
    //@ assert view_key: result->view.key == \at(result->view.key, Pre);
    //@ assert view_by_key: result->view.by_key == \at(result->view.by_key, Pre);
    //@ assert view_value: result->view.value == \at(result->view.value, Pre);
    //@ assert view_tensors: result->view.tensors == \at(result->view.tensors, Pre);
    //@ assert view_pairs: result->view.pairs == \at(result->view.pairs, Pre);
    //@ assert view_metadata: result->view.metadata == \at(result->view.metadata, Pre);
    //@ assert view_data_begin: result->view.data_begin == \at(result->view.data_begin, Pre);
    //@ assert view_data_size: result->view.data_size == \at(result->view.data_size, Pre);
    //@ assert right: has_right(&result->error);
    //@ assert texts: error_texts(&result->error, counts.end);
    //@ assert named: error_named(&result->error, in.head, counts.end);
    if (status != ASSAY_OK) {
        return status;
    }
    //@ ghost assay_verdict_single(in.head, in.file_size, counts.end, counts.pairs, counts.tensors);
    assay_view_set(in.head, counts, in.file_size - counts.end, w, &result->view)
        /*@ ghost (&result->error, &result->need) */;
    return ASSAY_OK;
}

assay_status assay_parse(const assay_input *input, const assay_options *options, const assay_workspace *workspace,
                         assay_result *result)
{
    //@ ghost assay_input in = *input;
    //@ assert in: in.head == input->head;
    assay_counts counts = assay_judge_head(*input, options, workspace, &result->error);
    //@ assert need_head: result->need.head == \at(result->need.head, Pre);
    //@ assert need_tensors: result->need.tensors == \at(result->need.tensors, Pre);
    //@ assert need_pairs: result->need.pairs == \at(result->need.pairs, Pre);
    //@ assert need_entries: result->need.entries == \at(result->need.entries, Pre);
    //@ assert need_words: result->need.words == \at(result->need.words, Pre);
    //@ assert need: need_same{Pre, Here}(&result->need);
    //@ assert input: input->head == \at(input->head, Pre) && input->head_size == \at(input->head_size, Pre);
    //@ assert input_file: input->file_size == \at(input->file_size, Pre);
    //@ assert w_entry: workspace->entry == \at(workspace->entry, Pre);
    //@ assert w_entries: workspace->entries == \at(workspace->entries, Pre);
    //@ assert w_word: workspace->word == \at(workspace->word, Pre);
    //@ assert w_words: workspace->words == \at(workspace->words, Pre);
    //@ assert view_head: result->view.head == \at(result->view.head, Pre);
    //@ assert view_entry: result->view.entry == \at(result->view.entry, Pre);
    //@ assert view_by_name: result->view.by_name == \at(result->view.by_name, Pre);
    //@ assert view_order: result->view.order == \at(result->view.order, Pre);
    //@ assert view_key: result->view.key == \at(result->view.key, Pre);
    //@ assert view_by_key: result->view.by_key == \at(result->view.by_key, Pre);
    //@ assert view_value: result->view.value == \at(result->view.value, Pre);
    //@ assert view_tensors: result->view.tensors == \at(result->view.tensors, Pre);
    //@ assert view_pairs: result->view.pairs == \at(result->view.pairs, Pre);
    //@ assert view_metadata: result->view.metadata == \at(result->view.metadata, Pre);
    //@ assert view_data_begin: result->view.data_begin == \at(result->view.data_begin, Pre);
    //@ assert view_data_size: result->view.data_size == \at(result->view.data_size, Pre);
    //@ assert head_fields: counts.end == 0 ==> error_right(&result->error, input->head_size);
    //@ assert head_named: error_named(&result->error, \at(input->head, Pre), 8 + header_length(\at(input->head, Pre)));
    //@ assert stopped: counts.end == 0 ==> !\at(input_passes(input, options), Pre);
    if (counts.end == 0) {
        assay_status stopped = assay_unjudged(&result->error, &result->need) /*@ ghost (input) */;
        //@ assert stop_head: result->need.head == \at(result->need.head, Pre) || stopped == ASSAY_NEED_MORE;
        //@ assert stop_tensors: result->need.tensors == \at(result->need.tensors, Pre);
        //@ assert stop_pairs: result->need.pairs == \at(result->need.pairs, Pre);
        //@ assert stop_entries: result->need.entries == \at(result->need.entries, Pre);
        //@ assert stop_words: result->need.words == \at(result->need.words, Pre);
        /*@ assert stop_named: error_named(&result->error, \at(input->head, Pre),
                8 + header_length(\at(input->head, Pre))); */
        /*@ assert stop_exact: \at(options_right(options), Pre) ==>
                \at(input_judged(input, options), Pre) == verdict_of(stopped, result->error.offset); */
        return stopped;
    }
    //@ assert passed: \at(input_passes(input, options), Pre);
    //@ ghost Judged: ;
    assay_status status = assay_parse_rest(*input, counts, workspace, result);
    //@ assert judged_head: input->head == \at(input->head, Pre);
    //@ assert judged_size: input->head_size == \at(input->head_size, Pre);
    //@ assert judged_file: input->file_size == \at(input->file_size, Pre);
    /*@ assert judged_need: status != ASSAY_OK && status != ASSAY_WORKSPACE ==>
            need_same{Judged, Here}(&result->need) && result->need.head == \at(result->need.head, Judged); */
    /*@ assert judged_kept: status != ASSAY_OK && status != ASSAY_WORKSPACE ==>
            need_same{Pre, Here}(&result->need) && result->need.head == \at(result->need.head, Pre); */
    //@ assert judged_fields: error_right(&result->error, input->head_size);
    //@ assert judged_end: counts.end == 8 + header_length(\at(input->head, Pre));
    //@ assert judged_named: error_named(&result->error, \at(input->head, Pre), counts.end);
    /*@ assert judged_exact: status >= ASSAY_E_METADATA_KEY_TWICE ==>
            broken_whole(input->head, input->file_size, status, result->error.offset); */
    /*@ assert judged_whole: status >= ASSAY_E_METADATA_KEY_TWICE ==>
            error_of_whole(&result->error, input->head, input->file_size); */
    return status;
}
