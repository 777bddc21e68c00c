/* name_table.h: a number for each name of a folder, in a hash table that grows. */
#ifndef ASSAY_NAME_TABLE_H
#define ASSAY_NAME_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the name is: of a file, of a set of numbered files, of a model in one file, of a tensor; or a pair of them. */
typedef enum { NAME_FILE = 1, NAME_STEM = 2, NAME_SINGLE = 3, NAME_TENSOR = 4, NAME_ALIAS = 5 } name_kind;

/* A name, represented by 128 bits of a keyed hash. Without the key nobody can find two names that collide, and by
 * chance they occur only among some 2^60 names. */
typedef struct {
    uint64_t hash[2]; /* both 0: a free entry */
    uint32_t number;  /* what is known of the name: a count or a position, 0 at first */
} name_entry;

typedef struct {
    name_entry *entry;
    size_t entries, taken; /* at most half of them are taken */
    uint64_t seed;
} name_table;

/* Find a name, and add it if it is new. Return its entry, valid until the next call, or NULL if there is not enough
 * memory. O(size) expected. */
name_entry *name_table_get(name_table *table, name_kind kind, const char *name, size_t size);

/* Is the name in the table? */
bool name_table_has(const name_table *table, name_kind kind, const char *name, size_t size);

void name_table_free(name_table *table);

#endif
