/* keyed_hash.h: SipHash-1-3 of Aumasson and Bernstein, with a secret key. */
#ifndef ASSAY_BASE_KEYED_HASH_H
#define ASSAY_BASE_KEYED_HASH_H

#include <stddef.h>
#include <stdint.h>

/* SipHash-1-3: who does not know the seed can't make texts that collide. */
typedef struct {
    uint64_t v0, v1, v2, v3;
    uint64_t tail;  /* bytes that are not yet mixed in, the first lowest */
    uint64_t count; /* all bytes so far */
} siphash;

void siphash_begin(siphash *hash, uint64_t seed, uint64_t also);
void siphash_byte(siphash *hash, uint8_t byte);
void siphash_bytes(siphash *hash, const uint8_t *bytes, size_t count);
uint64_t siphash_end(siphash *hash);

#endif
