/* hash.c: a keyed hash of unescaped text, and what the index makes of it: home and tag.
 *
 * The bytes of the text are the coefficients of a polynomial, taken at a secret point modulo 2^31 - 1. What
 * comes out is stirred: multiplied by a second secret, so that the file can't know it, and raised to the
 * fifth power, which permutes the residues and breaks up arithmetic progressions (names that count up would
 * else cluster under a few unlucky seeds). No product exceeds 64 bits, so nothing wraps around.
 */
#include "core.h"

/* Unfolds: hash_step, hash_secret, hash_home, secret, slot_place, slot_tag, hash_tag, fingerprint. */

#define ASSAY_HASH_31 2147483648u
#define ASSAY_HASH_32 4294967296u
#define ASSAY_SLOT_TAG 16777216u /* 2^24: in a slot, places below, the tag above */

/* A number that is the same modulo 2^31 - 1, and smaller. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures fold: \result == hash_fold(x);
*/
static uint64_t assay_hash_fold(uint64_t x)
{
    return x % ASSAY_HASH_31 + x / ASSAY_HASH_31;
}

/* Scrambles 32 bits. */
/*@ requires range: x < 4294967296;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures round: \result == hash_round(x);
    ensures range: \result < 4294967296;
*/
static uint64_t assay_hash_round(uint64_t x)
{
    uint64_t y = (x * 2654435769u + 2246822519u) % ASSAY_HASH_32;

    return (y + y / 65536u * 40503u + y / 32768u) % ASSAY_HASH_32;
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures mix: \result == hash_mix(x);
    ensures range: \result < 4294967296;
*/
static uint64_t assay_hash_mix(uint64_t x)
{
    uint64_t y = x % ASSAY_HASH_32;
    uint32_t count;

    /*@ loop invariant mixed: count <= 3 && y == hash_mixed(x, count) < 4294967296;
        loop assigns count, y;
        loop variant 3 - count;
    */
    for (count = 0; count < 3; count++) {
        y = assay_hash_round(y);
    }
    return y;
}

uint64_t assay_hash_secret(uint64_t seed)
{
    uint64_t low = assay_hash_mix(seed % ASSAY_HASH_32 + 1u);
    uint64_t a = assay_hash_mix(low + seed / ASSAY_HASH_32);
    uint64_t b = assay_hash_mix(assay_hash_mix(a + 3266489917u) + low);
    uint64_t point = ASSAY_HASH_31 / 4u + a / 8u;
    uint64_t factor = ASSAY_HASH_31 / 2u + b / 4u;

    //@ assert point: point == 536870912 + secret_first(seed) / 8 && point < 1073741824;
    //@ assert factor: factor == 1073741824 + secret_second(seed) / 4 && factor < 2147483648;
    //@ assert split: (point * 4294967296 + factor) / 4294967296 == point;
    return point * ASSAY_HASH_32 + factor;
}

/*@ requires range: hash < 4294967296 && point < 1073741824 && byte <= 255;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures step: \result == hash_step(hash, point, byte);
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
    ensures code: \result == hash_code(code, point, hash);
    ensures range: \result < 4294967296;
*/
static uint64_t assay_hash_code(uint64_t hash, uint64_t point, uint32_t code)
{
    uint32_t width = assay_utf8_width(code);
    uint64_t h = assay_hash_step(hash, point, assay_utf8_byte(code, 0));

    if (width > 1) {
        h = assay_hash_step(h, point, assay_utf8_byte(code, 1));
    }
    if (width > 2) {
        h = assay_hash_step(h, point, assay_utf8_byte(code, 2));
    }
    if (width > 3) {
        h = assay_hash_step(h, point, assay_utf8_byte(code, 3));
    }
    return h;
}

/* Reduced far enough that a product of two still fits. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures reduce: \result == hash_reduce(x);
    ensures range: \result < 2147483653;
*/
static uint64_t assay_hash_reduce(uint64_t x)
{
    return assay_hash_fold(assay_hash_fold(x));
}

/*@ requires range: hash < 4294967296 && factor < 2147483648;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures finish: \result == hash_finish(hash, factor);
    ensures range: \result < 2147483648;
*/
static uint32_t assay_hash_finish(uint64_t hash, uint64_t factor)
{
    uint64_t x = assay_hash_reduce(hash * factor);
    uint64_t square = assay_hash_reduce(x * x);

    return (uint32_t)(assay_hash_reduce(assay_hash_reduce(square * square) * x) % ASSAY_HASH_31);
}

uint32_t assay_hash_text(const uint8_t *head, uint32_t at, uint32_t end, uint64_t secret)
{
    uint64_t point = secret / ASSAY_HASH_32;
    uint64_t hash = 0;
    uint32_t i = at;

    //@ ghost assay_text_natural(head, at, end);
    //@ ghost assay_digit_hash();
    /*@ loop invariant inside: at <= i <= end && hash < 4294967296;
        loop invariant hash: hash_value(text_value(head, i, end), point, hash) ==
            hash_value(text_value(head, at, end), point, 0);
        loop assigns i, hash;
        loop variant end - i;
    */
    while (i < end && head[i] != '"') {
        //@ ghost assay_text_step(head, i, end);
        if (head[i] != '\\') {
            hash = assay_hash_step(hash, point, head[i]);
            /*@ assert byte: hash_value(text_value(head, i, end), point, \at(hash, LoopCurrent)) ==
                  hash_value(text_value(head, i + 1, end), point, hash); */
            i++;
        } else {
            uint64_t unit = assay_decode(head, i, end);
            uint32_t code = (uint32_t)(unit / ASSAY_HASH_32);

            //@ ghost assay_digits_hash(code);
            hash = assay_hash_code(hash, point, code);
            /*@ assert code: hash_value(text_value(head, i, end), point, \at(hash, LoopCurrent)) ==
                  hash_value(text_value(head, unit % 4294967296, end), point, hash); */
            i = (uint32_t)(unit % ASSAY_HASH_32);
        }
    }
    //@ ghost assay_text_step(head, i, end);
    return assay_hash_finish(hash, secret % ASSAY_HASH_32);
}

uint32_t assay_hash_bytes(const uint8_t *bytes, uint64_t size, uint64_t secret)
{
    uint64_t point = secret / ASSAY_HASH_32;
    uint64_t hash = 0;
    uint64_t i;

    //@ ghost assay_bytes_natural(bytes, size);
    //@ ghost assay_digit_hash();
    /*@ loop invariant inside: i <= size && hash < 4294967296;
        loop invariant hash: hash_value(bytes_value(bytes, i, size), point, hash) ==
            hash_value(bytes_value(bytes, 0, size), point, 0);
        loop assigns i, hash;
        loop variant size - i;
    */
    for (i = 0; i < size; i++) {
        //@ ghost assay_bytes_step(bytes, i, size);
        hash = assay_hash_step(hash, point, bytes[i]);
    }
    //@ ghost assay_bytes_step(bytes, size, size);
    return assay_hash_finish(hash, secret % ASSAY_HASH_32);
}

uint32_t assay_hash_home(uint32_t hash, uint32_t size)
{
    return (uint32_t)((uint64_t)hash * size / ASSAY_HASH_31);
}

uint32_t assay_slot(uint32_t hash, uint32_t place)
{
    return hash % 256u * ASSAY_SLOT_TAG + place + 1u;
}

uint32_t assay_slot_place(uint32_t slot)
{
    return slot % ASSAY_SLOT_TAG - 1u;
}

bool assay_slot_tagged(uint32_t slot, uint32_t hash)
{
    return slot / ASSAY_SLOT_TAG == hash % 256u;
}
