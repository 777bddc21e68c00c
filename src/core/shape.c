/* Arrays of numbers: a tensor's shape and its data offsets. Rules H1, H3 and H14 to H16 in them, H18; the limit on
 * the rank. */
#include "core.h"
#include "tensor_steps.h"

/* Unfolds: value_at, item_end, item_value, shape_end, shape_rank, shape_product, shape_zero, offsets_rest, offsets_end,
 * offsets_begin, offsets_finish. */

#define ASSAY_DIGITS 18u /* so many fit 64 bits, whatever they are */

/*@ // More than all numbers of n digits.
    logic integer above_digits(integer n) =
        n <= 0 ? 1 : n == 1 ? 10 : n == 2 ? 100 : n == 3 ? 1000 : n == 4 ? 10000 : n == 5 ? 100000 : n == 6 ? 1000000
        : n == 7 ? 10000000 : n == 8 ? 100000000 : n == 9 ? 1000000000 : n == 10 ? 10000000000
        : n == 11 ? 100000000000 : n == 12 ? 1000000000000 : n == 13 ? 10000000000000 : n == 14 ? 100000000000000
        : n == 15 ? 1000000000000000 : n == 16 ? 10000000000000000 : n == 17 ? 100000000000000000
        : 1000000000000000000;
*/

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
static assay_step assay_any_item(const uint8_t *head, uint32_t at, uint32_t end, bool beyond, uint64_t *value)
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

/* The first digits from `at` on, and the number that they make. Gives the place behind them. */
/*@ requires head: head_ok(head, end);
    requires at: at + ASSAY_DIGITS < end;
    requires value: \valid(value);
    terminates \true;
    exits \false;
    assigns *value;
    ensures after: at <= \result < end;
    ensures digits: digits_end(head, \result, end) == digits_end(head, at, end);
    ensures number: number_end(head, \result, end) == number_end(head, at, end);
    ensures value: *value == digits_value(head, at, \result);
    ensures small: *value <= 999999999999999999;
*/
static inline uint32_t assay_digits(const uint8_t *head, uint32_t at, uint64_t *value) /*@ ghost (uint32_t end) */
{
    uint64_t sum = 0;
    uint64_t i = at;
    //@ ghost assay_digit_step(head, at, at, end);
    /*@ loop invariant i: at <= i <= at + ASSAY_DIGITS;
        loop invariant digits: digits_end(head, i, end) == digits_end(head, at, end);
        loop invariant number: number_end(head, i, end) == number_end(head, at, end);
        loop invariant sum: sum == digits_value(head, at, i);
        loop invariant range: sum < above_digits(i - at);
        loop assigns i, sum;
        loop variant end - i;
    */
    while (i < (uint64_t)at + ASSAY_DIGITS && head[i] >= '0' && head[i] <= '9') {
        //@ ghost assay_digit_step(head, at, (uint32_t)i, end);
        sum = sum * 10u + head[i] - '0'; /* below 10^18: no check */
        i = i + 1u;
    }
    *value = sum;
    return (uint32_t)i;
}

/* assay_any_item, quicker for what nearly all items are: few digits, and right behind them the comma or the ]. */
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
static inline assay_step assay_item(const uint8_t *head, uint32_t at, uint32_t end, bool beyond, uint64_t *value)
{
    at = assay_space(head, at, end);
    if (!beyond && at + ASSAY_DIGITS < end) {
        uint32_t behind = assay_digits(head, at, value) /*@ ghost (end) */;
        if ((head[behind] == ',' || head[behind] == ']') && at < behind && (head[at] != '0' || behind == at + 1u)) {
            //@ ghost assay_item_plain(head, at, end, behind);
            return behind;
        }
    }
    return assay_any_item(head, at, end, beyond, value);
}

/* at: the first dim of a shape that has some; the draft holds the rank and the product of none. Gives the place behind
 * the ]. */
/*@ requires head: head_ok(head, end);
    requires at: at < end;
    requires draft: \valid(draft) && draft->rank == 0 && draft->elements == 1 && draft->empty == 0;
    terminates \true;
    exits \false;
    assigns draft->rank, draft->elements, draft->empty, draft->expected, draft->found;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \result == dims_end(head, at, end, 1, max_rank);
    ensures always: went_on(\result) ==> \result == dims_end(head, at, end, 1, unlimited);
    ensures rank: went_on(\result) ==> draft->rank == dims_count(head, at, end) && draft->rank <= \result;
    ensures product: went_on(\result) ==> elements_product(draft->elements) == dims_product(head, at, end, 1);
    ensures empty: went_on(\result) ==> draft->empty == dims_zero(head, at, end);
    ensures limit: \result / 4294967296 == N_LIMIT_RANK ==>
        draft->expected == max_rank && draft->found == draft->rank;
    ensures silent: \result / 4294967296 != N_LIMIT_RANK ==>
        draft->expected == \old(draft->expected) && draft->found == \old(draft->found);
*/
static assay_step assay_shape_dims(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank,
                                   assay_draft *draft)
{
    /*@ loop invariant at: \at(at, Pre) <= at <= end && draft->rank <= at;
        loop invariant flag: draft->empty <= 1;
        loop invariant silent: draft->expected == \at(draft->expected, Pre) && draft->found == \at(draft->found, Pre);
        loop invariant exact: dims_end(head, \at(at, Pre), end, 1, max_rank)
            == dims_end(head, at, end, draft->rank + 1, max_rank);
        loop invariant always: dims_end(head, \at(at, Pre), end, 1, unlimited)
            == dims_end(head, at, end, draft->rank + 1, unlimited);
        loop invariant rank: dims_count(head, \at(at, Pre), end) == draft->rank + dims_count(head, at, end);
        loop invariant product: dims_product(head, \at(at, Pre), end, 1)
            == dims_product(head, at, end, elements_product(draft->elements));
        loop invariant empty: dims_zero(head, \at(at, Pre), end)
            == (draft->empty == 1 ? 1 : dims_zero(head, at, end));
        loop assigns at, draft->rank, draft->elements, draft->empty, draft->expected, draft->found;
        loop variant end - at;
    */
    while (true) {
        uint64_t dim = 0;
        assay_step step = assay_item(head, at, end, draft->rank >= max_rank, &dim);
        draft->rank = draft->rank + 1u;
        /*@ ghost assay_dims_step(head, at, end, draft->rank, max_rank);
                  assay_dims_step(head, at, end, draft->rank, UINT64_MAX);
                  assay_dim_step(head, at, end); */
        if (step >= ASSAY_STOPPED) {
            if (step / ASSAY_STOPPED == ASSAY_LIMIT_RANK) {
                draft->expected = max_rank;
                draft->found = draft->rank;
            }
            return step;
        }
        if (dim == 0) {
            draft->empty = 1;
        } else if (!assay_multiply(draft->elements, dim, &draft->elements)) {
            draft->elements = 0;
        }
        if (head[step] == ']') {
            return step + 1u;
        }
        at = (uint32_t)step + 1u;
    }
}

assay_step assay_shape(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft)
{
    assay_step step = assay_first_item(head, at, end);
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    draft->rank = 0;
    draft->elements = 1;
    draft->empty = 0;
    if (head[step] == ']') {
        return step + 1u;
    }
    return assay_shape_dims(head, (uint32_t)step, end, max_rank, draft);
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

assay_step assay_offsets(const uint8_t *head, uint32_t at, uint32_t end, assay_draft *draft)
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
