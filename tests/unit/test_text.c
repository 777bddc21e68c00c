/* test_text.c: unescaped text: decoding, which is defined for all bytes, and comparison. */
#include "simple_text.h"

#define BAD SIMPLE_BAD

typedef struct {
    const char *text;
    size_t size;
    uint32_t code, next; /* what stands first, and where the next one begins */
} row;

#define ROW(text, code, next) {text, sizeof text - 1, code, next}

START_TEST(one_code_point)
{
    static const row rows[] = {
        ROW("a", 'a', 1), ROW("\x7F", 0x7F, 1), ROW("\xC2\x80", 0x80, 2), ROW("\xDF\xBFx", 0x7FF, 2),
        ROW("\xE0\xA0\x80", 0x800, 3), ROW("\xED\x9F\xBF", 0xD7FF, 3), ROW("\xEE\x80\x80", 0xE000, 3),
        ROW("\xEF\xBF\xBF", 0xFFFF, 3), ROW("\xF0\x90\x80\x80", 0x10000, 4), ROW("\xF4\x8F\xBF\xBF", 0x10FFFF, 4),
        ROW("\\n", 10, 2), ROW("\\t", 9, 2), ROW("\\r", 13, 2), ROW("\\b", 8, 2), ROW("\\f", 12, 2), ROW("\\/", '/', 2),
        ROW("\\\\", '\\', 2), ROW("\\\"", '"', 2), ROW("\\u0041", 'A', 6), ROW("\\uaBcDx", 0xABCD, 6),
        ROW("\\uFFFD", BAD, 6), ROW("\xEF\xBF\xBD", BAD, 3), ROW("\\uD83D\\uDE00", 0x1F600, 12),
        ROW("\\udbff\\udfff", 0x10FFFF, 12),
        /* ill-formed: the replacement character, one byte each */
        ROW("\x80", BAD, 1), ROW("\xC1\x80", BAD, 1), ROW("\xF5\x80\x80\x80", BAD, 1), ROW("\xC3", BAD, 1),
        ROW("\xC3\x28", BAD, 1), ROW("\xC3\xC0", BAD, 1), ROW("\xE0\x9F\x80", BAD, 1), ROW("\xED\xA0\x80", BAD, 1),
        ROW("\xE1\x80", BAD, 1), ROW("\xE1\x80\x28", BAD, 1), ROW("\xF0\x8F\x80\x80", BAD, 1),
        ROW("\xF4\x90\x80\x80", BAD, 1), ROW("\xF1\x80\x80", BAD, 1), ROW("\xF1\x80\x80\x28", BAD, 1),
        ROW("\xF1\x28\x80\x80", BAD, 1), ROW("\\", BAD, 1), ROW("\\x", BAD, 1), ROW("\\u", BAD, 1),
        ROW("\\u004", BAD, 1), ROW("\\u004g", BAD, 1), ROW("\\u00g1", BAD, 1), ROW("\\u0g11", BAD, 1),
        ROW("\\ug111", BAD, 1), ROW("\\u/111", BAD, 1), ROW("\\u1:11", BAD, 1), ROW("\\u1@11", BAD, 1),
        ROW("\\u1`11", BAD, 1), ROW("\\uDC00", BAD, 1), ROW("\\uD800", BAD, 1), ROW("\\uD800\\u0041", BAD, 1),
        ROW("\\uD800\\uE000", BAD, 1), ROW("\\uD800\\n1234", BAD, 1), ROW("\\uD800x12345", BAD, 1),
        ROW("\\uD800\\uDC0", BAD, 1), ROW("\\uD800\\uDC0g", BAD, 1),
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint8_t *bytes = exactly(rows[k].text, rows[k].size);
        uint64_t step = assay_decode(bytes, 0, (uint32_t)rows[k].size);
        ck_assert_msg(step == rows[k].code * 4294967296u + rows[k].next, "%s: code %x, next %u", rows[k].text,
                      (unsigned)(step / 4294967296u), (unsigned)(step % 4294967296u));
        free(bytes);
    }
}
END_TEST

static void check_decode(const uint8_t *bytes, size_t at, size_t size)
{
    size_t length;
    uint32_t code = simple_decode(bytes + at, size - at, &length);
    MUST(assay_decode(bytes, (uint32_t)at, (uint32_t)size) == code * 4294967296u + at + length);
}

