/* layout.h: the data section. A part of core.h. */
#ifndef ASSAY_LAYOUT_H
#define ASSAY_LAYOUT_H

#ifdef __FRAMAC__
#include "layout.acsl"
#include "order.acsl"
#endif

/*@ // Each of a[0 .. n) begins where the one before it ends; the last one ends at `at`.
  @ predicate layout_linked{L}(assay_entry *e, uint32_t *a, integer n, integer at) =
  @     (\forall integer p; 0 < p < n ==> e[a[p]].begin == e[a[p - 1]].end) &&
  @     (n <= 0 ? at == 0 : e[a[0]].begin == 0 && e[a[n - 1]].end == at);
  @*/

/* ---- radix.c: indices in the order of their keys ---------------------------------------------------------------- */

#define ASSAY_RADIX 2048u     /* digits: 2^11 */
#define ASSAY_RADIX_BITS 11u

/* Fill index[0 .. n) with 0 .. n - 1. */
/*@ requires room: \valid(index + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns index[0 .. n - 1];
    ensures identity: \forall integer p; 0 <= p < n ==> index[p] == p;
    ensures permutation: permutation(index, n);
*/
static void assay_identity(uint32_t *index, uint32_t n);

/* Sort the indices from[0 .. n) to to[0 .. n) by one digit of their keys; those with the same digit stay in order.
 * first[0 .. ASSAY_RADIX) is overwritten. O(n + ASSAY_RADIX). */
/*@ requires count: n < 33554432 && shift < 32;
    requires keys: \valid_read(key + (0 .. n - 1));
    requires room: \valid_read(from + (0 .. n - 1)) && \valid(to + (0 .. n - 1)) &&
        \valid(first + (0 .. ASSAY_RADIX - 1));
    requires apart: \separated(key + (0 .. n - 1), from + (0 .. n - 1), to + (0 .. n - 1),
        first + (0 .. ASSAY_RADIX - 1));
    requires places: places(from, 0, n, n) && places(to, 0, n, n);
    terminates \true;
    exits \false;
    assigns to[0 .. n - 1], first[0 .. ASSAY_RADIX - 1];
    ensures places: places(from, 0, n, n) && places(to, 0, n, n);
*/
static void assay_radix(const uint32_t *key, uint32_t n, uint32_t shift, const uint32_t *from, uint32_t *to,
                        uint32_t *first);

/* ---- layout.c ------------------------------------------------------------------------------------------------- */

/* order[0 .. n) becomes the layout order: places by (begin, end, place). scratch[0 .. 3n) is overwritten. */
/*@ requires small: n <= ASSAY_TENSORS_MAX;
  @ requires entries: \valid_read(entry + (0 .. n - 1));
  @ requires room: \valid(order + (0 .. n - 1)) && \valid(scratch + (0 .. 3 * n - 1));
  @ requires apart: \separated(order + (0 .. n - 1), scratch + (0 .. 3 * n - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns order[0 .. n - 1], scratch[0 .. 3 * n - 1];
  @ ensures in_order: layout_order(entry, order, n);
  @*/
static void assay_order(const assay_entry *entry, uint32_t n, uint32_t *order, uint32_t *scratch);

/* Sort the entries by the digits of their offsets, in three rounds at most. Return whether order[0 .. n) is then the
 * layout order, as it is if no two tensors overlap: this is proved of the result, not of the sort.
 * scratch[0 .. 2n + ASSAY_RADIX) is overwritten. O(n). */
/*@ requires small: 0 < n <= ASSAY_TENSORS_MAX;
  @ requires entries: \valid_read(entry + (0 .. n - 1));
  @ requires room: \valid(order + (0 .. n - 1)) && \valid(scratch + (0 .. 2 * n + ASSAY_RADIX - 1));
  @ requires apart: \separated(order + (0 .. n - 1), scratch + (0 .. 2 * n + ASSAY_RADIX - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns order[0 .. n - 1], scratch[0 .. 2 * n + ASSAY_RADIX - 1];
  @ ensures in_order: \result ==> layout_order(entry, order, n);
  @*/
static bool assay_order_digits(const assay_entry *entry, uint32_t n, uint32_t *order, uint32_t *scratch);

/* The layout order of entries each of which begins where the one before it in the header ends: writers that stream
 * leave them so, and there is nothing to sort. Gives where the last one ends; ASSAY_NONE: not all do so, and
 * order[0 .. n) is of no use. */
/*@ requires entries: \valid_read(entry + (0 .. n - 1)) && intervals(entry, n);
  @ requires room: \valid(order + (0 .. n - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns order[0 .. n - 1];
  @ ensures in_order: \result != ASSAY_NONE ==> layout_order(entry, order, n);
  @ ensures linked: \result != ASSAY_NONE ==> layout_linked(entry, order, n, \result);
  @*/
static uint64_t assay_order_linked(const assay_entry *entry, uint32_t n, uint32_t *order);

/* Rules G3 to G6. data_begin: 8 + N, for the offset in *error, which is written only if a rule is broken. */
/*@ requires small: n <= ASSAY_TENSORS_MAX;
  @ requires entries: \valid_read(entry + (0 .. n - 1)) && \valid_read(order + (0 .. n - 1));
  @ requires intervals: intervals(entry, n);
  @ requires in_order: layout_order(entry, order, n);
  @ requires file: data_begin + data_size <= UINT64_MAX;
  @ requires room: \valid(error) && \separated(error, entry + (0 .. n - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns *error;
  @ ensures verdict: \result == ASSAY_OK || (ASSAY_E_TRUNCATED <= \result <= ASSAY_E_EMPTY_INSIDE);
  @ ensures partition: \result == ASSAY_OK ==> partition(entry, n, data_size);
  @ ensures silent: \result == ASSAY_OK ==> *error == \old(*error);
  @ ensures status: \result != ASSAY_OK ==> error->status == \result;
  @ ensures judged: \result != ASSAY_OK ==>
  @     layout_judged{Old}(entry, n, data_begin, data_size, \result, error->offset);
  @ ensures truncated: \result == ASSAY_E_TRUNCATED ==> layout_truncated{Old}(entry, n, data_size,
  @     error->tensor, error->other, error->expected, error->found);
  @ ensures overlap: \result == ASSAY_E_OVERLAP ==> layout_overlap{Old}(entry, n, error->offset - data_begin,
  @     error->tensor, error->other, error->expected, error->found);
  @ ensures hole: \result == ASSAY_E_HOLE ==> layout_hole{Old}(entry, n, data_size, error->offset - data_begin,
  @     error->tensor, error->other, error->expected, error->found);
  @ ensures empty_inside: \result == ASSAY_E_EMPTY_INSIDE ==> layout_empty_inside{Old}(entry, n,
  @     error->offset - data_begin, error->tensor, error->other, error->expected, error->found);
  @*/
static assay_status assay_layout(const assay_entry *entry, const uint32_t *order, uint32_t n, uint64_t data_begin,
                                 uint64_t data_size, assay_error *error);

#endif
