/* code_words.h: the words for statuses and dtypes, in one array. A word is 256 * its position + its length.
 * Only assay_text.c includes it.
 * Made by spec/generate.py from spec/rules.tsv, statuses.tsv, write_statuses.tsv and dtypes.tsv:
 * do not edit. */
#ifndef ASSAY_CODE_WORDS_H
#define ASSAY_CODE_WORDS_H

#include <stdint.h>

#include "assay_codes.h"

#define WORDS_SIZE 3027u

#define FIRST_NOT_WRITTEN 16u /* the first status of the writer */

#define WORD_DIGITS 266u /* 0123456789 */
#define WORD_INVALID 3086u /* invalid: rule  */
#define WORD_NOT_JUDGED 6929u /* not judged: rule  */
#define WORD_NOT_WRITTEN 11538u /* not written: rule  */
#define WORD_UNKNOWN 16399u /* unknown status  */
#define WORD_AT_BYTE 20489u /*  at byte  */
#define WORD_COLON 23042u /* :  */
#define WORD_FIRST_TENSOR 23817u /*  (tensor  */
#define WORD_FIRST_OTHER 26376u /*  (other  */
#define WORD_OTHER 28680u /* , other  */
#define WORD_FIRST_EXPECTED 30987u /*  (expected  */
#define WORD_EXPECTED 34059u /* , expected  */
#define WORD_FIRST_FOUND 37128u /*  (found  */
#define WORD_FOUND 39432u /* , found  */
#define WORD_CLOSE 41729u /* ) */

