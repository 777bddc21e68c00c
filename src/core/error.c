/* error.c: the fields of an error that do not depend on a rule. */
#include "core.h"
#include "words.h"

/* Unfolds: fields_set. */

static void assay_error_none(assay_error *error)
{
    error->status = ASSAY_OK;
    error->offset = ASSAY_NONE;
    error->tensor = ASSAY_NONE;
    error->other = ASSAY_NONE;
    error->expected = ASSAY_NONE;
    error->found = ASSAY_NONE;
    error->has = 0;
    error->name.at = 0;
    error->name.end = 0;
    error->other_name.at = 0;
    error->other_name.end = 0;
}

static void assay_error_has(assay_error *error)
{
    uint64_t status = error->status % 64u;
    uint64_t has = (ASSAY_SETS_OFFSET >> status) % 2u * ASSAY_HAS_OFFSET;
    has += (ASSAY_SETS_EXPECTED >> status) % 2u * ASSAY_HAS_EXPECTED;
    has += (ASSAY_SETS_FOUND >> status) % 2u * ASSAY_HAS_FOUND;
    has += error->tensor == ASSAY_NONE ? 0 : ASSAY_HAS_TENSOR;
    has += error->other == ASSAY_NONE ? 0 : ASSAY_HAS_OTHER;
    error->has = has;
}

static assay_status assay_error_status(assay_error *error, assay_status status)
{
    error->status = status;
    assay_error_has(error);
    return status;
}
