/* assay_write.h: writes the head of a safetensors file, and judges what it has written.
 *
 * A unit of its own: the parser (assay.h) does not need it, and libassay.a links it only if it is called. It allocates
 * nothing, calls nothing but the functions of assay.h, and keeps no state. The caller describes tensors and metadata,
 * and gets the head, which is the first 8 + N bytes of the file, and the order in which the data follow it.
 *
 *     assay_new_tensor tensor[2] = {{{name, name_size}, ASSAY_DTYPE_F32, dims, 2}, ...};
 *     assay_description what = {tensor, 2, pair, 1};
 *     assay_head_plan(&what, NULL, order, &plan, &error);      // allocate plan.head bytes
 *     if (assay_head_make(&what, NULL, order, &head, &workspace, &plan, &result) == ASSAY_OK) {
 *         ...                                                  // write head.byte[0 .. plan.head)
 *         assay_piece piece = {0};
 *         while (assay_piece_next(&what, order, &plan, &piece))
 *             ...                                              // write the data of tensor[piece.tensor]
 *     }
 *
 * Form. Without options the head has the canonical form of spec/canonical.md. It is what the official library writes
 * for the same tensors, if there is at most one metadata pair. With more pairs the official library's order is random.
 *
 * Judged. assay_head_make gives what it has written to assay_parse, and compares the view with the description. A fault
 * in the writer would therefore be reported as a status, and never be a wrong file with ASSAY_OK.
 *
 * Memory. The caller owns all of it. `order` has 2 * (tensors + pairs) elements; the second half is scratch. The
 * workspace has `tensors` entries and 8 * pairs + 6 * tensors words. What a description points to must not change, and
 * must not overlap what is written.
 *
 * Errors. tensor and other are the caller's indexes; no text is set. An error about one metadata pair sets other; if
 * two keys are the same, other is the first pair and found the second.
 *
 * Threads, units: as in assay.h. Costs are for n tensors and pairs, and N bytes of header.
 *
 * Proved. Every function reads and writes nothing beyond what it was given, and no arithmetic overflows (T1); it ends
 * (T2); it writes nothing but its outputs (T3). T12 to T16 of spec/theorems.md are on assay_head_make,
 * assay_same_tensors and assay_pairs_kept, as their comments state. Tested, not proved: that the form is canonical,
 * that each description without a defect is written, and which status a refusal has. The contracts are in
 * src/core/write_contracts.h.
 */
#ifndef ASSAY_WRITE_H
#define ASSAY_WRITE_H

#include "assay.h"

