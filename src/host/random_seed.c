/* random_seed.c: random numbers, from getrandom where there is one, otherwise from the device. */
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/random.h>
#endif

#include "open_file.h"

static bool from_system(uint8_t *bytes, size_t count)
{
#if defined(__linux__)
    ssize_t got;
    do
        got = getrandom(bytes, count, 0);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)count; /* the kernel returns up to 256 bytes at once */
#else
    (void)bytes;
    (void)count;
    return false;
#endif
}

static bool from_device(uint8_t *bytes, size_t count)
{
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return false;
    size_t done = 0;
    while (done < count) {
        ssize_t got = read(fd, bytes + done, count - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    close(fd);
    return done == count;
}

bool host_seed(uint64_t *seed)
{
    uint8_t bytes[8];
    if (!from_system(bytes, sizeof bytes) && !from_device(bytes, sizeof bytes))
        return false;
    uint64_t number = 0;
    for (size_t i = 0; i < sizeof bytes; i++)
        number = number << 8 | bytes[i];
    *seed = number;
    return true;
}
