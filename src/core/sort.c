/* sort.c: the texts of a list in order, by merging runs (LCP merge sort, Ng and Kakehi 2008). Many texts in many runs
 * are presorted, so that they are in few. */
#include "core.h"

/* Presorted are at least PRESORT_LEAST texts in more than PRESORT_RUNS runs, if they are PRESORT_MANY, or as many as
 * there are PRESORT_SHORT bytes of header. Others are merged at once. */
#define PRESORT_LEAST (3u * ASSAY_RADIX) /* fewer would stay as they are */
#define PRESORT_RUNS 256u
#define PRESORT_MANY 262144u
#define PRESORT_SHORT 64u
#define MERGE_STEP 8u
#define RUNS_TOUCH 64u /* texts that are fetched at once ... */
#define RUNS_BYTES 32u /* ... and bytes of each, which may be in two lines of the cache */

/* ---- Merging ------------------------------------------------------------------------------------------------- */

/* A text of a list, as assay_items has it. */
typedef struct {
    uint32_t place, shared, cursor;
} assay_sort_item;

/* Which of two texts comes first, and how the other one then follows it. */
typedef struct {
    bool first;
    uint32_t shared, cursor;
} assay_heads;

/*@ requires inside: \valid_read(items.place + k) && \valid_read(items.shared + k) && \valid_read(items.cursor + k);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures item: \result.place == items.place[k] && \result.shared == items.shared[k] &&
        \result.cursor == items.cursor[k];
*/
static assay_sort_item assay_item_at(assay_items items, uint32_t k)
{
    assay_sort_item item = {items.place[k], items.shared[k], items.cursor[k]};
    return item;
}

/* Return the text items[k] if k is below the limit, else `item`. */
/*@ requires inside: k < limit ==>
        \valid_read(items.place + k) && \valid_read(items.shared + k) && \valid_read(items.cursor + k);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures place: k < limit ==> \result.place == items.place[k];
    ensures shared: k < limit ==> \result.shared == items.shared[k];
    ensures cursor: k < limit ==> \result.cursor == items.cursor[k];
*/
static assay_sort_item assay_item_next(assay_items items, uint32_t k, uint32_t limit, assay_sort_item item)
{
    return k < limit ? assay_item_at(items, k) : item;
}

/* Put a text at the end of a run. */
/*@ requires inside: lo <= k < n && items_valid(items, 0, n);
    requires run: run(head, end, list, items, lo, k);
    requires first: k == lo ==> item.shared == 0;
    requires before: k > lo ==> listed_upto(head, end, list, items.place[k - 1], item.place);
    requires common: k > lo ==> listed_common(head, end, list, items.place[k - 1], item.place, item.shared);
    requires shared: item.shared < ASSAY_RUN;
    requires cursor: listed_cursor(head, end, list, item.place, item.shared, item.cursor);
    terminates \true;
    exits \false;
    assigns items.place[k], items.shared[k], items.cursor[k];
    ensures run: run(head, end, list, items, lo, k + 1);
    ensures place: items.place[k] == item.place;
    ensures places: places{Pre}(items.place, lo, k, n) && item.place < n ==> places(items.place, lo, k + 1, n);
    ensures same: items_same{Pre, Post}(items, 0, k);
    ensures among: \forall integer v; among{Pre}(items.place, lo, k, v) ==> among(items.place, lo, k + 1, v);
    ensures new: among(items.place, lo, k + 1, item.place);
*/
static void assay_item_put(assay_items items, uint32_t k, assay_sort_item item)
    /*@ ghost (const uint8_t *head, uint32_t end, uint32_t list, uint32_t lo, uint32_t n) */
{
    items.place[k] = item.place;
    items.shared[k] = item.shared;
    items.cursor[k] = item.cursor;
    //@ assert same: items_same{Pre, Here}(items, 0, k);
    //@ assert before: run_upto(head, end, list, items.place, lo, k);
    //@ assert common: run_common(head, end, list, items.place, items.shared, lo, k);
    //@ assert cursor: run_cursor(head, end, list, items.place, items.shared, items.cursor, lo, k);
}

/* Compare the heads of two runs. */
/*@ requires head: head_ok(head, end);
    requires fit: heads_fit(head, end, list, left.place, left.shared, right.place, right.shared);
    requires left: listed_cursor(head, end, list, left.place, left.shared, left.cursor);
    requires right: listed_cursor(head, end, list, right.place, right.shared, right.cursor);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures first: \result.first ==> listed_upto(head, end, list, left.place, right.place) &&
        listed_common(head, end, list, left.place, right.place, \result.shared) &&
        listed_cursor(head, end, list, right.place, \result.shared, \result.cursor);
    ensures second: !\result.first ==> listed_upto(head, end, list, right.place, left.place) &&
        listed_common(head, end, list, right.place, left.place, \result.shared) &&
        listed_cursor(head, end, list, left.place, \result.shared, \result.cursor);
    ensures shared: \result.shared < ASSAY_RUN;
*/
static assay_heads assay_heads_compare(const uint8_t *head, uint32_t end, assay_sort_item left, assay_sort_item right)
    /*@ ghost (uint32_t list) */
{
    //@ ghost assay_cursor_inside(head, end, list, left.place, left.shared, left.cursor);
    //@ ghost assay_cursor_inside(head, end, list, right.place, right.shared, right.cursor);
    if (left.shared != right.shared) {
        bool first = left.shared > right.shared;
        assay_heads kept = {first, first ? right.shared : left.shared, first ? right.cursor : left.cursor};
        return kept;
    }
    bool whole = left.cursor % 4u == 0 && right.cursor % 4u == 0; /* neither is within an escape */
    uint32_t run = whole ? assay_text_run(head, end, left.cursor, right.cursor, ASSAY_FEW)
                             /*@ ghost (list, left.place, right.place, left.shared) */ : 0;
    assay_comparison parted = assay_texts_compare(head, end, left.cursor + 4u * run, right.cursor + 4u * run,
                                                  (uint64_t)left.shared + run)
        /*@ ghost (list, left.place, right.place) */;
    //@ ghost assay_cursor_inside(head, end, list, left.place, parted.common, parted.left);
    bool first = parted.order == 1u || (parted.order == 0 && left.place < right.place);
    assay_heads heads = {first, parted.common, first ? parted.right : parted.left};
    return heads;
}

