/* text_order.c: the unescaped bytes of texts, one by one, and the order of two texts by them. */
#include "core.h"

/* Unfolds: value_byte, listed_same, listed_upto, listed_common, cursor_value, cursor_ok, listed_cursor. */

/* ---- One byte ------------------------------------------------------------------------------------------------ */

static uint64_t assay_symbol_escaped(const uint8_t *head, uint32_t end, uint32_t cursor)
{
    uint64_t unit = assay_decode(head, cursor / 4u, end);
    uint32_t code = (uint32_t)(unit / 4294967296u);
    uint32_t pos = (uint32_t)(unit % 4294967296u);
    uint32_t k = cursor % 4u;

    //@ ghost assay_escape_range(head, cursor / 4, end);
    //@ ghost assay_text_step(head, cursor / 4, end);
    //@ ghost assay_text_natural(head, cursor / 4, end);
    //@ ghost assay_digits_after(code);
    //@ ghost assay_value_step(k);
    //@ ghost assay_value_first();
    uint32_t byte = code < 0x80u ? code : assay_utf8_byte(code, k);
    //@ assert value: text_value(head, cursor / 4, end) == digits(code, text_value(head, pos, end));
    //@ assert byte: value_first(cursor_value(head, cursor, end)) == byte;
    if (code >= 0x80u && k + 1u < assay_utf8_width(code)) {
        //@ assert within: (cursor + 1) / 4 == cursor / 4 && (cursor + 1) % 4 == k + 1;
        //@ assert next: cursor_value(head, cursor + 1, end) == value_rest(cursor_value(head, cursor, end));
        return ASSAY_UNIT(byte + 1u, cursor + 1u);
    }
    //@ assert after: (4 * pos) / 4 == pos && (4 * pos) % 4 == 0;
    //@ assert last: cursor_value(head, 4 * pos, end) == value_rest(cursor_value(head, cursor, end));
    return ASSAY_UNIT(byte + 1u, 4u * pos);
}

static inline uint64_t assay_symbol_any(const uint8_t *head, uint32_t end, uint32_t cursor)
{
    uint32_t pos = cursor / 4u;

    if (pos < end && head[pos] == '\\') {
        return assay_symbol_escaped(head, end, cursor);
    }
    //@ assert whole: cursor == 4 * pos;
    //@ ghost assay_text_step(head, pos, end);
    //@ ghost assay_value_first();
    //@ ghost assay_cursor_plain(head, end, cursor);
    if (pos >= end || head[pos] == '"') {
        return 0;
    }
    //@ ghost assay_text_natural(head, pos, end);
    //@ ghost assay_cursor_plain(head, end, cursor + 4);
    return ASSAY_UNIT(head[pos] + 1u, cursor + 4u);
}

static inline uint64_t assay_symbol(const uint8_t *head, uint32_t end, uint32_t cursor)
    /*@ ghost (uint32_t list, uint32_t i, uint64_t k) */
{
    //@ ghost assay_value_step(k);
    return assay_symbol_any(head, end, cursor);
}

/* ---- A run of equal bytes ------------------------------------------------------------------------------------ */

#define ASSAY_SPAN 32u /* bytes that are compared at once */

/* Return 0 if two bytes are the same and stand for themselves, else `left`. Without a branch. */
/*@ requires left: left <= ASSAY_SPAN;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures equal: x == y && x != '"' && x != '\\' ==> \result == 0;
    ensures other: x != y || x == '"' || x == '\\' ==> \result == left;
*/
static inline uint8_t assay_unequal(uint8_t x, uint8_t y, uint32_t left)
{
    return (uint8_t)((x != y || x == '"' || x == '\\') * left);
}

/* Return how many of ASSAY_SPAN bytes, from byte k on, come before the first that differs or is a quote or a
 * backslash. All are examined, without a branch, so that a compiler may use vectors. */
/*@ requires left: \valid_read(left + (k .. k + ASSAY_SPAN - 1));
    requires right: \valid_read(right + (k .. k + ASSAY_SPAN - 1));
    requires k: k + ASSAY_SPAN <= ASSAY_END_MAX;
    requires run: equal_plain(left, right, k);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures inside: \result <= ASSAY_SPAN;
    ensures run: equal_plain(left, right, k + \result);
*/
static inline uint32_t assay_equal_block(const uint8_t *left, const uint8_t *right, uint32_t k)
{
    const uint8_t *a = left + k;
    const uint8_t *b = right + k;
    uint8_t rest = 0; /* of the block, from that byte on */

    /*@ loop invariant inside: 0 <= i <= ASSAY_SPAN && rest <= ASSAY_SPAN;
        loop invariant equal: \forall integer x; k <= x < k + i ==>
            (left[x] == right[x] && left[x] != '"' && left[x] != '\\') || k + ASSAY_SPAN - x <= rest;
        loop assigns i, rest, assay_work;
        loop variant ASSAY_SPAN - i;
    */
    for (uint8_t i = 0; i < ASSAY_SPAN; i++) {
        //@ ghost assay_spend();
        uint8_t other = assay_unequal(a[i], b[i], ASSAY_SPAN - i);
        rest = rest > other ? rest : other;
    }
    return ASSAY_SPAN - rest;
}

