/* One tensor, its members in any order: {"dtype": ..., "shape": [...], "data_offsets": [begin, end]}.
 * Rules H10, H12 to H23; the limit on the rank. */
#include "core.h"
#include "dtypes.h"
#include "words.h"

/* Unfolds: dtype_end, dtype_at, member_value, member_at, member_end, tensor_judged, tensor_end, key_value,
 * object_dtype, object_shape, object_rank, object_begin, object_finish, shape_judged. */
/* Unfolds: value_at, item_end, item_value, shape_end, shape_rank, shape_product, shape_zero, offsets_rest, offsets_end,
 * offsets_begin, offsets_finish. */
/* Unfolds: shape_fields, offsets_rest_fields, offsets_fields, member_fields, tensor_fields, object_fields. */

#define ASSAY_MEMBER_DTYPE 1u
#define ASSAY_MEMBER_SHAPE 2u
#define ASSAY_MEMBER_OFFSETS 4u
#define ASSAY_MEMBERS_ALL 7u
#define ASSAY_DIGITS 19u /* that many fit 64 bits, whatever they are; a first one, and three at a time */

/* ---- Arrays of integers ---------------------------------------------------------------------------------- */

/*@ // More than all numbers of n digits.
    logic integer above_digits(integer n) =
        n <= 0 ? 1 : n == 1 ? 10 : n == 2 ? 100 : n == 3 ? 1000 : n == 4 ? 10000 : n == 5 ? 100000 : n == 6 ? 1000000
        : n == 7 ? 10000000 : n == 8 ? 100000000 : n == 9 ? 1000000000 : n == 10 ? 10000000000
        : n == 11 ? 100000000000 : n == 12 ? 1000000000000 : n == 13 ? 10000000000000 : n == 14 ? 100000000000000
        : n == 15 ? 1000000000000000 : n == 16 ? 10000000000000000 : n == 17 ? 100000000000000000
        : n == 18 ? 1000000000000000000 : 10000000000000000000;

    // head[start .. at) are digits, and sum is the number that they make.
    predicate digits_read{L}(uint8_t *head, integer start, integer at, integer end, integer sum) =
        start <= at <= start + 19 && sum == digits_value(head, start, at) && 0 <= sum < above_digits(at - start)
        && digits_end(head, at, end) == digits_end(head, start, end)
        && number_end(head, at, end) == number_end(head, start, end);
*/

static assay_step assay_item_any(const uint8_t *head, uint32_t at, uint32_t end, bool beyond, uint64_t *value)
{
    ASSAY_TRY(at, assay_token(head, at, end));
    if (!assay_is_number_start(head[at])) {
        return assay_wrong(head[at], at);
    }
    assay_step step = assay_integer(head, at, end, value);
    //@ ghost assay_integer_beyond(head, at, end);
    if (beyond && step != ASSAY_STOP(ASSAY_E_HEADER_EARLY, end)) {
        return ASSAY_STOP(ASSAY_LIMIT_RANK, at);
    }
    return step < ASSAY_STOPPED ? assay_expect(head, (uint32_t)step, end, ',', ']') : step;
}

/* Take the digit at *at, if there is one, into *sum. */
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
    *sum = *sum * 10u + c - '0'; /* below 10^19: no check */
    *at = *at + 1u;
    return true;
}

/* Read an integer of an array if it has few digits and the end of the header is not near; return 0 for any other. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    requires value: \valid(value);
    terminates \true;
    exits \false;
    assigns *value, assay_work;
    ensures on: \result == 0 || at < \result < end;
    ensures which: \result != 0 ==> head[\result] == ',' || head[\result] == ']';
    ensures exact: \result != 0 ==> \result == item_end(head, at, end, 0);
    ensures value: \result != 0 ==> *value == item_value(head, at, end);
    ensures cost: assay_work <= \old(assay_work) + 5;
    ensures within: \result != 0 ==> assay_work <= \old(assay_work) + \result - at;
*/
static uint64_t assay_short_item(const uint8_t *head, uint32_t at, uint32_t end, uint64_t *value)
{
    if (end - at <= ASSAY_DIGITS + 1u) {
        return 0;
    }
    uint64_t start = head[at] == ' ' ? at + 1u : at;
    if (head[start] < '1' || head[start] > '9') {
        return 0;
    }
    uint64_t next = start + 1u;
    uint64_t sum = (uint64_t)head[start] - '0';
    //@ ghost assay_digit_step(head, (uint32_t)start, (uint32_t)start, end);
    /*@ loop invariant next: start < next <= start + 16;
        loop invariant read: digits_read(head, start, next, end, sum);
        loop invariant cost: 3 * assay_work <= 3 * \at(assay_work, Pre) + next - start - 1;
        loop assigns next, sum, assay_work;
        loop variant start + ASSAY_DIGITS - next;
    */
    while (assay_digit(head, &next, &sum) /*@ ghost ((uint32_t)start, end) */
           && assay_digit(head, &next, &sum) /*@ ghost ((uint32_t)start, end) */
           && assay_digit(head, &next, &sum) /*@ ghost ((uint32_t)start, end) */ && next <= start + 16u) {
        //@ ghost assay_spend();
    }
    if (head[next] != ',' && head[next] != ']') {
        return 0;
    }
    //@ ghost assay_item_plain(head, at, (uint32_t)start, (uint32_t)next, (uint32_t)next, end);
    *value = sum;
    return next;
}

