/* path_records.c: see path_records.h. */
#include "posix.h"

#include "path_records.h"

#include <stdlib.h>
#include <string.h>

#include "pool.h"
#include "program_rules.h"

/* A piece of the store. */
typedef struct {
    size_t at, size;
} store_range;

/* A finding, formatted. */
struct held_statement {
    store_range text;
    uint32_t next; /* the next one about the same path, counted from 1; 0: none */
    uint8_t rank, code;
};

/* What is known about a path. Paths and statements are counted from 1 on; 0: none. */
struct held_path {
    store_range name, own, details;
    uint32_t first, last, findings;
    uint32_t model;       /* the index that has counted it among its files at fault */
    uint8_t rank, code;   /* of its own; RANK_NONE: it has none */
    uint8_t stated;       /* the verdict in the record that was written */
    bool written;         /* its record was not held back, or no longer */
    /* Of an index: the first file for which the model is judged so, and how many of this rank there are. */
    uint8_t fault, fault_code;
    store_range fault_name;
    uint64_t faults;
};
typedef struct held_path held_path;

bool records_begin(path_records *to, FILE *answer, const command_line *line, uint64_t seed)
{
    *to = (path_records){.answer = answer, .line = line, .names = {.seed = seed}};
    to->format = line->quiet ? &text_format : report_format_of(line);
    to->store = memory_stream_open(&to->text);
    return to->store != NULL;
}

void records_end(path_records *to)
{
    if (to->store != NULL)
        fclose(to->store);
    free(to->text.bytes);
    free(to->path);
    free(to->statement);
    free(to->list);
    name_table_free(&to->names);
}

/* ---- The store ------------------------------------------------------------------------------------------- */

static store_range store_begin(const path_records *to)
{
    return (store_range){to->text.size, 0};
}

static store_range store_end(path_records *to, store_range begun)
{
    if (fflush(to->store) != 0 || to->text.failed)
        to->broken = true;
    begun.size = to->text.size - begun.at;
    return begun;
}

/* Drop all from a position on. */
static void store_drop(path_records *to, size_t at)
{
    fflush(to->store);
    to->text.size = at;
    to->text.failed = false;
}

static store_range store_name(path_records *to, const char *name)
{
    store_range begun = store_begin(to);
    fwrite(name, 1, strlen(name) + 1, to->store);
    return store_end(to, begun);
}

static bool is_full(const path_records *to)
{
    return to->text.size > HELD_MOST;
}

/* Does an array have room for one more element? Else enlarge it. */
static bool enlarge(void **array, size_t *room, size_t count, size_t size)
{
    if (count < *room)
        return true;
    size_t more = *room == 0 ? 64 : 2 * *room;
    void *grown = realloc(*array, more * size);
    if (grown == NULL)
        return false;
    *array = grown;
    *room = more;
    return true;
}

/* Return the path's number, or 0 if it has none or memory ran out. */
static uint32_t find(path_records *to, const char *path)
{
    if (path == NULL)
        return 0;
    name_entry *known = name_table_get(&to->names, NAME_FILE, path, strlen(path));
    if (known == NULL)
        to->broken = true;
    return known == NULL ? 0 : known->number;
}

/* Return the path's number; a path that is new gets one. 0: memory ran out. */
static uint32_t add_path(path_records *to, const char *path)
{
    name_entry *known = name_table_get(&to->names, NAME_FILE, path, strlen(path));
    if (known != NULL && known->number != 0)
        return known->number;
    void *array = to->path;
    if (known == NULL || !enlarge(&array, &to->path_room, to->paths, sizeof *to->path)) {
        to->broken = true;
        return 0;
    }
    to->path = array;
    to->path[to->paths++] = (held_path){.rank = RANK_NONE};
    known->number = (uint32_t)to->paths;
    to->path[to->paths - 1].name = store_name(to, path);
    return (uint32_t)to->paths;
}

/* ---- Writing --------------------------------------------------------------------------------------------- */

static pool_mark mark_of(verdict_rank rank)
{
    switch (rank) {
    case RANK_VALID:
        return POOL_VALID;
    case RANK_INVALID:
        return POOL_INVALID;
    case RANK_REFUSED:
        return POOL_REFUSED;
    case RANK_NOTE:
        return POOL_NOTE;
    default:
        return POOL_ERROR;
    }
}

static bool is_sarif(const command_line *line)
{
    return line->format == FORMAT_SARIF && !line->quiet;
}

/* Count a rule. In SARIF, the rule of what could not be judged is counted when that is written: the text after its mark
 * is a notification. */
static void mark_rule(FILE *answer, const command_line *line, verdict_rank rank, uint32_t code)
{
    if (code != 0 && !(rank == RANK_ERROR && is_sarif(line)))
        pool_mark_end(answer, (pool_mark)(POOL_RULE | code));
}

