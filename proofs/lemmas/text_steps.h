/* text_steps.h: lemmas on texts, as contracts of functions that do nothing: what spec/text.acsl shows to few.
 * escape_steps.c, text_value.c and text_digits.c have the proofs. A part of core.h. */
#ifndef ASSAY_TEXT_STEPS_H
#define ASSAY_TEXT_STEPS_H

/*@ ghost
/@ requires inside: at <= end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures code: 0 <= escape(head, at, end) / 4294967296 <= 0x10FFFF;
   ensures next: at < end ==> at < escape(head, at, end) % 4294967296 <= end;
   ensures after: escape_end(head, at, end) <= end ==>
       escape(head, at, end) % 4294967296 == escape_end(head, at, end) && at + 2 <= escape_end(head, at, end);
   ensures wrong: at < end && escape_end(head, at, end) > end ==> escape(head, at, end) % 4294967296 == at + 1;
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
   ensures natural: \forall integer byte, rest; 0 <= byte && 0 <= rest ==> 0 <= digit(byte, rest);
@/
void assay_digit_natural(void);

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
*/

#endif
