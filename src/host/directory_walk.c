/* directory_walk.c: the files below a directory. An explicit stack of directories: no recursion, at most three open, a
 * bounded number of names of each in memory, and no path longer than the system takes, so no tree is too deep or too
 * wide. What lies below the named directory is opened beneath it: a link put in a directory's place leads nowhere. */
#include "posix.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

enum { DIRECTORY_FLAGS = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOCTTY };

/* Lets the walk's path go on with name behind its first bytes. There is room for two bytes more. */
static bool set_path(host_walk *walk, size_t first, const char *name)
{
    size_t length = strlen(name), wanted = first + length + 3;
    if (wanted > walk->path_room) {
        char *path = realloc(walk->path, 2 * wanted);
        if (path == NULL)
            return false;
        walk->path = path;
        walk->path_room = 2 * wanted;
    }
    memcpy(walk->path + first, name, length + 1);
    return true;
}

static host_level *top(host_walk *walk)
{
    return &walk->level[walk->levels - 1];
}

/* What a directory's entry is. 0: it can't be seen. */
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

/* A directory's entry: a file to judge, a directory to visit, or nothing to us. HOST_READ: what it is can't be seen. */
static host_problem consider(host_walk *walk, host_chunk *to, int fd, const struct dirent *entry)
{
    struct stat status;
    host_level *level = top(walk);
    const char *name = entry->d_name;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return HOST_FINE;
    if (!host_chunk_wants(to, name, false) && !host_chunk_wants(to, name, true))
        return HOST_FINE;
    mode_t kind = kind_of(fd, entry);
    int why = errno;
    if (!set_path(walk, level->path, name))
        return HOST_MEMORY;
    char *below = walk->path + walk->below;
    bool is_directory = kind == S_IFDIR;
    if (!host_chosen(walk->choice, below, level->path - walk->below, is_directory)) {
        errno = why; /* not seen, it may be a directory full of files; or it is gone */
        return kind != 0 || why == ENOENT ? HOST_FINE : HOST_READ;
    }
    if (kind == S_IFLNK && fstatat(fd, name, &status, 0) == 0 && S_ISDIR(status.st_mode))
        return HOST_FINE; /* a link to a directory */
    level->is_model |= !is_directory && (host_is_index(name) || host_is_part(name));
    if ((to == &walk->folder && is_directory) || !host_chunk_wants(to, name, is_directory))
        return HOST_FINE;
    /* If it isn't a file, the judge will say so. */
    return host_chunk_add(to, name, is_directory, kind == S_IFREG) ? HOST_FINE : HOST_MEMORY;
}

/* Goes on behind an entry that can't be seen. */
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

/* The directory on top of the stack, opened anew. */
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

static void leave(host_walk *walk)
{
    if (walk->here >= 0)
        close(walk->here);
    walk->here = -1;
}

/* Reads names of the directory on top of the stack, which is open as fd, or -1 and errno says why. */
static host_problem visit(host_walk *walk, host_chunk *to, int fd, int *system)
{
    *system = errno;
    if (fd < 0)
        return HOST_OPEN;
    /* A copy of the root's descriptor stands where the last reading ended. Not by rewinddir, which tells no error. */
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

/* Puts the directory that the walk's path names on the stack. */
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

/* Goes into the directory that the walk's path names. */
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

/* Opens the directory that the user named. */
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

/* The directory on top of the stack holds an index: all its files at once, however many. */
static void read_folder(host_walk *walk, host_item *item)
{
    host_chunk_free(&walk->folder);
    walk->folder.most = SIZE_MAX;
    top(walk)->told = true;
    walk->cut = false;
    item->problem = visit(walk, &walk->folder, open_top(walk), &item->system);
    walk->pending = walk->folder.count > 0 && item->problem != HOST_MEMORY;
    if (walk->pending && !walk->cut)
        item->problem = HOST_FINE; /* an entry that can't be seen has been told */
}

static void give_folder(host_walk *walk, host_item *item)
{
    walk->pending = false;
    item->directory = walk->here = open_top(walk);
    if (walk->here < 0) /* never by its path: there could be another one by now */
        *item = (host_item){.problem = HOST_OPEN, .system = errno};
    else
        item->folder = &walk->folder;
}

/* A name in it. */
static void step_name(host_walk *walk, host_item *item)
{
    host_level *level = top(walk);
    const char *name = level->chunk.name[level->chunk.next++];
    bool is_directory = name[strlen(name) - 1] == '/';
    if (!is_directory && level->told)
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

/* What is next in the directory on top of the stack; false: nothing to tell, go on. */
static bool step(host_walk *walk, host_item *item)
{
    host_level *level = top(walk);
    *item = (host_item){.problem = HOST_FINE};
    walk->path[level->path] = '\0';
    if (level->is_model && !level->told)
        read_folder(walk, item);
    bool fine = item->problem == HOST_FINE; /* else what is wrong with the folder comes before it */
    if (fine && walk->pending) {
        give_folder(walk, item);
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
