/* hash.c: a keyed hash of unescaped text, and what the index makes of it: home and tag.
 *
 * The bytes of the text, with a 1 behind them, are taken in groups of eight, the last filled up with 0, and each group
 * as two numbers below 2^32, low and high. They are the coefficients of a polynomial in two secrets a and b, modulo the
 * prime p = 2^32 - 5: a hash h, at first 1, becomes (h + high) * a + low * b. Texts that differ have other
 * coefficients, and other ones modulo p too: only with a byte 0xFF, which no UTF-8 has, is a number p or more, and only
 * so can 1 + high, what the longer of two texts begins with, be 0. So two texts of at most g groups differ by a
 * polynomial that isn't 0 and whose degree is g at most. Each secret is one of 2^28 numbers, so for at most g of every
 * 2^28 pairs of secrets the two have the same value modulo p.
 *
 * What comes out is stirred: its cube is taken, which permutes the residues (3 does not divide p - 1) and breaks up
 * arithmetic progressions (names that count up would else cluster under a few unlucky seeds). No product exceeds
 * 64 bits, so nothing wraps around.
 */
#include "core.h"

/* Unfolds: hash_step, hash_put, hash_secret, hash_home, secret, slot_place, slot_tag, hash_tag, fingerprint, digits. */

#define ASSAY_HASH_31 2147483648u
#define ASSAY_HASH_32 4294967296u
#define ASSAY_HASH_LAST UINT64_C(0x100000000000000) /* 2^56: what the last byte of a group counts */
#define ASSAY_SLOT_TAG 16777216u /* 2^24: in a slot, places below, the tag above */

