/* utf8_steps.c: what the proofs know of UTF-8, by its definition. Ghost functions, no code. */
#include "core.h"

/* Unfolds: utf8, utf8_end. */

/*@ ghost
void assay_utf8_lands(const uint8_t *head, uint32_t at, uint32_t end)
{
}

void assay_utf8_closed(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end)
{
}
*/
