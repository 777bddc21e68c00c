/* header_entries.h: the tensors and metadata keys of a header that passed the stages F and H, whatever stage G found.
 * For reports besides the verdict, never for the verdict: that is the core's. */
#ifndef ASSAY_HEADER_ENTRIES_H
#define ASSAY_HEADER_ENTRIES_H

#include "host.h"

/* An assay_text in half of its size: every header is shorter than 2^32. */
typedef struct {
    uint32_t at, end;
} header_text;

typedef struct {
    uint64_t begin, end; /* data offsets */
} header_tensor;

typedef struct {
    assay_view view; /* without tensors, to decode the texts */
    header_tensor *tensor;
    header_text *name; /* of the tensors */
    header_text *key;  /* of the metadata */
    uint64_t tensors, pairs, data_size;
} header_tables;

/* Return false if there is not enough memory, or if the header did not pass. Call header_free in any case. */
bool header_read(header_tables *tables, const host_verdict *verdict);
void header_free(header_tables *tables);

#endif
