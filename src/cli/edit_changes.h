/* edit_changes.h: prints what an edit changes, for --dry-run. */
#ifndef ASSAY_EDIT_CHANGES_H
#define ASSAY_EDIT_CHANGES_H

#include <stdio.h>

#include "assay.h"

/* Print the pairs that are removed, changed and added, and the sizes of header and file. Names and values are escaped,
 * and cut where they are long. file_size: of the old file. scratch: room for the longest key as one of the headers has
 * it. */
void edit_changes_print(FILE *to, const assay_view *old, const assay_view *new_view, uint64_t file_size,
                        uint8_t *scratch);

#endif
