/* test_tokens.c: strings, numbers, keywords and dtypes: the tokens of the header. */
#include "../../src/core/dtypes.h"
#include "../../src/core/words.h"
#include "suite.h"
#include <stdio.h>

typedef struct {
    const char *text;
    size_t size;
    uint32_t status; /* ASSAY_OK: it ends at `at` */
    uint32_t at;
} row;

#define ROW(text, status, at) {text, sizeof text - 1, status, at}

static void check_step(const row *r, assay_step step)
{
    if (r->status == ASSAY_OK) {
        ck_assert_msg(step == r->at, "%s: step %llu", r->text, (unsigned long long)step);
    } else {
        ck_assert_msg(step == ASSAY_STOP(r->status, r->at), "%s: status %u at %u", r->text,
                      (unsigned)(step / ASSAY_STOPPED), (unsigned)(step % ASSAY_STOPPED));
    }
}

START_TEST(strings)
{
    static const row rows[] = {
        ROW("\"", ASSAY_OK, 0), ROW("abc\"", ASSAY_OK, 3), ROW("\x7F\"", ASSAY_OK, 1),
        ROW("\\\"\\\\\\/\\b\\f\\n\\r\\t\"", ASSAY_OK, 16), ROW("\\u0041\\uFFFF\\uffff\\uaBcD\"", ASSAY_OK, 24),
        ROW("\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\"", ASSAY_OK, 21),
        ROW("\\uD83D\\uDE00\\udbff\\udfff\"", ASSAY_OK, 24),
        /* the header ends inside */
        ROW("", ASSAY_E_HEADER_EARLY, 0), ROW("ab", ASSAY_E_HEADER_EARLY, 2), ROW("\\", ASSAY_E_HEADER_EARLY, 1),
        ROW("\\u", ASSAY_E_HEADER_EARLY, 2), ROW("\\u12f", ASSAY_E_HEADER_EARLY, 5),
        ROW("\xC3", ASSAY_E_HEADER_EARLY, 1), ROW("\xE1\x80", ASSAY_E_HEADER_EARLY, 2),
        ROW("\xF1\x80\x80", ASSAY_E_HEADER_EARLY, 3), ROW("\\uD83D", ASSAY_E_HEADER_EARLY, 6),
        ROW("\\uD83D\\", ASSAY_E_HEADER_EARLY, 7), ROW("\\uD83D\\u", ASSAY_E_HEADER_EARLY, 8),
        ROW("\\uD83D\\uD", ASSAY_E_HEADER_EARLY, 9), ROW("\\uD83D\\uDE0", ASSAY_E_HEADER_EARLY, 11),
        /* control, UTF-8, escapes */
        ROW("a\nb\"", ASSAY_E_CONTROL, 1), ROW("\0\"", ASSAY_E_CONTROL, 0), ROW("\x1F\"", ASSAY_E_CONTROL, 0),
        ROW("\x80\"", ASSAY_E_UTF8, 0), ROW("a\xC1\x80\"", ASSAY_E_UTF8, 1), ROW("\xF5\x80\x80\x80\"", ASSAY_E_UTF8, 0),
        ROW("\xC3\"", ASSAY_E_UTF8, 0), ROW("\xC3\xC3\"", ASSAY_E_UTF8, 0), ROW("\xE0\x9F\x80\"", ASSAY_E_UTF8, 0),
        ROW("\xED\xA0\x80\"", ASSAY_E_UTF8, 0), ROW("\xE1\x80\x7F\"", ASSAY_E_UTF8, 0),
        ROW("\xE1\x80\xC0\"", ASSAY_E_UTF8, 0), ROW("\xF0\x8F\x80\x80\"", ASSAY_E_UTF8, 0),
        ROW("\xF4\x90\x80\x80\"", ASSAY_E_UTF8, 0), ROW("\xE0\xC0\x80\"", ASSAY_E_UTF8, 0),
        ROW("\xED\x7F\x80\"", ASSAY_E_UTF8, 0), ROW("\xF0\xC0\x80\x80\"", ASSAY_E_UTF8, 0),
        ROW("\xF4\x7F\x80\x80\"", ASSAY_E_UTF8, 0), ROW("\xF1\x80\x80\"", ASSAY_E_UTF8, 0),
        ROW("\xF1\x80\x22\"", ASSAY_E_UTF8, 0), ROW("\xFF\"", ASSAY_E_UTF8, 0),
        ROW("a\\x\"", ASSAY_E_ESCAPE, 1), ROW("\\U0041\"", ASSAY_E_ESCAPE, 0), ROW("\\u00g0\"", ASSAY_E_ESCAPE, 0),
        ROW("\\u004\"", ASSAY_E_ESCAPE, 0), ROW("\\u004:\"", ASSAY_E_ESCAPE, 0), ROW("\\u004@\"", ASSAY_E_ESCAPE, 0),
        ROW("\\u004`\"", ASSAY_E_ESCAPE, 0), ROW("\\u/000\"", ASSAY_E_ESCAPE, 0), ROW("ab\\u0000\"", ASSAY_E_NUL, 2),
        /* surrogates */
        ROW("\\uDC00\"", ASSAY_E_SURROGATE, 0), ROW("\\uDFFF\\uD800\"", ASSAY_E_SURROGATE, 0),
        ROW("\\uD800\"", ASSAY_E_SURROGATE, 0), ROW("\\uD800x", ASSAY_E_SURROGATE, 0),
        ROW("\\uD800\\n", ASSAY_E_SURROGATE, 0), ROW("\\uD800\\u0041", ASSAY_E_SURROGATE, 0),
        ROW("\\uD800\\uE000", ASSAY_E_SURROGATE, 0), ROW("\\uD800\\uDBFF", ASSAY_E_SURROGATE, 0),
        ROW("\\uD800\\uDC0x", ASSAY_E_SURROGATE, 0), ROW("\\uD800\\uDCx0", ASSAY_E_SURROGATE, 0),
        ROW("\\uD800\\u\"", ASSAY_E_SURROGATE, 0), ROW("\\uD800\\uDg00", ASSAY_E_SURROGATE, 0),
        ROW("\\uD800\n", ASSAY_E_SURROGATE, 0),
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint8_t *head = exactly(rows[k].text, rows[k].size);
        check_step(&rows[k], assay_string(head, 0, (uint32_t)rows[k].size));
        free(head);
    }
}
END_TEST

