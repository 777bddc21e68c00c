/* model_tokens.c: see model.h. Bytes, strings and numbers of the header. */
#include <string.h>

#include "model_parts.h"

_Noreturn void token_stop(uint64_t status, uint64_t offset)
{
    model_stop((assay_error){status, offset, pass.tensor, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE});
}

_Noreturn void token_stop_at(uint64_t status, uint64_t offset, uint64_t expected, uint64_t found)
{
    model_stop((assay_error){status, offset, pass.tensor, ASSAY_NONE, expected, found});
}

/* ---- Bytes and tokens --------------------------------------------------------------------------------- */

static bool token_is_one_of(uint8_t byte, const char *bytes)
{
    return byte != 0 && strchr(bytes, byte) != NULL;
}

/* The byte at which the pass stands. */
uint8_t token_byte(void)
{
    if (pass.at >= pass.end) {
        token_stop(ASSAY_E_HEADER_EARLY, pass.end);
    }
    return pass.head[pass.at];
}

/* The next byte that is not white space. */
uint8_t token_space(void)
{
    while (token_is_one_of(token_byte(), " \t\n\r")) {
        pass.at++;
    }
    return token_byte();
}

/* Skips white space and takes the next byte, which must be one of these. */
uint8_t token_expect(const char *wanted)
{
    uint8_t next = token_space();
    if (!token_is_one_of(next, wanted)) {
        token_stop(ASSAY_E_UNEXPECTED, pass.at);
    }
    pass.at++;
    return next;
}

/* Skips white space; here a value must begin, with one of these bytes. */
uint64_t token_value(const char *first)
{
    uint8_t next = token_space();
    if (!token_is_one_of(next, first)) {
        token_stop(token_is_one_of(next, "\"{[-0123456789tfn") ? ASSAY_E_TYPE : ASSAY_E_UNEXPECTED, pass.at);
    }
    return pass.at;
}

/* ---- Strings ------------------------------------------------------------------------------------------ */

static uint32_t utf8(void)
{
    uint64_t lead_at = pass.at;
    uint8_t lead = token_byte();
    int more = lead < 0xC2 ? 0 : lead <= 0xDF ? 1 : lead <= 0xEF ? 2 : lead <= 0xF4 ? 3 : 0;
    uint32_t code = more == 1 ? lead & 0x1Fu : more == 2 ? lead & 0x0Fu : lead & 0x07u;
    if (more == 0) {
        token_stop(ASSAY_E_UTF8, lead_at);
    }
    for (int i = 0; i < more; i++) {
        pass.at++;
        uint8_t least = i > 0 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        uint8_t most = i > 0 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (token_byte() < least || token_byte() > most) {
            token_stop(ASSAY_E_UTF8, lead_at);
        }
        code = code * 64 + (token_byte() & 0x3Fu);
    }
    pass.at++;
    return code;
}

#define HEX "0123456789abcdefABCDEF"

static uint32_t digit(uint8_t c)
{
    return c <= '9' ? c - (uint32_t)'0' : (c | 0x20u) - 'a' + 10u;
}

/* The code unit of the four digits at which the pass stands. */
static uint32_t four_digits(uint64_t backslash)
{
    uint32_t unit = 0;
    for (int i = 0; i < 4; i++) {
        if (!token_is_one_of(token_byte(), HEX)) {
            token_stop(ASSAY_E_ESCAPE, backslash);
        }
        unit = unit * 16 + digit(token_byte());
        pass.at++;
    }
    return unit;
}

/* What must follow a high surrogate. */
static uint32_t low_surrogate(uint64_t backslash)
{
    static const char *const wanted[] = {"\\", "u", "dD", "cdefCDEF", HEX, HEX};
    uint32_t unit = 0;
    for (int i = 0; i < 6; i++) {
        if (!token_is_one_of(token_byte(), wanted[i])) {
            token_stop(ASSAY_E_SURROGATE, backslash);
        }
        unit = i < 2 ? 0 : unit * 16 + digit(token_byte());
        pass.at++;
    }
    return unit;
}

static uint32_t escape(void)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    uint64_t backslash = pass.at++;
    uint8_t letter = token_byte();
    pass.at++;
    if (token_is_one_of(letter, letters)) {
        return (uint32_t)meanings[strchr(letters, letter) - letters];
    }
    if (letter != 'u') {
        token_stop(ASSAY_E_ESCAPE, backslash);
    }
    uint32_t unit = four_digits(backslash);
    if (unit == 0) {
        token_stop(ASSAY_E_NUL, backslash);
    }
    if (unit >= 0xDC00 && unit <= 0xDFFF) {
        token_stop(ASSAY_E_SURROGATE, backslash);
    }
    if (unit >= 0xD800 && unit <= 0xDBFF) {
        return 0x10000 + (unit - 0xD800) * 0x400 + low_surrogate(backslash) - 0xDC00;
    }
    return unit;
}

/* The string on whose opening quote the pass stands. */
model_text token_string(void)
{
    model_text text = {.code = pass.code + pass.codes, .at = ++pass.at};
    while (token_byte() != '"') {
        uint32_t code = token_byte();
        if (code < 0x20) {
            token_stop(ASSAY_E_CONTROL, pass.at);
        }
        text.escaped |= code == '\\';
        if (code == '\\') {
            code = escape();
        } else if (code >= 0x80) {
            code = utf8();
        } else {
            pass.at++;
        }
        pass.code[pass.codes++] = code;
        text.count++;
    }
    text.end = pass.at++;
    return text;
}

bool token_says(const model_text *text, const char *word)
{
    bool same = text->count == strlen(word);
    for (uint64_t i = 0; same && i < text->count; i++) {
        same = text->code[i] == (uint32_t)word[i];
    }
    return same;
}

/* ---- Numbers ------------------------------------------------------------------------------------------ */

/* An integer. dim: its number, from 1, if it is a dim; else 0. */
uint64_t token_integer(uint64_t dim)
{
    uint64_t at = token_value("-0123456789"), number = 0;
    bool plain = true, small = true;
    while (token_is_one_of(token_byte(), "0123456789+-.eE")) {
        plain &= token_is_one_of(token_byte(), "0123456789");
        pass.at++;
    }
    plain &= pass.head[at] != '0' || pass.at == at + 1;
    if (dim > pass.options.max_rank) {
        token_stop_at(ASSAY_LIMIT_RANK, at, pass.options.max_rank, dim);
    }
    if (!plain) {
        token_stop(ASSAY_E_NUMBER_FORM, at);
    }
    for (uint64_t i = at; i < pass.at; i++) {
        unsigned __int128 wide = (unsigned __int128)number * 10 + (pass.head[i] - (uint8_t)'0');
        small &= wide <= UINT64_MAX;
        number = (uint64_t)wide;
    }
    if (!small) {
        token_stop(ASSAY_E_NUMBER_RANGE, at);
    }
    return number;
}
