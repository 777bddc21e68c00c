/* json_reader.h: the tokens of a JSON text, read strictly and byte by byte. A function that returns false because the
 * text breaks a rule has stored the rule and the offset in the reader's error. */
#ifndef ASSAY_MODEL_JSON_READER_H
#define ASSAY_MODEL_JSON_READER_H

#include "model.h"

typedef struct {
    uint8_t *bytes; /* [size]; strings before pos are unescaped in place, the bytes from pos on are unchanged */
    uint32_t size, pos;
    model_error *error;
} json_reader;

/* Store the rule and the offset of an error. Return false. */
bool json_fail(json_reader *reader, uint32_t code, uint64_t offset);

/* Store that the text ends too early. Return false. */
bool json_fail_early(json_reader *reader);

/* Skip white space and store the next byte, at which pos is then. Return false, without an error, at the end. */
bool json_peek(json_reader *reader, uint8_t *byte);

/* Return whether a value can begin with this byte. */
bool json_begins_value(uint8_t byte);

/* The next three begin at the first byte of their token, and end after its last. Cost: O(length of the token). */

/* Skip true, false or null. The first byte is t, f or n. */
bool json_read_literal(json_reader *reader);

/* Store the bytes of a number. The first byte is a digit or a minus sign. */
bool json_read_number(json_reader *reader, model_text *number);

/* Unescape a string in place and store where it is. The first byte is a double quote. */
bool json_read_string(json_reader *reader, model_text *text);

#endif
