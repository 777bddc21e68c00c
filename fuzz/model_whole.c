/* model_whole.c: see model.h. Stage G: the whole file. */
#include <stdlib.h>
#include <string.h>

#include "model_parts.h"

#define NONE ASSAY_NONE

/* ---- G1 and G2: the texts, sorted, so that those that are the same stand beside each other ------------- */

typedef struct {
    const model_text *text;
    uint64_t place;
} placed;

static placed list[MODEL_HEAD / 4];

static int order_of_codes(const model_text *a, const model_text *b)
{
    if (a->count != b->count) {
        return a->count < b->count ? -1 : 1;
    }
    return memcmp(a->code, b->code, (size_t)a->count * sizeof *a->code);
}

static int order_of_texts(const void *left, const void *right)
{
    const placed *a = left, *b = right;
    int order = order_of_codes(a->text, b->text);
    return order != 0 ? order : (a->place > b->place) - (a->place < b->place);
}

/* The first in the header that is the same as one before it, and that one; false: there is none. */
static bool repeated(uint64_t count, placed *repeat, placed *earlier)
{
    repeat->place = NONE;
    qsort(list, (size_t)count, sizeof *list, order_of_texts);
    for (uint64_t i = 1; i < count; i++) {
        if (list[i].place < repeat->place && order_of_codes(list[i - 1].text, list[i].text) == 0) {
            *repeat = list[i];
            *earlier = list[i - 1];
        }
    }
    return repeat->place != NONE;
}

static void keys_twice(const model *said)
{
    placed repeat, earlier;
    for (uint64_t i = 0; i < said->pairs; i++) {
        list[i] = (placed){&said->pair[i].key, i};
    }
    if (repeated(said->pairs, &repeat, &earlier)) {
        model_stop((assay_error){ASSAY_E_METADATA_KEY_TWICE, repeat.text->at - 1, NONE, earlier.place, NONE,
                                 repeat.place});
    }
}

static void names_twice(const model *said)
{
    placed repeat, earlier;
    for (uint64_t i = 0; i < said->tensors; i++) {
        list[i] = (placed){&said->tensor[i].name, i};
    }
    if (repeated(said->tensors, &repeat, &earlier)) {
        model_stop((assay_error){ASSAY_E_NAME_TWICE, repeat.text->at - 1, repeat.place, earlier.place, NONE, NONE});
    }
}

/* ---- G3 to G6 ----------------------------------------------------------------------------------------- */

/* G3. */
static void truncated(const model *said, uint64_t file_size)
{
    uint64_t last = 0, data_size = file_size - said->end;
    for (uint64_t i = 1; i < said->tensors; i++) {
        last = said->tensor[i].end > said->tensor[last].end ? i : last;
    }
    if (said->tensors > 0 && said->tensor[last].end > data_size) {
        model_stop((assay_error){ASSAY_E_TRUNCATED, file_size, last, NONE, said->tensor[last].end, data_size});
    }
}

/* By begin, by end, by place in the header. */
static int order_of_layout(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    const model_tensor *one = &pass.said->tensor[a], *other = &pass.said->tensor[b];
    return one->begin != other->begin ? (one->begin < other->begin ? -1 : 1)
           : one->end != other->end   ? (one->end < other->end ? -1 : 1)
                                      : (a > b) - (a < b);
}

static void sort(model *said)
{
    for (uint64_t i = 0; i < said->tensors; i++) {
        said->order[i] = i;
    }
    qsort(said->order, (size_t)said->tensors, sizeof *said->order, order_of_layout);
}

/* G4 and G5: the walk. */
static void walk(const model *said, uint64_t data_size)
{
    uint64_t position = 0, last = NONE;
    for (uint64_t i = 0; i < said->tensors; i++) {
        uint64_t place = said->order[i];
        const model_tensor *tensor = &said->tensor[place];
        if (tensor->begin == tensor->end) {
            continue;
        }
        if (tensor->begin > position) {
            model_stop((assay_error){ASSAY_E_HOLE, said->end + position, place, last, position, tensor->begin});
        }
        if (tensor->begin < position) {
            model_stop((assay_error){ASSAY_E_OVERLAP, said->end + tensor->begin, place, last, position, tensor->begin});
        }
        position = tensor->end;
        last = place;
    }
    if (position < data_size) {
        model_stop((assay_error){ASSAY_E_HOLE, said->end + position, NONE, last, position, data_size});
    }
}

/* G6. */
static void empty_inside(const model *said)
{
    for (uint64_t i = 0; i < said->tensors; i++) {
        uint64_t empty = said->order[i], at = said->tensor[empty].begin;
        for (uint64_t j = 0; at == said->tensor[empty].end && j < said->tensors; j++) {
            if (said->tensor[j].begin < at && at < said->tensor[j].end) {
                model_stop((assay_error){ASSAY_E_EMPTY_INSIDE, said->end + at, empty, j, NONE, NONE});
            }
        }
    }
}

void model_whole(model *said, uint64_t file_size)
{
    keys_twice(said);
    names_twice(said);
    truncated(said, file_size);
    sort(said);
    walk(said, file_size - said->end);
    empty_inside(said);
}
