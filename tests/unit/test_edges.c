/* test_edges.c: files at the boundary of validity: sizes at 2^64 bits, escapes at the surrogates and at NUL in every
 * kind of string, and all fields of an error. */
#include <stdio.h>

#include "suite.h"

#define TWO_61 "2305843009213693952"

static char json[2000];

/* Judge a file with this header by all three calls, which must agree in every field of the error. */
static assay_status judge(uint64_t head_size, uint64_t file_size, assay_view *view, assay_error *error)
{
    static uint8_t head[8 + sizeof json];
    static assay_entry entry[8];
    static uint32_t word[64];
    const assay_workspace workspace = {entry, 8, word, 64};
    const assay_input input = {head, head_size, file_size};
    assay_result result, other;
    uint64_t length = strlen(json);
    memset(head, 0, 8);
    head[0] = (uint8_t)length;
    head[1] = (uint8_t)(length >> 8);
    memcpy(head + 8, json, length);
    assay_status status = assay_parse(&input, NULL, &workspace, &result);
    MUST(result.error.status == status);
    MUST(assay_validate(&input, NULL, &workspace, &other) == status);
    MUST(memcmp(&result.error, &other.error, sizeof other.error) == 0);
    if (status < ASSAY_E_METADATA_KEY_TWICE) {
        MUST(assay_measure(&input, NULL, &other) == status);
        MUST(memcmp(&result.error, &other.error, sizeof other.error) == 0);
    }
    *view = result.view;
    *error = result.error;
    return status;
}

/* ---- Sizes ---------------------------------------------------------------------------------------------- */

