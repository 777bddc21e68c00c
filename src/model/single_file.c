/* single_file.c: the model of an index that is also there in one file: has it the tensors of the shards? See model.h.
 * Rules single_differs, single_beside. */
#include <string.h>

#include "index_tables.h"
#include "unescaped_text.h"
#include "utf8_codec.h"

static uint32_t slots_of(const model_single *single)
{
    return 2 * (uint32_t)single->view->tensors;
}

/* Return the slot where the search for a name begins. */
static uint32_t home_of(const model_single *single, const assay_view *view, assay_text name)
{
    return (uint32_t)keyed_hash_slot(unescaped_hash(single->seed, HASH_SINGLE_FILE, 0, view, name), slots_of(single));
}

bool model_single_begin(model_single *single, const assay_view *view, uint64_t seed, void *(*take)(size_t bytes))
{
    size_t tensors = (size_t)view->tensors;
    assay_tensor tensor;
    *single = (model_single){.view = view, .seed = seed, .shard = MODEL_NONE};
    single->slot = take((2 * tensors + 1) * sizeof *single->slot);
    single->found = take(tensors + 1);
    if (single->slot == NULL || single->found == NULL)
        return false;
    memset(single->found, 0, tensors + 1);
    for (size_t i = 0; i <= 2 * tensors; i++)
        single->slot[i] = SLOT_FREE;
    for (uint32_t i = 0, slots = slots_of(single); assay_tensor_at(view, i, &tensor); i++) {
        uint32_t at = home_of(single, view, tensor.name);
        while (single->slot[at] != SLOT_FREE)
            at = at + 1 < slots ? at + 1 : 0;
        single->slot[at] = i;
    }
    return true;
}

static bool same_shape(const assay_view *one, const assay_tensor *left, const assay_view *two,
                       const assay_tensor *right)
{
    assay_dims a = left->dims, b = right->dims;
    uint64_t dim = 0, other = 0;
    if (left->dtype != right->dtype || left->rank != right->rank)
        return false;
    while (assay_dim_next(one, &a, &dim) && assay_dim_next(two, &b, &other))
        if (dim != other)
            return false;
    return true;
}

/* The number of the file's tensor of that name; MODEL_NONE: it has none. */
static uint32_t find(const model_single *single, const assay_view *view, assay_text name, assay_tensor *tensor)
{
    uint32_t slots = slots_of(single);
    if (slots == 0)
        return MODEL_NONE;
    uint32_t at = home_of(single, view, name);
    for (; single->slot[at] != SLOT_FREE; at = at + 1 < slots ? at + 1 : 0)
        if (assay_tensor_at(single->view, single->slot[at], tensor) &&
            unescaped_equal(single->view, tensor->name, view, name))
            return single->slot[at];
    return MODEL_NONE;
}

/* One more tensor that differs; the name of the first is kept, since its view will not last. */
static void count(model_single *single, uint32_t shard, const assay_view *view, assay_text name,
                  void *(*take)(size_t bytes))
{
    uint32_t code;
    if (single->differ++ > 0)
        return;
    single->shard = shard;
    single->name = take((size_t)(name.end - name.at) + 1); /* unescaped it is no longer */
    single->failed = single->name == NULL;
    while (!single->failed && assay_text_next(view, &name, &code))
        single->name_size += utf8_write(single->name + single->name_size, code);
}

void model_single_shard(model_single *single, uint32_t shard, const assay_view *view, void *(*take)(size_t bytes))
{
    assay_tensor tensor, mine;
    single->shards++;
    for (uint64_t i = 0; assay_tensor_at(view, i, &tensor); i++) {
        uint32_t number = find(single, view, tensor.name, &mine);
        if (number != MODEL_NONE)
            single->found[number] = 1;
        if (number == MODEL_NONE || !same_shape(view, &tensor, single->view, &mine))
            count(single, shard, view, tensor.name, take);
    }
    single->tensors += view->tensors;
}

void model_single_compare(model_single *single, bool whole, void *(*take)(size_t bytes))
{
    assay_tensor tensor;
    for (uint64_t i = 0; whole && assay_tensor_at(single->view, i, &tensor); i++)
        if (!single->found[i])
            count(single, MODEL_NONE, single->view, tensor.name, take);
}

void model_single_end(model_single *single, void (*give_back)(void *array))
{
    give_back(single->slot);
    give_back(single->found);
    give_back(single->name);
    *single = (model_single){.view = NULL};
}
