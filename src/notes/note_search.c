/* note_search.c: see note_search.h. */
#include "note_search.h"

#include <stddef.h>
#include <string.h>

#include "file_kind.h"
#include "hidden_text.h"
#include "tensor_alias.h"

#define METADATA_MOST 1000000u
#define ALIASES_MOST 10000u

/* The notes that were found. */
typedef struct {
    note_found *one;
    uint32_t count;
} note_rows;

static note_found *add(note_rows *to, uint32_t code)
{
    note_found *one = &to->one[to->count++];
    *one = (note_found){.code = code, .tensor = ASSAY_NONE};
    return one;
}

/* Add a note about a tensor. */
static void add_tensor(note_rows *to, uint32_t code, const assay_tensor *tensor, uint64_t number)
{
    note_found *one = add(to, code);
    one->tensor = tensor->index;
    one->name = tensor->name;
    one->number = number;
}

/* ---- Names and metadata ----------------------------------------------------------------------------------- */

/* Does it contain a character that a terminal would obey or hide? Line ends count. */
static bool is_hidden(const assay_view *view, assay_text text)
{
    uint32_t code;
    while (assay_text_next(view, &text, &code))
        if (text_hidden(code))
            return true;
    return false;
}

/* Would the text, as a path in a folder, lead out of it, on Windows or elsewhere? */
static bool leaves_folder(const assay_view *view, assay_text text)
{
    uint32_t code, first = 0;
    size_t at = 0, dots = 0; /* dots since the last slash; 3: anything else; 4: "C:" */
    for (; assay_text_next(view, &text, &code); at++) {
        bool slash = code == '/' || code == '\\', letter = (first | 0x20) >= 'a' && (first | 0x20) <= 'z';
        if ((at == 0 && slash) || (at == 2 && slash && dots == 4 && letter) || (slash && dots == 2))
            return true;
        dots = slash ? 0 : code == '.' && dots < 3 ? dots + 1 : at == 1 && code == ':' ? 4 : 3;
        first = at == 0 ? code : first;
    }
    return dots == 2;
}

static const char *const words[] = {"_target_",  "__reduce__", "auto_map", "trust_remote_code",
                                    "py/object", "py/reduce",  "!!python/"};

#define WORDS (sizeof words / sizeof *words)

#define WINDOW 20 /* characters: more than the longest of them */

typedef struct {
    char last[WINDOW]; /* the last characters of the text */
    int escape;        /* how many characters of an escape such as \u0041 were read ... */
    uint32_t value;    /* ... and its value so far */
} window;

/* Append a character. Return the number of the word that it completes, or WORDS. */
static size_t push(window *to, uint32_t code)
{
    memmove(to->last, to->last + 1, WINDOW - 1);
    to->last[WINDOW - 1] = code > 0 && code < 0x80 ? (char)code : '?';
    for (size_t i = 0; i < WORDS; i++) {
        size_t length = strlen(words[i]);
        if (words[i][length - 1] == to->last[WINDOW - 1] &&
            memcmp(to->last + WINDOW - length, words[i], length) == 0)
            return i;
    }
    return WORDS;
}

static int hex_digit(uint32_t code)
{
    uint32_t lower = code | 0x20;
    return code >= '0' && code <= '9' ? (int)(code - '0') : lower >= 'a' && lower <= 'f' ? (int)(lower - 'a') + 10 : -1;
}

/* Append a character of a text in which escapes are to be resolved. Return as push does. */
static size_t take(window *to, uint32_t code)
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
        return to->escape == 0 ? push(to, to->value) : WORDS;
    } else {
        bool control = to->escape == 1 && code >= 'a' && code <= 'z'; /* \n and the like */
        to->escape = 0;
        return push(to, control ? '?' : code);
    }
    return WORDS;
}

/* Return the number of the word in a text that makes a library create objects or call functions, or WORDS. Escapes in
 * the unescaped text are resolved once more, as it may be JSON itself. */
static size_t word_that_runs(const assay_view *view, assay_text text)
{
    window seen = {.escape = 0};
    uint32_t code;
    size_t word = WORDS;
    while (word == WORDS && assay_text_next(view, &text, &code))
        word = take(&seen, code);
    return word;
}

static void check_names(note_rows *to, const assay_view *view)
{
    bool hidden = false, path = false;
    assay_tensor tensor;
    assay_text key, value;
    for (uint64_t i = 0; !(hidden && path) && assay_tensor_at(view, i, &tensor); i++) {
        if (!hidden && is_hidden(view, tensor.name)) {
            hidden = true;
            add_tensor(to, NOTE_NAME_HIDDEN, &tensor, 0);
        }
        if (!path && leaves_folder(view, tensor.name)) {
            path = true;
            add_tensor(to, NOTE_NAME_PATH, &tensor, 0);
        }
    }
    for (uint64_t i = 0; !hidden && assay_metadata_at(view, i, &key, &value); i++) {
        if (is_hidden(view, key)) {
            hidden = true;
            add(to, NOTE_NAME_HIDDEN)->name = key;
        }
    }
}