/* Return the same of `most` bytes from byte k on, and k: they are compared one by one. */
/*@ requires left: \valid_read(left + (0 .. most - 1));
    requires right: \valid_read(right + (0 .. most - 1));
    requires inside: k <= most <= ASSAY_END_MAX;
    requires run: equal_plain(left, right, k);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures inside: k <= \result <= most;
    ensures run: equal_plain(left, right, \result);
*/
static inline uint32_t assay_equal_bytes(const uint8_t *left, const uint8_t *right, uint32_t k, uint32_t most)
{
    /*@ loop invariant inside: \at(k, Pre) <= k <= most;
        loop invariant run: equal_plain(left, right, k);
        loop assigns k, assay_work;
        loop variant most - k;
    */
    while (k < most && left[k] == right[k] && left[k] != '"' && left[k] != '\\') {
        //@ ghost assay_spend();
        k++;
    }
    return k;
}

static uint32_t assay_equal_run(const uint8_t *left, const uint8_t *right, uint32_t few, uint32_t most)
{
    uint32_t k = 0;

    if (few != 0 && few <= most) {
        k = assay_equal_bytes(left, right, 0, few);
        if (k < few) {
            return k;
        }
    }
    /*@ loop invariant inside: k <= most;
        loop invariant run: equal_plain(left, right, k);
        loop assigns k, assay_work;
        loop variant most - k;
    */
    while (most - k >= ASSAY_SPAN) {
        //@ ghost assay_spend();
        uint32_t run = assay_equal_block(left, right, k);
        k += run;
        if (run < ASSAY_SPAN) {
            return k;
        }
    }
    return assay_equal_bytes(left, right, k, most);
}

static uint32_t assay_text_run(const uint8_t *head, uint32_t end, uint32_t left, uint32_t right, uint32_t few)
    /*@ ghost (uint32_t list, uint32_t i, uint32_t j, uint64_t k) */
{
    uint32_t most = end - (left > right ? left : right) / 4u;
    uint32_t run = assay_equal_run(head + left / 4u, head + right / 4u, few, most);

    //@ ghost assay_equal_shift(head, left / 4, right / 4, run);
    //@ ghost assay_cursor_plain(head, end, left);
    //@ ghost assay_cursor_plain(head, end, right);
    //@ ghost assay_same_run(head, end, left / 4, right / 4, run, k);
    //@ assert left: (left + 4 * run) / 4 == left / 4 + run && (left + 4 * run) % 4 == 0;
    //@ assert right: (right + 4 * run) / 4 == right / 4 + run && (right + 4 * run) % 4 == 0;
    //@ ghost assay_cursor_plain(head, end, (uint32_t)(left + 4 * run));
    //@ ghost assay_cursor_plain(head, end, (uint32_t)(right + 4 * run));
    return run;
}

/* ---- Two texts ----------------------------------------------------------------------------------------------- */

static assay_comparison assay_texts_rest(const uint8_t *head, uint32_t end, uint32_t left, uint32_t right,
                                         uint64_t common)
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
        loop assigns k, c, d, x, y, assay_work;
        loop variant 4 * end + 4 - c;
    */
    do {
        //@ ghost assay_spend();
        //@ ghost assay_cursor_inside(head, end, list, i, k, c);
        if (c % 4u == 0 && d % 4u == 0 && c / 4u < end && head[c / 4u] != '\\') {
            uint32_t run = assay_text_run(head, end, c, d, ASSAY_FEW) /*@ ghost (list, i, j, k) */;
            c += 4u * run;
            d += 4u * run;
            k += run;
        }
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
    } while (true);
    //@ ghost assay_same_end(k);
    //@ ghost assay_cursor_inside(head, end, list, i, k, c);
    bool less = x / 4294967296u < y / 4294967296u;
    assay_comparison parted = {(uint32_t)k, c, d, less ? 1u : x / 4294967296u > y / 4294967296u ? 2u : 0};
    return parted;
}

static inline assay_comparison assay_texts_compare(const uint8_t *head, uint32_t end, uint32_t left, uint32_t right,
                                                   uint64_t common)
    /*@ ghost (uint32_t list, uint32_t i, uint32_t j) */
{
    if (left / 4u < end && right / 4u < end) {
        uint8_t x = head[left / 4u], y = head[right / 4u];
        if (x != y && x != '"' && x != '\\' && y != '"' && y != '\\') {
            //@ ghost assay_cursor_byte(head, end, left);
            //@ ghost assay_cursor_byte(head, end, right);
            //@ ghost assay_same_end(common);
            //@ ghost assay_cursor_inside(head, end, list, i, common, left);
            assay_comparison parted = {(uint32_t)common, left, right, x < y ? 1u : 2u};
            return parted;
        }
    }
    return assay_texts_rest(head, end, left, right, common) /*@ ghost (list, i, j) */;
}
