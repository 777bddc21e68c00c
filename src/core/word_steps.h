/* What the proofs know of words, one character at a time. Ghost functions, no code. */
#ifndef ASSAY_WORD_STEPS_H
#define ASSAY_WORD_STEPS_H

#include "core.h"

/*@ ghost
/@ requires inside: at <= end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures over: \forall integer weight, sum; at == end ==> packed_text(head, at, end, weight, sum) == sum;
   ensures step: \let unit = character(head, at, end);
       at < unit % 4294967296 <= end && unit / 4294967296 < 128 ==>
       \forall integer weight, sum; weight < 79228162514264337593543950336 ==>
           packed_text(head, at, end, weight, sum)
           == packed_text(head, unit % 4294967296, end, weight * 256, sum + weight * (unit / 4294967296));
   ensures stop: \let unit = character(head, at, end);
       \forall integer weight, sum; at < end
           && (unit / 4294967296 >= 128 || weight >= 79228162514264337593543950336) ==>
           packed_text(head, at, end, weight, sum) == -1;
@/
void assay_packed_step(const uint8_t *head, uint32_t at, uint32_t end);

/@ requires inside: at <= end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures over: at == end ==> has_escape(head, at, end) == 0;
   ensures escape: at < end && head[at] == '\\' ==> has_escape(head, at, end) == 1;
   ensures plain: at < end && head[at] != '\\' ==> has_escape(head, at, end) == has_escape(head, at + 1, end);
@/
void assay_escape_step(const uint8_t *head, uint32_t at, uint32_t end);
*/

#endif