static assay_step escape_step(const uint8_t *head, uint32_t end)
{
    uint64_t next = assay_decode(head, 0, end) % 4294967296u;
    return next != 1 ? next : assay_escape_fault(head, 0, end);
}

START_TEST(escapes)
{
    static const row rows[] = {
        ROW("\\n", ASSAY_OK, 2), ROW("\\\"u0041", ASSAY_OK, 2), ROW("\\u0041", ASSAY_OK, 6),
        ROW("\\uD7FFFF", ASSAY_OK, 6), ROW("\\uE000\\uDC00", ASSAY_OK, 6), ROW("\\uD83D\\uDE00", ASSAY_OK, 12),
        ROW("\\uDBFF\\uDFFF0", ASSAY_OK, 12), ROW("\\uDC00\\uDC00", ASSAY_E_SURROGATE, 0),
        ROW("\\uDC00", ASSAY_E_SURROGATE, 0), ROW("\\uDFFF\\", ASSAY_E_SURROGATE, 0),
        ROW("\\uDBFF", ASSAY_E_HEADER_EARLY, 6),
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint8_t *head = exactly(rows[k].text, rows[k].size);
        check_step(&rows[k], escape_step(head, (uint32_t)rows[k].size));
        free(head);
    }
}
END_TEST

/* An escape with every byte at every position, after which the header ends: the error comes before the end. */
START_TEST(cut_escapes)
{
    static const char whole[] = "\\uD83D\\uDE00";
    static const char hex[] = "0123456789abcdefABCDEF";
    static const char *const may[12] = {"", "", hex, hex, hex, hex, "\\", "u", "dD", "cdefCDEF", hex, hex};
    for (uint32_t place = 2; place < 12; place++) {
        for (int byte = 0; byte < 256; byte++) {
            char text[12];
            memcpy(text, whole, sizeof text);
            text[place] = (char)byte;
            bool right = byte != 0 && strchr(may[place], byte) != NULL;
            uint8_t *head = exactly(text, place + 1);
            MUST(assay_string(head, 0, place + 1)
                 == (right ? ASSAY_STOP(ASSAY_E_HEADER_EARLY, place + 1)
                     : ASSAY_STOP(place < 6 ? ASSAY_E_ESCAPE : ASSAY_E_SURROGATE, 0)));
            free(head);
        }
    }
}
END_TEST

