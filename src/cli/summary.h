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

/* Count a rule that is broken, by its code. */
void summary_rule(summary *to, uint32_t code);
/* Count a record that ended with this mark. */
void summary_record(summary *to, unsigned mark);

/* Return the exit status. */
int summary_status(const summary *of);

/* Print it where the records are if they are text, else to standard error. */
void summary_print(const summary *of, const host_fetch *cost, const command_line *line);

#endif
