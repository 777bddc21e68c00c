/* test_slice.c: slices: refusals, boundaries, and a state that the caller has changed. tests/conformance/slices.py
 * compares the runs with NumPy's. */
#include <stdio.h>

#include "view_of.h"
#include "suite.h"

static assay_view view;

static assay_tensor tensor(const char *dtype, const char *shape, uint64_t size)
{
    static char json[1000];
    assay_tensor t;
    snprintf(json, sizeof json, "{\"t\":{\"dtype\":\"%s\",\"shape\":[%s],\"data_offsets\":[0,%llu]}}", dtype, shape,
             (unsigned long long)size);
    ck_assert_uint_eq(view_of(json, size, &view), ASSAY_OK);
    ck_assert(assay_tensor_at(&view, 0, &t));
    return t;
}

/* The caller need not set the other fields of an axis. */
static assay_axis part(uint64_t start, uint64_t stop, uint64_t step)
{
    assay_axis axis;
    memset(&axis, 0xA5, sizeof axis);
    axis.start = start;
    axis.stop = stop;
    axis.step = step;
    return axis;
}

START_TEST(rows_of_a_matrix)
{
    assay_tensor t = tensor("F32", "4,5", 80);
    assay_axis axis[] = {part(1, 4, 2), part(1, 3, 1)};
    assay_slice slice;
    assay_run run;
    ck_assert_uint_eq(assay_slice_begin(&view, &t, axis, 2, &slice), ASSAY_OK);
    ck_assert(assay_slice_next(&slice, axis, &run));
    ck_assert(run.byte == t.begin + 24 && run.skip == 0 && run.bits == 64 && slice.bits == 640);
    ck_assert(assay_slice_next(&slice, axis, &run));
    ck_assert(run.byte == t.begin + 64 && run.skip == 0 && run.bits == 64);
    ck_assert_uint_eq(slice.run, 0); /* nothing is left */
    ck_assert(!assay_slice_next(&slice, axis, &run));
    ck_assert(!assay_slice_next(&slice, axis, &run));
}
END_TEST

START_TEST(every_other_element)
{
    assay_tensor t = tensor("I16", "2,5", 20);
    assay_axis axis[] = {part(0, 2, 1), part(0, 5, 2)};
    assay_slice slice;
    assay_run run;
    ck_assert_uint_eq(assay_slice_begin(&view, &t, axis, 2, &slice), ASSAY_OK);
    for (uint64_t k = 0; k < 6; k++) {
        ck_assert(assay_slice_next(&slice, axis, &run));
        ck_assert(run.byte == t.begin + 2 * (k / 3 * 5 + k % 3 * 2) && run.bits == 16);
    }
    ck_assert(!assay_slice_next(&slice, axis, &run));
}
END_TEST

START_TEST(the_whole_tensor_is_one_run)
{
    assay_tensor t = tensor("F6_E2M3", "2,2,4", 12);
    assay_axis axis[] = {part(0, 2, 1), part(0, 2, 1), part(0, 4, 1)};
    assay_slice slice;
    assay_run run;
    ck_assert_uint_eq(assay_slice_begin(&view, &t, axis, 3, &slice), ASSAY_OK);
    ck_assert(assay_slice_next(&slice, axis, &run) && run.byte == t.begin && run.bits == 96);
    ck_assert(!assay_slice_next(&slice, axis, &run));
}
END_TEST

START_TEST(a_scalar)
{
    assay_tensor t = tensor("F64", "", 8);
    assay_slice slice;
    assay_run run;
    ck_assert_uint_eq(assay_slice_begin(&view, &t, NULL, 0, &slice), ASSAY_OK);
    ck_assert(assay_slice_next(&slice, NULL, &run) && run.byte == t.begin && run.bits == 64);
    ck_assert(!assay_slice_next(&slice, NULL, &run));
}
END_TEST

START_TEST(narrow_elements)
{
    assay_tensor t = tensor("F4", "3,3,2", 9);
    assay_axis axis[] = {part(0, 3, 1), part(1, 2, 9), part(1, 2, 1)};
    assay_slice slice;
    assay_run run;
    ck_assert_uint_eq(assay_slice_begin(&view, &t, axis, 3, &slice), ASSAY_OK);
    for (uint64_t k = 0; k < 3; k++) {
        uint64_t bit = 4 * (6 * k + 2 + 1);
        ck_assert(assay_slice_next(&slice, axis, &run));
        ck_assert(run.byte == t.begin + bit / 8 && run.skip == bit % 8 && run.bits == 4);
    }
    ck_assert(!assay_slice_next(&slice, axis, &run));
}
END_TEST

