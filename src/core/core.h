/* What the core's files share. Nothing here is public. */
#ifndef ASSAY_CORE_H
#define ASSAY_CORE_H

#include "assay.h"

#ifdef __FRAMAC__
#include "text.acsl"
#include "head.acsl"
#include "file.acsl"
#include "view.acsl"
#endif

/* A step through the header: where the construct ends (below 2^32), or the rule or limit that stops it and the
 * offset: status * 2^32 + offset. One number, so that code and specification can be compared by one equality. */
typedef uint64_t assay_step;

#define ASSAY_STOPPED 4294967296u
#define ASSAY_STOP(status, offset) ((uint64_t)(status) * 4294967296u + (offset))

#define ASSAY_HEADER_MAX 100000000u           /* the format's limit on N */
#define ASSAY_ENTRY_HIGH UINT64_C(4294967296)             /* upper half of a packed entry field: 2^32 */
#define ASSAY_ENTRY_DTYPE UINT64_C(576460752303423488)    /* 2^59 */
#define ASSAY_END_MAX (8u + ASSAY_HEADER_MAX) /* so every offset into the head fits 32 bits */

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

/* The code point of an escape that is well-formed. */
/*@ requires head: head_ok(head, end);
    requires inside: at < end && head[at] == '\\';
    requires whole: escape_end(head, at, end) <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures range: 1 <= \result <= 0x10FFFF;
    ensures exact: \result == escape_value(head, at);
*/
uint32_t assay_escape_value(const uint8_t *head, uint32_t at)
    /*@ ghost (uint32_t end) */;

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

/* The code point of UTF-8 that is well-formed and ends at `next`. */
/*@ requires head: head_ok(head, end);
    requires inside: at < end && 0x80 <= head[at];
    requires whole: utf8_end(head, at, end) == next <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures range: 0x80 <= \result <= 0x10FFFF;
    ensures exact: \result == utf8_value(head, at);
*/
uint32_t assay_utf8_value(const uint8_t *head, uint32_t at, uint32_t next)
    /*@ ghost (uint32_t end) */;

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

/* Are the texts that begin at a and b the same once unescaped? 2 * bytes looked at, plus 1 if they are. */
/*@ requires inside: a <= end && b <= end;
    requires head: head_ok(head, end);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures same: \result % 2 == 1 <==> text_value(head, a, end) == text_value(head, b, end);
*/
uint64_t assay_text_same(const uint8_t *head, uint32_t a, uint32_t b, uint32_t end);

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

/* Lemmas: what spec/text.acsl shows to few, as contracts of functions that do nothing. decode.c has the first,
 * text_value.c and text_digits.c the others. */
