/* write_order.h: the order of tensors and of metadata pairs in the file. Only assay_write.c includes it.
 *
 * That the indexes stay below their count is all that is proved of the sort: whether the file has what was described is
 * found by comparing. */
#ifndef ASSAY_WRITE_ORDER_H
#define ASSAY_WRITE_ORDER_H

#define WRITE_BLOCK 16u /* bytes that are looked at together, so that a compiler can use wide registers */

/*@ requires one: \valid_read(one + (0 .. WRITE_BLOCK - 1));
    requires other: \valid_read(other + (0 .. WRITE_BLOCK - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
*/
static bool block_same(const uint8_t *one, const uint8_t *other)
{
    uint8_t differ[WRITE_BLOCK], any = 0; /* bytes, like what is compared: compilers vectorize this */
    /*@ loop invariant k: k <= WRITE_BLOCK;
        loop assigns k, differ[0 .. WRITE_BLOCK - 1];
        loop variant WRITE_BLOCK - k;
    */
    for (uint32_t k = 0; k < WRITE_BLOCK; k++) {
        differ[k] = one[k] != other[k];
    }
    /*@ loop invariant k: k <= WRITE_BLOCK;
        loop assigns k, any;
        loop variant WRITE_BLOCK - k;
    */
    for (uint32_t k = 0; k < WRITE_BLOCK; k++) {
        any = any > differ[k] ? any : differ[k];
    }
    return any == 0;
}

/* Do the bytes of one come before those of the other? */
/*@ requires one: \valid_read(one.byte + (0 .. one.size - 1));
    requires other: \valid_read(other.byte + (0 .. other.size - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
*/
static bool bytes_before(assay_chars one, assay_chars other)
{
    const uint64_t least = one.size < other.size ? one.size : other.size;
    uint64_t k = 0;
    /*@ loop invariant k: k <= least;
        loop assigns k;
        loop variant least - k;
    */
    while (least - k >= WRITE_BLOCK && block_same(one.byte + k, other.byte + k)) {
        k += WRITE_BLOCK;
    }
    /*@ loop invariant k: k <= least;
        loop assigns k;
        loop variant least - k;
    */
    while (k < least && one.byte[k] == other.byte[k]) {
        k++;
    }
    return k < least ? one.byte[k] < other.byte[k] : one.size < other.size;
}

/* Does a tensor come before another in the canonical order: by dtype, then by name? */
/*@ requires one: \valid_read(one) && new_tensor_readable(one);
    requires other: \valid_read(other) && new_tensor_readable(other);
    terminates \true;
    exits \false;
    assigns \nothing;
*/
static bool tensor_before(const assay_new_tensor *one, const assay_new_tensor *other)
{
    const uint32_t order = write_dtype_order(one->dtype), order_other = write_dtype_order(other->dtype);
    return order != order_other ? order > order_other : bytes_before(one->name, other->name);
}

/* The same for the tensors or the pairs with these indexes. */
/*@ requires what: readable_description(what);
    requires one: one < (tensors == 1 ? what->tensors : what->pairs);
    requires other: other < (tensors == 1 ? what->tensors : what->pairs);
    terminates \true;
    exits \false;
    assigns \nothing;
*/
static bool listed_before(const assay_description *what, bool tensors, uint32_t one, uint32_t other)
{
    return tensors ? tensor_before(what->tensor + one, what->tensor + other)
                   : bytes_before(what->pair[one].key, what->pair[other].key);
}

/*@ requires to: \valid(to + k) && words_below(to, k, count);
    requires index: index < count;
    terminates \true;
    exits \false;
    assigns to[k];
    ensures to: words_below(to, k + 1, count);
*/
static void put_index(uint32_t *to, uint32_t k, uint32_t index) /*@ ghost (uint32_t count) */
{
    to[k] = index;
}

