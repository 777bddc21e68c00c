/* test_assay_write.c: the writer: its heads byte by byte, every status, what it refuses, views compared. */
#include "assay_text.h"
#include "assay_write.h"
#include "suite.h"

enum { MANY = 64, ROOM = 65536 };

static uint8_t room[ROOM];
static uint32_t order[2 * MANY];
static assay_entry entry[MANY];
static uint32_t word[8 * MANY];
static const assay_workspace workspace = {entry, MANY, word, 8 * MANY};
static assay_file_plan plan;
static assay_result result;

static assay_chars text(const char *string)
{
    return (assay_chars){(const uint8_t *)string, strlen(string)};
}

static assay_new_tensor tensor(const char *name, uint64_t dtype, const uint64_t *dim, uint64_t rank)
{
    return (assay_new_tensor){text(name), dtype, dim, rank};
}

static assay_new_pair pair(const char *key, const char *value)
{
    return (assay_new_pair){text(key), text(value)};
}

static assay_status make(const assay_description *what, const assay_write_options *options)
{
    const assay_head_buffer head = {room, ROOM};
    memset(room, '#', sizeof room);
    memset(order, 0xFF, sizeof order); /* indexes that are used before they are written lead far outside */
    return assay_head_make(what, options, order, &head, &workspace, &plan, &result);
}

/* The head is made, and its JSON is this, padded to the length. */
static void makes(const assay_description *what, const assay_write_options *options, const char *json, uint64_t length,
                  uint64_t data)
{
    ck_assert_uint_eq(make(what, options), ASSAY_OK);
    ck_assert_uint_eq(plan.head, 8 + length);
    ck_assert_uint_eq(plan.data, data);
    ck_assert_uint_eq(plan.file, 8 + length + data);
    ck_assert_mem_eq(room + 8, json, strlen(json));
    for (uint64_t k = strlen(json); k < length; k++) {
        ck_assert_uint_eq(room[8 + k], ' ');
    }
    ck_assert_uint_eq(room[8 + length], '#');
    ck_assert_uint_eq(result.view.data_begin, plan.head);
    ck_assert_uint_eq(result.view.data_size, data);
    ck_assert_uint_eq(result.error.status, ASSAY_OK);
    ck_assert(assay_view_matches(&result.view, what, order));
}

static void fails(const assay_description *what, const assay_write_options *options, assay_status status,
                  uint64_t tensor_index, uint64_t other)
{
    ck_assert_uint_eq(make(what, options), status);
    ck_assert_uint_eq(result.error.status, status);
    ck_assert_uint_eq(result.error.tensor, tensor_index);
    ck_assert_uint_eq(result.error.other, other);
    ck_assert_uint_eq(result.error.has & (ASSAY_HAS_TENSOR | ASSAY_HAS_OTHER),
                      (tensor_index != ASSAY_NONE ? ASSAY_HAS_TENSOR : 0u) |
                          (other != ASSAY_NONE ? ASSAY_HAS_OTHER : 0u));
    ck_assert_uint_eq(result.error.offset, ASSAY_NONE);
}

START_TEST(heads_without_tensors)
{
    static const assay_write_options with = {ASSAY_API, ASSAY_ORDER_CANONICAL, 8, 0, 1};
    const assay_description nothing = {NULL, 0, NULL, 0};
    const assay_new_pair one[] = {pair("format", "pt")};
    makes(&nothing, NULL, "{}", 8, 0);
    makes(&nothing, &with, "{\"__metadata__\":{}}", 24, 0); /* B3 */
    makes(&(assay_description){NULL, 0, one, 1}, NULL, "{\"__metadata__\":{\"format\":\"pt\"}}", 32, 0);
}
END_TEST

START_TEST(canonical_order)
{
    static const uint64_t dim[] = {2, 3};
    const assay_new_tensor tensors[] = {
        tensor("b", ASSAY_DTYPE_F16, dim, 2),  tensor("z", ASSAY_DTYPE_BOOL, dim, 1),
        tensor("ab", ASSAY_DTYPE_F16, dim, 1), tensor("a", ASSAY_DTYPE_F16, NULL, 0),
        tensor("q", ASSAY_DTYPE_I64, dim, 0),  tensor("", ASSAY_DTYPE_F4, dim, 1),
        tensor("\xC3\xA9", ASSAY_DTYPE_F16, dim, 1)};
    const assay_new_pair pairs[] = {pair("b", "2"), pair("", "0"), pair("a", "1")};
    static const uint32_t expected[] = {4, 3, 2, 0, 6, 5, 1, 1, 2, 0};
    const assay_description what = {tensors, 7, pairs, 3};
    static const char json[] =
        "{\"__metadata__\":{\"\":\"0\",\"a\":\"1\",\"b\":\"2\"},"
        "\"q\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[0,8]},"
        "\"a\":{\"dtype\":\"F16\",\"shape\":[],\"data_offsets\":[8,10]},"
        "\"ab\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[10,14]},"
        "\"b\":{\"dtype\":\"F16\",\"shape\":[2,3],\"data_offsets\":[14,26]},"
        "\"\xC3\xA9\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[26,30]},"
        "\"\":{\"dtype\":\"F4\",\"shape\":[2],\"data_offsets\":[30,31]},"
        "\"z\":{\"dtype\":\"BOOL\",\"shape\":[2],\"data_offsets\":[31,33]}}";
    makes(&what, NULL, json, (strlen(json) + 7) / 8 * 8, 33);
    ck_assert_mem_eq(order, expected, sizeof expected);
    static const uint64_t begin[] = {0, 8, 10, 14, 26, 30, 31, 33};
    assay_piece piece = {0};
    for (uint64_t k = 0; k < 7; k++) {
        ck_assert(assay_piece_next(&what, order, &plan, &piece));
        ck_assert_uint_eq(piece.tensor, expected[k]);
        ck_assert_uint_eq(piece.begin, plan.head + begin[k]);
        ck_assert_uint_eq(piece.end, plan.head + begin[k + 1]);
    }
    ck_assert(!assay_piece_next(&what, order, &plan, &piece));
    ck_assert_uint_eq(piece.end, plan.file);
}
END_TEST

