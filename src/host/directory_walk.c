/* directory_walk.c: walks over the files below a directory, with a stack and without recursion. At most three
 * directories are open, and a bounded number of names of each is in memory, so no tree is too deep or too wide.
 * Everything is opened beneath the named directory: a link that replaces a directory is not followed. */
#include "posix.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "directory_walk.h"
#include "model_names.h"

enum { DIRECTORY_FLAGS = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOCTTY };

/* Replace all but the first bytes of the walk's path by name, with room for two bytes more. Return false if there is no
 * memory. */
static bool set_path(host_walk *walk, size_t first, const char *name)
{
    size_t length = strlen(name), needed = first + length + 3;
    if (needed > walk->path_room) {
        char *path = realloc(walk->path, 2 * needed);
        if (path == NULL)
            return false;
        walk->path = path;
        walk->path_room = 2 * needed;
    }
    memcpy(walk->path + first, name, length + 1);
    return true;
}

static host_level *top(host_walk *walk)
{
    return &walk->level[walk->levels - 1];
}

/* Return what kind of file a directory's entry is; 0: it cannot be inspected, and errno tells why. */
static mode_t kind_of(int fd, const struct dirent *entry)
{
#if defined(DT_UNKNOWN)
    if (entry->d_type == DT_REG)
        return S_IFREG;
#endif
    struct stat status;
    if (fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return 0;
    return status.st_mode & S_IFMT;
}

/* Keep an entry of a directory if it is a chosen file or a directory to visit. HOST_READ: it cannot be inspected. */
static host_problem consider(host_walk *walk, host_chunk *to, int fd, const struct dirent *entry)
{
    struct stat status;
    host_level *level = top(walk);
    const char *name = entry->d_name;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return HOST_FINE;
    if (!host_chunk_accepts(to, name, false) && !host_chunk_accepts(to, name, true))
        return HOST_FINE;
    mode_t kind = kind_of(fd, entry);
    int why = errno;
    if (!set_path(walk, level->path, name))
        return HOST_MEMORY;
    char *below = walk->path + walk->below;
    bool is_directory = kind == S_IFDIR;
    if (!host_chosen(walk->choice, below, level->path - walk->below, is_directory)) {
        errno = why; /* it may be a directory full of files; ENOENT: it is gone */
        return kind != 0 || why == ENOENT ? HOST_FINE : HOST_READ;
    }
    if (kind == S_IFLNK && fstatat(fd, name, &status, 0) == 0 && S_ISDIR(status.st_mode))
        return HOST_FINE; /* a link to a directory */
    level->is_model |= !is_directory && (host_is_index(name) || host_is_part(name));
    if ((to == &walk->folder && is_directory) || !host_chunk_accepts(to, name, is_directory))
        return HOST_FINE;
    /* If it is not a file, opening it will report that. */
    return host_chunk_add(to, name, is_directory, kind == S_IFREG) ? HOST_FINE : HOST_MEMORY;
}

/* Read all entries of a directory. An entry that cannot be inspected is a problem, but does not end it. */
static host_problem list(host_walk *walk, host_chunk *to, DIR *stream, int *system)
{
    struct dirent *entry;
    host_problem problem = HOST_FINE;
    while (errno = 0, (entry = readdir(stream)) != NULL) {
        host_problem here = consider(walk, to, dirfd(stream), entry);
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
        walk->cut = true;
    }
    host_chunk_sort(to);
    return problem;
}

/* Open the directory on top of the stack again. Return a descriptor, or -1 and errno. */
static int open_top(host_walk *walk)
{
    size_t end = top(walk)->path;
    if (walk->levels == 1)
        return fcntl(walk->root, F_DUPFD_CLOEXEC, 0);
    walk->path[end - 1] = '\0';
    int fd = host_open_beneath(walk->root, walk->path + walk->below, DIRECTORY_FLAGS);
    walk->path[end - 1] = '/';
    return fd;
}

/* Close the directory whose files were being returned. */
static void leave(host_walk *walk)
{
    if (walk->here >= 0)
        close(walk->here);
    walk->here = -1;
}

/* Read names of the directory on top of the stack. fd: it, which is closed; or -1 and errno. */
static host_problem visit(host_walk *walk, host_chunk *to, int fd, int *system)
{
    *system = errno;
    if (fd < 0)
        return HOST_OPEN;
    /* A copy of the root's descriptor is where the last reading ended. rewinddir reports no error, lseek does. */
    DIR *stream = lseek(fd, 0, SEEK_SET) < 0 ? NULL : fdopendir(fd);
    if (stream == NULL) {
        *system = errno;
        close(fd);
        return HOST_OPEN;
    }
    *system = 0;
    host_problem problem = list(walk, to, stream, system);
    closedir(stream);
    walk->path[top(walk)->path] = '\0';
    return problem;
}

/* Push the directory that the walk's path names. Return false if there is no memory. */
static bool push(host_walk *walk)
{
    if (walk->levels == walk->room) {
        size_t room = walk->room < 16 ? 16 : 2 * walk->room;
        host_level *grown = realloc(walk->level, room * sizeof *grown);
        if (grown == NULL)
            return false;
        walk->level = grown;
        walk->room = room;
    }
    walk->level[walk->levels++] = (host_level){.path = strlen(walk->path)};
    return true;
}

static void pop(host_walk *walk)
{
    leave(walk);
    host_chunk_free(&top(walk)->chunk);
    walk->levels--;
}

/* Push the directory that the walk's path names, and read it. */
static host_problem descend(host_walk *walk, int *system)
{
    struct stat status;
    leave(walk);
    if (!push(walk))
        return HOST_MEMORY;
    int fd = open_top(walk);
    bool stays = fd >= 0 && walk->choice->one_file_system && fstat(fd, &status) == 0;
    if (stays && (uint64_t)status.st_dev != walk->device) {
        close(fd);
        pop(walk);
        return HOST_FINE;
    }
    return visit(walk, &top(walk)->chunk, fd, system);
}

/* Open and read the directory that the user named. */
static host_problem begin(host_walk *walk, int *system)
{
    struct stat status;
    walk->begun = true;
    walk->root = open(walk->path, DIRECTORY_FLAGS);
    *system = walk->root < 0 ? errno : 0;
    if (walk->root < 0)
        return HOST_OPEN;
    if (fstat(walk->root, &status) == 0)
        walk->device = (uint64_t)status.st_dev;
    return descend(walk, system);
}

bool host_walk_begin(host_walk *walk, const char *directory, const host_choice *choice)
{
    *walk = (host_walk){.choice = choice, .root = -1, .here = -1};
    if (!set_path(walk, 0, directory))
        return false;
    size_t length = strlen(directory);
    if (length > 0 && directory[length - 1] != '/')
        memcpy(walk->path + length++, "/", 2);
    walk->below = length;
    return true;
}

/* Read all file names of the directory on top of the stack, which holds an index. */
static void read_folder(host_walk *walk, host_item *item)
{
    host_chunk_free(&walk->folder);
    walk->folder.most = SIZE_MAX;
    top(walk)->delivered = true;
    walk->cut = false;
    item->problem = visit(walk, &walk->folder, open_top(walk), &item->system);
    walk->pending = walk->folder.count > 0 && item->problem != HOST_MEMORY;
    if (walk->pending && !walk->cut)
        item->problem = HOST_FINE; /* an entry that cannot be inspected was reported before */
}

/* Return the directory on top of the stack as a folder. */
static void return_folder(host_walk *walk, host_item *item)
{
    walk->pending = false;
    item->directory = walk->here = open_top(walk);
    if (walk->here < 0) /* not by its path, which may lead to another by now */
        *item = (host_item){.problem = HOST_OPEN, .system = errno};
    else
        item->folder = &walk->folder;
}

/* Take the next name in the directory on top of the stack. */
static void step_name(host_walk *walk, host_item *item)
{
    host_level *level = top(walk);
    const char *name = level->chunk.name[level->chunk.next++];
    bool is_directory = name[strlen(name) - 1] == '/';
    if (!is_directory && level->delivered)
        return;
    if (!set_path(walk, level->path, name))
        item->problem = HOST_MEMORY;
    else if (is_directory)
        item->problem = descend(walk, &item->system);
    else if (walk->here < 0 && (walk->here = open_top(walk)) < 0)
        *item = (host_item){.problem = HOST_OPEN, .system = errno};
    else
        *item = (host_item){.name = walk->path + level->path, .directory = walk->here, .seen = host_chunk_seen(name)};
}

/* Take one step. Return true if it leads to an item. */
static bool step(host_walk *walk, host_item *item)
{
    host_level *level = top(walk);
    *item = (host_item){.problem = HOST_FINE};
    walk->path[level->path] = '\0';
    if (level->is_model && !level->delivered)
        read_folder(walk, item);
    bool fine = item->problem == HOST_FINE; /* else the problem comes before the folder */
    if (fine && walk->pending) {
        return_folder(walk, item);
    } else if (fine && level->chunk.next < level->chunk.count) {
        step_name(walk, item);
    } else if (fine && level->chunk.more) {
        host_chunk_next(&level->chunk);
        item->problem = visit(walk, &level->chunk, open_top(walk), &item->system);
    } else if (fine) {
        pop(walk);
    }
    item->path = walk->path;
    return item->problem != HOST_FINE || item->name != NULL || item->folder != NULL;
}

bool host_walk_next(host_walk *walk, host_item *item)
{
    if (!walk->begun) {
        *item = (host_item){.problem = HOST_FINE};
        item->problem = begin(walk, &item->system);
        item->path = walk->path;
        if (item->problem != HOST_FINE)
            return true;
    }
    while (walk->levels > 0)
        if (step(walk, item))
            return true;
    return false;
}

void host_walk_end(host_walk *walk)
{
    while (walk->levels > 0)
        pop(walk);
    if (walk->root >= 0)
        close(walk->root);
    host_chunk_free(&walk->folder);
    free(walk->level);
    free(walk->path);
}
