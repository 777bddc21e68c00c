/* Keywords, read as two numbers: 12 bytes are the longest, __metadata__ and data_offsets. */
#include "core.h"

/*@ // 256 to the power of the place of byte `length` among the 8 bytes of lo or the 4 of hi.
    logic integer word_unit(integer length) =
        length == 0 || length == 8 ? 1 : length == 1 || length == 9 ? 0x100 : length == 2 || length == 10 ? 0x10000
        : length == 3 || length == 11 ? 0x1000000 : length == 4 || length == 12 ? 0x100000000
        : length == 5 ? 0x10000000000 : length == 6 ? 0x1000000000000 : 0x100000000000000;
*/

void assay_word_read(const uint8_t *head, uint32_t at, uint32_t end, assay_word *word)
{
    uint64_t lo = 0;
    uint64_t hi = 0;
    uint64_t unit = 1; /* 256 to the power of the place among the 8 or 4 bytes */
    uint32_t length = 0;
    /*@ loop invariant at: \at(at, Pre) <= at <= end;
        loop invariant length: length <= 12 && length <= at - \at(at, Pre);
        loop invariant unit: word_unit(length) == unit;
        loop invariant lo: length < 8 ==> lo < unit;
        loop invariant hi: length <= 8 ? hi == 0 : hi < unit;
        loop assigns at, lo, hi, unit, length;
        loop variant end - at;
    */
    while (at < end && length < 12u) {
        uint64_t step = assay_decode(head, at, end);
        uint64_t code = step / 4294967296u;
        if (code >= 0x80u) {
            break;
        }
        if (length < 8u) {
            lo = lo + code * unit;
        } else {
            hi = hi + code * unit;
        }
        length = length + 1u;
        unit = length == 8u ? 1u : unit * 256u;
        at = (uint32_t)(step % 4294967296u);
    }
    word->lo = lo;
    word->hi = hi;
    word->length = at < end ? ASSAY_WORD_LONG : length;
}
