/* token.h: keywords and strings. A part of core.h. */
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
static void assay_word_read(const uint8_t *head, uint32_t at, uint32_t end, assay_word *word)
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
static uint64_t assay_eight(const uint8_t *head, uint32_t at);

/* ---- string.c: strings -------------------------------------------------------------------------------- */

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
static assay_step assay_string(const uint8_t *head, uint32_t pos, uint32_t end);

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
static assay_step assay_string_rest(const uint8_t *head, uint32_t pos, uint32_t end);

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
static uint32_t assay_plain_end(const uint8_t *head, uint32_t pos, uint32_t end);

#endif
