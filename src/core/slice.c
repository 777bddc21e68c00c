/* slice.c: a rectangular part of a tensor, as runs of adjacent bits.
 *
 * All runs of a slice have the same length. The axes that are taken whole, from the last one on, and the
 * one before them if its elements are adjacent, make up the run; the axes before those are walked like an
 * odometer. Between two calls the caller holds the state, so assay_slice_next trusts none of it: a run that
 * would leave the tensor is never handed out. */
#include "core.h"

/* Unfolds: dims_after. */

/* ---- What the proof knows of products ------------------------------------------------------------------- */

/* One dim more. */
/*@ ghost
  /@ requires dim: dim == dim_nth(b, at, end, i);
     requires product: product == nonzero(b, at, end, i);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures none: dim == 0 ==> nonzero(b, at, end, i + 1) == product;
     ensures some: dim > 0 ==> nonzero(b, at, end, i + 1) == product * dim;
     ensures volume: volume == elements(b, at, end, i) ==> elements(b, at, end, i + 1) == volume * dim;
  @/
  void slice_product_step(const uint8_t *b, uint64_t at, uint64_t end, uint64_t i, uint64_t dim, uint64_t product,
                          uint64_t volume)
  {
  }
*/

/* The element width at the end. */
/*@ ghost
  /@ requires product: product == nonzero(b, at, end, n);
     requires volume: volume == elements(b, at, end, n);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures product: nonzero(b, at, end, n) * bits == product * bits;
     ensures volume: elements(b, at, end, n) * bits == volume * bits;
  @/
  void slice_product_end(const uint8_t *b, uint64_t at, uint64_t end, uint64_t n, uint64_t bits, uint64_t product,
                         uint64_t volume)
  {
  }
*/

/* v, which is the product of the first k dims. */
/*@ ghost
  /@ requires elements: v == elements(b, at, end, k);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures elements: \result == v == elements(b, at, end, k);
  @/
  uint64_t slice_elements(const uint8_t *b, uint64_t at, uint64_t end, uint64_t k, uint64_t v)
  {
      return v;
  }
*/

/* The same cursor, the same product. */
/*@ ghost
  /@ requires same: at == of;
     requires small: nonzero(b, of, end, n) * bits <= UINT64_MAX;
     requires size: elements(b, of, end, n) * bits == size;
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures small: nonzero(b, at, end, n) * bits <= UINT64_MAX;
     ensures size: elements(b, at, end, n) * bits == size;
  @/
  void slice_same_bits(const uint8_t *b, uint64_t of, uint64_t at, uint64_t end, uint64_t n, uint64_t bits,
                       uint64_t size)
  {
  }
*/

/* What holds of the product holds of the volume. */
/*@ ghost
  /@ requires product: r == p * d;
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures same: v == p ==> v * d == r;
     ensures none: v == 0 ==> v * d == 0;
  @/
  void slice_volume(uint64_t v, uint64_t p, uint64_t d, uint64_t r)
  {
  }
*/

/* n * s for n up to d. */
/*@ ghost
  /@ requires order: n <= d;
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures order: 0 <= n * s <= d * s;
  @/
  void slice_times(uint64_t n, uint64_t d, uint64_t s)
  {
  }
*/

/*@ ghost
  /@ requires positive: 1 <= p && 1 <= d;
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures positive: 1 <= p * d;
  @/
  void slice_positive(uint64_t p, uint64_t d)
  {
  }
*/

/* Factors of at least 1. */
/*@ ghost
  /@ requires positive: 1 <= p && 1 <= d && 1 <= s;
     requires product: q == p * d;
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures positive: 1 <= p * d && 1 <= d * s;
     ensures small: d * s <= q * s;
     ensures swap: p * (d * s) == q * s;
  @/
  void slice_factors(uint64_t p, uint64_t d, uint64_t s, uint64_t q)
  {
  }
*/

/* As many times the same. */
/*@ ghost
  /@ terminates \true;
     exits \false;
     assigns \nothing;
     ensures same: n == d ==> n * s == d * s;
  @/
  void slice_same(uint64_t n, uint64_t d, uint64_t s)
  {
  }
*/

/* n of the d rows that make all. */
/*@ ghost
  /@ requires all: times(all, d, row);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures part: times(part, n, row) ==> ratio(part, all, n, d);
  @/
  void slice_part(uint64_t part, uint64_t all, uint64_t n, uint64_t d, uint64_t row)
  {
      /@ assert part: times(part, n, row) ==> part * d == n * row * d; @/
      /@ assert all: n * all == n * row * d; @/
  }
*/

/* A sum of nothing and n times s. */
/*@ ghost
  /@ terminates \true;
     exits \false;
     assigns \nothing;
     ensures times: sum == old + n * s && old == 0 ==> times(sum, n, s);
     ensures none: sum == old + n * s && old == 0 && n == 0 ==> sum == 0;
  @/
  void slice_sum(uint64_t sum, uint64_t old, uint64_t n, uint64_t s)
  {
  }
*/

/* From start on, n of d. */
/*@ ghost
  /@ requires order: start + n <= d;
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures order: start * s + n * s <= d * s;
  @/
  void slice_end(uint64_t start, uint64_t n, uint64_t d, uint64_t s)
  {
      /@ assert sum: start * s + n * s == (start + n) * s; @/
      slice_times((uint64_t)(start + n), d, s);
  }
*/

/* A slice that is one run. */
/*@ ghost
  /@ terminates \true;
     exits \false;
     assigns \nothing;
     ensures rows: slice->axes == 0 && ratio(slice->first, slice->bits, axis->start, axis->dim) &&
         ratio(slice->run, slice->bits, axis->stop - axis->start, axis->dim) ==> slice_rows(slice, axis);
  @/
  void slice_one_run(const assay_slice *slice, const assay_axis *axis)
  {
  }
*/

/* The product of the first n dims, none of which is 0. */
/*@ ghost
  /@ requires in: \valid_read(axis + (0 .. n - 1));
     requires dims: axes_measured(b, at, end, axis, n) && axes_ready(axis, n);
     requires small: nonzero_small(b, at, end, n);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures product: \result == nonzero(b, at, end, n);
     ensures elements: \result == elements(b, at, end, n);
     ensures positive: 1 <= \result;
  @/
  uint64_t slice_nonzero(const uint8_t *b, uint64_t at, uint64_t end, const assay_axis *axis, uint64_t n)
  {
      uint64_t product = 1;
      uint64_t k = 0;
      /@ loop invariant bounds: 0 <= k <= n;
         loop invariant product: 1 <= product && product == nonzero(b, at, end, k);
         loop invariant elements: product == elements(b, at, end, k);
         loop assigns k, product;
         loop variant n - k;
      @/
      while (k < n) {
          slice_product_step(b, at, end, k, axis[k].dim, product, product);
          slice_positive(product, axis[k].dim);
          product *= axis[k].dim;
          k++;
      }
      return product;
  }
*/

/* ---- Beginning ------------------------------------------------------------------------------------------ */

/* Are start, stop, step in order on every axis, and do dims and element width make size bits? Zero dims are
 * left out of the product, as the format does; one of them makes the size 0. */
/*@ requires head: head_ok(head, end);
  @ requires in: \valid_read(axis + (0 .. axes - 1));
  @ requires bits: 1 <= bits;
  @ terminates \true;
  @ exits \false;
  @ assigns assay_work;
  @ ensures answer: \result <==> shape_fits(head, dims.at, dims.left, end, axis, axes, bits, size);
  @*/
