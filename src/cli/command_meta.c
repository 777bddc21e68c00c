/* command_meta.c: assay meta. */
#include <string.h>

#include "cli.h"
#include "escaped_text.h"
#include "remote_files.h"
#include "tensor_list.h"

static int print_one(const assay_view *view, const char *key, bool raw)
{
    assay_text value;
    if (!assay_metadata_find(view, (const uint8_t *)key, strlen(key), &value)) {
        fputs("assay: " NO_KEY, stderr);
        text_path(stderr, TEXT_QUOTED, key);
        putc('\n', stderr);
        return EXIT_INVALID;
    }
    text_of_view(stdout, raw ? TEXT_RAW : TEXT_PLAIN, view, value);
    if (!raw)
        putc('\n', stdout);
    return EXIT_VALID;
}

/* Let workers list the files of an address, an index or a folder: see model_list.h. */
static int list_files(const command_line *line)
{
    command_line one = *line;
    one.operands = 1;
    if (!line->raw)
        return command_check(&one);
    usage_error(line->command, "--raw takes one local file: name a file of the folder, or download it first",
                line->operand[0]);
    return EXIT_ERROR;
}

int command_meta(const command_line *given)
{
    command_line known = *given, *line = &known;
    const char *path = line->operand[0];
    line->key = line->operands > 1 ? line->operand[1] : NULL;
    if (remote_kind_of(path) != REMOTE_NONE || host_is_index(path))
        return list_files(line);
    host_memory memory = HOST_MEMORY_NONE;
    host_verdict verdict;
    assay_view view;
    open_view(&memory, line, &view, &verdict);
    if (verdict.problem == HOST_DIRECTORY) {
        host_memory_free(&memory);
        return list_files(line);
    }
    int status = report_view(line, &verdict);
    if (status == EXIT_VALID && line->key != NULL)
        status = print_one(&view, line->key, line->raw);
    else if (status == EXIT_VALID)
        list_metadata(stdout, &view, "");
    host_memory_free(&memory);
    return status;
}
