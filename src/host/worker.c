/* worker.c: child processes: those that judge files, and the one that fetches remote files: their start, their work and
 * their end. */
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

#include "pool_state.h"
#include "sandbox.h"
#include "socket_message.h"

#ifndef SOCK_CLOEXEC
#define SOCK_CLOEXEC 0 /* macOS has none; assay starts no other program */
#endif

extern char **environ; /* some systems declare it nowhere */

/* Close all descriptors but the socket, which is 0, and standard error. SANDBOX_WORKER_STREAM is free then. */
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

/* Leave the user's signals to the parent, even if they are sent to the whole group, and end when the parent ends. */
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

/* Write a request. Return false if the parent is gone. */
static bool put_request(FILE *answer, char kind, const char *path)
{
    pool_mark_end(answer, POOL_REQUEST);
    putc(kind, answer);
    fputs(path, answer);
    putc('\0', answer);
    return fflush(answer) == 0;
}

void pool_prefetch(FILE *answer, const char *path)
{
    put_request(answer, POOL_REQUEST_PREFETCH, path);
}

host_problem pool_request(FILE *answer, const char *path, bool shard, host_file *file)
{
    static char *none;
    static size_t room;
    socket_message message;
    *file = (host_file){.fd = -1, .size = ASSAY_NONE};
    if (!put_request(answer, shard ? POOL_REQUEST_SHARD : POOL_REQUEST_FILE, path) ||
        socket_receive(0, &message, 1, &none, &room) == 0)
        _exit(0); /* the parent is gone */
    *file = message.file;
    return message.problem;
}

/* Overwrite the environment, which may hold tokens and keys. */
static void forget_environment(void)
{
    for (char **each = environ; each != NULL && *each != NULL; each++)
        memset(*each, 0, strlen(*each));
    environ = NULL;
}

/* Be the process that fetches: enter its sandbox, and serve until the socket is closed. */
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

/* Judge one input. Its records are sent before the next input is read, so whatever that does to this process cannot
 * change them. Return false if the parent is gone. */
static bool judge(const pool_options *options, const pool_job *like, const socket_message *message, FILE *answer)
{
    pool_job job = *like;
    size_t path = strlen(message->text) + 1;
    job.path = message->text;
    job.file = message->file;
    job.list = message->folder ? message->text + path : NULL;
    job.list_size = message->size - path;
    job.remote = message->remote;
    job.ahead = message->ahead;
    options->work(options->state, &job, answer);
    pool_mark_end(answer, POOL_DONE);
    return fflush(answer) == 0;
}

/* Be a worker: enter the sandbox, and judge inputs until the socket is closed. */
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
    static socket_message message[SOCKET_MESSAGES_MOST];
    char *text = NULL;
    size_t room = 0, count;
    bool sent = true;
    while (sent && (count = socket_receive(0, message, SOCKET_MESSAGES_MOST, &text, &room)) > 0)
        for (size_t i = 0; sent && i < count; i++)
            sent = judge(options, &job, &message[i], answer);
}

/* Start a process that runs `run` on its end of a socket. Return errno, or 0. */
static int start(pool_worker *worker, const pool_options *options, void (*run)(const pool_options *, int))
{
    int end[2];
    struct timespec now;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end) != 0)
        return errno;
#if defined(SO_NOSIGPIPE) /* where a call has no MSG_NOSIGNAL: a worker that has died must not end this process */
    setsockopt(end[0], SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
#endif
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

/* Wait up to two seconds for a process to end. Return whether it has. */
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

int worker_start_fetcher(pool_worker *worker, const pool_options *options)
{
    return start(worker, options, serve);
}

int worker_end(pool_worker *worker, bool kill_it)
{
    int status = 0;
    pid_t got;
    shutdown(worker->socket, SHUT_RDWR); /* it sees that even if the descriptor stays open */
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