static bool slice_fits(const uint8_t *head, uint32_t end, assay_dims dims, const assay_axis *axis, uint64_t axes,
                       uint64_t bits, uint64_t size)
{
    uint64_t product = 1, dim = 0;
    bool empty = false;
    //@ ghost uint64_t at = dims.at;
    //@ ghost uint64_t left = dims.left;
    //@ ghost uint64_t volume = 1;
    /*@ loop invariant bounds: 0 <= i <= axes && i <= left;
      @ loop invariant cursor: dims.at == dims_after(head, at, end, i);
      @ loop invariant left: dims.left == left - i;
      @ loop invariant axes: axes_fit{Pre}(head, at, end, axis, i);
      @ loop invariant product: product == nonzero(head, at, end, i);
      @ loop invariant small: nonzero_small(head, at, end, i);
      @ loop invariant volume: volume == elements(head, at, end, i);
      @ loop invariant empty: volume == (empty ? 0 : product);
      @ loop assigns i, dims, product, dim, empty, volume, assay_work;
      @ loop variant axes - i;
      @*/
    for (uint64_t i = 0; i < axes; i++) {
        //@ ghost assay_spend();
        if (!assay_dim_read(head, end, &dims, &dim) || axis[i].step == 0 || axis[i].start > axis[i].stop ||
            axis[i].stop > dim) {
            //@ assert unfit: left <= i || !axis_fits{Pre}(head, at, end, axis, i);
            //@ assert no: !shape_fits{Pre}(head, at, left, end, axis, axes, bits, size);
            return false;
        }
        //@ assert dim: dim == dim_nth(head, at, end, i);
        //@ assert fit: axis_fits{Pre}(head, at, end, axis, i);
        //@ ghost slice_product_step(head, at, end, i, dim, product, volume);
        //@ ghost uint64_t before = product;
        if (dim == 0) {
            empty = true;
        } else if (!assay_multiply(product, dim, &product)) {
            //@ assert huge: nonzero(head, at, end, i + 1) > UINT64_MAX;
            //@ assert no: !shape_fits{Pre}(head, at, left, end, axis, axes, bits, size);
            return false;
        }
        //@ ghost if (dim != 0) { slice_volume(volume, before, dim, product); }
        //@ assert volume: volume * dim == (empty ? 0 : product);
        //@ assert elements: elements(head, at, end, i + 1) == (empty ? 0 : product);
        //@ ghost volume = slice_elements(head, at, end, (uint64_t)(i + 1), empty ? (uint64_t)0 : product);
    }
    //@ assert axes: axes <= left && axes_fit{Pre}(head, at, end, axis, axes);
    //@ ghost uint64_t before = product;
    //@ ghost slice_product_end(head, at, end, axes, bits, product, volume);
    if (!assay_multiply(product, bits, &product)) {
        //@ assert no: !shape_fits{Pre}(head, at, left, end, axis, axes, bits, size);
        return false;
    }
    //@ ghost slice_volume(volume, before, bits, product);
    //@ assert all: elements(head, at, end, axes) * bits == (empty ? 0 : product);
    //@ assert small: nonzero(head, at, end, axes) * bits <= UINT64_MAX;
    /*@ assert answer: shape_fits{Pre}(head, at, left, end, axis, axes, bits, size) <==>
      @     size == (empty ? 0 : product); */
    return size == (empty ? 0 : product);
}

/* Fills in axis[].dim. True: every axis has an element. */
/*@ requires head: head_ok(head, end);
  @ requires out: \valid(axis + (0 .. axes - 1));
  @ requires axes: axes <= dims.left && axes_fit(head, dims.at, end, axis, axes);
  @ terminates \true;
  @ exits \false;
  @ assigns axis[0 .. axes - 1], assay_work;
  @ ensures kept: axes_kept{Pre, Post}(axis, axes);
  @ ensures dims: axes_measured(head, dims.at, end, axis, axes);
  @ ensures some: \result <==> \old(axes_some(axis, axes));
  @ ensures ready: \result ==> axes_ready(axis, axes);
  @*/
static bool slice_measure(const uint8_t *head, uint32_t end, assay_dims dims, assay_axis *axis, uint64_t axes)
{
    bool some = true;
    uint64_t dim = 0;
    //@ ghost uint64_t at = dims.at;
    /*@ loop invariant bounds: 0 <= i <= axes;
      @ loop invariant cursor: dims.at == dims_after(head, at, end, i);
      @ loop invariant left: dims.left == \at(dims.left, Pre) - i;
      @ loop invariant kept: axes_kept{Pre, Here}(axis, axes);
      @ loop invariant dims: axes_measured(head, at, end, axis, i);
      @ loop invariant some: some <==> axes_some{Pre}(axis, i);
      @ loop assigns i, dims, dim, some, axis[0 .. axes - 1], assay_work;
      @ loop variant axes - i;
      @*/
    for (uint64_t i = 0; i < axes; i++) {
        //@ ghost assay_spend();
        //@ assert fit: axis_fits{Pre}(head, at, end, axis, i);
        assay_dim_read(head, end, &dims, &dim);
        //@ assert dim: dim == dim_nth(head, at, end, i);
        axis[i].dim = dim;
        //@ assert some: axis_some{Pre}(axis, i) <==> axis[i].start < axis[i].stop;
        if (axis[i].start == axis[i].stop) {
            some = false;
        }
    }
    return some;
}

/* Elements on this axis if they are adjacent, else 0. One element is adjacent whatever the step. */
/*@ requires axis: \valid_read(axis) && axis->start < axis->stop;
  @ terminates \true;
  @ exits \false;
  @ assigns \nothing;
  @ ensures range: \result <= axis->stop - axis->start;
  @ ensures exact: \let width = axis->stop - axis->start;
  @     \result == (axis->step >= width ? 1 : axis->step == 1 ? width : 0);
  @*/
static uint64_t axis_adjacent(const assay_axis *axis)
{
    uint64_t width = axis->stop - axis->start;
    if (axis->step >= width) {
        return 1;
    }
    return axis->step == 1 ? width : 0;
}

/* Prepares one axis for walking, where stride bits lie between neighbours. */
/*@ requires axis: \valid(axis) && axis->start < axis->stop <= axis->dim && axis->step >= 1;
  @ requires small: axis->dim * stride <= UINT64_MAX;
  @ terminates \true;
  @ exits \false;
  @ assigns axis->span, axis->jump, axis->gone;
  @ ensures span: axis->span == (axis->stop - axis->start) * stride;
  @ ensures jump: axis->jump == (axis->step < axis->stop - axis->start ? axis->step * stride : axis->span);
  @ ensures gone: axis->gone == 0;
  @*/
static void axis_prepare(assay_axis *axis, uint64_t stride)
{
    uint64_t width = axis->stop - axis->start;
    //@ ghost slice_times(width, axis->dim, stride);
    axis->span = width * stride;
    axis->jump = axis->span;
    axis->gone = 0;
    if (axis->step < width) {
        //@ ghost slice_times(axis->step, axis->dim, stride);
        axis->jump = axis->step * stride;
    }
}

/* Prepares all axes. Each has an element; they divide size bits into rows of `bits` at last. */
/*@ requires out: \valid(axis + (0 .. axes - 1));
  @ requires ready: axes_ready(axis, axes);
  @ requires rows: rows_each(axis, axes, size) && row_bits(axis, axes, size) == bits && 1 <= bits;
  @ requires small: \forall integer k; 0 <= k <= axes ==> row_bits(axis, k, size) <= UINT64_MAX;
  @ terminates \true;
  @ exits \false;
  @ assigns axis[0 .. axes - 1], assay_work;
  @ ensures kept: axes_kept{Pre, Post}(axis, axes);
  @ ensures dim: \forall integer k; 0 <= k < axes ==> axis[k].dim == \old(axis[k].dim);
  @ ensures still: axes_still(axis, axes, size);
  @ ensures rows: \forall integer k; 0 <= k <= axes ==> row_bits(axis, k, size) == \old(row_bits(axis, k, size));
  @*/
