/* edit_certificate.h: checks a new head against the old one and the steps that were requested. It knows nothing of how
 * the new head was made. assay_same_tensors compares what the tensors mean. */
#ifndef ASSAY_EDIT_CERTIFICATE_H
#define ASSAY_EDIT_CERTIFICATE_H

#include <stddef.h>

#include "edit_pairs.h"

/* Return the bytes of memory that edit_same_pairs needs.
 * pairs: of the old header, and as many as the steps may add. keys: two for each step, one for each pair of a map, and
 * one for each old pair if there is an EDIT_CLEAR. bytes: of the larger head, of each map, and of the old head again if
 * there is an EDIT_CLEAR. */
uint64_t edit_certificate_memory(uint64_t pairs, uint64_t keys, uint64_t bytes);

/* Does the new header have the pairs of the old one with these steps applied, and no others? A pair that no step names
 * is as it was: assay_pairs_kept compares it, which is proved (T16). The others are traced through the steps.
 * memory: for `pairs` and `keys`, at a multiple of 8. Cost: O((pairs + keys) * count), and the look-ups of their keys. */
bool edit_same_pairs(const assay_view *old, const assay_view *new_view, const edit_step *step, size_t count,
                     uint64_t pairs, uint64_t keys, void *memory);

/* Is every byte of the new header outside the member __metadata__ that of the old one? If one of the two has no such
 * member, a comma beside it goes with it, and the white space between them. Spaces at the end don't count. O(N). */
bool edit_same_rest(const assay_view *old, const assay_view *new_view);

#endif
