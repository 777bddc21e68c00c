/* escaped_text.h: how strangers' text is written. No byte of a file, a path or an argument reaches the output as it
 * is: it is decoded, and every code point that a terminal might obey or hide, or that could be taken for
 * another, is escaped. So are the signs by which CI services know commands in what a program prints: the second of two
 * signs # in a row, wherever it is (##[group], ##vso[, ##teamcity[), and at the beginning of plain text, with which a
 * line may begin, a space, a colon (::error::), a #, two of one of - + ~ ^ (groups of lines) and travis_
 * (travis_fold:). */
#ifndef ASSAY_ESCAPED_TEXT_H
#define ASSAY_ESCAPED_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "assay.h"
#include "host.h"

typedef enum {
    TEXT_PLAIN,  /* for people: \n as \u{A}, a byte that isn't UTF-8 as \xFF, the backslash as \\; may begin a line */
    TEXT_QUOTED, /* the same between double quotes, which are escaped too */
    TEXT_JSON,   /* between double quotes, escaped as JSON does it; a byte that isn't UTF-8 as U+FFFD */
    TEXT_RAW     /* UTF-8 as it is */
} text_style;

/* Not to be shown: controls, invisible, bidi and other format characters, spaces that aren't U+0020,
 * noncharacters. */
bool text_hidden(uint32_t code);

/* One code point as text of a style, behind another one (0: none); gives the length, at most 12. */
#define TEXT_CODE_MAX 12
size_t text_code(char out[TEXT_CODE_MAX + 1], text_style style, uint32_t before, uint32_t code);

/* A code point, or a byte that isn't part of one, that begins at bytes[0]; gives its length. */
#define TEXT_BAD_BYTE 0x80000000u
size_t text_decode(const uint8_t *bytes, size_t count, uint32_t *code);

/* A path or an argument; with its quotes, if the style has some. Ends where the output fails, as all that may be long:
 * what stands behind a gap could be taken for another record. */
void text_path(FILE *file, text_style style, const char *path);
bool text_is_utf8(const char *path);

/* The same of bytes that may hold a NUL. */
void text_bytes(FILE *file, text_style style, const uint8_t *bytes, size_t count);

/* A text of a header. */
void text_of_view(FILE *file, text_style style, const assay_view *view, assay_text text);

/* ---- A line that is put together before it is written, of bounded length ------------------------------ */

typedef struct {
    char text[6000]; /* all that messages hold, whatever the names are: they are cut, at LINE_EXCERPT */
    size_t length;
} text_line;

#define LINE_EXCERPT 100

void line_add(text_line *to, const char *text);
void line_number(text_line *to, uint64_t number);
/* Bytes in the unit that reads best: "16.06 GB". */
void line_size(text_line *to, uint64_t bytes);
/* A text of a header, quoted; cut after LINE_EXCERPT code points. */
void line_quote(text_line *to, const assay_view *view, assay_text text);
/* The same of bytes. */
void line_quote_bytes(text_line *to, const uint8_t *bytes, size_t count);

#endif
