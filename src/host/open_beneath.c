/* open_beneath.c: opens what was found in a directory so that no link leads elsewhere. By openat2, if there is one. */
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

#include "open_file.h"

#if defined(__linux__) && defined(SYS_openat2)

/* struct open_how of <linux/openat2.h>. Some systems have the call and not the header. */
typedef struct {
    uint64_t flags, mode, resolve;
} open_how;

#define NO_MAGICLINKS 0x02u /* links of /proc, which lead to files without a path */
#define NO_SYMLINKS 0x04u
#define BENEATH 0x08u

static int open_by(int directory, const char *path, int flags, uint64_t resolve)
{
    open_how how = {(uint64_t)flags, 0, resolve};
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

#else

#define NO_MAGICLINKS 0u
#define NO_SYMLINKS 0u
#define BENEATH 0u

static int open_by(int directory, const char *path, int flags, uint64_t resolve)
{
    (void)directory, (void)path, (void)flags, (void)resolve;
    errno = ENOSYS;
    return -1;
}

#endif

/* Return whether the call is missing in the kernel, or forbidden by a container's filter that does not know it. */
static bool is_missing(int fd)
{
    return fd < 0 && (errno == ENOSYS || errno == EPERM);
}

int host_open_found(int directory, const char *name, int flags)
{
    int fd = open_by(directory, name, flags, NO_MAGICLINKS);
    return is_missing(fd) ? openat(directory, name, flags) : fd;
}

/* Open one part of the path after the other, none of which may be a link. */
static int open_step_by_step(int root, const char *path, int flags)
{
    int fd = root;
    do {
        char name[256]; /* longer names do not exist */
        size_t length = strcspn(path, "/");
        bool last = path[length] == '\0';
        int next = -1;
        errno = length < sizeof name ? EXDEV : ENAMETOOLONG;
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : 0), path);
        if (name[0] != '\0' && strcmp(name, "..") != 0)
            next = openat(fd, name, (last ? flags : O_RDONLY | O_DIRECTORY | O_CLOEXEC) | O_NOFOLLOW);
        int why = errno;
        if (fd != root)
            close(fd);
        errno = why;
        fd = next;
        path += length + !last;
    } while (fd >= 0 && *path != '\0');
    return fd;
}

int host_open_beneath(int root, const char *path, int flags)
{
    int fd = open_by(root, path, flags, BENEATH | NO_SYMLINKS | NO_MAGICLINKS);
    return is_missing(fd) ? open_step_by_step(root, path, flags) : fd;
}

int host_open_within(int root, const char *path, int flags)
{
    return open_by(root, path, flags, BENEATH | NO_MAGICLINKS);
}

int host_leaves(int root, const char *path)
{
#if defined(O_PATH)
    int fd = host_open_within(root, path, O_PATH | O_CLOEXEC);
#else
    int fd = host_open_within(root, path, 0); /* there is no openat2 */
#endif
    int error = fd >= 0 ? 0 : is_missing(fd) ? EXDEV : errno;
    if (fd >= 0)
        close(fd);
    return error;
}
