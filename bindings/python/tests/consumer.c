/* consumer.c: load the library of the package as ctypes does, and judge the files that stdin names, one a line. Prints
 * for each its status and offset. For machines for which there is no Python here.
 *
 *     consumer LIBRARY < list
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#define LOAD(path) (void *)LoadLibraryA(path)
#define FIND(library, name) (void *)GetProcAddress((HMODULE)(library), name)
#else
#include <dlfcn.h>
#define LOAD(path) dlopen(path, RTLD_NOW | RTLD_LOCAL)
#define FIND(library, name) dlsym(library, name)
#endif

#define OUT 21
#define ARENA 14
#define TENSORS 12
#define ROW 9

typedef uint32_t (*judge_fn)(const uint8_t *, uint64_t, uint64_t, const uint64_t *, uint64_t *);
typedef uint32_t (*parse_fn)(const uint8_t *, uint64_t, uint64_t, const uint64_t *, void *, uint64_t, uint64_t *);
typedef uint64_t (*tensors_fn)(const uint8_t *, uint64_t, const void *, uint64_t, uint64_t, uint64_t, uint64_t *);

static judge_fn measure;
static parse_fn parse;
static tensors_fn tensors;

static void stop(const char *what)
{
    fprintf(stderr, "consumer: %s\n", what);
    exit(2);
}

/* Judge a file that is in memory, and read its rows. */
static void judge(const uint8_t *data, uint64_t size)
{
    uint64_t out[OUT];
    if (measure(data, size, size, NULL, out) == 0) {
        void *arena = calloc(1, (size_t)out[ARENA] + 8);
        uint64_t *row = calloc((size_t)out[TENSORS] * ROW + 1, 8);
        if (arena == NULL || row == NULL) {
            stop("there is no memory");
        }
        if (parse(data, size, size, NULL, arena, out[ARENA], out) == 0 &&
            tensors(data, size, arena, out[ARENA], 0, out[TENSORS], row) != out[TENSORS]) {
            stop("not all rows were read");
        }
        free(row);
        free(arena);
    }
    if (out[1] == UINT64_MAX) {
        printf("%lu -\n", (unsigned long)out[0]);
    } else {
        printf("%lu %lu\n", (unsigned long)out[0], (unsigned long)out[1]);
    }
}

int main(int argc, char **argv)
{
    static uint8_t data[1 << 20];
    char path[4096];
    void *library = argc == 2 ? LOAD(argv[1]) : NULL;
    if (library == NULL) {
        stop("the library can't be loaded");
    }
    *(void **)&measure = FIND(library, "assay_flat_measure");
    *(void **)&parse = FIND(library, "assay_flat_parse");
    *(void **)&tensors = FIND(library, "assay_flat_tensors");
    if (measure == NULL || parse == NULL || tensors == NULL || FIND(library, "assay_flat_index_read") == NULL ||
        FIND(library, "assay_flat_notes") == NULL || FIND(library, "assay_flat_write") == NULL) {
        stop("a function is missing");
    }
    if (FIND(library, "assay_parse") != NULL) {
        stop("a function that is not part of the flat interface can be seen");
    }
    while (fgets(path, sizeof path, stdin) != NULL) {
        FILE *file;
        size_t size;
        path[strcspn(path, "\r\n")] = 0;
        file = fopen(path, "rb");
        if (file == NULL) {
            stop("a file can't be opened");
        }
        size = fread(data, 1, sizeof data, file);
        if (size == sizeof data) {
            stop("a file is too large");
        }
        fclose(file);
        judge(data, size);
    }
    return 0;
}
