/* landlock.c: Landlock with nothing allowed: no file can be opened, none made, no port bound or reached, no process
 * outside be signalled; but the process that fetches may read files and reach ports. The kernel's header may
 * be older than the kernel, so what is needed of it stands here. */
#include "posix.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

#include "sandbox_layers.h"

#if defined(__linux__) && defined(SYS_landlock_restrict_self)

typedef struct {
    uint64_t files, net, scoped;
} ruleset;

#define VERSION_WANTED 1u /* a flag of SYS_landlock_create_ruleset */

/* How many rights, from the lowest bit on, there are since a version. */
static const struct {
    int version;
    unsigned files, net, scoped;
} known[] = {{6, 16, 2, 2}, {5, 16, 2, 0}, {4, 15, 2, 0}, {3, 15, 0, 0}, {2, 14, 0, 0}, {1, 13, 0, 0}};

static uint64_t lowest(unsigned bits)
{
    return ((uint64_t)1 << bits) - 1;
}

int landlock_version(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, VERSION_WANTED);
    return version > 0 ? (int)version : 0;
}

unsigned landlock_built(void)
{
    return SANDBOX_LANDLOCK;
}

#define READ 0x0Cu    /* of files: those who read a file or a directory */
#define CONNECT 0x02u /* of net */

int landlock_enter(sandbox_kind kind, unsigned *layers)
{
    int version = landlock_version();
    if (version == 0)
        return errno == ENOSYS || errno == EOPNOTSUPP || errno == EPERM ? 0 : errno;
    size_t i = 0;
    while (known[i].version > version)
        i++;
    ruleset rules = {lowest(known[i].files), lowest(known[i].net), lowest(known[i].scoped)};
    if (kind == SANDBOX_SERVER) {
        rules.files &= ~(uint64_t)READ;
        rules.net &= ~(uint64_t)CONNECT;
        rules.scoped = 0; /* a resolver may be spoken with by a socket without a path */
    }
    size_t size = version >= 6 ? sizeof rules : version >= 4 ? offsetof(ruleset, scoped) : offsetof(ruleset, net);
    int fd = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0u);
    if (fd < 0)
        return errno;
    int error = syscall(SYS_landlock_restrict_self, fd, 0u) == 0 ? 0 : errno;
    close(fd);
    if (error == 0)
        *layers |= SANDBOX_LANDLOCK;
    return error;
}

#else

int landlock_version(void)
{
    return 0;
}

unsigned landlock_built(void)
{
    return 0;
}

int landlock_enter(sandbox_kind kind, unsigned *layers)
{
    (void)kind;
    (void)layers;
    return 0;
}

#endif
