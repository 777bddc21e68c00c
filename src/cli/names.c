/* names.c: which tensor or metadata key an error is about. The core gives its place in the header; where that
 * place is the core knows too: it is where a limit of so many tensors, or pairs, is exceeded. So nothing is
 * parsed here. */
#include "message.h"

bool names_text_at(const host_verdict *verdict, uint64_t offset, assay_text *text)
{
    if (offset >= verdict->head_size || verdict->head[offset] != '"')
        return false;
    uint64_t end = offset + 1;
    while (end < verdict->head_size && verdict->head[end] != '"')
        end += verdict->head[end] == '\\' ? 2 : 1;
    *text = (assay_text){offset + 1, end};
    return end < verdict->head_size;
}

/* The text of the tensor's name, or of the metadata key, that has this place in the header. */
static bool text_of(const host_verdict *verdict, bool is_key, uint64_t place, assay_text *text)
{
    assay_options options = ASSAY_OPTIONS;
    assay_need need;
    assay_error error;
    if (place == ASSAY_NONE)
        return false;
    if (is_key)
        options.max_metadata = place;
    else
        options.max_tensors = place;
    assay_status beyond = is_key ? ASSAY_LIMIT_METADATA : ASSAY_LIMIT_TENSORS;
    return assay_measure(verdict->head, verdict->head_size, verdict->file_size, &options, &need, &error) ==
               beyond &&
           names_text_at(verdict, error.offset, text);
}

void names_find(names *found, const host_verdict *verdict)
{
    bool keys = verdict->status == ASSAY_E_METADATA_KEY_TWICE;
    *found = (names){.has_tensor = false};
    if (!is_invalid(verdict) && !is_refused(verdict))
        return;
    found->view.head = verdict->head; /* a view of no tensors: for decoding */
    found->view.data_begin = verdict->head_size;
    found->has_tensor = text_of(verdict, false, verdict->error.tensor, &found->tensor);
    found->has_other = text_of(verdict, keys, verdict->error.other, &found->other);
}
