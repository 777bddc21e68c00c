/* text.c: see text.h. */
#include "text.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
    uint32_t first, last;
} range;

/* Unicode 15: Cc, Cf, Zl, Zp, Zs without U+0020, Default_Ignorable_Code_Point, the blanks that are neither
 * (U+2800, U+FFFC), private use; noncharacters are below. */
static const range hidden[] = {
    {0x00, 0x1F},       {0x7F, 0xA0},        {0xAD, 0xAD},       {0x34F, 0x34F},     {0x600, 0x605},
    {0x61C, 0x61C},     {0x6DD, 0x6DD},      {0x70F, 0x70F},     {0x890, 0x891},     {0x8E2, 0x8E2},
    {0x115F, 0x1160},   {0x1680, 0x1680},    {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x2000, 0x200F},
    {0x2028, 0x202F},   {0x205F, 0x206F},    {0x2800, 0x2800},   {0x3000, 0x3000},   {0x3164, 0x3164},
    {0xD800, 0xF8FF},   {0xFDD0, 0xFDEF},    {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
    {0xFFF0, 0xFFFC},   {0x110BD, 0x110BD},  {0x110CD, 0x110CD}, {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3},
    {0x1D173, 0x1D17A}, {0xE0000, 0x10FFFF},
};

bool text_hidden(uint32_t code)
{
    if ((code & 0xFFFE) == 0xFFFE)
        return true;
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden && hidden[i].first <= code; i++)
        if (code <= hidden[i].last)
            return true;
    return false;
}

static size_t encode(char *out, uint32_t code)
{
    static const uint8_t lead[] = {0, 0x00, 0xC0, 0xE0, 0xF0};
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)(lead[length] | code);
    out[length] = '\0';
    return length;
}

static size_t escape_json(char *out, uint32_t code)
{
    if (code == '"' || code == '\\')
        return (size_t)snprintf(out, TEXT_CODE_MAX + 1, "\\%c", (int)code);
    if (code < 0x10000)
        return (size_t)snprintf(out, TEXT_CODE_MAX + 1, "\\u%04" PRIx32, code);
    code -= 0x10000;
    return (size_t)snprintf(out, TEXT_CODE_MAX + 1, "\\u%04" PRIx32 "\\u%04" PRIx32, 0xD800 | code >> 10,
                            0xDC00 | (code & 0x3FF));
}

size_t text_code(char out[TEXT_CODE_MAX + 1], text_style style, uint32_t code)
{
    if (code >= TEXT_BAD_BYTE && style != TEXT_JSON)
        return (size_t)snprintf(out, TEXT_CODE_MAX + 1, "\\x%02" PRIX32, code & 0xFF);
    if (code >= TEXT_BAD_BYTE)
        return encode(out, 0xFFFD);
    bool quote = code == '"' && (style == TEXT_QUOTED || style == TEXT_JSON);
    if (style == TEXT_RAW || !(quote || code == '\\' || text_hidden(code)))
        return encode(out, code);
    if (style == TEXT_JSON)
        return escape_json(out, code);
    if (code == '"' || code == '\\')
        return (size_t)snprintf(out, TEXT_CODE_MAX + 1, "\\%c", (int)code);
    return (size_t)snprintf(out, TEXT_CODE_MAX + 1, "\\u{%" PRIX32 "}", code);
}

size_t text_decode(const uint8_t *bytes, size_t count, uint32_t *code)
{
    uint8_t lead = bytes[0];
    size_t length = lead < 0x80                   ? 1
                    : lead >= 0xC2 && lead < 0xE0 ? 2
                    : lead >= 0xE0 && lead < 0xF0 ? 3
                    : lead >= 0xF0 && lead < 0xF5 ? 4
                                                  : 0;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t value = length == 1 ? lead : lead & (0x7Fu >> length);
    bool fine = length > 0 && length <= count;
    for (size_t i = 1; fine && i < length; i++) {
        fine = (bytes[i] & 0xC0) == 0x80;
        value = value << 6 | (bytes[i] & 0x3F);
    }
    if (!fine || value < least[length] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) {
        *code = TEXT_BAD_BYTE | lead;
        return 1;
    }
    *code = value;
    return length;
}

static void put_quote(FILE *file, text_style style)
{
    if (style == TEXT_QUOTED || style == TEXT_JSON)
        putc('"', file);
}

void text_bytes(FILE *file, text_style style, const uint8_t *bytes, size_t count)
{
    char out[TEXT_CODE_MAX + 1];
    size_t at = 0;
    put_quote(file, style);
    while (at < count && !ferror(file)) {
        uint32_t code;
        at += text_decode(bytes + at, count - at, &code);
        fwrite(out, 1, text_code(out, style, code), file);
    }
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
    char out[TEXT_CODE_MAX + 1];
    uint32_t code;
    put_quote(file, style);
    while (!ferror(file) && assay_text_next(view, &text, &code))
        fwrite(out, 1, text_code(out, style, code), file);
    put_quote(file, style);
}
