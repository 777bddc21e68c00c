/* sandbox.c: enters the layers one after the other, and sets limits. */
#include "posix.h"

#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include "sandbox_layers.h"
#include "sandbox.h"

/* A header has at most 100 MB and takes less than four times that; the index of a sharded model may be larger. */
#define MEMORY_MOST ((rlim_t)4 << 30)
/* More than any file takes: a worker lives for some minutes, see dispatch.c. */
#define SECONDS_MOST 900

#ifdef __GLIBC__ /* there it is an enum, and clang does not accept an int */
typedef __rlimit_resource_t limited;
#else
typedef int limited;
#endif

/* Lower a limit; never raise it. */
static bool lower(limited resource, rlim_t most)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0)
        return false;
    if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= most)
        most = limit.rlim_cur;
    limit = (struct rlimit){most, most};
    return setrlimit(resource, &limit) == 0;
}

/* Set the limits of a kind of process. */
static bool limits(sandbox_kind kind)
{
    if (kind == SANDBOX_SERVER)
        return lower(RLIMIT_CORE, 0);
#if defined(RLIMIT_AS) && !defined(__APPLE__) /* which refuses a limit below what its libraries map */
    if (sizeof(rlim_t) > 4 && !lower(RLIMIT_AS, MEMORY_MOST))
        return false;
#endif
    if (!lower(RLIMIT_CORE, 0) || !lower(RLIMIT_NPROC, 0))
        return false;
    if (kind == SANDBOX_PROGRAM || kind == SANDBOX_WRITER)
        return true; /* its output may go to a file, and take any time */
    return lower(RLIMIT_FSIZE, 0) && lower(RLIMIT_NOFILE, 64) && lower(RLIMIT_CPU, SECONDS_MOST);
}

#if defined(__linux__)

#define NO_NEW_PRIVILEGES "no new privileges, "

static bool no_new_privileges(void)
{
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

#else

#define NO_NEW_PRIVILEGES "" /* other systems have no such switch */

static bool no_new_privileges(void)
{
    return true;
}

#endif

void sandbox_prepare(sandbox_kind kind)
{
    filter_make(kind);
}

static int enter(sandbox_kind kind, int folder, unsigned *layers)
{
    *layers = 0;
    if (!SANDBOX_POSSIBLE)
        return 0;
    if (!no_new_privileges() || !limits(kind))
        return errno;
    *layers |= SANDBOX_LIMITS;
    int error = landlock_enter(kind, folder, layers);
    return error == 0 ? filter_enter(layers) : error;
}

int sandbox_enter(sandbox_kind kind, unsigned *layers)
{
    return enter(kind, -1, layers);
}

int sandbox_enter_writer(int folder, unsigned *layers)
{
    return enter(SANDBOX_WRITER, folder, layers);
}

unsigned sandbox_built(void)
{
    return SANDBOX_POSSIBLE ? SANDBOX_LIMITS | landlock_built() | filter_built() : 0;
}

const char *sandbox_describe(void)
{
    static char text[200];
    char landlock[40] = "no Landlock in this kernel";
    int version = landlock_version();
    if (version > 0)
        snprintf(landlock, sizeof landlock, "Landlock (version %d)", version);
    if (!SANDBOX_POSSIBLE)
        snprintf(text, sizeof text, "none: built with a sanitizer");
    else
        snprintf(text, sizeof text, "%s, %s, %sresource limits", filter_describe(),
                 landlock_built() == 0 ? "built without Landlock" : landlock, NO_NEW_PRIVILEGES);
    return text;
}
