/* radix.c: indices sorted by the digits of their keys, the lowest digit first. That each index is below n is all that
 * is proved of the result: its users check the order, or sort it further. */
#include "core.h"

#define RADIX_COUNT 33554432u /* 2^25: more than there are indices */

static void assay_identity(uint32_t *index, uint32_t n)
{
    /*@ loop invariant inside: 0 <= k <= n;
        loop invariant identity: \forall integer p; 0 <= p < k ==> index[p] == p;
        loop assigns k, index[0 .. n - 1];
        loop variant n - k;
    */
    for (uint32_t k = 0; k < n; k++) {
        index[k] = k;
    }
    //@ assert each: \forall integer v; 0 <= v < n ==> index[v] == v ==> among(index, 0, n, v);
}

/*@ requires shift: shift < 32;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures digit: \result < ASSAY_RADIX;
*/
static inline uint32_t radix_digit(uint32_t key, uint32_t shift)
{
    return (key >> shift) % ASSAY_RADIX;
}

/* Set first[d] to the number of keys with a digit below d. */
/*@ requires count: n < 33554432 && shift < 32;
    requires keys: \valid_read(key + (0 .. n - 1));
    requires room: \valid(first + (0 .. ASSAY_RADIX - 1)) &&
        \separated(first + (0 .. ASSAY_RADIX - 1), key + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns first[0 .. ASSAY_RADIX - 1];
*/
static void radix_count(const uint32_t *key, uint32_t n, uint32_t shift, uint32_t *first)
{
    uint32_t below = 0;

    /*@ loop invariant inside: 0 <= d <= ASSAY_RADIX;
        loop invariant none: \forall integer c; 0 <= c < d ==> first[c] == 0;
        loop assigns d, first[0 .. ASSAY_RADIX - 1];
        loop variant ASSAY_RADIX - d;
    */
    for (uint32_t d = 0; d < ASSAY_RADIX; d++) {
        first[d] = 0;
    }
    /*@ loop invariant inside: 0 <= k <= n;
        loop invariant few: \forall integer c; 0 <= c < ASSAY_RADIX ==> first[c] <= k;
        loop assigns k, first[0 .. ASSAY_RADIX - 1];
        loop variant n - k;
    */
    for (uint32_t k = 0; k < n; k++) {
        first[radix_digit(key[k], shift)]++;
    }
    /*@ loop invariant inside: 0 <= d <= ASSAY_RADIX && below < RADIX_COUNT;
        loop invariant few: \forall integer c; d <= c < ASSAY_RADIX ==> first[c] <= n;
        loop assigns d, below, first[0 .. ASSAY_RADIX - 1];
        loop variant ASSAY_RADIX - d;
    */
    for (uint32_t d = 0; d < ASSAY_RADIX; d++) {
        uint32_t count = first[d];

        first[d] = below;
        below = (below + count) % RADIX_COUNT;
    }
}

static void assay_radix(const uint32_t *key, uint32_t n, uint32_t shift, const uint32_t *from, uint32_t *to,
                        uint32_t *first)
{
    radix_count(key, n, shift, first);
    /*@ loop invariant inside: 0 <= k <= n;
        loop invariant places: places(from, 0, n, n) && places(to, 0, n, n);
        loop assigns k, to[0 .. n - 1], first[0 .. ASSAY_RADIX - 1];
        loop variant n - k;
    */
    for (uint32_t k = 0; k < n; k++) {
        uint32_t digit = radix_digit(key[from[k]], shift);
        uint32_t next = first[digit];

        next *= next < n; /* it is, which is not proved: without a branch that no key takes */
        to[next] = from[k];
        first[digit] = next + 1u;
    }
}