/*@ ghost
/@ requires inside: at <= end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures code: 0 <= escape(head, at, end) / 4294967296 <= 0x10FFFF;
   ensures next: at < end ==> at < escape(head, at, end) % 4294967296 <= end;
@/
void assay_escape_range(const uint8_t *head, uint32_t at, uint32_t end);

/@ requires inside: at <= end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures end: at == end || head[at] == 0x22 ==> text_value(head, at, end) == 0;
   ensures byte: at < end && head[at] != 0x22 && head[at] != 0x5C ==>
       text_value(head, at, end) == digit(head[at], text_value(head, at + 1, end));
   ensures escape: at < end && head[at] == 0x5C ==>
       text_value(head, at, end) == digits(escape(head, at, end) / 4294967296,
                                           text_value(head, escape(head, at, end) % 4294967296, end));
@/
void assay_text_step(const uint8_t *head, uint32_t at, uint32_t end);

/@ requires inside: at <= size;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures end: at == size ==> bytes_value(bytes, at, size) == 0;
   ensures byte: at < size ==>
       bytes_value(bytes, at, size) == digit(bytes[at], bytes_value(bytes, at + 1, size));
@/
void assay_bytes_step(const uint8_t *bytes, uint64_t at, uint64_t size);

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures same: \forall integer a, b, x, y; 0 <= a <= 255 && 0 <= b <= 255 && digit(a, x) == digit(b, y) ==>
       a == b && x == y;
   ensures some: \forall integer a, x; 0 <= a <= 255 ==> digit(a, x) != 0;
@/
void assay_digit_same(void);

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures end: \forall integer point, hash; hash_value(0, point, hash) == hash;
   ensures natural: \forall integer byte, rest; 0 <= byte && 0 <= rest ==> 0 <= digit(byte, rest);
   ensures step: \forall integer byte, rest, point, hash; 0 <= byte <= 255 && 0 <= rest ==>
       hash_value(digit(byte, rest), point, hash) == hash_value(rest, point, hash_step(hash, point, byte));
@/
void assay_digit_hash(void);

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures end: value_order(0, 0) == 0;
   ensures before: \forall integer y; 0 < y ==> value_order(0, y) == -1;
   ensures behind: \forall integer x; 0 < x ==> value_order(x, 0) == 1;
   ensures some: \forall integer byte, rest; 0 <= byte <= 255 && 0 <= rest ==> 0 < digit(byte, rest);
   ensures step: \forall integer a, b, x, y; 0 <= a <= 255 && 0 <= b <= 255 && 0 <= x && 0 <= y ==>
       value_order(digit(a, x), digit(b, y)) == (a < b ? -1 : a > b ? 1 : value_order(x, y));
@/
void assay_digit_order(void);

/@ requires code: code <= 0x10FFFF && k < utf8_width(code);
   requires inside: at <= size && k <= size - at;
   requires agree: \forall integer i; 0 <= i < k ==> bytes[at + i] == utf8_byte(code, i);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures over: k == size - at ==> \forall integer x; 0 <= x ==>
       value_order(digits(code, x), bytes_value(bytes, at, size)) == 1;
   ensures differ: k < size - at && bytes[at + k] != utf8_byte(code, k) ==> \forall integer x; 0 <= x ==>
       value_order(digits(code, x), bytes_value(bytes, at, size)) == (utf8_byte(code, k) < bytes[at + k] ? -1 : 1);
@/
void assay_digits_order(const uint8_t *bytes, uint64_t at, uint64_t size, uint32_t code, uint32_t k);

/@ requires code: code <= 0x10FFFF;
   requires inside: at <= size;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures spelled: spells(bytes, at, size, code) ==> \forall integer x; 0 <= x ==>
       value_order(digits(code, x), bytes_value(bytes, at, size))
       == value_order(x, bytes_value(bytes, at + utf8_width(code), size));
@/
void assay_digits_agree(const uint8_t *bytes, uint64_t at, uint64_t size, uint32_t code);

/@ requires code: code <= 0x10FFFF;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures natural: \forall integer rest; 0 <= rest ==> 0 <= digits(code, rest);
   ensures step: \forall integer rest, point, hash; 0 <= rest ==>
       hash_value(digits(code, rest), point, hash) == hash_value(rest, point, hash_code(code, point, hash));
@/
void assay_digits_hash(uint32_t code);

/@ requires inside: at <= end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures natural: \forall integer i; at <= i <= end ==> 0 <= text_value(head, i, end);
@/
void assay_text_natural(const uint8_t *head, uint32_t at, uint32_t end);

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures natural: \forall integer i; 0 <= i <= size ==> 0 <= bytes_value(bytes, i, size);
@/
void assay_bytes_natural(const uint8_t *bytes, uint64_t size);

/@ requires codes: a <= 0x10FFFF && b <= 0x10FFFF;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures same: \forall integer x, y; digits(a, x) == digits(b, y) <==> a == b && x == y;
   ensures some: \forall integer x; digits(a, x) != 0;
@/
void assay_digits_same(uint32_t a, uint32_t b);

/@ requires inside: at <= end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures some: text_value(head, at, end) == 0 <==> at == end || head[at] == 0x22;
@/
void assay_text_some(const uint8_t *head, uint32_t at, uint32_t end);

/@ requires inside: at < end && code <= 0x10FFFF;
   requires byte: head[at] != 0x22 && head[at] != 0x5C;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures spelled: spells(head, at, end, code) ==>
       text_value(head, at, end) == digits(code, text_value(head, at + utf8_width(code), end));
   ensures another: !spells(head, at, end, code) ==>
       \forall integer x; digits(code, x) != text_value(head, at, end);
@/
void assay_text_spelled(const uint8_t *head, uint32_t at, uint32_t end, uint32_t code);

/@ requires inside: at <= size && code <= 0x10FFFF;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures spelled: spells(bytes, at, size, code) ==>
       bytes_value(bytes, at, size) == digits(code, bytes_value(bytes, at + utf8_width(code), size));
   ensures another: !spells(bytes, at, size, code) ==>
       \forall integer x; digits(code, x) != bytes_value(bytes, at, size);
@/
void assay_bytes_spelled(const uint8_t *bytes, uint64_t at, uint64_t size, uint32_t code);
*/

