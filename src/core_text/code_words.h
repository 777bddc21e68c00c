/* code_words.h: the words for statuses and dtypes, in one array. A word is 256 * its position + its length.
 * Only assay_text.c includes it.
 * Made by spec/generate.py from spec/rules.tsv, statuses.tsv and dtypes.tsv: do not edit. */
#ifndef ASSAY_CODE_WORDS_H
#define ASSAY_CODE_WORDS_H

#include <stdint.h>

#include "assay_codes.h"

#define WORDS_SIZE 2434u

#define WORD_DIGITS 266u /* 0123456789 */
#define WORD_INVALID 3086u /* invalid: rule  */
#define WORD_NOT_JUDGED 6929u /* not judged: rule  */
#define WORD_UNKNOWN 11535u /* unknown status  */
#define WORD_AT_BYTE 15625u /*  at byte  */
#define WORD_COLON 18178u /* :  */
#define WORD_FIRST_TENSOR 18953u /*  (tensor  */
#define WORD_FIRST_OTHER 21512u /*  (other  */
#define WORD_OTHER 23816u /* , other  */
#define WORD_FIRST_EXPECTED 26123u /*  (expected  */
#define WORD_EXPECTED 29195u /* , expected  */
#define WORD_FIRST_FOUND 32264u /*  (found  */
#define WORD_FOUND 34568u /* , found  */
#define WORD_CLOSE 36865u /* ) */

