/* assay: decides whether a safetensors file means exactly one thing, and hands out its tensors.
 *
 * The core reads the first 8 + N bytes of a file (the head: the header length N and the header) and the file's
 * size, and nothing else. It allocates nothing, calls nothing, keeps no state and writes only where it is told to.
 * Every offset is a file offset in bytes unless it says otherwise; ASSAY_NONE in a field means "none".
 * The rules are in spec/format.md, the guarantees T1 to T10 in spec/theorems.md.
 *
 * How to use it; examples/list.c is a whole program:
 *
 *     assay_options options = ASSAY_OPTIONS;
 *     while (assay_measure(head, size, file_size, &options, &need, &error) == ASSAY_NEED_MORE)
 *         ...                               // make head the file's first need.head bytes, size = need.head
 *     if (error.status == ASSAY_OK)         // allocate need.entries and need.words for the workspace, then:
 *         assay_parse(head, size, file_size, &options, &workspace, &view, &need, &error);
 *     if (error.status == ASSAY_OK)
 *         for (i = 0; assay_tensor_at(&view, i, &tensor); i++)
 *             ...                           // tensor.begin to tensor.end are its bytes in the file
 *
 * Load nothing unless assay_parse or assay_validate has answered ASSAY_OK. From ASSAY_E_FIRST on, the file is
 * invalid: no call will accept it. What to do about the other answers: ASSAY_NEED_MORE: give the first need.head
 * bytes of the file. ASSAY_WORKSPACE: give what need says. ASSAY_LIMIT_...: the file exceeds a limit in your options.
 * ASSAY_USAGE: options.api is not ASSAY_API, or options.relax is not 0.
 *
 * From afar it is the same: any transport may bring the head, in pieces of any size. Where a piece ends changes no
 * answer: it is ASSAY_NEED_MORE until need.head bytes are there, 8 and then 8 + N, and from then on always the same.
 * examples/remote_curl.c and examples/remote_socket.c judge files on servers.
 *
 * Memory: the head takes at most 100,000,008 bytes; the workspace 56 bytes a tensor and 32 a metadata pair, which is
 * less than 5.4 N. To allocate it before the header is read: assay_bound, less than 6.4 N; or what a tensor for every
 * 64 bytes of the header takes, which is enough for nearly all files, and then what need says where the answer is
 * ASSAY_WORKSPACE.
 *
 * The head must not change while it is judged or a view of it is in use. Different views may be used by different
 * threads; one view may be read by many.
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

/* ASSAY_OK: valid. 1 to 31: not judged. From ASSAY_E_FIRST: invalid, the number of the rule that is broken. */
typedef uint32_t assay_status;

/* What the caller asks for. Start from ASSAY_OPTIONS: no limits. A file that exceeds a limit is "not judged". */
typedef struct {
    uint64_t api;          /* ASSAY_API */
    uint64_t relax;        /* reserved for named relaxations: must be 0 */
    uint64_t max_header;   /* header length in bytes */
    uint64_t max_tensors;  /* number of tensors */
    uint64_t max_rank;     /* dims of one shape */
    uint64_t max_name;     /* bytes of one tensor name as it stands between its quotes */
    uint64_t max_metadata; /* number of metadata pairs */
} assay_options;

#define ASSAY_OPTIONS {ASSAY_API, 0, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE}

/* Why a file was not accepted. Which fields a status fills is in spec/format.md, "Error fields"; the others are
 * ASSAY_NONE. `assay rules` prints each status in words. */
typedef struct {
    uint64_t status;   /* an assay_status, the same as the result */
    uint64_t offset;   /* file offset of the byte where the rule breaks */
    uint64_t tensor;   /* place of the tensor in the header, from 0 */
    uint64_t other;    /* place of the other tensor or metadata pair */
    uint64_t expected; /* what the rule wants ... */
    uint64_t found;    /* ... and what the file has */
} assay_error;

/* One tensor of the table. Its fields are packed: read it through assay_tensor_at. 32 bytes. */
typedef struct {
    uint64_t begin, end; /* data offsets, relative to the data section */
    uint64_t name;       /* offset of the name + 2^32 * its length + 2^63 if it is known to have no escape */
    uint64_t shape;      /* offset behind the shape's [ + 2^32 * rank + 2^59 * dtype */
} assay_entry;

