/* pool.h: a pool of processes that judge files in a sandbox: what reads untrusted bytes can do nothing else. The parent
 * opens the files, hands them out, and writes the records in the order of the files. */
#ifndef ASSAY_HOST_POOL_H
#define ASSAY_HOST_POOL_H

#include <signal.h>
#include <stdio.h>

#include "host.h"

/* ---- In a worker --------------------------------------------------------------------------------------- */

/* One input to judge. */
typedef struct {
    const char *path; /* of the file or folder, as reports show it */
    host_file file;   /* the worker closes it; none is open if list is set or remote */
    const char *list; /* the names in a folder, a zero byte after each; NULL: it is a file */
    size_t list_size; /* bytes */
    host_problem problem; /* why nothing can be judged in this process; or HOST_FINE */
    int system;           /* errno that belongs to the problem */
    unsigned sandbox;     /* the layers around the worker, see sandbox.h */
    bool remote;          /* on a server: request the files */
    unsigned ahead;       /* how many files of a remote folder may be prefetched */
} pool_job;

/* How records end. A worker writes text without control characters but '\n'. A zero byte and one of these letters end a
 * record, the whole input, or the text before a request. */
typedef enum {
    POOL_VALID = 'v',
    POOL_INVALID = 'i',
    POOL_REFUSED = 'r',
    POOL_NOTE = 'n',
    POOL_ERROR = 'e',
    POOL_DONE = '.',
    POOL_REQUEST = '?',
    POOL_RULE = 0x80 /* + a rule's code: the record, which goes on, is about this rule */
} pool_mark;

/* Write a mark. */
void pool_mark_end(FILE *answer, pool_mark mark);

/* Request a file of the input by its whole path, and wait for it. shard: open it as host_open_inside does. The caller
 * closes *file. Exits if the parent is gone. */
host_problem pool_request(FILE *answer, const char *path, bool shard, host_file *file);

/* Announce that a remote shard will be requested, so that it is fetched meanwhile. */
void pool_prefetch(FILE *answer, const char *path);

/* ---- In the parent ------------------------------------------------------------------------------------- */

typedef struct {
    unsigned workers; /* at most this many processes */
    bool sandbox;
    bool color;                                             /* color sequences may be in records */
    void (*prepare)(void *state);                           /* in a worker, before it enters its sandbox */
    void (*work)(void *state, pool_job *job, FILE *answer); /* in a worker: writes at least one record */
    void *state;                                            /* each worker has its own copy */
    void (*text)(void *context, const char *bytes, size_t count); /* more of a record */
    void (*end)(void *context, pool_mark verdict);                /* the end of a record, or its rule */
    /* There are no records, or no complete ones. */
    void (*problem)(void *context, const char *path, host_problem problem, int system);
    void (*tick)(void *context); /* called about ten times a second */
    void *context;
    /* In a process of its own: fetches remote files. NULL: there are none. */
    void (*serve)(int socket, unsigned connections, unsigned scope);
    unsigned connections;       /* at most this many */
    unsigned scope;             /* which servers may be reached: a remote_scope */
    uint64_t model_bytes_most;  /* after this many bytes or seconds no more files of a remote model are fetched */
    int64_t model_seconds_most;
    host_fetch *cost;            /* the cost of all remote files is added here */
    volatile sig_atomic_t *stop; /* not 0: hand out no more, and finish the record that is half written */
} pool_options;

typedef struct pool pool;

/* Make a pool; no process is started yet. NULL: not enough memory. */
pool *pool_begin(const pool_options *options);

/* Add a file to judge, and take it over. This and the next functions may wait, and write records that are complete.
 * Return false if the program is stopped. */
bool pool_file(pool *all, const char *path, const host_file *file);

/* Add a folder with a model, of which these names matter. directory: open, and closed by the pool; or -1. */
bool pool_folder(pool *all, const char *name, int directory, char *const *names, size_t count);

/* Add a remote file (count 0), or a remote folder, of which the first of these names that exists matters. query: what
 * goes after each path to make an address of it. */
bool pool_remote(pool *all, const char *path, char *const *names, size_t count, const char *query);

/* Add an input that cannot be judged, and why. */
bool pool_problem(pool *all, const char *path, host_problem problem, int system);

/* Wait until a worker has written something, so that a descriptor may become free. Return false if no worker has an
 * input. */
bool pool_wait(pool *all);

/* Write all other records, unless stopped, end the processes, and free the pool. */
void pool_end(pool *all);

#endif
