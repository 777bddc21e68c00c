/* worker_task.h: what a worker does with a job: it judges the file or folder, and writes the records. */
#ifndef ASSAY_WORKER_TASK_H
#define ASSAY_WORKER_TASK_H

#include "cli.h"
#include "model_list.h"
#include "modelspec_report.h"
#include "pool.h"

typedef struct {
    const command_line *line;
    host_memory memory;
    modelspec_result modelspec;
    model_list list; /* of ls */
} worker_state;

/* Functions for pool_options. */
void work_prepare(void *context);
void work_judge(void *context, pool_job *job, FILE *answer);

#endif