#ifdef __cplusplus
extern "C" {
#endif

/* statuses: begin */
/* Why a head was not written; made by spec/generate.py from spec/write_statuses.tsv */
enum {
    ASSAY_W_FIRST = 16, /* the first of them */
    ASSAY_W_UTF8 = 16, /* WR1 a name, key or value is not well-formed UTF-8 */
    ASSAY_W_NUL = 17, /* WR2 a name, key or value has a NUL character */
    ASSAY_W_RESERVED = 18, /* WR3 a tensor has the reserved name __metadata__ */
    ASSAY_W_TWICE = 19, /* WR4 two tensors have the same name, or two pairs the same key */
    ASSAY_W_TENSOR = 20, /* WR5 a tensor's dtype is unknown, or its size overflows or is no whole number of bytes */
    ASSAY_W_DATA_LARGE = 21, /* WR6 the tensors are too large for one file */
    ASSAY_W_HEADER_LARGE = 22, /* WR7 the header would exceed the format's limit */
    ASSAY_W_BUFFER = 23, /* WR8 the buffer is too small for the head */
    ASSAY_W_DIFFERS = 24 /* WR9 the head that was written does not state what was described */
};
/* statuses: end */

/* Bytes of the caller. byte may be NULL if size is 0. */
typedef struct {
    const uint8_t *byte;
    uint64_t size;
} assay_chars;

/* A tensor of the file that is to be written. Its data take the product of the dims times the bits of the dtype. */
typedef struct {
    assay_chars name;    /* UTF-8, without NUL */
    uint64_t dtype;      /* ASSAY_DTYPE_... */
    const uint64_t *dim; /* [rank], in elements, outermost first; may be NULL if rank is 0 */
    uint64_t rank;
} assay_new_tensor;

/* A metadata pair of the file that is to be written: UTF-8, without NUL. */
typedef struct {
    assay_chars key, value;
} assay_new_pair;

/* What the file is to hold. An array without elements may be NULL. */
typedef struct {
    const assay_new_tensor *tensor;
    uint64_t tensors;
    const assay_new_pair *pair;
    uint64_t pairs;
} assay_description;

#define ASSAY_ORDER_CANONICAL 0u
#define ASSAY_ORDER_GIVEN 1u

/* How to write it. Start from ASSAY_WRITE_OPTIONS, which is the canonical form; NULL in place of options means the
 * same. */
typedef struct {
    uint64_t api;      /* ASSAY_API */
    uint64_t order;    /* ASSAY_ORDER_CANONICAL, or ASSAY_ORDER_GIVEN: tensors and pairs as they come */
    uint64_t align;    /* 8 + N is a multiple of it: a power of two, 8 to 2^26 */
    uint64_t reserve;  /* N is at least this: room for later changes of the header */
    uint64_t metadata; /* 1: write __metadata__ even if there is no pair; else 0 */
} assay_write_options;

#define ASSAY_WRITE_OPTIONS {ASSAY_API, ASSAY_ORDER_CANONICAL, 8, 0, 0}

/* The sizes of the file, in bytes. */
typedef struct {
    uint64_t head; /* 8 + N */
    uint64_t data;
    uint64_t file;     /* their sum */
    assay_input input; /* the head that was written, for assay_parse; set by assay_head_make alone */
} assay_file_plan;

/* Memory for the head. */
typedef struct {
    uint8_t *byte;
    uint64_t size; /* bytes; more than plan.head are not touched */
} assay_head_buffer;

/* The data of one tensor: where they are in the file. {0} is before the first one. */
typedef struct {
    uint64_t next;       /* how many were returned */
    uint64_t tensor;     /* the caller's index of the tensor */
    uint64_t begin, end; /* file offsets */
} assay_piece;

/* ---- Writing ------------------------------------------------------------------------------------ */

/* Sort the tensors and pairs, and compute the sizes of head, data and file. order[0 .. tensors) gets the indexes of the
 * tensors in the order of the file, order[tensors .. tensors + pairs) those of the pairs.
 * Returns: ASSAY_OK: *plan is set. ASSAY_USAGE: an option is not valid. Otherwise:
 *     ASSAY_W_NUL, ASSAY_W_RESERVED, ASSAY_W_TENSOR   a tensor or pair that no file can hold; error names it
 *     ASSAY_W_DATA_LARGE                              data of 2^63 - 100,000,008 bytes or more; error names the tensor
 *     ASSAY_W_HEADER_LARGE                            N would be more than 100,000,000
 * UTF-8 and equal names are found by assay_head_make, which has the head judged.
 * Cost: O(N log n), and O(N) if all is in order already. */
assay_status assay_head_plan(const assay_description *what, const assay_write_options *options, uint32_t *order,
                             assay_file_plan *plan, assay_error *error);

/* Write the head that assay_head_plan has planned with the same description and options: plan->head bytes.
 * Returns: ASSAY_OK. ASSAY_W_BUFFER: head->size is less than plan->head; expected and found state both; nothing is
 *     written. ASSAY_USAGE: an option is not valid. ASSAY_W_DIFFERS: plan or order are not those of this description;
 *     what was written is no head.
 * What was written is not judged: use assay_head_make. Cost: O(N). */
assay_status assay_head_write(const assay_description *what, const assay_write_options *options, const uint32_t *order,
                              const assay_file_plan *plan, const assay_head_buffer *head, assay_error *error);

/* Plan, write, judge and compare.
 * Returns: ASSAY_OK: head->byte[0 .. plan->head) is the head; result->view is its view, and result->error is empty.
 *     What assay_head_plan and assay_head_write return; *plan is set if it is ASSAY_W_BUFFER.
 *     ASSAY_W_UTF8             a name, key or value is not UTF-8; error names the tensor or the pair
 *     ASSAY_W_TWICE            two tensors or two keys are the same; error names both
 *     ASSAY_WORKSPACE          the workspace is too small; result->need states what suffices
 *     ASSAY_W_DIFFERS          the head is not what was described, because of a fault in the writer or because the
 *                              memory was changed in the meantime
 * Cost: that of assay_head_plan and assay_parse.
 * Proved: if it returns ASSAY_OK, the head is valid for a file of plan->file bytes, and the view states just what was
 *     described (T12); the head has plan->head bytes, no more than the buffer (T13); the data follow each other without
 *     gaps, each tensor with the size that its dtype and dims imply (T14). */
assay_status assay_head_make(const assay_description *what, const assay_write_options *options, uint32_t *order,
                             const assay_head_buffer *head, const assay_workspace *workspace, assay_file_plan *plan,
                             assay_result *result);

/* Get the data of the next tensor in the order of the file. The first begin at plan->head, each begin where those
 * before end, and the last end at plan->file. Returns: false if there is no more. Cost: O(rank).
 * Proved: tensor, begin and size are these (T14). */
bool assay_piece_next(const assay_description *what, const uint32_t *order, const assay_file_plan *plan,
                      assay_piece *piece);

/* ---- Comparing ----------------------------------------------------------------------------------
 *
 * The functions take views that assay_parse has made. */

/* Does the view state exactly this? As many tensors and pairs as described; for each k, the tensor at position k of the
 * layout order has the name, dtype and dims of tensor order[k]; the data of the first begin where the header ends,
 * those of each other where the data before end; pair k has key and value of pair order[tensors + k].
 * Returns: false also if an element of order is out of range. Cost: O(N).
 * Proved: if it returns true, all this holds (T12, T14). */
bool assay_view_matches(const assay_view *view, const assay_description *what, const uint32_t *order);

/* Do two views have the same tensors? As many, and for each position of the layout order the same name without escapes,
 * dtype, dims, index in the header and data offsets (relative to the data section). Metadata are not compared: this
 * shows that an edit of metadata has left the tensors as they were. Cost: O(N).
 * Proved: if it returns true, all this holds of the tensors that the headers state (T15). */
bool assay_same_tensors(const assay_view *one, const assay_view *other);

/* Is each metadata pair of one kept in the other, unless its key is among those that are named? Called for old and new
 * header, and for new and old, it shows that an edit has changed no pair but those it was asked to.
 * where[k]: of pair k, its index in the other view; or the other's number of pairs + i if its key is key[i].
 * text[k]: key and value of pair k, without escapes, in UTF-8.
 * Neither is trusted: what is wrong makes the result false.
 * Returns: does all this hold? Cost: O(N).
 * Proved: if it returns true, each pair has the key and value of the pair that where states, or the key that it
 *     states (T16). */
bool assay_pairs_kept(const assay_view *one, const assay_view *other, const assay_new_pair *text,
                      const uint32_t *where, const assay_chars *key, uint64_t keys);

#ifdef __cplusplus
}
#endif

#endif
