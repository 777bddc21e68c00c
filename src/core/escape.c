/* Escapes: those of RFC 8259, no NUL, surrogates in pairs only; what they stand for.
 * Rules H1 header_early, H7 escape, H8 surrogate, H9 nul. */
#include "core.h"

/* Unfolds: escape_end. */

#define ASSAY_HEX_CUT 65536u /* the header ends within the four digits */
#define ASSAY_HEX_BAD 65537u /* one of them is no hexadecimal digit */

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == 1 <==> hex_byte(c);
    ensures value: \result == 1 <==> hex_value(c) >= 0;
*/
static bool assay_is_hex(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/*@ requires hex: hex_byte(c);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures digit: 0 <= \result <= 15;
    ensures exact: \result == hex_value(c);
*/
static uint32_t assay_hex_digit(uint8_t c)
{
    if (c >= 'a') {
        return (uint32_t)c - 'a' + 10u;
    }
    if (c >= 'A') {
        return (uint32_t)c - 'A' + 10u;
    }
    return (uint32_t)c - '0';
}

/* The number that four hexadecimal digits give, or ASSAY_HEX_CUT, ASSAY_HEX_BAD. */
/*@ requires head: head_ok(head, end);
    requires at: 2 <= at <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures value: \result <= ASSAY_HEX_BAD;
    ensures whole: \result < ASSAY_HEX_CUT ==> at + 4 <= end;
    ensures cut: \result == ASSAY_HEX_CUT ==> hex_end(head, at - 2, end) == early(end);
    ensures bad: \result == ASSAY_HEX_BAD ==> hex_end(head, at - 2, end) == stop(E_ESCAPE, at - 2);
    ensures exact: \result < ASSAY_HEX_CUT ==>
        hex_end(head, at - 2, end) == at + 4 && \result == hex_code(head, at - 2);
*/
static uint32_t assay_hex4(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t value = 0;
    /*@ loop invariant k: 0 <= k <= 4 && (k > 0 ==> at + k <= end);
        loop invariant value: (k == 0 ==> value == 0) && (k == 1 ==> value <= 0xF) && (k == 2 ==> value <= 0xFF)
            && (k == 3 ==> value <= 0xFFF) && value <= 0xFFFF;
        loop invariant digits: (k >= 1 ==> hex_value(head[at]) >= 0)
            && (k >= 2 ==> hex_value(head[at + 1]) >= 0)
            && (k >= 3 ==> hex_value(head[at + 2]) >= 0)
            && (k >= 4 ==> hex_value(head[at + 3]) >= 0);
        loop invariant sum: (k == 1 ==> value == hex_value(head[at]))
            && (k == 2 ==> value == 16 * hex_value(head[at]) + hex_value(head[at + 1]))
            && (k == 3 ==> value == 256 * hex_value(head[at]) + 16 * hex_value(head[at + 1])
                + hex_value(head[at + 2]))
            && (k == 4 ==> value == hex_code(head, at - 2));
        loop assigns k, value;
        loop variant 4 - k;
    */
    for (uint32_t k = 0; k < 4; k++) {
        if (at + k >= end) {
            return ASSAY_HEX_CUT;
        }
        if (!assay_is_hex(head[at + k])) {
            return ASSAY_HEX_BAD;
        }
        value = value * 16u + assay_hex_digit(head[at + k]);
    }
    return value;
}

/* May c be byte k of the escape of a low surrogate, \uDC00 to \uDFFF? */
/*@ requires k: k < 6;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == low_surrogate_byte(k, c);
*/
static bool assay_is_low_surrogate(uint32_t k, uint8_t c)
{
    if (k == 0) {
        return c == '\\';
    }
    if (k == 1) {
        return c == 'u';
    }
    if (k == 2) {
        return c == 'd' || c == 'D';
    }
    return assay_is_hex(c) && (k > 3 || c >= 'c' || (c >= 'C' && c <= 'F'));
}

/* head[at .. at + 6) is the escape of a high surrogate: behind it stands that of a low one. */
/*@ requires head: head_ok(head, end);
    requires at: at + 6 <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures after: lands(\result, at + 12, end);
    ensures exact: \result == low_end(head, at, end);
*/
static assay_step assay_surrogates(const uint8_t *head, uint32_t at, uint32_t end)
{
    /*@ loop invariant k: 0 <= k <= 6 && at + 6 + k <= end;
        loop invariant steps: (k >= 1 ==> low_step(head, at, end, 0) == at + 7)
            && (k >= 2 ==> low_step(head, at, end, 1) == at + 8)
            && (k >= 3 ==> low_step(head, at, end, 2) == at + 9)
            && (k >= 4 ==> low_step(head, at, end, 3) == at + 10)
            && (k >= 5 ==> low_step(head, at, end, 4) == at + 11)
            && (k >= 6 ==> low_step(head, at, end, 5) == at + 12);
        loop assigns k;
        loop variant 6 - k;
    */
    for (uint32_t k = 0; k < 6; k++) {
        if (at + 6u + k >= end) {
            return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
        }
        if (!assay_is_low_surrogate(k, head[at + 6u + k])) {
            return ASSAY_STOP(ASSAY_E_SURROGATE, at);
        }
    }
    return at + 12u;
}

/* head[at .. at + 2) is \u. */
/*@ requires head: head_ok(head, end);
    requires at: at + 2 <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures after: lands(\result, at + 6, end);
    ensures exact: \result
        == (hex_end(head, at, end) != at + 6 ? hex_end(head, at, end) : unit_end(head, at, end));
*/
static assay_step assay_unicode_escape(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t code = assay_hex4(head, at + 2u, end);
    if (code == ASSAY_HEX_CUT) {
        return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
    }
    if (code == ASSAY_HEX_BAD) {
        return ASSAY_STOP(ASSAY_E_ESCAPE, at);
    }
    if (code == 0) {
        return ASSAY_STOP(ASSAY_E_NUL, at);
    }
    if (code >= 0xDC00u && code <= 0xDFFFu) {
        return ASSAY_STOP(ASSAY_E_SURROGATE, at);
    }
    if (code >= 0xD800u && code <= 0xDBFFu) {
        return assay_surrogates(head, at, end);
    }
    return at + 6u;
}

assay_step assay_escape(const uint8_t *head, uint32_t at, uint32_t end)
{
    if (at + 1u >= end) {
        return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
    }
    switch (head[at + 1u]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        return at + 2u;
    case 'u':
        return assay_unicode_escape(head, at, end);
    default:
        return ASSAY_STOP(ASSAY_E_ESCAPE, at);
    }
}

/* ---- What an escape stands for ---------------------------------------------------------------------------- */

/* What a backslash and this byte stand for, \u aside. */
/*@ requires byte: escape_code(byte) != 0;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == escape_code(byte);
*/
static uint32_t assay_short_escape(uint8_t byte)
{
    if (byte == 'b') {
        return 0x08;
    }
    if (byte == 'f') {
        return 0x0C;
    }
    if (byte == 'n') {
        return 0x0A;
    }
    if (byte == 'r') {
        return 0x0D;
    }
    return byte == 't' ? 0x09 : byte;
}

/* The number that the digits of the \u at `at` make. */
/*@ requires readable: \valid_read(head + (at .. at + 5)) && at <= ASSAY_END_MAX;
    requires digits: hex_byte(head[at + 2]) && hex_byte(head[at + 3]) && hex_byte(head[at + 4])
        && hex_byte(head[at + 5]);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures range: \result <= 0xFFFF;
    ensures exact: \result == hex_code(head, at);
*/
static uint32_t assay_hex_code(const uint8_t *head, uint32_t at)
{
    return assay_hex_digit(head[at + 2u]) * 4096u + assay_hex_digit(head[at + 3u]) * 256u
        + assay_hex_digit(head[at + 4u]) * 16u + assay_hex_digit(head[at + 5u]);
}

uint32_t assay_escape_value(const uint8_t *head, uint32_t at)
    /*@ ghost (uint32_t end) */
{
    if (head[at + 1u] != 'u') {
        return assay_short_escape(head[at + 1u]);
    }
    uint32_t code = assay_hex_code(head, at);
    if (code < 0xD800u || code > 0xDBFFu) {
        return code;
    }
    return 0x10000u + (code - 0xD800u) * 1024u + (assay_hex_code(head, at + 6u) - 0xDC00u);
}
