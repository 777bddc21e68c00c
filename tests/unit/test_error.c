/* test_error.c: which fields of an error are set, and the names in it: for every status, in all three calls. */
#include <stdio.h>

#include "../../src/cli/rules_table.c"
#include "suite.h"

#define NUMBER_MAX "18446744073709551615"
#define MEMBERS(shape, begin, end) \
    "{\"dtype\":\"U8\",\"shape\":[" shape "],\"data_offsets\":[" begin "," end "]}"
#define U8(name, shape, begin, end) "\"" name "\":" MEMBERS(shape, begin, end)
#define A U8("a", "1", "0", "1")

/* A header, and its error. A name is NULL if it is not set; otherwise it is as between the quotes. */
typedef struct {
    const char *header;
    uint64_t data_size;
    assay_status status;
    uint64_t tensor;
    const char *name;
    uint64_t other;
    const char *other_name;
    uint64_t expected, found;
} error_row;

typedef struct {
    uint8_t *head;
    assay_input input;
} file;

static file file_of(const char *header, uint64_t data_size)
{
    const size_t length = strlen(header);
    file f = {malloc(8 + length), {NULL, 8 + length, 8 + length + data_size}};
    memset(f.head, 0, 8);
    f.head[0] = (uint8_t)length;
    f.head[1] = (uint8_t)(length >> 8);
    memcpy(f.head + 8, header, length);
    f.input.head = f.head;
    return f;
}

/* Judge by all three calls, which must agree in every byte of the error. */
static assay_error judge(const assay_input *input, const assay_options *options)
{
    assay_entry entry[8];
    uint32_t word[100];
    const assay_workspace workspace = {entry, 8, word, 100};
    assay_result parsed, other;
    memset(&parsed, 0xA5, sizeof parsed);
    memset(&other, 0x5A, sizeof other);
    assay_status status = assay_parse(input, options, &workspace, &parsed);
    MUST(parsed.error.status == status);
    MUST(assay_validate(input, options, &workspace, &other) == status);
    MUST(memcmp(&parsed.error, &other.error, sizeof other.error) == 0);
    if (status < ASSAY_E_METADATA_KEY_TWICE) {
        memset(&other, 0, sizeof other);
        MUST(assay_measure(input, options, &other) == status);
        MUST(memcmp(&parsed.error, &other.error, sizeof other.error) == 0);
    }
    return parsed.error;
}

/* Return which of offset, expected and found the tables of the specification give to this status. */
static uint64_t has_by_table(uint64_t status)
{
    for (uint32_t k = 0; k < rules_table_count; k++) {
        if (rules_table[k].code == status) {
            return (rules_table[k].offset != NULL ? ASSAY_HAS_OFFSET : 0) +
                   (rules_table[k].expected != NULL ? ASSAY_HAS_EXPECTED : 0) +
                   (rules_table[k].found != NULL ? ASSAY_HAS_FOUND : 0);
        }
    }
    ck_assert_uint_eq(status, ASSAY_OK);
    return 0;
}

static void check_field(uint64_t has, uint64_t bit, uint64_t number, uint64_t right)
{
    ck_assert_uint_eq(number, right);
    ck_assert((has & bit) != 0 || number == ASSAY_NONE);
}

/* The text is `right` as it is between its quotes, or empty. */
static void check_text(const uint8_t *head, assay_text text, const char *right)
{
    if (right == NULL) {
        ck_assert(text.at == 0 && text.end == 0);
        return;
    }
    ck_assert_uint_eq(text.end - text.at, strlen(right));
    ck_assert_mem_eq(head + text.at, right, strlen(right));
    ck_assert(head[text.at - 1] == '"' && head[text.end] == '"');
}

