/* test_wide.c: numbers above 16 or 32 bits: indexes, ranks and lengths above 65,535, indexes above 2^32, options with
 * only high bits, heads and files of more than 4 GiB. A type that is too narrow anywhere makes a test fail. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "suite.h"

#define TWO_32 (UINT64_C(1) << 32)

enum { MANY = 66000, LONG = 70000, WORDS = 6 + 8 }; /* words: for a tensor and a pair */

typedef struct {
    char *text; /* 8 bytes of length, then the header */
    size_t size;
    assay_entry *entry;
    uint32_t *word;
    assay_view view;
} big;

static void begin(big *b, size_t room, uint64_t tensors)
{
    memset(b, 0, sizeof *b);
    b->text = calloc(room, 1);
    b->entry = calloc(tensors, sizeof *b->entry);
    b->word = calloc(WORDS * tensors, sizeof *b->word);
    ck_assert(b->text != NULL && b->entry != NULL && b->word != NULL);
    b->size = 8;
}

#define ADD(b, ...) ((b)->size += (size_t)sprintf((b)->text + (b)->size, __VA_ARGS__))

static void judge(big *b, uint64_t tensors, uint64_t data)
{
    assay_workspace workspace = {b->entry, tensors, b->word, WORDS * tensors};
    for (size_t i = 0; i < 8; i++) {
        b->text[i] = (char)((b->size - 8) >> 8 * i);
    }
    const assay_input input = {(const uint8_t *)b->text, b->size, b->size + data};
    assay_result result;
    ck_assert_uint_eq(assay_parse(&input, NULL, &workspace, &result), ASSAY_OK);
    b->view = result.view;
}

static void end(big *b)
{
    free(b->text);
    free(b->entry);
    free(b->word);
}

/* Tensor k of the header is the last but k in layout order; pair k has the value k. */
static void make_many(big *b)
{
    begin(b, 90 * (size_t)MANY, MANY);
    ADD(b, "{\"__metadata__\":{");
    for (unsigned k = 0; k < MANY; k++) {
        ADD(b, "%s\"k%u\":\"%u\"", k == 0 ? "" : ",", k, k);
    }
    ADD(b, "}");
    for (unsigned k = 0; k < MANY; k++) {
        ADD(b, ",\"t%u\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[%u,%u]}", k, MANY - 1 - k, MANY - k);
    }
    ADD(b, "}");
    judge(b, MANY, MANY);
}

static uint64_t number_of(const assay_view *view, assay_text text)
{
    uint64_t number = 0;
    for (uint32_t c; assay_text_next(view, &text, &c);) {
        number = c >= '0' && c <= '9' ? 10 * number + (c - '0') : number;
    }
    return number;
}

START_TEST(tensors_beyond_16_bits)
{
    big b;
    assay_tensor t;
    make_many(&b);
    ck_assert_uint_eq(assay_tensor_count(&b.view), MANY);
    for (uint64_t index = 0; index < MANY; index++) {
        MUST(assay_tensor_at(&b.view, index, &t));
        MUST(t.index == MANY - 1 - index && t.begin == b.size + index && t.end == t.begin + 1);
        MUST(number_of(&b.view, t.name) == t.index);
    }
    for (unsigned place = 0; place < MANY; place += place < 65000 ? 999 : 1) {
        char name[16];
        size_t size = (size_t)sprintf(name, "t%u", place);
        MUST(assay_tensor_find(&b.view, (const uint8_t *)name, size, &t) && t.index == place);
        MUST(t.begin == b.size + MANY - 1 - place);
    }
    end(&b);
}
END_TEST

START_TEST(pairs_beyond_16_bits)
{
    big b;
    assay_text key, value;
    make_many(&b);
    ck_assert_uint_eq(assay_metadata_count(&b.view), MANY);
    for (uint64_t index = 0; index < MANY; index++) {
        MUST(assay_metadata_at(&b.view, index, &key, &value));
        MUST(number_of(&b.view, key) == index && number_of(&b.view, value) == index);
    }
    for (unsigned place = 65000; place < MANY; place++) {
        char name[16];
        size_t size = (size_t)sprintf(name, "k%u", place);
        MUST(assay_metadata_find(&b.view, (const uint8_t *)name, size, &value));
        MUST(number_of(&b.view, value) == place);
    }
    end(&b);
}
END_TEST

