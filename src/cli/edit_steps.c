/* edit_steps.c: see edit_steps.h. */
#include "posix.h"

#include "edit_steps.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "escaped_text.h"
#include "message.h"

#define VALUE_MOST 99000000u /* bytes: more does not fit a header */

/* Report what is wrong with the word of an option. Return false. */
static bool wrong(const edit_option *option, const char *why)
{
    fprintf(stderr, "assay: --%s ", option->name);
    text_path(stderr, TEXT_QUOTED, option->word);
    fprintf(stderr, ": %s\n", why);
    return false;
}

/* Is this UTF-8 without NUL, which no value of a header can have? */
static bool is_text(const uint8_t *bytes, uint64_t size)
{
    uint32_t code = 1;
    for (uint64_t at = 0; at < size && code != 0 && (code & TEXT_BAD_BYTE) == 0;)
        at += text_decode(bytes + at, (size_t)(size - at), &code);
    return code != 0 && (code & TEXT_BAD_BYTE) == 0;
}

static edit_text word_text(const char *word, size_t size)
{
    return edit_text_bytes((const uint8_t *)word, size);
}

/* ---- Files ------------------------------------------------------------------------------------------------ */

/* Read a file whole. *bytes is for free(). */
static bool read_file(const edit_option *option, const char *path, uint8_t **bytes, uint64_t *size)
{
    host_file file;
    line_buffer why = {.length = 0};
    host_problem problem = host_open(&file, AT_FDCWD, path);
    if (problem == HOST_FINE) {
        problem = host_copy(&file, VALUE_MOST, bytes);
        close(file.fd);
    }
    if (problem != HOST_FINE) {
        line_add(&why, "the file ");
        problem_add(&why, problem, file.system, &file.fetch);
        return wrong(option, why.text);
    }
    *size = file.size;
    return *bytes != NULL || wrong(option, "the file is too large: no header has room for it");
}