/* Copy from[lo .. hi) to to[lo .. hi). */
/*@ requires inside: lo <= hi <= n;
    requires valid: items_valid(from, 0, n) && items_valid(to, 0, n) && items_apart(from, to, 0, n);
    terminates \true;
    exits \false;
    assigns to.place[lo .. hi - 1], to.shared[lo .. hi - 1], to.cursor[lo .. hi - 1], assay_work;
    ensures place: \forall integer x; lo <= x < hi ==> to.place[x] == from.place[x];
    ensures shared: \forall integer x; lo <= x < hi ==> to.shared[x] == from.shared[x];
    ensures cursor: \forall integer x; lo <= x < hi ==> to.cursor[x] == from.cursor[x];
    ensures same: items_same{Pre, Post}(from, 0, n);
*/
static void assay_items_copy(assay_items from, assay_items to, uint32_t lo, uint32_t hi)
    /*@ ghost (uint32_t n) */
{
    /*@ loop invariant inside: lo <= k <= hi;
        loop invariant from: items_same{Pre, Here}(from, 0, n);
        loop invariant place: \forall integer x; lo <= x < k ==> to.place[x] == from.place[x];
        loop invariant shared: \forall integer x; lo <= x < k ==> to.shared[x] == from.shared[x];
        loop invariant cursor: \forall integer x; lo <= x < k ==> to.cursor[x] == from.cursor[x];
        loop assigns k, to.place[lo .. hi - 1], to.shared[lo .. hi - 1], to.cursor[lo .. hi - 1], assay_work;
        loop variant hi - k;
    */
    for (uint32_t k = lo; k < hi; k++) {
        //@ ghost assay_spend();
        to.place[k] = from.place[k];
        to.shared[k] = from.shared[k];
        to.cursor[k] = from.cursor[k];
    }
}

/* Where a merge begins: the texts of the left run before `at` come before the right run, too. The two next texts. */
typedef struct {
    uint32_t at;
    assay_sort_item left, right;
} assay_start;

/*@ // After the text at k - 1, if there is one from lo on, the item may follow.
    predicate follows{L}(uint8_t *b, integer end, integer list, uint32_t *place, integer lo, integer k,
                         assay_sort_item item) =
        item.shared < ASSAY_RUN && listed_cursor(b, end, list, item.place, item.shared, item.cursor) &&
        (k == lo ==> item.shared == 0) &&
        (k > lo ==> listed_upto(b, end, list, place[k - 1], item.place) &&
            listed_common(b, end, list, place[k - 1], item.place, item.shared));
*/

/* Find where the merge of the runs from lo and from mid on begins, by steps that grow: where only a few texts overlap,
 * the others stay as they are. */
/*@ requires head: head_ok(head, end);
    requires inside: lo < mid < n < 16777215;
    requires texts: texts_inside(texts, n, end) && texts_listed(head, end, list, texts, n);
    requires valid: items_valid(items, 0, n) && places(items.place, 0, n, n);
    requires left: run(head, end, list, items, lo, mid);
    requires right: listed_cursor(head, end, list, items.place[mid], 0, items.cursor[mid]);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures at: lo <= \result.at < mid;
    ensures left: \result.left.place == items.place[\result.at] &&
        follows(head, end, list, items.place, lo, \result.at, \result.left);
    ensures right: \result.right.place == items.place[mid] &&
        follows(head, end, list, items.place, lo, \result.at, \result.right);
*/
static assay_start assay_merge_start(const uint8_t *head, uint32_t end, assay_texts texts, assay_items items,
                                     uint32_t lo, uint32_t mid)
    /*@ ghost (uint32_t list, uint32_t n) */
{
    assay_sort_item right = {items.place[mid], 0, items.cursor[mid]};
    uint32_t at = assay_text_at(texts, right.place) /*@ ghost (n, end) */;

    //@ ghost assay_listed_none(head, end, list);
    /*@ loop invariant inside: MERGE_STEP <= back && back < MERGE_STEP * 16777216;
        loop assigns back, assay_work;
        loop variant MERGE_STEP * 16777216 - back;
    */
    for (uint32_t back = MERGE_STEP; back < mid - lo; back *= MERGE_STEP) {
        //@ ghost assay_spend();
        uint32_t place = items.place[mid - back - 1u];
        uint32_t other = assay_text_at(texts, place) /*@ ghost (n, end) */;
        //@ ghost assay_cursor_first(head, end, list, place, other);
        //@ ghost assay_cursor_first(head, end, list, right.place, at);
        assay_comparison parted = assay_texts_compare(head, end, 4u * other, 4u * at, 0)
            /*@ ghost (list, place, right.place) */;
        //@ ghost assay_cursor_inside(head, end, list, right.place, parted.common, parted.right);
        if (parted.order == 1u || (parted.order == 0 && place < right.place)) {
            assay_sort_item next = {right.place, parted.common, parted.right};
            assay_start start = {mid - back, assay_item_at(items, mid - back), next};
            return start;
        }
    }
    assay_sort_item first = {items.place[lo], 0, items.cursor[lo]};
    assay_start whole = {lo, first, right};
    return whole;
}

/*@ // v is in items.place up to k or from j on, or in other.place[i .. mid).
    predicate in_merge{L}(uint32_t *place, uint32_t *other, integer lo, integer k, integer i, integer mid, integer j,
                          integer hi, integer v) =
        among(place, lo, k, v) || among(other, i, mid, v) || among(place, j, hi, v);

    // What was in items.place[lo .. hi) is there, or in other.place.
    predicate merged{K, L}(uint32_t *place, uint32_t *other, integer lo, integer k, integer i, integer mid, integer j,
                           integer hi) =
        \forall integer v; among{K}(place, lo, hi, v) ==> in_merge{L}(place, other, lo, k, i, mid, j, hi, v);

    // What was in place[lo .. hi) still is.
    predicate moved{K, L}(uint32_t *place, integer lo, integer hi) =
        \forall integer v; among{K}(place, lo, hi, v) ==> among{L}(place, lo, hi, v);
*/

