/* test_tensor.c: one tensor: its keys and dtype with every byte changed and cut at every byte, with the end of the
 * header near and far, which decides what is predicted. */
#include "suite.h"
#include <stdio.h>

/* A quote follows, where a key ends if its own quote is missing. */
static const char whole[] = "{\"dtype\":\"%s\",\"shape\":[0],\"data_offsets\":[0,0]}\"";
static const char *const dtypes[] = {"BOOL", "U8", "I8", "F8_E5M2", "F8_E4M3", "F8_E8M0", "F8_E4M3FNUZ",
                                     "F8_E5M2FNUZ", "F4", "F6_E2M3", "F6_E3M2", "I16", "U16", "F16", "BF16",
                                     "I32", "U32", "F32", "I64", "U64", "F64", "C64"};
#define DTYPES (sizeof dtypes / sizeof *dtypes)

/* Make a draft as it is before the first tensor. */
static void forget(assay_draft *draft)
{
    memset(draft, 0xA5, sizeof *draft);
    draft->text = 0x223855; /* U8 and its closing quote */
    draft->text_size = 2;
    draft->text_dtype = ASSAY_DTYPE_U8;
    draft->dims_at = draft->dims_size = draft->end_at = draft->end_size = 0;
    draft->expected = draft->found = ASSAY_NONE;
}

static assay_step read_object(const uint8_t *head, size_t size, uint64_t max_rank, assay_draft *draft)
{
    forget(draft);
    return assay_tensor_object(head, 1, (uint32_t)size, max_rank, draft);
}

static assay_step judged(const char *text, size_t size)
{
    assay_draft draft;
    uint8_t *head = exactly(text, size);
    assay_step step = read_object(head, size, 8, &draft);
    free(head);
    return step;
}

/* Return the position after the }. */
static size_t spell(char *text, size_t room, const char *dtype)
{
    int size = snprintf(text, room, whole, dtype);
    MUST(size > 0 && (size_t)size < room);
    return (size_t)size - 1;
}

static bool is_dtype(const char *name, size_t size)
{
    for (size_t k = 0; k < DTYPES; k++)
        if (strlen(dtypes[k]) == size && memcmp(dtypes[k], name, size) == 0)
            return true;
    return false;
}

/* Return the expected error after text[place] was changed, if the string that begins after text[quote] is then read to
 * its end and is unknown. */
static assay_step unknown(const char *text, size_t quote, size_t place, assay_status status)
{
    uint8_t byte = (uint8_t)text[place];
    if (byte < 0x20) {
        return ASSAY_STOP(ASSAY_E_CONTROL, place);
    }
    if (byte >= 0x80) {
        return ASSAY_STOP(ASSAY_E_UTF8, place);
    }
    if (byte == '\\' && strchr("\"\\/bfnrt", text[place + 1]) == NULL) {
        return ASSAY_STOP(ASSAY_E_ESCAPE, place);
    }
    return ASSAY_STOP(status, quote);
}

START_TEST(keys)
{
    char text[128];
    size_t size = spell(text, sizeof text, "U8");
    static const char *const names[] = {"\"dtype\"", "\"shape\"", "\"data_offsets\""};
    MUST(judged(text, size + 1) == size);
    for (size_t k = 0; k < 3; k++) {
        size_t quote = (size_t)(strstr(text, names[k]) - text);
        for (size_t place = quote + 1; place < quote + strlen(names[k]); place++) {
            char was = text[place];
            for (int byte = 0; byte < 256; byte++) {
                text[place] = (char)byte;
                MUST(judged(text, size + 1)
                     == (text[place] == was ? size : unknown(text, quote, place, ASSAY_E_MEMBER_UNKNOWN)));
            }
            text[place] = was;
        }
    }
}
END_TEST

