/* One tensor: {"dtype": ..., "shape": [...], "data_offsets": [begin, end]}.
 * Rules H10, H12 to H14 and H17 to H23; the limit on rank. */
#include "core.h"
#include "dtypes.h"
#include "words.h"

#define ASSAY_MEMBER_DTYPE 1u
#define ASSAY_MEMBER_SHAPE 2u
#define ASSAY_MEMBER_OFFSETS 4u
#define ASSAY_MEMBERS_ALL 7u

/* The member that head[at .. end) names, or 0; *word is the text. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    requires word: \valid(word);
    terminates \true;
    exits \false;
    assigns *word;
    ensures member: \result == 0 || \result == 1 || \result == 2 || \result == 4;
*/
static uint32_t assay_member_of(const uint8_t *head, uint32_t at, uint32_t end, assay_word *word)
{
    assay_word_read(head, at, end, word);
    if (word->lo == ASSAY_WORD_DTYPE_LO) {
        return word->length == ASSAY_WORD_DTYPE_LEN ? ASSAY_MEMBER_DTYPE : 0;
    }
    if (word->lo == ASSAY_WORD_SHAPE_LO) {
        return word->length == ASSAY_WORD_SHAPE_LEN ? ASSAY_MEMBER_SHAPE : 0;
    }
    if (word->lo == ASSAY_WORD_DATA_OFFSETS_LO && word->hi == ASSAY_WORD_DATA_OFFSETS_HI) {
        return word->length == ASSAY_WORD_DATA_OFFSETS_LEN ? ASSAY_MEMBER_OFFSETS : 0;
    }
    return 0;
}

/*@ requires members: members <= 7;
    requires member: member == 1 || member == 2 || member == 4;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures room: \result == 0 ==> members + member <= 7;
*/
static bool assay_member_seen(uint64_t members, uint32_t member)
{
    switch (member) {
    case ASSAY_MEMBER_DTYPE:
        return members % 2u == 1u;
    case ASSAY_MEMBER_SHAPE:
        return members / 2u % 2u == 1u;
    default:
        return members / 4u == 1u;
    }
}

/* at: behind the opening quote of the dtype. Gives the place behind the closing one. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    requires draft: \valid(draft) && draft_ok(draft, at);
    terminates \true;
    exits \false;
    assigns draft->dtype;
    ensures after: lands(\result, at + 1, end);
    ensures dtype: went_on(\result) ==> 1 <= draft->dtype <= 22;
*/
static assay_step assay_dtype(const uint8_t *head, uint32_t at, uint32_t end, assay_draft *draft)
{
    assay_step close = assay_string(head, at, end);
    if (close >= ASSAY_STOPPED) {
        return close;
    }
    assay_word word;
    assay_word_read(head, at, (uint32_t)close, &word);
    uint32_t dtype = word.length == ASSAY_WORD_LONG ? 0 : assay_dtype_of(word.lo, word.hi);
    if (dtype == 0) {
        return ASSAY_STOP(ASSAY_E_DTYPE_UNKNOWN, at - 1u);
    }
    if (close - at != word.length) {
        return ASSAY_STOP(ASSAY_E_KEYWORD_ESCAPED, at - 1u);
    }
    draft->dtype = dtype;
    return close + 1u;
}

/* head[at] begins an item of the shape. Gives the place behind it. */
/*@ requires head: head_ok(head, end);
    requires at: at < end;
    requires draft: \valid(draft) && draft_ok(draft, at);
    terminates \true;
    exits \false;
    assigns draft->rank, draft->elements, draft->huge, draft->empty, draft->expected, draft->found;
    ensures after: lands_on(\result, at + 1, end);
    ensures kept: went_on(\result) ==> draft_ok(draft, \result);
*/
static assay_step assay_dim(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft)
{
    if (!assay_is_number_start(head[at])) {
        return assay_wrong(head[at], at);
    }
    uint64_t dim = 0;
    assay_step step = assay_integer(head, at, end, &dim);
    if (draft->rank >= max_rank && step != ASSAY_STOP(ASSAY_E_HEADER_EARLY, end)) {
        draft->expected = max_rank;
        draft->found = draft->rank + 1u;
        return ASSAY_STOP(ASSAY_LIMIT_RANK, at);
    }
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    draft->rank = draft->rank + 1u;
    if (dim == 0) {
        draft->empty = 1;
    } else if (!assay_multiply(draft->elements, dim, &draft->elements)) {
        draft->huge = 1;
    }
    return step;
}

