/* new_file.c: see new_file.h. */
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <sys/xattr.h>
#endif

#include "file_ranges.h"
#include "new_file.h"
#include "open_file.h"

#define BLOCK_UNKNOWN 4096u
#define BLOCK_MOST 65536u            /* what network file systems report as a block is no unit of storage */
#define CHUNK ((uint64_t)64 << 20)   /* bytes copied between two looks at the signals: a multiple of every block */
#define CLONE ((uint64_t)1 << 30)    /* bytes shared between two looks at the signals: as above */
#define BUFFER ((size_t)128 << 10)   /* bytes: more of them leave the processor's caches */
#define ATTEMPTS 100

/* The file that a signal handler removes. */
static struct {
    volatile sig_atomic_t there;
    pid_t owner;
    int directory;
    char name[HOST_NEW_MADE];
} unfinished;

void host_new_remove(void)
{
    if (unfinished.there && getpid() == unfinished.owner)
        unlinkat(unfinished.directory, unfinished.name, 0);
}

static host_new_problem failed(host_new_file *file, host_new_problem problem)
{
    file->error = errno;
    return problem;
}

/* ---- What has the name ----------------------------------------------------------------------------------- */

/* Return the length of the folder in a path, with its slash. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash + 1 - path);
}

/* Return the path of the folder of a path, for free(), or NULL. */
static char *folder_of(const char *path)
{
    size_t length = folder_length(path);
    char *folder = malloc(length + 2);
    if (folder != NULL)
        snprintf(folder, length + 2, "%.*s", length == 0 ? 1 : (int)length, length == 0 ? "." : path);
    return folder;
}

/* Is a real path that of a blob of a Hub cache: .../models--OWNER--NAME/blobs/HASH? */
static bool is_blob(const char *path)
{
    static const char *const kinds[] = {"models--", "datasets--", "spaces--"};
    static const char blobs[] = "/blobs/";
    size_t length = folder_length(path), end = sizeof blobs - 1;
    if (length <= end || strncmp(path + length - end, blobs, end) != 0)
        return false;
    size_t begin = length - end;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    bool is = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        is = is || strncmp(path + begin, kinds[i], strlen(kinds[i])) == 0;
    return is;
}

/* Store the path of the file without links in its last part, and whether a link leads to another folder. */
static bool resolve(host_new_file *file, const char *path, bool *leaves)
{
    struct stat status;
    char *folder = folder_of(path), *real = folder == NULL ? NULL : realpath(folder, NULL);
    free(folder);
    if (real == NULL)
        return false;
    bool link = lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
    if (link) {
        file->path = realpath(path, NULL);
        size_t length = file->path == NULL ? 0 : folder_length(file->path);
        length -= length > 1; /* without its slash, as realpath returns it */
        *leaves = strlen(real) != length || strncmp(real, file->path, length) != 0;
    } else {
        size_t room = strlen(real) + strlen(path) + 2;
        file->path = malloc(room);
        if (file->path != NULL)
            snprintf(file->path, room, "%s%s%s", real, real[1] == '\0' ? "" : "/", path + folder_length(path));
    }
    free(real);
    return file->path != NULL;
}

host_new_problem host_new_target(host_new_file *file, const char *path, bool force)
{
    bool leaves = false;
    *file = (host_new_file){.directory = -1, .fd = -1, .mode = 0666};
    if (path[folder_length(path)] == '\0')
        return HOST_NEW_NAME;
    if (!resolve(file, path, &leaves))
        return failed(file, HOST_NEW_ERROR);
    file->name = file->path + folder_length(file->path);
    char *folder = folder_of(file->path);
    file->directory = folder == NULL ? -1 : open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (file->directory < 0)
        return failed(file, HOST_NEW_ERROR);
    file->exists = fstatat(file->directory, file->name, &file->old, AT_SYMLINK_NOFOLLOW) == 0;
    if (!file->exists && errno != ENOENT)
        return failed(file, HOST_NEW_ERROR);
    if (file->exists && !S_ISREG(file->old.st_mode))
        return HOST_NEW_KIND;
    if (force)
        return HOST_NEW_FINE;
    return leaves                                        ? HOST_NEW_LINK
           : is_blob(file->path)                         ? HOST_NEW_BLOB
           : file->exists && file->old.st_nlink > 1      ? HOST_NEW_HARD_LINKS
                                                         : HOST_NEW_FINE;
}

uint64_t host_new_block(const host_new_file *file)
{
    struct statvfs system;
    if (file->directory < 0 || fstatvfs(file->directory, &system) != 0)
        return BLOCK_UNKNOWN;
    uint64_t block = system.f_bsize;
    bool fits = block >= 8 && block <= BLOCK_MOST && (block & (block - 1)) == 0;
    return fits ? block : BLOCK_UNKNOWN;
}

