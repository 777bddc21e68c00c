/* edit_worker.h: judges a file and makes its new head, in a process of its own that can write no file. */
#ifndef ASSAY_EDIT_WORKER_H
#define ASSAY_EDIT_WORKER_H

#include "edit_head.h"
#include "edit_steps.h"

typedef struct {
    const command_line *line;
    host_file file; /* open for reading */
    const edit_steps *steps;
    edit_size as;
} edit_job;

/* What the process has made, in memory that it shared. Only its sizes are checked by the program, and its state. */
typedef struct {
    uint32_t state;     /* EDIT_CERTIFIED, or something else */
    uint32_t changed;   /* is the new head another one? */
    uint64_t old_head;  /* bytes: 8 + N of the file */
    uint64_t new_head;  /* bytes */
    uint8_t old[EDIT_HEADER_MOST + 8], head[EDIT_HEADER_MOST + 8]; /* most of this is never touched */
} edit_result;

#define EDIT_CERTIFIED 0x43455254u

/* Run the process. Return EXIT_VALID, and *result for edit_result_free; or, after reporting why, another status. */
int edit_worker(const edit_job *job, edit_result **result);

/* Is a head that is in memory that of a valid file of this size? A process as above judges it. */
bool edit_worker_accepts(const command_line *line, const uint8_t *head, uint64_t head_size, uint64_t file_size);
void edit_result_free(edit_result *result);

#endif