/* Read an integer of an array; return the offset of the comma or bracket after it. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    requires value: \valid(value);
    terminates \true;
    exits \false;
    assigns *value, assay_work;
    ensures on: lands_on(\result, at + 1, end);
    ensures which: went_on(\result) ==> head[\result] == ',' || head[\result] == ']';
    ensures exact: \result == item_end(head, at, end, beyond == 1 ? 1 : 0);
    ensures beyond: beyond == 1 ==> !went_on(\result);
    ensures always: went_on(\result) ==> \result == item_end(head, at, end, 0);
    ensures value: went_on(\result) ==> *value == item_value(head, at, end);
    ensures cost: assay_work <= \old(assay_work) + reached(\result, end) - at + 5;
*/
static inline assay_step assay_item(const uint8_t *head, uint32_t at, uint32_t end, bool beyond, uint64_t *value)
{
    uint64_t next = beyond ? 0 : assay_short_item(head, at, end, value);
    return next != 0 ? next : assay_item_any(head, at, end, beyond, value);
}

/* Return whether the text of `size` bytes at head[before] is repeated at head[at]. Return false for more than 16 bytes,
 * or near the end. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    requires before: before <= at;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures same: \result == 1 ==> 1 <= size <= 16 && at + size < end && same_text(head, before, at, size);
*/
static inline bool assay_text_again(const uint8_t *head, uint64_t before, uint64_t size, uint32_t at, uint32_t end)
{
    uint32_t from = (uint32_t)before;
    if (size == 0 || size > 16u || end - at <= 16u || assay_eight(head, from) != assay_eight(head, at)) {
        return false;
    }
    //@ ghost assay_eight_same(head, from, at, 0);
    if (size > 8u && assay_eight(head, from + ((uint32_t)size - 8u)) != assay_eight(head, at + ((uint32_t)size - 8u))) {
        return false;
    }
    //@ ghost if (size > 8) assay_eight_same(head, from, at, (uint32_t)size - 8);
    return true;
}

/* Take a dim into the draft. */
/*@ requires draft: \valid(draft) && draft->rank <= ASSAY_END_MAX;
    terminates \true;
    exits \false;
    assigns draft->rank, draft->elements, draft->empty;
    ensures rank: draft->rank == \old(draft->rank) + 1;
    ensures product: elements_product(draft->elements) == times_dim(elements_product(\old(draft->elements)), dim);
    ensures empty: draft->empty == (dim == 0 ? 1 : \old(draft->empty));
*/
static inline void assay_dim_take(assay_draft *draft, uint64_t dim)
{
    draft->rank = draft->rank + 1u;
    if (dim == 0) {
        draft->empty = 1;
    } else if (!assay_multiply(draft->elements, dim, &draft->elements)) {
        draft->elements = 0;
    }
}

