/* file.c: opening and reading one file. */
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    return (host_stamp){(uint64_t)status->st_size, (int64_t)MODIFIED(status).tv_sec, (int64_t)MODIFIED(status).tv_nsec,
                        (int64_t)CHANGED(status).tv_sec, (int64_t)CHANGED(status).tv_nsec};
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

host_problem host_open(host_file *file, const char *path)
{
    struct stat status;
    file->fd = -1;
    file->system = 0;
    file->size = ASSAY_NONE;
    /* Opening a device can have effects (a tape rewinds), so it is asked first what it is ... */
    if (stat(path, &status) != 0)
        return failed(file, HOST_OPEN);
    host_problem problem = kind(status.st_mode);
    if (problem != HOST_FINE)
        return problem;
    /* ... and, as it may be another by now, asked again; NONBLOCK so that a FIFO put there can't hold us. */
    file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file->fd < 0)
        return failed(file, HOST_OPEN);
    problem = fstat(file->fd, &status) == 0 ? kind(status.st_mode) : failed(file, HOST_OPEN);
    if (problem != HOST_FINE) {
        close(file->fd);
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
    host_problem behind = host_read(file, file->size, again, 1);
    return behind == HOST_CHANGED ? HOST_FINE : behind == HOST_FINE ? HOST_CHANGED : behind;
}

host_problem host_close(host_file *file)
{
    struct stat status;
    host_problem problem = HOST_FINE;
    if (fstat(file->fd, &status) != 0) {
        problem = failed(file, HOST_READ);
    } else {
        host_stamp now = stamp(&status);
        if (memcmp(&now, &file->stamp, sizeof now) != 0)
            problem = HOST_CHANGED;
    }
    close(file->fd);
    return problem;
}
