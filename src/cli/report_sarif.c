/* report_sarif.c: a log of SARIF 2.1.0: one run, all rules, a result for each finding. A valid file has none. */
#include <inttypes.h>
#include <string.h>

#include "finding.h"
#include "program_rules.h"
#include "remote_files.h"
#include "report.h"

static const char HEAD[] =
    "{\"$schema\":\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json\",\n"
    "\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"assay\",\"version\":\"" ASSAY_VERSION
    "\",\"rules\":[\n";

static void member_text(FILE *file, const char *key, const char *text)
{
    fprintf(file, ",\"%s\":{\"text\":", key);
    text_path(file, TEXT_JSON, text);
    putc('}', file);
}

/* A message, in which braces and brackets are no placeholders and no links, whatever a name holds. */
static void member_message(FILE *file, const text_line *message)
{
    char text[2 * sizeof message->text];
    size_t length = 0;
    for (const char *c = message->text; *c != '\0'; c++) {
        if (*c == '[' || *c == ']')
            text[length++] = '\\';
        else if (*c == '{' || *c == '}')
            text[length++] = *c;
        text[length++] = *c;
    }
    text[length] = '\0';
    member_text(file, "message", text);
}

/* A rule as a reportingDescriptor; the tags are those that code scanning on GitHub knows. */
static void put_rule(FILE *file, const rule_row *row)
{
    fprintf(file, "{\"id\":\"%s\",\"name\":\"%s\"", row->id, row->name);
    member_text(file, "shortDescription", row->title);
    member_text(file, "fullDescription", row->statement != NULL ? row->statement : row->title);
    member_text(file, "help", row->advice);
    fprintf(file, ",\"defaultConfiguration\":{\"level\":\"%s\"},\"properties\":{\"code\":%u,\"tags\":[\"security\"",
            row->severity, (unsigned)row->code);
    if (row->cwe != NULL)
        fprintf(file, ",\"external/cwe/cwe-%s\"", row->cwe + sizeof "CWE-" - 1);
    fputs("]}}", file);
}

void sarif_begin(FILE *file)
{
    fputs(HEAD, file);
    for (uint32_t i = 0; i < rules_table_count; i++) {
        put_rule(file, &rules_table[i]);
        fputs(i + 1 < rules_table_count ? ",\n" : "\n", file);
    }
    fputs("]}},\"results\":[\n", file);
}

void sarif_end(FILE *file, bool whole, int status)
{
    fprintf(file, "\n],\"invocations\":[{\"executionSuccessful\":%s,\"exitCode\":%d}]}]}\n", whole ? "true" : "false",
            status);
}

/* "%FF" */
static void put_escape(FILE *file, uint8_t byte)
{
    static const char digits[] = "0123456789ABCDEF";
    const char text[] = {'%', digits[byte >> 4], digits[byte & 15]};
    fwrite(text, 1, sizeof text, file);
}

/* An address as it is, or a path as a reference in the sense of RFC 3986: each byte that has no meaning of its own
 * there as %XX. */
static void put_uri(FILE *file, const char *path)
{
    static const char all[] = ":?#[]%ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&'()*+,;=@";
    const char *some = remote_kind_of(path) != REMOTE_NONE ? all : all + sizeof ":?#[]%" - 1;
    bool plain[256] = {false};
    for (const char *c = some; *c != '\0'; c++)
        plain[(uint8_t)*c] = true;
    if (path[0] == '/')
        fputs("file:///", file); /* what follows is no host, also of a path that begins with two slashes */
    uint8_t before = '\0';
    for (const uint8_t *at = (const uint8_t *)path + (path[0] == '/'); *at != '\0' && !ferror(file);) {
        size_t length = 0;
        for (; plain[at[length]] && !(at[length] == '#' && before == '#'); length++)
            before = at[length];
        fwrite(at, 1, length, file);
        at += length;
        if (*at != '\0') {
            before = *at++;
            put_escape(file, before);
        }
    }
}

