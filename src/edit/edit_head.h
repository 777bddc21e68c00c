/* edit_head.h: writes the head of a file again, with other metadata and all else as it is. */
#ifndef ASSAY_EDIT_HEAD_H
#define ASSAY_EDIT_HEAD_H

#include "edit_pairs.h"

#define EDIT_HEADER_MOST 100000000u /* bytes: rule F2 */

/* How long the header becomes. */
typedef struct {
    uint64_t reserve; /* bytes that are left free, at least */
    uint64_t block;   /* a header that grows does so by a multiple of this, so that the data keep their alignment */
} edit_size;

/* Write the head of pairs->old with these pairs to to[0 .. room); *size: its bytes, 8 + N. All bytes outside of
 * __metadata__ are those of the old head, except N, spaces at the end and one comma. EDIT_LARGE: it has no room, or N
 * would be too large. */
edit_problem edit_head_write(const edit_pairs *pairs, const edit_size *as, uint8_t *to, uint64_t room, uint64_t *size);

#endif
