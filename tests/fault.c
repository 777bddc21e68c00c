/* fault.c: a library to be preloaded into the program: makes a call fail, so that tests/program.py can see what the
 * program does then. FAULT=function:count:errno, the count-th call of the function fails with errno (once; count+: and
 * all that follow), counted in each process; <function: in the first process alone; >function: in its workers alone;
 * several, separated by commas; FAULT=short, every read gives one byte; FAULT=change:path:size, the
 * file gets that size after the first read; FAULT=count, nothing fails, and the end is how many allocations there were.
 * With SLOW set as well, the first process waits before it hands out files, and workers take their time behind each
 * read (not with SLOW=first). glibc only. Not part of the program. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_realloc(void *old, size_t size);

static bool in_worker;
static struct {
    const char *function;
    long count;
} calls[16]; /* how often each was called */
static int mallocs, reallocs;

static bool slow, slow_workers; /* SLOW */

static char lies[256]; /* LIE, kept in the same way */

static char kept[8192];

/* What FAULT is, kept from the beginning on: workers forget the environment. NULL: it is not set, or done with. */
static const char *said(void)
{
    static bool known;
    const char *fault = known ? NULL : getenv("FAULT");
    if (fault != NULL)
        snprintf(kept, sizeof kept, "%s", fault);
    known = true;
    return kept[0] == '\0' ? NULL : kept;
}

__attribute__((destructor)) static void count_allocations(void)
{
    const char *fault = said();
    if (fault != NULL && strcmp(fault, "count") == 0)
        fprintf(stderr, "%cmalloc %d\n%crealloc %d\n", in_worker ? '>' : '<', mallocs, in_worker ? '>' : '<', reallocs);
}

void _exit(int status)
{
    if (in_worker)
        count_allocations();
    for (;;)
        syscall(SYS_exit_group, status);
}

static void begin_worker(void)
{
    in_worker = true;
    mallocs = reallocs = 0;
    memset(calls, 0, sizeof calls);
}

/* FAULT=hello: is the library heard at all? */
__attribute__((constructor)) static void hello(void)
{
    const char *fault = said(), *hex = getenv("LIE");
    slow = getenv("SLOW") != NULL;
    slow_workers = slow && strcmp(getenv("SLOW"), "first") != 0;
    snprintf(lies, sizeof lies, "%s", hex == NULL ? "" : hex);
    pthread_atfork(NULL, NULL, begin_worker);
    if (fault != NULL && strcmp(fault, "hello") == 0)
        fputs("hello\n", stderr);
}

/* The part of FAULT that is about the function in this process; NULL: none. Behind the function's name and colon. */
static const char *fault_of(const char *function)
{
    size_t length = strlen(function);
    const char *fault = said();
    while (fault != NULL) {
        bool elsewhere = *fault == (in_worker ? '<' : '>');
        fault += *fault == '<' || *fault == '>';
        if (!elsewhere && strncmp(fault, function, length) == 0 && fault[length] == ':')
            return fault + length + 1;
        fault = strchr(fault, ',');
        fault = fault == NULL ? NULL : fault + 1;
    }
    return NULL;
}

/* Is this the call that fails? */
static int fails(const char *function)
{
    const char *fault = fault_of(function);
    if (fault == NULL)
        return 0;
    char *rest;
    size_t i = 0;
    while (calls[i].function != NULL && strcmp(calls[i].function, function) != 0)
        i++;
    calls[i].function = function;
    long count = strtol(fault, &rest, 10), call = ++calls[i].count;
    bool all = *rest == '+';
    if (call != count && (call < count || !all))
        return 0;
    errno = (int)strtol(rest + 1 + all, NULL, 10);
    return 1;
}

static void *next(const char *function)
{
    return dlsym(RTLD_NEXT, function);
}

void *malloc(size_t size)
{
    mallocs++;
    return fails("malloc") ? NULL : __libc_malloc(size);
}

void *realloc(void *old, size_t size)
{
    reallocs++;
    return fails("realloc") ? NULL : __libc_realloc(old, size);
}

ssize_t getrandom(void *bytes, size_t count, unsigned flags)
{
    ssize_t (*real)(void *, size_t, unsigned);
    *(void **)&real = next("getrandom");
    return fails("getrandom") ? -1 : real(bytes, count, flags);
}

static void change(void)
{
    const char *fault = said(), *size = fault == NULL ? NULL : strrchr(fault, ':');
    char path[4096];
    struct stat before;
    if (size == NULL || strncmp(fault, "change:", 7) != 0)
        return;
    snprintf(path, sizeof path, "%.*s", (int)(size - fault - 7), fault + 7);
    if (stat(path, &before) != 0 || truncate(path, strtol(size + 1, NULL, 10)) != 0)
        abort();
    struct timespec times[2] = {before.st_atim, before.st_mtim}; /* a change that only the size tells */
    utimensat(AT_FDCWD, path, times, 0);
    kept[0] = '\0';
}

/* FAULT=write:path:offset, after the first read, another program writes there and sets the time of
 * modification back. */
static void write_behind(void)
{
    const char *fault = said(), *offset = fault == NULL ? NULL : strrchr(fault, ':');
    char path[4096];
    struct stat before;
    if (offset == NULL || strncmp(fault, "write:", 6) != 0)
        return;
    snprintf(path, sizeof path, "%.*s", (int)(offset - fault - 6), fault + 6);
    int fd = open(path, O_WRONLY);
    if (fd < 0 || fstat(fd, &before) != 0 || pwrite(fd, "Y", 1, strtol(offset + 1, NULL, 10)) != 1)
        abort();
    struct timespec times[2] = {before.st_atim, before.st_mtim};
    futimens(fd, times);
    close(fd);
    kept[0] = '\0';
}

