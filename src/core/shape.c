/* Arrays of numbers: a tensor's shape and its data offsets. Rules H1, H3 and H14 to H16 in them, H18; the limit on
 * the rank. */
#include "core.h"

/* Unfolds: value_at, item_end, item_value, shape_end, shape_rank, shape_product, shape_zero, offsets_rest, offsets_end,
 * offsets_begin, offsets_finish. */

#define ASSAY_DIGITS 19u /* so many fit 64 bits, whatever they are; a first one, and three at a time */

/*@ // More than all numbers of n digits.
    logic integer above_digits(integer n) =
        n <= 0 ? 1 : n == 1 ? 10 : n == 2 ? 100 : n == 3 ? 1000 : n == 4 ? 10000 : n == 5 ? 100000 : n == 6 ? 1000000
        : n == 7 ? 10000000 : n == 8 ? 100000000 : n == 9 ? 1000000000 : n == 10 ? 10000000000
        : n == 11 ? 100000000000 : n == 12 ? 1000000000000 : n == 13 ? 10000000000000 : n == 14 ? 100000000000000
        : n == 15 ? 1000000000000000 : n == 16 ? 10000000000000000 : n == 17 ? 100000000000000000
        : n == 18 ? 1000000000000000000 : 10000000000000000000;

    // head[start .. at) are digits, and sum is the number that they make.
    predicate digits_read{L}(uint8_t *head, integer start, integer at, integer end, integer sum) =
        start <= at <= start + 19 && sum == digits_value(head, start, at) && 0 <= sum < above_digits(at - start)
        && digits_end(head, at, end) == digits_end(head, start, end)
        && number_end(head, at, end) == number_end(head, start, end);
*/

/* Takes the digit that stands at *at, if there is one, into *sum. */
/*@ requires head: head_ok(head, end);
    requires out: \valid(at) && \valid(sum) && \separated(at, sum);
    requires at: start <= *at < start + ASSAY_DIGITS < end;
    requires read: digits_read(head, start, *at, end, *sum);
    terminates \true;
    exits \false;
    assigns *at, *sum;
    ensures read: digits_read(head, start, *at, end, *sum);
    ensures at: *at == \old(*at) + (\result == 1 ? 1 : 0);
*/
static inline bool assay_digit(const uint8_t *head, uint64_t *at, uint64_t *sum)
    /*@ ghost (uint32_t start, uint32_t end) */
{
    uint8_t c = head[*at];
    if (c < '0' || c > '9') {
        return false;
    }
    //@ ghost assay_digit_step(head, start, (uint32_t)*at, end);
    *sum = *sum * 10u + c - '0'; /* below 10^19: no check */
    *at = *at + 1u;
    return true;
}

/* A plain number of few digits, or the first digits of one: gives the place behind them. 0: there is none. */
/*@ requires head: head_ok(head, end);
    requires at: at + ASSAY_DIGITS < end;
    requires value: \valid(value);
    terminates \true;
    exits \false;
    assigns *value;
    ensures after: \result == 0 || at < \result <= at + ASSAY_DIGITS;
    ensures first: \result != 0 ==> '0' <= head[at] <= '9' && (head[at] != '0' || \result == at + 1);
    ensures digits: \result != 0 ==> digits_read(head, at, \result, end, *value);
*/
static inline uint64_t assay_short_number(const uint8_t *head, uint64_t at, uint64_t *value)
    /*@ ghost (uint32_t end) */
{
    uint8_t first = head[at];
    //@ ghost assay_digit_step(head, (uint32_t)at, (uint32_t)at, end);
    if (first < '1' || first > '9') {
        *value = 0;
        return first == '0' ? at + 1u : 0;
    }
    uint64_t i = at + 1u;
    uint64_t sum = (uint64_t)first - '0';
    /*@ loop invariant i: at < i <= at + 16;
        loop invariant read: digits_read(head, at, i, end, sum);
        loop assigns i, sum;
        loop variant at + ASSAY_DIGITS - i;
    */
    while (assay_digit(head, &i, &sum) /*@ ghost ((uint32_t)at, end) */
           && assay_digit(head, &i, &sum) /*@ ghost ((uint32_t)at, end) */
           && assay_digit(head, &i, &sum) /*@ ghost ((uint32_t)at, end) */ && i <= at + 16u) {
    }
    *value = sum;
    return i;
}