/* Count the rules of a file. In SARIF, name those of its further findings too, which are not counted. */
static void mark_file(FILE *answer, const command_line *line, const host_verdict *verdict, const more_findings *more)
{
    uint32_t code = verdict->problem != HOST_FINE ? RULE_NOT_JUDGED : verdict->status;
    mark_rule(answer, line, verdict_rank_of(verdict), code);
    for (size_t i = 0; verdict->notes != NULL && i < verdict->notes->count; i++)
        if (verdict->notes->one[i].rule->code != code)
            mark_rule(answer, line, RANK_NOTE, verdict->notes->one[i].rule->code);
    uint32_t last = 0;
    for (unsigned i = 0; is_sarif(line) && i < more->count; i++) {
        if (more->one[i].error.status == last)
            continue;
        last = (uint32_t)more->one[i].error.status;
        pool_mark_end(answer, POOL_RULE);
        pool_mark_end(answer, (pool_mark)(POOL_RULE | last));
    }
}

void record_file(FILE *answer, const command_line *line, const char *path, const host_verdict *verdict,
                 const more_findings *more)
{
    verdict_rank rank = verdict_rank_of(verdict);
    if (line->quiet && rank == RANK_ERROR)
        report_text(answer, path, verdict);
    else if (!line->quiet)
        report_format_of(line)->file(answer, line, path, verdict, more);
    mark_file(answer, line, verdict, more);
    if (is_sarif(line) && rank == RANK_ERROR) {
        pool_mark_end(answer, (pool_mark)(POOL_RULE | (verdict->problem != HOST_FINE ? RULE_NOT_JUDGED
                                                                                     : verdict->status)));
        report_format_of(line)->verdict(answer, path, verdict);
    }
    pool_mark_end(answer, mark_of(rank));
}

/* With -q: write what could not be judged. */
static void write_errors(path_records *to, const path_record *record)
{
    for (size_t i = 0; i <= record->findings; i++) {
        const statement *one = i == 0 ? record->own : &record->finding[i - 1];
        path_record single = {.path = record->path, .top = one};
        if (one != NULL && one->rank == RANK_ERROR)
            text_format.record(to->answer, to->line, &single);
    }
}

/* In SARIF: write what could not be judged, each with the mark of its rule before it. */
static void write_notices(path_records *to, const path_record *record)
{
    for (size_t i = 0; i <= record->findings; i++) {
        const statement *one = i == 0 ? record->own : &record->finding[i - 1];
        if (one == NULL || one->rank != RANK_ERROR)
            continue;
        pool_mark_end(to->answer, (pool_mark)(POOL_RULE | one->code));
        if (one->what != NULL)
            to->format->finding(to->answer, one->what);
        else
            fwrite(one->bytes, 1, one->size, to->answer);
    }
}

static statement statement_of(const path_records *to, store_range text, uint8_t rank, uint8_t code)
{
    return (statement){
        .rank = (verdict_rank)rank, .code = code, .bytes = to->text.bytes + text.at, .size = text.size};
}

/* Put the findings about a path into the list. live: one more, which was not formatted, or NULL. Return how many they
 * are; 0 also if memory ran out. */
static size_t list_findings(path_records *to, const held_path *of, const finding *live)
{
    size_t count = 0;
    void *array = to->list;
    for (uint32_t at = of->first; at != 0; at = to->statement[at - 1].next) {
        const struct held_statement *one = &to->statement[at - 1];
        if (!enlarge(&array, &to->list_room, count + 1, sizeof *to->list))
            to->broken = true;
        to->list = array;
        if (to->broken)
            return 0;
        to->list[count++] = statement_of(to, one->text, one->rank, one->code);
    }
    if (live == NULL)
        return count;
    if (!enlarge(&array, &to->list_room, count + 1, sizeof *to->list))
        to->broken = true;
    to->list = array;
    if (!to->broken)
        to->list[count++] = (statement){.rank = finding_rank(live), .code = finding_code(live), .what = live};
    return count;
}

/* Write a record, and the mark that ends it. */
static void write_record(path_records *to, const path_record *record)
{
    if (to->line->quiet)
        write_errors(to, record);
    else
        to->format->record(to->answer, to->line, record);
    if (is_sarif(to->line))
        write_notices(to, record);
    pool_mark_end(to->answer, mark_of(record->top->rank));
}