static const char words[WORDS_SIZE] =
    "\0" /* none */
    "0123456789" "\0"
    "invalid: rule " "\0"
    "not judged: rule " "\0"
    "not written: rule " "\0"
    "unknown status " "\0"
    " at byte " "\0"
    ": " "\0"
    " (tensor " "\0"
    " (other " "\0"
    ", other " "\0"
    " (expected " "\0"
    ", expected " "\0"
    " (found " "\0"
    ", found " "\0"
    ")" "\0"
    "OK" "\0"
    "NEED_MORE" "\0"
    "WORKSPACE" "\0"
    "USAGE" "\0"
    "LIMIT_HEADER" "\0"
    "LIMIT_TENSORS" "\0"
    "LIMIT_RANK" "\0"
    "LIMIT_NAME" "\0"
    "LIMIT_METADATA" "\0"
    "W_UTF8" "\0"
    "W_NUL" "\0"
    "W_RESERVED" "\0"
    "W_TWICE" "\0"
    "W_TENSOR" "\0"
    "W_DATA_LARGE" "\0"
    "W_HEADER_LARGE" "\0"
    "W_BUFFER" "\0"
    "W_DIFFERS" "\0"
    "E_FILE_SHORT" "\0"
    "E_HEADER_LARGE" "\0"
    "E_HEADER_CUT" "\0"
    "E_HEADER_EARLY" "\0"
    "E_START" "\0"
    "E_UNEXPECTED" "\0"
    "E_TRAILING" "\0"
    "E_CONTROL" "\0"
    "E_UTF8" "\0"
    "E_ESCAPE" "\0"
    "E_SURROGATE" "\0"
    "E_NUL" "\0"
    "E_KEYWORD_ESCAPED" "\0"
    "E_METADATA_TWICE" "\0"
    "E_MEMBER_UNKNOWN" "\0"
    "E_MEMBER_TWICE" "\0"
    "E_TYPE" "\0"
    "E_NUMBER_FORM" "\0"
    "E_NUMBER_RANGE" "\0"
    "E_DTYPE_UNKNOWN" "\0"
    "E_OFFSETS_COUNT" "\0"
    "E_MEMBER_MISSING" "\0"
    "E_SHAPE_OVERFLOW" "\0"
    "E_SHAPE_SUBBYTE" "\0"
    "E_OFFSETS_ORDER" "\0"
    "E_OFFSETS_SIZE" "\0"
    "E_METADATA_KEY_TWICE" "\0"
    "E_NAME_TWICE" "\0"
    "E_TRUNCATED" "\0"
    "E_OVERLAP" "\0"
    "E_HOLE" "\0"
    "E_EMPTY_INSIDE" "\0"
    "N1" "\0"
    "N2" "\0"
    "N3" "\0"
    "N5" "\0"
    "N6" "\0"
    "N7" "\0"
    "N8" "\0"
    "N9" "\0"
    "WR1" "\0"
    "WR2" "\0"
    "WR3" "\0"
    "WR4" "\0"
    "WR5" "\0"
    "WR6" "\0"
    "WR7" "\0"
    "WR8" "\0"
    "WR9" "\0"
    "F1" "\0"
    "F2" "\0"
    "F3" "\0"
    "H1" "\0"
    "H2" "\0"
    "H3" "\0"
    "H4" "\0"
    "H5" "\0"
    "H6" "\0"
    "H7" "\0"
    "H8" "\0"
    "H9" "\0"
    "H10" "\0"
    "H11" "\0"
    "H12" "\0"
    "H13" "\0"
    "H14" "\0"
    "H15" "\0"
    "H16" "\0"
    "H17" "\0"
    "H18" "\0"
    "H19" "\0"
    "H20" "\0"
    "H21" "\0"
    "H22" "\0"
    "H23" "\0"
    "G1" "\0"
    "G2" "\0"
    "G3" "\0"
    "G4" "\0"
    "G5" "\0"
    "G6" "\0"
    "no rule is broken" "\0"
    "more bytes of the file are needed" "\0"
    "the workspace is too small" "\0"
    "an argument or option is not valid" "\0"
    "the header is longer than the caller allows" "\0"
    "there are more tensors than the caller allows" "\0"
    "a shape has more dims than the caller allows" "\0"
    "a tensor name is longer than the caller allows" "\0"
    "there are more metadata pairs than the caller allows" "\0"
    "a name, key or value is not well-formed UTF-8" "\0"
    "a name, key or value has a NUL character" "\0"
    "a tensor has the reserved name __metadata__" "\0"
    "two tensors have the same name, or two pairs the same key" "\0"
    "a tensor's dtype is unknown, or its size overflows or is no whole number of bytes" "\0"
    "the tensors are too large for one file" "\0"
    "the header would exceed the format's limit" "\0"
    "the buffer is too small for the head" "\0"
    "the head that was written does not state what was described" "\0"
    "the file is too short to hold a header length" "\0"
    "the header length exceeds the format's limit" "\0"
    "the header extends past the end of the file" "\0"
    "the header ends before its JSON does" "\0"
    "the header does not begin with {" "\0"
    "a byte that is not allowed here" "\0"
    "something other than spaces follows the JSON object" "\0"
    "a raw control byte in a string" "\0"
    "a string is not well-formed UTF-8" "\0"
    "an escape sequence that JSON does not define" "\0"
    "an unpaired surrogate escape" "\0"
    "an escaped NUL character" "\0"
    "a keyword written with escapes" "\0"
    "a second __metadata__" "\0"
    "a tensor has an unknown member" "\0"
    "a tensor has the same member twice" "\0"
    "a value of the wrong type" "\0"
    "a number that is not a plain integer" "\0"
    "an integer above 2^64 - 1" "\0"
    "an unknown dtype" "\0"
    "data_offsets does not hold exactly two integers" "\0"
    "a tensor lacks dtype, shape or data_offsets" "\0"
    "the tensor is too large for 64-bit arithmetic" "\0"
    "the tensor's size is not a whole number of bytes" "\0"
    "data_offsets ends before it begins" "\0"
    "data_offsets spans a different size than dtype and shape imply" "\0"
    "two metadata keys are equal" "\0"
    "two tensors have the same name" "\0"
    "the data section is too short for the tensors" "\0"
    "two tensors share a byte" "\0"
    "a data byte belongs to no tensor" "\0"
    "an empty tensor lies inside another" "\0"
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

