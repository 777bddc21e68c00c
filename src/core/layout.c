/* layout.c: does every byte of the data section belong to exactly one tensor? Rules G3 to G6. */
#include "core.h"

/* The first in the header among the tensors with the largest end; 0 if there are no tensors. */
/*@ requires entries: \valid_read(entry + (0 .. n - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns \nothing;
  @ ensures bounds: \result < n || n == 0 == \result;
  @ ensures largest: \forall integer i; 0 <= i < n ==> entry[i].end <= entry[\result].end;
  @ ensures first: \forall integer i; 0 <= i < \result ==> entry[i].end < entry[\result].end;
  @*/
static uint32_t layout_farthest(const assay_entry *entry, uint32_t n)
{
    uint32_t largest = 0;

    /*@ loop invariant bounds: 0 <= i <= n && (largest < i || i == 0 == largest);
      @ loop invariant largest: \forall integer p; 0 <= p < i ==> entry[p].end <= entry[largest].end;
      @ loop invariant first: \forall integer p; 0 <= p < largest ==> entry[p].end < entry[largest].end;
      @ loop assigns i, largest;
      @ loop variant n - i;
      @*/
    for (uint32_t i = 0; i < n; i++) {
        if (entry[i].end > entry[largest].end)
            largest = i;
    }
    return largest;
}

/*@ // Whatever has a byte of a[0 .. k) ends before each later filled one begins.
  @ predicate layout_chain{L}(assay_entry *e, uint32_t *a, integer k) =
  @     \forall integer p, q; 0 <= p < q < k && filled(e, a[p]) && filled(e, a[q])
  @     ==> e[a[p]].end <= e[a[q]].begin;
  @ // Byte b lies in one of a[0 .. k).
  @ predicate layout_covered{L}(assay_entry *e, uint32_t *a, integer k, integer b) =
  @     \exists integer p; 0 <= p < k && tensor_has(e, a[p], b);
  @*/

/* The first in layout order that has a byte and does not begin where the one before it ends; n: none. */
/*@ requires entries: \valid_read(entry + (0 .. n - 1)) && \valid_read(order + (0 .. n - 1));
  @ requires places: places(order, 0, n, n);
  @ terminates \true;
  @ exits \false;
  @ assigns \nothing;
  @ ensures bounds: \result <= n;
  @ ensures linked: \forall integer k; 0 <= k < \result ==> layout_linked(entry, order, k);
  @ ensures broken: \result < n ==> filled(entry, order[\result]) && !layout_linked(entry, order, \result);
  @ ensures last: \exists integer p; layout_last(entry, order, \result, p);
  @ ensures below: \forall integer p, q; layout_last(entry, order, \result, p) && 0 <= q < \result &&
  @     filled(entry, order[q]) ==> entry[order[q]].end <= layout_reach(entry, order, p);
  @ ensures chain: layout_chain(entry, order, \result);
  @ ensures covered: \forall integer p, b; layout_last(entry, order, \result, p) &&
  @     0 <= b < layout_reach(entry, order, p) ==> layout_covered(entry, order, \result, b);
  @*/
static uint32_t layout_break(const assay_entry *entry, const uint32_t *order, uint32_t n)
{
    uint64_t at = 0;
    //@ ghost uint32_t last = 0;

    /*@ loop invariant bounds: 0 <= i <= n;
      @ loop invariant last: layout_last(entry, order, i, last) && at == layout_reach(entry, order, last);
      @ loop invariant linked: \forall integer k; 0 <= k < i ==> layout_linked(entry, order, k);
      @ loop invariant below: \forall integer p; 0 <= p < i && filled(entry, order[p])
      @     ==> entry[order[p]].end <= at;
      @ loop invariant chain: layout_chain(entry, order, i);
      @ loop invariant covered: \forall integer b; 0 <= b < at ==> layout_covered(entry, order, i, b);
      @ loop assigns i, at, last;
      @ loop variant n - i;
      @*/
    for (uint32_t i = 0; i < n; i++) {
        if (entry[order[i]].begin < entry[order[i]].end) {
            if (entry[order[i]].begin != at)
                return i;
            /*@ assert fills: \forall integer b; at <= b < entry[order[i]].end
                    ==> tensor_has(entry, order[i], b); */
            at = entry[order[i]].end;
            //@ ghost last = i + 1;
            //@ assert last: layout_last(entry, order, i + 1, last);
        }
        /*@ assert more: \forall integer b; layout_covered(entry, order, i, b)
                ==> layout_covered(entry, order, i + 1, b); */
        /*@ assert here: \forall integer b; tensor_has(entry, order[i], b)
                ==> layout_covered(entry, order, i + 1, b); */
    }
    return n;
}

