/* inputs.c: see inputs.h. */
#include "posix.h"

#include "inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "remote_files.h"
#include "escaped_text.h"

host_problem input_open(host_file *file, const char *path)
{
    *file = (host_file){.fd = -1, .size = ASSAY_NONE};
    if (remote_kind_of(path) != REMOTE_NONE)
        return HOST_LOCAL_ONLY;
    return strcmp(path, "-") == 0 ? host_take_from(file, 0) : host_open(file, AT_FDCWD, path);
}

bool inputs_begin(inputs *from, const command_line *line)
{
    *from = (inputs){.line = line};
    from->choice = (host_choice){(char **)line->include, (char **)line->exclude, line->includes, line->excludes,
                                 line->one_file_system};
    if (line->files_from == NULL || list_begin(&from->list, line->files_from))
        return true;
    fputs("assay: the list of files can't be opened: ", stderr);
    text_path(stderr, TEXT_QUOTED, line->files_from);
    fprintf(stderr, ": %s\n", strerror(errno));
    return false;
}

/* The next name in the list; NULL: there is none, or *next says what is wrong with the list. */
static const char *next_in_list(inputs *from, input *next)
{
    int error = 0;
    const char *name = from->ended ? NULL : list_next(&from->list, &error);
    from->any = from->any || name != NULL;
    if (name != NULL || from->ended)
        return name;
    next->path = from->line->files_from;
    if (error != 0)
        *next = (input){.path = next->path, .problem = HOST_READ, .system = error};
    else if (!from->any && interrupted == 0)
        *next = (input){.path = next->path, .problem = HOST_EMPTY_LIST};
    from->ended = true;
    return NULL;
}

/* The next thing that the user named; NULL: nothing, or a problem. */
static const char *next_named(inputs *from, input *next)
{
    if (from->line->files_from != NULL)
        return next_in_list(from, next);
    return from->operand < from->line->operands ? from->line->operand[from->operand++] : NULL;
}

static bool take_descriptor(inputs *from, input *next)
{
    static char path[32];
    if (from->any)
        return false;
    from->any = true;
    snprintf(path, sizeof path, "/dev/fd/%u", from->line->fd);
    next->path = path;
    next->problem = host_take_from(&next->file, (int)from->line->fd);
    next->system = next->file.system;
    return true;
}

static void begin_walk(inputs *from, const char *path, input *next)
{
    from->directory = strdup(path);
    from->found = false;
    if (from->directory == NULL || !host_walk_begin(&from->walk, path, &from->choice)) {
        *next = (input){.path = path, .problem = HOST_MEMORY};
        return;
    }
    from->walking = true;
}

/* A file in the directory; false: there is no more. */
static bool next_in_walk(inputs *from, input *next, bool (*wait)(void *), void *context)
{
    host_item item;
    if (!host_walk_next(&from->walk, &item)) {
        bool found = from->found;
        *next = (input){.path = from->directory, .problem = HOST_EMPTY};
        if (from->choice.includes + from->choice.excludes > 0)
            next->problem = HOST_UNCHOSEN;
        host_walk_end(&from->walk);
        from->walking = false;
        return !found;
    }
    from->found = true;
    *next = (input){.path = item.path, .problem = item.problem, .system = item.system};
    if (item.folder != NULL) {
        next->folder = true;
        next->names = item.folder->name;
        next->count = item.folder->count;
        do
            next->file.fd = fcntl(item.directory, F_DUPFD_CLOEXEC, 3);
        while (next->file.fd < 0 && errno == EMFILE && wait(context));
        next->problem = next->file.fd < 0 ? HOST_OPEN : HOST_FINE;
        next->system = next->file.fd < 0 ? errno : 0;
        return true;
    }
    while (item.problem == HOST_FINE) {
        next->problem = (item.seen ? host_open_seen : host_open)(&next->file, item.directory, item.name);
        next->system = next->file.system;
        if (next->problem != HOST_OPEN || next->system != EMFILE || !wait(context))
            break;
    }
    if (next->problem == HOST_FINE && from->choice.includes + from->choice.excludes > 0)
        next->file.beside = host_index_beside(item.directory, item.name); /* one that was not chosen */
    return true;
}