START_TEST(names)
{
    char text[128];
    for (size_t k = 0; k < DTYPES; k++) {
        size_t size = spell(text, sizeof text, dtypes[k]), quote = 9, length = strlen(dtypes[k]);
        for (size_t place = quote + 1; place <= quote + 1 + length; place++) {
            char was = text[place];
            for (int byte = 0; byte < 256; byte++) {
                text[place] = (char)byte;
                assay_step wanted = unknown(text, quote, place, ASSAY_E_DTYPE_UNKNOWN);
                if (place <= quote + length && is_dtype(text + quote + 1, length)) {
                    wanted = size;
                } else if (place <= quote + length && byte == '"' && is_dtype(text + quote + 1, place - quote - 1)) {
                    wanted = ASSAY_STOP(ASSAY_E_UNEXPECTED, place + 1);
                } else if (text[place] == was) {
                    wanted = size;
                }
                MUST(judged(text, size + 1) == wanted);
            }
            text[place] = was;
        }
    }
}
END_TEST

/* A dtype is known by the number that its bytes make: a remainder of the number of eight bytes. Other bytes make the
 * same remainder by the divisor plus or minus one. */
START_TEST(near_names)
{
    for (size_t k = 0; k < DTYPES; k++) {
        char text[128];
        size_t size = spell(text, sizeof text, dtypes[k]), at = 10, length = strlen(dtypes[k]);
        for (int kind = 0; kind < 2 && length <= 4; kind++) {
            uint64_t name = 0, rest = 0, unit = UINT64_C(1) << 8 * length, divisor = kind == 0 ? unit + 1 : unit - 1;
            for (size_t i = 8; i > 0; i--) {
                uint64_t *number = i > length ? &rest : &name;
                *number = *number * 256 + (i > length ? text[at + i - 1] : dtypes[k][i - 1]);
            }
            uint64_t other = (name + (kind == 0 ? rest : divisor - rest % divisor)) % divisor;
            MUST((other + rest * unit) % divisor == name && other != name);
            for (size_t i = 0; i < length; i++) {
                text[at + i] = (char)(other >> 8 * i);
            }
            MUST(judged(text, size + 1) >= ASSAY_STOPPED);
        }
    }
}
END_TEST

START_TEST(cuts)
{
    char text[128];
    for (size_t k = 0; k < DTYPES; k++) {
        size_t size = spell(text, sizeof text, dtypes[k]);
        for (size_t cut = 1; cut < size; cut++) {
            MUST(judged(text, cut) == ASSAY_STOP(ASSAY_E_HEADER_EARLY, cut));
        }
    }
}
END_TEST

/* A keyword with an escape is recognised and refused as such; one where no key can begin is not. */
START_TEST(escapes)
{
    static const struct {
        const char *text;
        assay_status status;
        uint32_t at;
    } rows[] = {
        {"{\"\\u0064type\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}", ASSAY_E_KEYWORD_ESCAPED, 1},
        {"{\"dtype\":\"\\u00558\",\"shape\":[0],\"data_offsets\":[0,0]}", ASSAY_E_KEYWORD_ESCAPED, 9},
        {"{\"dtype\":\"U8\",\"shap\\u0065\":[0],\"data_offsets\":[0,0]}", ASSAY_E_KEYWORD_ESCAPED, 14},
        {"{\"dtype\":\"U8\",\"shape\":[0],\"data\\u005foffsets\":[0,0]}", ASSAY_E_KEYWORD_ESCAPED, 26},
        {"{\"dtype\":\"U8\",\"dtype\":\"U8\"}", ASSAY_E_MEMBER_TWICE, 14},
        {"{\"dtype\":\"U8\",\"\\u0064type\":\"U8\"}", ASSAY_E_KEYWORD_ESCAPED, 14},
        {"{\"shape\":[0],\"shape\":[0]}", ASSAY_E_MEMBER_TWICE, 13},
        {"{\"data_offsets\":[0,0],\"data_offsets\":[0,0]}", ASSAY_E_MEMBER_TWICE, 22},
        {"{\"\"dtype\":\"U8\",\"shape\":[0]}", ASSAY_E_MEMBER_UNKNOWN, 1},
        {"{\"\"shape\":[0],\"dtype\":\"U8\"}", ASSAY_E_MEMBER_UNKNOWN, 1},
        {"{\"s\"shape\":[0],\"dtype\":\"U8\"}", ASSAY_E_MEMBER_UNKNOWN, 1},
        {"{\"\"data_offsets\":[0,0],\"dtype\":\"U8\"}", ASSAY_E_MEMBER_UNKNOWN, 1},
        {"{\"data_offfsets\":[0,0],\"dtype\":\"U8\"}", ASSAY_E_MEMBER_UNKNOWN, 1},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        assay_step step = judged(rows[k].text, strlen(rows[k].text));
        ck_assert_msg(step == ASSAY_STOP(rows[k].status, rows[k].at), "%s: status %u at %u", rows[k].text,
                      (unsigned)(step / ASSAY_STOPPED), (unsigned)(step % ASSAY_STOPPED));
    }
}
END_TEST

