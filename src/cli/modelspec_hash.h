/* modelspec_hash.h: the hashes of a file and of its data, for assay modelspec --verify. */
#ifndef ASSAY_MODELSPEC_HASH_H
#define ASSAY_MODELSPEC_HASH_H

#include "host.h"
#include "modelspec.h"

typedef struct {
    bool done;
    char data[MODELSPEC_DIGITS + 1], file[MODELSPEC_DIGITS + 1]; /* hexadecimal */
    const char *convention; /* what modelspec.hash_sha256 is the hash of: "data", "names" (the tensors in the order of
                             * their names), "header" (in the order of the header); NULL: unknown, or there is none */
} modelspec_hashes;

/* Compute the hashes of an open valid file: for host_memory.also; context is a modelspec_hashes. O(bytes of the file),
 * twice if modelspec.hash_sha256 is not that of the data. */
host_problem modelspec_hash(void *context, host_file *file, const assay_view *view);

#endif
