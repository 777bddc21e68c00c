/* One tensor as the official writer puts it, its members in this order and without white space:
 * {"dtype":"F32","shape":[768,768],"data_offsets":[0,2359296]}. Nearly all are; any other is left to tensor.c. */
#include "member.h"
#include "tensor_steps.h"

/* Unfolds: dtype_end, dtype_at, member_value, member_at, member_end, tensor_judged, tensor_end, object_dtype,
 * object_shape, object_rank, object_begin, object_finish, shape_judged. */

/* The least size of such an object, behind its brace: of "dtype":"U8","shape":[],"data_offsets":[0,0]} */
#define ASSAY_PLAIN_LEAST 45u

/* So many dims are read at most if no limit is asked for: where the quick way ends, they are read again. */
#define ASSAY_PLAIN_RANK 32u

/*@ // The key at `key` is this member's, and its value stands at `value`, if the member was not seen before.
    predicate member_stands{L}(uint8_t *head, integer key, integer end, integer member, integer value) =
        head[key] == '"' && member_at(head, key, end) == member && value <= end
        && (\forall integer d, s, o; (member == 1 ? d : member == 2 ? s : o) == 0 ==>
            member_value(head, key, end, d, s, o) == value);

    // The object's first member is its dtype, and the second a shape that begins at `shape`.
    predicate shape_stands{L}(assay_draft *draft, uint8_t *head, integer at, integer end, integer shape) =
        at + 12 < shape < end && head[shape] == '[' && first_key(head, at, end) == at
        && member_stands(head, at, end, 1, at + 8)
        && dtype_end(head, at + 8, end) == shape - 9 && next_key(head, shape - 9, end) == shape - 8
        && member_stands(head, shape - 8, end, 2, shape)
        && 1 <= draft->dtype <= 22 && draft->dtype == dtype_at(head, at + 8, end);
*/

/* at: behind the brace. Gives the place of the shape's [, if the object begins so; else 0. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    requires draft: \valid(draft);
    terminates \true;
    exits \false;
    assigns draft->dtype;
    ensures inside: \result < end;
    ensures stands: \result != 0 ==> shape_stands(draft, head, at, end, \result);
*/
static uint32_t assay_plain_dtype(const uint8_t *head, uint32_t at, uint32_t end, assay_draft *draft)
{
    if (end - at < ASSAY_PLAIN_LEAST || !assay_key_dtype(head, at) /*@ ghost (end) */ || head[at + 8u] != '"') {
        return 0;
    }
    uint32_t size = assay_dtype_size(head, at + 9u) /*@ ghost (end) */;
    draft->dtype = assay_dtype_plain(head, at + 9u, size) /*@ ghost (end) */;
    uint32_t comma = at + 10u + size;
    if (draft->dtype == 0 || head[comma] != ',' || !assay_key_shape(head, comma + 1u) /*@ ghost (end) */
        || head[comma + 9u] != '[') {
        return 0;
    }
    /*@ ghost assay_plain_next(head, at, end);
              assay_plain_next(head, at + 6u, end);
              assay_plain_next(head, comma, end);
              assay_plain_next(head, comma + 7u, end); */
    return comma + 9u;
}

/* at: behind the shape. Gives the place of the [ of the data offsets, if they follow; else 0. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures inside: \result < end;
    ensures stands: \result != 0 ==> \result == at + 16 && head[\result] == '[' && next_key(head, at, end) == at + 1
        && member_stands(head, at + 1, end, 4, \result);
*/
static uint32_t assay_plain_offsets(const uint8_t *head, uint32_t at, uint32_t end)
{
    if (end - at < ASSAY_KEY_DATA_OFFSETS_LEN + 2u || head[at] != ','
        || !assay_key_offsets(head, at + 1u) /*@ ghost (end) */ || head[at + 16u] != '[') {
        return 0;
    }
    /*@ ghost assay_plain_next(head, at, end);
              assay_plain_next(head, at + 14u, end); */
    return at + 16u;
}

