/* What the proofs know of strings, one character at a time. Ghost functions, no code. */
#ifndef ASSAY_STRING_STEPS_H
#define ASSAY_STRING_STEPS_H

#include "core.h"

/*@ ghost
/@ requires inside: 0 <= at <= end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures over: at == end ==> string_end(head, at, end) == early(end);
   ensures quote: at < end && head[at] == '"' ==> string_end(head, at, end) == at;
   ensures control: at < end && head[at] < 0x20 ==> string_end(head, at, end) == stop(E_CONTROL, at);
   ensures plain: at < end && 0x20 <= head[at] < 0x80 && head[at] != '"' && head[at] != '\\' ==>
       string_end(head, at, end) == string_end(head, at + 1, end);
   ensures escape: at < end && head[at] == '\\' ==> \let next = escape_end(head, at, end);
       string_end(head, at, end) == (at < next <= end ? string_end(head, next, end) : next);
   ensures utf8: at < end && head[at] >= 0x80 ==> \let next = utf8_end(head, at, end);
       string_end(head, at, end) == (at < next <= end ? string_end(head, next, end) : next);
@/
void assay_string_step(const uint8_t *head, uint32_t at, uint32_t end);
*/

#endif
