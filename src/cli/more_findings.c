/* more_findings.c: see more_findings.h. Cost: linear in the header; n log n if the tensors are not in the order of
 * their data. */
#include "more_findings.h"

#include <stdlib.h>
#include <string.h>

#include "header_entries.h"
#include "repeated_names.h"

typedef struct {
    header_tables tables;
    const host_verdict *verdict;
    more_findings *list;
    uint64_t names;          /* bytes of the names and keys in the record: of the verdict, and of the list */
    uint32_t *order, *spare; /* [tensors] */
} search;

/* ---- Layout order --------------------------------------------------------------------------------------- */

/* Is the tensor `right` before `left` in the layout order of the specification? left is before right in the header. */
static bool is_before(const search *in, uint32_t right, uint32_t left)
{
    const header_tensor *a = &in->tables.tensor[left], *b = &in->tables.tensor[right];
    return b->begin < a->begin || (b->begin == a->begin && b->end < a->end);
}

/* Merge order[begin .. middle) and order[middle .. end), each in order, into spare. */
static void merge(const search *in, uint64_t begin, uint64_t middle, uint64_t end)
{
    uint64_t left = begin, right = middle;
    for (uint64_t to = begin; to < end; to++) {
        bool second = left == middle || (right < end && is_before(in, in->order[right], in->order[left]));
        in->spare[to] = in->order[second ? right++ : left++];
    }
}

static bool is_sorted(const search *in)
{
    for (uint64_t i = 1; i < in->tables.tensors; i++)
        if (is_before(in, (uint32_t)i, (uint32_t)i - 1))
            return false;
    return true;
}

/* Sort the tensors into layout order. Equal ones stay in the order of the header. */
static void sort(search *in)
{
    uint64_t count = in->tables.tensors;
    for (uint64_t i = 0; i < count; i++)
        in->order[i] = (uint32_t)i;
    if (is_sorted(in))
        return;
    for (uint64_t run = 1; run < count; run *= 2) {
        for (uint64_t begin = 0; begin < count; begin += 2 * run) {
            uint64_t middle = begin + run < count ? begin + run : count;
            merge(in, begin, middle, middle + run < count ? middle + run : count);
        }
        uint32_t *merged = in->spare;
        in->spare = in->order;
        in->order = merged;
    }
}

/* ---- Findings ------------------------------------------------------------------------------------------- */

#define HAS_BOTH (ASSAY_HAS_EXPECTED | ASSAY_HAS_FOUND)

/* Is there room for one more finding whose names have this size? */
static bool has_room(search *in, uint64_t size)
{
    uint64_t most = in->verdict->head_size > MORE_FINDINGS_NAMES ? in->verdict->head_size : MORE_FINDINGS_NAMES;
    if (in->list->count == MORE_FINDINGS_MOST || in->list->left > 0 || size > most - in->names)
        return false;
    in->names += size;
    return true;
}

static assay_text text_of(header_text text)
{
    return (assay_text){text.at, text.end};
}

/* Set the names of the tensors, or keys, whose indexes are set. */
static void add_names(const header_tables *tables, assay_error *error)
{
    const header_text *others = error->status == ASSAY_E_METADATA_KEY_TWICE ? tables->key : tables->name;
    if ((error->has & ASSAY_HAS_TENSOR) != 0)
        error->name = text_of(tables->name[error->tensor]);
    if ((error->has & ASSAY_HAS_OTHER) != 0)
        error->other_name = text_of(others[error->other]);
}

/* Add a finding, unless it is the verdict itself. */
static void add(search *in, uint64_t has, assay_error error)
{
    const assay_error *first = &in->verdict->error;
    error = error_with(has, error);
    if (error.status == first->status && error.offset == first->offset && error.tensor == first->tensor)
        return;
    add_names(&in->tables, &error);
    if (has_room(in, error_names_size(&error)))
        in->list->one[in->list->count++] = (more_finding){error, NULL};
    else
        in->list->left++;
}

/* Find what breaks G1 or G2. Return false if there is not enough memory. */
static bool find_twice(search *in, bool keys, uint64_t seed)
{
    const header_text *text = keys ? in->tables.key : in->tables.name;
    uint64_t count = keys ? in->tables.pairs : in->tables.tensors;
    text_set seen;
    if (!text_set_begin(&seen, &in->tables.view, text, count, seed))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t earlier = text_set_add(&seen, (uint32_t)i);
        if (earlier == TEXT_NEW)
            continue;
        add(in, ASSAY_HAS_OFFSET | ASSAY_HAS_OTHER | (keys ? ASSAY_HAS_FOUND : ASSAY_HAS_TENSOR),
            (assay_error){.status = keys ? ASSAY_E_METADATA_KEY_TWICE : ASSAY_E_NAME_TWICE, .offset = text[i].at - 1,
                          .tensor = i, .found = i, .other = earlier});
    }
    text_set_end(&seen);
    return true;
}