/* Merge the sorted runs from[low .. middle) and from[middle .. high) to to[low .. high). */
/*@ requires what: readable_description(what);
    requires count: count <= 16777215 && count == (tensors == 1 ? what->tensors : what->pairs);
    requires runs: low < middle <= high <= count;
    requires from: \valid_read(from + (0 .. count - 1)) && words_below(from, count, count);
    requires to: \valid(to + (0 .. count - 1)) && words_below(to, low, count);
    requires apart: \separated(from + (0 .. count - 1), to + (0 .. count - 1));
    terminates \true;
    exits \false;
    assigns to[low .. high - 1];
    ensures to: words_below(to, high, count);
*/
static void merge_runs(const assay_description *what, bool tensors, const uint32_t *from, uint32_t *to, uint32_t low,
                       uint32_t middle, uint32_t high) /*@ ghost (uint32_t count) */
{
    uint32_t left = low, right = middle;
    bool apart = middle >= high || !listed_before(what, tensors, from[middle], from[middle - 1u]);
    /*@ loop invariant k: low <= k <= high;
        loop invariant left: low <= left <= middle;
        loop invariant right: middle <= right <= high;
        loop invariant sum: left - low + (right - middle) == k - low;
        loop invariant to: words_below(to, k, count);
        loop invariant from: words_below(from, count, count);
        loop assigns k, left, right, to[low .. high - 1];
        loop variant high - k;
    */
    for (uint32_t k = low; k < high; k++) {
        if (left < middle && (apart || right >= high || !listed_before(what, tensors, from[right], from[left]))) {
            put_index(to, k, from[left]) /*@ ghost (count) */;
            left++;
        } else {
            //@ assert some: right < high;
            put_index(to, k, from[right]) /*@ ghost (count) */;
            right++;
        }
    }
}

/* Merge all pairs of runs of `width`. */
/*@ requires what: readable_description(what);
    requires count: count <= 16777215 && count == (tensors == 1 ? what->tensors : what->pairs);
    requires width: 1 <= width <= 134217728;
    requires from: \valid_read(from + (0 .. count - 1)) && words_below(from, count, count);
    requires to: \valid(to + (0 .. count - 1));
    requires apart: \separated(from + (0 .. count - 1), to + (0 .. count - 1));
    terminates \true;
    exits \false;
    assigns to[0 .. count - 1];
    ensures to: words_below(to, count, count);
*/
static void merge_all(const assay_description *what, bool tensors, const uint32_t *from, uint32_t *to, uint32_t width,
                      uint32_t count)
{
    /*@ loop invariant low: low <= count;
        loop invariant to: words_below(to, low, count);
        loop invariant from: words_below(from, count, count);
        loop assigns low, to[0 .. count - 1];
        loop variant count - low;
    */
    for (uint32_t low = 0; low < count;) {
        const uint32_t middle = width < count - low ? low + width : count;
        const uint32_t high = width < count - middle ? middle + width : count;
        merge_runs(what, tensors, from, to, low, middle, high) /*@ ghost (count) */;
        low = high;
    }
}

/* Return whether the tensors or pairs are in order as they come. */
/*@ requires what: readable_description(what);
    requires count: count <= 16777215 && count == (tensors == 1 ? what->tensors : what->pairs);
    terminates \true;
    exits \false;
    assigns \nothing;
*/
static bool in_order(const assay_description *what, bool tensors, uint32_t count)
{
    /*@ loop invariant k: 1 <= k;
        loop assigns k;
        loop variant count - k;
    */
    for (uint32_t k = 1; k < count; k++) {
        if (listed_before(what, tensors, k, k - 1u)) {
            return false;
        }
    }
    return true;
}

/* Write the indexes 0 to count - 1 to order, in the canonical order if that is required. */
/*@ requires what: readable_description(what);
    requires count: count <= 16777215 && count == (tensors == 1 ? what->tensors : what->pairs);
    requires order: \valid(order + (0 .. count - 1));
    requires scratch: \valid(scratch + (0 .. count - 1));
    requires apart: \separated(order + (0 .. count - 1), scratch + (0 .. count - 1));
    terminates \true;
    exits \false;
    assigns order[0 .. count - 1], scratch[0 .. count - 1];
    ensures below: words_below(order, count, count);
*/
static void put_in_order(const assay_description *what, bool tensors, bool canonical, uint32_t *order,
                         uint32_t *scratch, uint32_t count)
{
    /*@ loop invariant k: k <= count;
        loop invariant below: words_below(order, k, count);
        loop assigns k, order[0 .. count - 1];
        loop variant count - k;
    */
    for (uint32_t k = 0; k < count; k++) {
        order[k] = k;
    }
    if (!canonical || in_order(what, tensors, count)) {
        return;
    }
    /*@ loop invariant width: 1 <= width <= 67108864;
        loop invariant below: words_below(order, count, count);
        loop assigns width, order[0 .. count - 1], scratch[0 .. count - 1];
        loop variant 67108864 - width;
    */
    for (uint32_t width = 1; width < count; width *= 4u) {
        merge_all(what, tensors, order, scratch, width, count);
        merge_all(what, tensors, scratch, order, width * 2u, count);
    }
}

#endif