static void axes_prepare(assay_axis *axis, uint64_t axes, uint64_t bits)
/*@ ghost (uint64_t size) */
{
    uint64_t stride = bits;
    /*@ loop invariant bounds: 0 <= i <= axes;
      @ loop invariant kept: axes_kept{Pre, Here}(axis, axes);
      @ loop invariant dim: \forall integer k; 0 <= k < axes ==> axis[k].dim == \at(axis[k].dim, Pre);
      @ loop invariant stride: 1 <= stride && stride == row_bits{Pre}(axis, i, size);
      @ loop invariant laid: \forall integer j; i <= j < axes ==> axis_set{Pre, Here}(axis, j, size);
      @ loop assigns i, stride, axis[0 .. axes - 1], assay_work;
      @ loop variant i;
      @*/
    for (uint64_t i = axes; i > 0; i--) {
        //@ ghost assay_spend();
        assay_axis *const a = axis + (i - 1);
        //@ assert ready: \forall integer j; j == i - 1 ==> a->start < a->stop <= a->dim && a->step >= 1;
        /*@ assert division: \forall integer j; j == i - 1 ==>
          @     times(row_bits{Pre}(axis, j, size), a->dim, row_bits{Pre}(axis, j + 1, size)); */
        //@ assert division: row_bits{Pre}(axis, i - 1, size) == a->dim * stride;
        //@ assert small: a->dim * stride <= UINT64_MAX;
        //@ ghost Bare: ;
        //@ assert was: \forall integer j; i <= j < axes ==> axis_set{Pre, Here}(axis, j, size);
        /*@ assert was: \forall integer j; i <= j < axes && axis_set{Pre, Here}(axis, j, size) ==>
          @     laid_out(axis[j].start, axis[j].stop, axis[j].step, axis[j].dim, axis[j].span, axis[j].jump,
          @              row_bits{Pre}(axis, j, size), row_bits{Pre}(axis, j + 1, size)); */
        /*@ assert was: \forall integer j; i <= j < axes ==>
          @     laid_out(axis[j].start, axis[j].stop, axis[j].step, axis[j].dim, axis[j].span, axis[j].jump,
          @              row_bits{Pre}(axis, j, size), row_bits{Pre}(axis, j + 1, size)); */
        //@ assert none: \forall integer j; i <= j < axes && axis_set{Pre, Here}(axis, j, size) ==> axis[j].gone == 0;
        //@ assert none: \forall integer j; i <= j < axes ==> axis[j].gone == 0;
        axis_prepare(a, stride);
        //@ ghost assay_axis_laid(a, (uint64_t)(a->dim * stride), stride);
        //@ assert here: \forall integer j; j == i - 1 ==> axis_set{Pre, Here}(axis, j, size);
        //@ assert dim: \forall integer k; i <= k < axes ==> axis[k].dim == \at(axis[k].dim, Bare);
        //@ assert span: \forall integer k; i <= k < axes ==> axis[k].span == \at(axis[k].span, Bare);
        //@ assert jump: \forall integer k; i <= k < axes ==> axis[k].jump == \at(axis[k].jump, Bare);
        //@ assert gone: \forall integer k; i <= k < axes ==> axis[k].gone == \at(axis[k].gone, Bare);
        //@ assert start: \forall integer k; i <= k < axes ==> axis[k].start == \at(axis[k].start, Bare);
        //@ assert stop: \forall integer k; i <= k < axes ==> axis[k].stop == \at(axis[k].stop, Bare);
        //@ assert step: \forall integer k; i <= k < axes ==> axis[k].step == \at(axis[k].step, Bare);
        /*@ assert moved: \forall integer j; i <= j < axes ==>
          @     laid_out(axis[j].start, axis[j].stop, axis[j].step, axis[j].dim, axis[j].span, axis[j].jump,
          @              row_bits{Pre}(axis, j, size), row_bits{Pre}(axis, j + 1, size)); */
        //@ assert none: \forall integer j; i <= j < axes ==> axis[j].gone == 0;
        //@ assert others: \forall integer j; i <= j < axes ==> axis_set{Pre, Here}(axis, j, size);
        //@ assert all: \forall integer j; i - 1 <= j < axes ==> axis_set{Pre, Here}(axis, j, size);
        stride *= a->dim;
    }
    /*@ ghost
      uint64_t k = 0;
      /@ loop invariant bounds: 0 <= k <= axes;
         loop invariant rows: \forall integer j; 0 <= j <= k ==>
             row_bits(axis, j, size) == row_bits{Pre}(axis, j, size);
         loop assigns k;
         loop variant axes - k;
      @/
      while (k < axes) {
          /@ assert dim: \forall integer j; j == k ==> axis[j].dim == \at(axis[j].dim, Pre); @/
          /@ assert here: row_bits(axis, k + 1, size) == row_bits(axis, k, size) / axis[k].dim; @/
          /@ assert then: row_bits{Pre}(axis, k + 1, size) ==
                 row_bits{Pre}(axis, k, size) / \at(axis[\at(k, Here)].dim, Pre); @/
          /@ assert row: row_bits(axis, k + 1, size) == row_bits{Pre}(axis, k + 1, size); @/
          k++;
      }
    */
    /*@ assert rows: \forall integer k; 0 <= k < axes ==> row_bits(axis, k, size) == row_bits{Pre}(axis, k, size) &&
      @     row_bits(axis, k + 1, size) == row_bits{Pre}(axis, k + 1, size); */
    //@ assert set: \forall integer k; 0 <= k < axes ==> axis_set{Pre, Here}(axis, k, size);
    //@ assert none: \forall integer k; 0 <= k < axes && axis_set{Pre, Here}(axis, k, size) ==> axis[k].gone == 0;
    //@ assert gone: \forall integer k; 0 <= k < axes ==> axis[k].gone == 0;
    //@ assert laid: \forall integer k; 0 <= k < axes ==> axis_laid(axis, k, size);
}

/* Sets where the walk begins. */
/*@ requires out: \valid(slice) && \valid_read(axis + (0 .. axes - 1)) &&
  @     \separated(slice, axis + (0 .. axes - 1));
  @ requires still: axes_still(axis, axes, slice->bits);
  @ requires run: walked <= axes && 1 <= run && run_laid(axis, walked, axes, slice->bits, run);
  @ requires first: first == starts_from(axis, 0, axes, slice->bits);
  @ terminates \true;
  @ exits \false;
  @ assigns slice->axes, slice->first, slice->run;
  @ ensures set: slice->axes == walked && slice->first == first && slice->run == run;
  @ ensures slice: slice->begin == \old(slice->begin) && slice->bits == \old(slice->bits);
  @ ensures kept: axes_kept{Pre, Post}(axis, axes);
  @ ensures dim: \forall integer k; 0 <= k < axes ==> axis[k].dim == \old(axis[k].dim);
  @ ensures begun: slice_begun(slice, axis, axes);
  @*/
static void slice_place(assay_slice *slice, uint64_t walked, uint64_t first, uint64_t run)
/*@ ghost (const assay_axis *axis, uint64_t axes) */
{
    slice->axes = walked;
    slice->first = first;
    slice->run = run;
    //@ ghost const uint64_t size = slice->bits;
    //@ assert size: size == \at(slice->bits, Pre);
    //@ assert kept: axes_kept{Pre, Here}(axis, axes);
    //@ assert laid: axes_laid{Pre, Here}(axis, axes);
    //@ assert gone: \forall integer k; 0 <= k < axes ==> axis[k].gone == \at(axis[k].gone, Pre);
    //@ assert dim: \forall integer k; 0 <= k < axes ==> axis[k].dim == \at(axis[k].dim, Pre);
    /*@ ghost
      uint64_t k = 0;
      /@ loop invariant bounds: 0 <= k <= axes;
         loop invariant rows: \forall integer j; 0 <= j <= k ==>
             row_bits(axis, j, size) == row_bits{Pre}(axis, j, size);
         loop assigns k;
         loop variant axes - k;
      @/
      while (k < axes) {
          /@ assert dim: \forall integer j; j == k ==> axis[j].dim == \at(axis[j].dim, Pre); @/
          /@ assert row: row_bits(axis, k + 1, size) == row_bits{Pre}(axis, k + 1, size); @/
          k++;
      }
      /@ loop invariant bounds: 0 <= k <= axes;
         loop invariant starts: starts_from(axis, k, axes, size) == starts_from{Pre}(axis, k, axes, size);
         loop assigns k;
         loop variant k;
      @/
      while (k > 0) {
          k--;
          /@ assert start: \forall integer j; j == k ==> axis[j].start == \at(axis[j].start, Pre); @/
          /@ assert row: row_bits(axis, k + 1, size) == row_bits{Pre}(axis, k + 1, size); @/
          /@ assert old: starts_from{Pre}(axis, k, axes, size) ==
                 start_bits{Pre}(axis, k, size) + starts_from{Pre}(axis, k + 1, axes, size); @/
          /@ assert new: starts_from(axis, k, axes, size) ==
                 start_bits(axis, k, size) + starts_from(axis, k + 1, axes, size); @/
          /@ assert same: start_bits(axis, k, size) == start_bits{Pre}(axis, k, size); @/
      }
    */
    /*@ assert rows: \forall integer k; 0 <= k < axes ==> row_bits(axis, k, size) == row_bits{Pre}(axis, k, size) &&
      @     row_bits(axis, k + 1, size) == row_bits{Pre}(axis, k + 1, size); */
    //@ assert last: row_bits(axis, axes, size) == row_bits{Pre}(axis, axes, size);
    //@ assert laid: \forall integer k; 0 <= k < axes ==> axis_laid{Pre}(axis, k, size);
    //@ assert stays: \forall integer k; 0 <= k < axes && axis_laid{Pre}(axis, k, size) ==> axis_laid(axis, k, size);
    //@ assert laid: \forall integer k; 0 <= k < axes ==> axis_laid(axis, k, size);
    //@ assert still: axes_still(axis, axes, size);
    //@ assert whole: axes_whole{Pre}(axis, walked + 1, axes);
    //@ assert whole: axes_whole(axis, walked + 1, axes);
    //@ assert run: run_laid(axis, walked, axes, size, run);
    //@ ghost assay_slice_begun(slice, axis, axes);
}

