/* One tensor: {"dtype": ..., "shape": [...], "data_offsets": [begin, end]}.
 * Rules H10, H12, H13, H17 and H19 to H23. */
#include "core.h"
#include "dtypes.h"
#include "tensor_steps.h"
#include "word_steps.h"
#include "words.h"

/* Unfolds: dtype_end, dtype_at, member_value, member_at, member_end, tensor_judged, tensor_end, key_value,
 * object_dtype, object_shape, object_rank, object_begin, object_finish, shape_judged. */

#define ASSAY_MEMBER_DTYPE 1u
#define ASSAY_MEMBER_SHAPE 2u
#define ASSAY_MEMBER_OFFSETS 4u
#define ASSAY_MEMBERS_ALL 7u

/* More bytes than any dtype has whose name fits one number. */
#define ASSAY_DTYPE_SHORT 7u

/*@ // What the draft holds of the members seen so far is what they say, and head[0 .. at) holds them.
    predicate dtype_says{L}(assay_draft *draft, uint8_t *head, integer at, integer end) =
        draft->dtype_at <= at &&
        (draft->dtype_at != 0 ==> 1 <= draft->dtype <= 22 && draft->dtype == dtype_at(head, draft->dtype_at, end));

    predicate shape_says{L}(assay_draft *draft, uint8_t *head, integer at, integer end) =
        draft->shape_at <= at && draft->rank <= at &&
        (draft->shape_at != 0 ==> draft->rank == shape_rank(head, draft->shape_at, end)
            && elements_product(draft->elements) == shape_product(head, draft->shape_at, end)
            && draft->empty == shape_zero(head, draft->shape_at, end) && shape_judged(head, draft->shape_at, end));

    predicate offsets_say{L}(assay_draft *draft, uint8_t *head, integer at, integer end) =
        draft->offsets_at <= at &&
        (draft->offsets_at != 0 ==> draft->begin == offsets_begin(head, draft->offsets_at, end)
            && draft->end == offsets_finish(head, draft->offsets_at, end));

    predicate members_say{L}(assay_draft *draft, uint8_t *head, integer at, integer end) =
        dtype_says(draft, head, at, end) && shape_says(draft, head, at, end) && offsets_say(draft, head, at, end);

    // From K to L, when the step went on: the draft has taken the value of the member, which begins at `value`.
    predicate takes{K, L}(assay_draft *draft, uint8_t *head, integer end, integer member, integer value, integer step) =
        went_on(step) ==> members_say{L}(draft, head, step, end)
            && \at(draft->dtype_at, L) == (member == 1 ? value : \at(draft->dtype_at, K))
            && \at(draft->shape_at, L) == (member == 2 ? value : \at(draft->shape_at, K))
            && \at(draft->offsets_at, L) == (member == 4 ? value : \at(draft->offsets_at, K));
*/

