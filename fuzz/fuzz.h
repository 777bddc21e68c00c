/* fuzz.h: what the harnesses share. A harness is one file with one function, LLVMFuzzerTestOneInput, which libFuzzer,
 * AFL++ and replay.c call alike. It gives up with abort() when an oracle is broken. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay.h"
#include "guarded_memory.h"
#include "spec_model.h"

/* The mutator of the harnesses structure, large and access: see mutator.c. What stands behind the head in their inputs:
 * the size of the data section and so many bytes more, or something else? It is mutated byte by byte. */
extern const bool tail_is_data_size;
extern const size_t tail_more;
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

/* ---- oracle*.c: every promise of include/assay.h, seen from outside ----------------------------------- */

typedef struct {
    const uint8_t *head;
    uint64_t head_size, file_size;
    const assay_options *options; /* NULL: none */
} question;

/* Judges it in every way that the interface has; the answers must be the model's, and agree. Is it valid? */
bool oracle_judge(const question *q);

/* The view of the file that was judged last, if it was valid: in guarded memory until guard_drop. The model of it is
 * model_result. */
extern assay_view *view_judged;
extern spec_model model_result;

/* The UTF-8 of a code point; how many bytes that is. */
size_t utf8_encode(uint32_t code, uint8_t *out);

/* A string as UTF-8, in guarded memory; its bytes. */
uint8_t *utf8_of(const spec_text *text, uint64_t *size);

/* Is what the view hands out a file that means one thing? This without the model ... */
void oracle_outside(const assay_view *view, uint64_t file_size);

/* ... and does it say what the model says? */
void oracle_view(const assay_view *view, const spec_model *expected, uint64_t file_size);

/* Only this: are the first names and keys found? */
void oracle_names(const assay_view *view, const spec_model *expected);

/* ---- oracle_slice.c ----------------------------------------------------------------------------------- */

/* Walks a slice of the tensor: its runs must be those that plain counting finds. */
void oracle_slice(const assay_view *view, const assay_tensor *tensor, const spec_tensor *expected, assay_axis *axis,
                  uint64_t axes);

/* ---- Reading inputs ----------------------------------------------------------------------------------- */

/* The inputs that no harness looks at are longer than this: long heads are made of short inputs, see large.c. */
#define INPUT_MAX 65536u

/* A little-endian number of count bytes. */
static inline uint64_t number_at(const uint8_t *bytes, size_t count)
{
    uint64_t number = 0;
    while (count-- > 0) {
        number = number << 8 | bytes[count];
    }
    return number;
}

/* a + b, but never above 2^64 - 1. */
static inline uint64_t capped_sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif
