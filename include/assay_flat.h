/* assay_flat.h: the library for callers that have no C structures: foreign-function interfaces and WebAssembly.
 *
 * Every argument is a number or points to memory of the caller; every result is a number. No result contains a pointer:
 * memory may move between two calls if its bytes move along. It allocates nothing, keeps no state, and uses assay.h and
 * assay_text.h alone. What a function does and costs, and which rules it enforces, is described there; here is how its
 * arguments and results are laid out.
 *
 *     uint64_t out[ASSAY_FLAT_OUT];
 *     assay_flat_measure(head, head_size, file_size, NULL, out);       // more bytes while out[0] is ASSAY_NEED_MORE
 *     arena = allocate(out[ASSAY_FLAT_ARENA]);                         // if out[0] is ASSAY_OK
 *     assay_flat_parse(head, head_size, file_size, NULL, arena, out[ASSAY_FLAT_ARENA], out);
 *     assay_flat_tensors(head, head_size, arena, arena_size, 0, out[ASSAY_FLAT_TENSORS], row);
 *
 * The arena. It begins at a multiple of 8 bytes, has out[ASSAY_FLAT_ARENA] bytes, and after ASSAY_OK holds the view of
 * the file. Its contents are private. The functions that read it take its size as assay_flat_parse did, and the head,
 * the same bytes as were judged. If an arena is NULL, misaligned, too small, or was not made by assay_flat_parse for a
 * head of this size, they return 0. (An arena that somebody has written to is not detected.)
 *
 * Proved: nothing here; what it calls is proved. Tested: the corpus, its cuts, fuzzing under ASan and UBSan, and the
 * same results as assay.h.
 */
#ifndef ASSAY_FLAT_H
#define ASSAY_FLAT_H

#include "assay.h"
#include "assay_text.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_FLAT_API 1u

/* The numbers of out[0 .. ASSAY_FLAT_OUT). A number that is not set is ASSAY_NONE: of those which may be any number,
 * out[ASSAY_FLAT_HAS] states whether they are set. */
#define ASSAY_FLAT_STATUS 0u        /* 0: valid; 1 to 31: not judged; from 32 on: invalid, the rule that is broken */
#define ASSAY_FLAT_OFFSET 1u        /* the fields of assay_error: byte of the file */
#define ASSAY_FLAT_TENSOR 2u        /* index in the header */
#define ASSAY_FLAT_OTHER 3u         /* index of the other tensor or metadata pair */
#define ASSAY_FLAT_EXPECTED 4u      /* what the rule requires, ... */
#define ASSAY_FLAT_FOUND 5u         /* and what the file has */
#define ASSAY_FLAT_HAS 6u           /* which of these are set: ASSAY_HAS_... */
#define ASSAY_FLAT_NAME 7u          /* name of the tensor: from byte out[7] of the head to out[8], between its quotes */
#define ASSAY_FLAT_OTHER_NAME 9u    /* the same of the other one: out[9] to out[10] */
#define ASSAY_FLAT_NEED_HEAD 11u    /* bytes of the file's beginning that are needed: 8, then 8 + N */
#define ASSAY_FLAT_TENSORS 12u      /* number of tensors */
#define ASSAY_FLAT_PAIRS 13u        /* number of metadata pairs */
#define ASSAY_FLAT_ARENA 14u        /* bytes of arena that assay_flat_parse needs: a multiple of 8 */
#define ASSAY_FLAT_ENTRIES 15u      /* private: how the arena is divided */
#define ASSAY_FLAT_WORDS 16u
#define ASSAY_FLAT_DIMS 17u         /* after ASSAY_OK of assay_flat_parse: dims of all shapes together, ... */
#define ASSAY_FLAT_METADATA 18u     /* 1 if the header has __metadata__, else 0, ... */
#define ASSAY_FLAT_DATA_BEGIN 19u   /* file offset of the data section, 8 + N, ... */
#define ASSAY_FLAT_DATA_SIZE 20u    /* and its bytes */
#define ASSAY_FLAT_OUT 21u

/* Bytes of an arena that suffice for every head of that size, whatever it holds: 6.4 for each byte. */
#define ASSAY_FLAT_ARENA_MOST(head_size) (128u + (head_size) / 3u * 19u)

/* The numbers of a row, one for each tensor. */
#define ASSAY_FLAT_ROW_INDEX 0u     /* index in the header */
#define ASSAY_FLAT_ROW_BEGIN 1u     /* its bytes: file offsets */
#define ASSAY_FLAT_ROW_END 2u
#define ASSAY_FLAT_ROW_DTYPE 3u     /* ASSAY_DTYPE_... */
#define ASSAY_FLAT_ROW_BITS 4u      /* of one element */
#define ASSAY_FLAT_ROW_RANK 5u      /* number of dims */
#define ASSAY_FLAT_ROW_NAME 6u      /* its name: from byte row[6] of the head to row[7], between its quotes */
#define ASSAY_FLAT_ROW_SHAPE 8u     /* private: where its dims are */
#define ASSAY_FLAT_ROW 9u

/* The numbers of a metadata pair: key and value, from byte to byte of the head. */
#define ASSAY_FLAT_PAIR 4u

/* Return ASSAY_FLAT_API of the library. A caller that was built for another number must stop. O(1). */
uint32_t assay_flat_api(void);

/* Judge the length and the header: assay_measure. `limits` is NULL or has five numbers: header length in bytes,
 * tensors, dims of a shape, bytes of a name, metadata pairs; ASSAY_NONE for no limit. Set out[0 .. ASSAY_FLAT_OUT).
 * Returns: out[ASSAY_FLAT_STATUS]. O(N). */
