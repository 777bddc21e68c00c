/* layout_steps.c: from the walk in layout order to the bytes of the data section. Ghost functions, no code. */
#include "layout_steps.h"

/*@ ghost
void assay_layout_once(const assay_entry *entry, const uint32_t *order, uint32_t n, uint32_t k, uint64_t at,
                         uint64_t next)
{
    /@ assert covered: \forall integer b; layout_covered(entry, order, k, b) ==> covered(entry, n, b); @/
    /@ assert rank: \forall integer i, j; 0 <= i < n && 0 <= j < n && layout_before(entry, i, j)
          ==> entry[i].begin <= entry[j].begin; @/
    /@ assert places: \forall integer p; 0 <= p < n ==> 0 <= order[p] < n; @/
    /@ assert ascends: \forall integer p, q; 0 <= p < q < n ==> layout_before(entry, order[p], order[q]); @/
    /@ assert sorted: \forall integer p, q; 0 <= p < q < n
          ==> entry[order[p]].begin <= entry[order[q]].begin; @/
    /@ assert behind: \forall integer p, b; k <= p < n && b < next ==> !tensor_has(entry, order[p], b); @/
    /@ assert alone: \forall integer p, q, b; 0 <= p < q < n && b < next && tensor_has(entry, order[p], b)
          ==> !tensor_has(entry, order[q], b); @/
    /@ assert single: \forall integer i, j, b; among(order, 0, n, i) && among(order, 0, n, j) && b < next &&
          tensor_has(entry, i, b) && tensor_has(entry, j, b) ==> i == j; @/
}

void assay_layout_overlap(const assay_entry *entry, const uint32_t *order, uint32_t n, uint32_t k, uint32_t last)
{
    /@ assert before: layout_before(entry, order[last - 1], order[k]); @/
    /@ assert both: tensor_has(entry, order[last - 1], entry[order[k]].begin) &&
          tensor_has(entry, order[k], entry[order[k]].begin); @/
    /@ assert walked: \forall integer q; 0 <= q < k && tensor_has(entry, order[q], entry[order[k]].begin)
          ==> order[q] == order[last - 1]; @/
    /@ assert behind: \forall integer q; k < q < n ==> layout_before(entry, order[k], order[q]); @/
    /@ assert each: \forall integer i; among(order, 0, n, i) && tensor_has(entry, i, entry[order[k]].begin)
          ==> i == order[last - 1] || i == order[k] || layout_before(entry, order[k], i); @/
}

void assay_layout_hole(const assay_entry *entry, const uint32_t *order, uint32_t n, uint32_t k, uint32_t last,
                         uint64_t size, uint64_t next)
{
    /@ assert behind: \forall integer q; k < q < n ==> layout_before(entry, order[k], order[q]); @/
    /@ assert later: \forall integer q; k < q < n ==> entry[order[k]].begin <= entry[order[q]].begin; @/
    /@ assert none: \forall integer q; 0 <= q < n
          ==> !tensor_has(entry, order[q], layout_reach(entry, order, last)); @/
    /@ assert each: \forall integer i; among(order, 0, n, i)
          ==> !tensor_has(entry, i, layout_reach(entry, order, last)); @/
    /@ assert first: \forall integer i; among(order, 0, n, i) && filled(entry, i) &&
          layout_reach(entry, order, last) < entry[i].end ==>
          k < n && (i == order[k] || layout_before(entry, order[k], i)); @/
}

void assay_layout_empty_inside(const assay_entry *entry, const uint32_t *order, uint32_t n, uint32_t k, uint32_t
                                 last)
{
    /@ assert before: layout_before(entry, order[last - 1], order[k]); @/
    /@ assert around: begins_inside(entry, order[k], order[last - 1]); @/
    /@ assert sorted: \forall integer p, q; 0 <= p < q < n ==> layout_before(entry, order[p], order[q]); @/
    /@ assert begins: \forall integer p, q; 0 <= p < q < n ==> entry[order[p]].begin <= entry[order[q]].begin; @/
    /@ assert early: \forall integer p, q; 0 <= p < k && 0 <= q < n ==>
          !begins_inside(entry, order[p], order[q]); @/
    /@ assert late: \forall integer p; k <= p < n ==> entry[order[k]].begin <= entry[order[p]].begin; @/
    /@ assert least: \forall integer p, q; 0 <= p < n && 0 <= q < n &&
          begins_inside(entry, order[p], order[q]) ==> entry[order[k]].begin <= entry[order[p]].begin; @/
    /@ assert empty: entry[order[k]].begin == entry[order[k]].end; @/
    /@ assert lower: \forall integer i; 0 <= i < order[k] && entry[i].begin == entry[i].end &&
          entry[i].begin == entry[order[k]].begin ==> layout_before(entry, i, order[k]); @/
    /@ assert behind: \forall integer p; k < p < n ==> layout_before(entry, order[k], order[p]); @/
    /@ assert lowest: \forall integer p; k <= p < n ==> !layout_before(entry, order[p], order[k]); @/
    /@ assert ahead: \forall integer p; 0 <= p < k && entry[order[p]].begin == entry[order[p]].end ==>
          entry[order[p]].begin != entry[order[k]].begin; @/
    /@ assert least_of: \forall integer i, j; among(order, 0, n, i) && among(order, 0, n, j) &&
          begins_inside(entry, i, j) ==> entry[order[k]].begin <= entry[i].begin; @/
    /@ assert ahead_of: \forall integer i; among(order, 0, n, i) && layout_before(entry, i, order[k]) &&
          entry[i].begin == entry[i].end ==> entry[i].begin != entry[order[k]].begin; @/
}

void assay_layout_partition(const assay_entry *entry, const uint32_t *order, uint32_t n, uint64_t size)
{
    /@ assert pairs: \forall integer i, j, b; 0 <= i < j < n && tensor_has(entry, i, b) &&
          tensor_has(entry, j, b) ==> 0 <= b < size && twice(entry, n, b); @/
    /@ assert single: \forall integer i, j, b; 0 <= i < j < n && tensor_has(entry, i, b)
          ==> !tensor_has(entry, j, b); @/
    /@ assert rank: \forall integer i, j; 0 <= i < n && 0 <= j < n && layout_before(entry, i, j)
          ==> entry[i].begin <= entry[j].begin; @/
    /@ assert places: \forall integer p; 0 <= p < n ==> 0 <= order[p] < n; @/
    /@ assert ascends: \forall integer p, q; 0 <= p < q < n ==> layout_before(entry, order[p], order[q]); @/
    /@ assert sorted: \forall integer p, q; 0 <= p < q < n
          ==> entry[order[p]].begin <= entry[order[q]].begin; @/
    /@ assert apart: \forall integer p, q; 0 <= p < n && 0 <= q < n ==>
          !begins_inside(entry, order[p], order[q]); @/
    /@ assert outside: \forall integer i, j; among(order, 0, n, i) && among(order, 0, n, j)
          ==> !begins_inside(entry, i, j); @/
}
*/
