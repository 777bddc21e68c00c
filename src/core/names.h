/* names.h: texts in the order of their unescaped bytes. A part of core.h. */
#ifndef ASSAY_NAMES_H
#define ASSAY_NAMES_H

#ifdef __FRAMAC__
#include "order.acsl"
#include "names.acsl"
#endif

/* ---- text_order.c: the unescaped bytes of texts of the header --------------------------------------------- */

/*@ // What is read at a cursor: 0 at the end of the text, else (1 + the byte) * 2^32 + the next cursor.
    predicate symbol_at{L}(uint8_t *b, integer end, integer cursor, integer symbol) =
        \let v = cursor_value(b, cursor, end);
        \let next = symbol % 4294967296;
        symbol / 4294967296 == 1 + value_first(v) && symbol / 4294967296 <= 257 &&
        (symbol != 0 ==> 0 <= value_first(v) && cursor < next <= 4 * end && cursor_ok(b, next, end) &&
         cursor_value(b, next, end) == value_rest(v));
*/

/* Return the byte at a cursor, and the next cursor; or 0 at the end of the text. O(1). */
/*@ requires head: head_ok(head, end);
    requires cursor: cursor_ok(head, cursor, end);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures symbol: symbol_at(head, end, cursor, \result);
*/
static uint64_t assay_symbol_any(const uint8_t *head, uint32_t end, uint32_t cursor);

/* The same, where an escape is. */
/*@ requires head: head_ok(head, end);
    requires cursor: cursor_ok(head, cursor, end);
    requires escape: cursor / 4 < end && head[cursor / 4] == '\\';
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures symbol: symbol_at(head, end, cursor, \result) && \result != 0;
*/
static uint64_t assay_symbol_escaped(const uint8_t *head, uint32_t end, uint32_t cursor);

/* Return byte k of text i, where the cursor is: 0 at the end of the text, else (1 + the byte) * 2^32 + the next cursor.
 * O(1). */
/*@ requires head: head_ok(head, end);
    requires cursor: listed_cursor(head, end, list, i, k, cursor);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures byte: \result / 4294967296 == 1 + value_byte(listed_value(head, end, list, i), k) <= 257;
    ensures end: \result == 0 <==> value_byte(listed_value(head, end, list, i), k) == -1;
    ensures next: \result != 0 ==> listed_cursor(head, end, list, i, k + 1, \result % 4294967296);
    ensures after: \result != 0 ==> cursor < \result % 4294967296 <= 4 * end;
*/
static uint64_t assay_symbol(const uint8_t *head, uint32_t end, uint32_t cursor)
    /*@ ghost (uint32_t list, uint32_t i, uint64_t k) */;

/* Return how many bytes follow in both texts that are the same and no escapes: those from byte k on. `few`: that many
 * are compared one by one, and the others in blocks. O(the result). */
/*@ requires head: head_ok(head, end);
    requires whole: left % 4 == 0 && right % 4 == 0;
    requires left: listed_cursor(head, end, list, i, k, left);
    requires right: listed_cursor(head, end, list, j, k, right);
    requires same: listed_same(head, end, list, i, j, k);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures inside: left + 4 * \result <= 4 * end && right + 4 * \result <= 4 * end;
    ensures left: listed_cursor(head, end, list, i, k + \result, left + 4 * \result);
    ensures right: listed_cursor(head, end, list, j, k + \result, right + 4 * \result);
    ensures same: listed_same(head, end, list, i, j, k + \result);
*/
static uint32_t assay_text_run(const uint8_t *head, uint32_t end, uint32_t left, uint32_t right, uint32_t few)
    /*@ ghost (uint32_t list, uint32_t i, uint32_t j, uint64_t k) */;

#define ASSAY_FEW 4u /* bytes that are compared one by one where texts are likely to part soon */

/* Where two texts part: how many bytes they share, the cursor of each at the next byte, and their order: 1 if the left
 * one is less, 2 if the right one is, 0 if they are the same. */
typedef struct {
    uint32_t common, left, right, order;
} assay_comparison;

/* Compare text i of a list with text j, which share their first `common` bytes; left and right are at the next byte of
 * each. O(bytes that they share from there on). */
