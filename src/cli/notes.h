/* notes.h: what is suspicious about a valid file. Notes are no verdict: the file is valid with them. The rows A2 to A12
 * of spec/note_rules.tsv. */
#ifndef ASSAY_NOTES_H
#define ASSAY_NOTES_H

#include "message.h"

#define NOTES_MOST 10

typedef struct note {
    const rule_row *rule;
    const char *title; /* what is reported: the rule's, or that it is not known */
    text_line detail;  /* what stands in parentheses behind the title */
    bool has_tensor;   /* it is about this one */
    bool refuses;      /* a policy fails it: it is told as a refusal, and is a note no more */
    assay_text name;   /* of the tensor */
    uint64_t place;
} note;

struct note_list {
    note one[NOTES_MOST];
    size_t count;
};
typedef struct note_list note_list;

/* Of a valid file with a view; else there are none. */
void notes_find(note_list *list, const host_verdict *verdict);

/* Title, detail and what to do. */
void note_message(text_line *to, const note *one);

/* A line for each, behind that of the file: "    note A9: a name looks like a path (tensor "../x"): ..." */
void notes_text(FILE *file, const note_list *list);
/* ,"notes":[{"rule":"A9","rule_name":"name_path","message":"..."}]; null if they were not looked for. */
void notes_json(FILE *file, const note_list *list);

#endif
