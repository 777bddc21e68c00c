/* assay_codes.h: the numbers of verdicts and dtypes.
 * They are frozen: a number never changes its meaning and is never used again.
 * Made by spec/generate.py from spec/rules.tsv, statuses.tsv and dtypes.tsv: do not edit. */
#ifndef ASSAY_CODES_H
#define ASSAY_CODES_H

/* NOT JUDGED: the bytes broke no rule that was looked at */
enum {
    ASSAY_OK = 0, /* VALID, or done */
    ASSAY_NEED_MORE = 1, /* N1 more bytes of the file are needed */
    ASSAY_WORKSPACE = 2, /* N2 the workspace is too small */
    ASSAY_USAGE = 3, /* N3 an argument or option is not valid */
    ASSAY_LIMIT_HEADER = 5, /* N5 the header is longer than the caller allows */
    ASSAY_LIMIT_TENSORS = 6, /* N6 there are more tensors than the caller allows */
    ASSAY_LIMIT_RANK = 7, /* N7 a shape has more dims than the caller allows */
    ASSAY_LIMIT_NAME = 8, /* N8 a tensor name is longer than the caller allows */
    ASSAY_LIMIT_METADATA = 9 /* N9 there are more metadata pairs than the caller allows */
};

/* INVALID: one code a rule of spec/format.md */
enum {
    ASSAY_E_FIRST = 32, /* the first code that says INVALID */
    ASSAY_E_FILE_SHORT = 32, /* F1 the file is too short to hold a header length */
    ASSAY_E_HEADER_LARGE = 33, /* F2 the header length exceeds the format's limit */
    ASSAY_E_HEADER_CUT = 34, /* F3 the header extends past the end of the file */
    ASSAY_E_HEADER_EARLY = 35, /* H1 the header ends before its JSON does */
    ASSAY_E_START = 36, /* H2 the header does not begin with { */
    ASSAY_E_UNEXPECTED = 37, /* H3 a byte that is not allowed here */
    ASSAY_E_TRAILING = 38, /* H4 something other than spaces follows the JSON object */
    ASSAY_E_CONTROL = 39, /* H5 a raw control byte in a string */
    ASSAY_E_UTF8 = 40, /* H6 a string is not well-formed UTF-8 */
    ASSAY_E_ESCAPE = 41, /* H7 an escape sequence that JSON does not define */
    ASSAY_E_SURROGATE = 42, /* H8 an unpaired surrogate escape */
    ASSAY_E_NUL = 43, /* H9 an escaped NUL character */
    ASSAY_E_KEYWORD_ESCAPED = 44, /* H10 a keyword written with escapes */
    ASSAY_E_METADATA_TWICE = 45, /* H11 a second __metadata__ */
    ASSAY_E_MEMBER_UNKNOWN = 46, /* H12 a tensor has an unknown member */
    ASSAY_E_MEMBER_TWICE = 47, /* H13 a tensor has the same member twice */
    ASSAY_E_TYPE = 48, /* H14 a value of the wrong type */
    ASSAY_E_NUMBER_FORM = 49, /* H15 a number that is not a plain integer */
    ASSAY_E_NUMBER_RANGE = 50, /* H16 an integer above 2^64 - 1 */
    ASSAY_E_DTYPE_UNKNOWN = 51, /* H17 an unknown dtype */
    ASSAY_E_OFFSETS_COUNT = 52, /* H18 data_offsets does not hold exactly two integers */
    ASSAY_E_MEMBER_MISSING = 53, /* H19 a tensor lacks dtype, shape or data_offsets */
    ASSAY_E_SHAPE_OVERFLOW = 54, /* H20 the tensor is too large for 64-bit arithmetic */
    ASSAY_E_SHAPE_SUBBYTE = 55, /* H21 the tensor's size is not a whole number of bytes */
    ASSAY_E_OFFSETS_ORDER = 56, /* H22 data_offsets ends before it begins */
    ASSAY_E_OFFSETS_SIZE = 57, /* H23 data_offsets spans a different size than dtype and shape imply */
    ASSAY_E_METADATA_KEY_TWICE = 58, /* G1 two metadata keys are equal */
    ASSAY_E_NAME_TWICE = 59, /* G2 two tensors have the same name */
    ASSAY_E_TRUNCATED = 60, /* G3 the data section is too short for the tensors */
    ASSAY_E_OVERLAP = 61, /* G4 two tensors share a byte */
    ASSAY_E_HOLE = 62, /* G5 a data byte belongs to no tensor */
    ASSAY_E_EMPTY_INSIDE = 63 /* G6 an empty tensor lies inside another */
};

/* dtypes; 0 is none */
enum {
    ASSAY_DTYPE_BOOL = 1, /* 8 bits */
    ASSAY_DTYPE_U8 = 2, /* 8 bits */
    ASSAY_DTYPE_I8 = 3, /* 8 bits */
    ASSAY_DTYPE_F8_E5M2 = 4, /* 8 bits */
    ASSAY_DTYPE_F8_E4M3 = 5, /* 8 bits */
    ASSAY_DTYPE_F8_E8M0 = 6, /* 8 bits */
    ASSAY_DTYPE_F8_E4M3FNUZ = 7, /* 8 bits */
    ASSAY_DTYPE_F8_E5M2FNUZ = 8, /* 8 bits */
    ASSAY_DTYPE_F4 = 9, /* 4 bits */
    ASSAY_DTYPE_F6_E2M3 = 10, /* 6 bits */
    ASSAY_DTYPE_F6_E3M2 = 11, /* 6 bits */
    ASSAY_DTYPE_I16 = 12, /* 16 bits */
    ASSAY_DTYPE_U16 = 13, /* 16 bits */
    ASSAY_DTYPE_F16 = 14, /* 16 bits */
    ASSAY_DTYPE_BF16 = 15, /* 16 bits */
    ASSAY_DTYPE_I32 = 16, /* 32 bits */
    ASSAY_DTYPE_U32 = 17, /* 32 bits */
    ASSAY_DTYPE_F32 = 18, /* 32 bits */
    ASSAY_DTYPE_I64 = 19, /* 64 bits */
    ASSAY_DTYPE_U64 = 20, /* 64 bits */
    ASSAY_DTYPE_F64 = 21, /* 64 bits */
    ASSAY_DTYPE_C64 = 22, /* 64 bits */
    ASSAY_DTYPE_LAST = 22 /* the greatest dtype number */
};

#endif
