/* text_cursor.c: reading the unescaped bytes of a text one by one, or as many as two texts share. */
#include "core.h"

/* Unfolds: value_byte, listed_same, cursor_value, cursor_ok, listed_cursor. */

/* ---- One byte ----------------------------------------------------------------------------------------------- */

/*@ ghost
/@ requires cursor: cursor % 4 == 0 && cursor / 4 <= end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures ok: cursor_ok(head, cursor, end);
   ensures value: cursor_value(head, cursor, end) == text_value(head, cursor / 4, end);
@/
static void assay_cursor_plain(const uint8_t *head, uint32_t end, uint32_t cursor)
{
    assay_value_first();
}
*/

uint64_t assay_symbol_escaped(const uint8_t *head, uint32_t end, uint32_t cursor)
{
    uint64_t unit = assay_escape_unit(head, cursor / 4u, end);
    uint32_t code = (uint32_t)(unit / 4294967296u);
    uint32_t at = (uint32_t)(unit % 4294967296u);
    uint32_t k = cursor % 4u;

    //@ ghost assay_escape_range(head, cursor / 4, end);
    //@ ghost assay_text_step(head, cursor / 4, end);
    //@ ghost assay_text_natural(head, cursor / 4, end);
    //@ ghost assay_digits_after(code);
    //@ ghost assay_value_step(k);
    //@ ghost assay_value_first();
    uint32_t byte = assay_utf8_byte(code, k);
    //@ assert value: text_value(head, cursor / 4, end) == digits(code, text_value(head, at, end));
    //@ assert byte: value_first(cursor_value(head, cursor, end)) == byte;
    if (k + 1u < assay_utf8_width(code)) {
        //@ assert within: (cursor + 1) / 4 == cursor / 4 && (cursor + 1) % 4 == k + 1;
        //@ assert next: cursor_value(head, cursor + 1, end) == value_rest(cursor_value(head, cursor, end));
        return (byte + 1u) * UINT64_C(4294967296) + cursor + 1u;
    }
    //@ assert after: (4 * at) / 4 == at && (4 * at) % 4 == 0;
    //@ assert last: cursor_value(head, 4 * at, end) == value_rest(cursor_value(head, cursor, end));
    return (byte + 1u) * UINT64_C(4294967296) + 4u * at;
}

inline uint64_t assay_symbol_plain(const uint8_t *head, uint32_t end, uint32_t at)
{
    //@ ghost assay_text_step(head, at, end);
    //@ ghost assay_value_first();
    //@ ghost assay_cursor_plain(head, end, 4 * at);
    if (at >= end || head[at] == '"') {
        return 0;
    }
    //@ ghost assay_text_natural(head, at, end);
    //@ ghost assay_cursor_plain(head, end, 4 * at + 4);
    return (head[at] + 1u) * UINT64_C(4294967296) + 4u * at + 4u;
}

inline uint64_t assay_symbol_any(const uint8_t *head, uint32_t end, uint32_t cursor)
{
    uint32_t at = cursor / 4u;

    if (at < end && head[at] == '\\') {
        return assay_symbol_escaped(head, end, cursor);
    }
    //@ assert whole: cursor == 4 * at;
    return assay_symbol_plain(head, end, at);
}

inline uint64_t assay_symbol(const uint8_t *head, uint32_t end, uint32_t cursor)
    /*@ ghost (uint32_t list, uint32_t i, uint64_t k) */
{
    //@ ghost assay_value_step(k);
    return assay_symbol_any(head, end, cursor);
}

inline bool assay_is_plain(const uint8_t *head, uint32_t end, uint32_t cursor)
{
    uint32_t at = cursor / 4u;

    //@ ghost assay_text_step(head, at, end);
    //@ ghost assay_value_first();
    if (at >= end || head[at] == '"' || head[at] == '\\') {
        return false;
    }
    //@ ghost assay_cursor_plain(head, end, cursor);
    //@ ghost assay_text_natural(head, at, end);
    return true;
}

inline uint32_t assay_byte_order(const uint8_t *head, uint32_t end, uint32_t left, uint32_t right)
    /*@ ghost (uint32_t list, uint32_t i, uint32_t j, uint64_t k) */
{
    if (!assay_is_plain(head, end, left) || !assay_is_plain(head, end, right)) {
        return 0;
    }
    uint8_t x = head[left / 4u];
    uint8_t y = head[right / 4u];
    return x < y ? 1u : x > y ? 2u : 0;
}

/* ---- A run of equal bytes that stand for themselves ---------------------------------------------------------- */

#define ASSAY_SPAN 32u /* bytes that are compared at once */

/* `left`, or 0 if two bytes are the same and stand for themselves: a number, so that nothing branches. */
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