/* Memory for one view, owned by the caller; it must outlive the view. Neither pointer may be NULL, even if its array
 * has no element: C does not define NULL + 0. */
typedef struct {
    assay_entry *entry;
    uint64_t entries; /* elements of entry */
    uint32_t *word;
    uint64_t words; /* elements of word */
} assay_workspace;

/* What a file needs. */
typedef struct {
    uint64_t head;    /* bytes of the file's beginning: 8, then 8 + N */
    uint64_t tensors; /* tensors in the header */
    uint64_t pairs;   /* metadata pairs in the header */
    uint64_t entries; /* assay_workspace.entries that suffice */
    uint64_t words;   /* assay_workspace.words that suffice */
} assay_need;

/* A valid file. Made by assay_parse alone; read-only for everyone else. */
typedef struct {
    const uint8_t *head;        /* borrowed: the 8 + N bytes */
    const assay_entry *entry;   /* [tensors], in header order */
    const uint32_t *by_name;    /* [tensors], places in the order of the names */
    const uint32_t *order;      /* [tensors], places in layout order */
    const uint32_t *key;        /* [pairs], offsets of the metadata keys */
    const uint32_t *by_key;     /* [pairs], pairs in the order of their keys */
    const uint32_t *value;      /* [pairs], offsets of the metadata values, last pair first */
    uint64_t tensors, pairs;
    uint64_t metadata;   /* 1: the header has a __metadata__, maybe an empty one */
    uint64_t data_begin; /* 8 + N: where the header ends and the data section begins */
    uint64_t data_size;  /* bytes of the data section */
} assay_view;

/* A string of the header as it stands between its quotes: head[at .. end). */
typedef struct {
    uint64_t at, end;
} assay_text;

/* The dims of a shape that are still to be read: `left` of them, from head[at] on. */
typedef struct {
    uint64_t at, left;
} assay_dims;

/* One tensor, as assay_tensor_at and assay_find give it. */
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

/* A slice that is being walked. Private: assay_slice_begin makes it, assay_slice_next moves it. */
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

/* Workspace sizes that suffice for assay_parse and assay_validate on every header of header_length bytes: an entry for
 * every 32 of them, and four words for every three, together less than 6.4 bytes for each. Above 100,000,000, which no
 * valid header is, header_length counts as that. tensors and pairs are upper bounds. O(1). Proved: T1 to T3. That the
 * sizes suffice is tested. */
void assay_bound(uint64_t header_length, assay_need *need);

/* Stages F and H alone, keeping nothing: what does assay_parse need for this file? ASSAY_OK says that the file breaks
 * no rule of these two stages, not that it is valid. head[0 .. head_size) are the file's first bytes, or all of
 * them; head may be NULL if head_size is 0. options may be NULL: ASSAY_OPTIONS. need->head is set on ASSAY_NEED_MORE,
 * all of *need on ASSAY_OK; else *need is unchanged. *error is always set. O(N), but O(1) if the answer is NEED_MORE.
 * NEED_MORE is the answer as long as head_size is below need->head, which is 8, then 8 + N and never above file_size.
 * From then on the answer is that of the whole file: what stands behind the header is not read. Who delivers what is
 * asked for is asked at most twice. file_size is believed: it must come from elsewhere than the file's bytes.
 * Answers: ASSAY_OK, NEED_MORE, USAGE, a limit, a rule of stage F or H.
 * Proved: T1 to T3; answer and byte are those of the specification (T10). */
assay_status assay_measure(const uint8_t *head, uint64_t head_size, uint64_t file_size, const assay_options *options,
                           assay_need *need, assay_error *error);