START_TEST(order_as_given)
{
    static const assay_write_options given = {ASSAY_API, ASSAY_ORDER_GIVEN, 64, 200, 0};
    static const uint64_t dim[] = {3, 0};
    const assay_new_tensor tensors[] = {tensor("b", ASSAY_DTYPE_U8, dim, 1), tensor("e", ASSAY_DTYPE_F4, dim, 2),
                                        tensor("a", ASSAY_DTYPE_F64, NULL, 0)};
    const assay_new_pair pairs[] = {pair("b", ""), pair("a", "")};
    makes(&(assay_description){tensors, 3, pairs, 2}, &given,
          "{\"__metadata__\":{\"b\":\"\",\"a\":\"\"},"
          "\"b\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]},"
          "\"e\":{\"dtype\":\"F4\",\"shape\":[3,0],\"data_offsets\":[3,3]},"
          "\"a\":{\"dtype\":\"F64\",\"shape\":[],\"data_offsets\":[3,11]}}", 248, 11);
}
END_TEST

/* Each byte that a text may have alone, with the escapes of the official library (serde_json), and long runs of plain
 * bytes around them. */
START_TEST(escapes)
{
    static const char letters[] = "btn\0fr";
    for (uint32_t byte = 1; byte < 0x80; byte++) {
        for (uint32_t before = 0; before < 40; before += 13) {
            char name[64] = "", expected[128] = "";
            memset(name, 'x', before);
            name[before] = (char)byte;
            strcat(name, "yyyyyyyyyyyyyyyyyy");
            const char letter = byte >= 8 && byte <= 13 ? letters[byte - 8] : '\0';
            char escape[8];
            if (byte == '"' || byte == '\\' || letter != '\0') {
                snprintf(escape, sizeof escape, "\\%c", letter != '\0' ? letter : (char)byte);
            } else {
                snprintf(escape, sizeof escape, byte < 0x20 ? "\\u%04x" : "%c", byte);
            }
            snprintf(expected, sizeof expected, "{\"__metadata__\":{\"%.*s%syyyyyyyyyyyyyyyyyy\":\"%s\"}}", (int)before,
                     name, escape, escape);
            const char value[] = {(char)byte, '\0'};
            const assay_new_pair pairs[] = {pair(name, value)};
            makes(&(assay_description){NULL, 0, pairs, 1}, NULL, expected, (strlen(expected) + 7) / 8 * 8, 0);
        }
    }
    const assay_new_pair late[] = {pair("xxxxxxxxxxxxxxxxxxxx\"yyy", "")}; /* in a last block that overlaps another */
    makes(&(assay_description){NULL, 0, late, 1}, NULL,
          "{\"__metadata__\":{\"xxxxxxxxxxxxxxxxxxxx\\\"yyy\":\"\"}}", 56, 0);
    const assay_new_pair raw[] = {pair("/\x7F\xC2\x80\xE2\x80\xA8\xEF\xBB\xBF\xF0\x9F\x98\x80", "")};
    makes(&(assay_description){NULL, 0, raw, 1}, NULL,
          "{\"__metadata__\":{\"/\x7F\xC2\x80\xE2\x80\xA8\xEF\xBB\xBF\xF0\x9F\x98\x80\":\"\"}}", 40, 0);
}
END_TEST

START_TEST(numbers)
{
    static const uint64_t number[] = {0, 1, 9, 10, 99, 100, 999, 1000, 9999, 10000, 99999, 100000, 4294967295,
                                      4294967296, 99999999, 100000000, 999999999999, 1000000000000, 9999999999999999,
                                      UINT64_C(10000000000000000), UINT64_C(18446744073709551615)};
    char json[256];
    for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
        const uint64_t dim[] = {0, number[k] / 64};
        const assay_new_tensor tensors[] = {tensor("n", ASSAY_DTYPE_F64, dim, 2)};
        snprintf(json, sizeof json, "{\"n\":{\"dtype\":\"F64\",\"shape\":[0,%llu],\"data_offsets\":[0,0]}}",
                 (unsigned long long)dim[1]);
        makes(&(assay_description){tensors, 1, NULL, 0}, NULL, json, (strlen(json) + 7) / 8 * 8, 0);
    }
    for (uint64_t power = 1; power <= UINT64_C(1000000000000000000); power *= 10) {
        for (uint64_t k = 0; k < 2; k++) { /* the first with one more digit, and the one before */
            const uint64_t dim[] = {power - k, 0};
            const assay_new_tensor tensors[] = {tensor("n", ASSAY_DTYPE_U8, dim, 2)};
            snprintf(json, sizeof json, "{\"n\":{\"dtype\":\"U8\",\"shape\":[%llu,0],\"data_offsets\":[0,0]}}",
                     (unsigned long long)dim[0]);
            makes(&(assay_description){tensors, 1, NULL, 0}, NULL, json, (strlen(json) + 7) / 8 * 8, 0);
        }
    }
    for (uint64_t k = 0; k < 20000; k++) {
        uint64_t value = (uint64_t)below(1u << 24) << 40 | (uint64_t)below(1u << 24) << 16 | below(1u << 16);
        value = (value >> below(64)) % UINT64_C(2305843009213693952);
        const assay_new_tensor tensors[] = {tensor("n", ASSAY_DTYPE_U8, &value, 1)};
        const assay_description what = {tensors, 1, NULL, 0};
        snprintf(json, sizeof json, "{\"n\":{\"dtype\":\"U8\",\"shape\":[%llu],\"data_offsets\":[0,%llu]}}",
                 (unsigned long long)value, (unsigned long long)value);
        MUST(make(&what, NULL) == ASSAY_OK && memcmp(room + 8, json, strlen(json)) == 0 && plan.data == value);
    }
}
END_TEST