/* An index that was named: of its folder it and its shards alone matter. */
static void take_index(inputs *from, const char *path, input *next)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash + 1 - path);
    from->directory = strdup(path);
    from->index = strdup(path + length);
    *next = (input){.path = path, .problem = HOST_MEMORY};
    if (from->directory == NULL || from->index == NULL)
        return;
    from->directory[length] = '\0';
    *next = (input){.path = from->directory, .folder = true, .file.fd = -1, .names = &from->index, .count = 1};
}

/* An address: a file on a server, or an index there, or a repository of the Hub. */
static void take_address(inputs *from, remote_kind kind, const char *address, input *next)
{
    static char one[] = "model.safetensors";
    static char *either[] = {NULL, one};
    size_t room = strlen(address) + 40;
    *next = (input){.path = address, .afar = true, .query = ""};
    if (!remote_built())
        next->problem = HOST_NO_REMOTE;
    if (kind == REMOTE_FILE || next->problem != HOST_FINE)
        return;
    from->directory = malloc(room);
    from->index = malloc(room);
    from->query = malloc(room);
    *next = (input){.path = address, .problem = HOST_MEMORY};
    if (from->directory == NULL || from->index == NULL || from->query == NULL)
        return;
    remote_split(address, kind, from->directory, from->index, from->query);
    either[0] = from->index;
    *next = (input){.path = from->directory, .afar = true, .query = from->query, .folder = true, .file.fd = -1};
    next->names = either;
    next->count = kind == REMOTE_REPOSITORY ? 2 : 1;
}

static void forget(inputs *from)
{
    free(from->directory);
    free(from->index);
    free(from->query);
    from->directory = from->index = from->query = NULL;
}

/* What is not a regular file can be read once: the second time there is nothing, or the rest. */
static void once(inputs *from, input *next)
{
    bool stream = next->problem == HOST_FINE && next->file.stream;
    if (stream && from->streamed) {
        close(next->file.fd);
        next->problem = HOST_TWICE;
    }
    from->streamed |= stream;
}

bool inputs_next(inputs *from, input *next, bool (*wait)(void *), void *context)
{
    for (;;) {
        if (from->walking && next_in_walk(from, next, wait, context))
            return true;
        forget(from);
        *next = (input){.path = NULL};
        if (from->line->has_fd)
            return take_descriptor(from, next);
        const char *path = next_named(from, next);
        if (path == NULL)
            return next->path != NULL && next->problem != HOST_FINE;
        *next = (input){.path = path};
        remote_kind kind = remote_kind_of(path);
        if (kind != REMOTE_NONE) {
            take_address(from, kind, path, next);
            return true;
        }
        if (host_is_index(path)) {
            take_index(from, path, next);
            return true;
        }
        if (from->line->files_from != NULL && from->list.fd == 0 && strcmp(path, "-") == 0) {
            next->problem = HOST_READ;
            return true;
        }
        do {
            next->problem = input_open(&next->file, path);
            next->system = next->file.system;
        } while (next->problem == HOST_OPEN && next->system == EMFILE && wait(context));
        if (next->problem == HOST_FINE && strcmp(path, "-") != 0)
            next->file.beside = host_index_beside(AT_FDCWD, path);
        once(from, next);
        if (next->problem != HOST_DIRECTORY)
            return true;
        begin_walk(from, path, next);
        if (!from->walking)
            return true;
    }
}

void inputs_end(inputs *from)
{
    if (from->walking)
        host_walk_end(&from->walk);
    forget(from);
    if (from->line->files_from != NULL)
        list_end(&from->list);
}
