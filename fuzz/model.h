/* model.h: spec/format.md once more, in the plainest C: what is the verdict on a file, and what does it say?
 *
 * It shares nothing with the core: written from the prose, fixed in size. */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "assay.h"

#define MODEL_HEAD (7u << 20) /* the longest head that it can judge */

/* A string: its code points, and where it stands between its quotes. */
typedef struct {
    const uint32_t *code;
    uint64_t count;
    uint64_t at, end;
    bool escaped;
} model_text;

typedef struct {
    model_text name;
    uint64_t dtype, bits; /* the dtype's code and width */
    const uint64_t *dim;
    uint64_t rank;
    uint64_t begin, end; /* data offsets */
} model_tensor;

typedef struct {
    model_text key, value;
} model_pair;

typedef struct {
    assay_error error; /* the verdict; ASSAY_NONE where a field has nothing to say */
    bool clean;        /* the stages F and H passed */
    uint64_t end;      /* if so, 8 + N ... */
    uint64_t tensors, pairs;
    bool metadata; /* ... and it has a __metadata__ */
    model_tensor tensor[MODEL_HEAD / 32];
    model_pair pair[MODEL_HEAD / 4];
    uint64_t order[MODEL_HEAD / 32]; /* places in layout order, once G1 to G3 passed */
} model;

/* dtypes: the table of spec/format.md. */
typedef struct {
    const char *name;
    uint64_t code, bits;
} model_dtype;

enum { MODEL_DTYPES = 22 };
extern const model_dtype model_dtypes[MODEL_DTYPES];

/* options may be NULL. Texts and dims stay until the next call. */
void model_judge(model *said, const uint8_t *head, uint64_t head_size, uint64_t file_size,
                 const assay_options *options);

#endif
