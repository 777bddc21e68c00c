/* harness_differential.c: compare the core with the reference, in one process. The input is a file.
 *
 * The reference must accept what assay accepts, with the same table. What the reference accepts and assay calls invalid
 * must match a row of spec/decisions.md: D1 to D13, as in assurance/reference/readers.py. A row depends only on the
 * reported rule; the model checks that the rule is broken at the reported byte.
 *
 * A file that is too short for its header is judged again with enough zeros appended, so that tensors can be large. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "differential/reference.h"
#include "fuzz.h"
#include "rules_table.h"

/* ---- The table of the reference ---------------------------------------------------------------------- */

/* A cursor in the reference's table: see differential/reference.h. */
typedef struct {
    const uint8_t *at, *end;
} cursor;

static const uint8_t *take(cursor *c, uint64_t size)
{
    demand(size <= (uint64_t)(c->end - c->at), "the reference's table is cut");
    c->at += size;
    return c->at - size;
}

static uint64_t take_number(cursor *c)
{
    uint64_t number;
    memcpy(&number, take(c, sizeof number), sizeof number);
    return number;
}

static const uint8_t *take_text(cursor *c, uint64_t *size)
{
    *size = take_number(c);
    return take(c, *size);
}

/* ---- The same table --------------------------------------------------------------------------------- */

/* Write a code point as UTF-8, and return the number of bytes. */
static size_t encode(uint32_t c, uint8_t *out)
{
    static const uint8_t lead[] = {0x00, 0xC0, 0xE0, 0xF0};
    size_t more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    out[0] = (uint8_t)(lead[more] | c >> (6 * more));
    for (size_t k = 1; k <= more; k++) {
        out[k] = (uint8_t)(0x80 | (c >> (6 * (more - k)) & 0x3F));
    }
    return more + 1;
}

/* Return whether the decoded text equals these bytes. */
static bool same_text(const assay_view *view, assay_text text, const uint8_t *bytes, uint64_t size)
{
    uint8_t code[4];
    uint32_t c;
    uint64_t at = 0;
    while (assay_text_next(view, &text, &c)) {
        size_t count = encode(c, code);
        if (count > size - at || memcmp(bytes + at, code, count) != 0) {
            return false;
        }
        at += count;
    }
    return at == size;
}

static void same_tensor(const assay_view *view, cursor *theirs)
{
    uint64_t size, dims, dim, begin;
    const uint8_t *name = take_text(theirs, &size);
    assay_tensor tensor;
    demand(assay_tensor_find(view, name, size, &tensor), "the reference has a tensor that assay has not");
    demand(same_text(view, tensor.name, name, size), "assay found a tensor of another name");

    const uint8_t *dtype = take_text(theirs, &size);
    const char *ours = dtypes_table[tensor.dtype - 1].name;
    demand(strlen(ours) == size && memcmp(ours, dtype, size) == 0, "a tensor has another dtype for the reference");
    dims = take_number(theirs);
    demand(dims == tensor.rank, "a tensor has another rank for the reference");
    while (dims-- > 0) {
        demand(assay_dim_next(view, &tensor.dims, &dim), "a tensor has fewer dims than its rank");
        demand(dim == take_number(theirs), "a tensor has another shape for the reference");
    }
    begin = take_number(theirs);
    demand(begin == tensor.begin - view->data_begin, "a tensor begins elsewhere for the reference");
    demand(take_number(theirs) == tensor.end - view->data_begin, "a tensor ends elsewhere for the reference");
}

/* Compare the tables. All names of the reference differ, so equal counts and a match for each cover all of ours. */
static void same_table(const assay_view *view, cursor theirs)
{
    uint64_t count = take_number(&theirs);
    demand(count == assay_tensor_count(view), "the reference has another number of tensors");
    while (count-- > 0) {
        same_tensor(view, &theirs);
    }
    count = take_number(&theirs);
    demand((count == UINT64_MAX) == (view->metadata == 0), "only one of both has __metadata__");
    demand(view->metadata == 0 || count == assay_metadata_count(view), "the reference has another number of pairs");
    for (uint64_t k = 0; view->metadata != 0 && k < count; k++) {
        uint64_t key_size, size;
        const uint8_t *key = take_text(&theirs, &key_size), *value = take_text(&theirs, &size);
        assay_text ours;
        demand(assay_metadata_find(view, key, key_size, &ours), "the reference has a key that assay has not");
        demand(same_text(view, ours, value, size), "a key has another value for the reference");
    }
    demand(theirs.at == theirs.end, "the reference's table goes on");
}

/* ---- Why the reference accepts what is invalid ------------------------------------------------------ */

