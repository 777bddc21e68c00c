/* index_tables.h: hash tables of the keys and paths of an index. */
#ifndef ASSAY_MODEL_INDEX_TABLES_H
#define ASSAY_MODEL_INDEX_TABLES_H

#include "model.h"

/* The content of a free slot. */
#define SLOT_FREE UINT32_MAX

/* Make all tables empty. */
void tables_begin(model_index *index);

/* Add a key to an object and store its number. If the object has an equal key, return false and store the
 * number of that one in *earlier. */
bool tables_add_key(model_index *index, model_text name, uint32_t object, uint32_t *number, uint32_t *earlier);

/* Return the number of the key of weight_map that equals this name in a shard, after unescaping, or MODEL_NONE. */
uint32_t tables_tensor(const model_index *index, const assay_view *view, assay_text name);

/* Return the number of the shard with this path, after adding it if it is new. Return MODEL_NONE if there is no
 * room. */
uint32_t tables_add_shard(model_index *index, model_text path);

/* Return a shard that was added before by this function and whose path differs in the case of A to Z only. If there is
 * none, add this shard and return MODEL_NONE. */
uint32_t tables_add_case(model_index *index, uint32_t shard);

/* Sort the shards by their paths, byte by byte. O(shards * log(shards)) comparisons. */
void tables_sort(model_index *index);

#endif
