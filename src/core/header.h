/* header.h: the root of the header. A part of core.h. */
#ifndef ASSAY_HEADER_H
#define ASSAY_HEADER_H

/* Where a scan puts what it finds: as much as there is room for. */
typedef struct {
    assay_entry *entry; /* tensors, in header order */
    uint64_t entries;
    uint32_t *word; /* metadata: keys from the front, values from the back */
    uint64_t words;
    uint64_t max_tensors, max_rank, max_name, max_metadata;
} assay_plan;

/* What a scan has found. */
typedef struct {
    uint64_t tensors, pairs; /* counted, whether there was room or not */
    uint64_t metadata;       /* 1: there is a __metadata__ */
    uint64_t tensor;         /* the one being read, or none */
    uint32_t name, name_end; /* its name: head[name .. name_end) */
    assay_draft draft;       /* of the tensor being read or, between two, of the one before */
} assay_found;

/* What stages F and H have counted in a header. */
typedef struct {
    uint32_t end; /* where the header ends */
    uint32_t tensors, pairs;
    uint32_t metadata; /* 1: there is a __metadata__ */
} assay_counts;

#ifdef __FRAMAC__
#include "scan.acsl"
#endif

/* Stage H: judges head[8 .. end). Gives end, or the stop. *found is set in any case. */
/*@ requires head: head_ok(head, end);
    requires end: 8 <= end;
    requires plan: plan_ok(plan, found);
    terminates \true;
    exits \false;
    assigns *found, plan.entry[0 .. plan.entries - 1], plan.word[0 .. plan.words - 1];
    ensures all: went_on(\result) ==> \result == end && 10 <= end;
    ensures counted: went_on(\result) ==> counted(found, end);
    ensures stored: went_on(\result) ==> stored(plan, found, end);
    ensures named: found_named(found, head, end);
    ensures exact: \result == header_end(head, end, plan.max_tensors, plan.max_rank, plan.max_name,
                                         plan.max_metadata);
    ensures fields: !went_on(\result) ==> error_fields(found->tensor, found_fields(found)) ==
        header_fields(head, end, plan.max_tensors, plan.max_rank, plan.max_name, plan.max_metadata);
    ensures says: went_on(\result) ==> found_says(plan, found, head, end);
*/
static assay_step assay_scan(const uint8_t *head, uint32_t end, assay_plan plan, assay_found *found);

#endif
