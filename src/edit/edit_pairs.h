/* edit_pairs.h: the metadata pairs of a header while steps are applied to them, one after the other. */
#ifndef ASSAY_EDIT_PAIRS_H
#define ASSAY_EDIT_PAIRS_H

#include "edit_text.h"

typedef enum {
    EDIT_SET,    /* key and value: replace the value, or add a pair at the end */
    EDIT_DELETE, /* key: there must be one */
    EDIT_RENAME, /* key, and value is the new one: the pair keeps its position */
    EDIT_MERGE,  /* map: set each pair of this header */
    EDIT_CLEAR   /* delete all */
} edit_kind;

typedef struct {
    edit_kind kind;
    edit_text key, value; /* bytes, not of a header */
    const assay_view *map;
} edit_step;

typedef enum {
    EDIT_FINE,
    EDIT_NO_KEY,    /* a step names a key that is not there */
    EDIT_HAS_KEY,   /* a step renames to a key that is there */
    EDIT_LARGE      /* the header would have more than 100,000,000 bytes */
} edit_problem;

/* A pair. Which texts are still those of the old header: their views are. */
typedef struct {
    edit_text key, value;
    uint64_t from; /* index of the old pair, or ASSAY_NONE */
    bool gone;
} edit_pair;

typedef struct {
    const assay_view *old;
    uint64_t seed;
    edit_pair *pair; /* [count], in the order of the new header */
    uint64_t count;
    uint32_t *slot; /* [slots]: a hash table of the pairs by key: index + 1, or SLOT_LEFT where one was */
    uint64_t slots;
    bool clear; /* the last step that deleted all was followed by no pair: __metadata__ goes */
} edit_pairs;

/* Return the bytes of memory for the pairs of a header with `count` pairs, to which `additions` may be added; 0 if
 * there are too many. */
uint64_t edit_pairs_memory(uint64_t count, uint64_t additions);

/* Take the pairs of a header. memory: edit_pairs_memory(its pairs, additions) bytes at a multiple of 8, which stay in
 * use. The seed must be random, so that no header can choose its collisions. Expected cost O(bytes of the keys). */
void edit_pairs_begin(edit_pairs *pairs, const assay_view *old, uint64_t additions, uint64_t seed, void *memory);

/* Apply a step. */
edit_problem edit_pairs_apply(edit_pairs *pairs, const edit_step *step);

#endif
