/* landlock.c: Landlock. Nothing is allowed: to open or make a file, to bind or reach a port, to signal a process
 * outside. The process that fetches may read files and reach ports; the one that writes may read files, and make, write
 * and remove those of one folder. The kernel's header may be older than the kernel,
 * so what is needed of it is declared here. */
#include "posix.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

#include "sandbox_layers.h"

#if defined(__linux__) && defined(SYS_landlock_restrict_self) && defined(SYS_landlock_add_rule)

typedef struct {
    uint64_t files, net, scoped;
} ruleset;

#define QUERY_VERSION 1u /* a flag of SYS_landlock_create_ruleset */

/* The number of rights in each version: they are the lowest bits. */
static const struct {
    int version;
    unsigned files, net, scoped;
} known[] = {{6, 16, 2, 2}, {5, 16, 2, 0}, {4, 15, 2, 0}, {3, 15, 0, 0}, {2, 14, 0, 0}, {1, 13, 0, 0}};

/* Return a number whose lowest bits are set. */
static uint64_t lowest(unsigned bits)
{
    return ((uint64_t)1 << bits) - 1;
}

int landlock_version(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, QUERY_VERSION);
    return version > 0 ? (int)version : 0;
}

unsigned landlock_built(void)
{
    return SANDBOX_LANDLOCK;
}

/* What a rule allows below an open folder. As in the kernel: without the padding at the end. */
typedef struct {
    uint64_t rights;
    int32_t folder;
} __attribute__((packed)) beneath;

#define IS_BENEATH 1  /* the type of that rule */
#define READ 0x0Cu    /* of files: to read a file or a directory */
#define WRITE 0x4122u /* of files: to write, remove, make and shorten one */
#define CONNECT 0x02u /* of net */

/* Allow to write below a folder. Return errno, or 0. */
static int allow_folder(int set, int folder, uint64_t rights)
{
    beneath what = {rights, folder};
    return folder < 0 || syscall(SYS_landlock_add_rule, set, IS_BENEATH, &what, 0u) == 0 ? 0 : errno;
}

int landlock_enter(sandbox_kind kind, int folder, unsigned *layers)
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
        rules.scoped = 0; /* a resolver may use a socket without a path */
    }
    if (kind == SANDBOX_WRITER)
        rules.files &= ~(uint64_t)READ;
    size_t size = version >= 6 ? sizeof rules : version >= 4 ? offsetof(ruleset, scoped) : offsetof(ruleset, net);
    int fd = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0u);
    if (fd < 0)
        return errno;
    int error = kind == SANDBOX_WRITER ? allow_folder(fd, folder, WRITE & rules.files) : 0;
    if (error == 0)
        error = syscall(SYS_landlock_restrict_self, fd, 0u) == 0 ? 0 : errno;
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

int landlock_enter(sandbox_kind kind, int folder, unsigned *layers)
{
    (void)kind;
    (void)folder;
    (void)layers;
    return 0;
}

#endif
