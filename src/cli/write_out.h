/* write_out.h: from a certified head to a file: where it goes, and what is copied. */
#ifndef ASSAY_WRITE_OUT_H
#define ASSAY_WRITE_OUT_H

#include "new_file.h"
#include "write_worker.h"

/* Find out where the command writes: to the file of -o, to standard output, or to path. Return EXIT_VALID, or another
 * status after reporting why it can't, for example because an edit in place of that file did not end. Call host_new_end
 * in any case. */
int write_target(const command_line *line, const char *path, host_new_file *to);

/* Does the command write to standard output? */
bool write_to_stdout(const command_line *line);

/* Write the head and the pieces. old: the file that is open, which is closed and must be as it was; or NULL. folder:
 * that of the paths of pieces, with its slash, or "". Return the exit status, after reporting what is wrong. */
int write_file(const command_line *line, host_file *old, const char *folder, const write_result *result,
               host_new_file *to);

/* Return how many bytes the new file will have. */
uint64_t write_size(const write_result *result);

/* Report a problem with the new file. Return the exit status. */
int write_problem(const command_line *line, const host_new_file *file, host_new_problem problem);

/* Report that a file can't be read. Return the exit status. */
int write_unreadable(const char *path, host_problem problem, int system);

#endif
