/* notes.c: see notes.h. Rules unaligned, number_large, two_formats, metadata_large; of texts: note_text.c. */
#include "notes.h"

#include <string.h>

#include "note_text.h"

#define METADATA_MOST 1000000u

static text_line *add(note_list *list, const char *name)
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
static text_line *add_tensor(note_list *list, const char *name, const assay_view *view, const assay_tensor *tensor)
{
    text_line *to = add(list, name);
    if (to == NULL)
        return NULL;
    note *one = &list->one[list->count - 1];
    one->has_tensor = true;
    one->name = tensor->name;
    one->place = tensor->place;
    line_add(to, "tensor ");
    line_quote(to, view, tensor->name);
    return to;
}

static void add_key(note_list *list, const char *name, const assay_view *view, assay_text key)
{
    text_line *to = add(list, name);
    if (to == NULL)
        return;
    line_add(to, "metadata key ");
    line_quote(to, view, key);
}

/* ---- Names and metadata ----------------------------------------------------------------------------------- */

static void look_at_names(note_list *list, const assay_view *view)
{
    bool hidden = false, path = false;
    assay_tensor tensor;
    assay_text key, value;
    for (uint64_t i = 0; !(hidden && path) && assay_tensor_at(view, i, &tensor); i++) {
        if (!hidden && text_is_hidden(view, tensor.name)) {
            hidden = true;
            add_tensor(list, "name_hidden", view, &tensor);
        }
        if (!path && text_is_path(view, tensor.name)) {
            path = true;
            add_tensor(list, "name_path", view, &tensor);
        }
    }
    for (uint64_t i = 0; !hidden && assay_metadata_at(view, i, &key, &value); i++) {
        if (text_is_hidden(view, key)) {
            hidden = true;
            add_key(list, "name_hidden", view, key);
        }
    }
}

static void look_at_metadata(note_list *list, const assay_view *view)
{
    uint64_t bytes = 0;
    const char *word = NULL;
    assay_text key, value;
    for (uint64_t i = 0; assay_metadata_at(view, i, &key, &value); i++) {
        bytes += key.end - key.at + value.end - value.at;
        if (word != NULL)
            continue;
        word = text_word_that_runs(view, key);
        word = word != NULL ? word : text_word_that_runs(view, value);
        text_line *to = word == NULL ? NULL : add(list, "metadata_code");
        if (to != NULL) {
            line_add(to, word);
            line_add(to, " in metadata key ");
            line_quote(to, view, key);
        }
    }
    text_line *to = bytes <= METADATA_MOST ? NULL : add(list, "metadata_large");
    if (to != NULL)
        line_size(to, bytes);
}

/* ---- Numbers ---------------------------------------------------------------------------------------------- */

/* The largest dim of the tensor, if it is too large, or its end; 0: neither. */
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
    text_line *to = add_tensor(list, name, view, tensor);
    if (to == NULL)
        return;
    line_add(to, label);
    line_number(to, number);
}

static void look_at_tensors(note_list *list, const assay_view *view)
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

static void add_kind_at(note_list *list, const char *where, const kind *really)
{
    text_line *to = really == NULL ? NULL : add(list, "two_formats");
    if (to == NULL)
        return;
    line_add(to, where);
    line_add(to, really->what);
}

static uint32_t number_32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Programs find a ZIP archive by the record at its end, which may be followed by a comment: its size of the list of
 * members must fit before it. */
static bool has_zip_end(const host_verdict *verdict)
{
    uint64_t before = verdict->file_size - verdict->tail_size;
    for (size_t at = 0; at + 22 <= verdict->tail_size; at++)
        if (memcmp(verdict->tail + at, "PK\005\006", 4) == 0 && number_32(verdict->tail + at + 12) <= before + at)
            return true;
    return false;
}

static void look_at_bytes(note_list *list, const host_verdict *verdict)
{
    if (verdict->tail == NULL)
        return;
    add_kind_at(list, "its first bytes are those of ", kind_inside(verdict->head, verdict->head_size));
    add_kind_at(list, "the data begin like ", kind_inside(verdict->data, verdict->data_size));
    text_line *to = has_zip_end(verdict) ? add(list, "two_formats") : NULL;
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
    look_at_tensors(list, verdict->view);
    look_at_bytes(list, verdict);
    look_at_names(list, verdict->view);
    look_at_metadata(list, verdict->view);
    look_beside(list, verdict);
}

/* ---- Telling ---------------------------------------------------------------------------------------------- */

void note_message(text_line *to, const note *one)
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

void notes_text(FILE *file, const note_list *list)
{
    text_line message;
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        if (list->one[i].refuses)
            continue;
        note_message(&message, &list->one[i]);
        fprintf(file, "    note %s: %s\n", list->one[i].rule->id, message.text);
    }
}

void notes_json(FILE *file, const note_list *list)
{
    text_line message;
    if (list == NULL) {
        fputs(",\"notes\":null", file);
        return;
    }
    const char *comma = "";
    fputs(",\"notes\":[", file);
    for (size_t i = 0; i < list->count; i++) {
        const rule_row *rule = list->one[i].rule;
        if (list->one[i].refuses)
            continue;
        note_message(&message, &list->one[i]);
        fprintf(file, "%s{\"rule\":\"%s\",\"rule_name\":\"%s\",\"message\":", comma, rule->id, rule->name);
        text_path(file, TEXT_JSON, message.text);
        putc('}', file);
        comma = ",";
    }
    putc(']', file);
}
