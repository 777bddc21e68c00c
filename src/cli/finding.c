/* finding.c: see finding.h. */
#include "finding.h"

#include <string.h>

#include "program_rules.h"

finding finding_about(const char *path)
{
    return (finding){.path = path,
                     .offset = ASSAY_NONE,
                     .expected = ASSAY_NONE,
                     .found = ASSAY_NONE,
                     .tensors = ASSAY_NONE,
                     .shards = ASSAY_NONE,
                     .file_size = ASSAY_NONE};
}

const char *rank_word(verdict_rank rank)
{
    static const char *const words[] = {"", "note", "valid", "refused", "error", "invalid"};
    return words[rank];
}

verdict_rank verdict_rank_of(const host_verdict *verdict)
{
    return is_valid(verdict)     ? RANK_VALID
           : is_invalid(verdict) ? RANK_INVALID
           : is_refused(verdict) ? RANK_REFUSED
                                 : RANK_ERROR;
}

verdict_rank finding_rank(const finding *what)
{
    if (what->model != RANK_NONE)
        return what->model;
    if (what->problem != HOST_FINE)
        return RANK_ERROR;
    if (what->rule == NULL)
        return RANK_VALID;
    if (strcmp(what->rule->severity, "note") != 0)
        return RANK_INVALID;
    return what->refused ? RANK_REFUSED : RANK_NOTE;
}

uint32_t finding_code(const finding *what)
{
    return what->problem != HOST_FINE ? RULE_NOT_JUDGED : what->rule != NULL ? what->rule->code : 0;
}

static void add_name(line_buffer *to, const finding *what)
{
    if (what->view != NULL)
        line_quote(to, what->view, what->text);
    else
        line_quote_bytes(to, what->name, what->name_size);
}

static bool has_name(const finding *what)
{
    return what->view != NULL || what->name != NULL;
}

static void add_path(line_buffer *to, const char *path)
{
    line_quote_bytes(to, (const uint8_t *)path, strlen(path));
}

/* "tensor "a"", "3 tensors, the first "a"" */
static void add_tensors(line_buffer *to, const finding *what)
{
    if (what->count > 1) {
        line_add(to, ", ");
        line_number(to, what->count);
        line_add(to, has_name(what) ? " tensors, the first " : " tensors");
        if (has_name(what))
            add_name(to, what);
    } else if (has_name(what)) {
        line_add(to, ", tensor ");
        add_name(to, what);
    }
}

/* The byte at which the JSON goes wrong. */
static void add_byte(line_buffer *to, const finding *what)
{
    char text[24];
    uint32_t code = what->rule->code;
    if (code < MODEL_INDEX_START || code > MODEL_INDEX_UTF8 || what->offset >= what->size)
        return;
    uint8_t byte = what->bytes[what->offset];
    snprintf(text, sizeof text, byte > ' ' && byte < 0x7F ? ", found %c" : ", found byte 0x%02X", byte);
    line_add(to, text);
}

static void add_number(line_buffer *to, const char *label, uint64_t number)
{
    if (number == ASSAY_NONE)
        return;
    line_add(to, label);
    line_number(to, number);
}

static void add_numbers(line_buffer *to, const finding *what)
{
    uint32_t code = what->rule->code;
    if (code == MODEL_INDEX_KEY_TWICE) {
        add_number(to, ", first at byte ", what->found);
    } else if (code == MODEL_SINGLE_DIFFERS) {
        add_number(to, ", tensors in the shards ", what->expected);
        add_number(to, ", in this file ", what->found);
    } else if (code == MODEL_SHARD_SWAPPED) {
        add_number(to, ", the file holds ", what->found);
        line_add(to, what->found == 1 ? " other" : " others");
    } else {
        add_number(to, ", expected ", what->expected);
        add_number(to, ", found ", what->found);
    }
    if (code == MODEL_TOTAL_SIZE && what->found == ASSAY_NONE)
        line_add(to, ", found no number of bytes");
    if (code == MODEL_TOTAL_SIZE && what->found == what->files)
        line_add(to, ", which is the sum of the files' sizes");
}

