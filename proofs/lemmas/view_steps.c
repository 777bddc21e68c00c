/* view_steps.c: why reading dim after dim meets the dims of the shape. Ghost functions, no code. */
#include "core.h"

/* Unfolds: space_end, number_end, integer_end, next_byte, value_at, item_end, shape_end, shape_rank, dim_at,
 * shape_judged, dim_start, dim_stop, dim_there, dims_after,
 * tensor_name, tensor_name_end. */

/*@ ghost
/@ requires head: head_ok(head, end);
   requires at: at <= end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures space: at <= \result <= end && \result == space_end(head, at, end);
   ensures solid: space_end(head, \result, end) == \result;
@/
uint32_t steps_space(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t i = at;
    /@ loop invariant space: at <= i <= end && space_end(head, i, end) == space_end(head, at, end);
       loop assigns i;
       loop variant end - i;
    @/
    while (i < end && (head[i] == ' ' || head[i] == '\n' || head[i] == '\t' || head[i] == '\r')) {
        i++;
    }
    return i;
}

/@ requires head: head_ok(head, end);
   requires at: at <= end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures number: at <= \result <= end && \result == number_end(head, at, end);
@/
uint32_t steps_number(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t i = at;
    /@ loop invariant number: at <= i <= end && number_end(head, i, end) == number_end(head, at, end);
       loop assigns i;
       loop variant end - i;
    @/
    while (i < end && ((head[i] >= '0' && head[i] <= '9') || head[i] == '+' || head[i] == '-' || head[i] == '.'
                       || head[i] == 'e' || head[i] == 'E')) {
        i++;
    }
    return i;
}

// The dim that is wanted at `at`: what stands behind it, a comma or the ].
/@ requires head: head_ok(head, end);
   requires at: at <= end && count < unlimited;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures after: at <= number_end(head, space_end(head, at, end), end) <= \result <= end;
   ensures behind:
       \result == space_end(head, number_end(head, space_end(head, at, end), end), end);
   ensures there: dims_end(head, at, end, count, unlimited) <= end ==> \let dim = space_end(head, at, end);
       dim < end && value_kind(head[dim]) == '0' && integer_end(head, dim, end, 0) <= end &&
       \result < end && item_end(head, dim, end, 0) == \result;
   ensures next: dims_end(head, at, end, count, unlimited) <= end && head[\result] == ',' ==>
       dims_count(head, at, end) == 1 + dims_count(head, \result + 1, end) &&
       dims_end(head, at, end, count, unlimited) == dims_end(head, \result + 1, end, count + 1, unlimited);
   ensures last: dims_end(head, at, end, count, unlimited) <= end && head[\result] != ',' ==>
       dims_count(head, at, end) == 1;
@/
uint32_t steps_dim(const uint8_t *head, uint32_t at, uint32_t end, uint64_t count)
{
    uint32_t dim = steps_space(head, at, end);
    uint32_t close = steps_number(head, dim, end);
    uint32_t next = steps_space(head, close, end);
    /@ assert item: item_end(head, at, end, 0) <= end ==>
           item_end(head, at, end, 0) == next < end && integer_end(head, dim, end, 0) == close; @/
    assay_dims_step(head, at, end, count, UINT64_MAX);
    assay_dim_step(head, at, end);
    return next;
}

// Where dim k + 1 stands, and the cursor before it.
/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures at: dim_at(head, at, end, k + 1)
       == space_end(head, item_end(head, dim_at(head, at, end, k), end, 0) + 1, end);
   ensures after: dims_after(head, at + 1, end, k + 1)
       == number_end(head, dim_start(head, dims_after(head, at + 1, end, k), end), end);
@/
void steps_place(const uint8_t *head, uint32_t at, uint32_t end, uint32_t k)
{
}

// What a cursor behind a dim finds: the comma is stepped over.
/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures start: space_end(head, close, end) < end && head[space_end(head, close, end)] == ',' ==>
       dim_start(head, close, end) == space_end(head, space_end(head, close, end) + 1, end);
@/
void steps_start(const uint8_t *head, uint32_t close, uint32_t end)
{
}

// The first one.
/@ requires head: head_ok(head, end);
   requires at: at < end;
   requires first: p <= end && p == space_end(head, at + 1, end) && space_end(head, p, end) == p;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures at: dim_at(head, at, end, 0) == p;
   ensures after: dims_after(head, at + 1, end, 0) == at + 1;
   ensures start: p < end && head[p] != ']' && shape_judged(head, at, end) ==>
       dim_start(head, at + 1, end) == p && dims_end(head, p, end, 1, unlimited) <= end;
@/
void steps_first(const uint8_t *head, uint32_t at, uint32_t end, uint32_t p)
{
    assay_dims_step(head, p, end, (uint64_t)1, UINT64_MAX);
}

void assay_dims_judged(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t p = steps_space(head, at + 1, end); // where dim k is wanted
    uint32_t k = 0;
    steps_first(head, at, end, p);
    bool more = p < end && head[p] != ']';
    /@ loop invariant bounds: k <= p <= end && (more ==> k < p);
       loop invariant judged: more && shape_judged(head, at, end) ==>
           dims_end(head, p, end, k + 1, unlimited) <= end;
       loop invariant count: shape_judged(head, at, end) ==>
           shape_rank(head, at, end) == (more ? k + dims_count(head, p, end) : k);
       loop invariant place: more && shape_judged(head, at, end) ==>
           dim_at(head, at, end, k) == space_end(head, p, end);
       loop invariant start: more && shape_judged(head, at, end) ==>
           dims_after(head, at + 1, end, k) <= p &&
           dim_start(head, dims_after(head, at + 1, end, k), end) == space_end(head, p, end);
       loop invariant met: shape_judged(head, at, end) ==>
           \forall integer j; 0 <= j < k ==> dim_met(head, at, end, j);
       loop assigns p, k, more;
       loop variant (more ? 1 : 0) + end - p;
    @/
    while (more) {
        uint32_t next = steps_dim(head, p, end, (uint64_t)(k + 1));
        uint32_t dim = steps_space(head, p, end);
        uint32_t close = steps_number(head, dim, end);
        steps_place(head, at, end, k);
        steps_start(head, close, end);
        /@ assert met: shape_judged(head, at, end) ==> dim_met(head, at, end, k); @/
        /@ assert after: shape_judged(head, at, end) ==> dims_after(head, at + 1, end, k + 1) == close; @/
        /@ assert behind: space_end(head, close, end) == next; @/
        /@ assert begin: next < end && head[next] == ',' ==>
               dim_start(head, close, end) == space_end(head, next + 1, end); @/
        /@ assert start: shape_judged(head, at, end) && next < end && head[next] == ',' ==>
               dim_start(head, dims_after(head, at + 1, end, k + 1), end) == space_end(head, next + 1, end); @/
        more = next < end && head[next] == ',';
        k++;
        if (more) {
            p = next + 1;
        }
    }
}

void assay_shapes_judged(const uint8_t *head, uint32_t end)
{
    uint32_t at = 0;
    /@ loop invariant met: at <= end && \forall integer i;
           0 <= i < at && shape_judged(head, i, end) ==> dims_met(head, i, end);
       loop assigns at;
       loop variant end - at;
    @/
    while (at < end) {
        assay_dims_judged(head, at, end);
        at++;
    }
}

void assay_name_closed(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end)
{
    if (close < end) {
        assay_text_closed(head, at, close, end);
    }
    assay_string_lands(head, at, end);
    /@ assert string: \forall integer k; tensor_key(head, end, k) + 1 == at && tensor_name_end(head, end, k) == close ==>
           string_end(head, at, end) == close; @/
}
*/