/* Return the character at this position. */
/*@ requires at: at < WORDS_SIZE;
    terminates \true;
    exits \false;
    assigns \nothing;
*/
static char character_of(uint32_t at)
{
    return words[at];
}

/* The identifier of a status; 0 if there is none. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures word: \result / 256 + \result % 256 < WORDS_SIZE && \result % 256 <= 20;
*/
static uint32_t status_name(uint32_t status)
{
    switch (status) {
    case ASSAY_OK: return 42242u; /* OK */
    case ASSAY_NEED_MORE: return 43017u; /* NEED_MORE */
    case ASSAY_WORKSPACE: return 45577u; /* WORKSPACE */
    case ASSAY_USAGE: return 48133u; /* USAGE */
    case ASSAY_LIMIT_HEADER: return 49676u; /* LIMIT_HEADER */
    case ASSAY_LIMIT_TENSORS: return 53005u; /* LIMIT_TENSORS */
    case ASSAY_LIMIT_RANK: return 56586u; /* LIMIT_RANK */
    case ASSAY_LIMIT_NAME: return 59402u; /* LIMIT_NAME */
    case ASSAY_LIMIT_METADATA: return 62222u; /* LIMIT_METADATA */
    case 16u: return 66054u; /* W_UTF8 */
    case 17u: return 67845u; /* W_NUL */
    case 18u: return 69386u; /* W_RESERVED */
    case 19u: return 72199u; /* W_TWICE */
    case 20u: return 74248u; /* W_TENSOR */
    case 21u: return 76556u; /* W_DATA_LARGE */
    case 22u: return 79886u; /* W_HEADER_LARGE */
    case 23u: return 83720u; /* W_BUFFER */
    case 24u: return 86025u; /* W_DIFFERS */
    case ASSAY_E_FILE_SHORT: return 88588u; /* E_FILE_SHORT */
    case ASSAY_E_HEADER_LARGE: return 91918u; /* E_HEADER_LARGE */
    case ASSAY_E_HEADER_CUT: return 95756u; /* E_HEADER_CUT */
    case ASSAY_E_HEADER_EARLY: return 99086u; /* E_HEADER_EARLY */
    case ASSAY_E_START: return 102919u; /* E_START */
    case ASSAY_E_UNEXPECTED: return 104972u; /* E_UNEXPECTED */
    case ASSAY_E_TRAILING: return 108298u; /* E_TRAILING */
    case ASSAY_E_CONTROL: return 111113u; /* E_CONTROL */
    case ASSAY_E_UTF8: return 113670u; /* E_UTF8 */
    case ASSAY_E_ESCAPE: return 115464u; /* E_ESCAPE */
    case ASSAY_E_SURROGATE: return 117771u; /* E_SURROGATE */
    case ASSAY_E_NUL: return 120837u; /* E_NUL */
    case ASSAY_E_KEYWORD_ESCAPED: return 122385u; /* E_KEYWORD_ESCAPED */
    case ASSAY_E_METADATA_TWICE: return 126992u; /* E_METADATA_TWICE */
    case ASSAY_E_MEMBER_UNKNOWN: return 131344u; /* E_MEMBER_UNKNOWN */
    case ASSAY_E_MEMBER_TWICE: return 135694u; /* E_MEMBER_TWICE */
    case ASSAY_E_TYPE: return 139526u; /* E_TYPE */
    case ASSAY_E_NUMBER_FORM: return 141325u; /* E_NUMBER_FORM */
    case ASSAY_E_NUMBER_RANGE: return 144910u; /* E_NUMBER_RANGE */
    case ASSAY_E_DTYPE_UNKNOWN: return 148751u; /* E_DTYPE_UNKNOWN */
    case ASSAY_E_OFFSETS_COUNT: return 152847u; /* E_OFFSETS_COUNT */
    case ASSAY_E_MEMBER_MISSING: return 156944u; /* E_MEMBER_MISSING */
    case ASSAY_E_SHAPE_OVERFLOW: return 161296u; /* E_SHAPE_OVERFLOW */
    case ASSAY_E_SHAPE_SUBBYTE: return 165647u; /* E_SHAPE_SUBBYTE */
    case ASSAY_E_OFFSETS_ORDER: return 169743u; /* E_OFFSETS_ORDER */
    case ASSAY_E_OFFSETS_SIZE: return 173838u; /* E_OFFSETS_SIZE */
    case ASSAY_E_METADATA_KEY_TWICE: return 177684u; /* E_METADATA_KEY_TWICE */
    case ASSAY_E_NAME_TWICE: return 183052u; /* E_NAME_TWICE */
    case ASSAY_E_TRUNCATED: return 186379u; /* E_TRUNCATED */
    case ASSAY_E_OVERLAP: return 189449u; /* E_OVERLAP */
    case ASSAY_E_HOLE: return 192006u; /* E_HOLE */
    case ASSAY_E_EMPTY_INSIDE: return 193806u; /* E_EMPTY_INSIDE */
    default: return 0;
    }
}