START_TEST(steps_beyond_the_end)
{
    assay_tensor t = tensor("U8", "4,4", 16);
    assay_axis axis[] = {part(1, 3, UINT64_C(1) << 59), part(0, 2, 1)}; /* a step of 2^64 bits */
    assay_slice slice;
    assay_run run;
    axis[0].jump = 1;
    ck_assert_uint_eq(assay_slice_begin(&view, &t, axis, 2, &slice), ASSAY_OK);
    ck_assert(assay_slice_next(&slice, axis, &run) && run.byte == t.begin + 4 && run.bits == 16);
    ck_assert(!assay_slice_next(&slice, axis, &run));
    t = tensor("U8", "3,1", 3);
    axis[0] = part(0, 3, 1);
    axis[1] = part(0, 1, 2); /* its one element is all of the axis, whatever the step */
    ck_assert_uint_eq(assay_slice_begin(&view, &t, axis, 2, &slice), ASSAY_OK);
    ck_assert(assay_slice_next(&slice, axis, &run) && run.byte == t.begin && run.bits == 24);
    ck_assert(!assay_slice_next(&slice, axis, &run));
}
END_TEST

START_TEST(empty_slices)
{
    assay_tensor t = tensor("U8", "2,3", 6);
    assay_axis axis[] = {part(1, 1, 1), part(0, 3, 1)};
    assay_slice slice;
    assay_run run;
    memset(&slice, 0xA5, sizeof slice);
    ck_assert_uint_eq(assay_slice_begin(&view, &t, axis, 2, &slice), ASSAY_OK);
    ck_assert(slice.axes == 0 && slice.first == 0 && slice.run == 0 && slice.bits == 48);
    ck_assert(!assay_slice_next(&slice, axis, &run));
    t = tensor("U8", "0,9", 0);
    axis[0] = part(0, 0, 1);
    axis[1] = part(2, 9, 1);
    ck_assert_uint_eq(assay_slice_begin(&view, &t, axis, 2, &slice), ASSAY_OK);
    ck_assert(!assay_slice_next(&slice, axis, &run));
}
END_TEST

static void refuse(const assay_tensor *t, assay_axis *axis, uint64_t axes)
{
    assay_slice slice, same;
    assay_axis before[4];
    memset(&slice, 0xA5, sizeof slice);
    same = slice;
    memcpy(before, axis, axes * sizeof *axis);
    ck_assert_uint_eq(assay_slice_begin(&view, t, axis, axes, &slice), ASSAY_USAGE);
    ck_assert_mem_eq(&slice, &same, sizeof slice);
    ck_assert_mem_eq(before, axis, axes * sizeof *axis);
}

START_TEST(refusals)
{
    assay_tensor t = tensor("U8", "2,3", 6);
    assay_axis good[] = {part(0, 2, 1), part(0, 3, 1), part(0, 0, 1)};
    static const uint64_t bad[][3] = {{0, 3, 0}, {2, 1, 1}, {0, 4, 1}, {4, 4, 1}, {0, UINT64_MAX, 1}};
    refuse(&t, good, 1);
    refuse(&t, good, 3);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assay_axis axis[] = {part(0, 2, 1), part(bad[k][0], bad[k][1], bad[k][2])};
        refuse(&t, axis, 2);
    }
    assay_tensor other = t;
    other.end--; /* a tensor that assay has not made */
    refuse(&other, good, 2);
    other = t;
    other.begin = other.end + 1;
    refuse(&other, good, 2);
    other.begin = 0;
    other.end = UINT64_MAX;
    refuse(&other, good, 2);
    other = t;
    other.bits = UINT64_MAX;
    refuse(&other, good, 2);
    other = t;
    other.rank = 3;
    refuse(&other, good, 3);
    other.rank = 1;
    refuse(&other, good, 2);
    other = t;
    other.end++;
    refuse(&other, good, 2);
    other.begin = UINT64_MAX - 2; /* six bytes, did numbers wrap around */
    other.end = 3;
    refuse(&other, good, 2);
    other.begin = 0;
    other.end = (UINT64_C(1) << 61) + 6;
    refuse(&other, good, 2);
    t = tensor("U8", "6,1", 6);
    refuse(&t, good, 1);
    t.end = t.begin;
    t.bits = 0;
    good[1].stop = 1;
    refuse(&t, good, 2);
}
END_TEST

START_TEST(a_tensor_far_away)
{
    assay_tensor t = tensor("U8", "2,3", 6);
    assay_axis axis[] = {part(1, 2, 1), part(0, 3, 1)};
    assay_slice slice;
    assay_run run;
    t.begin = UINT64_MAX - 6;
    t.end = UINT64_MAX;
    ck_assert_uint_eq(assay_slice_begin(&view, &t, axis, 2, &slice), ASSAY_OK);
    ck_assert(assay_slice_next(&slice, axis, &run) && run.byte == UINT64_MAX - 3 && run.skip == 0 && run.bits == 24);
    ck_assert(!assay_slice_next(&slice, axis, &run));
}
END_TEST

