/* simple_text.h: texts and their hashes by simple code, as spec/text.acsl defines them, without regard to speed. */
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

/* ---- The hash of a text ------------------------------------------------------------------------------- */

static inline uint32_t simple_mix(uint64_t x)
{
    uint32_t y = (uint32_t)x;
    for (int k = 0; k < 3; k++) {
        y = y * 2654435769u + 2246822519u;
        y = y + (y >> 16) * 40503u + (y >> 15);
    }
    return y;
}

static inline uint64_t simple_secret(uint64_t seed)
{
    uint64_t low = simple_mix(seed + 1), first = simple_mix(low + (seed >> 32));
    uint64_t second = simple_mix(simple_mix(first + 3266489917u) + low);
    return ((1u << 28) + (first >> 4)) << 32 | ((1u << 28) + (second >> 4));
}

static inline uint64_t simple_fold(uint64_t x)
{
    return (x & 0xFFFFFFFF) + 5 * (x >> 32);
}

static inline uint64_t simple_reduce(uint64_t x)
{
    return simple_fold(simple_fold(x));
}

static inline uint32_t simple_hash(const uint8_t *bytes, size_t size, uint64_t secret)
{
    uint64_t hash = 1;
    for (size_t k = 0; k <= size; k += 8) {
        uint64_t half[2] = {0, 0};
        for (size_t j = 0; j < 8 && k + j <= size; j++) {
            half[j / 4] |= (uint64_t)(k + j < size ? bytes[k + j] : 1) << 8 * (j % 4);
        }
        hash = simple_fold((hash + half[1]) * (secret >> 32) + half[0] * (uint32_t)secret);
    }
    uint64_t x = simple_reduce(hash), square = simple_fold(simple_reduce(x * x));
    return (uint32_t)(simple_reduce(square * x) & 0x7FFFFFFF);
}

#endif
