/* output_file.c: see output_file.h. */
#include "posix.h"

#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"
#include "escaped_text.h"

static struct {
    const char *path;    /* or NULL */
    char *volatile made; /* the path of the new file, or NULL */
    pid_t owner;         /* the process that created it */
    size_t folder;       /* the length of the folder in both paths, with its slash */
    int error;           /* errno of the write that failed */
    bool replaces;       /* a file is at path, with this identity */
    dev_t device;
    ino_t inode;
} at;

bool output_is_file(void)
{
    return at.path != NULL;
}

bool output_replaces(const host_stamp *file)
{
    return at.replaces && file->device == (uint64_t)at.device && file->inode == (uint64_t)at.inode;
}

void output_remove(void)
{
    const char *made = at.made;
    if (made != NULL && getpid() == at.owner)
        unlink(made);
}

bool output_failed(void)
{
    bool error = ferror(stdout);
    if (error && at.error == 0)
        at.error = errno != 0 ? errno : EIO;
    return error;
}

int output_error(void)
{
    return at.error != 0 ? at.error : errno;
}

static bool failed(const char *path, const char *why)
{
    fputs("assay: the output can't be written: ", stderr);
    text_path(stderr, TEXT_QUOTED, path);
    fprintf(stderr, ": %s\n", why);
    return false;
}

/* Create a new file in the folder of path, which nobody else has open. Return its descriptor, or -1 and errno. */
static int make(const char *path)
{
    uint64_t number;
    size_t room = strlen(path) + 32;
    at.owner = getpid();
    at.made = calloc(room, 1); /* no path until it is written: see output_remove */
    for (int attempt = 0; at.made != NULL && attempt < 100; attempt++) {
        if (!host_seed(&number)) {
            errno = EAGAIN;
            return -1;
        }
        snprintf(at.made, room, "%.*s.assay-%016llx", (int)at.folder, path, (unsigned long long)number);
        int fd = open(at.made, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* Is this the name of a file of a model? A pattern of the shell after -o would make the first of many the output. */
static bool is_model(const char *path)
{
    return host_is_index(path) || host_is_safetensors(path);
}

bool output_begin(const char *path)
{
    struct stat status = {0};
    const char *slash = strrchr(path, '/');
    at.folder = slash == NULL ? 0 : (size_t)(slash + 1 - path);
    if (path[at.folder] == '\0')
        return failed(path, path[0] == '\0' ? "the name is empty" : "it is a folder");
    at.replaces = lstat(path, &status) == 0;
    if (at.replaces && !S_ISREG(status.st_mode))
        return failed(path, S_ISDIR(status.st_mode) ? "it is a folder" : "it exists and is not a regular file");
    if (is_model(path))
        return failed(path, "this is the name of a model file");
    at.device = status.st_dev;
    at.inode = status.st_ino;
    int fd = make(path);
    if (fd < 0)
        return failed(path, strerror(errno));
    at.path = path;
    if (fflush(stdout) == 0 && dup2(fd, 1) == 1 && close(fd) == 0)
        return true;
    unlink(at.made);
    return failed(path, strerror(errno));
}

/* Write the new name to the disk, in case the power fails. Errors are ignored: the file is complete all the same. */
static void keep_name(void)
{
    at.made[at.folder] = '\0';
    int fd = open(at.folder == 0 ? "." : at.made, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

bool output_end(bool keep)
{
    if (at.path == NULL)
        return true;
    int error = output_failed() ? at.error : 0;
    if (error == 0 && keep && (fflush(stdout) != 0 || fsync(1) != 0))
        error = errno;
    if (fclose(stdout) != 0 && error == 0 && keep)
        error = errno;
    if (error == 0 && keep && rename(at.made, at.path) != 0)
        error = errno;
    if (error == 0 && keep)
        keep_name();
    else
        unlink(at.made);
    char *made = at.made;
    at.made = NULL;
    free(made);
    return error == 0 || failed(at.path, strerror(error));
}
