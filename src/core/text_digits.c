/* text_digits.c: what the proofs know of an escape's part in a text's value. Ghost functions, no code. */
#include "core.h"

/* Unfolds: digits, hash_put. */

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

/@ requires code: code <= 0x10FFFF && k < utf8_width(code);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures byte: \result == utf8_byte(code, k) <= 255;
   ensures follows: k > 0 ==> 0x80 <= \result <= 0xBF;
@/
uint32_t assay_digits_byte(uint32_t code, uint32_t k)
{
    uint32_t shift = code < 0x80 ? 0 : code < 0x800 ? 1 - k : code < 0x10000 ? 2 - k : 3 - k;
    uint32_t rest = shift == 0 ? code : shift == 1 ? code / 64 : shift == 2 ? code / 4096 : code / 262144;

    if (k > 0) {
        return 0x80 + rest % 64;
    }
    return code < 0x80 ? rest : code < 0x800 ? 0xC0 + rest : code < 0x10000 ? 0xE0 + rest : 0xF0 + rest;
}

/@ requires inside: at <= end && 0x80 <= byte <= 0xBF;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures other: !(at < end && head[at] == byte) ==>
       \forall integer x; digit(byte, x) != text_value(head, at, end);
@/
void assay_text_other(const uint8_t *head, uint32_t at, uint32_t end, uint32_t byte)
{
    assay_digit_same();
    assay_text_step(head, at, end);
    assay_escape_range(head, at, end);
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
    assay_digit_hash();
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

    assay_digit_hash();
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

void assay_bytes_eight(const uint8_t *bytes, uint64_t at, uint64_t size, uint64_t secret, uint64_t hash)
{
    assay_digit_hash();
    assay_bytes_natural(bytes, size);
    assay_bytes_step(bytes, at, size);
    assay_bytes_step(bytes, at + 1, size);
    assay_bytes_step(bytes, at + 2, size);
    assay_bytes_step(bytes, at + 3, size);
    assay_bytes_step(bytes, at + 4, size);
    assay_bytes_step(bytes, at + 5, size);
    assay_bytes_step(bytes, at + 6, size);
    assay_bytes_step(bytes, at + 7, size);
}

void assay_text_plain(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_digit_hash();
    assay_text_natural(head, at, end);
    assay_text_step(head, at, end);
}

void assay_text_eight(const uint8_t *head, uint32_t at, uint32_t end, uint64_t secret, uint64_t hash)
{
    assay_digit_hash();
    assay_text_natural(head, at, end);
    assay_text_plain(head, at, end);
    /@ assert one: hash_value(text_value(head, at, end), secret, hash, 0, 1) == hash_value(
         text_value(head, at + 1, end), secret, hash, head[at], 256); @/
    assay_text_plain(head, at + 1, end);
    /@ assert two: hash_value(text_value(head, at, end), secret, hash, 0, 1) == hash_value(
         text_value(head, at + 2, end), secret, hash, head[at] + 256 * head[at + 1], 65536); @/
    assay_text_plain(head, at + 2, end);
    /@ assert three: hash_value(text_value(head, at, end), secret, hash, 0, 1) == hash_value(
         text_value(head, at + 3, end), secret, hash, head[at] + 256 * head[at + 1] +
         65536 * head[at + 2], 16777216); @/
    assay_text_plain(head, at + 3, end);
    /@ assert four: hash_value(text_value(head, at, end), secret, hash, 0, 1) == hash_value(
         text_value(head, at + 4, end), secret, hash, head[at] + 256 * head[at + 1] + 65536 * head[at + 2] +
         16777216 * head[at + 3], 4294967296); @/
    assay_text_plain(head, at + 4, end);
    /@ assert five: hash_value(text_value(head, at, end), secret, hash, 0, 1) == hash_value(
         text_value(head, at + 5, end), secret, hash, head[at] + 256 * head[at + 1] + 65536 * head[at + 2] +
         16777216 * head[at + 3] + 4294967296 * head[at + 4], 1099511627776); @/
    assay_text_plain(head, at + 5, end);
    /@ assert six: hash_value(text_value(head, at, end), secret, hash, 0, 1) == hash_value(
         text_value(head, at + 6, end), secret, hash, head[at] + 256 * head[at + 1] + 65536 * head[at + 2] +
         16777216 * head[at + 3] + 4294967296 * head[at + 4] + 1099511627776 * head[at + 5], 281474976710656); @/
    assay_text_plain(head, at + 6, end);
    /@ assert seven: hash_value(text_value(head, at, end), secret, hash, 0, 1) == hash_value(
         text_value(head, at + 7, end), secret, hash, head[at] + 256 * head[at + 1] + 65536 * head[at + 2] +
         16777216 * head[at + 3] + 4294967296 * head[at + 4] + 1099511627776 * head[at + 5] +
         281474976710656 * head[at + 6], 72057594037927936); @/
    assay_text_step(head, at + 7, end);
}

void assay_bytes_last(const uint8_t *bytes, uint64_t at, uint64_t size)
{
    uint64_t i;

    assay_digit_hash();
    assay_bytes_natural(bytes, size);
    /@ loop invariant inside: at <= i <= size;
       loop invariant steps: \forall integer k; at <= k < i ==>
           bytes_value(bytes, k, size) == digit(bytes[k], bytes_value(bytes, k + 1, size));
       loop assigns i;
       loop variant size - i;
    @/
    for (i = at; i < size; i++) {
        assay_bytes_step(bytes, i, size);
    }
    assay_bytes_step(bytes, size, size);
}

void assay_text_bytes(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end)
{
    uint32_t i = close;

    assay_text_step(head, close, end);
    assay_bytes_step(head + at, close - at, close - at);
    /@ loop invariant inside: at <= i <= close;
       loop invariant same: text_value(head, i, end) == bytes_value(head + at, i - at, close - at);
       loop assigns i;
       loop variant i;
    @/
    while (i > at) {
        assay_text_step(head, i - 1, end);
        assay_bytes_step(head + at, i - 1 - at, close - at);
        i--;
    }
}

void assay_text_some(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_digit_same();
    assay_text_step(head, at, end);
    assay_escape_range(head, at, end);
}

void assay_text_spelled(const uint8_t *head, uint32_t at, uint32_t end, uint32_t code)
{
    assay_digit_same();
    assay_text_step(head, at, end);
    if (code >= 0x80u) {
        assay_text_step(head, at + 1, end);
        assay_text_other(head, at + 1, end, assay_digits_byte(code, 1));
        if (code >= 0x800u && end - at > 1) {
            assay_text_step(head, at + 2, end);
            assay_text_other(head, at + 2, end, assay_digits_byte(code, 2));
            if (code >= 0x10000u && end - at > 2) {
                assay_text_step(head, at + 3, end);
                assay_text_other(head, at + 3, end, assay_digits_byte(code, 3));
            }
        }
    }
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
    assay_digit_hash();
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
    assay_digit_hash();
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
