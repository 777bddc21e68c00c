/* order.c: the layout order of the tensors, by (begin, end, place in the header). */
#include "core.h"

/*@ requires entries: \valid_read(entry + a) && \valid_read(entry + b);
  @ terminates \true;
  @ exits \false;
  @ assigns \nothing;
  @ ensures before: \result <==> layout_before(entry, a, b);
  @ ensures after: !\result && a != b ==> layout_before(entry, b, a);
  @*/
static bool order_before(const assay_entry *entry, uint32_t a, uint32_t b)
{
    if (entry[a].begin != entry[b].begin)
        return entry[a].begin < entry[b].begin;
    if (entry[a].end != entry[b].end)
        return entry[a].end < entry[b].end;
    return a < b;
}

/*@ requires room: \valid(order + (0 .. n - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns order[0 .. n - 1];
  @ ensures identity: \forall integer p; 0 <= p < n ==> order[p] == p;
  @ ensures permutation: permutation(order, n);
  @*/
static void order_identity(uint32_t n, uint32_t *order)
{
    /*@ loop invariant bounds: 0 <= i <= n;
      @ loop invariant identity: \forall integer p; 0 <= p < i ==> order[p] == p;
      @ loop assigns i, order[0 .. n - 1];
      @ loop variant n - i;
      @*/
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    //@ assert each: \forall integer v; 0 <= v < n ==> order[v] == v ==> among(order, 0, n, v);
}

/* ---- Is it the layout order? ------------------------------------------------------------------------ */

/*@ ghost
/@ requires apart: distinct(a, n);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures one: among(a, 0, n, m) ==> order_fewer(a, n, m + 1) == order_fewer(a, n, m) + 1;
   ensures none: !among(a, 0, n, m) ==> order_fewer(a, n, m + 1) == order_fewer(a, n, m);
@/
static void order_fewer_step(uint32_t *a, uint32_t n, uint32_t m)
{
    /@ loop invariant bounds: 0 <= k <= n;
       loop invariant one: among(a, 0, k, m) ==> order_fewer(a, k, m + 1) == order_fewer(a, k, m) + 1;
       loop invariant none: !among(a, 0, k, m) ==> order_fewer(a, k, m + 1) == order_fewer(a, k, m);
       loop assigns k;
       loop variant n - k;
    @/
    for (uint32_t k = 0; k < n; k++) {
        /@ assert last: among(a, 0, k + 1, m) <==> among(a, 0, k, m) || a[k] == m; @/
        /@ assert once: a[k] == m ==> !among(a, 0, k, m); @/
    }
}

/@ requires all: places(a, 0, n, n);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures none: order_fewer(a, n, 0) == 0;
   ensures all: order_fewer(a, n, n) == n;
@/
static void order_fewer_ends(uint32_t *a, uint32_t n)
{
    /@ loop invariant bounds: 0 <= k <= n && order_fewer(a, k, 0) == 0 && order_fewer(a, k, n) == k;
       loop assigns k;
       loop variant n - k;
    @/
    for (uint32_t k = 0; k < n; k++) {
        /@ assert here: a[k] < n; @/
    }
}

/@ requires apart: distinct(a, n) && places(a, 0, n, n);
   requires value: v < n;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures there: among(a, 0, n, v);
@/
static void order_one_there(uint32_t *a, uint32_t n, uint32_t v)
{
    order_fewer_ends(a, n);
    /@ loop invariant bounds: 0 <= m <= n && order_fewer(a, n, m) <= m;
       loop invariant less: m > v && !among(a, 0, n, v) ==> order_fewer(a, n, m) < m;
       loop assigns m;
       loop variant n - m;
    @/
    for (uint32_t m = 0; m < n; m++)
        order_fewer_step(a, n, m);
}

/@ requires apart: distinct(a, n) && places(a, 0, n, n);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures permutation: permutation(a, n);
@/
static void order_all_there(uint32_t *a, uint32_t n)
{
    /@ loop invariant bounds: 0 <= v <= n;
       loop invariant there: \forall integer u; 0 <= u < v ==> among(a, 0, n, u);
       loop assigns v;
       loop variant n - v;
    @/
    for (uint32_t v = 0; v < n; v++)
        order_one_there(a, n, v);
}
*/

