/* edit_changes.c: see edit_changes.h. */
#include "edit_changes.h"

#include "edit_text.h"
#include "line_buffer.h"

/* Print '- "key": "value"'. */
static void print_pair(FILE *to, const char *mark, const assay_view *view, assay_text key, assay_text value)
{
    line_buffer line = {.length = 0};
    line_add(&line, mark);
    line_quote(&line, view, key);
    line_add(&line, ": ");
    line_quote(&line, view, value);
    fprintf(to, "%s\n", line.text);
}

/* Print '~ "key": "old" -> "new"'. */
static void print_change(FILE *to, const assay_view *old, assay_text key, assay_text value, const edit_text *now)
{
    line_buffer line = {.length = 0};
    line_add(&line, "~ ");
    line_quote(&line, old, key);
    line_add(&line, ": ");
    line_quote(&line, old, value);
    line_add(&line, " -> ");
    line_quote(&line, now->view, now->text);
    fprintf(to, "%s\n", line.text);
}

static void print_size(FILE *to, const char *what, uint64_t old, uint64_t now)
{
    line_buffer line = {.length = 0};
    line_add(&line, what);
    line_add(&line, ": ");
    line_number(&line, old);
    if (now != old) {
        line_add(&line, " -> ");
        line_number(&line, now);
    }
    fprintf(to, "%s bytes\n", line.text);
}

/* Are the keys of two heads, which have the same pairs, in the same order? */
static bool same_order(const assay_view *old, const assay_view *new_view)
{
    assay_text key, other, value;
    bool same = true;
    for (uint64_t i = 0; same && assay_metadata_at(old, i, &key, &value); i++) {
        edit_text name = edit_text_of(old, key), now = {.size = 0};
        if (assay_metadata_at(new_view, i, &other, &value))
            now = edit_text_of(new_view, other);
        same = edit_text_equal(&name, &now);
    }
    return same;
}

void edit_changes_print(FILE *to, const assay_view *old, const assay_view *new_view, uint64_t file_size,
                        uint8_t *scratch)
{
    assay_text key, value;
    edit_text now;
    uint64_t changes = 0;
    for (uint64_t i = 0; assay_metadata_at(old, i, &key, &value) && !ferror(to); i++) {
        edit_text name = edit_text_of(old, key), before = edit_text_of(old, value);
        bool there = edit_text_find(new_view, &name, scratch, &now), same = there && edit_text_equal(&before, &now);
        changes += !same;
        if (!there)
            print_pair(to, "- ", old, key, value);
        else if (!same)
            print_change(to, old, key, value, &now);
    }
    for (uint64_t i = 0; assay_metadata_at(new_view, i, &key, &value) && !ferror(to); i++) {
        edit_text name = edit_text_of(new_view, key);
        if (edit_text_find(old, &name, scratch, &now))
            continue;
        print_pair(to, "+ ", new_view, key, value);
        changes++;
    }
    if (changes == 0)
        fputs(same_order(old, new_view) ? "no pair changes\n" : "only the order of the pairs changes\n", to);
    print_size(to, "header", old->data_begin - 8, new_view->data_begin - 8);
    print_size(to, "file", file_size, file_size - old->data_begin + new_view->data_begin);
}
