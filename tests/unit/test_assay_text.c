/* test_assay_text.c: words for statuses, dtypes and errors, and texts as UTF-8. spec/generate.py --check shows that the
 * words are those of the tables. */
#include "assay_text.h"
#include "suite.h"

#define IS(constant) ck_assert_str_eq(assay_status_name(constant), &#constant[sizeof "ASSAY_" - 1])
#define DTYPE(name)                                                         \
    ck_assert_str_eq(assay_dtype_name(ASSAY_DTYPE_##name), #name);          \
    ck_assert_uint_eq(assay_dtype_parse(#name, sizeof #name - 1), ASSAY_DTYPE_##name)

/* ---- Names ---------------------------------------------------------------------------------------------- */

START_TEST(names_of_statuses)
{
    IS(ASSAY_OK);
    IS(ASSAY_NEED_MORE);
    IS(ASSAY_WORKSPACE);
    IS(ASSAY_LIMIT_METADATA);
    IS(ASSAY_E_FILE_SHORT);
    IS(ASSAY_E_NAME_TWICE);
    IS(ASSAY_E_EMPTY_INSIDE);
    ck_assert_str_eq(assay_status_rule(ASSAY_OK), "");
    ck_assert_str_eq(assay_status_rule(ASSAY_NEED_MORE), "N1");
    ck_assert_str_eq(assay_status_rule(ASSAY_E_FILE_SHORT), "F1");
    ck_assert_str_eq(assay_status_rule(ASSAY_E_SHAPE_SUBBYTE), "H21");
    ck_assert_str_eq(assay_status_rule(ASSAY_E_NAME_TWICE), "G2");
    ck_assert_str_eq(assay_status_rule(ASSAY_E_EMPTY_INSIDE), "G6");
    ck_assert_str_eq(assay_status_text(ASSAY_OK), "no rule is broken");
    ck_assert_str_eq(assay_status_text(ASSAY_E_NAME_TWICE), "two tensors have the same name");
    ck_assert_str_eq(assay_version(), ASSAY_VERSION);
}
END_TEST

/* Words are printable; a status has all of them or none; no two statuses share a name or a rule. */
START_TEST(words_of_all_statuses)
{
    uint32_t known = 0;
    for (uint32_t status = 0; status < 300; status++) {
        const char *const text[] = {assay_status_name(status), assay_status_rule(status), assay_status_text(status)};
        const bool is = status == ASSAY_OK || text[0][0] != '\0';
        known += is;
        ck_assert_int_eq(text[1][0] != '\0', is && status != ASSAY_OK);
        ck_assert_int_eq(text[2][0] != '\0', is);
        ck_assert(is || (status > ASSAY_OK && status < ASSAY_E_FIRST) || status > ASSAY_E_EMPTY_INSIDE);
        for (size_t k = 0; k < 3; k++) {
            for (const char *at = text[k]; *at != '\0'; at++) {
                MUST(*at >= ' ' && *at <= '~');
            }
        }
        for (uint32_t other = 0; is && other < status; other++) {
            MUST(strcmp(text[0], assay_status_name(other)) != 0);
            MUST(strcmp(text[1], assay_status_rule(other)) != 0);
        }
    }
    ck_assert_uint_ge(known, 1 + 8 + 32);
    ck_assert_str_eq(assay_status_name(UINT32_MAX), "");
    ck_assert_str_eq(assay_status_rule(UINT32_MAX), "");
    ck_assert_str_eq(assay_status_text(UINT32_MAX), "");
}
END_TEST

START_TEST(dtypes)
{
    DTYPE(BOOL);
    DTYPE(U8);
    DTYPE(BF16);
    DTYPE(F8_E4M3FNUZ);
    DTYPE(C64);
    for (uint64_t dtype = 0; dtype < 300; dtype++) {
        const char *name = assay_dtype_name(dtype);
        const size_t size = strlen(name);
        ck_assert_int_eq(size > 0, dtype > 0 && dtype <= ASSAY_DTYPE_LAST);
        ck_assert_uint_eq(assay_dtype_parse(name, size), size > 0 ? dtype : 0);
        ck_assert_uint_eq(assay_dtype_parse(name, size + 1), 0);
        ck_assert(size == 0 || assay_dtype_parse(name, size - 1) != dtype);
    }
    ck_assert_uint_eq(assay_dtype_parse(NULL, 0), 0);
    ck_assert_uint_eq(assay_dtype_parse("f32", 3), 0);
    ck_assert_uint_eq(assay_dtype_parse("F32 ", 4), 0);
    ck_assert_uint_eq(assay_dtype_parse("\xFF", 1), 0);
    ck_assert_str_eq(assay_dtype_name(UINT64_C(1) << 32 | ASSAY_DTYPE_U8), "");
}
END_TEST

/* ---- Errors --------------------------------------------------------------------------------------------- */

/* Format the error in buffers of every size. */
static void formats(const assay_error *error, const char *expected)
{
    const size_t length = strlen(expected);
    ck_assert_uint_eq(assay_error_format(NULL, 0, error), length);
    for (size_t size = 1; size < length + 3; size++) {
        char *buffer = malloc(size);
        memset(buffer, '#', size);
        MUST(assay_error_format(buffer, size, error) == length);
        const size_t kept = length < size ? length : size - 1;
        MUST(memcmp(buffer, expected, kept) == 0 && buffer[kept] == '\0');
        MUST(kept + 1 >= size || buffer[kept + 1] == '#');
        free(buffer);
    }
}

/* An error with these numbers, of which all but ASSAY_NONE are set. */
static assay_error error_of(uint64_t status, uint64_t offset, uint64_t tensor, uint64_t other, uint64_t expected,
                            uint64_t found)
{
    const uint64_t has = (offset != ASSAY_NONE ? ASSAY_HAS_OFFSET : 0) + (tensor != ASSAY_NONE ? ASSAY_HAS_TENSOR : 0) +
                         (other != ASSAY_NONE ? ASSAY_HAS_OTHER : 0) +
                         (expected != ASSAY_NONE ? ASSAY_HAS_EXPECTED : 0) +
                         (found != ASSAY_NONE ? ASSAY_HAS_FOUND : 0);
    return (assay_error){status, offset, tensor, other, expected, found, has, {0, 0}, {0, 0}};
}

START_TEST(errors)
{
    assay_error error = error_of(ASSAY_OK, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE);
    formats(&error, "no rule is broken");
    error = error_of(ASSAY_E_NAME_TWICE, 61, 1, 0, ASSAY_NONE, ASSAY_NONE);
    formats(&error, "invalid: rule G2 at byte 61: two tensors have the same name (tensor 1, other 0)");
    error = error_of(ASSAY_NEED_MORE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, 8, 0);
    formats(&error, "not judged: rule N1: more bytes of the file are needed (expected 8, found 0)");
    error = error_of(ASSAY_WORKSPACE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE);
    formats(&error, "not judged: rule N2: the workspace is too small");
    error = error_of(ASSAY_E_HEADER_LARGE, 0, ASSAY_NONE, ASSAY_NONE, 100000000, UINT64_MAX - 1);
    formats(&error, "invalid: rule F2 at byte 0: the header length exceeds the format's limit"
                    " (expected 100000000, found 18446744073709551614)");
    error = error_of(ASSAY_E_METADATA_KEY_TWICE, 30, ASSAY_NONE, 10, ASSAY_NONE, 109);
    formats(&error, "invalid: rule G1 at byte 30: two metadata keys are equal (other 10, found 109)");
    error = error_of(ASSAY_E_TYPE, 9, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, 7);
    formats(&error, "invalid: rule H14 at byte 9: a value of the wrong type (found 7)");
    error = error_of(77, 1, 2, 3, 4, 5);
    formats(&error, "unknown status 77");
    error.status = UINT64_C(1) << 32 | ASSAY_E_TYPE;
    formats(&error, "unknown status 4294967344");
}
END_TEST

/* The longest text fits the size that the header names. */
START_TEST(longest_error)
{
    char text[ASSAY_ERROR_TEXT];
    const uint64_t number = UINT64_MAX - 1;
    for (uint32_t status = 0; status < 300; status++) {
        const assay_error error = error_of(status, number, number, number, number, number);
        const uint64_t length = assay_error_format(text, sizeof text, &error);
        ck_assert_uint_lt(length, ASSAY_ERROR_TEXT);
        ck_assert_uint_eq(length, strlen(text));
    }
}
END_TEST

/* Each number of digits, and all digits. */
START_TEST(numbers)
{
    for (uint64_t number = 1, k = 0; k < 20; k++, number *= 10) {
        for (uint64_t step = 0; step < 3; step++) {
            char text[ASSAY_ERROR_TEXT], expected[ASSAY_ERROR_TEXT];
            const uint64_t value = number * (step == 2 && k < 19 ? 9 : 1) - (step == 1);
            const assay_error error = error_of(ASSAY_E_TYPE, value, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE);
            assay_error_format(text, sizeof text, &error);
            snprintf(expected, sizeof expected, "invalid: rule H14 at byte %llu: a value of the wrong type",
                     (unsigned long long)value);
            ck_assert_str_eq(text, expected);
        }
    }
}
END_TEST

/* ---- UTF-8 ---------------------------------------------------------------------------------------------- */

/* Texts as a header has them, and as UTF-8. */
static const struct {
    const char *raw, *plain;
} texts[] = {{"", ""},
             {"a", "a"},
             {"layer.0", "layer.0"},
             {"\\u0061\\n\\\"\\\\\\/\\b\\f\\r\\t", "a\n\"\\/\b\f\r\t"},
             {"\x7F\xC2\x80\xDF\xBF", "\x7F\xC2\x80\xDF\xBF"},
             {"\xE0\xA0\x80\xEF\xBF\xBF", "\xE0\xA0\x80\xEF\xBF\xBF"},
             {"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"},
             {"\\u007f\\u0080\\u07FF\\u0800\\uFFFF", "\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF"},
             {"\\ud800\\udc00\\uDBFF\\uDFFF", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"},
             {"a\\u00e9\xE5\xB1\xA4\\ud83d\\ude00z", "a\xC3\xA9\xE5\xB1\xA4\xF0\x9F\x98\x80z"}};

/* Return the length of the longest beginning that fits and ends with a whole character. */
static size_t whole_part(const char *plain, size_t size)
{
    size_t kept = strlen(plain);
    if (kept >= size) {
        kept = size - 1;
        while (kept > 0 && ((uint8_t)plain[kept] & 0xC0) == 0x80) {
            kept--;
        }
    }
    return kept;
}

START_TEST(texts_are_cut_between_characters)
{
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        char json[300];
        assay_entry entry[1];
        uint32_t word[16];
        const assay_workspace workspace = {entry, 1, word, 16};
        assay_result result;
        assay_tensor tensor;
        const size_t used = (size_t)snprintf(json, sizeof json,
                                             "________{\"%s\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}",
                                             texts[k].raw);
        memset(json, 0, 8);
        json[0] = (char)(used - 8);
        uint8_t *head = exactly(json, used);
        const assay_input input = {head, used, used};
        ck_assert_uint_eq(assay_parse(&input, NULL, &workspace, &result), ASSAY_OK);
        const assay_view view = result.view;
        ck_assert(assay_tensor_at(&view, 0, &tensor));
        const size_t length = strlen(texts[k].plain);
        ck_assert_uint_eq(assay_text_utf8(&view, tensor.name, NULL, 0), length);
        for (size_t size = 1; size < length + 3; size++) {
            char *buffer = malloc(size);
            memset(buffer, '#', size);
            MUST(assay_text_utf8(&view, tensor.name, buffer, size) == length);
            const size_t kept = whole_part(texts[k].plain, size);
            MUST(memcmp(buffer, texts[k].plain, kept) == 0 && buffer[kept] == '\0');
            free(buffer);
        }
        free(head);
    }
}
END_TEST

/* A text that does not lie in the header comes out empty, and what is ill-formed as U+FFFD. */
START_TEST(texts_of_nobody)
{
    static const char json[] = "\x35\0\0\0\0\0\0\0{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}}1234";
    assay_entry entry[1];
    uint32_t word[16];
    const assay_workspace workspace = {entry, 1, word, 16};
    assay_result result;
    char buffer[8];
    uint8_t *head = exactly(json, 61);
    const assay_input input = {head, 61, 65};
    ck_assert_uint_eq(assay_parse(&input, NULL, &workspace, &result), ASSAY_OK);
    const assay_view view = result.view;
    const assay_text wrong[] = {{10, 62}, {61, 61}, {11, 10}, {UINT64_MAX, UINT64_MAX}, {0, UINT64_MAX}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        memset(buffer, '#', sizeof buffer);
        ck_assert_uint_eq(assay_text_utf8(&view, wrong[k], buffer, sizeof buffer), 0);
        ck_assert(buffer[0] == '\0' && buffer[1] == '#');
    }
    head[10] = 0xFF;
    ck_assert_uint_eq(assay_text_utf8(&view, (assay_text){10, 11}, buffer, sizeof buffer), 3);
    ck_assert_str_eq(buffer, "\xEF\xBF\xBD");
    free(head);
}
END_TEST

SUITE_MAIN("assay_text", names_of_statuses, words_of_all_statuses, dtypes, errors, longest_error, numbers,
           texts_are_cut_between_characters, texts_of_nobody)
