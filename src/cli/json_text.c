/* json_text.c: see json_text.h. */
#include "json_text.h"

void json_text(json_writer *to, const char *text)
{
    if (text == NULL)
        json_null(to);
    else
        text_path(json_value(to), TEXT_JSON, text);
}

void json_member_text(json_writer *to, const char *key, const char *text)
{
    json_key(to, key);
    json_text(to, text);
}

void json_bytes(json_writer *to, const uint8_t *bytes, size_t count)
{
    text_bytes(json_value(to), TEXT_JSON, bytes, count);
}

void json_view_text(json_writer *to, const assay_view *view, assay_text text)
{
    text_of_view(json_value(to), TEXT_JSON, view, text);
}

void json_path(json_writer *to, const char *path)
{
    static const char digits[] = "0123456789abcdef";
    json_key(to, "path");
    json_text(to, path);
    if (text_is_utf8(path))
        return;
    json_key(to, "path_bytes");
    FILE *file = json_value(to);
    putc('"', file);
    for (; *path != '\0' && !ferror(file); path++) {
        putc(digits[(uint8_t)*path >> 4], file);
        putc(digits[*path & 15], file);
    }
    putc('"', file);
}
