/* harness_flat.c: fuzz assay_flat.h, assay_notes.h, assay_flat_edit.h and assay_flat_write.h. The input is a byte, that
 * many numbers of 8 bytes (at most 40), and a file. The file is judged and read by both interfaces. Then the numbers
 * are used as a row, a slice's axes and texts that no function has returned, and as an edit of the file and a
 * description of another one: nothing outside the memory that is given may be read or written. */
#include <stdlib.h>
#include <string.h>

#include "../tests/conformance/flat_check.h"
#include "assay_flat.h"
#include "assay_flat_edit.h"
#include "assay_flat_write.h"
#include "assay_notes.h"
#include "assay_write.h"
#include "fuzz.h"

enum { NUMBERS = 40, ROOM = 64, RUNS = 3 };

/* Use numbers that a caller has made up. number[0] selects which fields of the row are theirs. */
static void use(const uint8_t *head, uint64_t size, const uint64_t *arena, uint64_t arena_size, const uint64_t *number)
{
    uint64_t *row = guarded(ASSAY_FLAT_ROW * 8, 0), *dims = guarded(ROOM * 8, 0), *run = guarded(RUNS * 24, 0);
    const uint64_t axes = number[1] % 12, stride = number[2] % 4;
    assay_flat_tensors(head, size, arena, arena_size, number[3] % 8, 1, row);
    for (size_t k = 0; k < ASSAY_FLAT_ROW; k++) {
        row[k] = number[0] >> k & 1 ? number[4 + k] : row[k];
    }
    demand(assay_flat_dims(head, size, arena, arena_size, row, 1, dims, ROOM) <= ROOM,
           "more dims than there is room for");
    uint64_t state_size = number[0] >> 16 & 1 ? number[13] % 800 : ASSAY_FLAT_SLICE(axes), *end = guarded(16, 0);
    void *state = guarded((state_size + 7) / 8 * 8, 0);
    if (assay_flat_slice_begin(head, size, arena, arena_size, row, number, axes, state, state_size) == ASSAY_OK) {
        for (size_t k = 0; k < 20 && assay_flat_slice_next(state, state_size, RUNS, run) == RUNS; k++) {
        }
    }
    char *to = guarded(ROOM, 0);
    assay_flat_texts(head, size, number + 14, stride, 2, to, ROOM, end);
    assay_flat_word((uint32_t)number[3], number[4], to, ROOM);
    assay_flat_error(number, to, ROOM);
    assay_flat_tensors(head, number[0] >> 17 & 1 ? number[5] % size : size, arena,
                       number[0] >> 18 & 1 ? number[6] % arena_size : arena_size, number[7], 1, row);
}

/* Find the notes of a valid file, with all that follows the head and with parts of it. */
static void find_notes(const uint8_t *file, uint64_t size, const uint64_t *out, const uint64_t *arena,
                       const uint64_t *number)
{
    const uint64_t begin = out[ASSAY_FLAT_DATA_BEGIN], left = size - begin, arena_size = out[ASSAY_FLAT_ARENA];
    const uint64_t first = number[0] >> 19 & 1 ? number[8] % (left + 1) : left;
    const uint64_t last = number[0] >> 20 & 1 ? number[9] % (size + 1) : size;
    const uint8_t *data = guarded_copy(file + begin, first), *tail = guarded_copy(file + size - last, last);
    uint64_t *note = guarded(ASSAY_FLAT_NOTES * ASSAY_FLAT_NOTE * 8, 0);
    const uint64_t count = assay_flat_notes(file, begin, arena, arena_size, data, first, tail, last, note);
    demand(count <= ASSAY_FLAT_NOTES, "notes: more than there may be");
    for (uint64_t k = 0; k < count; k++) {
        const uint64_t *one = note + k * ASSAY_FLAT_NOTE;
        const bool word = one[ASSAY_FLAT_NOTE_CODE] == 102 ||
                          (one[ASSAY_FLAT_NOTE_CODE] == 100 && one[ASSAY_FLAT_NOTE_PLACE] < 2);
        demand(one[ASSAY_FLAT_NOTE_CODE] >= 97 && one[ASSAY_FLAT_NOTE_CODE] <= 105 &&
               one[ASSAY_FLAT_NOTE_CODE] != 104, "notes: another rule");
        demand(one[ASSAY_FLAT_NOTE_TENSOR] == ASSAY_NONE || one[ASSAY_FLAT_NOTE_TENSOR] < out[ASSAY_FLAT_TENSORS],
               "notes: a tensor that is not there");
        demand(one[ASSAY_FLAT_NOTE_NAME] <= one[ASSAY_FLAT_NOTE_NAME + 1] && one[ASSAY_FLAT_NOTE_NAME + 1] < begin,
               "notes: a name outside the head");
        demand(!word || assay_flat_note_word((uint32_t)one[ASSAY_FLAT_NOTE_CODE], one[ASSAY_FLAT_NOTE_NUMBER], NULL,
                                             0) > 0, "notes: no word");
    }
    /* More than the file has, so more than there is memory. */
    assay_flat_notes(file, begin, arena, arena_size, data, left + 30, tail, last, note);
    assay_flat_notes(file, begin, arena, arena_size, data, first, tail, size + 30, note);
    demand(assay_flat_notes(file, begin, arena, 8, data, first, tail, last, note) == 0, "notes: of no view");
    char *to = guarded(ROOM, 0);
    assay_flat_note_word((uint32_t)number[3], number[4], to, number[5] % (ROOM + 1));
    assay_flat_note_word(100, number[4] % 64, to, number[5] % (ROOM + 1));
    demand(assay_flat_hidden((uint32_t)number[6]) <= 1, "notes: hidden is 0 or 1");
}

