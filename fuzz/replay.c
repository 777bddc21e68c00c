/* replay.c: a main for every harness, which runs it on files and on all files of folders. The last line is their
 * number. A harness that finds something ends the program; its message and the name of the file are on standard
 * error. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

static unsigned long long files;

static const char *current;

/* Sanitizers abort like an oracle, so that the file is named. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "abort_on_error=1:handle_abort=0";
}
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
    return "abort_on_error=1:handle_abort=0:print_stacktrace=1";
}

static void on_abort(int number)
{
    fprintf(stderr, "in %s\n", current); /* not safe everywhere, but the program ends here anyway */
    signal(number, SIG_DFL);
    raise(number);
}

static void fail(const char *path)
{
    perror(path);
    exit(2);
}

static void file(const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL || fseek(stream, 0, SEEK_END) != 0) {
        fail(path);
    }
    long size = ftell(stream);
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1); /* of exactly that size */
    rewind(stream);
    if (size < 0 || data == NULL || fread(data, 1, (size_t)size, stream) != (size_t)size) {
        fail(path);
    }
    fclose(stream);
    current = path;
    LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    files++;
}

/* Run a file, or all files below a folder. Folders are few and flat, so the recursion is shallow. */
static void visit(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        fail(path);
    }
    if (!S_ISDIR(status.st_mode)) {
        file(path);
        return;
    }
    DIR *folder = opendir(path);
    if (folder == NULL) {
        fail(path);
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char below[4096];
        int length = snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && length < (int)sizeof below) {
            visit(below);
        }
    }
    closedir(folder);
}

int main(int count, char **words)
{
    signal(SIGABRT, on_abort);
    for (int i = 1; i < count; i++) {
        visit(words[i]);
    }
    printf("%llu files\n", files);
    return files > 0 ? 0 : 2;
}
