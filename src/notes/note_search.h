/* note_search.h: finds what is suspicious about a valid file: rules A2 to A11 and A13 of spec/note_rules.tsv. The
 * file stays valid. What is found is numbers: the callers have the words. */
#ifndef ASSAY_NOTE_SEARCH_H
#define ASSAY_NOTE_SEARCH_H

#include "assay.h"
#include "note_rules.h"

#define NOTES_FOUND_MOST 10 /* of one file: one for each rule, and three of NOTE_TWO_FORMATS */

/* Where a file is also of another format. */
typedef enum { NOTE_AT_START, NOTE_AT_DATA, NOTE_AT_END } note_place;

typedef struct {
    uint32_t code;    /* of the rule: NOTE_... */
    note_place place; /* of NOTE_TWO_FORMATS */
    uint64_t tensor;  /* its index in the header; ASSAY_NONE: the note is about no tensor */
    assay_text name;  /* of the tensor, or of a metadata key */
    uint64_t number;  /* byte, dim or offset, bytes of metadata; or which word, for note_word */
} note_found;

/* What is read of a file besides its head. A size may be less, even 0, if the rest can't be had. */
typedef struct {
    const uint8_t *data; /* the first bytes of the data: up to 512 of them */
    uint64_t data_size;
    const uint8_t *tail; /* the last bytes of the file, at most all: up to 65,557 of them */
    uint64_t tail_size;
} note_bytes;

/* Find the notes of a valid file. bytes: NULL if no other format is looked for. Return how many were found.
 * O(bytes of the header and of the tail). */
uint32_t notes_search(const assay_view *view, const note_bytes *bytes, note_found found[NOTES_FOUND_MOST]);

/* Return the word of a note: of NOTE_METADATA_CODE the one that was found, of NOTE_TWO_FORMATS what the file is too
 * ("a Python pickle"), unless that is at its end. "" for others. */
const char *note_word(uint32_t code, uint64_t number);

#endif
