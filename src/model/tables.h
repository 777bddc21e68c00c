/* tables.h: the names of an index, found by a keyed hash. */
#ifndef ASSAY_MODEL_TABLES_H
#define ASSAY_MODEL_TABLES_H

#include "model.h"

/* ---- siphash.c ---------------------------------------------------------------------------------------- */

/* SipHash-1-3: who does not know the seed can't make texts that collide. */
typedef struct {
    uint64_t v0, v1, v2, v3;
    uint64_t tail;  /* bytes that are not yet mixed in, the first lowest */
    uint64_t count; /* all bytes so far */
} siphash;

void siphash_begin(siphash *hash, uint64_t seed, uint64_t also);
void siphash_byte(siphash *hash, uint8_t byte);
void siphash_bytes(siphash *hash, const uint8_t *bytes, size_t count);
uint64_t siphash_end(siphash *hash);

/* ---- tables.c ----------------------------------------------------------------------------------------- */

/* No slot: its number. */
#define SLOT_FREE UINT32_MAX

void tables_begin(model_index *index);

/* Adds a key to an object; false: it has one already, and *earlier is the number of that. *number: that of the key. */
bool tables_add_key(model_index *index, model_text name, uint32_t object, uint32_t *number, uint32_t *earlier);

/* The tensor of weight_map whose name is this text of a shard; MODEL_NONE: there is none. */
uint32_t tables_tensor(const model_index *index, const assay_view *view, assay_text name);

/* The number of the shard with this path; MODEL_NONE: there is none. path: size bytes. */
uint32_t tables_shard(const model_index *index, const uint8_t *path, uint32_t size);

/* The same, and it is added if there is none; MODEL_NONE: there is no room. */
uint32_t tables_add_shard(model_index *index, model_text path);

/* Is a shard called STEM-NUMBER-of-NUMBER.safetensors, and so is this path, with the same STEM? */
bool tables_stem(const model_index *index, const uint8_t *path, uint32_t size);

/* Puts the shards in order, by their paths. */
void tables_sort(model_index *index);

#endif