/* Write one more record about a path whose record was written: nothing else would state this finding. */
static void write_finding(path_records *to, uint32_t number, const finding *what)
{
    statement one = {.rank = finding_rank(what), .code = finding_code(what), .what = what};
    path_record record = {.finding = &one, .findings = 1, .top = &one};
    store_range begun = store_begin(to);
    to->format->finding_details(to->store, what);
    begun = store_end(to, begun);
    record.path = to->text.bytes + to->path[number - 1].name.at;
    record.details = to->text.bytes + begun.at;
    record.details_size = begun.size;
    if (!to->broken)
        write_record(to, &record);
    store_drop(to, begun.at);
}

/* Write the record of a path. */
static void write_path(path_records *to, uint32_t number, const finding *live)
{
    held_path *of = &to->path[number - 1];
    size_t findings = list_findings(to, of, live);
    if (to->broken)
        return;
    statement own = statement_of(to, of->own, of->rank, of->code);
    path_record record = {.path = to->text.bytes + of->name.at,
                          .own = of->rank == RANK_NONE ? NULL : &own,
                          .details = to->text.bytes + of->details.at,
                          .details_size = of->details.size,
                          .finding = to->list,
                          .findings = findings};
    finding model = finding_about(record.path);
    statement because = {.rank = (verdict_rank)of->fault, .code = of->fault_code, .what = &model};
    record.top = record.own;
    for (size_t i = 0; i < findings; i++)
        if (record.top == NULL || to->list[i].rank > record.top->rank)
            record.top = &to->list[i];
    if (record.top == NULL)
        return;
    if (of->fault != RANK_NONE && because.rank > record.top->rank) {
        model.model = because.rank;
        model.rule = of->fault_code == RULE_NOT_JUDGED ? NULL : rule_by_code(of->fault_code);
        model.other = to->text.bytes + of->fault_name.at;
        model.count = of->faults;
        record.top = &because;
    }
    write_record(to, &record);
    of->written = true;
    of->stated = (uint8_t)record.top->rank;
}

void records_write(path_records *to, const char *folder)
{
    static const more_findings none;
    for (uint32_t i = 1; i <= to->paths && !to->broken && !ferror(to->answer); i++)
        if (!to->path[i - 1].written)
            write_path(to, i, NULL);
    if (to->broken) {
        host_verdict verdict = {.problem = HOST_MEMORY, .file_size = ASSAY_NONE};
        record_file(to->answer, to->line, folder, &verdict, &none);
    }
    to->broken = false;
    to->paths = to->statements = 0;
    uint64_t seed = to->names.seed;
    name_table_free(&to->names);
    to->names = (name_table){.seed = seed};
    store_drop(to, 0);
}

/* ---- Models ---------------------------------------------------------------------------------------------- */

/* A file of the model that the index describes is at fault. */
static void blame(path_records *to, const char *index, uint32_t number, verdict_rank rank, uint32_t code)
{
    uint32_t model = rank > RANK_VALID ? find(to, index) : 0;
    if (model == 0 || model == number)
        return;
    held_path *of = &to->path[model - 1], *file = &to->path[number - 1];
    if (rank > of->fault) {
        of->fault = (uint8_t)rank;
        of->fault_code = (uint8_t)code;
        of->fault_name = file->name;
        of->faults = 1;
        file->model = model;
    } else if (rank == of->fault && file->model != model) {
        of->faults++;
        file->model = model;
    }
}

/* ---- Adding ---------------------------------------------------------------------------------------------- */

bool records_known(path_records *to, const char *path, const char *index, verdict_rank rank)
{
    uint32_t number = find(to, path);
    if (number == 0 || to->path[number - 1].rank == RANK_NONE)
        return false;
    const held_path *known = &to->path[number - 1];
    bool was = known->rank <= RANK_REFUSED, is = rank <= RANK_REFUSED;
    blame(to, index, number, (verdict_rank)known->rank, known->code);
    if (was != is) {
        finding what = finding_about(path);
        what.problem = HOST_CHANGED;
        what.index = index;
        records_finding(to, &what);
    }
    return true;
}

/* Return about how many bytes a record has, at most. */
static size_t size_of(const host_verdict *verdict, const more_findings *more)
{
    uint64_t text = error_names_size(&verdict->error);
    for (unsigned i = 0; i < more->count; i++)
        text += error_names_size(&more->one[i].error);
    return (size_t)(6 * text) + 1000 * ((size_t)more->count + 1);
}