/* Goes through the axes from the last to the first: where the slice begins, how long its runs are, which axes
 * are walked. Every axis has an element; the whole tensor has less than 2^64 bits. */
/*@ requires out: \valid_read(axis + (0 .. axes - 1)) && \valid(slice) && \separated(axis + (0 .. axes - 1), slice);
  @ requires axes: axes_ready(axis, axes);
  @ requires dims: axes_measured(head, at, end, axis, axes);
  @ requires small: nonzero_small(head, at, end, axes);
  @ requires bits: 1 <= bits && nonzero(head, at, end, axes) * bits <= UINT64_MAX;
  @ requires size: elements(head, at, end, axes) * bits == slice->bits;
  @ requires rows: rows_each(axis, axes, slice->bits) && row_bits(axis, axes, slice->bits) == bits;
  @ requires still: axes_still(axis, axes, slice->bits);
  @ terminates \true;
  @ exits \false;
  @ assigns slice->axes, slice->first, slice->run, assay_work;
  @ ensures kept: axes_kept{Pre, Post}(axis, axes);
  @ ensures dims: axes_measured(head, at, end, axis, axes);
  @ ensures axes: slice->axes <= axes;
  @ ensures run: slice->run >= 1;
  @ ensures inside: slice->first + slice->run <= slice->bits;
  @ ensures slice: slice->begin == \old(slice->begin) && slice->bits == \old(slice->bits);
  @ ensures scalar: axes == 0 ==> slice->axes == 0 && slice->first == 0 && slice->run == slice->bits;
  @ ensures rows: 1 <= axes && axis->step == 1 && axes_whole(axis, 1, axes) ==> slice_rows(slice, axis);
  @ ensures begun: slice_begun(slice, axis, axes);
  @*/
static void slice_find(const assay_axis *axis, uint64_t axes, uint64_t bits, assay_slice *slice)
/*@ ghost (const uint8_t *head, uint64_t at, uint32_t end) */
{
    uint64_t stride = bits, first = 0, run = bits, walked = 0;
    bool whole = true; /* all axes after this one are taken whole: run == stride */
    //@ ghost uint64_t size = slice->bits;
    //@ ghost uint64_t row = bits;
    //@ ghost uint64_t all = slice_nonzero(head, at, end, axis, axes);
    //@ ghost uint64_t here = all;
    //@ assert all: all * bits == size;
    /*@ loop invariant bounds: 0 <= i <= axes;
      @ loop invariant here: here == nonzero(head, at, end, i);
      @ loop invariant stride: 1 <= stride && here * stride == size;
      @ loop invariant first: first < stride;
      @ loop invariant run: 1 <= run && (whole ==> run == stride);
      @ loop invariant inside: first + run <= stride;
      @ loop invariant walked: walked <= axes;
      @ loop invariant scalar: i == axes ==> walked == 0 && first == 0 && run == bits && stride == bits;
      @ loop invariant whole: whole <==> axes_whole{Pre}(axis, i, axes);
      @ loop invariant begin: whole ==> first == 0;
      @ loop invariant row: i < axes ==> times(stride, dim_nth(head, at, end, i), row);
      @ loop invariant rows: i < axes && axes_whole{Pre}(axis, i + 1, axes) ==>
      @     axis_rows{Pre}(axis, i, row, first, run, walked);
      @ loop invariant division: stride == row_bits{Pre}(axis, i, size);
      @ loop invariant sum: first == starts_from{Pre}(axis, i, axes, size);
      @ loop invariant last: whole && i < axes ==> walked == i;
      @ loop invariant adjacent: i < axes ==> run_laid{Pre}(axis, walked, axes, size, run);
      @ loop assigns i, stride, first, run, walked, whole, here, row, assay_work;
      @ loop variant i;
      @*/
    for (uint64_t i = axes; i > 0; i--) {
        //@ ghost assay_spend();
        const assay_axis *const a = axis + (i - 1);
        //@ assert kept: a->dim == dim_nth(head, at, end, i - 1);
        //@ assert ready: a->start < a->stop <= a->dim && a->step >= 1;
        //@ ghost uint64_t start = a->start;
        //@ ghost uint64_t width = a->stop - a->start;
        //@ ghost uint64_t step = a->step;
        //@ ghost uint64_t dim = a->dim;
        /*@ assert same: \forall integer j; j == i - 1 ==> \at(axis[j].start, Pre) == start &&
          @     \at(axis[j].stop, Pre) - \at(axis[j].start, Pre) == width && \at(axis[j].step, Pre) == step &&
          @     \at(axis[j].dim, Pre) == dim; */
        //@ assert fewer: axes_whole{Pre}(axis, i - 1, axes) ==> axes_whole{Pre}(axis, i, axes);
        //@ assert this: axes_whole{Pre}(axis, i - 1, axes) ==> start == 0 && width == dim && (step == 1 || dim == 1);
        /*@ assert more: axes_whole{Pre}(axis, i, axes) && start == 0 && width == dim && (step == 1 || dim == 1) ==>
          @     axes_whole{Pre}(axis, i - 1, axes); */
        //@ ghost uint64_t old = first;
        //@ ghost uint64_t before = slice_nonzero(head, at, end, axis, (uint64_t)(i - 1));
        //@ ghost slice_product_step(head, at, end, (uint64_t)(i - 1), a->dim, before, (uint64_t)0);
        //@ assert here: here == before * a->dim;
        //@ ghost slice_factors(before, a->dim, stride, here);
        //@ assert small: a->dim * stride <= UINT64_MAX;
        //@ ghost slice_times(a->start, a->dim, stride);
        //@ ghost slice_times((uint64_t)(a->start + 1), a->dim, stride);
        //@ assert first: a->start * stride + stride <= a->dim * stride;
        first += a->start * stride;
        //@ assert sum: first == old + a->start * stride;
        //@ assert inside: first + run <= a->dim * stride;
        //@ ghost slice_sum(first, old, a->start, stride);
        //@ assert begin: whole ==> times(first, start, stride);
        //@ assert zero: whole && start == 0 ==> first == 0;
        //@ assert place: \forall integer j; j == i - 1 && whole ==> times(first, \at(axis[j].start, Pre), stride);
        //@ assert division: row_bits{Pre}(axis, i - 1, size) == dim * stride;
        //@ ghost assay_bits_of(start, stride);
        //@ assert start: start_bits{Pre}(axis, i - 1, size) == start * stride;
        /*@ assert unfold: starts_from{Pre}(axis, i - 1, axes, size) ==
          @     start_bits{Pre}(axis, i - 1, size) + starts_from{Pre}(axis, i, axes, size); */
        //@ assert total: first == starts_from{Pre}(axis, i - 1, axes, size);
        //@ ghost bool after = whole;
        if (whole) {
            uint64_t elements = axis_adjacent(a);
            //@ assert elements: elements == (step >= width ? 1 : step == 1 ? width : 0);
            //@ assert all: elements == dim <==> start == 0 && width == dim && (step == 1 || dim == 1);
            whole = elements == a->dim;
            walked = i;
            if (elements != 0) {
                //@ ghost slice_positive(elements, stride);
                //@ ghost slice_times(elements, a->dim, stride);
                run = elements * stride;
                //@ ghost slice_same(elements, a->dim, stride);
                //@ assert run: elements == a->dim ==> run == a->dim * stride;
                //@ ghost slice_end(a->start, elements, a->dim, stride);
                //@ assert inside: first + run <= a->dim * stride;
                //@ assert times: times(run, elements, stride);
                //@ assert same: step == 1 ==> elements == width;
                //@ assert width: step == 1 ==> times(run, width, stride);
                //@ ghost assay_run_adjacent(start, (uint64_t)(start + width), step, stride, elements, run);
                /*@ assert fits: \forall integer j; j == i - 1 ==>
                  @     adjacent(\at(axis[j].start, Pre), \at(axis[j].stop, Pre), \at(axis[j].step, Pre),
                  @              row_bits{Pre}(axis, j + 1, size), run); */
                walked = i - 1;
                //@ assert laid: run_laid{Pre}(axis, i - 1, axes, size, run);
                //@ assert adjacent: step == 1 ==> times(run, width, stride) && walked == i - 1;
            }
            //@ assert some: step == 1 ==> elements != 0;
            //@ assert laid: run_laid{Pre}(axis, walked, axes, size, run);
            //@ assert length: 1 <= run && (whole ==> run == a->dim * stride);
            //@ assert adjacent: step == 1 ==> times(run, width, stride) && walked == i - 1;
        }
        //@ assert length: 1 <= run && (whole ==> run == a->dim * stride);
        //@ assert one: after && step == 1 ==> times(run, width, stride) && walked == i - 1;
        //@ assert after: after <==> axes_whole{Pre}(axis, i, axes);
        /*@ assert one: \forall integer j; j == i - 1 && after && step == 1 ==>
          @     times(run, \at(axis[j].stop, Pre) - \at(axis[j].start, Pre), stride); */
        /*@ assert rows: axes_whole{Pre}(axis, i, axes) ==>
          @     axis_rows{Pre}(axis, i - 1, stride, first, run, walked); */
        //@ assert inside: first + run <= a->dim * stride;
        //@ ghost row = stride;
        stride *= a->dim;
        //@ ghost here = before;
    }
    //@ assert one: here == 1;
    //@ assert size: stride == size;
    //@ assert inside: first + run <= size;
    //@ assert row: 1 <= axes ==> times(size, axis->dim, row);
    /*@ ghost if (axes >= 1) {
      slice_part(first, size, axis->start, axis->dim, row);
      slice_part(run, size, (uint64_t)(axis->stop - axis->start), axis->dim, row);
    } */
    /*@ assert rows: 1 <= axes && axis->step == 1 && axes_whole{Pre}(axis, 1, axes) ==> walked == 0 &&
      @     ratio(first, size, axis->start, axis->dim) && ratio(run, size, axis->stop - axis->start, axis->dim); */
    //@ assert whole: axes_whole(axis, 1, axes) ==> axes_whole{Pre}(axis, 1, axes);
    //@ assert laid: run_laid{Pre}(axis, walked, axes, size, run);
    //@ assert sum: first == starts_from{Pre}(axis, 0, axes, size);
    //@ ghost Set: ;
    slice_place(slice, walked, first, run) /*@ ghost (axis, axes) */;
    //@ assert set: slice->axes == walked && slice->first == first && slice->run == run && slice->bits == size;
    //@ assert dims: axes_measured(head, at, end, axis, axes);
    //@ assert whole: axes_whole(axis, 1, axes) ==> axes_whole{Pre}(axis, 1, axes);
    /*@ assert same: 1 <= axes ==> axis->start == \at(axis->start, Set) && axis->stop == \at(axis->stop, Set) &&
      @     axis->step == \at(axis->step, Set) && axis->dim == \at(axis->dim, Set); */
    /*@ assert ratio: 1 <= axes && axis->step == 1 && axes_whole(axis, 1, axes) ==>
      @     ratio(slice->first, slice->bits, axis->start, axis->dim) &&
      @     ratio(slice->run, slice->bits, axis->stop - axis->start, axis->dim); */
    //@ assert none: 1 <= axes && axis->step == 1 && axes_whole(axis, 1, axes) ==> slice->axes == 0;
    /*@ assert both: 1 <= axes && axis->step == 1 && axes_whole(axis, 1, axes) ==> slice->axes == 0 &&
      @     ratio(slice->first, slice->bits, axis->start, axis->dim) &&
      @     ratio(slice->run, slice->bits, axis->stop - axis->start, axis->dim); */
    //@ ghost slice_one_run(slice, axis);
}

