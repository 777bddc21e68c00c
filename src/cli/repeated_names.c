/* repeated_names.c: see repeated_names.h. Open addressing with linear probing, at most four fifths full. */
#include "repeated_names.h"

#include <stdlib.h>

#include "unescaped_text.h"

static assay_text text_of(header_text text)
{
    return (assay_text){text.at, text.end};
}

bool text_set_begin(text_set *set, const assay_view *view, const header_text *text, uint64_t count, uint64_t seed)
{
    *set = (text_set){view, text, seed, count + count / 4 + 1, NULL};
    set->slot = calloc((size_t)set->slots, sizeof *set->slot);
    return set->slot != NULL;
}

uint32_t text_set_add(text_set *set, uint32_t index)
{
    assay_text text = text_of(set->text[index]);
    uint64_t hash = unescaped_hash(set->seed, HASH_HEADER_NAME, 0, set->view, text);
    uint64_t at = keyed_hash_slot(hash, set->slots);
    uint32_t tag = (uint32_t)hash;
    for (; set->slot[at].number != 0; at = at + 1 < set->slots ? at + 1 : 0) {
        uint32_t earlier = set->slot[at].number - 1;
        if (set->slot[at].tag == tag && unescaped_equal(set->view, text_of(set->text[earlier]), set->view, text))
            return earlier;
    }
    set->slot[at] = (text_slot){index + 1, tag};
    return TEXT_NEW;
}

void text_set_end(text_set *set)
{
    free(set->slot);
    set->slot = NULL;
}
