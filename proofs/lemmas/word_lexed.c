/* word_lexed.c: what is known of a word as a whole. Ghost functions, no code. */
#include "core.h"

/*@ ghost
void assay_plain_word(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end)
{
    uint32_t i = at;

    /@ loop invariant inside: at <= i <= close;
       loop invariant closes: string_end(head, at, end) == string_end(head, i, end);
       loop invariant says: word_of(head, at, close)
           == packed_text(head, i, close, word_power(i - at), plain_word(head, at, i - at));
       loop invariant plain: has_escape(head, at, close) == has_escape(head, i, close);
       loop assigns i;
       loop variant close - i;
    @/
    while (i < close) {
        assay_string_step(head, i, end);
        assay_plain_step(head, i, close);
        assay_packed_step(head, i, close);
        assay_escape_step(head, i, close);
        /@ assert byte: plain_byte(head[i]); @/
        /@ assert power: word_power(i + 1 - at) == 256 * word_power(i - at); @/
        /@ assert small: word_power(i - at) < 79228162514264337593543950336; @/
        /@ assert sum: plain_word(head, at, i + 1 - at)
             == plain_word(head, at, i - at) + word_power(i - at) * head[i]; @/
        i++;
    }
    assay_string_step(head, close, end);
    assay_packed_step(head, close, close);
    assay_escape_step(head, close, close);
}
*/

/*@ // A power of 256 that a character of a word may stand at, but the first.
    predicate further_power(integer weight) =
        weight == 0x100 || weight == 0x10000 || weight == 0x1000000 || weight == 0x100000000
        || weight == 0x10000000000 || weight == 0x1000000000000 || weight == 0x100000000000000
        || weight == 0x10000000000000000 || weight == 0x1000000000000000000 || weight == 0x100000000000000000000
        || weight == 0x10000000000000000000000 || weight == 0x1000000000000000000000000;

    // Adding a character there leaves the lowest byte as it is.
    predicate keeps_first(integer weight) =
        \forall integer sum, code; 0 <= sum && 0 <= code ==>
            0 <= sum + weight * code && (sum + weight * code) % 256 == sum % 256;

    // What head[j .. close) adds to a number leaves its lowest byte as it is.
    predicate adds_above{L}(uint8_t *head, integer j, integer close) =
        \forall integer weight, sum; 0 <= sum && further_power(weight) ==>
            \let word = packed_text(head, j, close, weight, sum); word == -1 || word % 256 == sum % 256;
*/

/*@ ghost
/@ requires inside: at < close < end <= ASSAY_END_MAX;
   requires behind: \forall integer j; at < j <= close && string_end(head, j, end) == close ==>
       adds_above(head, j, close);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures here: string_end(head, at, end) == close ==> adds_above(head, at, close);
@/
void assay_word_above_step(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end)
{
    assay_string_lexed(head, at, close, end);
    assay_packed_step(head, at, close);
    /@ assert power: \forall integer weight; further_power(weight) && weight < 79228162514264337593543950336 ==>
         further_power(weight * 256); @/
    /@ assert keep: keeps_first(0x100) && keeps_first(0x10000) && keeps_first(0x1000000) && keeps_first(0x100000000)
         && keeps_first(0x10000000000) && keeps_first(0x1000000000000) && keeps_first(0x100000000000000)
         && keeps_first(0x10000000000000000) && keeps_first(0x1000000000000000000)
         && keeps_first(0x100000000000000000000) && keeps_first(0x10000000000000000000000)
         && keeps_first(0x1000000000000000000000000); @/
    /@ assert keeps: \forall integer weight; further_power(weight) ==> keeps_first(weight); @/
    /@ assert on: \let unit = character(head, at, close); \let code = unit / 4294967296;
         string_end(head, at, end) == close && code < 128 ==>
         \forall integer weight, sum; 0 <= sum && further_power(weight) && weight < 79228162514264337593543950336 ==>
             packed_text(head, at, close, weight, sum)
             == packed_text(head, unit % 4294967296, close, weight * 256, sum + weight * code)
             && further_power(weight * 256) && 0 <= sum + weight * code
             && (sum + weight * code) % 256 == sum % 256; @/
    /@ assert rest: \let unit = character(head, at, close);
         string_end(head, at, end) == close ==> adds_above(head, unit % 4294967296, close); @/
    /@ assert below: \let unit = character(head, at, close);
         string_end(head, at, end) == close && unit / 4294967296 < 128 ==> adds_above(head, at, close); @/
}

void assay_word_first(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end)
{
    uint32_t i = close;

    assay_packed_step(head, close, close);
    /@ loop invariant inside: at <= i <= close && (at < close ==> at < i);
       loop invariant behind: \forall integer j; i <= j <= close && string_end(head, j, end) == close ==>
           adds_above(head, j, close);
       loop assigns i;
       loop variant i;
    @/
    while (i > 0 && i - 1 > at) {
        assay_word_above_step(head, i - 1, close, end);
        i--;
    }
    if (at < close) {
        assay_string_lexed(head, at, close, end);
        assay_plain_step(head, at, close);
        assay_high_step(head, at, close);
        assay_packed_step(head, at, close);
        /@ assert high: head[at] >= 0x80 ==> word_of(head, at, close) == -1; @/
        /@ assert plain: head[at] < 0x80 && head[at] != '\\' ==>
             word_of(head, at, close) == packed_text(head, at + 1, close, 0x100, head[at]); @/
    }
}
*/
