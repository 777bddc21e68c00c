/* guarded_memory.h: the functions that every harness uses: oracles, guarded memory, counts. */
#ifndef GUARDED_MEMORY_H
#define GUARDED_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- guarded_memory.c: memory with red zones, and the last word ------------------------------------------------ */

/* An oracle: unless it holds, a line on standard error, and abort. */
void demand(bool holds, const char *what);

/* Memory of exactly this size between red zones, each byte set to fill. ASan takes every access beside it for an error;
 * without ASan guard_check finds what was written there. */
void *guarded(uint64_t size, uint8_t fill);
void *guarded_copy(const void *bytes, uint64_t size);
void guard_check(void);
/* Gives all of it back. */
void guard_drop(void);

bool all_bytes(const void *object, size_t size, uint8_t byte);
bool same_bytes(const void *a, const void *b, uint64_t size);

/* ---- counts.c ----------------------------------------------------------------------------------------- */

/* One execution; did it reach the stage of the whole file? They are added up in the file that FUZZ_COUNTS names. */
void count_execution(bool whole);

#endif