/*@ requires head: head_ok(head, end);
    requires left: listed_cursor(head, end, list, i, common, left);
    requires right: listed_cursor(head, end, list, j, common, right);
    requires same: listed_same(head, end, list, i, j, common);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures common: listed_common(head, end, list, i, j, \result.common);
    ensures turned: listed_common(head, end, list, j, i, \result.common);
    ensures left: listed_cursor(head, end, list, i, \result.common, \result.left);
    ensures right: listed_cursor(head, end, list, j, \result.common, \result.right);
    ensures order: \result.order <= 2;
    ensures less: \result.order == 1 || (\result.order == 0 && i <= j) ==> listed_upto(head, end, list, i, j);
    ensures more: \result.order == 2 || (\result.order == 0 && j <= i) ==> listed_upto(head, end, list, j, i);
*/
static assay_comparison assay_texts_compare(const uint8_t *head, uint32_t end, uint32_t left, uint32_t right,
                                            uint64_t common)
    /*@ ghost (uint32_t list, uint32_t i, uint32_t j) */;

/* The same as assay_texts_compare, however far the texts agree. */
/*@ requires head: head_ok(head, end);
    requires left: listed_cursor(head, end, list, i, common, left);
    requires right: listed_cursor(head, end, list, j, common, right);
    requires same: listed_same(head, end, list, i, j, common);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures common: listed_common(head, end, list, i, j, \result.common);
    ensures turned: listed_common(head, end, list, j, i, \result.common);
    ensures left: listed_cursor(head, end, list, i, \result.common, \result.left);
    ensures right: listed_cursor(head, end, list, j, \result.common, \result.right);
    ensures order: \result.order <= 2;
    ensures less: \result.order == 1 || (\result.order == 0 && i <= j) ==> listed_upto(head, end, list, i, j);
    ensures more: \result.order == 2 || (\result.order == 0 && j <= i) ==> listed_upto(head, end, list, j, i);
*/
static assay_comparison assay_texts_rest(const uint8_t *head, uint32_t end, uint32_t left, uint32_t right,
                                         uint64_t common)
    /*@ ghost (uint32_t list, uint32_t i, uint32_t j) */;

/*@ // The same bytes at a and b, each of which stands for itself.
    predicate equal_run{L}(uint8_t *b, integer at, integer other, integer count) =
        \forall integer x; at <= x < at + count ==> b[x] == b[x + (other - at)] && b[x] != '"' && b[x] != '\\';
*/

