/* forbidden.c: enters the sandbox and makes one call, so that tests/program/contained.py can see what becomes of it.
 *
 *     forbidden worker|program|server CALL
 *     forbidden worker|program|server raw CALL ARGUMENT...
 *     forbidden worker|program|server calls NUMBER
 *
 * In a worker descriptor 0 is a socket, and SANDBOX_WORKER_STREAM a file. Prints nothing: the exit status is 0 if the
 * call was made and did what it should, 1 if it failed (in a server errno, of which EPERM is 1), 2 if the sandbox can't
 * be entered; a signal: the call was deadly. raw: one of `named`, with numbers as its arguments, or file, pair, page,
 * from `place`. calls: each call that there is, in a process of its own, with the number as each of its six arguments;
 * prints those that are not deadly. Not part of the program. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"
#include "sandbox.h"

static int file = -1, stream = SANDBOX_PROGRAM_STREAM, pair[2], out;
static void *page;

static int try_open(void) { return open("/dev/null", O_RDONLY); }
static int try_openat2(void) { return (int)syscall(SYS_openat2, AT_FDCWD, "/dev/null", &(uint64_t[3]){0, 0, 0}, 24); }
static int try_create(void) { return open("made", O_WRONLY | O_CREAT, 0600); }
static int try_unlink(void) { return unlink("there"); }
static int try_rename(void) { return rename("there", "moved"); }
static int try_chmod(void) { return chmod("there", 0); }
static int try_stat(void) { struct stat s; return stat("there", &s); }
static int try_access(void) { return access("there", F_OK); }
static int try_socket(void) { return socket(AF_INET, SOCK_STREAM, 0); }
static int try_connect(void)
{
    return connect(pair[0], &(struct sockaddr){.sa_family = AF_UNIX}, sizeof(struct sockaddr));
}

static int try_fork(void) { return (int)syscall(SYS_fork); }
static int try_clone(void) { return (int)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }
static int try_execve(void) { return execl("/bin/true", "true", (char *)NULL); }
static int try_kill(void) { return kill(getppid(), 0); }
static int try_ptrace(void) { return (int)ptrace(PTRACE_TRACEME, 0, NULL, NULL); }
static int try_mprotect(void) { return mprotect(page, 4096, PROT_READ | PROT_EXEC); }
static int try_map_exec(void)
{
    return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
}

static int try_map_file(void) { return mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED; }
static int try_write_other(void) { return write(pair[1], "x", 1) == 1 ? 0 : -1; }
static int try_read_other(void) { char c; return read(file, &c, 1) == 1 ? 0 : -1; }
static int try_write_file(void) { return pwrite(file, "x", 1, 0) == 1 ? 0 : -1; }
static int try_dup(void) { return dup(file); }
static int try_prctl(void) { return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); }
static int try_setrlimit(void) { return setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); }
static int try_ioctl(void) { return isatty(0); }
static int try_sendmsg(void) { return sendmsg(0, &(struct msghdr){0}, 0) < 0 ? -1 : 0; }
static int try_io_uring(void) { return (int)syscall(SYS_io_uring_setup, 1, NULL); }
static int try_stat_page(void) /* another path in the place of the one that a filter knows by its address */
{
    static char kept[1 << 16];
    struct stat s;
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    char *begin = (char *)((uintptr_t)host_no_path & ~(size - 1));
    memcpy(kept, begin, size);
    mmap(begin, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    memcpy(begin, kept, size);
    strcpy((char *)host_no_path, ".");
    return fstatat(AT_FDCWD, host_no_path, &s, 0);
}

/* What is forbidden to the process that fetches, and no other call of those above shows. */
static int try_open_write(void) { return open("there", O_RDWR); }
static int try_open_create(void) { return open("made", O_RDONLY | O_CREAT, 0600); }
static int try_unshare(void) { return unshare(CLONE_NEWUSER); }
static int try_clone3(void) { return (int)syscall(SYS_clone3, NULL, 0); }
static int try_chmod_new(void) { return (int)syscall(452, AT_FDCWD, "there", 0, 0); } /* fchmodat2 */
static int try_mount(void) { return mount("none", ".", "tmpfs", 0, NULL); }
static int try_bpf(void) { return (int)syscall(SYS_bpf, 0, NULL, 0); }
static int try_userfaultfd(void) { return (int)syscall(SYS_userfaultfd, 0); }
static int try_keyctl(void) { return (int)syscall(SYS_keyctl, 0, -3, 0); } /* the session's keyring: its number */
static int try_read_parent(void)
{
    char byte;
    struct iovec here = {&byte, 1}, there = {&file, 1};
    return (int)process_vm_readv(getppid(), &here, 1, &there, 1, 0);
}

static int try_signal(void) { return (int)syscall(SYS_tgkill, getppid(), getppid(), 0); }
static int try_packet(void) { return socket(AF_PACKET, SOCK_RAW, 0); }
static int try_type(void) { return ioctl(2, TIOCSTI, "x"); }
static int try_listen(void) { return listen(socket(AF_INET, SOCK_STREAM, 0), 1); }

/* What it does. */
static void *nothing(void *none) { return none; }
static int try_thread(void)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0 ? 0 : -1;
}

static int try_memory_file(void) { return ftruncate(host_nameless(), 99); }
static int try_signal_self(void) { return (int)syscall(SYS_tgkill, getpid(), gettid(), 0); }

/* What a worker does. */
static int try_read(void) { char c; return pread(file, &c, 1, 0) == 1 ? 0 : -1; }
static int try_read_stream(void) { char c; return (int)read(stream, &c, 1); }
static int try_look(void) { host_file seen; return host_take(&seen, file) == HOST_FINE ? 0 : -1; }
static int try_memory(void)
{
    page = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED;
}