/* The rule of a status; 0 if there is none. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures word: \result / 256 + \result % 256 < WORDS_SIZE && \result % 256 <= 3;
*/
static uint32_t status_rule(uint32_t status)
{
    switch (status) {
    case ASSAY_NEED_MORE: return 197634u; /* N1 */
    case ASSAY_WORKSPACE: return 198402u; /* N2 */
    case ASSAY_USAGE: return 199170u; /* N3 */
    case ASSAY_LIMIT_HEADER: return 199938u; /* N5 */
    case ASSAY_LIMIT_TENSORS: return 200706u; /* N6 */
    case ASSAY_LIMIT_RANK: return 201474u; /* N7 */
    case ASSAY_LIMIT_NAME: return 202242u; /* N8 */
    case ASSAY_LIMIT_METADATA: return 203010u; /* N9 */
    case 16u: return 203779u; /* WR1 */
    case 17u: return 204803u; /* WR2 */
    case 18u: return 205827u; /* WR3 */
    case 19u: return 206851u; /* WR4 */
    case 20u: return 207875u; /* WR5 */
    case 21u: return 208899u; /* WR6 */
    case 22u: return 209923u; /* WR7 */
    case 23u: return 210947u; /* WR8 */
    case 24u: return 211971u; /* WR9 */
    case ASSAY_E_FILE_SHORT: return 212994u; /* F1 */
    case ASSAY_E_HEADER_LARGE: return 213762u; /* F2 */
    case ASSAY_E_HEADER_CUT: return 214530u; /* F3 */
    case ASSAY_E_HEADER_EARLY: return 215298u; /* H1 */
    case ASSAY_E_START: return 216066u; /* H2 */
    case ASSAY_E_UNEXPECTED: return 216834u; /* H3 */
    case ASSAY_E_TRAILING: return 217602u; /* H4 */
    case ASSAY_E_CONTROL: return 218370u; /* H5 */
    case ASSAY_E_UTF8: return 219138u; /* H6 */
    case ASSAY_E_ESCAPE: return 219906u; /* H7 */
    case ASSAY_E_SURROGATE: return 220674u; /* H8 */
    case ASSAY_E_NUL: return 221442u; /* H9 */
    case ASSAY_E_KEYWORD_ESCAPED: return 222211u; /* H10 */
    case ASSAY_E_METADATA_TWICE: return 223235u; /* H11 */
    case ASSAY_E_MEMBER_UNKNOWN: return 224259u; /* H12 */
    case ASSAY_E_MEMBER_TWICE: return 225283u; /* H13 */
    case ASSAY_E_TYPE: return 226307u; /* H14 */
    case ASSAY_E_NUMBER_FORM: return 227331u; /* H15 */
    case ASSAY_E_NUMBER_RANGE: return 228355u; /* H16 */
    case ASSAY_E_DTYPE_UNKNOWN: return 229379u; /* H17 */
    case ASSAY_E_OFFSETS_COUNT: return 230403u; /* H18 */
    case ASSAY_E_MEMBER_MISSING: return 231427u; /* H19 */
    case ASSAY_E_SHAPE_OVERFLOW: return 232451u; /* H20 */
    case ASSAY_E_SHAPE_SUBBYTE: return 233475u; /* H21 */
    case ASSAY_E_OFFSETS_ORDER: return 234499u; /* H22 */
    case ASSAY_E_OFFSETS_SIZE: return 235523u; /* H23 */
    case ASSAY_E_METADATA_KEY_TWICE: return 236546u; /* G1 */
    case ASSAY_E_NAME_TWICE: return 237314u; /* G2 */
    case ASSAY_E_TRUNCATED: return 238082u; /* G3 */
    case ASSAY_E_OVERLAP: return 238850u; /* G4 */
    case ASSAY_E_HOLE: return 239618u; /* G5 */
    case ASSAY_E_EMPTY_INSIDE: return 240386u; /* G6 */
    default: return 0;
    }
}