/* Put the next text of a merge at its place: other[i], or items[j]. */
/*@ requires inside: lo <= k < j <= hi <= n < 16777215 && i <= mid <= j;
    requires valid: items_valid(items, 0, n) && items_valid(other, 0, n) && items_apart(items, other, 0, n);
    requires run: run(head, end, list, items, lo, k) && places(items.place, lo, k, n);
    requires follows: follows(head, end, list, items.place, lo, k, item) && item.place < n;
    requires first: first == 1 ==> i < mid && item.place == other.place[i];
    requires second: first == 0 ==> j < hi && item.place == items.place[j];
    terminates \true;
    exits \false;
    assigns items.place[lo .. hi - 1], items.shared[lo .. hi - 1], items.cursor[lo .. hi - 1];
    ensures run: run(head, end, list, items, lo, k + 1);
    ensures places: places(items.place, lo, k + 1, n);
    ensures place: items.place[k] == item.place;
    ensures other: items_same{Pre, Post}(other, 0, n);
    ensures right: items_same{Pre, Post}(items, j, hi);
    ensures first: first == 1 ==> \forall integer v;
        in_merge{Pre}(items.place, other.place, lo, k, i, mid, j, hi, v) ==>
        in_merge(items.place, other.place, lo, k + 1, i + 1, mid, j, hi, v);
    ensures second: first == 0 ==> \forall integer v;
        in_merge{Pre}(items.place, other.place, lo, k, i, mid, j, hi, v) ==>
        in_merge(items.place, other.place, lo, k + 1, i, mid, j + 1, hi, v);
*/
static void assay_merge_put(assay_items items, uint32_t k, assay_sort_item item)
    /*@ ghost (const uint8_t *head, uint32_t end, uint32_t list, assay_items other, uint32_t lo, uint32_t i,
               uint32_t mid, uint32_t j, uint32_t hi, uint32_t n, bool first) */
{
    /*@ assert left: \forall integer v; among(other.place, i, mid, v) ==>
            v == other.place[i] || among(other.place, i + 1, mid, v); */
    /*@ assert right: \forall integer v; among(items.place, j, hi, v) ==>
            v == items.place[j] || among(items.place, j + 1, hi, v); */
    assay_item_put(items, k, item) /*@ ghost (head, end, list, lo, n) */;
    //@ assert other_place: \forall integer x; 0 <= x < n ==> other.place[x] == \at(other.place[x], Pre);
    //@ assert other_shared: \forall integer x; 0 <= x < n ==> other.shared[x] == \at(other.shared[x], Pre);
    //@ assert other_cursor: \forall integer x; 0 <= x < n ==> other.cursor[x] == \at(other.cursor[x], Pre);
    //@ assert right_place: \forall integer x; k < x < n ==> items.place[x] == \at(items.place[x], Pre);
    //@ assert right_shared: \forall integer x; k < x < n ==> items.shared[x] == \at(items.shared[x], Pre);
    //@ assert right_cursor: \forall integer x; k < x < n ==> items.cursor[x] == \at(items.cursor[x], Pre);
    /*@ assert left_rest: \forall integer v; among{Pre}(other.place, i + 1, mid, v) ==>
            among(other.place, i + 1, mid, v); */
    //@ assert left_all: \forall integer v; among{Pre}(other.place, i, mid, v) ==> among(other.place, i, mid, v);
    /*@ assert right_rest: \forall integer v; among{Pre}(items.place, j + 1, hi, v) ==>
            among(items.place, j + 1, hi, v); */
    //@ assert right_all: \forall integer v; among{Pre}(items.place, j, hi, v) ==> among(items.place, j, hi, v);
    //@ assert put: \forall integer v; among{Pre}(items.place, lo, k, v) ==> among(items.place, lo, k + 1, v);
    //@ assert new: among(items.place, lo, k + 1, item.place);
}

/* Put the first text that is left of the right run in the end: the others have their places. */
/*@ requires inside: lo <= j <= hi <= n < 16777215 && items_valid(items, 0, n);
    requires run: run(head, end, list, items, lo, j) && places(items.place, lo, hi, n);
    requires right: j < hi ==> right.place == items.place[j] && follows(head, end, list, items.place, lo, j, right);
    requires upto: run_upto(head, end, list, items.place, j, hi);
    requires common: run_common(head, end, list, items.place, items.shared, j, hi);
    requires cursor: \forall integer x; j < x < hi ==>
        listed_cursor(head, end, list, items.place[x], items.shared[x], items.cursor[x]);
    terminates \true;
    exits \false;
    assigns items.place[lo .. hi - 1], items.shared[lo .. hi - 1], items.cursor[lo .. hi - 1];
    ensures run: run(head, end, list, items, lo, hi);
    ensures same: \forall integer x; lo <= x < hi ==> items.place[x] == \old(items.place[x]);
    ensures places: places(items.place, lo, hi, n);
    ensures moved: moved{Pre, Post}(items.place, lo, hi);
*/
static void assay_merge_last(assay_items items, uint32_t j, uint32_t hi, assay_sort_item right)
    /*@ ghost (const uint8_t *head, uint32_t end, uint32_t list, uint32_t lo, uint32_t n) */
{
    if (j < hi) {
        assay_item_put(items, j, right) /*@ ghost (head, end, list, lo, n) */;
        //@ assert rest: items_same{Pre, Here}(items, j + 1, hi);
        //@ assert kept: \forall integer x; lo <= x < hi ==> items.place[x] == \at(items.place[x], Pre);
        //@ assert upto: run_upto(head, end, list, items.place, lo, hi);
        //@ assert common: run_common(head, end, list, items.place, items.shared, lo, hi);
        //@ assert cursor: run_cursor(head, end, list, items.place, items.shared, items.cursor, lo, hi);
    }
}

/* Merge the runs items[.. mid) and items[mid .. hi), from the start on. `other` has a copy of the left one, which is
 * overwritten. What is left of the right one in the end has its place already. */