/* The product of the nonzero dims and the bits must be below 2^64, even if another dim is 0. */
START_TEST(products)
{
    static const struct {
        const char *dtype, *shape;
        uint64_t bytes;
        assay_status status;
    } rows[] = {
        {"U8", "2305843009213693951", UINT64_MAX / 8, ASSAY_OK}, /* 2^64 - 8 */
        {"U8", TWO_61, 0, ASSAY_E_SHAPE_OVERFLOW},               /* 2^64 */
        {"U8", "2305843009213693953", 1, ASSAY_E_SHAPE_OVERFLOW}, /* 2^64 + 8: 8, did it wrap around */
        {"C64", "288230376151711743", UINT64_MAX / 8 - 7, ASSAY_OK},
        {"C64", "288230376151711744", 0, ASSAY_E_SHAPE_OVERFLOW},
        {"C64", "288230376151711745", 8, ASSAY_E_SHAPE_OVERFLOW},
        {"F32", "536870911,1073741825", 2305843007066210300, ASSAY_OK},
        {"F4", "4611686018427387902", UINT64_MAX / 8, ASSAY_OK},
        {"F4", "4611686018427387903", UINT64_MAX / 8, ASSAY_E_SHAPE_SUBBYTE}, /* 2^64 - 4 */
        {"F4", "4611686018427387904", 0, ASSAY_E_SHAPE_OVERFLOW},
        {"F4", "4611686018427387906", 1, ASSAY_E_SHAPE_OVERFLOW},
        {"F6_E2M3", "3074457345618258600", UINT64_MAX / 8 - 1, ASSAY_OK},      /* 2^64 - 16 */
        {"F6_E2M3", "3074457345618258602", 0, ASSAY_E_SHAPE_SUBBYTE},          /* 2^64 - 4 */
        {"F6_E2M3", "3074457345618258603", 0, ASSAY_E_SHAPE_OVERFLOW},         /* 2^64 + 2 */
        {"F6_E2M3", "3074457345618258604", 1, ASSAY_E_SHAPE_OVERFLOW},         /* 2^64 + 8 */
        {"U8", "4294967295,4294967297", UINT64_MAX, ASSAY_E_SHAPE_OVERFLOW},   /* dims of 2^64 - 1, then too large */
        {"U8", "4294967296,4294967296", 0, ASSAY_E_SHAPE_OVERFLOW},            /* dims of 2^64 */
        {"U8", "4294967297,4294967297", 1, ASSAY_E_SHAPE_OVERFLOW},
        {"U8", "3,6148914691236517206", 2, ASSAY_E_SHAPE_OVERFLOW},            /* dims of 2^64 + 2 */
        {"U8", "9223372036854775808,2", 0, ASSAY_E_SHAPE_OVERFLOW},
        {"U8", "18446744073709551615", UINT64_MAX, ASSAY_E_SHAPE_OVERFLOW},
        {"U8", "536870912,4294967295", 2305843008676823040, ASSAY_OK},         /* 2^64 - 2^32 */
        {"U8", "536870912,4294967296", 0, ASSAY_E_SHAPE_OVERFLOW},
        {"U8", "4294967296,536870911", 2305843004918726656, ASSAY_OK},
        {"U8", "2305843009213693951,1,1", UINT64_MAX / 8, ASSAY_OK},
        {"U8", "0," TWO_61, 0, ASSAY_E_SHAPE_OVERFLOW},
        {"U8", TWO_61 ",0", 0, ASSAY_E_SHAPE_OVERFLOW},
        {"U8", "0,2305843009213693951", 0, ASSAY_OK},
        {"U8", "2305843009213693951,0,0", 0, ASSAY_OK},
        {"F4", "0,4611686018427387903", 0, ASSAY_OK},
        {"F4", "0,4611686018427387904", 0, ASSAY_E_SHAPE_OVERFLOW},
        {"U8", "0,4294967296,4294967296", 0, ASSAY_E_SHAPE_OVERFLOW},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        assay_view view;
        assay_error error;
        int shape = 0;
        sprintf(json, "{\"t\":{\"dtype\":\"%s\",\"shape\":%n[%s],\"data_offsets\":[0,%llu]}}", rows[k].dtype, &shape,
                rows[k].shape, (unsigned long long)rows[k].bytes);
        uint64_t size = 8 + strlen(json);
        assay_status status = judge(size, rows[k].bytes > UINT64_MAX - size ? UINT64_MAX : size + rows[k].bytes, &view,
                                    &error);
        ck_assert_msg(status == rows[k].status, "%s: status %u", json, (unsigned)status);
        ck_assert_msg(status == ASSAY_OK || error.offset == 8 + (uint64_t)shape, "%s: offset %u", json,
                      (unsigned)error.offset);
        ck_assert_uint_eq(error.expected, ASSAY_NONE);
        ck_assert(status == ASSAY_OK || error.tensor == 0);
        ck_assert(error.found == (status == ASSAY_E_SHAPE_SUBBYTE ? UINT64_MAX - 3 : ASSAY_NONE));
    }
}
END_TEST

/* ---- Strings -------------------------------------------------------------------------------------------- */

/* The kinds of strings, and the verdict on a well-formed string of each kind. */
static const struct {
    const char *before, *after;
    assay_status status;
} kinds[] = {
    {"{\"", "\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}", ASSAY_OK},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]},\"",
     "\":{\"shape\":[0],\"data_offsets\":[0,0],\"dtype\":\"F32\"}}", ASSAY_OK},
    {"{\"__metadata__\":{\"", "\":\"v\"}}", ASSAY_OK},
    {"{\"__metadata__\":{\"k\":\"", "\"}}", ASSAY_OK},
    {"{\"__metadata__\":{\"k\":\"v\",\"", "\" : \"w\"}}", ASSAY_OK},
    {"{\"a\":{\"", "\":1}}", ASSAY_E_MEMBER_UNKNOWN},
    {"{\"a\":{\"dtype\":\"U8\",\"", "\":1}}", ASSAY_E_MEMBER_UNKNOWN},
    {"{\"a\":{\"dtype\":\"", "\",\"shape\":[0],\"data_offsets\":[0,0]}}", ASSAY_E_DTYPE_UNKNOWN},
    {"{\"a\":{\"shape\":[0],\"dtype\":\"", "\",\"data_offsets\":[0,0]}}", ASSAY_E_DTYPE_UNKNOWN},
};

