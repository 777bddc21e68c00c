/* finding.h: what there is to say of a model of several files, as a record: of its index, or of what does not fit
 * between the index and the files. */
#ifndef ASSAY_FINDING_H
#define ASSAY_FINDING_H

#include "message.h"
#include "model.h"

typedef struct finding {
    const char *path;  /* of the file that it is about */
    const char *index; /* of the index that says so; NULL: it is about the index */
    const char *other; /* of another file that has to do with it, or NULL */
    host_problem problem;
    int system;
    host_fetch fetch;
    const rule_row *rule;               /* the rule that is broken; NULL: none */
    uint64_t offset;                    /* in the index; ASSAY_NONE: none */
    uint64_t count;                     /* the tensors it is about, or 0 ... */
    const uint8_t *name;                /* ... the first of them, or NULL; UTF-8 ... */
    size_t name_size;
    const assay_view *view;             /* ... or, if this is not NULL, this text of a shard */
    assay_text text;
    uint64_t expected, found;           /* ASSAY_NONE: none */
    bool pair;                          /* two shards are swapped */
    uint64_t files;                     /* of total_size: the sum of the files' sizes */
    const uint8_t *bytes;               /* of an index that is none: what it holds */
    size_t size;
    bool refused;                       /* it is a note, but the policy takes it for more */
    uint64_t tensors, shards, file_size; /* of an index; ASSAY_NONE: unknown */
} finding;

/* One about the whole file at path, of which nothing else is set. */
finding finding_about(const char *path);

/* valid, invalid, refused, note, error. */
const char *finding_word(const finding *what);

/* "PATH: invalid: rule M20: ..." and a line feed. */
void finding_text(FILE *file, const finding *what, bool colour);

/* What is said behind path and word. */
void finding_explain(text_line *to, const finding *what);

/* One object, no line feed. */
void finding_json(FILE *file, const finding *what);

#endif
