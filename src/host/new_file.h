/* new_file.h: writes a file that appears under its name when it is complete and on the disk, or not at all. Until then
 * it has a name that nobody guesses, in the same folder, and the file that it replaces is untouched. */
#ifndef ASSAY_HOST_NEW_FILE_H
#define ASSAY_HOST_NEW_FILE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* Why a file is not written. HOST_NEW_ERROR: a call failed, see error. */
typedef enum {
    HOST_NEW_FINE,
    HOST_NEW_ERROR,
    HOST_NEW_NAME,        /* the name is empty, or ends with a slash */
    HOST_NEW_KIND,        /* what has the name is no regular file */
    HOST_NEW_LINK,        /* it is a symbolic link to a file of another folder */
    HOST_NEW_HARD_LINKS,  /* the file has more names, which would keep the old content */
    HOST_NEW_BLOB,        /* it is in the blobs of a Hub cache, where a name is the hash of the content */
    HOST_NEW_OWNER,       /* its owner or group can't be kept: see error */
    HOST_NEW_ACCESS,      /* its access control list can't be kept: see error */
    HOST_NEW_REPLACED,    /* another file has the name by now */
    HOST_NEW_SHORT,       /* the bytes to be copied end too early */
    HOST_NEW_READ,        /* the bytes to be copied can't be read: see error */
    HOST_NEW_STOPPED,     /* a signal came */
    HOST_NEW_DIRECTORY    /* it is complete and has its name, but the folder could not be written to the disk */
} host_new_problem;

#define HOST_NEW_MADE 32 /* bytes of the name that a file has at first */

/* A name that a file is written to. */
typedef struct {
    char *path;           /* without links in its last part */
    const char *name;     /* the last part of path */
    int directory;        /* the folder, open */
    bool exists;          /* a file has the name ... */
    struct stat old;      /* ... this one */
    int error;            /* errno of the call that failed, or 0 */
    mode_t mode;          /* of a file that does not exist yet, less the umask */
    int fd;               /* the new file, or -1 */
    char made[HOST_NEW_MADE];
    uint64_t written;     /* bytes of the new file so far */
    const volatile sig_atomic_t *stop; /* not 0: a signal came; or NULL */
    void (*tell)(uint64_t written);    /* called from time to time while bytes are copied; or NULL */
} host_new_file;

/* Find out what a path names, without changing anything. force: also accept HOST_NEW_LINK, _HARD_LINKS, _BLOB. Call
 * host_new_end in any case. */
host_new_problem host_new_target(host_new_file *file, const char *path, bool force);

/* Return the size of the blocks of the folder's file system, in bytes: a power of two; 4096 if it is unknown. */
uint64_t host_new_block(const host_new_file *file);

/* Is this open file the one that has the name? */
bool host_new_is(const host_new_file *file, const struct stat *other);

/* Make the new file, with mode, owner and access control list of the old one; else with file->mode. force:
 * write it even if the owner can't be kept. */
host_new_problem host_new_begin(host_new_file *file, bool force);

/* Append bytes. */
host_new_problem host_new_bytes(host_new_file *file, const uint8_t *bytes, uint64_t count);

/* Append count bytes of an open file from offset on. On file systems that can do that, the new file shares blocks with
 * the old one, if both offsets have the same position in a block; else the kernel copies, where it can.
 * HOST_NEW_SHORT: there are fewer. */
host_new_problem host_new_copy(host_new_file *file, int from, uint64_t offset, uint64_t count);

/* Write the new file to the disk. It still has no name that anybody knows. */
host_new_problem host_new_sync(host_new_file *file);

/* Give the new file the name, after host_new_sync. Afterwards the old file is gone, unless it has other names. */
host_new_problem host_new_finish(host_new_file *file);

/* Close what is open, and remove the new file if host_new_finish did not return HOST_NEW_FINE or _DIRECTORY. */
void host_new_end(host_new_file *file);

/* Remove the new file, if there is one. A signal handler may call it; in another process it does nothing. */
void host_new_remove(void);

#endif