/* Goes over the white space that stands here, up to `bound`, byte by byte: mostly there is little. */
/*@ requires head: \valid_read(head + (at .. bound)) && bound < ASSAY_END_MAX;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures inside: \result == at || at < \result <= bound;
    ensures gap: \forall integer i; at <= i < \result ==> white_byte(head[i]);
*/
static inline uint64_t assay_blanks_till(const uint8_t *head, uint64_t at, uint64_t bound)
{
    uint64_t i = at;
    /*@ loop invariant inside: i == at || at < i <= bound;
        loop invariant gap: \forall integer j; at <= j < i ==> white_byte(head[j]);
        loop assigns i;
        loop variant bound - i;
    */
    while (i < bound && (head[i] == ' ' || head[i] == '\n' || head[i] == '\t' || head[i] == '\r')) {
        i = i + 1u;
    }
    return i;
}

/* What assay_item gives for nearly all items, quicker: for those with few digits, not near the end of the header. 0:
 * it is another item. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    requires value: \valid(value);
    terminates \true;
    exits \false;
    assigns *value;
    ensures on: \result == 0 || at < \result < end;
    ensures which: \result != 0 ==> head[\result] == ',' || head[\result] == ']';
    ensures start: \result != 0 ==> space_end(head, at, end) < \result;
    ensures exact: \result != 0 ==> \result == item_end(head, at, end, 0);
    ensures value: \result != 0 ==> *value == item_value(head, at, end);
*/
static inline uint64_t assay_short_item(const uint8_t *head, uint64_t at, uint32_t end, uint64_t *value)
{
    uint64_t last = end > ASSAY_DIGITS ? end - ASSAY_DIGITS - 1u : 0; /* before it there is room for a number */
    if (at >= last) {
        return 0;
    }
    uint64_t start = head[at] > ' ' ? at : assay_blanks_till(head, at, last);
    uint64_t behind = assay_short_number(head, start, value) /*@ ghost (end) */;
    if (behind == 0) {
        return 0;
    }
    uint64_t close = head[behind] > ' ' ? behind : assay_blanks_till(head, behind, last);
    if (head[close] != ',' && head[close] != ']') {
        return 0;
    }
    /*@ ghost assay_item_plain(head, (uint32_t)at, (uint32_t)start, (uint32_t)behind, (uint32_t)close, end); */
    return close;
}

/* One item, and what follows it. beyond: it is a dim beyond the limit on the rank. Gives the place of the comma or of
 * the ]. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    requires value: \valid(value);
    terminates \true;
    exits \false;
    assigns *value;
    ensures on: lands_on(\result, at + 1, end);
    ensures which: went_on(\result) ==> head[\result] == ',' || head[\result] == ']';
    ensures exact: \result == item_end(head, at, end, beyond == 1 ? 1 : 0);
    ensures always: went_on(\result) ==> \result == item_end(head, at, end, 0);
    ensures value: went_on(\result) ==> *value == item_value(head, at, end);
*/
static assay_step assay_item(const uint8_t *head, uint32_t at, uint32_t end, bool beyond, uint64_t *value)
{
    at = assay_space(head, at, end);
    if (at >= end) {
        return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
    }
    if (!assay_is_number_start(head[at])) {
        return assay_wrong(head[at], at);
    }
    assay_step step = assay_integer(head, at, end, value);
    //@ ghost assay_integer_beyond(head, at, end);
    if (beyond && step != ASSAY_STOP(ASSAY_E_HEADER_EARLY, end)) {
        return ASSAY_STOP(ASSAY_LIMIT_RANK, at);
    }
    return step < ASSAY_STOPPED ? assay_separator(head, (uint32_t)step, end, ']') : step;
}

/* Takes a dim into the draft. */
/*@ requires draft: \valid(draft) && draft->rank <= ASSAY_END_MAX;
    terminates \true;
    exits \false;
    assigns draft->rank, draft->elements, draft->empty;
    ensures rank: draft->rank == \old(draft->rank) + 1;
    ensures product: elements_product(draft->elements) == times_dim(elements_product(\old(draft->elements)), dim);
    ensures empty: draft->empty == (dim == 0 ? 1 : \old(draft->empty));
*/
static inline void assay_dim_take(assay_draft *draft, uint64_t dim)
{
    draft->rank = draft->rank + 1u;
    if (dim == 0) {
        draft->empty = 1;
    } else if (draft->elements <= UINT32_MAX && dim <= UINT32_MAX) {
        draft->elements = draft->elements * dim;
    } else if (!assay_multiply(draft->elements, dim, &draft->elements)) {
        draft->elements = 0;
    }
}