/* The member that head[at .. end) names, or 0; *word is the text. */
/*@ requires head: head_ok(head, end) && end < whole <= ASSAY_END_MAX && \valid_read(head + (0 .. whole - 1));
    requires at: at <= end;
    requires lexed: string_end(head, at, whole) == end;
    requires word: \valid(word);
    terminates \true;
    exits \false;
    assigns *word;
    ensures exact: \result == member_named(head, at, end);
    ensures escaped: \result != 0 ==> (has_escape(head, at, end) == 1 <==> end - at != word->length);
*/
static uint32_t assay_member_of(const uint8_t *head, uint32_t at, uint32_t end, assay_word *word)
    /*@ ghost (uint32_t whole) */
{
    assay_word_read(head, at, end, word) /*@ ghost (whole) */;
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

/* The member whose key is read character by character. Gives the place of the key's closing quote. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    requires member: \valid(member);
    terminates \true;
    exits \false;
    assigns *member;
    ensures after: lands_on(\result, at, end);
    ensures exact: \let close = string_end(head, at, end);
        \result == (close > end ? close : member_judged(head, at - 1, close, 0, 0, 0));
    ensures member: went_on(\result) ==>
        *member == member_named(head, at, \result) && (*member == 1 || *member == 2 || *member == 4);
*/
static assay_step assay_member_read(const uint8_t *head, uint32_t at, uint32_t end, uint32_t *member)
{
    assay_step close = assay_string(head, at, end);
    if (close >= ASSAY_STOPPED) {
        return close;
    }
    assay_word word;
    *member = assay_member_of(head, at, (uint32_t)close, &word) /*@ ghost (end) */;
    if (*member == 0) {
        return ASSAY_STOP(ASSAY_E_MEMBER_UNKNOWN, at - 1u);
    }
    if (close - at != word.length) {
        return ASSAY_STOP(ASSAY_E_KEYWORD_ESCAPED, at - 1u);
    }
    return close;
}

/* The member whose key stands here as it is, with its closing quote. 0: it is to be read character by character. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures member: \result == 0 || \result == 1 || \result == 2 || \result == 4;
    ensures plain: \result != 0 ==> \let close = at + (\result == 4 ? 12 : 5);
        close < end && string_end(head, at, end) == close && member_named(head, at, close) == \result
        && has_escape(head, at, close) == 0;
*/
static uint32_t assay_member_plain(const uint8_t *head, uint32_t at, uint32_t end)
{
    if (end - at <= ASSAY_WORD_DATA_OFFSETS_LEN) {
        return 0;
    }
    const uint8_t *key = head + at;
    if (key[0] == 'd' && key[1] == 't' && key[2] == 'y' && key[3] == 'p' && key[4] == 'e' && key[5] == '"') {
        //@ ghost assay_plain_word(head, at, at + 5, end);
        //@ assert dtype: word_of(head, at, at + 5) == word(WORD_DTYPE_LO, WORD_DTYPE_HI);
        return ASSAY_MEMBER_DTYPE;
    }
    if (key[0] == 's' && key[1] == 'h' && key[2] == 'a' && key[3] == 'p' && key[4] == 'e' && key[5] == '"') {
        //@ ghost assay_plain_word(head, at, at + 5, end);
        //@ assert shape: word_of(head, at, at + 5) == word(WORD_SHAPE_LO, WORD_SHAPE_HI);
        return ASSAY_MEMBER_SHAPE;
    }
    if (key[0] == 'd' && key[1] == 'a' && key[2] == 't' && key[3] == 'a' && key[4] == '_' && key[5] == 'o'
        && key[6] == 'f' && key[7] == 'f' && key[8] == 's' && key[9] == 'e' && key[10] == 't' && key[11] == 's'
        && key[12] == '"') {
        //@ ghost assay_plain_word(head, at, at + 12, end);
        //@ assert offsets: word_of(head, at, at + 12) == word(WORD_DATA_OFFSETS_LO, WORD_DATA_OFFSETS_HI);
        return ASSAY_MEMBER_OFFSETS;
    }
    return 0;
}

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
static assay_step assay_dtype_read(const uint8_t *head, uint32_t at, uint32_t end, assay_draft *draft)
{
    assay_step close = assay_string(head, at, end);
    if (close >= ASSAY_STOPPED) {
        return close;
    }
    assay_word word;
    assay_word_read(head, at, (uint32_t)close, &word) /*@ ghost (end) */;
    uint32_t dtype = word.length == ASSAY_WORD_LONG ? 0 : assay_dtype_of(word.lo, word.hi);
    if (dtype == 0) {
        return ASSAY_STOP(ASSAY_E_DTYPE_UNKNOWN, at - 1u);
    }
    if (close - at != word.length) {
        return ASSAY_STOP(ASSAY_E_KEYWORD_ESCAPED, at - 1u);
    }
    draft->dtype_at = at - 1u;
    draft->dtype = dtype;
    return close + 1u;
}

/* The same for a dtype whose name is short and stands here as it is; any other is left to assay_dtype_read. */
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
    uint64_t lo = 0;
    uint64_t unit = 1; /* 256 to the power of the count of bytes */
    uint32_t close = at;
    /*@ loop invariant close: at <= close <= end && close <= at + 7;
        loop invariant plain: \forall integer i; at <= i < close ==> plain_byte(head[i]);
        loop invariant unit: unit == word_power(close - at);
        loop invariant lo: lo == plain_word(head, at, close - at) && lo < unit;
        loop assigns lo, unit, close;
        loop variant end - close;
    */
    while (close < end && close - at < ASSAY_DTYPE_SHORT && head[close] > '"' && head[close] < 0x80u
           && head[close] != '\\') {
        //@ assert power: word_power(close + 1 - at) == 256 * unit && unit <= 281474976710656;
        /*@ assert sum: plain_word(head, at, close + 1 - at)
              == plain_word(head, at, close - at) + unit * head[close]; */
        //@ assert small: head[close] * unit <= 255 * unit;
        lo = lo + head[close] * unit;
        unit = unit * 256u;
        close = close + 1u;
    }
    uint32_t dtype = close < end && head[close] == '"' ? assay_dtype_of(lo, 0) : 0;
    if (dtype == 0) {
        return assay_dtype_read(head, at, end, draft);
    }
    //@ ghost assay_plain_word(head, at, close, end);
    //@ assert named: dtype_named(head, at, close) == dtype;
    draft->dtype_at = at - 1u;
    draft->dtype = dtype;
    return close + 1u;
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
    requires at: 1 <= at <= end;
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

/* The size of a tensor that has all members, against its data offsets. close: its closing brace. */
/*@ requires close: close < ASSAY_END_MAX;
    requires draft: \valid(draft);
    requires dtype: 1 <= draft->dtype <= 22;
    requires places: draft->shape_at <= close && draft->offsets_at <= close;
    terminates \true;
    exits \false;
    assigns draft->expected, draft->found;
    ensures exact: \let product = elements_product(draft->elements) * dtype_bits(draft->dtype);
        \result == size_judged(close, draft->shape_at, draft->offsets_at, product, draft->empty == 1 ? 0 : product,
                               draft->begin, draft->end);
    ensures order: went_on(\result) ==> draft->begin <= draft->end;
*/
static assay_step assay_size_judge(uint32_t close, assay_draft *draft)
{
    uint64_t bits = 0;
    if (draft->elements == 0 || !assay_multiply(draft->elements, assay_dtype_bits((uint32_t)draft->dtype), &bits)) {
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

/*@ // From the first key to this one: the value of the member was met at `place`, or (0) not yet.
    predicate member_met{L}(uint8_t *head, integer first, integer key, integer end, integer member, integer place) =
        (place != 0 ==> member_from(head, first, end, member) == place) &&
        (place == 0 && head[key] == '"' ==>
            member_from(head, first, end, member) == member_from(head, key, end, member));

    predicate members_met{L}(assay_draft *draft, uint8_t *head, integer first, integer key, integer end) =
        member_met(head, first, key, end, 1, draft->dtype_at) && member_met(head, first, key, end, 2, draft->shape_at)
        && member_met(head, first, key, end, 4, draft->offsets_at);
*/

assay_step assay_tensor_object(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft)
{
    assay_draft_begin(draft);
    assay_step step = assay_first_key(head, at, end);
    //@ ghost assay_step first = step;
    /*@ loop invariant on: lands_on(step, \at(at, Pre), end);
        loop invariant which: went_on(step) ==> head[step] == '"' || head[step] == '}';
        loop invariant says: went_on(step) ==> members_say(draft, head, step, end);
        loop invariant exact: tensor_end(head, \at(at, Pre) - 1, end, max_rank) == (step > end ? step
            : members_end(head, step, end, max_rank, draft->dtype_at, draft->shape_at, draft->offsets_at));
        loop invariant always: went_on(step) ==> tensor_end(head, \at(at, Pre) - 1, end, unlimited)
            == members_end(head, step, end, unlimited, draft->dtype_at, draft->shape_at, draft->offsets_at);
        loop invariant met: went_on(step) ==> members_met(draft, head, first, step, end);
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
