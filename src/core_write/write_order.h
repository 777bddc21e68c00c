/* write_order.h: the order of tensors and of metadata pairs in the file. Only assay_write.c includes it.
 *
 * That the indexes stay below their count is all that is proved of the sort: whether the file has what was described is
 * found by comparing. */
#ifndef ASSAY_WRITE_ORDER_H
#define ASSAY_WRITE_ORDER_H

#define WRITE_BLOCK 16u /* bytes that are looked at together, so that a compiler can use wide registers */

static bool block_same(const uint8_t *one, const uint8_t *other)
{
    uint32_t differ = 0;
    for (uint32_t k = 0; k < WRITE_BLOCK; k++) {
        differ |= (uint32_t)(one[k] ^ other[k]);
    }
    return differ == 0;
}

/* Do the bytes of one come before those of the other? */
static bool bytes_before(assay_chars one, assay_chars other)
{
    const uint64_t least = one.size < other.size ? one.size : other.size;
    uint64_t k = 0;
    while (least - k >= WRITE_BLOCK && block_same(one.byte + k, other.byte + k)) {
        k += WRITE_BLOCK;
    }
    while (k < least && one.byte[k] == other.byte[k]) {
        k++;
    }
    return k < least ? one.byte[k] < other.byte[k] : one.size < other.size;
}

/* Does a tensor come before another in the canonical order: by dtype, then by name? */
static bool tensor_before(const assay_new_tensor *one, const assay_new_tensor *other)
{
    const uint32_t order = write_dtype_order(one->dtype), order_other = write_dtype_order(other->dtype);
    return order != order_other ? order > order_other : bytes_before(one->name, other->name);
}

/* The same for the tensors or the pairs with these indexes. */
static bool listed_before(const assay_description *what, bool tensors, uint32_t one, uint32_t other)
{
    return tensors ? tensor_before(what->tensor + one, what->tensor + other)
                   : bytes_before(what->pair[one].key, what->pair[other].key);
}

/* Merge the sorted runs from[low .. middle) and from[middle .. high) to to[low .. high). */
static void merge_runs(const assay_description *what, bool tensors, const uint32_t *from, uint32_t *to, uint32_t low,
                       uint32_t middle, uint32_t high)
{
    uint32_t left = low, right = middle;
    bool apart = middle >= high || !listed_before(what, tensors, from[middle], from[middle - 1u]);
    for (uint32_t k = low; k < high; k++) {
        if (left < middle &&
            (apart || right >= high || !listed_before(what, tensors, from[right], from[left]))) {
            to[k] = from[left];
            left++;
        } else {
            to[k] = from[right];
            right++;
        }
    }
}

/* Merge all pairs of runs of `width`. */
static void merge_all(const assay_description *what, bool tensors, const uint32_t *from, uint32_t *to, uint32_t width,
                      uint32_t count)
{
    for (uint32_t low = 0; low < count;) {
        const uint32_t middle = width < count - low ? low + width : count;
        const uint32_t high = width < count - middle ? middle + width : count;
        merge_runs(what, tensors, from, to, low, middle, high);
        low = high;
    }
}

/* Return whether the tensors or pairs are in order as they come. */
static bool in_order(const assay_description *what, bool tensors, uint32_t count)
{
    for (uint32_t k = 1; k < count; k++) {
        if (listed_before(what, tensors, k, k - 1u)) {
            return false;
        }
    }
    return true;
}

/* Write the indexes 0 to count - 1 to order, in the canonical order if that is required. */
static void put_in_order(const assay_description *what, bool tensors, bool canonical, uint32_t *order,
                         uint32_t *scratch, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        order[k] = k;
    }
    if (!canonical || in_order(what, tensors, count)) {
        return;
    }
    for (uint32_t width = 1; width < count; width *= 4u) {
        merge_all(what, tensors, order, scratch, width, count);
        merge_all(what, tensors, scratch, order, width * 2u, count);
    }
}

#endif