/* The content of a string, and its error and the byte of it, or its first code point. */
static const struct {
    const char *text;
    assay_status status;
    uint32_t at, code;
} strings[] = {
    {"\\u0000", ASSAY_E_NUL, 0, 0}, {"\\u0001", ASSAY_OK, 0, 1}, {"\\u0010", ASSAY_OK, 0, 0x10},
    {"\\u0100", ASSAY_OK, 0, 0x100}, {"\\u1000", ASSAY_OK, 0, 0x1000}, {"a\\u0000", ASSAY_E_NUL, 1, 0},
    {"\\\\u0000", ASSAY_OK, 0, '\\'}, {"\\\\\\u0000", ASSAY_E_NUL, 2, 0}, {"\\u0000\\uD800", ASSAY_E_NUL, 0, 0},
    {"\\uD800\\u0000", ASSAY_E_SURROGATE, 0, 0},
    {"\\uD7FF", ASSAY_OK, 0, 0xD7FF}, {"\\ud7ff", ASSAY_OK, 0, 0xD7FF}, {"\\uE000", ASSAY_OK, 0, 0xE000},
    {"\\ue000", ASSAY_OK, 0, 0xE000}, {"\\uFFFF", ASSAY_OK, 0, 0xFFFF}, {"\\uD800", ASSAY_E_SURROGATE, 0, 0},
    {"\\uDBFF", ASSAY_E_SURROGATE, 0, 0}, {"\\uDC00", ASSAY_E_SURROGATE, 0, 0}, {"\\uDFFF", ASSAY_E_SURROGATE, 0, 0},
    {"\\uD800\\uDC00", ASSAY_OK, 0, 0x10000}, {"\\uD800\\uDFFF", ASSAY_OK, 0, 0x103FF},
    {"\\uDBFF\\uDC00", ASSAY_OK, 0, 0x10FC00}, {"\\udbff\\udfff", ASSAY_OK, 0, 0x10FFFF},
    {"\\uD800\\uDBFF", ASSAY_E_SURROGATE, 0, 0}, {"\\uDBFF\\uE000", ASSAY_E_SURROGATE, 0, 0},
    {"\\uD7FF\\uDC00", ASSAY_E_SURROGATE, 6, 0}, {"\\uE000\\uDFFF", ASSAY_E_SURROGATE, 6, 0},
    {"\\uDC00\\uDC00", ASSAY_E_SURROGATE, 0, 0}, {"\\uDC00\\uDFFF", ASSAY_E_SURROGATE, 0, 0},
    {"\\uDFFF\\uDC00", ASSAY_E_SURROGATE, 0, 0}, {"\\uDC00\\uD800", ASSAY_E_SURROGATE, 0, 0},
    {"\\uD800\\uD800\\uDC00", ASSAY_E_SURROGATE, 0, 0},
    {"\\uD800\\uDC00\\uDC00", ASSAY_E_SURROGATE, 12, 0},
    {"\xED\x9F\xBF", ASSAY_OK, 0, 0xD7FF}, {"\xEE\x80\x80", ASSAY_OK, 0, 0xE000},
    {"\xED\xA0\x80", ASSAY_E_UTF8, 0, 0}, {"\xED\xBF\xBF", ASSAY_E_UTF8, 0, 0}, {"\xC0\x80", ASSAY_E_UTF8, 0, 0},
    {"\xF4\x8F\xBF\xBF", ASSAY_OK, 0, 0x10FFFF}, {"\xF4\x90\x80\x80", ASSAY_E_UTF8, 0, 0},
    {"\xF0\x90\x80\x80", ASSAY_OK, 0, 0x10000}, {"\xF0\x8F\xBF\xBF", ASSAY_E_UTF8, 0, 0},
    {"\xE0\xA0\x80", ASSAY_OK, 0, 0x800}, {"\xE0\x9F\xBF", ASSAY_E_UTF8, 0, 0}, {"\x7F", ASSAY_OK, 0, 0x7F},
    {"\x1F", ASSAY_E_CONTROL, 0, 0}, {" ", ASSAY_OK, 0, ' '},
};

