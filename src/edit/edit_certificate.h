/* edit_certificate.h: checks a new head against the old one and the steps that were requested. It knows nothing of how
 * the new head was made. assay_same_tensors compares what the tensors mean. */
#ifndef ASSAY_EDIT_CERTIFICATE_H
#define ASSAY_EDIT_CERTIFICATE_H

#include <stddef.h>

#include "edit_pairs.h"

/* Does the new header have the pairs of the old one with these steps applied, and no others? Traces each pair through
 * the steps: O(pairs * count). scratch: room for the longest key of any of these headers (edit_text_longest_key). */
bool edit_same_pairs(const assay_view *old, const assay_view *new_view, const edit_step *step, size_t count,
                     uint8_t *scratch);

/* Is every byte of the new header outside the member __metadata__ that of the old one? If one of the two has no such
 * member, a comma beside it goes with it, and the white space between them. Spaces at the end don't count. O(N). */
bool edit_same_rest(const assay_view *old, const assay_view *new_view);

#endif
