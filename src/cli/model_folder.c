/* model_folder.c: see model_folder.h. It reports the rules shard_missing to total_size and path_case, which src/model
 * finds; single_differs and single_beside, from what src/model compares; shard_extra and file_beside. */
#include "model_folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "name_table.h"
#include "numbered_files.h"

typedef struct {
    host_memory *memory;
    const folder_hooks *hooks;
    const char *name;
    char *const *path;
    size_t count;
    bool *reported;    /* [count]: its verdict, or that it is missing */
    const char *index; /* the path of the index that is being judged; first: of the first that could be read */
    const char *first;
    char *shard_path, *other_path, *single_path; /* buffers for paths: of two shards, of the model in one file */
    name_table names;
    host_problem problem; /* why the index can't be compared with all its files, or HOST_FINE */
    char *crowded_path;   /* a buffer for its path: with HOST_CROWDED, a file that too many indexes name */
    host_memory other;    /* for the table of the model in one file */
    assay_view view;
    model_single single;  /* in use while single.view is not NULL */
} folder;

static bool stopped(const folder *in)
{
    return in->hooks->stopped(in->hooks->context);
}

/* ---- Its shards --------------------------------------------------------------------------------------- */

static const char *shard_path(const folder *in, char *room, const model_index *index, uint32_t shard)
{
    model_text path = model_path(index, shard);
    size_t length = strlen(in->name);
    memcpy(room, in->name, length);
    memcpy(room + length, index->bytes + path.at, path.size);
    room[length + path.size] = '\0';
    return room;
}

/* The context of receive. */
typedef struct {
    folder *in;
    const model_index *index;
} receiver;

/* Report a finding of src/model. */
static void receive(void *context, const model_finding *found)
{
    const receiver *to = context;
    folder *in = to->in;
    const model_index *index = to->index;
    finding what = finding_about(in->index);
    if (found->shard != MODEL_NONE) {
        what.path = shard_path(in, in->shard_path, index, found->shard);
        what.index = in->index;
    }
    if (found->other != MODEL_NONE)
        what.other = shard_path(in, in->other_path, index, found->other);
    what.rule = rule_by_code(found->code);
    what.offset = found->offset;
    what.count = found->count;
    what.expected = found->expected;
    what.found = found->found;
    what.pair = found->pair;
    what.view = found->view;
    what.text = found->name;
    what.files = index->files;
    if (found->tensor.at != 0) {
        what.name = index->bytes + found->tensor.at;
        what.name_size = found->tensor.size;
    }
    in->hooks->finding(in->hooks->context, &what);
}

static int compare(const void *key, const void *member)
{
    return strcmp(key, *(char *const *)member);
}

/* Return the position of a path in the list of the folder, or count if it is not there. */
static size_t position_of(const folder *in, const char *path)
{
    char *const *found = bsearch(path, in->path, in->count, sizeof *in->path, compare);
    return found == NULL ? in->count : (size_t)(found - in->path);
}

/* Judge a file, or set the verdict to the problem with which opening it failed. */
static void judge_opened(host_memory *memory, host_file *file, host_problem problem, assay_view *view,
                         host_verdict *verdict)
{
    *verdict = (host_verdict){.problem = problem, .system = file->system, .file_size = ASSAY_NONE};
    verdict->fetch = file->fetch;
    if (problem == HOST_FINE)
        host_judge(memory, file, view, verdict);
}

static bool is_missing(host_problem problem, const host_file *file)
{
    return problem == HOST_OPEN && (file->system == ENOENT || file->system == ENOTDIR);
}

/* Count one more use of a file. False: it is not judged again; judge_index reports the reason, in->problem. */
static bool use(folder *in, const char *path)
{
    name_entry *name = name_table_get(&in->names, NAME_FILE, path, strlen(path));
    if (name == NULL) {
        in->problem = HOST_MEMORY;
        return false;
    }
    if (name->number < FOLDER_USES_MOST) {
        name->number++;
        return true;
    }
    if (in->problem == HOST_FINE) {
        in->problem = HOST_CROWDED;
        strcpy(in->crowded_path, path);
    }
    return false;
}

