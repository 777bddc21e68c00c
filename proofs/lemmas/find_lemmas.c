/* find_lemmas.c: where bytes that are looked up are in a list of texts. Ghost functions, no code. */
#include "core.h"

/* Unfolds: value_first, value_after, value_byte, same_bytes, text_less, listed_before. */

/*@ ghost
void assay_same_none(void)
{
}

void assay_bytes_after(const uint8_t *bytes, uint64_t size, uint64_t k)
{
    uint64_t x = 0;

    assay_bytes_natural(bytes, size);
    assay_value_first();
    /@ loop invariant inside: 0 <= x <= k;
       loop invariant after: value_after(bytes_value(bytes, 0, size), x) == bytes_value(bytes, x, size);
       loop assigns x;
       loop variant k - x;
    @/
    while (x < k) {
        assay_bytes_step(bytes, x, size);
        assay_value_step(x);
        x++;
    }
}

void assay_plain_skip(const uint8_t *head, uint32_t end, uint32_t at, uint32_t count)
{
    uint32_t x = 0;

    assay_text_natural(head, at, end);
    assay_value_first();
    /@ loop invariant inside: 0 <= x <= count;
       loop invariant after: equal_run(head, at, at, count) ==>
           value_after(text_value(head, at, end), x) == text_value(head, at + x, end);
       loop assigns x;
       loop variant count - x;
    @/
    while (x < count) {
        assay_text_step(head, at + x, end);
        assay_value_step(x);
        x++;
    }
}

void assay_common_between(const uint8_t *head, uint32_t end, uint32_t list, uint32_t i, uint32_t j, uint32_t l,
                          const uint8_t *bytes, uint64_t size, uint64_t k, uint64_t m, uint64_t count)
{
    uint64_t x = 0;

    /@ loop invariant inside: 0 <= x <= count;
       loop invariant same: listed_before(head, end, list, i, j) && listed_before(head, end, list, j, l) &&
           same_bytes(listed_value(head, end, list, i), bytes_value(bytes, 0, size), k) &&
           same_bytes(listed_value(head, end, list, l), bytes_value(bytes, 0, size), m) ==>
           same_bytes(listed_value(head, end, list, j), bytes_value(bytes, 0, size), x);
       loop assigns x;
       loop variant count - x;
    @/
    while (x < count) {
        x++;
    }
}

void assay_none_between(const uint8_t *head, uint32_t end, uint32_t list, const uint32_t *place, uint32_t n,
                        uint32_t low, const uint8_t *bytes, uint64_t size)
{
    /@ assert turned: \forall integer v, w; text_less(v, w) ==> !text_less(w, v); @/
    /@ assert below: listed_order(head, end, list, place, n) && 0 < low ==> \forall integer x; 0 <= x < low - 1 ==>
         listed_before(head, end, list, place[x], place[low - 1]); @/
    /@ assert above: listed_order(head, end, list, place, n) && low < n ==> \forall integer x; low < x < n ==>
         listed_before(head, end, list, place[low], place[x]); @/
}
*/
