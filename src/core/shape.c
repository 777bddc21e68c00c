/* Arrays of numbers: a tensor's shape and its data offsets. Rules H1, H3 and H14 to H16 in them, H18; the limit on
 * the rank. */
#include "core.h"
#include "tensor_steps.h"

/* Unfolds: value_at, item_end, item_value, shape_end, shape_rank, shape_product, shape_zero, offsets_rest, offsets_end,
 * offsets_begin, offsets_finish. */

#define ASSAY_DIGITS 17u /* so many fit 64 bits, whatever they are; a first one, and four at a time */

/*@ // More than all numbers of n digits.
    logic integer above_digits(integer n) =
        n <= 0 ? 1 : n == 1 ? 10 : n == 2 ? 100 : n == 3 ? 1000 : n == 4 ? 10000 : n == 5 ? 100000 : n == 6 ? 1000000
        : n == 7 ? 10000000 : n == 8 ? 100000000 : n == 9 ? 1000000000 : n == 10 ? 10000000000
        : n == 11 ? 100000000000 : n == 12 ? 1000000000000 : n == 13 ? 10000000000000 : n == 14 ? 100000000000000
        : n == 15 ? 1000000000000000 : n == 16 ? 10000000000000000 : n == 17 ? 100000000000000000
        : 1000000000000000000;

    // head[start .. at) are digits, and sum is the number that they make.
    predicate digits_read{L}(uint8_t *head, integer start, integer at, integer end, integer sum) =
        start <= at <= start + 17 && sum == digits_value(head, start, at) && 0 <= sum < above_digits(at - start)
        && digits_end(head, at, end) == digits_end(head, start, end)
        && number_end(head, at, end) == number_end(head, start, end);
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
    *sum = *sum * 10u + c - '0'; /* below 10^17: no check */
    *at = *at + 1u;
    return true;
}

/* Goes over one byte of white space, if it stands here. */
/*@ requires here: \valid_read(head + at) && at < ASSAY_END_MAX;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures gap: \result == at || \result == at + 1 && white_byte(head[at]);
*/
static inline uint64_t assay_one_blank(const uint8_t *head, uint64_t at)
{
    uint8_t c = head[at];
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' ? at + 1u : at;
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
    /*@ loop invariant i: at < i <= at + 13;
        loop invariant read: digits_read(head, at, i, end, sum);
        loop assigns i, sum;
        loop variant at + ASSAY_DIGITS - i;
    */
    while (assay_digit(head, &i, &sum) /*@ ghost ((uint32_t)at, end) */
           && assay_digit(head, &i, &sum) /*@ ghost ((uint32_t)at, end) */
           && assay_digit(head, &i, &sum) /*@ ghost ((uint32_t)at, end) */
           && assay_digit(head, &i, &sum) /*@ ghost ((uint32_t)at, end) */ && i <= at + 13u) {
    }
    *value = sum;
    return i;
}

/* What assay_item gives for nearly all items, quicker: for those with few digits, and at most one byte of white space
 * before and behind them. 0: it is another item. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    requires value: \valid(value);
    terminates \true;
    exits \false;
    assigns *value;
    ensures on: \result == 0 || at < \result < end;
    ensures which: \result != 0 ==> head[\result] == ',' || head[\result] == ']';
    ensures exact: \result != 0 ==> \result == item_end(head, at, end, 0);
    ensures value: \result != 0 ==> *value == item_value(head, at, end);
*/
static inline uint64_t assay_short_item(const uint8_t *head, uint64_t at, uint32_t end, uint64_t *value)
{
    if (at + ASSAY_DIGITS + 2u >= end) {
        return 0;
    }
    uint64_t start = assay_one_blank(head, at);
    uint64_t behind = assay_short_number(head, start, value) /*@ ghost (end) */;
    if (behind == 0) {
        return 0;
    }
    uint64_t close = behind;
    if (head[close] != ',' && head[close] != ']') {
        close = assay_one_blank(head, behind);
        if (head[close] != ',' && head[close] != ']') {
            return 0;
        }
    }
    /*@ ghost assay_item_plain(head, (uint32_t)at, (uint32_t)start, (uint32_t)behind, (uint32_t)close, end); */
    return close;
}

