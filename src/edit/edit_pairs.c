/* edit_pairs.c: see edit_pairs.h. */
#include "edit_pairs.h"

#include <string.h>

#include "keyed_hash.h"

#define SLOT_LEFT UINT32_MAX /* a slot whose pair has left: a search goes on after it */
#define PAIRS_MOST (SLOT_LEFT / 8) /* of a header, and of what is added to it */

/* Return the slot of a key, or the free one where it would be. */
static uint32_t *find(const edit_pairs *pairs, const edit_text *key)
{
    uint64_t at = keyed_hash_slot(edit_text_hash(pairs->seed, key), pairs->slots);
    while (pairs->slot[at] != 0 &&
           (pairs->slot[at] == SLOT_LEFT || !edit_text_equal(&pairs->pair[pairs->slot[at] - 1].key, key)))
        at = at + 1 == pairs->slots ? 0 : at + 1;
    return &pairs->slot[at];
}

/* Add a pair after all others. There is room for it. */
static void add_pair(edit_pairs *pairs, edit_text key, edit_text value, uint64_t from)
{
    uint32_t *slot = find(pairs, &key);
    pairs->pair[pairs->count++] = (edit_pair){key, value, from, false};
    *slot = (uint32_t)pairs->count;
    pairs->clear = false;
}

/* Return the slots for that many pairs: never full, as each step takes one slot for each pair that it adds. */
static uint64_t slots_for(uint64_t count)
{
    return 2 * count + 2;
}

uint64_t edit_pairs_memory(uint64_t count, uint64_t additions)
{
    if (count > PAIRS_MOST || additions > PAIRS_MOST)
        return 0;
    return (count + additions + 1) * sizeof(edit_pair) + slots_for(count + additions) * sizeof(uint32_t);
}

void edit_pairs_begin(edit_pairs *pairs, const assay_view *old, uint64_t additions, uint64_t seed, void *memory)
{
    uint64_t room = assay_metadata_count(old) + additions;
    assay_text key, value;
    *pairs = (edit_pairs){.old = old, .seed = seed, .pair = memory, .slots = slots_for(room)};
    pairs->slot = (uint32_t *)(void *)(pairs->pair + room + 1);
    memset(pairs->slot, 0, (size_t)pairs->slots * sizeof *pairs->slot);
    for (uint64_t i = 0; assay_metadata_at(old, i, &key, &value); i++)
        add_pair(pairs, edit_text_of(old, key), edit_text_of(old, value), i);
}

static void set(edit_pairs *pairs, edit_text key, edit_text value)
{
    const uint32_t *slot = find(pairs, &key);
    if (*slot == 0)
        add_pair(pairs, key, value, ASSAY_NONE);
    else if (!edit_text_equal(&pairs->pair[*slot - 1].value, &value))
        pairs->pair[*slot - 1].value = value;
}

static edit_problem rename_key(edit_pairs *pairs, const edit_step *step)
{
    uint32_t *slot = find(pairs, &step->key), was = *slot;
    if (was == 0)
        return EDIT_NO_KEY;
    if (*find(pairs, &step->value) != 0)
        return EDIT_HAS_KEY;
    *slot = SLOT_LEFT;
    pairs->pair[was - 1].key = step->value;
    *find(pairs, &step->value) = was;
    return EDIT_FINE;
}

static edit_problem delete_key(edit_pairs *pairs, const edit_step *step)
{
    uint32_t *slot = find(pairs, &step->key);
    if (*slot == 0)
        return EDIT_NO_KEY;
    pairs->pair[*slot - 1].gone = true;
    *slot = SLOT_LEFT;
    return EDIT_FINE;
}

static void clear(edit_pairs *pairs)
{
    for (uint64_t i = 0; i < pairs->count; i++)
        pairs->pair[i].gone = true;
    for (uint64_t i = 0; i < pairs->slots; i++)
        pairs->slot[i] = pairs->slot[i] == 0 ? 0 : SLOT_LEFT;
    pairs->clear = true;
}

edit_problem edit_pairs_apply(edit_pairs *pairs, const edit_step *step)
{
    assay_text key, value;
    switch (step->kind) {
    case EDIT_SET:
        set(pairs, step->key, step->value);
        break;
    case EDIT_DELETE:
        return delete_key(pairs, step);
    case EDIT_RENAME:
        return rename_key(pairs, step);
    case EDIT_MERGE:
        for (uint64_t i = 0; assay_metadata_at(step->map, i, &key, &value); i++)
            set(pairs, edit_text_of(step->map, key), edit_text_of(step->map, value));
        break;
    case EDIT_CLEAR:
        clear(pairs);
    }
    return EDIT_FINE;
}
