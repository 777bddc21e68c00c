/* judge_steps.c: stage G from entries and words to bytes, and that it says one thing. Ghost functions, no code. */
#include "core.h"

/* Unfolds: pair_name, tensor_name, listed_at, listed_value, stage_fields, whole_fields. */

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

void assay_data_parts(const uint8_t *head, uint32_t end, const assay_entry *entry, uint32_t n, uint64_t size)
{
    /@ assert says: \forall integer i; 0 <= i < n ==> entry_says(entry + i, head, end, i) && entry_ok(entry + i, end); @/
    /@ assert begins: \forall integer i; 0 <= i < n ==> entry[i].begin == tensor_begin(head, end, i); @/
    /@ assert ends: \forall integer i; 0 <= i < n ==> entry[i].end == tensor_finish(head, end, i) <= size; @/
    /@ assert ordered: \forall integer i; 0 <= i < n ==> entry[i].begin <= entry[i].end; @/
    /@ assert holds: \forall integer i, p; 0 <= i < n ==> (tensor_has(entry, i, p) <==> holds(head, end, i, p)); @/
    /@ assert held: \forall integer p; held(head, end, n, p) ==> covered(entry, n, p); @/
    /@ assert two: \forall integer i, j, p; 0 <= i < j < n && tensor_has(entry, i, p) && tensor_has(entry, j, p) ==>
          shared(head, end, n, p); @/
    /@ assert below: \forall integer i, p; 0 <= i < n && tensor_has(entry, i, p) ==> !shared(head, end, n, p); @/
    /@ assert single: \forall integer i, j, p; 0 <= i < n && 0 <= j < n && tensor_has(entry, i, p) &&
          tensor_has(entry, j, p) ==> i == j; @/
    /@ assert inside: \forall integer i, j; 0 <= i < n && 0 <= j < n && filled(entry, i) && begins_inside(entry, i, j) ==>
          i != j && tensor_has(entry, i, entry[i].begin) && tensor_has(entry, j, entry[i].begin); @/
    /@ assert filled: \forall integer i, j; 0 <= i < n && 0 <= j < n && filled(entry, i) ==> !begins_inside(entry, i, j); @/
    /@ assert empty: \forall integer i, j; 0 <= i < n && 0 <= j < n && !filled(entry, i) && begins_inside(entry, i, j) ==>
          empty_inside(head, end, n, entry[i].begin); @/
}

void assay_data_fields(const uint8_t *head, uint32_t end, const assay_entry *entry, uint32_t n, uint64_t size)
{
    /@ assert says: \forall integer i; 0 <= i < n ==> entry_says(entry + i, head, end, i); @/
    /@ assert begins: \forall integer i; 0 <= i < n ==> entry[i].begin == tensor_begin(head, end, i); @/
    /@ assert ends: \forall integer i; 0 <= i < n ==> entry[i].end == tensor_finish(head, end, i); @/
    /@ assert holds: \forall integer i, p; 0 <= i < n ==> (tensor_has(entry, i, p) <==> holds(head, end, i, p)); @/
    /@ assert before: \forall integer i, j; 0 <= i < n && 0 <= j < n && layout_before(entry, i, j) ==>
          tensor_before(head, end, i, j); @/
    /@ assert truncated: \forall integer tensor, other, expected, found;
         layout_truncated(entry, n, size, tensor, other, expected, found) ==>
         data_truncated(head, end, n, size, tensor, other, expected, found); @/
    /@ assert overlap: \forall integer p, tensor, other, expected, found;
         layout_overlap(entry, n, p, tensor, other, expected, found) ==>
         data_overlap(head, end, n, p, tensor, other, expected, found); @/
    /@ assert hole: \forall integer p, tensor, other, expected, found;
         layout_hole(entry, n, size, p, tensor, other, expected, found) ==>
         data_hole(head, end, n, size, p, tensor, other, expected, found); @/
    /@ assert inside: \forall integer p, tensor, other, expected, found;
         layout_empty_inside(entry, n, p, tensor, other, expected, found) ==>
         data_empty_inside(head, end, n, p, tensor, other, expected, found); @/
}

void assay_fields_judged(const uint8_t *head, uint64_t file_size, uint32_t end, uint32_t n, const assay_error *error)
{
}

