/* model.h: models of several files. An index states which tensor is in which shard; the functions here read it and
 * compare it with the shards. The rules are in spec/index.md.
 *
 * Nothing here opens a file, allocates or recurses. All memory is the caller's. If the seed is random, no file can make
 * its names collide in the hash tables. Usage:
 *
 *     model_measure(bytes, size, &need);             // bytes: a private copy of the index
 *     if (!model_memory_allocate(&memory, &need, malloc))
 *         ...
 *     if (model_read(&index, bytes, size, seed, &memory, &error) == MODEL_OK) {
 *         for (i = 0; i < index.shards; i++) {       // in the order of their paths
 *             shard = index.memory.order[i];         // model_path(&index, shard) names the file
 *             if it is valid:           model_shard(&index, shard, &view, report, context);
 *                                       and, if the model is also there in one file,
 *                                       model_single_shard(&single, shard, &view, malloc);
 *             if it can't be opened:    model_shard_unread(&index, shard, MODEL_SHARD_MISSING, report, context);
 *         }
 *         model_end(&index, report, context);
 *     }
 *     model_memory_free(&memory, free);
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

/* An unescaped string of the index, as UTF-8: bytes[at .. at + size). Its opening quote is at - 1. */
typedef struct {
    uint32_t at, size;
} model_text;

/* A key of any object of the index. A key of weight_map is the name of a tensor. */
typedef struct {
    model_text name;
    uint32_t object; /* offset of the object's { */
    uint16_t shard;  /* of a tensor: the number of its shard */
    uint16_t found;  /* of a tensor: 1 if the shard has it */
} model_key;

typedef enum {
    SHARD_UNKNOWN, /* not judged yet, or it could not be judged */
    SHARD_VALID
} shard_state;

/* What is known of a shard. A tensor is identified by the number of its key. */
typedef struct {
    model_text path;
    shard_state state;
    uint32_t first;           /* the first tensor that the index places in the shard */
    uint32_t tensors;         /* count of those tensors */
    uint64_t held;            /* count of the tensors in the file */
    uint64_t found;           /* count of the tensors that are both */
    uint64_t elsewhere;       /* count of the file's tensors that the index places in another shard */
    uint32_t other;           /* that shard, if it is the same for all of them, else MODEL_NONE */
    uint32_t first_elsewhere; /* the first of them in the index */
    uint32_t missing;         /* count of the tensors that the file lacks */
    uint32_t first_missing;   /* the first of them in the index */
} model_shard_entry;

/* Arrays of the caller. The hash tables have two slots for each key or shard, so at most half of the slots are used. */
typedef struct {
    model_key *key;
    uint32_t *slot; /* [2 * keys] */
    model_shard_entry *shard;
    uint32_t *shard_slot; /* [2 * shards] */
    uint32_t *case_slot;  /* [2 * shards] */
    uint32_t *order;      /* [shards] */
    uint32_t keys, shards;
} model_memory;

/* Upper bounds on the keys and shards of an index. */
typedef struct {
    uint32_t keys, shards;
} model_need;

typedef enum { TOTAL_NONE, TOTAL_NUMBER, TOTAL_OTHER } total_kind;

typedef struct {
    const uint8_t *bytes;
    uint32_t size;
    model_memory memory; /* its order: the shards, sorted by their paths, byte by byte */
    uint64_t seed;
    uint32_t keys, shards; /* their counts */
    uint32_t map;          /* offset of weight_map's { */
    uint32_t tensors;      /* count of the keys of weight_map */
    total_kind total;      /* what metadata.total_size is */
    uint64_t total_size;   /* its value, if it is a number of bytes */
    uint32_t total_at;     /* the offset of its value */
    bool clean;            /* all shards so far are valid and have no finding */
    uint64_t data;         /* bytes of the shards' data so far */
    uint64_t files;        /* bytes of the shards' files so far */
} model_index;

/* Why a text is not an index. A number that the rule does not define is ASSAY_NONE; a tensor that it does not define is
 * an empty text at 0. */
typedef struct {
    uint32_t code; /* MODEL_INDEX_..., MODEL_SHARD_PATH, MODEL_SHARD_SUFFIX, MODEL_SHARDS_MANY */
    uint64_t offset, expected, found;
    model_text tensor;
} model_error;

