/* message.h: a verdict in words. */
#ifndef ASSAY_MESSAGE_H
#define ASSAY_MESSAGE_H

#include "host.h"
#include "file_kind.h"
#include "rules_table.h"
#include "escaped_text.h"

/* The names that a verdict is about, where the header has them. */
typedef struct {
    assay_view view; /* decodes the texts below */
    bool has_tensor, has_other;
    assay_text tensor, other;
} names;

void names_find(names *found, const host_verdict *verdict);

/* The text whose opening quote stands at offset, in a header in which the core has seen its closing quote. */
bool names_text_at(const host_verdict *verdict, uint64_t offset, assay_text *text);

/* Why something was not judged. */
void problem_add(text_line *to, host_problem problem, int system, const host_fetch *fetch);

/* What it cost to have it, if it is from a server: ", 49.3 kB fetched". */
void fetch_add(text_line *to, const host_fetch *fetch);

/* What the rule wants and what stands there: ", expected 8 bytes, found 3 bytes", ", found "Q8_0"". */
void found_add(text_line *to, const host_verdict *verdict, const names *named);

/* Is a number that a rule gives there? column: what spec/rules.tsv says of it, NULL: nothing. 2^64 - 1 stands for
 * "none", but where the rule always gives a number it is one. */
bool has_number(const char *column, uint64_t number);

/* What to do about an invalid file. */
void advice_add(text_line *to, const host_verdict *verdict);

/* What a file is that isn't safetensors, and what to do about that; NULL: it is, or nobody knows. */
const kind *verdict_kind(const host_verdict *verdict);
void kind_add(text_line *to, const kind *really);

/* All that is said of a file behind its path and verdict. */
void explain(text_line *to, const host_verdict *verdict, const names *named);

const char *verdict_word(const host_verdict *verdict);
bool is_valid(const host_verdict *verdict);
bool is_invalid(const host_verdict *verdict);
bool is_refused(const host_verdict *verdict); /* by the policy: a rule of its own, or a note */

/* The row of the table; NULL: no such rule or status. */
const rule_row *rule_by_code(uint64_t code);

#endif
