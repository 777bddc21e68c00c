/* further.c: see further.h. Texts and tensors are sorted by heapsort: in place, and no header makes it slow. */
#include "further.h"

#include <stdlib.h>
#include <string.h>

#include "header.h"

#define NO_PLACE UINT32_MAX

typedef struct {
    header_tables tables;
    const host_verdict *verdict;
    further *list;
    uint32_t *order, *earlier; /* room for the tensors and for the pairs */
} search;

typedef int comparing(const search *in, uint32_t left, uint32_t right);

/* ---- Order ---------------------------------------------------------------------------------------------- */

static void sink(const search *in, comparing *compare, uint64_t at, uint64_t count)
{
    uint32_t *order = in->order, moved = order[at];
    for (uint64_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && compare(in, order[child], order[child + 1]) < 0)
            child++;
        if (compare(in, moved, order[child]) >= 0)
            break;
        order[at] = order[child];
    }
    order[at] = moved;
}

static void sort(const search *in, comparing *compare, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        in->order[i] = (uint32_t)i;
    for (uint64_t i = count / 2; i-- > 0;)
        sink(in, compare, i, count);
    for (uint64_t i = count; i-- > 1;) {
        uint32_t last = in->order[i];
        in->order[i] = in->order[0];
        in->order[0] = last;
        sink(in, compare, 0, i);
    }
}

static int by_number(uint64_t left, uint64_t right)
{
    return (left > right) - (left < right);
}

static int by_text(const search *in, assay_text left, assay_text right)
{
    uint32_t a = 0, b = 0;
    for (;;) {
        bool more = assay_text_next(&in->tables.view, &left, &a), both = assay_text_next(&in->tables.view, &right, &b);
        if (!more || !both)
            return (int)more - (int)both;
        if (a != b)
            return by_number(a, b);
    }
}

static int by_key(const search *in, uint32_t left, uint32_t right)
{
    int order = by_text(in, in->tables.key[left], in->tables.key[right]);
    return order != 0 ? order : by_number(left, right);
}

static int by_name(const search *in, uint32_t left, uint32_t right)
{
    int order = by_text(in, in->tables.tensor[left].name, in->tables.tensor[right].name);
    return order != 0 ? order : by_number(left, right);
}

/* The layout order of the specification. */
static int by_layout(const search *in, uint32_t left, uint32_t right)
{
    const header_tensor *a = &in->tables.tensor[left], *b = &in->tables.tensor[right];
    int order = by_number(a->begin, b->begin);
    order = order != 0 ? order : by_number(a->end, b->end);
    return order != 0 ? order : by_number(left, right);
}

/* ---- Findings ------------------------------------------------------------------------------------------- */

static assay_error finding_of(uint64_t status, uint64_t offset)
{
    return (assay_error){status, offset, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE};
}

/* One finding, unless it is the verdict itself. */
static void add(search *in, assay_error error)
{
    const assay_error *first = &in->verdict->error;
    const header_tables *tables = &in->tables;
    if (error.status == first->status && error.offset == first->offset && error.tensor == first->tensor)
        return;
    if (in->list->count == FURTHER_MOST) {
        in->list->left++;
        return;
    }
    further_one *one = &in->list->one[in->list->count++];
    bool keys = error.status == ASSAY_E_METADATA_KEY_TWICE;
    *one = (further_one){error, {.view = tables->view}};
    one->named.has_tensor = error.tensor != ASSAY_NONE;
    one->named.has_other = error.other != ASSAY_NONE;
    if (one->named.has_tensor)
        one->named.tensor = tables->tensor[error.tensor].name;
    if (one->named.has_other)
        one->named.other = keys ? tables->key[error.other] : tables->tensor[error.other].name;
}

/* For each text that repeats an earlier one: which. */
static void find_earlier(search *in, comparing *compare, uint64_t count, bool keys)
{
    sort(in, compare, count);
    for (uint64_t i = 0, first = 0; i < count; i++) {
        uint32_t here = in->order[i], there = in->order[first];
        bool same = i > 0 && by_text(in, keys ? in->tables.key[here] : in->tables.tensor[here].name,
                                     keys ? in->tables.key[there] : in->tables.tensor[there].name) == 0;
        first = same ? first : i;
        in->earlier[here] = same ? there : NO_PLACE;
    }
}

