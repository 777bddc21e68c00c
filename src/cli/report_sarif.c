/* report_sarif.c: a log of SARIF 2.1.0 as GitHub's code scanning reads it: one run, with a result for each finding. The
 * tool comes after the results, so that it lists the rules that occur and no others. */
#include <string.h>

#include "json_text.h"
#include "keyed_hash.h"
#include "program_rules.h"
#include "remote_files.h"
#include "report.h"

#define REPOSITORY "https://github.com/OWNER/assay"

static const char HEAD[] =
    "{\"$schema\":\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json\",\n"
    "\"version\":\"2.1.0\",\"runs\":[{\"columnKind\":\"unicodeCodePoints\",\"results\":[\n";

/* Write a number unless it is ASSAY_NONE. */
static void property(json_writer *to, const char *key, uint64_t value)
{
    if (value != ASSAY_NONE)
        json_member_number(to, key, true, value);
}

/* ---- Rules ----------------------------------------------------------------------------------------------- */

/* Write a member of the form {"text": TEXT}, as SARIF has it for every text. */
static void member_message_text(json_writer *to, const char *key, const char *text)
{
    json_key(to, key);
    json_open(to, '{');
    json_key(to, "text");
    json_text(to, text);
    json_close(to, '}');
}

/* Is it a reason why a file could not be judged? */
static bool is_notice(uint32_t code)
{
    return code < ASSAY_E_FIRST || code == RULE_NOT_JUDGED;
}

/* Return the section that states the rule. */
static const char *page_of(const rule_row *row)
{
    static const char *const stages[] = {"Fspec/format.md#stage-f-the-frame",
                                         "Hspec/format.md#stage-h-the-header-in-one-pass-from-left-to-right",
                                         "Gspec/format.md#stage-g-the-whole-file",
                                         "Aspec/format.md#notes",
                                         "Pspec/policy.md"};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (stages[i][0] == row->id[0])
            return stages[i] + 1;
    if (is_notice(row->code))
        return "spec/format.md#not-judged";
    return row->code < MODEL_SHARD_MISSING || row->code == MODEL_INDEX_EMPTY ? "spec/index.md#the-index"
                                                                             : "spec/index.md#the-index-and-its-shards";
}

/* Return a score on the scale of CVSS: high if the rule prevents a known weakness, else medium; low for a note. */
static const char *severity_of(const rule_row *row)
{
    return strcmp(row->severity, "note") == 0 ? "2.0" : row->cwe != NULL ? "7.5" : "5.0";
}

/* Write a rule as a reportingDescriptor, with the properties that code scanning on GitHub knows. */
static void put_rule(json_writer *to, const rule_row *row)
{
    json_line(to);
    json_open(to, '{');
    json_member_word(to, "id", row->id);
    json_member_word(to, "name", row->name);
    member_message_text(to, "shortDescription", row->title);
    member_message_text(to, "fullDescription", row->statement != NULL ? row->statement : row->title);
    member_message_text(to, "help", row->advice);
    json_key(to, "helpUri");
    fprintf(json_value(to), "\"" REPOSITORY "/blob/main/%s\"", page_of(row));
    json_key(to, "defaultConfiguration");
    json_open(to, '{');
    json_member_word(to, "level", row->severity);
    json_close(to, '}');
    json_key(to, "properties");
    json_open(to, '{');
    json_member_number(to, "code", true, row->code);
    json_member_word(to, "security-severity", severity_of(row));
    json_member_word(to, "precision", "very-high");
    json_key(to, "tags");
    json_open(to, '[');
    json_word(to, "security");
    if (row->cwe != NULL)
        fprintf(json_value(to), "\"external/cwe/cwe-%s\"", row->cwe + sizeof "CWE-" - 1);
    json_close(to, ']');
    json_close(to, '}');
    json_close(to, '}');
}

/* Write those rules that occur: the reasons not to judge, or all others. */
static void put_rules(json_writer *to, const char *key, const sarif_log *log, bool notices)
{
    json_key(to, key);
    json_open(to, '[');
    for (uint32_t i = 0; i < rules_table_count; i++)
        if (log->occurs[rules_table[i].code] && is_notice(rules_table[i].code) == notices)
            put_rule(to, &rules_table[i]);
    json_close(to, ']');
}

