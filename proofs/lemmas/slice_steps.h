/* slice_steps.h: how the runs of a slice follow each other, and which bits they have (T9). Lemmas: the contracts of
 * functions that do nothing. slice_steps.c has them. */
#ifndef ASSAY_SLICE_STEPS_H
#define ASSAY_SLICE_STEPS_H

/*@ ghost
// Is this a walk?
/@ requires in: \valid_read(slice) && \valid_read(axis + (0 .. slice->axes - 1));
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures answer: \result <==> slice_walks(slice, axis);
@/
bool assay_slice_walks(const assay_slice *slice, const assay_axis *axis);

// The run at which a walk is, the next, and where its axes can be.
/@ requires in: \valid_read(slice) && \valid_read(axis + (0 .. slice->axes - 1));
   requires walks: slice_walks(slice, axis);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures taken: run_taken(slice, axis);
   ensures next: walk_next(slice, axis);
   ensures reach: axes_reach(axis, slice->axes, slice->bits);
@/
void assay_slice_runs(const assay_slice *slice, const assay_axis *axis);

// A slice of n axes at its first run.
/@ requires in: \valid_read(slice) && \valid_read(axis + (0 .. n - 1));
   requires still: axes_still(axis, n, slice->bits);
   requires run: slice->axes <= n && 1 <= slice->run &&
       run_laid(axis, slice->axes, n, slice->bits, slice->run);
   requires first: slice->first == starts_from(axis, 0, n, slice->bits);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures begun: slice_begun(slice, axis, n);
@/
void assay_slice_begun(const assay_slice *slice, const assay_axis *axis, uint64_t n);

// Axes of which one takes nothing.
/@ requires in: \valid_read(axis + (0 .. n - 1));
   requires none: !axes_some(axis, n);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures none: \forall integer x; !bit_taken(axis, n, size, x);
@/
void assay_slice_none(const assay_axis *axis, uint64_t n, uint64_t size);

// The rows of a tensor of size bits.
/@ requires in: \valid_read(axis + (0 .. n - 1));
   requires dims: axes_measured(b, at, end, axis, n) && axes_ready(axis, n);
   requires small: nonzero_small(b, at, end, n);
   requires size: 1 <= bits && nonzero(b, at, end, n) * bits == size;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures each: rows_each(axis, n, size);
   ensures last: row_bits(axis, n, size) == bits;
   ensures small: \forall integer k; 0 <= k <= n ==> row_bits(axis, k, size) <= size;
@/
void assay_slice_rows(const uint8_t *b, uint64_t at, uint64_t end, const assay_axis *axis, uint64_t n, uint64_t bits,
                      uint64_t size);

// One axis that is laid out in rows of `row` bits, where it divides `all` bits.
/@ requires in: \valid_read(axis);
   requires fits: axis->start < axis->stop <= axis->dim && 1 <= axis->step && 1 <= row && all == axis->dim * row;
   requires span: axis->span == (axis->stop - axis->start) * row;
   requires jump: axis->jump == (axis->step < axis->stop - axis->start ? axis->step * row : axis->span);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures laid: laid_out(axis->start, axis->stop, axis->step, axis->dim, axis->span, axis->jump, all, row);
@/
void assay_axis_laid(const assay_axis *axis, uint64_t all, uint64_t row);

// A run of n elements of `row` bits, and where it begins.
/@ requires run: run == n * row;
   requires width: n == (step >= stop - start ? 1 : step == 1 ? stop - start : 0) && n != 0;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures adjacent: adjacent(start, stop, step, row, run);
@/
void assay_run_adjacent(uint64_t start, uint64_t stop, uint64_t step, uint64_t row, uint64_t n, uint64_t run);

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures bits: bits_of(n, row) == n * row;
@/
void assay_bits_of(uint64_t n, uint64_t row);
*/

#endif
