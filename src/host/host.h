/* host.h: what needs an operating system. It finds files and reads their first bytes; it never parses them:
 * the core does. Nothing here trusts a file, a directory or a link to stay what it was a moment ago. */
#ifndef ASSAY_HOST_H
#define ASSAY_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay.h"

/* Why a path could not be judged, apart from what the core says. */
typedef enum {
    HOST_FINE,
    HOST_OPEN,      /* it can't be opened: see system */
    HOST_READ,      /* it can't be read: see system */
    HOST_DIRECTORY, /* a directory where a file is wanted */
    HOST_FIFO,
    HOST_DEVICE,
    HOST_SOCKET,
    HOST_CHANGED, /* it changed while it was being read */
    HOST_MEMORY,  /* not enough memory */
    HOST_RANDOM,  /* the system gives no random numbers */
    HOST_EMPTY    /* a directory without a file to judge */
} host_problem;

/* ---- file.c: one open file ---------------------------------------------------------------------------- */

/* When a file was written and changed last, and how long it was: eight bytes each, so it can be compared as bytes. */
typedef struct {
    uint64_t size;
    int64_t written, written_ns, changed, changed_ns;
} host_stamp;

typedef struct {
    int fd;
    int system; /* errno of the call that failed, or 0 */
    uint64_t size;
    host_stamp stamp;
} host_file;

/* Opens a regular file for reading. Never waits for another process and never opens anything but a regular
 * file. */
host_problem host_open(host_file *file, const char *path);

/* Reads exactly bytes[0 .. count) from offset. HOST_CHANGED: the file is shorter than it was. */
host_problem host_read(host_file *file, uint64_t offset, uint8_t *bytes, size_t count);

/* Reads bytes[0 .. count) once more. HOST_CHANGED: they aren't what the file holds now, or it goes on behind its size.
 * They were read in several parts: without this, they could mix a file's state with the next. */
host_problem host_unchanged(host_file *file, const uint8_t *bytes, size_t count);

/* Closes the file. HOST_CHANGED: it isn't as it was when it was opened. */
host_problem host_close(host_file *file);

/* ---- judge.c: one verdict ----------------------------------------------------------------------------- */

/* Memory that is kept from one file to the next, and the seed. Start from HOST_MEMORY_NONE. */
typedef struct {
    uint8_t *head;
    size_t head_room;
    assay_workspace workspace;
    uint64_t seed;
    bool seeded;
} host_memory;

#define HOST_MEMORY_NONE {NULL, 0, {NULL, 0, NULL, 0}, 0, false}

void host_memory_free(host_memory *memory);

/* What was found out about one file. Valid until the memory is used for the next. */
typedef struct {
    host_problem problem; /* unless HOST_FINE nothing below but system and file_size has a meaning */
    int system;           /* errno that explains the problem, or 0 */
    assay_status status;  /* the core's verdict */
    assay_error error;
    assay_need need;       /* tensors, pairs: of a valid file */
    uint64_t file_size;    /* ASSAY_NONE if unknown */
    bool has_length;       /* the file has a header length ... */
    uint64_t header_bytes; /* ... N */
    const uint8_t *head;   /* the private copy that was judged: head[0 .. head_size) */
    size_t head_size;
} host_verdict;

/* Judges the file called path. view: NULL, or where its table goes if it is valid. */
void host_judge(host_memory *memory, const char *path, assay_view *view, host_verdict *verdict);

/* ---- seed.c ------------------------------------------------------------------------------------------- */

/* A number that nobody can know in advance. */
bool host_seed(uint64_t *seed);

/* ---- walk.c: paths to files --------------------------------------------------------------------------- */

typedef struct {
    char **path; /* still to be visited, the next one last; a directory's ends with / */
    size_t count, room;
    char *current; /* what host_walk_next gave out last */
} host_walk;

typedef struct {
    const char *path;     /* valid until the next call */
    host_problem problem; /* HOST_FINE: a file to judge. Else a directory, or the walk itself, failed */
    int system;
} host_item;

/* A walk over all `*.safetensors` files below a directory, sorted by path, byte by byte. Links to files are
 * followed, links to directories below it are not. False: not enough memory. */
bool host_walk_begin(host_walk *walk, const char *directory);
bool host_walk_next(host_walk *walk, host_item *item);
void host_walk_end(host_walk *walk);

#endif
