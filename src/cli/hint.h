#ifndef ASSAY_HINT_H
#define ASSAY_HINT_H

#include <stddef.h>
#include <stdint.h>

/* What a file that isn't safetensors probably is, from its first bytes; NULL: no idea. A sentence without a
 * stop. */
const char *hint(const uint8_t *start, size_t count, uint64_t file_size);

#endif