static assay_step assay_shape(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft)
{
    draft->rank = 0;
    draft->elements = 1;
    draft->empty = 0;
    ASSAY_TRY(at, assay_token(head, at, end));
    if (head[at] == ']') {
        return at + 1u;
    }
    //@ ghost uint32_t first = at;
    /*@ loop invariant at: first <= at <= end;
        loop invariant held: dims_held(draft, head, first, at, end, max_rank);
        loop invariant within: draft->rank <= max_rank;
        loop invariant cost: assay_work <= \at(assay_work, Pre) + 20 * (at - \at(at, Pre));
        loop assigns at, draft->rank, draft->elements, draft->empty, assay_work;
        loop variant end - at;
    */
    while (true) {
        //@ ghost assay_spend();
        uint64_t dim = 0;
        assay_step close = assay_item(head, at, end, draft->rank >= max_rank, &dim);
        //@ ghost assay_item_within(head, at, end);
        assay_dim_take(draft, dim);
        /*@ ghost assay_dims_step(head, at, end, draft->rank, max_rank);
                  assay_dims_step(head, at, end, draft->rank, UINT64_MAX);
                  assay_dim_step(head, at, end); */
        if (close >= ASSAY_STOPPED) {
            if (close / ASSAY_STOPPED == ASSAY_LIMIT_RANK) {
                draft->expected = max_rank;
                draft->found = draft->rank;
            }
            return close;
        }
        at = (uint32_t)close + 1u;
        if (head[close] == ']') {
            return at;
        }
    }
}

/*@ requires draft: \valid(draft);
    terminates \true;
    exits \false;
    assigns draft->expected, draft->found;
    ensures exact: \result == stop(E_OFFSETS_COUNT, at);
    ensures fields: draft_fields(draft) == fields(2, count);
*/
static assay_step assay_offsets_count(uint32_t at, uint64_t count, assay_draft *draft)
{
    draft->expected = 2;
    draft->found = count;
    return ASSAY_STOP(ASSAY_E_OFFSETS_COUNT, at);
}

/* Read the begin of data offsets, which is mostly the text of the end before; return the offset of the comma or bracket
 * after it. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    requires draft: \valid(draft) && draft_silent(draft) && end_kept(draft, head, at, end);
    terminates \true;
    exits \false;
    assigns draft->begin, draft->expected, draft->found, assay_work;
    ensures on: lands_on(\result, at + 1, end);
    ensures which: went_on(\result) ==> head[\result] == ',' || head[\result] == ']';
    ensures stop: !went_on(\result) ==> \result == offsets_end(head, at - 1, end)
        && draft_fields(draft) == offsets_fields(head, at - 1, end);
    ensures item: went_on(\result) ==> \let p = space_end(head, at, end);
        at <= p < end && head[p] != ']' && \result == item_end(head, p, end, 0)
        && draft->begin == item_value(head, p, end) && draft_silent(draft);
    ensures cost: assay_work <= \old(assay_work) + reached(\result, end) - at + 5;
*/
static inline assay_step assay_begin(const uint8_t *head, uint32_t at, uint32_t end, assay_draft *draft)
{
    if (assay_text_again(head, draft->end_at, draft->end_size, at, end) && head[at + draft->end_size] == ',') {
        //@ ghost assay_item_same(head, (uint32_t)draft->end_at, at, (uint32_t)draft->end_size, end, draft->end);
        draft->begin = draft->end;
        return at + draft->end_size;
    }
    ASSAY_TRY(at, assay_token(head, at, end));
    if (head[at] == ']') {
        return assay_offsets_count(at, 0, draft);
    }
    return assay_item(head, at, end, false, &draft->begin);
}

static assay_step assay_offsets(const uint8_t *head, uint32_t at, uint32_t end, assay_draft *draft)
{
    ASSAY_TRY(at, assay_begin(head, at, end, draft));
    //@ ghost uint32_t comma = at;
    //@ assert comma: at == item_end(head, space_end(head, \at(at, Pre), end), end, 0);
    /*@ assert fields: offsets_fields(head, \at(at, Pre) - 1, end) ==
          (head[comma] == ']' ? fields(2, 1) : offsets_rest_fields(head, comma + 1, end)); */
    if (head[at] == ']') {
        return assay_offsets_count(at, 1, draft);
    }
    draft->end_at = at + 1u;
    ASSAY_TRY(at, assay_item(head, at + 1u, end, false, &draft->end));
    //@ assert cost: assay_work <= \at(assay_work, Pre) + at - \at(at, Pre) + 9;
    draft->end_size = at - draft->end_at;
    //@ ghost assay_item_keep(head, (uint32_t)draft->end_at, (uint32_t)draft->end_size, end);
    //@ assert rest: offsets_rest_fields(head, comma + 1, end) == (head[at] == ',' ? fields(2, 3) : no_fields);
    //@ assert text: item_text(head, draft->end_at, draft->end_size, end, draft->end);
    //@ assert finish: draft->end == offsets_finish(head, \at(at, Pre) - 1, end);
    return head[at] == ',' ? assay_offsets_count(at, 3, draft) : at + 1u;
}

