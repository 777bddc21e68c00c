/* stream.c: descriptors that the caller of the program opened. A stream has no size and cannot be read twice: it is
 * read once, as far as the verdict requires. */
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "open_file.h"

int host_nameless(void)
{
#if defined(__linux__)
    int fd = memfd_create("assay", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0)
        return fd;
#endif
    FILE *file = tmpfile();
    if (file == NULL)
        return -1;
    int copy = fcntl(fileno(file), F_DUPFD_CLOEXEC, 0);
    fclose(file);
    return copy;
}

host_problem host_take_from(host_file *file, int fd)
{
    struct stat status;
    *file = (host_file){.fd = -1, .size = ASSAY_NONE};
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (copy < 0 || fstat(copy, &status) != 0) {
        file->system = errno;
        if (copy >= 0)
            close(copy);
        return HOST_OPEN;
    }
    if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISBLK(status.st_mode))
        return host_take(file, copy);
    file->fd = copy;
    file->stream = true;
    return HOST_FINE;
}

host_problem host_stream_read(host_file *file, uint8_t *bytes, size_t least, size_t most, size_t *count)
{
    *count = 0;
    do {
        ssize_t got = read(file->fd, bytes + *count, most - *count);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            file->system = errno;
            return HOST_READ;
        }
        if (got == 0)
            return HOST_FINE;
        *count += (size_t)got;
    } while (*count < least);
    return HOST_FINE;
}

/* Copy bytes of the stream that begin at this offset of the data, if they are among the first. */
static void keep_data(uint8_t *data, uint64_t offset, const uint8_t *bytes, size_t count)
{
    if (offset < HOST_DATA)
        memcpy(data + offset, bytes, count < HOST_DATA - offset ? count : HOST_DATA - (size_t)offset);
}

void host_stream_keep(host_file *file, const uint8_t *head, size_t head_size, size_t got, host_ending *to)
{
    to->held = got < HOST_TAIL ? got : HOST_TAIL;
    to->ended = false;
    memcpy(to->bytes, head + (got - to->held), to->held);
    keep_data(to->data, 0, head + head_size, got - head_size);
    file->size = got;
}

host_problem host_stream_go_on(host_file *file, size_t head_size, uint64_t most, host_ending *to)
{
    size_t more;
    while (!to->ended && file->size < most) {
        if (to->held == sizeof to->bytes) {
            memcpy(to->bytes, to->bytes + to->held - HOST_TAIL, HOST_TAIL);
            to->held = HOST_TAIL;
        }
        size_t room = sizeof to->bytes - to->held, part = most - file->size < room ? (size_t)(most - file->size) : room;
        host_problem problem = host_stream_read(file, to->bytes + to->held, 1, part, &more);
        if (problem != HOST_FINE)
            return problem;
        keep_data(to->data, file->size - head_size, to->bytes + to->held, more);
        to->ended = more == 0;
        to->held += more;
        file->size += more;
    }
    to->tail_size = to->held < HOST_TAIL ? to->held : HOST_TAIL;
    to->tail = to->bytes + (to->held - to->tail_size);
    return HOST_FINE;
}