/* What the other file has to do with it. */
static void add_other(line_buffer *to, const finding *what)
{
    if (what->other == NULL)
        return;
    uint32_t code = what->rule->code;
    line_add(to, code == MODEL_SINGLE_DIFFERS   ? ", compared with "
                 : code == MODEL_PATH_CASE      ? ", the other is "
                 : code != MODEL_SHARD_SWAPPED  ? ", assigned to "
                 : what->pair                   ? ", swapped with "
                                                : ", those of ");
    add_path(to, what->other);
}

static void add_index(line_buffer *to, const finding *what)
{
    if (what->index == NULL)
        return;
    const char *slash = strrchr(what->index, '/');
    line_add(to, ", index ");
    add_path(to, slash == NULL ? what->index : slash + 1);
    if (what->offset != ASSAY_NONE)
        add_number(to, " at byte ", what->offset);
}

const file_kind *finding_kind(const finding *what)
{
    bool broken = what->problem == HOST_FINE && what->rule != NULL && what->bytes != NULL;
    uint32_t code = broken ? what->rule->code : MODEL_OK;
    if (code != MODEL_INDEX_START && (code != MODEL_INDEX_EARLY || what->size > 0))
        return NULL;
    return file_kind_of(what->bytes, what->size < 4096 ? what->size : 4096, what->size);
}

/* What to do, which for what is no JSON may be better known from its first bytes. */
static void add_advice(line_buffer *to, const finding *what)
{
    uint32_t code = what->rule->code;
    const char *better = NULL;
    const file_kind *really = finding_kind(what);
    if (code == MODEL_INDEX_START && what->size >= 3 && memcmp(what->bytes, "\xEF\xBB\xBF", 3) == 0)
        better = "it begins with a byte order mark, which JSON does not allow: save it again without it";
    else if (code == MODEL_INDEX_START && what->size >= 2 &&
             (memcmp(what->bytes, "\xFF\xFE", 2) == 0 || memcmp(what->bytes, "\xFE\xFF", 2) == 0))
        better = "it is saved as UTF-16: save it again as UTF-8";
    line_add(to, ": ");
    if (really != NULL && better == NULL)
        file_kind_add(to, really);
    else
        line_add(to, better != NULL ? better : what->rule->advice);
}

static void explain_broken(line_buffer *to, const finding *what)
{
    line_buffer inside = {.length = 0};
    add_tensors(&inside, what);
    add_byte(&inside, what);
    add_numbers(&inside, what);
    add_other(&inside, what);
    add_index(&inside, what);
    line_add(to, "rule ");
    line_add(to, what->rule->id);
    if (what->index == NULL && what->offset != ASSAY_NONE)
        add_number(to, " at byte ", what->offset);
    line_add(to, ": ");
    line_add(to, what->rule->title);
    if (inside.length > 0) {
        line_add(to, " (");
        line_add(to, inside.text + 2); /* after ", " */
        line_add(to, ")");
    }
    add_advice(to, what);
}

/* "rule M22: a shard has none of its tensors (file "m/b", 2 such files): see the result of that file" */
static void explain_model(line_buffer *to, const finding *what)
{
    if (what->rule != NULL) {
        line_add(to, "rule ");
        line_add(to, what->rule->id);
        line_add(to, ": ");
        line_add(to, what->rule->title);
    } else {
        line_add(to, "a file of this model could not be judged");
    }
    line_add(to, " (file ");
    add_path(to, what->other);
    if (what->count > 1) {
        line_add(to, ", the first of ");
        line_number(to, what->count);
    }
    line_add(to, what->count > 1 ? "): see the results of those files" : "): see the result of that file");
}

void finding_explain(line_buffer *to, const finding *what)
{
    to->length = 0;
    to->text[0] = '\0';
    if (what->model != RANK_NONE) {
        explain_model(to, what);
    } else if (what->problem != HOST_FINE) {
        problem_add(to, what->problem, what->system, &what->fetch);
        if (what->problem == HOST_CROWDED && what->other != NULL) {
            line_add(to, ": ");
            add_path(to, what->other);
        }
    } else if (what->rule != NULL) {
        explain_broken(to, what);
    } else {
        line_add(to, "index of ");
        line_number(to, what->tensors);
        line_add(to, what->tensors == 1 ? " tensor in " : " tensors in ");
        line_number(to, what->shards);
        line_add(to, what->shards == 1 ? " shard" : " shards");
        fetch_add(to, &what->fetch);
    }
}