/* ---- Keys and dtypes -------------------------------------------------------------------------------------- */

/* Return the member that head[at .. end) names, or 0; *word is the text. */
/*@ requires head: head_ok(head, end) && end < whole <= ASSAY_END_MAX && \valid_read(head + (0 .. whole - 1));
    requires at: at <= end;
    requires lexed: string_end(head, at, whole) == end;
    requires word: \valid(word);
    terminates \true;
    exits \false;
    assigns *word, assay_work;
    ensures exact: \result == member_named(head, at, end);
    ensures escaped: \result != 0 ==> (has_escape(head, at, end) == 1 <==> end - at != word->length);
    ensures cost: assay_work <= \old(assay_work) + end - at + 6;
*/
static uint32_t assay_member_of(const uint8_t *head, uint32_t at, uint32_t end, assay_word *word)
    /*@ ghost (uint32_t whole) */
{
    assay_word_read(head, at, end, word) /*@ ghost (whole) */;
    if (word->lo == ASSAY_WORD_DTYPE_LO && word->length == ASSAY_WORD_DTYPE_LEN) {
        return ASSAY_MEMBER_DTYPE;
    }
    if (word->lo == ASSAY_WORD_SHAPE_LO && word->length == ASSAY_WORD_SHAPE_LEN) {
        return ASSAY_MEMBER_SHAPE;
    }
    if (word->lo == ASSAY_WORD_DATA_OFFSETS_LO && word->hi == ASSAY_WORD_DATA_OFFSETS_HI
        && word->length == ASSAY_WORD_DATA_OFFSETS_LEN) {
        return ASSAY_MEMBER_OFFSETS;
    }
    return 0;
}

/* Return the member whose key and colon begin at `at`, after the opening quote; 0: no key without escapes and white
 * space. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end && head[at - 1] == '"';
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures member: \result == 0 || \result == 1 || \result == 2 || \result == 4;
    ensures room: \result != 0 ==> at + (\result == 4 ? 14 : 7) <= end;
    ensures dtype: \result == 1 ==> member_begins(head, at - 1, end, 1, value_at(head, at + 7, end, '"'));
    ensures shape: \result == 2 ==> member_begins(head, at - 1, end, 2, value_at(head, at + 7, end, '['));
    ensures offsets: \result == 4 ==> member_begins(head, at - 1, end, 4, value_at(head, at + 14, end, '['));
*/
static inline uint32_t assay_member_plain(const uint8_t *head, uint32_t at, uint32_t end)
{
    if (end - at < ASSAY_KEY_DATA_OFFSETS_LEN) {
        return 0;
    }
    uint64_t text = assay_eight(head, at);
    if (text % 0x100000000000000u == ASSAY_KEY_DTYPE_FIRST / 0x100u) {
        //@ ghost assay_plain_word(head, at, at + 5, end);
        //@ assert dtype: word_of(head, at, at + 5) == word(WORD_DTYPE_LO, WORD_DTYPE_HI);
        //@ ghost assay_key_colon(head, at + 5, end);
        return ASSAY_MEMBER_DTYPE;
    }
    if (text % 0x100000000000000u == ASSAY_KEY_SHAPE_FIRST / 0x100u) {
        //@ ghost assay_plain_word(head, at, at + 5, end);
        //@ assert shape: word_of(head, at, at + 5) == word(WORD_SHAPE_LO, WORD_SHAPE_HI);
        //@ ghost assay_key_colon(head, at + 5, end);
        return ASSAY_MEMBER_SHAPE;
    }
    if (text == ASSAY_WORD_DATA_OFFSETS_LO && assay_eight(head, at + 6u) == ASSAY_KEY_DATA_OFFSETS_LAST) {
        //@ ghost assay_plain_word(head, at, at + 12, end);
        //@ assert offsets: word_of(head, at, at + 12) == word(WORD_DATA_OFFSETS_LO, WORD_DATA_OFFSETS_HI);
        //@ ghost assay_key_colon(head, at + 12, end);
        return ASSAY_MEMBER_OFFSETS;
    }
    return 0;
}

/* Return whether head[at] begins with the name of a dtype, of at most 7 bytes and without escapes, and a quote. Keep
 * the eight bytes in the draft, which mostly holds them. */