/*@ ghost
// One member whose key stands so.
/@ requires inside: key < end <= ASSAY_END_MAX;
   requires stands: member_stands(head, key, end, member, value);
   requires member: member == 1 || member == 2 || member == 4;
   requires once: (member == 1 ? d : member == 2 ? s : o) == 0;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures stop: \let behind = member_end(head, value, end, member, max_rank);
       behind > end ==> members_end(head, key, end, max_rank, d, s, o) == behind;
   ensures on: \let behind = member_end(head, value, end, member, max_rank); \let next = next_key(head, behind, end);
       behind <= end && key < next < end ==> members_end(head, key, end, max_rank, d, s, o)
           == members_end(head, next, end, max_rank, member == 1 ? value : d, member == 2 ? value : s,
                          member == 4 ? value : o);
@/
static void assay_plain_member(const uint8_t *head, uint32_t key, uint32_t end, uint32_t member, uint32_t value,
                               uint64_t max_rank, uint64_t d, uint64_t s, uint64_t o)
{
    assay_members_step(head, key, end, max_rank, d, s, o);
}

/@ requires inside: key < end <= ASSAY_END_MAX;
   requires stands: member_stands(head, key, end, member, value);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures this: member == other ==> member_from(head, key, end, other) == value;
   ensures next: \let next = next_key(head, member_end(head, value, end, member, unlimited), end);
       member != other && key < next < end && head[next] == '"' ==>
           member_from(head, key, end, other) == member_from(head, next, end, other);
@/
static void assay_plain_from(const uint8_t *head, uint32_t key, uint32_t end, uint32_t member, uint32_t value,
                             uint32_t other)
{
    assay_member_from_step(head, key, end, other);
}
*/

/* at: the shape's [. Gives the place behind the object's }, or what its size breaks; 0: before that, it does not go on
 * in this form or breaks a rule. */
/*@ requires head: head_ok(head, end);
    requires at: 9 <= dtype && dtype + 4 < at < end;
    requires stands: member_stands(head, at - 8, end, 2, at);
    requires draft: \valid(draft) && 1 <= draft->dtype <= 22 && draft->dtype == dtype_at(head, dtype, end);
    terminates \true;
    exits \false;
    assigns *draft;
    ensures after: \result != 0 ==> lands(\result, at + 1, end);
    ensures exact: \result != 0 ==> \result == members_end(head, at - 8, end, max_rank, dtype, 0, 0);
    ensures always: \result != 0 && went_on(\result) ==>
        \result == members_end(head, at - 8, end, unlimited, dtype, 0, 0);
    ensures kept: \result != 0 && went_on(\result) ==> draft_valid(draft, \result);
    ensures dtype: draft->dtype == \old(draft->dtype);
    ensures place: \result != 0 && went_on(\result) ==>
        draft->shape_at == at && member_from(head, at - 8, end, 2) == at && shape_judged(head, at, end);
    ensures rank: \result != 0 && went_on(\result) ==> draft->rank == shape_rank(head, at, end);
    ensures offsets: \result != 0 && went_on(\result) ==>
        \let offsets = member_from(head, at - 8, end, 4);
        draft->begin == offsets_begin(head, offsets, end) && draft->end == offsets_finish(head, offsets, end);
*/
static assay_step assay_plain_rest(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank,
                                   assay_draft *draft) /*@ ghost (uint32_t dtype) */
{
    /*@ ghost assay_plain_member(head, at - 8u, end, ASSAY_MEMBER_SHAPE, at, max_rank, dtype, 0, 0);
              assay_plain_member(head, at - 8u, end, ASSAY_MEMBER_SHAPE, at, UINT64_MAX, dtype, 0, 0);
              assay_plain_from(head, at - 8u, end, ASSAY_MEMBER_SHAPE, at, ASSAY_MEMBER_SHAPE);
              assay_plain_from(head, at - 8u, end, ASSAY_MEMBER_SHAPE, at, ASSAY_MEMBER_OFFSETS); */
    draft->shape_at = at;
    draft->expected = ASSAY_NONE;
    draft->found = ASSAY_NONE;
    uint64_t limit = max_rank == UINT64_MAX ? ASSAY_PLAIN_RANK : max_rank;
    assay_step step = assay_shape(head, at + 1u, end, limit, draft);
    //@ assert judged: went_on(step) ==> shape_judged(head, at, end);
    uint32_t offsets = step < ASSAY_STOPPED ? assay_plain_offsets(head, (uint32_t)step, end) : 0;
    if (offsets == 0) {
        return 0;
    }
    /*@ ghost uint32_t key = offsets - 15u;
              assay_plain_member(head, key, end, ASSAY_MEMBER_OFFSETS, offsets, max_rank, dtype, at, 0);
              assay_plain_member(head, key, end, ASSAY_MEMBER_OFFSETS, offsets, UINT64_MAX, dtype, at, 0);
              assay_plain_from(head, key, end, ASSAY_MEMBER_OFFSETS, offsets, ASSAY_MEMBER_OFFSETS); */
    draft->offsets_at = offsets;
    step = assay_offsets(head, offsets + 1u, end, draft);
    if (step >= end || head[step] != '}') {
        return 0;
    }
    /*@ ghost assay_plain_next(head, (uint32_t)step, end);
              assay_members_step(head, (uint32_t)step, end, max_rank, dtype, at, offsets);
              assay_members_step(head, (uint32_t)step, end, UINT64_MAX, dtype, at, offsets); */
    return assay_size_judge((uint32_t)step, draft);
}

