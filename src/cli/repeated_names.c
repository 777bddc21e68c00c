/* repeated_names.c: see repeated_names.h. Open addressing with linear probing, at most four fifths full. */
#include "repeated_names.h"

#include <stdlib.h>
#include <string.h>

#include "index_tables.h"
#include "escaped_text.h"

#define NAMES UINT64_MAX /* the other half of the key of the hash: none of those of src/model/index_tables.c */

static size_t size_of(header_text text)
{
    return text.end - text.at;
}

/* Does a text stand for itself, byte by byte? */
static bool is_plain(const text_set *set, header_text text)
{
    return memchr(set->view->head + text.at, '\\', size_of(text)) == NULL;
}

/* Return the hash of the text, unescaped, as UTF-8. */
static uint64_t hash_of(const text_set *set, header_text text)
{
    siphash hash;
    siphash_begin(&hash, set->seed, NAMES);
    if (is_plain(set, text)) {
        siphash_bytes(&hash, set->view->head + text.at, size_of(text));
        return siphash_end(&hash);
    }
    char out[TEXT_CODE_MAX + 1];
    assay_text rest = {text.at, text.end};
    uint32_t code;
    while (assay_text_next(set->view, &rest, &code)) {
        size_t size = text_code(out, TEXT_RAW, 0, code);
        for (size_t i = 0; i < size; i++)
            siphash_byte(&hash, (uint8_t)out[i]);
    }
    return siphash_end(&hash);
}

static bool equal(const text_set *set, header_text left, header_text right)
{
    const uint8_t *head = set->view->head;
    if (size_of(left) == size_of(right) && memcmp(head + left.at, head + right.at, size_of(left)) == 0)
        return true;
    if (is_plain(set, left) && is_plain(set, right))
        return false;
    assay_text a = {left.at, left.end}, b = {right.at, right.end};
    uint32_t code = 0, other = 0;
    bool more, both;
    do {
        more = assay_text_next(set->view, &a, &code);
        both = assay_text_next(set->view, &b, &other);
    } while (more && both && code == other);
    return !more && !both;
}

bool text_set_begin(text_set *set, const assay_view *view, const header_text *text, uint64_t count, uint64_t seed)
{
    *set = (text_set){view, text, seed, count + count / 4 + 1, NULL};
    set->slot = calloc((size_t)set->slots, sizeof *set->slot);
    return set->slot != NULL;
}

uint32_t text_set_add(text_set *set, uint32_t index)
{
    uint64_t hash = hash_of(set, set->text[index]), at = (hash >> 32) * set->slots >> 32;
    uint32_t tag = (uint32_t)hash;
    for (; set->slot[at].number != 0; at = at + 1 < set->slots ? at + 1 : 0) {
        uint32_t earlier = set->slot[at].number - 1;
        if (set->slot[at].tag == tag && equal(set, set->text[earlier], set->text[index]))
            return earlier;
    }
    set->slot[at] = (text_slot){index + 1, tag};
    return TEXT_NEW;
}

void text_set_end(text_set *set)
{
    free(set->slot);
    set->slot = NULL;
}
