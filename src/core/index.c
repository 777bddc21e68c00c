/* index.c: names and keys, none twice.
 *
 * An insert-only hash table of 2n slots, filled in header order, so that the first insertion that fails
 * is the first repetition. A slot is 0 (empty) or tag * 2^24 + place + 1; the tag is 8 bits of the hash, so
 * that texts which differ are hardly ever compared. Probing is linear and cyclic. A file can't know the seed;
 * should its names collide all the same, the probes of one key and the bytes compared for all are bounded.
 */
#include "core.h"

#define ASSAY_SLOT_TAG 16777216u /* 2^24: places below, the tag above */
#define ASSAY_PROBES 256u        /* for one key */
#define ASSAY_BYTES_FREE 65536u  /* bytes that may be compared, ... */
#define ASSAY_BYTES_PER_BYTE 8u  /* ... and so many more for every byte of the header */

/* The first slot to look at, of size of them. */
static uint32_t assay_index_home(uint32_t hash, uint32_t size)
{
    return (uint32_t)((uint64_t)hash * size / 2147483648u);
}

/* Are two texts the same? Takes the bytes compared from *budget, which is 0 once they are used up. */
static bool assay_index_same(const uint8_t *head, uint32_t end, uint32_t other, uint32_t text,
                             uint64_t *budget)
{
    uint64_t cost = assay_text_same(head, text, other, end);

    *budget = *budget > cost / 2u ? *budget - cost / 2u : 0;
    return cost % 2u == 1;
}

/* Looks for the text, from its home on: the slot that holds the same text or, if none does, the first
 * empty one; 2n if there were too many probes or bytes compared. */
static uint32_t assay_index_walk(const uint8_t *head, uint32_t end, const uint32_t *key, uint32_t n,
                                 const uint32_t *slot, uint32_t text, uint32_t hash, uint64_t *budget)
{
    uint32_t size = 2u * n;
    uint32_t at = assay_index_home(hash, size);
    uint32_t probe;

    for (probe = 0; probe < ASSAY_PROBES && probe < size && *budget > 0; probe++) {
        uint32_t value = slot[at];

        if (value == 0) {
            return at;
        }
        if (value / ASSAY_SLOT_TAG == hash % 256u &&
            assay_index_same(head, end, key[value % ASSAY_SLOT_TAG - 1u], text, budget)) {
            return at;
        }
        at = at + 1u == size ? 0 : at + 1u;
    }
    return size;
}

static void assay_index_clear(uint32_t *slot, uint32_t size)
{
    uint32_t i;

    for (i = 0; i < size; i++) {
        slot[i] = 0;
    }
}

assay_status assay_index(const uint8_t *head, uint32_t end, const uint32_t *key, uint32_t n, uint32_t *slot,
                         uint64_t seed, uint64_t *repeat, uint64_t *earlier)
{
    uint64_t secret = assay_hash_secret(seed);
    uint64_t budget = ASSAY_BYTES_FREE + ASSAY_BYTES_PER_BYTE * ((uint64_t)end - 8u);
    uint32_t k;

    assay_index_clear(slot, 2u * n);
    for (k = 0; k < n; k++) {
        uint32_t hash = assay_hash_text(head, key[k], end, secret);
        uint32_t at = assay_index_walk(head, end, key, n, slot, key[k], hash, &budget);

        if (at == 2u * n) {
            return ASSAY_SEED;
        }
        if (slot[at] != 0) {
            *repeat = k;
            *earlier = slot[at] % ASSAY_SLOT_TAG - 1u;
            return ASSAY_E_NAME_TWICE;
        }
        slot[at] = hash % 256u * ASSAY_SLOT_TAG + k + 1u;
    }
    return ASSAY_OK;
}

uint32_t assay_index_find(const uint8_t *head, uint32_t end, const uint32_t *key, uint32_t n,
                          const uint32_t *slot, uint64_t seed, const uint8_t *name, uint64_t size)
{
    uint32_t slots = 2u * n;
    uint32_t hash, at, probe;

    if (size > end) { /* no text of the header is as long */
        return n;
    }
    hash = assay_hash_bytes(name, size, assay_hash_secret(seed));
    at = assay_index_home(hash, slots);
    for (probe = 0; probe < ASSAY_PROBES && probe < slots; probe++) {
        uint32_t value = slot[at];

        if (value == 0) {
            return n;
        }
        if (value / ASSAY_SLOT_TAG == hash % 256u &&
            assay_text_order(head, key[value % ASSAY_SLOT_TAG - 1u], end, name, size) == 0) {
            return value % ASSAY_SLOT_TAG - 1u;
        }
        at = at + 1u == slots ? 0 : at + 1u;
    }
    return n;
}
