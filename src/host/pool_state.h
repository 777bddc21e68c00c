/* pool_state.h: the state of the parent process: the inputs, the workers, and the files that are being fetched.
 * dispatch.c calls the other files that include this header; none of them calls dispatch.c. worker_records.c calls
 * fetch_queue.c. */
#ifndef ASSAY_HOST_POOL_STATE_H
#define ASSAY_HOST_POOL_STATE_H

#include <poll.h>
#include <sys/types.h>

#include "pool.h"

/* The most work that a worker has at once, as a weight: a small file weighs 1, anything else a quarter of this. */
#define POOL_LOAD_MOST 64u

#define POOL_REQUEST_MOST 16384u /* bytes of a worker's request for a file: no path is that long */

#define POOL_KEPT_MOST 16384u /* bytes of records that wait for those of earlier inputs */

/* How a worker requests a file: the first byte of its request; the path and a zero byte follow. */
enum {
    POOL_REQUEST_FILE = 'f',    /* one of the names that came with the folder, or the remote file itself */
    POOL_REQUEST_SHARD = 's',   /* a shard: any path that does not lead out of the folder */
    POOL_REQUEST_PREFETCH = 'w' /* a remote shard, which will be requested soon: there is no reply */
};

/* An input: it waits for a worker, is with one, or is done and waits for earlier inputs. */
typedef struct {
    char *path;         /* for a folder, the names in it follow; a zero byte after each */
    size_t size;        /* bytes of the path and the names */
    bool folder;
    bool named;         /* the user named this index, and no folder: it is reported under the index's path */
    bool remote;        /* on a server */
    bool may_request;   /* a folder, or remote: its worker may request files */
    char *query;        /* of a remote input: what goes after each path; else NULL */
    uint64_t moved;     /* bytes that were transferred for its files */
    int64_t fetched_at; /* seconds: when its first file was requested from a server; 0: none was */
    host_file file;     /* open until a worker is done with it; for a folder, the directory */
    bool done;
    host_problem problem; /* why there are no records, or no complete ones */
    int system;           /* errno, or the signal that ended the worker */
    unsigned weight;
    unsigned records;    /* that are complete */
    bool open;           /* text or a rule came after the last complete record */
    char *text;          /* records and marks that wait for those of earlier inputs */
    size_t length, room; /* of text, in bytes */
} pool_slot;

/* A child process, as the parent sees it. */
typedef struct {
    pid_t pid;
    int socket;   /* -1: there is no process */
    int64_t born; /* seconds */
    size_t slot[POOL_LOAD_MOST]; /* the inputs that it has, in this order; it is at the first */
    unsigned slots, sent;        /* how many; the first `sent` of them have been sent, the others wait ... */
    unsigned batch;              /* ... and are sent together when there are this many */
    unsigned load;               /* the weight of all of them */
    bool gone;       /* it cannot be sent anything; what it wrote before is still read */
    bool in_mark;    /* the last byte was the zero byte before a mark */
    bool in_request; /* it is writing a request for a file */
    char request[POOL_REQUEST_MOST];
    size_t request_size;
    char held[4]; /* the beginning of a character whose other bytes have not come yet */
    size_t held_size;
} pool_worker;

/* A remote file that a worker needs, or will need soon. */
typedef struct {
    char *path;    /* below the folder of the input, or empty; NULL: this entry is free */
    size_t slot;   /* the input */
    bool is_index; /* fetch all of it, not only its head */
    enum { FETCH_QUEUED, FETCH_SENT, FETCH_ARRIVED } state;
    bool awaited;  /* a worker waits for it */
    bool dropped;  /* the input is done: discard it when it arrives */
    host_problem problem;
    host_file file;
} pool_fetch;

struct pool {
    pool_options options;
    const volatile sig_atomic_t *stop; /* not 0: the user has stopped the program */
    pool_worker *worker;
    struct pollfd *wait;        /* one for each worker, and one for the process that fetches */
    pool_slot *slot;            /* a ring: the inputs that are not reported yet, in their order */
    size_t slots, first, count;
    size_t files;               /* the most files that may be open with workers */
    unsigned load_most, batch_most; /* of a worker: its load; inputs in one message */
    pool_worker *filling;       /* a worker with inputs that have not been sent yet, or NULL */
    bool busy;                  /* a worker has written more than was read */
    bool inside;                /* a record of the first input is half written */
    pool_worker fetcher;        /* the process that fetches remote files */
    pool_fetch *fetch;
    size_t fetches, sent;       /* entries; those that are with the process that fetches */
};

/* ---- worker_records.c: what workers write, in the order of the inputs ---------------------------------------- */

/* End the records of an input: close its file, and discard those that were requested for it. */
void worker_records_finish(pool *all, pool_slot *slot);

/* The same for an input without complete records, and why. */
void worker_records_fail(pool *all, pool_slot *slot, host_problem problem, int system);

/* Write all records whose turn it is, as far as they have come. Once the program is stopped, begin no new record. */
void worker_records_write(pool *all);

/* Take records and requests out of what a worker has written. Keep an incomplete character in worker->held. Return
 * false if no honest worker writes this: the caller ends the worker. */
bool worker_records_take(pool *all, pool_worker *worker, const char *bytes, size_t count);

/* ---- fetch_queue.c: files on servers ------------------------------------------------------------------------- */

/* Queue a file of a remote input. path: below the input's own. Return false if there is no memory, or the worker has
 * requested too many in advance. */
bool fetch_queue_add(pool *all, const pool_slot *slot, const char *path, bool is_index, bool awaited);

/* Discard the files of an input. */
void fetch_queue_drop(pool *all, const pool_slot *slot);

/* Send queued files to the process that fetches, as many as it takes. Start that process if there is none. */
void fetch_queue_send(pool *all);

/* Receive one file, or the reason why there is none, from the process that fetches. */
void fetch_queue_receive(pool *all);

/* Remove a file that has arrived and that a worker waits for. Return false if there is none. The caller closes it. */
bool fetch_queue_take(pool *all, pool_fetch *fetched);

/* End the process that fetches, and free the queue. */
void fetch_queue_end(pool *all);

/* ---- worker.c: child processes ------------------------------------------------------------------------------- */

/* Start a process that judges files, or the process that fetches. Return errno, or 0. */
int worker_start(pool_worker *worker, const pool_options *options);
int worker_start_fetcher(pool_worker *worker, const pool_options *options);

/* End the process, by force if kill_it or if it has not ended after two seconds. Return the signal that ended it if it
 * was not ours, or 0. */
int worker_end(pool_worker *worker, bool kill_it);

#endif
