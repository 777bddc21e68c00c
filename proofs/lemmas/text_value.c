/* text_value.c: what the proofs know of a text's value, by its definition. Ghost functions, no code. */
#include "core.h"

/* Unfolds: text_value, bytes_value, digit, value_order, value_first, value_rest. */

/*@ ghost
void assay_text_step(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_escape_range(head, at, end);
}

void assay_bytes_step(const uint8_t *bytes, uint64_t at, uint64_t size)
{
}

void assay_digit_same(void)
{
}

void assay_digit_natural(void)
{
}

void assay_digit_order(void)
{
}

void assay_value_order(void)
{
}
*/
