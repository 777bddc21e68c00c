/* numbered_files.h: finds missing files of numbered sets, STEM-NUMBER-of-COUNT.safetensors, that have no index: rule
 * part_missing. */
#ifndef ASSAY_NUMBERED_FILES_H
#define ASSAY_NUMBERED_FILES_H

#include "model_folder.h"
#include "name_table.h"

/* Report the first missing file of each set that is incomplete. name, path, count: as for folder_judge. stems: contains
 * each STEM of the shards of an index (NAME_STEM); these sets are skipped. Return false if there is not enough memory.
 * O(n log n) for n files. */
bool numbered_files_judge(const folder_hooks *hooks, const char *name, char *const *path, size_t count,
                          const name_table *stems);

#endif