/*@ ghost
/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures least: \forall integer v, k; -1 <= value_byte(v, k);
   ensures most: \forall integer v, k; value_byte(v, k) <= 256;
@/
void assay_value_bytes(void);

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures none: \forall integer v; value_after(v, 0) == v;
   ensures some: \forall integer v; 0 <= value_byte(v, 0) ==> 0 <= v;
   ensures first: \forall integer byte, rest; 0 <= byte <= 255 && 0 <= rest ==>
       value_first(digit(byte, rest)) == byte && value_rest(digit(byte, rest)) == rest;
   ensures end: value_first(0) == -1;
   ensures natural: \forall integer v, k; 0 < k ==> 0 <= value_after(v, k);
@/
void assay_value_first(void);

/@ requires cursor: listed_cursor(head, end, list, i, k, cursor) && end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures inside: k <= cursor <= 4 * end + 3;
@/
void assay_cursor_inside(const uint8_t *head, uint32_t end, uint32_t list, uint32_t i, uint64_t k, uint32_t cursor);

// The value of a text is no negative number.
/@ requires cursor: listed_cursor(head, end, list, i, k, cursor) && end <= ASSAY_END_MAX;
   requires same: listed_same(head, end, list, i, j, k) || listed_same(head, end, list, j, i, k);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures natural: 0 <= listed_value(head, end, list, i);
@/
void assay_listed_natural(const uint8_t *head, uint32_t end, uint32_t list, uint32_t i, uint32_t j, uint64_t k,
                          uint32_t cursor);

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures step: \forall integer v; value_after(v, k + 1) == value_rest(value_after(v, k));
@/
void assay_value_step(uint64_t k);

/@ requires code: code <= 0x10FFFF;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures byte: \forall integer x, k; 0 <= x && 0 <= k < utf8_width(code) ==>
       value_first(value_after(digits(code, x), k)) == utf8_byte(code, k);
   ensures rest: \forall integer x; 0 <= x ==> value_after(digits(code, x), utf8_width(code)) == x;
@/
void assay_digits_after(uint32_t code);

// The same bytes and both at their end: the same values.
/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures same: \forall integer v, w; 0 <= v && 0 <= w && same_bytes(v, w, k) && value_byte(v, k) == -1 &&
       value_byte(w, k) == -1 ==> v == w;
@/
void assay_value_same(uint64_t k);

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures step: \forall integer v, w; same_bytes(v, w, k) && value_byte(v, k) == value_byte(w, k) &&
       0 <= value_byte(v, k) ==> same_bytes(v, w, k + 1);
@/
void assay_same_step(uint64_t k);

// Where two texts part.
/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures differ: \forall integer v, w; same_bytes(v, w, k) && value_byte(v, k) != value_byte(w, k) ==>
       common_bytes(v, w, k) && common_bytes(w, v, k);
   ensures less: \forall integer v, w; same_bytes(v, w, k) && value_byte(v, k) < value_byte(w, k) ==>
       text_less(v, w);
   ensures more: \forall integer v, w; same_bytes(v, w, k) && value_byte(v, k) > value_byte(w, k) ==>
       text_less(w, v);
   ensures end: \forall integer v, w; 0 <= v && 0 <= w && same_bytes(v, w, k) && value_byte(v, k) == -1 &&
       value_byte(w, k) == -1 ==> common_bytes(v, w, k) && common_bytes(w, v, k) && v == w;
@/
void assay_same_end(uint64_t k);

// A cursor that is not within an escape.
/@ requires cursor: cursor % 4 == 0 && cursor / 4 <= end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures ok: cursor_ok(head, cursor, end);
   ensures value: cursor_value(head, cursor, end) == text_value(head, cursor / 4, end);
@/
void assay_cursor_plain(const uint8_t *head, uint32_t end, uint32_t cursor);

// The byte at a cursor, where no escape is.
/@ requires cursor: cursor_ok(head, cursor, end) && cursor / 4 < end <= ASSAY_END_MAX;
   requires byte: head[cursor / 4] != '"' && head[cursor / 4] != '\\';
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures byte: value_first(cursor_value(head, cursor, end)) == head[cursor / 4];
@/
void assay_cursor_byte(const uint8_t *head, uint32_t end, uint32_t cursor);

/@ requires run: equal_plain(left, right, count);
   requires i: i < count;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures byte: left[i] == right[i] && left[i] != 0x22 && left[i] != 0x5C;
@/
void assay_equal_at(const uint8_t *left, const uint8_t *right, uint32_t count, uint32_t i);

// The same bytes, as offsets of the header.
/@ requires run: equal_plain(head + a, head + b, count);
   requires inside: a + count <= ASSAY_END_MAX && b + count <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures run: equal_run(head, a, b, count);
@/
void assay_equal_shift(const uint8_t *head, uint32_t a, uint32_t b, uint32_t count);

// The order of two values by their first bytes, or by the others.
/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures differ: \forall integer v, w; 0 <= v && 0 <= w && value_first(v) != value_first(w) ==>
       value_order(v, w) == (value_first(v) < value_first(w) ? -1 : 1);
   ensures end: \forall integer v, w; 0 <= v && 0 <= w && value_first(v) == value_first(w) == -1 ==>
       v == w && value_order(v, w) == 0;
   ensures rest: \forall integer v, w; 0 <= v && 0 <= w && 0 <= value_first(v) == value_first(w) ==>
       value_order(v, w) == value_order(value_rest(v), value_rest(w)) && (v == w <==> value_rest(v) == value_rest(w));
   ensures natural: \forall integer v; 0 <= v ==> 0 <= value_rest(v);
@/
void assay_value_order(void);

// A text and the caller's bytes, which begin with the same run.
/@ requires inside: at + run <= end <= ASSAY_END_MAX && run <= size;
   requires run: equal_plain(head + at, bytes, run);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures same: text_value(head, at + run, end) == bytes_value(bytes, run, size) <==>
       text_value(head, at, end) == bytes_value(bytes, 0, size);
   ensures exact: value_order(text_value(head, at + run, end), bytes_value(bytes, run, size)) ==
       value_order(text_value(head, at, end), bytes_value(bytes, 0, size));
@/
void assay_text_run_order(const uint8_t *head, uint32_t at, uint32_t end, const uint8_t *bytes, uint64_t size,
                          uint32_t run);

// A run of equal bytes that stand for themselves, at byte k of two values.
/@ requires inside: a + count <= end <= ASSAY_END_MAX && b + count <= end && k <= 4294967295;
   requires run: equal_run(head, a, b, count);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures left: \forall integer v; value_after(v, k) == text_value(head, a, end) ==>
       value_after(v, k + count) == text_value(head, a + count, end);
   ensures right: \forall integer v; value_after(v, k) == text_value(head, b, end) ==>
       value_after(v, k + count) == text_value(head, b + count, end);
   ensures same: \forall integer v, w; value_after(v, k) == text_value(head, a, end) &&
       value_after(w, k) == text_value(head, b, end) && same_bytes(v, w, k) ==> same_bytes(v, w, k + count);
@/
void assay_same_run(const uint8_t *head, uint32_t end, uint32_t a, uint32_t b, uint32_t count, uint64_t k);
*/



