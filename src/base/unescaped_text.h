/* unescaped_text.h: names and keys of a header, hashed and compared as what they mean, not as they are written: "a" and
 * "\u0061" are the same. */
#ifndef ASSAY_BASE_UNESCAPED_TEXT_H
#define ASSAY_BASE_UNESCAPED_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "assay.h"
#include "keyed_hash.h"

/* Return the hash of the unescaped text, which equals keyed_hash_of its UTF-8. O(its length). */
uint64_t unescaped_hash(uint64_t seed, hash_domain domain, uint32_t number, const assay_view *view, assay_text text);

/* Write the unescaped text as UTF-8 to `to`, which has room for as many bytes as the text. Return their number. O(its
 * length). */
size_t unescaped_copy(const assay_view *view, assay_text text, uint8_t *to);

/* Return whether a text of one view equals a text of another after unescaping. O(their lengths). */
bool unescaped_equal(const assay_view *one, assay_text left, const assay_view *two, assay_text right);

#endif
