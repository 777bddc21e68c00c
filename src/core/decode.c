/* The characters of strings that have been lexed. */
#include "core.h"

/* Unfolds: escape, utf8, character. */

#define ASSAY_UNIT(code, next) ((uint64_t)(code) * 4294967296u + (next))
#define ASSAY_REPLACEMENT 0xFFFDu

uint64_t assay_decode(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint8_t lead = head[at];
    if (lead < 0x80u && lead != '\\') {
        return ASSAY_UNIT(lead, at + 1u);
    }
    assay_step next = lead == '\\' ? assay_escape(head, at, end) : assay_utf8(head, at, end);
    if (next >= ASSAY_STOPPED) {
        return ASSAY_UNIT(ASSAY_REPLACEMENT, at + 1u);
    }
    uint32_t code = lead == '\\' ? assay_escape_value(head, at) /*@ ghost (end) */
                                 : assay_utf8_value(head, at, (uint32_t)next) /*@ ghost (end) */;
    //@ assert code: (code * 4294967296 + next) / 4294967296 == code;
    //@ assert next: (code * 4294967296 + next) % 4294967296 == next;
    return ASSAY_UNIT(code, next);
}
