/* open_file.c: opens, reads and closes one file. */
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#endif

#include "open_file.h"

const char *host_empty_path = "";

#if defined(__linux__) && defined(SYS_statx)

#define STATX_FIELDS 0x3C3u /* type, mode, both times, inode, size */

/* struct statx as the kernel defines it for all machines. Some C libraries have the call and do not declare it. */
typedef struct {
    uint32_t mask, block;
    uint64_t attributes;
    uint32_t links, user, group;
    uint16_t mode, spare;
    uint64_t inode, size, blocks, attributes_mask;
    struct {
        int64_t seconds;
        uint32_t nanoseconds;
        int32_t spare;
    } accessed, born, changed, written;
    uint32_t special_major, special_minor, device_major, device_minor;
    uint64_t rest[14];
} statx_result;

_Static_assert(sizeof(statx_result) == 256, "the kernel writes this many bytes");

/* Store mode and stamp of an open file. Return -1 and errno if that fails. */
static int inspect_by_statx(int fd, mode_t *mode, host_stamp *stamp)
{
    statx_result now = {0}; /* for a sanitizer, which does not see the call */
    if (syscall(SYS_statx, fd, host_empty_path, AT_EMPTY_PATH, STATX_FIELDS, &now) != 0)
        return -1;
    *mode = now.mode;
    *stamp = (host_stamp){(uint64_t)makedev(now.device_major, now.device_minor), now.inode, now.size,
                          now.written.seconds, now.written.nanoseconds, now.changed.seconds, now.changed.nanoseconds};
    return 0;
}

#else

static int inspect_by_statx(int fd, mode_t *mode, host_stamp *stamp)
{
    (void)fd, (void)mode, (void)stamp;
    errno = ENOSYS;
    return -1;
}

#endif

/* Store mode and stamp of an open file. Return -1 and errno if that fails. The stamp tells one state of a file from the
 * next: its owner can set the time of modification back, but not that of the change. */
static int inspect(int fd, mode_t *mode, host_stamp *stamp)
{
    struct stat now;
    if (inspect_by_statx(fd, mode, stamp) == 0)
        return 0;
    if (errno != ENOSYS && errno != EPERM) /* the kernel lacks statx, or a container forbids it */
        return -1;
#if defined(__linux__)
    if (fstatat(fd, host_empty_path, &now, AT_EMPTY_PATH) != 0)
        return -1;
#else
    if (fstat(fd, &now) != 0)
        return -1;
#endif
    *mode = now.st_mode;
    *stamp = (host_stamp){(uint64_t)now.st_dev, (uint64_t)now.st_ino, (uint64_t)now.st_size,
                          (int64_t)MODIFIED(&now).tv_sec, (int64_t)MODIFIED(&now).tv_nsec,
                          (int64_t)CHANGED(&now).tv_sec, (int64_t)CHANGED(&now).tv_nsec};
    return 0;
}

/* Return the problem with a file of this mode; HOST_FINE: it is a regular file. */
static host_problem kind(mode_t mode)
{
    if (S_ISREG(mode))
        return HOST_FINE;
    if (S_ISDIR(mode))
        return HOST_DIRECTORY;
    if (S_ISFIFO(mode))
        return HOST_FIFO;
    return S_ISSOCK(mode) ? HOST_SOCKET : HOST_DEVICE;
}

/* Store errno in the file. Return the problem. */
static host_problem failed(host_file *file, host_problem problem)
{
    file->system = errno;
    return problem;
}

/* A function like openat. */
typedef int opener(int directory, const char *path, int flags);

static int open_named(int directory, const char *path, int flags)
{
    (void)directory;
    return open(path, flags);
}

static int open_in(int directory, const char *path, int flags)
{
    return openat(directory, path, flags);
}

#define LEASE_TRIES 500 /* five seconds */

/* Open a file by one of these functions. A program that holds a lease on it, as `edit --in-place` does, has a moment to
 * give it back. NONBLOCK: a FIFO that has replaced the file must not block. */
