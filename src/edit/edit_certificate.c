/* edit_certificate.c: see edit_certificate.h. */
#include "edit_certificate.h"

#include <string.h>

#include "assay_write.h"
#include "unescaped_text.h"

/* What is compared, and memory for it. */
typedef struct {
    const assay_view *old, *new_view;
    const edit_step *step;
    size_t count, clear;  /* clear: the first step that deletes all, or count */
    assay_new_pair *text; /* [pairs]: those of one of the views, without escapes */
    assay_chars *key;     /* [keys]: what the steps name: `own` keys, each once, then those of the views they name */
    uint32_t *where;      /* [pairs]: see assay_pairs_kept */
    uint64_t own, keys;
    uint8_t *bytes; /* room for texts that have escapes */
} certificate;

/* Return the view all of whose keys a step names, or NULL. */
static const assay_view *named_view(const certificate *of, size_t step)
{
    return of->step[step].kind == EDIT_MERGE ? of->step[step].map : step == of->clear ? of->old : NULL;
}

static bool same_chars(assay_chars one, assay_chars other)
{
    return one.size == other.size && (one.size == 0 || memcmp(one.byte, other.byte, (size_t)one.size) == 0);
}

/* Return a text of a view without escapes: as it is in the header if it has none, otherwise at *bytes, which then
 * points after it. */
static assay_chars plain_text(const assay_view *view, assay_text text, uint8_t **bytes)
{
    assay_chars plain = {view->head + text.at, text.end - text.at};
    if (memchr(plain.byte, '\\', (size_t)plain.size) == NULL)
        return plain;
    plain.byte = *bytes;
    plain.size = unescaped_copy(view, text, *bytes); /* never longer */
    *bytes += plain.size;
    return plain;
}

/* Return the index of the pair with this key, or ASSAY_NONE. The values of a header come one after the other. Only
 * where they begin is compared: to find where one ends takes as long as it is. */
static uint64_t pair_index(const assay_view *view, assay_chars key)
{
    assay_text value;
    uint64_t low = 0, high = view->pairs;
    if (!assay_metadata_find(view, key.byte, key.size, &value))
        return ASSAY_NONE;
    while (low + 1 < high) {
        uint64_t between = low + (high - low) / 2;
        if (view->value[view->pairs - 1 - between] <= value.at)
            low = between;
        else
            high = between;
    }
    return low;
}

/* ---- The pairs that are not named ------------------------------------------------------------------------- */

/* Return the place of a key among those of the steps themselves, or ASSAY_NONE. */
static uint64_t find_own(const certificate *of, assay_chars key)
{
    for (uint64_t i = 0; i < of->own; i++)
        if (same_chars(of->key[i], key))
            return i;
    return ASSAY_NONE;
}

static void add_own(certificate *of, const edit_text *text)
{
    assay_chars key = {text->bytes, text->size};
    if (find_own(of, key) == ASSAY_NONE)
        of->key[of->own++] = key;
}

/* List the keys that the steps name. */
static void list_keys(certificate *of)
{
    assay_text key, value;
    for (size_t s = 0; s < of->count; s++) {
        edit_kind kind = of->step[s].kind;
        if (kind == EDIT_SET || kind == EDIT_DELETE || kind == EDIT_RENAME)
            add_own(of, &of->step[s].key);
        if (kind == EDIT_RENAME)
            add_own(of, &of->step[s].value);
    }
    of->keys = of->own;
    for (size_t s = 0; s < of->count; s++) {
        const assay_view *view = named_view(of, s);
        for (uint64_t i = 0; view != NULL && assay_metadata_at(view, i, &key, &value); i++)
            of->key[of->keys++] = plain_text(view, key, &of->bytes);
    }
}

/* Return the place of a key among those that are named, or ASSAY_NONE. */
static uint64_t find_named(const certificate *of, assay_chars key)
{
    uint64_t first = of->own, own = find_own(of, key);
    for (size_t s = 0; own == ASSAY_NONE && s < of->count; s++) {
        const assay_view *view = named_view(of, s);
        uint64_t index = view == NULL ? ASSAY_NONE : pair_index(view, key);
        if (index != ASSAY_NONE)
            return first + index;
        first += view == NULL ? 0 : view->pairs;
    }
    return own;
}