/*@ requires head: head_ok(head, end);
    requires inside: lo <= start.at < mid < hi <= n < 16777215;
    requires valid: items_valid(items, 0, n) && items_valid(other, 0, n) && items_apart(items, other, 0, n);
    requires left: run(head, end, list, items, lo, mid);
    requires right: run(head, end, list, items, mid, hi);
    requires start_left: start.left.place == items.place[start.at] &&
        follows(head, end, list, items.place, lo, start.at, start.left);
    requires start_right: start.right.place == items.place[mid] &&
        follows(head, end, list, items.place, lo, start.at, start.right);
    requires place: \forall integer x; start.at <= x < mid ==> other.place[x] == items.place[x];
    requires shared: \forall integer x; start.at <= x < mid ==> other.shared[x] == items.shared[x];
    requires cursor: \forall integer x; start.at <= x < mid ==> other.cursor[x] == items.cursor[x];
    requires places: places(items.place, lo, hi, n);
    terminates \true;
    exits \false;
    assigns items.place[lo .. hi - 1], items.shared[lo .. hi - 1], items.cursor[lo .. hi - 1], assay_work;
    ensures run: run(head, end, list, items, lo, hi);
    ensures places: places(items.place, lo, hi, n);
    ensures moved: moved{Pre, Post}(items.place, lo, hi);
*/
static void assay_runs_merge(const uint8_t *head, uint32_t end, assay_items items, assay_items other,
                             assay_start start, uint32_t mid, uint32_t hi)
    /*@ ghost (uint32_t list, uint32_t lo, uint32_t n) */
{
    assay_sort_item left = start.left, right = start.right;
    uint32_t i = start.at, j = mid;

    //@ ghost assay_listed_none(head, end, list);
    /*@ assert begun: \forall integer v; among{Pre}(items.place, lo, hi, v) ==> among(items.place, lo, i, v) ||
            among(other.place, i, mid, v) || among(items.place, mid, hi, v); */
    //@ assert copied_upto: run_upto(head, end, list, other.place, i, mid);
    //@ assert copied_common: run_common(head, end, list, other.place, other.shared, i, mid);
    //@ assert copied_places: places(other.place, i, mid, n);
    /*@ loop invariant inside: start.at <= i <= mid <= j <= hi && lo <= k <= j && k == i + (j - mid);
        loop invariant other: items_same{Pre, Here}(other, 0, n);
        loop invariant left_upto: run_upto(head, end, list, other.place, start.at, mid);
        loop invariant left_common: run_common(head, end, list, other.place, other.shared, start.at, mid);
        loop invariant left_cursor: \forall integer x; start.at < x < mid ==>
            listed_cursor(head, end, list, other.place[x], other.shared[x], other.cursor[x]);
        loop invariant left_places: places(other.place, start.at, mid, n);
        loop invariant right_same: items_same{Pre, Here}(items, j, hi);
        loop invariant left: i < mid ==> left.place == other.place[i];
        loop invariant left_follows: i < mid ==> follows(head, end, list, items.place, lo, k, left);
        loop invariant right: j < hi ==> right.place == items.place[j];
        loop invariant right_follows: j < hi ==> follows(head, end, list, items.place, lo, k, right);
        loop invariant run: run(head, end, list, items, lo, k);
        loop invariant places: places(items.place, lo, k, n);
        loop invariant merged: merged{Pre, Here}(items.place, other.place, lo, k, i, mid, j, hi);
        loop assigns k, i, j, left, right, items.place[lo .. hi - 1], items.shared[lo .. hi - 1],
            items.cursor[lo .. hi - 1], assay_work;
        loop variant hi - k;
    */
    for (uint32_t k = i; i < mid; k++) {
        //@ ghost assay_spend();
        /*@ assert right_after: j + 1 < hi ==>
                listed_upto(head, end, list, right.place, items.place[j + 1]) &&
                listed_common(head, end, list, right.place, items.place[j + 1], items.shared[j + 1]); */
        assay_heads heads = {true, 0, 0}; /* as it stays if the right run has ended */

        if (j < hi) {
            /*@ ghost if (k > lo) assay_heads_fit(head, end, list, items.place[k - 1], left.place, left.shared,
                                                  right.place, right.shared); */
            heads = assay_heads_compare(head, end, left, right) /*@ ghost (list) */;
        }
        //@ ghost Ready: ;
        //@ assert within: lo <= k && k < hi && k < j && hi <= n;
        //@ assert next: (heads.first == 1 ? left.place : right.place) < n;
        assay_merge_put(items, k, heads.first ? left : right)
            /*@ ghost (head, end, list, other, lo, i, mid, j, hi, n, heads.first) */;
        //@ assert other: items_same{Pre, Here}(other, 0, n);
        //@ assert right_next: items_same{Pre, Here}(items, j, hi);
        //@ assert right_still: items_same{Ready, Here}(items, j, hi);
        /*@ assert every: \forall integer v; among{Pre}(items.place, lo, hi, v) ==>
                in_merge{Ready}(items.place, other.place, lo, k, i, mid, j, hi, v); */
        //@ assert first: heads.first ==> merged{Pre, Here}(items.place, other.place, lo, k + 1, i + 1, mid, j, hi);
        //@ assert second: !heads.first ==> merged{Pre, Here}(items.place, other.place, lo, k + 1, i, mid, j + 1, hi);
        if (heads.first) {
            i++;
            left = assay_item_next(other, i, mid, left);
            right.shared = heads.shared;
            right.cursor = heads.cursor;
            //@ assert left_upto: i < mid ==> listed_upto(head, end, list, items.place[k], left.place);
            //@ assert left_common: i < mid ==> listed_common(head, end, list, items.place[k], left.place, left.shared);
            //@ assert left_follows: i < mid ==> follows(head, end, list, items.place, lo, k + 1, left);
            //@ assert right_follows: j < hi ==> follows(head, end, list, items.place, lo, k + 1, right);
        } else {
            j++;
            right = assay_item_next(items, j, hi, right);
            left.shared = heads.shared;
            left.cursor = heads.cursor;
            //@ assert right_upto: j < hi ==> listed_upto(head, end, list, items.place[k], right.place);
            /*@ assert right_common: j < hi ==>
                    listed_common(head, end, list, items.place[k], right.place, right.shared); */
            //@ assert right_follows: j < hi ==> follows(head, end, list, items.place, lo, k + 1, right);
            //@ assert left_follows: i < mid ==> follows(head, end, list, items.place, lo, k + 1, left);
        }
    }
    //@ assert ended: \forall integer v; among{Pre}(items.place, lo, hi, v) ==> among(items.place, lo, hi, v);
    assay_merge_last(items, j, hi, right) /*@ ghost (head, end, list, lo, n) */;
}

/* ---- Runs ---------------------------------------------------------------------------------------------------- */

/* End a run that follows others. */
/*@ requires inside: start < k <= n < 16777215 && items_valid(items, 0, n);
    requires runs: runs(head, end, list, items, start);
    requires run: run(head, end, list, items, start, k);
    terminates \true;
    exits \false;
    assigns items.shared[start];
    ensures runs: runs(head, end, list, items, k);
    ensures end: items.shared[start] == ASSAY_RUN + k;
    ensures inner: \forall integer x; start < x < k ==> items.shared[x] < ASSAY_RUN;
*/
static void assay_run_close(assay_items items, uint32_t start, uint32_t k)
    /*@ ghost (const uint8_t *head, uint32_t end, uint32_t list, uint32_t n) */
{
    items.shared[start] = ASSAY_RUN + k;
    //@ assert place_same: \forall integer x; 0 <= x < start ==> items.place[x] == \at(items.place[x], Pre);
    //@ assert shared_same: \forall integer x; 0 <= x < start ==> items.shared[x] == \at(items.shared[x], Pre);
    //@ assert cursor_same: \forall integer x; 0 <= x < start ==> items.cursor[x] == \at(items.cursor[x], Pre);
    /*@ assert run: \forall integer y, e; 0 <= y < e <= start && run{Pre}(head, end, list, items, y, e) ==>
            run(head, end, list, items, y, e); */
    /*@ assert run_at: \forall integer y, e; 0 <= y && run_at{Pre}(head, end, list, items, y, e, start) ==>
            run_at(head, end, list, items, y, e, start); */
    /*@ assert run_was: \forall integer y; 0 <= y < start && items.shared[y] >= ASSAY_RUN ==>
            run_at{Pre}(head, end, list, items, y, items.shared[y], start); */
    /*@ assert run_now: \forall integer y; 0 <= y < start && items.shared[y] >= ASSAY_RUN ==>
            run_at(head, end, list, items, y, items.shared[y], start); */
    /*@ assert further: \forall integer y, e; 0 <= y && run_at(head, end, list, items, y, e, start) ==>
            run_at(head, end, list, items, y, e, k); */
    /*@ assert old: \forall integer y; 0 <= y < start && items.shared[y] >= ASSAY_RUN ==>
            run_at(head, end, list, items, y, items.shared[y], k); */
    /*@ assert place_new: \forall integer x; start <= x < k ==> items.place[x] == \at(items.place[x], Pre); */
    //@ assert common_new: run_common(head, end, list, items.place, items.shared, start, k);
    //@ assert run_new: run(head, end, list, items, start, k);
    //@ assert new: run_at(head, end, list, items, start, items.shared[start], k);
    //@ assert inner: \forall integer y; start < y < k ==> items.shared[y] < ASSAY_RUN;
}