/* at: behind the [. Gives the place behind the ]. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    requires draft: \valid(draft) && draft_ok(draft, at);
    terminates \true;
    exits \false;
    assigns draft->rank, draft->elements, draft->huge, draft->empty, draft->expected, draft->found;
    ensures after: lands(\result, at + 1, end);
    ensures kept: went_on(\result) ==> draft_ok(draft, \result);
*/
static assay_step assay_shape(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft)
{
    assay_step step = assay_first_item(head, at, end);
    /*@ loop invariant on: lands_on(step, \at(at, Pre), end);
        loop invariant kept: went_on(step) ==> draft_ok(draft, step);
        loop assigns step, at, draft->rank, draft->elements, draft->huge, draft->empty, draft->expected, draft->found;
        loop variant step < ASSAY_STOPPED ? end - step : 0;
    */
    while (step < ASSAY_STOPPED) {
        at = (uint32_t)step;
        if (head[at] == ']') {
            return at + 1u;
        }
        step = assay_dim(head, at, end, max_rank, draft);
        if (step < ASSAY_STOPPED) {
            step = assay_next_item(head, (uint32_t)step, end);
        }
    }
    return step;
}

/*@ requires draft: \valid(draft);
    terminates \true;
    exits \false;
    assigns draft->expected, draft->found;
    ensures stop: !went_on(\result);
*/
static assay_step assay_offsets_count(uint32_t at, uint64_t count, assay_draft *draft)
{
    draft->expected = 2;
    draft->found = count;
    return ASSAY_STOP(ASSAY_E_OFFSETS_COUNT, at);
}

/* One offset and what follows it. Gives the place of the comma or of the ]. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    requires offset: \valid(offset);
    terminates \true;
    exits \false;
    assigns *offset;
    ensures on: lands_on(\result, at + 1, end);
    ensures which: went_on(\result) ==> head[\result] == ',' || head[\result] == ']';
*/
static assay_step assay_offset(const uint8_t *head, uint32_t at, uint32_t end, uint64_t *offset)
{
    at = assay_space(head, at, end);
    if (at >= end) {
        return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
    }
    if (!assay_is_number_start(head[at])) {
        return assay_wrong(head[at], at);
    }
    assay_step step = assay_integer(head, at, end, offset);
    return step < ASSAY_STOPPED ? assay_separator(head, (uint32_t)step, end, ']') : step;
}

/* at: behind the [. Gives the place behind the ]. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    requires draft: \valid(draft) && draft_ok(draft, at);
    terminates \true;
    exits \false;
    assigns draft->begin, draft->end, draft->expected, draft->found;
    ensures after: lands(\result, at + 1, end);
    ensures kept: went_on(\result) ==> draft_ok(draft, \result);
*/
static assay_step assay_offsets(const uint8_t *head, uint32_t at, uint32_t end, assay_draft *draft)
{
    assay_step step = assay_first_item(head, at, end);
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    if (head[step] == ']') {
        return assay_offsets_count((uint32_t)step, 0, draft);
    }
    step = assay_offset(head, (uint32_t)step, end, &draft->begin);
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    if (head[step] == ']') {
        return assay_offsets_count((uint32_t)step, 1, draft);
    }
    step = assay_offset(head, (uint32_t)step + 1u, end, &draft->end);
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    if (head[step] == ',') {
        return assay_offsets_count((uint32_t)step, 3, draft);
    }
    return step + 1u;
}

/* The value of a member; at: behind the colon. Gives the place behind it. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    requires member: member == 1 || member == 2 || member == 4;
    requires draft: \valid(draft) && draft_ok(draft, at);
    terminates \true;
    exits \false;
    assigns draft->dtype, draft->shape_at, draft->rank, draft->elements, draft->huge, draft->empty,
        draft->offsets_at, draft->begin, draft->end, draft->expected, draft->found;
    ensures after: lands(\result, at + 1, end);
    ensures kept: went_on(\result) ==> draft_ok(draft, \result);
    ensures dtype: went_on(\result) && member == 1 ==> 1 <= draft->dtype <= 22;
*/
static assay_step assay_member_value(const uint8_t *head, uint32_t at, uint32_t end, uint32_t member,
                                     uint64_t max_rank, assay_draft *draft)
{
    assay_step step = assay_open(head, at, end, member == ASSAY_MEMBER_DTYPE ? '"' : '[');
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    at = (uint32_t)step;
    if (member == ASSAY_MEMBER_DTYPE) {
        return assay_dtype(head, at, end, draft);
    }
    if (member == ASSAY_MEMBER_SHAPE) {
        draft->shape_at = at - 1u;
        return assay_shape(head, at, end, max_rank, draft);
    }
    draft->offsets_at = at - 1u;
    return assay_offsets(head, at, end, draft);
}

