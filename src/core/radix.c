/* radix.c: many entries sorted digit by digit, the lowest first: a number of steps that depends on how many there are
 * and, in three rounds at most, on how large the offsets are. Only that it stays within its arrays is proved of it:
 * whether what comes out is the layout order, assay_order looks. */
#include "core.h"

#define RADIX_BITS 11u                    /* of a digit */
#define RADIX_HALF 9223372036854775808u   /* 2^63: no system's file is so large */
#define RADIX_PLACES 33554432u            /* 2^25: above every place */

/* What the entries are sorted by: where one begins and where it ends, as a sum. Of two that lie behind
 * each other the first has the lower sum; only empty ones at the same place have the same, and stay as they stand. */
/*@ requires entry: \valid_read(entry);
  @ terminates \true;
  @ exits \false;
  @ assigns \nothing;
  @*/
static uint64_t radix_key(const assay_entry *entry)
{
    return entry->begin % RADIX_HALF + entry->end % RADIX_HALF;
}

/*@ requires shift: shift < 64;
  @ terminates \true;
  @ exits \false;
  @ assigns \nothing;
  @ ensures digit: \result < ASSAY_RADIX;
  @*/
static uint32_t radix_digit(uint64_t key, uint32_t shift)
{
    return (uint32_t)((key >> shift) % ASSAY_RADIX);
}

/* The places from which on each digit stands. */
/*@ requires small: n <= ASSAY_TENSORS_MAX && shift < 64;
  @ requires entries: \valid_read(entry + (0 .. n - 1));
  @ requires room: \valid(place + (0 .. ASSAY_RADIX - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns place[0 .. ASSAY_RADIX - 1];
  @*/
static void radix_count(const assay_entry *entry, uint32_t n, uint32_t shift, uint32_t *place)
{
    uint32_t at = 0;

    /*@ loop invariant bounds: 0 <= d <= ASSAY_RADIX;
      @ loop invariant none: \forall integer c; 0 <= c < d ==> place[c] == 0;
      @ loop assigns d, place[0 .. ASSAY_RADIX - 1];
      @ loop variant ASSAY_RADIX - d;
      @*/
    for (uint32_t d = 0; d < ASSAY_RADIX; d++)
        place[d] = 0;
    /*@ loop invariant bounds: 0 <= i <= n;
      @ loop invariant few: \forall integer c; 0 <= c < ASSAY_RADIX ==> place[c] <= i;
      @ loop assigns i, place[0 .. ASSAY_RADIX - 1];
      @ loop variant n - i;
      @*/
    for (uint32_t i = 0; i < n; i++)
        place[radix_digit(radix_key(entry + i), shift)]++;
    /*@ loop invariant bounds: 0 <= d <= ASSAY_RADIX && at < RADIX_PLACES;
      @ loop invariant few: \forall integer c; d <= c < ASSAY_RADIX ==> place[c] <= n;
      @ loop assigns d, at, place[0 .. ASSAY_RADIX - 1];
      @ loop variant ASSAY_RADIX - d;
      @*/
    for (uint32_t d = 0; d < ASSAY_RADIX; d++) {
        uint32_t count = place[d];

        place[d] = at;
        at = (at + count) % RADIX_PLACES;
    }
}

/* Sorts from[0 .. n) by one digit into to[0 .. n); those with the same digit stay as they stand. */
/*@ requires small: 0 < n <= ASSAY_TENSORS_MAX && shift < 64;
  @ requires entries: \valid_read(entry + (0 .. n - 1));
  @ requires room: \valid_read(from + (0 .. n - 1)) && \valid(to + (0 .. n - 1)) &&
  @     \valid(place + (0 .. ASSAY_RADIX - 1));
  @ requires apart: \separated(from + (0 .. n - 1), to + (0 .. n - 1), place + (0 .. ASSAY_RADIX - 1));
  @ requires places: places(from, 0, n, n) && places(to, 0, n, n);
  @ terminates \true;
  @ exits \false;
  @ assigns to[0 .. n - 1], place[0 .. ASSAY_RADIX - 1];
  @ ensures places: places(from, 0, n, n) && places(to, 0, n, n);
  @*/
static void radix_pass(const assay_entry *entry, uint32_t n, uint32_t shift, const uint32_t *from, uint32_t *to,
                           uint32_t *place)
{
    radix_count(entry, n, shift, place);
    /*@ loop invariant bounds: 0 <= i <= n;
      @ loop invariant places: places(from, 0, n, n) && places(to, 0, n, n);
      @ loop assigns i, to[0 .. n - 1], place[0 .. ASSAY_RADIX - 1];
      @ loop variant n - i;
      @*/
    for (uint32_t i = 0; i < n; i++) {
        uint32_t digit = radix_digit(radix_key(entry + from[i]), shift);
        uint32_t here = place[digit] * (place[digit] < n); /* it is below n, which is not proved: 0 would be, too */

        to[here] = from[i];
        place[digit] = here + 1u;
    }
}

/*@ requires entries: \valid_read(entry + (0 .. n - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns \nothing;
  @*/
static uint64_t radix_largest(const assay_entry *entry, uint32_t n)
{
    uint64_t largest = 0;

    /*@ loop invariant bounds: 0 <= i <= n;
      @ loop assigns i, largest;
      @ loop variant n - i;
      @*/
    for (uint32_t i = 0; i < n; i++) {
        uint64_t key = radix_key(entry + i);

        largest = key > largest ? key : largest;
    }
    return largest;
}

void assay_radix(const assay_entry *entry, uint32_t n, uint32_t *order, uint32_t *scratch)
{
    uint64_t largest = radix_largest(entry, n);

    /*@ loop invariant bounds: 0 <= i <= n;
      @ loop invariant places: places(order, 0, i, n) && places(scratch, 0, i, n);
      @ loop assigns i, order[0 .. n - 1], scratch[0 .. n - 1];
      @ loop variant n - i;
      @*/
    for (uint32_t i = 0; i < n; i++) {
        order[i] = i;
        scratch[i] = i;
    }
    /*@ loop invariant shift: shift == 0 || shift == 22 || shift == 44 || shift == 66;
      @ loop invariant places: places(order, 0, n, n) && places(scratch, 0, n, n);
      @ loop assigns shift, order[0 .. n - 1], scratch[0 .. n + ASSAY_RADIX - 1];
      @ loop variant 66 - shift;
      @*/
    for (uint32_t shift = 0; shift < 64u && largest >> shift != 0; shift += 2u * RADIX_BITS) {
        radix_pass(entry, n, shift, order, scratch, scratch + n);
        radix_pass(entry, n, shift + RADIX_BITS, scratch, order, scratch + n);
    }
}
