/* more_findings.h: what else is wrong with a file that stage G rejects. The core reports the first finding in the order
 * of the specification; these are the findings after it, in the same order. */
#ifndef ASSAY_MORE_FINDINGS_H
#define ASSAY_MORE_FINDINGS_H

#include "message.h"

#define MORE_FINDINGS_MOST 100u
/* At most this many bytes of names are in a record, or as many as the header has if that is more. Otherwise one long
 * name would be written with each finding that concerns it. */
#define MORE_FINDINGS_NAMES 1000000u

typedef struct {
    assay_error error;
    const struct note *refusal; /* see host_verdict */
} more_finding;

typedef struct {
    more_finding one[MORE_FINDINGS_MOST];
    unsigned count;
    uint64_t left; /* findings that are left out */
} more_findings;

/* Find the other findings of a file that breaks a rule of stage G. For any other verdict, or NULL, the list is empty,
 * as it is if there is not enough memory. seed: random, see repeated_names.h. */
void more_findings_find(more_findings *list, const host_verdict *verdict, uint64_t seed);

/* Return the verdict as it would be if this finding were the first. */
host_verdict more_finding_verdict(const host_verdict *verdict, const more_finding *one);

#endif
