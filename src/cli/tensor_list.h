/* tensor_list.h: lists the tensors and the metadata of a valid file: as a table, as totals, as JSON. */
#ifndef ASSAY_TENSOR_LIST_H
#define ASSAY_TENSOR_LIST_H

#include <stdio.h>

#include "assay.h"
#include "json_writer.h"

typedef struct {
    uint64_t tensors, elements, bytes;
} dtype_totals;

/* The totals of the tensors of files: of each dtype, and of all. UINT64_MAX: at least that. */
typedef struct {
    dtype_totals of[ASSAY_DTYPE_LAST + 1], all;
    uint64_t header, files;
} list_totals;

/* Write a line for each tensor, and one with the totals. */
void list_table(FILE *to, const assay_view *view);

/* Add the tensors of a file. */
void list_count(list_totals *to, const assay_view *view);

/* Write a line for each dtype, and one with the totals. */
void list_summary(FILE *to, const list_totals *of);

/* Write a line for each tensor that shares its storage with one in the file, "name" -> "kept"; and for each whose
 * tensor is not there, with ": no such tensor" at the end. In quotes, where quotes and backslashes are escaped, so that
 * a program can read it. scratch: [view->data_begin] bytes. */
void list_aliases(FILE *to, const assay_view *view, uint8_t *scratch);

/* Write a line for each metadata pair, after an indent. */
void list_metadata(FILE *to, const assay_view *view, const char *indent);

/* Write the members "tensors", "metadata", "aliases" and "dangling_aliases" of an object; the second if the header has
 * one, the last two if scratch is not NULL and there is one of the kind. */
void list_members(json_writer *to, const assay_view *view, uint8_t *scratch);

#endif
