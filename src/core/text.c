/* text.c: strings of the header that the lexer has accepted: where they end, how they compare with other bytes, and
 * short ones as two numbers. Rule H10 keyword_escaped.
 *
 * A text begins after its opening quote and ends at the first quote that no backslash escapes. Texts are compared by
 * their unescaped bytes; for well-formed UTF-8 that is by their code points.
 *
 * Every function is total: for bytes that the lexer would refuse, it returns some result and reads nothing else.
 */
#include "core.h"

static uint32_t assay_text_end(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t pos = at;

    //@ ghost assay_text_end_closed(head, at, end);
    /*@ loop invariant inside: at <= pos <= end;
        loop invariant exact: text_end(head, at, end) == text_end(head, pos, end);
        loop invariant cost: assay_work <= \at(assay_work, Pre) + pos - at;
        loop assigns pos, assay_work;
        loop variant end - pos;
    */
    while (pos < end && head[pos] != '"') {
        //@ ghost assay_spend();
        //@ ghost assay_text_end_step(head, pos, end);
        pos += head[pos] == '\\' && end - pos > 1u ? 2u : 1u;
    }
    //@ ghost assay_text_end_step(head, pos, end);
    return pos;
}

static int assay_text_order(const uint8_t *head, uint32_t at, uint32_t end, const uint8_t *bytes, uint64_t size)
{
    uint32_t run = assay_equal_run(head + at, bytes, 0, size < end - at ? (uint32_t)size : end - at);
    uint32_t cursor = 4u * (at + run);
    uint64_t k = run;

    //@ ghost assay_text_run_order(head, at, end, bytes, size, run);
    //@ ghost assay_cursor_plain(head, end, cursor);
    //@ ghost assay_text_natural(head, at, end);
    //@ ghost assay_bytes_natural(bytes, size);
    //@ ghost assay_value_first();
    //@ ghost assay_value_order();
    /*@ loop invariant inside: k <= size && cursor <= 4 * end;
        loop invariant ok: cursor_ok(head, cursor, end);
        loop invariant natural: 0 <= cursor_value(head, cursor, end);
        loop invariant same: cursor_value(head, cursor, end) == bytes_value(bytes, k, size) <==>
            text_value(head, at, end) == bytes_value(bytes, 0, size);
        loop invariant exact: value_order(cursor_value(head, cursor, end), bytes_value(bytes, k, size)) ==
            value_order(text_value(head, at, end), bytes_value(bytes, 0, size));
        loop assigns cursor, k, assay_work;
        loop variant size - k;
    */
    while (true) {
        //@ ghost assay_spend();
        //@ ghost assay_bytes_step(bytes, k, size);
        uint64_t symbol = assay_symbol_any(head, end, cursor);
        uint64_t byte = symbol / 4294967296u;
        uint64_t other = k < size ? bytes[k] + UINT64_C(1) : 0;
        //@ assert byte: byte == 1 + value_first(cursor_value(head, cursor, end));
        //@ assert other: other == 1 + value_first(bytes_value(bytes, k, size));
        if (byte != other || byte == 0) {
            return byte < other ? -1 : byte > other;
        }
        //@ assert rest: value_rest(bytes_value(bytes, k, size)) == bytes_value(bytes, k + 1, size);
        cursor = (uint32_t)(symbol % 4294967296u);
        k++;
    }
}

/* ---- Keywords: 12 bytes are the longest, __metadata__ and data_offsets ------------------------------------------- */

/*@ // 256 to the power of the place of byte `length` among the 8 bytes of lo or the 4 of hi.
    logic integer word_unit(integer length) =
        length == 0 || length == 8 ? 1 : length == 1 || length == 9 ? 0x100 : length == 2 || length == 10 ? 0x10000
        : length == 3 || length == 11 ? 0x1000000 : length == 4 || length == 12 ? 0x100000000
        : length == 5 ? 0x10000000000 : length == 6 ? 0x1000000000000 : 0x100000000000000;

    // 256 to the power of length.
    logic integer word_weight(integer length) = length < 8 ? word_unit(length) : word(0, word_unit(length));
*/

