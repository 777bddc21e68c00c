/* worker_task.c: see worker_task.h. */
#include "posix.h"

#include "worker_task.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model_folder.h"
#include "notes.h"
#include "policy.h"
#include "program_rules.h"
#include "remote_files.h"
#include "report.h"

#define KEPT_MOST ((size_t)16 << 20) /* of memory, from one file to the next */

/* A job that is being done. */
typedef struct {
    worker_state *state;
    const pool_job *job;
    FILE *answer;
    host_file *held; /* an index that was asked for already, or NULL */
} doing;

void work_prepare(void *context)
{
    worker_state *state = context;
    interrupt_release();
    host_seed_all(&state->memory); /* if there are none, each file is told so */
    state->memory.look = true;
}

/* A record on one file. With -q there are none but errors. */
static void say_verdict(void *context, const char *path, const host_verdict *what)
{
    const doing *at = context;
    host_verdict verdict = *what;
    verdict.contained = true;
    verdict.sandbox = at->job->sandbox;
    const command_line *line = at->state->line;
    bool all = !line->quiet && (line->format != FORMAT_TEXT || line->all);
    further more;
    note_list notes;
    further_find(&more, all ? &verdict : NULL, at->state->memory.seed[0]);
    if (is_valid(&verdict) && (!line->quiet || line->policy != NULL)) {
        notes_find(&notes, &verdict);
        verdict.notes = &notes;
    }
    if (line->policy != NULL)
        policy_judge(line->policy, &verdict, &more);
    bool error = !is_valid(&verdict) && !is_invalid(&verdict) && !is_refused(&verdict);
    if (line->quiet && error)
        report_text(at->answer, path, &verdict);
    else if (!line->quiet)
        report_record(at->answer, line, path, &verdict, &more);
    uint32_t code = verdict.problem != HOST_FINE ? RULE_NOT_JUDGED : verdict.status;
    if (code != ASSAY_OK)
        pool_mark_end(at->answer, (pool_mark)(POOL_RULE | code));
    for (size_t i = 0; verdict.notes != NULL && i < verdict.notes->count; i++)
        if (verdict.notes->one[i].rule->code != code)
            pool_mark_end(at->answer, (pool_mark)(POOL_RULE | verdict.notes->one[i].rule->code));
    pool_mark_end(at->answer, is_valid(&verdict)     ? POOL_VALID
                              : is_invalid(&verdict) ? POOL_INVALID
                              : is_refused(&verdict) ? POOL_REFUSED
                                                     : POOL_ERROR);
}

/* A record on an index, or on what doesn't fit. */
static void say_finding(void *context, const finding *what)
{
    const doing *at = context;
    const command_line *line = at->state->line;
    finding found = *what;
    bool error = what->problem != HOST_FINE;
    uint32_t code = error ? RULE_NOT_JUDGED : what->rule != NULL ? what->rule->code : 0;
    found.refused = !error && line->policy != NULL && line->policy->fails[code];
    if (line->quiet && error)
        finding_text(at->answer, &found, false);
    else if (!line->quiet)
        report_finding(at->answer, line, &found);
    if (code != 0)
        pool_mark_end(at->answer, (pool_mark)(POOL_RULE | code));
    const char *word = finding_word(&found);
    pool_mark_end(at->answer, error                             ? POOL_ERROR
                              : strcmp(word, "valid") == 0   ? POOL_VALID
                              : strcmp(word, "refused") == 0 ? POOL_REFUSED
                              : strcmp(word, "note") == 0    ? POOL_NOTE
                                                             : POOL_INVALID);
}

static host_problem ask(void *context, const char *path, bool shard, host_file *file)
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

static void want(void *context, const char *path)
{
    pool_prefetch(((const doing *)context)->answer, path);
}

static bool stopped(void *context)
{
    return ferror(((const doing *)context)->answer);
}

static void say_problem(doing *at, const char *path, host_problem problem, int system)
{
    say_verdict(at, path, &(host_verdict){.problem = problem, .system = system, .file_size = ASSAY_NONE});
}

/* The paths of a folder: its name before each name in it, in one piece of memory behind the pointers. */
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
                          .open = ask,
                          .want = want,
                          .ahead = at->job->remote ? at->job->ahead : 0,
                          .escaped = at->job->remote && !is_of_hub(at),
                          .verdict = say_verdict,
                          .finding = say_finding,
                          .stopped = stopped};
}

static void judge_folder(doing *at)
{
    folder_hooks hooks = hooks_of(at);
    size_t count;
    char **path = paths_of(at->job, &count);
    if (path == NULL)
        say_problem(at, at->job->path, HOST_MEMORY, 0);
    else
        folder_judge(&at->state->memory, &hooks, at->job->path, path, count);
    free(path);
}

static void judge_file(doing *at, const char *path, host_problem problem, host_file *file)
{
    host_verdict verdict = {.problem = problem, .system = file->system, .file_size = ASSAY_NONE, .fetch = file->fetch};
    assay_view view;
    if (problem == HOST_FINE)
        host_judge(&at->state->memory, file, &view, &verdict);
    say_verdict(at, path, &verdict);
}

/* A repository of the Hub: the model of its index, else the one file. */
static void judge_repository(doing *at)
{
    host_file index, file;
    size_t count;
    char **path = paths_of(at->job, &count);
    host_problem problem = path == NULL ? HOST_MEMORY : pool_request(at->answer, path[0], false, &index);
    if (path == NULL) {
        say_problem(at, at->job->path, problem, 0);
    } else if (problem == HOST_REMOTE && index.fetch.problem == REMOTE_MISSING) {
        problem = pool_request(at->answer, path[1], false, &file);
        bool none = problem == HOST_REMOTE && file.fetch.problem == REMOTE_MISSING;
        if (none)
            file.fetch.problem = REMOTE_NO_MODEL;
        judge_file(at, none ? at->job->path : path[1], problem, &file);
    } else if (problem != HOST_FINE) {
        judge_file(at, path[0], problem, &index);
    } else {
        folder_hooks hooks = hooks_of(at);
        at->held = &index;
        folder_judge(&at->state->memory, &hooks, at->job->path, path, 1);
    }
    free(path);
}

/* A repository's names are an index and a file. */
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
    doing at = {context, job, answer, NULL};
    host_problem problem = job->problem;
    if (problem != HOST_FINE) {
        say_problem(&at, job->path, problem, job->system);
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
