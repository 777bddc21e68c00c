/* dtypes.c: dtype names and widths.
 * Made by spec/generate.py from spec/rules.tsv, statuses.tsv and dtypes.tsv: do not edit. */

#include "dtypes.h"

#include "assay_codes.h"
#include "words.h"

/* Names of at most 8 bytes. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == dtype_of(lo, 0x0);
*/
static uint32_t dtype_group_0(uint64_t lo)
{
    switch (lo) {
    case ASSAY_WORD_DTYPE_BOOL_LO: return ASSAY_DTYPE_BOOL;
    case ASSAY_WORD_DTYPE_U8_LO: return ASSAY_DTYPE_U8;
    case ASSAY_WORD_DTYPE_I8_LO: return ASSAY_DTYPE_I8;
    case ASSAY_WORD_DTYPE_F8_E5M2_LO: return ASSAY_DTYPE_F8_E5M2;
    case ASSAY_WORD_DTYPE_F8_E4M3_LO: return ASSAY_DTYPE_F8_E4M3;
    case ASSAY_WORD_DTYPE_F8_E8M0_LO: return ASSAY_DTYPE_F8_E8M0;
    case ASSAY_WORD_DTYPE_F4_LO: return ASSAY_DTYPE_F4;
    case ASSAY_WORD_DTYPE_F6_E2M3_LO: return ASSAY_DTYPE_F6_E2M3;
    case ASSAY_WORD_DTYPE_F6_E3M2_LO: return ASSAY_DTYPE_F6_E3M2;
    case ASSAY_WORD_DTYPE_I16_LO: return ASSAY_DTYPE_I16;
    case ASSAY_WORD_DTYPE_U16_LO: return ASSAY_DTYPE_U16;
    case ASSAY_WORD_DTYPE_F16_LO: return ASSAY_DTYPE_F16;
    case ASSAY_WORD_DTYPE_BF16_LO: return ASSAY_DTYPE_BF16;
    case ASSAY_WORD_DTYPE_I32_LO: return ASSAY_DTYPE_I32;
    case ASSAY_WORD_DTYPE_U32_LO: return ASSAY_DTYPE_U32;
    case ASSAY_WORD_DTYPE_F32_LO: return ASSAY_DTYPE_F32;
    case ASSAY_WORD_DTYPE_I64_LO: return ASSAY_DTYPE_I64;
    case ASSAY_WORD_DTYPE_U64_LO: return ASSAY_DTYPE_U64;
    case ASSAY_WORD_DTYPE_F64_LO: return ASSAY_DTYPE_F64;
    case ASSAY_WORD_DTYPE_C64_LO: return ASSAY_DTYPE_C64;
    default: return 0;
    }
}

/* Names of more than 8 bytes: F8_E4M3FNUZ, F8_E5M2FNUZ. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == dtype_of(lo, 0x5a554e);
*/
static uint32_t dtype_group_1(uint64_t lo)
{
    switch (lo) {
    case ASSAY_WORD_DTYPE_F8_E4M3FNUZ_LO: return ASSAY_DTYPE_F8_E4M3FNUZ;
    case ASSAY_WORD_DTYPE_F8_E5M2FNUZ_LO: return ASSAY_DTYPE_F8_E5M2FNUZ;
    default: return 0;
    }
}

static uint32_t assay_dtype_of(uint64_t lo, uint64_t hi)
{
    if (hi == 0) {
        return dtype_group_0(lo);
    }
    if (hi == ASSAY_WORD_DTYPE_F8_E4M3FNUZ_HI) {
        return dtype_group_1(lo);
    }
    return 0;
}

static uint32_t assay_dtype_bits(uint32_t dtype)
{
    switch (dtype) {
    case ASSAY_DTYPE_BOOL: return 8;
    case ASSAY_DTYPE_U8: return 8;
    case ASSAY_DTYPE_I8: return 8;
    case ASSAY_DTYPE_F8_E5M2: return 8;
    case ASSAY_DTYPE_F8_E4M3: return 8;
    case ASSAY_DTYPE_F8_E8M0: return 8;
    case ASSAY_DTYPE_F8_E4M3FNUZ: return 8;
    case ASSAY_DTYPE_F8_E5M2FNUZ: return 8;
    case ASSAY_DTYPE_F4: return 4;
    case ASSAY_DTYPE_F6_E2M3: return 6;
    case ASSAY_DTYPE_F6_E3M2: return 6;
    case ASSAY_DTYPE_I16: return 16;
    case ASSAY_DTYPE_U16: return 16;
    case ASSAY_DTYPE_F16: return 16;
    case ASSAY_DTYPE_BF16: return 16;
    case ASSAY_DTYPE_I32: return 32;
    case ASSAY_DTYPE_U32: return 32;
    case ASSAY_DTYPE_F32: return 32;
    case ASSAY_DTYPE_I64: return 64;
    case ASSAY_DTYPE_U64: return 64;
    case ASSAY_DTYPE_F64: return 64;
    case ASSAY_DTYPE_C64: return 64;
    default: return 0;
    }
}
