/* memory.c: the arrays that an index needs, see model.h. */
#include "model.h"

bool model_take(model_memory *memory, const model_need *need, void *(*take)(size_t bytes))
{
    size_t keys = need->keys, shards = need->shards;
    *memory = (model_memory){.keys = need->keys, .shards = need->shards};
    if (keys > SIZE_MAX / sizeof *memory->key || shards > SIZE_MAX / sizeof *memory->shard)
        return false;
    memory->key = take(keys * sizeof *memory->key);
    memory->slot = take(2 * keys * sizeof *memory->slot);
    memory->shard = take(shards * sizeof *memory->shard);
    memory->shard_slot = take(2 * shards * sizeof *memory->shard_slot);
    memory->case_slot = take(2 * shards * sizeof *memory->case_slot);
    memory->order = take(shards * sizeof *memory->order);
    return memory->key != NULL && memory->slot != NULL && memory->shard != NULL && memory->shard_slot != NULL &&
           memory->case_slot != NULL && memory->order != NULL;
}

void model_give_back(model_memory *memory, void (*give_back)(void *array))
{
    give_back(memory->key);
    give_back(memory->slot);
    give_back(memory->shard);
    give_back(memory->shard_slot);
    give_back(memory->case_slot);
    give_back(memory->order);
}
