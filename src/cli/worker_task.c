/* worker_task.c: see worker_task.h. */
#include "posix.h"

#include "worker_task.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model_folder.h"
#include "notes.h"
#include "path_records.h"
#include "policy.h"
#include "program_rules.h"
#include "remote_files.h"

#define KEPT_MOST ((size_t)16 << 20) /* bytes of memory that are kept from one file to the next */

/* A job that is being done. */
typedef struct {
    worker_state *state;
    const pool_job *job;
    FILE *answer;
    host_file *held; /* an index that is open already, or NULL */
    path_records records; /* of a folder */
} doing;

static bool is_modelspec(const command_line *line)
{
    return (line->command->takes & TAKES_VERIFY) != 0;
}

/* Is it ls or meta? They list valid files. */
static bool lists(const command_line *line)
{
    return (line->command->takes & (TAKES_LIST | TAKES_RAW)) != 0;
}

void work_prepare(void *context)
{
    worker_state *state = context;
    interrupt_release();
    host_seed_tables(&state->memory);
    state->memory.reads_ends = !is_modelspec(state->line) && !lists(state->line);
    state->modelspec.verify = state->line->verify;
    if (state->line->verify) {
        state->memory.also = modelspec_hash;
        state->memory.also_context = &state->modelspec.hashes;
    }
}

/* Find notes and more findings, as far as they are reported, and judge by the policy. */
static void judge_more(const doing *at, host_verdict *verdict, note_list *notes, more_findings *more)
{
    const command_line *line = at->state->line;
    const host_memory *memory = &at->state->memory;
    bool all = memory->seeded && !line->quiet && (line->format != FORMAT_TEXT || line->all);
    more_findings_find(more, all ? verdict : NULL, memory->seed);
    if (is_modelspec(line)) {
        modelspec_judge(&at->state->modelspec, verdict);
    } else if (is_valid(verdict) && (!line->quiet || line->policy != NULL)) {
        notes_find(notes, verdict);
        verdict->notes = notes;
    }
    if (line->policy != NULL)
        policy_judge(line->policy, verdict, more);
}

/* Report a file that belongs to no folder. */
static void report_file(const doing *at, const char *path, const host_verdict *what)
{
    host_verdict verdict = *what;
    note_list notes;
    more_findings more;
    if (lists(at->state->line)) {
        model_list_verdict(&at->state->list, path, NULL, what);
        return;
    }
    verdict.contained = true;
    verdict.sandbox = at->job->sandbox;
    judge_more(at, &verdict, &notes, &more);
    record_file(at->answer, at->state->line, path, &verdict, &more);
    at->state->modelspec.hashes.done = false; /* they are those of this file */
}

/* ---- What the judge of a folder requests and reports ----------------------------------------------------- */

static void take_verdict(void *context, const char *path, const char *index, const host_verdict *what)
{
    doing *at = context;
    host_verdict verdict = *what;
    note_list notes;
    more_findings more;
    if (lists(at->state->line)) {
        model_list_verdict(&at->state->list, path, index, what);
        return;
    }
    verdict.contained = true;
    verdict.sandbox = at->job->sandbox;
    judge_more(at, &verdict, &notes, &more);
    if (!records_known(&at->records, path, index, verdict_rank_of(what)))
        records_verdict(&at->records, path, index, &verdict, &more);
    at->state->modelspec.hashes.done = false; /* they are those of this file */
}

static void take_finding(void *context, const finding *what)
{
    doing *at = context;
    const policy *by = at->state->line->policy;
    finding found = *what;
    if (lists(at->state->line)) {
        model_list_finding(&at->state->list, what);
        return;
    }
    found.refused = what->problem == HOST_FINE && by != NULL && by->fails[finding_code(what)];
    records_finding(&at->records, &found);
}

static void complete(void *context)
{
    doing *at = context;
    if (lists(at->state->line))
        model_list_end(&at->state->list);
    records_write(&at->records, at->job->path);
}

static host_problem open_requested(void *context, const char *path, bool shard, host_file *file)
{
    doing *at = context;
    if (at->held != NULL) {
        *file = *at->held;
        at->held = NULL;
        return HOST_FINE;
    }
    host_problem problem = pool_request(at->answer, path, shard, file);
    if (!shard || problem != HOST_REMOTE || file->fetch.problem != REMOTE_MISSING)
        return problem;
    file->system = ENOENT;
    return HOST_OPEN;
}

static void prefetch(void *context, const char *path)
{
    pool_prefetch(((const doing *)context)->answer, path);
}

static bool stopped(void *context)
{
    return ferror(((const doing *)context)->answer);
}

static void report_problem(doing *at, const char *path, host_problem problem, int system)
{
    report_file(at, path, &(host_verdict){.problem = problem, .system = system, .file_size = ASSAY_NONE});
}

/* Return the paths of a folder: its name before each name in it. Pointers and texts are one block of memory. */
static char **paths_of(const pool_job *job, size_t *count)
{
    size_t length = strlen(job->path), found = 0;
    for (size_t at = 0; at < job->list_size; at++)
        found += job->list[at] == '\0';
    char **path = malloc(found * (sizeof *path + length) + job->list_size + 1);
    char *to = path == NULL ? NULL : (char *)(path + found);
    const char *name = job->list;
    for (size_t i = 0; i < found && path != NULL; i++) {
        path[i] = to;
        memcpy(to, job->path, length);
        strcpy(to + length, name);
        to += length + strlen(name) + 1;
        name += strlen(name) + 1;
    }
    *count = found;
    return path;
}