/* ---- hash.c: a keyed hash of texts -------------------------------------------------------------------- */

/* The secret numbers that a seed stands for: point * 2^32 + factor. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures secret: \result == secret(seed);
    ensures range: hash_secret(\result);
*/
uint64_t assay_hash_secret(uint64_t seed);

/* The hash, below 2^31, of the text that begins at `at`, or of size bytes of UTF-8: equal for equal texts. */
/*@ requires inside: at <= end;
    requires head: head_ok(head, end);
    requires secret: hash_secret(secret);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures hash: \result == fingerprint(text_value(head, at, end), secret);
    ensures range: \result < 2147483648;
*/
uint32_t assay_hash_text(const uint8_t *head, uint32_t at, uint32_t end, uint64_t secret);

/*@ requires readable: \valid_read(bytes + (0 .. size - 1));
    requires secret: hash_secret(secret);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures hash: \result == fingerprint(bytes_value(bytes, 0, size), secret);
    ensures range: \result < 2147483648;
*/
uint32_t assay_hash_bytes(const uint8_t *bytes, uint64_t size, uint64_t secret);

/* A slot of an index: never 0. It holds a place, and the tag: 8 bits of a hash. */
/*@ requires place: place < 16777215;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures some: \result != 0;
    ensures place: slot_place(\result) == place;
    ensures tag: slot_tag(\result) == hash_tag(hash);
*/
uint32_t assay_slot(uint32_t hash, uint32_t place);

/*@ requires some: 0 <= slot_place(slot);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures place: \result == slot_place(slot);
*/
uint32_t assay_slot_place(uint32_t slot);

/* Does the slot bear the hash's tag? If not, it holds another text. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures tag: \result <==> slot_tag(slot) == hash_tag(hash);
*/
bool assay_slot_tagged(uint32_t slot, uint32_t hash);

/* Where a table of so many slots is first looked at. */
/*@ requires range: hash < 2147483648 && 0 < size;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures home: \result == hash_home(hash, size);
    ensures inside: \result < size;
*/
uint32_t assay_hash_home(uint32_t hash, uint32_t size);

/* ---- word.c: keywords ------------------------------------------------------------------------------- */

/* A short text, unescaped and packed: its first 8 bytes and the next 4, little-endian. length: ASSAY_WORD_LONG if
 * it isn't 1 to 12 ASCII characters. */
typedef struct {
    uint64_t lo, hi, length;
} assay_word;
#define ASSAY_WORD_LONG 13u
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

/* ---- string.c, number.c, token.c: tokens -------------------------------------------------------------- */

/* at: behind the opening quote. Gives the place of the closing quote. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures quote: lands_on(\result, at, end);
    ensures closed: went_on(\result) ==> head[\result] == '"';
    ensures exact: \result == string_end(head, at, end);
*/
assay_step assay_string(const uint8_t *head, uint32_t at, uint32_t end);

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

/* ---- shape.c, tensor.c: one tensor --------------------------------------------------------------------- */

/* What is known of a tensor while its object is read. */
typedef struct {
    uint64_t dtype_at, shape_at, offsets_at; /* of the members' values: of the quote, of each [; 0: not seen yet */
    uint64_t dtype;
    uint64_t rank;
    uint64_t elements; /* product of the dims that aren't 0; 0: it does not fit 64 bits */
    uint64_t empty;    /* 1: a dim is 0 */
    uint64_t begin, end;
    uint64_t expected, found; /* of the error, if there is one */
} assay_draft;

