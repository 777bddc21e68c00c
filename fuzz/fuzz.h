/* fuzz.h: what the harnesses share. A harness is a file with the function LLVMFuzzerTestOneInput, which libFuzzer,
 * AFL++ and replay.c call. It calls abort() when an oracle fails. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay_text.h"
#include "guarded_memory.h"
#include "spec_model.h"

/* The mutator of the harnesses structure, large and access: see mutator.c. After the head, their inputs have the size
 * of the data section and tail_more bytes, or else something that is mutated byte by byte. */
extern const bool tail_is_data_size;
extern const size_t tail_more;
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

/* ---- oracle*.c: every promise of include/assay.h, checked from outside -------------------------------- */

typedef struct {
    const uint8_t *head;
    uint64_t head_size, file_size;
    const assay_options *options; /* NULL: none */
} question;

/* Judge a file by every function of the interface. The results must agree with each other and with the model. Return
 * whether the file is valid. */
bool oracle_judge(const question *q);

/* The view of the last judged file, if it was valid, and its workspace, in guarded memory until guard_drop; and the
 * result of the model. */
extern assay_view *view_judged;
extern const assay_workspace *workspace_judged;
extern spec_model model_result;

/* Write the UTF-8 of a code point, and return the number of bytes. */
size_t utf8_encode(uint32_t code, uint8_t *out);

/* Return a string as UTF-8 in guarded memory, and its size. */
uint8_t *utf8_of(const spec_text *text, uint64_t *size);

/* Check without the model that what the view returns describes one unambiguous file. */
void oracle_outside(const assay_view *view, uint64_t file_size);

/* Compare everything that the view returns with the model. */
void oracle_view(const assay_view *view, const spec_model *expected, uint64_t file_size);

/* ---- oracle_slice.c ----------------------------------------------------------------------------------- */

/* Walk a slice of the tensor: its runs must be those that counting the elements one by one finds. */
void oracle_slice(const assay_view *view, const assay_tensor *tensor, const spec_tensor *expected, assay_axis *axis,
                  uint64_t axes);

/* ---- Reading inputs ----------------------------------------------------------------------------------- */

/* Harnesses ignore longer inputs. harness_large.c makes long heads from short inputs. */
#define INPUT_MAX 65536u

/* Return a little-endian number of count bytes. */
static inline uint64_t number_at(const uint8_t *bytes, size_t count)
{
    uint64_t number = 0;
    while (count-- > 0) {
        number = number << 8 | bytes[count];
    }
    return number;
}

/* Return a + b, at most 2^64 - 1. */
static inline uint64_t capped_sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif
