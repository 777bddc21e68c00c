/* file_kind.h: what a file that isn't safetensors probably is. For people, and never part of a verdict. */
#ifndef ASSAY_FILE_KIND_H
#define ASSAY_FILE_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *name;  /* for programs: "pickle" */
    const char *what;  /* "a Python pickle" */
    const char *to_do; /* what to do, or what happened: "look for a safetensors version" */
    size_t at;         /* a mark that is ... */
    const char *mark;  /* ... there; NULL: none */
    size_t length;
    bool (*also)(const uint8_t *start, size_t count); /* what else must hold, or NULL */
    bool opens; /* the mark tells a program that this is one, so that a valid file with it is two things */
} kind;

/* By the first bytes of a file; NULL: no idea. */
const kind *kind_of(const uint8_t *start, size_t count, uint64_t file_size);

/* By bytes inside a valid file, where another program might begin to read: only the kinds that open. */
const kind *kind_inside(const uint8_t *start, size_t count);

#endif
