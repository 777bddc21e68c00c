/* One tensor, its members in any order: {"dtype": ..., "shape": [...], "data_offsets": [begin, end]}.
 * Rules H10, H12, H13, H17 and H19 to H23. */
#include "dtypes.h"
#include "member.h"

/* Unfolds: dtype_end, dtype_at, member_value, member_at, member_end, tensor_judged, tensor_end, key_value,
 * object_dtype, object_shape, object_rank, object_begin, object_finish, shape_judged. */

/* at: behind the opening quote of the dtype. Gives the place behind the closing one. */
/*@ requires head: head_ok(head, end);
    requires at: 2 <= at <= end;
    requires draft: \valid(draft) && members_say(draft, head, at - 1, end);
    terminates \true;
    exits \false;
    assigns *draft;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \result == dtype_end(head, at - 1, end);
    ensures takes: takes{Pre, Here}(draft, head, end, 1, at - 1, \result);
*/
static assay_step assay_dtype(const uint8_t *head, uint32_t at, uint32_t end, assay_draft *draft)
{
    if (end - at < 8u) {
        return assay_dtype_read(head, at, end, draft);
    }
    uint32_t size = assay_dtype_size(head, at) /*@ ghost (end) */;
    uint32_t dtype = assay_dtype_plain(head, at, size) /*@ ghost (end) */;
    if (dtype == 0) {
        return assay_dtype_read(head, at, end, draft);
    }
    draft->dtype_at = at - 1u;
    draft->dtype = dtype;
    //@ assert named: dtype == dtype_at(head, at - 1, end);
    return at + size + 1u;
}

/* at: behind the [ of the shape. Gives the place behind the ]. */
/*@ requires head: head_ok(head, end);
    requires at: 2 <= at <= end;
    requires draft: \valid(draft) && members_say(draft, head, at - 1, end);
    terminates \true;
    exits \false;
    assigns *draft;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \result == shape_end(head, at - 1, end, max_rank);
    ensures always: went_on(\result) ==> \result == shape_end(head, at - 1, end, unlimited);
    ensures takes: takes{Pre, Here}(draft, head, end, 2, at - 1, \result);
*/
static assay_step assay_member_shape(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank,
                                     assay_draft *draft)
{
    draft->shape_at = at - 1u;
    return assay_shape(head, at, end, max_rank, draft);
}

/* The same for the data offsets. */
/*@ requires head: head_ok(head, end);
    requires at: 2 <= at <= end;
    requires draft: \valid(draft) && members_say(draft, head, at - 1, end);
    terminates \true;
    exits \false;
    assigns *draft;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \result == offsets_end(head, at - 1, end);
    ensures takes: takes{Pre, Here}(draft, head, end, 4, at - 1, \result);
*/
static assay_step assay_member_offsets(const uint8_t *head, uint32_t at, uint32_t end, assay_draft *draft)
{
    draft->offsets_at = at - 1u;
    return assay_offsets(head, at, end, draft);
}

/* The value of a member whose key ends at head[at]. Gives the place behind it. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at < end;
    requires member: member == 1 || member == 2 || member == 4;
    requires draft: \valid(draft) && members_say(draft, head, at, end);
    terminates \true;
    exits \false;
    assigns *draft;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \let value = key_value(head, at, end, member == 1 ? '"' : '[');
        \result == (value > end ? value : member_end(head, value, end, member, max_rank));
    ensures always: went_on(\result) ==>
        \let value = key_value(head, at, end, member == 1 ? '"' : '[');
        at < value <= end && \result == member_end(head, value, end, member, unlimited);
    ensures takes: takes{Pre, Here}(draft, head, end, member, key_value(head, at, end, member == 1 ? '"' : '['),
                                    \result);
*/
static assay_step assay_member_value(const uint8_t *head, uint32_t at, uint32_t end, uint32_t member,
                                     uint64_t max_rank, assay_draft *draft)
{
    assay_step step = assay_colon(head, at + 1u, end);
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    step = assay_open(head, (uint32_t)step, end, member == ASSAY_MEMBER_DTYPE ? '"' : '[');
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    if (member == ASSAY_MEMBER_DTYPE) {
        return assay_dtype(head, (uint32_t)step, end, draft);
    }
    if (member == ASSAY_MEMBER_SHAPE) {
        return assay_member_shape(head, (uint32_t)step, end, max_rank, draft);
    }
    return assay_member_offsets(head, (uint32_t)step, end, draft);
}