/* Lays the axes out and sets where the walk begins. */
/*@ requires out: \valid(axis + (0 .. axes - 1)) && \valid(slice) && \separated(axis + (0 .. axes - 1), slice);
  @ requires axes: axes_ready(axis, axes);
  @ requires dims: axes_measured(head, at, end, axis, axes);
  @ requires small: nonzero_small(head, at, end, axes);
  @ requires bits: 1 <= bits && nonzero(head, at, end, axes) * bits <= UINT64_MAX;
  @ requires size: elements(head, at, end, axes) * bits == slice->bits;
  @ terminates \true;
  @ exits \false;
  @ assigns axis[0 .. axes - 1], slice->axes, slice->first, slice->run, assay_work;
  @ ensures kept: axes_kept{Pre, Post}(axis, axes);
  @ ensures dims: axes_measured(head, at, end, axis, axes);
  @ ensures axes: slice->axes <= axes;
  @ ensures run: slice->run >= 1;
  @ ensures inside: slice->first + slice->run <= slice->bits;
  @ ensures slice: slice->begin == \old(slice->begin) && slice->bits == \old(slice->bits);
  @ ensures scalar: axes == 0 ==> slice->axes == 0 && slice->first == 0 && slice->run == slice->bits;
  @ ensures rows: 1 <= axes && axis->step == 1 && axes_whole(axis, 1, axes) ==> slice_rows(slice, axis);
  @ ensures begun: slice_begun(slice, axis, axes);
  @*/
static void slice_arrange(assay_axis *axis, uint64_t axes, uint64_t bits, assay_slice *slice)
/*@ ghost (const uint8_t *head, uint64_t at, uint32_t end) */
{
    //@ ghost const uint64_t size = slice->bits;
    //@ ghost const uint64_t begin = slice->begin;
    //@ ghost uint64_t all = slice_nonzero(head, at, end, axis, axes);
    //@ assert all: all * bits == size;
    //@ ghost assay_slice_rows(head, at, end, axis, axes, bits, size);
    axes_prepare(axis, axes, bits) /*@ ghost (size) */;
    //@ assert slice: slice->bits == size && slice->begin == begin;
    //@ assert dims: axes_measured(head, at, end, axis, axes);
    //@ assert ready: axes_ready(axis, axes);
    //@ assert rows: rows_each(axis, axes, size) && row_bits(axis, axes, size) == bits;
    //@ assert kept: axes_kept{Pre, Here}(axis, axes);
    slice_find(axis, axes, bits, slice) /*@ ghost (head, at, end) */;
}

/* The slice of this tensor that has no run. */
/*@ requires out: \valid(slice);
  @ terminates \true;
  @ exits \false;
  @ assigns *slice;
  @ ensures tensor: slice->begin == begin && slice->bits == bits;
  @ ensures empty: slice->axes == 0 && slice->run == 0 && slice->first == 0;
  @*/
static void slice_empty(assay_slice *slice, uint64_t begin, uint64_t bits)
{
    slice->begin = begin;
    slice->bits = bits;
    slice->axes = 0;
    slice->run = 0;
    slice->first = 0;
}

/* Can this slice of this tensor be taken? */
/*@ requires head: head_ok(head, end);
  @ requires in: \valid_read(tensor) && \valid_read(axis + (0 .. axes - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns assay_work;
  @ ensures answer: \result <==> slice_fits(head, end, tensor, axis, axes);
  @*/
