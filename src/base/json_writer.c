/* json_writer.c: see json_writer.h. */
#include "json_writer.h"

json_writer json_begin(FILE *file)
{
    return (json_writer){file, false};
}

FILE *json_value(json_writer *to)
{
    if (to->comma)
        putc(',', to->file);
    to->comma = true;
    return to->file;
}

void json_open(json_writer *to, char bracket)
{
    putc(bracket, json_value(to));
    to->comma = false;
}

void json_close(json_writer *to, char bracket)
{
    putc(bracket, to->file);
    to->comma = true;
}

void json_line(json_writer *to)
{
    putc('\n', json_value(to));
    to->comma = false;
}

void json_key(json_writer *to, const char *key)
{
    FILE *file = json_value(to);
    putc('"', file);
    fputs(key, file);
    fputs("\":", file);
    to->comma = false;
}

void json_word(json_writer *to, const char *word)
{
    if (word == NULL) {
        json_null(to);
        return;
    }
    FILE *file = json_value(to);
    putc('"', file);
    fputs(word, file);
    putc('"', file);
}

void json_number(json_writer *to, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    fwrite(digits + at, 1, sizeof digits - at, json_value(to));
}

void json_maybe(json_writer *to, bool has, uint64_t number)
{
    if (has)
        json_number(to, number);
    else
        json_null(to);
}

void json_null(json_writer *to)
{
    fputs("null", json_value(to));
}

void json_raw(json_writer *to, const char *bytes, size_t size)
{
    if (size > 0)
        fwrite(bytes, 1, size, json_value(to));
}