START_TEST(refused)
{
    static const uint64_t two[] = {2}, three[] = {3}, zero_odd[] = {3, 0},
                          huge[] = {UINT64_C(1) << 32, UINT64_C(1) << 32}, huge_zero[] = {UINT64_C(1) << 61, 0},
                          huge_low[] = {(1u << 30) - 1, UINT32_MAX},
                          fits[] = {UINT64_C(1) << 60, 0}, largest[] = {UINT64_MAX},
                          most[] = {UINT64_C(9223372036854775808) / 8 - 8};
    assay_new_tensor t[] = {tensor("a", ASSAY_DTYPE_U8, two, 1), tensor("b", ASSAY_DTYPE_U8, two, 1),
                            tensor("c", ASSAY_DTYPE_F16, two, 1), tensor("d", ASSAY_DTYPE_U8, two, 1)};
    assay_new_pair p[] = {pair("k", "v"), pair("l", "v"), pair("m", "v")};
    const assay_description what = {t, 4, p, 3};
    ck_assert_uint_eq(make(&what, NULL), ASSAY_OK);

    t[3].name = text("b"); /* B1: the other dtype between them, too */
    fails(&what, NULL, ASSAY_W_TWICE, 3, 1);
    t[3] = tensor("c", ASSAY_DTYPE_U8, two, 1);
    fails(&what, NULL, ASSAY_W_TWICE, 3, 2);
    t[3].name = text("__metadata__"); /* B2 */
    fails(&what, NULL, ASSAY_W_RESERVED, 3, ASSAY_NONE);
    t[3].name = text("__metadatA__");
    ck_assert_uint_eq(make(&what, NULL), ASSAY_OK);
    t[3].name = text("__metadata_");
    ck_assert_uint_eq(make(&what, NULL), ASSAY_OK);
    t[3].name = (assay_chars){(const uint8_t *)"x\0y", 3}; /* B5 */
    fails(&what, NULL, ASSAY_W_NUL, 3, ASSAY_NONE);
    static const char *const bad[] = {"\x80", "\xFF", "\xC3", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                                      "ab\xE2\x82"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        for (uint64_t i = 0; i < 4; i++) {
            t[0] = tensor("a", ASSAY_DTYPE_U8, two, 1), t[1] = tensor("b", ASSAY_DTYPE_U8, two, 1);
            t[2] = tensor("c", ASSAY_DTYPE_F16, two, 1), t[3] = tensor("d", ASSAY_DTYPE_U8, two, 1);
            t[i].name = text(bad[k]);
            fails(&what, NULL, ASSAY_W_UTF8, i, ASSAY_NONE);
            t[i].name = text("y");
        }
        for (uint64_t i = 0; i < 3; i++) {
            p[i].value = text(bad[k]);
            fails(&what, NULL, ASSAY_W_UTF8, ASSAY_NONE, i);
            p[i].value = text("v");
            const assay_chars key = p[i].key;
            p[i].key = text(bad[k]);
            fails(&what, NULL, ASSAY_W_UTF8, ASSAY_NONE, i);
            p[i].key = key;
        }
    }
    t[3] = tensor("d", 0, two, 1);
    fails(&what, NULL, ASSAY_W_TENSOR, 3, ASSAY_NONE);
    t[3].dtype = ASSAY_DTYPE_LAST + 1;
    fails(&what, NULL, ASSAY_W_TENSOR, 3, ASSAY_NONE);
    t[3] = tensor("d", ASSAY_DTYPE_F4, three, 1);
    fails(&what, NULL, ASSAY_W_TENSOR, 3, ASSAY_NONE);
    t[3] = tensor("d", ASSAY_DTYPE_F6_E2M3, two, 1);
    fails(&what, NULL, ASSAY_W_TENSOR, 3, ASSAY_NONE);
    t[3] = tensor("d", ASSAY_DTYPE_F4, zero_odd, 2);
    ck_assert_uint_eq(make(&what, NULL), ASSAY_OK);
    t[3] = tensor("d", ASSAY_DTYPE_U8, huge, 2);
    fails(&what, NULL, ASSAY_W_TENSOR, 3, ASSAY_NONE);
    t[3] = tensor("d", ASSAY_DTYPE_U8, largest, 1);
    fails(&what, NULL, ASSAY_W_TENSOR, 3, ASSAY_NONE);
    t[3] = tensor("d", ASSAY_DTYPE_U8, huge_low, 2); /* only the lower halves of the product are too large */
    fails(&what, NULL, ASSAY_W_TENSOR, 3, ASSAY_NONE);
    t[3] = tensor("d", ASSAY_DTYPE_U8, huge_zero, 2);
    fails(&what, NULL, ASSAY_W_TENSOR, 3, ASSAY_NONE);
    t[3] = tensor("d", ASSAY_DTYPE_U8, fits, 2);
    ck_assert_uint_eq(make(&what, NULL), ASSAY_OK);
    t[3] = tensor("d", ASSAY_DTYPE_U8, most, 1); /* B7: two of them fit, eight do not */
    t[0] = tensor("a", ASSAY_DTYPE_U8, most, 1);
    ck_assert_uint_eq(make(&what, NULL), ASSAY_OK);
    assay_new_tensor eight[8];
    char names[8][2];
    for (uint64_t k = 0; k < 8; k++) {
        names[k][0] = (char)('a' + k), names[k][1] = '\0';
        eight[k] = tensor(names[k], ASSAY_DTYPE_U8, most, 1);
    }
    fails(&(assay_description){eight, 8, NULL, 0}, NULL, ASSAY_W_DATA_LARGE, 7, ASSAY_NONE);
    p[2].key = text("l"); /* the two keys are other and found */
    t[0] = tensor("a", ASSAY_DTYPE_U8, two, 1);
    fails(&what, NULL, ASSAY_W_TWICE, ASSAY_NONE, 1);
    ck_assert_uint_eq(result.error.found, 2);
    p[2].key = text("k");
    fails(&what, NULL, ASSAY_W_TWICE, ASSAY_NONE, 0);
    p[2].value = (assay_chars){(const uint8_t *)"\0", 1};
    fails(&what, NULL, ASSAY_W_NUL, ASSAY_NONE, 2);
    p[1].key = p[2].value;
    fails(&what, NULL, ASSAY_W_NUL, ASSAY_NONE, 1);
}
END_TEST

