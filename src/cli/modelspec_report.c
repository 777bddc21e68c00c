/* modelspec_report.c: see modelspec_report.h. */
#include "modelspec_report.h"

#include <inttypes.h>
#include <string.h>

#include "json_text.h"
#include "message.h"
#include "program_rules.h"

static const char *const level_words[] = {"error", "warning", "info"};

/* Is modelspec.hash_sha256 the hash of the data? */
static bool is_of_data(const modelspec_hashes *hashes)
{
    return hashes->convention != NULL && strcmp(hashes->convention, "data") == 0;
}

/* Return what is wrong with modelspec.hash_sha256, in words. */
static const char *hash_words(const modelspec_hashes *hashes)
{
    const char *convention = hashes->convention;
    return convention == NULL ? "not the hash of the data, nor one by another known convention"
           : strcmp(convention, "names") == 0
               ? "not the hash of the data, but of the tensors in the order of their names"
               : "not the hash of the data, but of the tensors in the order of the header";
}

void modelspec_judge(modelspec_result *result, host_verdict *verdict)
{
    const modelspec_hashes *hashes = &result->hashes;
    modelspec_report *report = &result->report;
    verdict->modelspec = NULL;
    if (!is_valid(verdict) || verdict->view == NULL)
        return;
    modelspec_check(verdict->view, report);
    if (hashes->done && report->has_sha256 && !is_of_data(hashes))
        modelspec_wrong_hash(verdict->view, report, hash_words(hashes));
    verdict->modelspec = result;
    if (modelspec_conforms(report))
        return;
    uint64_t errors = report->levels[MODELSPEC_ERROR];
    if (report->present)
        snprintf(result->reason, sizeof result->reason, "%" PRIu64 " error%s", errors, errors == 1 ? "" : "s");
    else
        snprintf(result->reason, sizeof result->reason, "no key begins with modelspec.");
    verdict->error = error_with(0, (assay_error){.status = RULE_MODELSPEC});
    verdict->status = RULE_MODELSPEC;
}

/* Set the line to 'modelspec.date: not a date of ISO 8601 ("16/7/23"): write it like 2023-07-16'. */
static void set_message(line_buffer *to, const assay_view *view, const modelspec_finding *one)
{
    const modelspec_rule_row *rule = &modelspec_rules[one->rule];
    to->length = 0;
    if (one->key != NULL) {
        line_add(to, "modelspec.");
        line_add(to, one->key);
    } else {
        line_quote(to, view, one->name);
    }
    line_add(to, ": ");
    line_add(to, one->detail != NULL ? one->detail : rule->title);
    if (one->value.end > 0) {
        line_add(to, " (");
        line_quote(to, view, one->value);
        line_add(to, ")");
    }
    line_add(to, ": ");
    line_add(to, rule->advice);
}

/* ---- Text ------------------------------------------------------------------------------------------------- */

static void add_count(line_buffer *to, uint64_t count, const char *word)
{
    line_number(to, count);
    line_add(to, " ");
    line_add(to, word);
    line_add(to, count == 1 ? "" : "s");
}

static void add_text(line_buffer *to, const char *before, const assay_view *view, assay_text text)
{
    if (text.end == 0)
        return;
    line_add(to, before);
    line_quote(to, view, text);
}

static void text_hashes(FILE *to, const modelspec_result *result)
{
    const modelspec_hashes *hashes = &result->hashes;
    if (result->verify && hashes->done)
        fprintf(to, "    sha256 of the data: 0x%s%s\n    sha256 of the file: %s\n", hashes->data,
                is_of_data(hashes) ? ", as modelspec.hash_sha256" : "", hashes->file);
    else if (result->verify)
        fputs("    not verified: the data could not be read, as they are on a server or came in a stream\n", to);
}

void modelspec_text(FILE *to, const host_verdict *verdict)
{
    const modelspec_report *report = &verdict->modelspec->report;
    line_buffer line = {.length = 0};
    line_add(&line, report->present ? "ModelSpec" : "no ModelSpec metadata");
    add_text(&line, " ", verdict->view, report->version);
    add_text(&line, ", architecture ", verdict->view, report->architecture);
    add_text(&line, ", title ", verdict->view, report->title);
    for (size_t i = 0; i < 3 && report->present; i++) {
        line_add(&line, i == 0 ? ": " : ", ");
        add_count(&line, report->levels[i], level_words[i]);
    }
    fprintf(to, "    %s\n", line.text);
    for (uint32_t i = 0; i < report->findings && !ferror(to); i++) {
        const modelspec_finding *one = &report->finding[i];
        set_message(&line, verdict->view, one);
        fprintf(to, "    %s %s: %s\n", level_words[one->level], modelspec_rules[one->rule].id, line.text);
    }
    if (report->left > 0) {
        line.length = 0;
        line_number(&line, report->left);
        fprintf(to, "    and %s more\n", line.text);
    }
    text_hashes(to, verdict->modelspec);
}

/* ---- JSON ------------------------------------------------------------------------------------------------- */

static void member_view(json_writer *to, const char *key, const assay_view *view, assay_text text)
{
    json_key(to, key);
    if (text.end == 0)
        json_null(to);
    else
        json_view_text(to, view, text);
}

static void write_finding(json_writer *to, const assay_view *view, const modelspec_finding *one)
{
    const modelspec_rule_row *rule = &modelspec_rules[one->rule];
    line_buffer line;
    json_open(to, '{');
    json_member_word(to, "rule", rule->id);
    json_member_word(to, "rule_name", rule->name);
    json_member_word(to, "level", level_words[one->level]);
    json_key(to, "key");
    if (one->key != NULL)
        fprintf(json_value(to), "\"modelspec.%s\"", one->key);
    else
        json_view_text(to, view, one->name);
    set_message(&line, view, one);
    json_member_text(to, "message", line.text);
    json_close(to, '}');
}

void modelspec_member(json_writer *to, const host_verdict *verdict)
{
    static const char *const categories[] = {NULL, "image", "text"};
    const modelspec_report *report = &verdict->modelspec->report;
    const modelspec_hashes *hashes = &verdict->modelspec->hashes;
    json_key(to, "modelspec");
    json_open(to, '{');
    member_view(to, "version", verdict->view, report->version);
    member_view(to, "architecture", verdict->view, report->architecture);
    member_view(to, "title", verdict->view, report->title);
    json_member_word(to, "category", categories[report->category]);
    json_member_number(to, "errors", true, report->levels[MODELSPEC_ERROR]);
    json_member_number(to, "warnings", true, report->levels[MODELSPEC_WARNING]);
    json_member_number(to, "infos", true, report->levels[MODELSPEC_INFO]);
    json_key(to, "findings");
    json_open(to, '[');
    for (uint32_t i = 0; i < report->findings && !ferror(to->file); i++)
        write_finding(to, verdict->view, &report->finding[i]);
    json_close(to, ']');
    json_member_number(to, "findings_left", true, report->left);
    json_member_word(to, "data_sha256", hashes->done ? hashes->data : NULL);
    json_member_word(to, "file_sha256", hashes->done ? hashes->file : NULL);
    json_member_word(to, "hash_of", hashes->done ? hashes->convention : NULL);
    json_close(to, '}');
}
