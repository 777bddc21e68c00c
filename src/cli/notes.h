/* notes.h: what is suspicious about a valid file, in words: rules A2 to A13 of spec/note_rules.tsv. The file stays
 * valid. src/notes finds all but A12. */
#ifndef ASSAY_NOTES_H
#define ASSAY_NOTES_H

#include "message.h"

#define NOTES_MOST 11 /* those of note_search.h, and A12 */

typedef struct note {
    const rule_row *rule;
    const char *title;  /* that of the rule, or that the answer is unknown */
    line_buffer detail; /* follows the title in parentheses */
    bool has_tensor;    /* it is about a tensor */
    bool refuses;       /* a policy names it: it is reported as a refusal, not as a note */
    assay_text name;    /* of the tensor */
    uint64_t place;     /* the index of the tensor in the header */
} note;

struct note_list {
    note one[NOTES_MOST];
    size_t count;
};
typedef struct note_list note_list;

/* Find the notes of a valid file with a view; others have none. */
void notes_find(note_list *list, const host_verdict *verdict);

/* Set the line to title, detail and advice. */
void note_message(line_buffer *to, const note *one);

#endif
