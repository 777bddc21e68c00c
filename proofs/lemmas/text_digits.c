/* text_digits.c: what the proofs know of an escape's part in a text's value. Ghost functions, no code. */
#include "core.h"

/* Unfolds: digits. */

/*@ ghost
void assay_digits_same(uint32_t a, uint32_t b)
{
    assay_digit_same();
    /@ assert width: utf8_byte(a, 0) == utf8_byte(b, 0) ==> utf8_width(a) == utf8_width(b); @/
    /@ assert two: utf8_width(a) == utf8_width(b) == 2 && utf8_byte(a, 0) == utf8_byte(b, 0) &&
         utf8_byte(a, 1) == utf8_byte(b, 1) ==> a == b; @/
    /@ assert three: utf8_width(a) == utf8_width(b) == 3 && utf8_byte(a, 0) == utf8_byte(b, 0) &&
         utf8_byte(a, 1) == utf8_byte(b, 1) && utf8_byte(a, 2) == utf8_byte(b, 2) ==> a == b; @/
    /@ assert four: utf8_width(a) == utf8_width(b) == 4 && utf8_byte(a, 0) == utf8_byte(b, 0) &&
         utf8_byte(a, 1) == utf8_byte(b, 1) && utf8_byte(a, 2) == utf8_byte(b, 2) &&
         utf8_byte(a, 3) == utf8_byte(b, 3) ==> a == b; @/
    /@ assert first: \forall integer x, y; digits(a, x) == digits(b, y) ==>
         utf8_byte(a, 0) == utf8_byte(b, 0); @/
    /@ assert code: \forall integer x, y; digits(a, x) == digits(b, y) ==> a == b; @/
    /@ assert rest: \forall integer x, y; digits(a, x) == digits(a, y) ==> x == y; @/
}

/@ requires inside: at <= end;
   requires natural: \forall integer i; at < i <= end ==> 0 <= text_value(head, i, end);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures natural: 0 <= text_value(head, at, end);
@/
void assay_text_natural_step(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_digit_natural();
    assay_text_step(head, at, end);
    assay_escape_range(head, at, end);
}

void assay_text_natural(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t i = end;

    assay_text_natural_step(head, end, end);
    /@ loop invariant inside: at <= i <= end;
       loop invariant natural: \forall integer j; i <= j <= end ==> 0 <= text_value(head, j, end);
       loop assigns i;
       loop variant i;
    @/
    while (i > at) {
        assay_text_natural_step(head, i - 1, end);
        i--;
    }
}

void assay_bytes_natural(const uint8_t *bytes, uint64_t size)
{
    uint64_t i = size;

    assay_digit_natural();
    assay_bytes_step(bytes, size, size);
    /@ loop invariant inside: 0 <= i <= size;
       loop invariant natural: \forall integer j; i <= j <= size ==> 0 <= bytes_value(bytes, j, size);
       loop assigns i;
       loop variant i;
    @/
    while (i > 0) {
        assay_bytes_step(bytes, i - 1, size);
        i--;
    }
}

void assay_text_some(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_digit_same();
    assay_text_step(head, at, end);
    assay_escape_range(head, at, end);
}

void assay_bytes_spelled(const uint8_t *bytes, uint64_t at, uint64_t size, uint32_t code)
{
    assay_digit_same();
    assay_bytes_step(bytes, at, size);
    if (size - at >= 1) {
        assay_bytes_step(bytes, at + 1, size);
        if (size - at >= 2) {
            assay_bytes_step(bytes, at + 2, size);
            if (size - at >= 3) {
                assay_bytes_step(bytes, at + 3, size);
            }
        }
    }
}

void assay_digits_order(const uint8_t *bytes, uint64_t at, uint64_t size, uint32_t code, uint32_t k)
{
    assay_digit_order();
    assay_digit_natural();
    assay_bytes_natural(bytes, size);
    assay_bytes_step(bytes, at, size);
    if (k >= 1) {
        assay_bytes_step(bytes, at + 1, size);
        /@ assert second: bytes[at] == utf8_byte(code, 0); @/
    }
    if (k >= 2) {
        assay_bytes_step(bytes, at + 2, size);
        /@ assert third: bytes[at + 1] == utf8_byte(code, 1); @/
    }
    if (k >= 3) {
        assay_bytes_step(bytes, at + 3, size);
        /@ assert fourth: bytes[at + 2] == utf8_byte(code, 2); @/
    }
    /@ assert none: k == 0 && k < size - at && bytes[at + k] != utf8_byte(code, k) ==> \forall integer x; 0 <= x ==>
         value_order(digits(code, x), bytes_value(bytes, at, size))
         == (utf8_byte(code, k) < bytes[at + k] ? -1 : 1); @/
    /@ assert one: k == 1 && k < size - at && bytes[at + k] != utf8_byte(code, k) ==> \forall integer x; 0 <= x ==>
         value_order(digits(code, x), bytes_value(bytes, at, size))
         == (utf8_byte(code, k) < bytes[at + k] ? -1 : 1); @/
    /@ assert two: k == 2 && k < size - at && bytes[at + k] != utf8_byte(code, k) ==> \forall integer x; 0 <= x ==>
         value_order(digits(code, x), bytes_value(bytes, at, size))
         == (utf8_byte(code, k) < bytes[at + k] ? -1 : 1); @/
    /@ assert three: k == 3 && k < size - at && bytes[at + k] != utf8_byte(code, k) ==> \forall integer x; 0 <= x ==>
         value_order(digits(code, x), bytes_value(bytes, at, size))
         == (utf8_byte(code, k) < bytes[at + k] ? -1 : 1); @/
}

void assay_digits_agree(const uint8_t *bytes, uint64_t at, uint64_t size, uint32_t code)
{
    assay_digit_order();
    assay_digit_natural();
    assay_bytes_natural(bytes, size);
    assay_bytes_step(bytes, at, size);
    if (size - at >= 1) {
        assay_bytes_step(bytes, at + 1, size);
        if (size - at >= 2) {
            assay_bytes_step(bytes, at + 2, size);
            if (size - at >= 3) {
                assay_bytes_step(bytes, at + 3, size);
            }
        }
    }
    /@ assert one: spells(bytes, at, size, code) && utf8_width(code) == 1 ==> \forall integer x; 0 <= x ==>
         value_order(digits(code, x), bytes_value(bytes, at, size))
         == value_order(x, bytes_value(bytes, at + 1, size)); @/
    /@ assert two: spells(bytes, at, size, code) && utf8_width(code) == 2 ==> \forall integer x; 0 <= x ==>
         value_order(digits(code, x), bytes_value(bytes, at, size))
         == value_order(x, bytes_value(bytes, at + 2, size)); @/
    /@ assert three: spells(bytes, at, size, code) && utf8_width(code) == 3 ==> \forall integer x; 0 <= x ==>
         value_order(digits(code, x), bytes_value(bytes, at, size))
         == value_order(x, bytes_value(bytes, at + 3, size)); @/
    /@ assert four: spells(bytes, at, size, code) && utf8_width(code) == 4 ==> \forall integer x; 0 <= x ==>
         value_order(digits(code, x), bytes_value(bytes, at, size))
         == value_order(x, bytes_value(bytes, at + 4, size)); @/
}
*/
