/* more_findings.h: what else is wrong with a file that stage G has rejected. The verdict is the core's: the first
 * finding in
 * the order of the specification. These come behind it, in the same order, as if each of them had been mended. */
#ifndef ASSAY_MORE_FINDINGS_H
#define ASSAY_MORE_FINDINGS_H

#include "message.h"

#define FURTHER_MOST 100u
/* Bytes of names in a record, those of the verdict among them, or those of the header if that is larger: else one long
 * name would be written with every finding that it is part of. */
#define FURTHER_NAMES 1000000u

typedef struct {
    assay_error error;
    names named;
    const struct note *refusal; /* see host_verdict */
} further_one;

typedef struct {
    further_one one[FURTHER_MOST];
    unsigned count;
    uint64_t left; /* more than there is room for */
} further;

/* verdict: NULL: the list stays empty, as for every verdict but a rule of stage G. seed: random, see
 * repeated_names.h. If there is not enough memory to look for all of them, the list is empty. */
void further_find(further *list, const host_verdict *verdict, uint64_t seed);

/* The verdict as it would be if this finding were the first. */
host_verdict further_verdict(const host_verdict *verdict, const further_one *one);

#endif