/*@ logic integer elements_product(integer elements) = elements == 0 ? 18446744073709551616 : elements;

    // A tensor that keeps the rules H19 to H23.
    predicate draft_valid(assay_draft *draft, integer at) =
        1 <= draft->dtype <= 22 && draft->shape_at < at && draft->rank < 134217728 && draft->begin <= draft->end;

    // It is what the object whose { stands at `at` says.
    predicate draft_says(assay_draft *draft, uint8_t *head, integer at, integer end) =
        draft->dtype == object_dtype(head, at, end) && draft->shape_at == object_shape(head, at, end)
        && draft->rank == object_rank(head, at, end) && draft->begin == object_begin(head, at, end)
        && draft->end == object_finish(head, at, end) && shape_judged(head, draft->shape_at, end);
*/

/* shape.c: the arrays. at: behind the [. Gives the place behind the ]. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    requires draft: \valid(draft);
    terminates \true;
    exits \false;
    assigns draft->rank, draft->elements, draft->empty, draft->expected, draft->found;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \result == shape_end(head, at - 1, end, max_rank);
    ensures always: went_on(\result) ==> \result == shape_end(head, at - 1, end, unlimited);
    ensures rank: went_on(\result) ==> draft->rank == shape_rank(head, at - 1, end) && draft->rank <= \result;
    ensures product: went_on(\result) ==> elements_product(draft->elements) == shape_product(head, at - 1, end);
    ensures empty: went_on(\result) ==> draft->empty == shape_zero(head, at - 1, end);
*/
assay_step assay_shape(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft);
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    requires draft: \valid(draft);
    terminates \true;
    exits \false;
    assigns draft->begin, draft->end, draft->expected, draft->found;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \result == offsets_end(head, at - 1, end);
    ensures begin: went_on(\result) ==> draft->begin == offsets_begin(head, at - 1, end);
    ensures finish: went_on(\result) ==> draft->end == offsets_finish(head, at - 1, end);
*/
assay_step assay_offsets(const uint8_t *head, uint32_t at, uint32_t end, assay_draft *draft);

/* tensor.c. at: behind the {. Gives the place behind the }, all rules H10 to H23 kept. *draft is set in any case. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    requires draft: \valid(draft);
    terminates \true;
    exits \false;
    assigns *draft;
    ensures after: lands(\result, at + 1, end);
    ensures kept: went_on(\result) ==> draft_valid(draft, \result);
    ensures exact: \result == tensor_end(head, at - 1, end, max_rank);
    ensures always: went_on(\result) ==> \result == tensor_end(head, at - 1, end, unlimited);
    ensures says: went_on(\result) ==> draft_says(draft, head, at - 1, end);
*/
assay_step assay_tensor_object(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft);

/* ---- scan.c: the header -------------------------------------------------------------------------------- */

/* Where a scan puts what it finds: as much as there is room for. */
typedef struct {
    assay_entry *entry; /* tensors, in header order */
    uint64_t entries;
    uint32_t *word; /* metadata: keys from the front; if values are kept, those from the back */
    uint64_t words;
    uint64_t keep; /* 1: keep the values */
    uint64_t max_tensors, max_rank, max_name, max_metadata;
} assay_plan;

/* What a scan has found. */
typedef struct {
    uint64_t tensors, pairs; /* counted, whether there was room or not */
    uint64_t metadata;       /* 1: there is a __metadata__ */
    uint64_t tensor;         /* the one being read, or none */
    uint64_t expected, found; /* of the error, if there is one */
} assay_found;

#ifdef __FRAMAC__
#include "scan.acsl"
#endif

/* Stage H: judges head[8 .. end). Gives end, or the stop. *found is set in any case. */
/*@ requires head: head_ok(head, end);
    requires end: 8 <= end;
    requires plan: plan_ok(plan, found);
    terminates \true;
    exits \false;
    assigns *found, plan.entry[0 .. plan.entries - 1], plan.word[0 .. plan.words - 1];
    ensures all: went_on(\result) ==> \result == end && 10 <= end;
    ensures counted: went_on(\result) ==> counted(found, end);
    ensures stored: went_on(\result) ==> stored(plan, found, end);
    ensures exact: \result == header_end(head, end, plan.max_tensors, plan.max_rank, plan.max_name,
                                         plan.max_metadata);
    ensures says: went_on(\result) ==> found_says(plan, found, head, end);
*/
assay_step assay_scan(const uint8_t *head, uint32_t end, assay_plan plan, assay_found *found);