/* Each of these texts, cut at any byte, and with any byte changed. */
START_TEST(any_bytes_are_decoded)
{
    static const char *const texts[] = {"\\uD83D\\uDE00", "\\uDBFF\\uDFFFx", "\\uD800\\uDC00", "\\ud7ff\\udc00",
                                        "\\uE000\\uDC00", "\\uD800\\uE000", "\\uDC00\\uDC00", "\\uABCD", "\\u09af",
                                        "\\uffff", "\\n\\t", "\x7F\x80",
                                        "\xC2\x80", "\xDF\xBF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                                        "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF1\xAA\x95\xA5", "\xF4\x8F\xBF\xBF\x80"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        for (size_t size = 1; size <= strlen(texts[k]); size++) {
            uint8_t *bytes = exactly(texts[k], size);
            for (size_t at = 0; at < size; at++) {
                for (unsigned byte = 0; byte < 256; byte++) {
                    bytes[at] = (uint8_t)byte;
                    check_decode(bytes, 0, size);
                    check_decode(bytes, at, size);
                }
                bytes[at] = (uint8_t)texts[k][at];
            }
            free(bytes);
        }
    }
}
END_TEST

START_TEST(every_code_point_is_encoded)
{
    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        uint8_t bytes[4];
        size_t width = simple_encode(code, bytes);
        MUST(assay_utf8_width(code) == width);
        for (uint32_t k = 0; k < width; k++) {
            MUST(assay_utf8_byte(code, k) == bytes[k]);
        }
    }
}
END_TEST

static int order(const char *text, const char *bytes, size_t size)
{
    uint8_t *head = exactly(text, strlen(text)), *other = exactly(bytes, size);
    int said = assay_text_order(head, 0, (uint32_t)strlen(text), other, size);
    free(head);
    free(other);
    return said;
}

START_TEST(order_of_text_and_bytes)
{
    ck_assert_int_eq(order("", "", 0), 0);
    ck_assert_int_eq(order("\"", "", 0), 0);
    ck_assert_int_eq(order("a", "", 0), 1);
    ck_assert_int_eq(order("", "a", 1), -1);
    ck_assert_int_eq(order("abc\"", "abc", 3), 0);
    ck_assert_int_eq(order("abc", "abcd", 4), -1);
    ck_assert_int_eq(order("abc", "ab", 2), 1);
    ck_assert_int_eq(order("abd", "abc", 3), 1);
    ck_assert_int_eq(order("abb", "abc", 3), -1);
    ck_assert_int_eq(order("a\\u0062c", "abc", 3), 0);
    ck_assert_int_eq(order("a\\u0062", "abc", 3), -1);
    ck_assert_int_eq(order("a\\u0063", "abc", 3), 1);
    ck_assert_int_eq(order("a\\u0061", "abc", 3), -1);
    ck_assert_int_eq(order("\\u00e9", "\xC3\xA9", 2), 0);
    ck_assert_int_eq(order("\\u00e9", "\xC3", 1), 1);
    ck_assert_int_eq(order("\\u00e9", "", 0), 1);
    ck_assert_int_eq(order("\\u00e9", "\xC3\xAA", 2), -1);
    ck_assert_int_eq(order("\\u00e9", "\xC3\xA8", 2), 1);
    ck_assert_int_eq(order("\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80", 4), 0);
    ck_assert_int_eq(order("\\uD83D\\uDE00", "\xF0\x9F\x98\x80", 4), 0);
    ck_assert_int_eq(order("\\uFFFF", "\xF0\x90\x80\x80", 4), -1); /* code points, not UTF-16 */
}
END_TEST

static int same(const char *a, const char *b)
{
    char text[200];
    size_t first = strlen(a), second = strlen(b);
    memcpy(text, a, first + 1);
    text[first] = '"';
    memcpy(text + first + 1, b, second);
    uint8_t *head = exactly(text, first + 1 + second);
    int said = (int)(assay_text_same(head, 0, (uint32_t)first + 1, (uint32_t)(first + 1 + second)) % 2);
    MUST(assay_text_same(head, (uint32_t)first + 1, 0, (uint32_t)(first + 1 + second)) % 2 == (uint64_t)said);
    free(head);
    return said;
}

