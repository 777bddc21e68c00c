/* line_buffer.c: see line_buffer.h. */
#include "line_buffer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "escaped_text.h"

void line_add(line_buffer *to, const char *text)
{
    size_t length = strlen(text);
    if (length >= sizeof to->text - to->length) /* does not happen: all parts are bounded */
        return;
    memcpy(to->text + to->length, text, length + 1);
    to->length += length;
}

void line_number(line_buffer *to, uint64_t number)
{
    char digits[21];
    snprintf(digits, sizeof digits, "%" PRIu64, number);
    line_add(to, digits);
}

void line_size(line_buffer *to, uint64_t bytes)
{
    static const char *const unit[] = {" bytes", " kB", " MB", " GB", " TB", " PB", " EB"};
    uint64_t whole = bytes, hundredths = 0;
    size_t power = 0;
    while (whole >= 1000 && power < 6) {
        hundredths = whole % 1000 / 10;
        whole /= 1000;
        power++;
    }
    char text[32];
    if (power == 0)
        snprintf(text, sizeof text, "%" PRIu64 "%s", whole, whole == 1 ? " byte" : unit[0]);
    else
        snprintf(text, sizeof text, "%" PRIu64 ".%02" PRIu64 "%s", whole, hundredths, unit[power]);
    line_add(to, text);
}

void line_quote(line_buffer *to, const assay_view *view, assay_text text)
{
    char out[TEXT_CODE_MAX + 1];
    uint32_t code, before = 0;
    line_add(to, "\"");
    for (int count = 0; assay_text_next(view, &text, &code); count++) {
        if (count == LINE_EXCERPT) {
            line_add(to, "\"...");
            return;
        }
        text_code(out, TEXT_QUOTED, before, code);
        line_add(to, out);
        before = code;
    }
    line_add(to, "\"");
}

void line_quote_bytes(line_buffer *to, const uint8_t *bytes, size_t count)
{
    char out[TEXT_CODE_MAX + 1];
    uint32_t code, before = 0;
    line_add(to, "\"");
    for (size_t at = 0, codes = 0; at < count; codes++) {
        if (codes == LINE_EXCERPT) {
            line_add(to, "\"...");
            return;
        }
        at += text_decode(bytes + at, count - at, &code);
        text_code(out, TEXT_QUOTED, before, code);
        line_add(to, out);
        before = code;
    }
    line_add(to, "\"");
}
