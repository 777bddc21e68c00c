/* write_compare.h: the size of a tensor, and views compared with descriptions and with each other. Only assay_write.c
 * includes it. */
#ifndef ASSAY_WRITE_COMPARE_H
#define ASSAY_WRITE_COMPARE_H

/* ---- Sizes ---------------------------------------------------------------------------------------------- */

/* Return a * b, or 0 if that is above 2^64 - 1. Halves of 32 bits: a division would call a library on machines of 32
 * bits. */
static uint64_t product_or_0(uint64_t a, uint64_t b)
{
    if (a <= UINT32_MAX && b <= UINT32_MAX) {
        return a * b;
    }
    const uint64_t high = a > b ? a : b, low = a > b ? b : a;
    if (low > UINT32_MAX) {
        return 0;
    }
    const uint64_t upper = high / 4294967296u * low, lower = high % 4294967296u * low;
    if (upper > UINT32_MAX || upper * 4294967296u > UINT64_MAX - lower) {
        return 0;
    }
    return upper * 4294967296u + lower;
}

/* Return the bytes of a tensor's data; ASSAY_NONE if it breaks rule H17, H20 or H21. */
static uint64_t tensor_size(const assay_new_tensor *tensor)
{
    uint64_t bits = write_dtype_bits(tensor->dtype);
    bool empty = false;
    for (uint64_t k = 0; k < tensor->rank && bits != 0; k++) {
        if (tensor->dim[k] == 0) {
            empty = true;
        } else {
            bits = product_or_0(bits, tensor->dim[k]);
        }
    }
    if (bits == 0 || (!empty && bits % 8u != 0)) {
        return ASSAY_NONE;
    }
    return empty ? 0 : bits / 8u;
}

/* ---- A view and a description --------------------------------------------------------------------------- */

/* Are these the dims that the cursor has left? */
static bool dims_match(const assay_view *view, const assay_tensor *tensor, const uint64_t *dim, uint64_t rank)
{
    assay_dims rest = {tensor->dims.at, tensor->dims.left};
    uint64_t found = 0;
    if (tensor->rank != rank) {
        return false;
    }
    for (uint64_t k = 0; k < rank; k++) {
        if (!assay_dim_next(view, &rest, &found) || found != dim[k]) {
            return false;
        }
    }
    return true;
}

/* Is the tensor at this position of the layout order this one, with data that begin at *begin, a file offset? Then move
 * *begin to where they end. */
static bool tensor_matches(const assay_view *view, uint64_t index, const assay_new_tensor *described, uint64_t *begin)
{
    assay_tensor tensor;
    if (!assay_tensor_at(view, index, &tensor) || tensor.begin != *begin || tensor.dtype != described->dtype ||
        assay_text_compare(view, tensor.name, described->name.byte, described->name.size) != 0 ||
        !dims_match(view, &tensor, described->dim, described->rank)) {
        return false;
    }
    *begin = tensor.end;
    return true;
}

static bool pair_matches(const assay_view *view, uint64_t index, const assay_new_pair *described)
{
    assay_text key, value;
    return assay_metadata_at(view, index, &key, &value) &&
           assay_text_compare(view, key, described->key.byte, described->key.size) == 0 &&
           assay_text_compare(view, value, described->value.byte, described->value.size) == 0;
}

bool assay_view_matches(const assay_view *view, const assay_description *what, const uint32_t *order)
{
    uint64_t begin = view->data_begin;
    if (view->tensors != what->tensors || view->pairs != what->pairs) {
        return false;
    }
    for (uint64_t k = 0; k < what->tensors; k++) {
        if (order[k] >= what->tensors || !tensor_matches(view, k, what->tensor + order[k], &begin)) {
            return false;
        }
    }
    for (uint64_t k = 0; k < what->pairs; k++) {
        const uint32_t pair = order[what->tensors + k];
        if (pair >= what->pairs || !pair_matches(view, k, what->pair + pair)) {
            return false;
        }
    }
    return true;
}

/* ---- Two views ------------------------------------------------------------------------------------------ */

static bool same_texts(const assay_view *one, assay_text text, const assay_view *other, assay_text text_other)
{
    uint32_t code = 0, code_other = 0;
    while (assay_text_next(one, &text, &code)) {
        if (!assay_text_next(other, &text_other, &code_other) || code != code_other) {
            return false;
        }
    }
    return !assay_text_next(other, &text_other, &code_other);
}

static bool same_dims(const assay_view *one, assay_dims dims, const assay_view *other, assay_dims dims_other)
{
    uint64_t dim = 0, dim_other = 0;
    while (assay_dim_next(one, &dims, &dim)) {
        if (!assay_dim_next(other, &dims_other, &dim_other) || dim != dim_other) {
            return false;
        }
    }
    return true;
}

static bool same_tensor(const assay_view *one, const assay_view *other, uint64_t index)
{
    assay_tensor tensor, tensor_other;
    if (!assay_tensor_at(one, index, &tensor) || !assay_tensor_at(other, index, &tensor_other)) {
        return false;
    }
    return tensor.index == tensor_other.index && tensor.dtype == tensor_other.dtype &&
           tensor.rank == tensor_other.rank &&
           tensor.begin - one->data_begin == tensor_other.begin - other->data_begin &&
           tensor.end - one->data_begin == tensor_other.end - other->data_begin &&
           same_texts(one, tensor.name, other, tensor_other.name) &&
           same_dims(one, tensor.dims, other, tensor_other.dims);
}

bool assay_same_tensors(const assay_view *one, const assay_view *other)
{
    if (one->tensors != other->tensors) {
        return false;
    }
    for (uint64_t k = 0; k < one->tensors; k++) {
        if (!same_tensor(one, other, k)) {
            return false;
        }
    }
    return true;
}

#endif
