/* judge_steps.h: what layout.c and index.c find of the entries and the words is what spec/file.acsl says of the
 * bytes; and there is one verdict. Lemmas: the contracts of functions that do nothing. judge_steps.c has them. */
#ifndef ASSAY_JUDGE_STEPS_H
#define ASSAY_JUDGE_STEPS_H

#include "core.h"

/*@ ghost
// G1: what assay_index says of the metadata's keys.
/@ requires keys: keys_say(key, head, end, n);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures differ: distinct(head, end, key, n) <==> keys_differ(head, end, n);
@/
void assay_keys_judged(const uint8_t *head, uint32_t end, const uint32_t *key, uint32_t n);

/@ requires keys: keys_say(key, head, end, n);
   requires repeat: j < k < n && distinct(head, end, key, k) &&
       text_value(head, key[k], end) == text_value(head, key[j], end);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures judged: \forall integer tensors; judged_names(head, end, n, tensors, E_METADATA_KEY_TWICE, key[k] - 1);
@/
void assay_key_repeats(const uint8_t *head, uint32_t end, const uint32_t *key, uint32_t n, uint32_t j, uint32_t k);

// G2: what it says of the tensors' names.
/@ requires names: names_say(name, head, end, n);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures differ: distinct(head, end, name, n) <==> names_differ(head, end, n);
@/
void assay_names_judged(const uint8_t *head, uint32_t end, const uint32_t *name, uint32_t n);

/@ requires names: names_say(name, head, end, n);
   requires repeat: j < k < n && distinct(head, end, name, k) &&
       text_value(head, name[k], end) == text_value(head, name[j], end);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures judged: \forall integer pairs; keys_differ(head, end, pairs) ==>
       judged_names(head, end, pairs, n, E_NAME_TWICE, name[k] - 1);
@/
void assay_name_repeats(const uint8_t *head, uint32_t end, const uint32_t *name, uint32_t n, uint32_t j, uint32_t k);

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