/* Return the media type of an image, or NULL. */
static const char *image_type(const uint8_t *bytes, uint64_t size)
{
    static const struct {
        const char *type, *mark;
        size_t at, length;
    } types[] = {{"image/png", "\x89PNG\r\n\x1a\n", 0, 8},
                 {"image/jpeg", "\xff\xd8\xff", 0, 3},
                 {"image/gif", "GIF8", 0, 4},
                 {"image/webp", "WEBPVP8", 8, 7}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (size >= types[i].at + types[i].length && memcmp(bytes + types[i].at, types[i].mark, types[i].length) == 0)
            return types[i].type;
    return NULL;
}

/* Replace the bytes of an image by the URL that contains it: data:TYPE;base64,... */
static bool make_url(const edit_option *option, uint8_t **bytes, uint64_t *size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *type = image_type(*bytes, *size);
    if (type == NULL)
        return wrong(option, "the file is no image: PNG, JPEG, GIF and WebP are possible");
    char *url = malloc((size_t)*size / 3 * 4 + 64);
    if (url == NULL)
        return wrong(option, "not enough memory");
    size_t to = (size_t)sprintf(url, "data:%s;base64,", type);
    for (uint64_t i = 0; i < *size; i += 3) {
        uint64_t left = *size - i;
        const uint8_t *from = *bytes + i;
        uint32_t second = left > 1 ? from[1] : 0, third = left > 2 ? from[2] : 0;
        uint32_t three = (uint32_t)from[0] << 16 | second << 8 | third;
        url[to++] = digits[three >> 18];
        url[to++] = digits[three >> 12 & 63];
        url[to++] = left > 1 ? digits[three >> 6 & 63] : '=';
        url[to++] = left > 2 ? digits[three & 63] : '=';
    }
    free(*bytes);
    *bytes = (uint8_t *)url;
    *size = to;
    return true;
}

/* Put the bytes of a JSON object into a head, as its metadata: then the rules of a header apply to the object. */
static bool make_head(const edit_option *option, uint8_t **bytes, uint64_t *size)
{
    static const char before[] = "{\"__metadata__\":"; /* 16 bytes after the header length */
    uint64_t length = EDIT_MERGE_BEFORE - 8 + *size + 1;
    uint8_t *head = malloc((size_t)length + 8);
    if (head == NULL)
        return wrong(option, "not enough memory");
    for (unsigned i = 0; i < 8; i++)
        head[i] = (uint8_t)(length >> 8 * i);
    memcpy(head + 8, before, sizeof before - 1);
    memcpy(head + EDIT_MERGE_BEFORE, *bytes, (size_t)*size);
    head[length + 7] = '}';
    free(*bytes);
    *bytes = head;
    *size = length + 8;
    return true;
}

/* ---- Steps ------------------------------------------------------------------------------------------------ */

/* Split KEY=REST at its first =. */
static bool split(const edit_option *option, edit_step *step, const char **rest)
{
    const char *equals = strchr(option->word, '=');
    if (equals == NULL)
        return wrong(option, "there is no = after the key");
    step->key = word_text(option->word, (size_t)(equals - option->word));
    *rest = equals + 1;
    return true;
}

/* Read the file of an option into a step. */
static bool take_file(const edit_option *option, const char *path, edit_steps *steps)
{
    uint8_t **bytes = &steps->bytes[steps->count];
    uint64_t *size = &steps->size[steps->count];
    edit_step *step = &steps->step[steps->count];
    bool fine = read_file(option, path, bytes, size);
    if (fine && option->kind == EDIT_OPTION_IMAGE)
        fine = make_url(option, bytes, size);
    if (fine && option->kind == EDIT_OPTION_MERGE)
        return make_head(option, bytes, size);
    step->value = edit_text_bytes(*bytes, *size);
    return fine && (is_text(*bytes, *size) || wrong(option, "the file is not text in UTF-8, or contains a NUL"));
}

static bool take(const edit_option *option, edit_steps *steps)
{
    edit_step *step = &steps->step[steps->count];
    const char *rest = option->word;
    bool fine = true;
    if (option->word != NULL && !text_is_utf8(option->word) && option->kind != EDIT_OPTION_MERGE &&
        option->kind != EDIT_OPTION_FILE && option->kind != EDIT_OPTION_IMAGE)
        return wrong(option, "it is not UTF-8");
    switch (option->kind) {
    case EDIT_OPTION_SET:
    case EDIT_OPTION_RENAME:
        fine = split(option, step, &rest);
        step->kind = option->kind == EDIT_OPTION_SET ? EDIT_SET : EDIT_RENAME;
        step->value = word_text(rest, strlen(rest));
        break;
    case EDIT_OPTION_FILE:
    case EDIT_OPTION_IMAGE:
        step->kind = EDIT_SET;
        fine = split(option, step, &rest) && take_file(option, rest, steps) &&
               (is_text(step->key.bytes, step->key.size) || wrong(option, "the key is not UTF-8"));
        break;
    case EDIT_OPTION_DELETE:
        step->kind = EDIT_DELETE;
        step->key = word_text(rest, strlen(rest));
        break;
    case EDIT_OPTION_MERGE:
        step->kind = EDIT_MERGE;
        fine = take_file(option, rest, steps);
        break;
    case EDIT_OPTION_CLEAR:
        step->kind = EDIT_CLEAR;
    }
    steps->count++;
    return fine;
}

bool edit_steps_read(const command_line *line, edit_steps *steps)
{
    bool fine = true;
    for (size_t i = 0; i < EDITS_MOST; i++)
        steps->bytes[i] = NULL;
    steps->count = 0;
    for (size_t i = 0; i < line->edits && fine; i++) {
        steps->step[i] = (edit_step){.kind = EDIT_SET};
        fine = take(&line->edit[i], steps);
    }
    return fine;
}

bool edit_steps_clear(const edit_steps *steps)
{
    bool clear = false;
    for (size_t i = 0; i < steps->count; i++)
        clear = clear || steps->step[i].kind == EDIT_CLEAR;
    return clear;
}

void edit_steps_free(edit_steps *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        free(steps->bytes[i]);
        steps->bytes[i] = NULL;
    }
}
