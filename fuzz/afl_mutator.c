/* afl_mutator.c: make the mutator of a harness a library for AFL++ (AFL_CUSTOM_MUTATOR_LIBRARY). */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

typedef struct {
    unsigned seed;
    uint8_t out[INPUT_MAX];
} afl_mutator;

void *afl_custom_init(void *afl, unsigned seed);
size_t afl_custom_fuzz(afl_mutator *mutator, uint8_t *data, size_t size, uint8_t **out, uint8_t *other,
                       size_t other_size, size_t room);
void afl_custom_deinit(afl_mutator *mutator);

void *afl_custom_init(void *afl, unsigned seed)
{
    afl_mutator *mutator = calloc(1, sizeof *mutator);
    (void)afl;
    demand(mutator != NULL, "out of memory");
    mutator->seed = seed;
    return mutator;
}

size_t afl_custom_fuzz(afl_mutator *mutator, uint8_t *data, size_t size, uint8_t **out, uint8_t *other,
                       size_t other_size, size_t room)
{
    (void)other, (void)other_size;
    size = size < INPUT_MAX ? size : INPUT_MAX;
    memcpy(mutator->out, data, size);
    *out = mutator->out;
    return LLVMFuzzerCustomMutator(mutator->out, size, room < INPUT_MAX ? room : INPUT_MAX, mutator->seed++);
}

void afl_custom_deinit(afl_mutator *mutator)
{
    free(mutator);
}
