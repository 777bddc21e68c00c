/* text.h: characters, and the texts that they make. A part of core.h. */
#ifndef ASSAY_CORE_TEXT_H
#define ASSAY_CORE_TEXT_H

/* A character: its code point, and where the next one begins. */
#define ASSAY_UNIT(code, next) ((uint64_t)(code) * 4294967296u + (next))
#define ASSAY_REPLACEMENT 0xFFFDu /* stands for what is ill-formed */

/* ---- string.c: characters ------------------------------------------------------------------------------- */

/* Return what stops the escape at pos: its first wrong byte, or the end. */
/*@ requires head: head_ok(head, end);
    requires pos: pos < end;
    requires wrong: escape_end(head, pos, end) > end;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures exact: \result == escape_end(head, pos, end);
    ensures stop: !went_on(\result);
    ensures cost: assay_work <= \old(assay_work) + end - pos;
*/
static assay_step assay_escape_fault(const uint8_t *head, uint32_t pos, uint32_t end);

/* Return the offset after the UTF-8 at pos, where a byte of 0x80 or above is, or what stops it. O(1). */
/*@ requires head: head_ok(head, end);
    requires pos: pos < end;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures after: lands(\result, pos + 2, end);
    ensures exact: \result == utf8_end(head, pos, end);
    ensures cost: assay_work <= \old(assay_work) + 3;
*/
static assay_step assay_utf8(const uint8_t *head, uint32_t pos, uint32_t end);

/* Return the character at pos, where a byte of 0x80 or above is: its code point and the next offset, ASSAY_UNIT. What
 * is ill-formed is U+FFFD, one byte long. O(1). */
/*@ requires head: head_ok(head, end);
    requires inside: pos < end && 0x80 <= head[pos];
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures exact: \result == utf8(head, pos, end);
    ensures next: pos < \result % 4294967296 <= end;
    ensures code: 0x80 <= \result / 4294967296 <= 0x10FFFF;
    ensures cost: assay_work <= \old(assay_work) + 6;
*/
static uint64_t assay_utf8_unit(const uint8_t *head, uint32_t pos, uint32_t end);

/* The same for any byte: an escape or one that stands for itself, too. */
/*@ requires inside: pos < end;
    requires head: head_ok(head, end);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures exact: \result == character(head, pos, end);
    ensures next: pos < \result % 4294967296 <= end;
    ensures code: \result / 4294967296 <= 0x10FFFF;
    ensures escape: head[pos] == '\\' ==> \result == escape(head, pos, end);
    ensures plain: head[pos] != '\\' && head[pos] < 0x80 ==> \result == head[pos] * 4294967296 + pos + 1;
    ensures more: head[pos] >= 0x80 ==> \result / 4294967296 >= 0x80;
    ensures cost: assay_work <= \old(assay_work) + (head[pos] < 0x80 ? 0 : 6);
*/
static uint64_t assay_decode(const uint8_t *head, uint32_t pos, uint32_t end);

/* UTF-8 of a code point: how many bytes (1 to 4), and the k-th of them. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures width: \result == utf8_width(code);
*/
static uint32_t assay_utf8_width(uint32_t code);

/*@ requires code: code <= 0x10FFFF;
    requires inside: k < utf8_width(code);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures byte: \result == utf8_byte(code, k);
    ensures range: \result <= 255;
*/
static uint32_t assay_utf8_byte(uint32_t code, uint32_t k);

/* ---- string.c: strings ------------------------------------------------------------------------------------------- */

/* Return the offset of the closing quote of the string that pos is in, or what stops it. O(bytes of the string). */
/*@ requires head: head_ok(head, end);
    requires pos: pos <= end;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures quote: lands_on(\result, pos, end);
    ensures closed: went_on(\result) ==> head[\result] == '"';
    ensures exact: \result == string_end(head, pos, end);
    ensures cost: assay_work <= \old(assay_work) + 17 * (reached(\result, end) - pos) + 16;
*/
static assay_step assay_string(const uint8_t *head, uint32_t pos, uint32_t end);

