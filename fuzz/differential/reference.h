/* reference.h: the reference in this process, made from src/lib.rs. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay.h"

/* How many readers there are, and the name and version of each. */
size_t reference_count(void);
const char *reference_name(size_t reader);

/* Does the reader accept the file? (If it panics, it does not.) Then *table is, until the next call, its table: all
 * numbers are uint64_t in the machine's byte order, a text is its length and its UTF-8 bytes.
 *
 *     count of tensors, then of each: name, dtype, rank, dims, begin, end (data offsets)
 *     count of metadata pairs, UINT64_MAX if there is no __metadata__, then of each: key, value */
bool reference_accepts(size_t reader, const uint8_t *file, size_t size, const uint8_t **table, size_t *table_size);

/* The header up to this file offset, where a value begins: is it the value of a member of the root? */
bool reference_member_of_root(const uint8_t *file, size_t offset);

/* Has a tensor behind this place in the header the name of the one at this place? */
bool reference_name_again(const uint8_t *file, size_t size, uint64_t place);

/* ../harness_differential.c: one file, which begins with these count bytes and goes on with zeros, by assay and by every reader
 * of the reference. Gives up with abort() if they differ and no row of spec/decisions.md says why; gives the row, "" if
 * they do not differ, and in *error what assay says. size is at most DIFFERENTIAL_LARGEST. */
#define DIFFERENTIAL_LARGEST ((uint64_t)1 << 40)
const char *differential(const uint8_t *data, size_t count, uint64_t size, assay_error *error);

#endif
