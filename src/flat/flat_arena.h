/* flat_arena.h: what flat.c and flat_index.c share. */
#ifndef ASSAY_FLAT_ARENA_H
#define ASSAY_FLAT_ARENA_H

#include "assay_flat.h"

/* Return whether memory is there and begins at a multiple of 8 bytes. */
static inline bool flat_is_aligned(const void *memory)
{
    return memory != NULL && (uintptr_t)memory % 8u == 0;
}

/* Make the view that is stored in an arena. Return false if there is none. */
bool assay_flat_open(const uint8_t *head, uint64_t head_size, const void *arena, uint64_t arena_size, assay_view *view);

#endif
