/* name_table.c: see name_table.h. Open addressing; the table doubles when it is half full. */
#include "name_table.h"

#include <stdlib.h>

#include "keyed_hash.h"

#define FIRST_ENTRIES 64u

static void hash_name(const name_table *table, name_kind kind, const char *name, size_t size, uint64_t hash[2])
{
    for (unsigned half = 0; half < 2; half++) {
        uint32_t number = (uint32_t)kind << 1 | half;
        hash[half] = keyed_hash_of(table->seed, HASH_FOLDER_NAME, number, (const uint8_t *)name, size);
    }
    hash[0] |= hash[0] == 0 && hash[1] == 0;
}

/* Return the index of the entry with this hash, or of the free one where it would be. */
static size_t index_of(const name_table *table, const uint64_t hash[2])
{
    size_t at = (size_t)keyed_hash_slot(hash[0], table->entries);
    for (;; at = at + 1 < table->entries ? at + 1 : 0) {
        const name_entry *entry = &table->entry[at];
        bool is_free = entry->hash[0] == 0 && entry->hash[1] == 0;
        if (is_free || (entry->hash[0] == hash[0] && entry->hash[1] == hash[1]))
            return at;
    }
}

static bool grow(name_table *table)
{
    name_table grown = *table;
    grown.entries = table->entries == 0 ? FIRST_ENTRIES : 2 * table->entries;
    grown.entry = calloc(grown.entries, sizeof *grown.entry);
    if (grown.entry == NULL)
        return false;
    for (size_t i = 0; i < table->entries; i++) {
        const name_entry *old = &table->entry[i];
        if (old->hash[0] != 0 || old->hash[1] != 0)
            grown.entry[index_of(&grown, old->hash)] = *old;
    }
    free(table->entry);
    *table = grown;
    return true;
}

name_entry *name_table_get(name_table *table, name_kind kind, const char *name, size_t size)
{
    uint64_t hash[2];
    if (2 * (table->taken + 1) > table->entries && !grow(table))
        return NULL;
    hash_name(table, kind, name, size, hash);
    name_entry *found = &table->entry[index_of(table, hash)];
    if (found->hash[0] == 0 && found->hash[1] == 0) {
        *found = (name_entry){.hash = {hash[0], hash[1]}};
        table->taken++;
    }
    return found;
}

bool name_table_has(const name_table *table, name_kind kind, const char *name, size_t size)
{
    uint64_t hash[2];
    if (table->entries == 0)
        return false;
    hash_name(table, kind, name, size, hash);
    const name_entry *found = &table->entry[index_of(table, hash)];
    return found->hash[0] != 0 || found->hash[1] != 0;
}

void name_table_free(name_table *table)
{
    free(table->entry);
    *table = (name_table){.seed = table->seed};
}