bool host_new_is(const host_new_file *file, const struct stat *other)
{
    return file->exists && file->old.st_dev == other->st_dev && file->old.st_ino == other->st_ino;
}

/* ---- The new file ---------------------------------------------------------------------------------------- */

#if defined(__linux__)

#define ACCESS_LIST "system.posix_acl_access"

/* Copy the access control list of the old file: without it, its mode would mean more than it did. */
static bool keep_access(host_new_file *file)
{
    int old = openat(file->directory, file->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (old < 0)
        return false;
    uint8_t list[4096];
    ssize_t size = fgetxattr(old, ACCESS_LIST, list, sizeof list);
    bool none = size < 0 && (errno == ENODATA || errno == EOPNOTSUPP || errno == ENOSYS);
    if (none) /* the new file may have one from the folder */
        none = fremovexattr(file->fd, ACCESS_LIST) == 0 || errno == ENODATA || errno == EOPNOTSUPP || errno == ENOSYS;
    bool fine = none || (size >= 0 && fsetxattr(file->fd, ACCESS_LIST, list, (size_t)size, 0) == 0);
    int why = errno;
    close(old);
    errno = why;
    return fine;
}

#else

static bool keep_access(host_new_file *file)
{
    (void)file;
    return true;
}

#endif

/* Give the new file owner and mode of the old one. The mode comes last, as a new owner takes some of its bits. */
static host_new_problem keep_mode(host_new_file *file, bool force)
{
    struct stat now;
    if (!file->exists)
        return HOST_NEW_FINE;
    if (fstat(file->fd, &now) != 0)
        return failed(file, HOST_NEW_ERROR);
    bool same = now.st_uid == file->old.st_uid && now.st_gid == file->old.st_gid;
    if (!same && fchown(file->fd, file->old.st_uid, file->old.st_gid) != 0 && !force)
        return failed(file, HOST_NEW_OWNER);
    if (fchmod(file->fd, file->old.st_mode & 07777) != 0)
        return failed(file, HOST_NEW_ERROR);
    return keep_access(file) ? HOST_NEW_FINE : failed(file, HOST_NEW_ACCESS);
}

host_new_problem host_new_begin(host_new_file *file, bool force)
{
    uint64_t number;
    /* nobody else may open it before it has the mode of the old file */
    mode_t mode = file->exists ? 0600 : file->mode;
    for (int attempt = 0; file->fd < 0 && attempt < ATTEMPTS; attempt++) {
        if (!host_seed(&number)) {
            errno = EAGAIN;
            break;
        }
        snprintf(file->made, sizeof file->made, ".assay-%016llx", (unsigned long long)number);
        memcpy(unfinished.name, file->made, sizeof unfinished.name);
        unfinished.directory = file->directory;
        unfinished.owner = getpid();
        unfinished.there = 1; /* before it is: a signal may come in between */
        file->fd = openat(file->directory, file->made, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (file->fd < 0 && errno != EEXIST)
            break;
    }
    if (file->fd < 0)
        return failed(file, HOST_NEW_ERROR);
    return keep_mode(file, force);
}

host_new_problem host_new_bytes(host_new_file *file, const uint8_t *bytes, uint64_t count)
{
    while (count > 0) {
        ssize_t put = write(file->fd, bytes, count < CHUNK ? (size_t)count : (size_t)CHUNK);
        if (put < 0 && errno == EINTR)
            continue;
        if (put == 0)
            errno = EIO;
        if (put <= 0)
            return failed(file, HOST_NEW_ERROR);
        bytes += put;
        count -= (uint64_t)put;
        file->written += (uint64_t)put;
    }
    return HOST_NEW_FINE;
}

/* Let the new file share blocks with an open one, from an offset at which a block begins. Return how many bytes it has
 * got so, or 0 if they can't share any: only whole blocks can be shared, or the last one of the file. */
static uint64_t share(host_new_file *file, int from, uint64_t offset, uint64_t count)
{
    uint64_t part = count < CLONE ? count : CLONE;
    bool possible = file->made[0] != '\0' && part >= BLOCK_MOST; /* standard output may be anything */
    if (possible && host_clone(file->fd, file->written, from, offset, part) != 0) {
        part -= part % BLOCK_MOST;
        possible = part < count && part < CLONE && host_clone(file->fd, file->written, from, offset, part) == 0;
    }
    return possible && lseek(file->fd, (off_t)(file->written + part), SEEK_SET) >= 0 ? part : 0;
}

/* Copy at most count bytes within the kernel. Return how many were copied, or 0 if it can't. */
static uint64_t copy_within(const host_new_file *file, int from, uint64_t offset, uint64_t count)
{
#if defined(__linux__) && defined(SYS_copy_file_range)
    int64_t at = (int64_t)offset;
    long done = syscall(SYS_copy_file_range, from, &at, file->fd, NULL, (size_t)count, 0u);
    return done > 0 ? (uint64_t)done : 0;
#else
    (void)file, (void)from, (void)offset, (void)count;
    return 0;
#endif
}

/* Copy at most count bytes through memory. *done: how many, 0 at the end of the file. */
static host_new_problem copy_through(host_new_file *file, int from, uint64_t offset, uint64_t count, uint64_t *done)
{
    static uint8_t buffer[BUFFER];
    ssize_t got;
    do
        got = pread(from, buffer, count < BUFFER ? (size_t)count : BUFFER, (off_t)offset);
    while (got < 0 && errno == EINTR);
    *done = got > 0 ? (uint64_t)got : 0;
    return got < 0 ? failed(file, HOST_NEW_READ) : host_new_bytes(file, buffer, *done);
}

static bool is_stopped(const host_new_file *file)
{
    return file->stop != NULL && *file->stop != 0;
}

host_new_problem host_new_copy(host_new_file *file, int from, uint64_t offset, uint64_t count)
{
    const uint64_t block = BLOCK_MOST;
    bool shares = true, within = true;
    if (is_stopped(file))
        return HOST_NEW_STOPPED;
    while (count > 0) {
        if (is_stopped(file))
            return HOST_NEW_STOPPED;
        /* First copy to the end of a block: of the open file, because the whole blocks after it can be shared. If none
         * can, of the new file: the kernel then holds its pages in larger pieces. */
        uint64_t left = block - (shares ? offset : file->written) % block, done = 0;
        uint64_t part = left < block ? left : CHUNK;
        part = part < count ? part : count;
        if (shares && left == block) {
            done = share(file, from, offset, count);
            shares = done > 0;
            file->written += done;
            if (!shares)
                continue;
        }
        if (done == 0 && within) {
            done = copy_within(file, from, offset, part);
            within = done > 0;
            file->written += done;
        }
        host_new_problem problem = HOST_NEW_FINE;
        if (done == 0)
            problem = copy_through(file, from, offset, part < BUFFER ? part : BUFFER, &done);
        if (problem == HOST_NEW_FINE && done == 0)
            problem = HOST_NEW_SHORT;
        if (problem != HOST_NEW_FINE)
            return problem;
        offset += done;
        count -= done;
        if (file->tell != NULL)
            file->tell(file->written);
    }
    return HOST_NEW_FINE;
}

static bool same_time(struct timespec one, struct timespec other)
{
    return one.tv_sec == other.tv_sec && one.tv_nsec == other.tv_nsec;
}

/* Is the file that the name leads to still the first one; or still none, if there was none? */
static bool is_as_before(const host_new_file *file)
{
    struct stat now;
    bool exists = fstatat(file->directory, file->name, &now, AT_SYMLINK_NOFOLLOW) == 0;
    return exists == file->exists && (exists || errno == ENOENT) &&
           (!exists ||
            (host_new_is(file, &now) && now.st_size == file->old.st_size &&
             same_time(MODIFIED(&now), MODIFIED(&file->old)) && same_time(CHANGED(&now), CHANGED(&file->old))));
}

host_new_problem host_new_sync(host_new_file *file)
{
    struct stat now;
    if (fstat(file->fd, &now) != 0 || fsync(file->fd) != 0)
        return failed(file, HOST_NEW_ERROR);
    return (uint64_t)now.st_size == file->written ? HOST_NEW_FINE : HOST_NEW_SHORT;
}

host_new_problem host_new_finish(host_new_file *file)
{
    if (!is_as_before(file))
        return HOST_NEW_REPLACED;
    if (is_stopped(file))
        return HOST_NEW_STOPPED;
    if (renameat(file->directory, file->made, file->directory, file->name) != 0)
        return failed(file, HOST_NEW_ERROR);
    unfinished.there = 0;
    file->made[0] = '\0';
    bool kept = fsync(file->directory) == 0 || errno == EINVAL || errno == ENOTSUP; /* some systems have no such call */
    return kept ? HOST_NEW_FINE : failed(file, HOST_NEW_DIRECTORY);
}

void host_new_end(host_new_file *file)
{
    if (file->fd >= 0 && file->made[0] != '\0')
        unlinkat(file->directory, file->made, 0);
    unfinished.there = 0;
    if (file->fd >= 0)
        close(file->fd);
    if (file->directory >= 0)
        close(file->directory);
    free(file->path);
    file->path = NULL;
    file->fd = file->directory = -1;
    file->made[0] = '\0';
}