void records_verdict(path_records *to, const char *path, const char *index, const host_verdict *verdict,
                     const more_findings *more)
{
    static const more_findings none;
    host_verdict lacks = {.problem = HOST_MEMORY, .file_size = ASSAY_NONE};
    uint32_t number = add_path(to, path);
    if (number == 0)
        return;
    if (is_valid(verdict) && is_full(to)) { /* it can't be compared with its model */
        verdict = &lacks;
        more = &none;
    }
    held_path *of = &to->path[number - 1];
    verdict_rank rank = verdict_rank_of(verdict);
    of->rank = (uint8_t)rank;
    of->code = (uint8_t)(verdict->problem != HOST_FINE ? RULE_NOT_JUDGED : verdict->status);
    blame(to, index, number, rank, of->code);
    if (of->written)
        return;
    if (of->first == 0 && rank != RANK_VALID && (is_full(to) || size_of(verdict, more) > HELD_RECORD_MOST)) {
        of->written = true;
        of->stated = (uint8_t)rank;
        record_file(to->answer, to->line, path, verdict, more);
        return;
    }
    mark_file(to->answer, to->line, verdict, more);
    if (!to->line->quiet || rank == RANK_ERROR) {
        store_range begun = store_begin(to);
        to->format->verdict(to->store, path, verdict);
        to->path[number - 1].own = store_end(to, begun);
    }
    if (!to->line->quiet) {
        store_range begun = store_begin(to);
        to->format->details(to->store, to->line, path, verdict, more);
        to->path[number - 1].details = store_end(to, begun);
    }
}

static store_range format_finding(path_records *to, const finding *what)
{
    store_range begun = store_begin(to);
    if (!to->line->quiet || finding_rank(what) == RANK_ERROR)
        to->format->finding(to->store, what);
    return store_end(to, begun);
}

/* Add a finding to the others about a path. */
static void attach(path_records *to, uint32_t number, const finding *what)
{
    void *array = to->statement;
    if (!enlarge(&array, &to->statement_room, to->statements, sizeof *to->statement)) {
        to->broken = true;
        return;
    }
    to->statement = array;
    held_path *of = &to->path[number - 1];
    to->statement[to->statements++] = (struct held_statement){.text = format_finding(to, what),
                                                              .rank = (uint8_t)finding_rank(what),
                                                              .code = (uint8_t)finding_code(what)};
    *(of->last == 0 ? &of->first : &to->statement[of->last - 1].next) = (uint32_t)to->statements;
    of->last = (uint32_t)to->statements;
    of->findings++;
}

/* Write a finding of SARIF as a record of its own. */
static void write_result(path_records *to, const finding *what)
{
    to->format->finding(to->answer, what);
    pool_mark_end(to->answer, POOL_NOTE);
}

static void format_details(path_records *to, uint32_t number, const finding *what)
{
    store_range begun = store_begin(to);
    if (!to->line->quiet)
        to->format->finding_details(to->store, what);
    to->path[number - 1].details = store_end(to, begun);
}

/* Add a finding about a path whose record was written. Its index has it instead, if that is held back. If not, it has a
 * record of its own if it is worse than what was written. brief: the finding without a name. */
static void add_late(path_records *to, uint32_t number, const finding *what, const finding *brief)
{
    verdict_rank rank = finding_rank(what);
    held_path *of = &to->path[number - 1];
    uint32_t index = find(to, what->index);
    bool is_held = index != 0 && !to->path[index - 1].written, is_worse = !is_held && rank > of->stated;
    if (is_held || is_worse || is_sarif(to->line))
        mark_rule(to->answer, to->line, rank, finding_code(what));
    if (is_worse) {
        of->stated = (uint8_t)rank;
        write_finding(to, number, what);
    } else if (is_held && to->path[index - 1].findings < MORE_FINDINGS_MOST) {
        attach(to, index, brief);
    } else if (is_sarif(to->line) && rank != RANK_ERROR) {
        write_result(to, what);
    }
}

void records_finding(path_records *to, const finding *what)
{
    verdict_rank rank = finding_rank(what);
    uint32_t code = finding_code(what), number = add_path(to, what->path);
    if (number == 0)
        return;
    held_path *of = &to->path[number - 1];
    uint64_t name = what->view != NULL ? what->text.end - what->text.at : what->name_size;
    bool of_index = of->rank == RANK_VALID && what->index == NULL, large = 6 * name > HELD_RECORD_MOST;
    finding brief = *what;
    brief.view = NULL;
    brief.name = NULL;
    brief.name_size = 0;
    blame(to, what->index, number, rank, code);
    if (of->written) {
        add_late(to, number, what, &brief);
        return;
    }
    mark_rule(to->answer, to->line, rank, code);
    if (of->rank == RANK_NONE && of->first == 0)
        format_details(to, number, what);
    if (rank > RANK_VALID && !of_index && (large || is_full(to))) { /* it is not valid, whatever follows */
        size_t at = to->text.size;
        write_path(to, number, what);
        store_drop(to, at);
    } else if (of->rank == RANK_NONE && what->index == NULL) {
        of->own = format_finding(to, what);
        of->rank = (uint8_t)rank;
        of->code = (uint8_t)code;
    } else {
        attach(to, number, large ? &brief : what);
    }
}
