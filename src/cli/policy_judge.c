/* policy_judge.c: a valid file against a policy. Rules P1 policy_header, P2 policy_tensors, P3 policy_rank,
 * P4 policy_name, P5 policy_dtype, P6 policy_metadata. */
#include "notes.h"
#include "policy.h"
#include "program_rules.h"

typedef struct {
    host_verdict *verdict;
    further *more;
} judging;

/* One rule that is broken. name: of the tensor that breaks it; NULL: it is about none. refusal: the note, or NULL. */
static void add(judging *at, assay_error error, const assay_text *name, const note *refusal)
{
    if (name != NULL)
        error.offset = name->at - 1;
    if (at->verdict->status == ASSAY_OK) {
        at->verdict->status = (assay_status)error.status;
        at->verdict->error = error;
        at->verdict->refusal = refusal;
        return;
    }
    further_one *one = &at->more->one[at->more->count++];
    *one = (further_one){error, {.view = *at->verdict->view, .has_tensor = name != NULL}, refusal};
    if (name != NULL)
        one->named.tensor = *name;
}

static void refuse(judging *at, uint32_t code, uint64_t most, uint64_t found, const assay_tensor *tensor)
{
    assay_error error = {code, ASSAY_NONE, tensor == NULL ? ASSAY_NONE : tensor->place, ASSAY_NONE, most, found};
    add(at, error, tensor == NULL ? NULL : &tensor->name, NULL);
}

static void refuse_note(judging *at, note *one)
{
    assay_error error = {one->rule->code, ASSAY_NONE, one->has_tensor ? one->place : ASSAY_NONE, ASSAY_NONE, ASSAY_NONE,
                         ASSAY_NONE};
    one->refuses = true;
    add(at, error, one->has_tensor ? &one->name : NULL, one);
}

/* P3, P4, P5: the first tensor that breaks each, in layout order. */
static void judge_tensors(judging *at, const policy *by)
{
    assay_tensor tensor;
    bool rank = false, name = false, dtype = false;
    for (uint64_t i = 0; assay_tensor_at(at->verdict->view, i, &tensor); i++) {
        uint64_t bytes = tensor.name.end - tensor.name.at;
        if (tensor.rank > by->rank && !rank)
            refuse(at, RULE_POLICY_RANK, by->rank, tensor.rank, &tensor);
        if (bytes > by->name && !name)
            refuse(at, RULE_POLICY_NAME, by->name, bytes, &tensor);
        if ((by->dtypes >> tensor.dtype & 1) == 0 && !dtype)
            refuse(at, RULE_POLICY_DTYPE, ASSAY_NONE, tensor.dtype, &tensor);
        rank |= tensor.rank > by->rank;
        name |= bytes > by->name;
        dtype |= (by->dtypes >> tensor.dtype & 1) == 0;
    }
}

void policy_judge(const policy *by, host_verdict *verdict, further *more)
{
    judging at = {verdict, more};
    if (!is_valid(verdict) || verdict->view == NULL)
        return;
    if (verdict->header_bytes > by->header)
        refuse(&at, RULE_POLICY_HEADER, by->header, verdict->header_bytes, NULL);
    if (verdict->view->tensors > by->tensors)
        refuse(&at, RULE_POLICY_TENSORS, by->tensors, verdict->view->tensors, NULL);
    judge_tensors(&at, by);
    for (size_t i = 0; verdict->notes != NULL && i < verdict->notes->count; i++)
        if (by->fails[verdict->notes->one[i].rule->code])
            refuse_note(&at, &verdict->notes->one[i]);
    if (verdict->view->pairs > by->metadata)
        refuse(&at, RULE_POLICY_METADATA, by->metadata, verdict->view->pairs, NULL);
}