/* How many of the next ASSAY_SPAN bytes at a and b are the same and stand for themselves, up to a difference. All are
 * looked at, and without a branch, so that a compiler may do it with vectors. */
/*@ requires a: a + ASSAY_SPAN <= ASSAY_END_MAX && \valid_read(head + (a .. a + ASSAY_SPAN - 1));
    requires b: b + ASSAY_SPAN <= ASSAY_END_MAX && \valid_read(head + (b .. b + ASSAY_SPAN - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures inside: \result <= ASSAY_SPAN;
    ensures run: equal_run(head, a, b, \result);
*/
static inline uint32_t assay_equal_block(const uint8_t *head, uint32_t a, uint32_t b)
{
    const uint8_t *left = head + a;
    const uint8_t *right = head + b;
    uint8_t rest = 0; /* of the block, from the first difference on */

    /*@ loop invariant inside: 0 <= i <= ASSAY_SPAN && rest <= ASSAY_SPAN;
        loop invariant equal: \forall integer k; a <= k < a + i ==>
            (head[k] == head[k + (b - a)] && head[k] != '"' && head[k] != '\\') || a + ASSAY_SPAN - k <= rest;
        loop assigns i, rest;
        loop variant ASSAY_SPAN - i;
    */
    for (uint8_t i = 0; i < ASSAY_SPAN; i++) {
        uint8_t other = assay_unequal(left[i], right[i], ASSAY_SPAN - i);
        rest = rest > other ? rest : other;
    }
    return ASSAY_SPAN - rest;
}

/* Return where bytes at a and b part, that stand for themselves: k, or after it and not beyond `most`. */
/*@ requires head: \valid_read(head + (a .. a + most - 1)) && \valid_read(head + (b .. b + most - 1));
    requires inside: a + most <= ASSAY_END_MAX && b + most <= ASSAY_END_MAX;
    requires run: equal_run(head, a, b, k);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures inside: k <= \result && (\result <= most || \result == k);
    ensures run: equal_run(head, a, b, \result);
*/
static inline uint32_t assay_equal_bytes(const uint8_t *head, uint32_t a, uint32_t b, uint32_t k, uint32_t most)
{
    /*@ loop invariant inside: \at(k, Pre) <= k && (k <= most || k == \at(k, Pre));
        loop invariant run: equal_run(head, a, b, k);
        loop assigns k;
        loop variant most - k;
    */
    while (k < most && head[a + k] == head[b + k] && head[a + k] != '"' && head[a + k] != '\\') {
        k++;
    }
    return k;
}

/* Return how many equal bytes that stand for themselves there are at a and b, up to a difference, a quote or a
 * backslash: the first `few` one by one. */
/*@ requires head: head_ok(head, end);
    requires inside: a <= end && b <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures inside: a + \result <= end && b + \result <= end;
    ensures run: equal_run(head, a, b, \result);
*/
static uint32_t assay_equal_run(const uint8_t *head, uint32_t end, uint32_t a, uint32_t b, uint32_t few)
{
    uint32_t most = end - (a > b ? a : b);
    uint32_t k = 0;

    if (few != 0 && few <= most) {
        k = assay_equal_bytes(head, a, b, 0, few);
        if (k < few) {
            return k;
        }
    }
    /*@ loop invariant inside: k <= most;
        loop invariant run: equal_run(head, a, b, k);
        loop assigns k;
        loop variant most - k;
    */
    while (most - k >= ASSAY_SPAN) {
        uint32_t run = assay_equal_block(head, a + k, b + k);
        //@ assert run: equal_run(head, a, b, k + run);
        k += run;
        if (run < ASSAY_SPAN) {
            return k;
        }
    }
    return assay_equal_bytes(head, a, b, k, most);
}

uint32_t assay_text_run(const uint8_t *head, uint32_t end, uint32_t left, uint32_t right, uint32_t few)
    /*@ ghost (uint32_t list, uint32_t i, uint32_t j, uint64_t k) */
{
    uint32_t run = assay_equal_run(head, end, left / 4u, right / 4u, few);

    //@ ghost assay_cursor_plain(head, end, left);
    //@ ghost assay_cursor_plain(head, end, right);
    //@ ghost assay_same_run(head, end, left / 4, right / 4, run, k);
    //@ assert left: (left + 4 * run) / 4 == left / 4 + run && (left + 4 * run) % 4 == 0;
    //@ assert right: (right + 4 * run) / 4 == right / 4 + run && (right + 4 * run) % 4 == 0;
    //@ ghost assay_cursor_plain(head, end, (uint32_t)(left + 4 * run));
    //@ ghost assay_cursor_plain(head, end, (uint32_t)(right + 4 * run));
    return run;
}
