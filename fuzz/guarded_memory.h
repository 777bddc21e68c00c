/* guarded_memory.h: the functions that every harness uses: oracles, guarded memory, counts. */
#ifndef GUARDED_MEMORY_H
#define GUARDED_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- guarded_memory.c: memory with red zones, and the last word ------------------------------------------------ */

/* Check an oracle: if it does not hold, print a line to standard error and abort. */
void demand(bool holds, const char *what);

/* Return memory of exactly this size between red zones, each byte set to fill. ASan reports every access outside it;
 * without ASan, guard_check finds writes to the red zones. */
void *guarded(uint64_t size, uint8_t fill);
void *guarded_copy(const void *bytes, uint64_t size);
void guard_check(void);
/* Release all guarded memory. */
void guard_drop(void);

bool all_bytes(const void *object, size_t size, uint8_t byte);
bool same_bytes(const void *a, const void *b, uint64_t size);

/* ---- counts.c ----------------------------------------------------------------------------------------- */

/* Count an execution, and whether it reached stage G, in the file that FUZZ_COUNTS names. */
void count_execution(bool whole);

#endif
