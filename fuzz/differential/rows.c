/* rows.c: run harness_differential.c on the records that assurance/reference/src/main.rs reads from standard input.
 * For each it prints a line: valid, invalid or not judged, then the row of spec/decisions.md if the reference accepts
 * an invalid file; skip for a file that is too large. */
#include <stdio.h>
#include <stdlib.h>

#include "reference.h"

static bool read_record(uint64_t *size, uint64_t *count, uint8_t **data)
{
    if (fread(size, sizeof *size, 1, stdin) != 1 || fread(count, sizeof *count, 1, stdin) != 1) {
        return false;
    }
    *data = realloc(*data, (size_t)*count + 1);
    return *data != NULL && fread(*data, 1, (size_t)*count, stdin) == *count;
}

int main(void)
{
    uint64_t size, count;
    uint8_t *data = NULL;
    assay_error error;
    while (read_record(&size, &count, &data)) {
        if (size > DIFFERENTIAL_LARGEST) {
            puts("skip");
            continue;
        }
        const char *row = differential(data, (size_t)(count < size ? count : size), size, &error);
        printf("%s %s\n", error.status == ASSAY_OK ? "valid" : error.status >= ASSAY_E_FIRST ? "invalid" : "not judged",
               row);
    }
    free(data);
    return 0;
}
