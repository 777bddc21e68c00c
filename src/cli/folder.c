/* folder.c: see folder.h. Rules shard_missing to total_size, which src/model finds, are told here. */
#include "folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A file directly in the folder. */
typedef enum { FILE_LEFT, FILE_TOLD, FILE_EXTRA } file_state;

typedef struct {
    host_memory *memory;
    const folder_hooks *hooks;
    const char *name;
    char *const *path;
    size_t count;
    uint8_t *state;    /* [count], a file_state */
    const char *index; /* the path of the index that is being told, or the first that could be read */
    const char *first;
    char *one, *two; /* room for paths of shards */
} folder;

/* An index in memory. */
typedef struct {
    uint8_t *bytes;
    size_t size;
    model_index index;
} loaded;

static bool stopped(const folder *in)
{
    return in->hooks->stopped(in->hooks->context);
}

/* The finding is about the whole file at path. */
static finding finding_about(const char *path)
{
    return (finding){.path = path,
                     .offset = ASSAY_NONE,
                     .expected = ASSAY_NONE,
                     .found = ASSAY_NONE,
                     .tensors = ASSAY_NONE,
                     .shards = ASSAY_NONE,
                     .file_size = ASSAY_NONE};
}

/* ---- The index ---------------------------------------------------------------------------------------- */

static void release(loaded *of)
{
    free(of->bytes);
    model_give_back(&of->index.memory, free);
    *of = (loaded){.bytes = NULL};
}

/* The file's bytes, in memory of our own. */
static host_problem load(folder *in, const char *path, loaded *of, finding *what)
{
    host_file file = {.fd = -1};
    host_problem problem = in->hooks->open(in->hooks->context, path, false, &file);
    if (problem == HOST_FINE) {
        what->file_size = file.size;
        problem = host_copy(&file, MODEL_SIZE_MAX, &of->bytes);
        host_problem after = host_close(&file);
        problem = problem == HOST_FINE ? after : problem;
    }
    what->system = file.system;
    what->fetch = file.fetch;
    if (problem == HOST_FINE && !in->memory->seeded)
        problem = HOST_RANDOM;
    of->size = of->bytes == NULL ? 0 : (size_t)file.size;
    return problem;
}

static void set_error(finding *what, const loaded *of, const model_error *error)
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

