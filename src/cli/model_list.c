/* model_list.c: see model_list.h. */
#include "posix.h"

#include "model_list.h"

#include <stdlib.h>
#include <string.h>

#include "json_text.h"
#include "pool.h"
#include "program_rules.h"
#include "tensor_alias.h"
#include "unescaped_text.h"

static bool is_json(const model_list *of)
{
    return of->line->format == FORMAT_JSON;
}

static bool is_meta(const model_list *of)
{
    return (of->line->command->takes & TAKES_RAW) != 0;
}

/* ---- Records ---------------------------------------------------------------------------------------------- */

static void put_heading(FILE *to, const char *path)
{
    text_path(to, TEXT_PLAIN, path);
    fputs(":\n", to);
}

/* Begin a record that is no answer. Those of meta go to standard error, as those of a local file do: a script that
 * takes the output gets values alone. */
static void begin_problem(const model_list *of)
{
    if (is_meta(of))
        pool_mark_end(of->answer, (pool_mark)(POOL_RULE | RULE_NOT_JUDGED));
}

/* Write the record of what is not listed. */
static void put_problem(const model_list *of, const char *path, const char *word, const char *message)
{
    json_writer to = json_begin(of->answer);
    begin_problem(of);
    if (is_json(of)) {
        json_open(&to, '{');
        json_path(&to, path);
        json_member_word(&to, "verdict", word);
        json_member_text(&to, "message", message);
        json_close(&to, '}');
    } else {
        text_path(of->answer, TEXT_PLAIN, path);
        fprintf(of->answer, ": %s: %s\n", word, message);
    }
    pool_mark_end(of->answer, strcmp(word, "invalid") == 0 ? POOL_INVALID : POOL_ERROR);
}

/* Write the record of a file or a model without the key of meta. */
static void put_no_key(const model_list *of, const char *path)
{
    begin_problem(of);
    text_path(of->answer, TEXT_PLAIN, path);
    fputs(": " NO_KEY, of->answer);
    text_path(of->answer, TEXT_QUOTED, of->line->key);
    putc('\n', of->answer);
    pool_mark_end(of->answer, POOL_INVALID);
}

/* Write the record of a valid file for meta: its path, and below it the pairs or the value, indented, so that none can
 * look like a path. A shard may lack the key: see put_model. */
static void put_metadata(model_list *of, const char *path, const assay_view *view, bool alone)
{
    const char *key = of->line->key;
    assay_text value;
    bool found = key == NULL || assay_metadata_find(view, (const uint8_t *)key, strlen(key), &value);
    if (!found && alone) {
        put_no_key(of, path);
        return;
    }
    of->has_key |= found;
    if (found && (key == NULL || !of->bare))
        put_heading(of->answer, path);
    if (key == NULL) {
        list_metadata(of->answer, view, "    ");
    } else if (found) {
        fputs(of->bare ? "" : "    ", of->answer);
        text_of_view(of->answer, TEXT_PLAIN, view, value);
        putc('\n', of->answer);
    }
    pool_mark_end(of->answer, POOL_VALID);
}

/* Write the record of a valid file. alone: it is no shard. */
static void put_file(const model_list *of, const char *path, const assay_view *view, bool alone, uint8_t *scratch)
{
    list_totals totals = {.files = 0};
    json_writer to = json_begin(of->answer);
    if (is_json(of)) {
        json_open(&to, '{');
        json_path(&to, path);
        list_members(&to, view, alone ? scratch : NULL); /* those of a shard are the model's */
        json_close(&to, '}');
    } else if (!of->line->summary) {
        put_heading(of->answer, path);
        list_table(of->answer, view);
    } else if (alone) {
        put_heading(of->answer, path);
        list_count(&totals, view);
        list_summary(of->answer, &totals);
    }
    if (alone && of->line->aliases && !is_json(of))
        list_aliases(of->answer, view, scratch);
    pool_mark_end(of->answer, POOL_VALID);
}

/* ---- The model -------------------------------------------------------------------------------------------- */

/* Keep a text, unescaped, and a zero byte: no text contains one. */
static void keep(model_list *to, const assay_view *view, assay_text text, uint8_t *scratch)
{
    size_t size = unescaped_copy(view, text, scratch);
    fwrite(scratch, 1, size, to->store);
    putc('\0', to->store);
}

/* Keep the names and the pairs of a shard. */
static void collect(model_list *to, const assay_view *view, uint8_t *scratch)
{
    assay_tensor tensor;
    assay_text key, value;
    list_count(&to->totals, view);
    for (uint64_t i = 0; !to->broken && assay_tensor_at(view, i, &tensor); i++) {
        size_t size = unescaped_copy(view, tensor.name, scratch);
        to->broken = name_table_get(&to->names, NAME_TENSOR, (const char *)scratch, size) == NULL;
    }
    for (uint64_t i = 0; !to->broken && assay_metadata_at(view, i, &key, &value); i++) {
        if (!tensor_alias_key(view, key))
            continue;
        keep(to, view, key, scratch);
        keep(to, view, value, scratch);
        to->broken = fflush(to->store) != 0 || to->pairs.failed;
    }
}