/* The same for UTF-8: the second bytes that may follow each kind of lead byte. */
START_TEST(cut_utf8)
{
    static const uint8_t leads[][3] = {{0xC2, 0x80, 0xBF}, {0xDF, 0x80, 0xBF}, {0xE0, 0xA0, 0xBF}, {0xE1, 0x80, 0xBF},
                                       {0xEC, 0x80, 0xBF}, {0xED, 0x80, 0x9F}, {0xEE, 0x80, 0xBF}, {0xEF, 0x80, 0xBF},
                                       {0xF0, 0x90, 0xBF}, {0xF1, 0x80, 0xBF}, {0xF3, 0x80, 0xBF}, {0xF4, 0x80, 0x8F}};
    for (size_t k = 0; k < sizeof leads / sizeof *leads; k++) {
        uint32_t size = leads[k][0] < 0xE0 ? 2 : leads[k][0] < 0xF0 ? 3 : 4;
        for (uint32_t place = 1; place < size; place++) {
            for (int byte = 0; byte < 256; byte++) {
                bool right = place == 1 ? byte >= leads[k][1] && byte <= leads[k][2] : byte >= 0x80 && byte <= 0xBF;
                char text[4] = {(char)leads[k][0], (char)leads[k][2], '\xBF', '\xBF'};
                text[place] = (char)byte;
                uint8_t *head = exactly(text, place + 1);
                MUST(assay_utf8(head, 0, place + 1)
                     == (!right ? ASSAY_STOP(ASSAY_E_UTF8, 0)
                         : place + 1 == size ? size : ASSAY_STOP(ASSAY_E_HEADER_EARLY, place + 1)));
                free(head);
            }
        }
    }
}
END_TEST

START_TEST(numbers)
{
    static const row rows[] = {
        ROW("0,", ASSAY_OK, 1), ROW("7]", ASSAY_OK, 1), ROW("18446744073709551615 ", ASSAY_OK, 20),
        ROW("18446744073709551616 ", ASSAY_E_NUMBER_RANGE, 0), ROW("18446744073709551620 ", ASSAY_E_NUMBER_RANGE, 0),
        ROW("99999999999999999999 ", ASSAY_E_NUMBER_RANGE, 0), ROW("184467440737095516150 ", ASSAY_E_NUMBER_RANGE, 0),
        ROW("00 ", ASSAY_E_NUMBER_FORM, 0), ROW("01 ", ASSAY_E_NUMBER_FORM, 0), ROW("-0 ", ASSAY_E_NUMBER_FORM, 0),
        ROW("-1 ", ASSAY_E_NUMBER_FORM, 0), ROW("- ", ASSAY_E_NUMBER_FORM, 0), ROW("1.0 ", ASSAY_E_NUMBER_FORM, 0),
        ROW("1e5 ", ASSAY_E_NUMBER_FORM, 0), ROW("1E+5 ", ASSAY_E_NUMBER_FORM, 0), ROW("1+ ", ASSAY_E_NUMBER_FORM, 0),
        ROW("99999999999999999999.0 ", ASSAY_E_NUMBER_FORM, 0), ROW("5", ASSAY_E_HEADER_EARLY, 1),
        ROW("-", ASSAY_E_HEADER_EARLY, 1), ROW("1.", ASSAY_E_HEADER_EARLY, 2), ROW("1x", ASSAY_OK, 1),
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint64_t value = 123;
        uint8_t *head = exactly(rows[k].text, rows[k].size);
        check_step(&rows[k], assay_integer(head, 0, (uint32_t)rows[k].size, &value));
        ck_assert_uint_eq(value, rows[k].status == ASSAY_OK ? strtoull(rows[k].text, NULL, 10) : 123);
        free(head);
    }
}
END_TEST