/* None of these indexes exists, although the low bits of each are an existing index. */
START_TEST(indexes_beyond_32_bits)
{
    static const uint64_t high[] = {TWO_32, 2 * TWO_32, UINT64_C(1) << 48, UINT64_C(1) << 63};
    big b;
    make_many(&b);
    for (size_t k = 0; k < sizeof high / sizeof *high; k++) {
        for (uint64_t low = 0; low < MANY; low += 4711) {
            assay_tensor t;
            assay_text key = {1, 2}, value = {3, 4};
            memset(&t, 0xA5, sizeof t);
            assay_tensor same = t;
            ck_assert(!assay_tensor_at(&b.view, high[k] + low, &t));
            ck_assert(!assay_metadata_at(&b.view, high[k] + low, &key, &value));
            ck_assert_mem_eq(&t, &same, sizeof t);
            ck_assert(key.at == 1 && key.end == 2 && value.at == 3 && value.end == 4);
        }
    }
    ck_assert(!assay_tensor_at(&b.view, MANY, &(assay_tensor){0}));
    end(&b);
}
END_TEST

START_TEST(a_rank_beyond_16_bits)
{
    big b;
    assay_tensor t;
    uint64_t dim = 0;
    begin(&b, 3 * LONG, 1);
    ADD(&b, "{\"t\":{\"dtype\":\"U8\",\"shape\":[");
    for (unsigned k = 0; k < LONG; k++) {
        ADD(&b, "%s%u", k == 0 ? "" : ",", k == LONG - 1 ? 3 : k == 65536 ? 2 : 1);
    }
    ADD(&b, "],\"data_offsets\":[0,6]}}");
    judge(&b, 1, 6);
    ck_assert(assay_tensor_at(&b.view, 0, &t) && t.rank == LONG && t.dims.left == LONG);
    for (unsigned k = 0; k < LONG; k++) {
        MUST(assay_dim_next(&b.view, &t.dims, &dim) && dim == (k == LONG - 1 ? 3 : k == 65536 ? 2 : 1));
        MUST(t.dims.left == LONG - 1 - k);
    }
    ck_assert(!assay_dim_next(&b.view, &t.dims, &dim));
    end(&b);
}
END_TEST

/* A name of 70,000 bytes, and one of its first 70,000 - 65,536 bytes. */
START_TEST(a_name_beyond_16_bits)
{
    static uint8_t name[LONG];
    big b;
    assay_tensor t;
    memset(name, 'n', LONG);
    begin(&b, LONG + 1000, 2);
    ADD(&b, "{\"%.*s\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", LONG, (const char *)name);
    judge(&b, 2, 1);
    ck_assert(assay_tensor_at(&b.view, 0, &t) && t.name.end - t.name.at == LONG);
    ck_assert(assay_tensor_find(&b.view, name, LONG, &t) && t.index == 0);
    ck_assert(!assay_tensor_find(&b.view, name, LONG - 65536, &t));
    ck_assert_int_eq(assay_text_compare(&b.view, t.name, name, LONG), 0);
    ck_assert_int_eq(assay_text_compare(&b.view, t.name, name, LONG - 65536), 1);
    end(&b);
}
END_TEST

static const char one[] = "\x81\0\0\0\0\0\0\0{\"__metadata__\":{\"k\":\"v\"},"
                          "\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
                          "\"\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}";

/* Judge this head with these options by the three calls, which must agree. */
static assay_status all_three(const uint8_t *head, uint64_t head_size, uint64_t file_size,
                              const assay_options *options, assay_view *view, assay_error *error)
{
    static assay_entry entry[4];
    static uint32_t word[32];
    assay_workspace workspace = {entry, 4, word, 32};
    const assay_input input = {head, head_size, file_size};
    assay_result result, other;
    assay_status status = assay_parse(&input, options, &workspace, &result);
    MUST(assay_validate(&input, options, &workspace, &other) == status);
    MUST(memcmp(&result.error, &other.error, sizeof other.error) == 0);
    if (status < ASSAY_E_METADATA_KEY_TWICE) {
        MUST(assay_measure(&input, options, &other) == status);
        MUST(memcmp(&result.error, &other.error, sizeof other.error) == 0);
    }
    *view = result.view;
    *error = result.error;
    return status;
}

