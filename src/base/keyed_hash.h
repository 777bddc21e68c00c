/* keyed_hash.h: SipHash-1-3 of Aumasson and Bernstein, with a secret key, for all hash tables outside the core. */
#ifndef ASSAY_BASE_KEYED_HASH_H
#define ASSAY_BASE_KEYED_HASH_H

#include <stddef.h>
#include <stdint.h>

/* What a hash is of. Each domain, and each number in it, has a hash function of its own: equal bytes of two domains
 * have unrelated hashes. */
typedef enum {
    HASH_INDEX_KEY,    /* a key of an object of an index; number: the offset of the object */
    HASH_SHARD_PATH,   /* the path of a shard */
    HASH_FOLDED_PATH,  /* the path of a shard in lower case */
    HASH_SINGLE_FILE,  /* a tensor's name in a model that is also there in one file */
    HASH_HEADER_NAME,  /* a tensor's name or a metadata key of one header */
    HASH_FOLDER_NAME,  /* a name in a folder; number: its kind, and which half of 128 bits */
    HASH_FINGERPRINT   /* rule, path and names of a result of SARIF; the seed is 0 */
} hash_domain;

/* A hash that is being computed. Nobody who does not know the seed can find texts that collide. */
typedef struct {
    uint64_t v0, v1, v2, v3;
    uint64_t tail;  /* bytes that are not yet mixed in, the first lowest */
    uint64_t count; /* all bytes so far */
} keyed_hash;

void keyed_hash_begin(keyed_hash *hash, uint64_t seed, hash_domain domain, uint32_t number);
void keyed_hash_byte(keyed_hash *hash, uint8_t byte);
void keyed_hash_bytes(keyed_hash *hash, const uint8_t *bytes, size_t count);
uint64_t keyed_hash_end(keyed_hash *hash);

/* Return the hash of these bytes alone. */
uint64_t keyed_hash_of(uint64_t seed, hash_domain domain, uint32_t number, const uint8_t *bytes, size_t count);

/* Return the slot, below slots, where the search for a hash begins; slots is 1 to 2^32. */
static inline uint64_t keyed_hash_slot(uint64_t hash, uint64_t slots)
{
    return (hash >> 32) * slots >> 32;
}

#endif
