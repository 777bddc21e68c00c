/* output_file.h: --output FILE: all of it or nothing. What is written goes to a new file beside it, which takes its
 * place at
 * the end, when it is whole and on the disk. */
#ifndef ASSAY_OUTPUT_FILE_H
#define ASSAY_OUTPUT_FILE_H

#include <stdbool.h>

#include "host.h"

/* From here on standard output is that new file. False: that can't be, and has been told. */
bool output_begin(const char *path);

/* Puts it in its place, or takes it away if it is not kept or can't be written. False: it could not be written, and
 * that has been told. Standard output is closed. Without output_begin: true. */
bool output_end(bool keep);

/* Remove the new file, if there is one. A signal handler may call it; in another process it does nothing. */
void output_remove(void);

/* Is output_begin's file being written? */
bool output_is_file(void);

/* Has a write to standard output failed? To be asked soon after it, while errno says why. */
bool output_failed(void);

/* errno of the write that failed; it is known where output_failed was asked, else it is errno now. */
int output_error(void);

/* Would the output take the place of this file? */
bool output_replaces(const host_stamp *file);

#endif
