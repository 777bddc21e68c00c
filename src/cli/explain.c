/* explain.c: a verdict in words, see explain.h. */
#include "explain.h"

#include <string.h>

bool is_valid(const host_verdict *verdict)
{
    return verdict->problem == HOST_FINE && verdict->status == ASSAY_OK;
}

bool is_invalid(const host_verdict *verdict)
{
    return verdict->problem == HOST_FINE && verdict->status >= ASSAY_E_FIRST;
}

const char *verdict_word(const host_verdict *verdict)
{
    return is_valid(verdict) ? "valid" : is_invalid(verdict) ? "invalid" : "error";
}

const rule_row *rule_by_code(uint64_t code)
{
    for (uint32_t i = 0; i < rules_table_count; i++)
        if (rules_table[i].code == code)
            return &rules_table[i];
    return NULL;
}

static const char *problem_text(host_problem problem)
{
    switch (problem) {
    case HOST_FINE:
        return "";
    case HOST_OPEN:
        return "can't be opened";
    case HOST_READ:
        return "can't be read";
    case HOST_DIRECTORY:
        return "is a directory, not a file";
    case HOST_FIFO:
        return "is a FIFO, not a file";
    case HOST_DEVICE:
        return "is a device, not a file";
    case HOST_SOCKET:
        return "is a socket, not a file";
    case HOST_CHANGED:
        return "changed while it was being judged: try again when nobody writes to it";
    case HOST_MEMORY:
        return "there is not enough memory to judge it";
    case HOST_RANDOM:
        return "the system gives no random numbers, without which it can't be judged safely";
    case HOST_EMPTY:
        return "there is no *.safetensors file in this directory";
    }
    return "";
}

static void explain_problem(text_line *to, const host_verdict *verdict)
{
    line_add(to, problem_text(verdict->problem));
    if (verdict->system != 0) {
        line_add(to, ": ");
        line_add(to, strerror(verdict->system));
    }
}

static void explain_valid(text_line *to, const host_verdict *verdict)
{
    line_number(to, verdict->need.tensors);
    line_add(to, verdict->need.tensors == 1 ? " tensor, " : " tensors, ");
    line_size(to, verdict->file_size);
}

/* What the other name in an error is; NULL: it isn't worth saying. */
static const char *other_label(uint32_t code)
{
    switch (code) {
    case ASSAY_E_METADATA_KEY_TWICE:
        return ", key ";
    case ASSAY_E_NAME_TWICE:
        return NULL; /* the same */
    case ASSAY_E_OVERLAP:
        return ", overlaps tensor ";
    case ASSAY_E_HOLE:
        return ", behind tensor ";
    case ASSAY_E_EMPTY_INSIDE:
        return ", inside tensor ";
    default:
        return ", other tensor ";
    }
}

/* "rule G4 at byte 80: two tensors share a byte (tensor "b", overlaps tensor "a", expected begin 8, found
 * begin 4)" */
static void explain_rule(text_line *to, const host_verdict *verdict, const rule_row *rule, const names *named)
{
    text_line inside = {.length = 0};
    if (named->has_tensor) {
        line_add(&inside, ", tensor ");
        line_quote(&inside, &named->view, named->tensor);
    }
    const char *label = other_label(verdict->status);
    if (named->has_other && label != NULL) {
        line_add(&inside, label);
        line_quote(&inside, &named->view, named->other);
    }
    if (is_invalid(verdict))
        found_add(&inside, verdict, named);
    line_add(to, "rule ");
    line_add(to, rule->id);
    if (verdict->error.offset != ASSAY_NONE) {
        line_add(to, " at byte ");
        line_number(to, verdict->error.offset);
    }
    line_add(to, ": ");
    line_add(to, rule->title);
    if (inside.length > 0) {
        line_add(to, " (");
        line_add(to, inside.text + 2); /* behind ", " */
        line_add(to, ")");
    }
}

void explain(text_line *to, const host_verdict *verdict, const names *named)
{
    const rule_row *rule = rule_by_code(verdict->status);
    to->length = 0;
    to->text[0] = '\0';
    if (verdict->problem != HOST_FINE) {
        explain_problem(to, verdict);
    } else if (verdict->status == ASSAY_OK) {
        explain_valid(to, verdict);
    } else if (rule != NULL) {
        explain_rule(to, verdict, rule, named);
        if (is_invalid(verdict)) {
            line_add(to, ": ");
            advice_add(to, verdict);
        }
    }
}
