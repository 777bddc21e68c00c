/* model_folder.h: a folder that holds an index of a model: the index, its shards, and the other files beside it. */
#ifndef ASSAY_MODEL_FOLDER_H
#define ASSAY_MODEL_FOLDER_H

#include "finding.h"

/* Indexes for which a file is judged: so the work grows with what there is to read. problem_texts prints it. */
#define FOLDER_USES_MOST 4

/* What the folder's judge asks for and says. Paths are those that the user sees, and valid during the call alone. */
typedef struct {
    void *context;
    /* Opens a file of the folder, which the index names if it is a shard: then by host_open_inside, or in its way. */
    host_problem (*open)(void *context, const char *path, bool shard, host_file *file);
    /* A shard will be asked for soon, at most so many (ahead) before they are asked for; 0: it isn't told. */
    void (*want)(void *context, const char *path);
    uint32_t ahead;
    bool escaped; /* the names of indexes are pieces of a URL; those of shards never are */
    /* The verdict on one file. index: the one for which it was judged, or NULL. May come again for another index. */
    void (*verdict)(void *context, const char *path, const char *index, const host_verdict *verdict);
    /* What is found out about an index, or between it and a file. */
    void (*finding)(void *context, const finding *what);
    /* Nothing more will be reported about any path so far. */
    void (*complete)(void *context);
    /* Is there no point in going on? */
    bool (*stopped)(void *context);
} folder_hooks;

/* Judges all of a folder. name: the folder's, with / at its end, or empty. path: the indexes and *.safetensors files
 * directly in it, each with the folder's name before its own, sorted byte by byte. Each index is told, then the
 * verdicts of its shards in the order of their paths, then what does not fit; then the files that no index names. */
void folder_judge(host_memory *memory, const folder_hooks *hooks, const char *name, char *const *path, size_t count);

#endif
