/* modelspec_report.h: what assay modelspec reports about a valid file, as text and as JSON. */
#ifndef ASSAY_MODELSPEC_REPORT_H
#define ASSAY_MODELSPEC_REPORT_H

#include "json_writer.h"
#include "line_buffer.h"
#include "modelspec_hash.h"

typedef struct modelspec_result {
    modelspec_report report;
    char reason[40];         /* why the file does not conform: "2 errors" */
    bool verify;             /* the hashes were requested ... */
    modelspec_hashes hashes; /* ... and are these, if they could be computed */
} modelspec_result;

/* Judge a valid file. If it does not conform, its status becomes that of rule P7. verdict->modelspec becomes the
 * result. */
void modelspec_judge(modelspec_result *result, host_verdict *verdict);

/* Write the lines below the verdict. */
void modelspec_text(FILE *to, const host_verdict *verdict);

/* Write the member "modelspec". */
void modelspec_member(json_writer *to, const host_verdict *verdict);

#endif
