/* numbered_files.h: sets of files that are numbered, STEM-NUMBER-of-COUNT.safetensors, without an index. Rule
 * part_missing. */
#ifndef ASSAY_NUMBERED_FILES_H
#define ASSAY_NUMBERED_FILES_H

#include "model_folder.h"
#include "name_counts.h"

/* Report each set of the folder that is not whole. name, path, count: as for folder_judge; stems: with each STEM that
 * an index has (NAME_STEM), whose files are left out. False: there is no memory. O(n log n) for n files. */
bool part_judge_all(const folder_hooks *hooks, const char *name, char *const *path, size_t count,
                    const name_uses *stems);

#endif
