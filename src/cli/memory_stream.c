/* memory_stream.c: see memory_stream.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fopencookie; the BSDs and macOS have fwopen */
#endif

#include "memory_stream.h"

#include <stdlib.h>
#include <string.h>

/* Append bytes. If there is not enough memory they are lost, and so are all later ones: if the stream were told of the
 * failure it would keep them in its buffer. */
static void append(memory_text *to, const char *bytes, size_t count)
{
    if (!to->failed && count > to->room - to->size) {
        size_t most = (size_t)-1 / 4;
        size_t room = to->size < most && count < most ? 2 * (to->size + count) : 0;
        char *grown = room == 0 ? NULL : realloc(to->bytes, room);
        to->failed = grown == NULL;
        to->bytes = grown == NULL ? to->bytes : grown;
        to->room = grown == NULL ? to->room : room;
    }
    if (to->failed || count == 0)
        return;
    memcpy(to->bytes + to->size, bytes, count);
    to->size += count;
}

#if defined(__linux__) || defined(__GLIBC__)

static ssize_t write_some(void *text, const char *bytes, size_t count)
{
    append(text, bytes, count);
    return (ssize_t)count;
}

FILE *memory_stream_open(memory_text *text)
{
    return fopencookie(text, "w", (cookie_io_functions_t){.write = write_some});
}

#else

static int write_some(void *text, const char *bytes, int count)
{
    append(text, bytes, (size_t)count);
    return count;
}

FILE *memory_stream_open(memory_text *text)
{
    return fwopen(text, write_some);
}

#endif
