/* report.h: what is printed about a path, in each format.
 *
 * A path has one record. It is written at once, or from parts that were formatted before: what a file is by itself, and
 * the findings of the model that it belongs to. */
#ifndef ASSAY_REPORT_H
#define ASSAY_REPORT_H

#include "cli.h"
#include "finding.h"
#include "more_findings.h"
#include "notes.h"

/* One thing that is known about a path. */
typedef struct {
    verdict_rank rank;
    uint32_t code;         /* of its rule, or 0 */
    const finding *what;   /* still to be formatted; NULL: it was, and is ... */
    const char *bytes;     /* ... this text */
    size_t size;
} statement;

/* All that is known about a path. */
typedef struct {
    const char *path;
    const statement *own;     /* what the file, or the index, is by itself; NULL: unknown */
    const char *details;      /* formatted: what belongs to that */
    size_t details_size;
    const statement *finding; /* [findings]: what does not fit the model */
    size_t findings;
    const statement *top;     /* own, a finding, or one of a model about its files: the worst, which is the verdict */
} path_record;

/* The functions of a format. They write no line feed after a record of JSON, and nothing for a record of SARIF that has
 * no results. */
typedef struct {
    /* A whole record about a file. */
    void (*file)(FILE *to, const command_line *line, const char *path, const host_verdict *verdict,
                 const more_findings *more);
    /* The parts of one: what the verdict is, and the rest. In SARIF, what could not be judged is a notification. */
    void (*verdict)(FILE *to, const char *path, const host_verdict *verdict);
    void (*details)(FILE *to, const command_line *line, const char *path, const host_verdict *verdict,
                    const more_findings *more);
    /* The same for an index, or for a path that only findings are known about. */
    void (*finding)(FILE *to, const finding *what);
    void (*finding_details)(FILE *to, const finding *what);
    /* A whole record from its parts. */
    void (*record)(FILE *to, const command_line *line, const path_record *record);
} report_format;

extern const report_format text_format, json_format, sarif_format, junit_format;

/* Return the format of the line. JSON and JSON lines are one. */
const report_format *report_format_of(const command_line *line);

/* Write the line of text "PATH: VERDICT: ..." with the notes below it, in every format. */
void report_text(FILE *to, const char *path, const host_verdict *verdict);

/* ---- report_sarif.c, report_junit.c: what is before the first record and after the last --------------------- */

/* What a log states besides the results. */
typedef struct {
    bool occurs[128];    /* [code]: a rule with this code is in the results or in the notifications */
    bool whole;          /* all that was named has been judged */
    int status;          /* the exit status */
    const char *notices; /* what could not be judged, formatted, with commas between */
    size_t notices_size;
    uint64_t left;       /* further notices that there was no room for */
} sarif_log;

void sarif_begin(FILE *to);
void sarif_end(FILE *to, const sarif_log *log);

void junit_begin(FILE *to);
void junit_end(FILE *to);

#endif
