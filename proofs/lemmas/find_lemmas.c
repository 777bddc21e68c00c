/* find_lemmas.c: how the order of texts agrees with value_order, which look-up computes. Ghost functions, no code. */
#include "core.h"

/* Unfolds: value_first, value_rest, value_after, value_byte, value_order, same_bytes, text_less, digit. */

/*@ ghost
void assay_order_at(uint64_t k)
{
    /@ assert step: \forall integer v; value_after(v, k + 1) == value_rest(value_after(v, k)); @/
}

void assay_bytes_less(const uint8_t *bytes, uint64_t size)
{
    uint64_t k = 0;

    assay_bytes_natural(bytes, size);
    /@ loop invariant inside: 0 <= k <= size;
       loop invariant after: value_after(bytes_value(bytes, 0, size), k) == bytes_value(bytes, k, size);
       loop invariant same: \forall integer v; same_bytes(bytes_value(bytes, 0, size), v, k) ==>
           value_order(v, bytes_value(bytes, 0, size)) ==
           value_order(value_after(v, k), value_after(bytes_value(bytes, 0, size), k));
       loop invariant less: \forall integer v, x; 0 <= x < k && same_bytes(bytes_value(bytes, 0, size), v, x) &&
           value_byte(bytes_value(bytes, 0, size), x) < value_byte(v, x) ==>
           value_order(v, bytes_value(bytes, 0, size)) == 1;
       loop invariant more: \forall integer v, x; 0 <= x < k && same_bytes(bytes_value(bytes, 0, size), v, x) &&
           value_byte(bytes_value(bytes, 0, size), x) > value_byte(v, x) ==>
           value_order(v, bytes_value(bytes, 0, size)) == -1;
       loop assigns k;
       loop variant size - k;
    @/
    while (k < size) {
        assay_bytes_step(bytes, k, size);
        assay_order_at(k);
        /@ assert fewer: \forall integer v; same_bytes(bytes_value(bytes, 0, size), v, k + 1) ==>
             same_bytes(bytes_value(bytes, 0, size), v, k) &&
             value_byte(bytes_value(bytes, 0, size), k) == value_byte(v, k) &&
             0 <= value_byte(bytes_value(bytes, 0, size), k); @/
        k++;
    }
    assay_bytes_step(bytes, size, size);
    /@ assert end: value_byte(bytes_value(bytes, 0, size), size) == -1; @/
    /@ assert last: \forall integer v, x; same_bytes(bytes_value(bytes, 0, size), v, x) ==> x <= size; @/
    if (size < UINT64_MAX) {
        assay_order_at(size);
    }
    /@ assert turned: \forall integer v, x; same_bytes(v, bytes_value(bytes, 0, size), x) ==>
         same_bytes(bytes_value(bytes, 0, size), v, x); @/
}
*/
