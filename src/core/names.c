/* names.c: texts of a sorted list: the first that repeats another, and look-up by bisection. */
#include "core.h"

/* Unfolds: listed_value. */

uint32_t assay_text_at(assay_texts texts, uint32_t k)
    /*@ ghost (uint32_t n, uint32_t end) */
{
    return texts.entry != NULL ? (uint32_t)(texts.entry[k].name % ASSAY_ENTRY_HIGH) : texts.key[k];
}

/* ---- Texts that repeat ---------------------------------------------------------------------------------------- */

/*@ ghost
/@ requires places: \valid_read(place + (0 .. n - 1)) && n < 16777215;
   requires order: run_before(head, end, list, place, 0, n);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures order: listed_order(head, end, list, place, n);
@/
static void assay_order_pairs(const uint8_t *head, uint32_t end, uint32_t list, const uint32_t *place, uint32_t n)
{
    uint32_t m = 0;

    /@ loop invariant inside: 0 <= m <= n;
       loop invariant order: \forall integer x, y; 0 <= x < y < m ==>
           listed_before(head, end, list, place[x], place[y]);
       loop assigns m;
       loop variant n - m;
    @/
    while (m < n) {
        if (m > 0) {
            assay_listed_chain(head, end, list, place[m - 1], place[m]);
            /@ assert last: listed_before(head, end, list, place[m - 1], place[m]); @/
            /@ assert earlier: \forall integer x; 0 <= x < m - 1 ==>
                 listed_before(head, end, list, place[x], place[m - 1]); @/
            /@ assert all: \forall integer x; 0 <= x < m - 1 ==> listed_before(head, end, list, place[x], place[m]); @/
        }
        m++;
    }
}

/@ requires places: \valid_read(place + (0 .. n - 1)) && n < 16777215;
   requires block: block(place, 0, n) && v < n;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures found: \result < n && place[\result] == v;
@/
static uint32_t assay_index_of(const uint32_t *place, uint32_t n, uint32_t v)
{
    uint32_t x = 0;

    /@ assert among: among(place, 0, n, v); @/
    /@ loop invariant inside: 0 <= x <= n;
       loop invariant none: \forall integer y; 0 <= y < x ==> place[y] != v;
       loop assigns x;
       loop variant n - x;
    @/
    while (x < n && place[x] != v) {
        x++;
    }
    return x;
}

// Text j repeats none before it, if no neighbours say the same in which it is the second.
/@ requires places: \valid_read(place + (0 .. n - 1)) && n < 16777215;
   requires block: block(place, 0, n) && i < j < n;
   requires order: listed_order(head, end, list, place, n);
   requires first: \forall integer x; 0 < x < n && listed_value(head, end, list, place[x - 1]) ==
       listed_value(head, end, list, place[x]) ==> place[x] != j;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures differ: listed_value(head, end, list, i) != listed_value(head, end, list, j);
@/
static void assay_pair_differs(const uint8_t *head, uint32_t end, uint32_t list, const uint32_t *place, uint32_t n,
                               uint32_t i, uint32_t j)
{
    uint32_t x = assay_index_of(place, n, i);
    uint32_t y = assay_index_of(place, n, j);

    assay_listed_chain(head, end, list, i, j);
    assay_listed_chain(head, end, list, j, i);
    if (x < y && 0 < y) {
        /@ assert last: x < y - 1 ==> listed_before(head, end, list, i, place[y - 1]) &&
             listed_before(head, end, list, place[y - 1], j); @/
        assay_listed_between(head, end, list, i, place[y - 1], j);
    }
}

/@ requires places: \valid_read(place + (0 .. n - 1)) && n < 16777215;
   requires block: block(place, 0, n) && m <= n;
   requires order: listed_order(head, end, list, place, n);
   requires first: \forall integer x; 0 < x < n && listed_value(head, end, list, place[x - 1]) ==
       listed_value(head, end, list, place[x]) ==> m <= place[x];
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures differ: listed_differ(head, end, list, m);
@/
static void assay_all_differ(const uint8_t *head, uint32_t end, uint32_t list, const uint32_t *place, uint32_t n,
                             uint32_t m)
{
    uint32_t j = 0;
    uint32_t i = 0;

    /@ loop invariant inside: 0 <= j <= m;
       loop invariant differ: listed_differ(head, end, list, j);
       loop assigns i, j;
       loop variant m - j;
    @/
    while (j < m) {
        i = 0;
        /@ loop invariant inside: 0 <= i <= j;
           loop invariant differ: \forall integer h; 0 <= h < i ==>
               listed_value(head, end, list, h) != listed_value(head, end, list, j);
           loop assigns i;
           loop variant j - i;
        @/
        while (i < j) {
            assay_pair_differs(head, end, list, place, n, i, j);
            i++;
        }
        j++;
    }
}
*/