/* Report the verdict on a file; NULL: only note that the file was looked for. index: the one that names it, or NULL. */
static void report_verdict(folder *in, const char *path, const char *index, const host_verdict *verdict)
{
    size_t position = position_of(in, path);
    if (verdict != NULL)
        in->hooks->verdict(in->hooks->context, path, index, verdict);
    if (position < in->count)
        in->reported[position] = true;
}

static void judge_shard(folder *in, model_index *index, uint32_t shard)
{
    receiver to = {in, index};
    host_verdict verdict;
    assay_view view;
    host_file file = {.fd = -1, .size = ASSAY_NONE};
    const char *path = shard_path(in, in->shard_path, index, shard);
    if (!use(in, path)) {
        model_shard_unread(index, shard, MODEL_OK, receive, &to);
        return;
    }
    host_problem problem = in->hooks->open(in->hooks->context, path, true, &file);
    bool missing = is_missing(problem, &file);
    if (missing || problem == HOST_OUTSIDE) {
        report_verdict(in, path, NULL, NULL);
        model_shard_unread(index, shard, missing ? MODEL_SHARD_MISSING : MODEL_SHARD_OUTSIDE, receive, &to);
        return;
    }
    judge_opened(in->memory, &file, problem, &view, &verdict);
    report_verdict(in, path, in->index, &verdict);
    if (!is_valid(&verdict)) {
        model_shard_unread(index, shard, MODEL_OK, receive, &to);
        return;
    }
    model_shard(index, shard, &view, receive, &to);
    if (in->single.view != NULL)
        model_single_shard(&in->single, shard, &view, malloc);
}

/* ---- The same model in one file ----------------------------------------------------------------------- */

/* Judge the file that a loader may take in place of the index, if there is one. */
static void judge_single(folder *in, const model_index *index)
{
    host_verdict verdict;
    host_file file = {.fd = -1, .size = ASSAY_NONE};
    const char *path = in->single_path;
    if (!host_single_path(in->index, in->single_path))
        return;
    if (in->hooks->escaped)
        host_unescape(in->single_path);
    if ((index->shards == 1 && strcmp(shard_path(in, in->shard_path, index, 0), path) == 0) || !use(in, path))
        return;
    bool listed = position_of(in, path) < in->count;
    host_problem problem = in->hooks->open(in->hooks->context, path, !listed, &file);
    file.beside = HOST_NONE_BESIDE; /* it is compared with that index here */
    if (is_missing(problem, &file) || (problem == HOST_DIRECTORY && !listed))
        return;
    judge_opened(&in->other, &file, problem, &in->view, &verdict);
    report_verdict(in, path, NULL, &verdict);
    if (is_valid(&verdict) && !model_single_begin(&in->single, &in->view, in->memory->seed, malloc)) {
        model_single_end(&in->single, free);
        in->problem = HOST_MEMORY;
    }
}

/* Report how the file differs from the shards; if some of these were not compared, only what is certain. */
static void end_single(folder *in, const model_index *index)
{
    model_single *single = &in->single;
    finding what = finding_about(in->single_path);
    bool whole = single->shards == index->shards;
    model_single_compare(single, whole, malloc);
    what.index = in->index;
    what.rule = rule_by_code(single->differ > 0 ? MODEL_SINGLE_DIFFERS : MODEL_SINGLE_BESIDE);
    what.name = single->name;
    what.name_size = single->name_size;
    what.count = single->differ;
    if (single->differ > 0) {
        what.expected = whole ? single->tensors : ASSAY_NONE;
        what.found = single->view->tensors;
    }
    if (single->shard != MODEL_NONE)
        what.other = shard_path(in, in->shard_path, index, single->shard);
    if (single->failed)
        in->problem = HOST_MEMORY;
    else if (single->differ > 0 || whole)
        in->hooks->finding(in->hooks->context, &what);
    model_single_end(single, free);
}

/* ---- The index ----------------------------------------------------------------------------------------- */

/* An index that was read from a file. */
typedef struct {
    uint8_t *bytes; /* unescaped in place; index borrows them */
    size_t size;
    model_index index;
} index_file;