/* ---- frame.c: length and sizes ------------------------------------------------------------------------- */

/* Stage F. ASSAY_OK: *end is 8 + N, and all of head[0 .. *end) is there. */
/*@ requires head: \valid_read(head + (0 .. head_size - 1));
    requires end: \valid(end);
    requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns *end, *error;
    ensures whole: \result == ASSAY_OK ==> 8 <= *end <= ASSAY_END_MAX && *end <= head_size && *end <= file_size;
    ensures kept: \result == ASSAY_OK ==> *error == \old(*error);
    ensures status: \result != ASSAY_OK ==> error->status == \result;
    ensures more: \result == ASSAY_NEED_MORE ==>
        error->expected == (head_size < 8 ? 8 : 8 + header_length(head)) <= ASSAY_END_MAX;
    ensures exact: frame_judged(head, head_size, file_size, max_header) ==
        (\result == ASSAY_OK ? 0 : verdict_of(\result, error->offset));
    ensures length: \result == ASSAY_OK ==> *end == 8 + header_length(head);
*/
assay_status assay_frame(const uint8_t *head, uint64_t head_size, uint64_t file_size, uint64_t max_header,
                         uint32_t *end, assay_error *error);

/* ---- view.c: shapes -------------------------------------------------------------------------------------- */

/* The next dim of a shape, as assay_dim_next says it, of a header that ends at end. */
/*@ requires head: head_ok(head, end);
  @ requires out: \valid(dims) && \valid(dim) && \separated(dims, dim);
  @ terminates \true;
  @ exits \false;
  @ assigns *dims, *dim;
  @ ensures answer: \result <==> \old(dims->left) > 0 && dim_there(head, \old(dims->at), end);
  @ ensures number: \result ==> *dim == dim_number(head, \old(dims->at), end);
  @ ensures behind: \result ==> dims->at == dim_stop(head, \old(dims->at), end);
  @ ensures bounds: \result ==> \old(dims->at) < dims->at <= end;
  @ ensures left: \result ==> dims->left == \old(dims->left) - 1;
  @ ensures unchanged: !\result ==> *dims == \old(*dims) && *dim == \old(*dim);
  @*/
bool assay_dim_read(const uint8_t *head, uint32_t end, assay_dims *dims, uint64_t *dim);

/* ---- index.c: names and keys, none twice ------------------------------------------------------------- */

/* Enters the texts that begin at key[0 .. n) one by one. ASSAY_OK: all differ after unescaping.
 * ASSAY_E_NAME_TWICE: *repeat is the first that repeats an earlier one, *earlier; else neither is written.
 * ASSAY_SEED: too many probes or bytes compared.
 * slot[0 .. 2n) is the index. end: where the header ends; n < 2^24. */
/*@ requires head: 8 <= end <= ASSAY_END_MAX && \valid_read(head + (0 .. end - 1));
    requires count: n < 16777215;
    requires keys: \valid_read(key + (0 .. n - 1)) && keys_inside(key, n, end);
    requires slots: \valid(slot + (0 .. 2 * n - 1));
    requires results: \valid(repeat) && \valid(earlier);
    requires apart: \separated(slot + (0 .. 2 * n - 1), key + (0 .. n - 1)) && \separated(repeat, earlier);
    terminates \true;
    exits \false;
    assigns slot[0 .. 2 * n - 1], *repeat, *earlier;
    ensures status: \result == ASSAY_OK || \result == ASSAY_E_NAME_TWICE || \result == ASSAY_SEED;
    ensures slots: slots_name(slot, 2 * n, n);
    ensures valid: \result == ASSAY_OK ==>
        distinct(head, end, key, n) && indexed(head, end, key, n, slot, 2 * n, secret(seed));
    ensures places: \result == ASSAY_E_NAME_TWICE ==> *earlier < *repeat < n;
    ensures twice: \result == ASSAY_E_NAME_TWICE ==>
        text_value(head, key[*repeat], end) == text_value(head, key[*earlier], end);
    ensures first: \result == ASSAY_E_NAME_TWICE ==> distinct(head, end, key, *repeat);
    ensures kept: \result != ASSAY_E_NAME_TWICE ==> *repeat == \old(*repeat) && *earlier == \old(*earlier);
*/
assay_status assay_index(const uint8_t *head, uint32_t end, const uint32_t *key, uint32_t n, uint32_t *slot,
                         uint64_t seed, uint64_t *repeat, uint64_t *earlier);

