/* assay_flat_write.h: assay_write.h for callers that have no C structures, as assay_flat.h is.
 *
 * One array of numbers describes the file: ASSAY_FLAT_NEW numbers, then ASSAY_FLAT_NEW_TENSOR for each tensor, then
 * ASSAY_FLAT_NEW_PAIR for each metadata pair, then the dims of all tensors. Names, keys and values are bytes of one
 * text.
 *
 *     size = assay_flat_write_arena(text, text_size, number, numbers);      // 0: the numbers do not fit each other
 *     arena = allocate(size);
 *     if (assay_flat_write(text, text_size, number, numbers, arena, size, out) == ASSAY_OK) {
 *         write the out[ASSAY_FLAT_WRITE_HEAD_SIZE] bytes at arena + out[ASSAY_FLAT_WRITE_HEAD], then
 *         the data of each tensor in the order of the pieces, which are out[ASSAY_FLAT_TENSORS] times
 *         ASSAY_FLAT_PIECE numbers at arena + out[ASSAY_FLAT_WRITE_PIECES]
 *     }
 *
 * What the head holds, and that it is judged and compared with the description before ASSAY_OK is returned, is
 * described in assay_write.h. Proved: nothing here; what it calls is.
 */
#ifndef ASSAY_WRITE_FLAT_H
#define ASSAY_WRITE_FLAT_H

#include "assay_flat.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first numbers of a description. */
#define ASSAY_FLAT_NEW_TENSORS 0u  /* number of tensors */
#define ASSAY_FLAT_NEW_PAIRS 1u    /* number of metadata pairs */
#define ASSAY_FLAT_NEW_ORDER 2u    /* 0: canonical order; 1: tensors and pairs as they come */
#define ASSAY_FLAT_NEW_ALIGN 3u    /* 8 + N is a multiple of it: a power of two from 8 to 2^26 */
#define ASSAY_FLAT_NEW_RESERVE 4u  /* N is at least this */
#define ASSAY_FLAT_NEW_METADATA 5u /* 1: write __metadata__ even if there is no pair; else 0 */
#define ASSAY_FLAT_NEW 6u

/* The numbers of a tensor: its name is from byte number[0] of the text to number[1]; its dtype; its rank. */
#define ASSAY_FLAT_NEW_TENSOR 4u
/* The numbers of a pair: its key is from byte number[0] of the text to number[1], its value from number[2] to
 * number[3]. */
#define ASSAY_FLAT_NEW_PAIR 4u

/* out[0 .. ASSAY_FLAT_OUT) is as assay_flat_parse sets it for the file that is to be written: status, error with the
 * indexes of the description, counts, data section. After ASSAY_OK, these follow. */
#define ASSAY_FLAT_WRITE_HEAD ASSAY_FLAT_OUT                /* where in the arena the head is: bytes */
#define ASSAY_FLAT_WRITE_HEAD_SIZE (ASSAY_FLAT_OUT + 1u)    /* its bytes: 8 + N */
#define ASSAY_FLAT_WRITE_PIECES (ASSAY_FLAT_OUT + 2u)       /* where in the arena the pieces are: bytes */
#define ASSAY_FLAT_WRITE_OUT (ASSAY_FLAT_OUT + 3u)

/* The numbers of a piece: index of the tensor in the description, from and to which byte of the file its data go. */
#define ASSAY_FLAT_PIECE 3u

/* Return the bytes of arena that assay_flat_write needs, a multiple of 8; 0 if the numbers do not fit each other or the
 * text. text may be NULL if text_size is 0. O(text_size + numbers). */
uint64_t assay_flat_write_arena(const uint8_t *text, uint64_t text_size, const uint64_t *number, uint64_t numbers);

/* Write the head of the described file to the arena, and have it judged: assay_head_make. The arena begins at a
 * multiple of 8 bytes. Set out[0 .. ASSAY_FLAT_WRITE_OUT).
 * Returns: out[ASSAY_FLAT_STATUS], as assay_head_make does; ASSAY_WORKSPACE if the arena is too small; ASSAY_USAGE if
 * it is NULL or misaligned, or the numbers do not fit each other, too. O(N log n). */
uint32_t assay_flat_write(const uint8_t *text, uint64_t text_size, const uint64_t *number, uint64_t numbers,
                          void *arena, uint64_t arena_size, uint64_t *out);

#ifdef __cplusplus
}
#endif

#endif