/* G1, G2 */
static void find_twice(search *in, bool keys)
{
    uint64_t count = keys ? in->tables.pairs : in->tables.tensors;
    find_earlier(in, keys ? by_key : by_name, count, keys);
    for (uint64_t i = 0; i < count; i++) {
        if (in->earlier[i] == NO_PLACE)
            continue;
        assay_text text = keys ? in->tables.key[i] : in->tables.tensor[i].name;
        assay_error error = finding_of(keys ? ASSAY_E_METADATA_KEY_TWICE : ASSAY_E_NAME_TWICE, text.at - 1);
        error.other = in->earlier[i];
        *(keys ? &error.found : &error.tensor) = i;
        add(in, error);
    }
}

static void add_truncated(search *in, uint64_t place)
{
    assay_error error = finding_of(ASSAY_E_TRUNCATED, in->verdict->file_size);
    error.tensor = place;
    error.expected = in->tables.tensor[place].end;
    error.found = in->tables.data_size;
    if (error.expected > error.found)
        add(in, error);
}

/* G3: the first of the tensors that end last, which the rule names, then each other that ends behind the file. */
static void find_truncated(search *in)
{
    uint64_t first = 0;
    for (uint64_t i = 0; i < in->tables.tensors; i++)
        first = in->tables.tensor[i].end > in->tables.tensor[first].end ? i : first;
    for (uint64_t i = 0; i <= in->tables.tensors; i++)
        if (in->tables.tensors > 0 && (i == 0 || i - 1 != first))
            add_truncated(in, i == 0 ? first : i - 1);
}

/* G4, G5: position is how far the tensors so far reach, which last does. */
static void find_layout(search *in)
{
    uint64_t position = 0, last = ASSAY_NONE, data = in->tables.view.data_begin;
    for (uint64_t i = 0; i < in->tables.tensors; i++) {
        const header_tensor *tensor = &in->tables.tensor[in->order[i]];
        if (tensor->begin == tensor->end)
            continue;
        bool hole = tensor->begin > position;
        if (tensor->begin != position)
            add(in, (assay_error){hole ? ASSAY_E_HOLE : ASSAY_E_OVERLAP, data + (hole ? position : tensor->begin),
                                  in->order[i], last, position, tensor->begin});
        last = tensor->end > position ? in->order[i] : last;
        position = tensor->end > position ? tensor->end : position;
    }
    if (position < in->tables.data_size)
        add(in, (assay_error){ASSAY_E_HOLE, data + position, ASSAY_NONE, last, position, in->tables.data_size});
}

/* G6: of those that begin where an empty one begins, the others come behind it. */
static void find_empty(search *in)
{
    uint64_t position = 0, last = ASSAY_NONE;
    for (uint64_t i = 0; i < in->tables.tensors; i++) {
        const header_tensor *tensor = &in->tables.tensor[in->order[i]];
        if (tensor->begin == tensor->end && tensor->begin < position) {
            assay_error error = finding_of(ASSAY_E_EMPTY_INSIDE, in->tables.view.data_begin + tensor->begin);
            error.tensor = in->order[i];
            error.other = last;
            add(in, error);
        } else if (tensor->end > position) {
            position = tensor->end;
            last = in->order[i];
        }
    }
}

void further_find(further *list, const host_verdict *verdict)
{
    list->count = 0;
    list->left = 0;
    if (verdict == NULL || !is_invalid(verdict) || verdict->status < ASSAY_E_METADATA_KEY_TWICE)
        return;
    search in = {.verdict = verdict, .list = list};
    bool fine = header_read(&in.tables, verdict);
    uint64_t most = in.tables.tensors > in.tables.pairs ? in.tables.tensors : in.tables.pairs;
    in.order = fine ? malloc(((size_t)most + 1) * sizeof *in.order) : NULL;
    in.earlier = fine ? malloc(((size_t)most + 1) * sizeof *in.earlier) : NULL;
    if (in.order != NULL && in.earlier != NULL) {
        find_twice(&in, true);
        find_twice(&in, false);
        find_truncated(&in);
        sort(&in, by_layout, in.tables.tensors);
        find_layout(&in);
        find_empty(&in);
    }
    free(in.order);
    free(in.earlier);
    header_free(&in.tables);
}

host_verdict further_verdict(const host_verdict *verdict, const further_one *one)
{
    host_verdict other = *verdict;
    other.status = (assay_status)one->error.status;
    other.error = one->error;
    return other;
}
