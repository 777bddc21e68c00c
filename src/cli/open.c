/* open.c: the file of ls and meta. */
#include "cli.h"
#include "report.h"

int open_view(host_memory *memory, const char *path, assay_view *view, host_verdict *verdict)
{
    host_judge(memory, path, view, verdict);
    if (is_valid(verdict))
        return EXIT_VALID;
    report_text(stderr, path, verdict);
    return is_invalid(verdict) ? EXIT_INVALID : EXIT_ERROR;
}
