/* layout.h: the data section. A part of core.h. */
#ifndef ASSAY_LAYOUT_H
#define ASSAY_LAYOUT_H

#ifdef __FRAMAC__
#include "layout.acsl"
#include "order.acsl"
#endif

/* order[0 .. n) becomes the layout order: places by (begin, end, place). scratch[0 .. n) is overwritten. */
/*@ requires small: n <= ASSAY_TENSORS_MAX;
  @ requires entries: \valid_read(entry + (0 .. n - 1));
  @ requires room: \valid(order + (0 .. n - 1)) && \valid(scratch + (0 .. n - 1));
  @ requires apart: \separated(order + (0 .. n - 1), scratch + (0 .. n - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns order[0 .. n - 1], scratch[0 .. n - 1];
  @ ensures in_order: layout_order(entry, order, n);
  @*/
void assay_order(const assay_entry *entry, uint32_t n, uint32_t *order, uint32_t *scratch);

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
assay_status assay_layout(const assay_entry *entry, const uint32_t *order, uint32_t n, uint64_t data_begin,
                          uint64_t data_size, assay_error *error);

#endif
