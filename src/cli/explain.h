/* explain.h: a verdict in words. */
#ifndef ASSAY_EXPLAIN_H
#define ASSAY_EXPLAIN_H

#include "host.h"
#include "rules_table.h"
#include "text.h"

/* The names that a verdict is about, where the header has them. */
typedef struct {
    assay_view view; /* decodes the texts below */
    bool has_tensor, has_other;
    assay_text tensor, other;
} names;

void names_find(names *found, const host_verdict *verdict);

/* The text whose opening quote stands at offset, in a header in which the core has seen its closing quote. */
bool names_text_at(const host_verdict *verdict, uint64_t offset, assay_text *text);

/* What the rule wants and what stands there: ", expected 8 bytes, found 3 bytes", ", found "Q8_0"". */
void found_add(text_line *to, const host_verdict *verdict, const names *named);

/* Is a number that a rule gives there? column: what spec/rules.tsv says of it. 2^64 - 1 stands for "none",
 * but where the rule always gives a number it is one. NULL: no rule. */
bool has_number(const char *column, uint64_t number);

/* What to do about an invalid file. */
void advice_add(text_line *to, const host_verdict *verdict);

/* All that is said of a file behind its path and verdict. */
void explain(text_line *to, const host_verdict *verdict, const names *named);

const char *verdict_word(const host_verdict *verdict);
bool is_valid(const host_verdict *verdict);
bool is_invalid(const host_verdict *verdict);

/* The row of the table; NULL: no such rule or status. */
const rule_row *rule_by_code(uint64_t code);

#endif