/* Merge the run at `at` and the next one, if there is one: return where they end. */
/*@ requires head: head_ok(head, end);
    requires inside: at < n < 16777215;
    requires texts: texts_inside(texts, n, end) && texts_listed(head, end, list, texts, n);
    requires valid: items_valid(items, 0, n) && items_valid(other, 0, n) && items_apart(items, other, 0, n);
    requires runs: runs(head, end, list, items, n) && items.shared[at] >= ASSAY_RUN;
    requires places: places(items.place, 0, n, n);
    terminates \true;
    exits \false;
    assigns items.place[at .. n - 1], items.shared[at .. n - 1], items.cursor[at .. n - 1],
        other.place[at .. n - 1], other.shared[at .. n - 1], other.cursor[at .. n - 1], assay_work;
    ensures end: at < \result <= n && (\result < n ==> items.shared[\result] >= ASSAY_RUN);
    ensures runs: runs(head, end, list, items, n);
    ensures places: places(items.place, 0, n, n);
    ensures moved: moved{Pre, Post}(items.place, 0, n);
    ensures longer: items.shared[at] == ASSAY_RUN + \result &&
        (items.shared[at] > \old(items.shared[at]) || \result == n);
    ensures two: \result < n ==> at < \old(items.shared[at]) - ASSAY_RUN < \result &&
        \old(items.shared[items.shared[at] - ASSAY_RUN]) == ASSAY_RUN + \result;
    ensures inner: \forall integer x; at < x < \result ==> items.shared[x] < ASSAY_RUN;
    ensures before: \forall integer x; 0 <= x < at ==> items.shared[x] == \old(items.shared[x]);
    ensures after: \forall integer x; \result <= x < n ==> items.shared[x] == \old(items.shared[x]);
*/
static uint32_t assay_runs_join(const uint8_t *head, uint32_t end, assay_texts texts, assay_items items,
                                assay_items other, uint32_t at, uint32_t n)
    /*@ ghost (uint32_t list) */
{
    uint32_t mid = items.shared[at] - ASSAY_RUN;

    //@ assert first: run_at(head, end, list, items, at, items.shared[at], n);
    if (mid == n) {
        //@ assert inner_alone: \forall integer x; at < x < n ==> items.shared[x] < ASSAY_RUN;
        return n;
    }
    uint32_t hi = items.shared[mid] - ASSAY_RUN;
    //@ assert second: run_at(head, end, list, items, mid, items.shared[mid], n);
    //@ assert ends: at < mid < hi <= n && (hi < n ==> items.shared[hi] >= ASSAY_RUN);
    assay_start start = assay_merge_start(head, end, texts, items, at, mid) /*@ ghost (list, n) */;
    assay_items_copy(items, other, start.at, mid) /*@ ghost (n) */;
    //@ ghost Copied: ;
    //@ assert place_copied: \forall integer x; 0 <= x < n ==> items.place[x] == \at(items.place[x], Pre);
    //@ assert shared_copied: \forall integer x; 0 <= x < n ==> items.shared[x] == \at(items.shared[x], Pre);
    //@ assert cursor_copied: \forall integer x; 0 <= x < n ==> items.cursor[x] == \at(items.cursor[x], Pre);
    /*@ assert run_copied: \forall integer y, e; 0 <= y < e <= n && run{Pre}(head, end, list, items, y, e) ==>
            run(head, end, list, items, y, e); */
    assay_runs_merge(head, end, items, other, start, mid, hi) /*@ ghost (list, at, n) */;
    //@ ghost Merged: ;
    //@ assert place_before: \forall integer x; 0 <= x < at ==> items.place[x] == \at(items.place[x], Copied);
    //@ assert shared_before: \forall integer x; 0 <= x < at ==> items.shared[x] == \at(items.shared[x], Copied);
    //@ assert cursor_before: \forall integer x; 0 <= x < at ==> items.cursor[x] == \at(items.cursor[x], Copied);
    //@ assert place_after: \forall integer x; hi <= x < n ==> items.place[x] == \at(items.place[x], Copied);
    //@ assert shared_after: \forall integer x; hi <= x < n ==> items.shared[x] == \at(items.shared[x], Copied);
    //@ assert cursor_after: \forall integer x; hi <= x < n ==> items.cursor[x] == \at(items.cursor[x], Copied);
    items.shared[at] = ASSAY_RUN + hi;
    //@ assert place: \forall integer x; 0 <= x < n ==> items.place[x] == \at(items.place[x], Merged);
    //@ assert shared: \forall integer x; 0 <= x < n && x != at ==> items.shared[x] == \at(items.shared[x], Merged);
    //@ assert cursor: \forall integer x; 0 <= x < n ==> items.cursor[x] == \at(items.cursor[x], Merged);
    //@ assert run: run(head, end, list, items, at, hi);
    /*@ assert run_new: run_at(head, end, list, items, at, items.shared[at], n); */
    /*@ assert run_before: \forall integer y, e; 0 <= y < e <= at && run{Pre}(head, end, list, items, y, e) ==>
            run(head, end, list, items, y, e); */
    /*@ assert run_after: \forall integer y, e; hi <= y < e <= n && run{Pre}(head, end, list, items, y, e) ==>
            run(head, end, list, items, y, e); */
    /*@ assert were: \forall integer y; 0 <= y < n && \at(items.shared[y], Pre) >= ASSAY_RUN ==>
            run_at{Pre}(head, end, list, items, y, \at(items.shared[y], Pre), n); */
    /*@ assert same: \forall integer x; 0 <= x < at || hi <= x < n ==> items.shared[x] == \at(items.shared[x], Pre); */
    /*@ assert old_was: \forall integer y; 0 <= y < at && items.shared[y] >= ASSAY_RUN ==>
            run_at{Pre}(head, end, list, items, y, items.shared[y], n); */
    /*@ assert next_was: \forall integer y; hi <= y < n && items.shared[y] >= ASSAY_RUN ==>
            run_at{Pre}(head, end, list, items, y, items.shared[y], n); */
    /*@ assert old_end: \forall integer y; 0 <= y < at && items.shared[y] >= ASSAY_RUN ==>
            items.shared[y] - ASSAY_RUN <= at; */
    /*@ assert old_at: \forall integer y, e; 0 <= y && run_at{Pre}(head, end, list, items, y, e, at) ==>
            run_at(head, end, list, items, y, e, at); */
    /*@ assert within: \forall integer y, e; 0 <= y && e - ASSAY_RUN <= at &&
            run_at{Pre}(head, end, list, items, y, e, n) ==> run_at{Pre}(head, end, list, items, y, e, at); */
    /*@ assert old_within: \forall integer y; 0 <= y < at && items.shared[y] >= ASSAY_RUN ==>
            run_at{Pre}(head, end, list, items, y, items.shared[y], at); */
    /*@ assert old_now: \forall integer y; 0 <= y < at && items.shared[y] >= ASSAY_RUN ==>
            run_at(head, end, list, items, y, items.shared[y], at); */
    /*@ assert further: \forall integer y, e; 0 <= y && run_at(head, end, list, items, y, e, at) ==>
            run_at(head, end, list, items, y, e, n); */
    /*@ assert old: \forall integer y; 0 <= y < at && items.shared[y] >= ASSAY_RUN ==>
            run_at(head, end, list, items, y, items.shared[y], n); */
    /*@ assert next_at: \forall integer y, e; hi <= y && run_at{Pre}(head, end, list, items, y, e, n) ==>
            run_at(head, end, list, items, y, e, n); */
    /*@ assert next: \forall integer y; hi <= y < n && items.shared[y] >= ASSAY_RUN ==>
            run_at(head, end, list, items, y, items.shared[y], n); */
    //@ assert inner: \forall integer x; at < x < hi ==> items.shared[x] < ASSAY_RUN;
    /*@ assert places: \forall integer x; 0 <= x < n ==> items.place[x] < n; */
    /*@ assert split: \forall integer v; among{Pre}(items.place, 0, n, v) ==> among{Pre}(items.place, 0, at, v) ||
            among{Pre}(items.place, at, hi, v) || among{Pre}(items.place, hi, n, v); */
    //@ assert among_before: \forall integer v; among{Pre}(items.place, 0, at, v) ==> among(items.place, 0, n, v);
    /*@ assert among_copied: \forall integer v; among{Pre}(items.place, at, hi, v) ==>
            among{Copied}(items.place, at, hi, v); */
    /*@ assert among_moved: \forall integer v; among{Copied}(items.place, at, hi, v) ==>
            among{Merged}(items.place, at, hi, v); */
    //@ assert among_kept: \forall integer v; among{Merged}(items.place, at, hi, v) ==> among(items.place, 0, n, v);
    //@ assert among_merged: \forall integer v; among{Pre}(items.place, at, hi, v) ==> among(items.place, 0, n, v);
    //@ assert among_after: \forall integer v; among{Pre}(items.place, hi, n, v) ==> among(items.place, 0, n, v);
    return hi;
}