START_TEST(data_size_limit)
{
    const uint64_t limit = UINT64_C(9223372036854775808) - 100000008;
    static const uint64_t most[] = {UINT64_C(2305843009213693951)};
    uint64_t dim[] = {limit - 1 - 3 * most[0]};
    const assay_new_tensor tensors[] = {tensor("a", ASSAY_DTYPE_U8, most, 1), tensor("b", ASSAY_DTYPE_U8, most, 1),
                                        tensor("c", ASSAY_DTYPE_U8, most, 1), tensor("d", ASSAY_DTYPE_U8, dim, 1)};
    const assay_description what = {tensors, 4, NULL, 0};
    ck_assert_uint_eq(make(&what, NULL), ASSAY_OK);
    ck_assert_uint_eq(plan.data, limit - 1);
    dim[0]++;
    fails(&what, NULL, ASSAY_W_DATA_LARGE, 3, ASSAY_NONE);
}
END_TEST

START_TEST(options_are_checked)
{
    const assay_description nothing = {NULL, 0, NULL, 0};
    static const assay_write_options wrong[] = {{0, 0, 8, 0, 0}, {ASSAY_API, 2, 8, 0, 0}, {ASSAY_API, 0, 0, 0, 0},
                                                {ASSAY_API, 0, 4, 0, 0}, {ASSAY_API, 0, 24, 0, 0},
                                                {ASSAY_API, 0, 1u << 27, 0, 0}, {ASSAY_API, 0, 8, 0, 2}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        fails(&nothing, wrong + k, ASSAY_USAGE, ASSAY_NONE, ASSAY_NONE);
        ck_assert_uint_eq(assay_head_write(&nothing, wrong + k, order, &plan, &(assay_head_buffer){room, ROOM},
                                           &result.error), ASSAY_USAGE);
    }
    assay_error error;
    const assay_write_options usual = ASSAY_WRITE_OPTIONS;
    assay_write_options options = usual;
    options.reserve = 100000000;
    ck_assert_uint_eq(assay_head_plan(&nothing, &options, order, &plan, &error), ASSAY_OK);
    ck_assert_uint_eq(plan.head, 100000008);
    options.align = 16;
    ck_assert_uint_eq(assay_head_plan(&nothing, &options, order, &plan, &error), ASSAY_W_HEADER_LARGE);
    options.reserve = 99999992;
    ck_assert_uint_eq(assay_head_plan(&nothing, &options, order, &plan, &error), ASSAY_OK);
    ck_assert_uint_eq(plan.head, 100000000);
    options.reserve = UINT64_MAX;
    ck_assert_uint_eq(assay_head_plan(&nothing, &options, order, &plan, &error), ASSAY_W_HEADER_LARGE);
    options.reserve = 0, options.align = 1u << 26;
    ck_assert_uint_eq(assay_head_plan(&nothing, &options, order, &plan, &error), ASSAY_OK);
    ck_assert_uint_eq(plan.head, 1u << 26);
}
END_TEST

