/* edit_steps.h: what --set, --delete and the other options of `edit` request, as steps. */
#ifndef ASSAY_EDIT_STEPS_H
#define ASSAY_EDIT_STEPS_H

#include "cli.h"
#include "edit_pairs.h"

typedef struct {
    edit_step step[EDITS_MOST];
    size_t count;
    uint8_t *bytes[EDITS_MOST];     /* of a step: what was read of its file, or NULL */
    uint64_t size[EDITS_MOST];      /* for EDIT_MERGE: the bytes are a head that is still to be judged */
} edit_steps;

/* Turn the options into steps, and read the files that they name. Return false after reporting an error. Call
 * edit_steps_free in any case. */
bool edit_steps_read(const command_line *line, edit_steps *steps);

/* Does a step delete all metadata? */
bool edit_steps_clear(const edit_steps *steps);
void edit_steps_free(edit_steps *steps);

/* Bytes of the head of --merge before those of the file. */
#define EDIT_MERGE_BEFORE 24u

#endif
