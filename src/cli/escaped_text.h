/* escaped_text.h: writes text that comes from files, paths and arguments. None of its bytes is copied unchecked: it is
 * decoded, and each code point that a terminal might obey, hide or show as another is escaped.
 *
 * So are the marks by which CI services find commands in the output of a program: everywhere the second of two
 * consecutive #, as in ##[group], ##vso[ and ##teamcity[; and, at the beginning of plain text, which may begin a line,
 * a space, a colon (::error::), a #, two of the same of - + ~ ^ (groups of lines), and travis_ (travis_fold:). */
#ifndef ASSAY_ESCAPED_TEXT_H
#define ASSAY_ESCAPED_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "assay.h"

typedef enum {
    TEXT_PLAIN,  /* for people: \n as \u{A}, a byte that is not UTF-8 as \xFF, the backslash as \\; may begin a line */
    TEXT_QUOTED, /* the same in double quotes, which are escaped too */
    TEXT_JSON,   /* a JSON string with its quotes; a byte that is not UTF-8 as U+FFFD */
    TEXT_RAW     /* UTF-8, nothing escaped */
} text_style;

/* Write one code point in a style and a NUL. before: the code point before it, or 0. Return the length, at most 12. */
#define TEXT_CODE_MAX 12
size_t text_code(char out[TEXT_CODE_MAX + 1], text_style style, uint32_t before, uint32_t code);

/* Decode the code point at bytes[0] and return its length. If there is none, set code to TEXT_BAD_BYTE | bytes[0] and
 * return 1. */
#define TEXT_BAD_BYTE 0x80000000u
size_t text_decode(const uint8_t *bytes, size_t count, uint32_t *code);

/* Write a path or an argument, in the quotes of the style. Stop where the output fails, as do all functions that may
 * write much: what follows a gap could be taken for another record. */
void text_path(FILE *file, text_style style, const char *path);
bool text_is_utf8(const char *path);

/* The same for bytes that may contain a NUL. */
void text_bytes(FILE *file, text_style style, const uint8_t *bytes, size_t count);

/* The same for a text of a header. */
void text_of_view(FILE *file, text_style style, const assay_view *view, assay_text text);

#endif