START_TEST(headers_that_are_too_large)
{
    static uint8_t long_text[100000001];
    assay_error error;
    memset(long_text, 'x', sizeof long_text);
    assay_new_pair pairs[] = {{{long_text, 0}, {NULL, 0}}};
    const assay_description what = {NULL, 0, pairs, 1};
    const uint64_t rest = strlen("{\"__metadata__\":{\"\":\"\"}}");
    pairs[0].value = (assay_chars){long_text, 100000000 - rest};
    ck_assert_uint_eq(assay_head_plan(&what, NULL, order, &plan, &error), ASSAY_OK);
    ck_assert_uint_eq(plan.head, 100000008);
    pairs[0].value.size++;
    ck_assert_uint_eq(assay_head_plan(&what, NULL, order, &plan, &error), ASSAY_W_HEADER_LARGE);
    pairs[0].value.size = 100000001;
    ck_assert_uint_eq(assay_head_plan(&what, NULL, order, &plan, &error), ASSAY_W_HEADER_LARGE);
    pairs[0].value.size = UINT64_MAX; /* not read */
    ck_assert_uint_eq(assay_head_plan(&what, NULL, order, &plan, &error), ASSAY_W_HEADER_LARGE);
    pairs[0].key = (assay_chars){long_text, 100000001}; /* the key alone is too long, then both, then their sum */
    pairs[0].value.size = 0;
    ck_assert_uint_eq(assay_head_plan(&what, NULL, order, &plan, &error), ASSAY_W_HEADER_LARGE);
    assay_new_pair two[] = {{{long_text, 60000000}, {long_text, 60000000}}, {{long_text, 1}, {NULL, 0}}};
    ck_assert_uint_eq(assay_head_plan(&(assay_description){NULL, 0, two, 2}, NULL, order, &plan, &error),
                      ASSAY_W_HEADER_LARGE);
    const assay_new_tensor tensors[] = {{{long_text, 99999999}, ASSAY_DTYPE_U8, NULL, 0},
                                        {{long_text, 5}, ASSAY_DTYPE_U8, NULL, 0}};
    ck_assert_uint_eq(assay_head_plan(&(assay_description){tensors, 2, NULL, 0}, NULL, order, &plan, &error),
                      ASSAY_W_HEADER_LARGE);
    static const uint64_t dims[] = {UINT64_C(1) << 60, 0, 0}; /* the first dim alone makes the text too long */
    const assay_new_tensor with_dims[] = {{{long_text, 99999990}, ASSAY_DTYPE_U8, dims, 3}};
    ck_assert_uint_eq(assay_head_plan(&(assay_description){with_dims, 1, NULL, 0}, NULL, order, &plan, &error),
                      ASSAY_W_HEADER_LARGE);
    const assay_description many = {NULL, UINT64_MAX, NULL, 0}, many_pairs = {NULL, 0, NULL, 1u << 24};
    ck_assert_uint_eq(assay_head_plan(&many, NULL, order, &plan, &error), ASSAY_W_HEADER_LARGE);
    ck_assert_uint_eq(assay_head_plan(&many_pairs, NULL, order, &plan, &error), ASSAY_W_HEADER_LARGE);
}
END_TEST

/* Nothing is written unless all fits, and never a byte beyond plan.head. */
START_TEST(small_memory)
{
    static const uint64_t dim[] = {7, 11};
    const assay_new_tensor tensors[] = {tensor("weight\n", ASSAY_DTYPE_F8_E4M3FNUZ, dim, 2)};
    const assay_new_pair pairs[] = {pair("key", "value")};
    const assay_description what = {tensors, 1, pairs, 1};
    ck_assert_uint_eq(make(&what, NULL), ASSAY_OK);
    const uint64_t size = plan.head;
    for (uint64_t k = 0; k < size; k++) {
        uint8_t *small = exactly((const char *)room, k);
        const assay_head_buffer head = {small, k};
        ck_assert_uint_eq(assay_head_make(&what, NULL, order, &head, &workspace, &plan, &result), ASSAY_W_BUFFER);
        ck_assert_uint_eq(result.error.expected, size);
        ck_assert_uint_eq(result.error.found, k);
        ck_assert_uint_eq(plan.head, size);
        ck_assert_mem_eq(small, room, k);
        free(small);
    }
    uint8_t *whole = exactly((const char *)room, size);
    const assay_head_buffer head = {whole, size};
    ck_assert_uint_eq(assay_head_make(&what, NULL, order, &head, &workspace, &plan, &result), ASSAY_OK);
    ck_assert_mem_eq(whole, room, size);
    const assay_workspace small = {entry, 1, word, 13};
    ck_assert_uint_eq(assay_head_make(&what, NULL, order, &head, &small, &plan, &result), ASSAY_WORKSPACE);
    ck_assert_uint_eq(result.need.words, 14);
    const assay_workspace enough = {entry, 1, word, 14};
    ck_assert_uint_eq(assay_head_make(&what, NULL, order, &head, &enough, &plan, &result), ASSAY_OK);
    free(whole);
}
END_TEST

