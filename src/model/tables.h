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

/* The hash of a text of a shard, as of its UTF-8. */
uint64_t tables_hash_text(uint64_t seed, uint64_t also, const assay_view *view, assay_text text);

/* Where a search begins in a table of that many slots. */
uint32_t tables_home(uint64_t hash, uint32_t slots);

/* Adds a key to an object; false: it has one already, and *earlier is the number of that. *number: that of the key. */
bool tables_add_key(model_index *index, model_text name, uint32_t object, uint32_t *number, uint32_t *earlier);

/* The tensor of weight_map whose name is this text of a shard; MODEL_NONE: there is none. */
uint32_t tables_tensor(const model_index *index, const assay_view *view, assay_text name);

/* The number of the shard with this path, which is added if there is none; MODEL_NONE: there is no room. */
uint32_t tables_add_shard(model_index *index, model_text path);

/* The shard that was added before and whose path is the same but for the case of A to Z; MODEL_NONE: there was none,
 * and this one is added. */
uint32_t tables_add_case(model_index *index, uint32_t shard);

/* Puts the shards in order, by their paths. */
void tables_sort(model_index *index);

#endif