assay_step assay_tensor_plain(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft)
{
    uint32_t shape = assay_plain_dtype(head, at, end, draft);
    /*@ ghost if (shape != 0) {
            assay_plain_member(head, at, end, ASSAY_MEMBER_DTYPE, at + 8u, max_rank, 0, 0, 0);
            assay_plain_member(head, at, end, ASSAY_MEMBER_DTYPE, at + 8u, UINT64_MAX, 0, 0, 0);
            assay_plain_from(head, at, end, ASSAY_MEMBER_DTYPE, at + 8u, ASSAY_MEMBER_DTYPE);
            assay_plain_from(head, at, end, ASSAY_MEMBER_DTYPE, at + 8u, ASSAY_MEMBER_SHAPE);
            assay_plain_from(head, at, end, ASSAY_MEMBER_DTYPE, at + 8u, ASSAY_MEMBER_OFFSETS);
            /@ assert begun: tensor_end(head, at - 1, end, max_rank)
                 == members_end(head, shape - 8, end, max_rank, at + 8, 0, 0); @/
            /@ assert always: tensor_end(head, at - 1, end, unlimited)
                 == members_end(head, shape - 8, end, unlimited, at + 8, 0, 0); @/
            /@ assert dtype: object_member(head, at - 1, end, 1) == at + 8; @/
            /@ assert shape: object_member(head, at - 1, end, 2) == member_from(head, shape - 8, end, 2); @/
            /@ assert offsets: object_member(head, at - 1, end, 4) == member_from(head, shape - 8, end, 4); @/
        } */
    assay_step step = shape == 0 ? 0 : assay_plain_rest(head, shape, end, max_rank, draft) /*@ ghost (at + 8u) */;
    /*@ ghost if (step != 0 && step < ASSAY_STOPPED) {
            /@ assert of_dtype: draft->dtype == object_dtype(head, at - 1, end); @/
            /@ assert of_shape: draft->shape_at == object_shape(head, at - 1, end); @/
            /@ assert of_rank: draft->rank == object_rank(head, at - 1, end); @/
            /@ assert of_begin: draft->begin == object_begin(head, at - 1, end); @/
            /@ assert of_end: draft->end == object_finish(head, at - 1, end); @/
        } */
    return step;
}
