/* strings.c: strings of JSON, see json_reader.h. Rules index_control, index_utf8, index_escape, index_surrogate,
 * index_nul;
 * what is read and in which order it is judged is that of "Strings" in spec/format.md. */
#include "json_reader.h"

#include <string.h>

#include "utf8_codec.h"

/* A string that is being read: its bytes go to bytes[to], never beyond what was read. */
typedef struct {
    reader *from;
    uint32_t to;
} writer;

static void put(writer *out, uint32_t byte)
{
    out->from->bytes[out->to++] = (uint8_t)byte;
}

/* Copy the code point beyond ASCII that begins here. */
static bool sequence(writer *out)
{
    reader *from = out->from;
    uint32_t code, rest = from->size - from->at;
    uint32_t length = (uint32_t)utf8_read(from->bytes + from->at, rest, &code);
    if (length == 0)
        return reader_fails(from, MODEL_INDEX_UTF8, from->at);
    if (length > rest)
        return reader_ends(from);
    for (uint32_t i = 0; i < length; i++)
        put(out, from->bytes[from->at++]);
    return true;
}

static int hex_digit(uint8_t byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* The four digits at `at`. code: of the rule if they are none, at the backslash. */
static bool four_digits(reader *from, uint32_t at, uint32_t code, uint32_t backslash, uint32_t *number)
{
    *number = 0;
    for (uint32_t i = 0; i < 4; i++) {
        if (at + i == from->size)
            return reader_ends(from);
        int digit = hex_digit(from->bytes[at + i]);
        if (digit < 0)
            return reader_fails(from, code, backslash);
        *number = *number << 4 | (uint32_t)digit;
    }
    return true;
}

/* The low half of a pair, byte by byte, behind the high one at the backslash. */
static bool low_half(reader *from, uint32_t backslash, uint32_t *low)
{
    uint32_t at = backslash + 6;
    for (uint32_t i = 0; i < 4; i++) {
        if (at + i == from->size)
            return reader_ends(from);
        uint8_t byte = from->bytes[at + i];
        bool fits = i == 0   ? byte == '\\'
                    : i == 1 ? byte == 'u'
                    : i == 2 ? (byte | 0x20) == 'd'
                             : hex_digit(byte) >= 12;
        if (!fits)
            return reader_fails(from, MODEL_INDEX_SURROGATE, backslash);
    }
    return four_digits(from, at + 2, MODEL_INDEX_SURROGATE, backslash, low);
}

static bool unicode_escape(writer *out)
{
    reader *from = out->from;
    uint32_t backslash = from->at, code, low;
    if (!four_digits(from, backslash + 2, MODEL_INDEX_ESCAPE, backslash, &code))
        return false;
    if (code == 0)
        return reader_fails(from, MODEL_INDEX_NUL, backslash);
    if (code >= 0xDC00 && code < 0xE000)
        return reader_fails(from, MODEL_INDEX_SURROGATE, backslash);
    from->at += 6;
    if (code >= 0xD800 && code < 0xDC00) {
        if (!low_half(from, backslash, &low))
            return false;
        code = 0x10000 + ((code & 0x3FF) << 10 | (low & 0x3FF));
        from->at += 6;
    }
    out->to += (uint32_t)utf8_write(from->bytes + out->to, code); /* at most 4 bytes, of an escape of 6 */
    return true;
}

static bool escape(writer *out)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    reader *from = out->from;
    if (from->at + 1 == from->size)
        return reader_ends(from);
    uint8_t letter = from->bytes[from->at + 1];
    if (letter == 'u')
        return unicode_escape(out);
    for (uint32_t i = 0; i < sizeof letters - 1; i++) {
        if ((uint8_t)letters[i] == letter) {
            put(out, (uint8_t)meant[i]);
            from->at += 2;
            return true;
        }
    }
    return reader_fails(from, MODEL_INDEX_ESCAPE, from->at);
}

static bool is_plain(uint8_t byte)
{
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/* Bytes that stand for themselves. */
static void plain(writer *out)
{
    uint8_t *bytes = out->from->bytes;
    uint32_t begin = out->from->at, end = begin, size = out->from->size;
    while (end < size && is_plain(bytes[end]))
        end++;
    if (out->to != begin)
        memmove(bytes + out->to, bytes + begin, end - begin);
    out->to += end - begin;
    out->from->at = end;
}

bool reader_string(reader *from, model_text *text)
{
    uint32_t begin = ++from->at;
    writer out = {from, begin};
    for (;;) {
        plain(&out);
        if (from->at == from->size)
            return reader_ends(from);
        uint8_t byte = from->bytes[from->at];
        if (byte == '"') {
            from->at++;
            *text = (model_text){begin, out.to - begin};
            return true;
        }
        if (byte < 0x20)
            return reader_fails(from, MODEL_INDEX_CONTROL, from->at);
        if (!(byte == '\\' ? escape(&out) : sequence(&out)))
            return false;
    }
}
