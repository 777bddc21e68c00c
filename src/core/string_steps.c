/* string_steps.c: strings one step at a time, by the definitions of string_end and text_end. Ghost functions. */
#include "string_steps.h"

/* Unfolds: string_end, char_end, text_end. */

/*@ ghost
void assay_string_step(const uint8_t *head, uint32_t at, uint32_t end)
{
    /@ assert step: \let next = char_end(head, at, end);
         string_end(head, at, end) == (at >= end ? early(end) : head[at] == '"' ? at
                                       : at < next <= end ? string_end(head, next, end) : next); @/
}

void assay_text_end_step(const uint8_t *head, uint32_t at, uint32_t end)
{
}
*/
