/* walk.c: the files below a directory. An explicit stack of paths: no recursion, one open directory at a
 * time, and no path longer than the system takes, so no tree is too deep. */
#include "posix.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

static const char SUFFIX[] = ".safetensors";

static bool has_suffix(const char *name)
{
    size_t length = strlen(name), suffix = sizeof SUFFIX - 1;
    return length >= suffix && memcmp(name + length - suffix, SUFFIX, suffix) == 0;
}

/* Directories carry a / so that the order is that of the whole paths, and so that they are known again. */
static char *join(const char *directory, const char *name, bool is_directory)
{
    size_t left = strlen(directory), right = strlen(name);
    bool slash = left > 0 && directory[left - 1] != '/';
    char *path = malloc(left + slash + right + is_directory + 1);
    if (path == NULL)
        return NULL;
    memcpy(path, directory, left);
    if (slash)
        path[left++] = '/';
    memcpy(path + left, name, right + 1);
    if (is_directory)
        memcpy(path + left + right, "/", 2);
    return path;
}

static bool push(host_walk *walk, char *path)
{
    if (path == NULL)
        return false;
    if (walk->count == walk->room) {
        size_t room = walk->room < 64 ? 64 : 2 * walk->room;
        char **grown = room > SIZE_MAX / sizeof *grown ? NULL : realloc(walk->path, room * sizeof *grown);
        if (grown == NULL) {
            free(path);
            return false;
        }
        walk->path = grown;
        walk->room = room;
    }
    walk->path[walk->count++] = path;
    return true;
}

/* Last first: the walk takes its paths from the end. */
static int descending(const void *left, const void *right)
{
    return strcmp(*(char *const *)right, *(char *const *)left);
}

/* A directory's entry: a file to judge, a directory to visit, or nothing to us. HOST_READ: what it is can't be seen. */
static host_problem consider(host_walk *walk, int fd, const char *directory, const char *name)
{
    struct stat status;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return HOST_FINE;
    bool known = fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    bool is_directory = known && S_ISDIR(status.st_mode);
    if (!is_directory && !has_suffix(name)) /* not seen, it may be a directory full of files; or it is gone */
        return known || errno == ENOENT ? HOST_FINE : HOST_READ;
    if (known && S_ISLNK(status.st_mode) && fstatat(fd, name, &status, 0) == 0 && S_ISDIR(status.st_mode))
        return HOST_FINE; /* a link to a directory */
    /* If it isn't a file, the judge will say so. */
    return push(walk, join(directory, name, is_directory)) ? HOST_FINE : HOST_MEMORY;
}

/* Goes on behind an entry that can't be seen. */
static host_problem list(host_walk *walk, DIR *stream, const char *directory, int *system)
{
    size_t first = walk->count;
    struct dirent *entry;
    host_problem problem = HOST_FINE;
    while (errno = 0, (entry = readdir(stream)) != NULL) {
        host_problem here = consider(walk, dirfd(stream), directory, entry->d_name);
        if (here != HOST_FINE) {
            *system = here == HOST_READ ? errno : 0;
            problem = here;
        }
        if (here == HOST_MEMORY)
            break;
    }
    if (entry == NULL && errno != 0) {
        *system = errno;
        problem = HOST_READ;
    }
    if (walk->count > first)
        qsort(walk->path + first, walk->count - first, sizeof *walk->path, descending);
    return problem;
}

/* Puts what is in the directory on the stack. `follow`: it was named by the user, and may be a link. */
static host_problem visit(host_walk *walk, char *directory, bool follow, int *system)
{
    size_t length = strlen(directory);
    bool cut = !follow && length > 1; /* with its / a link would be followed all the same */
    if (cut)
        directory[length - 1] = '\0';
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOCTTY | (follow ? 0 : O_NOFOLLOW));
    *system = errno;
    if (cut)
        directory[length - 1] = '/';
    if (fd < 0)
        return HOST_OPEN;
    DIR *stream = fdopendir(fd);
    if (stream == NULL) {
        *system = errno;
        close(fd);
        return HOST_OPEN;
    }
    *system = 0;
    host_problem problem = list(walk, stream, directory, system);
    closedir(stream);
    return problem;
}

bool host_walk_begin(host_walk *walk, const char *directory)
{
    *walk = (host_walk){NULL, 0, 0, NULL};
    return push(walk, join(directory, "", false)); /* visited like the others, but see `follow` */
}

bool host_walk_next(host_walk *walk, host_item *item)
{
    while (walk->count > 0) {
        bool first = walk->current == NULL; /* the directory that the user named */
        free(walk->current);
        walk->current = walk->path[--walk->count];
        *item = (host_item){walk->current, HOST_FINE, 0};
        size_t length = strlen(walk->current);
        if (walk->current[length - 1] != '/')
            return true;
        item->problem = visit(walk, walk->current, first, &item->system);
        if (item->problem != HOST_FINE)
            return true;
    }
    return false;
}

void host_walk_end(host_walk *walk)
{
    while (walk->count > 0)
        free(walk->path[--walk->count]);
    free(walk->path);
    free(walk->current);
    *walk = (host_walk){NULL, 0, 0, NULL};
}
