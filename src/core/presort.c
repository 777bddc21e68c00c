/* presort.c: short texts put in the order of four of their bytes before any are compared: a number of steps that
 * depends on how many there are alone. Only that each index is still there is proved of it: what comes out is compared
 * and merged like any other order. */
#include "core.h"

#define PRESORT_BITS 11u          /* of a digit: three for a key */
#define PRESORT_PLACES 33554432u  /* 2^25: above every place */
#define PRESORT_SHORT 16u         /* bytes of the header for each text: only with fewer it is worth the time */

/* Return how many bytes all texts of a list begin with, as they are in the header. O(n * that many). */
/*@ requires head: head_ok(head, end);
    requires count: 0 < n < 16777215;
    requires texts: texts_inside(texts, n, end);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures inside: \result <= end;
*/
static uint32_t presort_prefix(const uint8_t *head, uint32_t end, assay_texts texts, uint32_t n)
{
    uint32_t first = assay_text_at(texts, 0) /*@ ghost (n, end) */;
    uint32_t most = end - first;

    /*@ loop invariant inside: 0 <= k <= n && first + most <= end;
        loop assigns k, most;
        loop variant n - k;
    */
    for (uint32_t k = 0; k < n; k++) {
        uint32_t at = assay_text_at(texts, k) /*@ ghost (n, end) */;
        uint32_t room = end - at < most ? end - at : most;
        uint32_t same = 0;

        /*@ loop invariant inside: same <= room;
            loop assigns same;
            loop variant room - same;
        */
        while (same < room && head[first + same] == head[at + same] && head[at + same] != '"') {
            same++;
        }
        most = same;
    }
    return most;
}

/* Return four bytes of a text, or those after it, as a number, the first highest: those after the first `prefix`. 0 at
 * the end of the header. */
/*@ requires head: head_ok(head, end);
    requires inside: at <= end && prefix <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
*/
static inline uint32_t presort_key(const uint8_t *head, uint32_t end, uint32_t at, uint32_t prefix)
{
    if (end - at < prefix + 4u) {
        return 0;
    }
    at += prefix;
    return head[at] * 16777216u + head[at + 1u] * 65536u + head[at + 2u] * 256u + head[at + 3u];
}

/*@ requires shift: shift < 32;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures digit: \result < ASSAY_RADIX;
*/
static inline uint32_t presort_digit(uint32_t key, uint32_t shift)
{
    return (key >> shift) % ASSAY_RADIX;
}

/* Set from[d] to where the keys with digit d go. */
/*@ requires count: n < 16777215 && shift < 32;
    requires keys: \valid_read(key + (0 .. n - 1));
    requires room: \valid(from + (0 .. ASSAY_RADIX - 1)) &&
        \separated(from + (0 .. ASSAY_RADIX - 1), key + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns from[0 .. ASSAY_RADIX - 1];
*/
static void presort_count(const uint32_t *key, uint32_t n, uint32_t shift, uint32_t *from)
{
    uint32_t at = 0;

    /*@ loop invariant inside: 0 <= d <= ASSAY_RADIX;
        loop invariant none: \forall integer c; 0 <= c < d ==> from[c] == 0;
        loop assigns d, from[0 .. ASSAY_RADIX - 1];
        loop variant ASSAY_RADIX - d;
    */
    for (uint32_t d = 0; d < ASSAY_RADIX; d++) {
        from[d] = 0;
    }
    /*@ loop invariant inside: 0 <= k <= n;
        loop invariant few: \forall integer c; 0 <= c < ASSAY_RADIX ==> from[c] <= k;
        loop assigns k, from[0 .. ASSAY_RADIX - 1];
        loop variant n - k;
    */
    for (uint32_t k = 0; k < n; k++) {
        from[presort_digit(key[k], shift)]++;
    }
    /*@ loop invariant inside: 0 <= d <= ASSAY_RADIX && at < PRESORT_PLACES;
        loop invariant few: \forall integer c; d <= c < ASSAY_RADIX ==> from[c] <= n;
        loop assigns d, at, from[0 .. ASSAY_RADIX - 1];
        loop variant ASSAY_RADIX - d;
    */
    for (uint32_t d = 0; d < ASSAY_RADIX; d++) {
        uint32_t count = from[d];

        from[d] = at;
        at = (at + count) % PRESORT_PLACES;
    }
}

/* Indices and their keys: the two tables between which a pass moves them. */
typedef struct {
    uint32_t *place, *key;
} presort_table;

/*@ predicate presort_apart(presort_table a, presort_table b, uint32_t *count, integer n) =
        \valid(a.place + (0 .. n - 1)) && \valid(a.key + (0 .. n - 1)) && \valid(b.place + (0 .. n - 1)) &&
        \valid(b.key + (0 .. n - 1)) && \valid(count + (0 .. ASSAY_RADIX - 1)) &&
        \separated(a.place + (0 .. n - 1), a.key + (0 .. n - 1), b.place + (0 .. n - 1), b.key + (0 .. n - 1),
                   count + (0 .. ASSAY_RADIX - 1));
*/