static bool slice_admits(const uint8_t *head, uint32_t end, const assay_tensor *tensor, const assay_axis *axis,
                         uint64_t axes)
{
    if (axes != tensor->rank || tensor->bits == 0 || tensor->begin > tensor->end ||
        tensor->end - tensor->begin > UINT64_MAX / 8u) {
        return false;
    }
    return slice_fits(head, end, tensor->dims, axis, axes, tensor->bits, 8u * (tensor->end - tensor->begin));
}

/* Begins the slice. */
/*@ requires head: head_ok(head, end);
  @ requires in: \valid_read(tensor);
  @ requires out: \valid(axis + (0 .. axes - 1)) && \valid(slice);
  @ requires apart: \separated(axis + (0 .. axes - 1), slice, tensor);
  @ requires fit: slice_fits(head, end, tensor, axis, axes);
  @ terminates \true;
  @ exits \false;
  @ assigns axis[0 .. axes - 1], *slice, assay_work;
  @ ensures tensor: slice->begin == tensor->begin && slice->bits == 8 * (tensor->end - tensor->begin);
  @ ensures axes: slice->axes <= axes;
  @ ensures kept: axes_kept{Pre, Post}(axis, axes);
  @ ensures some: slice->run >= 1 <==> axes_some(axis, axes);
  @ ensures dims: axes_measured(head, tensor->dims.at, end, axis, axes);
  @ ensures inside: slice->first + slice->run <= slice->bits;
  @ ensures scalar: axes == 0 ==> slice->axes == 0 && slice->first == 0 && slice->run == slice->bits;
  @ ensures rows: 1 <= axes && axis->step == 1 && axes_whole(axis, 1, axes) && axes_some(axis, axes) ==>
  @     slice_rows(slice, axis);
  @ ensures begun: slice_begun(slice, axis, axes);
  @*/
static void slice_set(const uint8_t *head, uint32_t end, const assay_tensor *tensor, assay_axis *axis, uint64_t axes,
                      assay_slice *slice)
{
    const uint64_t bits = tensor->bits;
    const assay_dims dims = tensor->dims;
    //@ assert product: nonzero(head, tensor->dims.at, end, axes) * tensor->bits <= UINT64_MAX;
    //@ ghost uint64_t size = 8u * (tensor->end - tensor->begin);
    //@ assert volume: elements(head, tensor->dims.at, end, axes) * tensor->bits == size;
    //@ ghost slice_same_bits(head, tensor->dims.at, dims.at, end, axes, bits, size);
    //@ assert small: nonzero_small(head, dims.at, end, axes) && axes <= dims.left && 1 <= bits;
    //@ assert bits: nonzero(head, dims.at, end, axes) * bits <= UINT64_MAX;
    slice_empty(slice, tensor->begin, 8u * (tensor->end - tensor->begin));
    //@ assert tensor: slice->begin == tensor->begin && slice->bits == 8 * (tensor->end - tensor->begin);
    //@ assert fit: axes_fit(head, dims.at, end, axis, axes);
    //@ assert kept: axes_kept{Pre, Here}(axis, axes);
    //@ assert size: elements(head, dims.at, end, axes) * bits == size == slice->bits;
    bool some = slice_measure(head, end, dims, axis, axes);
    //@ assert kept: axes_kept{Pre, Here}(axis, axes);
    //@ assert some: some <==> axes_some(axis, axes);
    //@ assert tensor: slice->begin == tensor->begin && slice->bits == 8 * (tensor->end - tensor->begin);
    //@ assert size: elements(head, dims.at, end, axes) * bits == size == slice->bits;
    //@ assert dims: axes_measured(head, dims.at, end, axis, axes);
    //@ assert at: tensor->dims.at == dims.at;
    if (some) {
        slice_arrange(axis, axes, bits, slice) /*@ ghost (head, dims.at, end) */;
        //@ assert still: axes_some(axis, axes) && slice->run >= 1;
        //@ assert rows: 1 <= axes && axis->step == 1 && axes_whole(axis, 1, axes) ==> slice_rows(slice, axis);
        //@ assert dims: axes_measured(head, dims.at, end, axis, axes);
        //@ assert at: tensor->dims.at == dims.at;
        //@ assert begun: slice_begun(slice, axis, axes);
    }
    //@ ghost if (!some) { assay_slice_none(axis, axes, slice->bits); }
    //@ assert none: !some ==> slice->run == 0;
    //@ assert begun: slice_begun(slice, axis, axes);
    //@ assert dims: axes_measured(head, dims.at, end, axis, axes);
    //@ assert at: tensor->dims.at == dims.at;
}

assay_status assay_slice_begin(const assay_view *view, const assay_tensor *tensor, assay_axis *axis, uint64_t axes,
                               assay_slice *slice)
{
    if (!slice_admits(view->head, (uint32_t)view->data_begin, tensor, axis, axes)) {
        return ASSAY_USAGE;
    }
    slice_set(view->head, (uint32_t)view->data_begin, tensor, axis, axes, slice);
    //@ assert tensor_begin: tensor->begin == \at(tensor->begin, Pre);
    //@ assert tensor_end: tensor->end == \at(tensor->end, Pre);
    //@ assert dims: axes_measured(view->head, tensor->dims.at, view->data_begin, axis, axes);
    //@ assert tensors: view->tensors == \at(view->tensors, Pre);
    //@ assert pairs: view->pairs == \at(view->pairs, Pre);
    //@ assert metadata: view->metadata == \at(view->metadata, Pre);
    //@ assert data_begin: view->data_begin == \at(view->data_begin, Pre);
    //@ assert data_size: view->data_size == \at(view->data_size, Pre);
    /*@ ghost
      uint64_t i = 0;
      /@ loop invariant index: 0 <= i <= view->tensors;
         loop invariant begin: \forall integer j; 0 <= j < i ==> view->entry[j].begin == \at(view->entry[j].begin, Pre);
         loop invariant end: \forall integer j; 0 <= j < i ==> view->entry[j].end == \at(view->entry[j].end, Pre);
         loop invariant name: \forall integer j; 0 <= j < i ==> view->entry[j].name == \at(view->entry[j].name, Pre);
         loop invariant shape: \forall integer j; 0 <= j < i ==> view->entry[j].shape == \at(view->entry[j].shape, Pre);
         loop assigns i;
         loop variant view->tensors - i;
      @/
      while (i < view->tensors) {
          /@ assert slice: \separated(slice, view->entry + i); @/
          /@ assert axes: \separated(axis + (0 .. axes - 1), view->entry + i); @/
          /@ assert begin: \forall integer j; j == i ==> view->entry[j].begin == \at(view->entry[j].begin, Pre); @/
          /@ assert end: \forall integer j; j == i ==> view->entry[j].end == \at(view->entry[j].end, Pre); @/
          /@ assert name: \forall integer j; j == i ==> view->entry[j].name == \at(view->entry[j].name, Pre); @/
          /@ assert shape: \forall integer j; j == i ==> view->entry[j].shape == \at(view->entry[j].shape, Pre); @/
          i++;
      }
    */
    //@ assert entries: entries_same{Pre, Here}(view->entry, view->tensors);
    //@ assert valid: valid_view(view);
    /*@ assert each: \forall integer k; 0 <= k < view->tensors &&
      @     entry_says{Pre}(view->entry + k, view->head, view->data_begin, k) ==>
      @     entry_says(view->entry + k, view->head, view->data_begin, k); */
    /*@ assert entries_say: entries_say{Pre}(view->entry, view->head, view->data_begin, view->tensors) ==>
      @     entries_say(view->entry, view->head, view->data_begin, view->tensors); */
    //@ assert says: view_says{Pre}(view) ==> view_says(view);
    //@ assert finds: view_finds{Pre}(view) ==> view_finds(view);
    return ASSAY_OK;
}

/* ---- Walking -------------------------------------------------------------------------------------------- */

