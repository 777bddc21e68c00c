/* command_edit.c: assay edit. A process without the right to write judges the file and makes its new head; this one
 * writes the new head and the data of the same open file. */
#include "posix.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "edit_in_place.h"
#include "edit_worker.h"
#include "escaped_text.h"
#include "inputs.h"
#include "new_file.h"
#include "report.h"
#include "write_report.h"

static bool to_stdout(const command_line *line)
{
    return line->new_file != NULL && strcmp(line->new_file, "-") == 0;
}

/* Report that the file can't be read. Return the exit status. */
static int unreadable(const command_line *line, host_problem problem, int system)
{
    host_verdict verdict = {.problem = problem, .system = system, .file_size = ASSAY_NONE};
    report_text(stderr, line->operand[0], &verdict);
    return EXIT_ERROR;
}

static int report(const command_line *line, const host_new_file *file, host_new_problem problem)
{
    if (problem == HOST_NEW_FINE)
        return EXIT_VALID;
    if (problem != HOST_NEW_STOPPED) /* the program ends by the signal */
        write_report(line->new_file != NULL ? line->new_file : line->operand[0], file, problem);
    return EXIT_ERROR;
}

/* Write the new head and the data of the old file. *problem: what is wrong with the old file, if that is the cause. */
static host_new_problem write_parts(const command_line *line, host_file *old, const edit_result *result,
                                    host_new_file *to, host_problem *problem)
{
    host_new_problem wrong = host_new_bytes(to, result->head, result->new_head);
    if (wrong == HOST_NEW_FINE)
        wrong = host_new_copy(to, old->fd, result->old_head, old->size - result->old_head);
    if (wrong == HOST_NEW_FINE && !to_stdout(line))
        wrong = host_new_sync(to); /* it may take long: so look at the old file after it */
    if (wrong == HOST_NEW_FINE)
        *problem = host_ends(old);
    if (wrong == HOST_NEW_FINE && *problem == HOST_FINE)
        *problem = host_close(old);
    else
        close(old->fd);
    old->fd = -1;
    return wrong;
}

/* Write the new file, and replace the old one or that of -o. */
static int write_file(const command_line *line, host_file *old, const edit_result *result, host_new_file *to)
{
    host_problem problem = HOST_FINE;
    host_new_problem wrong = HOST_NEW_FINE;
    to->stop = &interrupted;
    interrupt_catch(true);
    if (to_stdout(line))
        to->fd = 1;
    else
        wrong = host_new_begin(to, line->force);
    if (wrong == HOST_NEW_FINE)
        wrong = write_parts(line, old, result, to, &problem);
    if (problem != HOST_FINE)
        return unreadable(line, problem, old->system);
    if (wrong == HOST_NEW_FINE && !to_stdout(line))
        wrong = host_new_finish(to);
    if (to_stdout(line))
        to->fd = -1;
    return report(line, to, wrong);
}

/* Find out where to write, before anything else is done. */
static int find_target(const command_line *line, edit_job *job, host_new_file *to)
{
    *to = (host_new_file){.directory = -1, .fd = -1};
    job->as.block = 4096;
    if (to_stdout(line) && !line->dry_run && isatty(1)) {
        fputs("assay: a model is not written to a terminal: name a file with -o\n", stderr);
        return EXIT_ERROR;
    }
    if (to_stdout(line))
        return EXIT_VALID;
    const char *path = line->new_file != NULL ? line->new_file : line->operand[0];
    host_new_problem wrong = host_new_target(to, path, line->force);
    if (wrong == HOST_NEW_FINE)
        job->as.block = host_new_block(to);
    return report(line, to, wrong);
}

/* Does the name that is written to, if it is FILE's, still lead to the file that is open? */
static bool is_same_file(const command_line *line, const host_file *file, const host_new_file *to)
{
    struct stat now;
    return line->new_file != NULL || (fstat(file->fd, &now) == 0 && host_new_is(to, &now));
}

static int edit(const command_line *line, edit_job *job, host_new_file *to)
{
    edit_result *result;
    int status = find_target(line, job, to);
    if (status == EXIT_VALID && line->new_file == NULL && edit_is_interrupted(line, to))
        status = EXIT_ERROR;
    if (status == EXIT_VALID && !is_same_file(line, &job->file, to))
        status = report(line, to, HOST_NEW_REPLACED);
    if (status != EXIT_VALID)
        return status;
    status = edit_worker(job, &result);
    bool writes = status == EXIT_VALID && !line->dry_run && (result->changed || line->new_file != NULL);
    if (writes && line->in_place)
        status = edit_in_place(line, &job->file, result, to);
    else if (writes)
        status = write_file(line, &job->file, result, to);
    edit_result_free(result);
    return status;
}

int command_edit(const command_line *line)
{
    static edit_steps steps;
    edit_job job = {.line = line, .steps = &steps, .as.reserve = line->reserve};
    host_new_file to;
    int status = EXIT_ERROR;
    report_sandbox();
    if (line->recover)
        return edit_recover(line);
    host_problem problem = input_open(&job.file, line->operand[0]);
    if (problem != HOST_FINE)
        return unreadable(line, problem, job.file.system);
    if (job.file.stream) {
        fputs("assay: a stream can't be edited: name a file\n", stderr);
    } else if (edit_steps_read(line, &steps)) {
        status = edit(line, &job, &to);
        host_new_end(&to);
    }
    if (job.file.fd >= 0)
        close(job.file.fd);
    edit_steps_free(&steps);
    return status;
}