static void check_error(const assay_error *error, const uint8_t *head, const error_row *row)
{
    ck_assert_msg(error->status == row->status, "%s: status %u", row->header, (unsigned)error->status);
    ck_assert_msg(error->has == has_by_table(row->status) + (row->name != NULL ? ASSAY_HAS_TENSOR : 0) +
                                    (row->other_name != NULL ? ASSAY_HAS_OTHER : 0),
                  "%s: has %u", row->header, (unsigned)error->has);
    ck_assert_msg(error->tensor == row->tensor && error->other == row->other, "%s: tensor %llu, other %llu",
                  row->header, (unsigned long long)error->tensor, (unsigned long long)error->other);
    ck_assert((error->offset != ASSAY_NONE) == (error->has % 2 == 1));
    check_field(error->has, ASSAY_HAS_TENSOR, error->tensor, row->tensor);
    check_field(error->has, ASSAY_HAS_OTHER, error->other, row->other);
    check_field(error->has, ASSAY_HAS_EXPECTED, error->expected, row->expected);
    check_field(error->has, ASSAY_HAS_FOUND, error->found, row->found);
    check_text(head, error->name, row->name);
    check_text(head, error->other_name, row->other_name);
}

static void check_rows(const error_row *rows, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        file f = file_of(rows[k].header, rows[k].data_size);
        assay_error error = judge(&f.input, NULL);
        check_error(&error, f.head, &rows[k]);
        free(f.head);
    }
}

#define CHECK_ROWS(rows) check_rows(rows, sizeof(rows) / sizeof *(rows))
#define NONE ASSAY_NONE

/* ---- Stage F ---------------------------------------------------------------------------------------- */

START_TEST(frame)
{
    static uint8_t head[16];
    const struct {
        uint8_t length[8];
        uint64_t head_size, file_size;
        assay_status status;
        uint64_t offset, expected, found;
    } rows[] = {
        {{0}, 0, 0, ASSAY_E_FILE_SHORT, 0, 8, 0},
        {{2}, 7, 7, ASSAY_E_FILE_SHORT, 7, 8, 7},
        {{2}, 7, 10, ASSAY_NEED_MORE, NONE, 8, 7},
        {{2}, 9, 10, ASSAY_NEED_MORE, NONE, 10, 9},
        {{2}, 8, 9, ASSAY_E_HEADER_CUT, 9, 10, 9},
        {{0, 0, 0, 0, 1}, 8, NONE, ASSAY_E_HEADER_LARGE, 0, 100000000, UINT64_C(1) << 32},
        {{254, 255, 255, 255, 255, 255, 255, 255}, 8, NONE, ASSAY_E_HEADER_LARGE, 0, 100000000, NONE - 1},
        {{255, 255, 255, 255, 255, 255, 255, 255}, 8, 8, ASSAY_E_HEADER_LARGE, 0, 100000000, NONE},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        memcpy(head, rows[k].length, 8);
        const assay_input input = {head, rows[k].head_size, rows[k].file_size};
        const error_row row = {"frame", 0, rows[k].status, NONE, NULL, NONE, NULL, rows[k].expected, rows[k].found};
        assay_error error = judge(&input, NULL);
        ck_assert_uint_eq(error.offset, rows[k].offset);
        check_error(&error, head, &row);
    }
}
END_TEST

/* ---- Stage H ---------------------------------------------------------------------------------------- */

