/* file.c: opening and reading one file. */
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

#if defined(__APPLE__)
#define MODIFIED(status) ((status)->st_mtimespec)
#else
#define MODIFIED(status) ((status)->st_mtim)
#endif

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
    file->seconds = (int64_t)MODIFIED(&status).tv_sec;
    file->nanoseconds = (int64_t)MODIFIED(&status).tv_nsec;
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

host_problem host_close(host_file *file)
{
    struct stat status;
    host_problem problem = HOST_FINE;
    if (fstat(file->fd, &status) != 0)
        problem = failed(file, HOST_READ);
    else if ((uint64_t)status.st_size != file->size || (int64_t)MODIFIED(&status).tv_sec != file->seconds ||
             (int64_t)MODIFIED(&status).tv_nsec != file->nanoseconds)
        problem = HOST_CHANGED;
    close(file->fd);
    return problem;
}
