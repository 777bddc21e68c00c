/* report.h: a verdict as a line of text or an object of JSON. */
#ifndef ASSAY_REPORT_H
#define ASSAY_REPORT_H

#include "explain.h"

/* "PATH: invalid: rule G3 at byte 96: ..." and a line feed. */
void report_text(FILE *file, const char *path, const host_verdict *verdict);

/* One object, no line feed. */
void report_json(FILE *file, const char *path, const host_verdict *verdict);

#endif
