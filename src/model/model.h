/* model.h: what joins the files of a model: the index, which says which tensor lies in which shard, and whether the
 * shards agree with it. The rules are in spec/index.md.
 *
 * Nothing here opens a file, allocates or recurses; all memory is the caller's, and no file can choose how its names
 * collide, if the seed is random. How to use it:
 *
 *     model_measure(bytes, size, &need);                  // a private copy of the index; then model_take(&memory, ...)
 *     if (model_read(&index, bytes, size, seed, &memory, &error) == MODEL_OK)
 *         for (i = 0; i < index.shards; i++)              // in the order of their paths
 *             shard = index.memory.order[i], model_path(&index, shard) names the file:
 *             if it is valid: model_shard(&index, shard, &view, tell, context);
 *             else if it can't be had: model_without(&index, shard, MODEL_SHARD_MISSING, tell, context);
 *             and if the model is also there in one file: model_single_shard(&single, shard, &view, malloc);
 *     model_end(&index, tell, context);
 *     model_give_back(&memory, free);
 */
#ifndef ASSAY_MODEL_H
#define ASSAY_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay.h"
#include "model_rules.h"

#define MODEL_SIZE_MAX 1000000000u /* bytes of an index: all its offsets fit 32 bits */
#define MODEL_SHARDS_MAX 65535u
#define MODEL_PATH_MAX 1024u
#define MODEL_DEPTH_MAX 64u
#define MODEL_NONE UINT32_MAX

/* A string of the index, unescaped: bytes[at .. at + size), UTF-8. Its opening quote is at - 1. */
typedef struct {
    uint32_t at, size;
} model_text;

/* A key of any object; one of weight_map is a tensor. */
typedef struct {
    model_text name;
    uint32_t object; /* where the object's { stands */
    uint16_t shard;  /* of a tensor: its shard's number */
    uint16_t here;   /* of a tensor: 1 once it has been found there */
} model_key;

typedef enum {
    SHARD_UNKNOWN, /* nothing was said of it, or it could not be judged */
    SHARD_VALID,
    SHARD_TOLD /* it was told as one of a pair that is swapped */
} shard_state;

/* What is known of a shard. Tensors are named by the number of their key. */
typedef struct {
    model_text path;
    shard_state state;
    uint32_t first;     /* the first tensor that the index places in it */
    uint32_t tensors;   /* how many there are ... */
    uint64_t holds;     /* ... and how many the file has */
    uint64_t here;      /* those of both */
    uint64_t elsewhere; /* tensors of the file that the index places in another shard ... */
    uint32_t other;     /* ... the shard, if all are in the same; else MODEL_NONE */
    uint32_t stranger;  /* ... the first of them in the index */
    uint32_t missing;   /* tensors that it lacks ... */
    uint32_t lacks;     /* ... the first of them in the index */
} model_shard_entry;

/* Arrays of the caller. Two slots a key and a shard: at most half of them are taken. */
typedef struct {
    model_key *key;
    uint32_t *slot; /* [2 * keys] */
    model_shard_entry *shard;
    uint32_t *shard_slot; /* [2 * shards] */
    uint32_t *case_slot;  /* [2 * shards] */
    uint32_t *order;      /* [shards] */
    uint32_t keys, shards;
} model_memory;

/* What an index needs at most. */
typedef struct {
    uint32_t keys, shards;
} model_need;

typedef enum { TOTAL_NONE, TOTAL_NUMBER, TOTAL_OTHER } total_kind;

typedef struct {
    const uint8_t *bytes;
    uint32_t size;
    model_memory memory; /* order: the shards by their paths, byte by byte */
    uint64_t seed;
    uint32_t keys, shards; /* how many there are */
    uint32_t map;          /* where weight_map's { stands */
    uint32_t tensors;      /* keys of weight_map */
    total_kind total;      /* metadata.total_size ... */
    uint64_t total_size;   /* ... if it is a number of bytes */
    uint32_t total_at;     /* ... where its value stands */
    bool clean;            /* all shards so far are valid and have no finding */
    uint64_t data;         /* bytes of their tensors ... */
    uint64_t files;        /* ... and of the files */
} model_index;

/* Why an index is none. What a rule does not say is ASSAY_NONE; of the tensor it is an empty text at 0. */
typedef struct {
    uint32_t code; /* MODEL_INDEX_..., MODEL_SHARD_PATH, MODEL_SHARD_SUFFIX, MODEL_SHARDS_MANY */
    uint64_t offset, expected, found;
    model_text tensor;
} model_error;

