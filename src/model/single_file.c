/* single_file.c: compares a model in one file with the shards of the same model, see model.h. Rules single_differs and
 * single_beside. */
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

bool model_single_begin(model_single *single, const assay_view *view, uint64_t seed, void *(*allocate)(size_t bytes))
{
    size_t tensors = (size_t)view->tensors;
    assay_tensor tensor;
    *single = (model_single){.view = view, .seed = seed, .shard = MODEL_NONE};
    single->slot = allocate((2 * tensors + 1) * sizeof *single->slot);
    single->found = allocate(tensors + 1);
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

/* Return whether two tensors have the same dtype and shape. */
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

/* Return the index of the file's tensor of this name, and store the tensor. Return MODEL_NONE if there is none. */
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

/* Count a tensor that differs. Copy the name of the first one, because its view will not last. */
static void count(model_single *single, uint32_t shard, const assay_view *view, assay_text name,
                  void *(*allocate)(size_t bytes))
{
    uint32_t code;
    if (single->differ++ > 0)
        return;
    single->shard = shard;
    single->name = allocate((size_t)(name.end - name.at) + 1); /* unescaping makes no text longer */
    single->failed = single->name == NULL;
    while (!single->failed && assay_text_next(view, &name, &code))
        single->name_size += utf8_write(single->name + single->name_size, code);
}

void model_single_shard(model_single *single, uint32_t shard, const assay_view *view, void *(*allocate)(size_t bytes))
{
    assay_tensor tensor, mine;
    single->shards++;
    for (uint64_t i = 0; assay_tensor_at(view, i, &tensor); i++) {
        uint32_t number = find(single, view, tensor.name, &mine);
        if (number != MODEL_NONE)
            single->found[number] = 1;
        if (number == MODEL_NONE || !same_shape(view, &tensor, single->view, &mine))
            count(single, shard, view, tensor.name, allocate);
    }
    single->tensors += view->tensors;
}

void model_single_compare(model_single *single, bool all, void *(*allocate)(size_t bytes))
{
    assay_tensor tensor;
    for (uint64_t i = 0; all && assay_tensor_at(single->view, i, &tensor); i++)
        if (!single->found[i])
            count(single, MODEL_NONE, single->view, tensor.name, allocate);
}

void model_single_end(model_single *single, void (*release)(void *array))
{
    release(single->slot);
    release(single->found);
    release(single->name);
    *single = (model_single){.view = NULL};
}
