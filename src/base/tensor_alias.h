/* tensor_alias.h: tensors that a file does not hold because they share their storage with one that it holds. The
 * writers of the safetensors package record that in the metadata: the key is the name that was left out, the value that
 * of the tensor in the file. It may be of another shape, or a part of it: an alias is not promised to be equal. */
#ifndef ASSAY_BASE_TENSOR_ALIAS_H
#define ASSAY_BASE_TENSOR_ALIAS_H

#include <stdbool.h>

#include "assay.h"

/* May the key of a metadata pair be the name of a tensor, or has it a known meaning: format, modelspec., ss_, sshs_? */
bool tensor_alias_key(const assay_view *view, assay_text key);

/* Get the metadata pair at position `index` if it is an alias: the value is the name of a tensor, the key is not, but
 * may be. scratch: [view->data_begin] bytes. Return false if there is no such pair, or it is no alias. O(bytes of the
 * pair * log n) for n tensors. */
bool tensor_alias_at(const assay_view *view, uint64_t index, uint8_t *scratch, assay_text *name, assay_text *kept);

#endif
