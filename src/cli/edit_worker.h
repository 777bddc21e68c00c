/* edit_worker.h: judges a file and makes its head with other metadata. */
#ifndef ASSAY_EDIT_WORKER_H
#define ASSAY_EDIT_WORKER_H

#include "edit_steps.h"
#include "write_worker.h"

typedef struct {
    const command_line *line;
    host_file file; /* open for reading */
    const edit_steps *steps;
    edit_size as;
    bool inserts; /* the file system can insert blocks, and may do so */
} edit_job;

/* The work of the process, a write_work; job: an edit_job. */
int edit_work(void *job, write_result *result);

#endif