static const error_row in_tensors[] = {
    /* The tensor begins with the closing quote of its name and ends with its closing bracket. */
    {"{\"a\"", 0, ASSAY_E_HEADER_EARLY, 0, "a", NONE, NULL, NONE, NONE},
    {"{" A ",\"bc\"", 1, ASSAY_E_HEADER_EARLY, 1, "bc", NONE, NULL, NONE, NONE},
    {"{" A ",\"bc\":{\"dtype\":\"U8", 1, ASSAY_E_HEADER_EARLY, 1, "bc", NONE, NULL, NONE, NONE},
    {"{\"a\" 3", 0, ASSAY_E_UNEXPECTED, 0, "a", NONE, NULL, NONE, NONE},
    {"{\"a\":{3", 0, ASSAY_E_UNEXPECTED, 0, "a", NONE, NULL, NONE, NONE},
    {"{\"a\":{\"\x01\"", 0, ASSAY_E_CONTROL, 0, "a", NONE, NULL, NONE, NONE},
    {"{\"a\":{\"\xFF\"", 0, ASSAY_E_UTF8, 0, "a", NONE, NULL, NONE, NONE},
    {"{\"a\":{\"\\x\"", 0, ASSAY_E_ESCAPE, 0, "a", NONE, NULL, NONE, NONE},
    {"{\"a\":{\"\\udc00\"", 0, ASSAY_E_SURROGATE, 0, "a", NONE, NULL, NONE, NONE},
    {"{\"a\":{\"\\u0000\"", 0, ASSAY_E_NUL, 0, "a", NONE, NULL, NONE, NONE},
    {"{\"a\":{\"\\u0064type\":", 0, ASSAY_E_KEYWORD_ESCAPED, 0, "a", NONE, NULL, NONE, NONE},
    {"{\"a\":{\"dtype\":\"\\u00558\"", 0, ASSAY_E_KEYWORD_ESCAPED, 0, "a", NONE, NULL, NONE, NONE},
    {"{\"a\":{\"x\":", 0, ASSAY_E_MEMBER_UNKNOWN, 0, "a", NONE, NULL, NONE, NONE},
    {"{\"a\":{\"shape\":[],\"shape\":", 0, ASSAY_E_MEMBER_TWICE, 0, "a", NONE, NULL, NONE, NONE},
    {"{\"a\":3}", 0, ASSAY_E_TYPE, 0, "a", NONE, NULL, NONE, NONE},
    {"{\"a\":{\"shape\":[-1]", 0, ASSAY_E_NUMBER_FORM, 0, "a", NONE, NULL, NONE, NONE},
    {"{\"a\":{\"shape\":[18446744073709551616]", 0, ASSAY_E_NUMBER_RANGE, 0, "a", NONE, NULL, NONE, NONE},
    {"{\"a\":{\"dtype\":\"U9\"", 0, ASSAY_E_DTYPE_UNKNOWN, 0, "a", NONE, NULL, NONE, NONE},
    {"{\"a\":{\"data_offsets\":[]", 0, ASSAY_E_OFFSETS_COUNT, 0, "a", NONE, NULL, 2, 0},
    {"{\"a\":{\"data_offsets\":[1,2,3]", 0, ASSAY_E_OFFSETS_COUNT, 0, "a", NONE, NULL, 2, 3},
    {"{\"a\":{}}", 0, ASSAY_E_MEMBER_MISSING, 0, "a", NONE, NULL, 7, 0},
    {"{" U8("a", NUMBER_MAX, "0", "0") "}", 0, ASSAY_E_SHAPE_OVERFLOW, 0, "a", NONE, NULL, NONE, NONE},
    {"{\"a\":{\"dtype\":\"F4\",\"shape\":[],\"data_offsets\":[0,0]}}", 0, ASSAY_E_SHAPE_SUBBYTE, 0, "a", NONE, NULL,
     NONE, 4},
    /* Numbers of 2^64 - 1 are numbers. */
    {"{" U8("a", "0", NUMBER_MAX, "0") "}", 0, ASSAY_E_OFFSETS_ORDER, 0, "a", NONE, NULL, NONE, 0},
    {"{" U8("a", "0", NUMBER_MAX, "18446744073709551614") "}", 0, ASSAY_E_OFFSETS_ORDER, 0, "a", NONE, NULL, NONE,
     NONE - 1},
    {"{" U8("a", "0", "0", NUMBER_MAX) "}", 0, ASSAY_E_OFFSETS_SIZE, 0, "a", NONE, NULL, 0, NONE},
    {"{" U8("a", "5", "3", "9") "}", 0, ASSAY_E_OFFSETS_SIZE, 0, "a", NONE, NULL, 5, 6},
    /* Names as they are between the quotes. */
    {"{\"\":3}", 0, ASSAY_E_TYPE, 0, "", NONE, NULL, NONE, NONE},
    {"{" A ",\"\":3}", 1, ASSAY_E_TYPE, 1, "", NONE, NULL, NONE, NONE},
    {"{\"\\\"\\u00e9\\\\\":3}", 0, ASSAY_E_TYPE, 0, "\\\"\\u00e9\\\\", NONE, NULL, NONE, NONE},
    {"{\"\\ud83d\\uDE00\xC3\xA9\" : 3}", 0, ASSAY_E_TYPE, 0, "\\ud83d\\uDE00\xC3\xA9", NONE, NULL, NONE, NONE},
    {"{\"0123456789012345678901234567890123456789\":3}", 0, ASSAY_E_TYPE, 0,
     "0123456789012345678901234567890123456789", NONE, NULL, NONE, NONE},
    /* __metadata__ has no index of a tensor. */
    {"{\"__metadata__\":{\"k\":\"\"},\"a\":3}", 0, ASSAY_E_TYPE, 0, "a", NONE, NULL, NONE, NONE},
};

