/* size_steps.c: how many bytes the object of a tensor takes at least. Ghost functions, no code. */
#include "core.h"

/* Unfolds: space_end, number_end, integer_end, next_byte, value_at, first_key, next_key, key_value. */
/* Unfolds: item_end, dims_end, shape_end, offsets_rest, offsets_end, dtype_end. */
/* Unfolds: packed_text, member_value, member_at, member_end, members_end, tensor_judged, tensor_end. */

/*@ // How many bytes the members take whose values (0: none) have not been met.
    logic integer members_size(integer d, integer s, integer o) =
        (d == 0 ? 9 : 0) + (s == 0 ? 9 : 0) + (o == 0 ? 9 : 0);
*/

/*@ ghost
void assay_space_size(const uint8_t *head, uint32_t end)
{
    uint32_t p = end;
    /@ loop invariant inside: 0 <= p <= end;
       loop invariant space: \forall integer i; p <= i ==> i <= space_end(head, i, end);
       loop assigns p;
       loop variant p;
    @/
    while (p > 0) {
        p = p - 1u;
    }
}

void assay_number_size(const uint8_t *head, uint32_t end)
{
    uint32_t p = end;
    /@ loop invariant inside: 0 <= p <= end;
       loop invariant number: \forall integer i; p <= i ==> i <= number_end(head, i, end);
       loop assigns p;
       loop variant p;
    @/
    while (p > 0) {
        p = p - 1u;
    }
}

// The items of an array.
/@ requires inside: end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures item: \forall integer i, beyond; 0 <= i && item_end(head, i, end, beyond) <= end ==>
       i <= item_end(head, i, end, beyond);
@/
void assay_item_size(const uint8_t *head, uint32_t end)
{
    assay_space_size(head, end);
    assay_number_size(head, end);
}

/@ requires inside: end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures dims: \forall integer i, count; 0 <= i && dims_end(head, i, end, count, unlimited) <= end ==>
       i < dims_end(head, i, end, count, unlimited);
@/
void assay_dims_size(const uint8_t *head, uint32_t end)
{
    uint32_t p = end;
    assay_item_size(head, end);
    /@ assert none: \forall integer i, beyond; end <= i ==> end < item_end(head, i, end, beyond); @/
    /@ loop invariant inside: 0 <= p <= end;
       loop invariant dims: \forall integer i, count; p <= i && dims_end(head, i, end, count, unlimited) <= end ==>
           i < dims_end(head, i, end, count, unlimited);
       loop assigns p;
       loop variant p;
    @/
    while (p > 0) {
        p = p - 1u;
    }
}

// A value that a member can have takes two bytes, a key three and its quotes.
/@ requires inside: end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures value: \forall integer i, member; 0 <= i && member_end(head, i, end, member, unlimited) <= end ==>
       i + 2 <= member_end(head, i, end, member, unlimited);
@/
void assay_value_size(const uint8_t *head, uint32_t end)
{
    assay_space_size(head, end);
    assay_item_size(head, end);
    assay_dims_size(head, end);
    /@ assert shape: \forall integer i; 0 <= i && shape_end(head, i, end, unlimited) <= end ==>
         i + 2 <= shape_end(head, i, end, unlimited); @/
    /@ assert offsets: \forall integer i; 0 <= i && offsets_end(head, i, end) <= end ==>
         i + 2 <= offsets_end(head, i, end); @/
    /@ assert empty: \forall integer i, close; close <= i ==> dtype_named(head, i, close) == 0; @/
    /@ assert dtype: \forall integer i; 0 <= i && dtype_end(head, i, end) <= end ==>
         i + 2 <= dtype_end(head, i, end); @/
}

/@ requires inside: at <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures short: \forall integer close; close <= at + 2 ==> member_named(head, at, close) == 0;
@/
void assay_word_size(const uint8_t *head, uint32_t at)
{
    /@ assert none: \forall integer i, close, weight, sum; close <= i ==>
         packed_text(head, i, close, weight, sum) == sum; @/
    /@ assert one: \forall integer close; close <= at + 1 ==> word_of(head, at, close) < 128; @/
    /@ assert two: \forall integer close; close == at + 2 ==> word_of(head, at, close) < 65536; @/
}

/@ requires inside: end <= ASSAY_END_MAX;
   requires key: key < end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures member: \forall integer d, s, o; \let value = member_value(head, key, end, d, s, o); value <= end ==>
       key + 6 <= value;
@/
void assay_key_size(const uint8_t *head, uint32_t key, uint32_t end)
{
    assay_space_size(head, end);
    assay_word_size(head, key + 1);
}

// One member, and what comes after it.
/@ requires inside: key < end <= ASSAY_END_MAX && head[key] == '"';
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures named: \forall integer d, s, o; member_value(head, key, end, d, s, o) <= end ==>
       (member_at(head, key, end) == 1 && d == 0 || member_at(head, key, end) == 2 && s == 0 ||
        member_at(head, key, end) == 4 && o == 0);
   ensures next: \forall integer i; key + 8 <= i && next_key(head, i, end) <= end ==>
       i <= next_key(head, i, end) < end && (head[next_key(head, i, end)] == '"' && i < next_key(head, i, end) ||
       head[next_key(head, i, end)] == '}');
@/
void assay_member_size(const uint8_t *head, uint32_t key, uint32_t end)
{
    assay_space_size(head, end);
}

// From a key to the end of the object: nine bytes for each member that has not been seen.
/@ requires head: head_ok(head, end);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures members: \forall integer i, d, s, o; 0 <= i < end && 0 <= s && 0 <= o &&
       members_end(head, i, end, unlimited, d, s, o) <= end ==>
       i + members_size(d, s, o) + (head[i] == '"' ? 0 : 1) <= members_end(head, i, end, unlimited, d, s, o);
@/
void assay_members_size(const uint8_t *head, uint32_t end)
{
    uint32_t p = end;
    assay_space_size(head, end);
    assay_value_size(head, end);
    /@ loop invariant inside: 0 <= p <= end;
       loop invariant members: \forall integer i, d, s, o; p <= i < end && 0 <= s && 0 <= o &&
           members_end(head, i, end, unlimited, d, s, o) <= end ==>
           i + members_size(d, s, o) + (head[i] == '"' ? 0 : 1) <= members_end(head, i, end, unlimited, d, s, o);
       loop assigns p;
       loop variant p;
    @/
    while (p > 0) {
        p = p - 1u;
        /@ assert last: head[p] != '"' ==> \forall integer d, s, o; 0 <= s && 0 <= o &&
             members_end(head, p, end, unlimited, d, s, o) <= end ==> members_size(d, s, o) == 0 &&
             members_end(head, p, end, unlimited, d, s, o) == p + 1; @/
        assay_key_size(head, p, end);
        if (head[p] == '"') {
            assay_member_size(head, p, end);
        }
    }
}

void assay_object_size(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_space_size(head, end);
    assay_members_size(head, end);
}
*/
