/* further.h: what else is wrong with a file that stage G has rejected. The verdict is the core's: the first finding in
 * the order of the specification. These come behind it, in the same order, as if each of them had been mended. */
#ifndef ASSAY_FURTHER_H
#define ASSAY_FURTHER_H

#include "explain.h"

#define FURTHER_MOST 100u

typedef struct {
    assay_error error;
    names named;
} further_one;

typedef struct {
    further_one one[FURTHER_MOST];
    unsigned count;
    uint64_t left; /* more than there is room for */
} further;

/* verdict: NULL: nothing is asked. None, unless it is a rule of stage G; and none if there is not enough memory to look
 * for them. */
void further_find(further *list, const host_verdict *verdict);

/* The verdict as it would be if this finding were the first. */
host_verdict further_verdict(const host_verdict *verdict, const further_one *one);

#endif