/* A plan or an order that is not that of the description: nothing outside the buffer is written, and a refusal. */
START_TEST(other_plans)
{
    static const uint64_t dim[] = {7, 1100000001}, bad[] = {UINT64_MAX, UINT64_MAX};
    assay_new_tensor tensors[] = {tensor("a", ASSAY_DTYPE_F32, dim, 2), tensor("b\x01", ASSAY_DTYPE_F32, dim, 2)};
    const assay_new_pair pairs[] = {pair("key", "value"), pair("k", "")};
    const assay_description what = {tensors, 2, pairs, 2};
    assay_error error;
    ck_assert_uint_eq(make(&what, NULL), ASSAY_OK);
    const uint64_t size = plan.head;
    uint64_t json = size;
    while (room[json - 1] == ' ') {
        json--;
    }
    for (uint64_t k = 0; k < size + 64; k++) {
        uint8_t *whole = exactly((const char *)room, k);
        const assay_head_buffer head = {whole, k};
        const assay_file_plan other = {k, plan.data, k + plan.data};
        const assay_status status = assay_head_write(&what, NULL, order, &other, &head, &error);
        ck_assert_uint_eq(status, k >= json ? ASSAY_OK : ASSAY_W_DIFFERS);
        free(whole);
    }
    ck_assert_uint_eq(assay_head_write(&what, NULL, order, &plan, &(assay_head_buffer){room, size - 1}, &error),
                      ASSAY_W_BUFFER);
    ck_assert_uint_eq(error.expected, size);
    const assay_file_plan beyond = {100000009, 0, 100000009};
    ck_assert_uint_eq(assay_head_write(&what, NULL, order, &beyond, &(assay_head_buffer){NULL, UINT64_MAX}, &error),
                      ASSAY_W_DIFFERS);
    for (uint64_t k = 0; k < 4; k++) {
        const uint32_t kept = order[k];
        order[k] = k < 3 ? 2 : UINT32_MAX;
        ck_assert_uint_eq(assay_head_write(&what, NULL, order, &plan, &(assay_head_buffer){room, ROOM}, &error),
                          ASSAY_W_DIFFERS);
        ck_assert(!assay_view_matches(&result.view, &what, order));
        assay_piece piece = {.next = k};
        ck_assert(!assay_piece_next(&what, order, &plan, &piece));
        order[k] = kept;
        ck_assert_uint_eq(assay_head_write(&what, NULL, order, &plan, &(assay_head_buffer){room, ROOM}, &error),
                          ASSAY_OK); /* the head that the view is of, again */
    }
    tensors[1].dim = bad;
    ck_assert_uint_eq(assay_head_write(&what, NULL, order, &plan, &(assay_head_buffer){room, ROOM}, &error),
                      ASSAY_W_DIFFERS);
    assay_piece piece = {.next = 1};
    ck_assert(!assay_piece_next(&what, order, &plan, &piece));
    static const uint64_t most[] = {UINT64_C(2305843009213693951)}; /* nine of them end beyond 2^64 */
    assay_new_tensor nine[9];
    static const uint32_t in_order[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    for (size_t k = 0; k < 9; k++) {
        nine[k] = tensor("n", ASSAY_DTYPE_U8, most, 1);
    }
    ck_assert_uint_eq(assay_head_write(&(assay_description){nine, 9, NULL, 0}, NULL, in_order,
                                       &(assay_file_plan){ROOM, 0, ROOM}, &(assay_head_buffer){room, ROOM}, &error),
                      ASSAY_W_DIFFERS);
    const uint64_t far[] = {1};
    const assay_new_tensor one[] = {tensor("a", ASSAY_DTYPE_F32, far, 1)};
    piece = (assay_piece){0};
    ck_assert(!assay_piece_next(&(assay_description){one, 1, NULL, 0}, order,
                                &(assay_file_plan){UINT64_MAX - 3, 0, 0}, &piece));
}
END_TEST

/* A view matches its own description, and no other. */
START_TEST(views_of_others_do_not_match)
{
    static const uint64_t dim[] = {2, 3}, turned[] = {3, 2}, six[] = {6}, larger[] = {2, 4};
    const assay_new_tensor a[] = {tensor("a", ASSAY_DTYPE_F16, dim, 2), tensor("b", ASSAY_DTYPE_F16, dim, 2)};
    const assay_new_pair p[] = {pair("k", "v"), pair("l", "w")};
    assay_new_tensor t[] = {a[0], a[1]};
    assay_new_pair q[] = {p[0], p[1]};
    ck_assert_uint_eq(make(&(assay_description){a, 2, p, 2}, NULL), ASSAY_OK);
    assay_description what = {t, 2, q, 2};
    const assay_view *view = &result.view;
    ck_assert(assay_view_matches(view, &what, order));
    what.tensors = 1;
    ck_assert(!assay_view_matches(view, &what, order));
    what.tensors = 2, what.pairs = 1;
    ck_assert(!assay_view_matches(view, &what, order));
    what.pairs = 2;
    const assay_new_tensor others[] = {tensor("B", ASSAY_DTYPE_F16, dim, 2), tensor("b", ASSAY_DTYPE_BF16, dim, 2),
                                       tensor("b", ASSAY_DTYPE_F16, turned, 2), tensor("b", ASSAY_DTYPE_F16, six, 1),
                                       tensor("bb", ASSAY_DTYPE_F16, dim, 2), tensor("b", ASSAY_DTYPE_F16, dim, 1),
                                       tensor("b", ASSAY_DTYPE_F16, larger, 2)};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        t[1] = others[k];
        ck_assert(!assay_view_matches(view, &what, order));
    }
    t[1] = a[1];
    q[1] = pair("m", "w");
    ck_assert(!assay_view_matches(view, &what, order));
    q[1] = pair("l", "v");
    ck_assert(!assay_view_matches(view, &what, order));
    q[1] = p[1];
    ck_assert(assay_view_matches(view, &what, order));
    const uint32_t turned_order[] = {1, 0, 0, 1};
    ck_assert(!assay_view_matches(view, &what, turned_order));
    /* A view whose data do not begin at the header's end, or have a gap. */
    entry[1].begin++;
    ck_assert(!assay_view_matches(view, &what, order));
}
END_TEST

static assay_status parse(const char *json, uint64_t data, assay_workspace memory, uint8_t *head, assay_result *out)
{
    memset(head, 0, 8);
    head[0] = (uint8_t)(strlen(json) % 256);
    head[1] = (uint8_t)(strlen(json) / 256);
    memcpy(head + 8, json, strlen(json));
    const assay_input input = {head, 8 + strlen(json), 8 + strlen(json) + data};
    return assay_parse(&input, NULL, &memory, out);
}