/* Return the code point after the first `pad` of the text. */
static uint32_t code_after(const assay_view *view, assay_text text, int pad)
{
    uint32_t code = 0;
    while (assay_text_next(view, &text, &code) && pad-- > 0) {
    }
    return code;
}

/* Check the code point after `pad` others in a name, a key or a value of a valid file. */
static bool says(const assay_view *view, size_t kind, int pad, uint32_t code)
{
    assay_text key = {0, 0}, value = {0, 0};
    assay_tensor t;
    if (kind < 2) {
        return assay_tensor_at(view, kind, &t) && t.index == kind && code_after(view, t.name, pad) == code;
    }
    return assay_metadata_at(view, kind == 4, &key, &value) &&
           code_after(view, kind == 3 ? value : key, pad) == code;
}

static void check_string(size_t kind, size_t string, int pad)
{
    static const char padding[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
    assay_view view;
    assay_error error;
    int at = 0;
    sprintf(json, "%s%n%.*s%s%.*s%s", kinds[kind].before, &at, pad, padding, strings[string].text, pad, padding,
            kinds[kind].after);
    uint64_t quote = 8 + (uint64_t)at - 1, size = 8 + strlen(json);
    assay_status status = judge(size, size, &view, &error);
    assay_status wanted = strings[string].status == ASSAY_OK ? kinds[kind].status : strings[string].status;
    uint64_t offset = strings[string].status == ASSAY_OK ? quote : quote + 1 + (uint64_t)pad + strings[string].at;
    ck_assert_msg(status == wanted, "%s: status %u", json, (unsigned)status);
    if (status == ASSAY_OK) {
        ck_assert_msg(says(&view, kind, pad, strings[string].code), "%s: another code point", json);
    } else {
        ck_assert_msg(error.offset == offset, "%s: offset %u", json, (unsigned)error.offset);
        ck_assert_uint_eq(error.tensor, kind < 5 ? ASSAY_NONE : 0);
        ck_assert(error.other == ASSAY_NONE && error.expected == ASSAY_NONE && error.found == ASSAY_NONE);
    }
}

START_TEST(escapes_in_every_kind_of_string)
{
    static const int pads[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        for (size_t string = 0; string < sizeof strings / sizeof *strings; string++) {
            for (size_t k = 0; k < sizeof pads / sizeof *pads; k++) {
                check_string(kind, string, pads[k]);
            }
        }
    }
}
END_TEST

/* ---- All fields of an error ----------------------------------------------------------------------------- */

#define U8(name, shape, begin, end) \
    "\"" name "\":{\"dtype\":\"U8\",\"shape\":[" shape "],\"data_offsets\":[" begin "," end "]}"

/* The table "Error fields" of spec/format.md. Fields that it does not name are none. Offsets are relative to the
 * header. */
START_TEST(fields)
{
    const uint64_t none = ASSAY_NONE;
    const struct {
        const char *text;
        uint64_t data, status, offset, tensor, other, expected, found;
    } rows[] = {
        {"{" U8("a", "1", "0", "1") "}", 1, ASSAY_OK, none, none, none, none, none},
        {"{" U8("a", "1", "0", "1") ",3}", 1, ASSAY_E_UNEXPECTED, 53, none, none, none, none},
        {"{" U8("a", "1", "0", "1") ",\"b\":3}", 1, ASSAY_E_TYPE, 57, 1, none, none, none},
        {"{" U8("a", "1", "0", "1") ",\"b\":{\"shape\":[]}}", 1, ASSAY_E_MEMBER_MISSING, 68, 1, none, 7, 2},
        {"{" U8("a", "1", "2", "1") "}", 1, ASSAY_E_OFFSETS_ORDER, 46, 0, none, 2, 1},
        {"{" U8("a", "3", "1", "3") "}", 3, ASSAY_E_OFFSETS_SIZE, 46, 0, none, 3, 2},
        {"{\"a\":{\"dtype\":\"F4\",\"shape\":[3],\"data_offsets\":[0,1]}}", 1, ASSAY_E_SHAPE_SUBBYTE, 27, 0, none, none,
         12},
        {"{\"__metadata__\":{\"k\":\"\",\"l\":\"\",\"\\u006b\":\"\",\"l\":\"\"}}", 0, ASSAY_E_METADATA_KEY_TWICE, 31,
         none, 0, none, 2},
        {"{" U8("a", "1", "0", "1") "," U8("b", "1", "1", "2") "," U8("b", "1", "2", "3") "}", 3, ASSAY_E_NAME_TWICE,
         105, 2, 1, none, none},
        {"{" U8("a", "1", "0", "1") "," U8("b", "2", "1", "3") "}", 2, ASSAY_E_TRUNCATED, none - 1, 1, none, 3, 2},
        {"{" U8("a", "2", "0", "2") "," U8("b", "2", "1", "3") "}", 3, ASSAY_E_OVERLAP, none - 2, 1, 0, 2, 1},
        {"{" U8("a", "1", "0", "1") "," U8("b", "1", "2", "3") "}", 3, ASSAY_E_HOLE, none - 2, 1, 0, 1, 2},
        {"{" U8("a", "1", "0", "1") "}", 5, ASSAY_E_HOLE, none - 2, none, 0, 1, 5},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        assay_view view;
        assay_error error;
        strcpy(json, rows[k].text);
        uint64_t end = 8 + strlen(json), offset = rows[k].offset;
        offset = offset == none - 1 ? end + rows[k].data : offset == none - 2 ? end + 1 : offset;
        offset = offset == rows[k].offset && offset != none ? 8 + offset : offset;
        ck_assert_uint_eq(judge(end, end + rows[k].data, &view, &error), rows[k].status);
        ck_assert_msg(error.offset == offset && error.tensor == rows[k].tensor && error.other == rows[k].other &&
                          error.expected == rows[k].expected && error.found == rows[k].found,
                      "%s: at %llu, tensor %lld, other %lld, expected %lld, found %lld", json,
                      (unsigned long long)error.offset, (long long)error.tensor, (long long)error.other,
                      (long long)error.expected, (long long)error.found);
    }
}
END_TEST

/* The error fields of stage F do not depend on how many bytes of the head are passed. */
START_TEST(fields_of_the_frame)
{
    assay_view view;
    assay_error error;
    strcpy(json, "{" U8("a", "1", "0", "1") "}");
    const uint64_t end = 8 + strlen(json);
    for (uint64_t file = 0; file < end; file++) {
        for (uint64_t given = 0; given <= file; given++) {
            assay_status status = judge(given, file, &view, &error);
            ck_assert(error.tensor == ASSAY_NONE && error.other == ASSAY_NONE);
            if (file < 8) {
                ck_assert(status == ASSAY_E_FILE_SHORT && error.offset == file && error.expected == 8);
                ck_assert_uint_eq(error.found, file);
            } else if (given < 8) {
                ck_assert(status == ASSAY_NEED_MORE && error.offset == ASSAY_NONE && error.expected == 8);
                ck_assert_uint_eq(error.found, given);
            } else {
                ck_assert(status == ASSAY_E_HEADER_CUT && error.offset == file && error.expected == end);
                ck_assert_uint_eq(error.found, file);
            }
        }
    }
    for (uint64_t given = 8; given < end; given++) {
        ck_assert_uint_eq(judge(given, end + 1, &view, &error), ASSAY_NEED_MORE);
        ck_assert(error.offset == ASSAY_NONE && error.expected == end && error.found == given);
    }
}
END_TEST

SUITE_MAIN("edges", products, escapes_in_every_kind_of_string, fields, fields_of_the_frame)