static assay_status with(const assay_options *options, assay_view *view)
{
    assay_error error;
    return all_three((const uint8_t *)one, sizeof one - 1, sizeof one, options, view, &error);
}

START_TEST(options_of_high_bits)
{
    const assay_options standard = ASSAY_OPTIONS;
    assay_view view;
    ck_assert_uint_eq(sizeof one - 1, 8u + (uint8_t)one[0]);
    ck_assert_uint_eq(with(&standard, &view), ASSAY_OK);
    for (unsigned bit = 0; bit < 64; bit++) {
        const uint64_t value = UINT64_C(1) << bit;
        assay_options options = standard;
        options.api ^= value;
        ck_assert_uint_eq(with(&options, &view), ASSAY_USAGE);
        options = standard;
        options.relax = value;
        ck_assert_uint_eq(with(&options, &view), ASSAY_USAGE);
        options = standard;
        options.max_header = value; /* the header has 129 bytes */
        ck_assert_uint_eq(with(&options, &view), bit < 8 ? ASSAY_LIMIT_HEADER : ASSAY_OK);
        options = standard;
        options.max_tensors = value;
        ck_assert_uint_eq(with(&options, &view), bit < 1 ? ASSAY_LIMIT_TENSORS : ASSAY_OK);
        options = standard;
        options.max_rank = options.max_name = options.max_metadata = value;
        ck_assert_uint_eq(with(&options, &view), ASSAY_OK);
    }
}
END_TEST

/* Data sections of more than 32 bits: one byte belongs to a tensor. */
START_TEST(files_beyond_32_bits)
{
    assay_view view;
    assay_error error;
    for (unsigned bit = 32; bit < 64; bit++) {
        const uint64_t more = UINT64_C(1) << bit;
        ck_assert_uint_eq(all_three((const uint8_t *)one, sizeof one - 1, sizeof one + more, NULL, &view, &error),
                          ASSAY_E_HOLE);
        ck_assert_uint_eq(error.offset, sizeof one);
        ck_assert_uint_eq(error.expected, 1);
        ck_assert_uint_eq(error.found, 1 + more);
        for (uint64_t low = 0; low < 9; low++) { /* as a number of 32 bits it would be less than the head */
            ck_assert_uint_eq(all_three((const uint8_t *)one, sizeof one - 1, more + low, NULL, &view, &error),
                              ASSAY_E_HOLE);
        }
    }
}
END_TEST

/* A head of more than 4 GiB, of which only the beginning is used, and header lengths of 2^32 and more. Skipped without
 * enough address space: under RLIMIT_AS, as in make mutants, or with strict overcommit. */
START_TEST(heads_beyond_32_bits)
{
    const uint64_t size = TWO_32 + 4096;
    assay_view view;
    assay_error error;
    struct rlimit limit;
    ck_assert(getrlimit(RLIMIT_AS, &limit) == 0);
    if (limit.rlim_cur < 2 * size) {
        SKIPPED("heads_beyond_32_bits", "the limit of address space is below 8 GiB");
        return;
    }
    uint8_t *head = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (head == MAP_FAILED && errno == ENOMEM) {
        SKIPPED("heads_beyond_32_bits", "the system gives no 4 GiB of address space");
        return;
    }
    ck_assert(head != MAP_FAILED);
    memcpy(head, one, sizeof one - 1);
    for (uint64_t low = 0; low < 4; low++) {
        ck_assert_uint_eq(all_three(head, TWO_32 + low, sizeof one, NULL, &view, &error), ASSAY_OK);
        ck_assert_uint_eq(view.data_size, 1);
    }
    for (size_t byte = 4; byte < 8; byte++) {
        head[byte] = 1;
        ck_assert_uint_eq(all_three(head, size, UINT64_MAX, NULL, &view, &error), ASSAY_E_HEADER_LARGE);
        ck_assert_uint_eq(error.offset, 0);
        ck_assert_uint_eq(error.found, 129 + (UINT64_C(1) << 8 * byte));
        head[byte] = 0;
    }
    munmap(head, size);
}
END_TEST

SUITE_MAIN("wide", tensors_beyond_16_bits, pairs_beyond_16_bits, indexes_beyond_32_bits, a_rank_beyond_16_bits,
           a_name_beyond_16_bits, options_of_high_bits, files_beyond_32_bits, heads_beyond_32_bits)