/* FAULT=lie:count:0, at the count-th read the judge says the bytes that LIE has in hexadecimal. */
static void lie(void)
{
    unsigned byte;
    char bytes[99];
    size_t count = 0;
    for (const char *hex = lies; sscanf(hex, "%2x", &byte) == 1; hex += 2)
        bytes[count++] = (char)byte;
    syscall(SYS_write, 0, bytes, count);
}

/* Without a call that a sandbox forbids. */
static void take_time(void)
{
    struct timespec begin, now;
    if (!in_worker || !slow_workers)
        return;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < 20000000);
}

ssize_t pread64(int fd, void *bytes, size_t count, off64_t offset)
{
    ssize_t (*real)(int, void *, size_t, off64_t);
    const char *fault = said();
    *(void **)&real = next("pread64");
    if (fails("pread"))
        return -1;
    if (fails("forbid")) /* FAULT=forbid:count:0, the count-th read does what no sandbox allows */
        syscall(SYS_getppid);
    if (fails("die")) /* FAULT=die:count:signal */
        raise(errno);
    if (fails("lie"))
        lie();
    if (fails("deaf")) /* FAULT=deaf:count:0, it hears nothing any more and goes on for ever */
        for (close(0);;)
            continue;
    if (fails("spin")) /* FAULT=spin:count:0, it goes on for ever */
        for (;;)
            continue;
    if (fault != NULL && strcmp(fault, "short") == 0 && count > 1)
        count = 1;
    ssize_t got = real(fd, bytes, count, offset);
    if (fails("flip") && got > 0)
        *(char *)bytes ^= 1; /* what a writer through a mapping can do without a trace in the times */
    change();
    write_behind();
    take_time();
    return got;
}

/* FAULT=swap:path:other, just before path is opened, maybe by the end of it, other takes its place. */
static void swap(const char *path)
{
    const char *fault = said(), *other = fault == NULL ? NULL : strrchr(fault, ':');
    char whole[4096];
    if (fault != NULL && strncmp(fault, "old,", 4) == 0)
        fault += 4;
    if (other == NULL || strncmp(fault, "swap:", 5) != 0)
        return;
    snprintf(whole, sizeof whole, "%.*s", (int)(other - fault - 5), fault + 5);
    size_t length = strlen(path), all = strlen(whole);
    if (length > all || strcmp(whole + all - length, path) != 0 || (length < all && whole[all - length - 1] != '/'))
        return;
    if (rename(whole, "moved") != 0 || rename(other + 1, whole) != 0)
        abort();
}

int open64(const char *path, int flags, ...)
{
    int (*real)(const char *, int, ...);
    va_list list;
    va_start(list, flags);
    int mode = (flags & O_CREAT) != 0 ? va_arg(list, int) : 0;
    va_end(list);
    *(void **)&real = next("open64");
    swap(path);
    return fails("open") ? -1 : real(path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...)
{
    int (*real)(int, const char *, int, ...);
    *(void **)&real = next("openat64");
    swap(path);
    return fails("open") ? -1 : real(directory, path, flags);
}

/* openat2 has no function of its own. FAULT=old: the kernel doesn't have it, nor close_range. */
long syscall(long number, ...)
{
    long (*real)(long, ...), word[6];
    const char *fault = said() == NULL ? "" : said();
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        word[i] = va_arg(list, long);
    va_end(list);
    *(void **)&real = next("syscall");
    bool old = strncmp(fault, "old", 3) == 0, missing = strcmp(fault, "no seccomp") == 0;
    if (((number == SYS_openat2 || number == 436 /* close_range */) && old) || (number == SYS_seccomp && missing)) {
        errno = ENOSYS;
        return -1;
    }
    if (number == SYS_openat2)
        swap((const char *)word[1]);
    if (number == SYS_openat2 && fails("open"))
        return -1;
    return real(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}

/* FAULT=no seccomp, the kernel doesn't have it. FAULT=no signal, it tells no child of its parent's death. */
int prctl(int option, ...)
{
    int (*real)(int, ...);
    const char *fault = said();
    unsigned long word[4];
    va_list list;
    va_start(list, option);
    for (int i = 0; i < 4; i++)
        word[i] = va_arg(list, unsigned long);
    va_end(list);
    *(void **)&real = next("prctl");
    if (option == PR_SET_SECCOMP && fault != NULL && strcmp(fault, "no seccomp") == 0) {
        errno = EINVAL;
        return -1;
    }
    if (option == PR_SET_PDEATHSIG && fault != NULL && strcmp(fault, "no signal") == 0)
        return 0;
    return real(option, word[0], word[1], word[2], word[3]);
}

pid_t fork(void)
{
    pid_t (*real)(void);
    *(void **)&real = next("fork");
    return fails("fork") ? -1 : real();
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags)
{
    ssize_t (*real)(int, const struct msghdr *, int);
    *(void **)&real = next("sendmsg");
    if (!in_worker && slow)
        usleep(30000);
    return fails("sendmsg") ? -1 : real(socket, message, flags);
}

ssize_t recvmsg(int socket, struct msghdr *message, int flags)
{
    ssize_t (*real)(int, struct msghdr *, int);
    *(void **)&real = next("recvmsg");
    return fails("recvmsg") ? -1 : real(socket, message, flags);
}

DIR *fdopendir(int fd)
{
    DIR *(*real)(int);
    *(void **)&real = next("fdopendir");
    return fails("fdopendir") ? NULL : real(fd);
}

struct dirent64 *readdir64(DIR *directory)
{
    struct dirent64 *(*real)(DIR *);
    *(void **)&real = next("readdir64");
    return fails("readdir") ? NULL : real(directory);
}
