/* command_check.c: assay check. Workers judge the files (pool.h); their records come back in the order of the files. */
#include "posix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sched.h>
#endif
#include <unistd.h>

#include "cli.h"
#include "environment.h"
#include "escaped_text.h"
#include "fetch_limits.h"
#include "inputs.h"
#include "memory_stream.h"
#include "output_file.h"
#include "policy.h"
#include "program_rules.h"
#include "proxy.h"
#include "remote_files.h"
#include "report.h"
#include "sandbox.h"
#include "summary.h"
#include "worker_task.h"

/* Notifications of SARIF, which are written after the results. */
typedef struct {
    char *bytes;
    size_t size, room;
    size_t begin; /* of the last one */
    bool dropped; /* there is no room for the last one */
} notice_list;

#define NOTICES_MOST ((size_t)1 << 20) /* bytes */

typedef struct {
    const command_line *line;
    pool *workers;
    summary summary;     /* of all records so far */
    bool any;            /* something was reported */
    bool inside;         /* a record is half written */
    bool lost;           /* and will never be complete */
    bool notice;         /* what a worker sends is a notification of SARIF */
    bool aside;          /* what a worker sends is no answer of meta */
    bool uncounted;      /* the next rule occurs, but is not counted */
    sarif_log log;
    notice_list notices;
    host_fetch cost;     /* of all files on servers */
    worker_state state;
} checker;

/* Return where records go. With -q there are only errors. */
static FILE *output(const checker *check)
{
    return check->line->quiet || check->aside ? stderr : stdout;
}

/* Write what is before a record. */
static void begin_record(checker *check)
{
    progress_hide();
    if (!check->line->quiet && check->line->format == FORMAT_JSON)
        fputs(check->any ? ",\n" : "[\n", stdout);
    if (!check->line->quiet && check->line->format == FORMAT_SARIF && check->any)
        putc(',', stdout);
    check->any = check->inside = true;
}

/* Begin a notification. Its text follows. */
static void begin_notice(checker *check)
{
    notice_list *to = &check->notices;
    check->notice = true;
    to->begin = to->size;
    to->dropped = false;
}

/* Keep a part of a notification, up to NOTICES_MOST bytes of all of them. */
static void add_notice(checker *check, const char *bytes, size_t count)
{
    notice_list *to = &check->notices;
    size_t comma = to->size == to->begin && to->begin > 0;
    if (to->dropped)
        return;
    if (to->size + comma + count > to->room) {
        size_t room = 2 * (to->size + comma + count);
        char *grown = room > 2 * NOTICES_MOST ? NULL : realloc(to->bytes, room);
        if (grown == NULL) {
            to->size = to->begin;
            to->dropped = true;
            check->log.left++;
            return;
        }
        to->bytes = grown;
        to->room = room;
    }
    if (comma != 0)
        to->bytes[to->size++] = ',';
    memcpy(to->bytes + to->size, bytes, count);
    to->size += count;
}

static void write_text(void *context, const char *bytes, size_t count)
{
    checker *check = context;
    if (check->notice) {
        add_notice(check, bytes, count);
        return;
    }
    if (!check->inside)
        begin_record(check);
    fwrite(bytes, 1, count, output(check));
    if (output_failed())
        interrupted = STOPPED;
}

/* Count a rule. Code 0: the next one is not counted. In SARIF, what follows the code of a reason not to judge is a
 * notification. */
static void count_rule(checker *check, pool_mark mark)
{
    uint32_t code = (uint32_t)mark & 127u;
    bool sarif = check->line->format == FORMAT_SARIF && !check->line->quiet;
    if (!check->uncounted && code != 0)
        summary_rule(&check->summary, code);
    check->uncounted = code == 0;
    check->log.occurs[code] = true;
    check->aside = (check->line->command->takes & TAKES_RAW) != 0;
    if (sarif && code != 0 && (code < ASSAY_E_FIRST || code == RULE_NOT_JUDGED))
        begin_notice(check);
}