/* Numbers in an array with more bytes after it: most are read without a check of each digit. */
START_TEST(items)
{
    static const row rows[] = {
        ROW("[0,0]", ASSAY_OK, 5), ROW("[ 9 ,7]", ASSAY_OK, 7), ROW("[1/2,7]", ASSAY_E_UNEXPECTED, 2),
        ROW("[1:2,7]", ASSAY_E_UNEXPECTED, 2), ROW("[/,7]", ASSAY_E_UNEXPECTED, 1), ROW("[:,7]", ASSAY_E_UNEXPECTED, 1),
        ROW("[,7]", ASSAY_E_UNEXPECTED, 1), ROW("[1,]", ASSAY_E_UNEXPECTED, 3), ROW("[1,,7]", ASSAY_E_UNEXPECTED, 3),
        ROW("[01,7]", ASSAY_E_NUMBER_FORM, 1), ROW("[00,7]", ASSAY_E_NUMBER_FORM, 1),
        ROW("[1.5,7]", ASSAY_E_NUMBER_FORM, 1), ROW("[-1,7]", ASSAY_E_NUMBER_FORM, 1),
        ROW("[1[7]", ASSAY_E_UNEXPECTED, 2), ROW("[1+7]", ASSAY_E_NUMBER_FORM, 1),
        ROW("[1-7]", ASSAY_E_NUMBER_FORM, 1), ROW("[1,7^", ASSAY_E_UNEXPECTED, 4),
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[64];
        assay_draft draft = {0};
        int size = snprintf(text, sizeof text, "%-40s", rows[k].text);
        uint8_t *head = exactly(text, (size_t)size);
        check_step(&rows[k], assay_offsets(head, 1, (uint32_t)size, &draft));
        free(head);
    }
}
END_TEST

/* Numbers of 1 to 22 digits, with more or fewer bytes after them, and cut at every byte. */
START_TEST(digits)
{
    for (int count = 1; count <= 22; count++) {
        for (int room = 0; room <= 80; room++) {
            char text[128];
            assay_draft draft = {0};
            const bool first = room % 2 == 0; /* the long number */
            int whole = snprintf(text, sizeof text, first ? "[%.*s,7]%*s" : "[7,%.*s]%*s", count,
                                 "1098765432109876543210", room / 2, "");
            bool fits = count <= 20;
            uint64_t number = strtoull(text + (first ? 1 : 3), NULL, 10);
            uint8_t *head = exactly(text, (size_t)whole);
            assay_step step = assay_offsets(head, 1, (uint32_t)whole, &draft);
            MUST(step == (fits ? (uint64_t)count + 4 : ASSAY_STOP(ASSAY_E_NUMBER_RANGE, first ? 1 : 3)));
            MUST(!fits || (draft.begin == (first ? number : 7) && draft.end == (first ? 7 : number)));
            free(head);
        }
        for (int size = 1; size <= 2 * count + 3; size++) {
            char text[64];
            assay_draft draft = {0};
            const char *const digits = "1098765432109876543210";
            snprintf(text, sizeof text, "[%.*s, %.*s", count, digits, count, digits);
            uint8_t *head = exactly(text, (size_t)size);
            MUST(count > 20 || assay_offsets(head, 1, (uint32_t)size, &draft)
                                   == ASSAY_STOP(ASSAY_E_HEADER_EARLY, (uint32_t)size));
            free(head);
        }
        for (int size = 1; size <= count + 1; size++) {
            assay_draft draft = {0};
            uint8_t *head = exactly("[1098765432109876543210", (size_t)size);
            ck_assert_uint_eq(assay_offsets(head, 1, (uint32_t)size, &draft),
                              ASSAY_STOP(ASSAY_E_HEADER_EARLY, (uint32_t)size));
            free(head);
        }
    }
}
END_TEST

START_TEST(products)
{
    static const uint64_t factors[] = {0, 1, 2, 3, 7, 64, 65535, 65536, 4294967295, 4294967296, 4294967297, 6700417,
                                       274177, 67280421310721, UINT64_MAX / 2, UINT64_MAX / 2 + 1, UINT64_MAX / 3,
                                       UINT64_MAX / 5 + 1, UINT64_MAX - 1, UINT64_MAX};
    const size_t count = sizeof factors / sizeof *factors;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            uint64_t a = factors[i], b = factors[j], product = 5;
            bool fits = a == 0 || b <= UINT64_MAX / a;
            ck_assert_int_eq(assay_multiply(a, b, &product), fits);
            ck_assert_uint_eq(product, fits ? a * b : 5);
        }
    }
}
END_TEST

