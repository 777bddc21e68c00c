/* document.h: a header as the mutator sees it: its members, which can be moved and changed one by one, and how it is
 * written. All sizes are bounded; what does not fit is left out. Of more than READ tensors only the first are read:
 * documents with hundreds, which take long, have small ones as children. */
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TENSORS = 400, READ = 48, FIRST = 4, PAIRS = 16, RANK = 8, RAW = 100 };

/* A string as it stands between its quotes. */
typedef struct {
    uint8_t byte[RAW];
    uint8_t size;
} raw_text;

/* What is wrong with a tensor as it is written. */
typedef enum {
    RIGHT,
    TWICE,       /* a member twice */
    MISSING,     /* a member left out */
    UNKNOWN,     /* a fourth member */
    ESCAPED,     /* a keyword with an escape */
    STRANGE,     /* a dtype that nobody knows */
    FORM,        /* a number with a sign, a fraction, a zero before it, too large */
    WRONG_TYPE,  /* a value of another type */
    OFFSET_COUNT /* one offset or three */
} fault;

enum { FAULTS = OFFSET_COUNT + 1 };

typedef struct {
    raw_text name;
    uint64_t dtype; /* a place in spec_dtypes */
    uint64_t dim[RANK], rank;
    uint64_t begin, end;
    uint8_t order; /* of its members: 0 to 5 */
    fault wrong;
} doc_tensor;

typedef struct {
    raw_text key, value;
} doc_pair;

typedef struct {
    doc_tensor tensor[TENSORS];
    doc_pair pair[PAIRS];
    size_t tensors, pairs;
    bool metadata;         /* is there a __metadata__ ... */
    size_t metadata_place; /* ... and before which tensor? */
    bool spaces;           /* white space between the tokens */
    bool bad_end;          /* something behind the last } */
    uint8_t padding;       /* spaces behind it */
    int8_t length_off;     /* by how much N is wrong */
    int64_t size_off;      /* by how much the data section is longer than the tensors need */
} document;

/* What the model can read of a head; something small if that is nothing. */
void document_read(document *doc, const uint8_t *head, size_t size);

/* Writes the head; its size, or 0 if it does not fit. */
size_t document_write(const document *doc, uint8_t *out, size_t room);

/* Bytes of data that the tensors need. */
uint64_t document_data(const document *doc);

/* The size of a tensor in bits; false: it is 2^64 or more. */
bool document_bits(const doc_tensor *tensor, uint64_t *bits);

#endif
