/* check.c: assay check. */
#include "cli.h"
#include "report.h"

typedef struct {
    const command_line *line;
    host_memory memory;
    bool invalid, error; /* seen so far */
    bool any;            /* something was reported */
} checker;

static void report(checker *check, const char *path, const host_verdict *verdict)
{
    check->invalid |= is_invalid(verdict);
    bool error = !is_valid(verdict) && !is_invalid(verdict);
    check->error |= error;
    if (check->line->quiet) {
        if (error)
            report_text(stderr, path, verdict);
        return;
    }
    switch (check->line->format) {
    case FORMAT_TEXT:
        report_text(stdout, path, verdict);
        break;
    case FORMAT_JSON:
        fputs(check->any ? ",\n" : "[\n", stdout);
        report_json(stdout, path, verdict);
        break;
    case FORMAT_JSONL:
        report_json(stdout, path, verdict);
        putc('\n', stdout);
    }
    check->any = true;
}

static void report_problem(checker *check, const char *path, host_problem problem, int system)
{
    host_verdict verdict = {.problem = problem, .system = system, .file_size = ASSAY_NONE};
    report(check, path, &verdict);
}

static void check_file(checker *check, const char *path)
{
    host_verdict verdict;
    host_judge(&check->memory, path, NULL, &verdict);
    report(check, path, &verdict);
}

static void check_directory(checker *check, const char *path)
{
    host_walk walk;
    host_item item;
    bool empty = true;
    if (!host_walk_begin(&walk, path)) {
        report_problem(check, path, HOST_MEMORY, 0);
        return;
    }
    while (!ferror(stdout) && host_walk_next(&walk, &item)) {
        empty = false;
        if (item.problem == HOST_FINE)
            check_file(check, item.path);
        else
            report_problem(check, item.path, item.problem, item.system);
    }
    host_walk_end(&walk);
    if (empty)
        report_problem(check, path, HOST_EMPTY, 0);
}

/* What the user named. */
static void check_operand(checker *check, const char *path)
{
    host_verdict verdict;
    host_judge(&check->memory, path, NULL, &verdict);
    if (verdict.problem == HOST_DIRECTORY)
        check_directory(check, path);
    else
        report(check, path, &verdict);
}

int command_check(const command_line *line)
{
    checker check = {line, HOST_MEMORY_NONE, false, false, false};
    for (int i = 0; i < line->operands && !ferror(stdout); i++)
        check_operand(&check, line->operand[i]);
    if (check.any && line->format == FORMAT_JSON && !ferror(stdout))
        fputs("\n]\n", stdout);
    host_memory_free(&check.memory);
    return check.invalid ? EXIT_INVALID : check.error ? EXIT_ERROR : EXIT_VALID;
}
