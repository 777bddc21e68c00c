/* utf8_codec.c: see utf8_codec.h. */
#include "utf8_codec.h"

size_t utf8_write(uint8_t out[UTF8_MAX], uint32_t code)
{
    static const uint8_t lead[] = {0, 0x00, 0xC0, 0xE0, 0xF0};
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; code >>= 6)
        out[i] = (uint8_t)(0x80 | (code & 0x3F));
    out[0] = (uint8_t)(lead[length] | code);
    return length;
}

size_t utf8_read(const uint8_t *bytes, size_t count, uint32_t *code)
{
    uint8_t lead = bytes[0];
    if (lead < 0x80) {
        *code = lead;
        return 1;
    }
    if (lead < 0xC2 || lead > 0xF4)
        return 0;
    size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    /* The range of the second byte rules out overlong forms, surrogates, and values above U+10FFFF. */
    uint8_t least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    uint8_t most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    uint32_t value = lead & (0x7Fu >> length);
    for (size_t i = 1; i < length && i < count; i++) {
        if (bytes[i] < least || bytes[i] > most)
            return 0;
        value = value << 6 | (bytes[i] & 0x3F);
        least = 0x80;
        most = 0xBF;
    }
    if (length <= count)
        *code = value;
    return length;
}
