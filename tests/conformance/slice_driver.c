/* slice_driver.c: print the runs of slices, for slices.py. Each line of input is one slice of one tensor:
 *   DTYPE BYTES RANK DIM START STOP STEP DIM START STOP STEP ...
 * The reply is its runs, "byte skip bits" with byte counted from the first of the tensor, separated by semicolons,
 * or the status if the slice is refused. A slice with more runs than any expected one is "endless". A call that does
 * not return ends the driver: a fault is a failure, not a test that hangs. */
#define _DEFAULT_SOURCE /* alarm */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../unit/view_of.h"

enum { RANK_MAX = 64, RUNS_MOST = 200000, SECONDS = 60 };

static uint64_t number(void)
{
    uint64_t value;
    if (scanf("%" SCNu64, &value) != 1) {
        fprintf(stderr, "slice_driver: a number is missing\n");
        exit(2);
    }
    return value;
}

static void answer(const char *dtype)
{
    static char json[4096];
    assay_axis axis[RANK_MAX];
    assay_slice slice;
    assay_run run;
    assay_view view;
    assay_tensor tensor;
    uint64_t bytes = number(), rank = number();
    int used = snprintf(json, sizeof json, "{\"t\":{\"dtype\":\"%s\",\"shape\":[", dtype);

    for (uint64_t i = 0; i < rank && i < RANK_MAX; i++) {
        used += snprintf(json + used, sizeof json - (size_t)used, "%s%" PRIu64, i ? "," : "", number());
        axis[i] = (assay_axis){.start = number()};
        axis[i].stop = number();
        axis[i].step = number();
    }
    snprintf(json + used, sizeof json - (size_t)used, "],\"data_offsets\":[0,%" PRIu64 "]}}", bytes);
    if (view_of(json, bytes, &view) != ASSAY_OK || !assay_tensor_at(&view, 0, &tensor)) {
        fprintf(stderr, "slice_driver: not a valid head: %s\n", json);
        exit(2);
    }
    alarm(SECONDS);
    assay_status status = assay_slice_begin(&view, &tensor, axis, rank, &slice);
    if (status != ASSAY_OK) {
        printf("%" PRIu32 "\n", status);
        return;
    }
    for (uint64_t runs = 0; assay_slice_next(&slice, axis, &run); runs++) {
        if (runs == RUNS_MOST) {
            printf("endless\n");
            return;
        }
        printf("%" PRIu64 " %" PRIu64 " %" PRIu64 ";", run.byte - tensor.begin, run.skip, run.bits);
    }
    printf("\n");
}

int main(void)
{
    char dtype[16];

    while (scanf("%15s", dtype) == 1) {
        answer(dtype);
    }
    return 0;
}
