/* version.c: what this program is, and what holds it while it judges. */
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

void tell_sandbox(void)
{
    if (isatty(2) && (sandbox_built() & SANDBOX_SECCOMP) == 0)
        fprintf(stderr, "assay: the sandbox of this program is not whole: %s\n", sandbox_describe());
}