/* Is each pair of one in the other, in the same order, or named? A pair that is not right after the last one may have
 * been deleted and set again: if it is named, its place does not count. This finds where; assay_pairs_kept, which is
 * proved, compares. */
static bool kept(const certificate *of, const assay_view *one, const assay_view *other)
{
    assay_text key, value, found;
    uint8_t *bytes = of->bytes;
    uint64_t next = 0; /* after the last pair whose place counts */
    for (uint64_t i = 0; assay_metadata_at(one, i, &key, &value); i++) {
        assay_new_pair *text = &of->text[i];
        *text = (assay_new_pair){plain_text(one, key, &bytes), plain_text(one, value, &bytes)};
        uint64_t at = pair_index(other, text->key);
        bool same = at != ASSAY_NONE && assay_metadata_at(other, at, &key, &found) &&
                    assay_text_compare(other, found, text->value.byte, text->value.size) == 0;
        uint64_t named = same && at == next ? ASSAY_NONE : find_named(of, text->key);
        if (named == ASSAY_NONE && (!same || at < next))
            return false;
        next = named == ASSAY_NONE ? at + 1 : next;
        at = same ? at : other->pairs + named;
        if (at > UINT32_MAX)
            return false;
        of->where[i] = (uint32_t)at;
    }
    return assay_pairs_kept(one, other, of->text, of->where, of->key, of->keys);
}

/* ---- The pairs that are named ----------------------------------------------------------------------------- */

/* What the steps say about the value of a key: follow them backwards. Return false if there is no pair of this key. */
static bool expected_value(const certificate *of, edit_text key, edit_text *value)
{
    for (size_t count = of->count; count > 0;) {
        const edit_step *last = &of->step[--count];
        if (last->kind == EDIT_CLEAR)
            return false;
        if (last->kind == EDIT_MERGE && edit_text_find(last->map, &key, NULL, value))
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
    return edit_text_find(of->old, &key, NULL, value);
}

static bool named_as_requested(const certificate *of)
{
    bool same = true;
    for (uint64_t i = 0; same && i < of->keys; i++) {
        edit_text key = edit_text_bytes(of->key[i].byte, of->key[i].size), value, found;
        bool there = edit_text_find(of->new_view, &key, NULL, &found);
        same = expected_value(of, key, &value) == there && (!there || edit_text_equal(&value, &found));
    }
    return same;
}

/* ---- All pairs -------------------------------------------------------------------------------------------- */

edit_sizes edit_certificate_sizes(const assay_view *old, uint64_t new_head, uint64_t additions, const edit_step *step,
                                  size_t count)
{
    edit_sizes sizes = {old->pairs + additions, 2 * count, old->data_begin > new_head ? old->data_begin : new_head};
    bool clears = false;
    for (size_t s = 0; s < count; s++) {
        const assay_view *named = step[s].kind == EDIT_MERGE ? step[s].map : NULL;
        named = step[s].kind == EDIT_CLEAR && !clears ? old : named;
        clears = clears || step[s].kind == EDIT_CLEAR;
        sizes.keys += named == NULL ? 0 : named->pairs;
        sizes.bytes += named == NULL ? 0 : named->data_begin;
    }
    return sizes;
}

uint64_t edit_certificate_memory(const edit_sizes *sizes)
{
    return sizes->pairs * (sizeof(assay_new_pair) + sizeof(uint32_t)) + sizes->keys * sizeof(assay_chars) +
           sizes->bytes;
}

bool edit_same_pairs(const assay_view *old, const assay_view *new_view, const edit_step *step, size_t count,
                     const edit_sizes *sizes, void *memory)
{
    certificate of = {.old = old, .new_view = new_view, .step = step, .count = count, .text = memory};
    if (old->pairs > sizes->pairs || new_view->pairs > sizes->pairs)
        return false;
    of.key = (assay_chars *)(void *)(of.text + sizes->pairs);
    of.where = (uint32_t *)(void *)(of.key + sizes->keys);
    of.bytes = (uint8_t *)(of.where + sizes->pairs);
    while (of.clear < count && step[of.clear].kind != EDIT_CLEAR)
        of.clear++;
    list_keys(&of);
    return kept(&of, old, new_view) && kept(&of, new_view, old) && named_as_requested(&of);
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