/* What a status means; 0 if there is none. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures word: \result / 256 + \result % 256 < WORDS_SIZE && \result % 256 <= 81;
*/
static uint32_t status_text(uint32_t status)
{
    switch (status) {
    case ASSAY_OK: return 241169u; /* no rule is broken */
    case ASSAY_NEED_MORE: return 245793u; /* more bytes of the file are needed */
    case ASSAY_WORKSPACE: return 254490u; /* the workspace is too small */
    case ASSAY_USAGE: return 261410u; /* an argument or option is not valid */
    case ASSAY_LIMIT_HEADER: return 270379u; /* the header is longer than the caller allows */
    case ASSAY_LIMIT_TENSORS: return 281645u; /* there are more tensors than the caller allows */
    case ASSAY_LIMIT_RANK: return 293420u; /* a shape has more dims than the caller allows */
    case ASSAY_LIMIT_NAME: return 304942u; /* a tensor name is longer than the caller allows */
    case ASSAY_LIMIT_METADATA: return 316980u; /* there are more metadata pairs than the caller allows */
    case 16u: return 330541u; /* a name, key or value is not well-formed UTF-8 */
    case 17u: return 342312u; /* a name, key or value has a NUL character */
    case 18u: return 352811u; /* a tensor has the reserved name __metadata__ */
    case 19u: return 364089u; /* two tensors have the same name, or two pairs the same key */
    case 20u: return 378961u; /* a tensor's dtype is unknown, or its size overflows or is no whole number of bytes */
    case 21u: return 399910u; /* the tensors are too large for one file */
    case 22u: return 409898u; /* the header would exceed the format's limit */
    case 23u: return 420900u; /* the buffer is too small for the head */
    case 24u: return 430395u; /* the head that was written does not state what was described */
    case ASSAY_E_FILE_SHORT: return 445741u; /* the file is too short to hold a header length */
    case ASSAY_E_HEADER_LARGE: return 457516u; /* the header length exceeds the format's limit */
    case ASSAY_E_HEADER_CUT: return 469035u; /* the header extends past the end of the file */
    case ASSAY_E_HEADER_EARLY: return 480292u; /* the header ends before its JSON does */
    case ASSAY_E_START: return 489760u; /* the header does not begin with { */
    case ASSAY_E_UNEXPECTED: return 498207u; /* a byte that is not allowed here */
    case ASSAY_E_TRAILING: return 506419u; /* something other than spaces follows the JSON object */
    case ASSAY_E_CONTROL: return 519710u; /* a raw control byte in a string */
    case ASSAY_E_UTF8: return 527649u; /* a string is not well-formed UTF-8 */
    case ASSAY_E_ESCAPE: return 536364u; /* an escape sequence that JSON does not define */
    case ASSAY_E_SURROGATE: return 547868u; /* an unpaired surrogate escape */
    case ASSAY_E_NUL: return 555288u; /* an escaped NUL character */
    case ASSAY_E_KEYWORD_ESCAPED: return 561694u; /* a keyword written with escapes */
    case ASSAY_E_METADATA_TWICE: return 569621u; /* a second __metadata__ */
    case ASSAY_E_MEMBER_UNKNOWN: return 575262u; /* a tensor has an unknown member */
    case ASSAY_E_MEMBER_TWICE: return 583202u; /* a tensor has the same member twice */
    case ASSAY_E_TYPE: return 592153u; /* a value of the wrong type */
    case ASSAY_E_NUMBER_FORM: return 598820u; /* a number that is not a plain integer */
    case ASSAY_E_NUMBER_RANGE: return 608281u; /* an integer above 2^64 - 1 */
    case ASSAY_E_DTYPE_UNKNOWN: return 614928u; /* an unknown dtype */
    case ASSAY_E_OFFSETS_COUNT: return 619311u; /* data_offsets does not hold exactly two integers */
    case ASSAY_E_MEMBER_MISSING: return 631595u; /* a tensor lacks dtype, shape or data_offsets */
    case ASSAY_E_SHAPE_OVERFLOW: return 642861u; /* the tensor is too large for 64-bit arithmetic */
    case ASSAY_E_SHAPE_SUBBYTE: return 654640u; /* the tensor's size is not a whole number of bytes */
    case ASSAY_E_OFFSETS_ORDER: return 667170u; /* data_offsets ends before it begins */
    case ASSAY_E_OFFSETS_SIZE: return 676158u; /* data_offsets spans a different size than dtype and shape imply */
    case ASSAY_E_METADATA_KEY_TWICE: return 692251u; /* two metadata keys are equal */
    case ASSAY_E_NAME_TWICE: return 699422u; /* two tensors have the same name */
    case ASSAY_E_TRUNCATED: return 707373u; /* the data section is too short for the tensors */
    case ASSAY_E_OVERLAP: return 719128u; /* two tensors share a byte */
    case ASSAY_E_HOLE: return 725536u; /* a data byte belongs to no tensor */
    case ASSAY_E_EMPTY_INSIDE: return 733987u; /* an empty tensor lies inside another */
    default: return 0;
    }
}