START_TEST(faults_in_a_tensor)
{
    CHECK_ROWS(in_tensors);
}
END_TEST

/* Between tensors, in a name and in __metadata__ no tensor is set, nor the name of the one before. */
static const error_row between_tensors[] = {
    {"", 0, ASSAY_E_HEADER_EARLY, NONE, NULL, NONE, NULL, NONE, NONE},
    {"{", 0, ASSAY_E_HEADER_EARLY, NONE, NULL, NONE, NULL, NONE, NONE},
    {"{\"a", 0, ASSAY_E_HEADER_EARLY, NONE, NULL, NONE, NULL, NONE, NONE},
    {"{" A, 1, ASSAY_E_HEADER_EARLY, NONE, NULL, NONE, NULL, NONE, NONE},
    {"{" A ",\"b", 1, ASSAY_E_HEADER_EARLY, NONE, NULL, NONE, NULL, NONE, NONE},
    {"[]", 0, ASSAY_E_START, NONE, NULL, NONE, NULL, NONE, NONE},
    {"{" A "x", 1, ASSAY_E_UNEXPECTED, NONE, NULL, NONE, NULL, NONE, NONE},
    {"{" A ",3", 1, ASSAY_E_UNEXPECTED, NONE, NULL, NONE, NULL, NONE, NONE},
    {"{" A "}x", 1, ASSAY_E_TRAILING, NONE, NULL, NONE, NULL, NONE, NONE},
    {"{" A ",\"\x01\"", 1, ASSAY_E_CONTROL, NONE, NULL, NONE, NULL, NONE, NONE},
    {"{" A ",\"\xFF\"", 1, ASSAY_E_UTF8, NONE, NULL, NONE, NULL, NONE, NONE},
    {"{" A ",\"\\x\"", 1, ASSAY_E_ESCAPE, NONE, NULL, NONE, NULL, NONE, NONE},
    {"{" A ",\"\\udc00\"", 1, ASSAY_E_SURROGATE, NONE, NULL, NONE, NULL, NONE, NONE},
    {"{" A ",\"\\u0000\"", 1, ASSAY_E_NUL, NONE, NULL, NONE, NULL, NONE, NONE},
    {"{" A ",\"\\u005f_metadata__\":", 1, ASSAY_E_KEYWORD_ESCAPED, NONE, NULL, NONE, NULL, NONE, NONE},
    {"{" A ",\"__metadata__\":{},\"__metadata__\":", 1, ASSAY_E_METADATA_TWICE, NONE, NULL, NONE, NULL, NONE, NONE},
    {"{" A ",\"__metadata__\":3", 1, ASSAY_E_TYPE, NONE, NULL, NONE, NULL, NONE, NONE},
    {"{" A ",\"__metadata__\":{\"k\":3", 1, ASSAY_E_TYPE, NONE, NULL, NONE, NULL, NONE, NONE},
    {"{" A ",\"__metadata__\":{\"k\" 3", 1, ASSAY_E_UNEXPECTED, NONE, NULL, NONE, NULL, NONE, NONE},
    {"{" A ",\"__metadata__\":{\"k\":\"\\x", 1, ASSAY_E_ESCAPE, NONE, NULL, NONE, NULL, NONE, NONE},
    {"{" A "}", 1, ASSAY_OK, NONE, NULL, NONE, NULL, NONE, NONE},
};

START_TEST(faults_in_no_tensor)
{
    CHECK_ROWS(between_tensors);
}
END_TEST

/* ---- Stage G ---------------------------------------------------------------------------------------- */

