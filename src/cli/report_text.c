/* report_text.c: records as text, and which format is whose. */
#include "finding.h"
#include "report.h"

#include <inttypes.h>
#include <string.h>

void report_word(FILE *file, const char *word, bool colour)
{
    const char *paint = strcmp(word, "valid") == 0     ? "\033[32m"  /* green */
                        : strcmp(word, "invalid") == 0 ? "\033[31m"  /* red */
                        : strcmp(word, "refused") == 0 ? "\033[35m"  /* magenta */
                        : strcmp(word, "error") == 0   ? "\033[33m"  /* yellow */
                                                       : "\033[36m"; /* cyan */
    if (colour)
        fprintf(file, ": %s%s\033[0m: ", paint, word);
    else
        fprintf(file, ": %s: ", word);
}

static void line_of(FILE *file, const char *path, const char *word, bool colour, const text_line *message)
{
    text_path(file, TEXT_PLAIN, path);
    report_word(file, word, colour);
    fprintf(file, "%s\n", message->text);
}

static void text_record(FILE *file, bool colour, const char *path, const host_verdict *verdict)
{
    text_line message;
    names named;
    names_find(&named, verdict);
    verdict_explain(&message, verdict, &named);
    line_of(file, path, verdict_word(verdict), colour, &message);
    notes_text(file, verdict->notes);
}

static void text_further(FILE *file, bool colour, const char *path, const host_verdict *verdict, const further *more)
{
    text_line message;
    for (unsigned i = 0; i < more->count; i++) {
        host_verdict other = further_verdict(verdict, &more->one[i]);
        verdict_explain(&message, &other, &more->one[i].named);
        line_of(file, path, "also", colour, &message);
    }
    if (more->left > 0) {
        message.length = 0;
        line_number(&message, more->left);
        line_add(&message, more->left == 1 ? " more finding" : " more findings");
        line_of(file, path, "also", colour, &message);
    }
}

void report_text(FILE *file, const char *path, const host_verdict *verdict)
{
    text_record(file, false, path, verdict);
}

void report_record(FILE *file, const command_line *line, const char *path, const host_verdict *verdict,
                   const further *more)
{
    switch (line->format) {
    case FORMAT_TEXT:
        text_record(file, line->colour, path, verdict);
        if (line->all)
            text_further(file, line->colour, path, verdict, more);
        break;
    case FORMAT_JSON:
    case FORMAT_JSONL:
        report_json(file, path, verdict, more);
        break;
    case FORMAT_SARIF:
        report_sarif(file, path, verdict, more);
    }
}

void report_finding(FILE *file, const command_line *line, const finding *what)
{
    if (line->format == FORMAT_TEXT)
        finding_text(file, what, line->colour);
    else if (line->format == FORMAT_SARIF)
        finding_sarif(file, what);
    else
        finding_json(file, what);
}
