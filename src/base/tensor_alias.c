/* tensor_alias.c: see tensor_alias.h. */
#include "tensor_alias.h"

#include <stddef.h>
#include <string.h>

#include "unescaped_text.h"

/* Does the text begin with these characters? */
static bool begins(const assay_view *view, assay_text text, const char *with)
{
    uint32_t code;
    while (*with != '\0' && assay_text_next(view, &text, &code) && code == (uint8_t)*with)
        with++;
    return *with == '\0';
}

bool tensor_alias_key(const assay_view *view, assay_text key)
{
    static const char *const known[] = {"modelspec.", "ss_", "sshs_"};
    bool found = assay_text_compare(view, key, (const uint8_t *)"format", 6) == 0;
    for (size_t i = 0; !found && i < sizeof known / sizeof *known; i++)
        found = begins(view, key, known[i]);
    return !found;
}

static bool is_tensor(const assay_view *view, assay_text text, uint8_t *scratch)
{
    assay_tensor tensor;
    size_t size = (size_t)(text.end - text.at);
    const uint8_t *bytes = view->head + text.at;
    if (memchr(bytes, '\\', size) != NULL) {
        size = unescaped_copy(view, text, scratch);
        bytes = scratch;
    }
    return assay_tensor_find(view, bytes, size, &tensor);
}

bool tensor_alias_at(const assay_view *view, uint64_t index, uint8_t *scratch, assay_text *name, assay_text *kept)
{
    return assay_metadata_at(view, index, name, kept) && tensor_alias_key(view, *name) &&
           is_tensor(view, *kept, scratch) && !is_tensor(view, *name, scratch);
}
