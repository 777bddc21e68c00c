/* judge_files.c: judge the files whose paths are the lines of standard input, for corpus/run.py --batch. The answer is
 * a line: accept, reject RULE BYTE, or error. Each file is judged by assay.h and by assay_flat.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay.h"
#include "assay_flat.h"
#include "assay_text.h"

/* Return the file in memory, and set its size; NULL if it cannot be read. */
static uint8_t *read_file(const char *path, uint64_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        *size = (uint64_t)ftell(file);
        rewind(file);
        bytes = malloc((size_t)*size + 1);
        if (bytes != NULL && fread(bytes, 1, (size_t)*size, file) != *size) {
            free(bytes);
            bytes = NULL;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return bytes;
}

static assay_error judge(const uint8_t *bytes, uint64_t size)
{
    const assay_input input = {bytes, size, size};
    assay_result result;
    if (assay_measure(&input, NULL, &result) == ASSAY_OK) {
        const assay_need need = result.need;
        const assay_workspace memory = {malloc((size_t)(need.entries + 1) * sizeof(assay_entry)), need.entries,
                                        malloc((size_t)(need.words + 1) * sizeof(uint32_t)), need.words};
        if (memory.entry == NULL || memory.word == NULL) {
            exit(2);
        }
        assay_parse(&input, NULL, &memory, &result);
        free(memory.entry);
        free(memory.word);
    }
    return result.error;
}

/* Set out as assay_flat_parse does. */
static void judge_flat(const uint8_t *bytes, uint64_t size, uint64_t *out)
{
    if (assay_flat_measure(bytes, size, size, NULL, out) == ASSAY_OK) {
        void *arena = malloc((size_t)out[ASSAY_FLAT_ARENA]);
        if (arena == NULL) {
            exit(2);
        }
        assay_flat_parse(bytes, size, size, NULL, arena, out[ASSAY_FLAT_ARENA], out);
        free(arena);
    }
}

static void answer(const char *path)
{
    uint64_t size = 0, out[ASSAY_FLAT_OUT];
    char rule[8] = "";
    uint8_t *bytes = read_file(path, &size);
    if (bytes == NULL) {
        puts("error: can't read it");
        return;
    }
    const assay_error error = judge(bytes, size);
    judge_flat(bytes, size, out);
    assay_flat_word(1, out[ASSAY_FLAT_STATUS], rule, sizeof rule);
    free(bytes);
    if (out[ASSAY_FLAT_STATUS] != error.status || out[ASSAY_FLAT_OFFSET] != error.offset ||
        strcmp(rule, assay_status_rule((assay_status)error.status)) != 0) {
        puts("error: assay.h and assay_flat.h differ");
    } else if (error.status == ASSAY_OK) {
        puts("accept");
    } else if (error.status < ASSAY_E_FIRST) {
        printf("error: %s\n", assay_status_text((assay_status)error.status));
    } else if ((error.has & ASSAY_HAS_OFFSET) != 0) {
        printf("reject %s %" PRIu64 "\n", rule, error.offset);
    } else {
        printf("reject %s\n", rule);
    }
}

int main(void)
{
    char path[4096];
    while (fgets(path, sizeof path, stdin) != NULL) {
        path[strcspn(path, "\r\n")] = '\0';
        answer(path);
    }
    return strcmp(assay_version(), ASSAY_VERSION) == 0 ? 0 : 3;
}
