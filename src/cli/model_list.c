/* model_list.c: see model_list.h. */
#include "posix.h"

#include "model_list.h"

#include <stdlib.h>
#include <string.h>

#include "json_text.h"
#include "pool.h"
#include "tensor_alias.h"
#include "unescaped_text.h"

static bool is_json(const model_list *of)
{
    return of->line->format == FORMAT_JSON;
}

/* ---- Records ---------------------------------------------------------------------------------------------- */

static void put_heading(FILE *to, const char *path)
{
    text_path(to, TEXT_PLAIN, path);
    fputs(":\n", to);
}

/* Write the record of what is not listed. */
static void put_problem(const model_list *of, const char *path, const char *word, const char *message)
{
    json_writer to = json_begin(of->answer);
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

static void put_alias(json_writer *to, const model_list *of, const char *name, const char *kept)
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
        putc('\n', of->answer);
    }
}

/* Is a tensor of the model called so? */
static bool is_tensor(const model_list *of, const char *name)
{
    return name_table_has(&of->names, NAME_TENSOR, name, strlen(name));
}

/* Write the aliases of the model, each once. heading: write the path of the index before the first. */
static void put_aliases(json_writer *to, model_list *of, bool heading)
{
    const char *name = of->pairs.bytes, *end = name == NULL ? NULL : name + of->pairs.size;
    while (name != end && !ferror(of->answer)) {
        const char *kept = name + strlen(name) + 1, *next = kept + strlen(kept) + 1;
        name_entry *known = NULL;
        if (is_tensor(of, kept) && !is_tensor(of, name))
            known = name_table_get(&of->names, NAME_ALIAS, name, (size_t)(next - name));
        if (known != NULL && known->number == 0) {
            known->number = 1;
            if (heading)
                put_heading(of->answer, of->index);
            heading = false;
            put_alias(to, of, name, kept);
        }
        name = next;
    }
}

/* Write the record of the model: totals, and aliases. */
static void put_model(model_list *of)
{
    json_writer to = json_begin(of->answer);
    if (is_json(of)) {
        json_open(&to, '{');
        json_path(&to, of->index);
        json_key(&to, "aliases");
        json_open(&to, '[');
        put_aliases(&to, of, false);
        json_close(&to, ']');
        json_close(&to, '}');
        pool_mark_end(of->answer, POOL_NOTE);
        return;
    }
    if (of->line->summary) {
        put_heading(of->answer, of->index);
        list_summary(of->answer, &of->totals);
    }
    if (of->line->aliases)
        put_aliases(&to, of, !of->line->summary);
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
        put_problem(to, path, verdict_word(verdict), message.text);
        return;
    }
    uint8_t *scratch = malloc((size_t)verdict->view->data_begin);
    if (scratch == NULL) {
        put_problem(to, path, "error", "not enough memory to list it");
        return;
    }
    if (index != NULL && to->index != NULL)
        collect(to, verdict->view, scratch);
    put_file(to, path, verdict->view, index == NULL || to->index == NULL, scratch);
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
        put_problem(to, what->path, rank_word(rank), message.text);
    }
}
