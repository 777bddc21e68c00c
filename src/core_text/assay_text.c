/* assay_text.c: words for statuses, dtypes and errors, and texts of a view as UTF-8: a unit beside the core, which
 * calls only assay_text_next. */
#include "text_contracts.h"

#include "code_words.h"

/* ---- Names ---------------------------------------------------------------------------------------------- */

const char *assay_version(void)
{
    return ASSAY_VERSION;
}

const char *assay_status_name(assay_status status)
{
    return words + status_name(status) / 256u;
}

const char *assay_status_rule(assay_status status)
{
    return words + status_rule(status) / 256u;
}

const char *assay_status_text(assay_status status)
{
    return words + status_text(status) / 256u;
}

const char *assay_dtype_name(uint64_t dtype)
{
    return words + dtype_name(dtype) / 256u;
}

/*@ requires name: \valid_read(name + (0 .. size - 1));
    requires word: word / 256 + word % 256 < WORDS_SIZE;
    terminates \true;
    exits \false;
    assigns \nothing;
*/
static bool is_word(const char *name, uint64_t size, uint32_t word)
{
    if (size != word % 256u) {
        return false;
    }
    /*@ loop invariant i: i <= word % 256;
        loop assigns i;
        loop variant word % 256 - i;
    */
    for (uint32_t i = 0; i < word % 256u; i++) {
        if (name[i] != character_of(word / 256u + i)) {
            return false;
        }
    }
    return true;
}

uint64_t assay_dtype_parse(const char *name, uint64_t size)
{
    /*@ loop invariant dtype: 1 <= dtype <= ASSAY_DTYPE_LAST + 1;
        loop assigns dtype;
        loop variant ASSAY_DTYPE_LAST - dtype;
    */
    for (uint64_t dtype = 1; dtype <= ASSAY_DTYPE_LAST; dtype++) {
        if (is_word(name, size, dtype_name(dtype))) {
            return dtype;
        }
    }
    return 0;
}

/* ---- Writing -------------------------------------------------------------------------------------------- */

/* Add a character, if there is room for it. Return the length of the text. */
/*@ requires buffer: \valid(buffer + (0 .. size - 1));
    requires used: used < 4294967296;
    terminates \true;
    exits \false;
    assigns buffer[0 .. size - 1];
    ensures used: \result == used + 1;
*/
static uint64_t add_character(char *buffer, uint64_t size, uint64_t used, char character)
{
    if (used < size) {
        buffer[used] = character;
    }
    return used + 1u;
}

/* End the text. */
/*@ requires buffer: \valid(buffer + (0 .. size - 1));
    terminates \true;
    exits \false;
    assigns buffer[0 .. size - 1];
    ensures used: \result == used;
*/
static uint64_t add_end(char *buffer, uint64_t size, uint64_t used)
{
    if (size > 0) {
        buffer[used < size ? used : size - 1u] = '\0';
    }
    return used;
}

/*@ requires buffer: \valid(buffer + (0 .. size - 1));
    requires used: used < 2147483648;
    requires word: word / 256 + word % 256 < WORDS_SIZE;
    terminates \true;
    exits \false;
    assigns buffer[0 .. size - 1];
    ensures used: \result == used + word % 256;
*/
static uint64_t add_word(char *buffer, uint64_t size, uint64_t used, uint32_t word)
{
    /*@ loop invariant i: i <= word % 256;
        loop assigns i, buffer[0 .. size - 1];
        loop variant word % 256 - i;
    */
    for (uint32_t i = 0; i < word % 256u; i++) {
        add_character(buffer, size, used + i, character_of(word / 256u + i));
    }
    return used + word % 256u;
}

static const uint64_t powers_of_ten[20] = {
    UINT64_C(10000000000000000000), UINT64_C(1000000000000000000), UINT64_C(100000000000000000),
    UINT64_C(10000000000000000), UINT64_C(1000000000000000), UINT64_C(100000000000000), UINT64_C(10000000000000),
    UINT64_C(1000000000000), UINT64_C(100000000000), UINT64_C(10000000000), UINT64_C(1000000000), UINT64_C(100000000),
    UINT64_C(10000000), UINT64_C(1000000), UINT64_C(100000), UINT64_C(10000), UINT64_C(1000), UINT64_C(100),
    UINT64_C(10), UINT64_C(1)};

/* Return 10 to the power 19 - place. */
/*@ requires place: place < 20;
    terminates \true;
    exits \false;
    assigns \nothing;
*/
static uint64_t power_of_ten(uint32_t place)
{
    return powers_of_ten[place];
}

/* Add a number in decimal. Division by a variable would call a library on machines of 32 bits. */
/*@ requires buffer: \valid(buffer + (0 .. size - 1));
    requires used: used < 2147483648;
    terminates \true;
    exits \false;
    assigns buffer[0 .. size - 1];
    ensures used: used <= \result <= used + 20;
*/
static uint64_t add_number(char *buffer, uint64_t size, uint64_t used, uint64_t number)
{
    uint64_t at = used;
    /*@ loop invariant place: place <= 20 && used <= at <= used + place;
        loop assigns place, at, number, buffer[0 .. size - 1];
        loop variant 20 - place;
    */
    for (uint32_t place = 0; place < 20u; place++) {
        const uint64_t power = power_of_ten(place);
        uint32_t digit = 0;
        /*@ loop invariant digit: digit <= 9;
            loop assigns digit, number;
            loop variant 9 - digit;
        */
        while (digit < 9u && number >= power) {
            number = number - power;
            digit = digit + 1u;
        }
        if (digit > 0 || at > used || place == 19u) {
            at = add_character(buffer, size, at, character_of(WORD_DIGITS / 256u + digit));
        }
    }
    return at;
}