/* Has the draft seen it? */
/*@ requires member: member == 1 || member == 2 || member == 4;
    requires draft: \valid_read(draft);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == 1 <==> member == 1 && draft->dtype_at != 0 || member == 2 && draft->shape_at != 0
        || member == 4 && draft->offsets_at != 0;
*/
static bool assay_member_seen(const assay_draft *draft, uint32_t member)
{
    if (member == ASSAY_MEMBER_DTYPE) {
        return draft->dtype_at != 0;
    }
    return member == ASSAY_MEMBER_SHAPE ? draft->shape_at != 0 : draft->offsets_at != 0;
}

/* at: behind the opening quote of the key. Gives the place behind the value. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end && head[at - 1] == '"';
    requires draft: \valid(draft) && members_say(draft, head, at, end);
    terminates \true;
    exits \false;
    assigns *draft;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \let value = member_value(head, at - 1, end, \old(draft->dtype_at), \old(draft->shape_at),
                                             \old(draft->offsets_at));
        \result == (value > end ? value
                    : member_end(head, value, end, member_at(head, at - 1, end), max_rank));
    ensures always: went_on(\result) ==> \result == member_end(head, member_value(head, at - 1, end, 0, 0, 0), end,
                                                               member_at(head, at - 1, end), unlimited);
    ensures value: went_on(\result) ==> 0 < member_value(head, at - 1, end, 0, 0, 0) <= end;
    ensures place: went_on(\result) ==> member_value(head, at - 1, end, 0, 0, 0) ==
        member_value(head, at - 1, end, \old(draft->dtype_at), \old(draft->shape_at), \old(draft->offsets_at));
    ensures once: went_on(\result) ==>
        \let member = member_at(head, at - 1, end);
        member == 1 && \old(draft->dtype_at) == 0 || member == 2 && \old(draft->shape_at) == 0
        || member == 4 && \old(draft->offsets_at) == 0;
    ensures takes: takes{Pre, Here}(draft, head, end, member_at(head, at - 1, end),
                                    member_value(head, at - 1, end, 0, 0, 0), \result);
*/
static assay_step assay_member(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft)
{
    uint32_t member = assay_member_plain(head, at, end);
    assay_step close = at + (member == ASSAY_MEMBER_OFFSETS ? ASSAY_WORD_DATA_OFFSETS_LEN : ASSAY_WORD_DTYPE_LEN);
    if (member == 0) {
        close = assay_member_read(head, at, end, &member);
    }
    if (close >= ASSAY_STOPPED) {
        return close;
    }
    if (assay_member_seen(draft, member)) {
        return ASSAY_STOP(ASSAY_E_MEMBER_TWICE, at - 1u);
    }
    return assay_member_value(head, (uint32_t)close, end, member, max_rank, draft);
}

/* The members seen, as a sum of their numbers. */
/*@ requires draft: \valid_read(draft);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures all: \result == 7 <==> draft->dtype_at != 0 && draft->shape_at != 0 && draft->offsets_at != 0;
*/
static uint32_t assay_members_seen(const assay_draft *draft)
{
    uint32_t dtype = draft->dtype_at != 0 ? ASSAY_MEMBER_DTYPE : 0;
    uint32_t shape = draft->shape_at != 0 ? ASSAY_MEMBER_SHAPE : 0;
    uint32_t offsets = draft->offsets_at != 0 ? ASSAY_MEMBER_OFFSETS : 0;
    return dtype + shape + offsets;
}

assay_step assay_size_judge(uint32_t close, assay_draft *draft)
{
    uint64_t width = assay_dtype_bits((uint32_t)draft->dtype);
    uint64_t bits = 0; /* as it stays if they do not fit 64 bits */
    if (draft->elements <= UINT32_MAX) {
        bits = draft->elements * width;
    } else {
        (void)assay_multiply(draft->elements, width, &bits);
    }
    if (bits == 0) {
        return ASSAY_STOP(ASSAY_E_SHAPE_OVERFLOW, draft->shape_at);
    }
    if (draft->empty == 1) {
        bits = 0;
    }
    if (bits % 8u != 0) {
        draft->found = bits;
        return ASSAY_STOP(ASSAY_E_SHAPE_SUBBYTE, draft->shape_at);
    }
    if (draft->begin > draft->end) {
        draft->expected = draft->begin;
        draft->found = draft->end;
        return ASSAY_STOP(ASSAY_E_OFFSETS_ORDER, draft->offsets_at);
    }
    if (draft->end - draft->begin != bits / 8u) {
        draft->expected = bits / 8u;
        draft->found = draft->end - draft->begin;
        return ASSAY_STOP(ASSAY_E_OFFSETS_SIZE, draft->offsets_at);
    }
    return close + 1u;
}

