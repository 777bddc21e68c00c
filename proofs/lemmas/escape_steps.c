/* escape_steps.c: what the proofs know of escapes, by their definition. Ghost functions, no code. */
#include "core.h"

/* Unfolds: escape, escape_end. */

/*@ ghost
void assay_escape_lands(const uint8_t *head, uint32_t at, uint32_t end)
{
    /@ assert high: hex_end(head, at, end) == at + 6 ==> 0 <= hex_code(head, at) <= 0xFFFF; @/
    /@ assert low: low_end(head, at, end) <= end ==> 0xDC00 <= hex_code(head, at + 6) <= 0xDFFF; @/
}

void assay_escape_range(const uint8_t *head, uint32_t at, uint32_t end)
{
    if (at < end) {
        assay_escape_lands(head, at, end);
    }
    /@ assert parts: \let value = escape_value(head, at); \let next = escape_end(head, at, end);
         next <= end ==> unit(value, next) / 4294967296 == value && unit(value, next) % 4294967296 == next; @/
}

void assay_escape_closed(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end)
{
}
*/
