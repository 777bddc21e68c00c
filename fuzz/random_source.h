/* random_source.h: pseudo-random numbers that depend on the seed only. */
#ifndef RANDOM_SOURCE_H
#define RANDOM_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

void random_seed(unsigned seed);

/* Return 64 random bits. */
uint64_t random_word(void);

/* Return a number below limit; 0 if limit is 0. */
uint64_t random_below(uint64_t limit);

/* Return true once in count times. */
bool one_in(uint64_t count);

#endif