/* A tensor with other dims: those in its name. */
static assay_tensor renamed(const char *dims, const char *shape, uint64_t bytes, uint64_t rank)
{
    static char json[200];
    assay_tensor t;
    snprintf(json, sizeof json, "{\"%s\":{\"dtype\":\"U8\",\"shape\":[%s],\"data_offsets\":[0,%u]}}", dims, shape,
             (unsigned)bytes);
    ck_assert_uint_eq(view_of(json, bytes, &view), ASSAY_OK);
    ck_assert(assay_tensor_at(&view, 0, &t));
    t.dims.at = t.name.at;
    t.dims.left = rank;
    t.rank = rank;
    return t;
}

/* Products above 64 bits are refused, whatever the size is and even if a dim is 0. */
START_TEST(foreign_dims_of_the_right_size)
{
    assay_axis axis[] = {part(0, 0, 1), part(0, 1, 1), part(0, 1, 1)};
    assay_tensor t = renamed("0 4294967296 4294967296", "0", 0, 3);
    refuse(&t, axis, 3);
    t = renamed("2 18446744073709551615", "2", 2, 2);
    refuse(&t, axis + 1, 2);
    t = renamed("4611686018427387904", "1", 1, 1);
    t.end = t.begin + (UINT64_C(1) << 59);
    refuse(&t, axis + 1, 1);
}
END_TEST

START_TEST(the_largest_tensor)
{
    assay_tensor t = renamed("2305843009213693951", "1", 1, 1);
    assay_axis axis = part(2305843009213693950, 2305843009213693951, 1);
    assay_slice slice;
    assay_run run;
    t.begin = 0;
    t.end = UINT64_MAX / 8;
    ck_assert_uint_eq(assay_slice_begin(&view, &t, &axis, 1, &slice), ASSAY_OK);
    ck_assert(assay_slice_next(&slice, &axis, &run) && run.byte == UINT64_MAX / 8 - 1 && run.bits == 8);
    ck_assert(!assay_slice_next(&slice, &axis, &run));
}
END_TEST

/* A tensor whose last byte is just within 64 bits, and one just beyond. */
START_TEST(a_foreign_state_at_the_edge)
{
    assay_slice inside = {UINT64_MAX - 7, 56, 0, 8, 48}, outside = {UINT64_MAX - 5, 48, 0, 8, 0};
    assay_run run;
    ck_assert(!assay_slice_next(&outside, NULL, &run));
    ck_assert(assay_slice_next(&inside, NULL, &run) && run.byte == UINT64_MAX - 1 && run.bits == 8);
}
END_TEST

/* Dims of another tensor, whose product exceeds 64 bits. */
START_TEST(foreign_dims)
{
    assay_tensor t;
    assay_axis axis[] = {part(0, 1, 1), part(0, 1, 1), part(0, 1, 1)};
    ck_assert_uint_eq(view_of("{\"4294967296 4294967296 1\":"
                              "{\"dtype\":\"U8\",\"shape\":[1,1,1],\"data_offsets\":[0,1]}}", 1,
                              &view), ASSAY_OK);
    ck_assert(assay_tensor_at(&view, 0, &t));
    t.dims.at = t.name.at;
    refuse(&t, axis, 3);
    t.bits = 0;
    refuse(&t, axis, 3);
}
END_TEST

/* Whatever the state holds, every run that is returned lies in the tensor. */
START_TEST(a_foreign_state)
{
    static const uint64_t values[] = {0, 1, 7, 8, 48, 49, 50, UINT64_MAX / 8, UINT64_MAX - 1, UINT64_MAX};
    const size_t count = sizeof values / sizeof *values;
    assay_slice made;
    uint32_t random = 3;
    for (uint32_t k = 0; k < 300000; k++) {
        assay_axis axis[2];
        uint64_t pick[12];
        for (size_t i = 0; i < 12; i++) {
            random = random * 1664525u + 1013904223u;
            pick[i] = values[(random >> 16) % count];
        }
        made = (assay_slice){pick[0], pick[1], pick[2] % 3, pick[3], pick[4]};
        axis[0] = (assay_axis){0, 0, 0, 0, pick[5], pick[6], pick[7]};
        axis[1] = (assay_axis){0, 0, 0, 0, pick[8], pick[9], pick[10]};
        assay_slice before = made;
        assay_run run;
        for (int calls = 0; calls < 4 && assay_slice_next(&made, axis, &run); calls++) {
            MUST(run.skip < 8 && run.byte >= before.begin);
            uint64_t first = 8 * (run.byte - before.begin) + run.skip;
            MUST(run.byte - before.begin <= UINT64_MAX / 8 && first <= before.bits && run.bits <= before.bits - first);
        }
    }
}
END_TEST

SUITE_MAIN("slice", rows_of_a_matrix, every_other_element, the_whole_tensor_is_one_run, a_scalar, narrow_elements,
           steps_beyond_the_end, empty_slices, refusals, a_tensor_far_away, foreign_dims,
           foreign_dims_of_the_right_size, the_largest_tensor, a_foreign_state_at_the_edge, a_foreign_state)
