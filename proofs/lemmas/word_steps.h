/* What the proofs know of words: one character at a time, and of words as a whole. Ghost functions, no code. */
#ifndef ASSAY_WORD_STEPS_H
#define ASSAY_WORD_STEPS_H

#include "string_steps.h"

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

/@ requires inside: at < end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures plain: head[at] < 0x80 && head[at] != '\\' ==> character(head, at, end) == unit(head[at], at + 1);
@/
void assay_plain_step(const uint8_t *head, uint32_t at, uint32_t end);

/@ requires inside: at < end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures high: head[at] >= 0x80 ==> character(head, at, end) / 4294967296 >= 0x80;
@/
void assay_high_step(const uint8_t *head, uint32_t at, uint32_t end);
*/

/*@ // 256 to the power of i, for i <= 12.
    logic integer word_power(integer i) =
        i <= 0 ? 1 : i == 1 ? 0x100 : i == 2 ? 0x10000 : i == 3 ? 0x1000000 : i == 4 ? 0x100000000
        : i == 5 ? 0x10000000000 : i == 6 ? 0x1000000000000 : i == 7 ? 0x100000000000000
        : i == 8 ? 0x10000000000000000 : i == 9 ? 0x1000000000000000000 : i == 10 ? 0x100000000000000000000
        : i == 11 ? 0x10000000000000000000000 : 0x1000000000000000000000000;

    // Byte i of n as a part of their number, and the number of n bytes, n <= 12.
    logic integer plain_part{L}(uint8_t *b, integer at, integer n, integer i) =
        i < n ? b[at + i] * word_power(i) : 0;
    logic integer plain_word{L}(uint8_t *b, integer at, integer n) =
        plain_part(b, at, n, 0) + plain_part(b, at, n, 1) + plain_part(b, at, n, 2) + plain_part(b, at, n, 3)
        + plain_part(b, at, n, 4) + plain_part(b, at, n, 5) + plain_part(b, at, n, 6) + plain_part(b, at, n, 7)
        + plain_part(b, at, n, 8) + plain_part(b, at, n, 9) + plain_part(b, at, n, 10) + plain_part(b, at, n, 11);
*/

/*@ ghost
// A word of plain bytes, up to its closing quote.
/@ requires inside: at <= close < end <= ASSAY_END_MAX && close <= at + 12;
   requires plain: \forall integer i; at <= i < close ==> plain_byte(head[i]);
   requires quote: head[close] == '"';
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures closes: string_end(head, at, end) == close;
   ensures says: word_of(head, at, close) == plain_word(head, at, close - at);
   ensures plain: has_escape(head, at, close) == 0;
@/
void assay_plain_word(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end);

// The number of a text has its first byte lowest, unless that begins an escape.
/@ requires inside: at <= close < end <= ASSAY_END_MAX;
   requires lexed: string_end(head, at, end) == close;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures first: at < close && head[at] != '\\' ==> word_of(head, at, close) == -1
       || word_of(head, at, close) % 256 == head[at];
   ensures none: at == close ==> word_of(head, at, close) == 0;
@/
void assay_word_first(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end);

// A number's bytes, from the lowest on.
/@ requires sum: sum == b0 + 0x100 * (b1 + 0x100 * (b2 + 0x100 * (b3 + 0x100 * (b4 + 0x100 * (b5
       + 0x100 * (b6 + 0x100 * b7))))));
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures low: b0 == sum % 0x100 && b1 == sum / 0x100 % 0x100 && b2 == sum / 0x10000 % 0x100
       && b3 == sum / 0x1000000 % 0x100;
   ensures high: b4 == sum / 0x100000000 % 0x100 && b5 == sum / 0x10000000000 % 0x100
       && b6 == sum / 0x1000000000000 % 0x100 && b7 == sum / 0x100000000000000;
@/
void assay_bytes(uint64_t sum, uint8_t b0, uint8_t b1, uint8_t b2, uint8_t b3, uint8_t b4, uint8_t b5,
                 uint8_t b6, uint8_t b7);
*/

#endif