/*@ ghost
/@ requires at: at == listed_at(head, end, list, i) && at <= end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures first: listed_cursor(head, end, list, i, 0, 4 * at);
@/
void assay_cursor_first(const uint8_t *head, uint32_t end, uint32_t list, uint32_t i, uint32_t at);
*/

/* ---- order_lemmas.c: the order of the texts of a list ------------------------------------------------------ */

/*@ // Texts i and j come after one that shares k bytes with the first and l with the second: what follows.
    predicate heads_fit{L}(uint8_t *b, integer end, integer list, integer i, integer k, integer j, integer l) =
        (k > l ==> listed_upto(b, end, list, i, j) && listed_common(b, end, list, i, j, l)) &&
        (k < l ==> listed_upto(b, end, list, j, i) && listed_common(b, end, list, j, i, k)) &&
        (k == l ==> listed_same(b, end, list, i, j, k));
*/

/*@ ghost
/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures same: \forall integer i, j; listed_same(head, end, list, i, j, 0);
@/
void assay_listed_none(const uint8_t *head, uint32_t end, uint32_t list);

/@ requires left: listed_upto(head, end, list, p, i) && listed_common(head, end, list, p, i, k);
   requires right: listed_upto(head, end, list, p, j) && listed_common(head, end, list, p, j, l);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures fit: heads_fit(head, end, list, i, k, j, l);
@/
void assay_heads_fit(const uint8_t *head, uint32_t end, uint32_t list, uint32_t p, uint32_t i, uint64_t k, uint32_t j,
                     uint64_t l);

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures before: \forall integer i, j; listed_upto(head, end, list, i, j) && i != j ==>
       listed_before(head, end, list, i, j);
@/
void assay_listed_strict(const uint8_t *head, uint32_t end, uint32_t list);

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures chain: listed_before(head, end, list, i, j) ==> \forall integer p; listed_before(head, end, list, p, i) ==>
       listed_before(head, end, list, p, j);
   ensures turned: listed_before(head, end, list, i, j) ==> !listed_before(head, end, list, j, i);
   ensures less: listed_before(head, end, list, i, j) &&
       listed_value(head, end, list, i) != listed_value(head, end, list, j) ==>
       text_less(listed_value(head, end, list, i), listed_value(head, end, list, j));
   ensures equal: i < j && listed_value(head, end, list, i) == listed_value(head, end, list, j) ==>
       listed_before(head, end, list, i, j);
   ensures earlier: listed_before(head, end, list, i, j) &&
       listed_value(head, end, list, i) == listed_value(head, end, list, j) ==> i < j;
@/
void assay_listed_chain(const uint8_t *head, uint32_t end, uint32_t list, uint32_t i, uint32_t j);

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures equal: listed_before(head, end, list, i, j) && listed_before(head, end, list, j, k) &&
       listed_value(head, end, list, i) == listed_value(head, end, list, k) ==>
       listed_value(head, end, list, j) == listed_value(head, end, list, k);
@/
void assay_listed_between(const uint8_t *head, uint32_t end, uint32_t list, uint32_t i, uint32_t j, uint32_t k);

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures less: \forall integer i, j; listed_before(head, end, list, i, j) &&
       listed_value(head, end, list, i) != listed_value(head, end, list, j) ==>
       text_less(listed_value(head, end, list, i), listed_value(head, end, list, j));
@/
void assay_listed_less(const uint8_t *head, uint32_t end, uint32_t list);

/@ requires before: listed_before(head, end, list, i, j);
   requires common: listed_common(head, end, list, i, j, k);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures end: value_byte(listed_value(head, end, list, j), k) == -1 <==>
       listed_value(head, end, list, i) == listed_value(head, end, list, j);
@/
void assay_listed_end(const uint8_t *head, uint32_t end, uint32_t list, uint32_t i, uint32_t j, uint64_t k);
*/

