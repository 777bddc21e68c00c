/* layout_steps.c: from the walk in layout order to the bytes of the data section. Ghost functions, no code. */
#include "core.h"

/*@ ghost
/@ requires apart: distinct(a, n);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures one: among(a, 0, n, m) ==> order_fewer(a, n, m + 1) == order_fewer(a, n, m) + 1;
   ensures none: !among(a, 0, n, m) ==> order_fewer(a, n, m + 1) == order_fewer(a, n, m);
@/
static void order_fewer_step(const uint32_t *a, uint32_t n, uint32_t m)
{
    /@ loop invariant bounds: 0 <= k <= n;
       loop invariant one: among(a, 0, k, m) ==> order_fewer(a, k, m + 1) == order_fewer(a, k, m) + 1;
       loop invariant none: !among(a, 0, k, m) ==> order_fewer(a, k, m + 1) == order_fewer(a, k, m);
       loop assigns k;
       loop variant n - k;
    @/
    for (uint32_t k = 0; k < n; k++) {
        /@ assert last: among(a, 0, k + 1, m) <==> among(a, 0, k, m) || a[k] == m; @/
        /@ assert once: a[k] == m ==> !among(a, 0, k, m); @/
    }
}

/@ requires all: places(a, 0, n, n);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures none: order_fewer(a, n, 0) == 0;
   ensures all: order_fewer(a, n, n) == n;
@/
static void order_fewer_ends(const uint32_t *a, uint32_t n)
{
    /@ loop invariant bounds: 0 <= k <= n && order_fewer(a, k, 0) == 0 && order_fewer(a, k, n) == k;
       loop assigns k;
       loop variant n - k;
    @/
    for (uint32_t k = 0; k < n; k++) {
        /@ assert here: a[k] < n; @/
    }
}

/@ requires apart: distinct(a, n) && places(a, 0, n, n);
   requires value: v < n;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures there: among(a, 0, n, v);
@/
static void order_one_there(const uint32_t *a, uint32_t n, uint32_t v)
{
    order_fewer_ends(a, n);
    /@ loop invariant bounds: 0 <= m <= n && order_fewer(a, n, m) <= m;
       loop invariant less: m > v && !among(a, 0, n, v) ==> order_fewer(a, n, m) < m;
       loop assigns m;
       loop variant n - m;
    @/
    for (uint32_t m = 0; m < n; m++)
        order_fewer_step(a, n, m);
}

void assay_order_all_there(const uint32_t *a, uint32_t n)
{
    /@ loop invariant bounds: 0 <= v <= n;
       loop invariant there: \forall integer u; 0 <= u < v ==> among(a, 0, n, u);
       loop assigns v;
       loop variant n - v;
    @/
    for (uint32_t v = 0; v < n; v++)
        order_one_there(a, n, v);
}

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

void assay_layout_inside(const assay_entry *entry, const uint32_t *order, uint32_t n, uint32_t k, uint32_t last,
                         uint64_t size)
{
    /@ assert rank: \forall integer i, j; 0 <= i < n && 0 <= j < n && layout_before(entry, i, j)
          ==> entry[i].begin <= entry[j].begin; @/
    /@ assert behind: \forall integer q; k < q < n ==> layout_before(entry, order[k], order[q]); @/
    /@ assert later: \forall integer q; k <= q < n ==> entry[order[k]].begin <= entry[order[q]].begin; @/
    /@ assert chain: \forall integer q; 0 <= q < k && filled(entry, order[q])
          ==> entry[order[q]].end <= layout_reach(entry, order, last); @/
    /@ assert bounds: layout_reach(entry, order, last) <= size; @/
    /@ assert bare: layout_reach(entry, order, last) < (k < n ? entry[order[k]].begin : size)
          ==> !layout_covered(entry, order, n, layout_reach(entry, order, last)); @/
    /@ assert below: (k < n ? entry[order[k]].begin : size) < layout_reach(entry, order, last); @/
}

void assay_layout_partition(const assay_entry *entry, const uint32_t *order, uint32_t n, uint64_t size)
{
    uint64_t at = 0;
    /@ assert places: \forall integer p; 0 <= p < n ==> 0 <= order[p] < n; @/
    /@ loop invariant place: 0 <= k <= n && layout_linked(entry, order, k, at);
       loop invariant apart: \forall integer p, q; 0 <= p < q < k ==> entry[order[p]].end <= entry[order[q]].begin;
       loop invariant below: \forall integer p; 0 <= p < k ==> entry[order[p]].end <= at;
       loop invariant covered: \forall integer b; 0 <= b < at ==> layout_covered(entry, order, k, b);
       loop assigns k, at;
       loop variant n - k;
    @/
    for (uint32_t k = 0; k < n; k++) {
        /@ assert begins: entry[order[k]].begin == at; @/
        /@ assert fills: \forall integer b; at <= b < entry[order[k]].end ==> tensor_has(entry, order[k], b); @/
        /@ assert more: \forall integer b; layout_covered(entry, order, k, b)
              ==> layout_covered(entry, order, k + 1, b); @/
        /@ assert here: \forall integer b; tensor_has(entry, order[k], b)
              ==> layout_covered(entry, order, k + 1, b); @/
        at = entry[order[k]].end;
    }
    /@ assert reach: at == size; @/
    /@ assert fits: \forall integer i; among(order, 0, n, i) ==> entry[i].end <= size; @/
    /@ assert covered: \forall integer b; layout_covered(entry, order, n, b) ==> covered(entry, n, b); @/
    /@ assert alone: \forall integer p, q, b; 0 <= p < q < n && tensor_has(entry, order[p], b)
          ==> !tensor_has(entry, order[q], b); @/
    /@ assert single: \forall integer i, j, b; among(order, 0, n, i) && among(order, 0, n, j) &&
          tensor_has(entry, i, b) && tensor_has(entry, j, b) ==> i == j; @/
    /@ assert clear: \forall integer p, q; 0 <= p < q < n ==>
          !begins_inside(entry, order[p], order[q]) && !begins_inside(entry, order[q], order[p]); @/
    /@ assert outside: \forall integer i, j; among(order, 0, n, i) && among(order, 0, n, j)
          ==> !begins_inside(entry, i, j); @/
}
*/
