/* UTF-8, as RFC 3629 has it: where a sequence ends, its code point, the bytes of a code point.
 * Rules H1 header_early, H6 utf8. */
#include "core.h"

/* Unfolds: utf8, utf8_end. */

/* How many bytes follow the lead byte of a UTF-8 sequence; 0: it can't be one. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures few: \result <= 3;
    ensures exact: \result == utf8_tails(lead);
*/
static inline uint32_t assay_utf8_more(uint8_t lead)
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
static inline bool assay_utf8_second(uint8_t lead, uint8_t c)
{
    uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    return c >= low && c <= high;
}

/* All bytes of a sequence are there, so many behind the lead byte: are they right? */
/*@ requires more: more == utf8_tails(head[at]) >= 1;
    requires readable: \valid_read(head + (at .. at + more));
    requires at: at <= ASSAY_END_MAX;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result <==> utf8_tail(head[at], 1, head[at + 1]) == 1
        && (more >= 2 ==> utf8_tail(head[at], 2, head[at + 2]) == 1)
        && (more >= 3 ==> utf8_tail(head[at], 3, head[at + 3]) == 1);
*/
static inline bool assay_utf8_whole(const uint8_t *head, uint32_t at, uint32_t more)
{
    const uint8_t *bytes = head + at;
    return assay_utf8_second(bytes[0], bytes[1]) && (more < 2u || assay_utf8_second(0x80, bytes[2]))
           && (more < 3u || assay_utf8_second(0x80, bytes[3]));
}

assay_step assay_utf8(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint8_t lead = head[at];
    uint32_t more = assay_utf8_more(lead);
    if (more == 0) {
        return ASSAY_STOP(ASSAY_E_UTF8, at);
    }
    if (end - at > more) {
        return assay_utf8_whole(head, at, more) ? at + more + 1u : ASSAY_STOP(ASSAY_E_UTF8, at);
    }
    /*@ loop invariant k: 1 <= k <= more && at + k <= end;
        loop invariant tails: (k >= 2 ==> utf8_tail(lead, 1, head[at + 1]) == 1)
            && (k >= 3 ==> utf8_tail(lead, 2, head[at + 2]) == 1);
        loop assigns k;
        loop variant more + 1 - k;
    */
    for (uint32_t k = 1; at + k < end; k++) {
        if (!assay_utf8_second(k == 1 ? lead : 0x80, head[at + k])) {
            return ASSAY_STOP(ASSAY_E_UTF8, at);
        }
    }
    return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
}

/* The code point of UTF-8 that is well-formed and ends at `next`. */
/*@ requires head: head_ok(head, end);
    requires inside: at < end && 0x80 <= head[at];
    requires whole: utf8_end(head, at, end) == next <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures range: 0x80 <= \result <= 0x10FFFF;
    ensures exact: \result == utf8_value(head, at);
*/
static uint32_t assay_utf8_value(const uint8_t *head, uint32_t at, uint32_t next)
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

uint64_t assay_utf8_unit(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_step next = assay_utf8(head, at, end);
    if (next >= ASSAY_STOPPED) {
        return ASSAY_UNIT(ASSAY_REPLACEMENT, at + 1u);
    }
    uint32_t code = assay_utf8_value(head, at, (uint32_t)next) /*@ ghost (end) */;
    //@ assert code: (code * 4294967296 + next) / 4294967296 == code;
    //@ assert next: (code * 4294967296 + next) % 4294967296 == next;
    return ASSAY_UNIT(code, next);
}

uint32_t assay_utf8_width(uint32_t code)
{
    return code < 0x80u ? 1u : code < 0x800u ? 2u : code < 0x10000u ? 3u : 4u;
}

/* Inline: of a place that is known, little is left. */
inline uint32_t assay_utf8_byte(uint32_t code, uint32_t k)
{
    if (k == 0) {
        return code < 0x80u ? code : code < 0x800u ? 0xC0u + code / 64u
            : code < 0x10000u ? 0xE0u + code / 4096u : 0xF0u + code / 262144u;
    }
    uint32_t left = assay_utf8_width(code) - 1u - k; /* bytes that follow this one */
    return 0x80u + (left == 0 ? code : left == 1 ? code / 64u : code / 4096u) % 64u;
}
