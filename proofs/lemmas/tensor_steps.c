/* tensor_steps.c: one step of each recursive definition of spec/tensor.acsl. Ghost functions, no code. */
#include "core.h"

/* Unfolds: integer_end, dims_end, dims_product, dims_zero, dims_count, members_end, members_fields, member_from. */
/* Unfolds: number_end, digits_end, digits_value, integer_value, space_end, next_byte, value_at. */
/* Unfolds: item_end, item_value, first_key, next_key, key_value. */

/*@ ghost
void assay_integer_beyond(const uint8_t *head, uint32_t at, uint32_t end)
{
}

void assay_item_within(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_space_size(head, end);
    assay_number_size(head, end);
}

void assay_dims_step(const uint8_t *head, uint32_t at, uint32_t end, uint64_t count, uint64_t max_rank)
{
}

void assay_dim_step(const uint8_t *head, uint32_t at, uint32_t end)
{
}

void assay_members_step(const uint8_t *head, uint32_t key, uint32_t end, uint64_t max_rank, uint64_t d, uint64_t s,
                        uint64_t o)
{
}

void assay_fields_step(const uint8_t *head, uint32_t key, uint32_t end, uint64_t max_rank, uint64_t d, uint64_t s,
                       uint64_t o)
{
}

void assay_member_from_step(const uint8_t *head, uint32_t key, uint32_t end, uint32_t member)
{
}

void assay_key_colon(const uint8_t *head, uint32_t at, uint32_t end)
{
}

void assay_plain_next(const uint8_t *head, uint32_t at, uint32_t end)
{
}

void assay_digit_step(const uint8_t *head, uint32_t start, uint32_t at, uint32_t end)
{
}

void assay_gap(const uint8_t *head, uint32_t from, uint32_t at, uint32_t end)
{
    uint32_t p = from;
    /@ loop invariant inside: from <= p <= at;
       loop invariant same: space_end(head, p, end) == space_end(head, from, end);
       loop assigns p;
       loop variant at - p;
    @/
    while (p < at) {
        p++;
    }
}

void assay_item_plain(const uint8_t *head, uint32_t from, uint32_t at, uint32_t behind, uint32_t close, uint32_t end)
{
    assay_digit_step(head, at, at, end);
    assay_digit_step(head, at, behind, end);
    assay_gap(head, from, at, end);
    assay_gap(head, behind, close, end);
    /@ assert start: space_end(head, from, end) == at; @/
    /@ assert integer: integer_end(head, at, end, 0) == behind; @/
    /@ assert next: next_byte(head, behind, end, ',', ']') == close; @/
}
*/
