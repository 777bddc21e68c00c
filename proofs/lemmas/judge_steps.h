/* judge_steps.h: what layout.c and names.c find of the entries and the words is what spec/file.acsl says of the
 * bytes; and there is one verdict. Lemmas: the contracts of functions that do nothing. judge_steps.c has them. */
#ifndef ASSAY_JUDGE_STEPS_H
#define ASSAY_JUDGE_STEPS_H

/*@ ghost
// G1, G2: texts of a list that differ are keys, or names, that differ.
/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures keys: listed_differ(head, end, 0, n) ==> keys_differ(head, end, n);
   ensures names: listed_differ(head, end, 1, n) ==> names_differ(head, end, n);
@/
void assay_list_judged(const uint8_t *head, uint32_t end, uint32_t n);

// A text that repeats an earlier one: the rule, and its opening quote.
/@ requires repeat: j < k < n && listed_differ(head, end, list, k) &&
       listed_value(head, end, list, j) == listed_value(head, end, list, k);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures key: list == 0 ==> \forall integer tensors;
       judged_names(head, end, n, tensors, E_METADATA_KEY_TWICE, listed_at(head, end, list, k) - 1);
   ensures name: list == 1 ==> \forall integer pairs; keys_differ(head, end, pairs) ==>
       judged_names(head, end, pairs, n, E_NAME_TWICE, listed_at(head, end, list, k) - 1);
   ensures key_fields: list == 0 ==> \forall integer tensors, size; stage_fields(head, end, tensors, size,
       E_METADATA_KEY_TWICE, listed_at(head, end, list, k) - 1, UINT64_MAX, j, UINT64_MAX, k);
   ensures name_fields: list == 1 ==> \forall integer tensors, size; stage_fields(head, end, tensors, size,
       E_NAME_TWICE, listed_at(head, end, list, k) - 1, k, j, UINT64_MAX, UINT64_MAX);
@/
void assay_list_repeats(const uint8_t *head, uint32_t end, uint32_t list, uint32_t n, uint32_t j, uint32_t k);

// Where the texts of the two lists begin.
/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures keys: \forall integer k; listed_at(head, end, 0, k) == pair_key(head, end, k) + 1;
   ensures names: \forall integer k; listed_at(head, end, 1, k) == tensor_key(head, end, k) + 1;
   ensures key: \forall integer k; listed_value(head, end, 0, k) == pair_name(head, end, k);
   ensures name: \forall integer k; listed_value(head, end, 1, k) == tensor_name(head, end, k);
@/
void assay_list_texts(const uint8_t *head, uint32_t end);

// G3 to G6: what assay_layout says of the entries.
/@ requires entries: entries_say(entry, head, end, n);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures whole: partition(entry, n, size) ==> data_there(head, end, n, size) && sound_below(head, end, n, size) &&
       \forall integer p; !empty_inside(head, end, n, p);
   ensures judged: \forall integer status, offset; layout_judged(entry, n, end, size, status, offset) <==>
       judged_data(head, end, n, size, status, offset);
@/
void assay_data_judged(const uint8_t *head, uint32_t end, const assay_entry *entry, uint32_t n, uint64_t size);

// Entries of a file that keeps G3 to G6 partition its data section.
/@ requires entries: entries_ok(entry, n, end) && entries_say(entry, head, end, n);
   requires data: data_there(head, end, n, size) && sound_below(head, end, n, size) &&
       \forall integer p; !empty_inside(head, end, n, p);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures partition: partition(entry, n, size);
@/
void assay_data_parts(const uint8_t *head, uint32_t end, const assay_entry *entry, uint32_t n, uint64_t size);

// G3 to G6: the fields of an error that assay_layout sets are those of the specification.
/@ requires entries: entries_say(entry, head, end, n);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures fields: \forall integer status, offset, tensor, other, expected, found;
       E_TRUNCATED <= status <= E_EMPTY_INSIDE &&
       (status == E_TRUNCATED ==> layout_truncated(entry, n, size, tensor, other, expected, found)) &&
       (status == E_OVERLAP ==> layout_overlap(entry, n, offset - end, tensor, other, expected, found)) &&
       (status == E_HOLE ==> layout_hole(entry, n, size, offset - end, tensor, other, expected, found)) &&
       (status == E_EMPTY_INSIDE ==> layout_empty_inside(entry, n, offset - end, tensor, other, expected, found)) ==>
       stage_fields(head, end, n, size, status, offset, tensor, other, expected, found);
@/
void assay_data_fields(const uint8_t *head, uint32_t end, const assay_entry *entry, uint32_t n, uint64_t size);

// The fields of an error of stage G.
/@ requires error: \valid_read(error) && end == 8 + header_length(head) && tensor_count(head, end, n);
   requires fields: stage_fields(head, end, n, file_size - end, error->status, error->offset, error->tensor,
       error->other, error->expected, error->found);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures fields: error_of_whole(error, head, file_size);
@/
void assay_fields_judged(const uint8_t *head, uint64_t file_size, uint32_t end, uint32_t n, const assay_error *error);

// The layout order, of the bytes.
/@ requires entries: entries_say(entry, head, end, n);
   requires order: layout_order(entry, order, n) && n <= 4294967295;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures order: order_says(order, head, end, n) && words_below(order, n, n);
@/
void assay_order_judged(const uint8_t *head, uint32_t end, const assay_entry *entry, uint32_t n,
                        const uint32_t *order);

// The metadata's values, seen from where they begin.
/@ requires part: part == word + (words - n) && n <= words;
   requires inside: texts_ok(word, words - n, words, end) && values_say(word, words, head, end, n);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures inside: keys_inside(part, n, end);
   ensures say: values_say(part, n, head, end, n);
@/
void assay_values_judged(const uint32_t *word, uint64_t words, const uint32_t *part, uint32_t n, const uint8_t *head,
                         uint32_t end);

// What stage G leaves is a view.
/@ requires view: \valid_read(view) && view_over(view, head, counts, size, w);
   requires head: head_ok(head, counts.end) && counts_right(counts, head) && counts.end + size <= UINT64_MAX;
   requires memory: judge_workspace(w) && counts.tensors <= w->entries &&
       8 * counts.pairs + 6 * counts.tensors <= w->words;
   requires tables: tables_judged(w->entry, w->word, w->words, 1, head, counts.end, counts.pairs, counts.tensors, size);
   requires whole: whole(head, counts.end, counts.pairs, counts.tensors, size);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures view: valid_view(view);
   ensures says: view_says(view);
   ensures finds: view_finds(view);
   ensures partition: partition(view->entry, view->tensors, view->data_size);
   ensures words: view_words(view, w->word, w->words);
@/
void assay_view_judged(const uint8_t *head, assay_counts counts, uint64_t size, const assay_workspace *w,
                       const assay_view *view);

// There is one number of pairs, and of tensors.
/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures pairs: \forall integer m, n; pair_count(head, end, m) && pair_count(head, end, n) ==> m == n;
   ensures tensors: \forall integer m, n; tensor_count(head, end, m) && tensor_count(head, end, n) ==> m == n;
@/
void assay_counts_single(const uint8_t *head, uint32_t end);

// What assay_bound names suffices.
/@ requires counts: counts_right(counts, head) && keep <= 1;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures tensors: counts.tensors <= header_length(head) / 32;
   ensures pairs: counts.pairs <= header_length(head) / 4;
   ensures words: words_for(counts.tensors, counts.pairs, keep) <= header_length(head) + header_length(head) / 3;
@/
void assay_counts_bounded(const uint8_t *head, assay_counts counts, uint64_t keep);

// Stage G says one thing of a file.
/@ requires end: end == 8 + header_length(head) <= file_size;
   requires counts: pair_count(head, end, pairs) && tensor_count(head, end, tensors);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures whole: valid_whole(head, file_size) <==> whole(head, end, pairs, tensors, file_size - end);
   ensures broken: \forall integer status, offset; broken_whole(head, file_size, status, offset) <==>
       (judged_names(head, end, pairs, tensors, status, offset) ||
        keys_differ(head, end, pairs) && names_differ(head, end, tensors) &&
        judged_data(head, end, tensors, file_size - end, status, offset));
   ensures apart: \forall integer status, offset; broken_whole(head, file_size, status, offset) ==>
       !valid_whole(head, file_size);
   ensures single: \forall integer s, o, t, p; broken_whole(head, file_size, s, o) &&
       broken_whole(head, file_size, t, p) ==> s == t && o == p;
@/
void assay_verdict_single(const uint8_t *head, uint64_t file_size, uint32_t end, uint32_t pairs, uint32_t tensors);
*/

#endif