START_TEST(same_tensors)
{
    static const char one[] = "{\"a\":{\"dtype\":\"U8\",\"shape\":[2,3],\"data_offsets\":[0,6]},"
                              "\"\\u00e9\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[6,7]}}";
    static const struct {
        const char *json;
        bool same;
    } others[] = {
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2,3,1],\"data_offsets\":[0,6]},"
         "\"\xC3\xA9\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[6,7]}}", false},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[7],\"data_offsets\":[0,7]},"
         "\"\xC3\xA9\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[7,7]}}", false},
        {"{\"__metadata__\":{\"k\":\"v\"},\"a\":{\"dtype\":\"U8\",\"shape\":[2,3],\"data_offsets\":[0,6]},"
         "\"\xC3\xA9\":{\"shape\":[],\"dtype\":\"U8\",\"data_offsets\":[6,7]}}   ", true},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2,3],\"data_offsets\":[0,6]},"
         "\"e\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[6,7]}}", false},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2,3],\"data_offsets\":[0,6]},"
         "\"\xC3\xA9x\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[6,7]}}", false},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2,3],\"data_offsets\":[0,6]},"
         "\"\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[6,7]}}", false},
        {"{\"a\":{\"dtype\":\"I8\",\"shape\":[2,3],\"data_offsets\":[0,6]},"
         "\"\xC3\xA9\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[6,7]}}", false},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[3,2],\"data_offsets\":[0,6]},"
         "\"\xC3\xA9\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[6,7]}}", false},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[6],\"data_offsets\":[0,6]},"
         "\"\xC3\xA9\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[6,7]}}", false},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2,3],\"data_offsets\":[1,7]},"
         "\"\xC3\xA9\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1]}}", false},
        {"{\"\xC3\xA9\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[6,7]},"
         "\"a\":{\"dtype\":\"U8\",\"shape\":[2,3],\"data_offsets\":[0,6]}}", false},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[7],\"data_offsets\":[0,7]}}", false},
    };
    static uint8_t head_one[512], head_other[512];
    static assay_entry entry_other[4];
    static uint32_t word_other[64];
    assay_result other;
    ck_assert_uint_eq(parse(one, 7, workspace, head_one, &result), ASSAY_OK);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        const assay_workspace memory = {entry_other, 4, word_other, 64};
        ck_assert_uint_eq(parse(others[k].json, 7, memory, head_other, &other), ASSAY_OK);
        ck_assert_int_eq(assay_same_tensors(&result.view, &other.view), others[k].same);
        ck_assert_int_eq(assay_same_tensors(&other.view, &result.view), others[k].same);
        ck_assert(assay_same_tensors(&other.view, &other.view));
    }
}
END_TEST

/* Judge a header of less than 120 bytes. head: 128 bytes for it. */
static void read_header(const char *json, uint8_t *head, assay_entry *entries, uint32_t *words, assay_view *view)
{
    const uint64_t size = 8 + strlen(json);
    const assay_input input = {head, size, size};
    const assay_workspace memory = {entries, MANY, words, 8 * MANY};
    assay_result read;
    memset(head, 0, 8);
    head[0] = (uint8_t)(size - 8);
    memcpy(head + 8, json, size - 8);
    ck_assert_uint_eq(assay_parse(&input, NULL, &memory, &read), ASSAY_OK);
    *view = read.view;
}

/* Each pair is where it is said to be, or named. */
START_TEST(pairs_kept)
{
    static assay_entry entries[2][MANY];
    static uint32_t words[2][8 * MANY];
    uint8_t head[2][128];
    assay_view one, other;
    read_header("{\"__metadata__\":{\"k\":\"v\",\"\\u006c\":\"w\\n\"}}", head[0], entries[0], words[0], &one);
    read_header("{\"__metadata__\":{\"l\":\"\\u0077\\n\",\"k\":\"u\",\"m\":\"v\"}}", head[1], entries[1], words[1],
                &other);
    const assay_new_pair texts[] = {pair("k", "v"), pair("l", "w\n")};
    const assay_chars key[] = {text("l"), text("k"), text("")};
    for (uint32_t first = 0; first < 8; first++) {
        for (uint32_t second = 0; second < 8; second++) {
            for (uint64_t keys = 0; keys <= 3; keys++) {
                const uint32_t where[] = {first, second}; /* from 3 on: key[where - 3] */
                const bool kept = first == 4 && keys > 1 && (second == 0 || second == 3);
                ck_assert_int_eq(assay_pairs_kept(&one, &other, texts, where, key, keys), kept);
            }
        }
    }
    static const uint32_t in_order[] = {0, 1}, last[] = {UINT32_MAX, 1};
    ck_assert(assay_pairs_kept(&one, &one, texts, in_order, NULL, 0));
    ck_assert(!assay_pairs_kept(&one, &one, texts, last, key, 3));
    for (size_t k = 0; k < 2; k++) { /* texts that are those of neither */
        assay_new_pair wrong[] = {texts[0], texts[1]};
        wrong[k].key = text("j");
        ck_assert(!assay_pairs_kept(&one, &one, wrong, in_order, NULL, 0));
        wrong[k] = texts[k];
        wrong[k].value = text("j");
        ck_assert(!assay_pairs_kept(&one, &one, wrong, in_order, NULL, 0));
    }
    read_header("{}", head[1], entries[1], words[1], &other);
    ck_assert(assay_pairs_kept(&other, &one, NULL, NULL, NULL, 0));
    ck_assert(!assay_pairs_kept(&one, &other, texts, in_order, NULL, 0));
}
END_TEST

