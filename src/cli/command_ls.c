/* command_ls.c: assay ls. */
#include <stdlib.h>

#include "cli.h"
#include "remote_files.h"
#include "report.h"
#include "tensor_list.h"

static void print(const command_line *line, const assay_view *view, uint8_t *scratch)
{
    list_totals totals = {.files = 0};
    if (line->format == FORMAT_JSON) {
        json_writer to = json_begin(stdout);
        json_open(&to, '{');
        list_members(&to, view, scratch);
        json_close(&to, '}');
        putchar('\n');
    } else if (line->summary) {
        list_count(&totals, view);
        list_summary(stdout, &totals);
    } else {
        list_table(stdout, view);
    }
    if (line->aliases && line->format == FORMAT_TEXT)
        list_aliases(stdout, view, scratch);
}

int command_ls(const command_line *line)
{
    const char *path = line->operand[0];
    if (remote_kind_of(path) != REMOTE_NONE || host_is_index(path))
        return command_check(line); /* its workers list files: see model_list.h */
    host_memory memory = HOST_MEMORY_NONE;
    host_verdict verdict;
    assay_view view;
    open_view(&memory, line, &view, &verdict);
    if (verdict.problem == HOST_DIRECTORY)
        return command_check(line);
    int status = report_view(line, &verdict);
    if (status == EXIT_VALID) {
        uint8_t *scratch = view.pairs == 0 ? NULL : malloc((size_t)view.data_begin);
        if (view.pairs > 0 && scratch == NULL) {
            verdict.problem = HOST_MEMORY;
            report_text(stderr, path, &verdict);
            status = EXIT_ERROR;
        } else {
            print(line, &view, scratch);
        }
        free(scratch);
    }
    host_memory_free(&memory);
    return status;
}
