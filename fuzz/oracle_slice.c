/* oracle_slice.c: compare a slice with counting element by element, up to a limit. */
#include "fuzz.h"

enum { MOST_ELEMENTS = 4096, MOST_RUNS = 512, FILL = 0xA5 };

typedef unsigned __int128 wide;

/* Return how many elements an axis selects. */
static uint64_t selected(const assay_axis *axis)
{
    return axis->start >= axis->stop ? 0 : (axis->stop - axis->start - 1) / axis->step + 1;
}

/* Compute for the axes from k on how many elements are selected, and the distance from the first to after the last. */
static void block(const assay_axis *axis, const uint64_t *dim, uint64_t k, uint64_t axes, wide *count, wide *extent)
{
    wide unit = 1;
    *count = *extent = 1;
    for (uint64_t i = axes; i-- > k;) {
        *count *= selected(&axis[i]);
        *extent += unit * ((selected(&axis[i]) - 1) * (wide)axis[i].step);
        unit *= dim[i];
    }
}

/* Return the number of elements of a run: the largest trailing block of adjacent elements. */
static uint64_t run_elements(const assay_axis *axis, const uint64_t *dim, uint64_t axes)
{
    uint64_t run = 1;
    for (uint64_t k = axes; k-- > 0;) {
        wide count, extent;
        block(axis, dim, k, axes, &count, &extent);
        if (count != extent) {
            break;
        }
        run = (uint64_t)count;
    }
    return run;
}

/* Return the index in the tensor of the k-th element of the slice. */
static uint64_t element(const assay_axis *axis, const uint64_t *dim, uint64_t axes, uint64_t k)
{
    uint64_t index = 0, unit = 1;
    for (uint64_t i = axes; i-- > 0;) {
        uint64_t count = selected(&axis[i]);
        index += unit * (axis[i].start + k % count * axis[i].step);
        unit *= dim[i];
        k /= count;
    }
    return index;
}

/* Return whether assay_slice_begin must accept the slice. */
static bool fits(const assay_axis *axis, const spec_tensor *expected, uint64_t axes)
{
    bool fit = axes == expected->rank;
    for (uint64_t i = 0; fit && i < axes; i++) {
        fit = axis[i].step >= 1 && axis[i].start <= axis[i].stop && axis[i].stop <= expected->dim[i];
    }
    return fit;
}

static void check_run(const assay_run *run, const assay_tensor *tensor, uint64_t first, uint64_t bits)
{
    demand(run->byte >= tensor->begin && run->skip < 8 && run->bits >= 1, "a run that is not in the tensor");
    demand((wide)8 * (run->byte - tensor->begin) + run->skip + run->bits <= (wide)8 * (tensor->end - tensor->begin),
           "a run that leaves the tensor");
    demand(run->byte - tensor->begin == first / 8 && run->skip == first % 8, "a run begins elsewhere");
    demand(run->bits == bits, "a run has another length");
}

static void walk(const assay_tensor *tensor, const spec_tensor *expected, assay_slice *slice, assay_axis *axis,
                 uint64_t axes)
{
    wide total = 1;
    uint64_t left = 0, run_size = 0;
    for (uint64_t i = 0; i < axes; i++) {
        total *= selected(&axis[i]);
    }
    if (total > 0) {
        run_size = run_elements(axis, expected->dim, axes);
        left = (uint64_t)(total / run_size); /* total is at most the elements of a tensor: below 2^64 */
        demand(total % run_size == 0, "runs of different lengths");
    }
    for (uint64_t k = 0; k < left && k < MOST_RUNS; k++) {
        assay_run run;
        demand(assay_slice_next(slice, axis, &run), "a run is not there");
        uint64_t first = element(axis, expected->dim, axes, k * run_size);
        check_run(&run, tensor, first * expected->bits, run_size * expected->bits);
        for (uint64_t i = 1; left == 1 && i < run_size && i < MOST_ELEMENTS; i++) {
            demand(element(axis, expected->dim, axes, i) == first + i, "the elements of a run are not adjacent");
        }
    }
    if (left <= MOST_RUNS) {
        assay_run *run = guarded(sizeof *run, FILL);
        demand(!assay_slice_next(slice, axis, run), "a run beyond the last");
        demand(all_bytes(run, sizeof *run, FILL), "a run written though there is none");
    }
}

void oracle_slice(const assay_view *view, const assay_tensor *tensor, const spec_tensor *expected, assay_axis *axis,
                  uint64_t axes)
{
    assay_axis *mine = guarded_copy(axis, axes * sizeof *axis);
    assay_slice *slice = guarded(sizeof *slice, FILL);
    bool right = fits(axis, expected, axes);
    assay_status status = assay_slice_begin(view, tensor, mine, axes, slice);
    demand(status == (right ? ASSAY_OK : ASSAY_USAGE), "a slice is accepted or refused wrongly");
    if (!right) {
        demand(all_bytes(slice, sizeof *slice, FILL) && same_bytes(mine, axis, axes * sizeof *axis),
               "a slice that is refused was written");
        return;
    }
    demand(slice->axes <= axes, "a slice walks more axes than there are");
    for (uint64_t i = 0; i < axes; i++) {
        demand(mine[i].start == axis[i].start && mine[i].stop == axis[i].stop && mine[i].step == axis[i].step,
               "the caller's part of an axis was written");
        demand(mine[i].dim == expected->dim[i], "an axis' dim is not the model's");
    }
    walk(tensor, expected, slice, mine, axes);
}
