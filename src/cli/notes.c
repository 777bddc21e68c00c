/* notes.c: see notes.h. */
#include "notes.h"

#include "note_search.h"

static note *add(note_list *list, uint32_t code)
{
    note *one = &list->one[list->count++];
    const rule_row *rule = rule_by_code(code);
    *one = (note){.rule = rule, .title = rule->title};
    return one;
}

/* Add what is said about the note after its title. */
static void add_detail(line_buffer *to, const note_found *found, const assay_view *view)
{
    static const char *const where[] = {"its first bytes are those of ", "the data begin like ",
                                        "its end is that of a ZIP archive"};
    if (found->code == NOTE_METADATA_LARGE)
        line_size(to, found->number);
    if (found->code == NOTE_TWO_FORMATS) {
        line_add(to, where[found->place]);
        if (found->place == NOTE_AT_END)
            return;
    }
    line_add(to, note_word(found->code, found->number));
    if (found->code == NOTE_METADATA_CODE)
        line_add(to, " in ");
    if (found->name.end == 0)
        return;
    line_add(to, found->tensor == ASSAY_NONE ? "metadata key " : "tensor ");
    line_quote(to, view, found->name);
    if (found->code == NOTE_UNALIGNED || found->code == NOTE_NUMBER_LARGE) {
        line_add(to, found->code == NOTE_UNALIGNED ? ", at byte " : ", ");
        line_number(to, found->number);
    }
}

static void look_beside(note_list *list, const host_verdict *verdict)
{
    if (verdict->beside == HOST_NONE_BESIDE)
        return;
    note *one = add(list, NOTE_INDEX_BESIDE);
    if (verdict->beside == HOST_BESIDE_UNKNOWN)
        one->title = "it is unknown whether an index of the same model is in the same folder";
}

void notes_find(note_list *list, const host_verdict *verdict)
{
    const note_bytes bytes = {verdict->data, verdict->data_size, verdict->tail, verdict->tail_size};
    note_found found[NOTES_FOUND_MOST];
    list->count = 0;
    if (!is_valid(verdict) || verdict->view == NULL)
        return;
    uint32_t count = notes_search(verdict->view, verdict->tail == NULL ? NULL : &bytes, found);
    for (uint32_t i = 0; i < count; i++) {
        note *one = add(list, found[i].code);
        one->has_tensor = found[i].tensor != ASSAY_NONE;
        one->place = one->has_tensor ? found[i].tensor : 0;
        one->name = one->has_tensor ? found[i].name : one->name;
        add_detail(&one->detail, &found[i], verdict->view);
    }
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
