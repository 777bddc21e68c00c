/* word_steps.c: words one character at a time, by the definitions of word.acsl. Ghost functions, no code. */
#include "string_steps.h"
#include "word_steps.h"

/* Unfolds: character, utf8, packed_text, has_escape. */

/*@ ghost
void assay_packed_step(const uint8_t *head, uint32_t at, uint32_t end)
{
}

void assay_escape_step(const uint8_t *head, uint32_t at, uint32_t end)
{
}

void assay_plain_step(const uint8_t *head, uint32_t at, uint32_t end)
{
}

void assay_high_step(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_utf8_lands(head, at, end);
}
*/