/*@ // Each run that begins before `at` has `width` texts or more, but for the last.
    predicate run_long{L}(uint32_t *shared, integer n, integer at, integer width) =
        \forall integer y; 0 <= y < at && 2147483648 <= shared[y] < 2147483648 + n ==>
            y + width <= shared[y] - 2147483648;

    // The items are not in the memory of the keys.
    predicate keys_apart(assay_texts texts, assay_items items, integer n) =
        \separated(texts.key + (0 .. n - 1), items.place + (0 .. n - 1)) &&
        \separated(texts.key + (0 .. n - 1), items.shared + (0 .. n - 1)) &&
        \separated(texts.key + (0 .. n - 1), items.cursor + (0 .. n - 1));
*/

/* One pass: half as many runs. */
/*@ requires head: head_ok(head, end);
    requires count: 0 < n < 16777215;
    requires texts: texts_inside(texts, n, end) && texts_listed(head, end, list, texts, n);
    requires valid: items_valid(items, 0, n) && items_valid(other, 0, n) && items_apart(items, other, 0, n);
    requires keys: texts.entry == \null ==> keys_apart(texts, items, n) && keys_apart(texts, other, n);
    requires runs: runs(head, end, list, items, n) && places(items.place, 0, n, n);
    requires long: run_long(items.shared, n, n, width) && width <= 2 * n;
    terminates \true;
    exits \false;
    assigns items.place[0 .. n - 1], items.shared[0 .. n - 1], items.cursor[0 .. n - 1], other.place[0 .. n - 1],
        other.shared[0 .. n - 1], other.cursor[0 .. n - 1], assay_work, assay_passes;
    ensures runs: runs(head, end, list, items, n);
    ensures places: places(items.place, 0, n, n);
    ensures moved: moved{Pre, Post}(items.place, 0, n);
    ensures longer: items.shared[0] > \old(items.shared[0]) || items.shared[0] == ASSAY_RUN + n;
    ensures end: items.shared[0] <= ASSAY_RUN + n;
    ensures long: run_long(items.shared, n, n, 2 * width);
    ensures passes: assay_passes <= \old(assay_passes) + 1;
*/
static void assay_runs_pass(const uint8_t *head, uint32_t end, assay_texts texts, assay_items items,
                            assay_items other, uint32_t n)
    /*@ ghost (uint32_t list, uint32_t width) */
{
    uint32_t at = 0;

    //@ ghost assay_pass();
    /*@ loop invariant inside: 0 <= at <= n;
        loop invariant texts: texts_inside(texts, n, end) && texts_listed(head, end, list, texts, n);
        loop invariant next: at < n ==> items.shared[at] >= ASSAY_RUN;
        loop invariant runs: runs(head, end, list, items, n);
        loop invariant places: places(items.place, 0, n, n);
        loop invariant moved: moved{Pre, Here}(items.place, 0, n);
        loop invariant first: at == 0 ==> items.shared[0] == \at(items.shared[0], Pre);
        loop invariant longer: at > 0 ==> items.shared[0] > \at(items.shared[0], Pre) ||
            items.shared[0] == ASSAY_RUN + n;
        loop invariant rest: \forall integer x; at <= x < n ==> items.shared[x] == \at(items.shared[x], Pre);
        loop invariant long: run_long(items.shared, n, at, 2 * width);
        loop assigns at, items.place[0 .. n - 1], items.shared[0 .. n - 1], items.cursor[0 .. n - 1],
            other.place[0 .. n - 1], other.shared[0 .. n - 1], other.cursor[0 .. n - 1], assay_work;
        loop variant n - at;
    */
    while (at < n) {
        //@ ghost assay_spend();
        //@ ghost Before: ;
        at = assay_runs_join(head, end, texts, items, other, at, n) /*@ ghost (list) */;
        //@ assert entries: \forall integer x; 0 <= x < n ==> texts.entry[x].name == \at(texts.entry[x].name, Before);
        /*@ assert keys: texts.entry == \null ==>
                \forall integer x; 0 <= x < n ==> texts.key[x] == \at(texts.key[x], Before); */
        //@ assert long: run_long{Pre}(items.shared, n, n, width);
        //@ assert twice: at < n ==> \at(at, Before) + 2 * width <= at;
        //@ assert older: run_long(items.shared, n, \at(at, Before), 2 * width);
    }
    //@ assert first: run_at(head, end, list, items, 0, items.shared[0], n);
}

/* ---- The runs of the header ---------------------------------------------------------------------------------- */

