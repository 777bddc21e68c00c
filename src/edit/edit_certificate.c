/* edit_certificate.c: see edit_certificate.h. */
#include "edit_certificate.h"

#include <string.h>

/* What the steps say about the value of a key after step[0 .. count): follow them backwards. Return false if there is
 * no pair of this key. */
static bool expected_value(const assay_view *old, const edit_step *step, size_t count, edit_text key,
                           uint8_t *scratch, edit_text *value)
{
    while (count > 0) {
        const edit_step *last = &step[--count];
        if (last->kind == EDIT_CLEAR)
            return false;
        if (last->kind == EDIT_MERGE && edit_text_find(last->map, &key, scratch, value))
            return true;
        if (last->kind == EDIT_RENAME && edit_text_equal(&last->key, &key))
            return false;
        if (last->kind == EDIT_RENAME && edit_text_equal(&last->value, &key))
            key = last->key;
        if ((last->kind == EDIT_SET || last->kind == EDIT_DELETE) && edit_text_equal(&last->key, &key)) {
            *value = last->value;
            return last->kind == EDIT_SET;
        }
    }
    return edit_text_find(old, &key, scratch, value);
}

/* Follow a pair that is there before step[0 .. count) forwards. Return false if it should be in the new header and is
 * not. */
static bool arrives(const assay_view *new_view, const edit_step *step, size_t count, edit_text key,
                    uint8_t *scratch)
{
    edit_text value;
    for (size_t i = 0; i < count; i++) {
        bool is = edit_text_equal(&step[i].key, &key);
        if (step[i].kind == EDIT_CLEAR || (step[i].kind == EDIT_DELETE && is))
            return true;
        if (step[i].kind == EDIT_RENAME && is)
            key = step[i].value;
    }
    return edit_text_find(new_view, &key, scratch, &value);
}

bool edit_same_pairs(const assay_view *old, const assay_view *new_view, const edit_step *step, size_t count,
                     uint8_t *scratch)
{
    assay_text key, text;
    edit_text value;
    bool same = true;
    for (uint64_t i = 0; same && assay_metadata_at(new_view, i, &key, &text); i++) {
        edit_text found = edit_text_of(new_view, text);
        same = expected_value(old, step, count, edit_text_of(new_view, key), scratch, &value) &&
               edit_text_equal(&value, &found);
    }
    for (uint64_t i = 0; same && assay_metadata_at(old, i, &key, &text); i++)
        same = arrives(new_view, step, count, edit_text_of(old, key), scratch);
    for (size_t s = 0; same && s < count; s++) {
        if (step[s].kind == EDIT_SET)
            same = arrives(new_view, step + s + 1, count - s - 1, step[s].key, scratch);
        for (uint64_t i = 0; same && step[s].kind == EDIT_MERGE && assay_metadata_at(step[s].map, i, &key, &text); i++)
            same = arrives(new_view, step + s + 1, count - s - 1, edit_text_of(step[s].map, key), scratch);
    }
    return same;
}

/* ---- The bytes outside __metadata__ ----------------------------------------------------------------------- */

/* A header without its member __metadata__: head[8 .. before) and head[after .. end). If there is no such member, both
 * are 8. */
typedef struct {
    const uint8_t *head;
    uint64_t before, after, end;
} header_rest;

static bool is_white(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Find the member by counting braces outside strings: each string in the root that is no key is inside an object. */
static header_rest find_rest(const assay_view *view)
{
    static const char key[] = "\"__metadata__\"";
    header_rest rest = {view->head, 8, 8, view->data_begin};
    uint64_t depth = 0, begin = 0;
    while (rest.end > 8 && is_white(rest.head[rest.end - 1]))
        rest.end--;
    for (uint64_t at = 8; at < rest.end; at++) {
        uint8_t byte = rest.head[at];
        depth += byte == '{' ? 1 : 0;
        depth -= byte == '}' ? 1 : 0;
        if (byte == '}' && depth == 1 && begin != 0) {
            rest.before = begin;
            rest.after = at + 1;
            begin = 0;
        }
        if (byte != '"')
            continue;
        if (depth == 1 && rest.end - at > sizeof key && memcmp(rest.head + at, key, sizeof key - 1) == 0)
            begin = at;
        for (at++; at < rest.end && rest.head[at] != '"'; at++)
            at += rest.head[at] == '\\' ? 1 : 0;
    }
    return rest;
}

/* Leave out one comma beside the member too, and the white space between them. */
static void drop_comma(header_rest *rest)
{
    uint64_t after = rest->after, before = rest->before;
    while (after < rest->end && is_white(rest->head[after]))
        after++;
    while (before > 8 && is_white(rest->head[before - 1]))
        before--;
    if (after < rest->end && rest->head[after] == ',')
        rest->after = after + 1;
    else if (before > 8 && rest->head[before - 1] == ',')
        rest->before = before - 1;
}

static bool same_bytes(const uint8_t *one, const uint8_t *other, uint64_t size)
{
    return memcmp(one, other, (size_t)size) == 0;
}

/* Are the bytes of a header without the member those of another one, which never had it? */
static bool same_joined(const header_rest *rest, const header_rest *whole)
{
    uint64_t first = rest->before - 8, second = rest->end - rest->after;
    return first + second == whole->end - 8 && same_bytes(rest->head + 8, whole->head + 8, first) &&
           same_bytes(rest->head + rest->after, whole->head + 8 + first, second);
}

bool edit_same_rest(const assay_view *old, const assay_view *new_view)
{
    header_rest one = find_rest(old), other = find_rest(new_view);
    bool there = one.after != 8, stays = other.after != 8;
    if (there != (old->metadata != 0) || stays != (new_view->metadata != 0))
        return false;
    if (there && stays)
        return one.before == other.before && one.end - one.after == other.end - other.after &&
               same_bytes(one.head + 8, other.head + 8, one.before - 8) &&
               same_bytes(one.head + one.after, other.head + other.after, one.end - one.after);
    if (there)
        drop_comma(&one);
    if (stays)
        drop_comma(&other);
    return there ? same_joined(&one, &other) : same_joined(&other, &one);
}
