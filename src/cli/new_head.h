/* new_head.h: makes the head of a new file from a description, in the process of write_worker.h. */
#ifndef ASSAY_NEW_HEAD_H
#define ASSAY_NEW_HEAD_H

#include "assay_write.h"
#include "write_worker.h"

/* A description that is being made. All memory is freed with the process. */
typedef struct {
    assay_new_tensor *tensor;
    assay_new_pair *pair;
    uint64_t tensors, pairs;
    uint64_t *dim;   /* of all tensors */
    uint32_t *order; /* [2 * (tensors + pairs)], filled by new_head_make */
    assay_file_plan plan;
    assay_view view; /* of the new head */
} new_head;

/* Allocate the arrays. Return false if there is not enough memory. */
bool new_head_begin(new_head *of, uint64_t tensors, uint64_t pairs, uint64_t dims);

/* Write the canonical head of what was described to *result, and have it judged and compared. Return ASSAY_OK, or why
 * not; ASSAY_WORKSPACE: there is not enough memory. */
assay_status new_head_make(new_head *of, write_result *result, assay_error *error);

#endif
