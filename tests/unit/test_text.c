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
    uint32_t other = 4 * (uint32_t)(first + 1), end = (uint32_t)(first + 1 + second);
    uint32_t up = assay_texts_compare(head, end, 0, other, 0).order;
    uint32_t down = assay_texts_compare(head, end, other, 0, 0).order;
    free(head);
    MUST(up + down == (up == 0 ? 0 : 3));
    return up == 0;
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

/* Compare two texts of a head from every byte that they share, and read each of their bytes. */
static void check_order(const uint8_t *head, uint32_t end, uint32_t left, uint32_t right)
{
    uint8_t plain[2][480];
    uint32_t cursor[2][481];
    size_t size[2], stop, common = 0;
    size[0] = simple_unescape(head + left, end - left, plain[0], &stop);
    size[1] = simple_unescape(head + right, end - right, plain[1], &stop);
    MUST(simple_cursors(head, left, end, cursor[0]) == size[0]);
    MUST(simple_cursors(head, right, end, cursor[1]) == size[1]);
    while (common < size[0] && common < size[1] && plain[0][common] == plain[1][common]) {
        common++;
    }
    for (size_t k = 0; k <= common; k++) {
        assay_comparison order = assay_texts_compare(head, end, cursor[0][k], cursor[1][k], k);
        MUST(order.common == common);
        MUST(order.left == cursor[0][common] && order.right == cursor[1][common]);
        int expected = simple_order(plain[0], size[0], plain[1], size[1]);
        MUST(order.order == (expected < 0 ? 1u : expected > 0 ? 2u : 0));
    }
    for (size_t k = 0; k < size[0]; k++) {
        MUST(assay_symbol(head, end, cursor[0][k]) == (plain[0][k] + UINT64_C(1)) * 4294967296 + cursor[0][k + 1]);
    }
    MUST(assay_symbol(head, end, cursor[0][size[0]]) == 0);
}

/* Two texts in one head, of which the first may continue into the second, and the bytes of a third. */
START_TEST(texts_are_their_bytes)
{
    uint8_t text[3][80], plain[3][480], room[160];
    for (uint32_t round = 0; round < 40000; round++) {
        size_t size[3], used[3], end, other;
        for (size_t k = 0; k < 3; k++) {
            size[k] = some_text(text[k]);
        }
        memcpy(room, text[0], size[0]);
        memcpy(room + size[0], text[1], size[1]);
        size_t second = size[0], whole = size[0] + size[1];
        uint8_t *head = exactly((const char *)room, whole);
        used[0] = simple_unescape(head, whole, plain[0], &end);
        used[2] = simple_unescape(text[2], size[2], plain[2], &other);
        MUST(assay_text_end(head, 0, (uint32_t)whole) == end);
        check_order(head, (uint32_t)whole, 0, (uint32_t)second);
        check_order(head, (uint32_t)whole, (uint32_t)second, 0);
        MUST(assay_text_order(head, 0, (uint32_t)whole, plain[2], used[2]) ==
             simple_order(plain[0], used[0], plain[2], used[2]));
        free(head);
    }
}
END_TEST

SUITE_MAIN("text", one_code_point, any_bytes_are_decoded, every_code_point_is_encoded, order_of_text_and_bytes,
           same_texts, ends_of_texts, texts_are_their_bytes)