static const char words[WORDS_SIZE] =
    "\0" /* none */
    "0123456789" "\0"
    "invalid: rule " "\0"
    "not judged: rule " "\0"
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
    case ASSAY_OK: return 37378u; /* OK */
    case ASSAY_NEED_MORE: return 38153u; /* NEED_MORE */
    case ASSAY_WORKSPACE: return 40713u; /* WORKSPACE */
    case ASSAY_USAGE: return 43269u; /* USAGE */
    case ASSAY_LIMIT_HEADER: return 44812u; /* LIMIT_HEADER */
    case ASSAY_LIMIT_TENSORS: return 48141u; /* LIMIT_TENSORS */
    case ASSAY_LIMIT_RANK: return 51722u; /* LIMIT_RANK */
    case ASSAY_LIMIT_NAME: return 54538u; /* LIMIT_NAME */
    case ASSAY_LIMIT_METADATA: return 57358u; /* LIMIT_METADATA */
    case ASSAY_E_FILE_SHORT: return 61196u; /* E_FILE_SHORT */
    case ASSAY_E_HEADER_LARGE: return 64526u; /* E_HEADER_LARGE */
    case ASSAY_E_HEADER_CUT: return 68364u; /* E_HEADER_CUT */
    case ASSAY_E_HEADER_EARLY: return 71694u; /* E_HEADER_EARLY */
    case ASSAY_E_START: return 75527u; /* E_START */
    case ASSAY_E_UNEXPECTED: return 77580u; /* E_UNEXPECTED */
    case ASSAY_E_TRAILING: return 80906u; /* E_TRAILING */
    case ASSAY_E_CONTROL: return 83721u; /* E_CONTROL */
    case ASSAY_E_UTF8: return 86278u; /* E_UTF8 */
    case ASSAY_E_ESCAPE: return 88072u; /* E_ESCAPE */
    case ASSAY_E_SURROGATE: return 90379u; /* E_SURROGATE */
    case ASSAY_E_NUL: return 93445u; /* E_NUL */
    case ASSAY_E_KEYWORD_ESCAPED: return 94993u; /* E_KEYWORD_ESCAPED */
    case ASSAY_E_METADATA_TWICE: return 99600u; /* E_METADATA_TWICE */
    case ASSAY_E_MEMBER_UNKNOWN: return 103952u; /* E_MEMBER_UNKNOWN */
    case ASSAY_E_MEMBER_TWICE: return 108302u; /* E_MEMBER_TWICE */
    case ASSAY_E_TYPE: return 112134u; /* E_TYPE */
    case ASSAY_E_NUMBER_FORM: return 113933u; /* E_NUMBER_FORM */
    case ASSAY_E_NUMBER_RANGE: return 117518u; /* E_NUMBER_RANGE */
    case ASSAY_E_DTYPE_UNKNOWN: return 121359u; /* E_DTYPE_UNKNOWN */
    case ASSAY_E_OFFSETS_COUNT: return 125455u; /* E_OFFSETS_COUNT */
    case ASSAY_E_MEMBER_MISSING: return 129552u; /* E_MEMBER_MISSING */
    case ASSAY_E_SHAPE_OVERFLOW: return 133904u; /* E_SHAPE_OVERFLOW */
    case ASSAY_E_SHAPE_SUBBYTE: return 138255u; /* E_SHAPE_SUBBYTE */
    case ASSAY_E_OFFSETS_ORDER: return 142351u; /* E_OFFSETS_ORDER */
    case ASSAY_E_OFFSETS_SIZE: return 146446u; /* E_OFFSETS_SIZE */
    case ASSAY_E_METADATA_KEY_TWICE: return 150292u; /* E_METADATA_KEY_TWICE */
    case ASSAY_E_NAME_TWICE: return 155660u; /* E_NAME_TWICE */
    case ASSAY_E_TRUNCATED: return 158987u; /* E_TRUNCATED */
    case ASSAY_E_OVERLAP: return 162057u; /* E_OVERLAP */
    case ASSAY_E_HOLE: return 164614u; /* E_HOLE */
    case ASSAY_E_EMPTY_INSIDE: return 166414u; /* E_EMPTY_INSIDE */
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
    case ASSAY_NEED_MORE: return 170242u; /* N1 */
    case ASSAY_WORKSPACE: return 171010u; /* N2 */
    case ASSAY_USAGE: return 171778u; /* N3 */
    case ASSAY_LIMIT_HEADER: return 172546u; /* N5 */
    case ASSAY_LIMIT_TENSORS: return 173314u; /* N6 */
    case ASSAY_LIMIT_RANK: return 174082u; /* N7 */
    case ASSAY_LIMIT_NAME: return 174850u; /* N8 */
    case ASSAY_LIMIT_METADATA: return 175618u; /* N9 */
    case ASSAY_E_FILE_SHORT: return 176386u; /* F1 */
    case ASSAY_E_HEADER_LARGE: return 177154u; /* F2 */
    case ASSAY_E_HEADER_CUT: return 177922u; /* F3 */
    case ASSAY_E_HEADER_EARLY: return 178690u; /* H1 */
    case ASSAY_E_START: return 179458u; /* H2 */
    case ASSAY_E_UNEXPECTED: return 180226u; /* H3 */
    case ASSAY_E_TRAILING: return 180994u; /* H4 */
    case ASSAY_E_CONTROL: return 181762u; /* H5 */
    case ASSAY_E_UTF8: return 182530u; /* H6 */
    case ASSAY_E_ESCAPE: return 183298u; /* H7 */
    case ASSAY_E_SURROGATE: return 184066u; /* H8 */
    case ASSAY_E_NUL: return 184834u; /* H9 */
    case ASSAY_E_KEYWORD_ESCAPED: return 185603u; /* H10 */
    case ASSAY_E_METADATA_TWICE: return 186627u; /* H11 */
    case ASSAY_E_MEMBER_UNKNOWN: return 187651u; /* H12 */
    case ASSAY_E_MEMBER_TWICE: return 188675u; /* H13 */
    case ASSAY_E_TYPE: return 189699u; /* H14 */
    case ASSAY_E_NUMBER_FORM: return 190723u; /* H15 */
    case ASSAY_E_NUMBER_RANGE: return 191747u; /* H16 */
    case ASSAY_E_DTYPE_UNKNOWN: return 192771u; /* H17 */
    case ASSAY_E_OFFSETS_COUNT: return 193795u; /* H18 */
    case ASSAY_E_MEMBER_MISSING: return 194819u; /* H19 */
    case ASSAY_E_SHAPE_OVERFLOW: return 195843u; /* H20 */
    case ASSAY_E_SHAPE_SUBBYTE: return 196867u; /* H21 */
    case ASSAY_E_OFFSETS_ORDER: return 197891u; /* H22 */
    case ASSAY_E_OFFSETS_SIZE: return 198915u; /* H23 */
    case ASSAY_E_METADATA_KEY_TWICE: return 199938u; /* G1 */
    case ASSAY_E_NAME_TWICE: return 200706u; /* G2 */
    case ASSAY_E_TRUNCATED: return 201474u; /* G3 */
    case ASSAY_E_OVERLAP: return 202242u; /* G4 */
    case ASSAY_E_HOLE: return 203010u; /* G5 */
    case ASSAY_E_EMPTY_INSIDE: return 203778u; /* G6 */
    default: return 0;
    }
}