/* A contradiction between the index and its shards. */
typedef struct {
    uint32_t code;
    uint32_t shard, other;    /* the shard, and another one that is concerned; MODEL_NONE: none */
    uint64_t offset;          /* in the index; ASSAY_NONE: none */
    uint64_t count;           /* of the tensors that are concerned; 0: none */
    uint64_t expected, found; /* ASSAY_NONE: none */
    model_text tensor;        /* the first of the tensors, if the index names it; else at is 0 */
    const assay_view *view;   /* NULL, or the shard whose tensor `name` is the first of them */
    assay_text name;
    bool pair; /* of MODEL_SHARD_SWAPPED: the two shards are swapped */
} model_finding;

/* Receive a finding. It is valid during the call only. */
typedef void model_report(void *context, const model_finding *finding);

/* A model in one file, which is compared with the shards of the same model. */
typedef struct {
    const assay_view *view;
    uint32_t *slot; /* [2 * view->tensors]: indices of tensors */
    uint8_t *found; /* [view->tensors]: 1 if a shard has the tensor */
    uint64_t seed;
    uint64_t shards, tensors; /* counts of the shards that were compared, and of their tensors */
    uint64_t differ;          /* count of the tensors that only one side has, or that differ in dtype or shape */
    uint32_t shard;           /* the shard that has the first of them; MODEL_NONE: only the file has it */
    uint8_t *name;            /* its unescaped name; NULL: none */
    size_t name_size;
    bool failed; /* there was no memory for the name */
} model_single;

/* ---- model_index.c: reading an index -------------------------------------------------------------------- */

/* Store upper bounds on the keys and shards of an index of size bytes. O(size). */
void model_measure(const uint8_t *bytes, uint64_t size, model_need *need);

/* Allocate the arrays for an index by calls of a function such as malloc. Return false if one of them could not be
 * allocated; the others are to be freed all the same. */
bool model_memory_allocate(model_memory *memory, const model_need *need, void *(*allocate)(size_t bytes));

/* Free the arrays by a function such as free, which must accept NULL. */
void model_memory_free(model_memory *memory, void (*release)(void *array));

/* Read an index of size bytes. Return MODEL_OK, or the rule that it breaks, and store the error. Strings are unescaped
 * in place: the index borrows the bytes, and nothing else may read or write them while it is in use. Expected cost
 * O(size). */
uint32_t model_read(model_index *index, uint8_t *bytes, uint64_t size, uint64_t seed, const model_memory *memory,
                    model_error *error);

/* ---- shard_match.c: comparing an index with its shards -------------------------------------------------- */

/* Return the path of a shard, relative to the folder of the index. It contains no byte below 0x20. */
static inline model_text model_path(const model_index *index, uint32_t shard)
{
    return index->memory.shard[shard].path;
}

/* Look up the tensors of a valid shard in the index. Expected cost: O(size of its header). */
void model_shard(model_index *index, uint32_t shard, const assay_view *view, model_report *report, void *context);

/* Record that the tensors of a shard are unknown. code: MODEL_SHARD_MISSING or MODEL_SHARD_OUTSIDE, which is reported,
 * or MODEL_OK if the reason is reported as the shard's own verdict. */
void model_shard_unread(model_index *index, uint32_t shard, uint32_t code, model_report *report, void *context);

/* After the last shard, report missing tensors, swapped shards, a wrong total_size, and paths that differ in case only.
 * O(tensors + shards). */
void model_end(model_index *index, model_report *report, void *context);

/* Return the length of STEM if the path is STEM-NUMBER-of-NUMBER.safetensors, else 0. */
uint32_t model_stem(const uint8_t *path, uint32_t size);

/* ---- single_file.c: comparing a model in one file with its shards --------------------------------------- */

/* Prepare the comparison with a valid file, whose view and memory must remain until model_single_end. Return false if
 * there is not enough memory; model_single_end must follow in any case. Expected cost: O(size of its header). */
bool model_single_begin(model_single *single, const assay_view *view, uint64_t seed, void *(*allocate)(size_t bytes));

/* Compare a valid shard with the file. Expected cost: O(size of the shard's header). */
void model_single_shard(model_single *single, uint32_t shard, const assay_view *view,
                        void *(*allocate)(size_t bytes));

/* After the last shard, count the tensors that only the file has, if all shards of the index were compared. */
void model_single_compare(model_single *single, bool all, void *(*allocate)(size_t bytes));

void model_single_end(model_single *single, void (*release)(void *array));

#endif