/*@ requires dim: dim != 0;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: elements_product(\result) == times_dim(elements_product(product), dim);
*/
static inline uint64_t assay_times(uint64_t product, uint64_t dim)
{
    if (product <= UINT32_MAX && dim <= UINT32_MAX) {
        return product * dim;
    }
    uint64_t all = 0;
    (void)assay_multiply(product, dim, &all);
    return all;
}

/* at: the first dim of a shape that has some. Gives the place behind the ]. */
/*@ requires head: head_ok(head, end);
    requires at: at < end;
    requires draft: \valid(draft);
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
    uint64_t i = at;
    uint64_t rank = 0;
    uint64_t product = 1;
    draft->empty = 0;
    /*@ loop invariant i: at <= i <= end && rank <= i;
        loop invariant flag: draft->empty <= 1;
        loop invariant exact: dims_end(head, at, end, 1, max_rank) == dims_end(head, i, end, rank + 1, max_rank);
        loop invariant always: dims_end(head, at, end, 1, unlimited) == dims_end(head, i, end, rank + 1, unlimited);
        loop invariant rank: dims_count(head, at, end) == rank + dims_count(head, i, end);
        loop invariant product: dims_product(head, at, end, 1)
            == dims_product(head, i, end, elements_product(product));
        loop invariant empty: dims_zero(head, at, end) == (draft->empty == 1 ? 1 : dims_zero(head, i, end));
        loop assigns i, rank, product, draft->empty;
        loop variant end - i;
    */
    while (true) {
        uint64_t dim = 0;
        uint64_t close = rank < max_rank ? assay_short_item(head, i, end, &dim) : 0;
        rank = rank + 1u;
        /*@ ghost assay_dims_step(head, (uint32_t)i, end, rank, max_rank);
                  assay_dims_step(head, (uint32_t)i, end, rank, UINT64_MAX);
                  assay_dim_step(head, (uint32_t)i, end); */
        if (close == 0) {
            uint64_t value = 0;
            assay_step step = assay_item(head, (uint32_t)i, end, rank > max_rank, &value);
            if (step >= ASSAY_STOPPED) {
                draft->rank = rank;
                if (step / ASSAY_STOPPED == ASSAY_LIMIT_RANK) {
                    draft->expected = max_rank;
                    draft->found = rank;
                }
                return step;
            }
            dim = value;
            close = step;
        }
        if (dim == 0) {
            draft->empty = 1;
        } else {
            product = assay_times(product, dim);
        }
        i = close + 1u;
        if (head[close] == ']') {
            draft->rank = rank;
            draft->elements = product;
            return i;
        }
    }
}

assay_step assay_shape(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft)
{
    //@ ghost assay_item_space(head, at, end);
    assay_step step = at < end && head[at] > ' ' ? at : assay_first_item(head, at, end);
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    if (head[step] != ']') {
        return assay_shape_dims(head, (uint32_t)step, end, max_rank, draft);
    }
    draft->rank = 0;
    draft->elements = 1;
    draft->empty = 0;
    return step + 1u;
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
    uint64_t begin = 0;
    uint64_t finish = 0;
    uint64_t comma = assay_short_number(head, at, &begin) /*@ ghost (end) */;
    if (comma != 0 && head[comma] == ',') {
        uint64_t second = assay_one_blank(head, comma + 1u);
        uint64_t close = assay_short_number(head, second, &finish) /*@ ghost (end) */;
        if (close != 0 && head[close] == ']') {
            /*@ ghost assay_item_plain(head, at, at, (uint32_t)comma, (uint32_t)comma, end);
                      assay_item_plain(head, (uint32_t)comma + 1u, (uint32_t)second, (uint32_t)close, (uint32_t)close,
                                       end); */
            draft->begin = begin;
            draft->end = finish;
            return close + 1u;
        }
    }
    return assay_any_offsets(head, at, end, draft);
}
