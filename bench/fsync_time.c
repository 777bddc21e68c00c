/* fsync_time.c: a library for LD_PRELOAD that measures how long a program waits for the disk. At the end of each process
 * that has called fsync it prints to standard error: "fsync", the number of calls, their nanoseconds. For bench/edit.py. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static unsigned long long calls, spent;

static unsigned long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (unsigned long long)time.tv_sec * 1000000000u + (unsigned long long)time.tv_nsec;
}

int fsync(int fd)
{
    unsigned long long begin = now();
    int done = (int)syscall(SYS_fsync, fd);
    spent += now() - begin;
    calls++;
    return done;
}

__attribute__((destructor)) static void end(void)
{
    if (calls > 0)
        fprintf(stderr, "fsync %llu %llu\n", calls, spent);
}
