/* rules_table.h: the rules, statuses and dtypes as text for the program.
 * Made by spec/generate.py from spec/rules.tsv, statuses.tsv and dtypes.tsv: do not edit.
 * The rows also come from help.tsv, model_rules.tsv, note_rules.tsv and program_rules.tsv there. */
#ifndef ASSAY_RULES_TABLE_H
#define ASSAY_RULES_TABLE_H

#include <stdint.h>

typedef struct {
    uint32_t code;
    const char *id, *name, *title, *statement, *offset, *expected, *found, *reason, *reference;
    const char *severity; /* error, note */
    const char *advice;
    const char *cwe; /* CWE-190 */
} rule_row; /* a text that there is none of is NULL */

typedef struct {
    uint32_t code, bits;
    const char *name, *since;
} dtype_row;

/* Statuses, rules, rules for models, what the program adds: in the order of their codes. */
extern const rule_row rules_table[];
extern const uint32_t rules_table_count;
/* dtypes_table[i] has code i + 1. */
extern const dtype_row dtypes_table[];
extern const uint32_t dtypes_table_count;

#endif
