/* floor.c: measure the system calls that any reader of many small files needs: open each file of a folder, get its
 * size, read its first 4096 bytes, close it. Nothing is judged: no reader of these files can be faster.
 *
 * Each line of standard input is "files FOLDER"; the reply is "ok", nanoseconds, files.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FILES_MOST 20000

static unsigned long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (unsigned long long)t.tv_sec * 1000000000u + (unsigned long long)t.tv_nsec;
}

static void read_head(const char *name)
{
    static char head[4096];
    struct stat status;
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0 || read(fd, head, sizeof head) < 8) {
        perror(name);
        exit(1);
    }
    close(fd);
}

/* Measure a folder. The names are read before the clock starts, as if a list had been passed to a program. */
static void obey(const char *folder)
{
    static char *names[FILES_MOST];
    size_t count = 0;
    DIR *directory = opendir(folder);
    if (directory == NULL || chdir(folder) != 0) {
        perror(folder);
        exit(1);
    }
    for (struct dirent *entry; (entry = readdir(directory)) != NULL && count < FILES_MOST;)
        if (entry->d_name[0] != '.')
            names[count++] = strdup(entry->d_name);
    closedir(directory);
    unsigned long long start = now();
    for (size_t i = 0; i < count; i++)
        read_head(names[i]);
    printf("ok %llu %zu\n", now() - start, count);
    fflush(stdout);
    while (count > 0)
        free(names[--count]);
}

int main(void)
{
    char line[5000];
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "files ", 6) != 0)
            return 2;
        obey(line + 6);
    }
    return 0;
}