static void assay_word_read(const uint8_t *head, uint32_t at, uint32_t end, assay_word *word)
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
        loop invariant cost: assay_work <= \at(assay_work, Pre) + length;
        loop assigns at, lo, hi, unit, length, assay_work;
        loop variant end - at;
    */
    while (at < end && length < 12u) {
        //@ ghost assay_spend();
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

/*@ logic integer shifted(integer x, integer k) = x << k; */

/*@ ghost
// A shift by 8 more is a multiplication by 256.
/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures one: \forall integer x; (x << 8) == 0x100 * x;
   ensures two: \forall integer x; (x << 16) == 0x10000 * x;
   ensures three: \forall integer x; (x << 24) == 0x1000000 * x;
   ensures four: \forall integer x; (x << 32) == 0x100000000 * x;
   ensures five: \forall integer x; (x << 40) == 0x10000000000 * x;
   ensures six: \forall integer x; (x << 48) == 0x1000000000000 * x;
   ensures seven: \forall integer x; (x << 56) == 0x100000000000000 * x;
@/
static void assay_shifts(void)
{
    /@ assert none: \forall integer x; shifted(x, 0) == x; @/
    /@ assert one: \forall integer x; shifted(x, 1) == 2 * x; @/
    /@ assert sum: \forall integer x, k; 0 <= k ==> shifted(shifted(x, k), 1) == shifted(x, k + 1); @/
    /@ assert next: \forall integer x, k; 0 <= k ==> shifted(x, k + 1) == 2 * shifted(x, k); @/
    /@ assert two: \forall integer x, k; 0 <= k ==> shifted(x, k + 2) == 4 * shifted(x, k); @/
    /@ assert four: \forall integer x, k; 0 <= k ==> shifted(x, k + 4) == 16 * shifted(x, k); @/
    /@ assert eight: \forall integer x, k; 0 <= k ==> shifted(x, k + 8) == 256 * shifted(x, k); @/
    /@ assert by_8: \forall integer x; shifted(x, 8) == 256 * shifted(x, 0); @/
    /@ assert by_16: \forall integer x; shifted(x, 16) == 256 * shifted(x, 8); @/
    /@ assert by_24: \forall integer x; shifted(x, 24) == 256 * shifted(x, 16); @/
    /@ assert by_32: \forall integer x; shifted(x, 32) == 256 * shifted(x, 24); @/
    /@ assert by_40: \forall integer x; shifted(x, 40) == 256 * shifted(x, 32); @/
    /@ assert by_48: \forall integer x; shifted(x, 48) == 256 * shifted(x, 40); @/
    /@ assert by_56: \forall integer x; shifted(x, 56) == 256 * shifted(x, 48); @/
}
*/

/*@ // Eight bytes as one number, the first lowest.
    logic integer eight{L}(uint8_t *b, integer at) =
        b[at] + b[at + 1] * 0x100 + b[at + 2] * 0x10000 + b[at + 3] * 0x1000000 + b[at + 4] * 0x100000000
        + b[at + 5] * 0x10000000000 + b[at + 6] * 0x1000000000000 + b[at + 7] * 0x100000000000000;
*/

/* With these shifts compilers make one load of it, where the lowest byte stands first. */
static inline uint64_t assay_eight(const uint8_t *head, uint32_t at)
{
    const uint8_t *b = head + at;
    //@ ghost assay_shifts();
    uint64_t sum = (uint64_t)b[0] + ((uint64_t)b[1] << 8u) + ((uint64_t)b[2] << 16u) + ((uint64_t)b[3] << 24u)
                   + ((uint64_t)b[4] << 32u) + ((uint64_t)b[5] << 40u) + ((uint64_t)b[6] << 48u)
                   + ((uint64_t)b[7] << 56u);
    //@ assert exact: sum == eight(head, at);
    //@ ghost assay_bytes(sum, b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]);
    return sum;
}
