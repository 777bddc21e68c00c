/* hash.c: a keyed hash of unescaped text, for the index.
 *
 * The bytes of the text are the coefficients of a polynomial, taken at a secret point modulo 2^31 - 1. What comes
 * out is stirred: multiplied by a second secret, so that the file can't know it, and raised to the fifth power,
 * which permutes the residues and breaks up arithmetic progressions (names that count up would else cluster
 * under a few unlucky seeds). No product exceeds 64 bits, so nothing wraps around.
 */
#include "core.h"

#define ASSAY_HASH_31 2147483648u
#define ASSAY_HASH_32 4294967296u

/* A number that is the same modulo 2^31 - 1, and smaller. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures fold: \result == x % 2147483648 + x / 2147483648;
*/
static uint64_t assay_hash_fold(uint64_t x)
{
    return x % ASSAY_HASH_31 + x / ASSAY_HASH_31;
}

/* Scrambles 32 bits. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures range: \result < 4294967296;
*/
static uint64_t assay_hash_mix(uint64_t x)
{
    uint64_t y = x % ASSAY_HASH_32;
    uint32_t round;

    /*@ loop invariant inside: round <= 3 && y < 4294967296;
        loop assigns round, y;
        loop variant 3 - round;
    */
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

/*@ requires range: hash < 4294967296 && point < 1073741824 && byte <= 255;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures range: \result < 4294967296;
*/
static uint64_t assay_hash_step(uint64_t hash, uint64_t point, uint32_t byte)
{
    return assay_hash_fold(hash * point + byte + 1u);
}

/*@ requires range: hash < 4294967296 && point < 1073741824 && code <= 0x10FFFF;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures range: \result < 4294967296;
*/
static uint64_t assay_hash_code(uint64_t hash, uint64_t point, uint32_t code)
{
    uint32_t width = assay_utf8_width(code);
    uint32_t k;

    /*@ loop invariant inside: k <= width && hash < 4294967296;
        loop assigns k, hash;
        loop variant width - k;
    */
    for (k = 0; k < width; k++) {
        hash = assay_hash_step(hash, point, assay_utf8_byte(code, k));
    }
    return hash;
}

/* Reduced far enough that a product of two still fits. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures range: \result < 2147483653;
*/
static uint64_t assay_hash_reduce(uint64_t x)
{
    return assay_hash_fold(assay_hash_fold(x));
}

/*@ requires range: hash < 4294967296 && hash_secret(secret);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures range: \result < 2147483648;
*/
static uint32_t assay_hash_finish(uint64_t hash, uint64_t secret)
{
    uint64_t x = assay_hash_reduce(hash * (secret % ASSAY_HASH_32));
    uint64_t square = assay_hash_reduce(x * x);

    return (uint32_t)(assay_hash_reduce(assay_hash_reduce(square * square) * x) % ASSAY_HASH_31);
}

uint32_t assay_hash_text(const uint8_t *head, uint32_t at, uint32_t end, uint64_t secret)
{
    uint64_t point = secret / ASSAY_HASH_32;
    uint64_t hash = 0;
    uint32_t i = at;

    /*@ loop invariant inside: at <= i <= end && hash < 4294967296;
        loop assigns i, hash;
        loop variant end - i;
    */
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

    /*@ loop invariant inside: i <= size && hash < 4294967296;
        loop assigns i, hash;
        loop variant size - i;
    */
    for (i = 0; i < size; i++) {
        hash = assay_hash_step(hash, point, bytes[i]);
    }
    return assay_hash_finish(hash, secret);
}
