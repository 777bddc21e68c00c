/* text_digits.c: what the proofs know of an escape's part in a text's value. Ghost functions, no code. */
#include "core.h"

/* Unfolds: digits. */

/*@ ghost
/@ requires inside: at <= end;
   requires natural: \forall integer i; at < i <= end ==> 0 <= text_value(head, i, end);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures natural: 0 <= text_value(head, at, end);
@/
void assay_text_natural_step(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_digit_natural();
    assay_text_step(head, at, end);
    assay_escape_range(head, at, end);
}

void assay_text_natural(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t i = end;

    assay_text_natural_step(head, end, end);
    /@ loop invariant inside: at <= i <= end;
       loop invariant natural: \forall integer j; i <= j <= end ==> 0 <= text_value(head, j, end);
       loop assigns i;
       loop variant i;
    @/
    while (i > at) {
        assay_text_natural_step(head, i - 1, end);
        i--;
    }
}

void assay_bytes_natural(const uint8_t *bytes, uint64_t size)
{
    uint64_t i = size;

    assay_digit_natural();
    assay_bytes_step(bytes, size, size);
    /@ loop invariant inside: 0 <= i <= size;
       loop invariant natural: \forall integer j; i <= j <= size ==> 0 <= bytes_value(bytes, j, size);
       loop assigns i;
       loop variant i;
    @/
    while (i > 0) {
        assay_bytes_step(bytes, i - 1, size);
        i--;
    }
}

void assay_text_run_order(const uint8_t *head, uint32_t at, uint32_t end, const uint8_t *bytes, uint64_t size,
                          uint32_t run)
{
    uint32_t i = 0;

    assay_text_natural(head, at, end);
    assay_bytes_natural(bytes, size);
    assay_digit_same();
    assay_digit_order();
    /@ loop invariant inside: 0 <= i <= run;
       loop invariant same: text_value(head, at + i, end) == bytes_value(bytes, i, size) <==>
           text_value(head, at, end) == bytes_value(bytes, 0, size);
       loop invariant exact: value_order(text_value(head, at + i, end), bytes_value(bytes, i, size)) ==
           value_order(text_value(head, at, end), bytes_value(bytes, 0, size));
       loop assigns i;
       loop variant run - i;
    @/
    while (i < run) {
        assay_equal_at(head + at, bytes, run, i);
        /@ assert byte: head[at + i] == bytes[i] && head[at + i] != 0x22 && head[at + i] != 0x5C; @/
        assay_text_step(head, at + i, end);
        assay_bytes_step(bytes, i, size);
        i++;
    }
}
*/
