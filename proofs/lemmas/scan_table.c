/* scan_table.c: the table up to a key, from one key to the next. Ghost functions, no code. */
#include "core.h"

/* Unfolds: root_next, tensor_name_end, tensor_object, tensor_begin, tensor_finish, metadata_key, table_before,
 * packed_end. */

/*@ ghost
void assay_name_packed(uint32_t name, uint32_t length, bool plain)
{
    /@ assert above: (name + 4294967296 * (length + 2147483648 * plain)) / 4294967296
           == length + 2147483648 * plain; @/
}

void assay_table_begin(const uint8_t *head, uint32_t end)
{
    assay_tensor_step(head, end, 0);
}

void assay_table_here(const uint8_t *head, uint32_t end, uint32_t key, uint64_t tensors, uint64_t metadata,
                      uint64_t pairs)
{
    assay_from_step(head, key, end);
    assay_pair_step(head, end, 0);
}

void assay_name_here(const uint8_t *head, uint32_t end, uint32_t key, uint32_t close, uint64_t tensors,
                     uint64_t metadata, uint64_t pairs)
{
    assay_table_here(head, end, key, tensors, metadata, pairs);
}

void assay_table_step(const uint8_t *head, uint32_t end, uint32_t key, uint64_t next, uint64_t tensors,
                      uint64_t metadata, uint64_t pairs, uint64_t count)
{
    assay_from_step(head, key, end);
    assay_tensor_step(head, end, tensors);
}

void assay_table_end(const uint8_t *head, uint32_t end, uint32_t key, uint64_t tensors, uint64_t metadata,
                     uint64_t pairs)
{
    assay_from_step(head, key, end);
    assay_pair_step(head, end, 0);
}
*/
