/* test_hash.c: the hash of names equals the specification, for plain texts and escapes; and the slots that hold it. */
#include <stdio.h>

#include "simple_text.h"

/* Seeds at the limits, and some others. */
static uint64_t a_seed(uint32_t k)
{
    static const uint64_t edges[] = {0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF, 0x100000000,
                                     UINT64_MAX - 1, UINT64_MAX};
    const uint32_t count = sizeof edges / sizeof *edges;
    return k < count ? edges[k] : (uint64_t)below(1u << 24) << 40 | (uint64_t)below(1u << 24) << 20 | below(1u << 24);
}

/* Secrets that seeds make, and other pairs of numbers below 2^29, which a hash accepts too. */
static uint64_t a_secret(uint32_t k)
{
    static const uint64_t numbers[] = {0, 1, 0x10000001, 0x1FFFFFFE, 0x1FFFFFFF};
    return k < 25 ? numbers[k / 5] << 32 | numbers[k % 5] : simple_secret(a_seed(k));
}

START_TEST(hashes_are_what_the_specification_says)
{
    for (uint32_t k = 0; k < 2000; k++) {
        uint8_t bytes[64];
        char text[6 * 64 + 1] = "";
        uint64_t secret = a_secret(k < 500 ? k / 20 : k);
        size_t size = below(64);
        for (size_t i = 0; i < size; i++) {
            bytes[i] = (uint8_t)(k % 3 == 0 ? below(256) : 1 + below(127));
            sprintf(text + strlen(text), "\\u%04x", bytes[i]);
        }
        uint32_t hash = simple_hash(bytes, size, secret);
        MUST(assay_hash_bytes(bytes, size, secret) == hash);
        MUST(k % 3 == 0 || assay_hash_text((const uint8_t *)text, 0, (uint32_t)strlen(text), secret) == hash);
    }
}
END_TEST

/* Texts of any length, in memory that ends with the quote. */
START_TEST(hashes_of_plain_texts)
{
    for (uint32_t k = 0; k < 2000; k++) {
        char text[201];
        uint64_t secret = a_secret(k);
        uint32_t size = k % 200;
        for (uint32_t i = 0; i < size; i++) {
            text[i] = (char)('a' + below(26));
        }
        text[size] = '"';
        uint8_t *head = exactly(text, size + 1);
        uint32_t hash = simple_hash(head, size, secret);
        MUST(assay_hash_bytes(head, size, secret) == hash);
        MUST(assay_hash_text(head, 0, size + 1, secret) == hash);
        MUST(size == 0 || assay_hash_bytes(head + 1, size - 1, secret) == simple_hash(head + 1, size - 1, secret));
        free(head);
    }
}
END_TEST

/* Also where the sums of the mixing exceed 32 bits. */
START_TEST(secrets_of_seeds)
{
    for (uint32_t k = 0; k < 2000; k++) {
        uint64_t seed = a_seed(k);
        MUST(assay_hash_secret(seed) == simple_secret(seed));
    }
}
END_TEST

START_TEST(hashes_of_wide_code_points)
{
    for (uint32_t code = 1; code <= 0x10FFFF; code += 1 + below(40)) {
        uint8_t bytes[4];
        char text[13];
        size_t width = simple_encode(code, bytes);
        if (code > 0xFFFF) {
            sprintf(text, "\\u%04x\\u%04x", 0xD800 + ((code - 0x10000) >> 10), 0xDC00 + (code & 0x3FF));
        } else {
            sprintf(text, "\\u%04x", code);
        }
        if (code < 0xD800 || code > 0xDFFF) {
            MUST(assay_hash_text((const uint8_t *)text, 0, (uint32_t)strlen(text), 0x1000000118000003) ==
                 simple_hash(bytes, width, 0x1000000118000003));
        }
    }
}
END_TEST

