/* spec_model.h: an executable model of spec/format.md in simple C: the verdict on a file, and its table.
 *
 * It is written from the prose, shares nothing with the core, and its memory has a fixed size. */
#ifndef SPEC_MODEL_H
#define SPEC_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "assay.h"

#define SPEC_HEAD_MAX (7u << 20) /* the longest head that the model can judge */

/* A string: its code points, and its position between its quotes. */
typedef struct {
    const uint32_t *code;
    uint64_t count;
    uint64_t at, end;
    bool escaped;
} spec_text;

typedef struct {
    spec_text name;
    uint64_t dtype, bits; /* the dtype's code and width */
    const uint64_t *dim;
    uint64_t rank;
    uint64_t begin, end; /* data offsets */
} spec_tensor;

typedef struct {
    spec_text key, value;
} spec_pair;

typedef struct {
    assay_error error; /* the verdict; ASSAY_NONE in numbers that do not apply, and empty names */
    bool clean;        /* stages F and H passed */
    uint64_t end;      /* if clean: 8 + N */
    uint64_t tensors, pairs;
    bool metadata; /* the header has a __metadata__ */
    spec_tensor tensor[SPEC_HEAD_MAX / 32];
    spec_pair pair[SPEC_HEAD_MAX / 4];
    uint64_t order[SPEC_HEAD_MAX / 32]; /* the tensors in layout order, after G1 to G3 have passed */
} spec_model;

/* The dtypes of spec/format.md. */
typedef struct {
    const char *name;
    uint64_t code, bits;
} spec_dtype;

enum { SPEC_DTYPES = 22 };
extern const spec_dtype spec_dtypes[SPEC_DTYPES];

/* Judge a file. options may be NULL. Texts and dims remain valid until the next call. */
void spec_judge(spec_model *result, const uint8_t *head, uint64_t head_size, uint64_t file_size,
                const assay_options *options);

#endif
