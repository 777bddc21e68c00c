/* layout_steps.h: the walk in layout order, and what it shows of the bytes. Lemmas: the contracts of functions that do
 * nothing. layout_steps.c has them. */
#ifndef ASSAY_LAYOUT_STEPS_H
#define ASSAY_LAYOUT_STEPS_H

/*@ // The walk has passed a[0 .. k), in layout order. a[p - 1] is the last that has a byte; p is 0 if there is none.
    predicate layout_last{L}(assay_entry *e, uint32_t *a, integer k, integer p) =
        0 <= p <= k && (0 < p ==> filled(e, a[p - 1])) && (\forall integer q; p <= q < k ==> !filled(e, a[q]));

    // Where the walk stands behind it.
    logic integer layout_reach{L}(assay_entry *e, uint32_t *a, integer p) = p <= 0 ? 0 : e[a[p - 1]].end;

    // The tensor before that place, or none.
    logic integer layout_previous{L}(uint32_t *a, integer p) = p <= 0 ? 18446744073709551615 : a[p - 1];

    // Whatever has a byte ends before each later filled one begins.
    predicate layout_chain{L}(assay_entry *e, uint32_t *a, integer k) =
        \forall integer p, q; 0 <= p < q < k && filled(e, a[p]) && filled(e, a[q])
        ==> e[a[p]].end <= e[a[q]].begin;

    // None ends behind `at`.
    predicate layout_below{L}(assay_entry *e, uint32_t *a, integer k, integer at) =
        \forall integer q; 0 <= q < k && filled(e, a[q]) ==> e[a[q]].end <= at;

    // Byte b lies in one of them.
    predicate layout_covered{L}(assay_entry *e, uint32_t *a, integer k, integer b) =
        \exists integer q; 0 <= q < k && tensor_has(e, a[q], b);

    // Each byte below `at` lies in one of them and in no other; no other byte lies in them.
    predicate layout_walked{L}(assay_entry *e, uint32_t *a, integer k, integer at) =
        layout_chain(e, a, k) && layout_below(e, a, k, at) &&
        (\forall integer b; 0 <= b < at ==> layout_covered(e, a, k, b));

    // It has come to a[k], or to the end, and does not go on.
    predicate layout_stops{L}(assay_entry *e, uint32_t *a, integer n, integer size, integer k) =
        0 <= k <= n && (k < n ==> filled(e, a[k])) && \forall integer p; layout_last(e, a, k, p) ==>
        layout_walked(e, a, k, layout_reach(e, a, p)) &&
        (k < n ? e[a[k]].begin : size) != layout_reach(e, a, p);

    // Nothing, be it empty, begins before what is before it ends.
    predicate layout_clear{L}(assay_entry *e, uint32_t *a, integer k) =
        \forall integer p, q; 0 <= p < q < k && filled(e, a[p]) ==> e[a[p]].end <= e[a[q]].begin;
*/