/* Put a text at the end of a run that follows others. */
/*@ requires inside: 0 <= start <= k < n && items_valid(items, 0, n);
    requires runs: runs(head, end, list, items, start);
    requires run: run(head, end, list, items, start, k);
    requires item: item.place == items.place[k] && (k == start ==> item.shared == 0);
    requires before: k > start ==> listed_upto(head, end, list, items.place[k - 1], item.place);
    requires common: k > start ==> listed_common(head, end, list, items.place[k - 1], item.place, item.shared);
    requires shared: item.shared < ASSAY_RUN;
    requires cursor: listed_cursor(head, end, list, item.place, item.shared, item.cursor);
    terminates \true;
    exits \false;
    assigns items.place[k], items.shared[k], items.cursor[k];
    ensures runs: runs(head, end, list, items, start);
    ensures run: run(head, end, list, items, start, k + 1);
    ensures places: \forall integer x; 0 <= x < n ==> items.place[x] == \old(items.place[x]);
*/
static void assay_run_extend(assay_items items, uint32_t k, assay_sort_item item)
    /*@ ghost (const uint8_t *head, uint32_t end, uint32_t list, uint32_t start, uint32_t n) */
{
    assay_item_put(items, k, item) /*@ ghost (head, end, list, start, n) */;
    //@ assert place_same: \forall integer x; 0 <= x < start ==> items.place[x] == \at(items.place[x], Pre);
    //@ assert shared_same: \forall integer x; 0 <= x < start ==> items.shared[x] == \at(items.shared[x], Pre);
    //@ assert cursor_same: \forall integer x; 0 <= x < start ==> items.cursor[x] == \at(items.cursor[x], Pre);
    /*@ assert run: \forall integer y, e; 0 <= y < e <= start && run{Pre}(head, end, list, items, y, e) ==>
        run(head, end, list, items, y, e); */
    /*@ assert run_at: \forall integer y, e; 0 <= y && run_at{Pre}(head, end, list, items, y, e, start) ==>
        run_at(head, end, list, items, y, e, start); */
    /*@ assert run_then: \forall integer y; 0 <= y < start && \at(items.shared[y], Pre) >= ASSAY_RUN ==>
            run_at{Pre}(head, end, list, items, y, \at(items.shared[y], Pre), start); */
    /*@ assert run_equal: \forall integer y; 0 <= y < start && items.shared[y] >= ASSAY_RUN ==>
            items.shared[y] == \at(items.shared[y], Pre) &&
            run_at{Pre}(head, end, list, items, y, \at(items.shared[y], Pre), start); */
    /*@ assert run_was: \forall integer y; 0 <= y < start && items.shared[y] >= ASSAY_RUN ==>
        run_at{Pre}(head, end, list, items, y, items.shared[y], start); */
    /*@ assert run_now: \forall integer y; 0 <= y < start && items.shared[y] >= ASSAY_RUN ==>
        run_at(head, end, list, items, y, items.shared[y], start); */
}

/* Return the sum of the first byte of each of the texts place[k .. k + RUNS_TOUCH), and of the byte that RUNS_BYTES end
 * with: so texts far from one another are fetched at the same time, before they are compared one by one. */
/*@ requires head: head_ok(head, end);
    requires count: k < n < 16777215;
    requires texts: texts_inside(texts, n, end);
    requires places: \valid_read(place + (0 .. n - 1)) && places(place, 0, n, n);
    terminates \true;
    exits \false;
    assigns assay_work;
*/
static inline uint32_t assay_runs_touch(const uint8_t *head, uint32_t end, assay_texts texts, const uint32_t *place,
                                        uint32_t k, uint32_t n)
{
    uint32_t most = n - k < RUNS_TOUCH ? n - k : RUNS_TOUCH;
    uint32_t sum = 0;

    /*@ loop invariant inside: 0 <= x <= most && sum <= 510 * x;
        loop assigns x, sum, assay_work;
        loop variant most - x;
    */
    for (uint32_t x = 0; x < most; x++) {
        //@ ghost assay_spend();
        uint32_t at = assay_text_at(texts, place[k + x]) /*@ ghost (n, end) */;

        sum += at < end ? head[at] : 0u;
        sum += at + (RUNS_BYTES - 1u) < end ? head[at + (RUNS_BYTES - 1u)] : 0u;
    }
    return sum;
}

/* Find the runs that the texts are in as they are. Return false, without them, if there are more than `most`. */
/*@ requires head: head_ok(head, end);
    requires count: 0 < n < 16777215;
    requires texts: texts_inside(texts, n, end) && texts_listed(head, end, list, texts, n);
    requires valid: items_valid(items, 0, n) && places(items.place, 0, n, n);
    requires keys: texts.entry == \null ==> \separated(texts.key + (0 .. n - 1), items.place + (0 .. n - 1),
        items.shared + (0 .. n - 1), items.cursor + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns items.place[0 .. n - 1], items.shared[0 .. n - 1], items.cursor[0 .. n - 1], assay_work;
    ensures runs: \result ==> runs(head, end, list, items, n);
    ensures found: most >= n ==> \result;
    ensures same: \forall integer x; 0 <= x < n ==> items.place[x] == \old(items.place[x]);
*/
static bool assay_runs_find(const uint8_t *head, uint32_t end, assay_texts texts, assay_items items, uint32_t n,
                            uint32_t most)
    /*@ ghost (uint32_t list) */
{
    uint32_t start = 0, count = 1;
    uint32_t before = 0, last = 0; /* the text before, and where it begins */
    uint32_t few = ASSAY_FEW;      /* if neighbours share few bytes */

    //@ ghost assay_listed_none(head, end, list);
    /*@ loop invariant inside: 0 <= start <= k <= n && (k > 0 ==> start < k);
        loop invariant count: 1 <= count && (k > 0 ==> count <= k) && (k == 0 ==> count == 1);
        loop invariant inside: texts_inside(texts, n, end);
        loop invariant texts: texts_listed(head, end, list, texts, n);
        loop invariant before: k > 0 ==> before == items.place[k - 1];
        loop invariant last: k > 0 ==> last == listed_at(head, end, list, before) <= end;
        loop invariant runs: runs(head, end, list, items, start);
        loop invariant run: run(head, end, list, items, start, k);
        loop invariant same: \forall integer x; 0 <= x < n ==> items.place[x] == \at(items.place[x], Pre);
        loop assigns k, start, before, last, few, count, items.place[0 .. n - 1], items.shared[0 .. n - 1],
            items.cursor[0 .. n - 1], assay_work;
        loop variant n - k;
    */
    for (uint32_t k = 0; k < n; k++) {
        //@ ghost assay_spend();
        //@ ghost Next: ;
        uint32_t place = items.place[k];
        //@ assert place: place < n;
        if (k % RUNS_TOUCH == 0 && place != k) {
            /* The sum is never 1. No compiler knows, so that the bytes are read. */
            few = assay_runs_touch(head, end, texts, items.place, k, n) == 1u ? 0 : few;
        }
        uint32_t at = assay_text_at(texts, place) /*@ ghost (n, end) */;
        assay_sort_item item = {place, 0, 4u * at};

        //@ ghost assay_cursor_first(head, end, list, place, at);
        if (k > 0) {
            //@ ghost assay_cursor_first(head, end, list, before, last);
            uint32_t run = assay_text_run(head, end, 4u * last, 4u * at, few) /*@ ghost (list, before, place, 0) */;
            assay_comparison parted = assay_texts_compare(head, end, 4u * (last + run), 4u * (at + run), run)
                /*@ ghost (list, before, place) */;
            //@ ghost assay_cursor_inside(head, end, list, place, parted.common, parted.right);
            few = parted.common < 2u * ASSAY_FEW ? ASSAY_FEW : 0;
            if (parted.order == 1u || (parted.order == 0 && before < place)) {
                item.shared = parted.common;
                item.cursor = parted.right;
            } else {
                assay_run_close(items, start, k) /*@ ghost (head, end, list, n) */;
                //@ assert closed: \forall integer x; 0 <= x < n ==> items.place[x] == \at(items.place[x], Next);
                //@ assert closed_same: \forall integer x; 0 <= x < n ==> items.place[x] == \at(items.place[x], Pre);
                start = k;
                count++;
                if (count > most) {
                    return false;
                }
            }
        }
        //@ assert kept: \forall integer x; 0 <= x < n ==> items.place[x] == \at(items.place[x], Pre);
        assay_run_extend(items, k, item) /*@ ghost (head, end, list, start, n) */;
        before = place;
        last = at;
    }
    assay_run_close(items, start, n) /*@ ghost (head, end, list, n) */;
    //@ assert kept_all: \forall integer x; 0 <= x < n ==> items.place[x] == \at(items.place[x], Pre);
    return true;
}

