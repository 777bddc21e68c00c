/* assay.h: decides whether a safetensors file is valid, and gives access to its tensors without copying.
 *
 * The library reads the first 8 + N bytes of a file (the head: the header length N, then the header) and the size of
 * the file, and nothing else. It allocates nothing, calls nothing, keeps no state, and writes only where the caller
 * says.
 *
 *     assay_input input = {head, head_size, file_size};
 *     assay_result result;
 *     while (assay_measure(&input, NULL, &result) == ASSAY_NEED_MORE)
 *         ...                                // read the first result.need.head bytes; set head and head_size
 *     if (result.error.status == ASSAY_OK) { // allocate result.need.entries and result.need.words
 *         assay_workspace workspace = {entry, result.need.entries, word, result.need.words};
 *         if (assay_parse(&input, NULL, &workspace, &result) == ASSAY_OK)
 *             for (uint64_t i = 0; assay_tensor_at(&result.view, i, &tensor); i++)
 *                 ...                        // tensor.begin to tensor.end are its bytes in the file
 *     }
 *
 * examples/list.c is a whole program; docs/embedding.md is the guide.
 *
 * Results. ASSAY_OK of assay_parse or assay_validate: the file is valid. Load nothing without it. From ASSAY_E_FIRST
 * on: the file is invalid, and no call will accept it. Other statuses: the file was not judged.
 *     ASSAY_NEED_MORE   provide the first need.head bytes of the file
 *     ASSAY_WORKSPACE   provide the workspace that need states
 *     ASSAY_LIMIT_...   the file exceeds a limit in your options
 *     ASSAY_USAGE       options.api is not ASSAY_API, or options.relax is not 0; or an axis does not fit its tensor
 *
 * Memory. The caller owns all of it. The head takes at most 100,000,008 bytes. The workspace takes 56 bytes a tensor
 * and 32 bytes a metadata pair, less than 5.4 N. assay_bound gives an upper bound before the header is read.
 *
 * Threads. Any thread may call any function. The head must not change while it is judged or a view of it is in use. A
 * view may be read by many threads.
 *
 * Units. Offsets are file offsets in bytes unless a comment says otherwise. Pointers must not be NULL and outputs must
 * not overlap each other or what is read, unless a comment says otherwise.
 *
 * Proved. Every function reads and writes nothing beyond what it was given, and no arithmetic overflows (T1); it ends
 * (T2); it writes nothing but its outputs (T3). Comments name the further theorems of spec/theorems.md. The contracts
 * are in src/core/contracts.h. Rules are those of spec/format.md.
 */
#ifndef ASSAY_H
#define ASSAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay_codes.h" /* ASSAY_OK, what was not judged (1..31), the rules (32..), the dtypes */

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_API 1u
#define ASSAY_NONE UINT64_MAX

/* ASSAY_OK: valid. 1 to 31: not judged. From ASSAY_E_FIRST on: invalid, the code of the rule that is broken; its
 * number, such as G2, is that of assay_status_rule (assay_text.h). */
typedef uint32_t assay_status;

/* The file to judge. Its first bytes are in memory; its size must come from elsewhere than its bytes. */
typedef struct {
    const uint8_t *head; /* the first head_size bytes, or all; may be NULL if head_size is 0 */
    uint64_t head_size;  /* bytes */
    uint64_t file_size;  /* bytes */
} assay_input;

/* Limits of the caller, for assay_measure, assay_validate and assay_parse. Start from ASSAY_OPTIONS, which has no
 * limits; NULL in place of options means the same. A file that exceeds a limit is not judged. */
typedef struct {
    uint64_t api;          /* ASSAY_API */
    uint64_t relax;        /* reserved for named relaxations: must be 0 */
    uint64_t max_header;   /* header length in bytes */
    uint64_t max_tensors;  /* number of tensors */
    uint64_t max_rank;     /* dims of one shape */
    uint64_t max_name;     /* bytes of one tensor name as it is between its quotes */
    uint64_t max_metadata; /* number of metadata pairs */
} assay_options;