/* Moves to the next run: the last walked axis that has another element takes it, those after it start again. */
/*@ requires slice: \valid(slice) && \valid(axis + (0 .. slice->axes - 1));
  @ requires apart: \separated(slice, axis + (0 .. slice->axes - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns slice->first, slice->run, axis[0 .. slice->axes - 1], assay_work;
  @ ensures kept: axes_kept{Pre, Post}(axis, \old(slice->axes));
  @ ensures laid: axes_laid{Pre, Post}(axis, \old(slice->axes));
  @ ensures walked: axes_walked{Pre, Post}(axis, \old(slice->axes), \old(slice->first));
  @ ensures run: slice->run ==
  @     (axis_next{Pre}(axis, \old(slice->axes), \old(slice->first)) < 0 ? 0 : \old(slice->run));
  @ ensures first: 0 <= axis_next{Pre}(axis, \old(slice->axes), \old(slice->first)) ==>
  @     slice->first == first_next{Pre}(axis, \old(slice->axes), \old(slice->first));
  @ ensures range: axis_next{Pre}(axis, \old(slice->axes), \old(slice->first)) < \old(slice->axes);
  @*/
static void slice_advance(assay_slice *slice, assay_axis *axis)
{
    uint64_t first = slice->first;
    const uint64_t axes = slice->axes;
    /*@ loop invariant bounds: 0 <= i <= axes;
      @ loop invariant kept: axes_kept{Pre, Here}(axis, axes);
      @ loop invariant laid: axes_laid{Pre, Here}(axis, axes);
      @ loop invariant next: axis_next{Pre}(axis, i, first) == axis_next{Pre}(axis, axes, \at(slice->first, Pre));
      @ loop invariant first: first_next{Pre}(axis, i, first) == first_next{Pre}(axis, axes, \at(slice->first, Pre));
      @ loop invariant before: \forall integer j; 0 <= j < i ==> axis[j].gone == \at(axis[j].gone, Pre);
      @ loop invariant after: \forall integer j; i <= j < axes ==> axis[j].gone == 0;
      @ loop assigns i, first, axis[0 .. axes - 1], assay_work;
      @ loop variant i;
      @*/
    for (uint64_t i = axes; i > 0; i--) {
        //@ ghost assay_spend();
        assay_axis *const a = axis + (i - 1);
        /*@ assert same: \forall integer j; j == i - 1 ==> \at(axis[j].gone, Pre) == a->gone &&
          @     \at(axis[j].jump, Pre) == a->jump && \at(axis[j].span, Pre) == a->span; */
        if (a->gone < a->span && a->jump < a->span - a->gone && a->jump <= UINT64_MAX - first) {
            //@ assert next: axis_next{Pre}(axis, axes, \at(slice->first, Pre)) == i - 1;
            //@ assert first: first_next{Pre}(axis, axes, \at(slice->first, Pre)) == first + a->jump;
            //@ ghost uint64_t gone = a->gone + a->jump;
            //@ ghost uint64_t begin = first + a->jump;
            //@ ghost Step: ;
            a->gone += a->jump;
            slice->first = first + a->jump;
            //@ assert others: \forall integer j; 0 <= j < i - 1 ==> axis[j].gone == \at(axis[j].gone, Step);
            //@ assert kept: axes_kept{Step, Here}(axis, axes);
            //@ assert laid: axes_laid{Step, Here}(axis, axes);
            //@ assert first: slice->first == begin && (axis + (i - 1))->gone == gone;
            //@ assert kept: axes_kept{Pre, Here}(axis, axes);
            //@ assert laid: axes_laid{Pre, Here}(axis, axes);
            //@ assert before: \forall integer j; 0 <= j < i - 1 ==> axis[j].gone == \at(axis[j].gone, Pre);
            //@ assert after: \forall integer j; i <= j < axes ==> axis[j].gone == 0;
            //@ assert step: \forall integer j; j == i - 1 ==> axis[j].gone == \at(axis[j].gone + axis[j].jump, Pre);
            //@ assert walked: axes_walked{Pre, Here}(axis, axes, \at(slice->first, Pre));
            //@ assert run: slice->run == \at(slice->run, Pre);
            return;
        }
        if (a->gone > first) {
            break;
        }
        //@ assert stays: a->gone + a->jump >= a->span || first + a->jump > UINT64_MAX;
        //@ assert next: axis_next{Pre}(axis, i - 1, first - a->gone) == axis_next{Pre}(axis, i, first);
        //@ assert first: first_next{Pre}(axis, i - 1, first - a->gone) == first_next{Pre}(axis, i, first);
        first -= a->gone;
        //@ assert apart: \forall integer j; 0 <= j < i - 1 ==> &axis[j].gone != &a->gone;
        //@ ghost Still: ;
        a->gone = 0;
        //@ assert still: \forall integer j; 0 <= j < i - 1 ==> axis[j].gone == \at(axis[j].gone, Still);
        //@ assert before: \forall integer j; 0 <= j < i - 1 ==> axis[j].gone == \at(axis[j].gone, Pre);
    }
    //@ assert none: axis_next{Pre}(axis, axes, \at(slice->first, Pre)) == -1;
    slice->run = 0;
    //@ assert kept: axes_kept{Pre, Here}(axis, axes);
    //@ assert laid: axes_laid{Pre, Here}(axis, axes);
}

/* Set the run of that many bits from bit `first` of the tensor on, which begins at byte `begin` of the file. */
/*@ requires out: \valid(run);
  @ requires small: begin + first / 8 <= UINT64_MAX;
  @ requires apart: \separated(run, axis + (0 .. axes - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns *run;
  @ ensures begin: 8 * (run->byte - begin) + run->skip == first && begin <= run->byte && run->skip < 8;
  @ ensures length: run->bits == bits;
  @ ensures kept: axes_kept{Pre, Post}(axis, axes);
  @ ensures laid: axes_laid{Pre, Post}(axis, axes);
  @ ensures gone: \forall integer k; 0 <= k < axes ==> axis[k].gone == \old(axis[k].gone);
  @*/
static void slice_run(uint64_t begin, uint64_t first, uint64_t bits, assay_run *run)
/*@ ghost (const assay_axis *axis, uint64_t axes) */
{
    run->byte = begin + first / 8u;
    run->skip = first % 8u;
    run->bits = bits;
}

