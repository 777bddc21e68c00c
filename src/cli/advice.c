/* advice.c: what to do about an invalid file. */
#include "explain.h"
#include "hint.h"

static const char DAMAGED[] =
    "the file is damaged or the program that wrote it is at fault: fetch or write it again";
static const char DIFFER[] = "programs would differ about what the file holds: don't load it";
static const char WRITER[] = "the program that wrote the file is at fault: write it again with another";

typedef struct {
    uint32_t code;
    const char *advice;
} advice_row;

static const advice_row rows[] = {
    {ASSAY_E_HEADER_LARGE, "this is not a safetensors file, or its beginning is damaged"},
    {ASSAY_E_HEADER_EARLY, DAMAGED},
    {ASSAY_E_START, "this is not a safetensors file, or its beginning is damaged"},
    {ASSAY_E_UNEXPECTED, DAMAGED},
    {ASSAY_E_TRAILING, "only spaces may pad a header: something may be hidden there, don't load it"},
    {ASSAY_E_CONTROL, DAMAGED},
    {ASSAY_E_UTF8, DAMAGED},
    {ASSAY_E_ESCAPE, DAMAGED},
    {ASSAY_E_SURROGATE, DIFFER},
    {ASSAY_E_NUL, DIFFER},
    {ASSAY_E_KEYWORD_ESCAPED, DIFFER},
    {ASSAY_E_METADATA_TWICE, DIFFER},
    {ASSAY_E_MEMBER_UNKNOWN, DIFFER},
    {ASSAY_E_MEMBER_TWICE, DIFFER},
    {ASSAY_E_TYPE, WRITER},
    {ASSAY_E_NUMBER_FORM, DIFFER},
    {ASSAY_E_NUMBER_RANGE, DIFFER},
    {ASSAY_E_DTYPE_UNKNOWN, "if it is a newer dtype, look for a newer assay; else convert the tensor"},
    {ASSAY_E_OFFSETS_COUNT, WRITER},
    {ASSAY_E_MEMBER_MISSING, WRITER},
    {ASSAY_E_SHAPE_OVERFLOW,
     "no real tensor is that large: a program could be led to write out of bounds, don't load it"},
    {ASSAY_E_SHAPE_SUBBYTE, WRITER},
    {ASSAY_E_OFFSETS_ORDER, DIFFER},
    {ASSAY_E_OFFSETS_SIZE, "header and data disagree, a program could read beyond the tensor: don't load it"},
    {ASSAY_E_METADATA_KEY_TWICE, DIFFER},
    {ASSAY_E_NAME_TWICE, DIFFER},
    {ASSAY_E_OVERLAP, "tensors that share memory must be stored once: write it again, or don't load it"},
    {ASSAY_E_EMPTY_INSIDE, DIFFER},
};

static void add_bytes(text_line *to, uint64_t bytes)
{
    line_number(to, bytes);
    line_add(to, bytes == 1 ? " byte" : " bytes");
    if (bytes >= 1000) {
        line_add(to, " (");
        line_size(to, bytes);
        line_add(to, ")");
    }
}

static void add_missing(text_line *to, const assay_error *error)
{
    uint64_t missing = error->expected - error->found;
    add_bytes(to, missing);
    line_add(to, missing == 1 ? " is" : " are");
    line_add(to, " missing: the download is incomplete");
}

static void add_hole(text_line *to, const assay_error *error)
{
    uint64_t bytes = error->found - error->expected;
    add_bytes(to, bytes);
    if (error->tensor == ASSAY_NONE && error->other == ASSAY_NONE)
        line_add(to, " of data, but no tensors: something may be hidden there, don't load it");
    else if (error->tensor == ASSAY_NONE)
        line_add(to,
                 " behind the last tensor: something was appended and may be hidden there, don't load it");
    else
        line_add(to, " before this tensor: something may be hidden there, don't load it");
}

void advice_add(text_line *to, const host_verdict *verdict)
{
    uint32_t code = verdict->status;
    const char *what =
        code <= ASSAY_E_START ? hint(verdict->head, verdict->head_size, verdict->file_size) : NULL;
    if (what != NULL) {
        line_add(to, what);
    } else if (code == ASSAY_E_FILE_SHORT || code == ASSAY_E_HEADER_CUT || code == ASSAY_E_TRUNCATED) {
        add_missing(to, &verdict->error);
    } else if (code == ASSAY_E_HOLE) {
        add_hole(to, &verdict->error);
    } else {
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            if (rows[i].code == code)
                line_add(to, rows[i].advice);
    }
}