/* Reads an index, and tells what it is; false: it is none. */
static bool read_index(folder *in, const char *path, loaded *of)
{
    finding what = finding_about(path);
    model_error error = {.code = MODEL_OK};
    model_need need;
    *of = (loaded){.bytes = NULL};
    what.problem = load(in, path, of, &what);
    if (what.problem == HOST_FINE) {
        model_memory memory;
        model_measure(of->bytes, of->size, &need);
        bool room = model_take(&memory, &need, malloc);
        of->index.memory = memory;
        if (room)
            model_read(&of->index, of->bytes, what.file_size, in->memory->seed[0], &memory, &error);
        else
            what.problem = HOST_MEMORY;
    }
    if (error.code != MODEL_OK) {
        set_error(&what, of, &error);
    } else if (what.problem == HOST_FINE) {
        what.tensors = of->index.tensors;
        what.shards = of->index.shards;
    }
    in->hooks->finding(in->hooks->context, &what);
    return what.problem == HOST_FINE && error.code == MODEL_OK;
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

/* Of model_tell. */
typedef struct {
    folder *in;
    const model_index *index;
} teller;

static void tell(void *context, const model_finding *found)
{
    const teller *to = context;
    folder *in = to->in;
    const model_index *index = to->index;
    finding what = finding_about(in->index);
    if (found->shard != MODEL_NONE) {
        what.path = shard_path(in, in->one, index, found->shard);
        what.index = in->index;
    }
    if (found->other != MODEL_NONE)
        what.other = shard_path(in, in->two, index, found->other);
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

/* The place of a file directly in the folder; count: it is none. */
static size_t place_of(const folder *in, const char *path)
{
    char *const *found = bsearch(path, in->path, in->count, sizeof *in->path, compare);
    return found == NULL ? in->count : (size_t)(found - in->path);
}

/* problem: why the file could not be opened, or HOST_FINE. */
static void judge_opened(folder *in, host_file *file, host_problem problem, assay_view *view, host_verdict *verdict)
{
    *verdict = (host_verdict){.problem = problem, .system = file->system, .file_size = ASSAY_NONE};
    verdict->fetch = file->fetch;
    if (problem == HOST_FINE)
        host_judge(in->memory, file, view, verdict);
}

static void judge_shard(folder *in, model_index *index, uint32_t shard)
{
    teller to = {in, index};
    host_verdict verdict;
    assay_view view;
    host_file file = {.fd = -1, .size = ASSAY_NONE};
    const char *path = shard_path(in, in->one, index, shard);
    size_t place = place_of(in, path);
    host_problem problem = in->hooks->open(in->hooks->context, path, true, &file);
    bool missing = problem == HOST_OPEN && (file.system == ENOENT || file.system == ENOTDIR);
    if (missing || problem == HOST_OUTSIDE) {
        if (place < in->count)
            in->state[place] = FILE_TOLD;
        model_without(index, shard, missing ? MODEL_SHARD_MISSING : MODEL_SHARD_OUTSIDE, tell, &to);
        return;
    }
    judge_opened(in, &file, problem, &view, &verdict);
    if (place == in->count || in->state[place] != FILE_TOLD)
        in->hooks->verdict(in->hooks->context, path, &verdict);
    if (place < in->count)
        in->state[place] = FILE_TOLD;
    if (is_valid(&verdict))
        model_shard(index, shard, &view, tell, &to);
    else
        model_without(index, shard, MODEL_OK, tell, &to);
}

/* All shards, while those behind may be on their way. */
static void judge_shards(folder *in, model_index *index)
{
    const uint32_t *order = index->memory.order;
    for (uint32_t i = 0, told = 0; i < index->shards && !stopped(in); i++) {
        for (; told < index->shards && told - i < in->hooks->ahead; told++)
            in->hooks->want(in->hooks->context, shard_path(in, in->one, index, order[told]));
        judge_shard(in, index, order[i]);
    }
}

static void judge_index(folder *in, const char *path)
{
    loaded of;
    in->index = path;
    if (read_index(in, path, &of)) {
        teller to = {in, &of.index};
        size_t length = strlen(in->name);
        in->first = in->first == NULL ? path : in->first;
        judge_shards(in, &of.index);
        if (!stopped(in))
            model_end(&of.index, tell, &to);
        for (size_t i = 0; i < in->count; i++) {
            const char *name = in->path[i] + length;
            if (in->state[i] == FILE_LEFT && model_file(&of.index, name, strlen(name)) == MODEL_SHARD_EXTRA)
                in->state[i] = FILE_EXTRA;
        }
    }
    release(&of);
}

/* ---- The files beside --------------------------------------------------------------------------------- */

static void judge_beside(folder *in, size_t place)
{
    host_verdict verdict;
    assay_view view;
    host_file file = {.fd = -1, .size = ASSAY_NONE};
    const char *path = in->path[place];
    host_problem problem = in->hooks->open(in->hooks->context, path, false, &file);
    judge_opened(in, &file, problem, &view, &verdict);
    in->hooks->verdict(in->hooks->context, path, &verdict);
    if (in->first == NULL)
        return;
    finding what = finding_about(path);
    what.index = in->first;
    what.rule = rule_by_code(in->state[place] == FILE_EXTRA ? MODEL_SHARD_EXTRA : MODEL_FILE_BESIDE);
    in->hooks->finding(in->hooks->context, &what);
}

void folder_judge(host_memory *memory, const folder_hooks *hooks, const char *name, char *const *path, size_t count)
{
    size_t room = strlen(name) + MODEL_PATH_MAX + 1;
    folder in = {memory, hooks, name, path, count, calloc(count, 1), NULL, NULL, malloc(room), malloc(room)};
    if (in.state == NULL || in.one == NULL || in.two == NULL) {
        finding what = finding_about(name);
        what.problem = HOST_MEMORY;
        hooks->finding(hooks->context, &what);
        count = 0;
    }
    for (size_t i = 0; i < count && !stopped(&in); i++) {
        if (host_is_index(path[i])) {
            in.state[i] = FILE_TOLD;
            judge_index(&in, path[i]);
        }
    }
    for (size_t i = 0; i < count && !stopped(&in); i++)
        if (in.state[i] != FILE_TOLD)
            judge_beside(&in, i);
    free(in.state);
    free(in.one);
    free(in.two);
}
