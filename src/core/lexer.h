/* lexer.h: tokens between and within the members of the header. A part of core.h. */
#ifndef ASSAY_LEXER_H
#define ASSAY_LEXER_H

/* Set pos to where the call ends, or return the stop that it returns. */
#define ASSAY_TRY(pos, call)                  \
    do {                                      \
        assay_step next_or_stop = (call);     \
        if (next_or_stop >= ASSAY_STOPPED) {  \
            return next_or_stop;              \
        }                                     \
        (pos) = (uint32_t)next_or_stop;       \
    } while (0)

/* Return the offset of the first byte from `pos` on that is not white space, or end. */
/*@ requires head: head_ok(head, end);
    requires pos: pos <= end;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures after: pos <= \result <= end;
    ensures exact: \result == space_end(head, pos, end);
    ensures solid: space_end(head, \result, end) == \result;
    ensures cost: assay_work <= \old(assay_work) + \result - pos;
*/
static uint32_t assay_space(const uint8_t *head, uint32_t pos, uint32_t end);

/* Return the offset of the next byte that is not white space; one must follow. */
/*@ requires head: head_ok(head, end);
    requires pos: pos <= end;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures on: lands_on(\result, pos, end);
    ensures after: pos <= space_end(head, pos, end) <= end;
    ensures exact: \let p = space_end(head, pos, end); \result == (p >= end ? early(end) : p);
    ensures cost: assay_work <= \old(assay_work) + reached(\result, end) - pos;
*/
static assay_step assay_token(const uint8_t *head, uint32_t pos, uint32_t end);

/* Return the offset of the next byte that is not white space; it must be x or y. */
/*@ requires head: head_ok(head, end);
    requires pos: pos <= end;
    requires solid: ' ' < x && ' ' < y;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures on: lands_on(\result, pos, end);
    ensures which: went_on(\result) ==> head[\result] == x || head[\result] == y;
    ensures exact: \result == next_byte(head, pos, end, x, y);
    ensures cost: assay_work <= \old(assay_work) + reached(\result, end) - pos;
*/
static assay_step assay_expect(const uint8_t *head, uint32_t pos, uint32_t end, uint8_t x, uint8_t y);

/* Return the offset after the next byte that is not white space; it must be a colon. */
/*@ requires head: head_ok(head, end);
    requires pos: pos <= end;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures after: lands(\result, pos + 1, end);
    ensures exact: \let p = next_byte(head, pos, end, ':', ':'); \result == (p > end ? p : p + 1);
    ensures cost: assay_work <= \old(assay_work) + reached(\result, end) - pos;
*/
static assay_step assay_colon(const uint8_t *head, uint32_t pos, uint32_t end);

/* Can a number begin with c? */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == 1 <==> c == '-' || '0' <= c <= '9';
*/
static bool assay_is_number_start(uint8_t c);

/* Return the stop for c at `pos`, with which no value of the expected type begins. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures stop: !went_on(\result);
    ensures exact: \result == (value_kind(c) != 0 ? stop(E_TYPE, pos) : stop(E_UNEXPECTED, pos));
*/
static assay_step assay_wrong(uint8_t c, uint32_t pos);

/* Return the offset after the first byte of the next value, which must be `first`: a quote, a bracket or a brace. */
/*@ requires head: head_ok(head, end);
    requires pos: pos <= end;
    requires first: first == '"' || first == '{' || first == '[';
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures after: lands(\result, pos + 1, end);
    ensures exact: \let p = value_at(head, pos, end, first); \result == (p > end ? p : p + 1);
    ensures cost: assay_work <= \old(assay_work) + reached(\result, end) - pos;
*/
static assay_step assay_open(const uint8_t *head, uint32_t pos, uint32_t end, uint8_t first);

/* After a brace: return the offset of the first key's quote, or of the closing brace. */
/*@ requires head: head_ok(head, end);
    requires pos: pos <= end;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures on: lands_on(\result, pos, end);
    ensures which: went_on(\result) ==> head[\result] == '"' || head[\result] == '}';
    ensures exact: \result == first_key(head, pos, end);
    ensures cost: assay_work <= \old(assay_work) + reached(\result, end) - pos;
*/
static assay_step assay_first_key(const uint8_t *head, uint32_t pos, uint32_t end);

/* After a member: return the offset of the next key's quote, or of the closing brace. */
/*@ requires head: head_ok(head, end);
    requires pos: pos <= end;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures on: lands_on(\result, pos, end);
    ensures gap: went_on(\result) && head[\result] != '}' ==> \result > pos;
    ensures which: went_on(\result) ==> head[\result] == '"' || head[\result] == '}';
    ensures exact: \result == next_key(head, pos, end);
    ensures cost: assay_work <= \old(assay_work) + reached(\result, end) - pos;
*/
static assay_step assay_next_key(const uint8_t *head, uint32_t pos, uint32_t end);

/* Return the offset after the integer at `pos`, where a digit or a minus is. *value is written only on success. */
/*@ requires head: head_ok(head, end);
    requires pos: pos < end;
    requires start: number_byte(head[pos]);
    requires value: \valid(value);
    terminates \true;
    exits \false;
    assigns *value, assay_work;
    ensures after: lands_on(\result, pos + 1, end);
    ensures kept: !went_on(\result) ==> *value == \old(*value);
    ensures exact: \result == integer_end(head, pos, end, 0);
    ensures behind: went_on(\result) ==> \result == number_end(head, pos, end);
    ensures value: went_on(\result) ==> *value == integer_value(head, pos, end);
    ensures cost: assay_work <= \old(assay_work) + reached(\result, end) - pos;
*/
static assay_step assay_integer(const uint8_t *head, uint32_t pos, uint32_t end, uint64_t *value);

/* Return false if a * b is above 2^64 - 1. *product is written only on success. */
/*@ requires product: \valid(product);
    terminates \true;
    exits \false;
    assigns *product;
    ensures exact: \result == 1 ==> *product == a * b;
    ensures kept: \result == 0 ==> *product == \old(*product) && a * b > 18446744073709551615;
*/
static bool assay_multiply(uint64_t a, uint64_t b, uint64_t *product);

#endif
