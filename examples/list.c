/* List the tensors of a safetensors file that assay accepts. cc -Iinclude examples/list.c build/libassay.a */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "assay.h"

/* The header as assay wants it: 8 + N bytes in memory of our own, which nobody else can change. */
static uint8_t *read_head(FILE *file, uint64_t file_size, uint64_t *head_size)
{
    uint8_t *head = NULL;
    assay_need need;
    assay_error error;
    *head_size = 0;
    while (assay_measure(head, *head_size, file_size, NULL, &need, &error) == ASSAY_NEED_MORE) {
        uint8_t *more = realloc(head, need.head); /* first 8 bytes, then 8 + N, at most 100,000,008 */
        if (more == NULL || fread(more + *head_size, 1, need.head - *head_size, file) != need.head - *head_size) {
            exit(2);
        }
        head = more;
        *head_size = need.head;
    }
    return head;
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        return 2;
    }
    uint64_t file_size = (uint64_t)ftell(file);
    rewind(file);
    uint64_t head_size;
    uint8_t *head = read_head(file, file_size, &head_size);

    assay_options options = ASSAY_OPTIONS;
    options.seed = 0x9E3779B97F4A7C15; /* yours: a random number, so that no file can choose its collisions */
    assay_need need;
    assay_bound(head_size - 8 < head_size ? head_size - 8 : 0, &need);
    assay_workspace workspace = {malloc((need.entries + 1) * sizeof(assay_entry)), need.entries,
                                 malloc((need.words + 1) * sizeof(uint32_t)), need.words};
    if (workspace.entry == NULL || workspace.word == NULL) {
        return 2;
    }
    assay_view view;
    assay_error error;
    assay_status status = assay_parse(head, head_size, file_size, &options, &workspace, &view, &need, &error);
    if (status != ASSAY_OK) {
        printf("%s: status %" PRIu32 " at byte %" PRIu64 "\n",
               status >= ASSAY_E_FIRST ? "invalid" : "not judged", status, error.offset);
        return status >= ASSAY_E_FIRST ? 1 : 2;
    }
    for (uint64_t i = 0; i < assay_count(&view); i++) {
        assay_tensor tensor;
        uint32_t code_point;
        uint64_t dim;
        assay_tensor_at(&view, i, &tensor);
        printf("bytes %5" PRIu64 " to %5" PRIu64 ", %2" PRIu64 " bits, [", tensor.begin, tensor.end, tensor.bits);
        while (assay_dim_next(&view, &tensor.dims, &dim)) {
            printf(" %" PRIu64, dim);
        }
        printf(" ] ");
        while (assay_text_next(&view, &tensor.name, &code_point)) { /* a name is a stranger's: print it with care */
            putchar(code_point >= ' ' && code_point <= '~' ? (int)code_point : '?');
        }
        putchar('\n');
    }
    return 0;
}
