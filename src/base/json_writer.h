/* json_writer.h: writes JSON to a file, with the commas where they belong. */
#ifndef ASSAY_BASE_JSON_WRITER_H
#define ASSAY_BASE_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    FILE *file;
    bool comma; /* the next key or element needs one before it */
} json_writer;

json_writer json_begin(FILE *file);

/* Write the bracket that begins or ends an object or an array: { or [, } or ]. */
void json_open(json_writer *to, char bracket);
void json_close(json_writer *to, char bracket);

/* Begin a new line before the next key or element. */
void json_line(json_writer *to);

/* Write the key of a member: ASCII that needs no escape. Its value follows. */
void json_key(json_writer *to, const char *key);

/* Return the file, for a value that the caller writes: a string that is escaped, or a part of a document. */
FILE *json_value(json_writer *to);

/* Write a string of ASCII that needs no escape, or null if it is NULL. */
void json_word(json_writer *to, const char *word);
void json_number(json_writer *to, uint64_t number);
/* Write the number, or null if there is none. */
void json_maybe(json_writer *to, bool has, uint64_t number);
void json_null(json_writer *to);

/* Write a key and its value. */
void json_member_word(json_writer *to, const char *key, const char *word);
void json_member_number(json_writer *to, const char *key, bool has, uint64_t number);

/* Write members or elements that were written elsewhere, without a comma around them. */
void json_raw(json_writer *to, const char *bytes, size_t size);

#endif
