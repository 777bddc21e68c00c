/* The characters of strings that have been lexed. */
#include "core.h"

/* Unfolds: character. */

uint64_t assay_decode(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint8_t lead = head[at];
    if (lead == '\\') {
        //@ ghost assay_escape_range(head, at, end);
        return assay_escape_unit(head, at, end);
    }
    return lead < 0x80u ? ASSAY_UNIT(lead, at + 1u) : assay_utf8_unit(head, at, end);
}
