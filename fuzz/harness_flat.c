/* harness_flat.c: fuzz assay_flat.h. The input is a byte, that many numbers of 8 bytes (at most 40), and a file. The
 * file is judged and read by both interfaces. Then the numbers are used as a row, a slice's axes and texts that no
 * function has returned: nothing outside the memory that is given may be read or written. */
#include <stdlib.h>
#include <string.h>

#include "../tests/conformance/flat_check.h"
#include "assay_flat.h"
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
    bool whole = false;
    if (assay_flat_measure(head, head_size, head_size, NULL, out) == ASSAY_OK) {
        const uint64_t arena_size = out[ASSAY_FLAT_ARENA];
        uint64_t *arena = guarded(arena_size, 0);
        whole = assay_flat_parse(head, head_size, head_size, NULL, arena, arena_size, out) == ASSAY_OK;
        if (whole) {
            use(head, head_size, arena, arena_size, number);
        }
    }
    count_execution(whole);
    guard_drop();
    return 0;
}
