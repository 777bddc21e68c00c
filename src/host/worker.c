/* worker.c: a process that judges: how it starts, what it does, how it ends. */
#include "posix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "pool_parts.h"
#include "sandbox.h"
#include "wire.h"

/* All but the socket, which is 0, and standard error. SANDBOX_WORKER_STREAM is free then. */
static void close_others(void)
{
    close(1);
#if defined(SYS_close_range)
    if (syscall(SYS_close_range, 3u, ~0u, 0u) == 0)
        return;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    for (int fd = 3; fd < (most > 0 && most < 65536 ? most : 65536); fd++)
        close(fd);
}

/* The parent alone hears the user, and decides, even if a signal is sent to the whole group; when it is gone there is
 * nobody to work for. */
static void obey_parent(void)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    signal(SIGPIPE, SIG_DFL);
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

void pool_mark_end(FILE *answer, pool_mark mark)
{
    putc('\0', answer);
    putc((int)mark, answer);
}

static bool put_question(FILE *answer, char how, const char *path)
{
    pool_mark_end(answer, POOL_ASK);
    putc(how, answer);
    fputs(path, answer);
    putc('\0', answer);
    return fflush(answer) == 0;
}

void pool_want(FILE *answer, const char *path)
{
    put_question(answer, 'w', path);
}

host_problem pool_ask(FILE *answer, const char *path, bool shard, host_file *file)
{
    static char *none;
    static size_t room;
    wire_message message;
    *file = (host_file){.fd = -1, .size = ASSAY_NONE};
    if (!put_question(answer, shard ? 's' : 'f', path) || wire_receive(0, &message, 1, &none, &room) == 0)
        _exit(0); /* there is nobody to tell */
    *file = message.file;
    return message.problem;
}

/* What the user's programs tell each other there, tokens and keys, is nothing for a process that judges. */
static void forget_environment(void)
{
    for (char **each = environ; each != NULL && *each != NULL; each++)
        memset(*each, 0, strlen(*each));
    environ = NULL;
}

static void serve(const pool_options *options, int socket)
{
    obey_parent();
    if (dup2(socket, 0) != 0)
        return;
    close_others();
    unsigned layers;
    if (options->sandbox)
        sandbox_prepare(SANDBOX_SERVER);
    if (options->sandbox && sandbox_enter(SANDBOX_SERVER, &layers) != 0)
        return;
    options->serve(0, options->connections, options->scope);
}

/* One of the files that came. What is said of it is out of our hands before the next one is looked at: whatever that
 * does to this process, it changes nothing of it. False: nobody hears it. */
static bool judge(const pool_options *options, const pool_job *like, const wire_message *message, FILE *answer)
{
    pool_job job = *like;
    size_t path = strlen(message->text) + 1;
    job.path = message->text;
    job.file = message->file;
    job.list = message->folder ? message->text + path : NULL;
    job.list_size = message->size - path;
    job.afar = message->afar;
    job.ahead = message->ahead;
    options->work(options->state, &job, answer);
    pool_mark_end(answer, POOL_DONE);
    return fflush(answer) == 0;
}

static void work(const pool_options *options, int socket)
{
    static char buffer[16384];
    obey_parent();
    forget_environment();
    FILE *answer = dup2(socket, 0) == 0 ? fdopen(0, "w") : NULL;
    if (answer == NULL)
        return;
    close_others();
    setvbuf(answer, buffer, _IOFBF, sizeof buffer);
    pool_job job = {.problem = HOST_FINE};
    if (options->prepare != NULL)
        options->prepare(options->state);
    if (options->sandbox)
        job.system = sandbox_enter(SANDBOX_WORKER, &job.sandbox);
    job.problem = job.system == 0 ? HOST_FINE : HOST_SANDBOX;
    static wire_message message[WIRE_MOST];
    char *text = NULL;
    size_t room = 0, count;
    bool heard = true;
    while (heard && (count = wire_receive(0, message, WIRE_MOST, &text, &room)) > 0)
        for (size_t i = 0; heard && i < count; i++)
            heard = judge(options, &job, &message[i], answer);
}

static int start(pool_worker *worker, const pool_options *options, void (*run)(const pool_options *, int))
{
    int end[2];
    struct timespec now;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end) != 0)
        return errno;
    clock_gettime(CLOCK_MONOTONIC, &now);
    pid_t pid = fork();
    if (pid == 0) {
        run(options, end[1]);
        _exit(0);
    }
    int error = errno;
    close(end[1]);
    if (pid < 0) {
        close(end[0]);
        return error;
    }
    *worker = (pool_worker){.pid = pid, .socket = end[0], .born = now.tv_sec};
    return 0;
}

/* Does it end within a second or two? It has been told to, or has closed its end. */
static bool ends_soon(pid_t pid)
{
    struct timespec pause = {.tv_nsec = 50000};
    siginfo_t info;
    for (int turn = 0; turn < 15; turn++) {
        info.si_pid = 0;
        if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid)
            return true;
        nanosleep(&pause, NULL);
        pause.tv_nsec *= 2;
    }
    return false;
}

int worker_start(pool_worker *worker, const pool_options *options)
{
    return start(worker, options, work);
}

int worker_start_server(pool_worker *worker, const pool_options *options)
{
    return start(worker, options, serve);
}

int worker_end(pool_worker *worker, bool kill_it)
{
    int status = 0;
    pid_t got;
    shutdown(worker->socket, SHUT_RDWR); /* it hears that even if the descriptor stays open */
    close(worker->socket);
    worker->socket = -1;
    kill_it = kill_it || !ends_soon(worker->pid);
    if (kill_it)
        kill(worker->pid, SIGKILL);
    do
        got = waitpid(worker->pid, &status, 0);
    while (got < 0 && errno == EINTR);
    return !kill_it && got == worker->pid && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}
