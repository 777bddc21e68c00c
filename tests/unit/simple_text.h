/* simple_text.h: texts by simple code, as spec/text.acsl defines them, without regard to speed. */
#ifndef SIMPLE_TEXT_H
#define SIMPLE_TEXT_H

#include "suite.h"

#define SIMPLE_BAD 0xFFFDu

/* ---- One code point of well-formed or ill-formed text ------------------------------------------------- */

static inline size_t simple_encode(uint32_t code, uint8_t *out)
{
    static const uint8_t lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    size_t width = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t k = width; k > 1; k--) {
        out[k - 1] = (uint8_t)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    out[0] = (uint8_t)(lead[width] | code);
    return width;
}

/* Return the value of four hexadecimal digits; -1 if they are missing. */
static inline long simple_hex(const uint8_t *bytes, size_t size)
{
    char digits[5] = "";
    if (size < 4) {
        return -1;
    }
    memcpy(digits, bytes, 4);
    return strspn(digits, "0123456789abcdefABCDEF") == 4 ? strtol(digits, NULL, 16) : -1;
}

/* Return the code of an escape and the number of its bytes; SIMPLE_BAD and 1 if there is none. */
static inline uint32_t simple_escape(const uint8_t *bytes, size_t size, size_t *length)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    *length = 1;
    if (size < 2 || bytes[1] == 0) {
        return SIMPLE_BAD;
    }
    const char *letter = strchr(letters, bytes[1]);
    if (letter != NULL) {
        *length = 2;
        return (uint32_t)meanings[letter - letters];
    }
    long high = bytes[1] == 'u' ? simple_hex(bytes + 2, size - 2) : -1;
    if (high > 0 && (high < 0xD800 || high > 0xDFFF)) {
        *length = 6;
        return (uint32_t)high;
    }
    if (high <= 0 || high > 0xDBFF || size < 12 || memcmp(bytes + 6, "\\u", 2) != 0) {
        return SIMPLE_BAD;
    }
    long low = simple_hex(bytes + 8, size - 8);
    if (low < 0xDC00 || low > 0xDFFF) {
        return SIMPLE_BAD;
    }
    *length = 12;
    return (uint32_t)(0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF));
}

/* Decode the first escape or UTF-8 sequence; SIMPLE_BAD and 1 if it is ill-formed. */
static inline uint32_t simple_decode(const uint8_t *bytes, size_t size, size_t *length)
{
    static const uint32_t mask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    if (bytes[0] == '\\') {
        return simple_escape(bytes, size, length);
    }
    for (*length = 1; *length <= 4 && *length <= size; (*length)++) {
        uint8_t again[4];
        uint32_t code = bytes[0] & mask[*length];
        for (size_t k = 1; k < *length; k++) {
            code = code << 6 | (bytes[k] & 0x3F);
        }
        if (code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) && simple_encode(code, again) == *length &&
            memcmp(again, bytes, *length) == 0) {
            return code;
        }
    }
    *length = 1;
    return SIMPLE_BAD;
}

/* ---- A whole text ------------------------------------------------------------------------------------- */

/* Write the unescaped bytes of a text, at most three for each of its bytes, and return their number; *end: its closing
 * quote. Bytes outside escapes are copied. */
static inline size_t simple_unescape(const uint8_t *text, size_t size, uint8_t *out, size_t *end)
{
    size_t used = 0, length, at;
    for (at = 0; at < size && text[at] != '"'; at += length) {
        if (text[at] == '\\') {
            used += simple_encode(simple_escape(text + at, size - at, &length), out + used);
        } else {
            out[used++] = text[at];
            length = 1;
        }
    }
    *end = at;
    return used;
}

/* Write the cursor of each of the unescaped bytes of a text at head[at .. end), and that of its end: 4 * the offset of
 * the byte, or 4 * the offset of its escape + how many bytes of it come before. Return the number of the bytes. */
static inline size_t simple_cursors(const uint8_t *head, size_t at, size_t end, uint32_t *cursor)
{
    size_t used = 0, length = 1;
    for (; at < end && head[at] != '"'; at += length) {
        uint8_t room[4];
        size_t width = head[at] == '\\' ? simple_encode(simple_escape(head + at, end - at, &length), room) : 1;
        length = head[at] == '\\' ? length : 1;
        for (size_t k = 0; k < width; k++) {
            cursor[used++] = (uint32_t)(4 * at + k);
        }
    }
    cursor[used] = (uint32_t)(4 * at);
    return used;
}

/* Compare two strings of bytes: -1, 0 or 1. */
static inline int simple_order(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size)
{
    size_t shorter = a_size < b_size ? a_size : b_size;
    int order = shorter == 0 ? 0 : memcmp(a, b, shorter);
    return order != 0 ? (order > 0) - (order < 0) : (a_size > b_size) - (a_size < b_size);
}

#endif