static void index_free(index_file *of)
{
    free(of->bytes);
    model_memory_free(&of->index.memory, free);
    *of = (index_file){.bytes = NULL};
}

/* Copy the bytes of the file. */
static host_problem load_index(index_file *of, const folder_hooks *hooks, const char *path, finding *what)
{
    host_file file = {.fd = -1};
    host_problem problem = hooks->open(hooks->context, path, false, &file);
    if (problem == HOST_FINE) {
        what->file_size = file.size;
        problem = host_copy(&file, MODEL_SIZE_MAX, &of->bytes);
        host_problem after = host_close(&file);
        problem = problem == HOST_FINE ? after : problem;
    }
    what->system = file.system;
    what->fetch = file.fetch;
    of->size = of->bytes == NULL ? 0 : (size_t)file.size;
    return problem;
}

static void set_error(finding *what, const index_file *of, const model_error *error)
{
    what->rule = rule_by_code(error->code);
    what->offset = error->offset;
    what->expected = error->expected;
    what->found = error->found;
    what->bytes = of->bytes;
    what->size = of->size;
    if (error->tensor.at != 0) {
        what->name = of->bytes + error->tensor.at;
        what->name_size = error->tensor.size;
    }
}

/* Read an index, and report what it is. Return false if it is not an index. The caller calls index_free in any case. */
static bool index_read(index_file *of, const host_memory *memory, const folder_hooks *hooks, const char *path)
{
    finding what = finding_about(path);
    model_error error = {.code = MODEL_OK};
    model_need need;
    *of = (index_file){.bytes = NULL};
    what.problem = load_index(of, hooks, path, &what);
    if (what.problem == HOST_FINE) {
        model_memory room;
        model_measure(of->bytes, of->size, &need);
        bool enough = model_memory_allocate(&room, &need, malloc);
        of->index.memory = room;
        if (enough)
            model_read(&of->index, of->bytes, what.file_size, memory->seed, &room, &error);
        else
            what.problem = HOST_MEMORY;
    }
    if (error.code != MODEL_OK) {
        set_error(&what, of, &error);
    } else if (what.problem == HOST_FINE) {
        what.tensors = of->index.tensors;
        what.shards = of->index.shards;
    }
    hooks->finding(hooks->context, &what);
    return what.problem == HOST_FINE && error.code == MODEL_OK;
}

/* ---- All of an index ---------------------------------------------------------------------------------- */

/* Judge all shards. Up to hooks->ahead of the next ones are requested before they are needed. */
static void judge_shards(folder *in, model_index *index)
{
    const uint32_t *order = index->memory.order;
    for (uint32_t i = 0, next = 0; i < index->shards && !stopped(in); i++) {
        for (; next < index->shards && next - i < in->hooks->ahead; next++)
            in->hooks->prefetch(in->hooks->context, shard_path(in, in->shard_path, index, order[next]));
        judge_shard(in, index, order[i]);
    }
}

/* Remember the stems of its shards, to recognize files that are named alike. */
static void keep_stems(folder *in, const model_index *index)
{
    for (uint32_t shard = 0; shard < index->shards; shard++) {
        model_text path = model_path(index, shard);
        uint32_t stem = model_stem(index->bytes + path.at, path.size);
        if (stem > 0 && name_table_get(&in->names, NAME_STEM, (const char *)index->bytes + path.at, stem) == NULL)
            in->problem = HOST_MEMORY;
    }
}

static void judge_index(folder *in, const char *path)
{
    index_file of;
    in->index = path;
    in->problem = HOST_FINE;
    if (host_single_path(path, in->single_path) &&
        name_table_get(&in->names, NAME_SINGLE, in->single_path, strlen(in->single_path)) == NULL)
        in->problem = HOST_MEMORY;
    if (index_read(&of, in->memory, in->hooks, path)) {
        receiver to = {in, &of.index};
        in->first = in->first == NULL ? path : in->first;
        keep_stems(in, &of.index);
        judge_single(in, &of.index);
        judge_shards(in, &of.index);
        if (!stopped(in))
            model_end(&of.index, receive, &to);
        if (in->single.view != NULL)
            end_single(in, &of.index);
    }
    index_free(&of);
    if (in->problem == HOST_FINE)
        return;
    finding what = finding_about(path);
    what.problem = in->problem;
    what.other = in->problem == HOST_CROWDED ? in->crowded_path : NULL;
    in->hooks->finding(in->hooks->context, &what);
}