static void check_metadata(note_rows *to, const assay_view *view)
{
    uint64_t bytes = 0;
    size_t word = WORDS;
    assay_text key, value;
    for (uint64_t i = 0; assay_metadata_at(view, i, &key, &value); i++) {
        bytes += key.end - key.at + value.end - value.at;
        if (word < WORDS)
            continue;
        word = word_that_runs(view, key);
        word = word < WORDS ? word : word_that_runs(view, value);
        if (word < WORDS) {
            note_found *one = add(to, NOTE_METADATA_CODE);
            one->name = key;
            one->number = word;
        }
    }
    if (bytes > METADATA_MOST)
        add(to, NOTE_METADATA_LARGE)->number = bytes;
}

/* Look for a pair that names a shared tensor which the file does not hold. */
static void check_aliases(note_rows *to, const assay_view *view)
{
    assay_text key, value;
    uint32_t looked = 0; /* to find a tensor takes long, and a header may have millions of pairs */
    for (uint64_t i = 0; looked < ALIASES_MOST && assay_metadata_at(view, i, &key, &value); i++) {
        if (!tensor_alias_key(view, key) ||
            !tensor_alias_alike(view->head + key.at, (size_t)(key.end - key.at), view->head + value.at,
                                (size_t)(value.end - value.at)))
            continue;
        looked++;
        if (tensor_alias_at(view, i, NULL, &key, &value) == TENSOR_ALIAS_DANGLING) {
            add(to, NOTE_ALIAS_DANGLING)->name = key;
            return;
        }
    }
}

/* ---- Numbers ---------------------------------------------------------------------------------------------- */

/* Return a dim of at least 2^31, or else an end above 2^53, as other readers may mistake them; 0: there is none. */
static uint64_t large_number(const assay_view *view, const assay_tensor *tensor)
{
    assay_dims dims = tensor->dims;
    uint64_t dim, most = 0;
    while (assay_dim_next(view, &dims, &dim))
        most = dim > most ? dim : most;
    if (most >= (uint64_t)1 << 31)
        return most;
    return tensor->end - view->data_begin > (uint64_t)1 << 53 ? tensor->end - view->data_begin : 0;
}

static bool is_unaligned(const assay_tensor *tensor)
{
    return tensor->begin < tensor->end && tensor->bits > 8 && tensor->begin % (tensor->bits / 8) != 0;
}

static void check_tensors(note_rows *to, const assay_view *view)
{
    bool large = false, unaligned = false;
    assay_tensor tensor;
    for (uint64_t i = 0; !(large && unaligned) && assay_tensor_at(view, i, &tensor); i++) {
        if (!unaligned && is_unaligned(&tensor)) {
            unaligned = true;
            add_tensor(to, NOTE_UNALIGNED, &tensor, tensor.begin);
        }
        uint64_t number = large ? 0 : large_number(view, &tensor);
        if (number != 0) {
            large = true;
            add_tensor(to, NOTE_NUMBER_LARGE, &tensor, number);
        }
    }
}

/* ---- Other formats ---------------------------------------------------------------------------------------- */

static void add_kind(note_rows *to, note_place place, uint32_t kind)
{
    if (kind == FILE_KIND_NONE)
        return;
    note_found *one = add(to, NOTE_TWO_FORMATS);
    one->place = place;
    one->number = kind;
}

static uint32_t number_32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Does the file end like a ZIP archive? Programs find one by the record at its end, after which a comment may follow.
 * The list of members, whose size the record states, must fit before it. */
static bool has_zip_end(const uint8_t *tail, uint64_t tail_size, uint64_t file_size)
{
    uint64_t before = file_size - tail_size;
    for (uint64_t at = 0; at + 22 <= tail_size; at++)
        if (memcmp(tail + at, "PK\005\006", 4) == 0 && number_32(tail + at + 12) <= before + at)
            return true;
    return false;
}

static void check_bytes(note_rows *to, const assay_view *view, const note_bytes *bytes)
{
    add_kind(to, NOTE_AT_START, file_kind_inside(view->head, (size_t)view->data_begin));
    add_kind(to, NOTE_AT_DATA, file_kind_inside(bytes->data, (size_t)bytes->data_size));
    if (has_zip_end(bytes->tail, bytes->tail_size, view->data_begin + view->data_size))
        add(to, NOTE_TWO_FORMATS)->place = NOTE_AT_END;
}

uint32_t notes_search(const assay_view *view, const note_bytes *bytes, note_found found[NOTES_FOUND_MOST])
{
    note_rows rows = {found, 0};
    check_tensors(&rows, view);
    if (bytes != NULL)
        check_bytes(&rows, view, bytes);
    check_names(&rows, view);
    check_metadata(&rows, view);
    check_aliases(&rows, view);
    return rows.count;
}

const char *note_word(uint32_t code, uint64_t number)
{
    if (code == NOTE_METADATA_CODE && number < WORDS)
        return words[number];
    return code == NOTE_TWO_FORMATS ? file_kind_what(number) : "";
}
