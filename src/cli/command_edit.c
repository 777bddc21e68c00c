/* command_edit.c: assay edit. A process without the right to write judges the file and makes its new head; this one
 * writes the new head and the data of the same open file. */
#include "posix.h"

#include <string.h>
#include <unistd.h>

#include "edit_in_place.h"
#include "edit_worker.h"
#include "file_ranges.h"
#include "inputs.h"
#include "write_out.h"

static int edit(const command_line *line, edit_job *job, host_file *file, host_new_file *to)
{
    write_result *result = NULL;
    int status = edit_target(line, file, to);
    if (status != EXIT_VALID)
        return status;
    job->as = (edit_size){line->reserve, host_new_block(to)};
    job->inserts = line->in_place && host_can_insert(to->directory);
    status = write_worker(line, file, edit_work, job, &result);
    bool writes = status == EXIT_VALID && !line->dry_run && (result->changed || line->new_file != NULL);
    if (writes && line->in_place)
        status = edit_in_place(line, file, result, to);
    else if (writes)
        status = write_file(line, file, "", result, to);
    write_result_free(result);
    return status;
}

int command_edit(const command_line *line)
{
    static edit_steps steps;
    edit_job job = {.line = line, .steps = &steps};
    host_new_file to;
    int status = EXIT_ERROR;
    report_sandbox();
    if (line->recover)
        return edit_recover(line);
    host_problem problem = input_open(&job.file, line->operand[0]);
    if (problem != HOST_FINE)
        return write_unreadable(line->operand[0], problem, job.file.system);
    if (job.file.stream) {
        fputs("assay: a stream can't be edited: name a file\n", stderr);
    } else if (edit_steps_read(line, &steps)) {
        status = edit(line, &job, &job.file, &to);
        host_new_end(&to);
    }
    if (job.file.fd >= 0)
        close(job.file.fd);
    edit_steps_free(&steps);
    return status;
}
