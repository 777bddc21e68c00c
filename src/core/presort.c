/* presort.c: indices in the order of their keys, by digits; and texts in the order of their bytes, four at a time. Only
 * that no index is lost is proved of it: sort.c compares the texts then. */
#include "core.h"

/* Unfolds: cursor_ok. */

#define RADIX_COUNT 33554432u /* 2^25: more than there are indices */

/* ---- By digits of keys ---------------------------------------------------------------------- */

static void assay_identity(uint32_t *index, uint32_t n)
{
    /*@ loop invariant inside: 0 <= k <= n;
        loop invariant identity: \forall integer p; 0 <= p < k ==> index[p] == p;
        loop assigns k, index[0 .. n - 1], assay_work;
        loop variant n - k;
    */
    for (uint32_t k = 0; k < n; k++) {
        //@ ghost assay_spend();
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

/* Set first[d] to the number of indices in from[0 .. m) whose key has a digit below d. */
/*@ requires count: m <= n < 33554432 && shift < 32;
    requires keys: \valid_read(key + (0 .. n - 1)) && \valid_read(from + (0 .. n - 1)) && places(from, 0, n, n);
    requires room: \valid(first + (0 .. ASSAY_RADIX - 1)) &&
        \separated(first + (0 .. ASSAY_RADIX - 1), key + (0 .. n - 1), from + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns first[0 .. ASSAY_RADIX - 1], assay_work;
*/
static void radix_count(const uint32_t *key, const uint32_t *from, uint32_t m, uint32_t shift, uint32_t *first)
    /*@ ghost (uint32_t n) */
{
    uint32_t below = 0;

    /*@ loop invariant inside: 0 <= d <= ASSAY_RADIX;
        loop invariant none: \forall integer c; 0 <= c < d ==> first[c] == 0;
        loop assigns d, first[0 .. ASSAY_RADIX - 1], assay_work;
        loop variant ASSAY_RADIX - d;
    */
    for (uint32_t d = 0; d < ASSAY_RADIX; d++) {
        //@ ghost assay_spend();
        first[d] = 0;
    }
    /*@ loop invariant inside: 0 <= k <= m;
        loop invariant places: places(from, 0, n, n);
        loop invariant few: \forall integer c; 0 <= c < ASSAY_RADIX ==> first[c] <= k;
        loop assigns k, first[0 .. ASSAY_RADIX - 1], assay_work;
        loop variant m - k;
    */
    for (uint32_t k = 0; k < m; k++) {
        //@ ghost assay_spend();
        first[radix_digit(key[from[k]], shift)]++;
    }
    /*@ loop invariant inside: 0 <= d <= ASSAY_RADIX && below < RADIX_COUNT;
        loop invariant few: \forall integer c; d <= c < ASSAY_RADIX ==> first[c] <= m;
        loop assigns d, below, first[0 .. ASSAY_RADIX - 1], assay_work;
        loop variant ASSAY_RADIX - d;
    */
    for (uint32_t d = 0; d < ASSAY_RADIX; d++) {
        //@ ghost assay_spend();
        uint32_t count = first[d];

        first[d] = below;
        below = (below + count) % RADIX_COUNT;
    }
}

/* Put the indices from[0 .. m) into to[], by the counts that radix_count made: sorted by the digit, those with the same
 * one in order. */
/*@ requires count: m <= n < 33554432 && shift < 32;
    requires keys: \valid_read(key + (0 .. n - 1));
    requires room: \valid_read(from + (0 .. n - 1)) && \valid(to + (0 .. n - 1)) &&
        \valid(first + (0 .. ASSAY_RADIX - 1));
    requires apart: \separated(key + (0 .. n - 1), from + (0 .. n - 1), to + (0 .. n - 1),
        first + (0 .. ASSAY_RADIX - 1));
    requires places: places(from, 0, n, n) && places(to, 0, n, n);
    terminates \true;
    exits \false;
    assigns to[0 .. n - 1], first[0 .. ASSAY_RADIX - 1], assay_work;
    ensures places: places(from, 0, n, n) && places(to, 0, n, n);
*/
static void radix_place(const uint32_t *key, const uint32_t *from, uint32_t m, uint32_t shift, uint32_t *to,
                        uint32_t *first, uint32_t n)
{
    /*@ loop invariant inside: 0 <= k <= m;
        loop invariant places: places(from, 0, n, n) && places(to, 0, n, n);
        loop assigns k, to[0 .. n - 1], first[0 .. ASSAY_RADIX - 1], assay_work;
        loop variant m - k;
    */
    for (uint32_t k = 0; k < m; k++) {
        //@ ghost assay_spend();
        uint32_t digit = radix_digit(key[from[k]], shift);
        uint32_t next = first[digit];

        next *= next < n; /* it is, which is not proved: without a branch that no key takes */
        to[next] = from[k];
        first[digit] = next + 1u;
    }
}

static void assay_radix(const uint32_t *key, uint32_t n, uint32_t shift, const uint32_t *from, uint32_t *to,
                        uint32_t *first)
{
    radix_count(key, from, n, shift, first) /*@ ghost (n) */;
    radix_place(key, from, n, shift, to, first, n);
}

/* ---- By four bytes and four bytes ------------------------------------------------------------------------------ */

#define PRESORT_FEW 8u     /* fewer than one in that many are listed: they are sorted by the digits of their ranks */
#define PRESORT_ROUNDS 16u /* after that many, or 64 bytes, ... */
#define PRESORT_PART 3u    /* ... fewer than one in that many are left to the merges: a round costs them more */

/* The texts of a list, sorted by the bytes that were read of each. Texts with the same of these bytes are a group.
 * Those that share their group with others, and have not ended, are listed. `rank` is where a text's group begins
 * among all texts; `cursor` where the text is read on, or 0 if it is not listed. */
typedef struct {
    uint32_t *list, *other; /* those that are listed; room for as many */
    uint32_t *key;          /* of each text: the four bytes read last */
    uint32_t *rank, *cursor;
    uint32_t *first;        /* the counts of each digit, or where each group begins */
} presort;

/*@ predicate presort_room{L}(presort sort, integer n) =
        ASSAY_RADIX <= n < 16777215 &&
        \valid(sort.list + (0 .. n - 1)) && \valid(sort.other + (0 .. n - 1)) && \valid(sort.key + (0 .. n - 1)) &&
        \valid(sort.rank + (0 .. n - 1)) && \valid(sort.cursor + (0 .. n - 1)) && \valid(sort.first + (0 .. n - 1)) &&
        \separated(sort.list + (0 .. n - 1), sort.other + (0 .. n - 1), sort.key + (0 .. n - 1),
                   sort.rank + (0 .. n - 1), sort.cursor + (0 .. n - 1), sort.first + (0 .. n - 1));
    predicate presort_lists{L}(presort sort, integer n) =
        places(sort.list, 0, n, n) && places(sort.other, 0, n, n);
    predicate presort_ranks{L}(presort sort, integer n) = places(sort.rank, 0, n, n);
    predicate presort_cursors{L}(uint8_t *b, integer end, uint32_t *cursor, integer n) =
        \forall integer t; 0 <= t < n ==> cursor_ok(b, cursor[t], end);
*/

/* Four bytes of a text as a number, the first highest, and the cursor after them: 0 if the text ends before. A text
 * that ends just there is read once more, as four bytes of 0. */
typedef struct {
    uint32_t key, cursor;
} presort_bytes;

/*@ requires head: head_ok(head, end);
    requires cursor: cursor_ok(head, cursor, end);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures cursor: cursor_ok(head, \result.cursor, end);
*/
static presort_bytes presort_escaped(const uint8_t *head, uint32_t end, uint32_t cursor)
{
    presort_bytes bytes = {0, cursor};

    //@ assert none: cursor_ok(head, 0, end);
    /*@ loop invariant inside: 0 <= k <= 4;
        loop invariant cursor: cursor_ok(head, cursor, end);
        loop invariant result: cursor_ok(head, bytes.cursor, end);
        loop assigns k, cursor, bytes, assay_work;
        loop variant 4 - k;
    */
    for (uint32_t k = 0; k < 4u; k++) {
        //@ ghost assay_spend();
        uint64_t symbol = assay_symbol_any(head, end, cursor);

        bytes.key = bytes.key % 16777216u * 256u;
        bytes.cursor = 0;
        if (symbol != 0) {
            bytes.key += ((uint32_t)(symbol / 4294967296u) - 1u) % 256u;
            cursor = (uint32_t)(symbol % 4294967296u);
            bytes.cursor = cursor;
        }
    }
    return bytes;
}

/* The same, faster without an escape. */
/*@ requires head: head_ok(head, end);
    requires cursor: cursor_ok(head, cursor, end);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures cursor: cursor_ok(head, \result.cursor, end);
*/
static inline presort_bytes presort_next(const uint8_t *head, uint32_t end, uint32_t cursor)
{
    presort_bytes bytes = {0, 0};
    uint32_t at = cursor / 4u;
    uint32_t k = 0;

    /*@ loop invariant inside: 0 <= k <= 4 && \at(cursor, Pre) / 4 + k == at <= end;
        loop assigns k, at, bytes, assay_work;
        loop variant 4 - k;
    */
    while (k < 4u && at < end && head[at] != '"' && head[at] != '\\') {
        //@ ghost assay_spend();
        bytes.key = bytes.key % 16777216u * 256u + head[at];
        at++;
        k++;
    }
    if (k < 4u && at < end && head[at] == '\\') {
        return presort_escaped(head, end, cursor);
    }
    //@ assert after: (4 * at) / 4 == at && (4 * at) % 4 == 0;
    //@ assert next: cursor_ok(head, 4 * at, end) && cursor_ok(head, 0, end);
    bytes.cursor = k < 4u ? 0 : 4u * at;
    /*@ loop invariant inside: 0 <= k <= 4;
        loop assigns k, bytes.key, assay_work;
        loop variant 4 - k;
    */
    while (k < 4u) {
        //@ ghost assay_spend();
        bytes.key = bytes.key % 16777216u * 256u;
        k++;
    }
    return bytes;
}

/* How many texts are listed, and the bits in which their keys and their ranks differ. */
typedef struct {
    uint32_t count, key_bits, rank_bits;
} presort_listed;

/* All texts are one group, and read from their first byte on. O(n). */
/*@ requires head: head_ok(head, end);
    requires room: presort_room(sort, n);
    requires texts: texts_inside(texts, n, end);
    requires keys: texts.entry == \null ==>
        \separated(texts.key + (0 .. n - 1), sort.cursor + (0 .. n - 1), sort.rank + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns sort.rank[0 .. n - 1], sort.cursor[0 .. n - 1], assay_work;
    ensures ranks: presort_ranks(sort, n);
    ensures cursors: presort_cursors(head, end, sort.cursor, n);
*/
static void presort_begin(assay_texts texts, presort sort, uint32_t n)
    /*@ ghost (const uint8_t *head, uint32_t end) */
{
    /*@ loop invariant inside: 0 <= k <= n;
        loop invariant texts: texts_inside(texts, n, end);
        loop invariant cursors: presort_cursors(head, end, sort.cursor, k);
        loop invariant ranks: places(sort.rank, 0, k, n);
        loop assigns k, sort.rank[0 .. n - 1], sort.cursor[0 .. n - 1], assay_work;
        loop variant n - k;
    */
    for (uint32_t k = 0; k < n; k++) {
        //@ ghost assay_spend();
        //@ ghost Before: ;
        uint32_t at = assay_text_at(texts, k) /*@ ghost (n, end) */;

        sort.cursor[k] = 4u * at;
        sort.rank[k] = 0;
        //@ assert first: (4 * at) / 4 == at && (4 * at) % 4 == 0;
        //@ assert new: cursor_ok(head, sort.cursor[k], end);
        //@ assert same: \forall integer t; 0 <= t < k ==> sort.cursor[t] == \at(sort.cursor[t], Before);
        //@ assert cursors: presort_cursors(head, end, sort.cursor, k);
    }
}

/* List the texts, and read four bytes of each. O(n). */
/*@ requires head: head_ok(head, end);
    requires room: presort_room(sort, n);
    requires lists: presort_lists(sort, n) && presort_ranks(sort, n);
    requires cursors: presort_cursors(head, end, sort.cursor, n);
    terminates \true;
    exits \false;
    assigns sort.list[0 .. n - 1], sort.key[0 .. n - 1], sort.cursor[0 .. n - 1], assay_work;
    ensures inside: \result.count <= n;
    ensures lists: presort_lists(sort, n) && presort_ranks(sort, n);
    ensures cursors: presort_cursors(head, end, sort.cursor, n);
*/
static presort_listed presort_read(const uint8_t *head, uint32_t end, presort sort, uint32_t n)
{
    presort_listed listed = {0, 0, 0};
    uint32_t key = 0, rank = 0; /* of the text before */

    /*@ loop invariant inside: 0 <= t <= n && listed.count <= t;
        loop invariant lists: presort_lists(sort, n) && presort_ranks(sort, n);
        loop invariant cursors: presort_cursors(head, end, sort.cursor, n);
        loop assigns t, listed, key, rank, sort.list[0 .. n - 1], sort.key[0 .. n - 1], sort.cursor[0 .. n - 1],
            assay_work;
        loop variant n - t;
    */
    for (uint32_t t = 0; t < n; t++) {
        //@ ghost assay_spend();
        if (sort.cursor[t] != 0) {
            presort_bytes bytes = presort_next(head, end, sort.cursor[t]);

            listed.key_bits |= listed.count == 0 ? 0 : bytes.key ^ key;
            listed.rank_bits |= listed.count == 0 ? 0 : sort.rank[t] ^ rank;
            key = bytes.key;
            rank = sort.rank[t];
            sort.key[t] = bytes.key;
            sort.cursor[t] = bytes.cursor;
            sort.list[listed.count] = t;
            listed.count++;
        }
    }
    return listed;
}

/* Sort list[0 .. count) by the digits of the keys that have one of `bits`. Texts with the same key stay in order. All
 * digits are counted first: a list in the order of the header, as it is when it is sorted by the bytes read, goes
 * through memory in one direction. O(count + ASSAY_RADIX). */
/*@ requires room: presort_room(sort, n);
    requires key: key == sort.key || key == sort.rank;
    requires inside: count <= n && 3 * ASSAY_RADIX <= n;
    requires lists: presort_lists(sort, n) && presort_ranks(sort, n);
    terminates \true;
    exits \false;
    assigns sort.list[0 .. n - 1], sort.other[0 .. n - 1], sort.first[0 .. n - 1], assay_work;
    ensures lists: presort_lists(sort, n) && presort_ranks(sort, n);
*/
static void presort_by_digits(presort sort, const uint32_t *key, uint32_t bits, uint32_t count, uint32_t n)
{
    /*@ loop invariant digit: 0 <= digit <= 3;
        loop invariant lists: presort_lists(sort, n) && presort_ranks(sort, n);
        loop assigns digit, sort.first[0 .. n - 1], assay_work;
        loop variant 3 - digit;
    */
    for (uint32_t digit = 0; digit < 3u; digit++) {
        //@ ghost assay_spend();
        if (radix_digit(bits, ASSAY_RADIX_BITS * digit) != 0) {
            radix_count(key, sort.list, count, ASSAY_RADIX_BITS * digit, sort.first + ASSAY_RADIX * digit)
                /*@ ghost (n) */;
        }
    }
    /*@ loop invariant digit: 0 <= digit <= 3;
        loop invariant lists: presort_lists(sort, n) && presort_ranks(sort, n);
        loop assigns digit, sort.list[0 .. n - 1], sort.other[0 .. n - 1], sort.first[0 .. n - 1], assay_work;
        loop variant 3 - digit;
    */
    for (uint32_t digit = 0; digit < 3u; digit++) {
        //@ ghost assay_spend();
        uint32_t *first = sort.first + ASSAY_RADIX * digit;

        if (radix_digit(bits, ASSAY_RADIX_BITS * digit) != 0) {
            radix_place(key, sort.list, count, ASSAY_RADIX_BITS * digit, sort.other, first, n);
            /*@ loop invariant inside: 0 <= k <= count;
                loop invariant lists: presort_lists(sort, n) && presort_ranks(sort, n);
                loop assigns k, sort.list[0 .. n - 1], assay_work;
                loop variant count - k;
            */
            for (uint32_t k = 0; k < count; k++) {
                //@ ghost assay_spend();
                sort.list[k] = sort.other[k];
            }
        }
    }
}

/* Put the text list[k] of each k < count at other[j], where j counts from its rank on. first[] becomes, for the rank of
 * a group that is listed, where the group ends, and k for each other k. O(n). */
/*@ requires room: presort_room(sort, n);
    requires inside: count <= n;
    requires lists: presort_lists(sort, n) && presort_ranks(sort, n);
    terminates \true;
    exits \false;
    assigns sort.other[0 .. n - 1], sort.first[0 .. n - 1], assay_work;
    ensures lists: presort_lists(sort, n) && presort_ranks(sort, n);
*/
static void presort_spread(presort sort, uint32_t count, uint32_t n)
{
    assay_identity(sort.first, n);
    /*@ loop invariant inside: 0 <= k <= count;
        loop invariant lists: presort_lists(sort, n) && presort_ranks(sort, n);
        loop assigns k, sort.other[0 .. n - 1], sort.first[0 .. n - 1], assay_work;
        loop variant count - k;
    */
    for (uint32_t k = 0; k < count; k++) {
        //@ ghost assay_spend();
        uint32_t rank = sort.rank[sort.list[k]];
        uint32_t next = sort.first[rank];

        next *= next < n; /* it is, which is not proved */
        sort.other[next] = sort.list[k];
        sort.first[rank] = next + 1u;
    }
}

/* Sort list[0 .. count) by rank. Texts with the same rank stay in order. O(n): faster than by digits if the texts are
 * many. */
/*@ requires room: presort_room(sort, n);
    requires inside: count <= n;
    requires lists: presort_lists(sort, n) && presort_ranks(sort, n);
    terminates \true;
    exits \false;
    assigns sort.list[0 .. n - 1], sort.other[0 .. n - 1], sort.first[0 .. n - 1], assay_work;
    ensures lists: presort_lists(sort, n) && presort_ranks(sort, n);
*/
static void presort_by_rank(presort sort, uint32_t count, uint32_t n)
{
    uint32_t group = 0; /* where the last group ends */
    uint32_t m = 0;

    presort_spread(sort, count, n);
    /*@ loop invariant inside: 0 <= m <= k <= n;
        loop invariant lists: presort_lists(sort, n) && presort_ranks(sort, n);
        loop assigns k, m, group, sort.list[0 .. n - 1], assay_work;
        loop variant n - k;
    */
    for (uint32_t k = 0; k < n; k++) {
        //@ ghost assay_spend();
        group = sort.first[k] > k ? sort.first[k] : group;
        sort.list[m] = sort.other[k];
        m += k < group;
    }
}

/* The list is sorted by rank and key: state the new ranks. A text that is alone in its group is not read on. O(n). */
/*@ requires head: head_ok(head, end);
    requires room: presort_room(sort, n);
    requires inside: count <= n;
    requires lists: presort_lists(sort, n) && presort_ranks(sort, n);
    requires cursors: presort_cursors(head, end, sort.cursor, n);
    terminates \true;
    exits \false;
    assigns sort.rank[0 .. n - 1], sort.cursor[0 .. n - 1], assay_work;
    ensures lists: presort_lists(sort, n) && presort_ranks(sort, n);
    ensures cursors: presort_cursors(head, end, sort.cursor, n);
*/
static void presort_rank(presort sort, uint32_t count, uint32_t n)
    /*@ ghost (const uint8_t *head, uint32_t end) */
{
    uint32_t place = 0, start = 0; /* among all texts: the next one's, and where its group begins */
    uint32_t before = 0, rank = 0, key = 0; /* of the text before */
    bool alone = false;

    //@ assert none: cursor_ok(head, 0, end);
    /*@ loop invariant inside: 0 <= k <= count && before < n && place < n && start < n;
        loop invariant lists: presort_lists(sort, n) && presort_ranks(sort, n);
        loop invariant cursors: presort_cursors(head, end, sort.cursor, n);
        loop assigns k, place, start, before, rank, key, alone, sort.rank[0 .. n - 1], sort.cursor[0 .. n - 1],
            assay_work;
        loop variant count - k;
    */
    for (uint32_t k = 0; k < count; k++) {
        //@ ghost assay_spend();
        uint32_t text = sort.list[k];

        if (k == 0 || sort.rank[text] != rank) {
            place = sort.rank[text];
        }
        if (k == 0 || sort.rank[text] != rank || sort.key[text] != key) {
            sort.cursor[before] *= !alone;
            start = place;
            alone = true;
        } else {
            alone = false;
        }
        before = text;
        rank = sort.rank[text];
        key = sort.key[text];
        sort.rank[text] = start;
        place += place + 1u < n;
    }
    sort.cursor[before] *= !alone;
}

/* Put each text where its rank says, those of a group in the order of the header. Ranks become these places. O(n). */
/*@ requires room: presort_room(sort, n);
    requires lists: presort_lists(sort, n) && presort_ranks(sort, n);
    terminates \true;
    exits \false;
    assigns sort.list[0 .. n - 1], sort.rank[0 .. n - 1], sort.first[0 .. n - 1], assay_work;
    ensures lists: presort_lists(sort, n) && presort_ranks(sort, n);
*/
static void presort_place(presort sort, uint32_t n)
{
    assay_identity(sort.first, n);
    /*@ loop invariant inside: 0 <= t <= n;
        loop invariant lists: presort_lists(sort, n) && presort_ranks(sort, n);
        loop assigns t, sort.list[0 .. n - 1], sort.rank[0 .. n - 1], sort.first[0 .. n - 1], assay_work;
        loop variant n - t;
    */
    for (uint32_t t = 0; t < n; t++) {
        //@ ghost assay_spend();
        uint32_t rank = sort.rank[t];
        uint32_t next = sort.first[rank];

        next *= next < n; /* it is, which is not proved */
        sort.list[next] = t;
        sort.first[rank] = next + 1u;
        sort.rank[t] = next;
    }
}

/* Return whether each of 0 .. n-1 is in index[0 .. n): v at place[v]. O(n). */
/*@ requires count: n < 16777215;
    requires room: \valid_read(index + (0 .. n - 1)) && \valid_read(place + (0 .. n - 1));
    requires places: places(index, 0, n, n) && places(place, 0, n, n);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures all: \result ==> all_places(index, n);
*/
static bool presort_complete(const uint32_t *index, const uint32_t *place, uint32_t n)
{
    uint32_t missing = 0;

    /*@ loop invariant inside: 0 <= v <= n && missing <= v;
        loop invariant all: missing == 0 ==> \forall integer u; 0 <= u < v ==> among(index, 0, n, u);
        loop assigns v, missing, assay_work;
        loop variant n - v;
    */
    for (uint32_t v = 0; v < n; v++) {
        //@ ghost assay_spend();
        missing += index[place[v]] != v;
        //@ assert index[place[v]] == v ==> among(index, 0, n, v);
    }
    return missing == 0;
}

static bool assay_presort(const uint8_t *head, uint32_t end, assay_texts texts, uint32_t *word, uint32_t n)
{
    presort sort = {word, word + n, word + 2u * n, word + 3u * n, word + 4u * n, word + 5u * n};

    assay_identity(sort.other, n);
    //@ assert list_same: \forall integer x; 0 <= x < n ==> sort.list[x] == \at(word[x], Pre);
    //@ assert list: places(sort.list, 0, n, n);
    //@ assert other: places(sort.other, 0, n, n);
    //@ ghost Listed: ;
    presort_begin(texts, sort, n) /*@ ghost (head, end) */;
    //@ assert list_kept: \forall integer x; 0 <= x < n ==> sort.list[x] == \at(sort.list[x], Listed);
    //@ assert other_kept: \forall integer x; 0 <= x < n ==> sort.other[x] == \at(sort.other[x], Listed);
    //@ assert lists: presort_lists(sort, n);
    /*@ loop invariant inside: 0 <= bytes < end + n && (n < 3 * ASSAY_RADIX ==> bytes >= end);
        loop invariant sorted: presort_lists(sort, n) && presort_ranks(sort, n);
        loop invariant read: presort_cursors(head, end, sort.cursor, n);
        loop assigns bytes, word[0 .. 6 * n - 1], assay_work;
        loop variant end - bytes;
    */
    /* As often as a text has bytes of the header. Texts that are fewer than the counts of digits stay as they are. */
    for (uint32_t bytes = n < 3u * ASSAY_RADIX ? end : 0; bytes < end; bytes += n) {
        //@ ghost assay_spend();
        presort_listed listed = presort_read(head, end, sort, n);

        if (listed.count == 0 || (bytes >= PRESORT_ROUNDS * n && listed.count < n / PRESORT_PART)) {
            break;
        }
        //@ ghost Read: ;
        presort_by_digits(sort, sort.key, listed.key_bits, listed.count, n);
        if (listed.count < n / PRESORT_FEW) {
            presort_by_digits(sort, sort.rank, listed.rank_bits, listed.count, n);
        } else if (listed.rank_bits != 0) {
            presort_by_rank(sort, listed.count, n);
        }
        //@ assert same: \forall integer t; 0 <= t < n ==> sort.cursor[t] == \at(sort.cursor[t], Read);
        //@ assert cursors: presort_cursors(head, end, sort.cursor, n);
        presort_rank(sort, listed.count, n) /*@ ghost (head, end) */;
    }
    presort_place(sort, n);
    return presort_complete(word, sort.rank, n);
}