static void read_word(const char *text, assay_word *word)
{
    uint8_t *head = exactly(text, strlen(text));
    assay_word_read(head, 0, (uint32_t)strlen(text), word);
    free(head);
}

START_TEST(words)
{
    assay_word word;
    read_word("__metadata__", &word);
    ck_assert(word.lo == ASSAY_WORD_METADATA_LO && word.hi == ASSAY_WORD_METADATA_HI && word.length == 12);
    read_word("d\\u0074ype", &word);
    ck_assert(word.lo == ASSAY_WORD_DTYPE_LO && word.hi == 0 && word.length == 5);
    read_word("data_offsets", &word);
    ck_assert(word.lo == ASSAY_WORD_DATA_OFFSETS_LO && word.hi == ASSAY_WORD_DATA_OFFSETS_HI);
    read_word("__metadata__x", &word);
    ck_assert_uint_eq(word.length, ASSAY_WORD_LONG);
    read_word("__metadata__xyz", &word);
    ck_assert_uint_eq(word.length, ASSAY_WORD_LONG);
    read_word("dtyp\xC3\xA9", &word);
    ck_assert_uint_eq(word.length, ASSAY_WORD_LONG);
    read_word("dtyp\xC2\x80", &word);
    ck_assert_uint_eq(word.length, ASSAY_WORD_LONG);
    read_word("dtyp\x7F", &word);
    ck_assert(word.lo == UINT64_C(0x7F70797464) && word.hi == 0 && word.length == 5);
    read_word("", &word);
    ck_assert_uint_eq(word.length, 0);
}
END_TEST

START_TEST(dtypes)
{
    static const struct {
        const char *name;
        uint32_t code, bits;
    } known[] = {
        {"BOOL", ASSAY_DTYPE_BOOL, 8}, {"U8", ASSAY_DTYPE_U8, 8}, {"I8", ASSAY_DTYPE_I8, 8},
        {"F8_E5M2", ASSAY_DTYPE_F8_E5M2, 8}, {"F8_E4M3", ASSAY_DTYPE_F8_E4M3, 8}, {"F8_E8M0", ASSAY_DTYPE_F8_E8M0, 8},
        {"F8_E4M3FNUZ", ASSAY_DTYPE_F8_E4M3FNUZ, 8}, {"F8_E5M2FNUZ", ASSAY_DTYPE_F8_E5M2FNUZ, 8},
        {"F4", ASSAY_DTYPE_F4, 4}, {"F6_E2M3", ASSAY_DTYPE_F6_E2M3, 6}, {"F6_E3M2", ASSAY_DTYPE_F6_E3M2, 6},
        {"I16", ASSAY_DTYPE_I16, 16}, {"U16", ASSAY_DTYPE_U16, 16}, {"F16", ASSAY_DTYPE_F16, 16},
        {"BF16", ASSAY_DTYPE_BF16, 16}, {"I32", ASSAY_DTYPE_I32, 32}, {"U32", ASSAY_DTYPE_U32, 32},
        {"F32", ASSAY_DTYPE_F32, 32}, {"I64", ASSAY_DTYPE_I64, 64}, {"U64", ASSAY_DTYPE_U64, 64},
        {"F64", ASSAY_DTYPE_F64, 64}, {"C64", ASSAY_DTYPE_C64, 64}, {"f32", 0, 0}, {"F128", 0, 0}, {"F8_E4M3FN", 0, 0},
        {"F8_E4M3FNUX", 0, 0}, {"F9_E4M3FNUZ", 0, 0},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        assay_word word;
        read_word(known[k].name, &word);
        ck_assert_uint_eq(assay_dtype_of(word.lo, word.hi), known[k].code);
        ck_assert_uint_eq(assay_dtype_bits(known[k].code), known[k].bits);
    }
    ck_assert_uint_eq(assay_dtype_bits(ASSAY_DTYPE_LAST + 1), 0);
    ck_assert_uint_eq(assay_dtype_bits(UINT32_MAX), 0);
}
END_TEST

/* Runs shorter and longer than a block, followed by every byte, and then by a block or less. */
enum { RUN = 40, ROOM = 20 };

static bool is_blank(int byte)
{
    return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}