/* Use the numbers as an edit or a description. The text is the head: `small` says which numbers are taken as if they
 * were below 64, so that some fit each other. */
static void make(const uint8_t *head, uint64_t size, const uint64_t *number)
{
    const uint64_t small = number[0], count = number[1] % (NUMBERS - 3u), cut = number[2] % 9 * 8;
    uint64_t *used = guarded(count * 8, 0), *out = guarded(ASSAY_FLAT_EDIT_OUT * 8, 0);
    for (size_t k = 0; k < count; k++) {
        used[k] = small >> k & 1 ? number[3 + k] % 64 : number[3 + k];
    }
    const uint8_t *text = guarded_copy(head, size);
    if (count > 0 && used[0] < 64) {
        used[0] = size;
    }
    uint64_t need = assay_flat_edit_arena(head, size, text, size, used, count);
    if (need < 64 * INPUT_MAX) {
        const uint64_t room = need < cut ? 0 : need - cut;
        const uint32_t status = assay_flat_edit(head, size, text, size, used, count, guarded(room, 0), room, out);
        demand(status == out[ASSAY_FLAT_STATUS] && (need > 0 || status != ASSAY_OK) && status != ASSAY_W_DIFFERS,
               "edit: another status");
    }
    if (count > 0 && used[0] == size) {
        used[0] = number[3] % 8;
    }
    need = assay_flat_write_arena(text, size, used, count);
    if (need < 64 * INPUT_MAX) {
        const uint64_t room = need < cut ? 0 : need - cut;
        const uint32_t status = assay_flat_write(text, size, used, count, guarded(room, 0), room, out);
        demand(status == out[ASSAY_FLAT_STATUS] && (need > 0 || status == ASSAY_USAGE) && status != ASSAY_W_DIFFERS,
               "write: another status");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t number[NUMBERS] = {0}, out[ASSAY_FLAT_OUT] = {0};
    const assay_options options = ASSAY_OPTIONS;
    const size_t count = size == 0 ? 0 : data[0] % (NUMBERS + 1u);
    if (size == 0 || size > INPUT_MAX || (size - 1) / 8 < count) {
        return 0;
    }
    for (size_t k = 0; k < count; k++) {
        number[k] = number_at(data + 1 + 8 * k, 8);
    }
    const size_t head_size = size - 1 - 8 * count;
    const uint8_t *head = guarded_copy(data + 1 + 8 * count, head_size);
    const char *fault = flat_check(head, head_size, head_size, &options);
    demand(fault == NULL, fault);
    make(head, head_size, number);
    bool whole = false;
    if (assay_flat_measure(head, head_size, head_size, NULL, out) == ASSAY_OK) {
        const uint64_t arena_size = out[ASSAY_FLAT_ARENA];
        uint64_t *arena = guarded(arena_size, 0);
        whole = assay_flat_parse(head, head_size, head_size, NULL, arena, arena_size, out) == ASSAY_OK;
        if (whole) {
            use(head, head_size, arena, arena_size, number);
            find_notes(head, head_size, out, arena, number);
        }
    }
    count_execution(whole);
    guard_drop();
    return 0;
}