/* Random descriptions in random order come out sorted, and as described. */
START_TEST(sorted)
{
    static char names[MANY / 2][24], keys[MANY / 2][24];
    static uint64_t dims[MANY / 2][2];
    assay_new_tensor tensors[MANY / 2];
    assay_new_pair pairs[MANY / 2];
    for (uint32_t round = 0; round < 2000; round++) {
        const uint32_t count = below(MANY / 2), count_pairs = below(MANY / 2);
        for (uint32_t k = 0; k < count; k++) {
            dims[k][0] = below(5), dims[k][1] = 8;
            static const char *const stems[] = {"", "layers.with.a.long.", "others.with.a.long."};
            snprintf(names[k], sizeof names[k], "%s%u.%u", stems[below(3)], below(3), k);
            tensors[k] = tensor(names[k], 1 + below(ASSAY_DTYPE_LAST), dims[k], 2);
        }
        for (uint32_t k = 0; k < count_pairs; k++) {
            snprintf(keys[k], sizeof keys[k], "%u.%u", below(9), k);
            pairs[k] = pair(keys[k], names[0]);
        }
        const assay_description what = {tensors, count, pairs, count_pairs};
        MUST(make(&what, NULL) == ASSAY_OK);
        for (uint32_t k = 1; k < count_pairs; k++) {
            MUST(strcmp(keys[order[count + k - 1]], keys[order[count + k]]) < 0);
        }
        for (uint32_t k = 1; k < count; k++) {
            const uint32_t i = order[k - 1], j = order[k];
            MUST(tensors[i].dtype != tensors[j].dtype || strcmp(names[i], names[j]) < 0);
            for (uint32_t l = k; l < count && tensors[i].dtype != tensors[j].dtype; l++) {
                MUST(tensors[order[l]].dtype != tensors[i].dtype);
            }
        }
    }
}
END_TEST

/* The order of two texts, whichever comes first, as names and as keys. Each is in memory of its own size, and before
 * bytes that would turn the order around if they were read. Blocks of 16 bytes are compared at once. */
START_TEST(order_of_two_texts)
{
    static const char *const before[][2] = {
        {"", "a"}, {"ab", "aba"},
        {"aaaaaaaaaaaaaaaab", "bbbbbbbbbbbbbbbba"}, {"aaaaaaaaaaaaaaaab", "aaaaaaaaaaaaaaaba"},
        {"abbbbbbbbbbbbbbbb", "baaaaaaaaaaaaaaaa"}, {"aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaab"},
        {"aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaab"}, {"aaaaaaaaaaaaaaab", "baaaaaaaaaaaaaaa"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbba"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaba"}, {"\x7F", "\xC2\x80"}};
    for (size_t k = 0; k < sizeof before / sizeof *before; k++) {
        for (uint32_t turned = 0; turned < 4; turned++) {
            assay_chars texts[2];
            uint8_t *memory[2];
            for (size_t i = 0; i < 2; i++) {
                char bytes[64];
                const uint64_t size = strlen(before[k][i]);
                memset(bytes, i == 0 ? 0xFF : 0, sizeof bytes);
                memcpy(bytes, before[k][i], size);
                memory[i] = exactly(bytes, turned < 2 ? size : sizeof bytes);
                texts[i ^ (turned % 2)] = (assay_chars){memory[i], size};
            }
            const assay_new_tensor tensors[] = {{texts[0], ASSAY_DTYPE_U8, NULL, 0},
                                                {texts[1], ASSAY_DTYPE_U8, NULL, 0}};
            const assay_new_pair pairs[] = {{texts[0], texts[1]}, {texts[1], texts[0]}};
            ck_assert_uint_eq(make(&(assay_description){tensors, 2, pairs, 2}, NULL), ASSAY_OK);
            ck_assert_uint_eq(order[0], turned % 2);
            ck_assert_uint_eq(order[2], turned % 2);
            free(memory[0]);
            free(memory[1]);
        }
    }
}
END_TEST

START_TEST(statuses_have_words)
{
    char line[ASSAY_ERROR_TEXT];
    ck_assert_str_eq(assay_status_name(ASSAY_W_TWICE), "W_TWICE");
    ck_assert_str_eq(assay_status_rule(ASSAY_W_DIFFERS), "WR9");
    ck_assert_str_eq(assay_status_text(ASSAY_W_BUFFER), "the buffer is too small for the head");
    const assay_error error = {
        .status = ASSAY_W_TWICE, .tensor = 3, .other = 1, .has = ASSAY_HAS_TENSOR | ASSAY_HAS_OTHER};
    assay_error_format(line, sizeof line, &error);
    ck_assert_str_eq(line, "not written: rule WR4: two tensors have the same name, or two pairs the same key "
                           "(tensor 3, other 1)");
    for (uint64_t status = ASSAY_W_FIRST; status <= ASSAY_W_DIFFERS; status++) {
        const assay_error full = {status, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, 31,
                                  {0, 0}, {0, 0}};
        ck_assert_uint_lt(assay_error_format(line, sizeof line, &full), sizeof line);
    }
}
END_TEST

SUITE_MAIN("assay_write", heads_without_tensors, canonical_order, order_as_given, escapes, numbers, refused,
           data_size_limit, options_are_checked, headers_that_are_too_large, small_memory, other_plans, pairs_kept,
           views_of_others_do_not_match, same_tensors, sorted, order_of_two_texts, statuses_have_words)