/*@ ghost
// The dims of a shape whose first stands behind white space.
/@ requires head: head_ok(head, end);
   requires inside: at <= end;
   requires limit: max_rank >= 1;
   requires item: space_end(head, at, end) < item_end(head, at, end, 0) < end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures begins: \let p = space_end(head, at, end); at <= p < end && head[p] != ']';
   ensures end: dims_end(head, space_end(head, at, end), end, 1, max_rank) == dims_end(head, at, end, 1, max_rank);
   ensures product: dims_product(head, space_end(head, at, end), end, 1) == dims_product(head, at, end, 1);
   ensures zero: dims_zero(head, space_end(head, at, end), end) == dims_zero(head, at, end);
   ensures count: dims_count(head, space_end(head, at, end), end) == dims_count(head, at, end);
@/
static void assay_dims_space(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank)
{
    uint32_t p = assay_solid(head, at, end);
    assay_item_space(head, at, end);
    /@ assert same: item_end(head, p, end, 0) == item_end(head, at, end, 0)
         && item_value(head, p, end) == item_value(head, at, end); @/
    assay_dims_step(head, at, end, 1, max_rank);
    assay_dims_step(head, p, end, 1, max_rank);
    assay_dim_step(head, at, end);
    assay_dim_step(head, p, end);
}
*/

uint32_t assay_shape_quick(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft)
{
    uint64_t i = at;
    draft->rank = 0;
    draft->elements = 1;
    draft->empty = 0;
    /*@ loop invariant i: at <= i <= end;
        loop invariant first: draft->rank == 0 ? i == at && draft->elements == 1 && draft->empty == 0
            : max_rank >= 1 && space_end(head, at, end) < item_end(head, at, end, 0) < end;
        loop invariant held: dims_held(draft, head, at, i, end, max_rank);
        loop assigns i, draft->rank, draft->elements, draft->empty;
        loop variant end - i;
    */
    while (draft->rank < max_rank) {
        uint64_t dim = 0;
        uint64_t close = assay_short_item(head, i, end, &dim);
        if (close == 0) {
            break;
        }
        assay_dim_take(draft, dim);
        /*@ ghost assay_dims_step(head, (uint32_t)i, end, draft->rank, max_rank);
                  assay_dims_step(head, (uint32_t)i, end, draft->rank, UINT64_MAX);
                  assay_dim_step(head, (uint32_t)i, end); */
        i = close + 1u;
        if (head[close] == ']') {
            /*@ ghost assay_dims_space(head, at, end, max_rank);
                      assay_dims_space(head, at, end, UINT64_MAX); */
            return (uint32_t)i;
        }
    }
    //@ ghost assay_item_space(head, at, end);
    draft->rest_at = i;
    return draft->rank == 0 && at < end && head[at] == ']' ? at + 1u : 0;
}

