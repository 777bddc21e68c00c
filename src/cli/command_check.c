/* command_check.c: assay check. The files go to workers (pool.h); what they say comes back in the order of the
 * files. */
#include "posix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sched.h>
#endif
#include <unistd.h>

#include "fetch_limits.h"
#include "cli.h"
#include "inputs.h"
#include "output_file.h"
#include "policy.h"
#include "program_rules.h"
#include "proxy.h"
#include "remote_files.h"
#include "report.h"
#include "sandbox.h"
#include "summary.h"
#include "escaped_text.h"
#include "worker_task.h"

typedef struct {
    const command_line *line;
    pool *workers;
    summary summary;     /* of all so far */
    bool any;            /* something was reported */
    bool inside;         /* a record is half written */
    bool lost;           /* and will never be whole */
    host_fetch cost;     /* of what came from servers */
    worker_state state;
} checker;

/* Where records go: with -q there are only those that are errors. */
static FILE *output(const checker *check)
{
    return check->line->quiet ? stderr : stdout;
}

/* What stands before a record. */
static void begin_record(checker *check)
{
    progress_hide();
    if (!check->line->quiet && check->line->format == FORMAT_JSON)
        fputs(check->any ? ",\n" : "[\n", stdout);
    if (!check->line->quiet && check->line->format == FORMAT_SARIF && check->any)
        fputs(",\n", stdout);
    check->any = check->inside = true;
}

static void write_text(void *context, const char *bytes, size_t count)
{
    checker *check = context;
    if (!check->inside)
        begin_record(check);
    fwrite(bytes, 1, count, output(check));
    if (output_failed())
        interrupted = STOPPED;
}

static void end_record(void *context, pool_mark verdict)
{
    checker *check = context;
    if (summary_rule(&check->summary, verdict))
        return;
    if (check->inside && !check->line->quiet && check->line->format == FORMAT_JSONL)
        putc('\n', stdout);
    check->inside = false;
    summary_record(&check->summary, verdict);
    progress_count();
    if (output_failed())
        interrupted = STOPPED;
}

/* What no worker says. */
static void write_problem(void *context, const char *path, host_problem problem, int system)
{
    checker *check = context;
    static const further none;
    host_verdict verdict = {.problem = problem, .system = system, .file_size = ASSAY_NONE};
    if (check->inside) { /* behind half a record nothing else can stand */
        fflush(stdout);
        report_text(stderr, path, &verdict);
        check->lost = true;
        interrupted = STOPPED;
        return;
    }
    begin_record(check);
    summary_rule(&check->summary, POOL_RULE | RULE_NOT_JUDGED);
    if (check->line->quiet)
        report_text(stderr, path, &verdict);
    else
        report_record(stdout, check->line, path, &verdict, &none);
    end_record(check, POOL_ERROR);
}

static void tick(void *context)
{
    (void)context;
    progress_tick();
}

/* As many as may run at once. */
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

/* Does the user name files on servers? Waiting for them takes no processor. */
static bool names_afar(const command_line *line)
{
    for (int i = 0; i < line->operands; i++)
        if (remote_kind_of(line->operand[i]) != REMOTE_NONE)
            return true;
    return false;
}

/* What --public-only can't keep is reported before anything is fetched. */
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
        .colour = line->colour,
    };
    if (names_afar(line) && options.workers < REMOTE_CONNECTIONS)
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

/* The output would take the place of a file that is judged: that can't be meant. */
static bool is_output(checker *check, const input *file)
{
    if (file->problem != HOST_FINE || file->folder || file->afar || !output_replaces(&file->file.stamp))
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
        if (next.problem == HOST_FINE && next.afar)
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

/* What stands before the first record, or behind the last. */
static void begin_format(const checker *check)
{
    if (!check->line->quiet && check->line->format == FORMAT_SARIF)
        sarif_begin(stdout);
    if (output_failed())
        interrupted = STOPPED;
}

static void end_format(const checker *check, int status)
{
    if (check->any && check->line->format == FORMAT_JSON)
        fputs("\n]\n", stdout);
    if (check->line->format == FORMAT_SARIF)
        sarif_end(stdout, interrupted == 0 && check->summary.records[SUMMARY_ERROR] == 0, status);
}

/* Are words painted? By NO_COLOR as https://no-color.org says it. */
static bool paints(const command_line *line)
{
    const char *when = line->colour_when == NULL ? "auto" : line->colour_when;
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (strcmp(when, "auto") != 0)
        return strcmp(when, "always") == 0 && line->format == FORMAT_TEXT;
    return line->format == FORMAT_TEXT && isatty(1) && (no == NULL || no[0] == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

int command_check(const command_line *given)
{
    static policy rules;
    command_line known = *given, *line = &known;
    checker check = {.line = line, .state = {line, HOST_MEMORY_NONE}};
    inputs from;
    known.colour = paints(given);
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
    if (line->summary && !check.lost)
        summary_print(&check.summary, &check.cost, line);
    return status;
}