#define ASSAY_OPTIONS {ASSAY_API, 0, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE}

/* A string of the header as it is between its quotes: head[at .. end). */
typedef struct {
    uint64_t at, end;
} assay_text;

/* Which fields of an assay_error are set: the sum of these. */
#define ASSAY_HAS_OFFSET 1u
#define ASSAY_HAS_TENSOR 2u
#define ASSAY_HAS_OTHER 4u
#define ASSAY_HAS_EXPECTED 8u
#define ASSAY_HAS_FOUND 16u

/* Why a file was not accepted. spec/format.md, "Error fields", says which fields a status sets. A number that is not
 * set is ASSAY_NONE, a text that is not set is empty. assay_error_format (assay_text.h) puts an error into words. */
typedef struct {
    uint64_t status;       /* an assay_status: the one that was returned */
    uint64_t offset;       /* file offset of the byte at which the rule is broken */
    uint64_t tensor;       /* index of the tensor in the header, from 0 */
    uint64_t other;        /* index of the other tensor or metadata pair */
    uint64_t expected;     /* what the rule requires ... */
    uint64_t found;        /* ... and what the file has; both may be any number, 2^64 - 1 too */
    uint64_t has;          /* which of these are set: ASSAY_HAS_... */
    assay_text name;       /* the name of the tensor, if tensor is set */
    assay_text other_name; /* the name of the other tensor, or the metadata key, if other is set */
} assay_error;

/* A tensor in the workspace, 32 bytes. Private: read it through assay_tensor_at. */
typedef struct {
    uint64_t begin, end; /* data offsets, relative to the data section */
    uint64_t name;       /* offset of the name + 2^32 * its length + 2^63 if it is known to have no escape */
    uint64_t shape;      /* offset after the shape's [ + 2^32 * rank + 2^59 * dtype */
} assay_entry;

/* Memory for one judgement, and for its view, which it must outlive. The contents are lost in each call. Neither
 * pointer may be NULL, even if its array has no element. */
typedef struct {
    assay_entry *entry;
    uint64_t entries; /* elements of entry */
    uint32_t *word;
    uint64_t words; /* elements of word */
} assay_workspace;

/* What a file needs. */
typedef struct {
    uint64_t head;    /* bytes of the file's beginning: 8, then 8 + N */
    uint64_t tensors; /* number of tensors in the header */
    uint64_t pairs;   /* number of metadata pairs in the header */
    uint64_t entries; /* elements of assay_workspace.entry that suffice */
    uint64_t words;   /* elements of assay_workspace.word that suffice */
} assay_need;

/* A valid file, made by assay_parse. Read it through the functions below; only head and the last five members are part
 * of the API. It points into the head and the workspace. */
typedef struct {
    const uint8_t *head;      /* [data_begin] */
    const assay_entry *entry; /* [tensors], in header order */
    const uint32_t *by_name;  /* [tensors], indexes in the order of the names */
    const uint32_t *order;    /* [tensors], indexes in layout order */
    const uint32_t *key;      /* [pairs], offsets of the metadata keys */
    const uint32_t *by_key;   /* [pairs], indexes of pairs in the order of their keys */
    const uint32_t *value;    /* [pairs], offsets of the metadata values, last pair first */
    uint64_t tensors;         /* number of tensors */
    uint64_t pairs;           /* number of metadata pairs */
    uint64_t metadata;        /* 1: the header has __metadata__, perhaps an empty one; else 0 */
    uint64_t data_begin;      /* 8 + N: where the header ends and the data section begins */
    uint64_t data_size;       /* bytes of the data section */
} assay_view;

/* What a call has found. */
typedef struct {
    assay_error error; /* set by every call */
    assay_need need;   /* set with ASSAY_OK and ASSAY_WORKSPACE; its head with ASSAY_NEED_MORE too; else not changed */
    assay_view view;   /* set by assay_parse if it returns ASSAY_OK */
} assay_result;

