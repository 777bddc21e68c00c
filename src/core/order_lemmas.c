/* order_lemmas.c: the order of the texts of a list is total, and what shared bytes say of it. Ghost functions, no
 * code. */
#include "core.h"

/* Unfolds: same_bytes, common_bytes, text_less, listed_before, listed_common, listed_same. */

/*@ ghost
void assay_listed_none(const uint8_t *head, uint32_t end, uint32_t list)
{
}

void assay_heads_fit(const uint8_t *head, uint32_t end, uint32_t list, uint32_t p, uint32_t i, uint64_t k, uint32_t j,
                     uint64_t l)
{
    assay_value_bytes();
}

void assay_listed_chain(const uint8_t *head, uint32_t end, uint32_t list, uint32_t i, uint32_t j)
{
    assay_value_bytes();
}

void assay_listed_between(const uint8_t *head, uint32_t end, uint32_t list, uint32_t i, uint32_t j, uint32_t k)
{
    assay_value_bytes();
}

void assay_listed_end(const uint8_t *head, uint32_t end, uint32_t list, uint32_t i, uint32_t j, uint64_t k)
{
    assay_value_bytes();
}

void assay_listed_less(const uint8_t *head, uint32_t end, uint32_t list)
{
}
*/
