/* UTF-8, as RFC 3629 has it: the code point of a sequence, the bytes of a code point. string.c judges H6 utf8. */
#include "core.h"

/* Unfolds: utf8, utf8_end. */

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
