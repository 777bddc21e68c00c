/* edit_certificate.h: checks the metadata of a new head against the old one and the steps that were requested. It knows
 * nothing of how the new head was made. assay_same_tensors compares the tensors. */
#ifndef ASSAY_EDIT_CERTIFICATE_H
#define ASSAY_EDIT_CERTIFICATE_H

#include <stddef.h>

#include "edit_pairs.h"

/* Does the new header have the pairs of the old one with these steps applied, and no others? Traces each pair through
 * the steps: O(pairs * count). */
bool edit_same_pairs(const assay_view *old, const assay_view *new_view, const edit_step *step, size_t count);

#endif
