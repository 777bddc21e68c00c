/* json_reader.h: reading JSON byte by byte, strictly. Every function that fails has said why, in the reader's error. */
#ifndef ASSAY_MODEL_JSON_READER_H
#define ASSAY_MODEL_JSON_READER_H

#include "model.h"

typedef struct {
    uint8_t *bytes; /* what is behind `at` is as it was; before it strings are unescaped */
    uint32_t size, at;
    model_error *error;
} reader;

/* False, and this is why. */
bool reader_fails(reader *from, uint32_t code, uint64_t offset);
bool reader_ends(reader *from); /* ... since the file ends */

/* The next byte that is no white space; false: there is none. */
bool reader_next(reader *from, uint8_t *byte);

/* Does a value begin with this byte? */
bool reader_begins_value(uint8_t byte);

/* ---- json_reader.c: at the token's first byte; behind it afterwards ---------------------------------------- */

bool reader_literal(reader *from);
bool reader_number(reader *from, model_text *number);

/* ---- strings.c ---------------------------------------------------------------------------------------- */

/* Unescapes the string in place. */
bool reader_string(reader *from, model_text *text);

#endif
