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

// There is one number of pairs, and of tensors.
/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures pairs: \forall integer m, n; pair_count(head, end, m) && pair_count(head, end, n) ==> m == n;
   ensures tensors: \forall integer m, n; tensor_count(head, end, m) && tensor_count(head, end, n) ==> m == n;
@/
void assay_counts_single(const uint8_t *head, uint32_t end);

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
