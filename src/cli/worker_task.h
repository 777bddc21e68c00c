/* worker_task.h: what a worker says of a file. */
#ifndef ASSAY_WORKER_TASK_H
#define ASSAY_WORKER_TASK_H

#include "cli.h"
#include "pool.h"

typedef struct {
    const command_line *line;
    host_memory memory;
} worker_state;

/* For pool_options. */
void work_prepare(void *context);
void work_judge(void *context, pool_job *job, FILE *answer);

#endif
