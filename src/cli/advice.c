/* advice.c: what to do about an invalid file. */
#include "message.h"

static void add_bytes(text_line *to, uint64_t bytes)
{
    line_number(to, bytes);
    line_add(to, bytes == 1 ? " byte" : " bytes");
    if (bytes >= 1000) {
        line_add(to, " (");
        line_size(to, bytes);
        line_add(to, ")");
    }
}

static void add_missing(text_line *to, const assay_error *error)
{
    uint64_t missing = error->expected - error->found;
    add_bytes(to, missing);
    line_add(to, missing == 1 ? " is" : " are");
    line_add(to, " missing: replace the file with a complete copy");
}

static void add_hole(text_line *to, const host_verdict *verdict)
{
    const assay_error *error = &verdict->error;
    uint64_t bytes = error->found - error->expected;
    if (verdict->cut && error->tensor == ASSAY_NONE)
        line_add(to, "at least ");
    add_bytes(to, bytes);
    if (error->tensor == ASSAY_NONE && error->other == ASSAY_NONE)
        line_add(to, " of data, but no tensors: data may be hidden there: don't load it");
    else if (error->tensor == ASSAY_NONE)
        line_add(to, " after the last tensor: data was appended and may be hidden there: don't load it");
    else
        line_add(to, " before this tensor: data may be hidden there: don't load it");
}

const kind *verdict_kind(const host_verdict *verdict)
{
    if (!is_invalid(verdict) || verdict->status > ASSAY_E_START)
        return NULL;
    return kind_of(verdict->head, verdict->head_size, verdict->file_size);
}

void kind_add(text_line *to, const kind *really)
{
    line_add(to, "this is ");
    line_add(to, really->what);
    line_add(to, ": ");
    line_add(to, really->to_do);
}

void advice_add(text_line *to, const host_verdict *verdict)
{
    uint32_t code = verdict->status;
    const kind *really = verdict_kind(verdict);
    if (really != NULL) {
        kind_add(to, really);
    } else if (code == ASSAY_E_FILE_SHORT || code == ASSAY_E_HEADER_CUT || code == ASSAY_E_TRUNCATED) {
        add_missing(to, &verdict->error);
    } else if (code == ASSAY_E_HOLE) {
        add_hole(to, verdict);
    } else {
        line_add(to, rule_by_code(code)->advice);
    }
}