/* The beginning of a result, up to the tensor's name. */
static void begin_result(FILE *file, const rule_row *row, bool refused, const text_line *message, const char *path)
{
    fprintf(file, "{\"ruleId\":\"%s\",\"ruleIndex\":%u,\"level\":\"%s\"", row->id, (unsigned)(row - rules_table),
            refused ? "error" : row->severity);
    member_message(file, message);
    fputs(",\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"", file);
    put_uri(file, path);
    fputs("\"}", file);
}

static void put_region(FILE *file, uint64_t offset)
{
    if (offset != ASSAY_NONE)
        fprintf(file, ",\"region\":{\"byteOffset\":%" PRIu64 "}", offset);
    putc('}', file);
}

static void begin_name(FILE *file)
{
    fputs(",\"logicalLocations\":[{\"kind\":\"tensor\",\"name\":", file);
}

static void number(FILE *file, const char *key, uint64_t value, const char **comma)
{
    if (value == ASSAY_NONE)
        return;
    fprintf(file, "%s\"%s\":%" PRIu64, *comma, key, value);
    *comma = ",";
}

static void end_result(FILE *file, uint64_t expected, uint64_t found, uint64_t count)
{
    const char *comma = "";
    fputs("}],\"properties\":{", file);
    number(file, "expected", expected, &comma);
    number(file, "found", found, &comma);
    number(file, "count", count, &comma);
    fputs("}}", file);
}

static void put_result(FILE *file, const char *path, const host_verdict *verdict, const names *named)
{
    text_line message;
    bool judged = verdict->problem == HOST_FINE;
    const rule_row *row = rule_by_code(judged ? verdict->status : RULE_NOT_JUDGED);
    const assay_error *error = &verdict->error;
    if (row == NULL)
        return;
    verdict_explain(&message, verdict, named);
    begin_result(file, row, is_refused(verdict), &message, path);
    put_region(file, judged ? error->offset : ASSAY_NONE);
    if (named->has_tensor) {
        begin_name(file);
        text_of_view(file, TEXT_JSON, &named->view, named->tensor);
        fputs("}]", file);
    }
    bool counts = judged && strcmp(row->severity, "note") != 0;
    bool expected = counts && has_number(row->expected, error->expected);
    bool found = counts && has_number(row->found, error->found);
    end_result(file, expected ? error->expected : ASSAY_NONE, found ? error->found : ASSAY_NONE, ASSAY_NONE);
}

void report_sarif(FILE *file, const char *path, const host_verdict *verdict, const further *more)
{
    names named;
    const char *before = "";
    if (!is_valid(verdict)) {
        names_find(&named, verdict);
        put_result(file, path, verdict, &named);
        before = ",\n";
    }
    for (size_t i = 0; verdict->notes != NULL && i < verdict->notes->count; i++) {
        text_line message = {.length = 0};
        if (verdict->notes->one[i].refuses)
            continue;
        note_message(&message, &verdict->notes->one[i]);
        fputs(before, file);
        begin_result(file, verdict->notes->one[i].rule, false, &message, path);
        fputs("}", file);
        end_result(file, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE);
        before = ",\n";
    }
    for (unsigned i = 0; i < more->count && !ferror(file); i++) {
        host_verdict other = further_verdict(verdict, &more->one[i]);
        fputs(",\n", file);
        put_result(file, path, &other, &more->one[i].named);
    }
}

void finding_sarif(FILE *file, const finding *what)
{
    text_line message;
    const rule_row *row = what->problem == HOST_FINE ? what->rule : rule_by_code(RULE_NOT_JUDGED);
    if (row == NULL)
        return;
    finding_explain(&message, what);
    begin_result(file, row, strcmp(finding_word(what), "refused") == 0, &message, what->path);
    put_region(file, what->index == NULL ? what->offset : ASSAY_NONE);
    if (what->view != NULL || what->name != NULL) {
        begin_name(file);
        if (what->view != NULL)
            text_of_view(file, TEXT_JSON, what->view, what->text);
        else
            text_bytes(file, TEXT_JSON, what->name, what->name_size);
        fputs("}]", file);
    }
    end_result(file, what->expected, what->found, what->count > 0 ? what->count : ASSAY_NONE);
}
