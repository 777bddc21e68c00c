/* utf8_codec.h: code points as UTF-8, and back (RFC 3629). */
#ifndef ASSAY_BASE_UTF8_CODEC_H
#define ASSAY_BASE_UTF8_CODEC_H

#include <stddef.h>
#include <stdint.h>

#define UTF8_MAX 4 /* bytes of a code point */

/* Write the UTF-8 of a code point of at most U+10FFFF to out. Return its length in bytes: 1 to 4. */
size_t utf8_write(uint8_t out[UTF8_MAX], uint32_t code);

/* Decode the code point that begins at bytes[0]; count is at least 1. Return its length, 1 to 4, and store it in *code.
 * Return 0 if bytes[0 .. count) do not begin with well-formed UTF-8: overlong forms, surrogates and values above
 * U+10FFFF are not. Return the length that the first byte announces, which is more than count, if the bytes are the
 * beginning of a code point that may go on after them. *code is stored for a result of 1 to count only. */
size_t utf8_read(const uint8_t *bytes, size_t count, uint32_t *code);

#endif