START_TEST(blank_runs)
{
    char text[RUN + 1 + ROOM];
    for (uint32_t n = 0; n <= RUN; n++) {
        for (uint32_t k = 0; k < n; k++) {
            text[k] = " \n\t\r"[n % 2 == 0 ? k * 7 % 4 : n / 2 % 4];
        }
        memset(text + n + 1, 'x', ROOM);
        for (int byte = 0; byte < 256; byte++) {
            text[n] = (char)byte;
            for (uint32_t end = n; end <= n + 1 + ROOM; end += end < n + 2 ? 1 : ROOM - 1) {
                uint8_t *head = exactly(text, end);
                for (uint32_t at = 0; at <= n; at++) {
                    MUST(assay_space(head, at, end) == (is_blank(byte) && end > n ? n + 1 : n));
                }
                free(head);
            }
        }
    }
}
END_TEST

/* A string of n plain characters and this byte, then `more` plain ones and, if closed, the closing quote. */
static assay_step string_with(int byte, uint32_t n, uint32_t more, bool closed)
{
    uint32_t end = n + 1 + more + closed;
    if (byte < 0x20) {
        return ASSAY_STOP(ASSAY_E_CONTROL, n);
    }
    if (byte == '"') {
        return n;
    }
    if (byte >= 0x80) {
        bool cut = end == n + 1 && byte >= 0xC2 && byte <= 0xF4;
        return cut ? ASSAY_STOP(ASSAY_E_HEADER_EARLY, end) : ASSAY_STOP(ASSAY_E_UTF8, n);
    }
    if (byte == '\\' && (more > 0 || !closed)) {
        return more > 0 ? ASSAY_STOP(ASSAY_E_ESCAPE, n) : ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
    }
    return closed && byte != '\\' ? end - 1 : ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
}

/* Return how many of the first bytes are plain, up to the last 48, which are never examined one by one. */
static uint32_t plain_bytes(const uint8_t *text, uint32_t size)
{
    uint32_t n = 0, whole = 0;
    while (n < size && text[n] >= 0x20 && text[n] < 0x80 && text[n] != '"' && text[n] != '\\') {
        n++;
    }
    while (n - whole >= 48 && size - whole > 48) {
        whole += 48;
    }
    return size - whole > 48 ? n : whole;
}

START_TEST(plain_runs)
{
    enum { AT = 3, LONG = 70, BEHIND = 50 };
    char text[AT + LONG + 2 + BEHIND];
    for (uint32_t n = 0; n <= LONG; n++) {
        for (int byte = 0; byte < 256; byte++) {
            for (uint32_t kind = 0; kind < 4; kind++) {
                uint32_t more = kind < 2 ? 0 : BEHIND, closed = kind % 2, size = n + 1 + more + closed;
                memset(text, '"', AT);
                memset(text + AT, 'a', sizeof text - AT);
                text[AT + n] = (char)byte;
                text[AT + n + 1 + more] = '"';
                uint8_t *head = exactly(text, AT + size);
                MUST(assay_string(head, AT, AT + size) == AT + string_with(byte, n, more, closed));
                MUST(assay_string_rest(head, AT, AT + size) == AT + string_with(byte, n, more, closed));
                MUST(assay_plain_end(head, AT, AT + size) == AT + plain_bytes(head + AT, size));
                free(head);
            }
        }
    }
}
END_TEST

