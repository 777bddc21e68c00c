/* pool_parts.h: what pool.c and worker.c share. */
#ifndef ASSAY_HOST_POOL_PARTS_H
#define ASSAY_HOST_POOL_PARTS_H

#include <poll.h>
#include <sys/types.h>

#include "pool.h"

/* What a worker has at once, so that it needn't wait for the next file, weighs at most this: a small file 1, all others
 * a quarter. */
#define POOL_AHEAD 64u

#define POOL_ASK_MOST 16384u /* no path is that long */

/* A file that is being judged, or was and waits until those before it have been told. */
typedef struct {
    char *path;     /* and, of a folder, the names in it: a zero byte behind each */
    size_t size;    /* of all these */
    bool folder, named; /* named: an index that the user named stands for it */
    bool afar;          /* it is on a server */
    char *query;        /* of a folder there, or NULL */
    uint64_t moved;     /* bytes that its files have cost, and since when (seconds) one was asked for; 0: none was */
    int64_t since;
    host_file file; /* fd: until a worker is done with it; of a folder the directory's */
    bool done;
    host_problem problem; /* no answer, or no whole one */
    int system;
    unsigned weight;
    unsigned records; /* that have ended */
    char *text;       /* the answer so far, if files before this one come first */
    size_t length, room;
} pool_slot;

/* A process, seen from outside. */
typedef struct {
    pid_t pid;
    int socket; /* -1: there is no process */
    int64_t born;
    size_t slot[POOL_AHEAD]; /* what it has, in this order */
    unsigned slots, unsent;  /* the last of them are still to be sent to it, together, ... */
    unsigned batch;          /* ... when there are so many */
    unsigned load;           /* what they weigh */
    bool gone; /* it takes no more: what it still said is heard, then it is lost */
    bool mark; /* the last byte was the NUL before a mark */
    bool asks; /* it is naming a file that it wants: ask[0] is how, then comes the path */
    char ask[POOL_ASK_MOST];
    size_t asked;
    char held[4]; /* the beginning of a character whose rest is to come */
    size_t holds;
} pool_worker;

/* A file on a server that somebody wants. */
typedef struct {
    char *path;  /* below the folder, or empty; NULL: this entry is free */
    size_t slot; /* whose it is */
    bool whole;
    enum { FETCH_WANTED, FETCH_ASKED, FETCH_HERE } state;
    bool awaited; /* a worker does nothing before it has it */
    bool dropped; /* nobody wants it any more */
    host_problem problem;
    host_file file;
} pool_fetch;

#define KEPT_MOST 16384u /* bytes of an answer whose turn hasn't come */

struct pool {
    pool_options options;
    pool_worker *worker;
    struct pollfd *wait;
    pool_slot *slot;
    size_t slots, first, count; /* the ring */
    size_t files;               /* at most so many are with workers */
    unsigned ahead, batch;      /* what a worker has at once weighs at most this; of it at most half in one message */
    pool_worker *filling;       /* it has some that are still to be sent, or NULL */
    bool eager;                 /* a worker has said more than was heard */
    bool inside;                /* a record of the first file is half told */
    pool_worker server;         /* the process that fetches */
    pool_fetch *fetch;
    size_t fetches, asked; /* entries; those that the server is at */
};

/* How many of its files were sent to it: the first of them it is at. */
static inline unsigned pool_given(const pool_worker *worker)
{
    return worker->slots - worker->unsent;
}

/* May the judge of it ask for files? */
static inline bool pool_asks(const pool_slot *slot)
{
    return slot->folder || slot->afar;
}

/* Hears what a worker has said so far, without waiting. */
void pool_hear(pool *all, pool_worker *worker);

/* Waits for workers to say something, and hears it. */
void pool_hear_all(pool *all);

static inline bool pool_stopped(const pool *all)
{
    return *all->options.stop != 0;
}

/* Is it stopped, and the record that was half told whole? */
static inline bool pool_is_over(const pool *all)
{
    return pool_stopped(all) && !all->inside;
}

/* ---- give.c: what workers are given ----------------------------------------------------------------------- */

/* Gives the file of a slot to a worker, now or together with the next ones. errno: nobody takes it; or 0. */
int give(pool *all, pool_slot *slot);

/* Sends what is still to be sent. */
void give_rest(pool *all);

/* The worker died, or said what can't be: the file that it was at is not judged, the others are given to a new one. */
void pool_lose(pool *all, pool_worker *worker, bool kill_it);

/* ---- ring.c: what has been said of the files, in their order -------------------------------------------- */

/* The file that stands at this place of the ring: 0 is the first that isn't told. */
pool_slot *ring_at(pool *all, size_t place);

/* A piece of text, or a mark, of what a worker says of the file. */
void ring_text(pool *all, pool_slot *slot, const char *bytes, size_t count);
void ring_mark(pool *all, pool_slot *slot, char mark);

/* There will be no more; or there is no answer, for this reason. */
void ring_done(pool_slot *slot);
void ring_fail(pool_slot *slot, host_problem problem, int system);

/* Tells all that can be told in order, and what there is of the first file that isn't done. */
void ring_tell(pool *all);

/* ---- answer.c: what a worker says ------------------------------------------------------------------------ */

/* Takes it apart; false: no worker says that. What is left of it until more comes is held. */
bool answer_take(pool *all, pool_worker *worker, const char *bytes, size_t count);

/* ---- ask.c: what the judge of a folder asks for ---------------------------------------------------------- */

/* Takes what belongs to a question, up to its end, and then answers it; gives how many bytes that are, or 0 if it can't
 * be a question, or is one about what isn't part of the folder. */
size_t ask_take(pool *all, pool_worker *worker, pool_slot *slot, const char *bytes, size_t count);

/* The place of a path in the slot's folder among the names in it; NULL: it is none of them. */
const char *ask_name(const pool_slot *slot, const char *path);

/* ---- afar.c: files on servers ----------------------------------------------------------------------------- */

/* A worker asks for a file of the slot that it is at, or (how: w) says that it will. False: it has no right to it. */
bool afar_ask(pool *all, pool_slot *slot, char how, const char *path);

/* Nobody wants the slot's files any more. */
void afar_drop(pool *all, const pool_slot *slot);

/* Asks the server for what is wanted, and gives to workers what is there. */
void afar_go_on(pool *all);

/* The server has something to say. */
void afar_hear(pool *all);

void afar_end(pool *all);

/* ---- worker.c ------------------------------------------------------------------------------------------ */

/* Starts a process that works. errno, or 0. */
int worker_start(pool_worker *worker, const pool_options *options);

/* Starts the process that fetches. errno, or 0. */
int worker_start_server(pool_worker *worker, const pool_options *options);

/* Ends it, by force if it doesn't end by itself. Gives the signal that it died of, or 0. */
int worker_end(pool_worker *worker, bool kill_it);

#endif
