/* keyed_hash.c: see keyed_hash.h. */
#include "keyed_hash.h"

static uint64_t rotate(uint64_t word, unsigned bits)
{
    return word << bits | word >> (64 - bits);
}

static void mix(keyed_hash *hash)
{
    hash->v0 += hash->v1;
    hash->v1 = rotate(hash->v1, 13) ^ hash->v0;
    hash->v0 = rotate(hash->v0, 32);
    hash->v2 += hash->v3;
    hash->v3 = rotate(hash->v3, 16) ^ hash->v2;
    hash->v0 += hash->v3;
    hash->v3 = rotate(hash->v3, 21) ^ hash->v0;
    hash->v2 += hash->v1;
    hash->v1 = rotate(hash->v1, 17) ^ hash->v2;
    hash->v2 = rotate(hash->v2, 32);
}

static void add(keyed_hash *hash, uint64_t word)
{
    hash->v3 ^= word;
    mix(hash);
    hash->v0 ^= word;
}

void keyed_hash_begin(keyed_hash *hash, uint64_t seed, hash_domain domain, uint32_t number)
{
    uint64_t other = (uint64_t)domain << 32 | number; /* the second half of the key */
    hash->v0 = seed ^ UINT64_C(0x736f6d6570736575);
    hash->v1 = other ^ UINT64_C(0x646f72616e646f6d);
    hash->v2 = seed ^ UINT64_C(0x6c7967656e657261);
    hash->v3 = other ^ UINT64_C(0x7465646279746573);
    hash->tail = hash->count = 0;
}

void keyed_hash_byte(keyed_hash *hash, uint8_t byte)
{
    hash->tail |= (uint64_t)byte << 8 * (hash->count & 7);
    hash->count++;
    if ((hash->count & 7) == 0) {
        add(hash, hash->tail);
        hash->tail = 0;
    }
}

void keyed_hash_bytes(keyed_hash *hash, const uint8_t *bytes, size_t count)
{
    size_t at = 0;
    for (; at < count && (hash->count & 7) != 0; at++)
        keyed_hash_byte(hash, bytes[at]);
    for (; count - at >= 8; at += 8) {
        uint64_t word = 0;
        for (unsigned i = 0; i < 8; i++)
            word |= (uint64_t)bytes[at + i] << 8 * i;
        hash->count += 8;
        add(hash, word);
    }
    for (; at < count; at++)
        keyed_hash_byte(hash, bytes[at]);
}

uint64_t keyed_hash_end(keyed_hash *hash)
{
    add(hash, hash->tail | hash->count << 56);
    hash->v2 ^= 0xFF;
    for (int i = 0; i < 3; i++)
        mix(hash);
    return hash->v0 ^ hash->v1 ^ hash->v2 ^ hash->v3;
}

uint64_t keyed_hash_of(uint64_t seed, hash_domain domain, uint32_t number, const uint8_t *bytes, size_t count)
{
    keyed_hash hash;
    keyed_hash_begin(&hash, seed, domain, number);
    keyed_hash_bytes(&hash, bytes, count);
    return keyed_hash_end(&hash);
}
