/* What the core's files share. Nothing here is public. */
#ifndef ASSAY_CORE_H
#define ASSAY_CORE_H

#include "assay.h"

/* A step through the header: where the construct ends (below 2^32), or the rule or limit that stops it and the
 * offset: status * 2^32 + offset. One number, so that code and specification can be compared by one equality. */
typedef uint64_t assay_step;

#define ASSAY_STOPPED 4294967296u
#define ASSAY_STOP(status, offset) ((uint64_t)(status) * 4294967296u + (offset))

#define ASSAY_HEADER_MAX 100000000u           /* the format's limit on N */
#define ASSAY_END_MAX (8u + ASSAY_HEADER_MAX) /* so every offset into the head fits 32 bits */

/* ---- text.c: strings that have been lexed, unescaped ------------------------------------------------ */

/* One code point of the text at head[at .. end), at < end: code * 2^32 + where the next one begins.
 * Total: whatever the bytes are, the next position is in (at, end] (ill-formed ones give U+FFFD, one byte each). */
uint64_t assay_decode(const uint8_t *head, uint32_t at, uint32_t end);

/* Where the text that begins at `at` ends: the closing quote, or end. */
uint32_t assay_text_end(const uint8_t *head, uint32_t at, uint32_t end);

/* Order of the unescaped text head[at .. end) and size bytes of UTF-8, by code points: -1, 0 or 1. */
int assay_text_order(const uint8_t *head, uint32_t at, uint32_t end, const uint8_t *bytes, uint64_t size);

/* ---- word.c: keywords ------------------------------------------------------------------------------- */

/* A short text, unescaped and packed: its first 8 bytes and the next 4, little-endian. length: ASSAY_WORD_LONG if
 * it isn't 1 to 12 ASCII characters. */
typedef struct {
    uint64_t lo, hi, length;
} assay_word;
#define ASSAY_WORD_LONG 13u
void assay_word_read(const uint8_t *head, uint32_t at, uint32_t end, assay_word *word);

/* ---- string.c, number.c: tokens ---------------------------------------------------------------------- */

/* at: behind the opening quote. Gives the place of the closing quote. */
assay_step assay_string(const uint8_t *head, uint32_t at, uint32_t end);

/* head[at] is a digit or a minus. Gives the end of the number; *value only then. */
assay_step assay_integer(const uint8_t *head, uint32_t at, uint32_t end, uint64_t *value);

/* ---- index.c: names and keys, none twice ------------------------------------------------------------- */

/* Enters the texts that begin at key[0 .. n) one by one. ASSAY_OK: all differ after unescaping. ASSAY_E_NAME_TWICE:
 * *repeat is the first that repeats an earlier one, *earlier. ASSAY_SEED: too many probes or bytes compared.
 * slot[0 .. 2n) is the index. end: where the header ends; n < 2^24. */
assay_status assay_index(const uint8_t *head, uint32_t end, const uint32_t *key, uint32_t n, uint32_t *slot,
                         uint64_t seed, uint64_t *repeat, uint64_t *earlier);

/* The place of the key that is the same text as name[0 .. size), UTF-8; n if there is none. */
uint32_t assay_index_find(const uint8_t *head, uint32_t end, const uint32_t *key, uint32_t n, const uint32_t *slot,
                          uint64_t seed, const uint8_t *name, uint64_t size);

/* ---- order.c, layout.c: the data section ------------------------------------------------------------- */

/* order[0 .. n) becomes the layout order: places by (begin, end, place). scratch[0 .. n) is overwritten. */
void assay_order(const assay_entry *entry, uint32_t n, uint32_t *order, uint32_t *scratch);

/* Rules G3 to G6. data_begin: 8 + N, for the offset in *error, which is written only if a rule is broken. */
assay_status assay_layout(const assay_entry *entry, const uint32_t *order, uint32_t n, uint64_t data_begin,
                          uint64_t data_size, assay_error *error);

#endif