/* The rules that join the members, at the tensor's closing brace head[close]. */
/*@ requires close: close < end <= ASSAY_END_MAX;
    requires draft: \valid(draft) && members_say(draft, head, close, end);
    terminates \true;
    exits \false;
    assigns draft->expected, draft->found;
    ensures after: went_on(\result) ==> \result == close + 1;
    ensures exact: \result == tensor_judged(head, close, end, draft->dtype_at, draft->shape_at, draft->offsets_at);
    ensures all: went_on(\result) ==> draft->dtype_at != 0 && draft->shape_at != 0 && draft->offsets_at != 0;
    ensures kept: went_on(\result) ==> draft_valid(draft, \result);
    ensures says: went_on(\result) ==> members_say(draft, head, close, end);
*/
static assay_step assay_tensor_judge(uint32_t close, assay_draft *draft)
    /*@ ghost (const uint8_t *head, uint32_t end) */
{
    uint32_t seen = assay_members_seen(draft);
    if (seen != ASSAY_MEMBERS_ALL) {
        draft->expected = ASSAY_MEMBERS_ALL;
        draft->found = seen;
        return ASSAY_STOP(ASSAY_E_MEMBER_MISSING, close);
    }
    return assay_size_judge(close, draft);
}

/*@ requires draft: \valid(draft);
    terminates \true;
    exits \false;
    assigns *draft;
    ensures none: draft->dtype_at == 0 && draft->shape_at == 0 && draft->offsets_at == 0 && draft->rank == 0;
*/
static void assay_draft_begin(assay_draft *draft)
{
    draft->dtype_at = 0;
    draft->shape_at = 0;
    draft->offsets_at = 0;
    draft->dtype = 0;
    draft->rank = 0;
    draft->elements = 1;
    draft->empty = 0;
    draft->begin = 0;
    draft->end = 0;
    draft->expected = ASSAY_NONE;
    draft->found = ASSAY_NONE;
}

assay_step assay_tensor_any(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft)
{
    assay_step step = draft->rest_at;
    if (step != 0) {
        step = assay_next_key(head, (uint32_t)step, end);
    } else {
        assay_draft_begin(draft);
        step = assay_first_key(head, at, end);
    }
    /*@ loop invariant on: lands_on(step, \at(at, Pre), end);
        loop invariant which: went_on(step) ==> head[step] == '"' || head[step] == '}';
        loop invariant says: went_on(step) ==> members_say(draft, head, step, end);
        loop invariant exact: tensor_end(head, \at(at, Pre) - 1, end, max_rank) == (step > end ? step
            : members_end(head, step, end, max_rank, draft->dtype_at, draft->shape_at, draft->offsets_at));
        loop invariant always: went_on(step) ==> tensor_end(head, \at(at, Pre) - 1, end, unlimited)
            == members_end(head, step, end, unlimited, draft->dtype_at, draft->shape_at, draft->offsets_at);
        loop invariant met: went_on(step) ==>
            members_met(draft, head, first_key(head, \at(at, Pre), end), step, end);
        loop assigns step, at, *draft;
        loop variant step < ASSAY_STOPPED ? end - step : 0;
    */
    while (step < ASSAY_STOPPED) {
        at = (uint32_t)step;
        /*@ ghost assay_members_step(head, at, end, max_rank, draft->dtype_at, draft->shape_at, draft->offsets_at);
                  assay_members_step(head, at, end, UINT64_MAX, draft->dtype_at, draft->shape_at, draft->offsets_at); */
        if (head[at] == '}') {
            return assay_tensor_judge(at, draft) /*@ ghost (head, end) */;
        }
        /*@ ghost assay_member_from_step(head, at, end, ASSAY_MEMBER_DTYPE);
                  assay_member_from_step(head, at, end, ASSAY_MEMBER_SHAPE);
                  assay_member_from_step(head, at, end, ASSAY_MEMBER_OFFSETS); */
        step = assay_member(head, at + 1u, end, max_rank, draft);
        if (step < ASSAY_STOPPED) {
            step = assay_next_key(head, (uint32_t)step, end);
        }
    }
    return step;
}