/* ---- Results --------------------------------------------------------------------------------------------- */

/* Write a message in which braces and brackets of names are no placeholders and no links. */
static void member_message(json_writer *to, const line_buffer *message)
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
    member_message_text(to, "message", text);
}

/* Skip ./ at the beginning of a path: code scanning compares paths with those in the repository. */
static const char *without_dots(const char *path)
{
    while (path[0] == '.' && path[1] == '/' && path[2] != '\0')
        for (path += 2; path[0] == '/' && path[1] != '\0';)
            path++;
    return path;
}

/* Write a path as a URI reference (RFC 3986): each byte that has a meaning there, or may not be there, as %XX. */
static void put_uri(FILE *file, const char *path)
{
    static const char some[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&'()*+,;=@";
    static const char digits[] = "0123456789ABCDEF";
    bool plain[256] = {false};
    for (const char *c = some; *c != '\0'; c++)
        plain[(uint8_t)*c] = true;
    if (path[0] == '/')
        fputs("file:///", file); /* no host follows, even if the path begins with two slashes */
    const uint8_t *at = (const uint8_t *)path + (path[0] == '/');
    while (*at != '\0' && !ferror(file)) {
        size_t length = 0;
        while (plain[at[length]])
            length++;
        fwrite(at, 1, length, file);
        at += length;
        if (*at == '\0')
            break;
        putc('%', file);
        putc(digits[*at >> 4], file);
        putc(digits[*at++ & 15], file);
    }
}

/* What a result, or a notification, is about. */
typedef struct {
    const char *path, *index; /* index: or NULL */
    uint64_t offset;          /* ASSAY_NONE: none */
    const assay_view *view;   /* a tensor by this text of a header ... */
    assay_text text;
    const uint8_t *name;      /* ... or these bytes, if they are not NULL */
    size_t name_size;
    assay_text other;         /* of the view: begin and end are equal if there is none */
} subject;

static bool is_address(const char *path)
{
    return remote_kind_of(path) != REMOTE_NONE;
}

static void put_physical(json_writer *to, const subject *of)
{
    json_key(to, "physicalLocation");
    json_open(to, '{');
    json_key(to, "artifactLocation");
    json_open(to, '{');
    json_key(to, "uri");
    FILE *file = json_value(to);
    putc('"', file);
    put_uri(file, without_dots(of->path));
    putc('"', file);
    json_close(to, '}');
    json_key(to, "region"); /* the file is binary: the line is there for programs that require one */
    json_open(to, '{');
    json_member_number(to, "startLine", true, 1);
    property(to, "byteOffset", of->offset);
    json_close(to, '}');
    json_close(to, '}');
}

static void put_locations(json_writer *to, const subject *of)
{
    bool address = is_address(of->path), named = of->view != NULL || of->name != NULL;
    json_key(to, "locations");
    json_open(to, '[');
    json_open(to, '{');
    if (!address)
        put_physical(to, of);
    if (address || named) {
        json_key(to, "logicalLocations");
        json_open(to, '[');
    }
    if (address) {
        json_open(to, '{');
        json_member_word(to, "kind", "resource");
        json_key(to, "fullyQualifiedName");
        json_text(to, of->path);
        json_close(to, '}');
    }
    if (named) {
        json_open(to, '{');
        json_member_word(to, "kind", "tensor");
        json_key(to, "name");
        if (of->view != NULL)
            json_view_text(to, of->view, of->text);
        else
            json_bytes(to, of->name, of->name_size);
        json_close(to, '}');
    }
    if (address || named)
        json_close(to, ']');
    json_close(to, '}');
    json_close(to, ']');
}

static void hash_text(keyed_hash *hash, const char *text)
{
    keyed_hash_bytes(hash, (const uint8_t *)text, strlen(text) + 1);
}

/* Write what tells this result from others in the next version of the file too: rule, path and names, and no offset. */
static void put_fingerprint(json_writer *to, const rule_row *row, const subject *of)
{
    keyed_hash hash;
    keyed_hash_begin(&hash, 0, HASH_FINGERPRINT, 0);
    hash_text(&hash, row->id);
    hash_text(&hash, without_dots(of->path));
    hash_text(&hash, of->index == NULL ? "" : without_dots(of->index));
    if (of->view != NULL) {
        keyed_hash_bytes(&hash, of->view->head + of->text.at, (size_t)(of->text.end - of->text.at));
        keyed_hash_byte(&hash, 0);
        keyed_hash_bytes(&hash, of->view->head + of->other.at, (size_t)(of->other.end - of->other.at));
    } else if (of->name != NULL) {
        keyed_hash_bytes(&hash, of->name, of->name_size);
    }
    json_key(to, "partialFingerprints");
    json_open(to, '{');
    json_key(to, "primaryLocationLineHash");
    fprintf(json_value(to), "\"%016llx:1\"", (unsigned long long)keyed_hash_end(&hash));
    json_close(to, '}');
}

/* Write a result, up to its properties. */
static void begin_result(json_writer *to, const rule_row *row, bool refused, const line_buffer *message,
                         const subject *of)
{
    json_open(to, '{');
    json_member_word(to, "ruleId", row->id);
    json_member_word(to, "level", refused ? "error" : row->severity);
    member_message(to, message);
    put_locations(to, of);
    put_fingerprint(to, row, of);
    json_key(to, "properties");
    json_open(to, '{');
    if (is_address(of->path))
        property(to, "byteOffset", of->offset);
}

static void end_result(json_writer *to)
{
    json_close(to, '}');
    json_close(to, '}');
}

static void put_notice(json_writer *to, uint32_t code, const line_buffer *message, const subject *of)
{
    const rule_row *row = rule_by_code(code);
    json_open(to, '{');
    json_key(to, "descriptor");
    json_open(to, '{');
    json_member_word(to, "id", row == NULL ? "E1" : row->id);
    json_close(to, '}');
    json_member_word(to, "level", "error");
    member_message(to, message);
    put_locations(to, of);
    json_close(to, '}');
}

/* ---- A file ---------------------------------------------------------------------------------------------- */

/* Write a verdict that is not "valid". */
static void put_verdict(json_writer *to, const char *path, const host_verdict *verdict)
{
    line_buffer message;
    const assay_error *error = &verdict->error;
    const assay_view view = verdict_texts(verdict);
    uint32_t code = verdict->problem == HOST_FINE ? verdict->status : RULE_NOT_JUDGED;
    const rule_row *row = rule_by_code(code);
    subject of = {.path = path, .offset = verdict_has(verdict, ASSAY_HAS_OFFSET) ? error->offset : ASSAY_NONE};
    if (verdict_has(verdict, ASSAY_HAS_TENSOR)) {
        of.view = &view;
        of.text = error->name;
        of.other = error->other_name;
    }
    verdict_explain(&message, verdict);
    if (row == NULL || is_notice(code)) {
        put_notice(to, code, &message, &of);
        return;
    }
    begin_result(to, row, is_refused(verdict), &message, &of);
    if (verdict_has(verdict, ASSAY_HAS_EXPECTED))
        json_member_number(to, "expected", true, error->expected);
    if (verdict_has(verdict, ASSAY_HAS_FOUND))
        json_member_number(to, "found", true, error->found);
    end_result(to);
}

static void members_verdict(json_writer *to, const char *path, const host_verdict *verdict)
{
    if (!is_valid(verdict))
        put_verdict(to, path, verdict);
}

#define NOTE_NAME_MOST 4096u /* bytes: records of valid files are held back, so a longer name is only in the message */

static void members_details(json_writer *to, const char *path, const host_verdict *verdict, const more_findings *more)
{
    subject of = {.path = path, .offset = ASSAY_NONE};
    for (size_t i = 0; verdict->notes != NULL && i < verdict->notes->count; i++) {
        const note *one = &verdict->notes->one[i];
        line_buffer message = {.length = 0};
        if (one->refuses)
            continue;
        note_message(&message, one);
        of.view = one->has_tensor && one->name.end - one->name.at <= NOTE_NAME_MOST ? verdict->view : NULL;
        of.text = one->name;
        json_line(to);
        begin_result(to, one->rule, false, &message, &of);
        end_result(to);
    }
    for (unsigned i = 0; i < more->count && !ferror(to->file); i++) {
        host_verdict other = more_finding_verdict(verdict, &more->one[i]);
        json_line(to);
        put_verdict(to, path, &other);
    }
}

static void sarif_verdict(FILE *file, const char *path, const host_verdict *verdict)
{
    json_writer to = json_begin(file);
    members_verdict(&to, path, verdict);
}

static void sarif_details(FILE *file, const command_line *line, const char *path, const host_verdict *verdict,
                          const more_findings *more)
{
    json_writer to = json_begin(file);
    (void)line;
    members_details(&to, path, verdict, more);
}

static void sarif_file(FILE *file, const command_line *line, const char *path, const host_verdict *verdict,
                       const more_findings *more)
{
    json_writer to = json_begin(file);
    (void)line;
    if (verdict_rank_of(verdict) != RANK_ERROR)
        members_verdict(&to, path, verdict);
    members_details(&to, path, verdict, more);
}

/* ---- A model --------------------------------------------------------------------------------------------- */

static void put_finding(json_writer *to, const finding *what)
{
    line_buffer message;
    verdict_rank rank = finding_rank(what);
    subject of = {.path = what->path, .index = what->index, .view = what->view, .text = what->text, .name = what->name,
                  .name_size = what->name_size, .offset = what->index == NULL ? what->offset : ASSAY_NONE};
    if (rank == RANK_VALID)
        return;
    finding_explain(&message, what);
    if (rank == RANK_ERROR) {
        put_notice(to, finding_code(what), &message, &of);
        return;
    }
    begin_result(to, what->rule, rank == RANK_REFUSED, &message, &of);
    property(to, "expected", what->expected);
    property(to, "found", what->found);
    property(to, "count", what->count > 0 ? what->count : ASSAY_NONE);
    end_result(to);
}

static void sarif_finding(FILE *file, const finding *what)
{
    json_writer to = json_begin(file);
    put_finding(&to, what);
}

static void no_details(FILE *to, const finding *what)
{
    (void)to;
    (void)what;
}

static void put_statement(json_writer *to, const statement *one)
{
    if (one == NULL || one->rank == RANK_ERROR || (one->what == NULL && one->size == 0))
        return;
    json_line(to);
    if (one->what != NULL)
        put_finding(to, one->what);
    else
        json_raw(to, one->bytes, one->size);
}

/* Write all results. Notifications, and what a model is because of its files, are none. */
static void sarif_record(FILE *file, const command_line *line, const path_record *record)
{
    json_writer to = json_begin(file);
    (void)line;
    put_statement(&to, record->own);
    json_raw(&to, record->details, record->details_size);
    for (size_t i = 0; i < record->findings; i++)
        put_statement(&to, &record->finding[i]);
}

/* ---- The log --------------------------------------------------------------------------------------------- */

void sarif_begin(FILE *file)
{
    fputs(HEAD, file);
}

/* Write how many more notices there are than the log has room for. */
static void put_left(json_writer *to, uint64_t left)
{
    line_buffer message = {.length = 0};
    line_number(&message, left);
    line_add(&message, " more could not be judged");
    json_open(to, '{');
    json_member_word(to, "level", "error");
    member_message(to, &message);
    json_close(to, '}');
}

void sarif_end(FILE *file, const sarif_log *log)
{
    json_writer to = json_begin(file);
    fputs("\n],\n", file);
    json_key(&to, "invocations");
    json_open(&to, '[');
    json_open(&to, '{');
    json_key(&to, "executionSuccessful");
    fputs(log->whole ? "true" : "false", json_value(&to));
    json_key(&to, "exitCode");
    json_number(&to, (uint64_t)log->status);
    json_key(&to, "toolExecutionNotifications");
    json_open(&to, '[');
    json_raw(&to, log->notices, log->notices_size);
    if (log->left > 0)
        put_left(&to, log->left);
    json_close(&to, ']');
    json_close(&to, '}');
    json_close(&to, ']');
    json_key(&to, "tool");
    json_open(&to, '{');
    json_key(&to, "driver");
    json_open(&to, '{');
    json_member_word(&to, "name", "assay");
    json_member_word(&to, "version", ASSAY_VERSION);
    json_member_word(&to, "informationUri", REPOSITORY);
    put_rules(&to, "rules", log, false);
    put_rules(&to, "notifications", log, true);
    json_close(&to, '}');
    json_close(&to, '}');
    fputs("}]}\n", file);
}

const report_format sarif_format = {sarif_file,    sarif_verdict, sarif_details,
                                    sarif_finding, no_details,    sarif_record};
