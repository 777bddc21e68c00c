/* signals.c: how signals end the program. After the first, it finishes the record that it is writing. A second one ends
 * it at once, if it comes at least half a second later: until then it may be the same one, sent to the process and to
 * its group. Whatever ends the program, the unfinished file of --output is removed. */
#include "posix.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "new_file.h"
#include "output_file.h"

#define MOMENT 100 /* ms between two checks for a signal */
#define AGAIN 500  /* ms after which a signal is a second one */

#define COUNT(list) (sizeof(list) / sizeof *(list))

volatile sig_atomic_t interrupted;

#ifndef SIGRTMIN /* no such signals */
#define SIGRTMIN 1
#define SIGRTMAX 0
#endif

/* Signals by which a user ends the program, and others that end it; those from SIGRTMIN to SIGRTMAX do, too. */
static const int wishes[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static const int others[] = {
    SIGABRT,   SIGALRM, SIGBUS,  SIGFPE,  SIGILL,  SIGPIPE, SIGPROF,
    SIGSEGV,   SIGSYS,  SIGTRAP, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM,
#ifdef SIGPOLL
    SIGPOLL,
#endif
#ifdef SIGPWR
    SIGPWR,
#endif
#ifdef SIGSTKFLT
    SIGSTKFLT,
#endif
};

static struct timespec first; /* when the first signal came */

/* End the program now: by the signal, once the handler returns, except for SIGQUIT, which would leave a core file with
 * parts of the files that are checked. */
static void end_now(int number)
{
    static const char quit[] = "assay: stopped by SIGQUIT\n";
    output_remove();
    host_new_remove();
    if (number == SIGQUIT) {
        ssize_t put = write(2, quit, sizeof quit - 1);
        (void)put;
        _exit(EXIT_ERROR);
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void note(int number)
{
    int error = errno;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (interrupted <= 0) {
        first = now;
        interrupted = number;
    } else if ((now.tv_sec - first.tv_sec) * 1000 + (now.tv_nsec - first.tv_nsec) / 1000000 >= AGAIN) {
        end_now(number);
    }
    errno = error;
}

/* Set the handler of a signal that is not ignored. replaces: even if it has one, such as that of a sanitizer. */
static void handle(int number, void (*handler)(int), bool replaces)
{
    struct sigaction now = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
    sigemptyset(&now.sa_mask);
    for (size_t i = 0; i < COUNT(wishes); i++)
        sigaddset(&now.sa_mask, wishes[i]);
    bool free = sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN;
    if (free && (replaces || before.sa_handler == SIG_DFL))
        sigaction(number, &now, NULL);
}

void interrupt_begin(void)
{
    signal(SIGXFSZ, SIG_IGN); /* a write that a limit forbids fails, and that is reported */
    handle(SIGQUIT, end_now, false);
}

void interrupt_catch(bool output)
{
    for (size_t i = 0; i < COUNT(wishes); i++)
        handle(wishes[i], note, true);
    for (size_t i = 0; i < COUNT(others) && output; i++)
        handle(others[i], end_now, false);
    for (int number = SIGRTMIN; number <= SIGRTMAX && output; number++)
        handle(number, end_now, false);
}

static void release(int number)
{
    struct sigaction now;
    if (sigaction(number, NULL, &now) == 0 && now.sa_handler == end_now)
        signal(number, SIG_DFL);
}

void interrupt_release(void)
{
    for (size_t i = 0; i < COUNT(others); i++)
        release(others[i]);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        release(number);
}

/* A signal that comes between the check and the wait is seen a moment later. */
bool interrupt_wait(int fd)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    int found = 0;
    while (interrupted == 0 && (found == 0 || (found < 0 && errno == EINTR)))
        found = poll(&ready, 1, MOMENT);
    return interrupted == 0;
}

int interrupt_obey(int status)
{
    if (interrupted == SIGQUIT) {
        fputs("assay: stopped by SIGQUIT\n", stderr);
        return EXIT_ERROR;
    }
    if (interrupted > 0) {
        signal((int)interrupted, SIG_DFL);
        raise((int)interrupted);
    }
    return status;
}
