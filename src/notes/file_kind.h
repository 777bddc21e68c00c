/* file_kind.h: what a file that is not safetensors probably is. For people, and never part of a verdict. */
#ifndef ASSAY_FILE_KIND_H
#define ASSAY_FILE_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *name;   /* for programs: "pickle" */
    const char *what;   /* "a Python pickle" */
    const char *advice; /* what to do, or what happened: "look for a safetensors version" */
    size_t at;          /* the position of the mark */
    const char *mark;   /* bytes that every file of this kind has there, or NULL */
    size_t length;      /* of the mark */
    bool (*check)(const uint8_t *start, size_t count); /* what else must hold, or NULL */
    bool opens; /* programs recognize it by this mark alone: a valid file that has it can be opened as both */
} file_kind;

/* Return what a file is by its first bytes, or NULL if nothing fits. */
const file_kind *file_kind_of(const uint8_t *start, size_t count, uint64_t file_size);

/* The same for bytes of a valid file at which another program might begin to read: only kinds that open. Return the
 * number of the kind, or FILE_KIND_NONE. */
#define FILE_KIND_NONE UINT32_MAX
uint32_t file_kind_inside(const uint8_t *start, size_t count);

/* Return what the kind of that number is: "a Python pickle". "" if there is none. */
const char *file_kind_what(uint64_t number);

#endif
