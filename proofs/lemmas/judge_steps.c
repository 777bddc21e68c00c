/* judge_steps.c: stage G from entries and words to bytes, and that it says one thing. Ghost functions, no code. */
#include "core.h"

/* Unfolds: pair_name, tensor_name, listed_at, listed_value. */

/*@ ghost
void assay_list_texts(const uint8_t *head, uint32_t end)
{
}

void assay_list_judged(const uint8_t *head, uint32_t end, uint32_t n)
{
    assay_list_texts(head, end);
    /@ assert keys: \forall integer j, k; listed_differ(head, end, 0, n) && 0 <= j < k < n ==>
         pair_name(head, end, j) != pair_name(head, end, k); @/
    /@ assert names: \forall integer j, k; listed_differ(head, end, 1, n) && 0 <= j < k < n ==>
         tensor_name(head, end, j) != tensor_name(head, end, k); @/
}

void assay_list_repeats(const uint8_t *head, uint32_t end, uint32_t list, uint32_t n, uint32_t j, uint32_t k)
{
    assay_list_judged(head, end, k);
    assay_list_texts(head, end);
    /@ assert key: list == 0 ==> key_repeats(head, end, k); @/
    /@ assert name: list == 1 ==> name_repeats(head, end, k); @/
}

// An empty tensor in the midst of another's bytes.
/@ requires begins: \forall integer i; 0 <= i < n ==> entry[i].begin == tensor_begin(head, end, i);
   requires ends: \forall integer i; 0 <= i < n ==> entry[i].end == tensor_finish(head, end, i);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures empty: \forall integer p; empty_within(entry, n, p) <==> empty_inside(head, end, n, p);
@/
void assay_empty_judged(const uint8_t *head, uint32_t end, const assay_entry *entry, uint32_t n)
{
    /@ assert inside: \forall integer i, j; 0 <= i < n && 0 <= j < n ==> (begins_inside(entry, i, j) <==>
          tensor_begin(head, end, j) < tensor_begin(head, end, i) < tensor_finish(head, end, j)); @/
    /@ assert into: \forall integer p; empty_within(entry, n, p) ==> empty_inside(head, end, n, p); @/
    /@ assert from: \forall integer i, j; 0 <= i < n && 0 <= j < n &&
          tensor_begin(head, end, i) == tensor_finish(head, end, i) &&
          tensor_begin(head, end, j) < tensor_begin(head, end, i) < tensor_finish(head, end, j) ==>
          empty_within(entry, n, tensor_begin(head, end, i)); @/
}

void assay_data_judged(const uint8_t *head, uint32_t end, const assay_entry *entry, uint32_t n, uint64_t size)
{
    /@ assert says: \forall integer i; 0 <= i < n ==> entry_says(entry + i, head, end, i); @/
    /@ assert begins: \forall integer i; 0 <= i < n ==> entry[i].begin == tensor_begin(head, end, i); @/
    /@ assert ends: \forall integer i; 0 <= i < n ==> entry[i].end == tensor_finish(head, end, i); @/
    /@ assert holds: \forall integer i, p; 0 <= i < n ==> (tensor_has(entry, i, p) <==> holds(head, end, i, p)); @/
    /@ assert held: \forall integer p; covered(entry, n, p) <==> held(head, end, n, p); @/
    /@ assert shared: \forall integer p; twice(entry, n, p) <==> shared(head, end, n, p); @/
    /@ assert sound: \forall integer p; once_below(entry, n, p) <==> sound_below(head, end, n, p); @/
    /@ assert there: layout_fits(entry, n, size) <==> data_there(head, end, n, size); @/
    assay_empty_judged(head, end, entry, n);
    /@ assert empty: \forall integer p; empty_within(entry, n, p) <==> empty_inside(head, end, n, p); @/
    /@ assert alone: partition(entry, n, size) ==> \forall integer p; !twice(entry, n, p); @/
    /@ assert apart: partition(entry, n, size) ==> \forall integer p; !empty_within(entry, n, p); @/
}

void assay_counts_single(const uint8_t *head, uint32_t end)
{
}

void assay_verdict_single(const uint8_t *head, uint64_t file_size, uint32_t end, uint32_t pairs, uint32_t tensors)
{
    /@ assert names: \forall integer s, o, t, p; judged_names(head, end, pairs, tensors, s, o) &&
          judged_names(head, end, pairs, tensors, t, p) ==> s == t && o == p; @/
    /@ assert data: \forall integer s, o, t, p; judged_data(head, end, tensors, file_size - end, s, o) &&
          judged_data(head, end, tensors, file_size - end, t, p) ==> s == t && o == p; @/
}
*/