/* ---- An error ------------------------------------------------------------------------------------------- */

/* Add a number with the word before it, if the number is set. set: 0 if it is not. */
/*@ requires buffer: \valid(buffer + (0 .. size - 1));
    requires used: used < 65536;
    requires label: label / 256 + label % 256 < WORDS_SIZE && label % 256 <= 16;
    terminates \true;
    exits \false;
    assigns buffer[0 .. size - 1];
    ensures used: used <= \result <= used + 36;
*/
static uint64_t add_field(char *buffer, uint64_t size, uint64_t used, uint32_t label, uint64_t set, uint64_t number)
{
    if (set == 0) {
        return used;
    }
    return add_number(buffer, size, add_word(buffer, size, used, label), number);
}

/* Add the fields of an error in brackets, if there are any. */
/*@ requires buffer: \valid(buffer + (0 .. size - 1));
    requires error: \valid_read(error) && \separated(error, buffer + (0 .. size - 1));
    requires used: used < 1024;
    terminates \true;
    exits \false;
    assigns buffer[0 .. size - 1];
    ensures used: used <= \result <= used + 145;
*/
static uint64_t add_fields(char *buffer, uint64_t size, uint64_t used, const assay_error *error)
{
    const uint64_t has = error->has;
    uint64_t at = add_field(buffer, size, used, WORD_FIRST_TENSOR, has & ASSAY_HAS_TENSOR, error->tensor);
    at = add_field(buffer, size, at, at > used ? WORD_OTHER : WORD_FIRST_OTHER, has & ASSAY_HAS_OTHER, error->other);
    at = add_field(buffer, size, at, at > used ? WORD_EXPECTED : WORD_FIRST_EXPECTED, has & ASSAY_HAS_EXPECTED,
                   error->expected);
    at = add_field(buffer, size, at, at > used ? WORD_FOUND : WORD_FIRST_FOUND, has & ASSAY_HAS_FOUND, error->found);
    return at > used ? add_word(buffer, size, at, WORD_CLOSE) : at;
}

uint64_t assay_error_format(char *buffer, uint64_t size, const assay_error *error)
{
    const uint32_t status = error->status <= UINT32_MAX ? (uint32_t)error->status : UINT32_MAX;
    const uint32_t rule = status_rule(status);
    uint64_t used = 0;
    if (status == ASSAY_OK) {
        return add_end(buffer, size, add_word(buffer, size, 0, status_text(status)));
    }
    if (rule % 256u == 0) {
        return add_end(buffer, size, add_field(buffer, size, 0, WORD_UNKNOWN, 1, error->status));
    }
    used = add_word(buffer, size, 0, status >= ASSAY_E_FIRST ? WORD_INVALID
                                     : status >= FIRST_NOT_WRITTEN ? WORD_NOT_WRITTEN : WORD_NOT_JUDGED);
    used = add_word(buffer, size, used, rule);
    used = add_field(buffer, size, used, WORD_AT_BYTE, error->has & ASSAY_HAS_OFFSET, error->offset);
    used = add_word(buffer, size, used, WORD_COLON);
    used = add_word(buffer, size, used, status_text(status));
    return add_end(buffer, size, add_fields(buffer, size, used, error));
}

/* ---- UTF-8 ---------------------------------------------------------------------------------------------- */

/* Return a byte as a char, which may be signed. */
/*@ requires byte: byte < 256;
    terminates \true;
    exits \false;
    assigns \nothing;
*/
static char as_char(uint32_t byte)
{
    return byte < 128u ? (char)byte : (char)((int)byte - 256);
}

/* Add the bytes of a code point. */
/*@ requires buffer: \valid(buffer + (0 .. size - 1));
    requires used: used < 2147483648;
    requires code: code <= 0x10FFFF;
    terminates \true;
    exits \false;
    assigns buffer[0 .. size - 1];
    ensures used: used < \result <= used + 4;
*/
static uint64_t add_code_point(char *buffer, uint64_t size, uint64_t used, uint32_t code)
{
    uint64_t at = used;
    if (code < 0x80u) {
        return add_character(buffer, size, at, as_char(code));
    }
    if (code < 0x800u) {
        at = add_character(buffer, size, at, as_char(0xC0u + code / 64u));
        return add_character(buffer, size, at, as_char(0x80u + code % 64u));
    }
    if (code < 0x10000u) {
        at = add_character(buffer, size, at, as_char(0xE0u + code / 4096u));
    } else {
        at = add_character(buffer, size, at, as_char(0xF0u + code / 262144u));
        at = add_character(buffer, size, at, as_char(0x80u + code / 4096u % 64u));
    }
    at = add_character(buffer, size, at, as_char(0x80u + code / 64u % 64u));
    return add_character(buffer, size, at, as_char(0x80u + code % 64u));
}

uint64_t assay_text_utf8(const assay_view *view, assay_text text, char *buffer, uint64_t size)
{
    uint64_t used = 0, end = 0;
    uint32_t code = 0;
    /*@ loop invariant view: valid_view(view);
        loop invariant at: \at(text.at, Pre) <= text.at;
        loop invariant inside: text.at <= view->data_begin || text.at == \at(text.at, Pre);
        loop invariant used: end <= used <= 4 * (text.at - \at(text.at, Pre));
        loop assigns text, code, used, end, buffer[0 .. size - 1], assay_work;
        loop variant text.end - text.at;
    */
    while (assay_text_next(view, &text, &code)) {
        used = add_code_point(buffer, size, used, code);
        end = used < size ? used : end;
    }
    add_end(buffer, size, end);
    return used;
}