static const error_row whole_files[] = {
    /* G1: the other is a pair, its name the key. */
    {"{" A ",\"__metadata__\":{\"j\":\"x\",\"k\":\"j\",\"\\u006b\":\"\"}}", 1, ASSAY_E_METADATA_KEY_TWICE, NONE, NULL,
     1, "k", NONE, 2},
    {"{\"__metadata__\":{\"\\u006b\":\"k\",\"k\":\"\"}}", 0, ASSAY_E_METADATA_KEY_TWICE, NONE, NULL, 0, "\\u006b", NONE,
     1},
    {"{\"__metadata__\":{\"k\":\"\",\"\":\"k\",\"\":\"k\"}}", 0, ASSAY_E_METADATA_KEY_TWICE, NONE, NULL, 1, "", NONE,
     2},
    /* G2 */
    {"{" A "," U8("b", "1", "1", "2") "," U8("\\u0062", "1", "2", "3") "}", 3, ASSAY_E_NAME_TWICE, 2, "\\u0062", 1, "b",
     NONE, NONE},
    {"{" U8("\\u0061", "1", "0", "1") "," A "}", 1, ASSAY_E_NAME_TWICE, 1, "a", 0, "\\u0061", NONE, NONE},
    {"{" U8("", "1", "0", "1") "," A "," U8("", "1", "1", "2") "}", 2, ASSAY_E_NAME_TWICE, 2, "", 0, "", NONE, NONE},
    /* G3 */
    {"{" A "," U8("\\n", "2", "1", "3") "}", 2, ASSAY_E_TRUNCATED, 1, "\\n", NONE, NULL, 3, 2},
    {"{" A "," U8("b", "1", "18446744073709551614", NUMBER_MAX) "}", 2, ASSAY_E_TRUNCATED, 1, "b", NONE, NULL, NONE, 2},
    {"{" U8("", "0", NUMBER_MAX, NUMBER_MAX) "}", 0, ASSAY_E_TRUNCATED, 0, "", NONE, NULL, NONE, 0},
    /* G4 */
    {"{" U8("b\\u0062", "2", "1", "3") "," U8("a", "2", "0", "2") "}", 3, ASSAY_E_OVERLAP, 0, "b\\u0062", 1, "a", 2, 1},
    {"{" U8("", "2", "0", "2") "," U8("c", "2", "1", "3") "}", 3, ASSAY_E_OVERLAP, 1, "c", 0, "", 2, 1},
    /* G5: before the first tensor, between two, after the last, without any. */
    {"{" U8("b", "1", "1", "2") "}", 2, ASSAY_E_HOLE, 0, "b", NONE, NULL, 0, 1},
    {"{" A "," U8("\\u0062", "1", "2", "3") "}", 3, ASSAY_E_HOLE, 1, "\\u0062", 0, "a", 1, 2},
    {"{" U8("x", "0", "0", "0") "," A "}", 5, ASSAY_E_HOLE, NONE, NULL, 1, "a", 1, 5},
    {"{}", 5, ASSAY_E_HOLE, NONE, NULL, NONE, NULL, 0, 5},
    /* G6 */
    {"{" U8("in\\t", "0", "1", "1") "," U8("out", "2", "0", "2") "}", 2, ASSAY_E_EMPTY_INSIDE, 0, "in\\t", 1, "out",
     NONE, NONE},
};

START_TEST(faults_of_the_whole_file)
{
    CHECK_ROWS(whole_files);
}
END_TEST

/* Of two names or keys with the same bytes, the right one: the texts are apart. */
START_TEST(twins)
{
    file f = file_of("{" A "," U8("c", "0", "1", "1") "," U8("a", "0", "1", "1") "}", 1);
    assay_error error = judge(&f.input, NULL);
    ck_assert_uint_eq(error.status, ASSAY_E_NAME_TWICE);
    ck_assert_uint_eq(error.other_name.at, 8 + 2);
    ck_assert_uint_eq(error.name.at, error.offset + 1);
    ck_assert_uint_eq(error.name.at, 8 + 2 + sizeof A "," U8("c", "0", "1", "1") "," - 1);
    free(f.head);
    f = file_of("{\"__metadata__\":{\"k\":\"k\",\"l\":\"\",\"k\":\"k\"}}", 0);
    error = judge(&f.input, NULL);
    ck_assert_uint_eq(error.status, ASSAY_E_METADATA_KEY_TWICE);
    ck_assert_uint_eq(error.other_name.at, 8 + 18);
    ck_assert_uint_eq(error.offset, 8 + 32);
    free(f.head);
}
END_TEST

/* ---- Not judged ------------------------------------------------------------------------------------- */