static void end_record(void *context, pool_mark mark)
{
    checker *check = context;
    check->notice = false;
    if (((unsigned)mark & POOL_RULE) != 0) {
        count_rule(check, mark);
        return;
    }
    if (check->inside && !check->line->quiet && check->line->format == FORMAT_JSONL)
        putc('\n', stdout);
    check->inside = check->aside = false;
    summary_record(&check->summary, mark);
    progress_count();
    if (output_failed())
        interrupted = STOPPED;
}

/* Write or keep a record about what no worker has judged. */
static void report_problem(checker *check, const char *path, const host_verdict *verdict)
{
    static const more_findings none;
    if (output(check) == stderr) {
        begin_record(check);
        report_text(stderr, path, verdict);
    } else if (check->line->format != FORMAT_SARIF) {
        begin_record(check);
        report_format_of(check->line)->file(stdout, check->line, path, verdict, &none);
    } else {
        memory_text text = {.bytes = NULL};
        FILE *memory = memory_stream_open(&text);
        bool fine = memory != NULL;
        if (fine) {
            sarif_format.verdict(memory, path, verdict);
            fclose(memory);
            fine = !text.failed;
        }
        if (fine)
            add_notice(check, text.bytes, text.size);
        else
            check->log.left++;
        free(text.bytes);
    }
}

static void write_problem(void *context, const char *path, host_problem problem, int system)
{
    checker *check = context;
    host_verdict verdict = {.problem = problem, .system = system, .file_size = ASSAY_NONE};
    if (check->notice) /* half a notification */
        check->notices.size = check->notices.begin;
    if (check->inside) { /* nothing may follow half a record */
        fflush(stdout);
        report_text(stderr, path, &verdict);
        check->lost = true;
        interrupted = STOPPED;
        return;
    }
    end_record(check, (pool_mark)(POOL_RULE | RULE_NOT_JUDGED));
    report_problem(check, path, &verdict);
    end_record(check, POOL_ERROR);
}

static void tick(void *context)
{
    (void)context;
    progress_tick();
}

/* Return how many processes may run at the same time. */
static unsigned processors(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (unsigned)CPU_COUNT(&set);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (unsigned)count;
}

/* Does the command line name files on servers? Waiting for them needs no processor. */
static bool names_remote(const command_line *line)
{
    for (int i = 0; i < line->operands; i++)
        if (remote_kind_of(line->operand[i]) != REMOTE_NONE)
            return true;
    return false;
}

/* Before anything is fetched, report what --public-only cannot check. */
static void report_proxy(const command_line *line)
{
    if (line->public_only && proxy_is_set())
        fputs("assay: --public-only: the environment names a proxy, which resolves names itself: only names of local "
              "networks can be refused\n", stderr);
}

static bool begin(checker *check)
{
    const command_line *line = check->line;
    pool_options options = {
        .workers = processors(),
        .sandbox = !line->no_sandbox,
        .prepare = work_prepare,
        .work = work_judge,
        .state = &check->state,
        .text = write_text,
        .end = end_record,
        .problem = write_problem,
        .tick = tick,
        .context = check,
        .serve = remote_serve,
        .connections = REMOTE_CONNECTIONS,
        .scope = line->public_only     ? REMOTE_SCOPE_PUBLIC
                 : line->allow_private ? REMOTE_SCOPE_ANY
                                       : REMOTE_SCOPE_NAMED,
        .model_bytes_most = REMOTE_MODEL_BYTES_MOST,
        .model_seconds_most = REMOTE_MODEL_SECONDS_MOST,
        .cost = &check->cost,
        .stop = &interrupted,
        .color = line->color,
    };
    if (names_remote(line) && options.workers < REMOTE_CONNECTIONS)
        options.workers = REMOTE_CONNECTIONS;
    if (line->jobs > 0) {
        options.workers = line->jobs;
        options.connections = options.workers < REMOTE_CONNECTIONS_MOST ? options.workers : REMOTE_CONNECTIONS_MOST;
    }
    if (!line->no_sandbox)
        sandbox_prepare(SANDBOX_WORKER);
    check->workers = pool_begin(&options);
    if (check->workers == NULL)
        fprintf(stderr, "assay: can't begin: %s\n", strerror(ENOMEM));
    return check->workers != NULL;
}

