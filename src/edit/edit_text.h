/* edit_text.h: keys and values of metadata, as a header has them or as bytes, compared as what they mean. */
#ifndef ASSAY_EDIT_TEXT_H
#define ASSAY_EDIT_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "assay.h"

/* A key or a value. */
typedef struct {
    const assay_view *view; /* the header that has it; NULL: it is bytes[0 .. size), in UTF-8 */
    assay_text text;
    const uint8_t *bytes;
    uint64_t size;
} edit_text;

/* Return a text of a header; return bytes as a text. */
edit_text edit_text_of(const assay_view *view, assay_text text);
edit_text edit_text_bytes(const uint8_t *bytes, uint64_t size);

/* Are they the same after unescaping? O(their lengths). */
bool edit_text_equal(const edit_text *one, const edit_text *other);

/* Return a hash: of equal texts the same. */
uint64_t edit_text_hash(uint64_t seed, const edit_text *text);

/* Find the value of a key in the metadata of a header. scratch: room for the key as it is written in its own header;
 * NULL if it is bytes. Return false if there is none. */
bool edit_text_find(const assay_view *view, const edit_text *key, uint8_t *scratch, edit_text *value);

/* Bytes that are written, and counted where there is no room. */
typedef struct {
    uint8_t *to;       /* [room] */
    uint64_t at, room; /* at: bytes so far, also of those for which there was no room */
} edit_writer;

void edit_put(edit_writer *to, const uint8_t *bytes, uint64_t count);
void edit_put_word(edit_writer *to, const char *word);

/* Write a text as a JSON string, with no escapes but the necessary ones. */
void edit_put_text(edit_writer *to, const edit_text *text);

#endif
