/* model_file.c: opens a file of a model's folder so that no link leads out of it (rule shard_outside), and copies a
 * whole file, so that nobody can change it between check and use. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "posix.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "open_file.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

/* Return whether a path lies below a folder. Both are without links. */
static bool is_below(const char *folder, const char *path)
{
    size_t length = strlen(folder);
    return strncmp(folder, path, length) == 0 && (path[length] == '/' || length == 1);
}

/* Return whether a path is in the blobs of the Hub's cache that the folder is in: the folder is
 * REPOSITORY/snapshots/REVISION/..., the file REPOSITORY/blobs/NAME. */
static bool is_blob(const char *folder, const char *path)
{
    static const char blobs[] = "/blobs/", snapshots[] = "/snapshots/";
    const char *name = strrchr(path, '/');
    size_t before = name == NULL ? 0 : (size_t)(name + 1 - path);
    if (before < sizeof blobs - 1 || memcmp(path + before - (sizeof blobs - 1), blobs, sizeof blobs - 1) != 0)
        return false;
    size_t repository = before - (sizeof blobs - 1);
    return strncmp(folder, path, repository) == 0 &&
           strncmp(folder + repository, snapshots, sizeof snapshots - 1) == 0;
}

/* Return whether a path leads to an open directory. */
static bool leads_to(const char *path, int directory)
{
    struct stat open, named;
    return fstat(directory, &open) == 0 && stat(path, &named) == 0 && open.st_dev == named.st_dev &&
           open.st_ino == named.st_ino;
}

/* Open a file by its path without links, if that is allowed. For kernels without openat2, and links into blobs. */
static host_problem open_by_paths(host_file *file, const char *folder, const char *path)
{
    char root[PATH_MAX], real[PATH_MAX];
    if (realpath(folder, root) == NULL || realpath(path, real) == NULL) {
        file->system = errno;
        return HOST_OPEN;
    }
    if (!is_below(root, real) && !is_blob(root, real))
        return HOST_OUTSIDE;
    return host_open_real(file, real);
}

host_problem host_open_inside(host_file *file, int directory, const char *folder, const char *path)
{
    *file = (host_file){.fd = -1, .size = ASSAY_NONE};
    file->system = directory < 0 ? EXDEV : host_leaves(directory, path + strlen(folder));
    if (file->system != EXDEV)
        return file->system != 0 ? HOST_OPEN : host_open_below(file, directory, path + strlen(folder));
    file->system = 0;
    host_problem problem = open_by_paths(file, folder[0] == '\0' ? "." : folder, path);
    if (directory < 0 || leads_to(folder, directory))
        return problem;
    if (file->fd >= 0) /* the path leads to another folder by now */
        close(file->fd);
    *file = (host_file){.fd = -1, .size = ASSAY_NONE};
    return HOST_CHANGED;
}

host_problem host_copy(host_file *file, uint64_t most, uint8_t **bytes)
{
    *bytes = NULL;
    if (file->size > most || file->size > SIZE_MAX)
        return HOST_FINE; /* the caller knows the size */
    size_t size = (size_t)file->size;
    uint8_t *copy = malloc(size + (size == 0));
    if (copy == NULL)
        return HOST_MEMORY;
    host_problem problem = host_read(file, 0, copy, size);
    if (problem == HOST_FINE)
        problem = host_unchanged(file, copy, size);
    if (problem == HOST_FINE)
        problem = host_ends(file);
    if (problem != HOST_FINE) {
        free(copy);
        return problem;
    }
    *bytes = copy;
    return HOST_FINE;
}
