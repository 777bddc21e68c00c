/* directory_walk.h: the files below a directory, in order, and which of them are chosen. */
#ifndef ASSAY_HOST_DIRECTORY_WALK_H
#define ASSAY_HOST_DIRECTORY_WALK_H

#include "open_file.h"

/* ---- sorted_names.c: the names in a directory, some thousands at a time --------------------------------- */

/* The least names after a known one, sorted by bytes. A directory is read once for each chunk, so its size does not
 * matter. */
typedef struct {
    char **name;
    size_t count, room, next;
    size_t most; /* how many are kept; 0: HOST_CHUNK */
    char *after; /* the last name of the previous chunk, or NULL */
    bool more;   /* the directory has names after these */
} host_chunk;

#ifndef HOST_CHUNK /* a test makes it small */
#define HOST_CHUNK 65536u
#endif

/* Return whether a name may belong to the chunk. */
bool host_chunk_accepts(const host_chunk *chunk, const char *name, bool is_directory);

/* Add a name; '/' is appended to that of a directory. seen: it is known to be a regular file; this is stored after the
 * name's zero byte. Return false if there is no memory. */
bool host_chunk_add(host_chunk *chunk, const char *name, bool is_directory, bool seen);

/* Return the flag that host_chunk_add stored. */
bool host_chunk_seen(const char *name);

/* Sort the chunk after the last name. */
void host_chunk_sort(host_chunk *chunk);

/* Begin the chunk after this one. */
void host_chunk_next(host_chunk *chunk);

void host_chunk_free(host_chunk *chunk);

/* ---- path_patterns.c ------------------------------------------------------------------------------------- */

/* Which files of a directory are judged. Patterns are the shell's: with a / they match the path below the directory,
 * otherwise the name. */
typedef struct {
    char **include, **exclude; /* no include: *.safetensors, *.sft and indexes */
    size_t includes, excludes;
    bool one_file_system;
} host_choice;

/* Return whether a file is chosen, or a directory is not excluded. path: below the directory that the user named, with
 * room for one byte more, which is used; path[name ..] is the name. */
bool host_chosen(const host_choice *choice, char *path, size_t name, bool is_directory);

/* ---- directory_walk.c ------------------------------------------------------------------------------------ */

/* A directory on the way to the current one. */
typedef struct {
    size_t path; /* bytes of the walk's path that name it */
    host_chunk chunk;
    bool is_model;  /* it holds an index, or numbered files */
    bool delivered; /* its files were returned as a folder */
} host_level;

typedef struct {
    const host_choice *choice;
    int root; /* the directory that the user named */
    int here; /* the directory whose files are being returned, or -1 */
    uint64_t device;
    char *path;
    size_t path_room, below; /* below: where the path goes on after what the user named */
    host_level *level;       /* a stack */
    size_t levels, room;
    host_chunk folder;  /* the files of the last model ... */
    bool pending;       /* ... which is returned next */
    bool cut;           /* the last reading of a directory ended in an error */
    bool begun;
} host_walk;

typedef struct {
    const char *path;         /* valid until the next call */
    const char *name;         /* its end: a name in the directory; NULL for a folder */
    const host_chunk *folder; /* path is a folder with a model: the names of its indexes and chosen files */
    int directory;
    bool seen;            /* it was a regular file when the directory was read */
    host_problem problem; /* HOST_FINE: a file to judge, or a folder. Otherwise a directory, or the walk, failed */
    int system;
} host_item;

/* Begin a walk over all chosen files below a directory, sorted by the bytes of their paths. The files of a directory
 * that holds an index come together, as a folder, before what is below it. Links to files are followed; links to
 * directories are not. Return false if there is no memory. */
bool host_walk_begin(host_walk *walk, const char *directory, const host_choice *choice);

/* Return the next item; false: there is none. */
bool host_walk_next(host_walk *walk, host_item *item);

void host_walk_end(host_walk *walk);

#endif
