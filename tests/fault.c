/* fault.c: a library to be preloaded into the program: makes a call fail, so that tests/program.py can see what the
 * program does then. FAULT=function:count:errno, the count-th call of the function fails with errno (once; count+: and
 * all that follow); several, separated by commas; FAULT=short, every read gives one byte; FAULT=change:path:size, the
 * file gets that size after the first read; FAULT=count, nothing fails, and the end is how many allocations there were.
 * glibc only. Not part of the program. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_realloc(void *old, size_t size);

static int mallocs, reallocs;

__attribute__((destructor)) static void count_allocations(void)
{
    const char *fault = getenv("FAULT");
    if (fault != NULL && strcmp(fault, "count") == 0)
        fprintf(stderr, "malloc %d\nrealloc %d\n", mallocs, reallocs);
}

/* FAULT=hello: is the library heard at all? */
__attribute__((constructor)) static void hello(void)
{
    const char *fault = getenv("FAULT");
    if (fault != NULL && strcmp(fault, "hello") == 0)
        fputs("hello\n", stderr);
}

/* Is this the call that fails? */
static int fails(const char *function)
{
    static int calls[26]; /* by the functions' first letters, which differ where it matters */
    const char *fault = getenv("FAULT");
    size_t length = strlen(function);
    while (fault != NULL && (strncmp(fault, function, length) != 0 || fault[length] != ':')) {
        fault = strchr(fault, ',');
        fault = fault == NULL ? NULL : fault + 1;
    }
    if (fault == NULL)
        return 0;
    char *rest;
    long count = strtol(fault + length + 1, &rest, 10);
    long call = ++calls[function[0] - 'a'];
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
    const char *fault = getenv("FAULT"), *size = fault == NULL ? NULL : strrchr(fault, ':');
    char path[4096];
    struct stat before;
    if (size == NULL || strncmp(fault, "change:", 7) != 0)
        return;
    snprintf(path, sizeof path, "%.*s", (int)(size - fault - 7), fault + 7);
    if (stat(path, &before) != 0 || truncate(path, strtol(size + 1, NULL, 10)) != 0)
        abort();
    struct timespec times[2] = {before.st_atim, before.st_mtim}; /* a change that only the size tells */
    utimensat(AT_FDCWD, path, times, 0);
    unsetenv("FAULT");
}

/* FAULT=write:path:offset, after the first read, another program writes there and sets the time of modification back. */
static void write_behind(void)
{
    const char *fault = getenv("FAULT"), *offset = fault == NULL ? NULL : strrchr(fault, ':');
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
    unsetenv("FAULT");
}

ssize_t pread64(int fd, void *bytes, size_t count, off64_t offset)
{
    ssize_t (*real)(int, void *, size_t, off64_t);
    const char *fault = getenv("FAULT");
    *(void **)&real = next("pread64");
    if (fails("pread"))
        return -1;
    if (fault != NULL && strcmp(fault, "short") == 0 && count > 1)
        count = 1;
    ssize_t got = real(fd, bytes, count, offset);
    if (fails("flip") && got > 0)
        *(char *)bytes ^= 1; /* what a writer through a mapping can do without a trace in the times */
    change();
    write_behind();
    return got;
}

/* FAULT=swap:path:other, just before path is opened, other takes its place. */
static void swap(const char *path)
{
    const char *fault = getenv("FAULT"), *other = fault == NULL ? NULL : strrchr(fault, ':');
    size_t length = strlen(path);
    if (other == NULL || strncmp(fault, "swap:", 5) != 0 || (size_t)(other - fault - 5) != length)
        return;
    if (memcmp(fault + 5, path, length) == 0 && (rename(path, "moved") != 0 || rename(other + 1, path) != 0))
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
