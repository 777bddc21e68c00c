/* open_file.c: opening and reading one file. */
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

#include "host.h"

#if defined(__APPLE__)
#define MODIFIED(status) ((status)->st_mtimespec)
#define CHANGED(status) ((status)->st_ctimespec)
#else
#define MODIFIED(status) ((status)->st_mtim)
#define CHANGED(status) ((status)->st_ctim)
#endif

/* What tells one state of a file from the next. Its owner can set the time of modification back, not that of the
 * change. */
static host_stamp stamp(const struct stat *status)
{
    return (host_stamp){(uint64_t)status->st_dev,           (uint64_t)status->st_ino,
                        (uint64_t)status->st_size,          (int64_t)MODIFIED(status).tv_sec,
                        (int64_t)MODIFIED(status).tv_nsec, (int64_t)CHANGED(status).tv_sec,
                        (int64_t)CHANGED(status).tv_nsec};
}

/* fstat, by a call that a sandbox can tell from a look at other files: the C library's may be fstatat with an empty
 * path. Where only that will do, with a path of our own. */
const char host_no_path[] = "";

static int look(int fd, struct stat *status)
{
#if HOST_STAT_IS_KERNELS
    memset(status, 0, sizeof *status); /* for a sanitizer, which does not see the call */
    return (int)syscall(SYS_fstat, fd, status);
#elif defined(__linux__)
    return fstatat(fd, host_no_path, status, AT_EMPTY_PATH);
#else
    return fstat(fd, status);
#endif
}

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

static host_problem failed(host_file *file, host_problem problem)
{
    file->system = errno;
    return problem;
}

/* A descriptor, or -1. The same arguments as those of openat. */
typedef int opener(int directory, const char *path, int flags);

static int open_named(int directory, const char *path, int flags)
{
    (void)directory;
    return open(path, flags);
}

static host_problem open_by(opener *way, host_file *file, int directory, const char *path)
{
    struct stat status;
    *file = (host_file){.fd = -1, .size = ASSAY_NONE};
    /* Opening a device can have effects (a tape rewinds), so it is asked first what it is ... */
    if (fstatat(directory, path, &status, 0) != 0)
        return failed(file, HOST_OPEN);
    host_problem problem = kind(status.st_mode);
    if (problem != HOST_FINE)
        return problem;
    /* ... and, as it may be another by now, asked again; NONBLOCK so that a FIFO put there can't hold us. */
    int fd = way(directory, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    return fd < 0 ? failed(file, HOST_OPEN) : host_take(file, fd);
}

host_problem host_open(host_file *file, int directory, const char *path)
{
    return open_by(directory == AT_FDCWD ? open_named : host_open_found, file, directory, path);
}

host_problem host_open_seen(host_file *file, int directory, const char *name)
{
    *file = (host_file){.fd = -1, .size = ASSAY_NONE};
    /* No link: one that was put in its place meanwhile could lead to a device. */
    int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
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
    struct stat status;
    *file = (host_file){.fd = fd, .size = ASSAY_NONE};
    host_problem problem = look(fd, &status) == 0 ? kind(status.st_mode) : failed(file, HOST_OPEN);
    if (problem != HOST_FINE) {
        close(fd);
        file->fd = -1;
        return problem;
    }
    file->size = (uint64_t)status.st_size;
    file->stamp = stamp(&status);
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
    host_problem behind = host_read(file, file->size, &byte, 1);
    return behind == HOST_CHANGED ? HOST_FINE : behind == HOST_FINE ? HOST_CHANGED : behind;
}

host_problem host_close(host_file *file)
{
    struct stat status;
    host_problem problem = HOST_FINE;
    if (look(file->fd, &status) != 0) {
        problem = failed(file, HOST_READ);
    } else {
        host_stamp now = stamp(&status);
        if (memcmp(&now, &file->stamp, sizeof now) != 0)
            problem = HOST_CHANGED;
    }
    close(file->fd);
    return problem;
}
