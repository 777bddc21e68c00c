/* judge_files.m: judge the files whose paths are the lines of standard input, by the calls that docs/swift.md makes, of
 * the module that its module map makes of assay.h. */
@import CAssay;
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static assay_status judge(const uint8_t *head, uint64_t head_size, uint64_t file_size, assay_result *result)
{
    assay_input input = {.head = head, .head_size = head_size, .file_size = file_size};
    assay_status status = assay_measure(&input, NULL, result);
    if (status != 0) {
        return status;
    }
    assay_entry *entry = malloc(((size_t)result->need.entries + 1) * sizeof *entry);
    uint32_t *word = malloc(((size_t)result->need.words + 1) * sizeof *word);
    assay_workspace workspace = {.entry = entry, .entries = result->need.entries, .word = word,
                                 .words = result->need.words};
    status = assay_parse(&input, NULL, &workspace, result);
    assay_tensor tensor;
    for (uint64_t k = 0; status == 0 && assay_tensor_at(&result->view, k, &tensor); k++) {
        uint64_t *shape = calloc((size_t)tensor.rank + 1, sizeof *shape);
        const uint64_t size = tensor.name.end - tensor.name.at + 1;
        char *name = calloc((size_t)size, 1);
        if (assay_tensor_dims(&result->view, &tensor, shape, tensor.rank) != tensor.rank ||
            assay_text_utf8(&result->view, tensor.name, name, size) != strlen(name) || *assay_dtype_name(tensor.dtype) == 0) {
            abort();
        }
        free(shape);
        free(name);
    }
    free(entry);
    free(word);
    return status;
}

static uint64_t length_of(const uint8_t *head)
{
    uint64_t length = 0;
    for (int k = 7; k >= 0; k--) {
        length = length << 8 | head[k];
    }
    return length;
}

int main(void)
{
    char path[4096];
    while (fgets(path, sizeof path, stdin) != NULL) {
        path[strcspn(path, "\n")] = '\0';
        FILE *file = fopen(path, "rb");
        if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
            puts("error");
            continue;
        }
        const uint64_t size = (uint64_t)ftell(file);
        rewind(file);
        uint8_t *head = malloc(8);
        uint64_t head_size = fread(head, 1, 8, file);
        if (head_size == 8 && length_of(head) <= 100000000 && length_of(head) <= size - 8) {
            const uint64_t length = length_of(head);
            head = realloc(head, 8 + (size_t)length);
            head_size += fread(head + 8, 1, (size_t)length, file);
        }
        fclose(file);
        assay_result result;
        const assay_status status = judge(head, head_size, size, &result);
        if (status >= 32) {
            printf("reject %s %llu\n", assay_status_rule(status), (unsigned long long)result.error.offset);
        } else {
            puts(status == 0 && *assay_status_text(status) != 0 ? "accept" : "error");
        }
        free(head);
    }
    return 0;
}
