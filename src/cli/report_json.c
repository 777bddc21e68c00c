/* report_json.c: records as objects of JSON: schema/record.schema.json. */
#include <inttypes.h>
#include <string.h>

#include "json_text.h"
#include "modelspec_report.h"
#include "report.h"

/* ---- A file ---------------------------------------------------------------------------------------------- */

/* Write the name of the tensor, or the other name, if this number is set. */
static void member_name(json_writer *to, const char *key, const host_verdict *verdict, uint64_t number, assay_text text)
{
    const assay_view view = verdict_texts(verdict);
    json_key(to, key);
    if (verdict_has(verdict, number))
        json_view_text(to, &view, text);
    else
        json_null(to);
}

static void members_error(json_writer *to, const host_verdict *verdict)
{
    bool judged = verdict->problem == HOST_FINE, broken = judged && verdict->status != ASSAY_OK;
    const rule_row *rule = broken ? rule_by_code(verdict->status) : NULL;
    const assay_error *error = &verdict->error;
    json_member_word(to, "rule", rule == NULL ? NULL : rule->id);
    json_member_word(to, "rule_name", rule == NULL ? NULL : rule->name);
    json_member_number(to, "code", judged, verdict->status);
    json_member_number(to, "offset", verdict_has(verdict, ASSAY_HAS_OFFSET), error->offset);
    member_name(to, "tensor", verdict, ASSAY_HAS_TENSOR, error->name);
    json_member_number(to, "tensor_place", verdict_has(verdict, ASSAY_HAS_TENSOR), error->tensor);
    member_name(to, "other", verdict, ASSAY_HAS_OTHER, error->other_name);
    json_member_number(to, "other_place", verdict_has(verdict, ASSAY_HAS_OTHER), error->other);
    json_member_number(to, "expected", verdict_has(verdict, ASSAY_HAS_EXPECTED), error->expected);
    json_member_number(to, "found", verdict_has(verdict, ASSAY_HAS_FOUND), error->found);
}

/* Write seconds since 1970 as `stat -c %.9Y` does. It is a string, because readers of JSON round numbers. */
static void member_time(json_writer *to, const char *key, bool has, int64_t seconds, int64_t nanoseconds)
{
    json_key(to, key);
    if (!has)
        json_null(to);
    else if (seconds >= 0 || nanoseconds == 0)
        fprintf(json_value(to), "\"%" PRId64 ".%09" PRId64 "\"", seconds, nanoseconds);
    else
        fprintf(json_value(to), "\"-%" PRId64 ".%09" PRId64 "\"", -(seconds + 1), 1000000000 - nanoseconds);
}

/* Write which file it was, so that a loader can compare it with what it opens; and the layers of the sandbox. */
static void members_file(json_writer *to, const host_verdict *verdict)
{
    static const char *const layers[] = {"seccomp", "landlock", "limits"};
    const host_stamp *stamp = &verdict->stamp;
    bool has = verdict->file_size != ASSAY_NONE && verdict->fetch.requests == 0 && !verdict->stream;
    json_member_number(to, "device", has, stamp->device);
    json_member_number(to, "inode", has, stamp->inode);
    member_time(to, "modified", has, stamp->written, stamp->written_ns);
    member_time(to, "changed", has, stamp->changed, stamp->changed_ns);
    json_key(to, "sandbox");
    if (!verdict->contained) {
        json_null(to);
        return;
    }
    json_open(to, '[');
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        if ((verdict->sandbox >> i & 1) != 0)
            json_word(to, layers[i]);
    json_close(to, ']');
}

static void member_fetched(json_writer *to, const host_fetch *fetch)
{
    json_key(to, "fetched");
    if (fetch->requests == 0) {
        json_null(to);
        return;
    }
    json_open(to, '{');
    json_member_number(to, "bytes", true, fetch->bytes);
    json_member_number(to, "requests", true, fetch->requests);
    json_key(to, "seconds");
    fprintf(json_value(to), "%" PRIu64 ".%03u", fetch->milliseconds / 1000, (unsigned)(fetch->milliseconds % 1000));
    json_member_number(to, "there", true, fetch->there);
    json_close(to, '}');
}

static void member_notes(json_writer *to, const note_list *list)
{
    line_buffer message;
    json_key(to, "notes");
    if (list == NULL) {
        json_null(to);
        return;
    }
    json_open(to, '[');
    for (size_t i = 0; i < list->count; i++) {
        if (list->one[i].refuses)
            continue;
        note_message(&message, &list->one[i]);
        json_open(to, '{');
        json_member_word(to, "rule", list->one[i].rule->id);
        json_member_word(to, "rule_name", list->one[i].rule->name);
        json_member_text(to, "message", message.text);
        json_close(to, '}');
    }
    json_close(to, ']');
}

/* Write what else is wrong with the file. */
static void members_more(json_writer *to, const host_verdict *verdict, const more_findings *more)
{
    line_buffer message;
    json_key(to, "further");
    json_open(to, '[');
    for (unsigned i = 0; i < more->count && !ferror(to->file); i++) {
        host_verdict other = more_finding_verdict(verdict, &more->one[i]);
        verdict_explain(&message, &other);
        json_open(to, '{');
        json_member_text(to, "message", message.text);
        members_error(to, &other);
        json_close(to, '}');
    }
    json_close(to, ']');
    json_member_number(to, "further_left", true, more->left);
}

