/* model_list.h: assay ls and meta of a folder, an index or an address: the tensors or the metadata of each file, and
 * what only the files of a model have together: totals, and tensors that share the storage of one in another file. */
#ifndef ASSAY_MODEL_LIST_H
#define ASSAY_MODEL_LIST_H

#include "cli.h"
#include "finding.h"
#include "memory_stream.h"
#include "name_table.h"
#include "tensor_list.h"

/* What is known of the model whose files are being listed. */
typedef struct {
    const command_line *line;
    FILE *answer;       /* where records go, and the marks that end them */
    char *index;        /* its path; NULL: no model is being listed */
    name_table names;   /* of tensors, and of aliases that were written */
    FILE *store;        /* writes the pairs that may be aliases to ... */
    memory_text pairs;  /* ... here: key and value, a zero byte after each */
    list_totals totals;
    bool broken;        /* memory ran out */
    bool bare;          /* of meta: the answer is that of one file, which the user named */
    bool has_key;       /* of meta: a file of the model has the key */
    bool unread;        /* a file of the model could not be read */
} model_list;

/* Begin without a model. seed: random, so that no name can choose collisions. */
void model_list_begin(model_list *to, const command_line *line, FILE *answer, uint64_t seed);

/* Write the record of a file. index: that of the model which the file is a shard of, or NULL. */
void model_list_verdict(model_list *to, const char *path, const char *index, const host_verdict *verdict);

/* Take a finding: an index begins a model; what is wrong is written. */
void model_list_finding(model_list *to, const finding *what);

/* Write the record of the model, and free everything. */
void model_list_end(model_list *to);

#endif