bool assay_slice_next(assay_slice *slice, assay_axis *axis, assay_run *run)
{
    const uint64_t first = slice->first, bits = slice->run;
    //@ ghost bool walks = assay_slice_walks(slice, axis);
    //@ ghost if (walks) { assay_slice_runs(slice, axis); }
    /*@ assert moves: \let j = axis_next(axis, slice->axes, first); walks && 0 <= j ==> j < slice->axes &&
      @     axis[j].gone + axis[j].jump < axis[j].span && first_next(axis, slice->axes, first) ==
      @         first - gone_from(axis, j + 1, slice->axes) + axis[j].jump; */
    if (slice->run == 0 || slice->first > slice->bits || slice->run > slice->bits - slice->first ||
        slice->bits / 8u > UINT64_MAX - slice->begin) {
        return false;
    }
    //@ ghost const uint64_t axes = slice->axes;
    slice_advance(slice, axis);
    //@ ghost Moved: ;
    //@ assert bits: slice->begin + slice->bits / 8 <= UINT64_MAX && first + bits <= slice->bits;
    slice_run(slice->begin, first, bits, run) /*@ ghost (axis, axes) */;
    //@ assert pre: \at(slice->axes, Pre) == axes && \at(slice->first, Pre) == first;
    //@ assert kept: axes_kept{Pre, Moved}(axis, axes);
    //@ assert kept: axes_kept{Pre, Here}(axis, axes);
    //@ assert laid: axes_laid{Pre, Moved}(axis, axes);
    //@ assert laid: axes_laid{Pre, Here}(axis, axes);
    //@ assert walked: axes_walked{Pre, Moved}(axis, axes, first);
    //@ assert range: axis_next{Pre}(axis, axes, first) < axes;
    /*@ assert step: \forall integer k; k == axis_next{Pre}(axis, axes, first) && 0 <= k ==>
      @     axis[k].gone == \at(axis[k].gone, Pre) + \at(axis[k].jump, Pre); */
    /*@ assert before: \forall integer k; 0 <= k < axis_next{Pre}(axis, axes, first) ==>
      @     axis[k].gone == \at(axis[k].gone, Pre); */
    /*@ assert after: 0 <= axis_next{Pre}(axis, axes, first) ==>
      @     \forall integer k; axis_next{Pre}(axis, axes, first) < k < axes ==> axis[k].gone == 0; */
    //@ assert walked: axes_walked{Pre, Here}(axis, axes, first);
    //@ assert slice: slice->first == \at(slice->first, Moved) && slice->run == \at(slice->run, Moved);
    //@ assert begin: 8 * (run->byte - slice->begin) + run->skip == first;
    //@ assert walked: axes_walked{Pre, Here}(axis, \at(slice->axes, Pre), \at(slice->first, Pre));
    //@ assert next: walks ==> walk_next{Pre}(slice, axis) && axes_reach{Pre}(axis, axes, \at(slice->bits, Pre));
    //@ ghost const uint64_t size = slice->bits;
    /*@ ghost
      /@ assert size: size == \at(slice->bits, Pre); @/
      uint64_t k = 0;
      /@ loop invariant bounds: 0 <= k <= axes;
         loop invariant rows: \forall integer j; 0 <= j <= k ==>
             row_bits(axis, j, size) == row_bits{Pre}(axis, j, size);
         loop assigns k;
         loop variant axes - k;
      @/
      while (k < axes) {
          /@ assert dim: \forall integer j; j == k ==> axis[j].dim == \at(axis[j].dim, Pre); @/
          /@ assert row: row_bits(axis, k + 1, size) == row_bits{Pre}(axis, k + 1, size); @/
          k++;
      }
      /@ loop invariant bounds: 0 <= k <= axes;
         loop invariant starts: starts_from(axis, k, axes, size) == starts_from{Pre}(axis, k, axes, size);
         loop invariant gone: \let j = axis_next{Pre}(axis, axes, first);
             0 <= j ==> gone_from(axis, k, axes) == (k > j ? 0 : gone_from{Pre}(axis, k, axes) -
                 gone_from{Pre}(axis, j + 1, axes) + \at(axis[j].jump, Pre));
         loop assigns k;
         loop variant k;
      @/
      while (k > 0) {
          k--;
          /@ assert start: \forall integer j; j == k ==> axis[j].start == \at(axis[j].start, Pre); @/
          /@ assert row: row_bits(axis, k + 1, size) == row_bits{Pre}(axis, k + 1, size); @/
          /@ assert old: starts_from{Pre}(axis, k, axes, size) ==
                 start_bits{Pre}(axis, k, size) + starts_from{Pre}(axis, k + 1, axes, size); @/
          /@ assert new: starts_from(axis, k, axes, size) ==
                 start_bits(axis, k, size) + starts_from(axis, k + 1, axes, size); @/
          /@ assert same: start_bits(axis, k, size) == start_bits{Pre}(axis, k, size); @/
          /@ assert starts: starts_from(axis, k, axes, size) == starts_from{Pre}(axis, k, axes, size); @/
          /@ assert gone: gone_from(axis, k, axes) == axis[k].gone + gone_from(axis, k + 1, axes); @/
          /@ assert before: gone_from{Pre}(axis, k, axes) ==
                 \at(axis[\at(k, Here)].gone, Pre) + gone_from{Pre}(axis, k + 1, axes); @/
          /@ assert here: \let j = axis_next{Pre}(axis, axes, first); 0 <= j ==> axis[k].gone == (k > j ? 0 :
                 k == j ? \at(axis[j].gone + axis[j].jump, Pre) : \at(axis[\at(k, Here)].gone, Pre)); @/
          /@ assert later: \let j = axis_next{Pre}(axis, axes, first); 0 <= j && k > j ==>
                 gone_from(axis, k, axes) == 0; @/
          /@ assert one: \let j = axis_next{Pre}(axis, axes, first); 0 <= j && k == j ==>
                 gone_from(axis, k, axes) == \at(axis[j].gone + axis[j].jump, Pre) &&
                 gone_from{Pre}(axis, k, axes) == \at(axis[j].gone, Pre) + gone_from{Pre}(axis, j + 1, axes); @/
          /@ assert gone: \let j = axis_next{Pre}(axis, axes, first); 0 <= j ==>
                 gone_from(axis, k, axes) == (k > j ? 0 : gone_from{Pre}(axis, k, axes) -
                     gone_from{Pre}(axis, j + 1, axes) + \at(axis[j].jump, Pre)); @/
      }
    */
    //@ assert axes: slice->axes == axes;
    //@ assert kept: axes_kept{Pre, Here}(axis, slice->axes);
    //@ assert laid: axes_laid{Pre, Here}(axis, slice->axes);
    //@ assert was: walks ==> axes_walk{Pre}(axis, axes, size);
    //@ assert first: 0 <= axis_next{Pre}(axis, axes, first) ==> slice->first == first_next{Pre}(axis, axes, first);
    /*@ assert moved: \let j = axis_next{Pre}(axis, axes, first); walks && 0 <= j ==> j < axes &&
      @     \at(axis[j].gone + axis[j].jump, Pre) < \at(axis[j].span, Pre) &&
      @     first_next{Pre}(axis, axes, first) ==
      @         first - gone_from{Pre}(axis, j + 1, axes) + \at(axis[j].jump, Pre); */
    /*@ assert low: walks && 0 <= axis_next{Pre}(axis, axes, first) ==>
      @     walk_low(slice, axis) == walk_low{Pre}(slice, axis); */
    /*@ assert reach_before: \let j = axis_next{Pre}(axis, axes, first); walks && 0 <= j ==>
      @     \forall integer k; 0 <= k < j ==> axis_reaches{Pre}(axis, k, size, axis[k].gone); */
    /*@ assert reach_here: \let j = axis_next{Pre}(axis, axes, first); walks && 0 <= j ==>
      @     \forall integer k; k == j ==> axis_reaches{Pre}(axis, k, size, axis[k].gone); */
    /*@ assert reach_after: \let j = axis_next{Pre}(axis, axes, first); walks && 0 <= j ==>
      @     \forall integer k; j < k < axes ==> axis_reaches{Pre}(axis, k, size, axis[k].gone); */
    /*@ assert rows: \forall integer k; 0 <= k < axes ==> row_bits(axis, k, size) == row_bits{Pre}(axis, k, size) &&
      @     row_bits(axis, k + 1, size) == row_bits{Pre}(axis, k + 1, size); */
    /*@ assert reach: \forall integer k, gone; 0 <= k < axes && axis_reaches{Pre}(axis, k, size, gone) ==>
      @     axis_reaches(axis, k, size, gone); */
    //@ assert laid: \forall integer k; 0 <= k < axes && axis_laid{Pre}(axis, k, size) ==> axis_laid(axis, k, size);
    //@ assert laid: walks ==> \forall integer k; 0 <= k < axes ==> axis_laid{Pre}(axis, k, size);
    /*@ assert reaches: walks && 0 <= axis_next{Pre}(axis, axes, first) ==> \forall integer k; 0 <= k < axes ==>
      @     axis_reaches{Pre}(axis, k, size, axis[k].gone); */
    /*@ assert walks: walks && 0 <= axis_next{Pre}(axis, axes, first) ==> \forall integer k; 0 <= k < axes ==>
      @     axis_walks(axis, k, size); */
    /*@ assert index: \forall integer k, x; 0 <= k < axes ==>
      @     bit_index(axis, k, size, x) == bit_index{Pre}(axis, k, size, x); */
    /*@ assert same: \forall integer k, i; 0 <= k < axes ==>
      @     (axis_takes{Pre}(axis, k, i) <==> axis_takes(axis, k, i)); */
    //@ assert taken: \forall integer x; bit_taken{Pre}(axis, axes, size, x) ==> bit_taken(axis, axes, size, x);
    /*@ assert takes: \forall integer x, k; bit_taken(axis, axes, size, x) && 0 <= k < axes ==>
      @     axis_takes{Pre}(axis, k, bit_index{Pre}(axis, k, size, x)); */
    //@ assert taken: \forall integer x; bit_taken(axis, axes, size, x) ==> bit_taken{Pre}(axis, axes, size, x);
    /*@ assert takes: walks && 0 <= axis_next{Pre}(axis, axes, first) ==>
      @     \forall integer x; walk_takes{Pre}(slice, axis, x) <==> walk_takes(slice, axis, x); */
    //@ assert goes: walks ==> walk_goes{Pre, Here}(slice, axis);
    return true;
}
