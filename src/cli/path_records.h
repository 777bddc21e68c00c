/* path_records.h: one record for each path of a folder. What a file is by itself is known before it is known whether it
 * fits its model, so records are held back until the model is complete. The index has the verdict of the model. */
#ifndef ASSAY_PATH_RECORDS_H
#define ASSAY_PATH_RECORDS_H

#include "memory_stream.h"
#include "name_table.h"
#include "report.h"

#define HELD_MOST ((size_t)128 << 20)       /* bytes: from there on, no further record is held back */
#define HELD_RECORD_MOST ((size_t)256 << 10) /* bytes of a verdict or a finding: a larger one is not held back */

typedef struct {
    FILE *answer; /* where records go, and the marks that end them */
    const command_line *line;
    const report_format *format;
    FILE *store; /* writes all parts of the records, one after the other, to ... */
    memory_text text; /* ... this memory */
    struct held_path *path; /* [paths] in the order in which they were reported first */
    size_t paths, path_room;
    struct held_statement *statement; /* [statements] */
    size_t statements, statement_room;
    statement *list; /* room for the findings of one record */
    size_t list_room;
    name_table names; /* the number of each path, from 1 on */
    bool broken;     /* memory ran out */
} path_records;

/* Begin with no record. seed: random, so that no path can choose collisions. False: not enough memory. */
bool records_begin(path_records *to, FILE *answer, const command_line *line, uint64_t seed);
void records_end(path_records *to);

/* Is there a verdict on this file already? Then compare it with this one: the file may have changed. index: the index
 * that names the file, or NULL. */
bool records_known(path_records *to, const char *path, const char *index, verdict_rank rank);

/* Add the verdict on a file. */
void records_verdict(path_records *to, const char *path, const char *index, const host_verdict *verdict,
                     const more_findings *more);

/* Add a finding. One without an index, about a path without a verdict, is that path's own. */
void records_finding(path_records *to, const finding *what);

/* Write all records: nothing more will be reported about their paths. folder: its name, for when memory ran out. */
void records_write(path_records *to, const char *folder);

/* Write a record about a file that belongs to no folder. */
void record_file(FILE *answer, const command_line *line, const char *path, const host_verdict *verdict,
                 const more_findings *more);

#endif
