/* header_entries.h: the tables of a header that has passed the stages F and H, whatever stage G says. For what is
 * told besides
 * a verdict, never for a verdict: that is the core's. */
#ifndef ASSAY_HEADER_ENTRIES_H
#define ASSAY_HEADER_ENTRIES_H

#include "host.h"

/* An assay_text in half of its bytes: no header is as long as 2^32. */
typedef struct {
    uint32_t at, end;
} header_text;

typedef struct {
    uint64_t begin, end; /* data offsets */
} header_tensor;

typedef struct {
    assay_view view; /* without tensors: decodes the texts */
    header_tensor *tensor;
    header_text *name; /* of the tensors */
    header_text *key;  /* of the metadata */
    uint64_t tensors, pairs, data_size;
} header_tables;

/* False: not enough memory, or the header has not passed. To be given back in any case. */
bool header_read(header_tables *tables, const host_verdict *verdict);
void header_free(header_tables *tables);

#endif
