/* assay_notes.h: what is suspicious about a valid file, for callers that have no C structures, as assay_flat.h is.
 *
 * A note never changes a verdict: the file stays valid. The rules are A2 to A11 and A13 of spec/note_rules.tsv, numbers
 * from 97 on. A note may be about bytes that assay_flat_parse does not read: the first of the data, and the last of the
 * file.
 *
 *     if (assay_flat_parse(head, head_size, file_size, NULL, arena, arena_size, out) == ASSAY_OK) {
 *         read the first ASSAY_FLAT_NOTE_DATA bytes after the head and the last ASSAY_FLAT_NOTE_TAIL of the file, or
 *         as many as there are, then
 *         count = assay_flat_notes(head, head_size, arena, arena_size, data, data_size, tail, tail_size, note);
 *     }
 *
 * It needs memchr, memcmp, memcpy, memmove and strlen of a C library, and on some machines of 32 bits the compiler's
 * library for a remainder of 64 bits. Tested: against the program `assay`, on the corpus and on files that have each
 * note; fuzzing under ASan and UBSan.
 */
#ifndef ASSAY_NOTES_FLAT_H
#define ASSAY_NOTES_FLAT_H

#include "assay_flat.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that are read besides the head: of the data, and of the end of the file. */
#define ASSAY_FLAT_NOTE_DATA 512u
#define ASSAY_FLAT_NOTE_TAIL 65557u

/* The numbers of a note. */
#define ASSAY_FLAT_NOTE_CODE 0u   /* the rule */
#define ASSAY_FLAT_NOTE_TENSOR 1u /* index of a tensor in the header; ASSAY_NONE: it is about no tensor */
#define ASSAY_FLAT_NOTE_NAME 2u   /* a name: from byte note[2] of the head to note[3]; without a tensor, that of a */
                                  /* metadata key; 0 to 0: none */
#define ASSAY_FLAT_NOTE_NUMBER 4u /* A2: file offset; A5: dim, offset; A6, A10: for assay_flat_note_word; A11: bytes */
#define ASSAY_FLAT_NOTE_PLACE 5u  /* of A6: 0: the first bytes of the file; 1: of the data; 2: the end */
#define ASSAY_FLAT_NOTE 6u

/* The most notes of a file. */
#define ASSAY_FLAT_NOTES 10u

/* Find the notes of a valid file by its head, the arena of assay_flat_parse, and more of its bytes:
 * data[0 .. data_size) follow the head, tail[0 .. tail_size) end the file. If data or tail is NULL, or there is more of
 * one than the file has, A6 is not looked for. Write the notes to note[0 .. ASSAY_FLAT_NOTES * ASSAY_FLAT_NOTE).
 * Returns: how many; 0 too if the arena holds no view. O(bytes of the header and of the tail). */
uint64_t assay_flat_notes(const uint8_t *head, uint64_t head_size, const void *arena, uint64_t arena_size,
                          const uint8_t *data, uint64_t data_size, const uint8_t *tail, uint64_t tail_size,
                          uint64_t *note);

/* Write the word of a note by its rule and number, with a NUL after it, to to[0 .. room): of A6 what the file is too,
 * of A10 what was found. Returns: its length, 0 if there is none; it is whole if that is below room. O(1). */
uint64_t assay_flat_note_word(uint32_t code, uint64_t number, char *to, uint64_t room);

/* Return 1 if a terminal obeys a code point or nobody sees it, as rule A3 has it, so that it must be escaped; else 0.
 * O(1). */
uint32_t assay_flat_hidden(uint32_t code);

#ifdef __cplusplus
}
#endif

#endif
