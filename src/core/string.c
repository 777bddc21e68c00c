/* Strings: strict UTF-8, the escapes of RFC 8259, no control bytes, no NUL, surrogates in pairs only.
 * Rules H1 header_early, H5 control, H6 utf8, H7 escape, H8 surrogate, H9 nul. */
#include "string_steps.h"

/* Unfolds: utf8_end, escape_end. */

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

/* head[at] is a backslash. */
/*@ requires head: head_ok(head, end);
    requires at: at < end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures after: lands(\result, at + 2, end);
    ensures exact: \result == escape_end(head, at, end);
*/
static assay_step assay_escape(const uint8_t *head, uint32_t at, uint32_t end)
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

/* How many bytes follow the lead byte of a UTF-8 sequence; 0: it can't be one. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures few: \result <= 3;
    ensures exact: \result == utf8_tails(lead);
*/
static uint32_t assay_utf8_more(uint8_t lead)
{
    if (lead < 0xC2u || lead > 0xF4u) {
        return 0;
    }
    if (lead < 0xE0u) {
        return 1;
    }
    return lead < 0xF0u ? 2 : 3;
}

/* May c stand behind the lead byte? Keeps out overlong forms, surrogates and what lies above U+10FFFF. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == utf8_tail(lead, 1, c);
*/
static bool assay_utf8_second(uint8_t lead, uint8_t c)
{
    uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    return c >= low && c <= high;
}

/* head[at] is 0x80 or above. */
/*@ requires head: head_ok(head, end);
    requires at: at < end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures after: lands(\result, at + 2, end);
    ensures exact: \result == utf8_end(head, at, end);
*/
static assay_step assay_utf8(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint8_t lead = head[at];
    uint32_t more = assay_utf8_more(lead);
    if (more == 0) {
        return ASSAY_STOP(ASSAY_E_UTF8, at);
    }
    /*@ loop invariant k: 1 <= k <= more + 1 && at + k <= end;
        loop invariant tails: (k >= 2 ==> utf8_tail(lead, 1, head[at + 1]) == 1)
            && (k >= 3 ==> utf8_tail(lead, 2, head[at + 2]) == 1)
            && (k >= 4 ==> utf8_tail(lead, 3, head[at + 3]) == 1);
        loop assigns k;
        loop variant more + 1 - k;
    */
    for (uint32_t k = 1; k <= more; k++) {
        if (at + k >= end) {
            return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
        }
        if (!assay_utf8_second(k == 1 ? lead : 0x80, head[at + k])) {
            return ASSAY_STOP(ASSAY_E_UTF8, at);
        }
    }
    return at + more + 1u;
}

assay_step assay_string(const uint8_t *head, uint32_t at, uint32_t end)
{
    /*@ loop invariant at: \at(at, Pre) <= at <= end;
        loop invariant exact: string_end(head, \at(at, Pre), end) == string_end(head, at, end);
        loop assigns at;
        loop variant end - at;
    */
    while (at < end) {
        //@ ghost assay_string_step(head, at, end);
        uint8_t c = head[at];
        if (c == '"') {
            return at;
        }
        if (c >= 0x20u && c < 0x80u && c != '\\') {
            at = at + 1u;
            continue;
        }
        if (c < 0x20u) {
            return ASSAY_STOP(ASSAY_E_CONTROL, at);
        }
        assay_step step = c == '\\' ? assay_escape(head, at, end) : assay_utf8(head, at, end);
        if (step >= ASSAY_STOPPED) {
            return step;
        }
        at = (uint32_t)step;
    }
    //@ ghost assay_string_step(head, at, end);
    return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
}