/* The dims of a shape that are still to be read: `left` of them, from head[at] on. */
typedef struct {
    uint64_t at, left;
} assay_dims;

/* One tensor, filled by assay_tensor_at and assay_tensor_find. */
typedef struct {
    uint64_t index;      /* in the header, from 0 */
    uint64_t begin, end; /* its bytes: file offsets, data_begin <= begin <= end <= file size */
    uint64_t dtype;      /* ASSAY_DTYPE_... */
    uint64_t bits;       /* of one element */
    uint64_t rank;       /* number of dims; 0 is a scalar */
    assay_text name;
    assay_dims dims; /* for assay_dim_next */
} assay_tensor;

/* One axis of a slice. The caller sets start, stop and step; the other members are the iterator's. */
typedef struct {
    uint64_t start, stop, step; /* elements start, start + step, ... below stop */
    uint64_t dim;               /* set by assay_slice_begin: elements of the tensor on this axis */
    uint64_t span, jump, gone;  /* private, in bits: from start to stop; one step; how far the slice has come */
} assay_axis;

/* The state of an iteration over a slice. Private: assay_slice_begin makes it, assay_slice_next moves it. */
typedef struct {
    uint64_t begin, bits; /* the tensor: file offset of its first byte, its size in bits */
    uint64_t axes;        /* how many axes are walked one by one */
    uint64_t run;         /* bits of one contiguous run; 0: nothing is left */
    uint64_t first;       /* the first bit of the next run */
} assay_slice;

/* A contiguous run of a slice. */
typedef struct {
    uint64_t byte; /* file offset of the byte that holds the first bit */
    uint64_t skip; /* bits of that byte that earlier elements take: 0 unless the dtype is narrower than a byte. At which
                    * end of a byte its first bit is, the format leaves to the dtype */
    uint64_t bits; /* length of the run, which is in the (skip + bits + 7) / 8 bytes from byte on */
} assay_run;

/* ---- Judging ------------------------------------------------------------------------------------ */

/* Compute workspace sizes that suffice for every header of header_length bytes: header_length / 32 entries and
 * header_length * 4 / 3 words, together less than 6.4 bytes for each. A header_length above 100,000,000, which is never
 * valid, counts as that. need->tensors and need->pairs are upper bounds.
 * Cost: O(1). Proved: the sizes are these, and they suffice (T5). */
void assay_bound(uint64_t header_length, assay_need *need);

/* Judge the length and the header (stages F and H), and state what assay_parse needs. No workspace is used.
 * input->head holds the first bytes of the file: any number of them. Bytes after the header are not read.
 * Returns: ASSAY_OK: no rule of these stages is broken, which does not mean that the file is valid; result->need is
 * set.
 *     ASSAY_NEED_MORE: head_size is less than result->need.head, which is 8, then 8 + N, never more than file_size.
 *     Otherwise ASSAY_USAGE, a limit, or a rule of stage F or H. From need.head bytes on, the result is that of the
 *     whole file, however many more bytes there are. result->view is not changed.
 * Cost: O(N); O(1) if it returns ASSAY_NEED_MORE. At most two calls return that if need.head bytes are provided.
 * Proved: status, offset and the other numbers of the error are those of the specification (T10). */
assay_status assay_measure(const assay_input *input, const assay_options *options, assay_result *result);

/* Judge the whole file, and make a view of it.
 * Returns: ASSAY_OK: the file is valid; result->view and result->need are set.
 *     ASSAY_WORKSPACE: the workspace is too small; result->need states what suffices.
 *     Otherwise what assay_measure returns, or a rule of stage G. result->view is then not changed.
 * Cost: O(N), and O(n log n) to sort n names, keys or tensors that are not in order.
 * Proved: ASSAY_OK if and only if the file is valid, within the limits and with the workspace that need states (T4,
 *     T5). Then the view is what the bytes say (T6), the tensors partition the data section (T7), no name and no key
 *     occurs twice (T8), and the functions below accept the view (T9). If the file is invalid, rule, byte and the
 *     other numbers of the error are those of the specification (T10). The result depends on nothing but the
 *     arguments. */