/* ---- names.c: where the texts of a list begin ------------------------------------------------------------------ */

/* Where the texts of a list begin: the entries of the tensors, or, if that is NULL, the offsets of the metadata's
 * keys. */
typedef struct {
    const assay_entry *entry;
    const uint32_t *key;
} assay_texts;

/*@ predicate texts_inside{L}(assay_texts texts, integer n, integer end) =
        (texts.entry != \null ==> \valid_read(texts.entry + (0 .. n - 1)) && \forall integer k; 0 <= k < n ==>
            texts.entry[k].name % 4294967296 <= end && packed_end(texts.entry[k].name) <= end) &&
        (texts.entry == \null ==> \valid_read(texts.key + (0 .. n - 1)) && \forall integer k; 0 <= k < n ==>
            texts.key[k] <= end);
    predicate texts_listed{L}(uint8_t *b, integer end, integer list, assay_texts texts, integer n) =
        (texts.entry != \null ==> \forall integer k; 0 <= k < n ==>
            texts.entry[k].name % 4294967296 == listed_at(b, end, list, k)) &&
        (texts.entry == \null ==> \forall integer k; 0 <= k < n ==> texts.key[k] == listed_at(b, end, list, k));
    // A name that is marked as one without escapes has none.
    predicate texts_plain{L}(uint8_t *b, assay_texts texts, integer n) =
        texts.entry != \null ==> \forall integer k; 0 <= k < n && texts.entry[k].name >= 9223372036854775808 ==>
            text_plain(b, texts.entry[k].name % 4294967296, packed_end(texts.entry[k].name));
*/

/* Return where text k begins. O(1). */
/*@ requires texts: texts_inside(texts, n, end) && k < n;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures inside: \result <= end;
    ensures entry: texts.entry != \null ==> \result == texts.entry[k].name % 4294967296;
    ensures at: \forall uint8_t *b, integer list; texts_listed(b, end, list, texts, n) ==>
        \result == listed_at(b, end, list, k);
*/
static uint32_t assay_text_at(assay_texts texts, uint32_t k)
    /*@ ghost (uint32_t n, uint32_t end) */;

/* ---- presort.c: indices in the order of their keys --------------------------------------------------------------- */

#define ASSAY_RADIX 2048u     /* digits: 2^11 */
#define ASSAY_RADIX_BITS 11u

/* Fill index[0 .. n) with 0 .. n - 1. */
/*@ requires room: \valid(index + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns index[0 .. n - 1], assay_work;
    ensures identity: \forall integer p; 0 <= p < n ==> index[p] == p;
    ensures permutation: permutation(index, n);
*/
static void assay_identity(uint32_t *index, uint32_t n);

/* Sort the indices from[0 .. n) to to[0 .. n) by one digit of their keys; those with the same digit stay in order.
 * first[0 .. ASSAY_RADIX) is overwritten. O(n + ASSAY_RADIX). */
/*@ requires count: n < 33554432 && shift < 32;
    requires keys: \valid_read(key + (0 .. n - 1));
    requires room: \valid_read(from + (0 .. n - 1)) && \valid(to + (0 .. n - 1)) &&
        \valid(first + (0 .. ASSAY_RADIX - 1));
    requires apart: \separated(key + (0 .. n - 1), from + (0 .. n - 1), to + (0 .. n - 1),
        first + (0 .. ASSAY_RADIX - 1));
    requires places: places(from, 0, n, n) && places(to, 0, n, n);
    terminates \true;
    exits \false;
    assigns to[0 .. n - 1], first[0 .. ASSAY_RADIX - 1], assay_work;
    ensures places: places(from, 0, n, n) && places(to, 0, n, n);
*/
static void assay_radix(const uint32_t *key, uint32_t n, uint32_t shift, const uint32_t *from, uint32_t *to,
                        uint32_t *first);

/* ---- sort.c: the texts of a list in order -------------------------------------------------------------------- */

/*@ // Each of 0 .. n-1 is among place[0 .. n), and nothing else.
    predicate all_places{L}(uint32_t *place, integer n) =
        places(place, 0, n, n) && \forall integer v; 0 <= v < n ==> among(place, 0, n, v);
*/

/* Sort word[0 .. n), which are 0 .. n-1, by the bytes of the texts: by four of each, and by four more where these are
 * the same, as often as a text has bytes on average. Return whether no index is lost. The other words are overwritten.
 * O(end). */
/*@ requires head: head_ok(head, end);
    requires count: ASSAY_RADIX <= n < 16777215;
    requires texts: texts_inside(texts, n, end);
    requires room: \valid(word + (0 .. 6 * n - 1)) && places(word, 0, n, n);
    requires keys: texts.entry == \null ==> \separated(texts.key + (0 .. n - 1), word + (0 .. 6 * n - 1));
    terminates \true;
    exits \false;
    assigns word[0 .. 6 * n - 1], assay_work;
    ensures all: \result ==> all_places(word, n);
*/
static bool assay_presort(const uint8_t *head, uint32_t end, assay_texts texts, uint32_t *word, uint32_t n);

/*@ ghost
/@ requires places: \valid_read(place + (0 .. n - 1)) && n < 16777215 && all_places(place, n);
   requires pair: p < q < n;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures differ: place[p] != place[q];
@/
void assay_places_differ(uint32_t *place, uint32_t n, uint32_t p, uint32_t q);
*/

/* Texts one after the other: the index of each in the header, how many bytes it shares with the one before it, and the
 * cursor at the byte after those. In the first of a run, which shares nothing with the run before, `shared` is
 * ASSAY_RUN + where the run ends. */
typedef struct {
    uint32_t *place, *shared, *cursor;
} assay_items;

#define ASSAY_RUN 2147483648u