/* The name of a dtype; 0 if there is none. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures word: \result / 256 + \result % 256 < WORDS_SIZE && \result % 256 <= 11;
*/
static uint32_t dtype_name(uint64_t dtype)
{
    switch (dtype) {
    case ASSAY_DTYPE_BOOL: return 743172u; /* BOOL */
    case ASSAY_DTYPE_U8: return 744450u; /* U8 */
    case ASSAY_DTYPE_I8: return 745218u; /* I8 */
    case ASSAY_DTYPE_F8_E5M2: return 745991u; /* F8_E5M2 */
    case ASSAY_DTYPE_F8_E4M3: return 748039u; /* F8_E4M3 */
    case ASSAY_DTYPE_F8_E8M0: return 750087u; /* F8_E8M0 */
    case ASSAY_DTYPE_F8_E4M3FNUZ: return 752139u; /* F8_E4M3FNUZ */
    case ASSAY_DTYPE_F8_E5M2FNUZ: return 755211u; /* F8_E5M2FNUZ */
    case ASSAY_DTYPE_F4: return 758274u; /* F4 */
    case ASSAY_DTYPE_F6_E2M3: return 759047u; /* F6_E2M3 */
    case ASSAY_DTYPE_F6_E3M2: return 761095u; /* F6_E3M2 */
    case ASSAY_DTYPE_I16: return 763139u; /* I16 */
    case ASSAY_DTYPE_U16: return 764163u; /* U16 */
    case ASSAY_DTYPE_F16: return 765187u; /* F16 */
    case ASSAY_DTYPE_BF16: return 766212u; /* BF16 */
    case ASSAY_DTYPE_I32: return 767491u; /* I32 */
    case ASSAY_DTYPE_U32: return 768515u; /* U32 */
    case ASSAY_DTYPE_F32: return 769539u; /* F32 */
    case ASSAY_DTYPE_I64: return 770563u; /* I64 */
    case ASSAY_DTYPE_U64: return 771587u; /* U64 */
    case ASSAY_DTYPE_F64: return 772611u; /* F64 */
    case ASSAY_DTYPE_C64: return 773635u; /* C64 */
    default: return 0;
    }
}

#endif
