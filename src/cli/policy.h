/* policy.h: what a gate asks of a file beyond validity. spec/policy.md says what a policy looks like. */
#ifndef ASSAY_POLICY_H
#define ASSAY_POLICY_H

#include "more_findings.h"

#define POLICY_VERSION "assay-policy 1"

typedef struct policy {
    uint64_t header, tensors, rank, name, metadata; /* the most that is allowed */
    uint64_t dtypes;                                /* bit d: dtype d is allowed */
    bool fails[128];                                /* by code: this note refuses */
} policy;

/* Reads the policy; false: it can't be read, or is none, and that has been told. */
bool policy_read(policy *to, const char *path);

/* A valid file that breaks the policy gets the first rule that it breaks as its status; the others are in more. */
void policy_judge(const policy *by, host_verdict *verdict, further *more);

#endif