/* A key is known by the number that its bytes make, from the second on: the number of eight bytes divided by 256. What
 * another operation or another divisor makes of that number is no key. */
START_TEST(near_keys)
{
    static const struct {
        const char *bytes;
        assay_status status;
        uint32_t at;
    } rows[] = {
        {"\"\0\0\0\0\0\0", ASSAY_E_MEMBER_UNKNOWN, 1}, /* either: the remainder */
        {"u\xEE\x85\xF3|\xE8" "9", ASSAY_E_UTF8, 3},      /* dtype: divided by 257 */
        {"\x84 \xAC" "2\xC2\\:", ASSAY_E_UTF8, 2},        /* dtype: divided by 255 */
        {"x\xFAm\xF3|\xE8" "9", ASSAY_E_UTF8, 3},         /* shape: divided by 257 */
        {"o\xFC\x93" "2\xC2\\:", ASSAY_E_UTF8, 3},        /* shape: divided by 255 */
    };
    for (size_t k = 0; k < 2 * sizeof rows / sizeof *rows; k++) {
        static const char *const rests[] = {"\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}",
                                            "[1],\"dtype\":\"U8\",\"data_offsets\":[0,1]}"};
        char text[64] = "{\"";
        memcpy(text + 2, rows[k / 2].bytes, 7);
        strcpy(text + 9, rests[k % 2]);
        MUST(judged(text, 9 + strlen(rests[k % 2])) == ASSAY_STOP(rows[k / 2].status, rows[k / 2].at));
    }
}
END_TEST

/* Blanks at the end make room for what is predicted; only an early end of the header may be judged in another way. */
static assay_step alike(const char *text, size_t size)
{
    char more[256];
    assay_draft near, far;
    MUST(size + 64 <= sizeof more);
    memset(more, ' ', sizeof more);
    memcpy(more, text, size);
    uint8_t *head = exactly(text, size);
    uint8_t *room = exactly(more, size + 64);
    assay_step step = read_object(head, size, 8, &near);
    assay_step other = read_object(room, size + 64, 8, &far);
    if (step != ASSAY_STOP(ASSAY_E_HEADER_EARLY, size)) {
        MUST(step == other && near.expected == far.expected && near.found == far.found);
    } else {
        MUST(other >= ASSAY_STOPPED && other % ASSAY_STOPPED <= size + 64);
    }
    if (step < ASSAY_STOPPED) {
        MUST(near.dtype == far.dtype && near.shape_at == far.shape_at && near.rank == far.rank);
        MUST(near.begin == far.begin && near.end == far.end);
    }
    free(head);
    free(room);
    return step;
}

/* Change every byte, to some others or to all, and cut at every byte. Return the status of the original, 0 if it is
 * valid. */
static assay_status all_alike(const char *text, bool all)
{
    static const char some[] = "\"\\ ,:[]{}0a9F\n\x1f\x80"; /* and NUL */
    char other[128];
    size_t size = strlen(text);
    MUST(size < sizeof other);
    memcpy(other, text, size);
    for (size_t place = 1; place < size; place++) {
        for (int byte = 0; byte < (all ? 256 : (int)sizeof some); byte++) {
            other[place] = all ? (char)byte : some[byte];
            alike(other, size);
        }
        other[place] = text[place];
        alike(text, place);
    }
    assay_step step = alike(text, size);
    return step < ASSAY_STOPPED ? 0 : (assay_status)(step / ASSAY_STOPPED);
}

