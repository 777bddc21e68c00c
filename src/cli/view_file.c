/* view_file.c: opens and checks the file of ls or meta. */
#include "posix.h"

#include <unistd.h>

#include "cli.h"
#include "inputs.h"
#include "report.h"
#include "sandbox.h"

/* Open the file, then give up everything except reading it and writing. */
static host_problem open_contained(const command_line *line, host_file *file, unsigned *layers)
{
    host_problem problem = input_open(file, line->operand[0]);
    if (problem != HOST_FINE)
        return problem;
    report_sandbox();
    if (file->fd != SANDBOX_PROGRAM_STREAM) { /* else standard input was closed, and the file has its number */
        close(SANDBOX_PROGRAM_STREAM);        /* nobody reads it, or it is the stream */
        if (file->stream && dup2(file->fd, SANDBOX_PROGRAM_STREAM) == SANDBOX_PROGRAM_STREAM) {
            close(file->fd);
            file->fd = SANDBOX_PROGRAM_STREAM;
        }
    }
    if (line->no_sandbox)
        return HOST_FINE;
    sandbox_prepare(SANDBOX_PROGRAM);
    file->system = sandbox_enter(SANDBOX_PROGRAM, layers);
    return file->system == 0 ? HOST_FINE : HOST_SANDBOX;
}

void open_view(host_memory *memory, const command_line *line, assay_view *view, host_verdict *verdict)
{
    host_file file;
    unsigned layers = 0;
    host_problem problem = open_contained(line, &file, &layers);
    if (problem == HOST_FINE)
        host_judge(memory, &file, view, verdict);
    else
        *verdict = (host_verdict){.problem = problem, .system = file.system, .file_size = ASSAY_NONE};
}

int report_view(const command_line *line, const host_verdict *verdict)
{
    if (is_valid(verdict))
        return EXIT_VALID;
    report_text(stderr, line->operand[0], verdict);
    return is_invalid(verdict) ? EXIT_INVALID : EXIT_ERROR;
}
