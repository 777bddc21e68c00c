/* string.c: strings of the header: escapes, UTF-8, the closing quote. Rules H1 header_early, H5 control, H6 utf8,
 * H7 escape, H8 surrogate, H9 nul. */
#include "core.h"

/* Unfolds: text_plain, utf8_end, escape_end, escape, utf8, character. */

/* ---- Escapes ------------------------------------------------------------------------------------------------- */

/* The value of a hexadecimal digit, and a mark above it; 0 for other bytes. */
static const uint32_t assay_hex_table[256] = {
    ['0'] = 0x10000, ['1'] = 0x10001, ['2'] = 0x10002, ['3'] = 0x10003, ['4'] = 0x10004, ['5'] = 0x10005,
    ['6'] = 0x10006, ['7'] = 0x10007, ['8'] = 0x10008, ['9'] = 0x10009, ['a'] = 0x1000A, ['b'] = 0x1000B,
    ['c'] = 0x1000C, ['d'] = 0x1000D, ['e'] = 0x1000E, ['f'] = 0x1000F, ['A'] = 0x1000A, ['B'] = 0x1000B,
    ['C'] = 0x1000C, ['D'] = 0x1000D, ['E'] = 0x1000E, ['F'] = 0x1000F,
};

/* The character that a backslash and this byte mean, \u aside; 0 for other bytes. */
static const uint8_t assay_short_table[256] = {
    ['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = 0x08, ['f'] = 0x0C, ['n'] = 0x0A, ['r'] = 0x0D, ['t'] = 0x09,
};

/* No function with a pointer reads the tables, so the proof need not assume that they are apart. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures digit: hex_value(c) >= 0 ==> \result == 0x10000 + hex_value(c);
    ensures other: hex_value(c) < 0 ==> \result == 0;
*/
static inline uint32_t assay_hex_digit(uint8_t c)
{
    return assay_hex_table[c];
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == escape_code(c);
*/
static inline uint32_t assay_short_escape(uint8_t c)
{
    return assay_short_table[c];
}

#define ASSAY_HEX_FOUR 0x11110000u /* the marks of four digits */

/* Return the number that the four digits of the \u at pos make, and their marks; less than ASSAY_HEX_FOUR if one of
 * them is no digit. */
/*@ requires readable: \valid_read(head + (pos .. pos + 5));
    requires pos: pos <= ASSAY_END_MAX;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures digits: four_digits(head, pos) ==>
        \result == ASSAY_HEX_FOUR + hex_code(head, pos) && 0 <= hex_code(head, pos) <= 0xFFFF;
    ensures other: !four_digits(head, pos) ==> \result < ASSAY_HEX_FOUR;
*/
static inline uint32_t assay_hex4(const uint8_t *head, uint32_t pos)
{
    const uint8_t *escape = head + pos;
    return assay_hex_digit(escape[2]) * 4096u + assay_hex_digit(escape[3]) * 256u + assay_hex_digit(escape[4]) * 16u
        + assay_hex_digit(escape[5]);
}

/* Return whether a number of assay_hex4 is a code point by itself. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result <==> ASSAY_HEX_FOUR < code < ASSAY_HEX_FOUR + 0xD800 || ASSAY_HEX_FOUR + 0xE000 <= code;
*/
static inline bool assay_is_alone(uint32_t code)
{
    return (code > ASSAY_HEX_FOUR && code < ASSAY_HEX_FOUR + 0xD800u) || code >= ASSAY_HEX_FOUR + 0xE000u;
}

/* Return the low surrogate whose escape is at pos; 0 if another thing is there. */
/*@ requires readable: \valid_read(head + (pos .. pos + 5));
    requires pos: 6 <= pos <= ASSAY_END_MAX;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures some: \result != 0 ==> 0xDC00 <= \result <= 0xDFFF && \result == hex_code(head, pos)
        && \forall integer end; pos + 6 <= end ==> low_end(head, pos - 6, end) == pos + 6;
    ensures none: \result == 0 ==>
        \forall integer end; pos + 6 <= end ==> low_end(head, pos - 6, end) == stop(E_SURROGATE, pos - 6);
*/
static inline uint32_t assay_low_surrogate(const uint8_t *head, uint32_t pos)
{
    uint32_t code = assay_hex4(head, pos);
    return head[pos] == '\\' && head[pos + 1u] == 'u' && code >= ASSAY_HEX_FOUR + 0xDC00u
               && code < ASSAY_HEX_FOUR + 0xE000u ? code - ASSAY_HEX_FOUR : 0;
}

/* Return whether c may be byte k of a \u escape and of the low surrogate after it. */
/*@ requires k: 1 <= k < 12;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures first: k == 1 ==> (\result == 1 <==> c == 'u');
    ensures digit: 2 <= k < 6 ==> (\result == 1 <==> hex_value(c) >= 0);
    ensures low: k >= 6 ==> \result == low_surrogate_byte(k - 6, c);
*/
static bool assay_is_escape_byte(uint32_t k, uint8_t c)
{
    return k == 1u || k == 7u ? c == 'u' : k == 6u ? c == '\\' : k == 8u ? c == 'd' || c == 'D'
        : assay_hex_digit(c) >= (k == 9u ? 0x1000Cu : 1u);
}

/* Read the escape at pos whose first four digits, `code` of assay_hex4, make no character: they may begin a surrogate
 * pair. Return as assay_escape does. */
/*@ requires head: head_ok(head, end);
    requires pos: pos + 6 <= end;
    requires escape: head[pos + 1] == 'u';
    requires digits: four_digits(head, pos) ==> code == ASSAY_HEX_FOUR + hex_code(head, pos) &&
        (hex_code(head, pos) == 0 || 0xD800 <= hex_code(head, pos) <= 0xDFFF);
    requires other: !four_digits(head, pos) ==> code < ASSAY_HEX_FOUR;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == escape(head, pos, end);
*/
static uint64_t assay_surrogates(const uint8_t *head, uint32_t pos, uint32_t end, uint32_t code)
{
    if (code > ASSAY_HEX_FOUR && code < ASSAY_HEX_FOUR + 0xDC00u && end - pos >= 12u) {
        uint32_t low = assay_low_surrogate(head, pos + 6u);
        if (low != 0) {
            return ASSAY_UNIT(0x10000u + (code - ASSAY_HEX_FOUR - 0xD800u) * 1024u + (low - 0xDC00u), pos + 12u);
        }
    }
    return ASSAY_UNIT(ASSAY_REPLACEMENT, pos + 1u);
}

/* Read the escape whose backslash is at pos: return its code point and the next offset, ASSAY_UNIT. What is
 * ill-formed is U+FFFD, one byte long; assay_escape_fault returns what stops it. O(1). */
/*@ requires head: head_ok(head, end);
    requires pos: pos < end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == escape(head, pos, end);
*/
static inline uint64_t assay_escape(const uint8_t *head, uint32_t pos, uint32_t end)
{
    if (end - pos >= 6u && head[pos + 1u] == 'u') {
        uint32_t code = assay_hex4(head, pos);
        return assay_is_alone(code) ? ASSAY_UNIT(code - ASSAY_HEX_FOUR, pos + 6u)
            : assay_surrogates(head, pos, end, code);
    }
    uint32_t code = end - pos >= 2u ? assay_short_escape(head[pos + 1u]) : 0;
    return code != 0 ? ASSAY_UNIT(code, pos + 2u) : ASSAY_UNIT(ASSAY_REPLACEMENT, pos + 1u);
}

static assay_step assay_escape_fault(const uint8_t *head, uint32_t pos, uint32_t end)
{
    /*@ loop invariant k: 1 <= k <= 11 && pos + k <= end;
        loop invariant first: k >= 2 ==> head[pos + 1] == 'u';
        loop invariant digits: (k >= 3 ==> hex_step(head, pos, end, 0) == pos + 3)
            && (k >= 4 ==> hex_step(head, pos, end, 1) == pos + 4)
            && (k >= 5 ==> hex_step(head, pos, end, 2) == pos + 5)
            && (k >= 6 ==> hex_end(head, pos, end) == pos + 6 && 0xD800 <= hex_code(head, pos) <= 0xDBFF);
        loop invariant low: (k >= 7 ==> low_step(head, pos, end, 0) == pos + 7)
            && (k >= 8 ==> low_step(head, pos, end, 1) == pos + 8)
            && (k >= 9 ==> low_step(head, pos, end, 2) == pos + 9)
            && (k >= 10 ==> low_step(head, pos, end, 3) == pos + 10)
            && (k >= 11 ==> low_step(head, pos, end, 4) == pos + 11);
        loop invariant cost: assay_work <= \at(assay_work, Pre) + k - 1;
        loop assigns k, assay_work;
        loop variant 12 - k;
    */
    for (uint32_t k = 1; pos + k < end; k++) {
        //@ ghost assay_spend();
        if (!assay_is_escape_byte(k, head[pos + k])) {
            return ASSAY_STOP(k < 6u ? ASSAY_E_ESCAPE : ASSAY_E_SURROGATE, pos);
        }
        uint32_t code = k == 5u ? assay_hex4(head, pos) : ASSAY_HEX_FOUR + 0xD800u;
        if (code == ASSAY_HEX_FOUR || code >= ASSAY_HEX_FOUR + 0xDC00u) {
            return ASSAY_STOP(code == ASSAY_HEX_FOUR ? ASSAY_E_NUL : ASSAY_E_SURROGATE, pos);
        }
    }
    return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
}

/* ---- UTF-8, as RFC 3629 has it ----------------------------------------------------------------------------- */

static inline assay_step assay_utf8(const uint8_t *head, uint32_t pos, uint32_t end)
{
    uint8_t lead = head[pos];
    uint32_t size = lead < 0xC2u || lead > 0xF4u ? 0 : lead < 0xE0u ? 2u : lead < 0xF0u ? 3u : 4u;
    uint8_t low = lead == 0xE0u ? 0xA0u : lead == 0xF0u ? 0x90u : 0x80u; /* the range of the next byte */
    uint8_t high = lead == 0xEDu ? 0x9Fu : lead == 0xF4u ? 0x8Fu : 0xBFu;

    /*@ loop invariant k: 1 <= k <= 4 && (k < size ==> pos + k <= end);
        loop invariant size: size == 0 || size == utf8_tails(lead) + 1 && k <= size && 2 <= size <= 4;
        loop invariant second: k == 1 ==> low == utf8_second_low(lead) && high == utf8_second_high(lead);
        loop invariant later: k >= 2 ==> low == 0x80 && high == 0xBF;
        loop invariant tails: size != 0 ==> pos + k <= end && (k >= 2 ==> utf8_tail(lead, 1, head[pos + 1]) == 1)
            && (k >= 3 ==> utf8_tail(lead, 2, head[pos + 2]) == 1)
            && (k >= 4 ==> utf8_tail(lead, 3, head[pos + 3]) == 1);
        loop invariant cost: assay_work <= \at(assay_work, Pre) + k - 1;
        loop assigns k, low, high, assay_work;
        loop variant 4 - k;
    */
    for (uint32_t k = 1; k < size; k++) {
        //@ ghost assay_spend();
        if (pos + k == end) {
            //@ assert cut: utf8_end(head, pos, end) == early(end);
            return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
        }
        if (head[pos + k] < low || head[pos + k] > high) {
            //@ assert wrong: utf8_end(head, pos, end) == stop(E_UTF8, pos);
            return ASSAY_STOP(ASSAY_E_UTF8, pos);
        }
        low = 0x80;
        high = 0xBF;
    }
    //@ assert two: size == 2 ==> utf8_end(head, pos, end) == pos + 2;
    //@ assert three: size == 3 ==> utf8_end(head, pos, end) == pos + 3;
    //@ assert four: size == 4 ==> utf8_end(head, pos, end) == pos + 4;
    return size == 0 ? ASSAY_STOP(ASSAY_E_UTF8, pos) : pos + size;
}

static uint32_t assay_utf8_width(uint32_t code)
{
    return code < 0x80u ? 1u : code < 0x800u ? 2u : code < 0x10000u ? 3u : 4u;
}

static inline uint32_t assay_utf8_byte(uint32_t code, uint32_t k)
{
    if (k == 0) {
        return code < 0x80u ? code : code < 0x800u ? 0xC0u + code / 64u
            : code < 0x10000u ? 0xE0u + code / 4096u : 0xF0u + code / 262144u;
    }
    uint32_t left = assay_utf8_width(code) - 1u - k; /* bytes that follow this one */
    return 0x80u + (left == 0 ? code : left == 1 ? code / 64u : code / 4096u) % 64u;
}

static uint64_t assay_utf8_unit(const uint8_t *head, uint32_t pos, uint32_t end)
{
    uint32_t code = head[pos];
    assay_step next = assay_utf8(head, pos, end);
    if (next >= ASSAY_STOPPED) {
        return ASSAY_UNIT(ASSAY_REPLACEMENT, pos + 1u);
    }
    /*@ loop invariant i: pos + 1 <= i <= next && i <= pos + 4;
        loop invariant one: i == pos + 1 ==> code == head[pos];
        loop invariant two: i == pos + 2 ==> code == head[pos] * 64 + head[pos + 1];
        loop invariant three: i == pos + 3 ==> code == head[pos] * 4096 + head[pos + 1] * 64 + head[pos + 2];
        loop invariant four: i == pos + 4 ==>
            code == head[pos] * 262144 + head[pos + 1] * 4096 + head[pos + 2] * 64 + head[pos + 3];
        loop invariant cost: assay_work <= \at(assay_work, Pre) + 3 + i - pos - 1;
        loop assigns i, code, assay_work;
        loop variant next - i;
    */
    for (uint32_t i = pos + 1u; i < next; i++) {
        //@ ghost assay_spend();
        code = code * 64u + head[i];
    }
    /* Without the marks of the bytes, which are the same in all sequences of a size. */
    code -= next - pos == 2u ? 0x3080u : next - pos == 3u ? 0xE2080u : 0x3C82080u;
    //@ assert value: code == utf8_value(head, pos) && 0x80 <= code <= 0x10FFFF;
    //@ assert code: (code * 4294967296 + next) / 4294967296 == code;
    //@ assert next: (code * 4294967296 + next) % 4294967296 == next;
    return ASSAY_UNIT(code, next);
}

static uint64_t assay_decode(const uint8_t *head, uint32_t pos, uint32_t end)
{
    uint8_t lead = head[pos];
    if (lead == '\\') {
        //@ ghost assay_escape_range(head, pos, end);
        return assay_escape(head, pos, end);
    }
    return lead < 0x80u ? ASSAY_UNIT(lead, pos + 1u) : assay_utf8_unit(head, pos, end);
}

/* ---- The string ---------------------------------------------------------------------------------------------- */

#define ASSAY_BLOCK 16u /* bytes that a compiler can put into one vector */

/* Return the larger of `rest` and `left`; `rest` if c is a plain character. Without a branch. */
/*@ requires left: left <= 3 * ASSAY_BLOCK;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures plain: plain_byte(c) ==> \result == rest;
    ensures other: !plain_byte(c) ==> \result == \max(left, rest);
*/
static inline uint8_t assay_rest(uint8_t rest, uint8_t c, uint32_t left)
{
    uint8_t other = (uint8_t)((c < 0x20u || c >= 0x80u || c == '"' || c == '\\') * left);
    return other > rest ? other : rest;
}

/* Return how many bytes of one block, or of three, come before the first that is no plain character. All are examined,
 * without a branch, so that a compiler may use vectors. */
/*@ requires size: size == ASSAY_BLOCK || size == 3 * ASSAY_BLOCK;
    requires block: \valid_read(head + (pos .. pos + size - 1));
    requires pos: pos + size <= ASSAY_END_MAX;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures inside: \result <= size;
    ensures plain: \forall integer k; pos <= k < pos + \result ==> plain_byte(head[k]);
    ensures other: \result < size ==> !plain_byte(head[pos + \result]);
    ensures cost: assay_work <= \old(assay_work) + ASSAY_BLOCK;
*/
static inline uint32_t assay_plain_run(const uint8_t *head, uint32_t pos, uint32_t size)
{
    const uint8_t *block = head + pos;
    uint8_t rest = 0; /* of these bytes, from that byte on */

    /*@ loop invariant i: 0 <= i <= ASSAY_BLOCK && rest <= size;
        loop invariant first: \forall integer k; pos <= k < pos + i ==>
            plain_byte(head[k]) || pos + size - k <= rest;
        loop invariant second: size > ASSAY_BLOCK ==>
            \forall integer k; pos + ASSAY_BLOCK <= k < pos + ASSAY_BLOCK + i ==>
                plain_byte(head[k]) || pos + size - k <= rest;
        loop invariant third: size > ASSAY_BLOCK ==>
            \forall integer k; pos + 2 * ASSAY_BLOCK <= k < pos + 2 * ASSAY_BLOCK + i ==>
                plain_byte(head[k]) || pos + size - k <= rest;
        loop invariant other: rest != 0 ==> !plain_byte(head[pos + size - rest]);
        loop invariant cost: assay_work <= \at(assay_work, Pre) + i;
        loop assigns i, rest, assay_work;
        loop variant ASSAY_BLOCK - i;
    */
    for (uint8_t i = 0; i < ASSAY_BLOCK; i++) {
        //@ ghost assay_spend();
        rest = assay_rest(rest, block[i], size - i);
        if (size > ASSAY_BLOCK) {
            rest = assay_rest(rest, block[ASSAY_BLOCK + i], 2u * ASSAY_BLOCK - i);
            rest = assay_rest(rest, block[2u * ASSAY_BLOCK + i], ASSAY_BLOCK - i);
        }
    }
    return size - rest;
}

#define ASSAY_NAME_SIZE (3u * ASSAY_BLOCK) /* most names end within these */

static uint32_t assay_plain_end(const uint8_t *head, uint32_t pos, uint32_t end)
{
    uint32_t run = ASSAY_NAME_SIZE;

    /*@ loop invariant pos: \at(pos, Pre) <= pos <= end;
        loop invariant plain: \forall integer k; \at(pos, Pre) <= k < pos ==> plain_byte(head[k]);
        loop invariant same: string_end(head, \at(pos, Pre), end) == string_end(head, pos, end);
        loop invariant cost: assay_work <= \at(assay_work, Pre) + pos - \at(pos, Pre) +
            (run == ASSAY_NAME_SIZE ? 0 : 17);
        loop assigns pos, run, assay_work;
        loop variant end - pos + run;
    */
    while (run == ASSAY_NAME_SIZE && end - pos > ASSAY_NAME_SIZE) {
        //@ ghost assay_spend();
        run = assay_plain_run(head, pos, ASSAY_NAME_SIZE);
        //@ ghost assay_string_plain(head, pos, run, end);
        pos += run;
    }
    //@ ghost assay_string_step(head, pos, end);
    return pos;
}

static assay_step assay_string_rest(const uint8_t *head, uint32_t pos, uint32_t end)
{
    /*@ loop invariant pos: \at(pos, Pre) <= pos <= end;
        loop invariant exact: string_end(head, \at(pos, Pre), end) == string_end(head, pos, end);
        loop invariant cost: assay_work <= \at(assay_work, Pre) + 17 * (pos - \at(pos, Pre));
        loop assigns pos, assay_work;
        loop variant end - pos;
    */
    while (pos < end && head[pos] != '"') {
        //@ ghost assay_spend();
        //@ ghost assay_string_step(head, pos, end);
        uint8_t c = head[pos];
        if (c == '\\') {
            //@ ghost assay_escape_range(head, pos, end);
            uint32_t next = (uint32_t)(assay_escape(head, pos, end) % 4294967296u);
            if (next == pos + 1u) {
                return assay_escape_fault(head, pos, end);
            }
            pos = next;
        } else if (c < 0x20u) {
            return ASSAY_STOP(ASSAY_E_CONTROL, pos);
        } else if (c >= 0x80u) {
            assay_step next = assay_utf8(head, pos, end);
            if (next >= ASSAY_STOPPED) {
                return next;
            }
            pos = (uint32_t)next;
        } else {
            uint32_t run = end - pos > ASSAY_BLOCK ? assay_plain_run(head, pos, ASSAY_BLOCK) : 1u;
            //@ ghost assay_string_plain(head, pos, run, end);
            pos += run;
        }
    }
    //@ ghost assay_string_step(head, pos, end);
    return pos < end ? pos : ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
}

static assay_step assay_string(const uint8_t *head, uint32_t pos, uint32_t end)
{
    /* Most strings are plain, and end within one block. */
    if (end - pos > ASSAY_BLOCK) {
        uint32_t run = head[pos] == '"' ? 0 : assay_plain_run(head, pos, ASSAY_BLOCK);
        //@ ghost assay_string_plain(head, pos, run, end);
        pos += run;
        //@ ghost assay_string_step(head, pos, end);
        if (head[pos] == '"') {
            return pos;
        }
    }
    return assay_string_rest(head, pos, end);
}
