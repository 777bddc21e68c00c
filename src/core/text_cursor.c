/* text_cursor.c: reading the unescaped bytes of a text one by one, or as many as two texts share. */
#include "core.h"

/* Unfolds: value_byte, listed_same, cursor_value, cursor_ok, listed_cursor. */

/* ---- One byte ----------------------------------------------------------------------------------------------- */

/*@ // What is read at a cursor: 0 at the end of the text, else (1 + the byte) * 2^32 + the next cursor.
    predicate symbol_at{L}(uint8_t *b, integer end, integer cursor, integer symbol) =
        \let v = cursor_value(b, cursor, end);
        \let next = symbol % 4294967296;
        symbol / 4294967296 == 1 + value_first(v) && symbol / 4294967296 <= 257 &&
        (symbol != 0 ==> 0 <= value_first(v) && cursor < next <= 4 * end && cursor_ok(b, next, end) &&
         cursor_value(b, next, end) == value_rest(v));
*/

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

/* The byte of an escape. */
/*@ requires head: head_ok(head, end);
    requires cursor: cursor_ok(head, cursor, end);
    requires escape: cursor / 4 < end && head[cursor / 4] == '\\';
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures symbol: symbol_at(head, end, cursor, \result) && \result != 0;
*/
static uint64_t assay_symbol_escaped(const uint8_t *head, uint32_t end, uint32_t cursor)
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

/* A byte that stands for itself, or the end. */
/*@ requires head: head_ok(head, end);
    requires inside: at <= end && (at < end ==> head[at] != '\\');
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures symbol: symbol_at(head, end, 4 * at, \result);
*/
static uint64_t assay_symbol_plain(const uint8_t *head, uint32_t end, uint32_t at)
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

/*@ requires head: head_ok(head, end);
    requires cursor: cursor_ok(head, cursor, end);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures symbol: symbol_at(head, end, cursor, \result);
*/
static uint64_t assay_symbol_any(const uint8_t *head, uint32_t end, uint32_t cursor)
{
    uint32_t at = cursor / 4u;

    if (at < end && head[at] == '\\') {
        return assay_symbol_escaped(head, end, cursor);
    }
    //@ assert whole: cursor == 4 * at;
    return assay_symbol_plain(head, end, at);
}

uint64_t assay_symbol(const uint8_t *head, uint32_t end, uint32_t cursor)
    /*@ ghost (uint32_t list, uint32_t i, uint64_t k) */
{
    //@ ghost assay_value_step(k);
    return assay_symbol_any(head, end, cursor);
}

/* Does the byte at a cursor stand for itself? */
/*@ requires head: head_ok(head, end);
    requires cursor: cursor_ok(head, cursor, end);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures byte: \result ==> cursor / 4 < end && value_first(cursor_value(head, cursor, end)) == head[cursor / 4];
*/
static inline bool assay_is_plain(const uint8_t *head, uint32_t end, uint32_t cursor)
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

uint32_t assay_byte_order(const uint8_t *head, uint32_t end, uint32_t left, uint32_t right)
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

/* `left`, or 0 if two bytes are the same and stand for themselves: a number, so that nothing branches. */
/*@ requires left: left <= ASSAY_BLOCK;
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

/* How many of the next ASSAY_BLOCK bytes at a and b are the same and stand for themselves, up to a difference. All are
 * looked at, and without a branch, so that a compiler may do it with vectors. */
/*@ requires a: a + ASSAY_BLOCK <= ASSAY_END_MAX && \valid_read(head + (a .. a + ASSAY_BLOCK - 1));
    requires b: b + ASSAY_BLOCK <= ASSAY_END_MAX && \valid_read(head + (b .. b + ASSAY_BLOCK - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures inside: \result <= ASSAY_BLOCK;
    ensures run: equal_run(head, a, b, \result);
*/
static inline uint32_t assay_equal_block(const uint8_t *head, uint32_t a, uint32_t b)
{
    const uint8_t *left = head + a;
    const uint8_t *right = head + b;
    uint8_t rest = 0; /* of the block, from the first difference on */

    /*@ loop invariant inside: 0 <= i <= ASSAY_BLOCK && rest <= ASSAY_BLOCK;
        loop invariant equal: \forall integer k; a <= k < a + i ==>
            (head[k] == head[k + (b - a)] && head[k] != '"' && head[k] != '\\') || a + ASSAY_BLOCK - k <= rest;
        loop assigns i, rest;
        loop variant ASSAY_BLOCK - i;
    */
    for (uint8_t i = 0; i < ASSAY_BLOCK; i++) {
        uint8_t other = assay_unequal(left[i], right[i], ASSAY_BLOCK - i);
        rest = rest > other ? rest : other;
    }
    return ASSAY_BLOCK - rest;
}

/* How many equal bytes that stand for themselves there are at a and b, up to a difference, a quote or a backslash. */
/*@ requires head: head_ok(head, end);
    requires inside: a <= end && b <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures inside: a + \result <= end && b + \result <= end;
    ensures run: equal_run(head, a, b, \result);
*/
static uint32_t assay_equal_run(const uint8_t *head, uint32_t end, uint32_t a, uint32_t b)
{
    uint32_t most = end - (a > b ? a : b);
    uint32_t k = 0;

    /*@ loop invariant inside: k <= most;
        loop invariant run: equal_run(head, a, b, k);
        loop assigns k;
        loop variant most - k;
    */
    while (most - k >= ASSAY_BLOCK) {
        uint32_t run = assay_equal_block(head, a + k, b + k);
        //@ assert run: equal_run(head, a, b, k + run);
        k += run;
        if (run < ASSAY_BLOCK) {
            return k;
        }
    }
    /*@ loop invariant inside: k <= most;
        loop invariant run: equal_run(head, a, b, k);
        loop assigns k;
        loop variant most - k;
    */
    while (k < most && head[a + k] == head[b + k] && head[a + k] != '"' && head[a + k] != '\\') {
        k++;
    }
    return k;
}

uint32_t assay_text_run(const uint8_t *head, uint32_t end, uint32_t left, uint32_t right)
    /*@ ghost (uint32_t list, uint32_t i, uint32_t j, uint64_t k) */
{
    uint32_t run = assay_equal_run(head, end, left / 4u, right / 4u);

    //@ ghost assay_cursor_plain(head, end, left);
    //@ ghost assay_cursor_plain(head, end, right);
    //@ ghost assay_same_run(head, end, left / 4, right / 4, run, k);
    //@ assert left: (left + 4 * run) / 4 == left / 4 + run && (left + 4 * run) % 4 == 0;
    //@ assert right: (right + 4 * run) / 4 == right / 4 + run && (right + 4 * run) % 4 == 0;
    //@ ghost assay_cursor_plain(head, end, (uint32_t)(left + 4 * run));
    //@ ghost assay_cursor_plain(head, end, (uint32_t)(right + 4 * run));
    return run;
}
