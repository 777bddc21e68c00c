/* document.h: a header as the mutator sees it: members that can be moved and changed one by one, and the way it is
 * written. All sizes are bounded; what does not fit is left out. If a header has more than READ tensors, only the
 * first FIRST are read, so that large documents, which are slow, have small children. */
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TENSORS = 400, READ = 48, FIRST = 4, PAIRS = 16, RANK = 8, RAW = 100 };

/* The bytes between the quotes of a string. */
typedef struct {
    uint8_t byte[RAW];
    uint8_t size;
} raw_text;

/* The fault with which a tensor is written. */
typedef enum {
    RIGHT,
    TWICE,       /* a member twice */
    MISSING,     /* a member left out */
    UNKNOWN,     /* a fourth member */
    ESCAPED,     /* a keyword with an escape */
    STRANGE,     /* an unknown dtype */
    FORM,        /* a number with a sign, a fraction or a leading zero, or too large */
    WRONG_TYPE,  /* a value of another type */
    OFFSET_COUNT /* one offset or three */
} fault;

enum { FAULTS = OFFSET_COUNT + 1 };

typedef struct {
    raw_text name;
    uint64_t dtype; /* an index in spec_dtypes */
    uint64_t dim[RANK], rank;
    uint64_t begin, end;
    uint8_t order; /* order of its members: 0 to 5 */
    fault wrong;
} doc_tensor;

typedef struct {
    raw_text key, value;
} doc_pair;

typedef struct {
    doc_tensor tensor[TENSORS];
    doc_pair pair[PAIRS];
    size_t tensors, pairs;
    bool metadata;         /* there is a __metadata__ ... */
    size_t metadata_place; /* ... before this tensor */
    bool spaces;           /* white space between the tokens */
    bool bad_end;          /* something after the last } */
    uint8_t padding;       /* spaces after the last } */
    int8_t length_off;     /* error of N */
    int64_t size_off;      /* size of the data section beyond what the tensors need */
} document;

/* Read what the model can read of a head. */
void document_read(document *doc, const uint8_t *head, size_t size);

/* Write the head, and return its size, or 0 if it does not fit. */
size_t document_write(const document *doc, uint8_t *out, size_t room);

/* Return the bytes of data that the tensors need. */
uint64_t document_data(const document *doc);

/* Compute the size of a tensor in bits; false: it is 2^64 or more. */
bool document_bits(const doc_tensor *tensor, uint64_t *bits);

#endif
