/* assay: decides whether a safetensors file means exactly one thing, and hands out its tensors.
 *
 * The core reads the first 8 + N bytes of a file (the head: header length and header) and the file's
 * size, and nothing else. It allocates nothing, calls nothing, keeps no state and writes only where it is told to.
 * Every offset is a file offset in bytes unless it says otherwise; ASSAY_NONE in a field means "none".
 * The rules are in spec/format.md, the guarantees T1 to T10 in spec/theorems.md.
 *
 * The head must not change while a view of it is in use. Different views may be used by different
 * threads; one view may be read by many.
 */
#ifndef ASSAY_H
#define ASSAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay_codes.h" /* ASSAY_OK, what was not judged (1..31), the rules (32..), the dtypes */

#define ASSAY_API 1u
#define ASSAY_NONE UINT64_MAX

/* ASSAY_OK: valid. 1 to 31: not judged. From ASSAY_E_FIRST: invalid, the number of the rule that is broken. */
typedef uint32_t assay_status;

/* What the caller asks for. Start from ASSAY_OPTIONS; a limit that is exceeded ends as "not judged". */
typedef struct {
    uint64_t api;          /* ASSAY_API */
    uint64_t relax;        /* reserved for named relaxations: must be 0 */
    uint64_t max_header;   /* header length in bytes */
    uint64_t max_tensors;  /* number of tensors */
    uint64_t max_rank;     /* dims of one shape */
    uint64_t max_name;     /* bytes of one tensor name as it stands between its quotes */
    uint64_t max_metadata; /* number of metadata pairs */
    uint64_t seed;         /* a number that the file's author can't know: keys the index of names */
} assay_options;

#define ASSAY_OPTIONS {ASSAY_API, 0, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, 0}

/* Why a file was not accepted. Which fields a status fills is in spec/format.md, "Error fields". */
typedef struct {
    uint64_t status;   /* an assay_status */
    uint64_t offset;   /* file offset of the byte where the rule breaks */
    uint64_t tensor;   /* place of the tensor in the header, from 0 */
    uint64_t other;    /* place of the other tensor or metadata pair */
    uint64_t expected; /* what the rule wants ... */
    uint64_t found;    /* ... and what the file has */
} assay_error;

/* One tensor of the table. Its fields are packed: read it through assay_tensor_at. 32 bytes. */
typedef struct {
    uint64_t begin, end; /* data offsets, relative to the data section */
    uint64_t name;       /* offset of the name + 2^32 * its length */
    uint64_t shape;      /* offset behind the shape's [ + 2^32 * rank + 2^59 * dtype */
} assay_entry;

/* Memory for one view, owned by the caller; it must outlive the view. */
typedef struct {
    assay_entry *entry;
    uint64_t entries; /* how many there are */
    uint32_t *word;
    uint64_t words; /* how many there are */
} assay_workspace;

/* What a file needs. */
typedef struct {
    uint64_t head;    /* bytes of the file's beginning: 8, then 8 + N */
    uint64_t tensors; /* tensors in the header */
    uint64_t pairs;   /* metadata pairs in the header */
    uint64_t entries; /* assay_workspace.entries that will do */
    uint64_t words;   /* assay_workspace.words that will do */
} assay_need;

/* A valid file. Made by assay_parse alone; read-only for everyone else. */
typedef struct {
    const uint8_t *head;        /* borrowed: the 8 + N bytes */
    const assay_entry *entry;   /* [tensors], in header order */
    const uint32_t *order;      /* [tensors], places in layout order */
    const uint32_t *name;       /* [tensors], offsets of the names */
    const uint32_t *name_slot;  /* [2 * tensors] */
    const uint32_t *key;        /* [pairs], offsets of the metadata keys */
    const uint32_t *key_slot;   /* [2 * pairs] */
    const uint32_t *value;      /* [pairs], offsets of the metadata values, last pair first */
    uint64_t tensors, pairs;
    uint64_t data_begin; /* 8 + N: where the header ends and the data section begins */
    uint64_t data_size;  /* bytes of the data section */
    uint64_t seed;
} assay_view;

/* A string of the header as it stands between its quotes: head[at .. end). */
typedef struct {
    uint64_t at, end;
} assay_text;

/* The dims of a shape that are still to be read. */
typedef struct {
    uint64_t at, left;
} assay_dims;

typedef struct {
    uint64_t place;      /* in the header, from 0 */
    uint64_t begin, end; /* its bytes: file offsets, data_begin <= begin <= end <= file size */
    uint64_t dtype;      /* ASSAY_DTYPE_... */
    uint64_t bits;       /* of one element */
    uint64_t rank;       /* number of dims; 0 is a scalar */
    assay_text name;
    assay_dims dims; /* for assay_dim_next */
} assay_tensor;

/* One axis of a slice: the caller fills start, stop, step; the rest is the iterator's. */
typedef struct {
    uint64_t start, stop, step; /* elements start, start + step, ... below stop */
    uint64_t dim, stride, index; /* private: length; bits from one element to the next; where it stands */
} assay_axis;

typedef struct {
    uint64_t begin, bits; /* the tensor: file offset of its first byte, its size in bits */
    uint64_t axes;        /* how many axes are walked one by one */
    uint64_t run;         /* bits of one contiguous run; 0: nothing is left */
} assay_slice;

/* A contiguous run of a slice: bits first_bit .. first_bit + bits of the tensor. */
typedef struct {
    uint64_t byte; /* file offset of the byte that holds the first bit */
    uint64_t skip; /* bits of that byte that come before the run: 0 unless the dtype is narrower than a byte */
    uint64_t bits; /* length of the run */
} assay_run;