/* at: behind the opening quote of the key. Gives the place behind the value. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    requires draft: \valid(draft) && draft_ok(draft, at);
    terminates \true;
    exits \false;
    assigns *draft;
    ensures after: lands(\result, at + 1, end);
    ensures kept: went_on(\result) ==> draft_ok(draft, \result);
*/
static assay_step assay_member(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft)
{
    assay_step close = assay_string(head, at, end);
    if (close >= ASSAY_STOPPED) {
        return close;
    }
    assay_word word;
    uint32_t member = assay_member_of(head, at, (uint32_t)close, &word);
    if (member == 0) {
        return ASSAY_STOP(ASSAY_E_MEMBER_UNKNOWN, at - 1u);
    }
    if (close - at != word.length) {
        return ASSAY_STOP(ASSAY_E_KEYWORD_ESCAPED, at - 1u);
    }
    if (assay_member_seen(draft->members, member)) {
        return ASSAY_STOP(ASSAY_E_MEMBER_TWICE, at - 1u);
    }
    assay_step step = assay_colon(head, (uint32_t)close + 1u, end);
    if (step >= ASSAY_STOPPED) {
        return step;
    }
    step = assay_member_value(head, (uint32_t)step, end, member, max_rank, draft);
    if (step < ASSAY_STOPPED) {
        draft->members = draft->members + member;
    }
    return step;
}

/* The rules that join the members, at the tensor's closing brace head[close]. */
/*@ requires close: close < ASSAY_END_MAX;
    requires draft: \valid(draft) && draft_ok(draft, close);
    terminates \true;
    exits \false;
    assigns draft->expected, draft->found;
    ensures after: went_on(\result) ==> \result == close + 1;
    ensures kept: went_on(\result) ==> draft_valid(draft, \result);
*/
static assay_step assay_tensor_judge(uint32_t close, assay_draft *draft)
{
    if (draft->members != ASSAY_MEMBERS_ALL) {
        draft->expected = ASSAY_MEMBERS_ALL;
        draft->found = draft->members;
        return ASSAY_STOP(ASSAY_E_MEMBER_MISSING, close);
    }
    uint64_t bits = 0;
    if (draft->huge == 1 || !assay_multiply(draft->elements, assay_dtype_bits((uint32_t)draft->dtype), &bits)) {
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

/*@ requires draft: \valid(draft);
    terminates \true;
    exits \false;
    assigns *draft;
    ensures ok: draft_ok(draft, 0);
*/
static void assay_draft_begin(assay_draft *draft)
{
    draft->members = 0;
    draft->dtype = 0;
    draft->shape_at = 0;
    draft->rank = 0;
    draft->elements = 1;
    draft->huge = 0;
    draft->empty = 0;
    draft->offsets_at = 0;
    draft->begin = 0;
    draft->end = 0;
    draft->expected = ASSAY_NONE;
    draft->found = ASSAY_NONE;
}

assay_step assay_tensor_object(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft)
{
    assay_draft_begin(draft);
    assay_step step = assay_first_key(head, at, end);
    /*@ loop invariant on: lands_on(step, \at(at, Pre), end);
        loop invariant kept: went_on(step) ==> draft_ok(draft, step);
        loop assigns step, at, *draft;
        loop variant step < ASSAY_STOPPED ? end - step : 0;
    */
    while (step < ASSAY_STOPPED) {
        at = (uint32_t)step;
        if (head[at] == '}') {
            return assay_tensor_judge(at, draft);
        }
        step = assay_member(head, at + 1u, end, max_rank, draft);
        if (step < ASSAY_STOPPED) {
            step = assay_next_key(head, (uint32_t)step, end);
        }
    }
    return step;
}
