/* judge.h: errors and their fields, stage F, and the data section. A part of core.h. */
#ifndef ASSAY_JUDGE_H
#define ASSAY_JUDGE_H

#ifdef __FRAMAC__
#include "layout.acsl"
#include "judge.acsl"
#endif

/* ---- frame.c -------------------------------------------------------------------------------------------- */

/* Set which fields of an error are set, by its status and the others; return its status. */
/*@ requires error: \valid(error) && error->status < 4294967296;
    terminates \true;
    exits \false;
    assigns error->has;
    ensures status: \result == error->status;
    ensures has: has_right(error);
*/
static assay_status assay_error_has(assay_error *error);

/* Set an error, except its tensors and their names; return its status. */
/*@ requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns error->status, error->offset, error->expected, error->found, error->has;
    ensures status: \result == status && error->status == status;
    ensures offset: error->offset == offset;
    ensures fields: error->expected == expected && error->found == found;
    ensures tensors: error->tensor == \old(error->tensor) && error->other == \old(error->other);
    ensures has: has_right(error);
    ensures texts: \forall integer size; \old(error_texts(error, size)) ==> error_texts(error, size);
    ensures alone: \old(error_alone(error)) ==> error_alone(error);
*/
static assay_status assay_error_set(assay_error *error, assay_status status, uint64_t offset, uint64_t expected,
                                    uint64_t found);

/* Judge the options, which are `right` or not, and stage F. ASSAY_OK: *end is 8 + N, and all of head[0 .. *end) is
 * there. *error is set in any case. */
/*@ requires head: \valid_read(in.head + (0 .. in.head_size - 1));
    requires end: \valid(end);
    requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns *end, *error;
    ensures whole: \result == ASSAY_OK ==> 8 <= *end <= ASSAY_END_MAX && *end <= in.head_size && *end <= in.file_size;
    ensures clear: \result == ASSAY_OK ==> error_clear(error);
    ensures status: error->status == \result;
    ensures right: has_right(error);
    ensures texts: error_texts(error, 0);
    ensures alone: error_alone(error);
    ensures usage: right == 0 ==> \result == ASSAY_USAGE && error_empty(error);
    ensures passed: \result == ASSAY_OK ==> right == 1;
    ensures more: \result == ASSAY_NEED_MORE ==>
        in.head_size < error->expected == (in.head_size < 8 ? 8 : 8 + header_length(in.head)) <= in.file_size;
    ensures exact: right == 1 ==>
        frame_judged(in.head, in.head_size, in.file_size, max_header) ==
        (\result == ASSAY_OK ? 0 : verdict_of(\result, error->offset));
    ensures fields: right == 1 && \result != ASSAY_OK ==>
        frame_fields(in.head, in.head_size, in.file_size, max_header, \result, error->expected, error->found);
    ensures length: \result == ASSAY_OK ==> *end == 8 + header_length(in.head);
*/
static assay_status assay_frame(assay_input in, bool right, uint64_t max_header, uint32_t *end, assay_error *error);

/* ---- layout.c ------------------------------------------------------------------------------------------------- */

/*@ // Each of a[0 .. n) begins where the one before it ends; the last one ends at `at`.
  @ predicate layout_linked{L}(assay_entry *e, uint32_t *a, integer n, integer at) =
  @     (\forall integer p; 0 < p < n ==> e[a[p]].begin == e[a[p - 1]].end) &&
  @     (n <= 0 ? at == 0 : e[a[0]].begin == 0 && e[a[n - 1]].end == at);
  @*/

/* order[0 .. n) becomes the layout order: places by (begin, end, place). scratch[0 .. 3n) is overwritten. */
/*@ requires small: n <= ASSAY_TENSORS_MAX;
  @ requires entries: \valid_read(entry + (0 .. n - 1));
  @ requires room: \valid(order + (0 .. n - 1)) && \valid(scratch + (0 .. 3 * n - 1));
  @ requires apart: \separated(order + (0 .. n - 1), scratch + (0 .. 3 * n - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns order[0 .. n - 1], scratch[0 .. 3 * n - 1], assay_work;
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
  @ assigns order[0 .. n - 1], scratch[0 .. 2 * n + ASSAY_RADIX - 1], assay_work;
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
  @ assigns order[0 .. n - 1], assay_work;
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
  @ assigns *error, assay_work;
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
