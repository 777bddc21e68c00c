/* string_steps.c: strings one step at a time, by the definitions of string_end and text_end. Ghost functions. */
#include "core.h"

/* Unfolds: string_end, char_end, text_end. */

/*@ ghost
void assay_string_step(const uint8_t *head, uint32_t at, uint32_t end)
{
    /@ assert step: \let next = char_end(head, at, end);
         string_end(head, at, end) == (at >= end ? early(end) : head[at] == '"' ? at
                                       : at < next <= end ? string_end(head, next, end) : next); @/
}

void assay_string_plain(const uint8_t *head, uint32_t at, uint32_t run, uint32_t end)
{
    uint32_t i = 0;

    /@ loop invariant inside: 0 <= i <= run;
       loop invariant same: string_end(head, at, end) == string_end(head, at + i, end);
       loop assigns i;
       loop variant run - i;
    @/
    while (i < run) {
        /@ assert here: plain_byte(head[at + i]); @/
        assay_string_step(head, at + i, end);
        i++;
    }
}

void assay_text_end_step(const uint8_t *head, uint32_t at, uint32_t end)
{
}
*/