void assay_order_judged(const uint8_t *head, uint32_t end, const assay_entry *entry, uint32_t n,
                        const uint32_t *order)
{
    /@ assert says: \forall integer i; 0 <= i < n ==> entry_says(entry + i, head, end, i); @/
    /@ assert begins: \forall integer i; 0 <= i < n ==> entry[i].begin == tensor_begin(head, end, i); @/
    /@ assert ends: \forall integer i; 0 <= i < n ==> entry[i].end == tensor_finish(head, end, i); @/
    /@ assert before: \forall integer i, j; 0 <= i < n && 0 <= j < n && layout_before(entry, i, j) ==>
          tensor_before(head, end, i, j); @/
    /@ assert places: \forall integer p; 0 <= p < n ==> 0 <= order[p] < n; @/
}

void assay_values_judged(const uint32_t *word, uint64_t words, const uint32_t *part, uint32_t n, const uint8_t *head,
                         uint32_t end)
{
    uint32_t k = 0;
    /@ loop invariant place: 0 <= k <= n;
       loop invariant inside: keys_inside(part, k, end);
       loop assigns k;
       loop variant n - k;
    @/
    while (k < n) {
        /@ assert same: part[k] == word[words - n + k]; @/
        /@ assert text: word[words - n + k] <= end; @/
        k++;
    }
    /@ assert place: \forall integer k; 0 <= k < n ==> part[n - 1 - k] == word[words - 1 - k]; @/
}

void assay_view_judged(const uint8_t *head, assay_counts counts, uint64_t size, const assay_workspace *w,
                       const assay_view *view)
{
    uint32_t *word = w->word;
    uint64_t words = w->words;
    uint32_t tensors = counts.tensors;
    uint32_t pairs = counts.pairs;
    assay_entry *entry = w->entry;
    /@ assert arrays: view_words(view, w->word, w->words); @/
    /@ assert by_name: \valid_read((word + 7 * pairs) + (0 .. tensors - 1)); @/
    /@ assert order: \valid_read((word + (7 * pairs + tensors)) + (0 .. tensors - 1)); @/
    /@ assert key: \valid_read(word + (0 .. pairs - 1)) && \valid_read((word + pairs) + (0 .. pairs - 1)); @/
    /@ assert value: \valid_read((word + (words - pairs)) + (0 .. pairs - 1)); @/
    assay_values_judged(word, words, view->value, pairs, head, counts.end);
    /@ assert ends: \forall integer i; 0 <= i < tensors ==> entry[i].end <= size; @/
    /@ assert valid: \forall integer i; 0 <= i < tensors && entry_ok(entry + i, counts.end) && entry[i].end <= size ==>
          valid_entry(entry + i, counts.end, size); @/
    /@ assert readable: readable_view(view); @/
    /@ assert sizes: 10 <= view->data_begin <= 100000008 && view->data_begin + view->data_size <= UINT64_MAX; @/
    /@ assert entries: valid_entries(view->entry, view->tensors, view->data_begin, view->data_size); @/
    /@ assert orders: words_below(view->order, view->tensors, view->tensors); @/
    /@ assert by_names: words_below(view->by_name, view->tensors, view->tensors); @/
    /@ assert keys: keys_inside(view->key, view->pairs, view->data_begin); @/
    /@ assert values: keys_inside(view->value, view->pairs, view->data_begin); @/
    /@ assert by_key: words_below(view->by_key, view->pairs, view->pairs); @/
    /@ assert counts: view->tensors < 16777215 && view->pairs < 16777215; @/
}

void assay_counts_single(const uint8_t *head, uint32_t end)
{
}

void assay_counts_bounded(const uint8_t *head, assay_counts counts, uint64_t keep)
{
    /@ assert length: header_length(head) == counts.end - 8; @/
    /@ assert third: 3 * words_for(counts.tensors, counts.pairs, keep) <= 4 * header_length(head); @/
}

void assay_verdict_single(const uint8_t *head, uint64_t file_size, uint32_t end, uint32_t pairs, uint32_t tensors)
{
    /@ assert names: \forall integer s, o, t, p; judged_names(head, end, pairs, tensors, s, o) &&
          judged_names(head, end, pairs, tensors, t, p) ==> s == t && o == p; @/
    /@ assert data: \forall integer s, o, t, p; judged_data(head, end, tensors, file_size - end, s, o) &&
          judged_data(head, end, tensors, file_size - end, t, p) ==> s == t && o == p; @/
}
*/