/*@ ghost
// The walk has passed order[0 .. k) and come to the byte `at`; order[k] has a byte, or k is n. Then each byte before
// the next begin is as it should be.
/@ requires in_order: layout_order(entry, order, n);
   requires intervals: intervals(entry, n);
   requires walked: k <= n && layout_walked(entry, order, k, at);
   requires filled: k < n ==> filled(entry, order[k]);
   requires next: next <= at && (k < n ==> next <= entry[order[k]].begin);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures once: once_below(entry, n, next);
@/
void assay_layout_once(const assay_entry *entry, const uint32_t *order, uint32_t n, uint32_t k, uint64_t at,
                       uint64_t next);

// G4: where order[k] begins before the walk's place, its first byte lies in two tensors.
/@ requires in_order: layout_order(entry, order, n);
   requires intervals: intervals(entry, n);
   requires walked: k < n && layout_walked(entry, order, k, layout_reach(entry, order, last));
   requires last: layout_last(entry, order, k, last);
   requires filled: filled(entry, order[k]);
   requires back: entry[order[k]].begin < layout_reach(entry, order, last);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures twice: twice(entry, n, entry[order[k]].begin);
   ensures lapped: layout_overlap(entry, n, entry[order[k]].begin, order[k], layout_previous(order, last),
       layout_reach(entry, order, last), entry[order[k]].begin);
@/
void assay_layout_overlap(const assay_entry *entry, const uint32_t *order, uint32_t n, uint32_t k, uint32_t last);

// G5: where order[k], or the end of the data, is behind the walk's place, the byte there lies in no tensor.
/@ requires in_order: layout_order(entry, order, n);
   requires intervals: intervals(entry, n);
   requires walked: k <= n && layout_walked(entry, order, k, layout_reach(entry, order, last));
   requires last: layout_last(entry, order, k, last);
   requires filled: k < n ==> filled(entry, order[k]);
   requires gap: layout_reach(entry, order, last) < next;
   requires next: k < n ? next == entry[order[k]].begin : next == size;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures bare: !covered(entry, n, layout_reach(entry, order, last));
   ensures told: layout_hole(entry, n, size, layout_reach(entry, order, last),
       k < n ? order[k] : 18446744073709551615, layout_previous(order, last), layout_reach(entry, order, last), next);
@/
void assay_layout_hole(const assay_entry *entry, const uint32_t *order, uint32_t n, uint32_t k, uint32_t last,
                       uint64_t size, uint64_t next);

// G6: all is passed; order[k] is the first that is empty and begins before the end of one before it.
/@ requires in_order: layout_order(entry, order, n);
   requires intervals: intervals(entry, n);
   requires chain: layout_chain(entry, order, n) && layout_clear(entry, order, k);
   requires last: k < n && layout_last(entry, order, k, last);
   requires empty: !filled(entry, order[k]) && entry[order[k]].begin < layout_reach(entry, order, last);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures within: empty_within(entry, n, entry[order[k]].begin);
   ensures first: \forall integer p; p < entry[order[k]].begin ==> !empty_within(entry, n, p);
   ensures inner: layout_empty_inside(entry, n, entry[order[k]].begin, order[k], layout_previous(order, last),
       18446744073709551615, 18446744073709551615);
@/
void assay_layout_empty_inside(const assay_entry *entry, const uint32_t *order, uint32_t n, uint32_t k,
                               uint32_t last);

// The walk finds nothing wrong, and yet order[k] does not begin where it stands, or k is n and it does not end there:
// then order[k] is empty and begins before the end of one before it.
/@ requires in_order: layout_order(entry, order, n);
   requires intervals: intervals(entry, n) && layout_fits(entry, n, size);
   requires walked: layout_walked(entry, order, n, size);
   requires last: k <= n && layout_last(entry, order, k, last);
   requires apart: (k < n ? entry[order[k]].begin : size) != layout_reach(entry, order, last);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures empty: k < n && !filled(entry, order[k]) && entry[order[k]].begin < layout_reach(entry, order, last);
@/
void assay_layout_inside(const assay_entry *entry, const uint32_t *order, uint32_t n, uint32_t k, uint32_t last,
                         uint64_t size);

// Where all are linked, they are a partition.
/@ requires in_order: layout_order(entry, order, n);
   requires entries: \valid_read(entry + (0 .. n - 1)) && \valid_read(order + (0 .. n - 1));
   requires intervals: intervals(entry, n);
   requires linked: layout_linked(entry, order, n, size);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures partition: partition(entry, n, size);
@/
void assay_layout_partition(const assay_entry *entry, const uint32_t *order, uint32_t n, uint64_t size);

// Indices that differ are all indices.
/@ requires apart: distinct(a, n) && places(a, 0, n, n);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures permutation: permutation(a, n);
@/
void assay_order_all_there(const uint32_t *a, uint32_t n);
*/

#endif
