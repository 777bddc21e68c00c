/* hash.c: a keyed hash of unescaped text, for the index.
 *
 * The bytes of the text are the coefficients of a polynomial, taken at a secret point modulo 2^31 - 1 and
 * stirred with a second secret. No product exceeds 64 bits, so nothing wraps around.
 */
#include "core.h"

#define ASSAY_HASH_31 2147483648u
#define ASSAY_HASH_32 4294967296u

/* A number that is the same modulo 2^31 - 1, and smaller. */
static uint64_t assay_hash_fold(uint64_t x)
{
    return x % ASSAY_HASH_31 + x / ASSAY_HASH_31;
}

/* Scrambles 32 bits. */
static uint64_t assay_hash_mix(uint64_t x)
{
    uint64_t y = x % ASSAY_HASH_32;
    uint32_t round;

    for (round = 0; round < 3; round++) {
        y = (y * 2654435769u + 2246822519u) % ASSAY_HASH_32;
        y = (y + y / 65536u * 40503u + y / 32768u) % ASSAY_HASH_32;
    }
    return y;
}

uint64_t assay_hash_secret(uint64_t seed)
{
    uint64_t low = assay_hash_mix(seed % ASSAY_HASH_32 + 1u);
    uint64_t a = assay_hash_mix(low + seed / ASSAY_HASH_32);
    uint64_t b = assay_hash_mix(assay_hash_mix(a + 3266489917u) + low);

    return (ASSAY_HASH_31 / 4u + a / 8u) * ASSAY_HASH_32 + ASSAY_HASH_31 / 2u + b / 4u;
}

uint64_t assay_hash_step(uint64_t hash, uint64_t point, uint32_t byte)
{
    return assay_hash_fold(hash * point + byte + 1u);
}

static uint64_t assay_hash_code(uint64_t hash, uint64_t point, uint32_t code)
{
    uint32_t width = assay_utf8_width(code);
    uint32_t k;

    for (k = 0; k < width; k++) {
        hash = assay_hash_step(hash, point, assay_utf8_byte(code, k));
    }
    return hash;
}

static uint32_t assay_hash_finish(uint64_t hash, uint64_t secret)
{
    return (uint32_t)(assay_hash_fold(hash * (secret % ASSAY_HASH_32)) % ASSAY_HASH_31);
}

uint32_t assay_hash_text(const uint8_t *head, uint32_t at, uint32_t end, uint64_t secret)
{
    uint64_t point = secret / ASSAY_HASH_32;
    uint64_t hash = 0;
    uint32_t i = at;

    while (i < end && head[i] != '"') {
        if (head[i] != '\\') {
            hash = assay_hash_step(hash, point, head[i]);
            i++;
        } else {
            uint64_t unit = assay_decode(head, i, end);

            hash = assay_hash_code(hash, point, (uint32_t)(unit / ASSAY_HASH_32));
            i = (uint32_t)(unit % ASSAY_HASH_32);
        }
    }
    return assay_hash_finish(hash, secret);
}

uint32_t assay_hash_bytes(const uint8_t *bytes, uint64_t size, uint64_t secret)
{
    uint64_t point = secret / ASSAY_HASH_32;
    uint64_t hash = 0;
    uint64_t i;

    for (i = 0; i < size; i++) {
        hash = assay_hash_step(hash, point, bytes[i]);
    }
    return assay_hash_finish(hash, secret);
}
