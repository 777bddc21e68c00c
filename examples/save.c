/* Write a safetensors file of two tensors to standard output. cc -Iinclude examples/save.c build/libassay.a */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay_write.h"

enum { TENSORS = 2, PAIRS = 1 };

static assay_chars chars(const char *text)
{
    assay_chars made = {(const uint8_t *)text, strlen(text)};
    return made;
}

int main(void)
{
    static const float weight[6] = {1, 2, 3, 4, 5, 6}; /* files are little-endian: this machine should be, too */
    static const uint8_t mask[3] = {1, 0, 1};
    static const uint64_t weight_shape[] = {2, 3}, mask_shape[] = {3};
    const void *data[TENSORS] = {mask, weight};
    const assay_new_tensor tensor[TENSORS] = {{chars("mask"), ASSAY_DTYPE_U8, mask_shape, 1},
                                              {chars("weight"), ASSAY_DTYPE_F32, weight_shape, 2}};
    const assay_new_pair pair[PAIRS] = {{chars("format"), chars("pt")}};
    const assay_description what = {tensor, TENSORS, pair, PAIRS};
    uint32_t order[2 * (TENSORS + PAIRS)];
    assay_file_plan plan;
    assay_result result;

    assay_status status = assay_head_plan(&what, NULL, order, &plan, &result.error);
    if (status == ASSAY_OK) {
        assay_entry entry[TENSORS];
        uint32_t word[8 * PAIRS + 6 * TENSORS];
        assay_workspace memory = {entry, TENSORS, word, 8 * PAIRS + 6 * TENSORS};
        assay_head_buffer head = {malloc(plan.head), plan.head};
        if (head.byte == NULL) {
            return 2;
        }
        status = assay_head_make(&what, NULL, order, &head, &memory, &plan, &result); /* writes it, and judges it */
        if (status == ASSAY_OK) {
            fwrite(head.byte, 1, plan.head, stdout);
        }
        free(head.byte);
    }
    if (status != ASSAY_OK) {
        fprintf(stderr, "status %" PRIu32 ", tensor %" PRIu64 "\n", status, result.error.tensor);
        return 1;
    }
    assay_piece piece = {0};
    while (assay_piece_next(&what, order, &plan, &piece)) { /* the data, in the order of the file */
        fwrite(data[piece.tensor], 1, piece.end - piece.begin, stdout);
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 2;
}