/*@ // place[lo .. hi) is a run: its texts are in order, and the other words say what they should.
    predicate run_before{L}(uint8_t *b, integer end, integer list, uint32_t *place, integer lo, integer hi) =
        \forall integer x; lo < x < hi ==> listed_before(b, end, list, place[x - 1], place[x]);
    predicate run_upto{L}(uint8_t *b, integer end, integer list, uint32_t *place, integer lo, integer hi) =
        \forall integer x; lo < x < hi ==> listed_upto(b, end, list, place[x - 1], place[x]);
    predicate run_common{L}(uint8_t *b, integer end, integer list, uint32_t *place, uint32_t *shared, integer lo,
                            integer hi) =
        \forall integer x; lo < x < hi ==>
            shared[x] < 2147483648 && listed_common(b, end, list, place[x - 1], place[x], shared[x]);
    predicate run_cursor{L}(uint8_t *b, integer end, integer list, uint32_t *place, uint32_t *shared,
                            uint32_t *cursor, integer lo, integer hi) =
        (lo < hi ==> listed_cursor(b, end, list, place[lo], 0, cursor[lo])) &&
        \forall integer x; lo < x < hi ==> listed_cursor(b, end, list, place[x], shared[x], cursor[x]);

    predicate run{L}(uint8_t *b, integer end, integer list, assay_items items, integer lo, integer hi) =
        run_upto(b, end, list, items.place, lo, hi) &&
        run_common(b, end, list, items.place, items.shared, lo, hi) &&
        run_cursor(b, end, list, items.place, items.shared, items.cursor, lo, hi);

    predicate items_valid{L}(assay_items items, integer lo, integer hi) =
        \valid(items.place + (lo .. hi - 1)) && \valid(items.shared + (lo .. hi - 1)) &&
        \valid(items.cursor + (lo .. hi - 1)) &&
        \separated(items.place + (lo .. hi - 1), items.shared + (lo .. hi - 1), items.cursor + (lo .. hi - 1));

    predicate items_apart{L}(assay_items a, assay_items b, integer lo, integer hi) =
        \separated(a.place + (lo .. hi - 1), b.place + (lo .. hi - 1)) &&
        \separated(a.place + (lo .. hi - 1), b.shared + (lo .. hi - 1)) &&
        \separated(a.place + (lo .. hi - 1), b.cursor + (lo .. hi - 1)) &&
        \separated(a.shared + (lo .. hi - 1), b.place + (lo .. hi - 1)) &&
        \separated(a.shared + (lo .. hi - 1), b.shared + (lo .. hi - 1)) &&
        \separated(a.shared + (lo .. hi - 1), b.cursor + (lo .. hi - 1)) &&
        \separated(a.cursor + (lo .. hi - 1), b.place + (lo .. hi - 1)) &&
        \separated(a.cursor + (lo .. hi - 1), b.shared + (lo .. hi - 1)) &&
        \separated(a.cursor + (lo .. hi - 1), b.cursor + (lo .. hi - 1));

    predicate items_same{K, L}(assay_items items, integer lo, integer hi) =
        \forall integer x; lo <= x < hi ==> \at(items.place[x], K) == \at(items.place[x], L) &&
            \at(items.shared[x], K) == \at(items.shared[x], L) && \at(items.cursor[x], K) == \at(items.cursor[x], L);

    // A run from y on, where ASSAY_RUN + its end is `word`; if it ends before n, the next one begins there.
    predicate run_at{L}(uint8_t *b, integer end, integer list, assay_items items, integer y, integer word, integer n) =
        y < word - 2147483648 <= n && run(b, end, list, items, y, word - 2147483648) &&
        (word - 2147483648 < n ==> items.shared[word - 2147483648] >= 2147483648);

    // items[0 .. n) are runs. ASSAY_RUN is in the first `shared` of each.
    predicate runs{L}(uint8_t *b, integer end, integer list, assay_items items, integer n) =
        (0 < n ==> items.shared[0] >= 2147483648) &&
        \forall integer y; 0 <= y < n && items.shared[y] >= 2147483648 ==>
            run_at(b, end, list, items, y, items.shared[y], n);
*/

/* Sort the n texts of a list. word[0 .. 3n): place, shared and cursor of the result; the words after them are lost.
 * O(bytes of the texts + n log n). */
/*@ requires head: head_ok(head, end);
    requires count: n < 16777215;
    requires texts: texts_inside(texts, n, end) && texts_listed(head, end, list, texts, n);
    requires room: \valid(word + (0 .. 6 * n - 1));
    requires keys: texts.entry == \null ==> \separated(texts.key + (0 .. n - 1), word + (0 .. 6 * n - 1));
    terminates \true;
    exits \false;
    assigns word[0 .. 6 * n - 1], assay_work, assay_passes;
    ensures order: run_before(head, end, list, word, 0, n);
    ensures common: run_common(head, end, list, word, word + n, 0, n);
    ensures cursor: run_cursor(head, end, list, word, word + n, word + 2 * n, 0, n);
    ensures block: block(word, 0, n);
    ensures passes: assay_passes <= \old(assay_passes) + most_passes(n);
*/
static void assay_sort(const uint8_t *head, uint32_t end, assay_texts texts, uint32_t *word, uint32_t n)
    /*@ ghost (uint32_t list) */;

/* ---- names.c: texts that repeat, and texts that are looked up ----------------------------------------------- */


/* A text that says what an earlier one says. */
typedef struct {
    uint32_t later, earlier;
} assay_repeat;

/* Sort the n texts of a list: word[0 .. n) becomes their indices in the order of the texts, the other words are lost.
 * Return the first text in the header that repeats an earlier one, and that one; later is n if all differ.
 * O(bytes of the texts + n log n). */