START_TEST(writers)
{
    static const struct {
        const char *text;
        assay_status status;
    } rows[] = {
        {"{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1]}", 0}, /* the shortest */
        {"{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}", 0},
        {"{\"dtype\":\"F4\",\"shape\":[2,1],\"data_offsets\":[0,1]}", 0},
        {"{\"dtype\":\"BF16\",\"shape\":[1,2,3],\"data_offsets\":[4,16]}", 0},
        {"{\"dtype\":\"F8_E4M3\",\"shape\":[9],\"data_offsets\":[10,19]},", 0},
        {"{\"dtype\":\"U8\",\"shape\":[ 1 ],\"data_offsets\":[ 0 , 1 ]}", 0},
        {"{\"dtype\":\"U8\",\"shape\":[1,1,1,1,1,1,1,1,1],\"data_offsets\":[0,1]}", ASSAY_LIMIT_RANK},
        {"{\"dtype\":\"F4\",\"shape\":[1],\"data_offsets\":[0,1]}", ASSAY_E_SHAPE_SUBBYTE},
        {"{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[2,1]}", ASSAY_E_OFFSETS_ORDER},
        {"{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,3]}", ASSAY_E_OFFSETS_SIZE},
        {"{\"dtype\":\"U8\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,3]}", ASSAY_E_SHAPE_OVERFLOW},
        {"{\"dtype\":\"F8_E5M2FNUZ\",\"shape\":[9],\"data_offsets\":[10,19]}", 0},
        {"{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1],\"dtype\":\"U8\"}", ASSAY_E_MEMBER_TWICE},
        {"{\"dtype\":\"U8\",\"dtype\":\"U8\",\"data_offsets\":[0,1]}", ASSAY_E_MEMBER_TWICE},
        {"{\"dtype\":\"U8\",\"data_offsets\":[0,1],\"shape\":[1]}", 0},
        {"{\"shape\":[1],\"dtype\":\"U8\",\"data_offsets\":[0,1]}", 0},
        {"{\"dtype\":\"U8\",\"shape\":[1],\"shape\":[1],\"data_offsets\":[0,1]}", ASSAY_E_MEMBER_TWICE},
        {"{\"dtype\":\"U8\",\"shape\":[1]}", ASSAY_E_MEMBER_MISSING},
        {"{ \"dtype\" : \"U8\" , \"shape\" : [ 1 ] , \"data_offsets\" : [ 0 , 1 ] } ", 0},
    };
    MUST(all_alike("{\"dtype\":\"F32\",\"shape\":[3,7],\"data_offsets\":[16,100]}", true) == 0);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        MUST(all_alike(rows[k].text, false) == rows[k].status);
    }
    for (size_t k = 0; k < DTYPES; k++) {
        char text[128];
        size_t size = spell(text, sizeof text, dtypes[k]);
        MUST(alike(text, size) == size);
    }
}
END_TEST

/* As many dims as are allowed are read, and no more. */
START_TEST(ranks)
{
    for (size_t rank = 1; rank < 40; rank++) {
        char text[256] = "{\"dtype\":\"U8\",\"shape\":[1";
        assay_draft draft;
        for (size_t k = 1; k < rank; k++) {
            strcat(text, ",1");
        }
        strcat(text, "],\"data_offsets\":[0,1]}");
        uint32_t size = (uint32_t)strlen(text);
        uint8_t *head = exactly(text, size);
        MUST(read_object(head, size, UINT64_MAX, &draft) == size && draft.rank == rank);
        MUST(read_object(head, size, rank, &draft) == size && draft.rank == rank);
        MUST(read_object(head, size, rank - 1, &draft) / ASSAY_STOPPED == ASSAY_LIMIT_RANK);
        MUST(draft.expected == rank - 1 && draft.found == rank);
        free(head);
    }
}
END_TEST