/* Is it the layout order? */
/*@ requires entries: \valid_read(entry + (0 .. n - 1)) && \valid_read(order + (0 .. n - 1));
  @ requires places: places(order, 0, n, n);
  @ terminates \true;
  @ exits \false;
  @ assigns \nothing;
  @ ensures in_order: \result ==> layout_order(entry, order, n);
  @*/
static bool order_holds(const assay_entry *entry, uint32_t n, const uint32_t *order)
{
    /*@ loop invariant bounds: 1 <= i && (i <= n || n == 0);
      @ loop invariant ascends: layout_ascends(entry, order, 0, i);
      @ loop invariant differ: distinct(order, i);
      @ loop assigns i;
      @ loop variant n - i;
      @*/
    for (uint32_t i = 1; i < n; i++) {
        if (!order_before(entry, order[i - 1], order[i]))
            return false;
        /*@ assert last: \forall integer p; 0 <= p < i - 1 ==> layout_before(entry, order[p], order[i - 1])
                ==> layout_before(entry, order[p], order[i]); */
        //@ assert here: \forall integer p; 0 <= p < i ==> layout_before(entry, order[p], order[i]);
        //@ assert differ: \forall integer p; 0 <= p < i ==> order[p] != order[i];
    }
    //@ ghost order_all_there((uint32_t *)order, n);
    return true;
}

/* ---- A merge sort ------------------------------------------------------------------------------------ */

/*@ // All of a[lo .. hi) come before j.
  @ predicate order_below{L}(assay_entry *e, uint32_t *a, integer lo, integer hi, integer j) =
  @     \forall integer p; lo <= p < hi ==> layout_before(e, a[p], j);
  @ // Each of b[from .. to) is one of a[lo .. hi).
  @ predicate order_within{L}(uint32_t *b, integer from, integer to, uint32_t *a, integer lo, integer hi) =
  @     \forall integer p; from <= p < to ==> among(a, lo, hi, b[p]);
  @*/

/* Puts from[x] behind to[at .. i). from[x .. x_end) and from[y .. y_end) are what is left of the two runs,
 * which begin at x_run and y_run: a step of order_merge, the same for either run. */
/*@ requires bounds: x_run <= x < x_end && y_run <= y <= y_end && lo <= x_run && x_end <= hi;
  @ requires target: at <= i < UINT32_MAX;
  @ requires room: \valid_read(from + (lo .. hi - 1)) && \valid(to + (at .. i));
  @ requires apart: \separated(from + (lo .. hi - 1), to + (at .. i));
  @ requires first: y < y_end ==> layout_before(entry, from[x], from[y]);
  @ requires ascends: layout_ascends(entry, to, at, i);
  @ requires runs: layout_ascends(entry, from, x_run, x_end) && layout_ascends(entry, from, y_run, y_end);
  @ requires below_x: order_below(entry, to, at, i, from[x]);
  @ requires below_y: y < y_end ==> order_below(entry, to, at, i, from[y]);
  @ requires all: order_within(from, x_run, x, to, at, i) && order_within(from, y_run, y, to, at, i);
  @ requires only: order_within(to, at, i, from, lo, hi);
  @ requires inside: lo <= y_run && y_end <= hi;
  @ terminates \true;
  @ exits \false;
  @ assigns to[i];
  @ ensures runs: layout_ascends(entry, from, x_run, x_end) && layout_ascends(entry, from, y_run, y_end);
  @ ensures ascends: layout_ascends(entry, to, at, i + 1);
  @ ensures below_x: x + 1 < x_end ==> order_below(entry, to, at, i + 1, from[x + 1]);
  @ ensures below_y: y < y_end ==> order_below(entry, to, at, i + 1, from[y]);
  @ ensures all_x: order_within(from, x_run, x + 1, to, at, i + 1);
  @ ensures all_y: order_within(from, y_run, y, to, at, i + 1);
  @ ensures only: order_within(to, at, i + 1, from, lo, hi);
  @*/