/* The dims from the one at `at` on, in any form; start: behind the [. The draft holds those before it. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= start <= at <= end;
    requires draft: \valid(draft) && dims_held(draft, head, start, at, end, max_rank);
    requires first: draft->rank == 0 ? at == start && draft->elements == 1 && draft->empty == 0
        : max_rank >= 1 && space_end(head, start, end) < item_end(head, start, end, 0) < end;
    terminates \true;
    exits \false;
    assigns draft->rank, draft->elements, draft->empty, draft->expected, draft->found;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \result == shape_end(head, start - 1, end, max_rank);
    ensures always: went_on(\result) ==> \result == shape_end(head, start - 1, end, unlimited);
    ensures rank: went_on(\result) ==> draft->rank == shape_rank(head, start - 1, end) && draft->rank <= \result;
    ensures product: went_on(\result) ==> elements_product(draft->elements) == shape_product(head, start - 1, end);
    ensures empty: went_on(\result) ==> draft->empty == shape_zero(head, start - 1, end);
    ensures limit: \result / 4294967296 == N_LIMIT_RANK ==>
        draft->expected == max_rank && draft->found == draft->rank;
    ensures silent: \result / 4294967296 != N_LIMIT_RANK ==>
        draft->expected == \old(draft->expected) && draft->found == \old(draft->found);
*/
static assay_step assay_shape_rest(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank,
                                   assay_draft *draft) /*@ ghost (uint32_t start) */
{
    /*@ ghost if (draft->rank > 0) {
            assay_dims_space(head, start, end, max_rank);
            assay_dims_space(head, start, end, UINT64_MAX);
        } */
    assay_step step = draft->rank == 0 ? assay_first_item(head, at, end) : at;
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    if (draft->rank == 0 && head[step] == ']') {
        return step + 1u;
    }
    //@ ghost uint32_t first = draft->rank == 0 ? (uint32_t)step : start;
    /*@ loop invariant i: at <= step <= end;
        loop invariant held: dims_held(draft, head, first, step, end, max_rank);
        loop assigns step, draft->rank, draft->elements, draft->empty;
        loop variant end - step;
    */
    while (true) {
        uint64_t dim = 0;
        assay_step close = assay_item(head, (uint32_t)step, end, draft->rank >= max_rank, &dim);
        assay_dim_take(draft, dim);
        /*@ ghost assay_dims_step(head, (uint32_t)step, end, draft->rank, max_rank);
                  assay_dims_step(head, (uint32_t)step, end, draft->rank, UINT64_MAX);
                  assay_dim_step(head, (uint32_t)step, end); */
        if (close >= ASSAY_STOPPED) {
            if (close / ASSAY_STOPPED == ASSAY_LIMIT_RANK) {
                draft->expected = max_rank;
                draft->found = draft->rank;
            }
            return close;
        }
        step = close + 1u;
        if (head[close] == ']') {
            return step;
        }
    }
}

assay_step assay_shape(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft)
{
    assay_step step = assay_shape_quick(head, at, end, max_rank, draft);
    return step != 0 ? step
        : assay_shape_rest(head, (uint32_t)draft->rest_at, end, max_rank, draft) /*@ ghost (at) */;
}

/*@ requires draft: \valid(draft);
    terminates \true;
    exits \false;
    assigns draft->expected, draft->found;
    ensures exact: \result == stop(E_OFFSETS_COUNT, at);
    ensures told: draft->expected == 2 && draft->found == count;
*/
static assay_step assay_offsets_count(uint32_t at, uint64_t count, assay_draft *draft)
{
    draft->expected = 2;
    draft->found = count;
    return ASSAY_STOP(ASSAY_E_OFFSETS_COUNT, at);
}

/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    requires draft: \valid(draft);
    terminates \true;
    exits \false;
    assigns draft->begin, draft->end, draft->expected, draft->found;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \result == offsets_end(head, at - 1, end);
    ensures begin: went_on(\result) ==> draft->begin == offsets_begin(head, at - 1, end);
    ensures finish: went_on(\result) ==> draft->end == offsets_finish(head, at - 1, end);
*/
static assay_step assay_any_offsets(const uint8_t *head, uint32_t at, uint32_t end, assay_draft *draft)
{
    assay_step step = assay_first_item(head, at, end);
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    if (head[step] == ']') {
        return assay_offsets_count((uint32_t)step, 0, draft);
    }
    step = assay_item(head, (uint32_t)step, end, false, &draft->begin);
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    if (head[step] == ']') {
        return assay_offsets_count((uint32_t)step, 1, draft);
    }
    step = assay_item(head, (uint32_t)step + 1u, end, false, &draft->end);
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    if (head[step] == ',') {
        return assay_offsets_count((uint32_t)step, 3, draft);
    }
    return step + 1u;
}

assay_step assay_offsets(const uint8_t *head, uint32_t at, uint32_t end, assay_draft *draft)
{
    //@ ghost assay_item_space(head, at, end);
    if (at + 2u * ASSAY_DIGITS + 3u >= end) {
        return assay_any_offsets(head, at, end, draft);
    }
    uint64_t comma = assay_short_number(head, at, &draft->begin) /*@ ghost (end) */;
    if (comma != 0 && head[comma] == ',') {
        uint64_t second = comma + (head[comma + 1u] == ' ' ? 2u : 1u);
        uint64_t close = assay_short_number(head, second, &draft->end) /*@ ghost (end) */;
        if (close != 0 && head[close] == ']') {
            /*@ ghost assay_item_plain(head, at, at, (uint32_t)comma, (uint32_t)comma, end);
                      assay_item_plain(head, (uint32_t)comma + 1u, (uint32_t)second, (uint32_t)close, (uint32_t)close,
                                       end); */
            return close + 1u;
        }
    }
    return assay_any_offsets(head, at, end, draft);
}