/* All three stages. ASSAY_OK: the file is valid, *view is its table. Else *view is unchanged. *need is as for
 * assay_measure, and all of it is set on ASSAY_WORKSPACE too. The other arguments are as for assay_measure. The
 * contents of the workspace are lost in any case. *view, *need, *error and the workspace's arrays must not overlap
 * each other, nor what is read.
 * Answers: those of assay_measure, ASSAY_WORKSPACE, a rule of stage G. They depend on nothing but the arguments.
 * O(N), and n log n for n tensors that do not stand in layout order, or whose names are not in order; so for pairs.
 * Proved: T1 to T3. Within the limits and with the workspace that need states, ASSAY_OK if and only if the file is
 * valid (T4, T5); then the view is what the bytes say (T6) and may be given to the functions below (T9), the tensors
 * partition the data section (T7), no name or key stands twice (T8). If the file is invalid, rule and byte are the
 * specification's (T10). */
assay_status assay_parse(const uint8_t *head, uint64_t head_size, uint64_t file_size, const assay_options *options,
                         const assay_workspace *workspace, assay_view *view, assay_need *need, assay_error *error);

/* The verdict of assay_parse without a view: needs 12 bytes a metadata pair instead of 16, and *need says so.
 * Arguments, answers and cost are those of assay_parse. Proved: T1 to T5, T7 and T10, as for assay_parse. */
assay_status assay_validate(const uint8_t *head, uint64_t head_size, uint64_t file_size, const assay_options *options,
                            const assay_workspace *workspace, assay_need *need, assay_error *error);

/* ---- Tensors ------------------------------------------------------------------------------------
 *
 * A view given to the functions below must be one that assay_parse has made (valid_view, spec/view.acsl). They
 * allocate nothing and keep nothing. They write their out parameters alone, and only on success (true, ASSAY_OK). A
 * tensor or a text holds offsets into the head, which stays the caller's. Out parameters must not overlap the view's
 * memory or what is read. Proved of each function: it reads and writes nothing beyond what it was given and loses no
 * bits (T1), it ends (T2), it writes nothing else (T3). "Rules": those of spec/format.md that the promise rests on. */

/* How many tensors there are. O(1). Proved: it is that of the view. */
uint64_t assay_count(const assay_view *view);

/* The tensor at place `index` of the layout order: by begin, end, place in the header, so that neighbours in
 * this order are neighbours in the file. False: index is not below assay_count. O(1).
 * Proved: *tensor is what the header says of the tensor at its place, and tensor.dims stands before its first dim
 * (T6); its bytes lie in the data section (T9). Rules H17 to H23, G3 to G6. */
bool assay_tensor_at(const assay_view *view, uint64_t index, assay_tensor *tensor);

/* The tensor whose unescaped name is name[0 .. size), UTF-8; there is at most one (G2). False: there is none.
 * name may hold any bytes, and be NULL if size is 0. Binary search in the sorted names: O(size * log n) for n tensors.
 * Proved: as for assay_tensor_at; its name is the one that was given, and if none is found there is none (T8). */
bool assay_find(const assay_view *view, const uint8_t *name, uint64_t size, assay_tensor *tensor);

/* The next dim of a shape, in elements, outermost first. Start with a copy of tensor.dims; tensor.rank calls
 * succeed. False: no more. A cursor that assay did not make gives some numbers or false, and reads nothing
 * beyond the header. O(bytes of the dim and the white space before it).
 * Proved: if dims stands before the k-th dim of a shape (as tensor.dims stands before the first), the number is
 * that dim, as spec/tensor.acsl says it, and dims then stands before the next (T6). Rules H15, H16, H20. */
bool assay_dim_next(const assay_view *view, assay_dims *dims, uint64_t *dim);

/* The tensor's bytes, elements in row-major order and little-endian, in `file`: the whole file of file_size
 * bytes in memory. They reach from the result to result + (tensor.end - tensor.begin). NULL: file is NULL, or
 * the tensor does not lie in it. Nothing is said about alignment: the format does not promise any. O(1).
 * Proved: the result, if there is one, is file + tensor.begin, and all of the tensor lies in the file (T9). */
const uint8_t *assay_data(const assay_tensor *tensor, const uint8_t *file, uint64_t file_size);

/* ---- Text --------------------------------------------------------------------------------------- */

