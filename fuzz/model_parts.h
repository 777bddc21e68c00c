/* model_parts.h: what the parts of the model know of each other. */
#ifndef MODEL_PARTS_H
#define MODEL_PARTS_H

#include <setjmp.h>

#include "model.h"

/* The pass over the header. There is one at a time. */
typedef struct {
    model *said;
    const uint8_t *head;
    uint64_t at, end; /* where the pass stands, where the header ends */
    uint64_t tensor;  /* the place of the tensor that the pass is in */
    assay_options options;
    uint32_t code[MODEL_HEAD];
    uint64_t dim[MODEL_HEAD];
    uint64_t codes, dims; /* how many are taken */
} model_pass;

extern model_pass pass;

/* Ends the judgement with this verdict. */
_Noreturn void model_stop(assay_error error);

/* ---- model_tokens.c ----------------------------------------------------------------------------------- */

_Noreturn void token_stop(uint64_t status, uint64_t offset);
_Noreturn void token_stop_at(uint64_t status, uint64_t offset, uint64_t expected, uint64_t found);

/* The byte at which the pass stands; the next one that is not white space. */
uint8_t token_byte(void);
uint8_t token_space(void);

/* Skips white space and takes the next byte, which must be one of these. */
uint8_t token_expect(const char *wanted);

/* Skips white space; here a value must begin, with one of these bytes. Its offset. */
uint64_t token_value(const char *first);

/* The string on whose opening quote the pass stands. */
model_text token_string(void);
bool token_says(const model_text *text, const char *word);

/* An integer. dim: its number, from 1, if it is a dim; else 0. */
uint64_t token_integer(uint64_t dim);

/* ---- model_whole.c: stage G --------------------------------------------------------------------------- */

void model_whole(model *said, uint64_t file_size);

#endif