/* Any two bytes, after characters of each kind: the result does not depend on how long the string continues. */
START_TEST(any_two_bytes)
{
    enum { LONG = 60, AFTER = 4 };
    static const char *const begins[] = {"", "\\\\", "\xC3\xA9", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    for (size_t k = 0; k < 2 * sizeof begins / sizeof *begins; k++) {
        const char *begin = begins[k / 2], *after = k % 2 == 0 ? "\xBF\xBF" : "aa";
        uint32_t at = (uint32_t)strlen(begin), last = at + AFTER;
        char text[128];
        memset(text, 'a', sizeof text);
        memcpy(text, begin, at);
        memcpy(text + at + 2, after, 2);
        text[last] = '"';
        uint8_t *soon = exactly(text, last + 1);
        text[last] = 'a';
        text[last + LONG] = '"';
        uint8_t *late = exactly(text, last + LONG + 1);
        for (uint32_t pair = 0; pair < 65536; pair++) {
            soon[at] = late[at] = (uint8_t)(pair / 256);
            soon[at + 1] = late[at + 1] = (uint8_t)pair;
            assay_step step = assay_string_rest(soon, 0, last + 1);
            if (pair != 0x5C75) { /* \u takes more bytes than these */
                MUST(assay_string_rest(late, 0, last + LONG + 1) == step + (step == last ? LONG : 0));
            }
        }
        free(soon);
        free(late);
    }
}
END_TEST

/* The header ends within a sequence, after that many plain characters. */
START_TEST(cut_runs)
{
    static const char sequence[] = "\xF0\x9F\x98\x80";
    char text[80];
    memset(text, 'a', sizeof text);
    for (uint32_t n = 0; n < 70; n++) {
        for (uint32_t size = 1; size < 4; size++) {
            memcpy(text + n, sequence, size);
            uint8_t *head = exactly(text, n + size);
            MUST(assay_string_rest(head, 0, n + size) == ASSAY_STOP(ASSAY_E_HEADER_EARLY, n + size));
            free(head);
        }
        memcpy(text + n, "\\ug", 3);
        uint8_t *head = exactly(text, n + 3);
        MUST(assay_string_rest(head, 0, n + 3) == ASSAY_STOP(ASSAY_E_ESCAPE, n));
        free(head);
        text[n] = 'a';
    }
}
END_TEST

/* Any byte before a key, after a value and after a comma. */
START_TEST(next_keys)
{
    for (int byte = 0; byte < 512; byte++) {
        char text[3] = {byte < 256 ? '}' : ',', (char)byte, '"'};
        char c = text[1];
        uint8_t *head = exactly(text, 3);
        MUST(assay_next_key(head, 1, 3) == (c == ',' ? 2 : c == '}' ? 1 : ASSAY_STOP(ASSAY_E_UNEXPECTED,
                                            is_blank(byte % 256) ? 2 : 1)));
        free(head);
    }
}
END_TEST

/* Every byte between tokens, after each byte that is allowed before it. */
START_TEST(separators)
{
    static const char before[] = "{[:,\"}]x ";
    for (size_t k = 0; k + 1 < sizeof before; k++) {
        for (int byte = 0; byte < 256; byte++) {
            char text[3] = {before[k], (char)byte, 'x'};
            uint8_t *head = exactly(text, 3);
            bool blank = is_blank(byte);
            uint32_t place = blank ? 2 : 1;
            assay_step wrong = ASSAY_STOP(ASSAY_E_UNEXPECTED, place);
            for (const char *want = "\"{["; *want != '\0'; want++) {
                MUST(assay_open(head, 1, 3, (uint8_t)*want)
                     == (byte == *want ? 2 : assay_wrong(head[place], place)));
            }
            MUST(assay_colon(head, 1, 3) == (byte == ':' ? 2 : wrong));
            MUST(assay_expect(head, 1, 3, ',', ']') == (byte == ',' || byte == ']' ? 1 : wrong));
            MUST(assay_expect(head, 1, 3, ',', '}') == (byte == ',' || byte == '}' ? 1 : wrong));
            MUST(assay_first_key(head, 1, 3) == (byte == '"' || byte == '}' ? 1 : wrong));
            MUST(assay_next_key(head, 1, 3)
                 == (byte == '}' ? 1 : byte == ',' ? ASSAY_STOP(ASSAY_E_UNEXPECTED, 2) : wrong));
            MUST(assay_token(head, 1, 3) == place);
            head[2] = (uint8_t)byte;
            head[1] = ',';
            MUST(blank || assay_next_key(head, 1, 3) == (byte == '"' ? 2 : ASSAY_STOP(ASSAY_E_UNEXPECTED, 2)));
            free(head);
        }
    }
}
END_TEST

/* Eight bytes, the first lowest: a wrong number would only send every key to the exact reader. */
START_TEST(eight_bytes)
{
    uint8_t *head = exactly("x\x81\x02\x83\x04\x85\x06\x87\x08", 9);
    MUST(assay_eight(head, 1) == UINT64_C(0x0887068504830281));
    free(head);
}
END_TEST

SUITE_MAIN("tokens", strings, escapes, cut_escapes, cut_utf8, plain_runs, any_two_bytes, cut_runs, numbers, items,
           digits, products, words, dtypes, blank_runs, next_keys, separators, eight_bytes)