/* Every byte after the digits of a dim, and then 5]. */
static assay_step dim_with(int byte, uint32_t digits)
{
    bool digit = byte >= '0' && byte <= '9';
    if (byte == ']') {
        return digits + 2;
    }
    if (byte == ',' || (digit && digits < 19)) {
        return digits + 4;
    }
    if (digit) {
        return ASSAY_STOP(ASSAY_E_NUMBER_RANGE, 1);
    }
    if (byte == '-' || byte == '+' || byte == '.' || byte == 'e' || byte == 'E') {
        return ASSAY_STOP(ASSAY_E_NUMBER_FORM, 1);
    }
    bool blank = byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
    return ASSAY_STOP(ASSAY_E_UNEXPECTED, digits + 1 + blank);
}

START_TEST(dims)
{
    for (uint32_t digits = 1; digits <= 20; digits++) {
        for (int byte = 0; byte < 256; byte++) {
            char text[96];
            assay_draft draft;
            int size = snprintf(text, sizeof text, "[%.*sx5]%s", (int)digits, "11111111111111111111",
                                digits % 2 == 0 ? ",,,,,," : ",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,");
            text[1 + digits] = (char)byte;
            uint8_t *head = exactly(text, (size_t)size);
            assay_step wanted = dim_with(byte, digits);
            MUST(assay_shape(head, 1, (uint32_t)size, 8, &draft) == wanted);
            head[1] = '0'; /* with more digits after it, or as it is */
            if (digits > 1 || (byte >= '0' && byte <= '9')) {
                wanted = ASSAY_STOP(ASSAY_E_NUMBER_FORM, 1);
            }
            MUST(assay_shape(head, 1, (uint32_t)size, 8, &draft) == wanted);
            free(head);
        }
    }
}
END_TEST

/* Every byte before the digit of a dim, at `at`. */
static assay_step dim_behind(int byte, uint32_t at)
{
    bool blank = byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
    if (blank || (byte >= '1' && byte <= '9')) {
        return at + 5;
    }
    if (byte == ']' && at < 3) {
        return at + 1;
    }
    if (byte == '0' || byte == '-') {
        return ASSAY_STOP(ASSAY_E_NUMBER_FORM, at);
    }
    bool value = byte != 0 && strchr("\"{[tfn", byte) != NULL;
    return ASSAY_STOP(value ? ASSAY_E_TYPE : ASSAY_E_UNEXPECTED, at);
}

START_TEST(before_dims)
{
    static const char *const starts[] = {"[", "[ ", "[5,", "[5, ", "[5\n ,\r\t"};
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        for (int byte = 0; byte < 256; byte++) {
            char text[96];
            assay_draft draft;
            uint32_t at = (uint32_t)strlen(starts[k]);
            int size = snprintf(text, sizeof text, "%sx7,5]%40s", starts[k], "");
            text[at] = (char)byte;
            uint8_t *head = exactly(text, (size_t)size);
            MUST(assay_shape(head, 1, (uint32_t)size, 8, &draft) == dim_behind(byte, at));
            free(head);
        }
    }
}
END_TEST

/* Every byte between two data offsets. */
static assay_step offsets_with(int byte)
{
    if (byte == ',') {
        return 5;
    }
    if (byte == ']' || (byte >= '0' && byte <= '9')) {
        return ASSAY_STOP(ASSAY_E_OFFSETS_COUNT, byte == ']' ? 2 : 4);
    }
    if (byte == '-' || byte == '+' || byte == '.' || byte == 'e' || byte == 'E') {
        return ASSAY_STOP(ASSAY_E_NUMBER_FORM, 1);
    }
    bool blank = byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
    return ASSAY_STOP(ASSAY_E_UNEXPECTED, 2 + blank);
}

