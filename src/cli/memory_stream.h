/* memory_stream.h: a stream that writes to memory and reports when memory ran out. Those of open_memstream do not: with
 * glibc and musl they lose bytes, and ferror stays 0. */
#ifndef ASSAY_MEMORY_STREAM_H
#define ASSAY_MEMORY_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct {
    char *bytes; /* to be freed; NULL as long as nothing was written */
    size_t size, room;
    bool failed; /* bytes are missing */
} memory_text;

/* Open a stream that appends to *text, which is empty. After fflush, all that was written is there, or failed is set.
 * Return NULL if there is not enough memory. */
FILE *memory_stream_open(memory_text *text);

#endif
