/* layout.c: the layout order of the tensors, by (begin, end, index in the header); and whether every byte of the data
 * section belongs to exactly one tensor: rules G3 to G6. */
#include "core.h"

/* ---- The layout order ----------------------------------------------------------------------------------------- */

/*@ requires entries: \valid_read(entry + a) && \valid_read(entry + b);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures before: \result <==> layout_before(entry, a, b);
    ensures after: !\result && a != b ==> layout_before(entry, b, a);
*/
static bool order_before(const assay_entry *entry, uint32_t a, uint32_t b)
{
    if (entry[a].begin != entry[b].begin)
        return entry[a].begin < entry[b].begin;
    if (entry[a].end != entry[b].end)
        return entry[a].end < entry[b].end;
    return a < b;
}

/* Return whether it is the layout order. */
/*@ requires entries: \valid_read(entry + (0 .. n - 1)) && \valid_read(order + (0 .. n - 1));
    requires places: places(order, 0, n, n);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures in_order: \result ==> layout_order(entry, order, n);
*/
static bool order_holds(const assay_entry *entry, uint32_t n, const uint32_t *order)
{
    /*@ loop invariant bounds: 1 <= i && (i <= n || n == 0);
        loop invariant ascends: layout_ascends(entry, order, 0, i);
        loop invariant differ: distinct(order, i);
        loop assigns i, assay_work;
        loop variant n - i;
    */
    for (uint32_t i = 1; i < n; i++) {
        //@ ghost assay_spend();
        if (!order_before(entry, order[i - 1], order[i]))
            return false;
        /*@ assert last: \forall integer p; 0 <= p < i - 1 ==> layout_before(entry, order[p], order[i - 1])
                ==> layout_before(entry, order[p], order[i]); */
        //@ assert here: \forall integer p; 0 <= p < i ==> layout_before(entry, order[p], order[i]);
        //@ assert differ: \forall integer p; 0 <= p < i ==> order[p] != order[i];
    }
    //@ ghost assay_order_all_there(order, n);
    return true;
}

/*@ // All of a[lo .. hi) come before j.
    predicate order_below{L}(assay_entry *e, uint32_t *a, integer lo, integer hi, integer j) =
        \forall integer p; lo <= p < hi ==> layout_before(e, a[p], j);
    // Each of b[from .. to) is one of a[lo .. hi).
    predicate order_within{L}(uint32_t *b, integer from, integer to, uint32_t *a, integer lo, integer hi) =
        \forall integer p; from <= p < to ==> among(a, lo, hi, b[p]);
*/

/* Put from[x] at the end of to[at .. i). from[x .. x_end) and from[y .. y_end) are what is left of the two runs,
 * which begin at x_run and y_run: a step of order_merge, the same for either run. */
/*@ requires bounds: x_run <= x < x_end && y_run <= y <= y_end && lo <= x_run && x_end <= hi;
    requires target: at <= i < UINT32_MAX;
    requires room: \valid_read(from + (lo .. hi - 1)) && \valid(to + (at .. i));
    requires apart: \separated(from + (lo .. hi - 1), to + (at .. i));
    requires first: y < y_end ==> layout_before(entry, from[x], from[y]);
    requires ascends: layout_ascends(entry, to, at, i);
    requires runs: layout_ascends(entry, from, x_run, x_end) && layout_ascends(entry, from, y_run, y_end);
    requires below_x: order_below(entry, to, at, i, from[x]);
    requires below_y: y < y_end ==> order_below(entry, to, at, i, from[y]);
    requires all: order_within(from, x_run, x, to, at, i) && order_within(from, y_run, y, to, at, i);
    requires only: order_within(to, at, i, from, lo, hi);
    requires inside: lo <= y_run && y_end <= hi;
    terminates \true;
    exits \false;
    assigns to[i];
    ensures runs: layout_ascends(entry, from, x_run, x_end) && layout_ascends(entry, from, y_run, y_end);
    ensures ascends: layout_ascends(entry, to, at, i + 1);
    ensures below_x: x + 1 < x_end ==> order_below(entry, to, at, i + 1, from[x + 1]);
    ensures below_y: y < y_end ==> order_below(entry, to, at, i + 1, from[y]);
    ensures all_x: order_within(from, x_run, x + 1, to, at, i + 1);
    ensures all_y: order_within(from, y_run, y, to, at, i + 1);
    ensures only: order_within(to, at, i + 1, from, lo, hi);
*/
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

