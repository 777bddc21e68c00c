/* modelspec.h: does the metadata of a valid file conform to ModelSpec 1.0.1? The rules are those of spec/modelspec.md.
 * What is found is numbers and constant words; names and values are texts of the header. */
#ifndef ASSAY_MODELSPEC_H
#define ASSAY_MODELSPEC_H

#include <stdbool.h>

#include "assay.h"
#include "modelspec_rules.h"

#define MODELSPEC_FINDINGS_MOST 60u
#define MODELSPEC_DIGITS 64 /* of a SHA-256 in hexadecimal */

/* One thing that is not as a rule requires. */
typedef struct {
    modelspec_rule rule;
    modelspec_level level;
    const char *key;    /* of the table, after modelspec.; NULL: it is `name` */
    const char *detail; /* what is wrong; NULL: the title of the rule */
    assay_text name;    /* the key in the header, if key is NULL */
    assay_text value;   /* end 0: none is shown */
} modelspec_finding;

typedef struct {
    bool present; /* at least one key begins with modelspec. */
    modelspec_category category; /* MODELSPEC_ALL: unknown */
    assay_text version, architecture, title; /* end 0: there is none */
    uint64_t levels[3];                      /* [level]: how many findings */
    modelspec_finding finding[MODELSPEC_FINDINGS_MOST + 1]; /* the last is never read: it takes what is left out */
    uint32_t findings;
    uint64_t left;    /* findings that are left out */
    bool has_sha256;  /* hash_sha256 is 64 hexadecimal digits, perhaps after 0x and in capitals: ... */
    char sha256[MODELSPEC_DIGITS + 1]; /* ... these, in lower case */
} modelspec_report;

/* Check the metadata of a valid file. O(bytes of the metadata). */
void modelspec_check(const assay_view *view, modelspec_report *report);

/* Add rule MS10: hash_sha256 is not that of the data. detail: which hash it is, or NULL. */
void modelspec_wrong_hash(const assay_view *view, modelspec_report *report, const char *detail);

/* Does the file conform: has it metadata of ModelSpec, and no finding that is an error? */
bool modelspec_conforms(const modelspec_report *report);

#endif
