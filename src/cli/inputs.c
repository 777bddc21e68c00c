/* inputs.c: see inputs.h. */
#include "posix.h"

#include "inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "escaped_text.h"
#include "remote_files.h"

/* Does the path begin like an address: with a letter, and more letters, digits, +, - and ., before ://? */
static bool is_like_address(const char *path)
{
    size_t scheme = strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");
    return scheme > 1 && strspn(path, "0123456789+-.") == 0 && strncmp(path + scheme, "://", 3) == 0;
}

host_problem input_open(host_file *file, const char *path)
{
    host_problem problem = HOST_LOCAL_ONLY;
    *file = (host_file){.fd = -1, .size = ASSAY_NONE};
    if (remote_kind_of(path) == REMOTE_NONE)
        problem = strcmp(path, "-") == 0 ? host_take_from(file, 0) : host_open(file, AT_FDCWD, path);
    if (problem == HOST_OPEN && file->system == ENOENT && is_like_address(path)) {
        file->system = 0;
        problem = HOST_OTHER_KIND;
    }
    return problem;
}

bool inputs_begin(inputs *from, const command_line *line)
{
    *from = (inputs){.line = line};
    from->choice = (host_choice){(char **)line->include, (char **)line->exclude, line->includes, line->excludes,
                                 line->one_file_system};
    bool fine = line->files_from == NULL || path_list_begin(&from->list, line->files_from);
    if (!fine) {
        fputs("assay: the list of files can't be opened: ", stderr);
        text_path(stderr, TEXT_QUOTED, line->files_from);
        fprintf(stderr, ": %s\n", strerror(errno));
    }
    return fine;
}

static bool chooses(const inputs *from)
{
    return from->choice.includes + from->choice.excludes > 0;
}

/* Could it not be opened because too many files are open? Wait until that may have changed. */
static bool waits(const input *next, bool (*wait)(void *), void *context)
{
    return next->problem == HOST_OPEN && next->system == EMFILE && wait(context);
}

static void forget(inputs *from)
{
    free(from->directory);
    free(from->index);
    free(from->query);
    from->directory = from->index = from->query = NULL;
}

/* ---- What was named --------------------------------------------------------------------------------------- */

static void take_descriptor(inputs *from, input *next)
{
    static char path[32];
    if (from->ended)
        return;
    from->ended = true;
    snprintf(path, sizeof path, "/dev/fd/%u", from->line->fd);
    next->path = path;
    next->problem = host_take_from(&next->file, (int)from->line->fd);
    next->system = next->file.system;
}

/* Take the next name of the list. After the last, report once if the list can't be read or is empty. */
static void take_listed(inputs *from, input *next)
{
    int error = 0;
    const char *list = from->line->files_from;
    if (from->ended)
        return;
    next->path = path_list_next(&from->list, &error);
    from->any = from->any || next->path != NULL;
    from->ended = next->path == NULL;
    if (from->ended && error != 0)
        *next = (input){.path = list, .problem = HOST_READ, .system = error};
    else if (from->ended && !from->any && interrupted == 0)
        *next = (input){.path = list, .problem = HOST_EMPTY_LIST};
}

/* Take what the user named next. Return false at the end. */
static bool next_named(inputs *from, input *next)
{
    forget(from);
    *next = (input){.path = NULL};
    if (from->line->has_fd)
        take_descriptor(from, next);
    else if (from->line->files_from != NULL)
        take_listed(from, next);
    else if (from->operand < from->line->operands)
        next->path = from->line->operand[from->operand++];
    return next->path != NULL;
}

/* ---- Models ----------------------------------------------------------------------------------------------- */

/* A named index becomes its folder, in which only the index and its shards matter. */
static void take_index(inputs *from, input *next)
{
    const char *path = next->path, *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash + 1 - path);
    from->directory = strdup(path);
    from->index = strdup(path + length);
    next->problem = HOST_MEMORY;
    if (from->directory != NULL && from->index != NULL) {
        from->directory[length] = '\0';
        *next = (input){.path = from->directory, .folder = true, .file.fd = -1, .names = &from->index, .count = 1};
    }
}

/* The address of an index, or of a repository of the Hub, becomes a folder on the server. */
static void take_remote_model(inputs *from, remote_kind kind, input *next)
{
    static char single[] = "model.safetensors";
    static char *names[] = {NULL, single};
    size_t room = strlen(next->path) + 40;
    from->directory = malloc(room);
    from->index = malloc(room);
    from->query = malloc(room);
    next->problem = HOST_MEMORY;
    if (from->directory != NULL && from->index != NULL && from->query != NULL) {
        remote_split(next->path, kind, from->directory, from->index, from->query);
        names[0] = from->index;
        *next = (input){.path = from->directory, .remote = true, .query = from->query, .folder = true, .file.fd = -1};
        next->names = names;
        next->count = kind == REMOTE_REPOSITORY ? 2 : 1;
    }
}

