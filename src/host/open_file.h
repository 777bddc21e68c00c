/* open_file.h: opening and reading one file, and what can be wrong with it. */
#ifndef ASSAY_HOST_OPEN_FILE_H
#define ASSAY_HOST_OPEN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay.h"
#include "fetch_result.h"

/* Why an input could not be judged. system: errno, if nothing else is stated. */
typedef enum {
    HOST_FINE,
    HOST_OPEN,       /* it cannot be opened: see system */
    HOST_READ,       /* it cannot be read: see system */
    HOST_DIRECTORY,  /* a directory, and no file */
    HOST_FIFO,
    HOST_DEVICE,
    HOST_SOCKET,
    HOST_CHANGED,    /* it changed while it was being read */
    HOST_MEMORY,     /* not enough memory */
    HOST_RANDOM,     /* the system provides no random numbers */
    HOST_EMPTY,      /* a directory without a file to judge */
    HOST_UNCHOSEN,   /* a directory without a file that --include and --exclude choose */
    HOST_EMPTY_LIST, /* a list without a name */
    HOST_OUTSIDE,    /* a link leads out of the folder */
    HOST_SANDBOX,    /* the sandbox cannot be entered: see system */
    HOST_START,      /* no process can be started: see system */
    HOST_CROWDED,    /* an index names a file that too many others name */
    HOST_PART,       /* it is unknown whether a file of a numbered set exists: see system */
    HOST_PARTS,      /* too many files of numbered sets would have to be looked for */
    HOST_DIED,       /* the process that checked it died: system is the signal, or 0 */
    HOST_TWICE,      /* a stream that was read already */
    HOST_REMOTE,     /* it cannot be fetched: see host_fetch */
    HOST_NO_REMOTE,  /* the program was built without support for remote files */
    HOST_LOCAL_ONLY, /* an address, for a command that takes local files only */
    HOST_OTHER_KIND  /* there is no such file, and it looks like an address of a kind that is not supported */
} host_problem;

/* Which file it is, its size in bytes, and when it was written and changed last. All members have eight bytes, so
 * stamps can be compared as bytes. */
typedef struct {
    uint64_t device, inode, size;
    int64_t written, written_ns, changed, changed_ns;
} host_stamp;

/* Is there an index of the same model beside a file? */
typedef enum { HOST_NONE_BESIDE, HOST_INDEX_BESIDE, HOST_BESIDE_UNKNOWN } host_beside;

typedef struct {
    int fd;        /* -1: none is open */
    bool stream;   /* it can be read once, from its current offset; its size is ASSAY_NONE until its end has come */
    int system;    /* errno of the call that failed, or 0 */
    uint64_t size; /* bytes */
    host_stamp stamp;
    host_fetch fetch;
    host_beside beside; /* of a file that is judged without an index */
} host_file;

/* ---- open_file.c --------------------------------------------------------------------------------------- */

/* Open a regular file for reading, and nothing else. Never waits for another process. directory: AT_FDCWD, if the user
 * named the path; or an open directory, in which path is a name that was found. */
host_problem host_open(host_file *file, int directory, const char *path);

/* The same for a name in an open directory that was a regular file when the directory was read: one call less. */
host_problem host_open_seen(host_file *file, int directory, const char *name);

/* The same for an absolute path without links; fails if there is a link in it now. */
host_problem host_open_real(host_file *file, const char *path);

/* The same for a path below an open directory. Its links must not lead out of the directory. */
host_problem host_open_below(host_file *file, int directory, const char *path);

/* Take over an open descriptor. It is closed if it is not a regular file. */
host_problem host_take(host_file *file, int fd);

/* Read exactly bytes[0 .. count) from offset. HOST_CHANGED: the file is shorter than it was. */
host_problem host_read(host_file *file, uint64_t offset, uint8_t *bytes, size_t count);

/* Read all of a small file. bytes: file->size bytes and one more. HOST_CHANGED: its size is not what it was. */
host_problem host_read_whole(host_file *file, uint8_t *bytes);

/* Read bytes[0 .. count) again, and compare. HOST_CHANGED: the file holds other bytes now. A read in several parts, by
 * us or by the system, could otherwise mix two states of the file. */
host_problem host_unchanged(host_file *file, const uint8_t *bytes, size_t count);

/* Check that the file ends at its size. HOST_CHANGED: it goes on. */
host_problem host_ends(host_file *file);

/* The empty path by which the system is asked about an open file. The sandbox knows it by its address, and puts it
 * where nothing else can be put. */
extern const char *host_empty_path;

/* Close the file. HOST_CHANGED: it is not as it was when it was opened. */
host_problem host_close(host_file *file);

/* ---- model_file.c: files of a model -------------------------------------------------------------------- */

/* Copy the whole file. *bytes is for free(); it is NULL, with HOST_FINE, if the file has more than `most` bytes. */
host_problem host_copy(host_file *file, uint64_t most, uint8_t **bytes);

/* Open a path that begins with that of a folder, both as the user sees them. directory: the folder, if it is open, or
 * -1. HOST_OUTSIDE: a link leads out of the folder, and not into the blobs of the Hub's cache that the folder is in. */
host_problem host_open_inside(host_file *file, int directory, const char *folder, const char *path);

/* ---- stream.c: descriptors that the caller of the program opened ---------------------------------------- */

/* Take a copy of fd, which stays open. A regular file is judged as a whole, whatever its offset; anything else but a
 * directory and a disk is a stream. */
host_problem host_take_from(host_file *file, int fd);

/* Read a stream until `least` bytes have come, or its end; never more than `most`. *count: how many have come. */
host_problem host_stream_read(host_file *file, uint8_t *bytes, size_t least, size_t most, size_t *count);

#define HOST_DATA 512u   /* bytes: enough for the mark of a tar archive */
#define HOST_TAIL 65557u /* bytes: a ZIP archive ends in a record of 22 bytes and a comment of up to 65,535 */

/* What is kept of a stream after its header: the first bytes of the data, and the last bytes. */
typedef struct {
    uint8_t data[HOST_DATA], bytes[4 * HOST_TAIL];
    size_t held; /* of bytes */
    const uint8_t *tail;
    size_t tail_size;
    bool ended;
} host_ending;

/* Keep what has come of a stream, head[0 .. got); the header is head[0 .. head_size). From here on file->size is the
 * number of bytes that have come. */
void host_stream_keep(host_file *file, const uint8_t *head, size_t head_size, size_t got, host_ending *to);

/* Read on until `most` bytes of the stream have come, or its end. */
host_problem host_stream_go_on(host_file *file, size_t head_size, uint64_t most, host_ending *to);

/* Make a file without a name, in memory where the system can do that. Return a descriptor, or -1 and errno. */
int host_nameless(void);

/* ---- open_beneath.c: opening what was found. Each returns a descriptor, or -1 and errno ------------------- */

/* Open a name in a directory. A link is followed wherever it leads, except the special links of /proc. */
int host_open_found(int directory, const char *name, int flags);

/* Open a path that contains no link. */
int host_open_beneath(int root, const char *path, int flags);

/* Open a path whose links, if there are any, do not lead out of the directory. */
int host_open_within(int root, const char *path, int flags);

/* Check that host_open_within can open a path. Return 0; EXDEV if a link leads out or the system cannot tell; otherwise
 * errno. */
int host_leaves(int root, const char *path);

/* ---- random_seed.c --------------------------------------------------------------------------------------- */

/* Store an unpredictable number. Return false if the system provides none. */
bool host_seed(uint64_t *seed);

#endif
