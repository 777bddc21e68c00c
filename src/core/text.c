/* text.c: strings of the header after the lexer: what they say once unescaped.
 *
 * A text begins behind its opening quote and ends at the first quote that no backslash escapes. It is
 * read as units: a byte that stands for itself, or an escape, which stands for the UTF-8 of its code
 * point. Texts are compared by their unescaped bytes; for well-formed UTF-8 that is by their code
 * points. The UTF-8 of an escape never begins with a continuation byte,
 * so an escape is matched by a whole sequence or not at all.
 *
 * Every function is total: bytes that the lexer would not let pass give some result, never a bad access.
 */
#include "core.h"

uint32_t assay_text_end(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t i = at;

    //@ ghost assay_text_end_closed(head, at, end);
    /*@ loop invariant inside: at <= i <= end;
        loop invariant exact: text_end(head, at, end) == text_end(head, i, end);
        loop assigns i;
        loop variant end - i;
    */
    while (i < end && head[i] != '"') {
        //@ ghost assay_text_end_step(head, i, end);
        if (head[i] == '\\' && end - i > 1) {
            i += 2;
        } else {
            i += 1;
        }
    }
    //@ ghost assay_text_end_step(head, i, end);
    return i;
}

/* Compares the UTF-8 of a code point with what stands at bytes[at .. size): -1, 0 (all of it agrees) or 1. */
/*@ requires code: code <= 0x10FFFF;
    requires inside: at <= size;
    requires readable: \valid_read(bytes + (0 .. size - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures sign: -1 <= \result <= 1;
    ensures inside: \result == 0 ==> utf8_width(code) <= size - at;
    ensures spells: \result == 0 <==> spells(bytes, at, size, code);
    ensures order: \result != 0 ==> \forall integer x; 0 <= x ==>
        value_order(digits(code, x), bytes_value(bytes, at, size)) == \result;
*/
static int assay_text_order_code(const uint8_t *bytes, uint64_t at, uint64_t size, uint32_t code)
{
    uint32_t width = assay_utf8_width(code);
    uint32_t k;

    /*@ loop invariant inside: k <= width && k <= size - at;
        loop invariant first: k >= 1 ==> bytes[at] == utf8_byte(code, 0);
        loop invariant second: k >= 2 ==> bytes[at + 1] == utf8_byte(code, 1);
        loop invariant third: k >= 3 ==> bytes[at + 2] == utf8_byte(code, 2);
        loop invariant fourth: k >= 4 ==> bytes[at + 3] == utf8_byte(code, 3);
        loop assigns k;
        loop variant width - k;
    */
    for (k = 0; k < width; k++) {
        //@ ghost assay_digits_order(bytes, at, size, code, k);
        uint32_t byte = assay_utf8_byte(code, k);

        if (k >= size - at) {
            return 1;
        }
        if (byte != bytes[at + k]) {
            return byte < bytes[at + k] ? -1 : 1;
        }
    }
    return 0;
}

/* `at` is not the end of its text. */
/*@ requires inside: at <= end;
    requires head: head_ok(head, end);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures value: \result <==> text_value(head, at, end) != 0;
    ensures more: \result <==> at < end && head[at] != '"';
*/
static bool assay_text_more(const uint8_t *head, uint32_t at, uint32_t end)
{
    //@ ghost assay_text_some(head, at, end);
    return at < end && head[at] != '"';
}

int assay_text_order(const uint8_t *head, uint32_t at, uint32_t end, const uint8_t *bytes, uint64_t size)
{
    uint32_t i = at;
    uint64_t j = 0;

    //@ ghost assay_text_natural(head, at, end);
    //@ ghost assay_bytes_natural(bytes, size);
    //@ ghost assay_digit_order();
    /*@ loop invariant inside: at <= i <= end && j <= size;
        loop invariant same: text_value(head, i, end) == bytes_value(bytes, j, size) <==>
            text_value(head, at, end) == bytes_value(bytes, 0, size);
        loop invariant exact: value_order(text_value(head, i, end), bytes_value(bytes, j, size)) ==
            value_order(text_value(head, at, end), bytes_value(bytes, 0, size));
        loop assigns i, j;
        loop variant end - i;
    */
    while (assay_text_more(head, i, end)) {
        //@ ghost assay_text_step(head, i, end);
        //@ ghost assay_bytes_step(bytes, j, size);
        //@ ghost assay_digit_same();
        if (j >= size) {
            return 1;
        }
        if (head[i] != '\\') {
            if (head[i] != bytes[j]) {
                return head[i] < bytes[j] ? -1 : 1;
            }
            i++;
            j++;
        } else {
            uint64_t unit = assay_decode(head, i, end);
            uint32_t code = (uint32_t)(unit / 4294967296u);
            int order = assay_text_order_code(bytes, j, size, code);

            //@ ghost assay_bytes_spelled(bytes, j, size, code);
            //@ ghost assay_digits_same(code, code);
            //@ ghost assay_digits_agree(bytes, j, size, code);
            if (order != 0) {
                return order;
            }
            i = (uint32_t)(unit % 4294967296u);
            j += assay_utf8_width(code);
        }
    }
    //@ ghost assay_bytes_step(bytes, j, size);
    //@ ghost assay_digit_same();
    return j == size ? 0 : -1;
}
