/* slice.c: a rectangular part of a tensor, as runs of adjacent bits.
 *
 * All runs of a slice have the same length. The axes that are taken whole, from the last one on, and the one before
 * them if its elements are adjacent, make up the run; the axes before those are walked like an odometer. Between two
 * calls the caller holds the state, so assay_slice_next trusts none of it: a run that would leave the tensor is
 * never handed out. */
#include "core.h"


/* Are start, stop, step in order on every axis, and do dims and element width make size bits? Zero dims are left out
 * of the product, as the format does; one of them makes the size 0. */
static bool slice_fits(const assay_view *view, assay_dims dims, const assay_axis *axis, uint64_t axes, uint64_t bits,
                 uint64_t size)
{
    uint64_t product = bits;
    bool empty = false;
    for (uint64_t i = 0; i < axes; i++) {
        uint64_t dim;
        if (!assay_dim_next(view, &dims, &dim) || axis[i].step == 0 || axis[i].start > axis[i].stop ||
            axis[i].stop > dim) {
            return false;
        }
        if (dim == 0) {
            empty = true;
        } else if (!assay_multiply(product, dim, &product)) {
            return false;
        }
    }
    return size == (empty ? 0 : product);
}

/* Fills in axis[].dim. True: every axis has an element. */
static bool slice_measure(const assay_view *view, assay_dims dims, assay_axis *axis, uint64_t axes)
{
    bool some = true;
    for (uint64_t i = 0; i < axes; i++) {
        axis[i].dim = 0;
        axis[i].span = 0;
        axis[i].jump = 0;
        axis[i].gone = 0;
        assay_dim_next(view, &dims, &axis[i].dim);
        if (axis[i].start == axis[i].stop) {
            some = false;
        }
    }
    return some;
}

/* Elements on this axis if they are adjacent, else 0. An axis with one element is adjacent whatever its step. */
static uint64_t axis_adjacent(const assay_axis *axis)
{
    uint64_t width = axis->stop - axis->start;
    if (axis->step >= width) {
        return 1;
    }
    return axis->step == 1 ? width : 0;
}

/* Prepares one axis for walking, where stride bits lie between neighbours. */
static void axis_prepare(assay_axis *axis, uint64_t stride)
{
    uint64_t width = axis->stop - axis->start;
    axis->span = width * stride;
    axis->jump = axis->step < width ? axis->step * stride : axis->span;
    axis->gone = 0;
}

/* Goes through the axes from the last to the first: where the slice begins, how long its runs are, which axes are
 * walked. Every axis has an element; the whole tensor has less than 2^64 bits. */
static void slice_arrange(assay_axis *axis, uint64_t axes, uint64_t bits, assay_slice *slice)
{
    uint64_t stride = bits, first = 0, run = bits, walked = 0;
    bool whole = true; /* all axes behind this one are taken whole: run == stride */
    for (uint64_t i = axes; i > 0; i--) {
        assay_axis *const a = axis + (i - 1);
        axis_prepare(a, stride);
        first += a->start * stride;
        if (whole) {
            uint64_t elements = axis_adjacent(a);
            walked = elements == 0 ? i : i - 1;
            run = elements == 0 ? stride : elements * stride;
            whole = elements == a->dim;
        }
        stride *= a->dim;
    }
    slice->axes = whole ? 0 : walked;
    slice->first = first;
    slice->run = run;
}

assay_status assay_slice_begin(const assay_view *view, const assay_tensor *tensor, assay_axis *axis, uint64_t axes,
                               assay_slice *slice)
{
    uint64_t bytes = tensor->end - tensor->begin;
    if (tensor->begin > tensor->end || bytes > UINT64_MAX / 8 || axes != tensor->rank ||
        !slice_fits(view, tensor->dims, axis, axes, tensor->bits, 8 * bytes)) {
        return ASSAY_USAGE;
    }
    slice->begin = tensor->begin;
    slice->bits = 8 * bytes;
    slice->axes = 0;
    slice->first = 0;
    slice->run = 0;
    if (slice_measure(view, tensor->dims, axis, axes)) {
        slice_arrange(axis, axes, tensor->bits, slice);
    }
    return ASSAY_OK;
}

/* Moves to the next run: the last walked axis that has another element takes it, those behind it start again. */
static void slice_advance(assay_slice *slice, assay_axis *axis)
{
    uint64_t first = slice->first;
    for (uint64_t i = slice->axes; i > 0; i--) {
        assay_axis *const a = axis + (i - 1);
        if (a->gone < a->span && a->jump < a->span - a->gone && a->jump <= UINT64_MAX - first) {
            a->gone += a->jump;
            slice->first = first + a->jump;
            return;
        }
        if (a->gone > first) {
            break;
        }
        first -= a->gone;
        a->gone = 0;
    }
    slice->run = 0;
}

bool assay_slice_next(assay_slice *slice, assay_axis *axis, assay_run *run)
{
    uint64_t first = slice->first;
    if (slice->run == 0 || first > slice->bits || slice->run > slice->bits - first ||
        slice->bits / 8 > UINT64_MAX - slice->begin) {
        return false;
    }
    run->byte = slice->begin + first / 8;
    run->skip = first % 8;
    run->bits = slice->run;
    slice_advance(slice, axis);
    return true;
}
