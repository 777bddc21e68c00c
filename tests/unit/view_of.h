/* view_of.h: make a view from the text of a header, for tests of the access API. */
#ifndef VIEW_OF_H
#define VIEW_OF_H

#include <stdlib.h>
#include <string.h>

#include "assay.h"

enum { VIEW_HEAD = 8192, VIEW_ENTRIES = 64, VIEW_WORDS = 1024 };

/* Judge a file with this header and data_size bytes of data. The next call reuses the memory of the view. */
static assay_status view_of(const char *json, uint64_t data_size, assay_view *view)
{
    static uint8_t head[VIEW_HEAD];
    static assay_entry entry[VIEW_ENTRIES];
    static uint32_t word[VIEW_WORDS];
    assay_workspace workspace = {entry, VIEW_ENTRIES, word, VIEW_WORDS};
    const size_t length = strlen(json);
    const assay_input input = {head, 8 + length, 8 + length + data_size};
    assay_result result;

    if (length > VIEW_HEAD - 8) {
        abort();
    }
    memset(head, 0, 8);
    head[0] = (uint8_t)(length % 256);
    head[1] = (uint8_t)(length / 256);
    memcpy(head + 8, json, length);
    assay_status status = assay_parse(&input, NULL, &workspace, &result);
    if (status == ASSAY_OK) {
        *view = result.view;
    }
    return status;
}

#endif
