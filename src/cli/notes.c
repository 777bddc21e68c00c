/* notes.c: see notes.h. */
#include "notes.h"

#include <string.h>

#define METADATA_MOST 1000000u

static line_buffer *add(note_list *list, const char *name)
{
    for (uint32_t i = 0; i < rules_table_count; i++) {
        if (strcmp(rules_table[i].name, name) == 0 && list->count < NOTES_MOST) {
            note *one = &list->one[list->count++];
            *one = (note){.rule = &rules_table[i], .title = rules_table[i].title};
            return &one->detail;
        }
    }
    return NULL;
}

/* Add a note about a tensor. */
static line_buffer *add_tensor(note_list *list, const char *name, const assay_view *view, const assay_tensor *tensor)
{
    line_buffer *to = add(list, name);
    if (to == NULL)
        return NULL;
    note *one = &list->one[list->count - 1];
    one->has_tensor = true;
    one->name = tensor->name;
    one->place = tensor->index;
    line_add(to, "tensor ");
    line_quote(to, view, tensor->name);
    return to;
}

static void add_key(note_list *list, const char *name, const assay_view *view, assay_text key)
{
    line_buffer *to = add(list, name);
    if (to == NULL)
        return;
    line_add(to, "metadata key ");
    line_quote(to, view, key);
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

static const char *const words[] = {"_target_",  "__reduce__", "auto_map",  "trust_remote_code",
                                    "py/object", "py/reduce",  "!!python/", NULL};

#define WINDOW 20 /* characters: more than the longest of them */

typedef struct {
    char last[WINDOW]; /* the last characters of the text */
    int escape;        /* how many characters of an escape such as \u0041 were read ... */
    uint32_t value;    /* ... and its value so far */
} window;

/* Append a character. Return the word that it completes, or NULL. */
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

/* Append a character of a text in which escapes are to be resolved. Return as push does. */
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
        bool control = to->escape == 1 && code >= 'a' && code <= 'z'; /* \n and the like */
        to->escape = 0;
        return push(to, control ? '?' : code);
    }
    return NULL;
}

/* Return the word in a text that makes a library create objects or call functions, or NULL. Escapes in the unescaped
 * text are resolved once more, as it may be JSON itself. */
static const char *word_that_runs(const assay_view *view, assay_text text)
{
    window seen = {.escape = 0};
    uint32_t code;
    const char *word = NULL;
    while (word == NULL && assay_text_next(view, &text, &code))
        word = take(&seen, code);
    return word;
}

static void check_names(note_list *list, const assay_view *view)
{
    bool hidden = false, path = false;
    assay_tensor tensor;
    assay_text key, value;
    for (uint64_t i = 0; !(hidden && path) && assay_tensor_at(view, i, &tensor); i++) {
        if (!hidden && is_hidden(view, tensor.name)) {
            hidden = true;
            add_tensor(list, "name_hidden", view, &tensor);
        }
        if (!path && leaves_folder(view, tensor.name)) {
            path = true;
            add_tensor(list, "name_path", view, &tensor);
        }
    }
    for (uint64_t i = 0; !hidden && assay_metadata_at(view, i, &key, &value); i++) {
        if (is_hidden(view, key)) {
            hidden = true;
            add_key(list, "name_hidden", view, key);
        }
    }
}

static void check_metadata(note_list *list, const assay_view *view)
{
    uint64_t bytes = 0;
    const char *word = NULL;
    assay_text key, value;
    for (uint64_t i = 0; assay_metadata_at(view, i, &key, &value); i++) {
        bytes += key.end - key.at + value.end - value.at;
        if (word != NULL)
            continue;
        word = word_that_runs(view, key);
        word = word != NULL ? word : word_that_runs(view, value);
        line_buffer *to = word == NULL ? NULL : add(list, "metadata_code");
        if (to != NULL) {
            line_add(to, word);
            line_add(to, " in metadata key ");
            line_quote(to, view, key);
        }
    }
    line_buffer *to = bytes <= METADATA_MOST ? NULL : add(list, "metadata_large");
    if (to != NULL)
        line_size(to, bytes);
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

static void add_number(note_list *list, const char *name, const assay_view *view, const assay_tensor *tensor,
                       const char *label, uint64_t number)
{
    line_buffer *to = add_tensor(list, name, view, tensor);
    if (to == NULL)
        return;
    line_add(to, label);
    line_number(to, number);
}

static void check_tensors(note_list *list, const assay_view *view)
{
    bool large = false, unaligned = false;
    assay_tensor tensor;
    for (uint64_t i = 0; !(large && unaligned) && assay_tensor_at(view, i, &tensor); i++) {
        if (!unaligned && is_unaligned(&tensor)) {
            unaligned = true;
            add_number(list, "unaligned", view, &tensor, ", at byte ", tensor.begin);
        }
        uint64_t number = large ? 0 : large_number(view, &tensor);
        if (number != 0) {
            large = true;
            add_number(list, "number_large", view, &tensor, ", ", number);
        }
    }
}

/* ---- Other formats ---------------------------------------------------------------------------------------- */

static void add_kind_at(note_list *list, const char *where, const file_kind *really)
{
    line_buffer *to = really == NULL ? NULL : add(list, "two_formats");
    if (to == NULL)
        return;
    line_add(to, where);
    line_add(to, really->what);
}

static uint32_t number_32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Does the file end like a ZIP archive? Programs find one by the record at its end, after which a comment may follow.
 * The list of members, whose size the record states, must fit before it. */
static bool has_zip_end(const host_verdict *verdict)
{
    uint64_t before = verdict->file_size - verdict->tail_size;
    for (size_t at = 0; at + 22 <= verdict->tail_size; at++)
        if (memcmp(verdict->tail + at, "PK\005\006", 4) == 0 && number_32(verdict->tail + at + 12) <= before + at)
            return true;
    return false;
}

static void check_bytes(note_list *list, const host_verdict *verdict)
{
    if (verdict->tail == NULL)
        return;
    add_kind_at(list, "its first bytes are those of ", file_kind_inside(verdict->head, verdict->head_size));
    add_kind_at(list, "the data begin like ", file_kind_inside(verdict->data, verdict->data_size));
    line_buffer *to = has_zip_end(verdict) ? add(list, "two_formats") : NULL;
    if (to != NULL)
        line_add(to, "its end is that of a ZIP archive");
}

static void look_beside(note_list *list, const host_verdict *verdict)
{
    if (verdict->beside == HOST_NONE_BESIDE || add(list, "index_beside") == NULL)
        return;
    if (verdict->beside == HOST_BESIDE_UNKNOWN)
        list->one[list->count - 1].title = "it is unknown whether an index of the same model is in the same folder";
}

void notes_find(note_list *list, const host_verdict *verdict)
{
    list->count = 0;
    if (!is_valid(verdict) || verdict->view == NULL)
        return;
    check_tensors(list, verdict->view);
    check_bytes(list, verdict);
    check_names(list, verdict->view);
    check_metadata(list, verdict->view);
    look_beside(list, verdict);
}

/* ---- Messages --------------------------------------------------------------------------------------------- */

void note_message(line_buffer *to, const note *one)
{
    to->length = 0;
    line_add(to, one->title);
    if (one->detail.length > 0) {
        line_add(to, " (");
        line_add(to, one->detail.text);
        line_add(to, ")");
    }
    line_add(to, ": ");
    line_add(to, one->rule->advice);
}