static void order_take(const uint32_t *from, uint32_t x, uint32_t *to, uint32_t i)
/*@ ghost (const assay_entry *entry, uint32_t at, uint32_t lo, uint32_t hi, uint32_t x_run, uint32_t x_end,
           uint32_t y_run, uint32_t y, uint32_t y_end) */
{
    to[i] = from[x];
    //@ assert same: \forall integer p; at <= p < i ==> to[p] == \at(to[p], Pre);
    //@ assert from: \forall integer p; lo <= p < hi ==> from[p] == \at(from[p], Pre);
    //@ assert here: to[i] == from[x];
    //@ assert kept: \forall integer v; among{Pre}(to, at, i, v) ==> among(to, at, i + 1, v);
    //@ assert there: among(to, at, i + 1, from[x]);
    //@ assert was: \forall integer v; among{Pre}(from, lo, hi, v) ==> among(from, lo, hi, v);
    //@ assert is: among(from, lo, hi, to[i]);
    //@ assert next: x + 1 < x_end ==> layout_before(entry, from[x], from[x + 1]);
    //@ assert under: \forall integer p; at <= p < i ==> layout_before(entry, to[p], from[x]);
    /*@ assert under_x: x + 1 < x_end ==> \forall integer p; at <= p < i
            ==> layout_before(entry, to[p], from[x]) ==> layout_before(entry, to[p], from[x + 1]); */
}

/* Merges the ascending from[at .. mid) and from[mid .. end) into to[at .. end). */
/*@ requires bounds: at <= mid <= end <= n;
  @ requires entries: \valid_read(entry + (0 .. n - 1));
  @ requires room: \valid_read(from + (0 .. n - 1)) && \valid(to + (0 .. n - 1));
  @ requires apart: \separated(from + (0 .. n - 1), to + (0 .. n - 1));
  @ requires places: places(from, at, end, n);
  @ requires halves: layout_ascends(entry, from, at, mid) && layout_ascends(entry, from, mid, end);
  @ requires distinct: \forall integer p, q; at <= p < mid <= q < end ==> from[p] != from[q];
  @ terminates \true;
  @ exits \false;
  @ assigns to[at .. end - 1];
  @ ensures ascends: layout_ascends(entry, to, at, end);
  @ ensures all: order_within(from, at, end, to, at, end);
  @ ensures only: order_within(to, at, end, from, at, end);
  @*/
static void order_merge(const assay_entry *entry, const uint32_t *from, uint32_t at, uint32_t mid,
                        uint32_t end, uint32_t *to)
/*@ ghost (uint32_t n) */
{
    uint32_t left = at, right = mid;

    /*@ loop invariant bounds: at <= i <= end && at <= left <= mid <= right <= end &&
      @     i - at == left - at + right - mid;
      @ loop invariant ascends: layout_ascends(entry, to, at, i);
      @ loop invariant below_left: left < mid ==> order_below(entry, to, at, i, from[left]);
      @ loop invariant below_right: right < end ==> order_below(entry, to, at, i, from[right]);
      @ loop invariant all_left: order_within(from, at, left, to, at, i);
      @ loop invariant all_right: order_within(from, mid, right, to, at, i);
      @ loop invariant only: order_within(to, at, i, from, at, end);
      @ loop invariant halves: layout_ascends(entry, from, at, mid) && layout_ascends(entry, from, mid, end);
      @ loop assigns i, left, right, to[at .. end - 1];
      @ loop variant end - i;
      @*/
    for (uint32_t i = at; i < end; i++) {
        bool first = right == end || (left < mid && order_before(entry, from[left], from[right]));

        order_take(from, first ? left : right, to, i)
            /*@ ghost (entry, at, at, end, first ? at : mid, first ? mid : end, first ? mid : at,
                       first ? right : left, first ? end : mid) */;
        if (first)
            left++;
        else
            right++;
    }
}

/*@ // The k-th run of a[0 .. n), run length width: as much of it as there is ascends.
  @ predicate order_run{L}(assay_entry *e, uint32_t *a, integer n, integer width, integer k) =
  @     \forall integer p, q; k * width <= p < q < k * width + width && q < n
  @     ==> layout_before(e, a[p], a[q]);
  @ predicate order_run_fits(integer width, integer k, integer at) = k * width + width <= at;
  @ predicate order_run_beyond(integer width, integer k, integer n) = n <= k * width;
  @ predicate order_runs{L}(assay_entry *e, uint32_t *a, integer n, integer width) =
  @     \forall integer k; 0 <= k ==> order_run(e, a, n, width, k);
  @*/