assay_status assay_parse(const assay_input *input, const assay_options *options, const assay_workspace *workspace,
                         assay_result *result);

/* Judge the whole file without making a view. It needs need.words - need.pairs of the words that assay_measure states;
 * after this call result->need states that number. Returns and cost: those of assay_parse. Proved: T4, T5, T7 and T10,
 * as for assay_parse. */
assay_status assay_validate(const assay_input *input, const assay_options *options, const assay_workspace *workspace,
                            assay_result *result);

/* ---- Tensors ------------------------------------------------------------------------------------
 *
 * The functions below take a view that assay_parse has made. They write their outputs only on success (true, ASSAY_OK).
 * Texts and tensors are offsets into the head, which stays the caller's. */

/* Return the number of tensors. Cost: O(1). Proved: it is that of the view. */
uint64_t assay_tensor_count(const assay_view *view);

/* Get the tensor at position `index` of the layout order: by begin, end, index in the header. Neighbours in this order
 * are neighbours in the file. Returns: false if index is not below assay_tensor_count. Cost: O(1).
 * Proved: *tensor is what the header says (T6); its bytes are in the data section (T9). Rules H17 to H23, G3 to G6. */
bool assay_tensor_at(const assay_view *view, uint64_t index, assay_tensor *tensor);

/* Find the tensor whose name, without escapes, is name[0 .. size) in UTF-8. There is at most one (G2). name may hold
 * any bytes, and be NULL if size is 0. Returns: false if there is none. Cost: O(size * log n) for n tensors, by
 * bisection.
 * Proved: as for assay_tensor_at; the tensor has this name, and if none is found there is none (T8). */
bool assay_tensor_find(const assay_view *view, const uint8_t *name, uint64_t size, assay_tensor *tensor);

/* Write the first dims of a tensor's shape to dims[0 .. size), in elements, outermost first. dims may be NULL if size
 * is 0.
 * Returns: how many were written, which is tensor->rank or size, the smaller. Cost: O(bytes of the shape).
 * Proved: each is the dim that the header says (T6). Rules H15, H16, H20. */
uint64_t assay_tensor_dims(const assay_view *view, const assay_tensor *tensor, uint64_t *dims, uint64_t size);

/* Get the next dim of a shape, in elements, outermost first. Start with a copy of tensor.dims; tensor.rank calls
 * succeed.
 * Returns: false if there is no more. A cursor that assay did not make yields some numbers or false, and reads nothing
 * outside the header. Cost: O(bytes of the dim and of the white space before it).
 * Proved: the k-th call yields the k-th dim that the header says (T6). Rules H15, H16, H20. */
bool assay_dim_next(const assay_view *view, assay_dims *dims, uint64_t *dim);

/* Locate the tensor's bytes in `file`, the whole file of file_size bytes in memory. They are little-endian elements in
 * row-major order, tensor->end - tensor->begin bytes. The format promises no alignment.
 * Returns: NULL if file is NULL or the tensor is not inside it. Cost: O(1).
 * Proved: the result is file + tensor->begin, and all of the tensor is inside the file (T9). */
const uint8_t *assay_tensor_data(const assay_tensor *tensor, const uint8_t *file, uint64_t file_size);

/* ---- Text ---------------------------------------------------------------------------------------
 *
 * The texts of an assay_error are read in the same way, though there is no view of an invalid file: pass a view whose
 * head is that of the input and whose data_begin is 8 + N, with all other members 0. It suffices for the functions of
 * this section and for assay_text_utf8. N is in the first 8 bytes of the head, little-endian. */

/* Get the next code point of a tensor name, metadata key or value, without escapes, and move text->at after it. In a
 * text that assay has returned, it is a Unicode scalar value other than 0; in any other text, what is ill-formed yields
 * U+FFFD. Returns: false if there is no more, or the text is not in the header. Cost: O(1).
 * Proved: code point and end are those of spec/text.acsl (T6); text->at grows and stays within text->end. Rules H6 to
 * H9. */
