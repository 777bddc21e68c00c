/* edit_certificate.h: checks a new head against the old one and the steps that were requested. It knows nothing of how
 * the new head was made. assay_same_tensors compares what the tensors mean. */
#ifndef ASSAY_EDIT_CERTIFICATE_H
#define ASSAY_EDIT_CERTIFICATE_H

#include <stddef.h>

#include "edit_pairs.h"

/* What the memory of edit_same_pairs has room for. */
typedef struct {
    uint64_t pairs; /* of the old header, and as many as the steps may add */
    uint64_t keys;  /* two for each step, one for each pair of a map; if there is an EDIT_CLEAR, the old pairs */
    uint64_t bytes; /* of the larger head, of each map; if there is an EDIT_CLEAR, of the old head again */
} edit_sizes;

/* Return the sizes for a new head of that many bytes. additions: the pairs that the steps may add. */
edit_sizes edit_certificate_sizes(const assay_view *old, uint64_t new_head, uint64_t additions, const edit_step *step,
                                  size_t count);

/* Return the bytes of memory for these sizes. */
uint64_t edit_certificate_memory(const edit_sizes *sizes);

/* Does the new header have the pairs of the old one with these steps applied, and no others? A pair that no step names
 * is as it was: assay_pairs_kept compares it, which is proved (T16); its place among the others is compared too. Those
 * that are named are traced through the steps. memory: at a multiple of 8.
 * Cost: O((pairs + keys) * count), and the look-ups of their keys. */
bool edit_same_pairs(const assay_view *old, const assay_view *new_view, const edit_step *step, size_t count,
                     const edit_sizes *sizes, void *memory);

/* Is every byte of the new header outside the member __metadata__ that of the old one? If one of the two has no such
 * member, a comma beside it goes with it, and the white space between them. Spaces at the end don't count. O(N). */
bool edit_same_rest(const assay_view *old, const assay_view *new_view);

#endif
