/* sort.c: the texts of a list in order, by merging runs (LCP merge sort, Ng and Kakehi 2008). Many texts in many runs
 * are presorted, so that they are in few. */
#include "core.h"

/* Presorted are at least PRESORT_LEAST texts in more than PRESORT_RUNS runs, if they are PRESORT_MANY, or as many as
 * there are PRESORT_SHORT bytes of header. Others are merged at once. */
#define PRESORT_LEAST (3u * ASSAY_RADIX) /* fewer would stay as they are */
#define PRESORT_RUNS 256u
#define PRESORT_MANY 262144u
#define PRESORT_SHORT 64u
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

/*@ // What was in from[lo .. hi) is in to[lo .. k), from[i .. mid) or from[j .. hi).
    predicate merged{K, L}(uint32_t *to, uint32_t *from, integer lo, integer k, integer i, integer mid, integer j,
                           integer hi) =
        \forall integer v; among{K}(from, lo, hi, v) ==>
            among{L}(to, lo, k, v) || among{L}(from, i, mid, v) || among{L}(from, j, hi, v);

    // What was in from[lo .. hi) is in to[lo .. hi).
    predicate moved{K, L}(uint32_t *to, uint32_t *from, integer lo, integer hi) =
        \forall integer v; among{K}(from, lo, hi, v) ==> among{L}(to, lo, hi, v);
*/

/* Copy the run from[lo .. hi) to to[lo .. hi). */
/*@ requires inside: lo < hi <= n;
    requires valid: items_valid(from, 0, n) && items_valid(to, 0, n) && items_apart(from, to, 0, n);
    requires run: run(head, end, list, from, lo, hi) && places(from.place, lo, hi, n);
    terminates \true;
    exits \false;
    assigns to.place[lo .. hi - 1], to.shared[lo .. hi - 1], to.cursor[lo .. hi - 1], assay_work;
    ensures run: run(head, end, list, to, lo, hi);
    ensures places: places(to.place, lo, hi, n);
    ensures moved: moved{Pre, Post}(to.place, from.place, lo, hi);
*/
static void assay_run_copy(assay_items from, assay_items to, uint32_t lo, uint32_t hi)
    /*@ ghost (const uint8_t *head, uint32_t end, uint32_t list, uint32_t n) */
{
    /*@ loop invariant inside: lo <= k <= hi;
        loop invariant from: items_same{Pre, Here}(from, 0, n);
        loop invariant place: \forall integer x; lo <= x < k ==> to.place[x] == \at(from.place[x], Pre);
        loop invariant shared: \forall integer x; lo <= x < k ==> to.shared[x] == \at(from.shared[x], Pre);
        loop invariant cursor: \forall integer x; lo <= x < k ==> to.cursor[x] == \at(from.cursor[x], Pre);
        loop assigns k, to.place[lo .. hi - 1], to.shared[lo .. hi - 1], to.cursor[lo .. hi - 1], assay_work;
        loop variant hi - k;
    */
    for (uint32_t k = lo; k < hi; k++) {
        //@ ghost assay_spend();
        to.place[k] = from.place[k];
        to.shared[k] = from.shared[k];
        to.cursor[k] = from.cursor[k];
    }
    //@ assert before: run_upto(head, end, list, to.place, lo, hi);
    //@ assert common: run_common(head, end, list, to.place, to.shared, lo, hi);
    //@ assert cursor: run_cursor(head, end, list, to.place, to.shared, to.cursor, lo, hi);
    /*@ assert among: \forall integer v; among{Pre}(from.place, lo, hi, v) ==> among(to.place, lo, hi, v); */
}

