/* text_order.c: the order of two texts of the header by their unescaped bytes. */
#include "core.h"

/* Unfolds: listed_upto, listed_common, listed_same. */

assay_comparison assay_texts_rest(const uint8_t *head, uint32_t end, uint32_t left, uint32_t right, uint64_t common)
    /*@ ghost (uint32_t list, uint32_t i, uint32_t j) */
{
    uint64_t k = common, x, y;
    uint32_t c = left, d = right;

    //@ ghost assay_value_bytes();
    //@ ghost assay_listed_natural(head, end, list, i, j, k, left);
    //@ ghost assay_listed_natural(head, end, list, j, i, k, right);
    /*@ loop invariant left: listed_cursor(head, end, list, i, k, c);
        loop invariant right: listed_cursor(head, end, list, j, k, d);
        loop invariant same: listed_same(head, end, list, i, j, k);
        loop assigns k, c, d, x, y;
        loop variant 4 * end + 4 - c;
    */
    do {
        //@ ghost assay_cursor_inside(head, end, list, i, k, c);
        //@ ghost assay_cursor_inside(head, end, list, j, k, d);
        x = assay_symbol(head, end, c) /*@ ghost (list, i, k) */;
        y = assay_symbol(head, end, d) /*@ ghost (list, j, k) */;
        if (x / 4294967296u != y / 4294967296u || x == 0) {
            break;
        }
        //@ ghost assay_same_step(k);
        c = (uint32_t)(x % 4294967296u);
        d = (uint32_t)(y % 4294967296u);
        k++;
        if (c % 4u == 0 && d % 4u == 0) {
            uint32_t run = assay_text_run(head, end, c, d, ASSAY_FEW) /*@ ghost (list, i, j, k) */;
            c += 4u * run;
            d += 4u * run;
            k += run;
        }
    } while (true);
    //@ ghost assay_same_end(k);
    //@ ghost assay_cursor_inside(head, end, list, i, k, c);
    bool less = x / 4294967296u < y / 4294967296u;
    assay_comparison parted = {(uint32_t)k, c, d, less ? 1u : x / 4294967296u > y / 4294967296u ? 2u : 0};
    return parted;
}

inline assay_comparison assay_texts_compare(const uint8_t *head, uint32_t end, uint32_t left, uint32_t right,
                                            uint64_t common)
    /*@ ghost (uint32_t list, uint32_t i, uint32_t j) */
{
    uint32_t part = assay_byte_order(head, end, left, right) /*@ ghost (list, i, j, common) */;

    if (part == 0) {
        return assay_texts_rest(head, end, left, right, common) /*@ ghost (list, i, j) */;
    }
    //@ ghost assay_same_end(common);
    //@ ghost assay_cursor_inside(head, end, list, i, common, left);
    assay_comparison parted = {(uint32_t)common, left, right, part};
    return parted;
}
