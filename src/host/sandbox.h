/* sandbox.h: what a process gives up before it reads untrusted bytes. */
#ifndef ASSAY_HOST_SANDBOX_H
#define ASSAY_HOST_SANDBOX_H

#include <stdbool.h>

/* The layers of the sandbox: bits. */
enum {
    SANDBOX_SECCOMP = 1,  /* a worker: a few system calls, any other kills it. The process that fetches: all but some.
                             The process that writes: those that are listed, any other fails */
    SANDBOX_LANDLOCK = 2, /* no file can be opened, no port reached; see sandbox_kind for what is left to others */
    SANDBOX_LIMITS = 4    /* no new privileges; limits on memory, files, processes, time */
};

/* A worker reads and writes descriptor 0 alone; the program itself (ls, meta) writes to 1 and 2. The process that
 * fetches uses the network and reads the files of libraries: it cannot write files, run programs or reach processes.
 * The process that writes a file reads others, and writes in one folder. */
typedef enum { SANDBOX_WORKER, SANDBOX_PROGRAM, SANDBOX_SERVER, SANDBOX_WRITER } sandbox_kind;

/* The descriptor of a stream that is judged. Other descriptors are only read by offset, which no stream allows. A
 * worker gets a stream when it has no other file, and its standard output is closed, so this is the first that is
 * free. */
#define SANDBOX_WORKER_STREAM 1
#define SANDBOX_PROGRAM_STREAM 0

/* Make the filter, which takes time: once, before the workers are started. If this fails, sandbox_enter fails. */
void sandbox_prepare(sandbox_kind kind);

/* Enter the sandbox: from here on the process can read the files that it has open, compute, and write its output.
 * Return errno, or 0. *layers: the layers that are in place. A layer that the kernel lacks is left out, except
 * seccomp. */
int sandbox_enter(sandbox_kind kind, unsigned *layers);

/* The same for SANDBOX_WRITER. folder: the open folder in which it may write; -1: none. */
int sandbox_enter_writer(int folder, unsigned *layers);

/* Return a line for people, without its end: the layers that the program was built with and this system has. */
const char *sandbox_describe(void);

/* Return the layers that the program was built with. */
unsigned sandbox_built(void);

#endif