/* A number that is the same modulo 2^32 - 5, and smaller if it is not small already. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures fold: \result == hash_fold(x);
    ensures range: \result < 25769803776;
    ensures smaller: x < 25769803776 ==> \result <= 4294967320;
    ensures small: x <= 4294967320 ==> \result < 4294967296;
*/
static uint64_t assay_hash_fold(uint64_t x)
{
    return x % ASSAY_HASH_32 + x / ASSAY_HASH_32 * 5u;
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

/*@ requires range: first < 536870912 && second < 536870912;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures pair: \result == first * 4294967296 + second;
    ensures range: hash_secret(\result);
*/
static uint64_t assay_hash_pair(uint64_t first, uint64_t second)
{
    return first * ASSAY_HASH_32 + second;
}

uint64_t assay_hash_secret(uint64_t seed)
{
    uint64_t low = assay_hash_mix(seed % ASSAY_HASH_32 + 1u);
    uint64_t a = assay_hash_mix(low + seed / ASSAY_HASH_32);
    uint64_t b = assay_hash_mix(assay_hash_mix(a + 3266489917u) + low);
    uint64_t first = 268435456u + a / 16u;
    uint64_t second = 268435456u + b / 16u;

    //@ assert first: first == 268435456 + secret_first(seed) / 16 && first < 536870912;
    //@ assert second: second == 268435456 + secret_second(seed) / 16 && second < 536870912;
    return assay_hash_pair(first, second);
}

/* One round: the next eight bytes. */
/*@ requires range: hash < 25769803776;
    requires secret: hash_secret(secret);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures step: \result == hash_step(hash, secret, group);
    ensures range: \result < 25769803776;
*/
static uint64_t assay_hash_step(uint64_t hash, uint64_t secret, uint64_t group)
{
    uint64_t low = group % ASSAY_HASH_32;
    uint64_t high = group / ASSAY_HASH_32;

    return assay_hash_fold((hash + high) * (secret / ASSAY_HASH_32) + low * (secret % ASSAY_HASH_32));
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures reduce: \result == hash_reduce(x);
    ensures range: \result <= 4294967320;
    ensures small: x < 25769803776 ==> \result < 4294967296;
*/
static uint64_t assay_hash_reduce(uint64_t x)
{
    return assay_hash_fold(assay_hash_fold(x));
}

/*@ requires range: x < 4294967296 && y < 4294967296;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures times: \result == x * y;
*/
static uint64_t assay_hash_times(uint64_t x, uint64_t y)
{
    return x * y;
}

/*@ requires range: hash < 25769803776;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures finish: \result == hash_finish(hash);
    ensures range: \result < 2147483648;
*/
static uint32_t assay_hash_finish(uint64_t hash)
{
    uint64_t x = assay_hash_reduce(hash);
    uint64_t square = assay_hash_fold(assay_hash_reduce(assay_hash_times(x, x)));

    return (uint32_t)(assay_hash_reduce(assay_hash_times(square, x)) % ASSAY_HASH_31);
}

/*@ ghost
/@ requires power: k < 32 && y == (x << k);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures twice: (x << (k + 1)) == 2 * y;
@/
void assay_shift_step(uint32_t x, uint32_t k, uint64_t y)
{
    /@ assert one: (y << 1) == 2 * y; @/
    /@ assert more: (y << 1) == (x << (k + 1)); @/
}

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures two: (x << 8) == 256 * x;
   ensures three: (x << 16) == 65536 * x;
   ensures four: (x << 24) == 16777216 * x;
   ensures five: (x << 32) == 4294967296 * x;
@/
void assay_shift(uint32_t x)
{
    uint64_t y = x;
    uint64_t q = 1;
    uint32_t k = 0;

    /@ loop invariant shifted: 0 <= k <= 24 && y == (x << k) && y == x * q && q <= 16777216;
       loop invariant low: k <= 8 ==> q * (k == 0 ? 256 : k == 1 ? 128 : k == 2 ? 64 : k == 3 ? 32 : k == 4 ? 16
           : k == 5 ? 8 : k == 6 ? 4 : k == 7 ? 2 : 1) == 256;
       loop invariant mid: 8 <= k <= 16 ==> q * (k == 8 ? 256 : k == 9 ? 128 : k == 10 ? 64 : k == 11 ? 32
           : k == 12 ? 16 : k == 13 ? 8 : k == 14 ? 4 : k == 15 ? 2 : 1) == 65536;
       loop invariant high: 16 <= k <= 24 ==> q * (k == 16 ? 256 : k == 17 ? 128 : k == 18 ? 64 : k == 19 ? 32
           : k == 20 ? 16 : k == 21 ? 8 : k == 22 ? 4 : k == 23 ? 2 : 1) == 16777216;
       loop invariant two: k >= 8 ==> (x << 8) == 256 * x;
       loop invariant three: k >= 16 ==> (x << 16) == 65536 * x;
       loop assigns k, y, q;
       loop variant 24 - k;
    @/
    while (k < 24) {
        assay_shift_step(x, k, y);
        y = 2 * y;
        q = 2 * q;
        k++;
    }
    assay_shift_step(x, 24, y);
    assay_shift_step(x, 25, 2 * y);
    assay_shift_step(x, 26, 4 * y);
    assay_shift_step(x, 27, 8 * y);
    assay_shift_step(x, 28, 16 * y);
    assay_shift_step(x, 29, 32 * y);
    assay_shift_step(x, 30, 64 * y);
    assay_shift_step(x, 31, 128 * y);
}
*/

/* Two bytes, or four, as one number, so that a compiler may load them at once. */
/*@ requires readable: \valid_read(bytes + (0 .. 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures two: \result == bytes[0] + 256 * bytes[1];
*/
static inline uint32_t assay_hash_two(const uint8_t *bytes)
{
    //@ ghost assay_shift(bytes[1]);
    return bytes[0] + ((uint32_t)bytes[1] << 8);
}

/*@ requires readable: \valid_read(bytes + (0 .. 3));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures four: \result == bytes[0] + 256 * bytes[1] + 65536 * bytes[2] + 16777216 * bytes[3];
*/
static inline uint32_t assay_hash_four(const uint8_t *bytes)
{
    //@ ghost assay_shift(bytes[1]);
    //@ ghost assay_shift(bytes[2]);
    //@ ghost assay_shift(bytes[3]);
    return bytes[0] + ((uint32_t)bytes[1] << 8) + ((uint32_t)bytes[2] << 16) + ((uint32_t)bytes[3] << 24);
}

/* The last group: fewer than eight bytes, and the 1 behind them. */
/*@ requires inside: at <= size && size - at < 8;
    requires readable: \valid_read(bytes + (0 .. size - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures last: \forall integer secret, hash;
        hash_value(bytes_value(bytes, at, size), secret, hash, 0, 1) == hash_step(hash, secret, \result);
*/
static inline uint64_t assay_hash_last(const uint8_t *bytes, uint64_t at, uint64_t size)
{
    uint64_t left = size - at;
    uint64_t group = 1;

    //@ ghost assay_bytes_last(bytes, at, size);
    if (left % 2u != 0) {
        group = bytes[size - 1u] + 256u * group;
    }
    if (left % 4u >= 2u) {
        group = assay_hash_two(bytes + (at + left / 4u * 4u)) + 65536u * group;
    }
    if (left >= 4u) {
        group = assay_hash_four(bytes + at) + ASSAY_HASH_32 * group;
    }
    //@ assert none: left == 0 ==> group == 1;
    //@ assert one: left == 1 ==> group == bytes[at] + 256;
    //@ assert two: left == 2 ==> group == bytes[at] + 256 * bytes[at + 1] + 65536;
    //@ assert three: left == 3 ==> group == bytes[at] + 256 * bytes[at + 1] + 65536 * bytes[at + 2] + 16777216;
    /*@ assert four: left == 4 ==> group == bytes[at] + 256 * bytes[at + 1] + 65536 * bytes[at + 2]
          + 16777216 * bytes[at + 3] + 4294967296; */
    /*@ assert five: left == 5 ==> group == bytes[at] + 256 * bytes[at + 1] + 65536 * bytes[at + 2]
          + 16777216 * bytes[at + 3] + 4294967296 * bytes[at + 4] + 1099511627776; */
    /*@ assert six: left == 6 ==> group == bytes[at] + 256 * bytes[at + 1] + 65536 * bytes[at + 2]
          + 16777216 * bytes[at + 3] + 4294967296 * bytes[at + 4] + 1099511627776 * bytes[at + 5] + 281474976710656; */
    /*@ assert seven: left == 7 ==> group == bytes[at] + 256 * bytes[at + 1] + 65536 * bytes[at + 2]
          + 16777216 * bytes[at + 3] + 4294967296 * bytes[at + 4] + 1099511627776 * bytes[at + 5]
          + 281474976710656 * bytes[at + 6] + 72057594037927936; */
    return group;
}

/* A hash of groups, and a group of which not all is there: the next byte counts `unit`. */
typedef struct {
    uint64_t hash, group, unit;
} assay_hash_state;

/*@ predicate hash_state(assay_hash_state *state) = hash_partial(state->hash, state->group, state->unit); */

/*@ requires state: \valid(state) && hash_state(state);
    requires secret: hash_secret(secret);
    requires byte: byte <= 255;
    terminates \true;
    exits \false;
    assigns *state;
    ensures state: hash_state(state);
    ensures put: \forall integer rest; 0 <= rest ==>
        hash_value(digit(byte, rest), secret, \old(state->hash), \old(state->group), \old(state->unit)) ==
        hash_value(rest, secret, state->hash, state->group, state->unit);
*/
static inline void assay_hash_put(assay_hash_state *state, uint64_t secret, uint32_t byte)
{
    uint64_t group = state->group + byte * state->unit;

    //@ ghost assay_digit_hash();
    if (state->unit == ASSAY_HASH_LAST) {
        state->hash = assay_hash_step(state->hash, secret, group);
        state->group = 0;
        state->unit = 1;
    } else {
        state->group = group;
        state->unit = state->unit * 256u;
    }
}

/*@ // Up to four bytes as one number, the first lowest, the last not 0 unless it is the first.
    logic integer hash_digits(integer bytes, integer rest) = bytes < 256 ? digit(bytes, rest)
        : bytes < 65536 ? digit(bytes % 256, digit(bytes / 256, rest))
        : bytes < 16777216 ? digit(bytes % 256, digit(bytes / 256 % 256, digit(bytes / 65536, rest)))
        : digit(bytes % 256, digit(bytes / 256 % 256, digit(bytes / 65536 % 256, digit(bytes / 16777216, rest))));
*/

/*@ ghost
/@ requires bytes: x <= 255 && y <= 255 && z <= 255 && w <= 255;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures parts: \let bytes = x + 256 * y + 65536 * z + 16777216 * w;
       bytes % 256 == x && bytes / 256 % 256 == y && bytes / 65536 % 256 == z && bytes / 16777216 == w;
@/
void assay_hash_parts(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    /@ assert one: (x + 256 * (y + 256 * z + 65536 * w)) % 256 == x; @/
    /@ assert two: (x + 256 * y + 65536 * (z + 256 * w)) / 256 == y + 256 * z + 65536 * w; @/
    /@ assert three: (x + 256 * y + 65536 * (z + 256 * w)) / 65536 == z + 256 * w; @/
    /@ assert four: (x + 256 * y + 65536 * z + 16777216 * w) / 16777216 == w; @/
    /@ assert second: (y + 256 * (z + 256 * w)) % 256 == y; @/
    /@ assert third: (z + 256 * w) % 256 == z; @/
}
*/

/* The UTF-8 of a code point, as such a number. */
/*@ requires code: code <= 0x10FFFF;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures digits: \forall integer rest; hash_digits(\result, rest) == digits(code, rest);
*/
static inline uint32_t assay_hash_utf8(uint32_t code)
{
    //@ ghost assay_hash_parts(0xF0 + code / 262144, 0x80 + code / 4096 % 64, 0x80 + code / 64 % 64, 0x80 + code % 64);
    //@ ghost assay_hash_parts(0xE0 + code % 65536 / 4096, 0x80 + code / 64 % 64, 0x80 + code % 64, 0);
    /*@ assert two: 0x80 <= code < 0x800 ==> \forall integer rest;
          hash_digits(0x80C0 + code / 64 + code % 64 * 256, rest) == digits(code, rest); */
    /*@ assert three: 0x800 <= code < 0x10000 ==> \forall integer rest;
          hash_digits(0x8080E0 + code / 4096 + code / 64 % 64 * 256 + code % 64 * 65536, rest) == digits(code, rest); */
    /*@ assert four: 0x10000 <= code ==> \forall integer rest; hash_digits(0x808080F0 + code / 262144
          + code / 4096 % 64 * 256 + code / 64 % 64 * 65536 + code % 64 * 16777216, rest) == digits(code, rest); */
    return code < 0x80u ? code : code < 0x800u ? 0x80C0u + code / 64u + code % 64u * 256u
        : code < 0x10000u ? 0x8080E0u + code / 4096u + code / 64u % 64u * 256u + code % 64u * 65536u
        : 0x808080F0u + code / 262144u + code / 4096u % 64u * 256u + code / 64u % 64u * 65536u + code % 64u * 16777216u;
}

uint64_t assay_hash_escaped(const uint8_t *head, uint32_t at, uint32_t end, uint64_t secret, uint64_t hash,
                            uint64_t group, uint64_t unit)
{
    assay_hash_state state = {hash, group, unit};
    uint64_t i = at;

    //@ ghost assay_text_natural(head, at, end);
    //@ ghost assay_digit_hash();
    /*@ loop invariant inside: at <= i <= end && hash_state(&state);
        loop invariant hash: hash_value(text_value(head, i, end), secret, state.hash, state.group, state.unit) ==
            hash_value(text_value(head, at, end), secret, hash, group, unit);
        loop assigns i, state;
        loop variant end - i;
    */
    while (i < end && head[i] != '"') {
        uint32_t bytes = head[i];

        //@ ghost assay_text_step(head, (uint32_t)i, end);
        //@ ghost assay_escape_short(head, (uint32_t)i, end);
        //@ ghost assay_escape_range(head, (uint32_t)i, end);
        i++;
        if (bytes == '\\') {
            bytes = i < end ? assay_short_escape(head[i]) : 0;
            i++;
            if (bytes == 0) {
                uint64_t next = assay_escape_unit(head, (uint32_t)(i - 2u), end);

                bytes = assay_hash_utf8((uint32_t)(next / ASSAY_HASH_32));
                i = next % ASSAY_HASH_32;
            }
        }
        /*@ assert bytes: hash_value(hash_digits(bytes, text_value(head, i, end)), secret, state.hash, state.group,
              state.unit) == hash_value(text_value(head, at, end), secret, hash, group, unit); */
        /*@ loop invariant state: hash_state(&state);
            loop invariant bytes: hash_value(hash_digits(bytes, text_value(head, i, end)), secret, state.hash,
                state.group, state.unit) == hash_value(text_value(head, at, end), secret, hash, group, unit);
            loop assigns bytes, state;
            loop variant bytes;
        */
        for (; bytes > 255u; bytes = bytes / 256u) {
            /*@ assert parts: bytes / 256 / 256 == bytes / 65536 && bytes / 256 / 65536 == bytes / 16777216; */
            /*@ assert first: \forall integer rest; 0 <= rest ==> 0 <= hash_digits(bytes / 256, rest) &&
                  hash_digits(bytes, rest) == digit(bytes % 256, hash_digits(bytes / 256, rest)); */
            assay_hash_put(&state, secret, bytes % 256u);
        }
        assay_hash_put(&state, secret, bytes);
    }
    //@ ghost assay_text_step(head, (uint32_t)i, end);
    return assay_hash_step(state.hash, secret, state.group + state.unit);
}

uint32_t assay_hash_bytes(const uint8_t *bytes, uint64_t size, uint64_t secret)
{
    uint64_t hash = 1;
    uint64_t i;

    /*@ loop invariant inside: i <= size && hash < 25769803776;
        loop invariant hash: hash_value(bytes_value(bytes, i, size), secret, hash, 0, 1) ==
            hash_value(bytes_value(bytes, 0, size), secret, 1, 0, 1);
        loop assigns i, hash;
        loop variant size - i;
    */
    for (i = 0; size - i >= 8u; i = i + 8u) {
        //@ ghost assay_bytes_eight(bytes, i, size, secret, hash);
        uint64_t low = assay_hash_four(bytes + i);
        hash = assay_hash_step(hash, secret, low + ASSAY_HASH_32 * assay_hash_four(bytes + i + 4u));
    }
    return assay_hash_finish(assay_hash_step(hash, secret, assay_hash_last(bytes, i, size)));
}

/*@ predicate hash_plain{L}(uint8_t *bytes, integer i) = bytes[i] != '"' && bytes[i] != '\\';

    // What the marks of some bytes, a byte each, tell of these: 0 marks one that is neither a quote nor a backslash.
    predicate hash_marks{L}(uint8_t *bytes, integer marks) =
        (marks % 256 == 0 ==> hash_plain(bytes, 0)) &&
        (marks % 65536 == 0 ==> hash_plain(bytes, 0) && hash_plain(bytes, 1)) &&
        (marks % 65536 == 0 && marks / 65536 % 256 == 0 ==> hash_plain(bytes, 2));
*/

/* The marks of eight bytes: 1 if it is a quote or a backslash. All are looked at, and without a branch, so that a
 * compiler may do it with vectors. */
/*@ requires readable: \valid_read(bytes + (0 .. 7));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures marks: hash_marks(bytes, \result);
    ensures more: \result % 4294967296 == 0 ==> hash_plain(bytes, 0) && hash_plain(bytes, 1) && hash_plain(bytes, 2)
        && hash_plain(bytes, 3) && hash_marks(bytes + 4, \result / 4294967296);
    ensures none: \result == 0 ==> hash_plain(bytes, 7);
*/
static inline uint64_t assay_hash_marks(const uint8_t *bytes)
{
    uint8_t mark[8];

    /*@ loop invariant i: 0 <= i <= 8;
        loop invariant marks: \forall integer k; 0 <= k < i ==>
            mark[k] == (bytes[k] == '"' || bytes[k] == '\\' ? 1 : 0);
        loop assigns i, mark[0 .. 7];
        loop variant 8 - i;
    */
    for (uint8_t i = 0; i < 8u; i++) {
        mark[i] = bytes[i] == '"' || bytes[i] == '\\';
    }
    //@ ghost assay_shift((uint32_t)(mark[4] + 256u * mark[5] + 65536u * mark[6] + 16777216u * mark[7]));
    return assay_hash_four(mark) + ((uint64_t)assay_hash_four(mark + 4) << 32);
}

/* The hash of a text, from eight bytes on of which one is a quote or a backslash. */
/*@ requires inside: at + 8 <= end;
    requires head: head_ok(head, end);
    requires secret: hash_secret(secret);
    requires hash: hash < 25769803776;
    requires marks: hash_marks(head + at, marks);
    requires more: marks % 4294967296 == 0 ==> hash_plain(head, at) && hash_plain(head, at + 1) &&
        hash_plain(head, at + 2) && hash_plain(head, at + 3) && hash_marks(head + at + 4, marks / 4294967296);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures hash: \result == hash_value(text_value(head, at, end), secret, hash, 0, 1);
    ensures range: \result < 25769803776;
*/
static inline uint64_t assay_hash_rest(const uint8_t *head, uint32_t at, uint32_t end, uint64_t secret, uint64_t hash,
                                       uint64_t marks)
{
    uint64_t group = 0, unit = 1;
    uint32_t i = at;

    if (marks % ASSAY_HASH_32 == 0) {
        //@ ghost assay_text_plain(head, i, end);
        //@ ghost assay_text_plain(head, i + 1, end);
        //@ ghost assay_text_plain(head, i + 2, end);
        //@ ghost assay_text_plain(head, i + 3, end);
        group = assay_hash_four(head + i);
        unit = ASSAY_HASH_32;
        marks = marks / ASSAY_HASH_32;
        i = i + 4u;
    }
    //@ assert four: (i == at && unit == 1 && group == 0) || (i == at + 4 && unit == 4294967296 && group < unit);
    /*@ assert hash: hash_value(text_value(head, i, end), secret, hash, group, unit) ==
          hash_value(text_value(head, at, end), secret, hash, 0, 1); */
    //@ assert marks: hash_marks(head + i, marks);
    if (marks % 65536u == 0) {
        //@ ghost assay_text_plain(head, i, end);
        //@ ghost assay_text_plain(head, i + 1, end);
        /*@ assert two: group + (head[i] + 256 * head[i + 1]) * unit == group + head[i] * unit
              + head[i + 1] * (unit * 256); */
        group = group + assay_hash_two(head + i) * unit;
        unit = unit * 65536u;
        marks = marks / 65536u;
        i = i + 2u;
    }
    /*@ assert partial: group < unit && at <= i <= at + 6 &&
          (unit == 1 || unit == 65536 || unit == 4294967296 || unit == 281474976710656); */
    /*@ assert more: hash_value(text_value(head, i, end), secret, hash, group, unit) ==
          hash_value(text_value(head, at, end), secret, hash, 0, 1); */
    //@ assert mark: marks % 256 == 0 ==> hash_plain(head, i);
    if (marks % 256u == 0) {
        //@ ghost assay_text_plain(head, i, end);
        group = group + head[i] * unit;
        unit = unit * 256u;
        i++;
    }
    //@ assert state: hash_partial(hash, group, unit) && i <= at + 7;
    /*@ assert most: hash_value(text_value(head, i, end), secret, hash, group, unit) ==
          hash_value(text_value(head, at, end), secret, hash, 0, 1); */
    if (head[i] == '"') {
        //@ ghost assay_digit_hash();
        //@ ghost assay_text_step(head, i, end);
        /*@ assert quote: hash_value(text_value(head, at, end), secret, hash, 0, 1) ==
              hash_step(hash, secret, group + unit); */
        return assay_hash_step(hash, secret, group + unit);
    }
    return assay_hash_escaped(head, i, end, secret, hash, group, unit);
}

uint32_t assay_hash_text(const uint8_t *head, uint32_t at, uint32_t end, uint64_t secret)
{
    uint64_t hash = 1;
    uint32_t i;

    /*@ loop invariant inside: at <= i <= end && hash < 25769803776;
        loop invariant hash: hash_value(text_value(head, i, end), secret, hash, 0, 1) ==
            hash_value(text_value(head, at, end), secret, 1, 0, 1);
        loop assigns i, hash;
        loop variant end - i;
    */
    for (i = at; end - i >= 8u; i = i + 8u) {
        uint64_t marks = assay_hash_marks(head + i);

        if (marks != 0) {
            return assay_hash_finish(assay_hash_rest(head, i, end, secret, hash, marks));
        }
        /*@ assert plain: hash_plain(head, i) && hash_plain(head, i + 1) && hash_plain(head, i + 2) &&
              hash_plain(head, i + 3) && hash_plain(head, i + 4) && hash_plain(head, i + 5) &&
              hash_plain(head, i + 6) && hash_plain(head, i + 7); */
        //@ ghost assay_text_eight(head, i, end, secret, hash);
        hash = assay_hash_step(hash, secret, assay_hash_four(head + i) + ASSAY_HASH_32 * assay_hash_four(head + i + 4));
    }
    return assay_hash_finish(assay_hash_escaped(head, i, end, secret, hash, 0, 1));
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