/* Every byte after the second offset, and then white space up to the end. */
static assay_step offsets_ended(int byte, uint32_t size)
{
    if (byte == ']') {
        return 5;
    }
    if (byte == ',') {
        return ASSAY_STOP(ASSAY_E_OFFSETS_COUNT, 4);
    }
    if (byte == '-' || byte == '+' || byte == '.' || byte == 'e' || byte == 'E') {
        return ASSAY_STOP(ASSAY_E_NUMBER_FORM, 3);
    }
    bool blank = byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
    return blank || (byte >= '0' && byte <= '9') ? ASSAY_STOP(ASSAY_E_HEADER_EARLY, size)
                                                 : ASSAY_STOP(ASSAY_E_UNEXPECTED, 4);
}

START_TEST(between_offsets)
{
    for (int byte = 0; byte < 256; byte++) {
        for (int room = 0; room <= 50; room += 50) {
            char text[96];
            assay_draft draft;
            int size = snprintf(text, sizeof text, "[5x7]%*s", room, "");
            text[2] = (char)byte;
            uint8_t *head = exactly(text, (size_t)size);
            forget(&draft);
            MUST(assay_offsets(head, 1, (uint32_t)size, &draft) == offsets_with(byte));
            memcpy(head, "[5,7", 4);
            head[4] = (uint8_t)byte;
            forget(&draft);
            MUST(room == 0 || assay_offsets(head, 1, (uint32_t)size, &draft) == offsets_ended(byte, (uint32_t)size));
            free(head);
        }
    }
}
END_TEST

/* The same number twice from text[1] on, as a shape and as data offsets; `after` is the position after the ]. */
static void check_twice(const char *text, size_t size, uint64_t number, uint32_t second, uint32_t after)
{
    assay_draft draft;
    forget(&draft);
    uint8_t *head = exactly(text, size);
    MUST(assay_shape(head, 1, (uint32_t)size, 2, &draft) == after);
    bool fits = number == 0 || number <= UINT64_MAX / number;
    MUST(draft.rank == 2 && draft.empty == (number == 0));
    MUST(draft.elements == (number == 0 ? 1 : fits ? number * number : 0));
    draft.rank = 9;
    MUST(assay_shape(head, 1, (uint32_t)size, 1, &draft) == ASSAY_STOP(ASSAY_LIMIT_RANK, second));
    MUST(draft.expected == 1 && draft.found == 2 && draft.rank == 2);
    MUST(assay_offsets(head, 1, (uint32_t)size, &draft) == after);
    MUST(draft.begin == number && draft.end == number);
    free(head);
    for (uint32_t cut = 1; size == after && cut < size; cut++) {
        uint8_t *part = exactly(text, cut);
        MUST(assay_shape(part, 1, cut, 2, &draft) == ASSAY_STOP(ASSAY_E_HEADER_EARLY, cut));
        forget(&draft);
        MUST(assay_offsets(part, 1, cut, &draft) == ASSAY_STOP(ASSAY_E_HEADER_EARLY, cut));
        free(part);
    }
}

/* Numbers of every length, with white space before and after them, and more or fewer bytes after the ]. */
START_TEST(spaced)
{
    static const char *const blanks[] = {"", " ", "\n", "\t", "\r", "  ", "\t\r"};
    const size_t kinds = sizeof blanks / sizeof *blanks;
    for (int digits = 0; digits <= 20; digits++) {
        for (size_t kind = 0; kind < kinds * kinds; kind++) {
            for (int room = 0; room <= 40; room += kind == 0 ? 1 : 10) {
                char text[128];
                char item[32];
                const char *before = blanks[kind / kinds];
                int size = snprintf(item, sizeof item, "%s%.*s%s", before, digits == 0 ? 1 : digits,
                                    digits == 0 ? "0" : "18446744073709551615", blanks[kind % kinds]);
                int whole = snprintf(text, sizeof text, "[%s,%s]%*s", item, item, room, "");
                check_twice(text, (size_t)whole, strtoull(item, NULL, 10), (uint32_t)(size + 2 + (int)strlen(before)),
                            (uint32_t)(whole - room));
            }
        }
    }
}
END_TEST

