/* token.h: keywords and tokens. A part of core.h. */
#ifndef ASSAY_TOKEN_H
#define ASSAY_TOKEN_H

/* ---- word.c: keywords ------------------------------------------------------------------------------- */

/* A short text, unescaped and packed: its first 8 bytes and the next 4, little-endian. length: ASSAY_WORD_LONG if
 * it isn't 1 to 12 ASCII characters. */
typedef struct {
    uint64_t lo, hi, length;
} assay_word;
/*@ requires head: head_ok(head, end) && end < whole <= ASSAY_END_MAX && \valid_read(head + (0 .. whole - 1));
    requires at: at <= end;
    requires lexed: string_end(head, at, whole) == end;
    requires word: \valid(word);
    terminates \true;
    exits \false;
    assigns *word;
    ensures length: word->length <= ASSAY_WORD_LONG;
    ensures long: word->length == ASSAY_WORD_LONG <==> word_of(head, at, end) < 0;
    ensures value: word->length != ASSAY_WORD_LONG ==>
        word_of(head, at, end) == word(word->lo, word->hi) && word_length(word_of(head, at, end)) == word->length;
    ensures escaped: word->length != ASSAY_WORD_LONG ==>
        (has_escape(head, at, end) == 1 <==> end - at != word->length);
*/
void assay_word_read(const uint8_t *head, uint32_t at, uint32_t end, assay_word *word)
    /*@ ghost (uint32_t whole) */;

/* Eight bytes as one number, the first lowest. */
/*@ requires bytes: at < ASSAY_END_MAX && \valid_read(head + (at .. at + 7));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures low: head[at] == \result % 0x100 && head[at + 1] == \result / 0x100 % 0x100
        && head[at + 2] == \result / 0x10000 % 0x100 && head[at + 3] == \result / 0x1000000 % 0x100;
    ensures high: head[at + 4] == \result / 0x100000000 % 0x100 && head[at + 5] == \result / 0x10000000000 % 0x100
        && head[at + 6] == \result / 0x1000000000000 % 0x100 && head[at + 7] == \result / 0x100000000000000;
*/
uint64_t assay_eight(const uint8_t *head, uint32_t at);

/* ---- string.c, number.c, token.c: tokens -------------------------------------------------------------- */

/* Return the offset of the closing quote of the string that pos is in, or what stops it. O(bytes of the string). */
/*@ requires head: head_ok(head, end);
    requires pos: pos <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures quote: lands_on(\result, pos, end);
    ensures closed: went_on(\result) ==> head[\result] == '"';
    ensures exact: \result == string_end(head, pos, end);
*/
assay_step assay_string(const uint8_t *head, uint32_t pos, uint32_t end);

/* The same, where a string is not known to be short. */
/*@ requires head: head_ok(head, end);
    requires pos: pos <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures quote: lands_on(\result, pos, end);
    ensures closed: went_on(\result) ==> head[\result] == '"';
    ensures exact: \result == string_end(head, pos, end);
*/
assay_step assay_string_rest(const uint8_t *head, uint32_t pos, uint32_t end);

/* Return the offset after the plain characters at pos, within a string; after some of them, or none, where the header
 * ends soon. Plain characters are ASCII, and neither quote nor backslash. */
/*@ requires head: head_ok(head, end);
    requires pos: pos <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures after: pos <= \result <= end;
    ensures same: string_end(head, pos, end) == string_end(head, \result, end);
    ensures closed: \result < end && head[\result] == '"' ==>
        string_end(head, pos, end) == \result && text_plain(head, pos, \result);
*/
uint32_t assay_plain_end(const uint8_t *head, uint32_t pos, uint32_t end);

/* head[at] is a digit or a minus. Gives the end of the number; *value is written only then. */
/*@ requires head: head_ok(head, end);
    requires at: at < end;
    requires start: number_byte(head[at]);
    requires value: \valid(value);
    terminates \true;
    exits \false;
    assigns *value;
    ensures after: lands_on(\result, at + 1, end);
    ensures kept: !went_on(\result) ==> *value == \old(*value);
    ensures exact: \result == integer_end(head, at, end, 0);
    ensures behind: went_on(\result) ==> \result == number_end(head, at, end);
    ensures value: went_on(\result) ==> *value == integer_value(head, at, end);
*/
assay_step assay_integer(const uint8_t *head, uint32_t at, uint32_t end, uint64_t *value);

/* False: a * b is above 2^64 - 1. *product is written only if true. */
/*@ requires product: \valid(product);
    terminates \true;
    exits \false;
    assigns *product;
    ensures exact: \result == 1 ==> *product == a * b;
    ensures kept: \result == 0 ==> *product == \old(*product) && a * b > 18446744073709551615;
*/
bool assay_multiply(uint64_t a, uint64_t b, uint64_t *product);

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == 1 <==> c == '-' || '0' <= c <= '9';
*/
bool assay_is_number_start(uint8_t c);

/* The stop for a byte that can't begin the value that is wanted here. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures stop: !went_on(\result);
    ensures exact: \result == (value_kind(c) != 0 ? stop(E_TYPE, at) : stop(E_UNEXPECTED, at));
*/
assay_step assay_wrong(uint8_t c, uint32_t at);

/* The first byte that is no white space, or end. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures after: at <= \result <= end;
    ensures exact: \result == space_end(head, at, end);
    ensures solid: space_end(head, \result, end) == \result;
*/
uint32_t assay_space(const uint8_t *head, uint32_t at, uint32_t end);

/* Behind the colon that stands here. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \let p = next_byte(head, at, end, ':', ':'); \result == (p > end ? p : p + 1);
*/
assay_step assay_colon(const uint8_t *head, uint32_t at, uint32_t end);

/* Behind the first byte `want` of the value that stands here: a quote, a bracket or a brace. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    requires want: want == '"' || want == '{' || want == '[';
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \let p = value_at(head, at, end, want); \result == (p > end ? p : p + 1);
*/
assay_step assay_open(const uint8_t *head, uint32_t at, uint32_t end, uint8_t want);

/* After an item: the place of a comma or of `close`. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures on: lands_on(\result, at, end);
    ensures which: went_on(\result) ==> head[\result] == ',' || head[\result] == close;
    ensures exact: \result == next_byte(head, at, end, ',', close);
*/
assay_step assay_separator(const uint8_t *head, uint32_t at, uint32_t end, uint8_t close);

/* Behind a { or [: the place of the first key's quote or of }; of the first item or of ]. After a member: the place
 * of the closing }, or of the quote that follows the comma. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures on: lands_on(\result, at, end);
    ensures which: went_on(\result) ==> head[\result] == '"' || head[\result] == '}';
    ensures exact: \result == first_key(head, at, end);
*/
assay_step assay_first_key(const uint8_t *head, uint32_t at, uint32_t end);
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures on: lands_on(\result, at, end);
    ensures gap: went_on(\result) && head[\result] != '}' ==> \result > at;
    ensures which: went_on(\result) ==> head[\result] == '"' || head[\result] == '}';
    ensures exact: \result == next_key(head, at, end);
*/
assay_step assay_next_key(const uint8_t *head, uint32_t at, uint32_t end);
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures on: lands_on(\result, at, end);
    ensures exact: \let p = space_end(head, at, end); \result == (p >= end ? early(end) : p);
*/
assay_step assay_first_item(const uint8_t *head, uint32_t at, uint32_t end);

#endif