static int open_leased(opener *way, int directory, const char *path, int flags)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    int fd = way(directory, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
    for (int tries = 0; fd < 0 && errno == EWOULDBLOCK && tries < LEASE_TRIES; tries++) {
        nanosleep(&pause, NULL);
        fd = way(directory, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
    }
    return fd;
}

/* Open a regular file by one of these functions. */
static host_problem open_by(opener *way, host_file *file, int directory, const char *path)
{
    struct stat status;
    *file = (host_file){.fd = -1, .size = ASSAY_NONE};
    /* Opening a device can have effects (a tape rewinds), so first check what the path leads to ... */
    if (fstatat(directory, path, &status, 0) != 0)
        return failed(file, HOST_OPEN);
    host_problem problem = kind(status.st_mode);
    if (problem != HOST_FINE)
        return problem;
    /* ... and check again what was opened. */
    int fd = open_leased(way, directory, path, 0);
    return fd < 0 ? failed(file, HOST_OPEN) : host_take(file, fd);
}

host_problem host_open(host_file *file, int directory, const char *path)
{
    return open_by(directory == AT_FDCWD ? open_named : host_open_found, file, directory, path);
}

host_problem host_open_seen(host_file *file, int directory, const char *name)
{
    *file = (host_file){.fd = -1, .size = ASSAY_NONE};
    /* NOFOLLOW: a link that has replaced the file could lead to a device. */
    int fd = open_leased(open_in, directory, name, O_NOFOLLOW);
    if (fd < 0 && (errno == ELOOP || errno == ENXIO)) /* it is a link by now, or a socket */
        return host_open(file, directory, name);
    return fd < 0 ? failed(file, HOST_OPEN) : host_take(file, fd);
}

host_problem host_open_real(host_file *file, const char *path)
{
    *file = (host_file){.fd = -1, .size = ASSAY_NONE};
    int root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (root < 0)
        return failed(file, HOST_OPEN);
    host_problem problem = open_by(host_open_beneath, file, root, path + 1);
    close(root);
    return problem;
}

host_problem host_open_below(host_file *file, int directory, const char *path)
{
    return open_by(host_open_within, file, directory, path);
}

host_problem host_take(host_file *file, int fd)
{
    mode_t mode;
    *file = (host_file){.fd = fd, .size = ASSAY_NONE};
    host_problem problem = inspect(fd, &mode, &file->stamp) == 0 ? kind(mode) : failed(file, HOST_OPEN);
    if (problem != HOST_FINE) {
        close(fd);
        file->fd = -1;
        return problem;
    }
    file->size = file->stamp.size;
    return HOST_FINE;
}

host_problem host_read(host_file *file, uint64_t offset, uint8_t *bytes, size_t count)
{
    size_t done = 0;
    while (done < count) {
        ssize_t got = pread(file->fd, bytes + done, count - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return failed(file, HOST_READ);
        if (got == 0)
            return HOST_CHANGED;
        done += (size_t)got;
    }
    return HOST_FINE;
}

host_problem host_read_whole(host_file *file, uint8_t *bytes)
{
    size_t size = (size_t)file->size, done = 0;
    ssize_t got;
    do {
        got = pread(file->fd, bytes + done, size + 1 - done, (off_t)done);
        if (got < 0 && errno != EINTR)
            return failed(file, HOST_READ);
        done += got > 0 ? (size_t)got : 0;
    } while (got < 0 || (got > 0 && done < size));
    return done == size ? HOST_FINE : HOST_CHANGED;
}

host_problem host_unchanged(host_file *file, const uint8_t *bytes, size_t count)
{
    uint8_t again[16384];
    for (size_t done = 0; done < count;) {
        size_t part = count - done < sizeof again ? count - done : sizeof again;
        host_problem problem = host_read(file, done, again, part);
        if (problem != HOST_FINE)
            return problem;
        if (memcmp(bytes + done, again, part) != 0)
            return HOST_CHANGED;
        done += part;
    }
    return HOST_FINE;
}

host_problem host_ends(host_file *file)
{
    if (file->size >= INT64_MAX) /* there is no offset after it */
        return HOST_FINE;
    uint8_t byte;
    host_problem after = host_read(file, file->size, &byte, 1);
    return after == HOST_CHANGED ? HOST_FINE : after == HOST_FINE ? HOST_CHANGED : after;
}

host_problem host_close(host_file *file)
{
    mode_t mode;
    host_stamp now;
    host_problem problem = HOST_FINE;
    if (inspect(file->fd, &mode, &now) != 0)
        problem = failed(file, HOST_READ);
    else if (memcmp(&now, &file->stamp, sizeof now) != 0)
        problem = HOST_CHANGED;
    close(file->fd);
    return problem;
}
