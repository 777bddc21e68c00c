/* summary.h: how many records there were of each kind, and by which rule. */
#ifndef ASSAY_SUMMARY_H
#define ASSAY_SUMMARY_H

#include "cli.h"
#include "pool.h"

enum { SUMMARY_VALID, SUMMARY_INVALID, SUMMARY_REFUSED, SUMMARY_ERROR, SUMMARY_NOTE, SUMMARY_KINDS };

typedef struct {
    uint64_t records[SUMMARY_KINDS];
    uint64_t rule[128]; /* by code */
} summary;

/* Counts the rule that a mark names; false: it names none. */
bool summary_rule(summary *to, unsigned mark);
/* Counts a record that ended so. */
void summary_record(summary *to, unsigned mark);

/* The exit status that goes with it. */
int summary_status(const summary *of);

/* As text: where the records are, if they are text, else to standard error. */
void summary_print(const summary *of, const host_fetch *cost, const command_line *line);

#endif