static int try_answer(void) { return write(0, "x", 1) == 1 ? 0 : -1; }
static int try_say(void) { return write(1, "", 0) + write(2, "", 0); }
static int try_close(void) { return close(file); }
static int try_nothing(void) { return 0; }

#define ROW(name) {#name, try_##name}
static const struct {
    const char *name;
    int (*call)(void);
} rows[] = {ROW(open), ROW(openat2), ROW(create), ROW(unlink), ROW(rename), ROW(chmod), ROW(stat), ROW(access),
            ROW(socket), ROW(connect), ROW(fork), ROW(clone), ROW(execve), ROW(kill), ROW(ptrace), ROW(mprotect),
            ROW(map_exec), ROW(map_file), ROW(write_other), ROW(read_other), ROW(write_file), ROW(dup), ROW(prctl),
            ROW(setrlimit), ROW(ioctl), ROW(sendmsg), ROW(io_uring), ROW(stat_page), ROW(open_write),
            ROW(open_create), ROW(unshare), ROW(clone3), ROW(chmod_new), ROW(mount), ROW(bpf), ROW(userfaultfd),
            ROW(keyctl), ROW(read_parent), ROW(signal), ROW(packet), ROW(type), ROW(listen), ROW(thread),
            ROW(memory_file), ROW(signal_self), ROW(read), ROW(read_stream), ROW(look), ROW(memory), ROW(answer),
            ROW(say), ROW(close), ROW(nothing)};

/* ---- Calls by their numbers ------------------------------------------------------------------------------- */

#define CALL(name) {#name, SYS_##name}
static const struct {
    const char *name;
    long number;
} named[] = {CALL(pread64), CALL(close), CALL(fstat), CALL(mmap), CALL(munmap), CALL(mremap), CALL(brk), CALL(madvise),
             CALL(exit), CALL(exit_group), CALL(rt_sigreturn), CALL(recvmsg), CALL(recvfrom), CALL(write),
             CALL(writev), CALL(read), CALL(sendto), CALL(readv), CALL(pwrite64), CALL(fcntl), CALL(lseek)};

static unsigned long place(const char *word)
{
    if (strcmp(word, "file") == 0)
        return (unsigned long)file;
    if (strcmp(word, "pair") == 0)
        return (unsigned long)pair[1];
    return strcmp(word, "page") == 0 ? (unsigned long)page : strtoul(word, NULL, 0);
}

static int raw(char **words)
{
    unsigned long argument[6] = {0};
    size_t i = 0;
    while (i < sizeof named / sizeof *named && strcmp(named[i].name, words[0]) != 0)
        i++;
    if (i == sizeof named / sizeof *named)
        return 3;
    for (size_t k = 0; k < 6 && words[1 + k] != NULL; k++)
        argument[k] = place(words[1 + k]);
    return syscall(named[i].number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]) == -1;
}

/* By the entry of 32-bit programs, which has numbers of its own: this one is getpid. */
static int try_old_entry(void)
{
    long result = 20;
#if defined(__x86_64__)
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
#else
    raise(SIGSYS);
#endif
    return (int)result;
}

/* Is this call deadly? Whatever else it does, it does to a process of its own. */
static bool is_deadly(sandbox_kind kind, long number, unsigned long argument)
{
    int status = 0;
    unsigned layers;
    pid_t child = fork();
    if (child == 0) {
        alarm(9);
        if (sandbox_enter(kind, &layers) != 0)
            _exit(2);
        syscall(number, argument, argument, argument, argument, argument, argument);
        _exit(0);
    }
    return waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
}

static int all_calls(sandbox_kind kind, unsigned long argument)
{
    static const long kinds[] = {0, 0x40000000}; /* x32's on x86-64 */
    for (size_t k = 0; k < 2; k++) {
        for (long number = kinds[k]; number < kinds[k] + 1024; number++) {
            const char *name = NULL;
            char byte = 'x';
            if (kind == SANDBOX_WORKER && write(pair[1], &byte, 1) != 1) /* so that nothing waits for it */
                return 3;
            if (!is_deadly(kind, number, argument)) {
                for (size_t i = 0; i < sizeof named / sizeof *named; i++)
                    name = named[i].number == number ? named[i].name : name;
                dprintf(out, name == NULL ? "%s%ld\n" : "%s\n", name == NULL ? "" : name, number);
            }
            if (kind == SANDBOX_WORKER)
                recv(0, &byte, 1, MSG_DONTWAIT);
        }
    }
    return 0;
}

int main(int count, char **words)
{
    unsigned layers;
    if (count < 3 || (file = open("there", O_RDWR)) < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return 3;
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    out = dup(1);
    bool server = strcmp(words[1], "server") == 0;
    sandbox_kind kind = strcmp(words[1], "worker") == 0 ? SANDBOX_WORKER : server ? SANDBOX_SERVER : SANDBOX_PROGRAM;
    if (kind == SANDBOX_WORKER && (dup2(pair[0], 0) != 0 || dup2(file, stream = SANDBOX_WORKER_STREAM) != stream))
        return 3;
    sandbox_prepare(kind);
    if (strcmp(words[2], "calls") == 0 && count == 4)
        return all_calls(kind, strtoul(words[3], NULL, 0));
    if (sandbox_enter(kind, &layers) != 0 || layers != sandbox_built())
        return 2;
    if (strcmp(words[2], "raw") == 0 && count > 3)
        _exit(raw(words + 3));
    if (strcmp(words[2], "old_entry") == 0)
        _exit(try_old_entry() >= 0 ? 0 : 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, words[2]) == 0)
            _exit(rows[i].call() >= 0 ? 0 : server ? errno : 1);
    return 3;
}
