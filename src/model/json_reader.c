/* json_reader.c: see json_reader.h. Rules index_early, index_unexpected, index_number and index_number_range; of
 * strings index_control, index_utf8, index_escape, index_surrogate and index_nul, judged in the order of "Strings" in
 * spec/format.md. */
#include "json_reader.h"

#include <string.h>

#include "utf8_codec.h"

#define NUMBER_MAX 100u   /* bytes */
#define EXPONENT_MAX 200u /* without its sign */

bool json_fail(json_reader *reader, uint32_t code, uint64_t offset)
{
    reader->error->code = code;
    reader->error->offset = offset;
    return false;
}

bool json_fail_early(json_reader *reader)
{
    return json_fail(reader, MODEL_INDEX_EARLY, reader->size);
}

bool json_peek(json_reader *reader, uint8_t *byte)
{
    const uint8_t *bytes = reader->bytes;
    uint32_t pos = reader->pos;
    while (pos < reader->size && (bytes[pos] == ' ' || bytes[pos] == '\n' || bytes[pos] == '\r' || bytes[pos] == '\t'))
        pos++;
    reader->pos = pos;
    if (pos == reader->size)
        return false;
    *byte = bytes[pos];
    return true;
}

bool json_begins_value(uint8_t byte)
{
    return byte == '"' || byte == '{' || byte == '[' || byte == '-' || (byte >= '0' && byte <= '9') || byte == 't' ||
           byte == 'f' || byte == 'n';
}

bool json_read_literal(json_reader *reader)
{
    uint8_t first = reader->bytes[reader->pos];
    const char *literal = first == 't' ? "true" : first == 'f' ? "false" : "null";
    for (; *literal != '\0'; literal++, reader->pos++) {
        if (reader->pos == reader->size)
            return json_fail_early(reader);
        if (reader->bytes[reader->pos] != (uint8_t)*literal)
            return json_fail(reader, MODEL_INDEX_UNEXPECTED, reader->pos);
    }
    return true;
}

/* ---- Numbers ------------------------------------------------------------------------------------------ */

static bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

/* Move *pos after the digits that begin there. Return their count. */
static uint32_t skip_digits(const json_reader *reader, uint32_t *pos, uint32_t end)
{
    uint32_t begin = *pos;
    while (*pos < end && is_digit(reader->bytes[*pos]))
        (*pos)++;
    return *pos - begin;
}

/* Return the value of the exponent whose e is at pos, or a number above EXPONENT_MAX. Set *good to whether it is
 * well-formed and ends at end. */
static uint32_t read_exponent(const json_reader *reader, uint32_t pos, uint32_t end, bool *good)
{
    uint32_t value = 0;
    pos++; /* the e */
    if (pos < end && (reader->bytes[pos] == '+' || reader->bytes[pos] == '-'))
        pos++;
    *good = pos < end;
    for (; pos < end; pos++) {
        *good = *good && is_digit(reader->bytes[pos]);
        value = value > EXPONENT_MAX ? value : 10 * value + (reader->bytes[pos] & 15u);
    }
    return value;
}

bool json_read_number(json_reader *reader, model_text *number)
{
    uint32_t begin = reader->pos, end = begin, pos = begin, power = 0;
    while (end < reader->size && reader->bytes[end] != 0 && strchr("0123456789+-.eE", reader->bytes[end]) != NULL)
        end++;
    if (end == reader->size)
        return json_fail_early(reader);
    pos += reader->bytes[pos] == '-';
    bool zero = pos < end && reader->bytes[pos] == '0';
    uint32_t integer = skip_digits(reader, &pos, end);
    bool good = integer == 1 || (integer > 1 && !zero);
    if (pos < end && reader->bytes[pos] == '.') {
        pos++;
        good = good && skip_digits(reader, &pos, end) > 0;
    }
    if (good && pos < end && (reader->bytes[pos] | 0x20) == 'e')
        power = read_exponent(reader, pos, end, &good);
    else
        good = good && pos == end;
    if (!good)
        return json_fail(reader, MODEL_INDEX_NUMBER, begin);
    if (end - begin > NUMBER_MAX || power > EXPONENT_MAX)
        return json_fail(reader, MODEL_INDEX_NUMBER_RANGE, begin);
    *number = (model_text){begin, end - begin};
    reader->pos = end;
    return true;
}

/* ---- Strings ------------------------------------------------------------------------------------------ */

/* A string that is being unescaped. Its next byte goes to bytes[out], which is never after the reader's pos, because
 * no escape is shorter than the UTF-8 that it means. */
typedef struct {
    json_reader *reader;
    uint32_t out;
} unescaper;

static void put(unescaper *to, uint8_t byte)
{
    to->reader->bytes[to->out++] = byte;
}

