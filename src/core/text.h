/* text.h: characters, and the texts that they make. A part of core.h. */
#ifndef ASSAY_TEXT_H
#define ASSAY_TEXT_H

/* A character: its code point, and where the next one begins. */
#define ASSAY_UNIT(code, next) ((uint64_t)(code) * 4294967296u + (next))
#define ASSAY_REPLACEMENT 0xFFFDu /* stands for what is ill-formed */

/* ---- escape.c, utf8.c: characters that take more than one byte ------------------------------------------- */

/* head[at] is a backslash: where its escape ends. */
/*@ requires head: head_ok(head, end);
    requires at: at < end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures after: lands(\result, at + 2, end);
    ensures exact: \result == escape_end(head, at, end);
*/
assay_step assay_escape(const uint8_t *head, uint32_t at, uint32_t end);

/* What a backslash and this byte stand for, \u aside; 0: nothing. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == escape_code(c);
*/
uint32_t assay_short_escape(uint8_t c);

/* The same as a unit: its code point, U+FFFD if it is ill-formed, and where the next character begins. */
/*@ requires head: head_ok(head, end);
    requires at: at < end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == escape(head, at, end);
*/
uint64_t assay_escape_unit(const uint8_t *head, uint32_t at, uint32_t end);

/* head[at] is 0x80 or above: where its sequence ends. */
/*@ requires head: head_ok(head, end);
    requires at: at < end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures after: lands(\result, at + 2, end);
    ensures exact: \result == utf8_end(head, at, end);
*/
assay_step assay_utf8(const uint8_t *head, uint32_t at, uint32_t end);

/*@ requires head: head_ok(head, end);
    requires inside: at < end && 0x80 <= head[at];
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == utf8(head, at, end);
    ensures next: at < \result % 4294967296 <= end;
    ensures code: 0x80 <= \result / 4294967296 <= 0x10FFFF;
*/
uint64_t assay_utf8_unit(const uint8_t *head, uint32_t at, uint32_t end);

/* UTF-8 of a code point: how many bytes (1 to 4), and the k-th of them. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures width: \result == utf8_width(code);
*/
uint32_t assay_utf8_width(uint32_t code);

/*@ requires code: code <= 0x10FFFF;
    requires inside: k < utf8_width(code);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures byte: \result == utf8_byte(code, k);
    ensures range: \result <= 255;
*/
uint32_t assay_utf8_byte(uint32_t code, uint32_t k);

/* ---- decode.c, text.c: strings that have been lexed, unescaped ---------------------------------------- */

/* One code point of the text at head[at .. end), at < end: code * 2^32 + where the next one begins.
 * Total: whatever the bytes are, the next position is in (at, end] (ill-formed ones give U+FFFD, one byte each). */
/*@ requires inside: at < end;
    requires head: head_ok(head, end);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == character(head, at, end);
    ensures next: at < \result % 4294967296 <= end;
    ensures code: \result / 4294967296 <= 0x10FFFF;
    ensures escape: head[at] == '\\' ==> \result == escape(head, at, end);
    ensures plain: head[at] != '\\' && head[at] < 0x80 ==> \result == head[at] * 4294967296 + at + 1;
    ensures more: head[at] >= 0x80 ==> \result / 4294967296 >= 0x80;
*/
uint64_t assay_decode(const uint8_t *head, uint32_t at, uint32_t end);

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
uint32_t assay_text_end(const uint8_t *head, uint32_t at, uint32_t end);

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
int assay_text_order(const uint8_t *head, uint32_t at, uint32_t end, const uint8_t *bytes, uint64_t size);

#endif
