/* tensor_alias.h: tensors that a file does not hold because they share their storage with one that it holds. The
 * writers of the safetensors package record that in the metadata: the key is the name that was left out, the value that
 * of the tensor in the file. It may be of another shape, or a part of it: an alias is not promised to be equal. */
#ifndef ASSAY_BASE_TENSOR_ALIAS_H
#define ASSAY_BASE_TENSOR_ALIAS_H

#include <stdbool.h>
#include <stddef.h>

#include "assay.h"

/* May the key of a metadata pair be the name of a tensor, or has it a known meaning: format, modelspec., ss_, sshs_? */
bool tensor_alias_key(const assay_view *view, assay_text key);

typedef enum {
    TENSOR_ALIAS_NONE,
    TENSOR_ALIAS_KEPT,    /* the value is the name of a tensor, the key is not, but may be */
    TENSOR_ALIAS_DANGLING /* both look like names of tensors, and neither is one */
} tensor_alias;

/* Do both look like names of tensors, one of which is an alias of the other? Both have a dot, and the same text after
 * the last: lm_head.weight, model.embed.weight. O(their lengths). */
bool tensor_alias_alike(const uint8_t *name, size_t name_size, const uint8_t *kept, size_t kept_size);

/* Get the metadata pair at position `index`, and what it is. scratch: [view->data_begin] bytes; NULL: a pair that is
 * written with escapes is TENSOR_ALIAS_NONE, as where there is no such pair. O(bytes of the pair * log n) for n
 * tensors. */
tensor_alias tensor_alias_at(const assay_view *view, uint64_t index, uint8_t *scratch, assay_text *name,
                             assay_text *kept);

#endif