static bool wait_for_one(void *context)
{
    return pool_wait(((checker *)context)->workers);
}

/* Would the output overwrite this input? Then report it, and stop. */
static bool is_output(checker *check, const input *file)
{
    if (file->problem != HOST_FINE || file->folder || file->remote || !output_replaces(&file->file.stamp))
        return false;
    fputs("assay: the output would overwrite an input: ", stderr);
    text_path(stderr, TEXT_QUOTED, file->path);
    putc('\n', stderr);
    close(file->file.fd);
    check->lost = true;
    interrupted = STOPPED;
    return true;
}

static void judge_all(checker *check, inputs *from)
{
    input next;
    bool more = true;
    while (more && interrupted == 0 && inputs_next(from, &next, wait_for_one, check)) {
        if (is_output(check, &next))
            break;
        if (next.problem == HOST_FINE && next.remote)
            more = pool_remote(check->workers, next.path, next.names, next.count, next.query);
        else if (next.problem == HOST_FINE && next.folder)
            more = pool_folder(check->workers, next.path, next.file.fd, next.names, next.count);
        else if (next.problem == HOST_FINE)
            more = pool_file(check->workers, next.path, &next.file);
        else
            more = pool_problem(check->workers, next.path, next.problem, next.system);
    }
    pool_end(check->workers);
}

/* Write what is before the first record. */
static void begin_format(const checker *check)
{
    if (!check->line->quiet && check->line->format == FORMAT_SARIF)
        sarif_begin(stdout);
    if (!check->line->quiet && check->line->format == FORMAT_JUNIT)
        junit_begin(stdout);
    if (output_failed())
        interrupted = STOPPED;
}

/* Write what is after the last record. */
static void end_format(checker *check, int status)
{
    if (check->any && check->line->format == FORMAT_JSON)
        fputs("\n]\n", stdout);
    if (check->line->format == FORMAT_JUNIT)
        junit_end(stdout);
    if (check->line->format == FORMAT_SARIF) {
        check->log.whole = interrupted == 0 && check->log.left == 0 && check->notices.size == 0 &&
                          check->summary.records[SUMMARY_ERROR] == 0;
        check->log.status = status;
        check->log.notices = check->notices.bytes;
        check->log.notices_size = check->notices.size;
        sarif_end(stdout, &check->log);
    }
}

/* Are verdicts colored? NO_COLOR is respected as https://no-color.org defines it. */
static bool paints(const command_line *line)
{
    const char *when = line->color_when == NULL ? "auto" : line->color_when;
    const char *terminal = getenv("TERM");
    if (strcmp(when, "auto") != 0)
        return strcmp(when, "always") == 0 && line->format == FORMAT_TEXT;
    return line->format == FORMAT_TEXT && isatty(1) && environment_get("NO_COLOR") == NULL && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

int command_check(const command_line *given)
{
    static policy rules;
    command_line known = *given, *line = &known;
    checker check = {.line = line, .state = {.line = line, .memory = HOST_MEMORY_NONE}};
    inputs from;
    known.color = paints(given);
    known.policy = given->policy_file == NULL ? NULL : &rules;
    bool reads = known.policy == NULL || policy_read(&rules, given->policy_file);
    if (!reads || !inputs_begin(&from, line))
        return EXIT_ERROR;
    interrupt_catch(false);
    report_sandbox();
    report_proxy(line);
    if (!begin(&check)) {
        inputs_end(&from);
        return EXIT_ERROR;
    }
    begin_format(&check);
    progress_begin(line);
    judge_all(&check, &from);
    progress_end();
    inputs_end(&from);
    int status = check.lost || interrupted == SIGQUIT ? EXIT_ERROR : summary_status(&check.summary);
    if (!check.lost && !line->quiet && !ferror(stdout))
        end_format(&check, status);
    free(check.notices.bytes);
    if (line->summary && (line->command->takes & TAKES_FILES) != 0 && !check.lost)
        summary_print(&check.summary, &check.cost, line);
    return status;
}
