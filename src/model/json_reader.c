/* json_reader.c: white space, words and numbers of JSON, see json_reader.h. Rules index_early, index_unexpected,
 * index_number,
 * index_number_range. */
#include "json_reader.h"

#include <string.h>

#define NUMBER_MAX 100u
#define EXPONENT_MAX 200u

bool reader_fails(reader *from, uint32_t code, uint64_t offset)
{
    from->error->code = code;
    from->error->offset = offset;
    return false;
}

bool reader_ends(reader *from)
{
    return reader_fails(from, MODEL_INDEX_EARLY, from->size);
}

bool reader_next(reader *from, uint8_t *byte)
{
    const uint8_t *bytes = from->bytes;
    uint32_t at = from->at;
    while (at < from->size && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == '\t'))
        at++;
    from->at = at;
    if (at == from->size)
        return false;
    *byte = bytes[at];
    return true;
}

bool reader_begins_value(uint8_t byte)
{
    return byte == '"' || byte == '{' || byte == '[' || byte == '-' || (byte >= '0' && byte <= '9') || byte == 't' ||
           byte == 'f' || byte == 'n';
}

bool reader_literal(reader *from)
{
    uint8_t first = from->bytes[from->at];
    const char *word = first == 't' ? "true" : first == 'f' ? "false" : "null";
    for (; *word != '\0'; word++, from->at++) {
        if (from->at == from->size)
            return reader_ends(from);
        if (from->bytes[from->at] != (uint8_t)*word)
            return reader_fails(from, MODEL_INDEX_UNEXPECTED, from->at);
    }
    return true;
}

static bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

/* Moves *at behind the digits that stand there; how many? */
static uint32_t digits(const reader *from, uint32_t *at, uint32_t end)
{
    uint32_t begin = *at;
    while (*at < end && is_digit(from->bytes[*at]))
        (*at)++;
    return *at - begin;
}

/* The exponent's value, or one above the limit; *good: it has the form of one, and ends where the number does. */
static uint32_t exponent(const reader *from, uint32_t at, uint32_t end, bool *good)
{
    uint32_t value = 0;
    at++; /* behind the e */
    if (at < end && (from->bytes[at] == '+' || from->bytes[at] == '-'))
        at++;
    *good = at < end;
    for (; at < end; at++) {
        *good = *good && is_digit(from->bytes[at]);
        value = value > EXPONENT_MAX ? value : 10 * value + (from->bytes[at] & 15u);
    }
    return value;
}

bool reader_number(reader *from, model_text *number)
{
    uint32_t begin = from->at, end = begin, at = begin, power = 0;
    while (end < from->size && from->bytes[end] != 0 && strchr("0123456789+-.eE", from->bytes[end]) != NULL)
        end++;
    if (end == from->size)
        return reader_ends(from);
    at += from->bytes[at] == '-';
    bool zero = at < end && from->bytes[at] == '0';
    uint32_t whole = digits(from, &at, end);
    bool good = whole == 1 || (whole > 1 && !zero);
    if (at < end && from->bytes[at] == '.') {
        at++;
        good = good && digits(from, &at, end) > 0;
    }
    if (good && at < end && (from->bytes[at] | 0x20) == 'e')
        power = exponent(from, at, end, &good);
    else
        good = good && at == end;
    if (!good)
        return reader_fails(from, MODEL_INDEX_NUMBER, begin);
    if (end - begin > NUMBER_MAX || power > EXPONENT_MAX)
        return reader_fails(from, MODEL_INDEX_NUMBER_RANGE, begin);
    *number = (model_text){begin, end - begin};
    from->at = end;
    return true;
}
