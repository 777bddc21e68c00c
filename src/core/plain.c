/* One tensor as the official writer puts it, its members in this order and without white space:
 * {"dtype":"F32","shape":[768,768],"data_offsets":[0,2359296]}. Nearly all are; any other is left to tensor.c: from
 * behind its shape, if it is so up to there, else from its brace. */
#include "member.h"

/* Unfolds: dtype_end, dtype_at, member_value, member_at, member_end, tensor_judged, tensor_end, object_dtype,
 * object_shape, object_rank, object_begin, object_finish, shape_judged. */

/* The least size of such an object, behind its brace: of "dtype":"U8","shape":[],"data_offsets":[0,0]} */
#define ASSAY_PLAIN_LEAST 45u

/*@ // The draft is what the members from the key at `first` on say.
    predicate members_found{L}(assay_draft *draft, uint8_t *head, integer first, integer end) =
        draft->dtype == dtype_at(head, member_from(head, first, end, 1), end)
        && draft->shape_at == member_from(head, first, end, 2) && draft->rank == shape_rank(head, draft->shape_at, end)
        && draft->begin == offsets_begin(head, member_from(head, first, end, 4), end)
        && draft->end == offsets_finish(head, member_from(head, first, end, 4), end)
        && shape_judged(head, draft->shape_at, end);

    // The key at `key` is this member's, and its value stands at `value`, if the member was not seen before.
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
        && draft->dtype_at == at + 8 && 1 <= draft->dtype <= 22 && draft->dtype == dtype_at(head, at + 8, end);
*/