/* The first in layout order that is empty and begins before the end of one before it, where the others form
 * a chain: only the last of those can be around it. n: none. */
/*@ requires entries: \valid_read(entry + (0 .. n - 1)) && \valid_read(order + (0 .. n - 1));
  @ requires places: places(order, 0, n, n);
  @ requires chain: layout_chain(entry, order, n);
  @ terminates \true;
  @ exits \false;
  @ assigns \nothing;
  @ ensures bounds: \result <= n;
  @ ensures outside: \forall integer k; 0 <= k < \result ==> layout_outside(entry, order, k);
  @ ensures inside: \result < n ==> \exists integer p; layout_encloses(entry, order, n, \result, p);
  @ ensures clear: \forall integer p, q; 0 <= p < q < \result && filled(entry, order[p])
  @     ==> entry[order[p]].end <= entry[order[q]].begin;
  @*/
static uint32_t layout_inside(const assay_entry *entry, const uint32_t *order, uint32_t n)
{
    uint64_t at = 0;
    //@ ghost uint32_t last = 0;

    /*@ loop invariant bounds: 0 <= i <= n;
      @ loop invariant last: layout_last(entry, order, i, last) && at == layout_reach(entry, order, last);
      @ loop invariant outside: \forall integer k; 0 <= k < i ==> layout_outside(entry, order, k);
      @ loop invariant below: \forall integer p; 0 <= p < i && filled(entry, order[p])
      @     ==> entry[order[p]].end <= at;
      @ loop invariant clear: \forall integer p, q; 0 <= p < q < i && filled(entry, order[p])
      @     ==> entry[order[p]].end <= entry[order[q]].begin;
      @ loop assigns i, at, last;
      @ loop variant n - i;
      @*/
    for (uint32_t i = 0; i < n; i++) {
        if (entry[order[i]].begin < entry[order[i]].end) {
            at = entry[order[i]].end;
            //@ ghost last = i + 1;
            //@ assert last: layout_last(entry, order, i + 1, last);
        } else if (entry[order[i]].begin < at) {
            //@ assert encloses: layout_encloses(entry, order, n, i, last);
            return i;
        }
        //@ assert last: layout_last(entry, order, i + 1, last);
    }
    return n;
}

/* The last of order[0 .. k) that has a byte is order[result - 1]; 0: there is none. */
/*@ requires entries: \valid_read(entry + (0 .. n - 1)) && \valid_read(order + (0 .. n - 1));
  @ requires places: places(order, 0, n, n) && k <= n;
  @ terminates \true;
  @ exits \false;
  @ assigns \nothing;
  @ ensures last: layout_last(entry, order, k, \result);
  @*/
static uint32_t layout_filled_before(const assay_entry *entry, const uint32_t *order, uint32_t k)
/*@ ghost (uint32_t n) */
{
    /*@ loop invariant bounds: 0 <= i <= k;
      @ loop invariant empty: \forall integer q; i <= q < k ==> !filled(entry, order[q]);
      @ loop assigns i;
      @ loop variant i;
      @*/
    for (uint32_t i = k; i > 0; i--) {
        if (entry[order[i - 1]].begin < entry[order[i - 1]].end)
            return i;
    }
    return 0;
}

