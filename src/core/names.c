/* names.c: texts of a sorted list: the first that repeats another, and look-up by bisection. */
#include "core.h"

/* Unfolds: listed_value, value_byte, cursor_value, cursor_ok, text_plain, packed_end. */

static uint32_t assay_text_at(assay_texts texts, uint32_t k)
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
    assigns assay_work;
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
        loop assigns y, repeat, assay_work;
        loop variant n - y;
    */
    for (uint32_t y = 1; y < n; y++) {
        //@ ghost assay_spend();
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

static assay_repeat assay_names_sort(const uint8_t *head, uint32_t end, assay_texts texts, uint32_t *word, uint32_t n)
    /*@ ghost (uint32_t list) */
{
    assay_items items = {word, word + n, word + 2u * n};

    assay_sort(head, end, texts, word, n) /*@ ghost (list) */;
    return assay_first_repeat(head, end, items, n) /*@ ghost (list) */;
}

/* ---- Look-up -------------------------------------------------------------------------------------------------- */

/* Where a text and a name part: how many bytes they share, and their order: 1 if the text is less, 2 if the name is, 0
 * if they are the same. */
typedef struct {
    uint64_t shared;
    uint32_t order;
} assay_parting;

/*@ // The text and the name share k bytes, after which the text is at the cursor.
    predicate name_shared{L}(uint8_t *b, integer end, integer at, uint8_t *name, integer size, integer cursor,
                             integer k) =
        same_bytes(text_value(b, at, end), bytes_value(name, 0, size), k) &&
        value_after(text_value(b, at, end), k) == cursor_value(b, cursor, end);
*/

/*@ // The texts are where `texts` has them, and in order.
    predicate find_known{L}(uint8_t *b, integer end, integer list, assay_texts texts, uint32_t *place, integer n) =
        texts_listed(b, end, list, texts, n) && texts_plain(b, texts, n) && listed_order(b, end, list, place, n);
*/

/* Compare the text that begins at `at` with a name. The first `shared` bytes of both are the same, and the text has no
 * escape there. O(bytes that they share after those). */
/*@ requires head: head_ok(head, end);
    requires inside: at + shared <= end && shared <= size;
    requires name: \valid_read(name + (0 .. size - 1));
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures inside: \result.shared <= size;
    ensures same: name_shared(head, end, at, name, size, 4 * (at + shared), shared) ==>
        same_bytes(text_value(head, at, end), bytes_value(name, 0, size), \result.shared);
    ensures less: name_shared(head, end, at, name, size, 4 * (at + shared), shared) && \result.order == 1 ==>
        text_less(text_value(head, at, end), bytes_value(name, 0, size));
    ensures more: name_shared(head, end, at, name, size, 4 * (at + shared), shared) && \result.order == 2 ==>
        text_less(bytes_value(name, 0, size), text_value(head, at, end));
    ensures equal: name_shared(head, end, at, name, size, 4 * (at + shared), shared) && \result.order == 0 ==>
        text_value(head, at, end) == bytes_value(name, 0, size);
    ensures order: \result.order <= 2;
*/
static assay_parting assay_name_compare(const uint8_t *head, uint32_t end, uint32_t at, const uint8_t *name,
                                        uint64_t size, uint32_t shared)
{
    uint64_t k = shared, symbol, byte;
    uint32_t cursor = 4u * (at + shared);

    //@ ghost assay_value_first();
    //@ ghost assay_value_bytes();
    //@ ghost assay_text_natural(head, at, end);
    //@ ghost assay_bytes_natural(name, size);
    //@ ghost assay_bytes_after(name, size, k);
    /*@ loop invariant inside: k <= size && cursor_ok(head, cursor, end);
        loop invariant shared: name_shared(head, end, at, name, size, 4 * (at + shared), shared) ==>
            name_shared(head, end, at, name, size, cursor, k);
        loop invariant name: value_after(bytes_value(name, 0, size), k) == bytes_value(name, k, size);
        loop assigns k, cursor, symbol, byte, assay_work;
        loop variant size - k;
    */
    do {
        //@ ghost assay_spend();
        symbol = assay_symbol_any(head, end, cursor);
        byte = k < size ? name[k] + 1u : 0;
        //@ ghost assay_bytes_step(name, k, size);
        //@ assert byte: byte == 1 + value_byte(bytes_value(name, 0, size), k);
        if (symbol / 4294967296u != byte || byte == 0) {
            break;
        }
        //@ ghost assay_value_step(k);
        //@ ghost assay_same_step(k);
        cursor = (uint32_t)(symbol % 4294967296u);
        k++;
    } while (true);
    //@ ghost assay_same_end(k);
    uint32_t order = symbol / 4294967296u < byte ? 1u : symbol / 4294967296u > byte ? 2u : 0;
    assay_parting parting = {k, order};
    return parting;
}

/* Return how many of the first `shared` bytes of text k need not be read: all, if it is known to have no escape. */
/*@ requires texts: texts_inside(texts, n, end) && k < n;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures all: \result == 0 || \result == shared;
    ensures inside: 0 < \result ==> texts.entry != \null && texts.entry[k].name % 4294967296 + \result <= end;
    ensures plain: 0 < \result && texts_plain(head, texts, n) ==>
        equal_run(head, texts.entry[k].name % 4294967296, texts.entry[k].name % 4294967296, \result);
*/
static uint32_t assay_text_skip(assay_texts texts, uint32_t k, uint64_t shared)
    /*@ ghost (const uint8_t *head, uint32_t n, uint32_t end) */
{
    if (texts.entry == NULL || texts.entry[k].name < ASSAY_ENTRY_PLAIN) {
        return 0;
    }
    uint64_t length = texts.entry[k].name / ASSAY_ENTRY_HIGH % 2147483648u;
    return shared <= length ? (uint32_t)shared : 0;
}

/* A name that is looked up is after the text before `low` and before the one at `high`: a text between them shares as
 * many bytes with it as both do. */
static uint32_t assay_text_find(const uint8_t *head, uint32_t end, assay_texts texts, const uint32_t *place, uint32_t n,
                                const uint8_t *name, uint64_t size)
    /*@ ghost (uint32_t list) */
{
    uint32_t low = 0, high = n;
    uint64_t low_shared = 0, high_shared = 0;

    //@ ghost assay_same_none();
    //@ ghost assay_value_first();
    /*@ loop invariant inside: 0 <= low <= high <= n && low_shared <= size && high_shared <= size;
        loop invariant none: (low == 0 ==> low_shared == 0) && (high == n ==> high_shared == 0);
        loop invariant low: find_known(head, end, list, texts, place, n) && 0 < low ==>
            text_less(listed_value(head, end, list, place[low - 1]), bytes_value(name, 0, size)) &&
            same_bytes(listed_value(head, end, list, place[low - 1]), bytes_value(name, 0, size), low_shared);
        loop invariant high: find_known(head, end, list, texts, place, n) && high < n ==>
            text_less(bytes_value(name, 0, size), listed_value(head, end, list, place[high])) &&
            same_bytes(listed_value(head, end, list, place[high]), bytes_value(name, 0, size), high_shared);
        loop assigns low, high, low_shared, high_shared, assay_work;
        loop variant high - low;
    */
    while (low < high) {
        //@ ghost assay_spend();
        uint32_t middle = low + (high - low) / 2u;
        uint32_t at = assay_text_at(texts, place[middle]) /*@ ghost (n, end) */;
        uint32_t skip = assay_text_skip(texts, place[middle], low_shared < high_shared ? low_shared : high_shared)
            /*@ ghost (head, n, end) */;

        //@ ghost assay_plain_skip(head, end, at, skip);
        /*@ ghost if (0 < low && high < n) assay_common_between(head, end, list, place[low - 1], place[middle],
                place[high], name, size, low_shared, high_shared, skip); */
        /*@ assert before: find_known(head, end, list, texts, place, n) && 0 < low ==>
                listed_before(head, end, list, place[low - 1], place[middle]); */
        /*@ assert behind: find_known(head, end, list, texts, place, n) && high < n ==>
                listed_before(head, end, list, place[middle], place[high]); */
        /*@ assert value: find_known(head, end, list, texts, place, n) ==>
                text_value(head, at, end) == listed_value(head, end, list, place[middle]); */
        /*@ assert shared: find_known(head, end, list, texts, place, n) ==>
                same_bytes(text_value(head, at, end), bytes_value(name, 0, size), skip); */
        //@ assert run: find_known(head, end, list, texts, place, n) ==> equal_run(head, at, at, skip);
        //@ assert cursor: (4 * (at + skip)) / 4 == at + skip && (4 * (at + skip)) % 4 == 0;
        //@ assert after: cursor_value(head, 4 * (at + skip), end) == text_value(head, at + skip, end);
        /*@ assert passed: find_known(head, end, list, texts, place, n) ==>
                name_shared(head, end, at, name, size, 4 * (at + skip), skip); */
        assay_parting parting = assay_name_compare(head, end, at, name, size, skip);

        if (parting.order == 0) {
            return assay_text_order(head, at, end, name, size) == 0 ? place[middle] : n;
        }
        if (parting.order == 1u) {
            low = middle + 1u;
            low_shared = parting.shared;
        } else {
            high = middle;
            high_shared = parting.shared;
        }
    }
    //@ ghost assay_none_between(head, end, list, place, n, low, name, size);
    /*@ assert none: find_known(head, end, list, texts, place, n) ==> \forall integer i; among(place, 0, n, i) ==>
            listed_value(head, end, list, i) != bytes_value(name, 0, size); */
    return n;
}
