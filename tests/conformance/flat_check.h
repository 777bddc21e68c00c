/* flat_check.h: what assay_flat.h must return, compared with assay.h. */
#ifndef ASSAY_FLAT_CHECK_H
#define ASSAY_FLAT_CHECK_H

#include "assay.h"

/* Call every function of assay_flat.h for this file and compare it with assay.h. All memory is of exactly the size that
 * is stated. Return NULL, or what differs. */
const char *flat_check(const uint8_t *head, uint64_t head_size, uint64_t file_size, const assay_options *options);

#endif