/* Where the walk stands before order[k]. */
/*@ requires entries: \valid_read(entry + (0 .. n - 1)) && \valid_read(order + (0 .. n - 1));
  @ requires places: places(order, 0, n, n) && k <= n;
  @ terminates \true;
  @ exits \false;
  @ assigns \nothing;
  @ ensures reach: \forall integer p; layout_last(entry, order, k, p)
  @     ==> \result == layout_reach(entry, order, p);
  @ ensures exists: \exists integer p; layout_last(entry, order, k, p);
  @*/
static uint64_t layout_reached(const assay_entry *entry, const uint32_t *order, uint32_t k)
/*@ ghost (uint32_t n) */
{
    uint32_t last = layout_filled_before(entry, order, k) /*@ ghost (n) */;

    //@ assert only: \forall integer p; layout_last(entry, order, k, p) ==> p == last;
    return last > 0 ? entry[order[last - 1]].end : 0;
}

/* The tensor there, or none. */
/*@ requires entries: \valid_read(entry + (0 .. n - 1)) && \valid_read(order + (0 .. n - 1));
  @ requires places: places(order, 0, n, n) && k <= n;
  @ terminates \true;
  @ exits \false;
  @ assigns \nothing;
  @ ensures previous: \forall integer p; layout_last(entry, order, k, p)
  @     ==> \result == layout_previous(order, p);
  @*/
static uint64_t layout_left(const assay_entry *entry, const uint32_t *order, uint32_t k)
/*@ ghost (uint32_t n) */
{
    uint32_t last = layout_filled_before(entry, order, k) /*@ ghost (n) */;

    //@ assert only: \forall integer p; layout_last(entry, order, k, p) ==> p == last;
    return last > 0 ? order[last - 1] : ASSAY_NONE;
}

/*@ requires room: \valid(error);
  @ terminates \true;
  @ exits \false;
  @ assigns *error;
  @ ensures result: \result == status;
  @ ensures what: error->status == status && error->offset == offset;
  @ ensures who: error->tensor == tensor && error->other == other;
  @ ensures why: error->expected == expected && error->found == found;
  @*/
static assay_status layout_error(assay_error *error, uint32_t status, uint64_t offset, uint64_t tensor,
                                 uint64_t other, uint64_t expected, uint64_t found)
{
    error->status = status;
    error->offset = offset;
    error->tensor = tensor;
    error->other = other;
    error->expected = expected;
    error->found = found;
    return status;
}

/* G4, G5: the chain breaks before order[i], or at the end of the data. */
/*@ requires entries: \valid_read(entry + (0 .. n - 1)) && \valid_read(order + (0 .. n - 1));
  @ requires places: places(order, 0, n, n) && i <= n;
  @ requires file: data_begin + data_size <= UINT64_MAX;
  @ requires intervals: intervals(entry, n) && layout_fits(entry, n, data_size);
  @ requires stops: i < n ==> filled(entry, order[i]);
  @ requires differ: \forall integer p; layout_last(entry, order, i, p)
  @     ==> layout_next(entry, order, n, data_size, i) != layout_reach(entry, order, p);
  @ requires room: \valid(error) && \separated(error, entry + (0 .. n - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns *error;
  @ ensures verdict: \result == ASSAY_E_OVERLAP || \result == ASSAY_E_HOLE;
  @ ensures status: error->status == \result;
  @ ensures told: \forall integer p; layout_last{Old}(entry, order, i, p)
  @     ==> layout_told{Old}(entry, order, n, data_begin, data_size, i, p, \result, error->offset,
  @         error->tensor, error->other, error->expected, error->found);
  @*/
static assay_status layout_broken(const assay_entry *entry, const uint32_t *order, uint32_t n, uint32_t i,
                                  uint64_t data_begin, uint64_t data_size, assay_error *error)
{
    uint64_t at = layout_reached(entry, order, i) /*@ ghost (n) */;
    uint64_t other = layout_left(entry, order, i) /*@ ghost (n) */;
    uint64_t begin = i < n ? entry[order[i]].begin : data_size;
    uint64_t tensor = i < n ? order[i] : ASSAY_NONE;

    //@ assert bounds: at <= data_size && begin <= data_size;
    if (begin < at)
        return layout_error(error, ASSAY_E_OVERLAP, data_begin + begin, tensor, other, at, begin);
    return layout_error(error, ASSAY_E_HOLE, data_begin + at, tensor, other, at, begin);
}

