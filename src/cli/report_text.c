/* report_text.c: records as text: a line for each path, and below it what else there is. */
#include <string.h>

#include "escaped_text.h"
#include "modelspec_report.h"
#include "report.h"

/* ": invalid: " */
static void put_word(FILE *to, const char *word, bool color)
{
    const char *paint = strcmp(word, "valid") == 0     ? "\033[32m"  /* green */
                        : strcmp(word, "invalid") == 0 ? "\033[31m"  /* red */
                        : strcmp(word, "refused") == 0 ? "\033[35m"  /* magenta */
                        : strcmp(word, "error") == 0   ? "\033[33m"  /* yellow */
                                                       : "\033[36m"; /* cyan */
    if (color)
        fprintf(to, ": %s%s\033[0m: ", paint, word);
    else
        fprintf(to, ": %s: ", word);
}

static void put_line(FILE *to, const char *path, const char *word, bool color, const char *message, size_t size)
{
    text_path(to, TEXT_PLAIN, path);
    put_word(to, word, color);
    fwrite(message, 1, size, to);
    putc('\n', to);
}

static void text_verdict(FILE *to, const char *path, const host_verdict *verdict)
{
    line_buffer message;
    (void)path;
    verdict_explain(&message, verdict);
    fputs(message.text, to);
}

static void text_notes(FILE *to, const note_list *list)
{
    line_buffer message;
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        if (list->one[i].refuses)
            continue;
        note_message(&message, &list->one[i]);
        fprintf(to, "    note %s: %s\n", list->one[i].rule->id, message.text);
    }
}

static void text_details(FILE *to, const command_line *line, const char *path, const host_verdict *verdict,
                         const more_findings *more)
{
    line_buffer message;
    text_notes(to, verdict->notes);
    if (verdict->modelspec != NULL)
        modelspec_text(to, verdict);
    for (unsigned i = 0; line->all && i < more->count; i++) {
        host_verdict other = more_finding_verdict(verdict, &more->one[i]);
        verdict_explain(&message, &other);
        put_line(to, path, "also", line->color, message.text, message.length);
    }
    if (line->all && more->left > 0) {
        message.length = 0;
        line_number(&message, more->left);
        line_add(&message, more->left == 1 ? " more finding" : " more findings");
        put_line(to, path, "also", line->color, message.text, message.length);
    }
}

static void text_file(FILE *to, const command_line *line, const char *path, const host_verdict *verdict,
                      const more_findings *more)
{
    text_path(to, TEXT_PLAIN, path);
    put_word(to, verdict_word(verdict), line->color);
    text_verdict(to, path, verdict);
    putc('\n', to);
    text_details(to, line, path, verdict, more);
}

void report_text(FILE *to, const char *path, const host_verdict *verdict)
{
    static const command_line line;
    static const more_findings none;
    text_file(to, &line, path, verdict, &none);
}

static void text_finding(FILE *to, const finding *what)
{
    line_buffer message;
    finding_explain(&message, what);
    fputs(message.text, to);
}

static void no_details(FILE *to, const finding *what)
{
    (void)to;
    (void)what;
}

/* Write a statement that is not the verdict: a note below the line of the file, all else in a line of its own. */
static void put_other(FILE *to, const command_line *line, const char *path, const statement *one)
{
    line_buffer message = {.length = 0};
    const char *bytes = one->bytes;
    size_t size = one->size, rule = strlen("rule ");
    if (one->what != NULL) {
        finding_explain(&message, one->what);
        bytes = message.text;
        size = message.length;
    }
    if (one->rank == RANK_NOTE && size > rule) {
        fputs("    note ", to);
        fwrite(bytes + rule, 1, size - rule, to);
        putc('\n', to);
    } else if (one->rank != RANK_VALID) {
        put_line(to, path, "also", line->color, bytes, size);
    }
}

static void text_record(FILE *to, const command_line *line, const path_record *record)
{
    const statement *top = record->top;
    text_path(to, TEXT_PLAIN, record->path);
    put_word(to, rank_word(top->rank), line->color);
    if (top->what != NULL)
        text_finding(to, top->what);
    else
        fwrite(top->bytes, 1, top->size, to);
    putc('\n', to);
    if (record->details_size > 0)
        fwrite(record->details, 1, record->details_size, to);
    if (record->own != NULL && record->own != top)
        put_other(to, line, record->path, record->own);
    for (size_t i = 0; i < record->findings; i++)
        if (&record->finding[i] != top)
            put_other(to, line, record->path, &record->finding[i]);
}

const report_format text_format = {text_file, text_verdict, text_details, text_finding, no_details, text_record};
