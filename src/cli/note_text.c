/* note_text.c: see note_text.h. Rules name_hidden, name_path, metadata_code. */
#include "note_text.h"

#include <string.h>

bool text_is_hidden(const assay_view *view, assay_text text)
{
    uint32_t code;
    while (assay_text_next(view, &text, &code))
        if (text_hidden(code))
            return true;
    return false;
}

bool text_is_path(const assay_view *view, assay_text text)
{
    uint32_t code, first = 0;
    size_t at = 0, dots = 0; /* characters and dots since the last slash; something else: dots is 3 */
    for (; assay_text_next(view, &text, &code); at++) {
        bool slash = code == '/' || code == '\\', letter = (first | 0x20) >= 'a' && (first | 0x20) <= 'z';
        if ((at == 0 && slash) || (at == 2 && slash && dots == 4 && letter) || (slash && dots == 2))
            return true;
        dots = slash ? 0 : code == '.' && dots < 3 ? dots + 1 : at == 1 && code == ':' ? 4 : 3;
        first = at == 0 ? code : first;
    }
    return dots == 2;
}

/* ---- Words that run ----------------------------------------------------------------------------------------- */

static const char *const words[] = {"_target_",  "__reduce__", "auto_map",  "trust_remote_code",
                                    "py/object", "py/reduce",  "!!python/", NULL};

#define WINDOW 20 /* longer than any of them */

/* The last characters of a text. escape: how many of those of \u0000 were seen, which stands for `value`. */
typedef struct {
    char last[WINDOW];
    int escape;
    uint32_t value;
} window;

static const char *push(window *to, uint32_t code)
{
    memmove(to->last, to->last + 1, WINDOW - 1);
    to->last[WINDOW - 1] = code > 0 && code < 0x80 ? (char)code : '?';
    for (size_t i = 0; words[i] != NULL; i++) {
        size_t length = strlen(words[i]);
        if (words[i][length - 1] == to->last[WINDOW - 1] &&
            memcmp(to->last + WINDOW - length, words[i], length) == 0)
            return words[i];
    }
    return NULL;
}

static int hex_digit(uint32_t code)
{
    uint32_t lower = code | 0x20;
    return code >= '0' && code <= '9' ? (int)(code - '0') : lower >= 'a' && lower <= 'f' ? (int)(lower - 'a') + 10 : -1;
}

static const char *take(window *to, uint32_t code)
{
    int digit = hex_digit(code);
    if (to->escape == 0 && code == '\\') {
        to->escape = 1;
    } else if (to->escape == 1 && code == 'u') {
        to->escape = 2;
        to->value = 0;
    } else if (to->escape >= 2 && digit >= 0) {
        to->value = to->value << 4 | (uint32_t)digit;
        to->escape = to->escape == 5 ? 0 : to->escape + 1;
        return to->escape == 0 ? push(to, to->value) : NULL;
    } else {
        bool control = to->escape == 1 && code >= 'a' && code <= 'z'; /* \n and its kin */
        to->escape = 0;
        return push(to, control ? '?' : code);
    }
    return NULL;
}

const char *text_word_that_runs(const assay_view *view, assay_text text)
{
    window seen = {.escape = 0};
    uint32_t code;
    const char *word = NULL;
    while (word == NULL && assay_text_next(view, &text, &code))
        word = take(&seen, code);
    return word;
}
