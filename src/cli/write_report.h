/* write_report.h: why a file is not written, in words. */
#ifndef ASSAY_WRITE_REPORT_H
#define ASSAY_WRITE_REPORT_H

#include "new_file.h"

/* Report the problem with the file that was to be written. path: as the user named it. */
void write_report(const char *path, const host_new_file *file, host_new_problem problem);

/* Report that a file of `size` bytes has not the bytes from begin to end, or more. */
void write_size_report(const char *path, uint64_t begin, uint64_t end, uint64_t size);

#endif
