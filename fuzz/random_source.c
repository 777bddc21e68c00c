/* random_source.c: see random_source.h. The generator is splitmix64. */
#include "random_source.h"

static uint64_t state;

void random_seed(unsigned seed)
{
    state = seed;
}

uint64_t random_word(void)
{
    uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

uint64_t random_below(uint64_t limit)
{
    return limit == 0 ? 0 : random_word() % limit;
}

bool one_in(uint64_t count)
{
    return random_below(count) == 0;
}
