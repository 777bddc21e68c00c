/* sandbox.h: giving up what judging doesn't need. */
#ifndef ASSAY_HOST_SANDBOX_H
#define ASSAY_HOST_SANDBOX_H

#include <stdbool.h>

/* What holds a process that judges: bits. */
enum {
    SANDBOX_SECCOMP = 1,  /* a few system calls, and death for all others; of what fetches: all but some */
    SANDBOX_LANDLOCK = 2, /* no file can be opened, no port reached */
    SANDBOX_LIMITS = 4    /* no new privileges; limits on memory, files, processes, time */
};

/* A worker speaks with descriptor 0 alone; the program itself (ls, meta) writes to 1 and 2. The process that fetches
 * needs the network and reads what libraries read: it can write no file, run no program and touch no process. */
typedef enum { SANDBOX_WORKER, SANDBOX_PROGRAM, SANDBOX_SERVER } sandbox_kind;

/* The descriptor that a stream which is judged has: all others are read by position alone, which no stream can be. A
 * worker gets a stream when it has no file, and its standard output is closed: so it is the first that is free. */
#define SANDBOX_WORKER_STREAM 1
#define SANDBOX_PROGRAM_STREAM 0

/* Makes the filter, which costs time: once, before the workers are started. If it fails sandbox_enter does. */
void sandbox_prepare(sandbox_kind kind);

/* From here on the process can read the files that it has, compute and answer. Gives errno, or 0; *layers: what holds.
 * A layer that the kernel doesn't have is left out, but for seccomp if the program was built with it. */
int sandbox_enter(sandbox_kind kind, unsigned *layers);

/* What this program was built with, and what of it this system has, as a line for people without its end. */
const char *sandbox_describe(void);

/* The layers that the program was built with. */
unsigned sandbox_built(void);

#endif
