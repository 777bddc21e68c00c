/* index_tables.c: see index_tables.h. Open addressing with linear probing; at most half of the slots are used. The
 * hash is keyed, so the expected cost of a search is a few steps whatever the names are. */
#include "index_tables.h"

#include <string.h>

#include "unescaped_text.h"

/* Return the slot where the search for a hash begins. */
static uint32_t slot_of(uint64_t hash, uint32_t slots)
{
    return (uint32_t)keyed_hash_slot(hash, slots);
}

static bool same(const model_index *index, model_text text, const uint8_t *bytes, uint32_t size)
{
    return text.size == size && memcmp(index->bytes + text.at, bytes, size) == 0;
}

void tables_begin(model_index *index)
{
    for (uint32_t i = 0; i < 2 * index->memory.keys; i++)
        index->memory.slot[i] = SLOT_FREE;
    for (uint32_t i = 0; i < 2 * index->memory.shards; i++)
        index->memory.shard_slot[i] = index->memory.case_slot[i] = SLOT_FREE;
}

bool tables_add_key(model_index *index, model_text name, uint32_t object, uint32_t *number, uint32_t *earlier)
{
    uint32_t slots = 2 * index->memory.keys, *slot = index->memory.slot;
    const uint8_t *bytes = index->bytes + name.at;
    uint32_t at = slot_of(keyed_hash_of(index->seed, HASH_INDEX_KEY, object, bytes, name.size), slots);
    for (; slot[at] != SLOT_FREE; at = at + 1 < slots ? at + 1 : 0) {
        const model_key *key = &index->memory.key[slot[at]];
        if (key->object == object && same(index, key->name, bytes, name.size)) {
            *earlier = slot[at];
            return false;
        }
    }
    *number = index->keys++;
    slot[at] = *number;
    index->memory.key[*number] = (model_key){name, object, 0, 0};
    return true;
}

uint32_t tables_tensor(const model_index *index, const assay_view *view, assay_text name)
{
    uint32_t slots = 2 * index->memory.keys, *slot = index->memory.slot;
    uint32_t at = slot_of(unescaped_hash(index->seed, HASH_INDEX_KEY, index->map, view, name), slots);
    for (; slot[at] != SLOT_FREE; at = at + 1 < slots ? at + 1 : 0) {
        const model_key *key = &index->memory.key[slot[at]];
        if (key->object == index->map &&
            assay_text_compare(view, name, index->bytes + key->name.at, key->name.size) == 0)
            return slot[at];
    }
    return MODEL_NONE;
}

/* Return the slot of this path, or the free slot where it belongs. */
static uint32_t shard_slot(const model_index *index, const uint8_t *path, uint32_t size)
{
    uint32_t slots = 2 * index->memory.shards, *slot = index->memory.shard_slot;
    uint32_t at = slot_of(keyed_hash_of(index->seed, HASH_SHARD_PATH, 0, path, size), slots);
    while (slot[at] != SLOT_FREE && !same(index, index->memory.shard[slot[at]].path, path, size))
        at = at + 1 < slots ? at + 1 : 0;
    return at;
}

uint32_t model_stem(const uint8_t *path, uint32_t size)
{
    static const char *const parts[] = {".safetensors", "-of-", "-"};
    for (int i = 0; i < 3; i++) {
        uint32_t length = (uint32_t)strlen(parts[i]), before = size;
        while (i > 0 && size > 0 && path[size - 1] >= '0' && path[size - 1] <= '9')
            size--;
        if ((i > 0 && size == before) || size < length || memcmp(path + size - length, parts[i], length) != 0)
            return 0;
        size -= length;
    }
    return size;
}

uint32_t tables_add_shard(model_index *index, model_text path)
{
    uint32_t *slot = &index->memory.shard_slot[shard_slot(index, index->bytes + path.at, path.size)];
    if (*slot != SLOT_FREE)
        return *slot;
    if (index->shards == index->memory.shards)
        return MODEL_NONE;
    *slot = index->shards++;
    index->memory.shard[*slot] = (model_shard_entry){.path = path, .other = MODEL_NONE};
    return *slot;
}

static uint8_t folded(uint8_t byte)
{
    return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte | 0x20) : byte;
}

static bool same_but_case(const model_index *index, model_text one, model_text two)
{
    uint32_t at = 0;
    if (one.size != two.size)
        return false;
    while (at < one.size && folded(index->bytes[one.at + at]) == folded(index->bytes[two.at + at]))
        at++;
    return at == one.size;
}

uint32_t tables_add_case(model_index *index, uint32_t shard)
{
    model_text path = index->memory.shard[shard].path;
    uint32_t slots = 2 * index->memory.shards, *slot = index->memory.case_slot;
    keyed_hash hash;
    keyed_hash_begin(&hash, index->seed, HASH_FOLDED_PATH, 0);
    for (uint32_t i = 0; i < path.size; i++)
        keyed_hash_byte(&hash, folded(index->bytes[path.at + i]));
    uint32_t at = slot_of(keyed_hash_end(&hash), slots);
    for (; slot[at] != SLOT_FREE; at = at + 1 < slots ? at + 1 : 0)
        if (same_but_case(index, index->memory.shard[slot[at]].path, path))
            return slot[at];
    slot[at] = shard;
    return MODEL_NONE;
}

static bool comes_before(const model_index *index, uint32_t left, uint32_t right)
{
    model_text a = index->memory.shard[left].path, b = index->memory.shard[right].path;
    int order = memcmp(index->bytes + a.at, index->bytes + b.at, a.size < b.size ? a.size : b.size);
    return order < 0 || (order == 0 && a.size < b.size);
}

/* Move order[at] down the heap order[0 .. count), in which no shard comes before its children. */
static void sift(model_index *index, uint32_t at, uint32_t count)
{
    uint32_t *order = index->memory.order;
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && comes_before(index, order[child], order[child + 1]))
            child++;
        if (!comes_before(index, order[at], order[child]))
            return;
        uint32_t moved = order[at];
        order[at] = order[child];
        order[child] = moved;
        at = child;
    }
}

void tables_sort(model_index *index)
{
    uint32_t *order = index->memory.order;
    for (uint32_t i = 0; i < index->shards; i++)
        order[i] = i;
    for (uint32_t i = index->shards / 2; i-- > 0;)
        sift(index, i, index->shards);
    for (uint32_t i = index->shards; i-- > 1;) {
        uint32_t last = order[i];
        order[i] = order[0];
        order[0] = last;
        sift(index, 0, i);
    }
}
