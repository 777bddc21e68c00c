/* report.h: what there is to say of a file or a model, as text, JSON or SARIF. */
#ifndef ASSAY_REPORT_H
#define ASSAY_REPORT_H

#include "cli.h"
#include "more_findings.h"
#include "notes.h"

typedef struct finding finding; /* see finding.h */

/* A record in the format of the line: "PATH: invalid: rule G3 at byte 96: ..." and a line feed, an object of JSON
 * without one, or results of SARIF: none for a valid file. */
void report_record(FILE *file, const command_line *line, const char *path, const host_verdict *verdict,
                   const further *more);
void report_finding(FILE *file, const command_line *line, const finding *what);

/* The line of text, whatever the format. */
void report_text(FILE *file, const char *path, const host_verdict *verdict);

/* ---- Parts ---------------------------------------------------------------------------------------------- */

/* ": invalid: " */
void report_word(FILE *file, const char *word, bool colour);

/* Parts of an object: its beginning, with the path; a member, null if it has no value. */
void report_path(FILE *file, const char *path);
void report_kind(FILE *file, const kind *really);
/* What it cost to have it from a server; null: it comes from none. */
void report_fetch(FILE *file, const host_fetch *fetch);
void report_number(FILE *file, const char *key, bool has, uint64_t number);

void report_json(FILE *file, const char *path, const host_verdict *verdict, const further *more);

/* ---- report_sarif.c: a log of one run, whose results are the records ------------------------------------- */

void sarif_begin(FILE *file);
/* whole: all that was named has been judged. */
void sarif_end(FILE *file, bool whole, int status);
void report_sarif(FILE *file, const char *path, const host_verdict *verdict, const further *more);
void finding_sarif(FILE *file, const finding *what);

#endif
