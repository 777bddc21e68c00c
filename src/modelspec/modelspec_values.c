/* modelspec_values.c: see modelspec_values.h. */
#include "modelspec_values.h"

#include <string.h>

short_text short_text_of(const assay_view *view, assay_text text)
{
    short_text found = {.size = 0};
    uint32_t code;
    while (found.size < SHORT_TEXT_MOST && assay_text_next(view, &text, &code)) {
        found.hyphen = found.hyphen || (code >= 0x2010 && code <= 0x2015) || code == 0x2212;
        found.text[found.size++] = code < 0x80 ? (char)code : '?';
    }
    found.whole = !assay_text_next(view, &text, &code);
    return found;
}

/* ---- Parts of values: each moves past what it recognizes -------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Skip digits. Return how many they are. */
static size_t digits(const char **at)
{
    const char *begin = *at;
    while (is_digit(**at))
        (*at)++;
    return (size_t)(*at - begin);
}

static bool skip(const char **at, char c)
{
    bool fine = **at == c;
    *at += fine;
    return fine;
}

/* Read a number of exactly `count` digits. Return whether it is from least to most. */
static bool number(const char **at, size_t count, unsigned least, unsigned most, unsigned *value)
{
    *value = 0;
    for (size_t i = 0; i < count; i++, (*at)++) {
        if (!is_digit(**at))
            return false;
        *value = *value * 10 + (unsigned)(**at - '0');
    }
    return *value >= least && *value <= most;
}

/* ---- Numbers ---------------------------------------------------------------------------------------------- */

bool value_is_version(const char *text)
{
    bool fine = digits(&text) > 0 && skip(&text, '.') && digits(&text) > 0 && skip(&text, '.') && digits(&text) > 0;
    return fine && *text == '\0';
}

bool value_is_integer(const char *text)
{
    size_t count = digits(&text);
    return count > 0 && count < 10 && *text == '\0';
}

/* Skip a positive number of at most nine digits that does not begin with a zero. */
static bool length(const char **at)
{
    bool fine = **at != '0';
    size_t count = digits(at);
    return fine && count > 0 && count < 10;
}

bool value_is_resolution(const char *text)
{
    return length(&text) && skip(&text, 'x') && length(&text) && *text == '\0';
}

/* Read a number of at most nine digits. */
static bool small_number(const char **at, uint32_t *value)
{
    const char *begin = *at;
    *value = 0;
    for (; is_digit(**at) && *at - begin < 9; (*at)++)
        *value = *value * 10 + (uint32_t)(**at - '0');
    return *at > begin;
}

bool value_is_range(const char *text)
{
    uint32_t least, most;
    bool fine = small_number(&text, &least) && skip(&text, ',') && small_number(&text, &most);
    return fine && *text == '\0' && least <= most;
}

/* ---- Dates ------------------------------------------------------------------------------------------------ */

static unsigned days_of(unsigned year, unsigned month)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (leap && month == 2 ? 1u : 0u);
}

/* Skip a week and its day: W29-1, W291; or, without a day, W29. *whole: it names a day. */
static bool week(const char **at, bool hyphens, bool *whole)
{
    unsigned number_of, day;
    bool fine = number(at, 2, 1, 53, &number_of);
    *whole = hyphens ? **at == '-' : is_digit(**at);
    if (*whole && hyphens)
        (*at)++;
    return fine && (!*whole || number(at, 1, 1, 7, &day));
}

/* Skip a date: 2023-07-16, 20230716, 2023-197, 2023197, 2023-W29-1, 2023W291, 2023-W29, 2023-07, 2023. *whole: it names
 * a day. */
static bool date(const char **at, bool *whole)
{
    unsigned year, month, day;
    *whole = false;
    if (!number(at, 4, 0, 9999, &year))
        return false;
    bool hyphens = skip(at, '-');
    if (skip(at, 'W'))
        return week(at, hyphens, whole);
    const char *begin = *at;
    size_t count = digits(at);
    const char *end = *at;
    *at = begin;
    *whole = true;
    if (count == 3)
        return number(at, 3, 1, days_of(year, 2) == 29 ? 366 : 365, &day);
    if (count == (hyphens ? 2u : 4u) && number(at, 2, 1, 12, &month)) {
        *whole = !hyphens || skip(at, '-');
        return !*whole || number(at, 2, 1, days_of(year, month), &day);
    }
    *whole = false;
    return !hyphens && count == 0 && *at == end;
}

/* Skip a time: 18, 18:13, 1813, 18:13:38, 181338, each with a fraction of its last number. */
static bool time_of_day(const char **at)
{
    unsigned hour, part;
    bool fine = number(at, 2, 0, 24, &hour);
    bool colons = **at == ':';
    for (int parts = 0; fine && parts < 2 && (colons ? **at == ':' : is_digit(**at)); parts++) {
        *at += colons;
        fine = number(at, 2, 0, parts == 0 ? 59 : 60, &part) && (hour < 24 || part == 0);
    }
    if (fine && (**at == '.' || **at == ',')) {
        (*at)++;
        fine = digits(at) > 0;
    }
    return fine;
}

/* Skip a zone, if there is one: Z, +02, +02:00, +0200. */
static bool zone(const char **at)
{
    unsigned part;
    if (**at == '\0' || skip(at, 'Z'))
        return true;
    bool fine = (skip(at, '+') || skip(at, '-')) && number(at, 2, 0, 23, &part);
    return fine && (**at == '\0' || (skip(at, ':'), number(at, 2, 0, 59, &part)));
}

bool value_is_date(const char *text)
{
    bool whole;
    if (!date(&text, &whole))
        return false;
    return *text == '\0' || (whole && skip(&text, 'T') && time_of_day(&text) && zone(&text) && *text == '\0');
}

/* ---- Words ------------------------------------------------------------------------------------------------ */

bool value_is_dtypes(const char *text)
{
    static const char *const known[] = {"fp64",    "fp32",    "fp16",    "bf16",     "fp8",           "fp8_e4m3fn",
                                        "fp8_e5m2", "float64", "float32", "float16",  "bfloat16",      "float8_e4m3fn",
                                        "float8_e5m2", "int8", "uint8",   "int4",     "nf4",           "fp4"};
    bool fine = true;
    do {
        text += strspn(text, " ");
        size_t size = strcspn(text, ", ");
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            found = found || (strlen(known[i]) == size && memcmp(known[i], text, size) == 0);
        text += size;
        text += strspn(text, " ");
        fine = found && (*text == ',' || *text == '\0');
    } while (fine && *text++ == ',');
    return fine;
}

bool value_is_hash(const char *text, const char *algorithm)
{
    static const struct {
        const char *name;
        size_t digits;
    } known[] = {{"sha256", 64}, {"sha512", 128}, {"sha1", 40}, {"md5", 32}, {"blake3", 64}};
    size_t size = strlen(text), count = 0;
    if (size < 4 || text[0] != '0' || text[1] != 'x')
        return false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(algorithm, known[i].name) == 0)
            count = known[i].digits;
    size -= 2;
    return strspn(text + 2, "0123456789abcdef") == size && (count == 0 ? size % 2 == 0 : size == count);
}