bool assay_text_next(const assay_view *view, assay_text *text, uint32_t *code_point);

/* Compare a text, without escapes, with bytes[0 .. size) in UTF-8, by code points. bytes may be NULL if size is 0. A
 * text that is not in the header counts as empty. Returns: -1 if the text comes first, 0 if they are the same, 1 if it
 * comes after. Cost: O(size). Proved: the result is value_order of spec/text.acsl, 0 only for the same text (T6). */
int assay_text_compare(const assay_view *view, assay_text text, const uint8_t *bytes, uint64_t size);

/* ---- Metadata ----------------------------------------------------------------------------------- */

/* Return the number of pairs in __metadata__. view->metadata says whether there is one. Cost: O(1). Proved: it is that
 * of the view. */
uint64_t assay_metadata_count(const assay_view *view);

/* Get the pair at position `index`, in header order. Returns: false if index is not below assay_metadata_count.
 * Cost: O(bytes of both texts). Proved: key and value are those of pair `index` in the header (T6). Rule H14. */
bool assay_metadata_at(const assay_view *view, uint64_t index, assay_text *key, assay_text *value);

/* Find the value of the pair whose key, without escapes, is key[0 .. size) in UTF-8. There is at most one (G1). key may
 * be NULL if size is 0. Returns: false if there is none. Cost: O(size * log n + bytes of the value) for n pairs.
 * Proved: the value is that of a pair with this key; if none is found there is none (T8). */
bool assay_metadata_find(const assay_view *view, const uint8_t *key, uint64_t size, assay_text *value);

/* ---- Slices -------------------------------------------------------------------------------------
 *
 * A slice takes on every axis the elements start, start + step, ... below stop, as basic slicing does in NumPy, but no
 * number is negative or too large. It is read as contiguous runs in the order of its elements, counted in bits because
 * some dtypes are narrower than a byte. All runs of a slice have the same length: that of its largest trailing block
 * whose elements are adjacent. So adjacent whole rows are one run, and so is a whole tensor.
 *
 *     assay_axis axis[2] = {{.start = 8, .stop = 16, .step = 1}, {.start = 0, .stop = columns, .step = 1}};
 *     if (assay_slice_begin(&view, &tensor, axis, 2, &slice) == ASSAY_OK)
 *         while (assay_slice_next(&slice, axis, &run))
 *             copy(run.byte, run.skip, run.bits);
 */

/* Begin a slice of a tensor. The caller has set start, stop and step of axis[0 .. axes), outermost first; the array
 * belongs to the slice until the last run. axis may be NULL if axes is 0, for a scalar. A slice without elements is
 * fine and has no run.
 * Returns: ASSAY_OK, or ASSAY_USAGE: axes is not the rank, or on some axis not 0 <= start <= stop <= dim and step >= 1,
 *     or the tensor's fields do not agree with each other and the header. (Those of a tensor that assay did not make
 *     may agree: then the runs lie where it says.) Cost: O(bytes of the shape).
 * Proved: ASSAY_OK exactly if all that holds (slice_fits, spec/slice.acsl); there is a run exactly if there is an
 *     element; the runs have exactly the bits of the elements, in order, each once; a slice of whole rows, start to
 *     stop of the first axis in steps of 1, is one run (T9). Rules H20, H21, H23. */
assay_status assay_slice_begin(const assay_view *view, const assay_tensor *tensor, assay_axis *axis, uint64_t axes,
                               assay_slice *slice);

/* Get the next run. Returns: false if there is no more. Cost: O(rank).
 * Proved: a run never leaves the bits that slice->begin and slice->bits state, whatever the caller has done to slice
 *     and axis. It is the run of the slice's position; the position then moves to the next, or that was the last: no
 *     bit of the slice lies between (T9). */
bool assay_slice_next(assay_slice *slice, assay_axis *axis, assay_run *run);

#ifdef __cplusplus
}
#endif

#endif
