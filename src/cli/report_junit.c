/* report_junit.c: records as test cases of JUnit's XML: one for each path. */
#include <string.h>

#include "escaped_text.h"
#include "report.h"

void junit_begin(FILE *to)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"assay\">\n", to);
}

void junit_end(FILE *to)
{
    fputs("</testsuite>\n</testsuites>\n", to);
}

/* Write text, which has no control characters, as XML. */
static void put_xml(FILE *to, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        switch (text[i]) {
        case '&':
            fputs("&amp;", to);
            break;
        case '<':
            fputs("&lt;", to);
            break;
        case '>':
            fputs("&gt;", to);
            break;
        case '"':
            fputs("&quot;", to);
            break;
        case '\'':
            fputs("&apos;", to);
            break;
        default:
            putc(text[i], to);
        }
    }
}

static void put_path(FILE *to, const char *path)
{
    const uint8_t *bytes = (const uint8_t *)path;
    size_t count = strlen(path);
    char out[TEXT_CODE_MAX + 1];
    uint32_t code, before = 0;
    for (size_t at = 0; at < count && !ferror(to); before = code) {
        at += text_decode(bytes + at, count - at, &code);
        put_xml(to, out, text_code(out, TEXT_PLAIN, before, code));
    }
}

static void put_line(FILE *to, const char *label, const line_buffer *message)
{
    fputs(label, to);
    put_xml(to, message->text, message->length);
    putc('\n', to);
}

static void junit_verdict(FILE *to, const char *path, const host_verdict *verdict)
{
    line_buffer message;
    (void)path;
    verdict_explain(&message, verdict);
    put_xml(to, message.text, message.length);
}

static void junit_details(FILE *to, const command_line *line, const char *path, const host_verdict *verdict,
                          const more_findings *more)
{
    line_buffer message;
    const note_list *list = verdict->notes;
    (void)line;
    (void)path;
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        if (list->one[i].refuses)
            continue;
        note_message(&message, &list->one[i]);
        fprintf(to, "note %s: ", list->one[i].rule->id);
        put_line(to, "", &message);
    }
    for (unsigned i = 0; i < more->count; i++) {
        host_verdict other = more_finding_verdict(verdict, &more->one[i]);
        verdict_explain(&message, &other);
        put_line(to, "also: ", &message);
    }
    if (more->left > 0)
        fprintf(to, "also: %llu more\n", (unsigned long long)more->left);
}

static void junit_finding(FILE *to, const finding *what)
{
    line_buffer message;
    finding_explain(&message, what);
    put_xml(to, message.text, message.length);
}

static void no_details(FILE *to, const finding *what)
{
    (void)to;
    (void)what;
}

/* Begin the test case, and the element inside that holds what else there is; return the name of that element. */
static const char *begin_case(FILE *to, const char *path, verdict_rank rank, uint32_t code)
{
    const rule_row *rule = rule_by_code(code);
    const char *element = rank == RANK_ERROR ? "error" : "failure";
    fputs("<testcase classname=\"assay\" name=\"", to);
    put_path(to, path);
    fputs("\">\n", to);
    if (rank <= RANK_VALID) {
        fputs("<system-out>", to);
        return "system-out";
    }
    fprintf(to, "<%s type=\"%s\" message=\"", element, rule == NULL ? "E1" : rule->id);
    return element;
}

static void end_case(FILE *to, const char *element)
{
    fprintf(to, "</%s>\n</testcase>\n", element);
}

static void junit_file(FILE *to, const command_line *line, const char *path, const host_verdict *verdict,
                       const more_findings *more)
{
    verdict_rank rank = verdict_rank_of(verdict);
    const char *element = begin_case(to, path, rank, verdict->problem != HOST_FINE ? 0 : verdict->status);
    junit_verdict(to, path, verdict);
    fputs(rank > RANK_VALID ? "\">" : "\n", to);
    junit_details(to, line, path, verdict, more);
    end_case(to, element);
}

static void put_statement(FILE *to, const statement *one)
{
    if (one->what != NULL)
        junit_finding(to, one->what);
    else
        fwrite(one->bytes, 1, one->size, to);
}

static void junit_record(FILE *to, const command_line *line, const path_record *record)
{
    const statement *top = record->top;
    const char *element = begin_case(to, record->path, top->rank, top->code);
    (void)line;
    put_statement(to, top);
    fputs(top->rank > RANK_VALID ? "\">" : "\n", to);
    if (record->details_size > 0)
        fwrite(record->details, 1, record->details_size, to);
    for (size_t i = 0; i <= record->findings; i++) {
        const statement *one = i == 0 ? record->own : &record->finding[i - 1];
        if (one == NULL || one == top || one->rank == RANK_VALID)
            continue;
        fputs(one->rank == RANK_NOTE ? "note: " : "also: ", to);
        put_statement(to, one);
        putc('\n', to);
    }
    end_case(to, element);
}

const report_format junit_format = {junit_file,    junit_verdict, junit_details,
                                    junit_finding, no_details,    junit_record};