/* What a status means; 0 if there is none. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures word: \result / 256 + \result % 256 < WORDS_SIZE && \result % 256 <= 62;
*/
static uint32_t status_text(uint32_t status)
{
    switch (status) {
    case ASSAY_OK: return 204561u; /* no rule is broken */
    case ASSAY_NEED_MORE: return 209185u; /* more bytes of the file are needed */
    case ASSAY_WORKSPACE: return 217882u; /* the workspace is too small */
    case ASSAY_USAGE: return 224802u; /* an argument or option is not valid */
    case ASSAY_LIMIT_HEADER: return 233771u; /* the header is longer than the caller allows */
    case ASSAY_LIMIT_TENSORS: return 245037u; /* there are more tensors than the caller allows */
    case ASSAY_LIMIT_RANK: return 256812u; /* a shape has more dims than the caller allows */
    case ASSAY_LIMIT_NAME: return 268334u; /* a tensor name is longer than the caller allows */
    case ASSAY_LIMIT_METADATA: return 280372u; /* there are more metadata pairs than the caller allows */
    case ASSAY_E_FILE_SHORT: return 293933u; /* the file is too short to hold a header length */
    case ASSAY_E_HEADER_LARGE: return 305708u; /* the header length exceeds the format's limit */
    case ASSAY_E_HEADER_CUT: return 317227u; /* the header extends past the end of the file */
    case ASSAY_E_HEADER_EARLY: return 328484u; /* the header ends before its JSON does */
    case ASSAY_E_START: return 337952u; /* the header does not begin with { */
    case ASSAY_E_UNEXPECTED: return 346399u; /* a byte that is not allowed here */
    case ASSAY_E_TRAILING: return 354611u; /* something other than spaces follows the JSON object */
    case ASSAY_E_CONTROL: return 367902u; /* a raw control byte in a string */
    case ASSAY_E_UTF8: return 375841u; /* a string is not well-formed UTF-8 */
    case ASSAY_E_ESCAPE: return 384556u; /* an escape sequence that JSON does not define */
    case ASSAY_E_SURROGATE: return 396060u; /* an unpaired surrogate escape */
    case ASSAY_E_NUL: return 403480u; /* an escaped NUL character */
    case ASSAY_E_KEYWORD_ESCAPED: return 409886u; /* a keyword written with escapes */
    case ASSAY_E_METADATA_TWICE: return 417813u; /* a second __metadata__ */
    case ASSAY_E_MEMBER_UNKNOWN: return 423454u; /* a tensor has an unknown member */
    case ASSAY_E_MEMBER_TWICE: return 431394u; /* a tensor has the same member twice */
    case ASSAY_E_TYPE: return 440345u; /* a value of the wrong type */
    case ASSAY_E_NUMBER_FORM: return 447012u; /* a number that is not a plain integer */
    case ASSAY_E_NUMBER_RANGE: return 456473u; /* an integer above 2^64 - 1 */
    case ASSAY_E_DTYPE_UNKNOWN: return 463120u; /* an unknown dtype */
    case ASSAY_E_OFFSETS_COUNT: return 467503u; /* data_offsets does not hold exactly two integers */
    case ASSAY_E_MEMBER_MISSING: return 479787u; /* a tensor lacks dtype, shape or data_offsets */
    case ASSAY_E_SHAPE_OVERFLOW: return 491053u; /* the tensor is too large for 64-bit arithmetic */
    case ASSAY_E_SHAPE_SUBBYTE: return 502832u; /* the tensor's size is not a whole number of bytes */
    case ASSAY_E_OFFSETS_ORDER: return 515362u; /* data_offsets ends before it begins */
    case ASSAY_E_OFFSETS_SIZE: return 524350u; /* data_offsets spans a different size than dtype and shape imply */
    case ASSAY_E_METADATA_KEY_TWICE: return 540443u; /* two metadata keys are equal */
    case ASSAY_E_NAME_TWICE: return 547614u; /* two tensors have the same name */
    case ASSAY_E_TRUNCATED: return 555565u; /* the data section is too short for the tensors */
    case ASSAY_E_OVERLAP: return 567320u; /* two tensors share a byte */
    case ASSAY_E_HOLE: return 573728u; /* a data byte belongs to no tensor */
    case ASSAY_E_EMPTY_INSIDE: return 582179u; /* an empty tensor lies inside another */
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
    case ASSAY_DTYPE_BOOL: return 591364u; /* BOOL */
    case ASSAY_DTYPE_U8: return 592642u; /* U8 */
    case ASSAY_DTYPE_I8: return 593410u; /* I8 */
    case ASSAY_DTYPE_F8_E5M2: return 594183u; /* F8_E5M2 */
    case ASSAY_DTYPE_F8_E4M3: return 596231u; /* F8_E4M3 */
    case ASSAY_DTYPE_F8_E8M0: return 598279u; /* F8_E8M0 */
    case ASSAY_DTYPE_F8_E4M3FNUZ: return 600331u; /* F8_E4M3FNUZ */
    case ASSAY_DTYPE_F8_E5M2FNUZ: return 603403u; /* F8_E5M2FNUZ */
    case ASSAY_DTYPE_F4: return 606466u; /* F4 */
    case ASSAY_DTYPE_F6_E2M3: return 607239u; /* F6_E2M3 */
    case ASSAY_DTYPE_F6_E3M2: return 609287u; /* F6_E3M2 */
    case ASSAY_DTYPE_I16: return 611331u; /* I16 */
    case ASSAY_DTYPE_U16: return 612355u; /* U16 */
    case ASSAY_DTYPE_F16: return 613379u; /* F16 */
    case ASSAY_DTYPE_BF16: return 614404u; /* BF16 */
    case ASSAY_DTYPE_I32: return 615683u; /* I32 */
    case ASSAY_DTYPE_U32: return 616707u; /* U32 */
    case ASSAY_DTYPE_F32: return 617731u; /* F32 */
    case ASSAY_DTYPE_I64: return 618755u; /* I64 */
    case ASSAY_DTYPE_U64: return 619779u; /* U64 */
    case ASSAY_DTYPE_F64: return 620803u; /* F64 */
    case ASSAY_DTYPE_C64: return 621827u; /* C64 */
    default: return 0;
    }
}

#endif
