/* stream.c: what comes from a descriptor that somebody else has opened. A stream has no size and can't be read twice:
 * it is read to its end, what judging looks at is kept in a file without a name, and that gets the stream's size. */
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

#include "host.h"

#define HEAD_MOST (8 + (uint64_t)100000000) /* the longest header there may be */
#define FIRST_MOST 65536u                    /* kept of what is no safetensors file, too: enough to say what it is */

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

static bool write_all(int fd, const uint8_t *bytes, size_t count)
{
    while (count > 0) {
        ssize_t put = write(fd, bytes, count);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        bytes += put;
        count -= (size_t)put;
    }
    return true;
}

/* The header length as far as it has come: got bytes at this place of the stream, which may give one byte at a time. */
static uint64_t length_with(uint64_t length, uint64_t place, const uint8_t *bytes, size_t got)
{
    for (size_t i = 0; i < got && place + i < 8; i++)
        length |= (uint64_t)bytes[i] << 8 * (place + i);
    return length;
}

/* The stream's last bytes at its end. */
static bool keep_tail(int to, const uint8_t *end, size_t held, uint64_t size)
{
    size_t tail = held < HOST_TAIL ? held : HOST_TAIL;
    return lseek(to, (off_t)(size - tail), SEEK_SET) >= 0 && write_all(to, end - tail, tail);
}

/* Reads the stream to its end; gives its size in *size. Keeps the head, which is 8 bytes and what they say, the first
 * bytes of data, and the tail. */
static bool drain(int from, int to, uint64_t *size)
{
    static uint8_t bytes[4 * HOST_TAIL];
    uint64_t length = 0;
    size_t held = 0; /* bytes at the end of what has come */
    *size = 0;
    for (;;) {
        if (held == sizeof bytes) {
            memcpy(bytes, bytes + held - HOST_TAIL, HOST_TAIL);
            held = HOST_TAIL;
        }
        ssize_t got = read(from, bytes + held, sizeof bytes - held);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0 && keep_tail(to, bytes + held, held, *size);
        length = length_with(length, *size, bytes + held, (size_t)got);
        uint64_t keep = (length < HEAD_MOST - 8 ? length + 8 : HEAD_MOST) + HOST_DATA;
        keep = keep < FIRST_MOST ? FIRST_MOST : keep;
        uint64_t left = *size < keep ? keep - *size : 0;
        if (!write_all(to, bytes + held, (uint64_t)got < left ? (size_t)got : (size_t)left))
            return false;
        held += (size_t)got;
        *size += (uint64_t)got;
    }
}

static host_problem take_stream(host_file *file, int fd)
{
    uint64_t size;
    int kept = host_nameless();
    if (kept >= 0 && drain(fd, kept, &size) && ftruncate(kept, (off_t)size) == 0)
        return host_take(file, kept);
    *file = (host_file){.fd = -1, .system = errno, .size = ASSAY_NONE};
    if (kept >= 0)
        close(kept);
    return HOST_READ;
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
    host_problem problem = take_stream(file, copy);
    close(copy);
    return problem;
}
