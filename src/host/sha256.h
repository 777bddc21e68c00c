/* sha256.h: SHA-256 by OpenSSL's libcrypto, which is loaded when it is needed, before the sandbox is entered. */
#ifndef ASSAY_HOST_SHA256_H
#define ASSAY_HOST_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHA256_SIZE 32 /* bytes */

typedef struct sha256 sha256;

/* Was the program built with it? */
bool sha256_built(void);

/* Load the library, and compute a hash, so that nothing is left to be loaded later. Return false if it is not
 * installed. */
bool sha256_load(void);

/* Begin a hash. NULL: not enough memory, or it is not loaded. */
sha256 *sha256_begin(void);

/* Add bytes. An error is kept until sha256_end. */
void sha256_add(sha256 *hash, const uint8_t *bytes, size_t count);

/* Write the hash, unless an error occurred, and free everything. Return false after an error, or if hash is NULL. */
bool sha256_end(sha256 *hash, uint8_t out[SHA256_SIZE]);

#endif
