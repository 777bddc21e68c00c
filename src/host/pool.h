/* pool.h: processes that judge files, so that what reads a stranger's bytes can do nothing else. One process opens the
 * files, hands them out, and writes down what the others say, in the order of the files. */
#ifndef ASSAY_HOST_POOL_H
#define ASSAY_HOST_POOL_H

#include <signal.h>
#include <stdio.h>

#include "host.h"

/* What a worker is given. */
typedef struct {
    const char *path; /* how the file, or the folder, is called in what is said of it */
    host_file file;   /* the worker closes it; of a folder none */
    const char *list; /* of a folder: the names in it, a zero byte behind each; else NULL */
    size_t list_size;
    host_problem problem; /* HOST_FINE, or the reason why nothing can be judged here */
    int system;
    unsigned sandbox; /* the layers that the worker has around it, see sandbox.h */
    bool afar;        /* file, or folder, is on a server: the file is to be asked for */
    unsigned ahead;   /* of a folder there: so many files may be wanted before they are asked for */
} pool_job;

/* In a worker: how a record ends. An answer is text without control characters but '\n'; a NUL and a letter end a
 * record, or all of the job. */
typedef enum {
    POOL_VALID = 'v',
    POOL_INVALID = 'i',
    POOL_REFUSED = 'r',
    POOL_NOTE = 'n',
    POOL_ERROR = 'e',
    POOL_DONE = '.',
    POOL_ASK = '?',
    POOL_RULE = 0x80 /* + the code of the rule that the record is about, which goes on behind it */
} pool_mark;
void pool_mark_end(FILE *answer, pool_mark mark);

/* In a worker that judges a folder, or what is on a server: asks for a file of it, by its whole path. shard: by
 * host_open_inside. */
host_problem pool_ask(FILE *answer, const char *path, bool shard, host_file *file);

/* The same of a shard on a server, which will be asked for soon: it may be fetched meanwhile. */
void pool_want(FILE *answer, const char *path);

typedef struct {
    unsigned workers; /* at most so many processes */
    bool sandbox;
    bool colour;                                                     /* ESC may be in an answer */
    void (*prepare)(void *state);                           /* in a worker, before it has a sandbox */
    void (*work)(void *state, pool_job *job, FILE *answer); /* in a worker: ends at least one record */
    void *state;                                            /* each worker has its own copy */
    void (*text)(void *context, const char *bytes, size_t count);    /* more of a record */
    void (*end)(void *context, pool_mark verdict);                   /* it is whole; or its rule */
    /* There is no answer, or half of one. */
    void (*problem)(void *context, const char *path, host_problem problem, int system);
    void (*tick)(void *context);                                     /* now and then */
    void *context;
    /* In a process of its own: fetches; NULL: nothing can. */
    void (*serve)(int socket, unsigned connections, unsigned scope);
    unsigned connections; /* at most so many */
    unsigned scope;       /* which servers may be asked: a remote_scope */
    host_fetch *cost;                                /* what all of it has cost is added here */
    volatile sig_atomic_t *stop; /* set: hand out no more, end what is half written */
} pool_options;

typedef struct pool pool;

/* NULL: not enough memory. */
pool *pool_begin(const pool_options *options);

/* One more file to judge, or one that can't be judged and why. These may wait, and say what has been found out. False:
 * stopped. */
bool pool_file(pool *all, const char *path, const host_file *file);
/* A folder with a model, of which the names in it matter. directory: it is open, and is closed, or -1. */
bool pool_folder(pool *all, const char *name, int directory, char *const *names, size_t count);
/* A file on a server, count 0: or a folder there, of which the first of these names that there is matters. query: what
 * goes behind each path to make an address of it. */
bool pool_afar(pool *all, const char *path, char *const *names, size_t count, const char *query);
bool pool_problem(pool *all, const char *path, host_problem problem, int system);

/* Waits for one of the files that are being judged, so that its descriptor becomes free. False: there is none. */
bool pool_wait(pool *all);

/* Says all that is still to be said, unless stopped. */
void pool_end(pool *all);

#endif