/*@ requires head: head_ok(head, end);
    requires count: n < 16777215;
    requires texts: texts_inside(texts, n, end) && texts_listed(head, end, list, texts, n);
    requires room: \valid(word + (0 .. 6 * n - 1));
    requires keys: texts.entry == \null ==> \separated(texts.key + (0 .. n - 1), word + (0 .. 6 * n - 1));
    terminates \true;
    exits \false;
    assigns word[0 .. 6 * n - 1], assay_work, assay_passes;
    ensures order: names_order(head, end, list, word, n);
    ensures later: \result.later <= n;
    ensures differ: listed_differ(head, end, list, \result.later);
    ensures repeat: \result.later < n ==> \result.earlier < \result.later &&
        listed_value(head, end, list, \result.earlier) == listed_value(head, end, list, \result.later);
    ensures passes: assay_passes <= \old(assay_passes) + most_passes(n);
*/
static assay_repeat assay_names_sort(const uint8_t *head, uint32_t end, assay_texts texts, uint32_t *word, uint32_t n)
    /*@ ghost (uint32_t list) */;

/* Return the index in the header of the text that says name[0 .. size), UTF-8; n if there is none. place[0 .. n) are
 * the texts in order. O(size log n). */
/*@ requires head: head_ok(head, end);
    requires count: n < 16777215;
    requires texts: texts_inside(texts, n, end);
    requires place: \valid_read(place + (0 .. n - 1)) && words_below(place, n, n);
    requires name: \valid_read(name + (0 .. size - 1));
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures place: \result <= n;
    ensures found: \result < n && texts_listed(head, end, list, texts, n) ==>
        listed_value(head, end, list, \result) == bytes_value(name, 0, size);
    ensures absent: \result == n && texts_listed(head, end, list, texts, n) && texts_plain(head, texts, n) &&
        names_order(head, end, list, place, n) ==> \forall integer i; 0 <= i < n ==>
            listed_value(head, end, list, i) != bytes_value(name, 0, size);
*/
static uint32_t assay_text_find(const uint8_t *head, uint32_t end, assay_texts texts, const uint32_t *place, uint32_t n,
                                const uint8_t *name, uint64_t size)
    /*@ ghost (uint32_t list) */;

/*@ ghost
/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures same: \forall integer v, w; same_bytes(v, w, 0);
@/
void assay_same_none(void);

/@ requires inside: k <= size;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures after: value_after(bytes_value(bytes, 0, size), k) == bytes_value(bytes, k, size);
@/
void assay_bytes_after(const uint8_t *bytes, uint64_t size, uint64_t k);

// A text without escapes, `count` bytes further.
/@ requires inside: at + count <= end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures after: equal_run(head, at, at, count) ==>
       value_after(text_value(head, at, end), count) == text_value(head, at + count, end);
@/
void assay_plain_skip(const uint8_t *head, uint32_t end, uint32_t at, uint32_t count);

// Text j is between i and l, which share k and m bytes with the bytes: it shares as many as both.
/@ requires fewer: count <= k && count <= m;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures same: listed_before(head, end, list, i, j) && listed_before(head, end, list, j, l) &&
       same_bytes(listed_value(head, end, list, i), bytes_value(bytes, 0, size), k) &&
       same_bytes(listed_value(head, end, list, l), bytes_value(bytes, 0, size), m) ==>
       same_bytes(listed_value(head, end, list, j), bytes_value(bytes, 0, size), count);
@/
void assay_common_between(const uint8_t *head, uint32_t end, uint32_t list, uint32_t i, uint32_t j, uint32_t l,
                          const uint8_t *bytes, uint64_t size, uint64_t k, uint64_t m, uint64_t count);

// Bytes that are after text low - 1 and before text low are none of the texts.
/@ requires places: \valid_read(place + (0 .. n - 1)) && low <= n;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures none: listed_order(head, end, list, place, n) &&
       (0 < low ==> text_less(listed_value(head, end, list, place[low - 1]), bytes_value(bytes, 0, size))) &&
       (low < n ==> text_less(bytes_value(bytes, 0, size), listed_value(head, end, list, place[low]))) ==>
       \forall integer x; 0 <= x < n ==> listed_value(head, end, list, place[x]) != bytes_value(bytes, 0, size);
@/
void assay_none_between(const uint8_t *head, uint32_t end, uint32_t list, const uint32_t *place, uint32_t n,
                        uint32_t low, const uint8_t *bytes, uint64_t size);
*/

#endif
