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
    assigns \nothing;
    ensures exact: \result == escape_end(head, pos, end);
    ensures stop: !went_on(\result);
*/
static assay_step assay_escape_fault(const uint8_t *head, uint32_t pos, uint32_t end);

/* Return the offset after the UTF-8 at pos, where a byte of 0x80 or above is, or what stops it. O(1). */
/*@ requires head: head_ok(head, end);
    requires pos: pos < end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures after: lands(\result, pos + 2, end);
    ensures exact: \result == utf8_end(head, pos, end);
*/
static assay_step assay_utf8(const uint8_t *head, uint32_t pos, uint32_t end);

/* Return the character at pos, where a byte of 0x80 or above is: its code point and the next offset, ASSAY_UNIT. What
 * is ill-formed is U+FFFD, one byte long. O(1). */
/*@ requires head: head_ok(head, end);
    requires inside: pos < end && 0x80 <= head[pos];
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == utf8(head, pos, end);
    ensures next: pos < \result % 4294967296 <= end;
    ensures code: 0x80 <= \result / 4294967296 <= 0x10FFFF;
*/
static uint64_t assay_utf8_unit(const uint8_t *head, uint32_t pos, uint32_t end);

/* The same for any byte: an escape or one that stands for itself, too. */
/*@ requires inside: pos < end;
    requires head: head_ok(head, end);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == character(head, pos, end);
    ensures next: pos < \result % 4294967296 <= end;
    ensures code: \result / 4294967296 <= 0x10FFFF;
    ensures escape: head[pos] == '\\' ==> \result == escape(head, pos, end);
    ensures plain: head[pos] != '\\' && head[pos] < 0x80 ==> \result == head[pos] * 4294967296 + pos + 1;
    ensures more: head[pos] >= 0x80 ==> \result / 4294967296 >= 0x80;
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

/* ---- text.c: strings that have been lexed ------------------------------------------------------------------ */

/* Where the text that begins at `at` ends: the closing quote, or end. */
/*@ requires inside: at <= end;
    requires head: head_ok(head, end);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures stop: at <= \result <= end;
    ensures quote: \result < end ==> head[\result] == '"';
    ensures exact: \result == text_end(head, at, end);
    ensures closed: string_end(head, at, end) <= end ==> \result == string_end(head, at, end);
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
    assigns \nothing;
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
    assigns \nothing;
    ensures sign: -1 <= \result <= 1;
    ensures same: \result == 0 <==> text_value(head, at, end) == bytes_value(bytes, 0, size);
    ensures exact: \result == value_order(text_value(head, at, end), bytes_value(bytes, 0, size));
*/
static int assay_text_order(const uint8_t *head, uint32_t at, uint32_t end, const uint8_t *bytes, uint64_t size);

#endif