/* What the walks leave is a partition. */
/*@ ghost
  /@ requires in_order: layout_order(entry, order, n);
   @ requires inside: \forall integer i; 0 <= i < n ==> entry[i].end <= size;
   @ requires clear: \forall integer p, q; 0 <= p < q < n && filled(entry, order[p])
   @     ==> entry[order[p]].end <= entry[order[q]].begin;
   @ requires covered: \forall integer b; 0 <= b < size ==> layout_covered(entry, order, n, b);
   @ terminates \true;
   @ exits \false;
   @ assigns \nothing;
   @ ensures partition: partition(entry, n, size);
   @/
  void layout_partition(const assay_entry *entry, const uint32_t *order, uint32_t n, uint64_t size)
  {
    /@ assert covers: \forall integer b; layout_covered(entry, order, n, b) ==> covered(entry, n, b); @/
    /@ assert covered: \forall integer b; 0 <= b < size ==> covered(entry, n, b); @/
    /@ assert once: \forall integer p, q, b; 0 <= p < n && 0 <= q < n && tensor_has(entry, order[p], b) &&
          tensor_has(entry, order[q], b) ==> p == q; @/
    /@ assert single: \forall integer i, j, b; among(order, 0, n, i) && among(order, 0, n, j) &&
          tensor_has(entry, i, b) && tensor_has(entry, j, b) ==> i == j; @/
    /@ assert sorted: \forall integer p, q; 0 <= p < q < n
        ==> entry[order[p]].begin <= entry[order[q]].begin; @/
    /@ assert apart: \forall integer p, q; 0 <= p < n && 0 <= q < n ==>
          !begins_inside(entry, order[p], order[q]); @/
    /@ assert outside: \forall integer i, j; among(order, 0, n, i) && among(order, 0, n, j)
          ==> !begins_inside(entry, i, j); @/
    return;
  }
*/

/* Where the walk stops early, there is no partition: a byte is in no tensor, or in two. */
/*@ ghost
  /@ requires in_order: layout_order(entry, order, n);
   @ requires intervals: intervals(entry, n) && layout_fits(entry, n, size);
   @ requires stops: \exists integer p; layout_stops(entry, order, n, size, k, p);
   @ requires below: \forall integer p, q; layout_last(entry, order, k, p) && 0 <= q < k &&
   @     filled(entry, order[q]) ==> entry[order[q]].end <= layout_reach(entry, order, p);
   @ terminates \true;
   @ exits \false;
   @ assigns \nothing;
   @ ensures none: !partition(entry, n, size);
   @/
  void layout_no_chain(const assay_entry *entry, const uint32_t *order, uint32_t n, uint64_t size, uint32_t k)
  {
    /@ assert once: partition(entry, n, size) ==> \forall integer p, q, b; 0 <= p < n && 0 <= q < n &&
          tensor_has(entry, order[p], b) && tensor_has(entry, order[q], b) ==> order[p] == order[q]; @/
    /@ assert begins: \forall integer i, j; 0 <= i < n && 0 <= j < n && layout_before(entry, i, j)
          ==> entry[i].begin <= entry[j].begin; @/
    /@ assert begin: \forall integer p, q; 0 <= p < q < n ==> layout_before(entry, order[p], order[q]) &&
          entry[order[p]].begin <= entry[order[q]].begin; @/
    /@ assert back: \forall integer p; layout_stops(entry, order, n, size, k, p) && k < n &&
          entry[order[k]].begin < layout_reach(entry, order, p) ==> 1 <= p <= k; @/
    /@ assert lap: \forall integer p; layout_stops(entry, order, n, size, k, p) && k < n &&
          entry[order[k]].begin < layout_reach(entry, order, p) ==>
          layout_before(entry, order[p - 1], order[k]) &&
          tensor_has(entry, order[p - 1], entry[order[k]].begin) &&
          tensor_has(entry, order[k], entry[order[k]].begin) && order[p - 1] != order[k]; @/
    /@ assert no_overlap: partition(entry, n, size) ==> \forall integer p;
          layout_stops(entry, order, n, size, k, p) && k < n ==>
          layout_reach(entry, order, p) <= entry[order[k]].begin; @/
    /@ assert passed: \forall integer p, q; layout_stops(entry, order, n, size, k, p) && 0 <= q < k ==>
          !tensor_has(entry, order[q], layout_reach(entry, order, p)); @/
    /@ assert ahead: \forall integer p, q; layout_stops(entry, order, n, size, k, p) && k <= q < n &&
          layout_reach(entry, order, p) < entry[order[k]].begin ==>
          (q == k || layout_before(entry, order[k], order[q])) &&
          !tensor_has(entry, order[q], layout_reach(entry, order, p)); @/
    /@ assert uncovered: \forall integer p, i; layout_stops(entry, order, n, size, k, p) &&
          layout_reach(entry, order, p) < layout_next(entry, order, n, size, k) && among(order, 0, n, i) ==>
          !tensor_has(entry, i, layout_reach(entry, order, p)); @/
    /@ assert bare: \forall integer p; layout_stops(entry, order, n, size, k, p) &&
          layout_reach(entry, order, p) < layout_next(entry, order, n, size, k) ==>
          !covered(entry, n, layout_reach(entry, order, p)); @/
    /@ assert inner: \forall integer p; layout_stops(entry, order, n, size, k, p) &&
          layout_reach(entry, order, p) < layout_next(entry, order, n, size, k) ==>
          0 <= layout_reach(entry, order, p) < size; @/
    return;
  }
*/