START_TEST(limits)
{
    static const char header[] = "{\"__metadata__\":{\"k\":\"v\"},\"\\u0061\":" MEMBERS("1", "0", "1") ","
                                 U8("bb", "1,1,1", "1", "2") "}";
    static const char *const names[] = {NULL, "bb", "bb", "\\u0061", NULL, "\\u0061"};
    static const uint64_t limit[] = {5, 1, 2, 5, 0, 0};
    static const assay_status status[] = {ASSAY_LIMIT_HEADER, ASSAY_LIMIT_TENSORS, ASSAY_LIMIT_RANK, ASSAY_LIMIT_NAME,
                                          ASSAY_LIMIT_METADATA, ASSAY_LIMIT_TENSORS};
    static const uint64_t found[] = {sizeof header - 1, 2, 3, 6, 1, 1};
    for (size_t k = 0; k < 6; k++) {
        assay_options options = ASSAY_OPTIONS;
        uint64_t *const fields[] = {&options.max_header, &options.max_tensors, &options.max_rank, &options.max_name,
                                    &options.max_metadata, &options.max_tensors};
        const uint64_t tensor = names[k] == NULL ? NONE : names[k][0] == 'b' ? 1 : 0;
        const error_row row = {header, 2, status[k], tensor, names[k], NONE, NULL, limit[k], found[k]};
        *fields[k] = limit[k];
        file f = file_of(header, 2);
        assay_error error = judge(&f.input, &options);
        check_error(&error, f.head, &row);
        free(f.head);
    }
}
END_TEST

START_TEST(usage_and_workspace)
{
    const error_row usage = {"usage", 0, ASSAY_USAGE, NONE, NULL, NONE, NULL, NONE, NONE};
    const error_row little = {"workspace", 0, ASSAY_WORKSPACE, NONE, NULL, NONE, NULL, NONE, NONE};
    const assay_options wrong = {0, 0, NONE, NONE, NONE, NONE, NONE};
    file f = file_of("{" A "}", 1);
    assay_entry entry[1];
    uint32_t word[1];
    const assay_workspace workspace = {entry, 0, word, 0};
    assay_result result;
    assay_error error = judge(&f.input, &wrong);
    check_error(&error, f.head, &usage);
    memset(&result, 0xA5, sizeof result);
    ck_assert_uint_eq(assay_parse(&f.input, NULL, &workspace, &result), ASSAY_WORKSPACE);
    check_error(&result.error, f.head, &little);
    memset(&result, 0xA5, sizeof result);
    ck_assert_uint_eq(assay_validate(&f.input, NULL, &workspace, &result), ASSAY_WORKSPACE);
    check_error(&result.error, f.head, &little);
    free(f.head);
}
END_TEST

/* The tests above have every status of the tables. */
START_TEST(every_status)
{
    static const struct {
        const error_row *rows;
        size_t count;
    } tables[] = {{in_tensors, sizeof in_tensors / sizeof *in_tensors},
                  {between_tensors, sizeof between_tensors / sizeof *between_tensors},
                  {whole_files, sizeof whole_files / sizeof *whole_files}};
    static const assay_status others[] = {ASSAY_NEED_MORE, ASSAY_WORKSPACE, ASSAY_USAGE, ASSAY_LIMIT_HEADER,
                                          ASSAY_LIMIT_TENSORS, ASSAY_LIMIT_RANK, ASSAY_LIMIT_NAME,
                                          ASSAY_LIMIT_METADATA, ASSAY_E_FILE_SHORT, ASSAY_E_HEADER_LARGE,
                                          ASSAY_E_HEADER_CUT};
    uint64_t had = 0, count = 0;
    for (size_t k = 0; k < 3; k++) {
        for (size_t j = 0; j < tables[k].count; j++) {
            had |= UINT64_C(1) << tables[k].rows[j].status;
        }
    }
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        had |= UINT64_C(1) << others[k];
    }
    for (uint32_t k = 0; k < rules_table_count; k++) {
        if (rules_table[k].code <= ASSAY_E_EMPTY_INSIDE) {
            ck_assert_msg(had >> rules_table[k].code & 1, "%s has no test", rules_table[k].id);
            count++;
        }
    }
    ck_assert_uint_eq(count, 40);
}
END_TEST

SUITE_MAIN("error", frame, faults_in_a_tensor, faults_in_no_tensor, faults_of_the_whole_file, twins, limits,
           usage_and_workspace, every_status)
