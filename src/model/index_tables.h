/* index_tables.h: the names of an index, found by a keyed hash. */
#ifndef ASSAY_MODEL_INDEX_TABLES_H
#define ASSAY_MODEL_INDEX_TABLES_H

#include "model.h"

/* ---- index_tables.c ----------------------------------------------------------------------------------------- */

/* No slot: its number. */
#define SLOT_FREE UINT32_MAX

void tables_begin(model_index *index);

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
