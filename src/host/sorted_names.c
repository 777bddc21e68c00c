/* sorted_names.c: the least names of a directory after a known one. A directory is read as often as necessary, so a
 * million names need no more memory than some thousands. */
#include <stdlib.h>
#include <string.h>

#include "directory_walk.h"

static int ascending(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static size_t most_of(const host_chunk *chunk)
{
    return chunk->most == 0 ? HOST_CHUNK : chunk->most;
}

/* Compare a name, to which / is appended if it is a directory's, with one that has its / already, as strcmp does. */
static int compare(const char *name, bool is_directory, const char *with)
{
    size_t length = strlen(name);
    int order = strncmp(name, with, length);
    return order != 0 || !is_directory ? (order != 0 ? order : strcmp(name, with)) : strcmp("/", with + length);
}

bool host_chunk_accepts(const host_chunk *chunk, const char *name, bool is_directory)
{
    if (chunk->after != NULL && compare(name, is_directory, chunk->after) <= 0)
        return false;
    /* Once there were too many, the last of those that were kept is the end. */
    return !chunk->more || compare(name, is_directory, chunk->name[most_of(chunk) - 1]) < 0;
}

/* Sort the names, and free those that are too many. */
static void keep_least(host_chunk *chunk)
{
    if (chunk->count > 0)
        qsort(chunk->name, chunk->count, sizeof *chunk->name, ascending);
    while (chunk->count > most_of(chunk)) {
        free(chunk->name[--chunk->count]);
        chunk->more = true;
    }
}

static bool grow(host_chunk *chunk)
{
    size_t room = chunk->room < 64 ? 64 : 2 * chunk->room;
    char **name = realloc(chunk->name, room * sizeof *name);
    if (name == NULL)
        return false;
    chunk->name = name;
    chunk->room = room;
    return true;
}

bool host_chunk_add(host_chunk *chunk, const char *name, bool is_directory, bool seen)
{
    if (chunk->count / 2 >= most_of(chunk))
        keep_least(chunk);
    size_t length = strlen(name);
    char *kept = chunk->count < chunk->room || grow(chunk) ? malloc(length + is_directory + 2) : NULL;
    if (kept == NULL)
        return false;
    memcpy(kept, name, length);
    strcpy(kept + length, is_directory ? "/" : "");
    kept[length + is_directory + 1] = (char)seen;
    chunk->name[chunk->count++] = kept;
    return true;
}

bool host_chunk_seen(const char *name)
{
    return name[strlen(name) + 1] != 0;
}

void host_chunk_sort(host_chunk *chunk)
{
    keep_least(chunk);
    chunk->next = 0;
}

void host_chunk_next(host_chunk *chunk)
{
    free(chunk->after);
    chunk->after = chunk->count > 0 ? chunk->name[--chunk->count] : NULL;
    while (chunk->count > 0)
        free(chunk->name[--chunk->count]);
    chunk->more = false;
    chunk->next = 0;
}

void host_chunk_free(host_chunk *chunk)
{
    host_chunk_next(chunk);
    free(chunk->after);
    free(chunk->name);
    *chunk = (host_chunk){.name = NULL};
}
