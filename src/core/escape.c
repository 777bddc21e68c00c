/* Escapes: those of RFC 8259, no NUL, surrogates in pairs only; what they stand for.
 * Rules H1 header_early, H7 escape, H8 surrogate, H9 nul. */
#include "core.h"

/* Unfolds: escape, escape_end. */

#define ASSAY_HEX_FOUR 0x11110000u /* the marks of four digits, each in its place */

/* Of a hexadecimal digit its value, and a mark above it; of other bytes 0. */
static const uint32_t assay_hex_table[256] = {
    ['0'] = 0x10000, ['1'] = 0x10001, ['2'] = 0x10002, ['3'] = 0x10003, ['4'] = 0x10004, ['5'] = 0x10005,
    ['6'] = 0x10006, ['7'] = 0x10007, ['8'] = 0x10008, ['9'] = 0x10009, ['a'] = 0x1000A, ['b'] = 0x1000B,
    ['c'] = 0x1000C, ['d'] = 0x1000D, ['e'] = 0x1000E, ['f'] = 0x1000F, ['A'] = 0x1000A, ['B'] = 0x1000B,
    ['C'] = 0x1000C, ['D'] = 0x1000D, ['E'] = 0x1000E, ['F'] = 0x1000F,
};

/* What a backslash and a byte stand for, \u aside; 0: nothing. */
const uint8_t assay_short_table[256] = {
    ['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = 0x08, ['f'] = 0x0C, ['n'] = 0x0A, ['r'] = 0x0D, ['t'] = 0x09,
};

/* No function that is given a pointer reads the tables: so the proof need not take them for apart from it. */
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

inline uint32_t assay_short_escape(uint8_t c)
{
    return assay_short_table[c];
}

/* The number that the four digits of the \u at `at` give, and their marks: less than ASSAY_HEX_FOUR if one is none. */
/*@ requires readable: \valid_read(head + (at .. at + 5));
    requires at: at <= ASSAY_END_MAX;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures digits: four_digits(head, at) ==>
        \result == ASSAY_HEX_FOUR + hex_code(head, at) && 0 <= hex_code(head, at) <= 0xFFFF;
    ensures other: !four_digits(head, at) ==> \result < ASSAY_HEX_FOUR;
*/
static inline uint32_t assay_hex4(const uint8_t *head, uint32_t at)
{
    const uint8_t *escape = head + at;
    return assay_hex_digit(escape[2]) * 4096u + assay_hex_digit(escape[3]) * 256u + assay_hex_digit(escape[4]) * 16u
        + assay_hex_digit(escape[5]);
}

/* Does a number of assay_hex4 stand for itself? */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result <==> ASSAY_HEX_FOUR < code < ASSAY_HEX_FOUR + 0xD800 || ASSAY_HEX_FOUR + 0xE000 <= code;
*/
static inline bool assay_is_alone(uint32_t code)
{
    return (code > ASSAY_HEX_FOUR && code < ASSAY_HEX_FOUR + 0xD800u) || code >= ASSAY_HEX_FOUR + 0xE000u;
}

/* The low surrogate whose escape is head[at .. at + 6); 0: that is another. */
/*@ requires readable: \valid_read(head + (at .. at + 5));
    requires at: 6 <= at <= ASSAY_END_MAX;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures some: \result != 0 ==> 0xDC00 <= \result <= 0xDFFF && \result == hex_code(head, at)
        && \forall integer end; at + 6 <= end ==> low_end(head, at - 6, end) == at + 6;
    ensures none: \result == 0 ==>
        \forall integer end; at + 6 <= end ==> low_end(head, at - 6, end) == stop(E_SURROGATE, at - 6);
*/
static inline uint32_t assay_low_surrogate(const uint8_t *head, uint32_t at)
{
    uint32_t code = assay_hex4(head, at);
    return head[at] == '\\' && head[at + 1u] == 'u' && code >= ASSAY_HEX_FOUR + 0xDC00u
               && code < ASSAY_HEX_FOUR + 0xE000u ? code - ASSAY_HEX_FOUR : 0;
}

uint64_t assay_escape_unit(const uint8_t *head, uint32_t at, uint32_t end)
{
    if (end - at >= 2u && head[at + 1u] != 'u') {
        uint32_t code = assay_short_escape(head[at + 1u]);
        if (code != 0) {
            return ASSAY_UNIT(code, at + 2u);
        }
    } else if (end - at >= 6u) {
        uint32_t code = assay_hex4(head, at);
        if (assay_is_alone(code)) {
            return ASSAY_UNIT(code - ASSAY_HEX_FOUR, at + 6u);
        }
        if (code > ASSAY_HEX_FOUR && code < ASSAY_HEX_FOUR + 0xDC00u && end - at >= 12u) {
            uint32_t low = assay_low_surrogate(head, at + 6u);
            if (low != 0) {
                return ASSAY_UNIT(0x10000u + (code - ASSAY_HEX_FOUR - 0xD800u) * 1024u + (low - 0xDC00u), at + 12u);
            }
        }
    }
    return ASSAY_UNIT(ASSAY_REPLACEMENT, at + 1u);
}

/* May c be byte k of \u and four digits, or of the low surrogate behind them, \uDC00 to \uDFFF? */
/*@ requires k: 2 <= k < 12;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures digit: k < 6 ==> (\result == 1 <==> hex_value(c) >= 0);
    ensures low: k >= 6 ==> \result == low_surrogate_byte(k - 6, c);
*/
static bool assay_is_escape_byte(uint32_t k, uint8_t c)
{
    return k == 6u ? c == '\\' : k == 7u ? c == 'u' : k == 8u ? c == 'd' || c == 'D'
        : assay_hex_digit(c) >= (k == 9u ? 0x1000Cu : 1u);
}

/* The header ends within the digits of the \u at `at`, or within the escape that must follow a high surrogate's, if
 * nothing before that is wrong. */
/*@ requires head: head_ok(head, end);
    requires cut: at + 2 <= end < at + 12;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures digits: end < at + 6 ==> \result == hex_end(head, at, end) > end;
    ensures low: at + 6 <= end ==> \result == low_end(head, at, end) > end;
*/
static assay_step assay_escape_cut(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t first = end - at < 6u ? 2u : 6u;
    /*@ loop invariant k: first <= k && at + k <= end;
        loop invariant digits: first == 2 ==> (k >= 3 ==> hex_step(head, at, end, 0) == at + 3)
            && (k >= 4 ==> hex_step(head, at, end, 1) == at + 4)
            && (k >= 5 ==> hex_step(head, at, end, 2) == at + 5);
        loop invariant low: first == 6 ==> (k >= 7 ==> low_step(head, at, end, 0) == at + 7)
            && (k >= 8 ==> low_step(head, at, end, 1) == at + 8)
            && (k >= 9 ==> low_step(head, at, end, 2) == at + 9)
            && (k >= 10 ==> low_step(head, at, end, 3) == at + 10)
            && (k >= 11 ==> low_step(head, at, end, 4) == at + 11);
        loop assigns k;
        loop variant 12 - k;
    */
    for (uint32_t k = first; at + k < end; k++) {
        if (!assay_is_escape_byte(k, head[at + k])) {
            return ASSAY_STOP(k < 6u ? ASSAY_E_ESCAPE : ASSAY_E_SURROGATE, at);
        }
    }
    return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
}

/* head[at] is a backslash, and what follows no short escape: where that of \u ends. */
/*@ requires head: head_ok(head, end);
    requires at: at + 2 <= end && escape_code(head[at + 1]) == 0;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures after: lands(\result, at + 6, end);
    ensures exact: \result == escape_end(head, at, end);
*/
static inline assay_step assay_unicode_escape(const uint8_t *head, uint32_t at, uint32_t end)
{
    if (head[at + 1u] != 'u') {
        return ASSAY_STOP(ASSAY_E_ESCAPE, at);
    }
    if (end - at < 6u) {
        return assay_escape_cut(head, at, end);
    }
    uint32_t code = assay_hex4(head, at);
    //@ assert digits: hex_end(head, at, end) == (code >= ASSAY_HEX_FOUR ? at + 6 : stop(E_ESCAPE, at));
    if (assay_is_alone(code)) {
        return at + 6u;
    }
    if (code <= ASSAY_HEX_FOUR || code >= ASSAY_HEX_FOUR + 0xDC00u) {
        return ASSAY_STOP(code < ASSAY_HEX_FOUR    ? ASSAY_E_ESCAPE
                          : code == ASSAY_HEX_FOUR ? ASSAY_E_NUL
                                                   : ASSAY_E_SURROGATE, at);
    }
    if (end - at < 12u) {
        return assay_escape_cut(head, at, end);
    }
    return assay_low_surrogate(head, at + 6u) != 0 ? at + 12u : ASSAY_STOP(ASSAY_E_SURROGATE, at);
}

assay_step assay_escape(const uint8_t *head, uint32_t at, uint32_t end)
{
    if (end - at < 2u) {
        return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
    }
    if (assay_short_escape(head[at + 1u]) != 0) {
        return at + 2u;
    }
    return assay_unicode_escape(head, at, end);
}
