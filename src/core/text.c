/* text.c: strings of the header after the lexer: what they say once unescaped.
 *
 * A text begins behind its opening quote and ends at the first quote that no backslash escapes. It is
 * read as units: a byte that stands for itself, or an escape, which stands for the UTF-8 of its code
 * point. Two texts are the same when they unescape to the same bytes; for well-formed UTF-8 that is the same
 * code points, in the same order. The UTF-8 of an escape never begins with a continuation byte,
 * so an escape is matched by a whole sequence or not at all.
 *
 * Every function is total: bytes that the lexer would not let pass give some result, never a bad access.
 */
#include "core.h"

#define ASSAY_UNIT(code, next) ((uint64_t)(code) * 4294967296u + (next))
#define ASSAY_REPLACEMENT 0xFFFDu
#define ASSAY_NOT_HEX 65536u

/* ---- Escapes ------------------------------------------------------------------------------------ */

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures digit: \result <= 16;
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
    ensures number: \result <= 65536;
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
    ensures code: \result <= 0xFFFD;
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

/* head[at] is a backslash. */
/*@ requires inside: at < end;
    requires readable: \valid_read(head + (0 .. end - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures next: at < \result % 4294967296 <= end;
    ensures code: \result / 4294967296 <= 0x10FFFF;
*/
static uint64_t assay_text_escape(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t code, low;

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
    if (code > 0xDBFFu || end - at < 12 || head[at + 6] != '\\' || head[at + 7] != 'u') {
        return ASSAY_UNIT(ASSAY_REPLACEMENT, at + 1);
    }
    low = assay_text_hex(head, at + 8, end);
    if (low < 0xDC00u || low > 0xDFFFu) {
        return ASSAY_UNIT(ASSAY_REPLACEMENT, at + 1);
    }
    return ASSAY_UNIT(0x10000u + (code - 0xD800u) * 1024u + (low - 0xDC00u), at + 12);
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

/* ---- Whole texts -------------------------------------------------------------------------------- */

uint32_t assay_text_end(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t i = at;

    /*@ loop invariant inside: at <= i <= end;
        loop assigns i;
        loop variant end - i;
    */
    while (i < end && head[i] != '"') {
        if (head[i] == '\\' && end - i > 1) {
            i += 2;
        } else {
            i += 1;
        }
    }
    return i;
}

/* Compares the UTF-8 of a code point with the first of size bytes: -1, 0 (all of it agrees) or 1. */
/*@ requires code: code <= 0x10FFFF;
    requires readable: \valid_read(bytes + (0 .. size - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures sign: -1 <= \result <= 1;
    ensures inside: \result == 0 ==> utf8_width(code) <= size;
*/
static int assay_text_order_code(uint32_t code, const uint8_t *bytes, uint64_t size)
{
    uint32_t width = assay_utf8_width(code);
    uint32_t k;

    /*@ loop invariant inside: k <= width && k <= size;
        loop assigns k;
        loop variant width - k;
    */
    for (k = 0; k < width; k++) {
        uint32_t byte = assay_utf8_byte(code, k);

        if (k >= size) {
            return 1;
        }
        if (byte != bytes[k]) {
            return byte < bytes[k] ? -1 : 1;
        }
    }
    return 0;
}

/* The end of the text of units that begins at `at` is not reached. */
/*@ requires readable: \valid_read(head + (0 .. end - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures more: \result <==> at < end && head[at] != '"';
*/
static bool assay_text_more(const uint8_t *head, uint32_t at, uint32_t end)
{
    return at < end && head[at] != '"';
}

int assay_text_order(const uint8_t *head, uint32_t at, uint32_t end, const uint8_t *bytes, uint64_t size)
{
    uint32_t i = at;
    uint64_t j = 0;

    /*@ loop invariant inside: at <= i <= end && j <= size;
        loop assigns i, j;
        loop variant end - i;
    */
    while (assay_text_more(head, i, end)) {
        if (j >= size) {
            return 1;
        }
        if (head[i] != '\\') {
            if (head[i] != bytes[j]) {
                return head[i] < bytes[j] ? -1 : 1;
            }
            i++;
            j++;
        } else {
            uint64_t unit = assay_decode(head, i, end);
            int order = assay_text_order_code((uint32_t)(unit / 4294967296u), bytes + j, size - j);

            if (order != 0) {
                return order;
            }
            i = (uint32_t)(unit % 4294967296u);
            j += assay_utf8_width((uint32_t)(unit / 4294967296u));
        }
    }
    return j == size ? 0 : -1;
}

/* head[a] is a backslash, b a place in another text, not its end: do they stand for the same? Where both go
 * on: behind a * 2^32 + behind b; else 0. */
/*@ requires inside: a < end && b < end;
    requires readable: \valid_read(head + (0 .. end - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures behind: \result != 0 ==> a < \result / 4294967296 <= end && b < \result % 4294967296 <= end;
*/
static uint64_t assay_text_match(const uint8_t *head, uint32_t a, uint32_t b, uint32_t end)
{
    uint64_t unit = assay_decode(head, a, end);
    uint32_t code = (uint32_t)(unit / 4294967296u);
    uint64_t behind = unit % 4294967296u;

    if (head[b] == '\\') {
        unit = assay_decode(head, b, end);
        return unit / 4294967296u == code ? behind * 4294967296u + unit % 4294967296u : 0;
    }
    if (assay_text_order_code(code, head + b, end - b) != 0) {
        return 0;
    }
    return behind * 4294967296u + b + assay_utf8_width(code);
}

uint64_t assay_text_same(const uint8_t *head, uint32_t a, uint32_t b, uint32_t end)
{
    uint32_t i = a, j = b;
    bool same = true;

    /*@ loop invariant inside: a <= i <= end && b <= j <= end;
        loop assigns i, j, same;
        loop variant end - i + (same ? 1 : 0);
    */
    while (same && assay_text_more(head, i, end) && assay_text_more(head, j, end)) {
        if (head[i] == '\\') {
            uint64_t behind = assay_text_match(head, i, j, end);

            same = behind != 0;
            i = same ? (uint32_t)(behind / 4294967296u) : i;
            j = same ? (uint32_t)(behind % 4294967296u) : j;
        } else if (head[j] == '\\') {
            uint64_t behind = assay_text_match(head, j, i, end);

            same = behind != 0;
            j = same ? (uint32_t)(behind / 4294967296u) : j;
            i = same ? (uint32_t)(behind % 4294967296u) : i;
        } else if (head[i] == head[j]) {
            i++;
            j++;
        } else {
            same = false;
        }
    }
    same = same && !assay_text_more(head, i, end) && !assay_text_more(head, j, end);
    return ((uint64_t)(i - a) + (j - b) + 2u) * 2u + (same ? 1u : 0u);
}
