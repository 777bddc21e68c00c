/* Keywords, read as two numbers: 12 bytes are the longest, __metadata__ and data_offsets. Rule H10 keyword_escaped. */
#include "string_steps.h"
#include "word_steps.h"

/*@ // 256 to the power of the place of byte `length` among the 8 bytes of lo or the 4 of hi.
    logic integer word_unit(integer length) =
        length == 0 || length == 8 ? 1 : length == 1 || length == 9 ? 0x100 : length == 2 || length == 10 ? 0x10000
        : length == 3 || length == 11 ? 0x1000000 : length == 4 || length == 12 ? 0x100000000
        : length == 5 ? 0x10000000000 : length == 6 ? 0x1000000000000 : 0x100000000000000;

    // 256 to the power of length.
    logic integer word_weight(integer length) = length < 8 ? word_unit(length) : word(0, word_unit(length));
*/

void assay_word_read(const uint8_t *head, uint32_t at, uint32_t end, assay_word *word)
    /*@ ghost (uint32_t whole) */
{
    uint64_t lo = 0;
    uint64_t hi = 0;
    uint64_t unit = 1; /* 256 to the power of the place among the 8 or 4 bytes */
    uint32_t length = 0;
    /*@ loop invariant at: \at(at, Pre) <= at <= end;
        loop invariant lexed: string_end(head, at, whole) == end;
        loop invariant length: length <= 12 && length <= at - \at(at, Pre);
        loop invariant unit: word_unit(length) == unit;
        loop invariant lo: length < 8 ==> lo < unit;
        loop invariant hi: length <= 8 ? hi == 0 : hi < unit;
        loop invariant exact: packed_text(head, \at(at, Pre), end, 1, 0)
            == packed_text(head, at, end, word_weight(length), word(lo, hi));
        loop invariant some: length > 0 ==> word_weight(length - 1) <= word(lo, hi);
        loop invariant plain: at - \at(at, Pre) == length ==>
            has_escape(head, \at(at, Pre), end) == has_escape(head, at, end);
        loop invariant escaped: at - \at(at, Pre) > length ==> has_escape(head, \at(at, Pre), end) == 1;
        loop assigns at, lo, hi, unit, length;
        loop variant end - at;
    */
    while (at < end && length < 12u) {
        //@ ghost assay_string_lexed(head, at, end, whole);
        //@ ghost assay_packed_step(head, at, end);
        //@ ghost assay_escape_step(head, at, end);
        uint64_t step = assay_decode(head, at, end);
        uint64_t code = step / 4294967296u;
        if (code >= 0x80u) {
            break;
        }
        //@ ghost L: ;
        if (length < 8u) {
            lo = lo + code * unit;
        } else {
            hi = hi + code * unit;
        }
        //@ assert sum: word(lo, hi) == word(\at(lo, L), \at(hi, L)) + code * word_weight(length);
        length = length + 1u;
        unit = length == 8u ? 1u : unit * 256u;
        //@ assert weight: word_weight(length) == 256 * word_weight(length - 1);
        at = (uint32_t)(step % 4294967296u);
    }
    //@ ghost assay_packed_step(head, at, end);
    //@ ghost assay_escape_step(head, at, end);
    word->lo = lo;
    word->hi = hi;
    word->length = at < end ? ASSAY_WORD_LONG : length;
}