/* The place of the key that is the same text as name[0 .. size), UTF-8; n if there is none. */
/*@ requires head: end <= ASSAY_END_MAX && \valid_read(head + (0 .. end - 1));
    requires count: n < 16777215;
    requires keys: \valid_read(key + (0 .. n - 1)) && keys_inside(key, n, end);
    requires slots: \valid_read(slot + (0 .. 2 * n - 1)) && slots_name(slot, 2 * n, n);
    requires name: \valid_read(name + (0 .. size - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures place: \result <= n;
    ensures found: \result < n ==> text_value(head, key[\result], end) == bytes_value(name, 0, size);
    ensures absent: \result == n && indexed(head, end, key, n, slot, 2 * n, secret(seed)) ==>
        absent(head, end, key, n, bytes_value(name, 0, size));
*/
uint32_t assay_index_find(const uint8_t *head, uint32_t end, const uint32_t *key, uint32_t n,
                          const uint32_t *slot, uint64_t seed, const uint8_t *name, uint64_t size);

/* ---- order.c, layout.c: the data section ------------------------------------------------------------- */

#ifdef __FRAMAC__
#include "layout.acsl"
#include "order.acsl"
#endif

#define ASSAY_TENSORS_MAX 16777216u /* more do not fit into a header */

/* order[0 .. n) becomes the layout order: places by (begin, end, place). scratch[0 .. n) is overwritten. */
/*@ requires small: n <= ASSAY_TENSORS_MAX;
  @ requires entries: \valid_read(entry + (0 .. n - 1));
  @ requires room: \valid(order + (0 .. n - 1)) && \valid(scratch + (0 .. n - 1));
  @ requires apart: \separated(order + (0 .. n - 1), scratch + (0 .. n - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns order[0 .. n - 1], scratch[0 .. n - 1];
  @ ensures in_order: layout_order(entry, order, n);
  @*/
void assay_order(const assay_entry *entry, uint32_t n, uint32_t *order, uint32_t *scratch);

/* Rules G3 to G6. data_begin: 8 + N, for the offset in *error, which is written only if a rule is broken. */
/*@ requires small: n <= ASSAY_TENSORS_MAX;
  @ requires entries: \valid_read(entry + (0 .. n - 1)) && \valid_read(order + (0 .. n - 1));
  @ requires intervals: intervals(entry, n);
  @ requires in_order: layout_order(entry, order, n);
  @ requires file: data_begin + data_size <= UINT64_MAX;
  @ requires room: \valid(error) && \separated(error, entry + (0 .. n - 1));
  @ terminates \true;
  @ exits \false;
  @ assigns *error;
  @ ensures verdict: \result == ASSAY_OK || (ASSAY_E_TRUNCATED <= \result <= ASSAY_E_EMPTY_INSIDE);
  @ ensures partition: \result == ASSAY_OK ==> partition(entry, n, data_size);
  @ ensures silent: \result == ASSAY_OK ==> *error == \old(*error);
  @ ensures status: \result != ASSAY_OK ==> error->status == \result;
  @ ensures judged: \result != ASSAY_OK ==>
  @     layout_judged{Old}(entry, n, data_begin, data_size, \result, error->offset);
  @ ensures truncated: \result == ASSAY_E_TRUNCATED ==> layout_truncated{Old}(entry, n, data_size,
  @     error->tensor, error->other, error->expected, error->found);
  @ ensures overlap: \result == ASSAY_E_OVERLAP ==> layout_overlap{Old}(entry, n, error->offset - data_begin,
  @     error->tensor, error->other, error->expected, error->found);
  @ ensures hole: \result == ASSAY_E_HOLE ==> layout_hole{Old}(entry, n, data_size, error->offset - data_begin,
  @     error->tensor, error->other, error->expected, error->found);
  @ ensures empty_inside: \result == ASSAY_E_EMPTY_INSIDE ==> layout_empty_inside{Old}(entry, n,
  @     error->offset - data_begin, error->tensor, error->other, error->expected, error->found);
  @*/