START_TEST(same_texts)
{
    static const char *const classes[][3] = {
        {"", "", ""}, {"a", "\\u0061", "a"}, {"ab", "\\u0061b", "a\\u0062"}, {"\xC3\xA9", "\\u00e9", "\\u00E9"},
        {"/", "\\/", "\\u002f"}, {"\\n", "\\u000a", "\\n"}, {"\xF0\x9F\x98\x80", "\\uD83D\\uDE00", "\\ud83d\\ude00"},
        {"ac", "\\u0061c", "ac"}, {"a\xC3\xA9", "a\\u00e9", "\\u0061\\u00e9"}, {"\xC3\xAA", "\\u00ea", "\xC3\xAA"},
        {"\xE5\xB1\xA4", "\\u5c64", "\\u5C64"},
        {"abcdefghijklmnop", "abcdefgh\\u0069jklmnop", "abcdefghijklmno\\u0070"},
        {"\xEF\xBF\xBD", "\\uFFFD", "\\ufffd"}, {"\xC3", "\xC3", "\xC3"}, {"\xA9", "\xA9", "\xA9"},
    };
    const size_t count = sizeof classes / sizeof *classes;
    for (size_t i = 0; i < 3 * count; i++) {
        for (size_t j = 0; j < 3 * count; j++) {
            ck_assert_msg(same(classes[i / 3][i % 3], classes[j / 3][j % 3]) == (i / 3 == j / 3), "%s and %s",
                          classes[i / 3][i % 3], classes[j / 3][j % 3]);
        }
    }
}
END_TEST

START_TEST(ends_of_texts)
{
    uint8_t *head = exactly("a\\\"b\"c\\", 7);
    ck_assert_uint_eq(assay_text_end(head, 0, 7), 4);
    ck_assert_uint_eq(assay_text_end(head, 5, 7), 7);
    ck_assert_uint_eq(assay_text_end(head, 7, 7), 7);
    free(head);
}
END_TEST

/* Units of text, some ill-formed. The alphabet is small, so that texts are often equal. */
static size_t some_text(uint8_t *out)
{
    static const char *const units[] = {"a", "\\u0061", "b", "\\u0062", "\xC3\xA9", "\\u00E9", "\\u00e8", "\xC3",
                                        "\xA9", "\\n", "\\u000a", "\n", "\xF0\x9F\x98\x80", "\\uD83D\\uDE00", "\\uD83D",
                                        "\xEF\xBF\xBD",
                                        "\\uFFFD", "\\", "\\x", "\\\"", "\"", "\\u12", "\\u5c64", "\xE5\xB1\xA4"};
    size_t used = 0;
    for (uint32_t left = below(6); left > 0; left--) {
        const char *unit = units[below(sizeof units / sizeof *units)];
        memcpy(out + used, unit, strlen(unit));
        used += strlen(unit);
    }
    return used;
}

/* Two texts in one head, of which the first may continue into the second, and the bytes of a third. */
START_TEST(texts_are_their_bytes)
{
    const uint64_t secret = simple_secret(5);
    uint8_t text[3][80], plain[3][240], room[160];
    for (uint32_t round = 0; round < 40000; round++) {
        size_t size[3], used[3], end[2], other;
        for (size_t k = 0; k < 3; k++) {
            size[k] = some_text(text[k]);
        }
        memcpy(room, text[0], size[0]);
        memcpy(room + size[0], text[1], size[1]);
        size_t second = size[0], whole = size[0] + size[1];
        uint8_t *head = exactly((const char *)room, whole);
        used[0] = simple_unescape(head, whole, plain[0], &end[0]);
        used[1] = simple_unescape(head + second, size[1], plain[1], &end[1]);
        used[2] = simple_unescape(text[2], size[2], plain[2], &other);
        MUST(assay_text_end(head, 0, (uint32_t)whole) == end[0]);
        bool equal = used[0] == used[1] && memcmp(plain[0], plain[1], used[0]) == 0;
        uint64_t said = assay_text_same(head, 0, (uint32_t)second, (uint32_t)whole);
        MUST(said % 2 == equal && said / 2 <= end[0] + end[1] + 2 && said / 2 >= 2);
        MUST(!equal || said / 2 == end[0] + end[1] + 2);
        MUST(assay_text_same(head, (uint32_t)second, 0, (uint32_t)whole) == said);
        MUST(assay_hash_text(head, 0, (uint32_t)whole, secret) == simple_hash(plain[0], used[0], secret));
        size_t shorter = used[0] < used[2] ? used[0] : used[2];
        int order = memcmp(plain[0], plain[2], shorter);
        order = order != 0 ? order : (used[0] > used[2]) - (used[0] < used[2]);
        MUST(assay_text_order(head, 0, (uint32_t)whole, plain[2], used[2]) == (order > 0) - (order < 0));
        free(head);
    }
}
END_TEST

SUITE_MAIN("text", one_code_point, any_bytes_are_decoded, every_code_point_is_encoded, order_of_text_and_bytes,
           same_texts, ends_of_texts, texts_are_their_bytes)
