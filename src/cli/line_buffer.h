/* line_buffer.h: a line that is composed before it is written, of bounded length. */
#ifndef ASSAY_LINE_BUFFER_H
#define ASSAY_LINE_BUFFER_H

#include <stddef.h>
#include <stdint.h>

#include "assay.h"

typedef struct {
    char text[6000]; /* enough for every message: names are cut at LINE_EXCERPT */
    size_t length;
} line_buffer;

#define LINE_EXCERPT 100 /* code points of a name */

void line_add(line_buffer *to, const char *text);
void line_number(line_buffer *to, uint64_t number);
/* Add a number of bytes in the unit that reads best: "16.06 GB". */
void line_size(line_buffer *to, uint64_t bytes);
/* Add a text of a header, escaped and in quotes, cut after LINE_EXCERPT code points. */
void line_quote(line_buffer *to, const assay_view *view, assay_text text);
/* The same for bytes. */
void line_quote_bytes(line_buffer *to, const uint8_t *bytes, size_t count);

#endif
