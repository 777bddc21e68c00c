/* finding.h: what there is to report about a model of several files: its index, and what does not fit between the index
 * and the files. */
#ifndef ASSAY_FINDING_H
#define ASSAY_FINDING_H

#include "message.h"
#include "model.h"

/* How good or bad a path is, in this order: the worst that is known about a path is its verdict. */
typedef enum { RANK_NONE, RANK_NOTE, RANK_VALID, RANK_REFUSED, RANK_ERROR, RANK_INVALID } verdict_rank;

/* "note", "valid", "refused", "error" or "invalid". */
const char *rank_word(verdict_rank rank);
verdict_rank verdict_rank_of(const host_verdict *verdict);

typedef struct finding {
    const char *path;  /* the file that it is about */
    const char *index; /* the index that the file does not fit; NULL: it is about the index, or there is none */
    const char *other; /* another file that is involved, or NULL */
    host_problem problem;
    int system;
    host_fetch fetch;
    const rule_row *rule;               /* the rule that is broken; NULL: none */
    uint64_t offset;                    /* in the index; ASSAY_NONE: none */
    uint64_t count;                     /* tensors that it is about, or 0 ... */
    const uint8_t *name;                /* ... the first of them, or NULL; UTF-8 ... */
    size_t name_size;
    const assay_view *view;             /* ... or, if this is not NULL, this text of a shard */
    assay_text text;
    uint64_t expected, found;           /* ASSAY_NONE: none */
    bool pair;                          /* two shards are swapped */
    uint64_t files;                     /* for total_size: the sum of the sizes of the files */
    const uint8_t *bytes;               /* the content of what is not an index */
    size_t size;
    bool refused;                       /* it is a note that the policy refuses */
    verdict_rank model;                 /* not RANK_NONE: the model is judged so because of `count` of its files, the
                                         * first of which is `other`, which breaks `rule` */
    uint64_t tensors, shards, file_size; /* of an index; ASSAY_NONE: unknown */
} finding;

/* Return a finding about a path of which nothing else is set. */
finding finding_about(const char *path);

verdict_rank finding_rank(const finding *what);

/* Return the code of its rule, RULE_NOT_JUDGED for a problem, or 0. */
uint32_t finding_code(const finding *what);

/* Set the line to the message: all that a report states after path and verdict. */
void finding_explain(line_buffer *to, const finding *what);

/* Return what an index is that is not JSON, or NULL. */
const file_kind *finding_kind(const finding *what);

#endif