/* What is wrong between index and shards. */
typedef struct {
    uint32_t code;
    uint32_t shard, other;    /* MODEL_NONE: none; both: another shard that has to do with it */
    uint64_t offset;          /* in the index; ASSAY_NONE: none */
    uint64_t count;           /* how many tensors it is about; 0: none */
    uint64_t expected, found; /* ASSAY_NONE: none */
    model_text tensor;        /* the first of them, if it is in the index, else at is 0 ... */
    const assay_view *view;   /* ... and this is not NULL, but the shard that has it: */
    assay_text name;
    bool pair; /* of MODEL_SHARD_SWAPPED: the two shards are swapped */
} model_finding;

typedef void model_tell(void *context, const model_finding *finding);

/* The table of a file that holds the model of an index in one, while the shards are compared with it. */
typedef struct {
    const assay_view *view;
    uint32_t *slot; /* [2 * view->tensors]: numbers of tensors in layout order */
    uint8_t *found; /* [view->tensors]: 1 once a shard had the tensor */
    uint64_t seed;
    uint64_t shards, tensors; /* that were compared, and how many these hold */
    uint64_t differ;          /* tensors that only one side has, or that are not the same ... */
    uint32_t shard;           /* ... the shard that holds the first of them; MODEL_NONE: the file does ... */
    uint8_t *name;            /* ... its name, unescaped; NULL: there is none */
    size_t name_size;
    bool failed; /* there was no memory for the name */
} model_single;

/* ---- memory.c ------------------------------------------------------------------------------------------ */

/* The arrays for so many keys and shards, from take, such as malloc. False: one of them can't be had; those that could
 * are in memory. */
bool model_take(model_memory *memory, const model_need *need, void *(*take)(size_t bytes));

/* They go back, by free or the like, which knows NULL. */
void model_give_back(model_memory *memory, void (*give_back)(void *array));

/* ---- model_index.c: the index ------------------------------------------------------------------------------- */

/* Bounds for the numbers of keys and shards: what memory is to have room for. O(size). */
void model_measure(const uint8_t *bytes, uint64_t size, model_need *need);

/* Reads an index: MODEL_OK, or the rule that it breaks. Strings are unescaped in place: of bytes, which the index then
 * borrows, nothing else may read or write until it is no longer used. O(size) expected. */
uint32_t model_read(model_index *index, uint8_t *bytes, uint64_t size, uint64_t seed, const model_memory *memory,
                    model_error *error);

/* ---- shard_match.c: the index against the shards ------------------------------------------------------------ */

/* The path of a shard, relative to the folder of the index. It holds no byte below 0x20. */
static inline model_text model_path(const model_index *index, uint32_t shard)
{
    return index->memory.shard[shard].path;
}

/* A valid shard: its tensors are looked for in the index. O(its header) expected. */
void model_shard(model_index *index, uint32_t shard, const assay_view *view, model_tell *tell, void *context);

/* A shard of whose tensors nothing can be said; code: MODEL_SHARD_MISSING or MODEL_SHARD_OUTSIDE, which is told, or
 * MODEL_OK if its own verdict says why. */
void model_without(model_index *index, uint32_t shard, uint32_t code, model_tell *tell, void *context);

/* After the last shard: what is missing, swapped, or summed up wrongly. O(tensors + shards). */
void model_end(model_index *index, model_tell *tell, void *context);

/* The length of STEM if the path is STEM-NUMBER-of-NUMBER.safetensors, else 0. */
uint32_t model_stem(const uint8_t *path, uint32_t size);

/* ---- single_file.c: the same model in one file ------------------------------------------------------------------ */

/* Take the table of the file, which is valid and stays where it is. take: such as malloc. False: there is no memory;
 * model_single_end has to follow all the same. O(its header) expected. */
bool model_single_begin(model_single *single, const assay_view *view, uint64_t seed, void *(*take)(size_t bytes));

/* Compare a valid shard with it. O(the headers of the shard) expected. */
void model_single_shard(model_single *single, uint32_t shard, const assay_view *view, void *(*take)(size_t bytes));

/* After the last shard. whole: all shards of the index were compared; if not, what the file has more is unknown. */
void model_single_compare(model_single *single, bool whole, void *(*take)(size_t bytes));

void model_single_end(model_single *single, void (*give_back)(void *array));

#endif