static void members_verdict(json_writer *to, const host_verdict *verdict)
{
    line_buffer message;
    verdict_explain(&message, verdict);
    json_member_word(to, "verdict", verdict_word(verdict));
    members_error(to, verdict);
    json_member_text(to, "message", message.text);
}

static void members_details(json_writer *to, const host_verdict *verdict, const more_findings *more)
{
    const file_kind *really = verdict_kind(verdict);
    json_member_word(to, "kind", really == NULL ? NULL : really->name);
    member_notes(to, verdict->notes);
    json_member_number(to, "tensors", is_valid(verdict) || is_refused(verdict), verdict->need.tensors);
    json_member_number(to, "header_bytes", verdict->has_length, verdict->header_bytes);
    json_member_number(to, "file_bytes", verdict->file_size != ASSAY_NONE && !verdict->cut, verdict->file_size);
    members_file(to, verdict);
    member_fetched(to, &verdict->fetch);
    if (verdict->modelspec != NULL)
        modelspec_member(to, verdict);
    members_more(to, verdict, more);
}

static void json_verdict(FILE *file, const char *path, const host_verdict *verdict)
{
    json_writer to = json_begin(file);
    (void)path;
    members_verdict(&to, verdict);
}

static void json_details(FILE *file, const command_line *line, const char *path, const host_verdict *verdict,
                         const more_findings *more)
{
    json_writer to = json_begin(file);
    (void)line;
    (void)path;
    members_details(&to, verdict, more);
}

static void json_file(FILE *file, const command_line *line, const char *path, const host_verdict *verdict,
                      const more_findings *more)
{
    json_writer to = json_begin(file);
    (void)line;
    json_open(&to, '{');
    json_path(&to, path);
    members_verdict(&to, verdict);
    members_details(&to, verdict, more);
    json_key(&to, "findings");
    json_open(&to, '[');
    json_close(&to, ']');
    json_close(&to, '}');
}

/* ---- A model --------------------------------------------------------------------------------------------- */

static void member_tensor(json_writer *to, const finding *what)
{
    json_key(to, "tensor");
    if (what->view != NULL)
        json_view_text(to, what->view, what->text);
    else if (what->name != NULL)
        json_bytes(to, what->name, what->name_size);
    else
        json_null(to);
}

static void member_known(json_writer *to, const char *key, uint64_t number)
{
    json_member_number(to, key, number != ASSAY_NONE, number);
}

static void members_finding(json_writer *to, const finding *what)
{
    line_buffer message;
    bool broken = what->problem == HOST_FINE && what->rule != NULL;
    bool unknown = what->problem != HOST_FINE || (what->model != RANK_NONE && !broken);
    finding_explain(&message, what);
    json_member_word(to, "verdict", rank_word(finding_rank(what)));
    json_member_word(to, "rule", broken ? what->rule->id : NULL);
    json_member_word(to, "rule_name", broken ? what->rule->name : NULL);
    json_member_number(to, "code", !unknown, broken ? what->rule->code : 0);
    member_known(to, "offset", what->index == NULL ? what->offset : ASSAY_NONE);
    member_tensor(to, what);
    member_known(to, "tensor_place", ASSAY_NONE);
    json_key(to, "other");
    json_null(to);
    member_known(to, "other_place", ASSAY_NONE);
    member_known(to, "expected", what->expected);
    member_known(to, "found", what->found);
    json_member_text(to, "message", message.text);
    json_member_text(to, "index", what->index);
    member_known(to, "index_offset", what->index == NULL ? ASSAY_NONE : what->offset);
    json_member_text(to, "other_path", what->other);
    json_member_number(to, "count", what->count > 0, what->count);
}

static void json_finding(FILE *file, const finding *what)
{
    json_writer to = json_begin(file);
    members_finding(&to, what);
}

static void json_finding_details(FILE *file, const finding *what)
{
    json_writer to = json_begin(file);
    const file_kind *really = finding_kind(what);
    json_member_word(&to, "kind", really == NULL ? NULL : really->name);
    member_notes(&to, NULL);
    member_known(&to, "tensors", what->tensors);
    member_known(&to, "header_bytes", ASSAY_NONE);
    member_known(&to, "file_bytes", what->file_size);
    member_known(&to, "shards", what->shards);
    member_fetched(&to, &what->fetch);
}

static void put_statement(json_writer *to, const statement *one)
{
    if (one->what != NULL)
        members_finding(to, one->what);
    else
        json_raw(to, one->bytes, one->size);
}

static void json_record(FILE *file, const command_line *line, const path_record *record)
{
    json_writer to = json_begin(file);
    (void)line;
    json_open(&to, '{');
    json_path(&to, record->path);
    put_statement(&to, record->top);
    json_raw(&to, record->details, record->details_size);
    json_key(&to, "findings");
    json_open(&to, '[');
    for (size_t i = 0; i <= record->findings; i++) {
        const statement *one = i == 0 ? record->own : &record->finding[i - 1];
        if (one == NULL || (i == 0 && (one == record->top || one->rank == RANK_VALID)))
            continue;
        json_open(&to, '{');
        put_statement(&to, one);
        json_close(&to, '}');
    }
    json_close(&to, ']');
    json_close(&to, '}');
}

const report_format json_format = {json_file,    json_verdict,         json_details,
                                   json_finding, json_finding_details, json_record};
