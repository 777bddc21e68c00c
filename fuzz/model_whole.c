/* model_whole.c: see model.h. Stage G: the whole file, by comparing everything with everything. */
#include "model_parts.h"

#define NONE ASSAY_NONE

static bool model_same(const model_text *a, const model_text *b)
{
    bool same = a->count == b->count;
    for (uint64_t i = 0; same && i < a->count; i++) {
        same = a->code[i] == b->code[i];
    }
    return same;
}

/* G1 and G2. */
static void keys_twice(const model *said)
{
    for (uint64_t i = 0; i < said->pairs; i++) {
        for (uint64_t j = 0; j < i; j++) {
            if (model_same(&said->pair[i].key, &said->pair[j].key)) {
                model_stop((assay_error){ASSAY_E_METADATA_KEY_TWICE, said->pair[i].key.at - 1, NONE, j, NONE, i});
            }
        }
    }
}

static void names_twice(const model *said)
{
    for (uint64_t i = 0; i < said->tensors; i++) {
        for (uint64_t j = 0; j < i; j++) {
            if (model_same(&said->tensor[i].name, &said->tensor[j].name)) {
                model_stop((assay_error){ASSAY_E_NAME_TWICE, said->tensor[i].name.at - 1, i, j, NONE, NONE});
            }
        }
    }
}

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
static bool before(const model *said, uint64_t a, uint64_t b)
{
    const model_tensor *left = &said->tensor[a], *right = &said->tensor[b];
    return left->begin != right->begin ? left->begin < right->begin
           : left->end != right->end   ? left->end < right->end
                                       : a < b;
}

static void sort(model *said)
{
    for (uint64_t i = 0; i < said->tensors; i++) {
        uint64_t at = i;
        for (; at > 0 && before(said, i, said->order[at - 1]); at--) {
            said->order[at] = said->order[at - 1];
        }
        said->order[at] = i;
    }
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
