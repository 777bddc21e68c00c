/* version.c: the version, and what this build and this system support. */
#include "posix.h"

#include <unistd.h>

#include "cli.h"
#include "remote_files.h"
#include "sandbox.h"

void print_version(void)
{
    puts("assay " ASSAY_VERSION);
    printf("sandbox: %s\n", sandbox_describe());
    printf("addresses: %s\n", remote_describe());
}

void report_sandbox(void)
{
    if (isatty(2) && (sandbox_built() & SANDBOX_SECCOMP) == 0)
        fprintf(stderr, "assay: the sandbox is incomplete: %s\n", sandbox_describe());
}
