/* edit_text.c: see edit_text.h. */
#include "edit_text.h"

#include <string.h>

#include "unescaped_text.h"
#include "utf8_codec.h"

edit_text edit_text_of(const assay_view *view, assay_text text)
{
    return (edit_text){.view = view, .text = text};
}

edit_text edit_text_bytes(const uint8_t *bytes, uint64_t size)
{
    return (edit_text){.bytes = bytes, .size = size};
}

bool edit_text_equal(const edit_text *one, const edit_text *other)
{
    if (one->view != NULL && other->view != NULL)
        return unescaped_equal(one->view, one->text, other->view, other->text);
    if (one->view != NULL)
        return assay_text_compare(one->view, one->text, other->bytes, other->size) == 0;
    if (other->view != NULL)
        return assay_text_compare(other->view, other->text, one->bytes, one->size) == 0;
    return one->size == other->size && (one->size == 0 || memcmp(one->bytes, other->bytes, (size_t)one->size) == 0);
}

uint64_t edit_text_hash(uint64_t seed, const edit_text *text)
{
    return text->view != NULL ? unescaped_hash(seed, HASH_HEADER_NAME, 0, text->view, text->text)
                              : keyed_hash_of(seed, HASH_HEADER_NAME, 0, text->bytes, (size_t)text->size);
}

/* Return the key without escapes: as it is in the header if it has none, otherwise in the scratch memory. */
static edit_text without_escapes(const edit_text *key, uint8_t *scratch)
{
    const uint8_t *begin = key->view->head + key->text.at;
    size_t size = (size_t)(key->text.end - key->text.at);
    if (memchr(begin, '\\', size) == NULL)
        return edit_text_bytes(begin, size);
    return edit_text_bytes(scratch, unescaped_copy(key->view, key->text, scratch)); /* never longer */
}

bool edit_text_find(const assay_view *view, const edit_text *key, uint8_t *scratch, edit_text *value)
{
    edit_text bytes = key->view == NULL ? *key : without_escapes(key, scratch);
    assay_text text;
    if (!assay_metadata_find(view, bytes.bytes, bytes.size, &text))
        return false;
    *value = edit_text_of(view, text);
    return true;
}

void edit_put(edit_writer *to, const uint8_t *bytes, uint64_t count)
{
    uint64_t fits = to->at >= to->room ? 0 : to->room - to->at;
    fits = fits < count ? fits : count;
    if (fits > 0)
        memcpy(to->to + to->at, bytes, (size_t)fits);
    to->at += count;
}

void edit_put_word(edit_writer *to, const char *word)
{
    edit_put(to, (const uint8_t *)word, strlen(word));
}

/* Write a byte of a string of JSON. All bytes of code points above U+007F are themselves. */
static void put_byte(edit_writer *to, uint8_t byte)
{
    static const char digits[] = "0123456789abcdef";
    const char *escape = byte == '"'    ? "\\\""
                         : byte == '\\' ? "\\\\"
                         : byte == '\b' ? "\\b"
                         : byte == '\t' ? "\\t"
                         : byte == '\n' ? "\\n"
                         : byte == '\f' ? "\\f"
                         : byte == '\r' ? "\\r"
                                        : NULL;
    const char code[] = {'\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15], '\0'};
    if (escape == NULL && byte < ' ')
        escape = code;
    if (escape != NULL)
        edit_put_word(to, escape);
    else
        edit_put(to, &byte, 1);
}

void edit_put_text(edit_writer *to, const edit_text *text)
{
    uint32_t code;
    assay_text rest = text->text;
    edit_put_word(to, "\"");
    for (uint64_t i = 0; text->view == NULL && i < text->size; i++)
        put_byte(to, text->bytes[i]);
    while (text->view != NULL && assay_text_next(text->view, &rest, &code)) {
        uint8_t bytes[UTF8_MAX];
        size_t count = utf8_write(bytes, code);
        for (size_t i = 0; i < count; i++)
            put_byte(to, bytes[i]);
    }
    edit_put_word(to, "\"");
}
