/* escaped_text.c: see escaped_text.h. */
#include "escaped_text.h"

#include <inttypes.h>
#include <string.h>

#include "hidden_text.h"
#include "utf8_codec.h"

/* Write the UTF-8 of a code point, and a NUL. Return its length without the NUL. */
static size_t encode(char *out, uint32_t code)
{
    size_t length = utf8_write((uint8_t *)out, code);
    out[length] = '\0';
    return length;
}

/* Write the last digits of a number, and a NUL. */
static void put_hex(char *out, uint32_t number, size_t digits, const char *alphabet)
{
    out[digits] = '\0';
    for (; digits-- > 0; number >>= 4)
        out[digits] = alphabet[number & 15];
}

/* "\u00ff" */
static size_t escape_unit(char *out, uint32_t unit)
{
    out[0] = '\\';
    out[1] = 'u';
    put_hex(out + 2, unit, 4, "0123456789abcdef");
    return 6;
}

static size_t escape_self(char *out, uint32_t code)
{
    out[0] = '\\';
    out[1] = (char)code;
    out[2] = '\0';
    return 2;
}

static size_t escape_json(char *out, uint32_t code)
{
    if (code < 0x10000)
        return escape_unit(out, code);
    code -= 0x10000;
    return escape_unit(out, 0xD800 | code >> 10) + escape_unit(out + 6, 0xDC00 | (code & 0x3FF));
}

/* "\u{FF}" */
static size_t escape_code(char *out, uint32_t code)
{
    size_t digits = 1;
    while (code >> 4 * digits != 0)
        digits++;
    memcpy(out, "\\u{", 3);
    put_hex(out + 3, code, digits, "0123456789ABCDEF");
    memcpy(out + 3 + digits, "}", 2);
    return digits + 4;
}

/* "\xFF" */
static size_t escape_byte(char *out, uint32_t byte)
{
    memcpy(out, "\\x", 2);
    put_hex(out + 2, byte, 2, "0123456789ABCDEF");
    return 4;
}

size_t text_code(char out[TEXT_CODE_MAX + 1], text_style style, uint32_t before, uint32_t code)
{
    if (code >= TEXT_BAD_BYTE)
        return style == TEXT_JSON ? encode(out, 0xFFFD) : escape_byte(out, code);
    bool quote = code == '"' && (style == TEXT_QUOTED || style == TEXT_JSON);
    bool mark = code == '#' && before == '#';
    if (style == TEXT_RAW || !(quote || mark || code == '\\' || text_hidden(code)))
        return encode(out, code);
    if (code == '"' || code == '\\')
        return escape_self(out, code);
    return style == TEXT_JSON ? escape_json(out, code) : escape_code(out, code);
}

size_t text_decode(const uint8_t *bytes, size_t count, uint32_t *code)
{
    size_t length = utf8_read(bytes, count, code);
    if (length > 0 && length <= count)
        return length;
    *code = TEXT_BAD_BYTE | bytes[0];
    return 1;
}

static void put_quote(FILE *file, text_style style)
{
    if (style == TEXT_QUOTED || style == TEXT_JSON)
        putc('"', file);
}

#define SHORT 64 /* bytes: fewer are copied to the buffer, more are written directly */

/* Text on its way to a file, through a buffer. */
typedef struct {
    FILE *file;
    text_style style;
    uint32_t before; /* the code point before, or 0 */
    char text[512];
    size_t length;
} writer;

/* Write bytes, unless the output has failed: nothing may follow a gap. */
static void put(const writer *to, const void *bytes, size_t count)
{
    if (!ferror(to->file))
        fwrite(bytes, 1, count, to->file);
}

static void flush(writer *to)
{
    put(to, to->text, to->length);
    to->length = 0;
}

static void put_code(writer *to, uint32_t code)
{
    if (to->length + TEXT_CODE_MAX + 1 > sizeof to->text)
        flush(to);
    to->length += text_code(to->text + to->length, to->style, to->before, code);
    to->before = code;
}

#define FIRST 7 /* code points in which the beginning of a command is recognized: "travis_" */

/* Escape the first code point of a text that may begin a line, if the text begins as commands for CI services do:
 * "::error::", "##[group]", "--- ", "travis_fold:", or a space, which may precede them. code: 0 after the end. */
static bool put_first(writer *to, const uint32_t code[FIRST])
{
    static const char travis[] = "travis_";
    uint32_t first = code[0];
    bool group = first == code[1] && (first == '-' || first == '+' || first == '~' || first == '^');
    bool word = true;
    for (size_t i = 0; i < FIRST; i++)
        word = word && code[i] == (uint32_t)travis[i];
    if (to->style != TEXT_PLAIN || !(group || word || first == ' ' || first == ':' || first == '#'))
        return false;
    to->length = escape_code(to->text, first);
    return true;
}

/* Write the leading bytes that no style escapes, and return their number. */
static size_t put_plain(writer *to, const uint8_t *bytes, size_t count)
{
    size_t length = 0;
    while (length < count && bytes[length] >= ' ' && bytes[length] <= '~' && bytes[length] != '"' &&
           bytes[length] != '\\' && bytes[length] != '#')
        length++;
    if (length == 0)
        return 0;
    to->before = 0;
    if (length >= SHORT || to->length + length > sizeof to->text)
        flush(to);
    if (length >= SHORT) {
        put(to, bytes, length);
        return length;
    }
    memcpy(to->text + to->length, bytes, length);
    to->length += length;
    return length;
}

void text_bytes(FILE *file, text_style style, const uint8_t *bytes, size_t count)
{
    writer to = {.file = file, .style = style};
    uint32_t begin[FIRST] = {0};
    for (size_t i = 0; i < FIRST && i < count; i++)
        begin[i] = bytes[i];
    size_t at = put_first(&to, begin) ? 1 : 0;
    put_quote(file, style);
    while (at < count) {
        uint32_t code;
        at += put_plain(&to, bytes + at, count - at);
        if (at < count) {
            code = bytes[at];
            at += code < 0x80 ? 1 : text_decode(bytes + at, count - at, &code);
            put_code(&to, code);
        }
    }
    flush(&to);
    put_quote(file, style);
}

void text_path(FILE *file, text_style style, const char *path)
{
    text_bytes(file, style, (const uint8_t *)path, strlen(path));
}

bool text_is_utf8(const char *path)
{
    const uint8_t *bytes = (const uint8_t *)path;
    size_t count = strlen(path), at = 0;
    uint32_t code = 0;
    while (at < count && code < TEXT_BAD_BYTE)
        at += text_decode(bytes + at, count - at, &code);
    return code < TEXT_BAD_BYTE;
}

void text_of_view(FILE *file, text_style style, const assay_view *view, assay_text text)
{
    writer to = {.file = file, .style = style};
    assay_text rest = text;
    uint32_t code, begin[FIRST] = {0};
    if (assay_text_next(view, &rest, &begin[0])) {
        assay_text ahead = rest;
        for (size_t i = 1; i < FIRST && assay_text_next(view, &ahead, &begin[i]); i++)
            continue;
        text = put_first(&to, begin) ? rest : text;
    }
    put_quote(file, style);
    for (;;) {
        text.at += put_plain(&to, view->head + text.at, (size_t)(text.end - text.at));
        if (text.at < text.end && view->head[text.at] < 0x80 && view->head[text.at] != '\\')
            code = view->head[text.at++];
        else if (!assay_text_next(view, &text, &code))
            break;
        put_code(&to, code);
    }
    flush(&to);
    put_quote(file, style);
}
