/* scan_steps.c: what the proofs know of the header's logic where it is recursive. Ghost functions, no code. */
#include "core.h"

/* Unfolds: pairs_end, pairs_fields, root_end, root_fields, trailing_end, tensor_from, metadata_from, tensor_key,
 * pair_key, pair_value. */

/*@ ghost
void assay_pairs_step(const uint8_t *head, uint32_t key, uint32_t end, uint64_t count, uint64_t max_metadata)
{
}

void assay_pair_step(const uint8_t *head, uint32_t end, uint64_t k)
{
}

void assay_tensor_step(const uint8_t *head, uint32_t end, uint64_t k)
{
}

void assay_from_step(const uint8_t *head, uint32_t key, uint32_t end)
{
}

void assay_trailing_step(const uint8_t *head, uint32_t at, uint32_t end)
{
}

void assay_root_step(const uint8_t *head, uint32_t key, uint32_t end, uint64_t seen, uint64_t count, assay_plan plan)
{
}
*/