/* ---- The files beside --------------------------------------------------------------------------------- */

/* Is the file named like the shards of an index? */
static bool is_extra(const folder *in, const char *path)
{
    const char *name = path + strlen(in->name);
    uint32_t stem = model_stem((const uint8_t *)name, (uint32_t)strlen(name));
    return in->first != NULL && stem > 0 && name_table_has(&in->names, NAME_STEM, name, stem);
}

static void judge_beside(folder *in, const char *path)
{
    host_verdict verdict;
    assay_view view;
    host_file file = {.fd = -1, .size = ASSAY_NONE};
    host_problem problem = in->hooks->open(in->hooks->context, path, false, &file);
    if (name_table_has(&in->names, NAME_SINGLE, path, strlen(path)))
        file.beside = HOST_NONE_BESIDE; /* the index is judged too, and has its own record */
    judge_opened(in->memory, &file, problem, &view, &verdict);
    in->hooks->verdict(in->hooks->context, path, NULL, &verdict);
    if (in->first == NULL)
        return;
    finding what = finding_about(path);
    what.index = in->first;
    what.rule = rule_by_code(is_extra(in, path) ? MODEL_SHARD_EXTRA : MODEL_FILE_BESIDE);
    in->hooks->finding(in->hooks->context, &what);
}

/* Judge the files that no index names. Those that are named like its shards belong to the model's record. */
static void judge_all_beside(folder *in)
{
    for (size_t i = 0; i < in->count && !stopped(in); i++) {
        if (in->reported[i] || !is_extra(in, in->path[i]))
            continue;
        in->reported[i] = true;
        judge_beside(in, in->path[i]);
    }
    in->hooks->complete(in->hooks->context);
    for (size_t i = 0; i < in->count && !stopped(in); i++) {
        if (!in->reported[i])
            judge_beside(in, in->path[i]);
        in->hooks->complete(in->hooks->context);
    }
}

static void judge_all(folder *in)
{
    for (size_t i = 0; i < in->count && !stopped(in); i++) {
        if (host_is_index(in->path[i])) {
            in->reported[i] = true;
            judge_index(in, in->path[i]);
        }
    }
    judge_all_beside(in);
    if (numbered_files_judge(in->hooks, in->name, in->path, in->count, &in->names))
        return;
    finding what = finding_about(in->name);
    what.problem = HOST_MEMORY;
    in->hooks->finding(in->hooks->context, &what);
}

/* Return the length of the longest path. */
static size_t longest(char *const *path, size_t count)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = strlen(path[i]) > most ? strlen(path[i]) : most;
    return most;
}

void folder_judge(host_memory *memory, const folder_hooks *hooks, const char *name, char *const *path, size_t count)
{
    size_t room = strlen(name) + MODEL_PATH_MAX + 1 + longest(path, count);
    folder in = {.memory = memory, .hooks = hooks, .name = name, .path = path, .count = count};
    in.reported = calloc(count + 1, sizeof *in.reported);
    in.shard_path = malloc(room);
    in.other_path = malloc(room);
    in.single_path = malloc(room);
    in.crowded_path = malloc(room);
    in.other = (host_memory){.reads_ends = memory->reads_ends};
    in.names.seed = memory->seed;
    if (in.reported == NULL || in.shard_path == NULL || in.other_path == NULL || in.single_path == NULL ||
        in.crowded_path == NULL) {
        finding what = finding_about(name);
        what.problem = HOST_MEMORY;
        hooks->finding(hooks->context, &what);
    } else {
        judge_all(&in);
    }
    host_memory_free(&in.other);
    name_table_free(&in.names);
    free(in.reported);
    free(in.shard_path);
    free(in.other_path);
    free(in.single_path);
    free(in.crowded_path);
}
