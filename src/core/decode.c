/* decode.c: escapes, code points and UTF-8 of strings that have been lexed.
 *
 * Every function is total: bytes that the lexer would not let pass give some result, never a bad access.
 */
#include "core.h"

/* Unfolds: escape. */

#define ASSAY_UNIT(code, next) ((uint64_t)(code) * 4294967296u + (next))
#define ASSAY_REPLACEMENT 0xFFFDu
#define ASSAY_NOT_HEX 65536u

/* ---- Escapes ------------------------------------------------------------------------------------ */

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures digit: \result == hex_digit(byte);
    ensures range: \result <= 16;
*/
static uint32_t assay_text_hex_digit(uint32_t byte)
{
    if (byte >= '0' && byte <= '9') {
        return byte - '0';
    }
    if (byte >= 'a' && byte <= 'f') {
        return byte - 'a' + 10u;
    }
    if (byte >= 'A' && byte <= 'F') {
        return byte - 'A' + 10u;
    }
    return 16;
}

/* The number that the four hex digits at `at` make, or ASSAY_NOT_HEX. */
/*@ requires readable: \valid_read(head + (0 .. end - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures number: \result == hex_number(head, at, end);
    ensures range: \result <= 65536;
    ensures inside: \result < 65536 ==> at < end && 4 <= end - at;
*/
static uint32_t assay_text_hex(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t a, b, c, d;

    if (at >= end || end - at < 4) {
        return ASSAY_NOT_HEX;
    }
    a = assay_text_hex_digit(head[at]);
    b = assay_text_hex_digit(head[at + 1]);
    c = assay_text_hex_digit(head[at + 2]);
    d = assay_text_hex_digit(head[at + 3]);
    if (a > 15 || b > 15 || c > 15 || d > 15) {
        return ASSAY_NOT_HEX;
    }
    return a * 4096u + b * 256u + c * 16u + d;
}

/* What a backslash and this byte stand for, \u aside; ASSAY_REPLACEMENT if JSON has no such escape. */
/*@ requires byte: byte <= 255;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures code: \result == short_escape(byte) <= 0xFFFD;
*/
static uint32_t assay_text_short_escape(uint32_t byte)
{
    switch (byte) {
    case '"':
    case '\\':
    case '/':
        return byte;
    case 'b':
        return 0x08;
    case 'f':
        return 0x0C;
    case 'n':
        return 0x0A;
    case 'r':
        return 0x0D;
    case 't':
        return 0x09;
    default:
        return ASSAY_REPLACEMENT;
    }
}

/* The escapes at `at`, the first of which is the high surrogate. */
/*@ requires inside: at < end && (0xD800 <= high <= 0xDFFF || high == 65536);
    requires readable: \valid_read(head + (0 .. end - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures pair: \result == pair_escape(head, at, end, high);
*/
static uint64_t assay_text_pair(const uint8_t *head, uint32_t at, uint32_t end, uint32_t high)
{
    uint32_t low;

    if (high > 0xDBFFu || end - at < 12 || head[at + 6] != '\\' || head[at + 7] != 'u') {
        return ASSAY_UNIT(ASSAY_REPLACEMENT, at + 1);
    }
    low = assay_text_hex(head, at + 8, end);
    if (low < 0xDC00u || low > 0xDFFFu) {
        return ASSAY_UNIT(ASSAY_REPLACEMENT, at + 1);
    }
    return ASSAY_UNIT(0x10000u + (high - 0xD800u) * 1024u + (low - 0xDC00u), at + 12);
}

/* head[at] is a backslash. */
/*@ requires inside: at < end;
    requires readable: \valid_read(head + (0 .. end - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures escape: \result == escape(head, at, end);
*/
static uint64_t assay_text_escape(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t code;

    if (end - at < 2) {
        return ASSAY_UNIT(ASSAY_REPLACEMENT, at + 1);
    }
    if (head[at + 1] != 'u') {
        code = assay_text_short_escape(head[at + 1]);
        return ASSAY_UNIT(code, code == ASSAY_REPLACEMENT ? at + 1 : at + 2);
    }
    code = assay_text_hex(head, at + 2, end);
    if (code < 0xD800u || (code > 0xDFFFu && code != ASSAY_NOT_HEX)) {
        return ASSAY_UNIT(code, at + 6);
    }
    return assay_text_pair(head, at, end, code);
}

/* ---- Code points -------------------------------------------------------------------------------- */

/* Can head[at + k] be the k-th byte (from 1) of the sequence that head[at] leads? The second decides
 * about overlong forms, surrogates and what lies beyond U+10FFFF. */
/*@ requires inside: at < end && 1 <= k;
    requires readable: \valid_read(head + (0 .. end - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures inside: \result ==> k < end - at && 0x80 <= head[at + k] <= 0xBF;
    ensures second: \result && k == 1 && head[at] == 0xF4 ==> head[at + 1] <= 0x8F;
*/
static bool assay_text_follows(const uint8_t *head, uint32_t at, uint32_t end, uint32_t k)
{
    uint32_t lead = head[at];
    uint32_t byte;

    if (end - at <= k) {
        return false;
    }
    byte = head[at + k];
    if (byte < 0x80u || byte > 0xBFu) {
        return false;
    }
    if (k > 1) {
        return true;
    }
    return !(lead == 0xE0u && byte < 0xA0u) && !(lead == 0xEDu && byte > 0x9Fu) &&
           !(lead == 0xF0u && byte < 0x90u) && !(lead == 0xF4u && byte > 0x8Fu);
}

uint64_t assay_decode(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t lead = head[at];

    if (lead == '\\') {
        //@ ghost assay_escape_range(head, at, end);
        return assay_text_escape(head, at, end);
    }
    if (lead < 0x80u) {
        return ASSAY_UNIT(lead, at + 1);
    }
    if (lead < 0xC2u || lead > 0xF4u || !assay_text_follows(head, at, end, 1)) {
        return ASSAY_UNIT(ASSAY_REPLACEMENT, at + 1);
    }
    if (lead < 0xE0u) {
        return ASSAY_UNIT((lead - 0xC0u) * 64u + (head[at + 1] - 0x80u), at + 2);
    }
    if (!assay_text_follows(head, at, end, 2)) {
        return ASSAY_UNIT(ASSAY_REPLACEMENT, at + 1);
    }
    if (lead < 0xF0u) {
        return ASSAY_UNIT((lead - 0xE0u) * 4096u + (head[at + 1] - 0x80u) * 64u + (head[at + 2] - 0x80u),
                          at + 3);
    }
    if (!assay_text_follows(head, at, end, 3)) {
        return ASSAY_UNIT(ASSAY_REPLACEMENT, at + 1);
    }
    return ASSAY_UNIT((lead - 0xF0u) * 262144u + (head[at + 1] - 0x80u) * 4096u +
                          (head[at + 2] - 0x80u) * 64u + (head[at + 3] - 0x80u), at + 4);
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

/*@ ghost
void assay_escape_range(const uint8_t *head, uint32_t at, uint32_t end)
{
}
*/