static void add_truncated(search *in, uint64_t index)
{
    uint64_t end = in->tables.tensor[index].end;
    if (end > in->tables.data_size)
        add(in, ASSAY_HAS_OFFSET | ASSAY_HAS_TENSOR | HAS_BOTH,
            (assay_error){.status = ASSAY_E_TRUNCATED, .offset = in->verdict->file_size, .tensor = index,
                          .expected = end, .found = in->tables.data_size});
}

/* Find what breaks G3: the first of the tensors that end last, which the rule names, then each other that ends after
 * the end of the file. */
static void find_truncated(search *in)
{
    uint64_t first = 0;
    for (uint64_t i = 0; i < in->tables.tensors; i++)
        first = in->tables.tensor[i].end > in->tables.tensor[first].end ? i : first;
    for (uint64_t i = 0; i <= in->tables.tensors; i++)
        if (in->tables.tensors > 0 && (i == 0 || i - 1 != first))
            add_truncated(in, i == 0 ? first : i - 1);
}

/* Return whether there is a tensor `last`, as what an error has. */
static uint64_t other_of(uint64_t last)
{
    return last == ASSAY_NONE ? 0 : ASSAY_HAS_OTHER;
}

/* Find what breaks G4 or G5. position: the largest end so far, which is that of the tensor `last`. */
static void find_layout(search *in)
{
    uint64_t position = 0, last = ASSAY_NONE, data = in->tables.view.data_begin;
    for (uint64_t i = 0; i < in->tables.tensors; i++) {
        const header_tensor *tensor = &in->tables.tensor[in->order[i]];
        if (tensor->begin == tensor->end)
            continue;
        bool hole = tensor->begin > position;
        if (tensor->begin != position)
            add(in, ASSAY_HAS_OFFSET | ASSAY_HAS_TENSOR | other_of(last) | HAS_BOTH,
                (assay_error){.status = hole ? ASSAY_E_HOLE : ASSAY_E_OVERLAP,
                              .offset = data + (hole ? position : tensor->begin), .tensor = in->order[i],
                              .other = last, .expected = position, .found = tensor->begin});
        last = tensor->end > position ? in->order[i] : last;
        position = tensor->end > position ? tensor->end : position;
    }
    if (position < in->tables.data_size && in->verdict->file_size != ASSAY_NONE)
        add(in, ASSAY_HAS_OFFSET | other_of(last) | HAS_BOTH,
            (assay_error){.status = ASSAY_E_HOLE, .offset = data + position, .other = last, .expected = position,
                          .found = in->tables.data_size});
}

/* Find what breaks G6. In layout order, an empty tensor comes before the others that begin where it begins. */
static void find_empty(search *in)
{
    uint64_t position = 0, last = ASSAY_NONE;
    for (uint64_t i = 0; i < in->tables.tensors; i++) {
        const header_tensor *tensor = &in->tables.tensor[in->order[i]];
        if (tensor->begin == tensor->end && tensor->begin < position) {
            add(in, ASSAY_HAS_OFFSET | ASSAY_HAS_TENSOR | ASSAY_HAS_OTHER,
                (assay_error){.status = ASSAY_E_EMPTY_INSIDE, .offset = in->tables.view.data_begin + tensor->begin,
                              .tensor = in->order[i], .other = last});
        } else if (tensor->end > position) {
            position = tensor->end;
            last = in->order[i];
        }
    }
}

/* Find all. The core checks G1, G2 and G3 in this order, so the rules before the one that it reports are not broken.
 * Return false if there is not enough memory. */
static bool find_all(search *in, uint64_t seed)
{
    assay_status status = in->verdict->status;
    in->names = error_names_size(&in->verdict->error);
    if (status == ASSAY_E_METADATA_KEY_TWICE && !find_twice(in, true, seed))
        return false;
    if (status <= ASSAY_E_NAME_TWICE && !find_twice(in, false, seed))
        return false;
    size_t room = ((size_t)in->tables.tensors + 1) * sizeof *in->order;
    in->order = malloc(room);
    in->spare = malloc(room);
    if (in->order == NULL || in->spare == NULL)
        return false;
    if (in->verdict->file_size != ASSAY_NONE)
        find_truncated(in);
    sort(in);
    find_layout(in);
    find_empty(in);
    return true;
}

void more_findings_find(more_findings *list, const host_verdict *verdict, uint64_t seed)
{
    list->left = list->count = 0;
    if (verdict == NULL || !is_invalid(verdict) || verdict->status < ASSAY_E_METADATA_KEY_TWICE)
        return;
    search in = {.verdict = verdict, .list = list};
    if (!header_read(&in.tables, verdict) || !find_all(&in, seed))
        list->left = list->count = 0;
    free(in.order);
    free(in.spare);
    header_free(&in.tables);
}

host_verdict more_finding_verdict(const host_verdict *verdict, const more_finding *one)
{
    host_verdict other = *verdict;
    other.status = (assay_status)one->error.status;
    other.error = one->error;
    other.refusal = one->refusal;
    return other;
}
