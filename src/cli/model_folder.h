/* model_folder.h: judges a folder that contains the index of a model: the index, its shards, and the other files. */
#ifndef ASSAY_MODEL_FOLDER_H
#define ASSAY_MODEL_FOLDER_H

#include "finding.h"

/* A file is judged for at most this many indexes, so that the work is linear in the sizes of the files. A message of
 * message.c names it. */
#define FOLDER_USES_MOST 4

/* What the judge of a folder calls. Paths are those that the user sees; they are valid during the call only. */
typedef struct {
    void *context;
    /* Open a file of the folder. shard: the index names it, so its path must not leave the folder. */
    host_problem (*open)(void *context, const char *path, bool shard, host_file *file);
    /* A shard will be opened soon. ahead: how many shards are announced before they are opened; 0: none. */
    void (*prefetch)(void *context, const char *path);
    uint32_t ahead;
    bool escaped; /* the names of indexes are parts of a URL, with its escapes; those of shards never are */
    /* Take the verdict on a file. index: the one for which it was judged, or NULL. A shard of several indexes is judged
     * for each. */
    void (*verdict)(void *context, const char *path, const char *index, const host_verdict *verdict);
    /* Take a finding about an index, or about a file that does not fit one. */
    void (*finding)(void *context, const finding *what);
    /* All that was reported so far is complete: no path of it will be reported again. */
    void (*complete)(void *context);
    /* Should the work end, because nobody reads the result? */
    bool (*stopped)(void *context);
} folder_hooks;

/* Judge a folder. name: its name with / at the end, or empty. path: the indexes and *.safetensors files directly in it,
 * each with the name of the folder before its own, sorted byte by byte. The order of the calls: for each index, the
 * index, the model in one file, the shards by path, and what does not fit; then files that are named like shards; then
 * the other files. */
void folder_judge(host_memory *memory, const folder_hooks *hooks, const char *name, char *const *path, size_t count);

#endif