/* The same, where a string is not known to be short. */
/*@ requires head: head_ok(head, end);
    requires pos: pos <= end;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures quote: lands_on(\result, pos, end);
    ensures closed: went_on(\result) ==> head[\result] == '"';
    ensures exact: \result == string_end(head, pos, end);
    ensures cost: assay_work <= \old(assay_work) + 17 * (reached(\result, end) - pos);
*/
static assay_step assay_string_rest(const uint8_t *head, uint32_t pos, uint32_t end);

/* Return the offset after the plain characters at pos, within a string; after some of them, or none, where the header
 * ends soon. Plain characters are ASCII, and neither quote nor backslash. */
/*@ requires head: head_ok(head, end);
    requires pos: pos <= end;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures after: pos <= \result <= end;
    ensures same: string_end(head, pos, end) == string_end(head, \result, end);
    ensures closed: \result < end && head[\result] == '"' ==>
        string_end(head, pos, end) == \result && text_plain(head, pos, \result);
    ensures cost: assay_work <= \old(assay_work) + \result - pos + 17;
*/
static uint32_t assay_plain_end(const uint8_t *head, uint32_t pos, uint32_t end);

/* ---- text.c: keywords -------------------------------------------------------------------------------------------- */

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
    assigns *word, assay_work;
    ensures length: word->length <= ASSAY_WORD_LONG;
    ensures long: word->length == ASSAY_WORD_LONG <==> word_of(head, at, end) < 0;
    ensures value: word->length != ASSAY_WORD_LONG ==>
        word_of(head, at, end) == word(word->lo, word->hi) && word_length(word_of(head, at, end)) == word->length;
    ensures escaped: word->length != ASSAY_WORD_LONG ==>
        (has_escape(head, at, end) == 1 <==> end - at != word->length);
    ensures cost: assay_work <= \old(assay_work) + end - at + 6;
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

/* ---- text.c: strings that have been lexed ------------------------------------------------------------------ */

/* Where the text that begins at `at` ends: the closing quote, or end. */
/*@ requires inside: at <= end;
    requires head: head_ok(head, end);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures stop: at <= \result <= end;
    ensures quote: \result < end ==> head[\result] == '"';
    ensures exact: \result == text_end(head, at, end);
    ensures closed: string_end(head, at, end) <= end ==> \result == string_end(head, at, end);
    ensures cost: assay_work <= \old(assay_work) + \result - at;
*/
static uint32_t assay_text_end(const uint8_t *head, uint32_t at, uint32_t end);

/*@ // The same bytes, none of which is a quote or a backslash.
    predicate equal_plain{L}(uint8_t *left, uint8_t *right, integer count) =
        \forall integer x; 0 <= x < count ==> left[x] == right[x] && left[x] != '"' && left[x] != '\\';
*/

/* Return how many of `most` bytes come before the first that differs or is a quote or a backslash. The first `few` are
 * compared one by one, and the others in blocks. O(the result). */
/*@ requires left: \valid_read(left + (0 .. most - 1));
    requires right: \valid_read(right + (0 .. most - 1));
    requires most: most <= ASSAY_END_MAX;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures inside: \result <= most;
    ensures run: equal_plain(left, right, \result);
*/
static uint32_t assay_equal_run(const uint8_t *left, const uint8_t *right, uint32_t few, uint32_t most);

/* Order of the text that begins at `at` and size bytes of UTF-8, by code points: -1, 0 or 1. */
/*@ requires inside: at <= end;
    requires head: head_ok(head, end);
    requires bytes: \valid_read(bytes + (0 .. size - 1));
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures sign: -1 <= \result <= 1;
    ensures same: \result == 0 <==> text_value(head, at, end) == bytes_value(bytes, 0, size);
    ensures exact: \result == value_order(text_value(head, at, end), bytes_value(bytes, 0, size));
*/
static int assay_text_order(const uint8_t *head, uint32_t at, uint32_t end, const uint8_t *bytes, uint64_t size);

#endif