/* Where a number is missing, the beginning of the head is not taken for it. */
START_TEST(none)
{
    static const char *const starts[] = {" ,", " ]", ", ", "] ", ",5]"};
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        for (int second = 0; second < 2; second++) {
            char text[64];
            assay_draft draft = {0};
            int size = snprintf(text, sizeof text, "%s[%s,5]%40s", starts[k], second ? "1,/" : "/", "");
            uint8_t *head = exactly(text, (size_t)size);
            uint32_t at = (uint32_t)strlen(starts[k]) + 1;
            assay_step wanted = ASSAY_STOP(ASSAY_E_UNEXPECTED, at + 2 * (uint32_t)second);
            MUST(assay_shape(head, at, (uint32_t)size, 8, &draft) == wanted);
            MUST(assay_offsets(head, at, (uint32_t)size, &draft) == wanted);
            free(head);
        }
    }
}
END_TEST

/* Where nothing is remembered, eight bytes like the first of the head are read. */
START_TEST(like_the_beginning)
{
    static const char text[] = ",5]     [,5]                    ";
    assay_draft draft = {0};
    uint32_t size = sizeof text - 1;
    uint8_t *head = exactly(text, size);
    MUST(assay_offsets(head, 9, size, &draft) == ASSAY_STOP(ASSAY_E_UNEXPECTED, 9));
    free(head);
}
END_TEST

/* The second object, which begins at `second`, is judged as if there was none before. */
static void judge_alone(const char *text, size_t second, size_t size, uint64_t max_rank)
{
    assay_draft kept, alone;
    uint8_t *head = exactly(text, size);
    MUST(read_object(head, size, 8, &kept) == second);
    forget(&alone);
    kept.expected = kept.found = ASSAY_NONE;
    assay_step step = assay_tensor_object(head, (uint32_t)second + 1, (uint32_t)size, max_rank, &alone);
    MUST(assay_tensor_object(head, (uint32_t)second + 1, (uint32_t)size, max_rank, &kept) == step);
    MUST(kept.expected == alone.expected && kept.found == alone.found);
    if (step < ASSAY_STOPPED) {
        MUST(kept.dtype == alone.dtype && kept.shape_at == alone.shape_at && kept.rank == alone.rank);
        MUST(kept.elements == alone.elements && kept.empty == alone.empty);
        MUST(kept.begin == alone.begin && kept.end == alone.end);
    }
    free(head);
}

/* Before the first tensor, the draft remembers the text of a dtype with that dtype, no dims and no end. */
START_TEST(nothing_before)
{
    assay_draft draft, right;
    forget(&right);
    memset(&draft, 0xA5, sizeof draft);
    assay_draft_init(&draft);
    ck_assert(memcmp(&draft, &right, sizeof draft) == 0);
}
END_TEST

/* Texts of the tensor before, repeated as a whole, in part, or not: every byte of the second object is changed, and the
 * header is cut after every byte. */
