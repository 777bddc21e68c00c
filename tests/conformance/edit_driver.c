/* edit_driver.c: answer requests of tests/conformance/edit_check.py with assay_flat_edit.
 *
 * A request on standard input is six numbers of 8 bytes, little-endian: the bytes of head and text, the count of
 * numbers, bytes by which the arena is smaller than needed, bytes by which it is misaligned, whether it is NULL; then
 * head, text, numbers. An answer is the arena's size, all numbers of out, and after ASSAY_OK the new head. Memory has
 * exactly the size that is stated, so that a sanitizer detects every access outside it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay_flat_edit.h"

enum { FIRST = 6 };

static void *need(void *memory)
{
    if (memory == NULL) {
        perror("edit_driver");
        exit(2);
    }
    return memory;
}

/* Read bytes into memory of exactly their size. Return NULL at the end of the input. */
static void *take(uint64_t size)
{
    uint8_t *bytes = need(malloc((size_t)size + (size == 0)));
    if (fread(bytes, 1, (size_t)size, stdin) != size) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

static void answer(const void *bytes, uint64_t size)
{
    if (fwrite(bytes, 1, (size_t)size, stdout) != size)
        exit(2);
}

int main(void)
{
    for (uint64_t *first; (first = take(FIRST * sizeof *first)) != NULL; free(first)) {
        uint64_t out[ASSAY_FLAT_EDIT_OUT];
        uint8_t *head = need(take(first[0])), *text = need(take(first[1]));
        uint64_t *number = need(take(first[2] * sizeof *number));
        const uint64_t size = assay_flat_edit_arena(head, first[0], text, first[1], number, first[2]);
        const uint64_t given = size < first[3] ? 0 : size - first[3];
        uint8_t *memory = first[5] != 0 ? NULL : need(malloc((size_t)(given + first[4]) + 1));
        uint8_t *arena = memory == NULL ? NULL : memory + first[4];
        const uint32_t status = assay_flat_edit(head, first[0], text, first[1], number, first[2], arena, given, out);
        if (status != out[ASSAY_FLAT_STATUS])
            return 3;
        answer(&size, sizeof size);
        answer(out, sizeof out);
        if (status == ASSAY_OK)
            answer(arena + out[ASSAY_FLAT_EDIT_HEAD], out[ASSAY_FLAT_EDIT_HEAD_SIZE]);
        fflush(stdout);
        free(memory);
        free(number);
        free(text);
        free(head);
    }
    return 0;
}