/* Copy the code point beyond ASCII that begins at pos. */
static bool copy_code_point(unescaper *to)
{
    json_reader *reader = to->reader;
    uint32_t code, rest = reader->size - reader->pos;
    uint32_t length = (uint32_t)utf8_read(reader->bytes + reader->pos, rest, &code);
    if (length == 0)
        return json_fail(reader, MODEL_INDEX_UTF8, reader->pos);
    if (length > rest)
        return json_fail_early(reader);
    for (uint32_t i = 0; i < length; i++)
        put(to, reader->bytes[reader->pos++]);
    return true;
}

/* Return the value of a hexadecimal digit, or -1. */
static int hex_digit(uint8_t byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* Store the value of the four hexadecimal digits at pos. If they are none, fail with this rule at the backslash. */
static bool read_four_digits(json_reader *reader, uint32_t pos, uint32_t code, uint32_t backslash, uint32_t *number)
{
    *number = 0;
    for (uint32_t i = 0; i < 4; i++) {
        if (pos + i == reader->size)
            return json_fail_early(reader);
        int digit = hex_digit(reader->bytes[pos + i]);
        if (digit < 0)
            return json_fail(reader, code, backslash);
        *number = *number << 4 | (uint32_t)digit;
    }
    return true;
}

/* Store the low surrogate that follows the high one at the backslash. Each byte is judged before the next one is
 * looked at: a text that ends inside is too short only if its bytes so far fit. */
static bool read_low_surrogate(json_reader *reader, uint32_t backslash, uint32_t *low)
{
    uint32_t pos = backslash + 6;
    for (uint32_t i = 0; i < 4; i++) {
        if (pos + i == reader->size)
            return json_fail_early(reader);
        uint8_t byte = reader->bytes[pos + i];
        bool fits = i == 0   ? byte == '\\'
                    : i == 1 ? byte == 'u'
                    : i == 2 ? (byte | 0x20) == 'd'
                             : hex_digit(byte) >= 12;
        if (!fits)
            return json_fail(reader, MODEL_INDEX_SURROGATE, backslash);
    }
    return read_four_digits(reader, pos + 2, MODEL_INDEX_SURROGATE, backslash, low);
}

static bool unescape_code_point(unescaper *to)
{
    json_reader *reader = to->reader;
    uint32_t backslash = reader->pos, code, low;
    if (!read_four_digits(reader, backslash + 2, MODEL_INDEX_ESCAPE, backslash, &code))
        return false;
    if (code == 0)
        return json_fail(reader, MODEL_INDEX_NUL, backslash);
    if (code >= 0xDC00 && code < 0xE000)
        return json_fail(reader, MODEL_INDEX_SURROGATE, backslash);
    reader->pos += 6;
    if (code >= 0xD800 && code < 0xDC00) {
        if (!read_low_surrogate(reader, backslash, &low))
            return false;
        code = 0x10000 + ((code & 0x3FF) << 10 | (low & 0x3FF));
        reader->pos += 6;
    }
    to->out += (uint32_t)utf8_write(reader->bytes + to->out, code);
    return true;
}

static bool unescape(unescaper *to)
{
    static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    json_reader *reader = to->reader;
    if (reader->pos + 1 == reader->size)
        return json_fail_early(reader);
    uint8_t letter = reader->bytes[reader->pos + 1];
    if (letter == 'u')
        return unescape_code_point(to);
    for (uint32_t i = 0; i < sizeof letters - 1; i++) {
        if ((uint8_t)letters[i] == letter) {
            put(to, (uint8_t)values[i]);
            reader->pos += 2;
            return true;
        }
    }
    return json_fail(reader, MODEL_INDEX_ESCAPE, reader->pos);
}

static bool is_plain(uint8_t byte)
{
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/* Copy the ASCII bytes from pos on that need no unescaping. */
static void copy_plain(unescaper *to)
{
    uint8_t *bytes = to->reader->bytes;
    uint32_t begin = to->reader->pos, end = begin, size = to->reader->size;
    while (end < size && is_plain(bytes[end]))
        end++;
    if (to->out != begin)
        memmove(bytes + to->out, bytes + begin, end - begin);
    to->out += end - begin;
    to->reader->pos = end;
}

bool json_read_string(json_reader *reader, model_text *text)
{
    uint32_t begin = ++reader->pos;
    unescaper to = {reader, begin};
    for (;;) {
        copy_plain(&to);
        if (reader->pos == reader->size)
            return json_fail_early(reader);
        uint8_t byte = reader->bytes[reader->pos];
        if (byte == '"') {
            reader->pos++;
            *text = (model_text){begin, to.out - begin};
            return true;
        }
        if (byte < 0x20)
            return json_fail(reader, MODEL_INDEX_CONTROL, reader->pos);
        if (!(byte == '\\' ? unescape(&to) : copy_code_point(&to)))
            return false;
    }
}