/* Merge the ascending from[at .. mid) and from[mid .. end) into to[at .. end). */
/*@ requires bounds: at <= mid <= end <= n;
    requires entries: \valid_read(entry + (0 .. n - 1));
    requires room: \valid_read(from + (0 .. n - 1)) && \valid(to + (0 .. n - 1));
    requires apart: \separated(from + (0 .. n - 1), to + (0 .. n - 1));
    requires places: places(from, at, end, n);
    requires halves: layout_ascends(entry, from, at, mid) && layout_ascends(entry, from, mid, end);
    requires distinct: \forall integer p, q; at <= p < mid <= q < end ==> from[p] != from[q];
    terminates \true;
    exits \false;
    assigns to[at .. end - 1], assay_work;
    ensures ascends: layout_ascends(entry, to, at, end);
    ensures all: order_within(from, at, end, to, at, end);
    ensures only: order_within(to, at, end, from, at, end);
*/
static void order_merge(const assay_entry *entry, const uint32_t *from, uint32_t at, uint32_t mid,
                        uint32_t end, uint32_t *to)
/*@ ghost (uint32_t n) */
{
    uint32_t left = at, right = mid;

    /*@ loop invariant bounds: at <= i <= end && at <= left <= mid <= right <= end &&
            i - at == left - at + right - mid;
        loop invariant ascends: layout_ascends(entry, to, at, i);
        loop invariant below_left: left < mid ==> order_below(entry, to, at, i, from[left]);
        loop invariant below_right: right < end ==> order_below(entry, to, at, i, from[right]);
        loop invariant all_left: order_within(from, at, left, to, at, i);
        loop invariant all_right: order_within(from, mid, right, to, at, i);
        loop invariant only: order_within(to, at, i, from, at, end);
        loop invariant halves: layout_ascends(entry, from, at, mid) && layout_ascends(entry, from, mid, end);
        loop assigns i, left, right, to[at .. end - 1], assay_work;
        loop variant end - i;
    */
    for (uint32_t i = at; i < end; i++) {
        //@ ghost assay_spend();
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
    predicate order_run{L}(assay_entry *e, uint32_t *a, integer n, integer width, integer k) =
        \forall integer p, q; k * width <= p < q < k * width + width && q < n
        ==> layout_before(e, a[p], a[q]);
    predicate order_run_fits(integer width, integer k, integer at) = k * width + width <= at;
    predicate order_run_beyond(integer width, integer k, integer n) = n <= k * width;
    predicate order_runs{L}(assay_entry *e, uint32_t *a, integer n, integer width) =
        \forall integer k; 0 <= k ==> order_run(e, a, n, width, k);
*/

/* Merge the run that begins at `at` with the next one; where that ends. */
/*@ requires small: n <= ASSAY_TENSORS_MAX && 1 <= width <= 2 * ASSAY_TENSORS_MAX;
    requires entries: \valid_read(entry + (0 .. n - 1));
    requires room: \valid_read(from + (0 .. n - 1)) && \valid(to + (0 .. n - 1));
    requires apart: \separated(from + (0 .. n - 1), to + (0 .. n - 1));
    requires place: at == run * (2 * width) < n;
    requires from: places(from, 0, n, n) && distinct(from, n);
    requires runs: order_run(entry, from, n, width, 2 * run) && order_run(entry, from, n, width, 2 * run + 1);
    requires done: \forall integer k; 0 <= k < run ==> order_run(entry, to, n, 2 * width, k);
    requires before: \forall integer k; 0 <= k < run ==> order_run_fits(2 * width, k, at);
    requires to: places(to, 0, at, n) && distinct(to, at);
    requires all: order_within(from, 0, at, to, 0, at);
    requires only: order_within(to, 0, at, from, 0, at);
    terminates \true;
    exits \false;
    assigns to[at .. n - 1], assay_work;
    ensures place: at < \result <= n &&
        (\result == at + 2 * width || (\result == n && n <= at + 2 * width));
    ensures done: \forall integer k; 0 <= k < run + 1 ==> order_run(entry, to, n, 2 * width, k);
    ensures to: places(to, 0, \result, n) && distinct(to, \result);
    ensures all: order_within(from, 0, \result, to, 0, \result);
    ensures only: order_within(to, 0, \result, from, 0, \result);
*/
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

/* Merge runs of `width` two by two: from holds ascending runs of width, to those of twice the width. */
/*@ requires small: n <= ASSAY_TENSORS_MAX && 1 <= width <= 2 * ASSAY_TENSORS_MAX;
    requires entries: \valid_read(entry + (0 .. n - 1));
    requires room: \valid_read(from + (0 .. n - 1)) && \valid(to + (0 .. n - 1));
    requires apart: \separated(from + (0 .. n - 1), to + (0 .. n - 1));
    requires permutation: permutation(from, n);
    requires runs: order_runs(entry, from, n, width);
    terminates \true;
    exits \false;
    assigns to[0 .. n - 1], assay_work;
    ensures permutation: permutation(to, n);
    ensures runs: order_runs(entry, to, n, 2 * width);
*/
static void order_pass(const assay_entry *entry, uint32_t n, const uint32_t *from, uint32_t *to,
                       uint32_t width)
{
    uint32_t at = 0;
    //@ ghost uint32_t run = 0;

    /*@ loop invariant bounds: 0 <= at <= n && 0 <= run <= at;
        loop invariant place: at == run * (2 * width) || (at == n && n <= run * (2 * width));
        loop invariant before: at < n ==>
            \forall integer k; 0 <= k < run ==> order_run_fits(2 * width, k, at);
        loop invariant runs: \forall integer k; 0 <= k < run ==> order_run(entry, to, n, 2 * width, k);
        loop invariant to: places(to, 0, at, n) && distinct(to, at);
        loop invariant all: order_within(from, 0, at, to, 0, at);
        loop invariant only: order_within(to, 0, at, from, 0, at);
        loop assigns at, run, to[0 .. n - 1], assay_work;
        loop variant n - at;
    */
    while (at < n) {
        //@ ghost assay_spend();
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

#define ORDER_HALF 9223372036854775808u /* 2^63: no system's file is so large */
#define ORDER_KEY 4194304u              /* 2^22: the two digits of a round */

/* Set key[k] to two digits of the sum of entry k's offsets: of two tensors that do not overlap, the first has the lower
 * sum. */
/*@ requires entries: \valid_read(entry + (0 .. n - 1)) && shift < 64;
    requires room: \valid(key + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns key[0 .. n - 1], assay_work;
*/
static void order_keys(const assay_entry *entry, uint32_t n, uint32_t shift, uint32_t *key)
{
    /*@ loop invariant inside: 0 <= k <= n;
        loop assigns k, key[0 .. n - 1], assay_work;
        loop variant n - k;
    */
    for (uint32_t k = 0; k < n; k++) {
        //@ ghost assay_spend();
        uint64_t sum = entry[k].begin % ORDER_HALF + entry[k].end % ORDER_HALF;

        key[k] = (uint32_t)((sum >> shift) % ORDER_KEY);
    }
}

static bool assay_order_digits(const assay_entry *entry, uint32_t n, uint32_t *order, uint32_t *scratch)
{
    uint32_t *key = scratch + n;
    uint32_t *first = scratch + 2u * n;
    bool done = false;

    assay_identity(order, n);
    assay_identity(scratch, n);
    /*@ loop invariant shift: shift == 0 || shift == 22 || shift == 44 || shift == 66;
        loop invariant places: places(order, 0, n, n) && places(scratch, 0, n, n);
        loop invariant done: done ==> layout_order(entry, order, n);
        loop assigns shift, done, order[0 .. n - 1], scratch[0 .. 2 * n + ASSAY_RADIX - 1], assay_work;
        loop variant 66 - shift;
    */
    for (uint32_t shift = 0; shift < 64u && !done; shift += 2u * ASSAY_RADIX_BITS) {
        //@ ghost assay_spend();
        order_keys(entry, n, shift, key);
        assay_radix(key, n, 0, order, scratch, first);
        assay_radix(key, n, ASSAY_RADIX_BITS, scratch, order, first);
        done = order_holds(entry, n, order);
    }
    return done;
}

/* Few tensors, and tensors that overlap, are merged from the bottom up. Two passes a round, so that the result is in
 * order[0 .. n). */
static void assay_order(const assay_entry *entry, uint32_t n, uint32_t *order, uint32_t *scratch)
{
    uint32_t width = 1;

    if (n >= ASSAY_RADIX && assay_order_digits(entry, n, order, scratch)) {
        return;
    }
    assay_identity(order, n);
    /*@ loop invariant bounds: 1 <= width && (width <= 4 * n || n == 0);
        loop invariant permutation: permutation(order, n);
        loop invariant runs: order_runs(entry, order, n, width);
        loop assigns width, order[0 .. n - 1], scratch[0 .. 3 * n - 1], assay_work;
        loop variant n - width;
    */
    while (width < n) {
        //@ ghost assay_spend();
        order_pass(entry, n, order, scratch, width);
        order_pass(entry, n, scratch, order, 2 * width);
        width *= 4;
    }
    //@ assert whole: order_run(entry, order, n, width, 0);
    //@ assert ascends: layout_ascends(entry, order, 0, n);
}

static uint64_t assay_order_linked(const assay_entry *entry, uint32_t n, uint32_t *order)
{
    uint64_t at = 0;

    /*@ loop invariant bounds: 0 <= i <= n;
        loop invariant linked: layout_linked(entry, order, i, at);
        loop invariant below: \forall integer p; 0 <= p < i ==> entry[p].end <= at;
        loop invariant ascends: \forall integer p, q; 0 <= p < q < i ==> layout_before(entry, p, q);
        loop invariant identity: \forall integer p; 0 <= p < i ==> order[p] == p;
        loop assigns i, at, order[0 .. n - 1], assay_work;
        loop variant n - i;
    */
    for (uint32_t i = 0; i < n; i++) {
        //@ ghost assay_spend();
        if (entry[i].begin != at)
            return ASSAY_NONE;
        at = entry[i].end;
        order[i] = i;
    }
    //@ assert each: \forall integer v; 0 <= v < n ==> order[v] == v ==> among(order, 0, n, v);
    return at;
}

/* ---- The rules of the data section ---------------------------------------------------------------------------- */

/* G3: the first in the header among the tensors with the largest end, if that is behind the data; n: it is not. */
/*@ requires entries: \valid_read(entry + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures bounds: \result <= n;
    ensures fits: \result == n ==> layout_fits(entry, n, data_size);
    ensures truncated: \result < n ==> data_size < entry[\result].end &&
        layout_truncated(entry, n, data_size, \result, 18446744073709551615, entry[\result].end, data_size);
*/
static uint32_t layout_beyond(const assay_entry *entry, uint32_t n, uint64_t data_size)
{
    uint32_t largest = 0;

    /*@ loop invariant bounds: 0 <= i <= n && (largest < i || i == 0 == largest);
        loop invariant largest: \forall integer p; 0 <= p < i ==> entry[p].end <= entry[largest].end;
        loop invariant first: \forall integer p; 0 <= p < largest ==> entry[p].end < entry[largest].end;
        loop assigns i, largest, assay_work;
        loop variant n - i;
    */
    for (uint32_t i = 0; i < n; i++) {
        //@ ghost assay_spend();
        if (entry[i].end > entry[largest].end)
            largest = i;
    }
    return n == 0 || entry[largest].end <= data_size ? n : largest;
}

/*@ requires room: \valid(error);
    terminates \true;
    exits \false;
    assigns *error;
    ensures result: \result == status;
    ensures what: error->status == status && error->offset == offset;
    ensures who: error->tensor == tensor && error->other == other;
    ensures why: error->expected == expected && error->found == found;
*/
static assay_status layout_error(assay_error *error, uint32_t status, uint64_t offset, uint64_t tensor,
                                 uint64_t other, uint64_t expected, uint64_t found)
{
    error->status = status;
    error->offset = offset;
    error->tensor = tensor;
    error->other = other;
    error->expected = expected;
    error->found = found;
    return status;
}

/* How far a walk in layout order has come: before `next`, the last tensor that has a byte is the one before `last`, and
 * ends at `pos`. `inside`: the first that does not begin where the walk then was, with `around` for `last`; or n. */
typedef struct {
    uint64_t pos;
    uint32_t next, last, inside, around;
} layout_state;

/* Walk as far as each tensor that has a byte begins where the one before it ends. */
/*@ requires small: n <= ASSAY_TENSORS_MAX;
    requires entries: \valid_read(entry + (0 .. n - 1)) && \valid_read(order + (0 .. n - 1));
    requires places: places(order, 0, n, n) && intervals(entry, n);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures last: \result.next <= n && layout_last(entry, order, \result.next, \result.last) &&
        \result.pos == layout_reach(entry, order, \result.last);
    ensures walked: layout_walked(entry, order, \result.next, \result.pos);
    ensures stops: \result.next < n ==> filled(entry, order[\result.next]) &&
        entry[order[\result.next]].begin != \result.pos;
    ensures linked: \result.inside == n ==> \result.next == n && layout_linked(entry, order, n, \result.pos);
    ensures inside: \result.inside <= n;
    ensures clear: \result.inside < n ==> layout_clear(entry, order, \result.inside);
    ensures around: \result.inside < n ==> layout_last(entry, order, \result.inside, \result.around) &&
        entry[order[\result.inside]].begin != layout_reach(entry, order, \result.around);
*/
static layout_state layout_walk(const assay_entry *entry, const uint32_t *order, uint32_t n)
{
    uint64_t pos = 0;
    uint32_t k = 0, last = 0, inside = n, around = 0;

    /*@ loop invariant inside: 0 <= k <= n && inside <= n && (inside < n ==> inside < k);
        loop invariant last: layout_last(entry, order, k, last) &&
            pos == layout_reach(entry, order, last);
        loop invariant below: layout_below(entry, order, k, pos);
        loop invariant chain: layout_chain(entry, order, k);
        loop invariant covered: \forall integer b; 0 <= b < pos ==> layout_covered(entry, order, k, b);
        loop invariant linked: inside == n ==> layout_linked(entry, order, k, pos);
        loop invariant all: inside == n ==> layout_clear(entry, order, k);
        loop invariant clear: inside < n ==> layout_clear(entry, order, inside);
        loop invariant around: inside < n ==> layout_last(entry, order, inside, around) &&
            entry[order[inside]].begin != layout_reach(entry, order, around);
        loop assigns k, pos, last, inside, around, assay_work;
        loop variant n - k;
    */
    for (; k < n; k++) {
        //@ ghost assay_spend();
        const assay_entry *tensor = entry + order[k];
        //@ assert interval: tensor->begin <= tensor->end;

        if (tensor->begin != pos && inside == n) {
            inside = k;
            around = last;
        }
        //@ assert here: inside == n ==> tensor->begin == pos;
        /*@ assert before: inside == n ==> \forall integer p; 0 <= p < k && filled(entry, order[p]) ==>
                entry[order[p]].end <= entry[order[k]].begin; */
        //@ assert clear: inside == n ==> layout_clear(entry, order, k + 1);
        //@ assert empty: tensor->begin >= tensor->end ==> layout_last(entry, order, k + 1, last);
        if (tensor->begin < tensor->end) {
            if (tensor->begin != pos) {
                break;
            }
            /*@ assert fills: \forall integer b; pos <= b < tensor->end ==>
                    tensor_has(entry, order[k], b); */
            pos = tensor->end;
            last = k + 1u;
            //@ assert last: layout_last(entry, order, k + 1, last);
        }
        //@ assert reach: inside == n ==> tensor->end == pos;
        //@ assert links: inside == n ==> layout_linked(entry, order, k + 1, pos);
        /*@ assert more: \forall integer b; layout_covered(entry, order, k, b) ==>
                layout_covered(entry, order, k + 1, b); */
        /*@ assert own: \forall integer b; tensor_has(entry, order[k], b) ==>
                layout_covered(entry, order, k + 1, b); */
    }
    layout_state walk = {pos, k, last, inside, around};
    return walk;
}

/* G4, G5: the walk stops before a tensor, or at its end. */
/*@ requires entries: \valid_read(entry + (0 .. n - 1)) && \valid_read(order + (0 .. n - 1));
    requires in_order: layout_order(entry, order, n);
    requires intervals: intervals(entry, n) && layout_fits(entry, n, data_size);
    requires last: walk.next <= n && layout_last(entry, order, walk.next, walk.last) &&
        walk.pos == layout_reach(entry, order, walk.last);
    requires walked: layout_walked(entry, order, walk.next, walk.pos);
    requires stops: walk.next < n ? filled(entry, order[walk.next]) && entry[order[walk.next]].begin != walk.pos
        : walk.pos != data_size;
    requires file: data_begin + data_size <= UINT64_MAX;
    requires room: \valid(error) && \separated(error, entry + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns *error;
    ensures verdict: \result == ASSAY_E_OVERLAP || \result == ASSAY_E_HOLE;
    ensures status: error->status == \result;
    ensures judged: layout_judged{Old}(entry, n, data_begin, data_size, \result, error->offset);
    ensures overlap: \result == ASSAY_E_OVERLAP ==> layout_overlap{Old}(entry, n, error->offset - data_begin,
        error->tensor, error->other, error->expected, error->found);
    ensures hole: \result == ASSAY_E_HOLE ==> layout_hole{Old}(entry, n, data_size, error->offset - data_begin,
        error->tensor, error->other, error->expected, error->found);
*/
static assay_status layout_broken(const assay_entry *entry, const uint32_t *order, uint32_t n, layout_state walk,
                                  uint64_t data_begin, uint64_t data_size, assay_error *error)
{
    uint64_t begin = walk.next < n ? entry[order[walk.next]].begin : data_size;
    uint64_t tensor = walk.next < n ? order[walk.next] : ASSAY_NONE;
    uint64_t other = walk.last > 0 ? order[walk.last - 1] : ASSAY_NONE;

    //@ assert bounds: walk.pos <= data_size && begin <= data_size;
    if (begin < walk.pos) {
        //@ ghost assay_layout_once(entry, order, n, walk.next, walk.pos, begin);
        //@ ghost assay_layout_overlap(entry, order, n, walk.next, walk.last);
        //@ assert judged: layout_judged(entry, n, data_begin, data_size, E_OVERLAP, data_begin + begin);
        return layout_error(error, ASSAY_E_OVERLAP, data_begin + begin, tensor, other, walk.pos, begin);
    }
    //@ ghost assay_layout_once(entry, order, n, walk.next, walk.pos, walk.pos);
    //@ ghost assay_layout_hole(entry, order, n, walk.next, walk.last, data_size, begin);
    //@ assert judged: layout_judged(entry, n, data_begin, data_size, E_HOLE, data_begin + walk.pos);
    return layout_error(error, ASSAY_E_HOLE, data_begin + walk.pos, tensor, other, walk.pos, begin);
}

/* G6: order[i] is the first that does not begin where the walk then was, but the walk has passed all. */
/*@ requires small: n <= ASSAY_TENSORS_MAX;
    requires entries: \valid_read(entry + (0 .. n - 1)) && \valid_read(order + (0 .. n - 1));
    requires in_order: layout_order(entry, order, n);
    requires intervals: intervals(entry, n) && layout_fits(entry, n, data_size);
    requires walked: layout_walked(entry, order, n, data_size);
    requires clear: i < n && layout_clear(entry, order, i);
    requires around: layout_last(entry, order, i, around) &&
        entry[order[i]].begin != layout_reach(entry, order, around);
    requires file: data_begin + data_size <= UINT64_MAX;
    requires room: \valid(error) && \separated(error, entry + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns *error;
    ensures status: \result == error->status == ASSAY_E_EMPTY_INSIDE;
    ensures judged: layout_judged{Old}(entry, n, data_begin, data_size, E_EMPTY_INSIDE, error->offset);
    ensures inner: layout_empty_inside{Old}(entry, n, error->offset - data_begin,
        error->tensor, error->other, error->expected, error->found);
*/
static assay_status layout_enclosed(const assay_entry *entry, const uint32_t *order, uint32_t i, uint32_t around,
                                    uint64_t data_begin, assay_error *error)
    /*@ ghost (uint32_t n, uint64_t data_size) */
{
    //@ ghost assay_layout_once(entry, order, n, n, data_size, data_size);
    //@ ghost assay_layout_inside(entry, order, n, i, around, data_size);
    uint64_t begin = entry[order[i]].begin;

    //@ ghost assay_layout_empty_inside(entry, order, n, i, around);
    //@ assert around: 0 < around <= n && order[around - 1] < n;
    //@ assert judged: layout_judged(entry, n, data_begin, data_size, E_EMPTY_INSIDE, data_begin + begin);
    return layout_error(error, ASSAY_E_EMPTY_INSIDE, data_begin + begin, order[i], order[around - 1], ASSAY_NONE,
                        ASSAY_NONE);
}

static assay_status assay_layout(const assay_entry *entry, const uint32_t *order, uint32_t n, uint64_t data_begin,
                                 uint64_t data_size, assay_error *error)
{
    layout_state walk = layout_walk(entry, order, n);

    if (walk.inside == n && walk.pos == data_size) {
        //@ ghost assay_layout_partition(entry, order, n, data_size);
        return ASSAY_OK;
    }
    uint32_t i = layout_beyond(entry, n, data_size);
    bool stopped = walk.next < n || walk.pos != data_size;
    assay_status status;
    if (i < n) {
        //@ assert judged: layout_judged(entry, n, data_begin, data_size, E_TRUNCATED, data_begin + data_size);
        status = layout_error(error, ASSAY_E_TRUNCATED, data_begin + data_size, i, ASSAY_NONE, entry[i].end, data_size);
        //@ assert truncated: layout_judged{Pre}(entry, n, data_begin, data_size, status, error->offset);
    } else if (stopped) {
        status = layout_broken(entry, order, n, walk, data_begin, data_size, error);
        //@ assert broken: layout_judged{Pre}(entry, n, data_begin, data_size, status, error->offset);
    } else {
        status = layout_enclosed(entry, order, walk.inside, walk.around, data_begin, error) /*@ ghost (n, data_size) */;
        //@ assert enclosed: layout_judged{Pre}(entry, n, data_begin, data_size, status, error->offset);
    }
    //@ assert status: error->status == status && ASSAY_E_TRUNCATED <= status <= ASSAY_E_EMPTY_INSIDE;
    //@ assert judged: layout_judged{Pre}(entry, n, data_begin, data_size, status, error->offset);
    return status;
}
