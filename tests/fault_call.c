/* fault_call.c: runs a program and makes one of its system calls fail, whichever one: the program needs no preparation.
 *
 *     fault_call LOG NUMBER ACTION PROGRAM WORD...
 *
 * Calls are counted from 1, from the first of the program's own (it begins by asking whether descriptor 0 is open).
 * Before call NUMBER (0: none; *: each) the ACTION is taken:
 *     ERRNO      a number: the call is not made, and fails with that
 *     short      a read or write is of one byte
 *     !COMMAND   a shell runs the command, then the call is made
 * LOG gets a line for each call: its name, its first argument, what it returned. The exit status is the program's, or
 * 128 + signal; 77: programs can't be traced here. Linux on x86-64. For tests/program/calls.py. */
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

static const char *name_of(unsigned long long number)
{
    static const struct {
        unsigned long long number;
        const char *name;
    } names[] = {{SYS_fcntl, "fcntl"},       {SYS_openat, "openat"}, {SYS_newfstatat, "fstatat"},
                 {SYS_fstat, "fstat"},       {SYS_read, "read"},     {SYS_pread64, "pread"},
                 {SYS_write, "write"},       {SYS_close, "close"},   {SYS_getdents64, "getdents"},
                 {SYS_getrandom, "getrandom"}, {SYS_brk, "brk"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == number)
            return names[i].name;
    return "other";
}

static bool moves_bytes(const char *name)
{
    return strcmp(name, "read") == 0 || strcmp(name, "pread") == 0 || strcmp(name, "write") == 0;
}

/* Takes the action before a call; gives the errno that the call is to fail with, or 0. */
static int act(pid_t child, const char *action, const char *name)
{
    struct user_regs_struct registers;
    if (action[0] == '!') {
        if (system(action + 1) != 0)
            exit(CANT + 1);
        return 0;
    }
    ptrace(PTRACE_GETREGS, child, NULL, &registers);
    if (strcmp(action, "short") != 0)
        registers.orig_rax = (unsigned long long)-1; /* a call that there is not: nothing is done */
    else if (moves_bytes(name) && registers.rdx > 1)
        registers.rdx = 1;
    ptrace(PTRACE_SETREGS, child, NULL, &registers);
    return atoi(action);
}

static void fail(pid_t child, int error)
{
    struct user_regs_struct registers;
    ptrace(PTRACE_GETREGS, child, NULL, &registers);
    registers.rax = (unsigned long long)-error;
    ptrace(PTRACE_SETREGS, child, NULL, &registers);
}

/* The program stands before or behind a call. */
static void stopped(pid_t child, FILE *log, const char *number, const char *action)
{
    static unsigned long long calls, call, argument;
    static int error;
    struct ptrace_syscall_info info;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof info, &info) <= 0)
        exit(CANT);
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
        call = info.entry.nr;
        argument = info.entry.args[0];
        if (calls > 0 || (call == SYS_fcntl && argument == 0 && info.entry.args[1] == F_GETFD))
            calls++;
        if (calls > 0 && (number[0] == '*' || calls == strtoull(number, NULL, 10)))
            error = act(child, action, name_of(call));
    } else if (info.op == PTRACE_SYSCALL_INFO_EXIT && calls > 0) {
        if (error != 0)
            fail(child, error);
        fprintf(log, "%s %d %lld\n", name_of(call), (int)argument, error != 0 ? -error : (long long)info.exit.rval);
        error = 0;
    }
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
        ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) != 0)
        return CANT;
    for (int signal = 0; ptrace(PTRACE_SYSCALL, child, NULL, signal) == 0;) {
        if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
            break;
        signal = WSTOPSIG(status) == (SIGTRAP | 0x80) ? 0 : WSTOPSIG(status);
        if (signal == 0)
            stopped(child, log, words[2], words[3]);
    }
    fclose(log);
    return WIFEXITED(status) ? WEXITSTATUS(status) : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : CANT;
}
