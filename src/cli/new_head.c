/* new_head.c: see new_head.h. */
#include "new_head.h"

#include <stdlib.h>

bool new_head_begin(new_head *of, uint64_t tensors, uint64_t pairs, uint64_t dims)
{
    const uint64_t most = WRITE_HEAD_MOST; /* a header with more elements does not exist */
    *of = (new_head){.tensors = tensors, .pairs = pairs};
    if (tensors > most || pairs > most || dims > most)
        return false;
    of->tensor = calloc((size_t)tensors + 1, sizeof *of->tensor);
    of->pair = calloc((size_t)pairs + 1, sizeof *of->pair);
    of->dim = calloc((size_t)dims + 1, sizeof *of->dim);
    of->order = calloc(2 * ((size_t)tensors + (size_t)pairs) + 1, sizeof *of->order);
    return of->tensor != NULL && of->pair != NULL && of->dim != NULL && of->order != NULL;
}

assay_status new_head_make(new_head *of, write_result *result, assay_error *error)
{
    const assay_description what = {of->tensor, of->tensors, of->pair, of->pairs};
    const assay_head_buffer head = {result->head, sizeof result->head};
    assay_workspace workspace = {NULL, of->tensors, NULL, 8 * of->pairs + 6 * of->tensors};
    assay_result made;
    workspace.entry = malloc(((size_t)workspace.entries + 1) * sizeof *workspace.entry);
    workspace.word = malloc(((size_t)workspace.words + 1) * sizeof *workspace.word);
    if (workspace.entry == NULL || workspace.word == NULL)
        return ASSAY_WORKSPACE;
    assay_status status = assay_head_make(&what, NULL, of->order, &head, &workspace, &of->plan, &made);
    *error = made.error;
    if (status == ASSAY_OK) {
        of->view = made.view;
        result->new_head = of->plan.head;
    }
    return status;
}