static bool is_space(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Return whether this word precedes the offset, ignoring white space, and set the offset to its beginning. */
static bool preceded_by(const uint8_t *file, uint64_t *offset, const char *word)
{
    uint64_t at = *offset, size = strlen(word);
    while (at > 8 && is_space(file[at - 1])) {
        at--;
    }
    if (at < 8 + size || memcmp(file + at - size, word, size) != 0) {
        return false;
    }
    *offset = at - size;
    return true;
}

/* Return whether the shape at this offset has a dim 0. Its numbers are known to be well-formed. */
static bool zero_in_shape(const uint8_t *file, uint64_t offset)
{
    for (uint64_t at = offset + 1; file[at] != ']'; at++) {
        bool first = file[at - 1] < '0' || file[at - 1] > '9';
        if (first && file[at] == '0') {
            return true;
        }
    }
    return false;
}

static const char *decision_of_type(const uint8_t *file, const assay_error *e)
{
    uint8_t byte = file[e->offset];
    if (reference_member_of_root(file, (size_t)e->offset)) {
        return byte == 'n' && e->tensor == ASSAY_NONE ? "D3" : byte == '[' && e->tensor != ASSAY_NONE ? "D4" : NULL;
    }
    uint64_t at = e->offset;
    return byte == '{' && preceded_by(file, &at, ":") && preceded_by(file, &at, "\"dtype\"") ? "D5" : NULL;
}

/* Return the row of spec/decisions.md, or NULL. */
static const char *decision(const uint8_t *file, uint64_t size, const assay_error *e)
{
    uint64_t at = e->offset;
    switch (e->status) {
    case ASSAY_E_START:
        return is_space(file[at]) ? "D1" : NULL;
    case ASSAY_E_TRAILING:
        return is_space(file[at]) ? "D2" : NULL;
    case ASSAY_E_TYPE:
        return decision_of_type(file, e);
    case ASSAY_E_NUL:
        return "D6";
    case ASSAY_E_KEYWORD_ESCAPED:
        return e->tensor == ASSAY_NONE ? "D7" : preceded_by(file, &at, ":") ? "D9" : "D8";
    case ASSAY_E_MEMBER_UNKNOWN:
        return "D10";
    case ASSAY_E_METADATA_KEY_TWICE:
        return "D11";
    case ASSAY_E_NAME_TWICE:
        return "D12";
    case ASSAY_E_SHAPE_OVERFLOW:
    case ASSAY_E_SHAPE_SUBBYTE:
    case ASSAY_E_OFFSETS_ORDER:
    case ASSAY_E_OFFSETS_SIZE:
        if (reference_name_again(file, (size_t)size, e->tensor)) {
            return "D12";
        }
        return e->status == ASSAY_E_SHAPE_OVERFLOW && zero_in_shape(file, at) ? "D13" : NULL;
    default:
        return NULL;
    }
}

/* ---- Both on one file ------------------------------------------------------------------------------- */

static void *memory(uint64_t count, size_t size)
{
    void *made = calloc((size_t)count + 1, size);
    demand(made != NULL, "out of memory");
    return made;
}

/* Judge a file by assay. The view uses the memory of the workspace. */
static void judge(const uint8_t *file, uint64_t size, assay_workspace *w, assay_view *view, assay_error *error)
{
    const assay_input input = {file, size, size};
    assay_result result;
    *w = (assay_workspace){NULL, 0, NULL, 0};
    if (assay_measure(&input, NULL, &result) == ASSAY_OK) {
        const assay_need need = result.need;
        *w = (assay_workspace){memory(need.entries, sizeof *w->entry), need.entries,
                               memory(need.words, sizeof *w->word), need.words};
        assay_parse(&input, NULL, w, &result);
        *view = result.view;
    }
    *error = result.error;
}

/* Compare assay with one reader. Return the row that explains a difference, "" if there is none. */
static const char *compare(size_t reader, const uint8_t *file, uint64_t size, const assay_view *view,
                           const assay_error *error)
{
    const uint8_t *table = NULL;
    size_t table_size = 0;
    bool accepts = reference_accepts(reader, file, (size_t)size, &table, &table_size);
    if (error->status == ASSAY_OK) {
        demand(accepts, "the reference rejects what assay accepts");
        same_table(view, (cursor){table, table + table_size});
    } else if (accepts && error->status >= ASSAY_E_FIRST) {
        const char *row = decision(file, size, error);
        demand(row != NULL, "the reference accepts what assay calls invalid, and no decision explains it");
        return row;
    }
    return "";
}

/* Return zeros that take memory only where they are touched. */
static uint8_t *room(void)
{
    static uint8_t *made;
    if (made == NULL) {
        int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        made = mmap(NULL, DIFFERENTIAL_LARGEST, PROT_READ | PROT_WRITE, flags, -1, 0);
        demand(made != MAP_FAILED, "no room for the file");
    }
    return made;
}

const char *differential(const uint8_t *data, size_t count, uint64_t size, assay_error *error)
{
    uint8_t *file = room();
    assay_workspace w;
    assay_view view;
    const char *row = "";
    memcpy(file, data, count);
    judge(file, size, &w, &view, error);
    count_execution(error->status == ASSAY_OK || error->status >= ASSAY_E_METADATA_KEY_TWICE);
    for (size_t reader = 0; reader < reference_count(); reader++) {
        row = compare(reader, file, size, &view, error);
    }
    free(w.entry);
    free(w.word);
    memset(file, 0, count);
    return row;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_error error;
    if (size <= INPUT_MAX) {
        static spec_model expected;
        differential(data, size, size, &error);
        spec_judge(&expected, data, size, size, NULL);
        demand(same_bytes(&expected.error, &error, sizeof error),
               "a decision explains a verdict that is not the model's");
        if (error.status == ASSAY_E_TRUNCATED && error.expected < DIFFERENTIAL_LARGEST - INPUT_MAX) {
            differential(data, size, size + (error.expected - error.found), &error);
        }
    }
    return 0;
}
