/* layout.c: does every byte of the data section belong to exactly one tensor? Rules G3 to G6. */
#include "core.h"

/* G3: the first in the header among the tensors with the largest end, if that is behind the data; n: it is not. */
/*@ requires entries: \valid_read(entry + (0 .. n - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns \nothing;
  @ ensures bounds: \result <= n;
  @ ensures fits: \result == n ==> layout_fits(entry, n, data_size);
  @ ensures truncated: \result < n ==> data_size < entry[\result].end &&
  @     layout_truncated(entry, n, data_size, \result, 18446744073709551615, entry[\result].end, data_size);
  @*/
static uint32_t layout_beyond(const assay_entry *entry, uint32_t n, uint64_t data_size)
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
    return n == 0 || entry[largest].end <= data_size ? n : largest;
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

/* G4, G5: the first in layout order that has a byte and does not begin where the one before it ends; n: the last one
 * does not end where the data ends; n + 1: there is no such place. */
/*@ requires small: n <= ASSAY_TENSORS_MAX;
  @ requires entries: \valid_read(entry + (0 .. n - 1)) && \valid_read(order + (0 .. n - 1));
  @ requires places: places(order, 0, n, n);
  @ terminates \true;
  @ exits \false;
  @ assigns \nothing;
  @ ensures bounds: \result <= n + 1;
  @ ensures broken: \result <= n ==> layout_stops(entry, order, n, data_size, \result);
  @ ensures whole: \result == n + 1 ==> layout_walked(entry, order, n, data_size);
  @*/
