/* write_report.c: see write_report.h. */
#include "posix.h"

#include "write_report.h"

#include <stdio.h>
#include <string.h>

#include "escaped_text.h"

/* A NULL: the error of the system alone. */
static const char *const texts[] = {
    [HOST_NEW_NAME] = "this is not the name of a file",
    [HOST_NEW_KIND] = "it exists and is not a regular file",
    [HOST_NEW_LINK] = "it is a link to a file of another folder: name that file, write another one with -o, or pass "
                      "--force to replace the file that the link leads to",
    [HOST_NEW_HARD_LINKS] = "the file has other names (hard links), which would keep the old content, or with "
                            "--in-place change too: write another file with -o, or pass --force",
    [HOST_NEW_BLOB] = "it is a blob of a Hub cache, whose name is the hash of its content: write another file with -o, "
                      "or pass --force",
    [HOST_NEW_OWNER] = "its owner and group can't be kept: write another file with -o, or pass --force",
    [HOST_NEW_ACCESS] = "its access control list can't be kept: write another file with -o",
    [HOST_NEW_REPLACED] = "it changed in the meantime: try again when nothing writes to it",
    [HOST_NEW_SHORT] = "the bytes to be copied ended too early: try again when nothing writes to the file",
    [HOST_NEW_READ] = "the bytes to be copied can't be read",
    [HOST_NEW_STOPPED] = "stopped by a signal",
    [HOST_NEW_DIRECTORY] = "the file is complete, but may have its old content after a power failure",
};

void write_report(const char *path, const host_new_file *file, host_new_problem problem)
{
    const char *text = problem < sizeof texts / sizeof *texts ? texts[problem] : NULL;
    fputs("assay: ", stderr);
    text_path(stderr, TEXT_QUOTED, path);
    fputs(" can't be written", stderr);
    if (text != NULL)
        fprintf(stderr, ": %s", text);
    if (file->error != 0)
        fprintf(stderr, ": %s", strerror(file->error));
    putc('\n', stderr);
}

void write_size_report(const char *path, uint64_t begin, uint64_t end, uint64_t size)
{
    fputs("assay: ", stderr);
    text_path(stderr, TEXT_QUOTED, path);
    fprintf(stderr, " has %llu bytes", (unsigned long long)size);
    fprintf(stderr, ": the tensor has %llu", (unsigned long long)(end - begin));
    if (begin > 0)
        fprintf(stderr, ", from byte %llu on", (unsigned long long)begin);
    putc('\n', stderr);
}