static bool is_of_hub(const doing *at)
{
    return strncasecmp(at->job->path, "hf://", strlen("hf://")) == 0;
}

static folder_hooks hooks_of(doing *at)
{
    return (folder_hooks){.context = at,
                          .open = open_requested,
                          .prefetch = prefetch,
                          .ahead = at->job->remote ? at->job->ahead : 0,
                          .escaped = at->job->remote && !is_of_hub(at),
                          .verdict = take_verdict,
                          .finding = take_finding,
                          .complete = complete,
                          .stopped = stopped};
}

/* Judge a folder, or those of its files that are named. */
static void judge_paths(doing *at, char *const *path, size_t count)
{
    folder_hooks hooks = hooks_of(at);
    host_memory *memory = &at->state->memory;
    if (!memory->seeded) {
        report_problem(at, at->job->path, HOST_RANDOM, 0);
    } else if (path != NULL && records_begin(&at->records, at->answer, at->state->line, memory->seed)) {
        folder_judge(memory, &hooks, at->job->path, path, count);
        complete(at);
        records_end(&at->records);
    } else {
        report_problem(at, at->job->path, HOST_MEMORY, 0);
    }
}

static void judge_folder(doing *at)
{
    size_t count;
    char **path = paths_of(at->job, &count);
    judge_paths(at, path, count);
    free(path);
}

static void judge_file(doing *at, const char *path, host_problem problem, host_file *file)
{
    host_verdict verdict = {.problem = problem, .system = file->system, .file_size = ASSAY_NONE, .fetch = file->fetch};
    assay_view view;
    if (problem == HOST_FINE)
        host_judge(&at->state->memory, file, &view, &verdict);
    report_file(at, path, &verdict);
}

/* Judge a repository of the Hub: the model of its index, or the one file. */
static void judge_repository(doing *at)
{
    host_file index, file;
    size_t count;
    char **path = paths_of(at->job, &count);
    host_problem problem = path == NULL ? HOST_MEMORY : pool_request(at->answer, path[0], false, &index);
    if (path == NULL) {
        report_problem(at, at->job->path, problem, 0);
    } else if (problem == HOST_REMOTE && index.fetch.problem == REMOTE_MISSING) {
        problem = pool_request(at->answer, path[1], false, &file);
        bool none = problem == HOST_REMOTE && file.fetch.problem == REMOTE_MISSING;
        if (none)
            file.fetch.problem = REMOTE_NO_MODEL;
        judge_file(at, none ? at->job->path : path[1], problem, &file);
    } else if (problem != HOST_FINE) {
        judge_file(at, path[0], problem, &index);
    } else {
        at->held = &index;
        judge_paths(at, path, 1);
    }
    free(path);
}

/* Is the job a repository of the Hub? Its names are an index and a file. */
static bool is_repository(const pool_job *job)
{
    return job->remote && job->list != NULL && memchr(job->list, '\0', job->list_size - 1) != NULL;
}

/* Is there an index of the same model beside a file of the Hub? One with a variant is not requested. Only if the Hub
 * answers that there is none, there is none: otherwise it is not known. */
static host_beside find_index(const doing *at)
{
    static const char suffix[] = ".safetensors";
    const char *path = at->job->path;
    size_t length = strlen(path), end = sizeof suffix - 1;
    bool may = is_of_hub(at) && length >= end && strcmp(path + length - end, suffix) == 0;
    char *index = may ? malloc(length + 16) : NULL;
    host_file file = {.fd = -1};
    if (index == NULL)
        return may ? HOST_BESIDE_UNKNOWN : HOST_NONE_BESIDE;
    sprintf(index, "%s" HOST_INDEX_SUFFIX, path);
    host_problem problem = pool_request(at->answer, index, false, &file);
    bool none = problem == HOST_REMOTE && file.fetch.problem == REMOTE_MISSING;
    if (problem == HOST_FINE)
        host_close(&file);
    free(index);
    return problem == HOST_FINE ? HOST_INDEX_BESIDE : none ? HOST_NONE_BESIDE : HOST_BESIDE_UNKNOWN;
}

void work_judge(void *context, pool_job *job, FILE *answer)
{
    doing at = {.state = context, .job = job, .answer = answer};
    host_problem problem = job->problem;
    model_list_begin(&at.state->list, at.state->line, answer, at.state->memory.seed);
    at.state->list.bare = job->remote && job->list == NULL;
    if (problem != HOST_FINE) {
        report_problem(&at, job->path, problem, job->system);
    } else if (is_repository(job)) {
        judge_repository(&at);
    } else if (job->list != NULL) {
        judge_folder(&at);
    } else {
        if (job->remote)
            problem = pool_request(answer, job->path, false, &job->file);
        if (job->remote && problem == HOST_FINE)
            job->file.beside = find_index(&at);
        judge_file(&at, job->path, problem, &job->file);
    }
    if (at.state->memory.head_room > KEPT_MOST)
        host_memory_free(&at.state->memory);
}
