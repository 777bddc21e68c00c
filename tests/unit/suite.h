/* suite.h: the parts that all Check suites share: main, assertions, random numbers. */
#ifndef SUITE_H
#define SUITE_H

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

/* An assertion for tight loops: Check records every call of ck_assert. */
#define MUST(condition)                     \
    do {                                    \
        if (!(condition)) {                 \
            ck_abort_msg("%s", #condition); \
        }                                   \
    } while (0)

/* Report that this test can't run here. suite.sh counts these lines. */
#define SKIPPED(test, reason)                      \
    do {                                           \
        printf("skipped %s: %s\n", test, reason); \
        fflush(stdout);                            \
    } while (0)

/* Return a copy of the bytes in memory of exactly their size, so that ASan and valgrind detect a read beyond them. */
static inline uint8_t *exactly(const char *text, size_t size)
{
    uint8_t *bytes = malloc(size == 0 ? 1 : size);
    MUST(bytes != NULL);
    memcpy(bytes, text, size);
    return bytes;
}

/* Return a random number below limit; the sequence is the same in every run. */
static inline uint32_t below(uint32_t limit)
{
    static uint32_t state = 7;
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % limit;
}

static inline int suite_main(const char *name, const TTest *const *tests, size_t count)
{
    Suite *suite = suite_create(name);
    TCase *all = tcase_create("all");
    SRunner *runner = srunner_create(suite);
    for (size_t k = 0; k < count; k++) {
        tcase_add_test(all, tests[k]);
    }
    tcase_set_timeout(all, 120);
    suite_add_tcase(suite, all);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}

#define SUITE_MAIN(name, ...)                                                   \
    int main(void)                                                              \
    {                                                                           \
        const TTest *const tests[] = {__VA_ARGS__};                             \
        return suite_main(name, tests, sizeof tests / sizeof *tests);           \
    }

#endif