START_TEST(equal_texts_have_equal_hashes)
{
    const char *const pairs[][2] = {{"abc", "a\\u0062c"}, {"\xC3\xA9", "\\u00e9"},
                                    {"\xF0\x9F\x98\x80", "\\uD83D\\uDE00"}, {"/\n", "\\/\\n"}, {"", ""}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        uint64_t secret = assay_hash_secret(k);
        char text[32];
        uint32_t size = (uint32_t)sprintf(text, "%s\"%s\"", pairs[k][0], pairs[k][1]);
        const uint8_t *head = (const uint8_t *)text;
        uint32_t second = (uint32_t)strlen(pairs[k][0]) + 1;
        uint32_t hash = assay_hash_bytes((const uint8_t *)pairs[k][0], strlen(pairs[k][0]), secret);
        ck_assert_uint_eq(assay_hash_text(head, 0, size, secret), hash);
        ck_assert_uint_eq(assay_hash_text(head, second, size, secret), hash);
        ck_assert_uint_eq(assay_text_same(head, 0, second, size) % 2, 1);
    }
}
END_TEST

/* The code points on both sides of a step in the first byte of four, and a byte that never occurs in UTF-8, after an
 * escape. */
START_TEST(an_escape_is_hashed_as_what_it_stands_for)
{
    static const char *const texts[][2] = {
        {"\\ud8bf\\udfff", "\xF0\xBF\xBF\xBF"}, {"\\ud8c0\\udc00", "\xF1\x80\x80\x80"}, {"\\n\xFF", "\n\xFF"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const uint8_t *text = (const uint8_t *)texts[i][0], *plain = (const uint8_t *)texts[i][1];
        ck_assert_uint_eq(assay_hash_text(text, 0, (uint32_t)strlen(texts[i][0]), 0x1000000118000003),
                          assay_hash_bytes(plain, strlen(texts[i][1]), 0x1000000118000003));
    }
}
END_TEST

/* A text without a closing quote ends at the end of the header. */
START_TEST(a_text_may_end_with_the_header)
{
    uint8_t *bytes = exactly("abc", 3);
    uint64_t secret = assay_hash_secret(1);
    ck_assert_uint_eq(assay_hash_text(bytes, 0, 3, secret), assay_hash_bytes(bytes, 3, secret));
    ck_assert_uint_eq(assay_text_end(bytes, 0, 3), 3);
    ck_assert_uint_eq(assay_text_same(bytes, 0, 0, 3) % 2, 1);
    ck_assert_uint_eq(assay_text_same(bytes, 0, 1, 3) % 2, 0);
    free(bytes);
}
END_TEST

START_TEST(slots)
{
    static const uint32_t hashes[] = {0, 1, 255, 256, 257, 0x40000000, 0x7FFFFFFE, 0x7FFFFFFF};
    static const uint32_t places[] = {0, 1, 255, 256, 16777213};
    static const uint32_t sizes[] = {1, 2, 3, 512, 600, 33554428};
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++) {
        for (size_t j = 0; j < sizeof places / sizeof *places; j++) {
            uint32_t value = assay_slot(hashes[i], places[j]);
            ck_assert_uint_eq(value, (hashes[i] & 255) << 24 | (places[j] + 1));
            ck_assert_uint_eq(assay_slot_place(value), places[j]);
            for (size_t k = 0; k < sizeof hashes / sizeof *hashes; k++) {
                ck_assert_int_eq(assay_slot_tagged(value, hashes[k]), (hashes[i] & 255) == (hashes[k] & 255));
            }
        }
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            ck_assert_uint_eq(assay_hash_home(hashes[i], sizes[j]), ((uint64_t)hashes[i] * sizes[j]) >> 31);
        }
    }
}
END_TEST

SUITE_MAIN("hash", hashes_are_what_the_specification_says, hashes_of_plain_texts, secrets_of_seeds,
           hashes_of_wide_code_points, equal_texts_have_equal_hashes, an_escape_is_hashed_as_what_it_stands_for,
           a_text_may_end_with_the_header, slots)
