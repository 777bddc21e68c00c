/* report.c: see report.h. */
#include "report.h"

#include <inttypes.h>
#include <string.h>

void report_text(FILE *file, const char *path, const host_verdict *verdict)
{
    text_line message;
    names named;
    names_find(&named, verdict);
    explain(&message, verdict, &named);
    text_path(file, TEXT_PLAIN, path);
    fprintf(file, ": %s: %s\n", verdict_word(verdict), message.text);
}

static void member_number(FILE *file, const char *key, bool has, uint64_t number)
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
    fputs(",\"path_bytes\":\"", file);
    for (; *path != '\0' && !ferror(file); path++)
        fprintf(file, "%02x", (unsigned)(uint8_t)*path);
    putc('"', file);
}

static void members_error(FILE *file, const host_verdict *verdict, const names *named)
{
    bool judged = verdict->problem == HOST_FINE, told = judged && verdict->status != ASSAY_OK;
    const rule_row *rule = told ? rule_by_code(verdict->status) : NULL;
    const assay_error *error = &verdict->error;
    if (rule == NULL)
        fputs(",\"rule\":null,\"rule_name\":null", file);
    else
        fprintf(file, ",\"rule\":\"%s\",\"rule_name\":\"%s\"", rule->id, rule->name);
    member_number(file, "code", judged, verdict->status);
    member_number(file, "offset", told && error->offset != ASSAY_NONE, error->offset);
    member_text(file, "tensor", named->has_tensor, named, named->tensor);
    member_number(file, "tensor_place", told && error->tensor != ASSAY_NONE, error->tensor);
    member_text(file, "other", named->has_other, named, named->other);
    member_number(file, "other_place", told && error->other != ASSAY_NONE, error->other);
    member_number(file, "expected", has_number(rule == NULL ? NULL : rule->expected, error->expected),
                  error->expected);
    member_number(file, "found", has_number(rule == NULL ? NULL : rule->found, error->found), error->found);
}

void report_json(FILE *file, const char *path, const host_verdict *verdict)
{
    text_line message;
    names named;
    names_find(&named, verdict);
    explain(&message, verdict, &named);
    fputs("{\"path\":", file);
    text_path(file, TEXT_JSON, path);
    if (!text_is_utf8(path))
        member_path_bytes(file, path);
    fprintf(file, ",\"verdict\":\"%s\"", verdict_word(verdict));
    members_error(file, verdict, &named);
    fputs(",\"message\":", file);
    text_path(file, TEXT_JSON, message.text);
    member_number(file, "tensors", is_valid(verdict), verdict->need.tensors);
    member_number(file, "header_bytes", verdict->has_length, verdict->header_bytes);
    member_number(file, "file_bytes", verdict->file_size != ASSAY_NONE, verdict->file_size);
    putc('}', file);
}
