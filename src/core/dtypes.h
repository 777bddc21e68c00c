/* dtypes.h: dtype names and widths.
 * Made by spec/generate.py from spec/rules.tsv, statuses.tsv and dtypes.tsv: do not edit. */
#ifndef ASSAY_DTYPES_H
#define ASSAY_DTYPES_H

#include <stdint.h>

#ifdef __FRAMAC__
#include "codes.acsl"
#endif

/* The dtype of the name whose bytes pack to lo and hi (see words.h), or 0. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures known: \result <= 22;
    ensures exact: \result == dtype_of(lo, hi);
*/
static uint32_t assay_dtype_of(uint64_t lo, uint64_t hi);

/* The width of one element in bits, or 0 for a number that is no dtype. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures width: \result <= 64;
    ensures some: 1 <= dtype <= 22 ==> \result >= 4;
    ensures exact: \result == dtype_bits(dtype);
*/
static uint32_t assay_dtype_bits(uint32_t dtype);

#endif
