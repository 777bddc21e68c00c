/* repeated_names.h: which texts of a header repeat an earlier one after unescaping. A keyed hash finds them, in
 * time linear
 * in the bytes of the texts, if their author does not know the seed. */
#ifndef ASSAY_REPEATED_NAMES_H
#define ASSAY_REPEATED_NAMES_H

#include "header_entries.h"

#define TEXT_NEW UINT32_MAX

typedef struct {
    uint32_t number; /* of the text, from 1; 0: a free slot */
    uint32_t tag;    /* bits of its hash */
} text_slot;

typedef struct {
    const assay_view *view; /* decodes the texts */
    const header_text *text;
    uint64_t seed, slots;
    text_slot *slot;
} text_set;

/* An empty set with room for text[0 .. count). Return false if there is not enough memory. */
bool text_set_begin(text_set *set, const assay_view *view, const header_text *text, uint64_t count, uint64_t seed);

/* Add text[index], which was not added before. Return TEXT_NEW, or the index of the first text that equals it. */
uint32_t text_set_add(text_set *set, uint32_t index);

void text_set_end(text_set *set);

#endif
