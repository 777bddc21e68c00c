/* message.h: a verdict in words. */
#ifndef ASSAY_MESSAGE_H
#define ASSAY_MESSAGE_H

#include "escaped_text.h"
#include "file_kind.h"
#include "host.h"
#include "line_buffer.h"
#include "rules_table.h"

const char *verdict_word(const host_verdict *verdict); /* "valid", "invalid", "refused" or "error" */
bool is_valid(const host_verdict *verdict);
bool is_invalid(const host_verdict *verdict);
bool is_refused(const host_verdict *verdict); /* by the policy: by one of its rules, or because of a note */

/* Return the row of a rule or status, or NULL if there is none of this code. */
const rule_row *rule_by_code(uint64_t code);

/* Is this number of the verdict's error set, and with ASSAY_HAS_TENSOR and ASSAY_HAS_OTHER the name? */
bool verdict_has(const host_verdict *verdict, uint64_t number);

/* Return the error with these numbers set, a sum of ASSAY_HAS_...; the others become ASSAY_NONE. */
assay_error error_with(uint64_t has, assay_error error);

/* Return how many bytes the names of an error have together. */
uint64_t error_names_size(const assay_error *error);

/* Return a view without tensors, which decodes the names of the verdict's error. */
assay_view verdict_texts(const host_verdict *verdict);

/* Return what a file is that is not safetensors, or NULL if it is safetensors or unknown. */
const file_kind *verdict_kind(const host_verdict *verdict);
/* Add what the file is, and what to do about that. */
void file_kind_add(line_buffer *to, const file_kind *really);

/* Add why something was not judged. system: errno, or the signal that ended a worker. */
void problem_add(line_buffer *to, host_problem problem, int system, const host_fetch *fetch);

/* Add what a file on a server has cost: ", 49.3 kB fetched". Add nothing for a local file. */
void fetch_add(line_buffer *to, const host_fetch *fetch);

/* Set the line to the message: all that a report states after path and verdict. */
void verdict_explain(line_buffer *to, const host_verdict *verdict);

#endif
