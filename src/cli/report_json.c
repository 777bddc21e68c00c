/* report_json.c: records as objects of JSON: schema/record.schema.json. */
#include <inttypes.h>
#include <string.h>

#include "report.h"

void report_number(FILE *file, const char *key, bool has, uint64_t number)
{
    if (!has)
        fprintf(file, ",\"%s\":null", key);
    else
        fprintf(file, ",\"%s\":%" PRIu64, key, number);
}

static void member_text(FILE *file, const char *key, bool has, const names *named, assay_text text)
{
    fprintf(file, ",\"%s\":", key);
    if (has)
        text_of_view(file, TEXT_JSON, &named->view, text);
    else
        fputs("null", file);
}

/* A path that isn't UTF-8 can't be told in JSON but by its bytes. */
static void member_path_bytes(FILE *file, const char *path)
{
    static const char digits[] = "0123456789abcdef";
    fputs(",\"path_bytes\":\"", file);
    for (; *path != '\0' && !ferror(file); path++) {
        putc(digits[(uint8_t)*path >> 4], file);
        putc(digits[*path & 15], file);
    }
    putc('"', file);
}

void report_path(FILE *file, const char *path)
{
    fputs("{\"path\":", file);
    text_path(file, TEXT_JSON, path);
    if (!text_is_utf8(path))
        member_path_bytes(file, path);
}

static void members_error(FILE *file, const host_verdict *verdict, const names *named)
{
    bool judged = verdict->problem == HOST_FINE, told = judged && verdict->status != ASSAY_OK;
    const rule_row *rule = told ? rule_by_code(verdict->status) : NULL;
    const assay_error *error = &verdict->error;
    bool counts = rule != NULL && strcmp(rule->severity, "note") != 0;
    if (rule == NULL)
        fputs(",\"rule\":null,\"rule_name\":null", file);
    else
        fprintf(file, ",\"rule\":\"%s\",\"rule_name\":\"%s\"", rule->id, rule->name);
    report_number(file, "code", judged, verdict->status);
    report_number(file, "offset", told && error->offset != ASSAY_NONE, error->offset);
    member_text(file, "tensor", named->has_tensor, named, named->tensor);
    report_number(file, "tensor_place", told && error->tensor != ASSAY_NONE, error->tensor);
    member_text(file, "other", named->has_other, named, named->other);
    report_number(file, "other_place", told && error->other != ASSAY_NONE, error->other);
    report_number(file, "expected", counts && has_number(rule->expected, error->expected), error->expected);
    report_number(file, "found", counts && has_number(rule->found, error->found), error->found);
}

/* Seconds since 1970, as `stat -c %.9Y` writes them: no reader of JSON rounds a text. */
static void member_time(FILE *file, const char *key, bool has, int64_t seconds, int64_t nanoseconds)
{
    if (!has)
        fprintf(file, ",\"%s\":null", key);
    else if (seconds >= 0 || nanoseconds == 0)
        fprintf(file, ",\"%s\":\"%" PRId64 ".%09" PRId64 "\"", key, seconds, nanoseconds);
    else
        fprintf(file, ",\"%s\":\"-%" PRId64 ".%09" PRId64 "\"", key, -(seconds + 1), 1000000000 - nanoseconds);
}

/* Which file it was, so that a loader can see that it loads what was judged, and what held the judge. */
static void members_file(FILE *file, const host_verdict *verdict)
{
    static const char *const layers[] = {"seccomp", "landlock", "limits"};
    const host_stamp *stamp = &verdict->stamp;
    bool has = verdict->file_size != ASSAY_NONE && verdict->fetch.requests == 0 && !verdict->stream;
    report_number(file, "device", has, stamp->device);
    report_number(file, "inode", has, stamp->inode);
    member_time(file, "modified", has, stamp->written, stamp->written_ns);
    member_time(file, "changed", has, stamp->changed, stamp->changed_ns);
    if (!verdict->contained) {
        fputs(",\"sandbox\":null", file);
        return;
    }
    const char *comma = "";
    fputs(",\"sandbox\":[", file);
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        if ((verdict->sandbox >> i & 1) != 0) {
            fprintf(file, "%s\"%s\"", comma, layers[i]);
            comma = ",";
        }
    }
    putc(']', file);
}

void report_fetch(FILE *file, const host_fetch *fetch)
{
    if (fetch->requests == 0)
        fputs(",\"fetched\":null", file);
    else
        fprintf(file,
                ",\"fetched\":{\"bytes\":%" PRIu64 ",\"requests\":%" PRIu32 ",\"seconds\":%" PRIu64 ".%03u"
                ",\"there\":%" PRIu64 "}",
                fetch->bytes, fetch->requests, fetch->milliseconds / 1000, (unsigned)(fetch->milliseconds % 1000),
                fetch->there);
}

void report_kind(FILE *file, const kind *really)
{
    if (really == NULL)
        fputs(",\"kind\":null", file);
    else
        fprintf(file, ",\"kind\":\"%s\"", really->name);
}

/* What else is wrong with the file. */
static void members_further(FILE *file, const host_verdict *verdict, const further *more)
{
    text_line message;
    fputs(",\"further\":[", file);
    for (unsigned i = 0; i < more->count && !ferror(file); i++) {
        host_verdict other = further_verdict(verdict, &more->one[i]);
        verdict_explain(&message, &other, &more->one[i].named);
        fputs(i == 0 ? "{\"message\":" : ",{\"message\":", file);
        text_path(file, TEXT_JSON, message.text);
        members_error(file, &other, &more->one[i].named);
        putc('}', file);
    }
    putc(']', file);
    report_number(file, "further_left", true, more->left);
}

void report_json(FILE *file, const char *path, const host_verdict *verdict, const further *more)
{
    text_line message;
    names named;
    names_find(&named, verdict);
    verdict_explain(&message, verdict, &named);
    report_path(file, path);
    fprintf(file, ",\"verdict\":\"%s\"", verdict_word(verdict));
    members_error(file, verdict, &named);
    fputs(",\"message\":", file);
    text_path(file, TEXT_JSON, message.text);
    report_kind(file, verdict_kind(verdict));
    notes_json(file, verdict->notes);
    report_number(file, "tensors", is_valid(verdict) || is_refused(verdict), verdict->need.tensors);
    report_number(file, "header_bytes", verdict->has_length, verdict->header_bytes);
    report_number(file, "file_bytes", verdict->file_size != ASSAY_NONE && !verdict->cut, verdict->file_size);
    members_file(file, verdict);
    report_fetch(file, &verdict->fetch);
    members_further(file, verdict, more);
    putc('}', file);
}
