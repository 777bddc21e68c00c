/* policy.h: what a user requires of a file beyond validity. The format of a policy is defined in spec/policy.md. */
#ifndef ASSAY_POLICY_H
#define ASSAY_POLICY_H

#include "more_findings.h"

#define POLICY_VERSION "assay-policy 1"

typedef struct policy {
    uint64_t header, tensors, rank, name, metadata; /* the largest that is allowed */
    uint64_t dtypes;                                /* bit d: dtype d is allowed */
    bool fails[128];                                /* by the code of a note: it refuses */
} policy;

/* Read a policy. Return false after reporting that it can't be read or has an error. */
bool policy_read(policy *to, const char *path);

/* Compare a valid file with a policy. The first rule that it breaks becomes its status, the others go to more. */
void policy_judge(const policy *by, host_verdict *verdict, more_findings *more);

#endif
