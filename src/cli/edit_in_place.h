/* edit_in_place.h: writes a new head over the old one, so that a crash at any moment leaves the old file, the new one,
 * or one that every reader refuses and that `assay edit --recover` repairs. If the head is longer, blocks are inserted
 * before the data, where the file system can do that. */
#ifndef ASSAY_EDIT_IN_PLACE_H
#define ASSAY_EDIT_IN_PLACE_H

#include "edit_worker.h"
#include "new_file.h"

/* Write result->head to the file. It is open as *old, which is closed. Return the exit status. */
int edit_in_place(const command_line *line, host_file *old, const write_result *result, const host_new_file *target);

/* Find out where the change of an open file is written, as write_target does. The file that is replaced must still be
 * the open one. A new file gets no right that the open one lacks. */
int edit_target(const command_line *line, const host_file *file, host_new_file *to);

/* Repair a file by its journal, and remove that. Return the exit status. */
int edit_recover(const command_line *line);

#endif