static void take_address(inputs *from, remote_kind kind, input *next)
{
    if (!remote_built())
        next->problem = HOST_NO_REMOTE;
    else if (kind != REMOTE_FILE)
        take_remote_model(from, kind, next);
    next->remote = true;
    next->query = next->query == NULL ? "" : next->query;
}

/* ---- Directories ------------------------------------------------------------------------------------------ */

static void begin_walk(inputs *from, input *next)
{
    from->directory = strdup(next->path);
    from->found = false;
    from->walking = from->directory != NULL && host_walk_begin(&from->walk, next->path, &from->choice);
    if (!from->walking)
        *next = (input){.path = next->path, .problem = HOST_MEMORY};
}

/* Report a directory without files to check. Return whether this is one. */
static bool end_walk(inputs *from, input *next)
{
    *next = (input){.path = from->directory, .problem = chooses(from) ? HOST_UNCHOSEN : HOST_EMPTY};
    host_walk_end(&from->walk);
    from->walking = false;
    return !from->found;
}

static void take_folder(const host_item *item, input *next, bool (*wait)(void *), void *context)
{
    next->folder = true;
    next->names = item->folder->name;
    next->count = item->folder->count;
    do {
        next->file.fd = fcntl(item->directory, F_DUPFD_CLOEXEC, 3);
        next->problem = next->file.fd < 0 ? HOST_OPEN : HOST_FINE;
        next->system = next->file.fd < 0 ? errno : 0;
    } while (waits(next, wait, context));
}

static void take_file(const inputs *from, const host_item *item, input *next, bool (*wait)(void *), void *context)
{
    do {
        next->problem = (item->seen ? host_open_seen : host_open)(&next->file, item->directory, item->name);
        next->system = next->file.system;
    } while (waits(next, wait, context));
    if (next->problem == HOST_FINE && chooses(from))
        next->file.beside = host_index_beside(item->directory, item->name); /* an index that was not chosen */
}

/* Take the next file or folder of a model in the directory. Return false at the end. */
static bool next_in_walk(inputs *from, input *next, bool (*wait)(void *), void *context)
{
    host_item item;
    bool some = host_walk_next(&from->walk, &item);
    if (some) {
        from->found = true;
        *next = (input){.path = item.path, .problem = item.problem, .system = item.system};
        if (item.folder != NULL)
            take_folder(&item, next, wait, context);
        else if (item.problem == HOST_FINE)
            take_file(from, &item, next, wait, context);
    }
    return some || end_walk(from, next);
}

/* ---- Inputs ----------------------------------------------------------------------------------------------- */

/* Report a second stream: what is not a regular file can be read once. */
static void once(inputs *from, input *next)
{
    bool stream = next->problem == HOST_FINE && next->file.stream;
    if (stream && from->streamed) {
        close(next->file.fd);
        next->problem = HOST_TWICE;
    }
    from->streamed |= stream;
}

static void take_local(inputs *from, input *next, bool (*wait)(void *), void *context)
{
    do {
        next->problem = input_open(&next->file, next->path);
        next->system = next->file.system;
    } while (waits(next, wait, context));
    if (next->problem == HOST_FINE && strcmp(next->path, "-") != 0)
        next->file.beside = host_index_beside(AT_FDCWD, next->path);
    once(from, next);
    if (next->problem == HOST_DIRECTORY)
        begin_walk(from, next);
}

static void take_path(inputs *from, input *next, bool (*wait)(void *), void *context)
{
    remote_kind kind = remote_kind_of(next->path);
    bool is_list = from->line->files_from != NULL && from->list.fd == 0 && strcmp(next->path, "-") == 0;
    if (kind != REMOTE_NONE)
        take_address(from, kind, next);
    else if (host_is_index(next->path))
        take_index(from, next);
    else if (is_list)
        next->problem = HOST_READ;
    else
        take_local(from, next, wait, context);
}

bool inputs_next(inputs *from, input *next, bool (*wait)(void *), void *context)
{
    bool some = from->walking && next_in_walk(from, next, wait, context);
    while (!some && next_named(from, next)) {
        if (next->problem == HOST_FINE && !from->line->has_fd)
            take_path(from, next, wait, context);
        some = !from->walking || next_in_walk(from, next, wait, context);
    }
    return some;
}

void inputs_end(inputs *from)
{
    if (from->walking)
        host_walk_end(&from->walk);
    forget(from);
    if (from->line->files_from != NULL)
        path_list_end(&from->list);
}
