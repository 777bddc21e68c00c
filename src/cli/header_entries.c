/* header_entries.c: see header_entries.h. The core has checked the grammar, so each byte has one meaning. Still, no
 * step leaves the header. */
#include "header_entries.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const uint8_t *head;
    uint64_t at, end;
} cursor;

static bool is_space(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Skip white space and return the next byte, or 0 at the end of the header. */
static uint8_t next(cursor *from)
{
    while (from->at < from->end && is_space(from->head[from->at]))
        from->at++;
    return from->at < from->end ? from->head[from->at] : 0;
}

static bool take(cursor *from, char byte)
{
    bool is = next(from) == (uint8_t)byte;
    from->at += is;
    return is;
}

static bool take_text(cursor *from, header_text *text)
{
    if (!take(from, '"'))
        return false;
    text->at = (uint32_t)from->at;
    while (from->at < from->end && from->head[from->at] != '"')
        from->at += from->head[from->at] == '\\' ? 2 : 1;
    text->end = (uint32_t)from->at;
    return from->at < from->end && take(from, '"');
}

static bool take_number(cursor *from, uint64_t *number)
{
    *number = 0;
    uint8_t digit = next(from);
    if (digit < '0' || digit > '9')
        return false;
    for (; from->at < from->end && (digit = from->head[from->at]) >= '0' && digit <= '9'; from->at++)
        *number = *number * 10 + (digit - '0');
    return true;
}

/* Keywords are written without escapes: rule keyword_escaped. */
static bool is_word(const cursor *from, header_text text, const char *word)
{
    size_t length = strlen(word);
    return text.end - text.at == length && memcmp(from->head + text.at, word, length) == 0;
}

static bool take_member(cursor *from, header_tensor *tensor)
{
    header_text key;
    uint64_t dim;
    if (!take_text(from, &key) || !take(from, ':'))
        return false;
    if (is_word(from, key, "dtype"))
        return take_text(from, &key);
    if (!take(from, '['))
        return false;
    if (is_word(from, key, "data_offsets"))
        return take_number(from, &tensor->begin) && take(from, ',') && take_number(from, &tensor->end) &&
               take(from, ']');
    while (next(from) != ']')
        if (!take_number(from, &dim) || (!take(from, ',') && next(from) != ']'))
            return false;
    return take(from, ']');
}

static bool take_tensor(cursor *from, header_tensor *tensor)
{
    bool fine = take(from, '{');
    while (fine && !take(from, '}'))
        fine = take_member(from, tensor) && (take(from, ',') || next(from) == '}');
    return fine;
}

static bool take_metadata(cursor *from, header_tables *tables, uint64_t room)
{
    header_text value;
    bool fine = take(from, '{');
    while (fine && !take(from, '}'))
        fine = tables->pairs < room && take_text(from, &tables->key[tables->pairs++]) && take(from, ':') &&
               take_text(from, &value) && (take(from, ',') || next(from) == '}');
    return fine;
}

bool header_read(header_tables *tables, const host_verdict *verdict)
{
    const assay_input input = {verdict->head, verdict->head_size, verdict->file_size};
    assay_result result;
    const assay_need *need = &result.need;
    *tables = (header_tables){.tensor = NULL};
    if (input.head_size > UINT32_MAX || assay_measure(&input, NULL, &result) != ASSAY_OK)
        return false;
    tables->view.head = verdict->head;
    tables->view.data_begin = verdict->head_size;
    tables->data_size = verdict->file_size - verdict->head_size;
    tables->tensor = calloc((size_t)need->tensors + 1, sizeof *tables->tensor);
    tables->name = calloc((size_t)need->tensors + 1, sizeof *tables->name);
    tables->key = calloc((size_t)need->pairs + 1, sizeof *tables->key);
    if (tables->tensor == NULL || tables->name == NULL || tables->key == NULL)
        return false;
    cursor from = {verdict->head, 8, verdict->head_size};
    bool fine = take(&from, '{');
    while (fine && !take(&from, '}')) {
        header_text name;
        fine = take_text(&from, &name) && take(&from, ':');
        if (fine && is_word(&from, name, "__metadata__")) {
            fine = take_metadata(&from, tables, need->pairs);
        } else if (fine && tables->tensors < need->tensors) {
            tables->name[tables->tensors] = name;
            fine = take_tensor(&from, &tables->tensor[tables->tensors++]);
        } else {
            fine = false;
        }
        fine = fine && (take(&from, ',') || next(&from) == '}');
    }
    return fine;
}

void header_free(header_tables *tables)
{
    free(tables->tensor);
    free(tables->name);
    free(tables->key);
    *tables = (header_tables){.tensor = NULL};
}