/* The next code point of a tensor name, metadata key or value, with its escapes undone; moves text->at behind
 * it. In a text that assay has handed out, every code point is a Unicode scalar value other than 0. In any other
 * text, what is ill-formed comes out as U+FFFD. False: no more, or the text does not lie in the header. O(1).
 * Rules H6 to H9.
 * Proved: the code point, and where it ends, are those of spec/text.acsl (`character`, T6); text->at grows and stays
 * within text->end. */
bool assay_text_next(const assay_view *view, assay_text *text, uint32_t *code_point);

/* How the unescaped text compares with bytes[0 .. size), UTF-8, by code points: -1 it comes before, 0 it is the
 * same, 1 it comes after. bytes may be NULL if size is 0. A text that does not lie in the header counts as empty.
 * O(size). Proved: the answer is value_order of spec/text.acsl, 0 only for the same text (T6). */
int assay_text_compare(const assay_view *view, assay_text text, const uint8_t *bytes, uint64_t size);

/* ---- Metadata ----------------------------------------------------------------------------------- */

/* How many pairs __metadata__ holds; view->metadata says whether there is one at all. O(1). Proved: it is that of
 * the view. */
uint64_t assay_metadata_count(const assay_view *view);

/* The pair at place `index`, in the order of the header. False: index is not below assay_metadata_count.
 * O(bytes of both). Proved: both texts lie in the header and are those of its pair `index` (T6). Rule H14: a value
 * is a string. */
bool assay_metadata_at(const assay_view *view, uint64_t index, assay_text *key, assay_text *value);

/* The value of the pair whose unescaped key is key[0 .. size), UTF-8; there is at most one (G1). False: there
 * is none. key may be NULL if size is 0. Binary search: O(size * log n + bytes of the value) for n pairs.
 * Proved: the value lies in the header and is that of a pair with this key; if none is found there is none (T8). */
bool assay_metadata_find(const assay_view *view, const uint8_t *key, uint64_t size, assay_text *value);

/* ---- Slices -------------------------------------------------------------------------------------
 *
 * A slice takes on every axis the elements start, start + step, ... below stop, as basic slicing does in
 * NumPy. It comes out as contiguous runs in the order of its elements, counted in bits because some dtypes are
 * narrower than a byte. All runs of a slice have the same length: that of its largest trailing block whose
 * elements are adjacent. So whole rows come out as one run a block of rows, and a whole tensor is one run.
 *
 *     assay_axis axis[2] = {{.start = 8, .stop = 16, .step = 1}, {.start = 0, .stop = columns, .step = 1}};
 *     if (assay_slice_begin(&view, &tensor, axis, 2, &slice) == ASSAY_OK)
 *         while (assay_slice_next(&slice, axis, &run))
 *             copy(run.byte, run.skip, run.bits);
 */

/* Begins a slice of a tensor. axis[0 .. axes): the caller has set start, stop, step on each, outermost first;
 * the array belongs to the slice until the last run. ASSAY_OK, or ASSAY_USAGE and nothing is written: axes is
 * not the rank, or on some axis not 0 <= start <= stop <= dim and step >= 1, or the tensor's fields do not agree with
 * each other and the header. (Those of a tensor that assay did not make may agree: then the runs lie where it says.)
 * A slice without elements is ASSAY_OK and has no run. O(bytes of the shape).
 * Proved: ASSAY_OK exactly if all that holds (slice_fits, spec/slice.acsl); the slice's tensor is this tensor;
 * slice->run is 0 exactly if there is no element; if it is of whole rows, start to stop of the first axis, it is one
 * run, of exactly their bits (T9). Which bits the runs of other slices have is tested against NumPy. Rules H20, H21,
 * H23. */
assay_status assay_slice_begin(const assay_view *view, const assay_tensor *tensor, assay_axis *axis, uint64_t axes,
                               assay_slice *slice);

/* The next run. False: no more. O(rank). Whatever the caller has done to slice and axis, a run never leaves
 * the bits that slice->begin and slice->bits say.
 * Proved: that; the run is the one that the slice stands at, and how far the slice and its axes then go, or that it was
 * the last (T9). */
bool assay_slice_next(assay_slice *slice, assay_axis *axis, assay_run *run);

#ifdef __cplusplus
}
#endif

#endif
