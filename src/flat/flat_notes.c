/* flat_notes.c: note_search.h for callers that pass numbers and memory alone. */
#include "assay_notes.h"
#include "flat_arena.h"
#include "hidden_text.h"
#include "note_search.h"

#include <string.h>

static void put_note(const note_found *found, uint64_t *note)
{
    note[ASSAY_FLAT_NOTE_CODE] = found->code;
    note[ASSAY_FLAT_NOTE_TENSOR] = found->tensor;
    note[ASSAY_FLAT_NOTE_NAME] = found->name.at;
    note[ASSAY_FLAT_NOTE_NAME + 1u] = found->name.end;
    note[ASSAY_FLAT_NOTE_NUMBER] = found->number;
    note[ASSAY_FLAT_NOTE_PLACE] = (uint64_t)found->place;
}

uint64_t assay_flat_notes(const uint8_t *head, uint64_t head_size, const void *arena, uint64_t arena_size,
                          const uint8_t *data, uint64_t data_size, const uint8_t *tail, uint64_t tail_size,
                          uint64_t *note)
{
    const note_bytes bytes = {data, data_size, tail, tail_size};
    note_found found[NOTES_FOUND_MOST];
    assay_view view;
    if (!assay_flat_open(head, head_size, arena, arena_size, &view)) {
        return 0;
    }
    const bool fits = data != NULL && tail != NULL && data_size <= view.data_size &&
                      tail_size <= view.data_begin + view.data_size;
    const uint32_t count = notes_search(&view, fits ? &bytes : NULL, found);
    for (uint32_t k = 0; k < count; k++) {
        put_note(&found[k], note + k * ASSAY_FLAT_NOTE);
    }
    return count;
}

uint64_t assay_flat_note_word(uint32_t code, uint64_t number, char *to, uint64_t room)
{
    const char *word = note_word(code, number);
    const size_t size = strlen(word), kept = size < room ? size : room > 0 ? (size_t)room - 1u : 0;
    if (room > 0) {
        memcpy(to, word, kept);
        to[kept] = '\0';
    }
    return size;
}

uint32_t assay_flat_hidden(uint32_t code)
{
    return text_hidden(code) ? 1u : 0u;
}