static void put_alias(json_writer *to, const model_list *of, tensor_alias kind, const char *name, const char *kept)
{
    if (is_json(of)) {
        json_line(to);
        json_open(to, '{');
        json_member_text(to, "name", name);
        json_member_text(to, "tensor", kept);
        json_close(to, '}');
    } else {
        text_path(of->answer, TEXT_QUOTED, name);
        fputs(" -> ", of->answer);
        text_path(of->answer, TEXT_QUOTED, kept);
        fputs(kind == TENSOR_ALIAS_DANGLING ? ": no such tensor\n" : "\n", of->answer);
    }
}

/* Is a tensor of the model called so? */
static bool is_tensor(const model_list *of, const char *name)
{
    return name_table_has(&of->names, NAME_TENSOR, name, strlen(name));
}

static tensor_alias kind_of(const model_list *of, const char *name, const char *kept)
{
    if (is_tensor(of, name))
        return TENSOR_ALIAS_NONE;
    if (is_tensor(of, kept))
        return TENSOR_ALIAS_KEPT;
    return tensor_alias_alike((const uint8_t *)name, strlen(name), (const uint8_t *)kept, strlen(kept))
               ? TENSOR_ALIAS_DANGLING
               : TENSOR_ALIAS_NONE;
}

/* Write the aliases of a kind, each once. heading: write the path of the index before the first. Return whether there
 * is one. */
static bool put_aliases(json_writer *to, model_list *of, tensor_alias kind, bool heading)
{
    const char *name = of->pairs.bytes, *end = name == NULL ? NULL : name + of->pairs.size;
    bool some = false;
    while (name != end && !ferror(of->answer)) {
        const char *kept = name + strlen(name) + 1, *next = kept + strlen(kept) + 1;
        name_entry *known = NULL;
        if (kind_of(of, name, kept) == kind)
            known = name_table_get(&of->names, NAME_ALIAS, name, (size_t)(next - name));
        if (known != NULL && known->number == 0) {
            known->number = 1;
            if (heading && !some)
                put_heading(of->answer, of->index);
            some = true;
            put_alias(to, of, kind, name, kept);
        }
        name = next;
    }
    return some;
}

static void put_alias_list(json_writer *to, model_list *of, tensor_alias kind, const char *key)
{
    json_key(to, key);
    json_open(to, '[');
    put_aliases(to, of, kind, false);
    json_close(to, ']');
}

/* Write the record of the model: totals, and aliases. */
static void put_model(model_list *of)
{
    json_writer to = json_begin(of->answer);
    if (is_meta(of) && of->line->key != NULL && !of->has_key && !of->unread) {
        put_no_key(of, of->index);
        return;
    }
    if (is_json(of)) {
        json_open(&to, '{');
        json_path(&to, of->index);
        put_alias_list(&to, of, TENSOR_ALIAS_KEPT, "aliases");
        put_alias_list(&to, of, TENSOR_ALIAS_DANGLING, "dangling_aliases");
        json_close(&to, '}');
        pool_mark_end(of->answer, POOL_NOTE);
        return;
    }
    if (of->line->summary) {
        put_heading(of->answer, of->index);
        list_summary(of->answer, &of->totals);
    }
    if (of->line->aliases) {
        bool headed = put_aliases(&to, of, TENSOR_ALIAS_KEPT, !of->line->summary) || of->line->summary;
        put_aliases(&to, of, TENSOR_ALIAS_DANGLING, !headed);
    }
    pool_mark_end(of->answer, POOL_NOTE);
}

/* ---- What the judge of a folder calls --------------------------------------------------------------------- */

void model_list_begin(model_list *to, const command_line *line, FILE *answer, uint64_t seed)
{
    *to = (model_list){.line = line, .answer = answer, .names = {.seed = seed}};
}

void model_list_end(model_list *to)
{
    if (to->index != NULL && to->broken)
        put_problem(to, to->index, "error", "not enough memory to list the model");
    else if (to->index != NULL)
        put_model(to);
    if (to->store != NULL)
        fclose(to->store);
    free(to->pairs.bytes);
    free(to->index);
    name_table_free(&to->names);
    model_list_begin(to, to->line, to->answer, to->names.seed);
}

void model_list_verdict(model_list *to, const char *path, const char *index, const host_verdict *verdict)
{
    line_buffer message;
    if (!is_valid(verdict) || verdict->view == NULL) {
        verdict_explain(&message, verdict);
        to->unread = true;
        put_problem(to, path, verdict_word(verdict), message.text);
        return;
    }
    uint8_t *scratch = malloc((size_t)verdict->view->data_begin);
    if (scratch == NULL) {
        to->unread = true;
        put_problem(to, path, "error", "not enough memory to list it");
        return;
    }
    bool alone = index == NULL || to->index == NULL;
    if (is_meta(to)) {
        put_metadata(to, path, verdict->view, alone);
    } else {
        if (!alone)
            collect(to, verdict->view, scratch);
        put_file(to, path, verdict->view, alone, scratch);
    }
    free(scratch);
}

void model_list_finding(model_list *to, const finding *what)
{
    line_buffer message;
    verdict_rank rank = finding_rank(what);
    if (rank == RANK_VALID && what->index == NULL) { /* an index */
        model_list_end(to);
        to->index = strdup(what->path);
        to->store = memory_stream_open(&to->pairs);
        to->broken = to->store == NULL;
        if (to->index == NULL)
            put_problem(to, what->path, "error", "not enough memory to list the model");
    } else if (rank == RANK_INVALID || rank == RANK_ERROR) {
        finding_explain(&message, what);
        to->unread = true;
        put_problem(to, what->path, rank_word(rank), message.text);
    }
}