/*@ requires head: head_ok(head, end);
    requires room: at + 8 <= end;
    requires draft: \valid(draft) && dtype_kept(draft);
    terminates \true;
    exits \false;
    assigns draft->text, draft->text_size, draft->text_dtype;
    ensures kept: dtype_kept(draft);
    ensures bytes: \result == 1 ==> bytes_of(head, at, draft->text);
*/
static inline bool assay_dtype_known(const uint8_t *head, uint32_t at, assay_draft *draft) /*@ ghost (uint32_t end) */
{
    uint64_t text = assay_eight(head, at);
    if (text == draft->text) {
        return true; /* mostly */
    }
    uint32_t size = head[at + 3u] == '"' ? 3u : head[at + 2u] == '"' ? 2u : head[at + 4u] == '"' ? 4u : 7u;
    uint64_t name = size == 3u ? text % 0x1000000u : size == 2u ? text % 0x10000u : size == 4u ? text % 0x100000000u
                    : text % 0x100000000000000u;
    uint32_t dtype = assay_dtype_of(name, 0);
    if (head[at + size] != '"' || head[at + size - 1u] == 0 || dtype == 0) {
        return false;
    }
    //@ ghost assay_dtype_names(head, at, text, size, dtype);
    draft->text = text;
    draft->text_size = size;
    draft->text_dtype = dtype;
    return true;
}