uint32_t assay_flat_measure(const uint8_t *head, uint64_t head_size, uint64_t file_size, const uint64_t *limits,
                            uint64_t *out);

/* Judge the whole file, and leave its view in the arena: assay_parse. out[0 .. ASSAY_FLAT_OUT) is as assay_flat_measure
 * has left it for this head, or all 0. Then, with an arena of ASSAY_FLAT_ARENA_MOST(head_size) bytes, the head is read
 * once (and not twice, as by a measure and this); with a smaller one it may be read twice.
 * Returns: out[ASSAY_FLAT_STATUS]; ASSAY_WORKSPACE if the arena is too small, ASSAY_USAGE if it is NULL or misaligned.
 * O(N), and O(n log n) for names that are not in order. */
uint32_t assay_flat_parse(const uint8_t *head, uint64_t head_size, uint64_t file_size, const uint64_t *limits,
                          void *arena, uint64_t arena_size, uint64_t *out);

/* Write the rows of tensors first .. first + count - 1, in the order of their bytes in the file, to
 * row[0 .. count * ASSAY_FLAT_ROW). Returns: how many rows were written. O(count). */
uint64_t assay_flat_tensors(const uint8_t *head, uint64_t head_size, const void *arena, uint64_t arena_size,
                            uint64_t first, uint64_t count, uint64_t *row);

/* Write the dims of `count` rows, one shape after the other, in elements and outermost first, to dims[0 .. room): as
 * many as there is room for. Returns: how many were written. O(bytes of the shapes). */
uint64_t assay_flat_dims(const uint8_t *head, uint64_t head_size, const void *arena, uint64_t arena_size,
                         const uint64_t *row, uint64_t count, uint64_t *dims, uint64_t room);

/* Write metadata pairs first .. first + count - 1, in header order, to pair[0 .. count * ASSAY_FLAT_PAIR).
 * Returns: how many were written. O(bytes of their texts). */
uint64_t assay_flat_pairs(const uint8_t *head, uint64_t head_size, const void *arena, uint64_t arena_size,
                          uint64_t first, uint64_t count, uint64_t *pair);

/* Find a tensor by its name in UTF-8: assay_tensor_find. Write its row. Returns: 1, or 0 if there is none.
 * O(size * log n). */
uint32_t assay_flat_find(const uint8_t *head, uint64_t head_size, const void *arena, uint64_t arena_size,
                         const uint8_t *name, uint64_t size, uint64_t *row);

/* Find a metadata value by its key in UTF-8: assay_metadata_find. Write from which byte of the head to which it is.
 * Returns: 1, or 0 if there is none. O(size * log n + bytes of the value). */
uint32_t assay_flat_metadata(const uint8_t *head, uint64_t head_size, const void *arena, uint64_t arena_size,
                             const uint8_t *key, uint64_t size, uint64_t *value);

/* Write texts without their escapes, in UTF-8, one after the other, and a NUL, to to[0 .. room). What there is no room
 * for is cut. Text k is from byte text[k * stride] of the head to text[k * stride + 1]: in rows, `row +
 * ASSAY_FLAT_ROW_NAME` with a stride of ASSAY_FLAT_ROW; in pairs, `pair` or `pair + 2` with ASSAY_FLAT_PAIR. end[k]
 * becomes the number of bytes from the beginning of `to` to the end of text k; `end` may be NULL. A text that is not in
 * the head is empty. Needs no arena: the texts of an error can be read too.
 * Returns: how many bytes they have without the NUL: they are whole if it is below room. O(that many). */
uint64_t assay_flat_texts(const uint8_t *head, uint64_t head_size, const uint64_t *text, uint64_t stride,
                          uint64_t count, char *to, uint64_t room, uint64_t *end);

/* Put the error in out[0 .. ASSAY_FLAT_OUT) into words, and a NUL, to to[0 .. room): assay_error_format. Returns: the
 * length of the text; it is whole if that is below room, as it is for ASSAY_ERROR_TEXT bytes. O(1). */
uint64_t assay_flat_error(const uint64_t *out, char *to, uint64_t room);

/* Write a word, with a NUL after it, to to[0 .. room). Kind 0: the name of a status; 1: its rule; 2: its meaning; 3:
 * the name of a dtype; 4: the version of the library. Returns: its length; it is whole if that is below room. O(1). */
uint64_t assay_flat_word(uint32_t kind, uint64_t number, char *to, uint64_t room);

/* Return the dtype with this name, 0 if there is none. O(size). */
uint64_t assay_flat_dtype(const char *name, uint64_t size);

/* Bytes of memory for the state of a slice. */
#define ASSAY_FLAT_SLICE(rank) (40u + 56u * (uint64_t)(rank))

/* Begin a slice of the tensor in this row: assay_slice_begin. axis[0 .. 3 * axes): start, stop and step of each
 * axis. The state is memory of state_size bytes, at least ASSAY_FLAT_SLICE(axes), at a multiple of 8 bytes.
 * Returns: ASSAY_OK, ASSAY_WORKSPACE if the state is too small, or ASSAY_USAGE. O(bytes of the shape). */
uint32_t assay_flat_slice_begin(const uint8_t *head, uint64_t head_size, const void *arena, uint64_t arena_size,
                                const uint64_t *row, const uint64_t *axis, uint64_t axes, void *state,
                                uint64_t state_size);

/* Write the next runs of a slice to run[0 .. 3 * count): file offset of the byte that holds the first bit, bits of that
 * byte before the run, bits of the run. Returns: how many; fewer than count: no more follow. O(count * rank). */
uint64_t assay_flat_slice_next(void *state, uint64_t state_size, uint64_t count, uint64_t *run);

#ifdef __cplusplus
}
#endif

#endif
