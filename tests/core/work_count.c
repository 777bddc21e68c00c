/* work_count.c: runs the core and prints how often it entered the body of a loop, and how many passes its sort made.
 *
 * tests/core/work_count.py makes the copy of the core that this file includes, in which each `assay_spend` and
 * `assay_pass` of the proof counts, and provides the input: for each file the size of its head, its own size (64 bits
 * each, least significant byte first) and the head. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t assay_work, assay_passes;

#include "assay.c"

static void *allocate(uint64_t count, uint64_t size)
{
    void *block = calloc((size_t)count + 1u, (size_t)size);
    if (block == NULL) {
        fputs("work_count: no memory\n", stderr);
        exit(2);
    }
    return block;
}

/* Print status and work of assay_measure and of assay_parse, the passes, and the counts of tensors and pairs. */
static void judge(const uint8_t *head, uint64_t head_size, uint64_t file_size)
{
    assay_input input = {head, head_size, file_size};
    assay_result result = {0};
    assay_work = 0;
    assay_status measured = assay_measure(&input, NULL, &result);
    uint64_t measure_work = assay_work;
    assay_workspace workspace = {allocate(result.need.entries, sizeof(assay_entry)), result.need.entries,
                                 allocate(result.need.words, sizeof(uint32_t)), result.need.words};
    uint64_t tensors = result.need.tensors, pairs = result.need.pairs;
    assay_work = 0;
    assay_passes = 0;
    assay_status parsed = assay_parse(&input, NULL, &workspace, &result);
    printf("%" PRIu32 " %" PRIu64 " %" PRIu32 " %" PRIu64, measured, measure_work, parsed, assay_work);
    printf(" %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", assay_passes, tensors, pairs);
    fflush(stdout);
    free(workspace.entry);
    free(workspace.word);
}

static uint64_t number(const uint8_t *byte)
{
    uint64_t sum = 0;
    for (int k = 7; k >= 0; k--) {
        sum = sum * 256u + byte[k];
    }
    return sum;
}

int main(void)
{
    uint8_t sizes[16];
    while (fread(sizes, 1, sizeof sizes, stdin) == sizeof sizes) {
        uint64_t head_size = number(sizes);
        uint8_t *head = allocate(head_size, 1);
        if (fread(head, 1, (size_t)head_size, stdin) != head_size) {
            fputs("work_count: the input ends early\n", stderr);
            return 2;
        }
        judge(head, head_size, number(sizes + 8));
        free(head);
    }
    return 0;
}
