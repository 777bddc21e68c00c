/* output_file.h: --output FILE. Standard output goes to a new file in the same folder, which replaces FILE when it is
 * complete and on the disk. */
#ifndef ASSAY_OUTPUT_FILE_H
#define ASSAY_OUTPUT_FILE_H

#include <stdbool.h>

#include "host.h"

/* Make standard output the new file. Return false after reporting an error. */
bool output_begin(const char *path);

/* Replace FILE by the new file, or remove that if it is not to be kept or could not be written. Return false after
 * reporting that it could not be written. Standard output is closed. Without output_begin, do nothing. */
bool output_end(bool keep);

/* Remove the new file, if there is one. A signal handler may call it; in another process it does nothing. */
void output_remove(void);

/* Is output_begin's file being written? */
bool output_is_file(void);

/* Has a write to standard output failed? To be called soon after it, while errno has the cause. */
bool output_failed(void);

/* Return errno of the write that failed, if output_failed noticed it, else errno. */
int output_error(void);

/* Would the output replace this file? */
bool output_replaces(const host_stamp *file);

#endif
