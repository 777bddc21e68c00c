/* index_file.h: an index of a model that is read from a file. */
#ifndef ASSAY_INDEX_FILE_H
#define ASSAY_INDEX_FILE_H

#include "model_folder.h"

typedef struct {
    uint8_t *bytes; /* unescaped in place; index borrows them */
    size_t size;
    model_index index;
} index_file;

/* Read an index, and report what it is to hooks->finding. False: it is none. index_free has to follow either way. */
bool index_read(index_file *of, const host_memory *memory, const folder_hooks *hooks, const char *path);

void index_free(index_file *of);

#endif
