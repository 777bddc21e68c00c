/* name_counts.h: how often names were used: a table that grows, for all indexes of a folder together. */
#ifndef ASSAY_NAME_COUNTS_H
#define ASSAY_NAME_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a name is one of. */
typedef enum { NAME_FILE = 1, NAME_STEM = 2, NAME_SINGLE = 3 } name_kind;

/* A name, by 128 bits of a keyed hash: two names that collide are not to be found without the key, and by chance only
 * among some 2^60. */
typedef struct {
    uint64_t hash[2]; /* both 0: the entry is free */
    uint32_t uses;
    bool told;
} name_use;

typedef struct {
    name_use *entry;
    size_t entries, taken; /* at most half of them are taken */
    uint64_t seed;
} name_uses;

/* Find a name, and add it if it is new. NULL: there is no memory. The entry is valid until the next call. O(size)
 * expected. */
name_use *name_uses_get(name_uses *table, name_kind kind, const char *name, size_t size);

/* Is it there? */
bool name_uses_has(const name_uses *table, name_kind kind, const char *name, size_t size);

void name_uses_free(name_uses *table);

#endif