assay_status assay_layout(const assay_entry *entry, const uint32_t *order, uint32_t n, uint64_t data_begin,
                          uint64_t data_size, assay_error *error);

/* ---- judge.c: the stages -------------------------------------------------------------------------------- */

#ifdef __FRAMAC__
#include "judge.acsl"
#endif

/*@ requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns error->status;
    ensures status: \result == status && error->status == status;
*/
assay_status assay_error_status(assay_error *error, assay_status status);

/* Stages F and H: keeps in the workspace what there is room for; keep: the metadata's values too. ASSAY_OK: *end is
 * where the header ends. *error is set in any case. */
/*@ requires input: judge_input(head, head_size, options);
    requires workspace: judge_workspace(workspace) && keep <= 1;
    requires output: \valid(end) && \valid(found) && \valid(error) && \separated(options, error, end);
    requires apart: \separated(end, found, error, workspace->entry + (0 .. workspace->entries - 1),
        workspace->word + (0 .. workspace->words - 1)) && \separated(workspace, error, end, found);
    terminates \true;
    exits \false;
    assigns *end, *found, *error, workspace->entry[0 .. workspace->entries - 1],
        workspace->word[0 .. workspace->words - 1];
    ensures status: error->status == \result;
    ensures usage: \old(!options_right(options)) ==> \result == ASSAY_USAGE;
    ensures exact: \old(options_right(options)) ==> \old(head_judged(head, head_size, file_size, options)) ==
        (\result == ASSAY_OK ? 0 : verdict_of(\result, error->offset));
    ensures passed: \result == ASSAY_OK ==> \old(options_right(options));
    ensures whole: \result == ASSAY_OK ==> 10 <= *end <= ASSAY_END_MAX && *end <= head_size && *end <= file_size &&
        *end == 8 + header_length(head);
    ensures counted: \result == ASSAY_OK ==> counted(found, *end);
    ensures counts: \result == ASSAY_OK ==> counts_say(found, head, *end);
    ensures tensors: \result == ASSAY_OK ==>
        tensors_kept(\old(workspace->entry), \old(workspace->entries), head, *end, found->tensors);
    ensures pairs: \result == ASSAY_OK ==>
        pairs_kept(\old(workspace->word), \old(workspace->words), keep, head, *end, found->pairs);
*/
assay_status assay_judge_head(const uint8_t *head, uint64_t head_size, uint64_t file_size,
                              const assay_options *options, const assay_workspace *workspace, uint64_t keep,
                              uint32_t *end, assay_found *found, assay_error *error);

/* What the file of these counts needs; keep: the metadata's values too. */
/*@ requires counts: tensors * 6 <= end && pairs * 6 <= end && 10 <= end <= ASSAY_END_MAX;
    requires header: end == 8 + header_length(head) && tensor_count(head, end, tensors) && pair_count(head, end, pairs);
    requires need: \valid(need);
    terminates \true;
    exits \false;
    assigns *need;
    ensures need: need_says(need, head, keep) && need->head == end;
    ensures counts: need->tensors == tensors && need->pairs == pairs;
*/
void assay_need_set(uint32_t tensors, uint32_t pairs, uint64_t keep, uint32_t end, assay_need *need)
    /*@ ghost (const uint8_t *head) */;

