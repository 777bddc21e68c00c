/* word_steps.c: words one character at a time, by the definitions of word.acsl. Ghost functions, no code. */
#include "word_steps.h"

/* Unfolds: packed_text, has_escape. */

/*@ ghost
void assay_packed_step(const uint8_t *head, uint32_t at, uint32_t end)
{
}

void assay_escape_step(const uint8_t *head, uint32_t at, uint32_t end)
{
}
*/