START_TEST(repeated)
{
    static const char *const firsts[] = {
        "{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[9999999,10000000]}",
        "{\"dtype\":\"BF16\",\"shape\":[ 5, 7 ],\"data_offsets\":[12345608, 12345678 ]}",
        "{\"data_offsets\":[1234567890123456,1234567890123456],\"shape\":[512,2048,0,11],\"dtype\":\"F32\"}",
        "{\"shape\":[512,2048,0,1,1],\"data_offsets\":[12345678901234567,12345678901234567],\"dtype\":\"BOOL\"}",
    };
    static const char *const seconds[] = {
        "{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[10000000,10000001]}",
        "{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[ 10000000,10000001]}",
        "{\"dtype\":\"BF16\",\"shape\":[ 5, 7 ],\"data_offsets\":[ 12345678 ,12345748]}",
        "{\"dtype\":\"F32\",\"shape\":[512,2048,0,11],\"data_offsets\":[1234567890123456,1234567890123456]}",
        "{\"dtype\":\"BOOL\",\"shape\":[512,2048,0,1,1],\"data_offsets\":[12345678901234567,12345678901234567]}",
        "{\"dtype\":\"BOOL\",\"shape\":[512,2048,0,11],\"data_offsets\":[12345678901234560,12345678901234560]}",
        "{\"data_offsets\":[010000000,10000001],\"shape\":[05, 7 ],\"dtype\":\"bf16\"}",
        "{\"data_offsets\":[10000000],\"shape\":[5, 7 ],\"dtype\":\"\\u00558\"}",
    };
    static const char some[] = "\"\\ ,:[]{}019F\n\x1f\x80"; /* and NUL */
    for (size_t k = 0; k < sizeof firsts / sizeof *firsts * (sizeof seconds / sizeof *seconds); k++) {
        char text[256];
        const char *second = seconds[k / (sizeof firsts / sizeof *firsts)];
        const char *first = firsts[k % (sizeof firsts / sizeof *firsts)];
        size_t begin = strlen(first), size = begin + strlen(second);
        snprintf(text, sizeof text, "%s%s%20s", first, second, "");
        for (size_t place = begin + 1; place <= size; place++) {
            char was = text[place];
            for (size_t byte = 0; place < size && byte < sizeof some; byte++) {
                text[place] = some[byte];
                judge_alone(text, begin, size, 8);
                judge_alone(text, begin, size + 20, 8);
            }
            text[place] = was;
            for (uint64_t max_rank = 0; max_rank < 6; max_rank++) {
                judge_alone(text, begin, place, max_rank);
                judge_alone(text, begin, size + 20, max_rank);
            }
        }
    }
}
END_TEST

#define U8(dims, offsets) "{\"dtype\":\"U8\",\"shape\":[" dims "],\"data_offsets\":[" offsets "]}"
#define ONES U8("11111111", "1111111100000000,1111111111111111")
#define RANK_8 U8("1,1,1,1,1,1,1,1", "0,1")

/* Texts that only begin or end like those of the tensor before. */
START_TEST(nearly_repeated)
{
    static const struct {
        const char *first, *second;
    } rows[] = {
        {ONES, U8("111111111", "1111111111111111,1111111222222222")}, /* a digit more */
        {U8("111111111", "0,111111111"), ONES},                       /* a digit less */
        {ONES, U8("11111111", "1111111111111112,1111111122222223")},  /* another last digit */
        {ONES, U8("11111111", "111111111111111,111111122222222")},    /* a digit less of an offset */
        {ONES, U8("11111111", "1111111111111111-1111111122222222")},
        {ONES, U8("11111111", "1111111111111111+1111111122222222")},
        {U8("", "9999999,10000000"), U8("", "9,10000000,10000001")}, /* both offsets, and a third */
        {"]\"shape\":[1],\"dtype\":\"U8\",\"data_offsets\":[0,1]}", U8("]\"shape\":", "1,2")}, /* as the head begins */
        {RANK_8, U8("1,1,1,1,shape\":[", "1,2")},                     /* what is before the dims, ... */
        {RANK_8, U8("1,1,1,1,ffsets\":", "1,2")},                     /* ... or after them */
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[256];
        int size = snprintf(text, sizeof text, "%s%s", rows[k].first, rows[k].second);
        memset(text + size, ' ', 20);
        judge_alone(text, strlen(rows[k].first), (size_t)size + 20, 8);
    }
    char text[256] = {0}; /* eight bytes that are remembered before the first tensor */
    int size = sprintf(text, "{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}");
    int more = sprintf(text + size, "{\"dtype\":\"U8\"");
    judge_alone(text, (size_t)size, (size_t)(size + more) + 20, 8);
}
END_TEST

SUITE_MAIN("tensor", keys, names, near_names, cuts, escapes, near_keys, writers, ranks, dims, before_dims,
           between_offsets, spaced, none, like_the_beginning, repeated, nearly_repeated, nothing_before)