/* Where an empty tensor begins before the end of one before it, there is no partition. */
/*@ ghost
  /@ requires in_order: layout_order(entry, order, n);
   @ requires intervals: intervals(entry, n);
   @ requires inside: \exists integer p; layout_encloses(entry, order, n, k, p);
   @ terminates \true;
   @ exits \false;
   @ assigns \nothing;
   @ ensures none: !partition(entry, n, size);
   @/
  void layout_no_room(const assay_entry *entry, const uint32_t *order, uint32_t n, uint64_t size, uint32_t k)
  {
    /@ assert inside: \forall integer p; layout_encloses(entry, order, n, k, p) ==>
          layout_before(entry, order[p - 1], order[k]) && begins_inside(entry, order[k], order[p - 1]); @/
    return;
  }
*/

assay_status assay_layout(const assay_entry *entry, const uint32_t *order, uint32_t n, uint64_t data_begin,
                          uint64_t data_size, assay_error *error)
{
    uint32_t i = layout_farthest(entry, n);

    if (i < n && entry[i].end > data_size)
        return layout_error(error, ASSAY_E_TRUNCATED, data_begin + data_size, i, ASSAY_NONE, entry[i].end,
                            data_size);
    i = layout_break(entry, order, n);
    if (i < n || layout_reached(entry, order, n) /*@ ghost (n) */ != data_size) {
        /*@ assert differ: \forall integer p; layout_last(entry, order, i, p)
                ==> layout_next(entry, order, n, data_size, i) != layout_reach(entry, order, p); */
        /*@ assert stop: \forall integer p; layout_last(entry, order, i, p)
                ==> layout_stops(entry, order, n, data_size, i, p); */
        //@ assert stops: \exists integer p; layout_stops(entry, order, n, data_size, i, p);
        //@ ghost layout_no_chain(entry, order, n, data_size, i);
        return layout_broken(entry, order, n, i, data_begin, data_size, error);
    }
    i = layout_inside(entry, order, n);
    if (i < n) {
        //@ ghost layout_no_room(entry, order, n, data_size, i);
        return layout_error(error, ASSAY_E_EMPTY_INSIDE, data_begin + entry[order[i]].begin, order[i],
                            layout_left(entry, order, i) /*@ ghost (n) */, ASSAY_NONE, ASSAY_NONE);
    }
    //@ assert covered: \forall integer b; 0 <= b < data_size ==> layout_covered(entry, order, n, b);
    //@ ghost layout_partition(entry, order, n, data_size);
    return ASSAY_OK;
}
