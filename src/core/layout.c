/* layout.c: does every byte of the data section belong to exactly one tensor? Rules G3 to G6. */
#include "core.h"

static assay_status layout_error(assay_error *error, uint32_t status, uint64_t offset, uint64_t tensor, uint64_t other,
                                 uint64_t expected, uint64_t found)
{
    error->status = status;
    error->offset = offset;
    error->tensor = tensor;
    error->other = other;
    error->expected = expected;
    error->found = found;
    return status;
}

/* G3. Of the tensors with the largest end, the first in the header is reported. */
static assay_status layout_truncated(const assay_entry *entry, uint32_t n, uint64_t data_begin, uint64_t data_size,
                                     assay_error *error)
{
    uint64_t largest = 0, tensor = ASSAY_NONE;

    for (uint32_t i = 0; i < n; i++) {
        if (entry[i].end > largest) {
            largest = entry[i].end;
            tensor = i;
        }
    }
    if (largest <= data_size)
        return ASSAY_OK;
    return layout_error(error, ASSAY_E_TRUNCATED, data_begin + data_size, tensor, ASSAY_NONE, largest, data_size);
}

/* G4, G5. Each tensor that is not empty begins where the one before it ends. */
static assay_status layout_chain(const assay_entry *entry, const uint32_t *order, uint32_t n, uint64_t data_begin,
                                 uint64_t data_size, assay_error *error)
{
    uint64_t at = 0, last = ASSAY_NONE;

    for (uint32_t i = 0; i < n; i++) {
        uint64_t begin = entry[order[i]].begin, end = entry[order[i]].end;

        if (begin < end) {
            if (begin > at)
                return layout_error(error, ASSAY_E_HOLE, data_begin + at, order[i], last, at, begin);
            if (begin < at)
                return layout_error(error, ASSAY_E_OVERLAP, data_begin + begin, order[i], last, at, begin);
            at = end;
            last = order[i];
        }
    }
    if (at < data_size)
        return layout_error(error, ASSAY_E_HOLE, data_begin + at, ASSAY_NONE, last, at, data_size);
    return ASSAY_OK;
}

/* G6, where the tensors that are not empty form a chain: only the last one of them that comes before an empty tensor
 * in layout order can be around it. */
static assay_status layout_inside(const assay_entry *entry, const uint32_t *order, uint32_t n, uint64_t data_begin,
                                  assay_error *error)
{
    uint64_t at = 0, last = ASSAY_NONE;

    for (uint32_t i = 0; i < n; i++) {
        uint64_t begin = entry[order[i]].begin, end = entry[order[i]].end;

        if (begin < end) {
            at = end;
            last = order[i];
        } else if (begin < at) {
            return layout_error(error, ASSAY_E_EMPTY_INSIDE, data_begin + begin, order[i], last, ASSAY_NONE,
                                ASSAY_NONE);
        }
    }
    return ASSAY_OK;
}

assay_status assay_layout(const assay_entry *entry, const uint32_t *order, uint32_t n, uint64_t data_begin,
                          uint64_t data_size, assay_error *error)
{
    assay_status status = layout_truncated(entry, n, data_begin, data_size, error);

    if (status == ASSAY_OK)
        status = layout_chain(entry, order, n, data_begin, data_size, error);
    if (status == ASSAY_OK)
        status = layout_inside(entry, order, n, data_begin, error);
    return status;
}
