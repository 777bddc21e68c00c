/* write_words.h: what the writer writes, in one array, and the dtypes. A word is 256 * its position + its length.
 * Only assay_write.c includes it.
 * Made by spec/generate.py from spec/dtypes.tsv: do not edit. */
#ifndef ASSAY_WRITE_WORDS_H
#define ASSAY_WRITE_WORDS_H

#include <stdint.h>

#include "assay_codes.h"

#define WRITE_WORDS_SIZE 194u

#define TOKEN_OPEN_METADATA 273u /* {"__metadata__":{ */
#define TOKEN_KEY 4867u /* ":" */
#define TOKEN_DTYPE 5900u /* ":{"dtype":" */
#define TOKEN_SHAPE 9227u /* ","shape":[ */
#define TOKEN_OFFSETS 12306u /* ],"data_offsets":[ */
#define TOKEN_CLOSE 17154u /* ]} */

static const uint8_t write_words[WRITE_WORDS_SIZE] =
    "\0" /* none */
    "{\"__metadata__\":{" "\0"
    "\":\"" "\0"
    "\":{\"dtype\":\"" "\0"
    "\",\"shape\":[" "\0"
    "],\"data_offsets\":[" "\0"
    "]}" "\0"
    "BOOL" "\0"
    "U8" "\0"
    "I8" "\0"
    "F8_E5M2" "\0"
    "F8_E4M3" "\0"
    "F8_E8M0" "\0"
    "F8_E4M3FNUZ" "\0"
    "F8_E5M2FNUZ" "\0"
    "F4" "\0"
    "F6_E2M3" "\0"
    "F6_E3M2" "\0"
    "I16" "\0"
    "U16" "\0"
    "F16" "\0"
    "BF16" "\0"
    "I32" "\0"
    "U32" "\0"
    "F32" "\0"
    "I64" "\0"
    "U64" "\0"
    "F64" "\0"
    "C64" "\0";

/* Return the byte at this position. */
/*@ requires at: at < WRITE_WORDS_SIZE;
    terminates \true;
    exits \false;
    assigns \nothing;
*/
static uint8_t write_word_byte(uint32_t at)
{
    return write_words[at];
}

/* The name of a dtype; 0 if there is none. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures word: \result / 256 + \result % 256 < WRITE_WORDS_SIZE && \result % 256 <= 11;
*/
static uint32_t write_dtype_word(uint64_t dtype)
{
    switch (dtype) {
    case ASSAY_DTYPE_BOOL: return 17924u; /* BOOL */
    case ASSAY_DTYPE_U8: return 19202u; /* U8 */
    case ASSAY_DTYPE_I8: return 19970u; /* I8 */
    case ASSAY_DTYPE_F8_E5M2: return 20743u; /* F8_E5M2 */
    case ASSAY_DTYPE_F8_E4M3: return 22791u; /* F8_E4M3 */
    case ASSAY_DTYPE_F8_E8M0: return 24839u; /* F8_E8M0 */
    case ASSAY_DTYPE_F8_E4M3FNUZ: return 26891u; /* F8_E4M3FNUZ */
    case ASSAY_DTYPE_F8_E5M2FNUZ: return 29963u; /* F8_E5M2FNUZ */
    case ASSAY_DTYPE_F4: return 33026u; /* F4 */
    case ASSAY_DTYPE_F6_E2M3: return 33799u; /* F6_E2M3 */
    case ASSAY_DTYPE_F6_E3M2: return 35847u; /* F6_E3M2 */
    case ASSAY_DTYPE_I16: return 37891u; /* I16 */
    case ASSAY_DTYPE_U16: return 38915u; /* U16 */
    case ASSAY_DTYPE_F16: return 39939u; /* F16 */
    case ASSAY_DTYPE_BF16: return 40964u; /* BF16 */
    case ASSAY_DTYPE_I32: return 42243u; /* I32 */
    case ASSAY_DTYPE_U32: return 43267u; /* U32 */
    case ASSAY_DTYPE_F32: return 44291u; /* F32 */
    case ASSAY_DTYPE_I64: return 45315u; /* I64 */
    case ASSAY_DTYPE_U64: return 46339u; /* U64 */
    case ASSAY_DTYPE_F64: return 47363u; /* F64 */
    case ASSAY_DTYPE_C64: return 48387u; /* C64 */
    default: return 0;
    }
}

/* Bits of one element; 0 if there is no such dtype. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures most: \result <= 64;
    ensures exact: \result == dtype_bits(dtype);
*/
static uint32_t write_dtype_bits(uint64_t dtype)
{
    switch (dtype) {
    case ASSAY_DTYPE_BOOL: return 8u;
    case ASSAY_DTYPE_U8: return 8u;
    case ASSAY_DTYPE_I8: return 8u;
    case ASSAY_DTYPE_F8_E5M2: return 8u;
    case ASSAY_DTYPE_F8_E4M3: return 8u;
    case ASSAY_DTYPE_F8_E8M0: return 8u;
    case ASSAY_DTYPE_F8_E4M3FNUZ: return 8u;
    case ASSAY_DTYPE_F8_E5M2FNUZ: return 8u;
    case ASSAY_DTYPE_F4: return 4u;
    case ASSAY_DTYPE_F6_E2M3: return 6u;
    case ASSAY_DTYPE_F6_E3M2: return 6u;
    case ASSAY_DTYPE_I16: return 16u;
    case ASSAY_DTYPE_U16: return 16u;
    case ASSAY_DTYPE_F16: return 16u;
    case ASSAY_DTYPE_BF16: return 16u;
    case ASSAY_DTYPE_I32: return 32u;
    case ASSAY_DTYPE_U32: return 32u;
    case ASSAY_DTYPE_F32: return 32u;
    case ASSAY_DTYPE_I64: return 64u;
    case ASSAY_DTYPE_U64: return 64u;
    case ASSAY_DTYPE_F64: return 64u;
    case ASSAY_DTYPE_C64: return 64u;
    default: return 0;
    }
}

/* Its position in the order of dtypes, from 1; 0 if there is no such dtype. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures most: \result <= 22;
*/
static uint32_t write_dtype_order(uint64_t dtype)
{
    switch (dtype) {
    case ASSAY_DTYPE_BOOL: return 1u;
    case ASSAY_DTYPE_U8: return 5u;
    case ASSAY_DTYPE_I8: return 6u;
    case ASSAY_DTYPE_F8_E5M2: return 7u;
    case ASSAY_DTYPE_F8_E4M3: return 8u;
    case ASSAY_DTYPE_F8_E8M0: return 9u;
    case ASSAY_DTYPE_F8_E4M3FNUZ: return 10u;
    case ASSAY_DTYPE_F8_E5M2FNUZ: return 11u;
    case ASSAY_DTYPE_F4: return 2u;
    case ASSAY_DTYPE_F6_E2M3: return 3u;
    case ASSAY_DTYPE_F6_E3M2: return 4u;
    case ASSAY_DTYPE_I16: return 12u;
    case ASSAY_DTYPE_U16: return 13u;
    case ASSAY_DTYPE_F16: return 14u;
    case ASSAY_DTYPE_BF16: return 15u;
    case ASSAY_DTYPE_I32: return 16u;
    case ASSAY_DTYPE_U32: return 17u;
    case ASSAY_DTYPE_F32: return 18u;
    case ASSAY_DTYPE_I64: return 21u;
    case ASSAY_DTYPE_U64: return 22u;
    case ASSAY_DTYPE_F64: return 20u;
    case ASSAY_DTYPE_C64: return 19u;
    default: return 0;
    }
}

#endif