/* Behind the stages F and H: room, stage G, the need. */
/*@ requires head: head_ok(head, end) && 10 <= end <= file_size && end == 8 + header_length(head);
    requires counts: tensors * 6 <= end && pairs * 6 <= end && tensor_count(head, end, tensors) &&
        pair_count(head, end, pairs) && keep <= 1;
    requires workspace: judge_workspace(w);
    requires kept: tensors_kept(w->entry, w->entries, head, end, tensors) &&
        pairs_kept(w->word, w->words, keep, head, end, pairs);
    requires output: \valid(need) && \valid(error) && error->status == ASSAY_OK && \separated(need, error);
    requires apart: judge_apart(w, need, error);
    terminates \true;
    exits \false;
    assigns *need, w->word[0 .. w->words - 1], *error;
    ensures status: \result == ASSAY_WORKSPACE || judged_whole(\result);
    ensures error: error->status == \result;
    ensures workspace: \result == ASSAY_WORKSPACE <==> room_short(head, \old(w->entries), \old(w->words), keep);
    ensures sound: \result == ASSAY_OK ==> valid_whole(head, file_size);
    ensures exact: \result >= ASSAY_E_METADATA_KEY_TWICE ==>
        broken_whole(head, file_size, \result, error->offset) && !valid_whole(head, file_size);
    ensures need: \result == ASSAY_OK || \result == ASSAY_WORKSPACE ==>
        need_says(need, head, keep) && need->head == end;
    ensures counted: \result == ASSAY_OK ==> need->tensors == tensors && need->pairs == pairs;
    ensures same: \result != ASSAY_OK && \result != ASSAY_WORKSPACE ==>
        need_same{Pre, Post}(need) && need->head == \old(need->head);
    ensures room: \result == ASSAY_OK ==>
        tensors <= \old(w->entries) && words_for(tensors, pairs, keep) <= \old(w->words);
    ensures tables: \result == ASSAY_OK ==> tables_judged(\old(w->entry), \old(w->word), \old(w->words), keep, head,
        end, pairs, tensors, file_size - end, secret(seed));
    ensures partition: \result == ASSAY_OK ==> partition(\old(w->entry), need->tensors, file_size - need->head);
*/
assay_status assay_judge_rest(const uint8_t *head, uint64_t file_size, uint32_t end, const assay_workspace *w,
                              uint32_t tensors, uint32_t pairs, uint64_t keep, uint64_t seed, assay_need *need,
                              assay_error *error);

/* ---- whole.c: stage G ----------------------------------------------------------------------------------- */

/* Stage G. The words: 3 a pair (keys, their index), then 4 a tensor (layout order, names, their index). */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires counts: tensors < 16777215 && pairs < 16777215;
    requires file: end + data_size <= UINT64_MAX;
    requires entries: \valid_read(entry + (0 .. tensors - 1)) && entries_ok(entry, tensors, end) &&
        entries_say(entry, head, end, tensors);
    requires words: \valid(word + (0 .. 3 * pairs + 4 * tensors - 1));
    requires keys: texts_ok(word, 0, pairs, end) && keys_say(word, head, end, pairs);
    requires error: \valid(error) && error->status == ASSAY_OK && \separated(error, entry + (0 .. tensors - 1));
    terminates \true;
    exits \false;
    assigns word[pairs .. 3 * pairs + 4 * tensors - 1], *error;
    ensures status: judged_whole(\result);
    ensures error: error->status == \result;
    ensures sound: \result == ASSAY_OK ==> whole(head, end, pairs, tensors, data_size);
    ensures exact: \result >= ASSAY_E_METADATA_KEY_TWICE ==>
        whole_broken(head, end, pairs, tensors, data_size, \result, error->offset);
    ensures words: \result == ASSAY_OK ==> words_judged(word, pairs, tensors, end);
    ensures say: \result == ASSAY_OK ==> words_say(word, pairs, tensors, head, end, secret(seed));
    ensures partition: \result == ASSAY_OK ==> partition(entry, tensors, data_size);
    ensures entries: \result == ASSAY_OK ==>
        entries_ok(entry, tensors, end) && entries_say(entry, head, end, tensors);
*/
assay_status assay_judge_whole(const uint8_t *head, uint32_t end, uint64_t data_size, const assay_entry *entry,
                               uint32_t tensors, uint32_t *word, uint32_t pairs, uint64_t seed, assay_error *error);

#endif
