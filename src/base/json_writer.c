/* json_writer.c: see json_writer.h. */
#include "json_writer.h"

#include <string.h>

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

/* Write a comma if one is due, and a text between two others, in one call if it is short: most are. */
static void put_between(json_writer *to, const char *before, const char *text, const char *after)
{
    char line[128];
    size_t first = strlen(before), length = strlen(text), last = strlen(after), at = 0;
    if (1 + first + length + last > sizeof line) {
        FILE *file = json_value(to);
        fputs(before, file);
        fputs(text, file);
        fputs(after, file);
        return;
    }
    if (to->comma)
        line[at++] = ',';
    memcpy(line + at, before, first);
    memcpy(line + at + first, text, length);
    memcpy(line + at + first + length, after, last);
    fwrite(line, 1, at + first + length + last, to->file);
    to->comma = true;
}

void json_key(json_writer *to, const char *key)
{
    put_between(to, "\"", key, "\":");
    to->comma = false;
}

void json_word(json_writer *to, const char *word)
{
    if (word == NULL)
        json_null(to);
    else
        put_between(to, "\"", word, "\"");
}

void json_member_word(json_writer *to, const char *key, const char *word)
{
    json_key(to, key);
    json_word(to, word);
}

void json_number(json_writer *to, uint64_t number)
{
    char digits[21];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    if (to->comma)
        digits[--at] = ',';
    fwrite(digits + at, 1, sizeof digits - at, to->file);
    to->comma = true;
}

void json_maybe(json_writer *to, bool has, uint64_t number)
{
    if (has)
        json_number(to, number);
    else
        json_null(to);
}

void json_member_number(json_writer *to, const char *key, bool has, uint64_t number)
{
    json_key(to, key);
    json_maybe(to, has, number);
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
