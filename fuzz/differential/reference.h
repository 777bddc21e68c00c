/* reference.h: the interface of the reference in this process (src/lib.rs). */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay.h"

/* Return the number of readers, and the name and version of each. */
size_t reference_count(void);
const char *reference_name(size_t reader);

/* Return whether the reader accepts the file; a panic rejects. If so, *table is its table until the next call: all
 * numbers are uint64_t in the byte order of the machine, a text is its length and its UTF-8 bytes.
 *
 *     count of tensors, then of each: name, dtype, rank, dims, begin, end (data offsets)
 *     count of metadata pairs, UINT64_MAX if there is no __metadata__, then of each: key, value */
bool reference_accepts(size_t reader, const uint8_t *file, size_t size, const uint8_t **table, size_t *table_size);

/* Return whether the value that begins at this file offset is the value of a member of the root. */
bool reference_member_of_root(const uint8_t *file, size_t offset);

/* Return whether a tensor after the one with this index in the header has the same name. */
bool reference_name_again(const uint8_t *file, size_t size, uint64_t index);

/* ../harness_differential.c: judge a file, which begins with these count bytes and continues with zeros, by assay and
 * by every reader of the reference. Abort if they differ and no row of spec/decisions.md explains it. Return the row,
 * "" if they do not differ, and the verdict of assay in *error. size is at most DIFFERENTIAL_LARGEST. */
#define DIFFERENTIAL_LARGEST ((uint64_t)1 << 40)
const char *differential(const uint8_t *data, size_t count, uint64_t size, assay_error *error);

#endif
