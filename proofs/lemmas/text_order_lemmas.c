/* text_order_lemmas.c: what the proofs know of the bytes of a value. Ghost functions, no code. */
#include "core.h"

/* Unfolds: value_first, value_rest, digit, digits, value_after, value_byte, same_bytes,
 * common_bytes, text_less, listed_same, listed_value, listed_cursor, cursor_ok, cursor_value. */

/*@ ghost
void assay_value_bytes(void)
{
}

void assay_value_first(void)
{
}

void assay_value_step(uint64_t k)
{
}

void assay_digits_after(uint32_t code)
{
    assay_value_first();
    /@ assert one: \forall integer v; value_after(v, 1) == value_rest(v); @/
    /@ assert two: \forall integer v; value_after(v, 2) == value_rest(value_rest(v)); @/
    /@ assert three: \forall integer v; value_after(v, 3) == value_rest(value_rest(value_rest(v))); @/
    /@ assert four: \forall integer v; value_after(v, 4) == value_rest(value_rest(value_rest(value_rest(v)))); @/
    /@ assert some: \forall integer byte, rest; 0 <= byte && 0 <= rest ==> 0 <= digit(byte, rest); @/
    /@ assert natural: \forall integer k; 0 <= k < utf8_width(code) ==> 0 <= utf8_byte(code, k) <= 255; @/
}

void assay_value_same(uint64_t k)
{
    uint64_t x = k;

    /@ loop invariant inside: x <= k;
       loop invariant same: \forall integer v, w; 0 <= v && 0 <= w && same_bytes(v, w, k) &&
           value_byte(v, k) == -1 && value_byte(w, k) == -1 ==> value_after(v, x) == value_after(w, x);
       loop assigns x;
       loop variant x;
    @/
    while (x > 0) {
        x--;
        /@ assert parts: \forall integer v; 0 <= value_byte(v, x) ==>
             value_after(v, x) == 1 + value_byte(v, x) + 257 * value_after(v, x + 1); @/
    }
}

void assay_same_step(uint64_t k)
{
}

void assay_same_end(uint64_t k)
{
    assay_value_same(k);
    /@ assert turned: \forall integer v, w; same_bytes(v, w, k) ==> same_bytes(w, v, k); @/
}

void assay_cursor_plain(const uint8_t *head, uint32_t end, uint32_t cursor)
{
    assay_value_first();
}

void assay_cursor_byte(const uint8_t *head, uint32_t end, uint32_t cursor)
{
    assay_text_step(head, cursor / 4, end);
    assay_value_first();
    assay_cursor_plain(head, end, cursor);
    assay_text_natural(head, cursor / 4, end);
}

void assay_equal_at(const uint8_t *left, const uint8_t *right, uint32_t count, uint32_t i)
{
}

void assay_equal_shift(const uint8_t *head, uint32_t a, uint32_t b, uint32_t count)
{
    uint32_t i = 0;

    /@ loop invariant inside: 0 <= i <= count;
       loop invariant run: equal_run(head, a, b, i);
       loop assigns i;
       loop variant count - i;
    @/
    while (i < count) {
        assay_equal_at(head + a, head + b, count, i);
        /@ assert byte: (head + a)[i] == (head + b)[i] && (head + a)[i] != 0x22 && (head + a)[i] != 0x5C; @/
        /@ assert here: head[a + i] == head[a + i + (b - a)] && head[a + i] != 0x22 && head[a + i] != 0x5C; @/
        i++;
    }
}

void assay_same_run(const uint8_t *head, uint32_t end, uint32_t a, uint32_t b, uint32_t count, uint64_t k)
{
    uint32_t i = 0;

    assay_value_first();
    assay_text_natural(head, a, end);
    assay_text_natural(head, b, end);
    /@ loop invariant inside: 0 <= i <= count;
       loop invariant left: \forall integer v; value_after(v, k) == text_value(head, a, end) ==>
           value_after(v, k + i) == text_value(head, a + i, end);
       loop invariant right: \forall integer v; value_after(v, k) == text_value(head, b, end) ==>
           value_after(v, k + i) == text_value(head, b + i, end);
       loop invariant same: \forall integer v, w; value_after(v, k) == text_value(head, a, end) &&
           value_after(w, k) == text_value(head, b, end) && same_bytes(v, w, k) ==> same_bytes(v, w, k + i);
       loop assigns i;
       loop variant count - i;
    @/
    while (i < count) {
        assay_value_step(k + i);
        assay_same_step(k + i);
        assay_text_step(head, a + i, end);
        assay_text_step(head, b + i, end);
        /@ assert byte: head[a + i] == head[b + i] && head[a + i] != 0x22 && head[a + i] != 0x5C; @/
        /@ assert a: value_first(text_value(head, a + i, end)) == head[a + i] &&
             value_rest(text_value(head, a + i, end)) == text_value(head, a + i + 1, end); @/
        /@ assert b: value_first(text_value(head, b + i, end)) == head[a + i] &&
             value_rest(text_value(head, b + i, end)) == text_value(head, b + i + 1, end); @/
        i++;
    }
}

void assay_cursor_inside(const uint8_t *head, uint32_t end, uint32_t list, uint32_t i, uint64_t k, uint32_t cursor)
{
}

void assay_listed_natural(const uint8_t *head, uint32_t end, uint32_t list, uint32_t i, uint32_t j, uint64_t k,
                          uint32_t cursor)
{
    assay_value_first();
    assay_text_natural(head, cursor / 4, end);
    /@ assert none: k == 0 ==> value_after(listed_value(head, end, list, i), k) == listed_value(head, end, list, i); @/
    /@ assert whole: cursor % 4 == 0 ==> cursor_value(head, cursor, end) == text_value(head, cursor / 4, end); @/
    /@ assert natural: 0 <= cursor_value(head, cursor, end); @/
    /@ assert byte: k > 0 ==> 0 <= value_byte(listed_value(head, end, list, i), 0); @/
}

void assay_cursor_first(const uint8_t *head, uint32_t end, uint32_t list, uint32_t i, uint32_t at)
{
    /@ assert whole: (4 * at) / 4 == at && (4 * at) % 4 == 0; @/
}
*/