/* Return the first text in the header that repeats an earlier one, and that one; later is n if all differ. */
/*@ requires head: head_ok(head, end);
    requires items: items_valid(items, 0, n) && n < 16777215;
    requires order: run_before(head, end, list, items.place, 0, n) && block(items.place, 0, n);
    requires common: run_common(head, end, list, items.place, items.shared, 0, n);
    requires cursor: run_cursor(head, end, list, items.place, items.shared, items.cursor, 0, n);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures later: \result.later <= n;
    ensures differ: listed_differ(head, end, list, \result.later);
    ensures repeat: \result.later < n ==> \result.earlier < \result.later &&
        listed_value(head, end, list, \result.earlier) == listed_value(head, end, list, \result.later);
    ensures order: listed_order(head, end, list, items.place, n);
*/
static assay_repeat assay_first_repeat(const uint8_t *head, uint32_t end, assay_items items, uint32_t n)
    /*@ ghost (uint32_t list) */
{
    assay_repeat repeat = {n, 0};

    /*@ loop invariant inside: 1 <= y && (0 < n ==> y <= n) && repeat.later <= n;
        loop invariant first: \forall integer x; 0 < x < y && listed_value(head, end, list, items.place[x - 1]) ==
            listed_value(head, end, list, items.place[x]) ==> repeat.later <= items.place[x];
        loop invariant repeat: repeat.later < n ==>
            listed_value(head, end, list, repeat.earlier) == listed_value(head, end, list, repeat.later);
        loop invariant earlier: repeat.later < n ==> repeat.earlier < repeat.later;
        loop assigns y, repeat;
        loop variant n - y;
    */
    for (uint32_t y = 1; y < n; y++) {
        uint32_t i = items.place[y - 1];
        uint32_t j = items.place[y];
        bool same = assay_symbol(head, end, items.cursor[y]) /*@ ghost (list, j, items.shared[y]) */ == 0;

        //@ ghost assay_listed_end(head, end, list, i, j, items.shared[y]);
        //@ ghost assay_listed_chain(head, end, list, i, j);
        if (same && j < repeat.later) {
            repeat.later = j;
            repeat.earlier = i;
        }
    }
    //@ ghost assay_order_pairs(head, end, list, items.place, n);
    //@ ghost assay_all_differ(head, end, list, items.place, n, repeat.later);
    return repeat;
}

assay_repeat assay_names_sort(const uint8_t *head, uint32_t end, assay_texts texts, uint32_t *word, uint32_t n)
    /*@ ghost (uint32_t list) */
{
    assay_items items = {word, word + n, word + 2u * n};

    assay_sort(head, end, texts, word, n) /*@ ghost (list) */;
    return assay_first_repeat(head, end, items, n) /*@ ghost (list) */;
}

/* ---- Look-up -------------------------------------------------------------------------------------------------- */

/*@ ghost
/@ requires middle: middle < n;
   requires places: \valid_read(place + (0 .. n - 1));
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures before: listed_order(head, end, list, place, n) ==> \let v = listed_value(head, end, list, place[middle]);
       v != bytes_value(name, 0, size) && value_order(v, bytes_value(name, 0, size)) != 1 ==>
       \forall integer x; 0 <= x < middle ==> listed_value(head, end, list, place[x]) != bytes_value(name, 0, size);
   ensures after: listed_order(head, end, list, place, n) ==> \let v = listed_value(head, end, list, place[middle]);
       v != bytes_value(name, 0, size) && value_order(v, bytes_value(name, 0, size)) != -1 ==>
       \forall integer x; middle < x < n ==> listed_value(head, end, list, place[x]) != bytes_value(name, 0, size);
@/
static void assay_middle_order(const uint8_t *head, uint32_t end, uint32_t list, const uint32_t *place, uint32_t n,
                               uint32_t middle, const uint8_t *name, uint64_t size)
{
    assay_bytes_less(name, size);
    assay_listed_less(head, end, list);
    /@ assert below: listed_order(head, end, list, place, n) ==> \forall integer x; 0 <= x < middle ==>
         listed_before(head, end, list, place[x], place[middle]); @/
    /@ assert above: listed_order(head, end, list, place, n) ==> \forall integer x; middle < x < n ==>
         listed_before(head, end, list, place[middle], place[x]); @/
}
*/

uint32_t assay_text_find(const uint8_t *head, uint32_t end, assay_texts texts, const uint32_t *place, uint32_t n,
                         const uint8_t *name, uint64_t size)
    /*@ ghost (uint32_t list) */
{
    uint32_t low = 0;
    uint32_t high = n;

    /*@ loop invariant inside: 0 <= low <= high <= n;
        loop invariant before: texts_listed(head, end, list, texts, n) && listed_order(head, end, list, place, n) ==>
            \forall integer x; 0 <= x < low ==> listed_value(head, end, list, place[x]) != bytes_value(name, 0, size);
        loop invariant after: texts_listed(head, end, list, texts, n) && listed_order(head, end, list, place, n) ==>
            \forall integer x; high <= x < n ==> listed_value(head, end, list, place[x]) != bytes_value(name, 0, size);
        loop assigns low, high;
        loop variant high - low;
    */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2u;
        uint32_t at = assay_text_at(texts, place[middle]) /*@ ghost (n, end) */;
        int order = assay_text_order(head, at, end, name, size);

        //@ ghost assay_middle_order(head, end, list, place, n, middle, name, size);
        if (order == 0) {
            return place[middle];
        }
        if (order < 0) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    /*@ assert none: texts_listed(head, end, list, texts, n) && listed_order(head, end, list, place, n) ==>
            \forall integer i; among(place, 0, n, i) ==>
                listed_value(head, end, list, i) != bytes_value(name, 0, size); */
    return n;
}
