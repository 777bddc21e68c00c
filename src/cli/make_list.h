/* make_list.h: the list of `assay make`: a JSON object that describes tensors and metadata. */
#ifndef ASSAY_MAKE_LIST_H
#define ASSAY_MAKE_LIST_H

#include "json_reader.h"
#include "new_head.h"

/* Where the data of a tensor are. */
typedef struct {
    model_text file; /* a path */
    uint64_t offset; /* in the file */
    bool has_offset; /* else the file has these bytes and no others */
} make_source;

/* The list. It points into the bytes that were read. */
typedef struct {
    new_head head;
    make_source *source; /* [tensors] */
    uint8_t *bytes;
    const char *wrong;   /* what is wrong, or NULL */
    uint64_t at;         /* the byte at which it is */
} make_list;

/* Read bytes[0 .. size), which are changed: strings are unescaped in place. Return false if list->wrong states why. All
 * memory is freed with the process. */
bool make_list_read(make_list *list, uint8_t *bytes, uint64_t size);

#endif
