/* List the tensors of a safetensors file that assay accepts. cc -Iinclude examples/list.c build/libassay.a */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "assay.h"

/* Reads the head of the file, 8 + N bytes, into memory of our own, which nobody else can change. */
static assay_status read_head(FILE *file, assay_input *input, assay_result *result)
{
    uint8_t *head = NULL;
    assay_status status;
    while ((status = assay_measure(input, NULL, result)) == ASSAY_NEED_MORE) {
        uint64_t size = input->head_size, more = result->need.head - size;
        head = realloc(head, size + more); /* first 8 bytes, then 8 + N: at most 100,000,008 */
        if (head == NULL || fread(head + size, 1, more, file) != more) {
            exit(2);
        }
        input->head = head;
        input->head_size = size + more;
    }
    return status;
}

static void print_tensor(const assay_view *view, assay_tensor tensor)
{
    uint32_t code_point;
    uint64_t dim;
    printf("bytes %5" PRIu64 " to %5" PRIu64 ", %2" PRIu64 " bits, [", tensor.begin, tensor.end, tensor.bits);
    while (assay_dim_next(view, &tensor.dims, &dim)) {
        printf(" %" PRIu64, dim);
    }
    printf(" ] ");
    while (assay_text_next(view, &tensor.name, &code_point)) { /* a name is a stranger's: print it with care */
        putchar(code_point >= ' ' && code_point <= '~' ? (int)code_point : '?');
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        return 2;
    }
    assay_input input = {NULL, 0, (uint64_t)ftell(file)};
    rewind(file);

    assay_result result;
    assay_status status = read_head(file, &input, &result);
    if (status == ASSAY_OK) {
        assay_need need = result.need;
        assay_workspace memory = {calloc(need.entries + 1, sizeof(assay_entry)), need.entries,
                                  calloc(need.words + 1, sizeof(uint32_t)), need.words};
        if (memory.entry == NULL || memory.word == NULL) {
            return 2;
        }
        status = assay_parse(&input, NULL, &memory, &result);
    }
    if (status != ASSAY_OK) {
        printf("%s: status %" PRIu32 " at byte %" PRIu64 "\n",
               status >= ASSAY_E_FIRST ? "invalid" : "not judged", status, result.error.offset);
        return status >= ASSAY_E_FIRST ? 1 : 2;
    }
    assay_tensor tensor;
    for (uint64_t i = 0; assay_tensor_at(&result.view, i, &tensor); i++) {
        print_tensor(&result.view, tensor);
    }
    return 0;
}