/* Merges the run that begins at `at` with the next one; where that ends. */
/*@ requires small: n <= ASSAY_TENSORS_MAX && 1 <= width <= 2 * ASSAY_TENSORS_MAX;
  @ requires entries: \valid_read(entry + (0 .. n - 1));
  @ requires room: \valid_read(from + (0 .. n - 1)) && \valid(to + (0 .. n - 1));
  @ requires apart: \separated(from + (0 .. n - 1), to + (0 .. n - 1));
  @ requires place: at == run * (2 * width) < n;
  @ requires from: places(from, 0, n, n) && distinct(from, n);
  @ requires runs: order_run(entry, from, n, width, 2 * run) && order_run(entry, from, n, width, 2 * run + 1);
  @ requires done: \forall integer k; 0 <= k < run ==> order_run(entry, to, n, 2 * width, k);
  @ requires before: \forall integer k; 0 <= k < run ==> order_run_fits(2 * width, k, at);
  @ requires to: places(to, 0, at, n) && distinct(to, at);
  @ requires all: order_within(from, 0, at, to, 0, at);
  @ requires only: order_within(to, 0, at, from, 0, at);
  @ terminates \true;
  @ exits \false;
  @ assigns to[at .. n - 1];
  @ ensures place: at < \result <= n &&
  @     (\result == at + 2 * width || (\result == n && n <= at + 2 * width));
  @ ensures done: \forall integer k; 0 <= k < run + 1 ==> order_run(entry, to, n, 2 * width, k);
  @ ensures to: places(to, 0, \result, n) && distinct(to, \result);
  @ ensures all: order_within(from, 0, \result, to, 0, \result);
  @ ensures only: order_within(to, 0, \result, from, 0, \result);
  @*/
static uint32_t order_pair(const assay_entry *entry, uint32_t n, const uint32_t *from, uint32_t at,
                           uint32_t *to, uint32_t width)
/*@ ghost (uint32_t run) */
{
    uint32_t mid = n - at > width ? at + width : n;
    uint32_t end = n - mid > width ? mid + width : n;

    //@ assert first: (2 * run) * width == at && (2 * run + 1) * width == at + width;
    //@ assert halves: layout_ascends(entry, from, at, mid) && layout_ascends(entry, from, mid, end);
    order_merge(entry, from, at, mid, end, to) /*@ ghost (n) */;
    //@ assert merged: order_run(entry, to, n, 2 * width, run);
    //@ assert same: \forall integer p; 0 <= p < at ==> to[p] == \at(to[p], Pre);
    /*@ assert kept: \forall integer k; 0 <= k < run ==> order_run_fits(2 * width, k, at)
            ==> order_run{Pre}(entry, to, n, 2 * width, k) ==> order_run(entry, to, n, 2 * width, k); */
    //@ assert older: \forall integer k; 0 <= k < run ==> order_run(entry, to, n, 2 * width, k);
    //@ assert apart: \forall integer v; among(from, 0, at, v) ==> !among(from, at, end, v);
    //@ assert only: order_within(to, 0, at, from, 0, at) && order_within(to, at, end, from, at, end);
    /*@ assert differ: \forall integer p, q; 0 <= p < at <= q < end
            ==> among(from, 0, at, to[p]) ==> among(from, at, end, to[q]) ==> to[p] != to[q]; */
    //@ assert unlike: \forall integer p, q; layout_before(entry, to[p], to[q]) ==> to[p] != to[q];
    //@ assert block: \forall integer p, q; at <= p < q < end ==> layout_before(entry, to[p], to[q]);
    //@ assert cross_differ: \forall integer p, q; 0 <= p < at <= q < end ==> to[p] != to[q];
    //@ assert new_differ: \forall integer p, q; at <= p < q < end ==> to[p] != to[q];
    return end;
}

/* Merges runs of `width` two by two: from holds ascending runs of width, to those of twice the width. */
/*@ requires small: n <= ASSAY_TENSORS_MAX && 1 <= width <= 2 * ASSAY_TENSORS_MAX;
  @ requires entries: \valid_read(entry + (0 .. n - 1));
  @ requires room: \valid_read(from + (0 .. n - 1)) && \valid(to + (0 .. n - 1));
  @ requires apart: \separated(from + (0 .. n - 1), to + (0 .. n - 1));
  @ requires permutation: permutation(from, n);
  @ requires runs: order_runs(entry, from, n, width);
  @ terminates \true;
  @ exits \false;
  @ assigns to[0 .. n - 1];
  @ ensures permutation: permutation(to, n);
  @ ensures runs: order_runs(entry, to, n, 2 * width);
  @*/
static void order_pass(const assay_entry *entry, uint32_t n, const uint32_t *from, uint32_t *to,
                       uint32_t width)
{
    uint32_t at = 0;
    //@ ghost uint32_t run = 0;

    /*@ loop invariant bounds: 0 <= at <= n && 0 <= run <= at;
      @ loop invariant place: at == run * (2 * width) || (at == n && n <= run * (2 * width));
      @ loop invariant before: at < n ==>
      @     \forall integer k; 0 <= k < run ==> order_run_fits(2 * width, k, at);
      @ loop invariant runs: \forall integer k; 0 <= k < run ==> order_run(entry, to, n, 2 * width, k);
      @ loop invariant to: places(to, 0, at, n) && distinct(to, at);
      @ loop invariant all: order_within(from, 0, at, to, 0, at);
      @ loop invariant only: order_within(to, 0, at, from, 0, at);
      @ loop assigns at, run, to[0 .. n - 1];
      @ loop variant n - at;
      @*/
    while (at < n) {
        at = order_pair(entry, n, from, at, to, width) /*@ ghost (run) */;
        /*@ assert still: \forall integer k; order_run_fits(2 * width, k, \at(at, LoopCurrent))
                ==> order_run_fits(2 * width, k, at); */
        //@ assert fits: at < n ==> order_run_fits(2 * width, run, at);
        //@ ghost run++;
    }
    //@ assert rest: \forall integer k; run <= k ==> run * (2 * width) <= k * (2 * width);
    //@ assert beyond: \forall integer k; run <= k ==> order_run_beyond(2 * width, k, n);
    /*@ assert none: \forall integer k; order_run_beyond(2 * width, k, n)
            ==> order_run(entry, to, n, 2 * width, k); */
    //@ assert later: \forall integer k; run <= k ==> order_run(entry, to, n, 2 * width, k);
    //@ assert all: \forall integer v; among(from, 0, n, v) ==> among(to, 0, n, v);
}

/* By digits, if there are many. If that is not the order, for one lies within another, or if there are few, a merge
 * sort from the bottom up: n log n steps whatever the entries are, and no recursion. Two passes a round, so that the
 * result is in order[] when the rounds are over. */
void assay_order(const assay_entry *entry, uint32_t n, uint32_t *order, uint32_t *scratch)
{
    uint32_t width = 1;

    if (n >= ASSAY_RADIX) {
        assay_radix(entry, n, order, scratch);
        if (order_holds(entry, n, order))
            return;
    }
    order_identity(n, order);
    /*@ loop invariant bounds: 1 <= width && (width <= 4 * n || n == 0);
      @ loop invariant permutation: permutation(order, n);
      @ loop invariant runs: order_runs(entry, order, n, width);
      @ loop assigns width, order[0 .. n - 1], scratch[0 .. 2 * n - 1];
      @ loop variant n - width;
      @*/
    while (width < n) {
        order_pass(entry, n, order, scratch, width);
        order_pass(entry, n, scratch, order, 2 * width);
        width *= 4;
    }
    //@ assert whole: order_run(entry, order, n, width, 0);
    //@ assert ascends: layout_ascends(entry, order, 0, n);
}

uint64_t assay_order_linked(const assay_entry *entry, uint32_t n, uint32_t *order)
{
    uint64_t at = 0;

    /*@ loop invariant bounds: 0 <= i <= n;
      @ loop invariant linked: layout_linked(entry, order, i, at);
      @ loop invariant below: \forall integer p; 0 <= p < i ==> entry[p].end <= at;
      @ loop invariant ascends: \forall integer p, q; 0 <= p < q < i ==> layout_before(entry, p, q);
      @ loop invariant identity: \forall integer p; 0 <= p < i ==> order[p] == p;
      @ loop assigns i, at, order[0 .. n - 1];
      @ loop variant n - i;
      @*/
    for (uint32_t i = 0; i < n; i++) {
        if (entry[i].begin != at)
            return ASSAY_NONE;
        at = entry[i].end;
        order[i] = i;
    }
    //@ assert each: \forall integer v; 0 <= v < n ==> order[v] == v ==> among(order, 0, n, v);
    return at;
}
