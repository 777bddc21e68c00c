/* bench.h: the interface between reader_main.c and a reader. Every reader exports one bench_reader; readers that
 * could not be built are absent. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_PADDING 64 /* simdjson may read that far after its text */

/* One file of a workload. It is in memory before the clock starts. Its data section is a hole that nobody reads. */
typedef struct {
    const uint8_t *file; /* mapped: the head and the data */
    uint64_t file_size;
    uint64_t head_size; /* 8 + N */
    const char *json;   /* a copy of the header, N bytes, and BENCH_PADDING zeros */
    uint64_t json_size;
    const uint8_t *own; /* the same tensors in the reader's own format, if it has one */
    uint64_t own_size;
} bench_file;

typedef struct {
    const char *name;
    const char *(*version)(void);
    bool (*convert)(bench_file *file);            /* makes file->own; never measured. NULL: not needed */
    bool (*prepare)(const bench_file *file);      /* allocate; only the size is measured. NULL: nothing */
    void *(*open)(const bench_file *file);        /* measured: the whole parse. NULL: refused */
    void (*close)(void *parsed);                  /* measured: frees what open allocated. NULL: nothing */
    uint64_t (*count)(void *parsed);              /* tensors */
    uint64_t (*walk)(void *parsed);               /* the sum of the bytes of all names and of all dims */
    bool (*find)(void *parsed, const char *name, size_t size); /* whether the tensor exists. NULL: no index */
    const uint8_t *(*first)(void *parsed, const char *name, size_t size); /* the first byte of this tensor, or NULL;
                                                                             NULL: not supported */
} bench_reader;

extern const bench_reader bench_assay, bench_assay_alloc, bench_crate, bench_bintensors, bench_simdjson, bench_yyjson;

#ifdef __cplusplus
}
#endif

#endif
