/* command_meta.c: assay meta. */
#include <string.h>

#include "cli.h"
#include "escaped_text.h"

static void print_all(const assay_view *view)
{
    assay_text key, value;
    for (uint64_t i = 0; assay_metadata_at(view, i, &key, &value) && !ferror(stdout); i++) {
        text_of_view(stdout, TEXT_PLAIN, view, key);
        fputs(": ", stdout);
        text_of_view(stdout, TEXT_PLAIN, view, value);
        putc('\n', stdout);
    }
}

static int print_one(const assay_view *view, const char *key, bool raw)
{
    assay_text value;
    if (!assay_metadata_find(view, (const uint8_t *)key, strlen(key), &value)) {
        fputs("assay: the metadata have no key ", stderr);
        text_path(stderr, TEXT_QUOTED, key);
        putc('\n', stderr);
        return EXIT_INVALID;
    }
    text_of_view(stdout, raw ? TEXT_RAW : TEXT_PLAIN, view, value);
    if (!raw)
        putc('\n', stdout);
    return EXIT_VALID;
}

int command_meta(const command_line *line)
{
    host_memory memory = HOST_MEMORY_NONE;
    host_verdict verdict;
    assay_view view;
    open_view(&memory, line, &view, &verdict);
    int status = report_view(line, &verdict);
    if (status == EXIT_VALID && line->operands > 1)
        status = print_one(&view, line->operand[1], line->raw);
    else if (status == EXIT_VALID)
        print_all(&view);
    host_memory_free(&memory);
    return status;
}
