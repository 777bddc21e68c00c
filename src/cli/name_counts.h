/* name_counts.h: how often the indexes of a folder use each name: a hash table that grows. */
#ifndef ASSAY_NAME_COUNTS_H
#define ASSAY_NAME_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the name is: of a file, of a set of numbered files, of a model in one file. */
typedef enum { NAME_FILE = 1, NAME_STEM = 2, NAME_SINGLE = 3 } name_kind;

/* A name, represented by 128 bits of a keyed hash. Without the key nobody can find two names that collide, and by
 * chance they occur only among some 2^60 names. */
typedef struct {
    uint64_t hash[2]; /* both 0: a free entry */
    uint32_t uses;
} name_count;

typedef struct {
    name_count *entry;
    size_t entries, taken; /* at most half of them are taken */
    uint64_t seed;
} name_counts;

/* Find a name, and add it if it is new. Return its entry, valid until the next call, or NULL if there is not enough
 * memory. O(size) expected. */
name_count *name_counts_get(name_counts *table, name_kind kind, const char *name, size_t size);

/* Is the name in the table? */
bool name_counts_has(const name_counts *table, name_kind kind, const char *name, size_t size);

void name_counts_free(name_counts *table);

#endif