/* Merge the runs from[lo .. mid) and from[mid .. hi) to to[lo .. hi). The second may be empty. */
/*@ requires head: head_ok(head, end);
    requires inside: lo < mid <= hi <= n;
    requires valid: items_valid(from, 0, n) && items_valid(to, 0, n) && items_apart(from, to, 0, n);
    requires left: run(head, end, list, from, lo, mid);
    requires right: run(head, end, list, from, mid, hi);
    requires places: places(from.place, lo, hi, n);
    terminates \true;
    exits \false;
    assigns to.place[lo .. hi - 1], to.shared[lo .. hi - 1], to.cursor[lo .. hi - 1], assay_work;
    ensures run: run(head, end, list, to, lo, hi);
    ensures places: places(to.place, lo, hi, n);
    ensures moved: moved{Pre, Post}(to.place, from.place, lo, hi);
*/
static void assay_runs_merge(const uint8_t *head, uint32_t end, assay_items from, assay_items to, uint32_t lo,
                             uint32_t mid, uint32_t hi)
    /*@ ghost (uint32_t list, uint32_t n) */
{
    if (mid == hi) {
        assay_run_copy(from, to, lo, hi) /*@ ghost (head, end, list, n) */;
        return;
    }
    uint32_t i = lo, j = mid;
    assay_sort_item left = {from.place[lo], 0, from.cursor[lo]};
    assay_sort_item right = {from.place[mid], 0, from.cursor[mid]};

    //@ ghost assay_listed_none(head, end, list);
    /*@ loop invariant inside: lo <= i <= mid <= j <= hi && lo <= k <= hi && k - lo == (i - lo) + (j - mid);
        loop invariant from: items_same{Pre, Here}(from, 0, n);
        loop invariant left: i < mid ==> left.place == from.place[i];
        loop invariant left_shared: i < mid ==> left.shared < ASSAY_RUN;
        loop invariant left_cursor: i < mid ==> listed_cursor(head, end, list, left.place, left.shared, left.cursor);
        loop invariant right: j < hi ==> right.place == from.place[j];
        loop invariant right_shared: j < hi ==> right.shared < ASSAY_RUN;
        loop invariant right_cursor: j < hi ==> listed_cursor(head, end, list, right.place, right.shared, right.cursor);
        loop invariant none: k == lo ==> left.shared == 0 && right.shared == 0;
        loop invariant left_after: k > lo && i < mid ==>
            listed_upto(head, end, list, to.place[k - 1], left.place) &&
            listed_common(head, end, list, to.place[k - 1], left.place, left.shared);
        loop invariant right_after: k > lo && j < hi ==>
            listed_upto(head, end, list, to.place[k - 1], right.place) &&
            listed_common(head, end, list, to.place[k - 1], right.place, right.shared);
        loop invariant run: run(head, end, list, to, lo, k);
        loop invariant places: places(to.place, lo, k, n);
        loop invariant merged: merged{Pre, Here}(to.place, from.place, lo, k, i, mid, j, hi);
        loop assigns k, i, j, left, right, to.place[lo .. hi - 1], to.shared[lo .. hi - 1], to.cursor[lo .. hi - 1],
        assay_work;
        loop variant hi - k;
    */
    for (uint32_t k = lo; k < hi; k++) {
        //@ ghost assay_spend();
        bool first = j == hi;

        if (i < mid && j < hi) {
            /*@ ghost if (k > lo) assay_heads_fit(head, end, list, to.place[k - 1], left.place, left.shared,
                                                  right.place, right.shared); */
            assay_heads heads = assay_heads_compare(head, end, left, right) /*@ ghost (list) */;
            first = heads.first;
            if (first) {
                right.shared = heads.shared;
                right.cursor = heads.cursor;
            } else {
                left.shared = heads.shared;
                left.cursor = heads.cursor;
            }
        }
        //@ ghost Ready: ;
        assay_item_put(to, k, first ? left : right) /*@ ghost (head, end, list, lo, n) */;
        //@ assert from: items_same{Pre, Here}(from, 0, n);
        /*@ assert left: \forall integer v; among{Ready}(from.place, i, mid, v) ==>
                v == from.place[i] || among(from.place, i + 1, mid, v); */
        /*@ assert right: \forall integer v; among{Ready}(from.place, j, hi, v) ==>
                v == from.place[j] || among(from.place, j + 1, hi, v); */
        /*@ assert left_same: \forall integer v; among{Ready}(from.place, i, mid, v) ==>
                among(from.place, i, mid, v); */
        /*@ assert right_same: \forall integer v; among{Ready}(from.place, j, hi, v) ==> among(from.place, j, hi, v); */
        //@ assert put: \forall integer v; among{Ready}(to.place, lo, k, v) ==> among(to.place, lo, k + 1, v);
        /*@ assert every: \forall integer v; among{Pre}(from.place, lo, hi, v) ==> among{Ready}(to.place, lo, k, v) ||
                among{Ready}(from.place, i, mid, v) || among{Ready}(from.place, j, hi, v); */
        //@ assert end_left: !first ==> j < hi;
        //@ assert end_right: first ==> i < mid;
        //@ assert place: to.place[k] < n;
        /*@ assert places: \forall integer x; lo <= x < k ==> to.place[x] == \at(to.place[x], Ready); */
        //@ assert before: places(to.place, lo, k, n);
        //@ assert new: places(to.place, lo, k + 1, n);
        //@ assert first: first ==> merged{Pre, Here}(to.place, from.place, lo, k + 1, i + 1, mid, j, hi);
        //@ assert second: !first ==> merged{Pre, Here}(to.place, from.place, lo, k + 1, i, mid, j + 1, hi);
        if (first) {
            i++;
            if (i < mid) {
                left = assay_item_at(from, i);
            }
        } else {
            j++;
            if (j < hi) {
                right = assay_item_at(from, j);
            }
        }
    }
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

/* Merge the next two runs of `from`, or copy the last one, to the end of `to`: return where they end. */
/*@ requires head: head_ok(head, end);
    requires inside: at < n < 16777215;
    requires valid: items_valid(from, 0, n) && items_valid(to, 0, n) && items_apart(from, to, 0, n);
    requires from: runs(head, end, list, from, n) && from.shared[at] >= ASSAY_RUN;
    requires to: runs(head, end, list, to, at);
    requires places: places(from.place, 0, n, n);
    terminates \true;
    exits \false;
    assigns to.place[at .. n - 1], to.shared[at .. n - 1], to.cursor[at .. n - 1], assay_work;
    ensures end: at < \result <= n;
    ensures next: \forall integer x; x == \result && x < n ==> \at(from.shared[x], Pre) >= ASSAY_RUN;
    ensures to: runs(head, end, list, to, \result);
    ensures places: places(to.place, at, \result, n);
    ensures moved: moved{Pre, Post}(to.place, from.place, at, \result);
    ensures kept: at > 0 ==> to.shared[0] == \old(to.shared[0]);
    ensures longer: at == 0 ==> to.shared[0] == ASSAY_RUN + \result &&
        (to.shared[0] > \old(from.shared[0]) || \result == n);
    ensures two: \result < n ==> at < \at(from.shared[at], Pre) - ASSAY_RUN < \result &&
        \at(from.shared[from.shared[at] - ASSAY_RUN], Pre) == ASSAY_RUN + \result;
    ensures new: to.shared[at] == ASSAY_RUN + \result;
    ensures inner: \forall integer x; at < x < \result ==> to.shared[x] < ASSAY_RUN;
    ensures same: \forall integer x; 0 <= x < at ==> to.shared[x] == \old(to.shared[x]);
*/
static uint32_t assay_runs_join(const uint8_t *head, uint32_t end, assay_items from, assay_items to, uint32_t at,
                                uint32_t n)
    /*@ ghost (uint32_t list) */
{
    uint32_t mid = from.shared[at] - ASSAY_RUN;
    uint32_t hi = mid < n ? from.shared[mid] - ASSAY_RUN : n;

    //@ assert first: run_at(head, end, list, from, at, from.shared[at], n);
    //@ assert second: mid < n ==> run_at(head, end, list, from, mid, from.shared[mid], n);
    //@ assert ends: at < mid <= hi <= n && (hi < n ==> from.shared[hi] >= ASSAY_RUN);
    assay_runs_merge(head, end, from, to, at, mid, hi) /*@ ghost (list, n) */;
    //@ assert place_same: \forall integer x; 0 <= x < at ==> to.place[x] == \at(to.place[x], Pre);
    //@ assert shared_same: \forall integer x; 0 <= x < at ==> to.shared[x] == \at(to.shared[x], Pre);
    //@ assert cursor_same: \forall integer x; 0 <= x < at ==> to.cursor[x] == \at(to.cursor[x], Pre);
    /*@ assert run: \forall integer y, e; 0 <= y < e <= at && run{Pre}(head, end, list, to, y, e) ==>
            run(head, end, list, to, y, e); */
    /*@ assert run_at: \forall integer y, e; 0 <= y && run_at{Pre}(head, end, list, to, y, e, at) ==>
            run_at(head, end, list, to, y, e, at); */
    /*@ assert run_was: \forall integer y; 0 <= y < at && to.shared[y] >= ASSAY_RUN ==>
            run_at{Pre}(head, end, list, to, y, to.shared[y], at); */
    /*@ assert run_now: \forall integer y; 0 <= y < at && to.shared[y] >= ASSAY_RUN ==>
            run_at(head, end, list, to, y, to.shared[y], at); */
    assay_run_close(to, at, hi) /*@ ghost (head, end, list, n) */;
    return hi;
}

/*@ // What was in to[0 .. at) or from[at .. n) is in to[0 .. next) or from[next .. n).
    predicate left_over{K, L}(uint32_t *to, uint32_t *from, integer at, integer next, integer n) =
        \forall integer v; among{K}(to, 0, at, v) || among{K}(from, at, n, v) ==>
            among{L}(to, 0, next, v) || among{L}(from, next, n, v);
*/

/* The same; the runs of `from` stay as they are. */
/*@ requires head: head_ok(head, end);
    requires inside: at < n < 16777215;
    requires valid: items_valid(from, 0, n) && items_valid(to, 0, n) && items_apart(from, to, 0, n);
    requires from: runs(head, end, list, from, n) && from.shared[at] >= ASSAY_RUN;
    requires to: runs(head, end, list, to, at);
    requires places: places(from.place, 0, n, n);
    terminates \true;
    exits \false;
    assigns to.place[at .. n - 1], to.shared[at .. n - 1], to.cursor[at .. n - 1], assay_work;
    ensures end: at < \result <= n && (\result < n ==> from.shared[\result] >= ASSAY_RUN);
    ensures to: runs(head, end, list, to, \result);
    ensures from: runs(head, end, list, from, n) && from.shared[0] == \old(from.shared[0]);
    ensures places: places(to.place, at, \result, n) && places(from.place, 0, n, n);
    ensures before: \forall integer x; 0 <= x < at ==> to.place[x] == \old(to.place[x]);
    ensures moved: left_over{Pre, Post}(to.place, from.place, at, \result, n);
    ensures kept: at > 0 ==> to.shared[0] == \old(to.shared[0]);
    ensures longer: at == 0 ==> to.shared[0] == ASSAY_RUN + \result &&
        (to.shared[0] > from.shared[0] || \result == n);
    ensures two: \result < n ==> at < from.shared[at] - ASSAY_RUN < \result &&
        from.shared[from.shared[at] - ASSAY_RUN] == ASSAY_RUN + \result;
    ensures new: to.shared[at] == ASSAY_RUN + \result;
    ensures inner: \forall integer x; at < x < \result ==> to.shared[x] < ASSAY_RUN;
    ensures same: \forall integer x; 0 <= x < at ==> to.shared[x] == \old(to.shared[x]);
    ensures unchanged: \forall integer x; 0 <= x < n ==> from.shared[x] == \old(from.shared[x]);
*/
static uint32_t assay_runs_next(const uint8_t *head, uint32_t end, assay_items from, assay_items to, uint32_t at,
                                uint32_t n)
    /*@ ghost (uint32_t list) */
{
    uint32_t next = assay_runs_join(head, end, from, to, at, n) /*@ ghost (list) */;
    //@ assert place_same: \forall integer x; 0 <= x < n ==> from.place[x] == \at(from.place[x], Pre);
    //@ assert shared_same: \forall integer x; 0 <= x < n ==> from.shared[x] == \at(from.shared[x], Pre);
    //@ assert cursor_same: \forall integer x; 0 <= x < n ==> from.cursor[x] == \at(from.cursor[x], Pre);
    /*@ assert run: \forall integer y, e; 0 <= y < e <= n && run{Pre}(head, end, list, from, y, e) ==>
            run(head, end, list, from, y, e); */
    /*@ assert run_at: \forall integer y, e; 0 <= y && run_at{Pre}(head, end, list, from, y, e, n) ==>
            run_at(head, end, list, from, y, e, n); */
    /*@ assert run_then: \forall integer y; 0 <= y < n && \at(from.shared[y], Pre) >= ASSAY_RUN ==>
            run_at{Pre}(head, end, list, from, y, \at(from.shared[y], Pre), n); */
    /*@ assert run_equal: \forall integer y; 0 <= y < n && from.shared[y] >= ASSAY_RUN ==>
            from.shared[y] == \at(from.shared[y], Pre) &&
            run_at{Pre}(head, end, list, from, y, \at(from.shared[y], Pre), n); */
    /*@ assert run_was: \forall integer y; 0 <= y < n && from.shared[y] >= ASSAY_RUN ==>
            run_at{Pre}(head, end, list, from, y, from.shared[y], n); */
    /*@ assert run_now: \forall integer y; 0 <= y < n && from.shared[y] >= ASSAY_RUN ==>
            run_at(head, end, list, from, y, from.shared[y], n); */
    /*@ assert split: \forall integer v; among{Pre}(from.place, at, n, v) ==>
            among{Pre}(from.place, at, next, v) || among{Pre}(from.place, next, n, v); */
    /*@ assert rest: \forall integer v; among{Pre}(from.place, next, n, v) ==> among(from.place, next, n, v); */
    /*@ assert new: \forall integer v; among(to.place, at, next, v) ==> among(to.place, 0, next, v); */
    /*@ assert old: \forall integer v; among{Pre}(to.place, 0, at, v) ==> among(to.place, 0, next, v); */
    return next;
}

/*@ // Each run that begins before `at` has `width` texts or more, but for the last.
    predicate run_long{L}(uint32_t *shared, integer n, integer at, integer width) =
        \forall integer y; 0 <= y < at && 2147483648 <= shared[y] < 2147483648 + n ==>
            y + width <= shared[y] - 2147483648;
*/

/* One pass: half as many runs. */
/*@ requires head: head_ok(head, end);
    requires count: 0 < n < 16777215;
    requires valid: items_valid(from, 0, n) && items_valid(to, 0, n) && items_apart(from, to, 0, n);
    requires from: runs(head, end, list, from, n) && places(from.place, 0, n, n);
    requires long: run_long(from.shared, n, n, width) && width <= 2 * n;
    terminates \true;
    exits \false;
    assigns to.place[0 .. n - 1], to.shared[0 .. n - 1], to.cursor[0 .. n - 1], assay_work, assay_passes;
    ensures to: runs(head, end, list, to, n);
    ensures places: places(to.place, 0, n, n);
    ensures moved: moved{Pre, Post}(to.place, from.place, 0, n);
    ensures longer: to.shared[0] > \old(from.shared[0]) || to.shared[0] == ASSAY_RUN + n;
    ensures end: to.shared[0] <= ASSAY_RUN + n;
    ensures long: run_long(to.shared, n, n, 2 * width);
    ensures passes: assay_passes <= \old(assay_passes) + 1;
*/
static void assay_runs_pass(const uint8_t *head, uint32_t end, assay_items from, assay_items to, uint32_t n)
    /*@ ghost (uint32_t list, uint32_t width) */
{
    uint32_t at = 0;

    //@ ghost assay_pass();

    /*@ loop invariant inside: 0 <= at <= n;
        loop invariant next: at < n ==> from.shared[at] >= ASSAY_RUN;
        loop invariant first: from.shared[0] == \at(from.shared[0], Pre);
        loop invariant from: runs(head, end, list, from, n);
        loop invariant to: runs(head, end, list, to, at);
        loop invariant places: places(from.place, 0, n, n) && places(to.place, 0, at, n);
        loop invariant moved: \forall integer v; among{Pre}(from.place, 0, n, v) ==>
            among(to.place, 0, at, v) || among(from.place, at, n, v);
        loop invariant longer: at > 0 ==> to.shared[0] > from.shared[0] || to.shared[0] == ASSAY_RUN + n;
        loop invariant unchanged: \forall integer x; 0 <= x < n ==> from.shared[x] == \at(from.shared[x], Pre);
        loop invariant long: run_long(to.shared, n, at, 2 * width);
        loop assigns at, to.place[0 .. n - 1], to.shared[0 .. n - 1], to.cursor[0 .. n - 1], assay_work;
        loop variant n - at;
    */
    while (at < n) {
        //@ ghost assay_spend();
        //@ ghost Before: ;
        at = assay_runs_next(head, end, from, to, at, n) /*@ ghost (list) */;
        //@ assert from_long: run_long(from.shared, n, n, width);
        //@ assert twice: at < n ==> \at(at, Before) + 2 * width <= at;
        //@ assert older: run_long(to.shared, n, \at(at, Before), 2 * width);
    }
    //@ assert first: run_at(head, end, list, to, 0, to.shared[0], n);
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
    uint32_t start = 0;
    uint32_t before = 0; /* the text before, and where it begins */
    uint32_t last = 0;
    uint32_t few = ASSAY_FEW; /* if neighbours share few bytes */
    uint32_t count = 1;

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
    /*@ loop invariant runs: runs(head, end, list, items, n);
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
        //@ assert shorter: width < n;
        //@ assert more: power_of_four(4 * width) && most_passes(4 * width) == most_passes(width) + 2;
        assay_runs_pass(head, end, items, other, n) /*@ ghost (list, width) */;
        //@ assert half: \forall integer v; 0 <= v < n ==> among(other.place, 0, n, v);
        assay_runs_pass(head, end, other, items, n) /*@ ghost (list, 2 * width) */;
        //@ assert whole: \forall integer v; 0 <= v < n ==> among(items.place, 0, n, v);
        //@ ghost width = 4 * width;
    }
    //@ assert passes: most_passes(width) <= most_passes(n);
    //@ assert one: run_at(head, end, list, items, 0, items.shared[0], n);
    //@ ghost assay_run_strict(head, end, list, items.place, n);
    //@ assert places: places(items.place, 0, n, n);
    //@ assert each: \forall integer v; 0 <= v < n ==> among(items.place, 0, n, v);
    //@ assert block: block(items.place, 0, n);
}
