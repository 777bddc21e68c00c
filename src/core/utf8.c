/* UTF-8, as RFC 3629 has it: where a sequence ends, its code point, the bytes of a code point.
 * Rules H1 header_early, H6 utf8. */
#include "core.h"

/* Unfolds: utf8_end. */

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

assay_step assay_utf8(const uint8_t *head, uint32_t at, uint32_t end)
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

uint32_t assay_utf8_value(const uint8_t *head, uint32_t at, uint32_t next)
    /*@ ghost (uint32_t end) */
{
    uint32_t lead = head[at];
    uint32_t second = head[at + 1u] - 0x80u;
    if (next - at == 2) {
        return (lead - 0xC0u) * 64u + second;
    }
    uint32_t third = head[at + 2u] - 0x80u;
    if (next - at == 3) {
        return (lead - 0xE0u) * 4096u + second * 64u + third;
    }
    return (lead - 0xF0u) * 262144u + second * 4096u + third * 64u + (head[at + 3u] - 0x80u);
}

uint32_t assay_utf8_width(uint32_t code)
{
    return code < 0x80u ? 1u : code < 0x800u ? 2u : code < 0x10000u ? 3u : 4u;
}

uint32_t assay_utf8_byte(uint32_t code, uint32_t k)
{
    uint32_t width = assay_utf8_width(code);
    uint32_t left = width - 1u - k; /* bytes that follow this one */
    uint32_t rest = left == 0 ? code : left == 1 ? code / 64u : left == 2 ? code / 4096u : code / 262144u;

    if (k > 0) {
        return 0x80u + rest % 64u;
    }
    return width == 1 ? rest : width == 2 ? 0xC0u + rest : width == 3 ? 0xE0u + rest : 0xF0u + rest;
}
