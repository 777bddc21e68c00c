/* fault_call.c: runs a program and makes one of its system calls fail, whichever one: the program needs no preparation.
 *
 *     fault_call LOG PLACE ACTION PROGRAM WORD...
 *
 * The calls of one name are counted from 1, in each process: in the program from the first of its own (it begins by
 * asking whether descriptor 0 is open), in those that it starts from their first. So the third read is the third read,
 * however often a process polled before it: that is chance. Before the call at PLACE the ACTION is taken; PLACE is 0
 * (none), *: each, or PROCESS:NAME:NUMBER, where the program is process 0 and those that it starts are 1, 2, ...
 *     ERRNO      a number: the call is not made, and fails with that
 *     short      a read or write is of one byte
 *     !COMMAND   a shell runs the command, then the call is made
 * LOG gets a line for each call: its process, its name, its first argument, what it returned. The exit status is the
 * program's, or 128 + signal; 77: programs can't be traced here. Linux on x86-64. For tests/program/calls.py. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/ptrace.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

extern long ptrace(int request, ...); /* <sys/ptrace.h> does not go together with <linux/ptrace.h> */

#define CANT 77

static const struct {
    unsigned long long number;
    const char *name;
} kinds[] = {{SYS_fcntl, "fcntl"},         {SYS_openat, "openat"},       {SYS_openat2, "openat2"},
             {SYS_newfstatat, "fstatat"},  {SYS_fstat, "fstat"},         {SYS_read, "read"},
             {SYS_pread64, "pread"},       {SYS_write, "write"},         {SYS_close, "close"},
             {SYS_getdents64, "getdents"}, {SYS_getrandom, "getrandom"}, {SYS_brk, "brk"},
             {SYS_recvmsg, "recvmsg"},     {SYS_recvfrom, "recv"},       {SYS_sendmsg, "sendmsg"},
             {SYS_poll, "poll"},           {SYS_wait4, "wait"},          {SYS_clone, "fork"}};

#define KINDS (sizeof kinds / sizeof *kinds) /* and one behind them: all others */

static size_t kind_of(unsigned long long number)
{
    size_t i = 0;
    while (i < KINDS && kinds[i].number != number)
        i++;
    return i;
}

static const char *name_of(unsigned long long number)
{
    return kind_of(number) < KINDS ? kinds[kind_of(number)].name : "other";
}

static bool moves_bytes(const char *name)
{
    static const char *const names[] = {"read", "pread", "write", "recv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* The program, and what it starts. */
typedef struct {
    pid_t pid;
    unsigned long long calls, call, argument;
    unsigned long long made[KINDS + 1]; /* calls of each kind */
    int error; /* that the call is to fail with, or 0 */
    struct user_regs_struct before;
} process;

static process traced[64];
static int processes;

static process *find(pid_t pid)
{
    for (int i = 0; i < processes; i++)
        if (traced[i].pid == pid)
            return &traced[i];
    if (processes == sizeof traced / sizeof *traced)
        exit(CANT + 1);
    traced[processes] = (process){.pid = pid};
    return &traced[processes++];
}

/* Takes the action before a call; gives the errno that the call is to fail with, or 0. */
static int act(process *at, const char *action, const char *name)
{
    struct user_regs_struct registers;
    if (action[0] == '!') {
        if (system(action + 1) != 0)
            exit(CANT + 1);
        return 0;
    }
    ptrace(PTRACE_GETREGS, at->pid, NULL, &registers);
    at->before = registers;
    if (strcmp(action, "short") != 0) { /* instead of it one that does nothing, and that a sandbox allows */
        registers.orig_rax = SYS_close;
        registers.rdi = (unsigned long long)-1;
    } else if (moves_bytes(name) && registers.rdx > 1) {
        registers.rdx = 1;
    }
    ptrace(PTRACE_SETREGS, at->pid, NULL, &registers);
    return atoi(action);
}

static void fail(process *at)
{
    struct user_regs_struct registers;
    ptrace(PTRACE_GETREGS, at->pid, NULL, &registers);
    registers.rdi = at->before.rdi;
    registers.rax = (unsigned long long)-at->error;
    ptrace(PTRACE_SETREGS, at->pid, NULL, &registers);
}

/* Is this the call before which the action is to be taken? */
static bool is_wanted(const process *at, const char *place)
{
    char here[64];
    snprintf(here, sizeof here, "%d:%s:%llu", (int)(at - traced), name_of(at->call), at->made[kind_of(at->call)]);
    return place[0] == '*' || strcmp(place, here) == 0;
}

/* A process stands before or behind a call. */
static void stopped(process *at, FILE *log, const char *place, const char *action)
{
    struct ptrace_syscall_info info;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, at->pid, sizeof info, &info) <= 0) {
        if (errno == ESRCH) /* killed since it stopped */
            return;
        exit(CANT);
    }
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
        at->call = info.entry.nr;
        at->argument = info.entry.args[0];
        bool first = at->call == SYS_fcntl && at->argument == 0 && info.entry.args[1] == F_GETFD;
        if (at->calls > 0 || first || at != traced) {
            at->calls++;
            at->made[kind_of(at->call)]++;
        }
        if (at->calls > 0 && is_wanted(at, place))
            at->error = act(at, action, name_of(at->call));
    } else if (info.op == PTRACE_SYSCALL_INFO_EXIT && at->calls > 0) {
        if (at->error != 0)
            fail(at);
        fprintf(log, "%d %s %d %lld\n", (int)(at - traced), name_of(at->call), (int)at->argument,
                at->error != 0 ? -at->error : (long long)info.exit.rval);
        at->error = 0;
    }
}

/* Until all processes have ended; gives how the first one did. */
static int follow(FILE *log, const char *place, const char *action)
{
    int status, first = CANT << 8;
    pid_t pid;
    while ((pid = waitpid(-1, &status, __WALL)) > 0) {
        process *at = find(pid);
        if (!WIFSTOPPED(status)) {
            if (at == traced)
                first = status;
            continue;
        }
        int signal = WSTOPSIG(status);
        if (signal == (SIGTRAP | 0x80))
            stopped(at, log, place, action);
        bool own = signal == (SIGTRAP | 0x80) || status >> 16 != 0 || (signal == SIGSTOP && at->calls == 0);
        ptrace(PTRACE_SYSCALL, pid, NULL, own ? 0 : signal);
    }
    return first;
}

int main(int count, char **words)
{
    FILE *log = count < 5 ? NULL : fopen(words[1], "we");
    if (log == NULL)
        return CANT;
    pid_t child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
            execv(words[4], words + 4);
        _exit(CANT);
    }
    int status;
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status) ||
        ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACEFORK) != 0)
        return CANT;
    find(child);
    ptrace(PTRACE_SYSCALL, child, NULL, 0);
    status = follow(log, words[2], words[3]);
    fclose(log);
    return WIFEXITED(status) ? WEXITSTATUS(status) : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : CANT;
}