/* Sort by one digit. */
/*@ requires count: 0 < n < 16777215 && shift < 32;
    requires room: presort_apart(a, b, count, n);
    requires places: places(a.place, 0, n, n) && places(b.place, 0, n, n);
    terminates \true;
    exits \false;
    assigns b.place[0 .. n - 1], b.key[0 .. n - 1], count[0 .. ASSAY_RADIX - 1];
    ensures places: places(b.place, 0, n, n);
*/
static void presort_pass(presort_table a, presort_table b, uint32_t n, uint32_t shift, uint32_t *count)
{
    presort_count(a.key, n, shift, count);
    /*@ loop invariant inside: 0 <= k <= n;
        loop invariant places: places(b.place, 0, n, n);
        loop invariant from: places(a.place, 0, n, n);
        loop assigns k, b.place[0 .. n - 1], b.key[0 .. n - 1], count[0 .. ASSAY_RADIX - 1];
        loop variant n - k;
    */
    for (uint32_t k = 0; k < n; k++) {
        uint32_t key = a.key[k];
        uint32_t digit = presort_digit(key, shift);
        uint32_t to = count[digit] * (count[digit] < n); /* it is below n, which is not proved: 0 would be, too */

        b.place[to] = a.place[k];
        b.key[to] = key;
        count[digit] = to + 1u;
    }
}

/* Copy the indices, and return whether each of 0 .. n-1 is there. at: room for where each is. */
/*@ requires count: n < 16777215;
    requires room: \valid_read(from + (0 .. n - 1)) && \valid(place + (0 .. n - 1)) && \valid(at + (0 .. n - 1)) &&
        \separated(from + (0 .. n - 1), place + (0 .. n - 1), at + (0 .. n - 1));
    requires places: places(from, 0, n, n);
    terminates \true;
    exits \false;
    assigns place[0 .. n - 1], at[0 .. n - 1];
    ensures all: \result ==> all_places(place, n);
*/
static bool presort_copy(const uint32_t *from, uint32_t *place, uint32_t *at, uint32_t n)
{
    uint32_t missing = 0;

    /*@ loop invariant inside: 0 <= k <= n;
        loop invariant from: places(from, 0, n, n);
        loop invariant places: places(place, 0, k, n);
        loop assigns k, place[0 .. n - 1], at[0 .. n - 1];
        loop variant n - k;
    */
    for (uint32_t k = 0; k < n; k++) {
        place[k] = from[k];
        at[from[k]] = k;
    }
    /*@ loop invariant inside: 0 <= v <= n && missing <= v;
        loop invariant all: missing == 0 ==> \forall integer u; 0 <= u < v ==> among(place, 0, n, u);
        loop assigns v, missing;
        loop variant n - v;
    */
    for (uint32_t v = 0; v < n; v++) {
        uint32_t k = at[v] * (at[v] < n); /* without a branch that no header takes */

        missing += place[k] != v;
    }
    return missing == 0;
}

/* Fill place[0 .. n) in the order of four bytes of each text: those after the bytes that all begin with. Return whether
 * each index is there. */
/*@ requires head: head_ok(head, end);
    requires count: ASSAY_RADIX <= n < 16777215;
    requires texts: texts_inside(texts, n, end);
    requires room: presort_apart(a, b, count, n);
    requires keys: texts.entry == \null ==> \separated(texts.key + (0 .. n - 1), a.place + (0 .. n - 1),
        a.key + (0 .. n - 1), b.place + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns a.place[0 .. n - 1], a.key[0 .. n - 1], b.place[0 .. n - 1], b.key[0 .. n - 1],
        count[0 .. ASSAY_RADIX - 1];
    ensures all: \result ==> all_places(a.place, n);
*/
static bool presort_radix(const uint8_t *head, uint32_t end, assay_texts texts, presort_table a, presort_table b,
                          uint32_t n, uint32_t *count)
{
    uint32_t prefix = presort_prefix(head, end, texts, n);

    /*@ loop invariant inside: 0 <= k <= n;
        loop invariant texts: texts_inside(texts, n, end);
        loop invariant places: places(a.place, 0, k, n) && places(b.place, 0, k, n);
        loop assigns k, a.place[0 .. n - 1], a.key[0 .. n - 1], b.place[0 .. n - 1];
        loop variant n - k;
    */
    for (uint32_t k = 0; k < n; k++) {
        uint32_t at = assay_text_at(texts, k) /*@ ghost (n, end) */;

        a.place[k] = k;
        b.place[k] = k;
        a.key[k] = presort_key(head, end, at, prefix);
    }
    presort_pass(a, b, n, 0, count);
    presort_pass(b, a, n, PRESORT_BITS, count);
    presort_pass(a, b, n, 2u * PRESORT_BITS, count);
    return presort_copy(b.place, a.place, a.key, n);
}

void assay_presort(const uint8_t *head, uint32_t end, assay_texts texts, uint32_t *word, uint32_t n)
{
    presort_table a = {word, word + n};
    presort_table b = {word + 2u * n, word + 3u * n};
    bool done = false;

    if (n >= ASSAY_RADIX && n > end / PRESORT_SHORT) {
        done = presort_radix(head, end, texts, a, b, n, word + 4u * n);
    }
    if (done) {
        return;
    }
    /*@ loop invariant inside: 0 <= k <= n;
        loop invariant own: \forall integer x; 0 <= x < k ==> word[x] == x;
        loop assigns k, word[0 .. n - 1];
        loop variant n - k;
    */
    for (uint32_t k = 0; k < n; k++) {
        word[k] = k;
    }
    //@ assert named: \forall integer v; 0 <= v < n && word[v] == v ==> among(word, 0, n, v);
}