/* ---- Sorting ------------------------------------------------------------------------------------------------- */

/*@ ghost
/@ requires places: \valid_read(place + (0 .. n - 1)) && n < 16777215 && all_places(place, n);
   requires order: run_upto(head, end, list, place, 0, n);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures order: run_before(head, end, list, place, 0, n);
@/
static void assay_run_strict(const uint8_t *head, uint32_t end, uint32_t list, uint32_t *place, uint32_t n)
{
    uint32_t x = 1;

    assay_listed_strict(head, end, list);
    /@ loop invariant inside: 1 <= x && (0 < n ==> x <= n);
       loop invariant order: \forall integer y; 0 < y < x ==> listed_before(head, end, list, place[y - 1], place[y]);
       loop assigns x;
       loop variant n - x;
    @/
    while (x < n) {
        assay_places_differ(place, n, x - 1, x);
        x++;
    }
}
*/

/* The runs to begin with. */
/*@ requires head: head_ok(head, end);
    requires count: 0 < n < 16777215;
    requires texts: texts_inside(texts, n, end) && texts_listed(head, end, list, texts, n);
    requires room: \valid(word + (0 .. 6 * n - 1));
    requires items: items.place == word && items.shared == word + n && items.cursor == word + 2 * n;
    requires keys: texts.entry == \null ==> \separated(texts.key + (0 .. n - 1), word + (0 .. 6 * n - 1));
    terminates \true;
    exits \false;
    assigns word[0 .. 6 * n - 1], assay_work;
    ensures runs: runs(head, end, list, items, n);
    ensures all: all_places(items.place, n);
*/
static void assay_sort_begin(const uint8_t *head, uint32_t end, assay_texts texts, assay_items items, uint32_t *word,
                             uint32_t n)
    /*@ ghost (uint32_t list) */
{
    bool many = n >= PRESORT_LEAST && (n >= PRESORT_MANY || n > end / PRESORT_SHORT);

    assay_identity(word, n);
    //@ ghost Begun: ;
    if (assay_runs_find(head, end, texts, items, n, many ? PRESORT_RUNS : n) /*@ ghost (list) */) {
        //@ assert all: \forall integer v; among{Begun}(items.place, 0, n, v) ==> among(items.place, 0, n, v);
        //@ assert all_begun: all_places(items.place, n);
        return;
    }
    //@ assert begun: places(word, 0, n, n);
    if (!assay_presort(head, end, texts, word, n)) {
        assay_identity(word, n);
    }
    //@ ghost Again: ;
    //@ assert again: all_places(word, n);
    /*@ assert keys: texts.entry == \null ==>
            \forall integer x; 0 <= x < n ==> texts.key[x] == \at(texts.key[x], Pre); */
    //@ assert texts: texts_inside(texts, n, end) && texts_listed(head, end, list, texts, n);
    (void)assay_runs_find(head, end, texts, items, n, n) /*@ ghost (list) */;
    //@ assert every: \forall integer v; among{Again}(items.place, 0, n, v) ==> among(items.place, 0, n, v);
    //@ assert all_again: all_places(items.place, n);
}

static void assay_sort(const uint8_t *head, uint32_t end, assay_texts texts, uint32_t *word, uint32_t n)
    /*@ ghost (uint32_t list) */
{
    assay_items items = {word, word + n, word + 2u * n};
    assay_items other = {word + 3u * n, word + 4u * n, word + 5u * n};

    if (n == 0) {
        return;
    }
    assay_sort_begin(head, end, texts, items, word, n) /*@ ghost (list) */;
    //@ assert first: run_at(head, end, list, items, 0, items.shared[0], n);
    //@ ghost uint32_t width = 1;
    /*@ assert ends: \forall integer y; 0 <= y < n && items.shared[y] >= ASSAY_RUN ==>
            run_at(head, end, list, items, y, items.shared[y], n); */
    //@ assert long: run_long(items.shared, n, n, 1);
    /*@ loop invariant texts: texts_inside(texts, n, end) && texts_listed(head, end, list, texts, n);
        loop invariant runs: runs(head, end, list, items, n);
        loop invariant all: all_places(items.place, n);
        loop invariant end: items.shared[0] <= ASSAY_RUN + n;
        loop invariant long: run_long(items.shared, n, n, width);
        loop invariant width: power_of_four(width) && (width == 1 || width < 4 * n);
        loop invariant passes: assay_passes <= \at(assay_passes, Pre) + most_passes(width);
        loop assigns items.place[0 .. n - 1], items.shared[0 .. n - 1], items.cursor[0 .. n - 1],
            other.place[0 .. n - 1], other.shared[0 .. n - 1], other.cursor[0 .. n - 1], width, assay_work,
            assay_passes;
        loop variant ASSAY_RUN + n - items.shared[0];
    */
    while (items.shared[0] != ASSAY_RUN + n) {
        //@ ghost assay_spend();
        //@ ghost Before: ;
        //@ assert shorter: width < n;
        //@ assert more: power_of_four(4 * width) && most_passes(4 * width) == most_passes(width) + 2;
        assay_runs_pass(head, end, texts, items, other, n) /*@ ghost (list, width) */;
        //@ assert half: \forall integer v; 0 <= v < n ==> among(items.place, 0, n, v);
        //@ ghost Half: ;
        //@ assert entries: \forall integer x; 0 <= x < n ==> texts.entry[x].name == \at(texts.entry[x].name, Before);
        /*@ assert keys: texts.entry == \null ==>
                \forall integer x; 0 <= x < n ==> texts.key[x] == \at(texts.key[x], Before); */
        assay_runs_pass(head, end, texts, items, other, n) /*@ ghost (list, 2 * width) */;
        //@ assert whole: \forall integer v; 0 <= v < n ==> among(items.place, 0, n, v);
        /*@ assert entries_whole: \forall integer x; 0 <= x < n ==>
                texts.entry[x].name == \at(texts.entry[x].name, Half); */
        /*@ assert keys_whole: texts.entry == \null ==>
                \forall integer x; 0 <= x < n ==> texts.key[x] == \at(texts.key[x], Half); */
        //@ ghost width = 4 * width;
    }
    //@ assert passes: most_passes(width) <= most_passes(n);
    //@ assert one: run_at(head, end, list, items, 0, items.shared[0], n);
    //@ ghost assay_run_strict(head, end, list, items.place, n);
    //@ assert places: places(items.place, 0, n, n);
    //@ assert each: \forall integer v; 0 <= v < n ==> among(items.place, 0, n, v);
    //@ assert block: block(items.place, 0, n);
}
