/* edit_certificate.c: see edit_certificate.h. */
#include "edit_certificate.h"

/* What the steps say about the value of a key after step[0 .. count): follow them backwards. Return false if there is
 * no pair of this key. */
static bool expected_value(const assay_view *old, const edit_step *step, size_t count, edit_text key, edit_text *value)
{
    while (count > 0) {
        const edit_step *last = &step[--count];
        if (last->kind == EDIT_CLEAR)
            return false;
        if (last->kind == EDIT_MERGE && edit_text_find(last->map, &key, value))
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
    return edit_text_find(old, &key, value);
}

/* Follow a pair that is there before step[0 .. count) forwards. Return false if it should be in the new header and is
 * not. */
static bool arrives(const assay_view *new_view, const edit_step *step, size_t count, edit_text key)
{
    edit_text value;
    for (size_t i = 0; i < count; i++) {
        bool is = edit_text_equal(&step[i].key, &key);
        if (step[i].kind == EDIT_CLEAR || (step[i].kind == EDIT_DELETE && is))
            return true;
        if (step[i].kind == EDIT_RENAME && is)
            key = step[i].value;
    }
    return edit_text_find(new_view, &key, &value);
}

bool edit_same_pairs(const assay_view *old, const assay_view *new_view, const edit_step *step, size_t count)
{
    assay_text key, text;
    edit_text value;
    bool same = true;
    for (uint64_t i = 0; same && assay_metadata_at(new_view, i, &key, &text); i++) {
        edit_text found = edit_text_of(new_view, text);
        same = expected_value(old, step, count, edit_text_of(new_view, key), &value) && edit_text_equal(&value, &found);
    }
    for (uint64_t i = 0; same && assay_metadata_at(old, i, &key, &text); i++)
        same = arrives(new_view, step, count, edit_text_of(old, key));
    for (size_t s = 0; same && s < count; s++) {
        if (step[s].kind == EDIT_SET)
            same = arrives(new_view, step + s + 1, count - s - 1, step[s].key);
        for (uint64_t i = 0; same && step[s].kind == EDIT_MERGE && assay_metadata_at(step[s].map, i, &key, &text); i++)
            same = arrives(new_view, step + s + 1, count - s - 1, edit_text_of(step[s].map, key));
    }
    return same;
}
