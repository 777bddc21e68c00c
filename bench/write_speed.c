/* write_speed.c: megabytes of header a second that assay_head_make writes, judging included: in the fastest of the rounds
 * of two seconds, because what else runs on the machine can only make a round slower.
 *
 *     write_speed [TENSORS]    prints: tensors in canonical order, then the same shuffled */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assay_write.h"

enum { NAME = 64, ROUNDS = 50 };

static const double LONG = 2; /* seconds of rounds, ROUNDS at least */

static const char *const parts[] = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj",
                                    "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj", "input_layernorm"};
static const uint64_t dims[2] = {4096, 4096};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void *memory(size_t size)
{
    void *bytes = malloc(size);
    if (bytes == NULL) {
        abort();
    }
    return bytes;
}

static int by_name(const void *one, const void *other)
{
    return strcmp((const char *)((const assay_new_tensor *)one)->name.byte,
                  (const char *)((const assay_new_tensor *)other)->name.byte);
}

/* Write the head for LONG seconds, and print how fast the fastest round was. */
static void measure(const char *what, const assay_new_tensor *tensor, uint64_t count)
{
    const assay_description description = {tensor, count, NULL, 0};
    uint32_t *order = memory(2 * count * sizeof *order);
    assay_file_plan plan;
    assay_result result;
    double fastest = 1e9;
    if (assay_head_plan(&description, NULL, order, &plan, &result.error) != ASSAY_OK) {
        abort();
    }
    const assay_head_buffer head = {memory(plan.head), plan.head};
    const assay_workspace workspace = {memory(count * sizeof(assay_entry)), count, memory(6 * count * 4), 6 * count};
    const double begin = seconds();
    for (int k = 0; k < ROUNDS || seconds() - begin < LONG; k++) {
        const double start = seconds();
        if (assay_head_make(&description, NULL, order, &head, &workspace, &plan, &result) != ASSAY_OK) {
            abort();
        }
        const double took = seconds() - start;
        fastest = took < fastest ? took : fastest;
    }
    printf("%s\t%llu tensors\t%llu bytes\t%.0f us\t%.0f MB/s\n", what, (unsigned long long)count,
           (unsigned long long)plan.head, fastest * 1e6, (double)plan.head / fastest / 1e6);
    free(order), free(head.byte), free(workspace.entry), free(workspace.word);
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000;
    assay_new_tensor *tensor = memory(count * sizeof *tensor);
    char(*name)[NAME] = memory(count * NAME);
    uint32_t state = 1;
    for (uint64_t k = 0; k < count; k++) {
        const int size = snprintf(name[k], NAME, "model.layers.%llu.%s.weight", (unsigned long long)k / 8, parts[k % 8]);
        tensor[k] = (assay_new_tensor){{(const uint8_t *)name[k], (uint64_t)size}, ASSAY_DTYPE_BF16, dims, 2};
    }
    qsort(tensor, count, sizeof *tensor, by_name);
    measure("sorted", tensor, count);
    for (uint64_t k = count - 1; k > 0; k--) {
        state = state * 1664525u + 1013904223u;
        const uint64_t other = state % (k + 1);
        const assay_new_tensor kept = tensor[k];
        tensor[k] = tensor[other];
        tensor[other] = kept;
    }
    measure("shuffled", tensor, count);
    free(tensor), free(name);
    return 0;
}