static assay_step assay_dtype_read(const uint8_t *head, uint32_t at, uint32_t end, assay_draft *draft)
{
    uint32_t close = 0;
    ASSAY_TRY(close, assay_string(head, at, end));
    assay_word word;
    assay_word_read(head, at, close, &word) /*@ ghost (end) */;
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

/* ---- Members ---------------------------------------------------------------------------------------------- */

/* Read a dtype; pos: after the key's colon. Return the offset after the closing quote. */
/*@ requires head: head_ok(head, end);
    requires pos: 1 <= pos <= end;
    requires draft: \valid(draft) && members_say(draft, head, pos, end);
    terminates \true;
    exits \false;
    assigns *draft, assay_work;
    ensures after: lands(\result, pos + 1, end);
    ensures exact: \let value = value_at(head, pos, end, '"');
        \result == (value > end ? value : dtype_end(head, value, end));
    ensures place: went_on(\result) ==> pos <= value_at(head, pos, end, '"') <= end;
    ensures takes: takes{Pre, Here}(draft, head, end, 1, value_at(head, pos, end, '"'), \result);
    ensures same: draft->expected == \old(draft->expected) && draft->found == \old(draft->found);
    ensures cost: assay_work <= \old(assay_work) + cost(pos, \result, end);
*/
static inline assay_step assay_dtype(const uint8_t *head, uint32_t pos, uint32_t end, assay_draft *draft)
{
    ASSAY_TRY(pos, assay_open(head, pos, end, '"'));
    //@ assert quote: value_at(head, \at(pos, Pre), end, '"') == pos - 1 < end;
    if (end - pos < 8u || !assay_dtype_known(head, pos, draft) /*@ ghost (end) */) {
        return assay_dtype_read(head, pos, end, draft);
    }
    //@ ghost assay_dtype_text(head, pos, end, draft->text, (uint32_t)draft->text_size, (uint32_t)draft->text_dtype);
    //@ assert others: shape_says(draft, head, pos, end) && offsets_say(draft, head, pos, end);
    draft->dtype_at = pos - 1u;
    draft->dtype = draft->text_dtype;
    //@ assert dtype: dtype_says(draft, head, pos, end);
    //@ assert shape: shape_says(draft, head, pos, end);
    //@ assert offsets: offsets_say(draft, head, pos, end);
    //@ assert remembers: draft_remembers(draft, head, pos, end);
    //@ assert same: draft->shape_at == \at(draft->shape_at, Pre) && draft->offsets_at == \at(draft->offsets_at, Pre);
    return pos + draft->text_size + 1u;
}

/* Read a shape; pos: after the key's colon. Return the offset after the closing bracket. */
/*@ requires head: head_ok(head, end);
    requires pos: 1 <= pos <= end;
    requires draft: \valid(draft) && members_say(draft, head, pos, end) && draft_silent(draft);
    terminates \true;
    exits \false;
    assigns *draft, assay_work;
    ensures after: lands(\result, pos + 1, end);
    ensures exact: \let value = value_at(head, pos, end, '[');
        \result == (value > end ? value : shape_end(head, value, end, max_rank));
    ensures silent: went_on(\result) ==> draft_silent(draft);
    ensures fields: \let value = value_at(head, pos, end, '[');
        draft_fields(draft) == (value > end ? no_fields : shape_fields(head, value, end, max_rank));
    ensures always: went_on(\result) ==> \let value = value_at(head, pos, end, '[');
        pos <= value <= end && \result == shape_end(head, value, end, unlimited);
    ensures takes: takes{Pre, Here}(draft, head, end, 2, value_at(head, pos, end, '['), \result);
    ensures cost: assay_work <= \old(assay_work) + cost(pos, \result, end);
*/
static inline assay_step assay_member_shape(const uint8_t *head, uint32_t pos, uint32_t end, uint64_t max_rank,
                                            assay_draft *draft)
{
    ASSAY_TRY(pos, assay_open(head, pos, end, '['));
    draft->shape_at = pos - 1u;
    if (assay_text_again(head, draft->dims_at, draft->dims_size, pos, end) && draft->rank <= max_rank) {
        /*@ ghost assay_shape_same(head, (uint32_t)draft->dims_at, pos, (uint32_t)draft->dims_size, end, max_rank,
                                   draft->rank, draft->elements, draft->empty); */
        return pos + draft->dims_size;
    }
    assay_step step = assay_shape(head, pos, end, max_rank, draft);
    draft->dims_at = pos;
    draft->dims_size = step - pos;
    /*@ ghost if (step < ASSAY_STOPPED) {
                  assay_shape_keep(head, pos, (uint32_t)(step - pos), end, draft->rank, draft->elements, draft->empty);
              } */
    return step;
}

/* Read data offsets; pos: after the key's colon. Return the offset after the closing bracket. */
/*@ requires head: head_ok(head, end);
    requires pos: 1 <= pos <= end;
    requires draft: \valid(draft) && members_say(draft, head, pos, end) && draft_silent(draft);
    terminates \true;
    exits \false;
    assigns *draft, assay_work;
    ensures after: lands(\result, pos + 1, end);
    ensures exact: \let value = value_at(head, pos, end, '[');
        \result == (value > end ? value : offsets_end(head, value, end));
    ensures silent: went_on(\result) ==> draft_silent(draft);
    ensures fields: \let value = value_at(head, pos, end, '[');
        draft_fields(draft) == (value > end ? no_fields : offsets_fields(head, value, end));
    ensures place: went_on(\result) ==> pos <= value_at(head, pos, end, '[') <= end;
    ensures takes: takes{Pre, Here}(draft, head, end, 4, value_at(head, pos, end, '['), \result);
    ensures cost: assay_work <= \old(assay_work) + cost(pos, \result, end);
*/
static inline assay_step assay_member_offsets(const uint8_t *head, uint32_t pos, uint32_t end, assay_draft *draft)
{
    ASSAY_TRY(pos, assay_open(head, pos, end, '['));
    //@ assert place: value_at(head, \at(pos, Pre), end, '[') == pos - 1 < end;
    draft->offsets_at = pos - 1u;
    return assay_offsets(head, pos, end, draft);
}

/* Return whether the member was seen before. */
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

static assay_step assay_member_key(const uint8_t *head, uint32_t at, uint32_t end, const assay_draft *draft,
                                   uint32_t *member)
{
    uint32_t close = 0;
    ASSAY_TRY(close, assay_string(head, at, end));
    assay_word word;
    *member = assay_member_of(head, at, close, &word) /*@ ghost (end) */;
    if (*member == 0) {
        return ASSAY_STOP(ASSAY_E_MEMBER_UNKNOWN, at - 1u);
    }
    if (close - at != word.length) {
        return ASSAY_STOP(ASSAY_E_KEYWORD_ESCAPED, at - 1u);
    }
    if (assay_member_seen(draft, *member)) {
        return ASSAY_STOP(ASSAY_E_MEMBER_TWICE, at - 1u);
    }
    return assay_colon(head, close + 1u, end);
}

/* Read a member; at: after the opening quote of its key, which is predicted. Return the offset after the value. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end && head[at - 1] == '"';
    requires draft: \valid(draft) && members_say(draft, head, at, end) && draft_silent(draft);
    terminates \true;
    exits \false;
    assigns *draft, assay_work;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \let value = member_value(head, at - 1, end, \old(draft->dtype_at), \old(draft->shape_at),
                                             \old(draft->offsets_at));
        \result == (value > end ? value
                    : member_end(head, value, end, member_at(head, at - 1, end), max_rank));
    ensures silent: went_on(\result) ==> draft_silent(draft);
    ensures fields: \let value = member_value(head, at - 1, end, \old(draft->dtype_at), \old(draft->shape_at),
                                              \old(draft->offsets_at));
        draft_fields(draft) == (value > end ? no_fields
                                : member_fields(head, value, end, member_at(head, at - 1, end), max_rank));
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
    ensures cost: assay_work <= \old(assay_work) + cost(at, \result, end);
*/
static inline assay_step assay_member(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank,
                                      assay_draft *draft)
{
    uint32_t member = assay_member_plain(head, at, end);
    uint32_t pos = at + (member == ASSAY_MEMBER_OFFSETS ? 14u : 7u);
    if (member == 0 || assay_member_seen(draft, member)) {
        uint32_t other = 0;
        ASSAY_TRY(pos, assay_member_key(head, at, end, draft, &other));
        member = other;
    }
    //@ ghost uint8_t kind = member == ASSAY_MEMBER_DTYPE ? (uint8_t)'"' : (uint8_t)'[';
    //@ assert begins: member_begins(head, at - 1, end, member, value_at(head, pos, end, kind));
    if (member == ASSAY_MEMBER_DTYPE) {
        return assay_dtype(head, pos, end, draft);
    }
    return member == ASSAY_MEMBER_SHAPE ? assay_member_shape(head, pos, end, max_rank, draft)
           : assay_member_offsets(head, pos, end, draft);
}

/* Return the sum of the numbers of the members seen. */
/*@ requires draft: \valid_read(draft);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == (draft->dtype_at == 0 ? 0 : 1) + (draft->shape_at == 0 ? 0 : 2)
        + (draft->offsets_at == 0 ? 0 : 4);
*/
static uint32_t assay_members_seen(const assay_draft *draft)
{
    uint32_t dtype = draft->dtype_at != 0 ? ASSAY_MEMBER_DTYPE : 0;
    uint32_t shape = draft->shape_at != 0 ? ASSAY_MEMBER_SHAPE : 0;
    uint32_t offsets = draft->offsets_at != 0 ? ASSAY_MEMBER_OFFSETS : 0;
    return dtype + shape + offsets;
}

/* Judge the size of a tensor that has all members by its data offsets; close: its closing brace. */
/*@ requires close: close < ASSAY_END_MAX;
    requires draft: \valid(draft) && draft_silent(draft);
    requires dtype: 1 <= draft->dtype <= 22;
    requires places: draft->shape_at <= close && draft->offsets_at <= close;
    terminates \true;
    exits \false;
    assigns draft->expected, draft->found;
    ensures exact: \let product = elements_product(draft->elements) * dtype_bits(draft->dtype);
        \result == size_judged(close, draft->shape_at, draft->offsets_at, product, draft->empty == 1 ? 0 : product,
                               draft->begin, draft->end);
    ensures fields: \let product = elements_product(draft->elements) * dtype_bits(draft->dtype);
        draft_fields(draft) == size_fields(product, draft->empty == 1 ? 0 : product, draft->begin, draft->end);
    ensures silent: went_on(\result) ==> draft_silent(draft);
    ensures order: went_on(\result) ==> draft->begin <= draft->end;
*/
static assay_step assay_size_judge(uint32_t close, assay_draft *draft)
{
    uint64_t width = assay_dtype_bits((uint32_t)draft->dtype);
    uint64_t bits = 0; /* as it stays if they do not fit 64 bits */
    (void)assay_multiply(draft->elements, width, &bits);
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

/* Judge the members together, at the tensor's closing brace head[close]. */
/*@ requires close: close < end <= ASSAY_END_MAX;
    requires draft: \valid(draft) && members_say(draft, head, close, end) && draft_silent(draft);
    terminates \true;
    exits \false;
    assigns draft->expected, draft->found;
    ensures after: went_on(\result) ==> \result == close + 1;
    ensures exact: \result == tensor_judged(head, close, end, draft->dtype_at, draft->shape_at, draft->offsets_at);
    ensures fields: draft_fields(draft) ==
        tensor_fields(head, end, draft->dtype_at, draft->shape_at, draft->offsets_at);
    ensures all: went_on(\result) ==> draft->dtype_at != 0 && draft->shape_at != 0 && draft->offsets_at != 0;
    ensures silent: went_on(\result) ==> draft_silent(draft);
    ensures kept: went_on(\result) ==> draft_valid(draft, \result);
    ensures says: went_on(\result) ==> members_say(draft, head, close, end);
*/
static assay_step assay_tensor_judge(uint32_t close, assay_draft *draft)
    /*@ ghost (const uint8_t *head, uint32_t end) */
{
    if (draft->dtype_at == 0 || draft->shape_at == 0 || draft->offsets_at == 0) {
        draft->expected = ASSAY_MEMBERS_ALL;
        draft->found = assay_members_seen(draft);
        return ASSAY_STOP(ASSAY_E_MEMBER_MISSING, close);
    }
    /*@ assert fields: \let product = elements_product(draft->elements) * dtype_bits(draft->dtype);
            tensor_fields(head, end, draft->dtype_at, draft->shape_at, draft->offsets_at) ==
            size_fields(product, draft->empty == 1 ? 0 : product, draft->begin, draft->end); */
    return assay_size_judge(close, draft);
}

static assay_step assay_tensor_object(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank,
                                      assay_draft *draft)
{
    draft->dtype_at = 0;
    draft->shape_at = 0;
    draft->offsets_at = 0;
    assay_step step = assay_first_key(head, at, end);
    /*@ loop invariant on: lands_on(step, \at(at, Pre), end);
        loop invariant which: went_on(step) ==> head[step] == '"' || head[step] == '}';
        loop invariant says: went_on(step) ==> members_say(draft, head, step, end);
        loop invariant exact: tensor_end(head, \at(at, Pre) - 1, end, max_rank) == (step > end ? step
            : members_end(head, step, end, max_rank, draft->dtype_at, draft->shape_at, draft->offsets_at));
        loop invariant always: went_on(step) ==> tensor_end(head, \at(at, Pre) - 1, end, unlimited)
            == members_end(head, step, end, unlimited, draft->dtype_at, draft->shape_at, draft->offsets_at);
        loop invariant met: went_on(step) ==>
            members_met(draft, head, first_key(head, \at(at, Pre), end), step, end);
        loop invariant silent: went_on(step) ==> draft_silent(draft);
        loop invariant fields: object_fields(head, \at(at, Pre) - 1, end, max_rank) == (step > end
            ? draft_fields(draft)
            : members_fields(head, step, end, max_rank, draft->dtype_at, draft->shape_at, draft->offsets_at));
        loop invariant cost: assay_work <= \at(assay_work, Pre) + cost(\at(at, Pre), step, end);
        loop assigns step, at, *draft, assay_work;
        loop variant step < ASSAY_STOPPED ? end - step : 0;
    */
    while (step < ASSAY_STOPPED) {
        //@ ghost assay_spend();
        at = (uint32_t)step;
        /*@ ghost assay_members_step(head, at, end, max_rank, draft->dtype_at, draft->shape_at, draft->offsets_at);
                  assay_members_step(head, at, end, UINT64_MAX, draft->dtype_at, draft->shape_at, draft->offsets_at); */
        /*@ ghost uint64_t d = draft->dtype_at;
                  uint64_t s = draft->shape_at;
                  uint64_t o = draft->offsets_at; */
        if (head[at] == '}') {
            //@ ghost assay_fields_step(head, at, end, max_rank, d, s, o);
            return assay_tensor_judge(at, draft) /*@ ghost (head, end) */;
        }
        /*@ ghost assay_member_from_step(head, at, end, ASSAY_MEMBER_DTYPE);
                  assay_member_from_step(head, at, end, ASSAY_MEMBER_SHAPE);
                  assay_member_from_step(head, at, end, ASSAY_MEMBER_OFFSETS); */
        step = assay_member(head, at + 1u, end, max_rank, draft);
        if (step < ASSAY_STOPPED) {
            step = assay_next_key(head, (uint32_t)step, end);
        }
        /*@ assert exact: tensor_end(head, \at(at, Pre) - 1, end, max_rank) == (step > end ? step
              : members_end(head, step, end, max_rank, draft->dtype_at, draft->shape_at, draft->offsets_at)); */
        //@ ghost assay_fields_step(head, at, end, max_rank, d, s, o);
    }
    return step;
}
