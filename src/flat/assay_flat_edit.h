/* assay_flat_edit.h: other metadata for a file that exists, for callers that have no C structures, as assay_flat.h is.
 *
 * One array of numbers describes the edit: ASSAY_FLAT_EDIT numbers, then ASSAY_FLAT_STEP for each step. Steps are
 * applied in their order. Keys and values are bytes of one text, in UTF-8 and without NUL.
 *
 *     size = assay_flat_edit_arena(head, head_size, text, text_size, number, numbers);
 *     arena = allocate(size);                                          // NULL if size is 0
 *     if (assay_flat_edit(head, head_size, text, text_size, number, numbers, arena, size, out) == ASSAY_OK) {
 *         write the out[ASSAY_FLAT_EDIT_HEAD_SIZE] bytes at arena + out[ASSAY_FLAT_EDIT_HEAD], then
 *         all bytes of the old file after its head, as they are
 *     }
 *
 * Before ASSAY_OK is returned, the new head is judged, and compared with the old one: it states the same tensors in the
 * same order, every byte of it outside __metadata__ is the old one, and its pairs are the old ones with the steps
 * applied. A pair that no step concerns keeps its text and its position; new pairs follow the others. What goes or
 * comes with __metadata__ is one comma and the white space before or after it.
 *
 * It needs memchr, memcmp, memcpy, memset and strlen of a C library. Proved: nothing here, but what it calls: the
 * parser, assay_same_tensors and assay_pairs_kept (T15 and T16 of spec/theorems.md).
 * Tested: against an oracle in Python, on the corpus and on made files; fuzzing under ASan and UBSan.
 */
#ifndef ASSAY_EDIT_FLAT_H
#define ASSAY_EDIT_FLAT_H

#include "assay_flat.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first numbers of an edit. */
#define ASSAY_FLAT_EDIT_FILE_SIZE 0u /* bytes of the old file */
#define ASSAY_FLAT_EDIT_RESERVE 1u   /* bytes that are left free in the header, at least */
#define ASSAY_FLAT_EDIT_BLOCK 2u     /* a header that has no room grows by a multiple of it: a power of two from 8 to */
                                     /* 2^26; near the limit of a header, by a multiple of 8 */
#define ASSAY_FLAT_EDIT_SEED 3u      /* a random number, so that no file can choose collisions in a hash table */
#define ASSAY_FLAT_EDIT 4u

/* The numbers of a step: its kind; a key from byte number[1] of the text to number[2]; a value from number[3] to
 * number[4]. Numbers that a kind does not use are not read. */
#define ASSAY_FLAT_STEP 5u
#define ASSAY_FLAT_STEP_SET 0u    /* replace the value of the key, or add the pair after all others */
#define ASSAY_FLAT_STEP_DELETE 1u /* remove the pair of the key */
#define ASSAY_FLAT_STEP_RENAME 2u /* the value is the new key */
#define ASSAY_FLAT_STEP_CLEAR 3u  /* remove all pairs; if no pair is added afterwards, __metadata__ goes too */

/* The most steps of an edit, and the most bytes that their keys and values have together. */
#define ASSAY_FLAT_STEPS 4096u
#define ASSAY_FLAT_STEP_TEXTS 100000000u

/* A status of assay_flat_edit alone: a step deletes or renames a key that is not there. */
#define ASSAY_FLAT_NO_KEY 31u

/* out[0 .. ASSAY_FLAT_OUT) is as assay_flat_parse sets it: for the new file after ASSAY_OK, for the old file if that is
 * not judged or invalid. These follow. */
#define ASSAY_FLAT_EDIT_STEP ASSAY_FLAT_OUT              /* index of the step that the status is about, or ASSAY_NONE */
#define ASSAY_FLAT_EDIT_HEAD (ASSAY_FLAT_OUT + 1u)       /* where in the arena the new head is: bytes */
#define ASSAY_FLAT_EDIT_HEAD_SIZE (ASSAY_FLAT_OUT + 2u)  /* its bytes: 8 + N */
#define ASSAY_FLAT_EDIT_OUT (ASSAY_FLAT_OUT + 3u)

/* Return the bytes of arena that assay_flat_edit needs, a multiple of 8; 0 if the header of the file is not valid, or
 * the numbers do not fit each other or the text: then assay_flat_edit returns why, without an arena. head: at least the
 * first 8 + N bytes of the file. text may be NULL if text_size is 0. O(N + numbers + bytes of the steps' texts). */
uint64_t assay_flat_edit_arena(const uint8_t *head, uint64_t head_size, const uint8_t *text, uint64_t text_size,
                               const uint64_t *number, uint64_t numbers);

/* Judge the old file, and write the head of the new one to the arena, which begins at a multiple of 8 bytes. Set
 * out[0 .. ASSAY_FLAT_EDIT_OUT). Neither the head nor the text may be in the arena.
 * Returns: out[ASSAY_FLAT_STATUS]. What assay_flat_parse returns for the old file, if that is not ASSAY_OK. With a
 * step: ASSAY_W_UTF8 or ASSAY_W_NUL for its key or value, ASSAY_FLAT_NO_KEY, or ASSAY_W_TWICE if it renames to a key
 * that is there. ASSAY_W_HEADER_LARGE or ASSAY_W_DATA_LARGE: the new header or file would be too large.
 * ASSAY_WORKSPACE: the arena is too small. ASSAY_USAGE: it is NULL or misaligned, or the numbers do not fit.
 * ASSAY_W_DIFFERS: the new head is not what was requested, because of a bug. assay_write.h has the statuses ASSAY_W_...
 * Expected cost O(N log N + (pairs + steps) * steps + bytes of the texts * steps). */
uint32_t assay_flat_edit(const uint8_t *head, uint64_t head_size, const uint8_t *text, uint64_t text_size,
                         const uint64_t *number, uint64_t numbers, void *arena, uint64_t arena_size, uint64_t *out);

#ifdef __cplusplus
}
#endif

#endif