/* at: behind the brace. Gives the place of the shape's [, if the object begins so; else 0. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    requires draft: \valid(draft);
    terminates \true;
    exits \false;
    assigns draft->dtype_at, draft->dtype;
    ensures inside: \result < end;
    ensures stands: \result != 0 ==> shape_stands(draft, head, at, end, \result);
*/
static uint32_t assay_plain_dtype(const uint8_t *head, uint32_t at, uint32_t end, assay_draft *draft)
{
    if (end - at < ASSAY_PLAIN_LEAST || !assay_key_dtype(head, at) /*@ ghost (end) */ || head[at + 8u] != '"') {
        return 0;
    }
    draft->dtype_at = at + 8u;
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
              assay_plain_next(head, comma + 7u, end);
              /@ assert dtype: dtype_end(head, at + 8, end) == comma && member_stands(head, at, end, 1, at + 8); @/
              /@ assert shape: member_stands(head, comma + 1, end, 2, comma + 9); @/
              /@ assert keys: first_key(head, at, end) == at && next_key(head, comma, end) == comma + 1; @/
              /@ assert stands: shape_stands(draft, head, at, end, comma + 9); @/ */
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
   ensures last: \let behind = member_end(head, value, end, member, max_rank); \let next = next_key(head, behind, end);
       behind <= end && !(key < next < end) ==> members_end(head, key, end, max_rank, d, s, o) == next;
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

/* at: the shape's [; first: the key of the dtype. Gives the place behind the object's }. */
/*@ requires head: head_ok(head, end);
    requires at: 9 <= draft->dtype_at && draft->dtype_at + 4 < at < end;
    requires stands: member_stands(head, at - 8, end, 2, at);
    requires draft: \valid(draft) && draft->rest_at == 0;
    requires known: 1 <= draft->dtype <= 22 && draft->dtype == dtype_at(head, draft->dtype_at, end);
    requires dtype: member_from(head, first, end, 1) == draft->dtype_at;
    requires others: member_from(head, first, end, 2) == member_from(head, at - 8, end, 2)
        && member_from(head, first, end, 4) == member_from(head, at - 8, end, 4);
    terminates \true;
    exits \false;
    assigns *draft;
    ensures after: \result != 0 ==> lands(\result, at + 1, end);
    ensures exact: \result != 0 ==> \result == members_end(head, at - 8, end, max_rank, \old(draft->dtype_at), 0, 0);
    ensures always: \result != 0 && went_on(\result) ==>
        \result == members_end(head, at - 8, end, unlimited, \old(draft->dtype_at), 0, 0);
    ensures kept: \result != 0 && went_on(\result) ==> draft_valid(draft, \result);
    ensures says: \result != 0 && went_on(\result) ==> members_found(draft, head, first, end);
    ensures left: \result == 0 && draft->rest_at != 0 ==>
        at < draft->rest_at <= end && members_say(draft, head, draft->rest_at, end);
    ensures left_exact: \result == 0 && draft->rest_at != 0 ==> \let next = next_key(head, draft->rest_at, end);
        members_end(head, at - 8, end, max_rank, \old(draft->dtype_at), 0, 0) == (next > end ? next
            : members_end(head, next, end, max_rank, draft->dtype_at, draft->shape_at, draft->offsets_at));
    ensures left_always: \result == 0 && draft->rest_at != 0 ==> \let next = next_key(head, draft->rest_at, end);
        next <= end ==> members_end(head, at - 8, end, unlimited, \old(draft->dtype_at), 0, 0)
            == members_end(head, next, end, unlimited, draft->dtype_at, draft->shape_at, draft->offsets_at);
    ensures left_met: \result == 0 && draft->rest_at != 0 ==> \let next = next_key(head, draft->rest_at, end);
        next <= end ==> members_met(draft, head, first, next, end);
*/
static assay_step assay_plain_rest(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank,
                                   assay_draft *draft) /*@ ghost (uint32_t first) */
{
    /*@ ghost uint64_t dtype = draft->dtype_at;
              assay_plain_member(head, at - 8u, end, ASSAY_MEMBER_SHAPE, at, max_rank, dtype, 0, 0);
              assay_plain_member(head, at - 8u, end, ASSAY_MEMBER_SHAPE, at, UINT64_MAX, dtype, 0, 0);
              assay_plain_from(head, at - 8u, end, ASSAY_MEMBER_SHAPE, at, ASSAY_MEMBER_SHAPE);
              assay_plain_from(head, at - 8u, end, ASSAY_MEMBER_SHAPE, at, ASSAY_MEMBER_OFFSETS); */
    draft->shape_at = at;
    draft->expected = ASSAY_NONE;
    draft->found = ASSAY_NONE;
    assay_step step = assay_shape_quick(head, at + 1u, end, max_rank, draft);
    if (step == 0) {
        draft->rest_at = 0;
        return 0;
    }
    //@ assert judged: shape_judged(head, at, end);
    uint32_t offsets = assay_plain_offsets(head, (uint32_t)step, end);
    draft->offsets_at = offsets;
    if (offsets != 0) {
        /*@ ghost uint32_t key = offsets - 15u;
                  assay_plain_member(head, key, end, ASSAY_MEMBER_OFFSETS, offsets, max_rank, dtype, at, 0);
                  assay_plain_member(head, key, end, ASSAY_MEMBER_OFFSETS, offsets, UINT64_MAX, dtype, at, 0);
                  assay_plain_from(head, key, end, ASSAY_MEMBER_OFFSETS, offsets, ASSAY_MEMBER_OFFSETS); */
        step = assay_offsets(head, offsets + 1u, end, draft);
        if (step < end && head[step] == '}') {
            /*@ ghost assay_plain_next(head, (uint32_t)step, end);
                      assay_members_step(head, (uint32_t)step, end, max_rank, dtype, at, offsets);
                      assay_members_step(head, (uint32_t)step, end, UINT64_MAX, dtype, at, offsets);
                      /@ assert behind: members_end(head, at - 8, end, max_rank, dtype, 0, 0)
                           == tensor_judged(head, step, end, dtype, at, offsets); @/ */
            return assay_size_judge((uint32_t)step, draft);
        }
    }
    if (step >= ASSAY_STOPPED) {
        //@ assert ended: step == members_end(head, at - 8, end, max_rank, dtype, 0, 0);
        return step;
    }
    //@ ghost assay_next_on(head, (uint32_t)step, end);
    draft->rest_at = step;
    //@ assert members: at < step <= end && members_say(draft, head, step, end);
    /*@ assert exact: \let next = next_key(head, step, end);
          members_end(head, at - 8, end, max_rank, dtype, 0, 0)
            == (next > end ? next : members_end(head, next, end, max_rank, dtype, at, draft->offsets_at)); */
    /*@ assert always: \let next = next_key(head, draft->rest_at, end); next <= end ==>
          members_end(head, at - 8, end, unlimited, dtype, 0, 0)
            == members_end(head, next, end, unlimited, draft->dtype_at, draft->shape_at, draft->offsets_at); */
    /*@ assert met: \let next = next_key(head, step, end); next <= end ==>
          members_met(draft, head, first, next, end); */
    return 0;
}

assay_step assay_tensor_plain(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft)
{
    uint32_t shape = assay_plain_dtype(head, at, end, draft);
    draft->rest_at = 0;
    /*@ ghost if (shape != 0) {
            /@ assert known: 1 <= draft->dtype <= 22 && draft->dtype == dtype_at(head, draft->dtype_at, end); @/
            assay_plain_member(head, at, end, ASSAY_MEMBER_DTYPE, at + 8u, max_rank, 0, 0, 0);
            assay_plain_member(head, at, end, ASSAY_MEMBER_DTYPE, at + 8u, UINT64_MAX, 0, 0, 0);
            assay_plain_from(head, at, end, ASSAY_MEMBER_DTYPE, at + 8u, ASSAY_MEMBER_DTYPE);
            assay_plain_from(head, at, end, ASSAY_MEMBER_DTYPE, at + 8u, ASSAY_MEMBER_SHAPE);
            assay_plain_from(head, at, end, ASSAY_MEMBER_DTYPE, at + 8u, ASSAY_MEMBER_OFFSETS);
            /@ assert begun: tensor_end(head, at - 1, end, max_rank)
                 == members_end(head, shape - 8, end, max_rank, at + 8, 0, 0); @/
            /@ assert always: tensor_end(head, at - 1, end, unlimited)
                 == members_end(head, shape - 8, end, unlimited, at + 8, 0, 0); @/
        } */
    return shape == 0 ? 0 : assay_plain_rest(head, shape, end, max_rank, draft) /*@ ghost (at) */;
}
