/* unescaped_text.c: see unescaped_text.h. */
#include "unescaped_text.h"

#include <string.h>

#include "utf8_codec.h"

static size_t size_of(assay_text text)
{
    return (size_t)(text.end - text.at);
}

/* Return the number of bytes before the first escape. */
static size_t plain_size(const assay_view *view, assay_text text)
{
    const uint8_t *begin = view->head + text.at, *escape = memchr(begin, '\\', size_of(text));
    return escape == NULL ? size_of(text) : (size_t)(escape - begin);
}

uint64_t unescaped_hash(uint64_t seed, hash_domain domain, uint32_t number, const assay_view *view, assay_text text)
{
    keyed_hash hash;
    keyed_hash_begin(&hash, seed, domain, number);
    while (text.at < text.end) {
        size_t plain = plain_size(view, text);
        keyed_hash_bytes(&hash, view->head + text.at, plain);
        text.at += plain;
        uint32_t code;
        uint8_t bytes[UTF8_MAX];
        if (assay_text_next(view, &text, &code))
            keyed_hash_bytes(&hash, bytes, utf8_write(bytes, code));
    }
    return keyed_hash_end(&hash);
}

size_t unescaped_copy(const assay_view *view, assay_text text, uint8_t *to)
{
    size_t count = 0;
    uint32_t code;
    while (text.at < text.end) {
        size_t plain = plain_size(view, text);
        memcpy(to + count, view->head + text.at, plain);
        count += plain;
        text.at += plain;
        if (assay_text_next(view, &text, &code)) /* an escape is longer than what it means */
            count += utf8_write(to + count, code);
    }
    return count;
}

bool unescaped_equal(const assay_view *one, assay_text left, const assay_view *two, assay_text right)
{
    if (size_of(left) == size_of(right) && memcmp(one->head + left.at, two->head + right.at, size_of(left)) == 0)
        return true;
    if (plain_size(one, left) == size_of(left) && plain_size(two, right) == size_of(right))
        return false;
    uint32_t code = 0, other = 0;
    bool more, both;
    do {
        more = assay_text_next(one, &left, &code);
        both = assay_text_next(two, &right, &other);
    } while (more && both && code == other);
    return !more && !both;
}
