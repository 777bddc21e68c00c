/* same_text.c: where the header holds the same bytes, it means the same. Ghost functions, no code. */
#include "core.h"

/* Unfolds: number_end, digits_end, digits_value, integer_end, integer_value, space_end, next_byte, value_at. */
/* Unfolds: item_text, item_end, item_value, shape_text, shape_end, shape_rank, shape_product, shape_zero. */

/*@ ghost
void assay_eight_same(const uint8_t *head, uint32_t x, uint32_t y, uint32_t k)
{
    /@ assert one: same_text(head, x, y, k + 1); @/
    /@ assert two: same_text(head, x, y, k + 2); @/
    /@ assert three: same_text(head, x, y, k + 3); @/
    /@ assert four: same_text(head, x, y, k + 4); @/
    /@ assert five: same_text(head, x, y, k + 5); @/
    /@ assert six: same_text(head, x, y, k + 6); @/
    /@ assert seven: same_text(head, x, y, k + 7); @/
}

/@ requires same: same_inside(head, x, y, size, end) && from <= size;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures inside: from <= \result <= size;
   ensures left: space_end(head, x + from, end) == x + \result == space_end(head, x + \result, end);
   ensures right: space_end(head, y + from, end) == y + \result == space_end(head, y + \result, end);
@/
static uint32_t assay_space_same(const uint8_t *head, uint32_t x, uint32_t y, uint32_t size, uint32_t end,
                                 uint32_t from)
{
    uint32_t k = from;
    /@ loop invariant inside: from <= k <= size;
       loop invariant left: space_end(head, x + from, end) == space_end(head, x + k, end);
       loop invariant right: space_end(head, y + from, end) == space_end(head, y + k, end);
       loop assigns k;
       loop variant size - k;
    @/
    while (k < size && (head[x + k] == ' ' || head[x + k] == 9 || head[x + k] == 10 || head[x + k] == 13)) {
        /@ assert byte: head[x + k] == head[y + k]; @/
        k++;
    }
    /@ assert byte: k < size ==> head[x + k] == head[y + k]; @/
    /@ assert next: !white_byte(head[x + k]) && !white_byte(head[y + k]); @/
    return k;
}

/@ requires same: same_inside(head, x, y, size, end) && from <= size;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures inside: from <= \result <= size;
   ensures left: digits_end(head, x + from, end) == x + \result
       && number_end(head, x + from, end) == number_end(head, x + \result, end);
   ensures right: digits_end(head, y + from, end) == y + \result
       && number_end(head, y + from, end) == number_end(head, y + \result, end);
   ensures value: digits_value(head, x + from, x + \result) == digits_value(head, y + from, y + \result);
@/
static uint32_t assay_digits_same(const uint8_t *head, uint32_t x, uint32_t y, uint32_t size, uint32_t end,
                                  uint32_t from)
{
    uint32_t k = from;
    assay_digit_step(head, x + from, x + from, end);
    assay_digit_step(head, y + from, y + from, end);
    /@ loop invariant inside: from <= k <= size;
       loop invariant left: digits_end(head, x + from, end) == digits_end(head, x + k, end)
           && number_end(head, x + from, end) == number_end(head, x + k, end);
       loop invariant right: digits_end(head, y + from, end) == digits_end(head, y + k, end)
           && number_end(head, y + from, end) == number_end(head, y + k, end);
       loop invariant value: digits_value(head, x + from, x + k) == digits_value(head, y + from, y + k);
       loop assigns k;
       loop variant size - k;
    @/
    while (k < size && '0' <= head[x + k] && head[x + k] <= '9') {
        /@ assert byte: head[x + k] == head[y + k]; @/
        assay_digit_step(head, x + from, x + k, end);
        assay_digit_step(head, y + from, y + k, end);
        k++;
    }
    assay_digit_step(head, x + from, x + k, end);
    assay_digit_step(head, y + from, y + k, end);
    /@ assert byte: k < size ==> head[x + k] == head[y + k]; @/
    /@ assert next: is_digit(head[x + k]) != 1 && is_digit(head[y + k]) != 1; @/
    return k;
}

/@ requires same: same_inside(head, x, y, size, end) && from <= size;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures inside: from <= \result <= size;
   ensures left: number_end(head, x + from, end) == x + \result;
   ensures right: number_end(head, y + from, end) == y + \result;
@/
static uint32_t assay_number_same(const uint8_t *head, uint32_t x, uint32_t y, uint32_t size, uint32_t end,
                                  uint32_t from)
{
    uint32_t k = from;
    /@ loop invariant inside: from <= k <= size;
       loop invariant left: number_end(head, x + from, end) == number_end(head, x + k, end);
       loop invariant right: number_end(head, y + from, end) == number_end(head, y + k, end);
       loop assigns k;
       loop variant size - k;
    @/
    while (k < size && (head[x + k] == '-' || ('0' <= head[x + k] && head[x + k] <= '9') || head[x + k] == '+'
                        || head[x + k] == '.' || head[x + k] == 'e' || head[x + k] == 'E')) {
        /@ assert byte: head[x + k] == head[y + k]; @/
        assay_digit_step(head, x + k, x + k, end);
        assay_digit_step(head, y + k, y + k, end);
        k++;
    }
    assay_digit_step(head, x + k, x + k, end);
    assay_digit_step(head, y + k, y + k, end);
    /@ assert byte: k < size ==> head[x + k] == head[y + k]; @/
    /@ assert next: is_number_byte(head[x + k]) != 1 && is_number_byte(head[y + k]) != 1; @/
    return k;
}

/@ requires head: head_ok(head, end) && at <= start <= number <= last < end;
   requires start: space_end(head, at, end) == start == space_end(head, start, end);
   requires kind: '0' <= head[start] <= '9';
   requires digits: digits_end(head, start, end) == number == number_end(head, start, end);
   requires form: head[start] != '0' || number == start + 1;
   requires range: digits_value(head, start, number) <= UINT64_MAX;
   requires last: space_end(head, number, end) == last && closes_item(head[last]);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures end: item_end(head, at, end, 0) == last == item_end(head, start, end, 0);
   ensures value: item_value(head, at, end) == digits_value(head, start, number) == item_value(head, start, end);
@/
static void assay_item_lexed(const uint8_t *head, uint32_t at, uint32_t start, uint32_t number, uint32_t last,
                             uint32_t end)
{
    /@ assert kind: value_kind(head[start]) == '0'; @/
    /@ assert value: value_at(head, at, end, '0') == start == value_at(head, start, end, '0'); @/
    /@ assert integer: integer_end(head, start, end, 0) == number; @/
    /@ assert next: next_byte(head, number, end, ',', ']') == last; @/
}

/@ requires same: same_inside(head, x, y, size, end);
   requires item: item_end(head, x, end, 0) <= end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures inside: \result <= size && closes_item(head[x + \result]) && closes_item(head[y + \result]);
   ensures left: item_end(head, x, end, 0) == x + \result;
   ensures right: item_end(head, y, end, 0) == y + \result;
   ensures value: item_value(head, x, end) == item_value(head, y, end);
   ensures start: \let p = space_end(head, y, end); y <= p < y + \result && head[p] != ']'
       && item_end(head, p, end, 0) == y + \result && item_value(head, p, end) == item_value(head, y, end);
@/
static uint32_t assay_item_last(const uint8_t *head, uint32_t x, uint32_t y, uint32_t size, uint32_t end)
{
    uint32_t start = assay_space_same(head, x, y, size, end, 0);
    uint32_t digits = assay_digits_same(head, x, y, size, end, start);
    uint32_t number = assay_number_same(head, x, y, size, end, digits);
    uint32_t last = assay_space_same(head, x, y, size, end, number);
    /@ assert kind: value_kind(head[x + start]) == '0'; @/
    /@ assert value: value_at(head, x, end, '0') == x + start; @/
    /@ assert start: start < size; @/
    /@ assert byte: head[x + start] == head[y + start]; @/
    /@ assert integer: integer_end(head, x + start, end, 0) == x + number; @/
    /@ assert form: digits == number; @/
    /@ assert digit: '0' <= head[x + start] <= '9'; @/
    /@ assert zero: head[x + start] != '0' || number == start + 1; @/
    /@ assert range: digits_value(head, x + start, x + number) <= UINT64_MAX; @/
    /@ assert next: next_byte(head, x + number, end, ',', ']') == x + last; @/
    /@ assert closes: closes_item(head[x + last]); @/
    /@ assert both: last < size ==> head[x + last] == head[y + last]; @/
    /@ assert inner: last < size ==> closes_item(head[y + last]); @/
    /@ assert outer: last == size ==> closes_item(head[y + last]); @/
    /@ assert also: closes_item(head[y + last]); @/
    assay_item_lexed(head, x, x + start, x + number, x + last, end);
    assay_item_lexed(head, y, y + start, y + number, y + last, end);
    return last;
}

void assay_item_keep(const uint8_t *head, uint32_t at, uint32_t size, uint32_t end)
{
}

void assay_item_same(const uint8_t *head, uint32_t x, uint32_t y, uint32_t size, uint32_t end, uint64_t value)
{
    assay_item_last(head, x, y, size, end);
}

void assay_shape_keep(const uint8_t *head, uint32_t at, uint32_t size, uint32_t end, uint64_t rank, uint64_t elements,
                      uint64_t empty)
{
}

/@ requires same: same_inside(head, x, y, size, end);
   requires closes: head[x + size] == ']' && head[y + size] == ']';
   requires dims: dims_end(head, x, end, 1, unlimited) == x + size + 1;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures end: dims_end(head, y, end, 1, unlimited) == y + size + 1;
   ensures count: dims_count(head, y, end) == dims_count(head, x, end);
   ensures within: dims_count(head, x, end) <= max_rank ==> dims_end(head, y, end, 1, max_rank) == y + size + 1;
   ensures product: dims_product(head, y, end, 1) == dims_product(head, x, end, 1);
   ensures zero: dims_zero(head, y, end) == dims_zero(head, x, end);
@/
static void assay_dims_same(const uint8_t *head, uint32_t x, uint32_t y, uint32_t size, uint32_t end,
                            uint64_t max_rank)
{
    uint32_t k = 0;
    uint32_t n = 1;
    uint32_t last = 0;
    /@ loop invariant inside: k <= size && 1 <= n <= k + 1;
       loop invariant left: dims_end(head, x, end, 1, unlimited) == dims_end(head, x + k, end, n, unlimited);
       loop invariant right: dims_end(head, y, end, 1, unlimited) == dims_end(head, y + k, end, n, unlimited);
       loop invariant within: n - 1 <= max_rank ==>
           dims_end(head, y, end, 1, max_rank) == dims_end(head, y + k, end, n, max_rank);
       loop invariant count_left: dims_count(head, x, end) == n - 1 + dims_count(head, x + k, end);
       loop invariant count_right: dims_count(head, y, end) == n - 1 + dims_count(head, y + k, end);
       loop invariant product: k == 0 || \exists integer product;
           dims_product(head, x, end, 1) == dims_product(head, x + k, end, product)
           && dims_product(head, y, end, 1) == dims_product(head, y + k, end, product);
       loop invariant zero: dims_zero(head, y, end) == dims_zero(head, x, end)
           || dims_zero(head, x, end) == dims_zero(head, x + k, end)
              && dims_zero(head, y, end) == dims_zero(head, y + k, end);
       loop assigns k, n, last;
       loop variant size - k;
    @/
    while (true) {
        assay_dims_step(head, x + k, end, n, UINT64_MAX);
        assay_dims_step(head, y + k, end, n, UINT64_MAX);
        assay_dims_step(head, y + k, end, n, max_rank);
        assay_dim_step(head, x + k, end);
        assay_dim_step(head, y + k, end);
        /@ assert went: item_end(head, x + k, end, 0) <= end; @/
        /@ assert rest: same_inside(head, x + k, y + k, (uint32_t)(size - k), end); @/
        last = k + assay_item_last(head, x + k, y + k, size - k, end);
        /@ assert left_item: item_end(head, x + k, end, 0) == x + last; @/
        /@ assert right_item: item_end(head, y + k, end, 0) == y + last; @/
        /@ assert inner: last < size ==> head[x + last] == head[y + last]; @/
        /@ assert outer: last == size ==> head[x + last] == head[y + last]; @/
        /@ assert byte: head[x + last] == head[y + last]; @/
        if (head[x + last] != ',') {
            break;
        }
        /@ assert further: last < size; @/
        /@ assert comma: head[y + last] == ','; @/
        /@ assert within: y + k <= y + last < end && n <= UINT64_MAX; @/
        /@ assert right_end: item_end(head, y + k, end, n > unlimited ? 1 : 0) == y + last; @/
        /@ assert right_step: dims_end(head, y + k, end, n, unlimited)
             == dims_end(head, y + last + 1, end, n + 1, unlimited); @/
        /@ assert at_first: k == 0 ==> dims_product(head, x, end, 1) == dims_product(head, x + k, end, 1)
             && dims_product(head, y, end, 1) == dims_product(head, y + k, end, 1); @/
        /@ assert left_first: k == 0 ==> dims_product(head, x, end, 1) ==
             dims_product(head, x + last + 1, end, times_dim(1, item_value(head, x + k, end))); @/
        /@ assert right_first: k == 0 ==> dims_product(head, y, end, 1) ==
             dims_product(head, y + last + 1, end, times_dim(1, item_value(head, x + k, end))); @/
        /@ assert first: k == 0 ==> \exists integer product;
             dims_product(head, x, end, 1) == dims_product(head, x + last + 1, end, product)
             && dims_product(head, y, end, 1) == dims_product(head, y + last + 1, end, product); @/
        /@ assert later: k != 0 ==> \exists integer product;
             dims_product(head, x, end, 1) == dims_product(head, x + last + 1, end, product)
             && dims_product(head, y, end, 1) == dims_product(head, y + last + 1, end, product); @/
        k = last + 1;
        n = n + 1;
    }
    /@ assert last: last == size; @/
}

void assay_shape_same(const uint8_t *head, uint32_t x, uint32_t y, uint32_t size, uint32_t end, uint64_t max_rank,
                      uint64_t rank, uint64_t elements, uint64_t empty)
{
    uint32_t start = assay_space_same(head, x, y, size - 1, end, 0);
    /@ assert inside: space_end(head, x, end) < end && space_end(head, y, end) < end; @/
    /@ assert same: head[x + start] == head[y + start]; @/
    if (head[x + start] != ']') {
        /@ assert closes: head[x + (size - 1)] == head[y + (size - 1)]; @/
        assay_dims_same(head, x + start, y + start, size - 1 - start, end, max_rank);
        /@ assert dims: dims_end(head, y + start, end, 1, unlimited) == y + size; @/
        /@ assert product: dims_product(head, y + start, end, 1) == elements_product(elements); @/
    } else {
        /@ assert none: start + 1 == size && head[y + start] == ']' && elements_product(elements) == 1; @/
    }
    /@ assert start: space_end(head, y, end) == y + start; @/
}
*/
