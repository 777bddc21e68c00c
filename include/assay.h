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
    uint64_t metadata;   /* 1: the header has a __metadata__, maybe an empty one */
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
    uint64_t dim;               /* set by assay_slice_begin: elements of the tensor on this axis */
    uint64_t span, jump, gone;  /* private, in bits: from start to stop; one step; how far the slice has come */
} assay_axis;

typedef struct {
    uint64_t begin, bits; /* the tensor: file offset of its first byte, its size in bits */
    uint64_t axes;        /* how many axes are walked one by one */
    uint64_t run;         /* bits of one contiguous run; 0: nothing is left */
    uint64_t first;       /* the first bit of the next run */
} assay_slice;

/* A contiguous run of a slice: bits first_bit .. first_bit + bits of the tensor. */
typedef struct {
    uint64_t byte; /* file offset of the byte that holds the first bit */
    uint64_t skip; /* bits of that byte that come before the run: 0 unless the dtype is narrower than a byte */
    uint64_t bits; /* length of the run */
} assay_run;

/* ---- Judging ------------------------------------------------------------------------------------ */

/* Workspace sizes that suffice for every header of header_length bytes. O(1). */
void assay_bound(uint64_t header_length, assay_need *need);

/* Stages F and H alone, keeping nothing: what does this file need? need->head is set on ASSAY_NEED_MORE, all
 * of *need on ASSAY_OK; else *need is unchanged. *error is always set. O(N). */
assay_status assay_measure(const uint8_t *head, uint64_t head_size, uint64_t file_size, const assay_options *options,
                           assay_need *need, assay_error *error);

/* All three stages. ASSAY_OK: *view is the file's table. Else *view is unchanged; *need as for assay_measure, and
 * all of it on ASSAY_WORKSPACE too. *error is always set. options may be NULL: ASSAY_OPTIONS.
 * O(N) but for an n log n step when the tensors are not in layout order. */
assay_status assay_parse(const uint8_t *head, uint64_t head_size, uint64_t file_size, const assay_options *options,
                         const assay_workspace *workspace, assay_view *view, assay_need *need, assay_error *error);

/* The verdict of assay_parse without a view: needs 12 bytes a metadata pair instead of 16. */
assay_status assay_validate(const uint8_t *head, uint64_t head_size, uint64_t file_size, const assay_options *options,
                            const assay_workspace *workspace, assay_need *need, assay_error *error);

/* ---- Tensors ------------------------------------------------------------------------------------ */

uint64_t assay_count(const assay_view *view);

/* The tensor at place `index` of the layout order (by begin, end, place in the header). False: index >= count. O(1). */
bool assay_tensor_at(const assay_view *view, uint64_t index, assay_tensor *tensor);

/* The tensor called name, size bytes of UTF-8. False: there is none. O(size) expected, and bounded. */
bool assay_find(const assay_view *view, const uint8_t *name, uint64_t size, assay_tensor *tensor);

/* The next dim of a shape, in elements; start from tensor.dims. False: no more. */
bool assay_dim_next(const assay_view *view, assay_dims *dims, uint64_t *dim);

/* The tensor's bytes (little-endian elements) in `file`, the whole file of file_size bytes in memory; NULL if the tensor does not lie in it. O(1). */
const uint8_t *assay_data(const assay_tensor *tensor, const uint8_t *file, uint64_t file_size);

/* ---- Text --------------------------------------------------------------------------------------- */

/* The next code point of a name, key or value, unescaped. False: no more. */
bool assay_text_next(const assay_view *view, assay_text *text, uint32_t *code_point);

/* Order of the unescaped text and size bytes of UTF-8, by code points: -1, 0 or 1. */
int assay_text_compare(const assay_view *view, assay_text text, const uint8_t *bytes, uint64_t size);

/* ---- Metadata ----------------------------------------------------------------------------------- */

uint64_t assay_metadata_count(const assay_view *view);
bool assay_metadata_at(const assay_view *view, uint64_t index, assay_text *key, assay_text *value);
bool assay_metadata_find(const assay_view *view, const uint8_t *key, uint64_t size, assay_text *value);

/* ---- Slices ------------------------------------------------------------------------------------- */

/* Begins a slice. axis[0 .. axes) hold start, stop, step with start <= stop <= dim, step >= 1. ASSAY_USAGE if they
 * do not, or axes is not the rank: nothing is written. O(rank). */
assay_status assay_slice_begin(const assay_view *view, const assay_tensor *tensor, assay_axis *axis, uint64_t axes,
                               assay_slice *slice);

/* The next contiguous run, in the order of the elements. False: no more. O(rank), O(1) amortized. */
bool assay_slice_next(assay_slice *slice, assay_axis *axis, assay_run *run);

#endif