static uint32_t layout_break(const assay_entry *entry, const uint32_t *order, uint32_t n, uint64_t data_size)
{
    uint64_t at = 0;
    //@ ghost uint32_t last = 0;

    /*@ loop invariant bounds: 0 <= i <= n;
      @ loop invariant last: layout_last(entry, order, i, last) && at == layout_reach(entry, order, last);
      @ loop invariant below: layout_below(entry, order, i, at);
      @ loop invariant chain: layout_chain(entry, order, i);
      @ loop invariant covered: \forall integer b; 0 <= b < at ==> layout_covered(entry, order, i, b);
      @ loop assigns i, at, last;
      @ loop variant n - i;
      @*/
    for (uint32_t i = 0; i < n; i++) {
        if (entry[order[i]].begin < entry[order[i]].end) {
            if (entry[order[i]].begin != at) {
                //@ assert only: \forall integer p; layout_last(entry, order, i, p) ==> p == last;
                return i;
            }
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
    //@ assert only: \forall integer p; layout_last(entry, order, n, p) ==> p == last;
    return at == data_size ? n + 1 : n;
}

/* The first in layout order that does not begin where the one before it ends; n: the last one does not end where the
 * data ends; n + 1: there is no such place, all is well. */
/*@ requires small: n <= ASSAY_TENSORS_MAX;
  @ requires entries: \valid_read(entry + (0 .. n - 1)) && \valid_read(order + (0 .. n - 1));
  @ requires places: places(order, 0, n, n) && intervals(entry, n);
  @ terminates \true;
  @ exits \false;
  @ assigns \nothing;
  @ ensures bounds: \result <= n + 1;
  @ ensures linked: \result == n + 1 ==> layout_linked(entry, order, n, data_size);
  @ ensures clear: \result <= n ==> layout_clear(entry, order, \result);
  @ ensures apart: \result <= n ==> \forall integer p; layout_last(entry, order, \result, p) ==>
  @     (\result < n ? entry[order[\result]].begin : data_size) != layout_reach(entry, order, p);
  @*/
static uint32_t layout_unlinked(const assay_entry *entry, const uint32_t *order, uint32_t n, uint64_t data_size)
{
    uint64_t at = 0;
    //@ ghost uint32_t last = 0;

    /*@ loop invariant bounds: 0 <= i <= n;
      @ loop invariant linked: layout_linked(entry, order, i, at);
      @ loop invariant last: layout_last(entry, order, i, last) && at == layout_reach(entry, order, last);
      @ loop invariant below: layout_below(entry, order, i, at);
      @ loop invariant clear: layout_clear(entry, order, i);
      @ loop assigns i, at, last;
      @ loop variant n - i;
      @*/
    for (uint32_t i = 0; i < n; i++) {
        if (at != entry[order[i]].begin) {
            //@ assert only: \forall integer p; layout_last(entry, order, i, p) ==> p == last;
            return i;
        }
        //@ assert interval: entry[order[i]].begin <= entry[order[i]].end;
        //@ ghost if (at < entry[order[i]].end) last = i + 1;
        at = entry[order[i]].end;
        //@ assert last: layout_last(entry, order, i + 1, last);
    }
    //@ assert only: \forall integer p; layout_last(entry, order, n, p) ==> p == last;
    return at == data_size ? n + 1 : n;
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

/* Where the walk stands behind order[last - 1]. */
/*@ requires entries: \valid_read(entry + (0 .. n - 1)) && \valid_read(order + (0 .. n - 1));
  @ requires places: places(order, 0, n, n) && last <= n;
  @ terminates \true;
  @ exits \false;
  @ assigns \nothing;
  @ ensures reach: \result == layout_reach(entry, order, last);
  @*/
static uint64_t layout_reached(const assay_entry *entry, const uint32_t *order, uint32_t last)
/*@ ghost (uint32_t n) */
{
    return last > 0 ? entry[order[last - 1]].end : 0;
}

/* G4, G5: the walk stops before order[i], or at its end. */
/*@ requires entries: \valid_read(entry + (0 .. n - 1)) && \valid_read(order + (0 .. n - 1));
  @ requires in_order: layout_order(entry, order, n);
  @ requires intervals: intervals(entry, n) && layout_fits(entry, n, data_size);
  @ requires stops: layout_stops(entry, order, n, data_size, i);
  @ requires file: data_begin + data_size <= UINT64_MAX;
  @ requires room: \valid(error) && \separated(error, entry + (0 .. n - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns *error;
  @ ensures verdict: \result == ASSAY_E_OVERLAP || \result == ASSAY_E_HOLE;
  @ ensures status: error->status == \result;
  @ ensures judged: layout_judged{Old}(entry, n, data_begin, data_size, \result, error->offset);
  @ ensures overlap: \result == ASSAY_E_OVERLAP ==> layout_overlap{Old}(entry, n, error->offset - data_begin,
  @     error->tensor, error->other, error->expected, error->found);
  @ ensures hole: \result == ASSAY_E_HOLE ==> layout_hole{Old}(entry, n, data_size, error->offset - data_begin,
  @     error->tensor, error->other, error->expected, error->found);
  @*/
static assay_status layout_broken(const assay_entry *entry, const uint32_t *order, uint32_t n, uint32_t i,
                                  uint64_t data_begin, uint64_t data_size, assay_error *error)
{
    uint32_t last = layout_filled_before(entry, order, i) /*@ ghost (n) */;
    uint64_t at = layout_reached(entry, order, last) /*@ ghost (n) */;
    uint64_t begin = i < n ? entry[order[i]].begin : data_size;
    uint64_t tensor = i < n ? order[i] : ASSAY_NONE;
    uint64_t other = last > 0 ? order[last - 1] : ASSAY_NONE;

    //@ assert bounds: at <= data_size && begin <= data_size;
    if (begin < at) {
        //@ ghost assay_layout_once(entry, order, n, i, at, begin);
        //@ ghost assay_layout_overlap(entry, order, n, i, last);
        //@ assert judged: layout_judged(entry, n, data_begin, data_size, E_OVERLAP, data_begin + begin);
        return layout_error(error, ASSAY_E_OVERLAP, data_begin + begin, tensor, other, at, begin);
    }
    //@ ghost assay_layout_once(entry, order, n, i, at, at);
    //@ ghost assay_layout_hole(entry, order, n, i, last, data_size, begin);
    //@ assert judged: layout_judged(entry, n, data_begin, data_size, E_HOLE, data_begin + at);
    return layout_error(error, ASSAY_E_HOLE, data_begin + at, tensor, other, at, begin);
}

/* G6: order[i] is the first that does not begin where the one before it ends, but the walk finds nothing wrong. */
/*@ requires small: n <= ASSAY_TENSORS_MAX;
  @ requires entries: \valid_read(entry + (0 .. n - 1)) && \valid_read(order + (0 .. n - 1));
  @ requires in_order: layout_order(entry, order, n);
  @ requires intervals: intervals(entry, n) && layout_fits(entry, n, data_size);
  @ requires once: once_below(entry, n, data_size);
  @ requires walked: layout_walked(entry, order, n, data_size);
  @ requires clear: i <= n && layout_clear(entry, order, i);
  @ requires apart: \forall integer p; layout_last(entry, order, i, p) ==>
  @     (i < n ? entry[order[i]].begin : data_size) != layout_reach(entry, order, p);
  @ requires file: data_begin + data_size <= UINT64_MAX;
  @ requires room: \valid(error) && \separated(error, entry + (0 .. n - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns *error;
  @ ensures status: \result == error->status == ASSAY_E_EMPTY_INSIDE;
  @ ensures judged: layout_judged{Old}(entry, n, data_begin, data_size, E_EMPTY_INSIDE, error->offset);
  @ ensures inner: layout_empty_inside{Old}(entry, n, error->offset - data_begin,
  @     error->tensor, error->other, error->expected, error->found);
  @*/
static assay_status layout_enclosed(const assay_entry *entry, const uint32_t *order, uint32_t i, uint64_t data_begin,
                                    assay_error *error)
/*@ ghost (uint32_t n, uint64_t data_size) */
{
    uint32_t last = layout_filled_before(entry, order, i) /*@ ghost (n) */;
    //@ ghost assay_layout_inside(entry, order, n, i, last, data_size);
    uint64_t begin = entry[order[i]].begin;

    //@ ghost assay_layout_empty_inside(entry, order, n, i, last);
    //@ assert around: 0 < last <= n && order[last - 1] < n;
    //@ assert judged: layout_judged(entry, n, data_begin, data_size, E_EMPTY_INSIDE, data_begin + begin);
    return layout_error(error, ASSAY_E_EMPTY_INSIDE, data_begin + begin, order[i], order[last - 1], ASSAY_NONE,
                        ASSAY_NONE);
}

assay_status assay_layout(const assay_entry *entry, const uint32_t *order, uint32_t n, uint64_t data_begin,
                          uint64_t data_size, assay_error *error)
{
    uint32_t unlinked = layout_unlinked(entry, order, n, data_size);

    if (unlinked > n) {
        //@ ghost assay_layout_partition(entry, order, n, data_size);
        return ASSAY_OK;
    }
    uint32_t i = layout_beyond(entry, n, data_size);
    if (i < n) {
        //@ assert judged: layout_judged(entry, n, data_begin, data_size, E_TRUNCATED, data_begin + data_size);
        return layout_error(error, ASSAY_E_TRUNCATED, data_begin + data_size, i, ASSAY_NONE, entry[i].end, data_size);
    }
    i = layout_break(entry, order, n, data_size);
    if (i <= n)
        return layout_broken(entry, order, n, i, data_begin, data_size, error);
    //@ ghost assay_layout_once(entry, order, n, n, data_size, data_size);
    return layout_enclosed(entry, order, unlinked, data_begin, error) /*@ ghost (n, data_size) */;
}
