/* write_sizes.h: the size of a header and of the data, before anything is written. Only assay_write.c includes it. */
#ifndef ASSAY_WRITE_SIZES_H
#define ASSAY_WRITE_SIZES_H

#define WRITE_LISTED_MAX 16777215u /* tensors and pairs: more do not fit into a header */
#define WRITE_ALIGN_MAX 67108864u
#define WRITE_DATA_END (UINT64_C(9223372036854775808) - 8u - WRITE_HEADER_MAX)

/* Return the bytes of the header that are no pair, no tensor and no comma after one. */
/*@ requires what: \valid_read(what);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures size: 1 <= \result <= 32;
*/
static uint64_t frame_size(const assay_description *what, bool metadata)
{
    return metadata ? TOKEN_OPEN_METADATA % 256u + (what->pairs > 0 ? 1u : 2u) : what->tensors > 0 ? 1u : 2u;
}

/* Return the bytes of a pair in the header without the comma; above the limit if they are too many, ASSAY_NONE if there
 * is a NUL. */
/*@ requires pair: \valid_read(pair) && new_pair_readable(pair);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures size: \result <= 200000100 || \result == UINT64_MAX;
*/
static uint64_t pair_size(const assay_new_pair *pair)
{
    const uint64_t key = string_size(pair->key), value = string_size(pair->value);
    if (key > WRITE_HEADER_MAX || value > WRITE_HEADER_MAX) {
        return key == ASSAY_NONE || value == ASSAY_NONE ? ASSAY_NONE : WRITE_HEADER_MAX + 1u;
    }
    return key + value + TOKEN_KEY % 256u + 2u;
}

/* The same for a tensor without its data offsets. */
/*@ requires tensor: \valid_read(tensor) && new_tensor_readable(tensor);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures size: \result <= 600000000 || \result == UINT64_MAX;
*/
static uint64_t tensor_text_size(const assay_new_tensor *tensor)
{
    uint64_t size = string_size(tensor->name);
    if (size > WRITE_HEADER_MAX) {
        return size;
    }
    /*@ loop invariant k: k <= tensor->rank;
        loop invariant size: size <= WRITE_HEADER_MAX + 21;
        loop assigns k, size;
        loop variant tensor->rank - k;
    */
    for (uint64_t k = 0; k < tensor->rank && size <= WRITE_HEADER_MAX; k++) {
        size += number_size(tensor->dim[k]) + (k > 0 ? 1u : 0u);
    }
    return size + write_dtype_word(tensor->dtype) % 256u + TOKEN_DTYPE % 256u + TOKEN_SHAPE % 256u +
           TOKEN_OFFSETS % 256u + TOKEN_CLOSE % 256u + 1u;
}

/* What counting has found: the bytes of the header so far, without data offsets, and those of the data; or a status,
 * and the tensor or pair that is the cause. */
typedef struct {
    uint64_t text, data;
    uint64_t tensor, pair;
    uint32_t status;
} write_count;

/* Add the bytes of all pairs, with commas, to a text. */
/*@ requires what: readable_description(what) && few_described(what);
    requires text: text <= 100;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures text: \result.status == ASSAY_OK ==> \result.text <= 300000200;
*/
static write_count count_pairs(const assay_description *what, uint64_t text)
{
    write_count count = {text, 0, ASSAY_NONE, ASSAY_NONE, ASSAY_OK};
    /*@ loop invariant k: k <= what->pairs;
        loop invariant text: count.text <= 300000200 && count.status == ASSAY_OK;
        loop assigns k, count;
        loop variant what->pairs - k;
    */
    for (uint64_t k = 0; k < what->pairs && count.text <= WRITE_HEADER_MAX; k++) {
        const uint64_t size = pair_size(what->pair + k);
        if (size == ASSAY_NONE) {
            count.status = ASSAY_W_NUL;
            count.pair = k;
            return count;
        }
        count.text += size + 1u;
    }
    return count;
}

/* Is this the name that no tensor may have? */
/*@ requires name: \valid_read(name.byte + (0 .. name.size - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
*/
static bool is_reserved(assay_chars name)
{
    const uint32_t word = TOKEN_OPEN_METADATA / 256u + 2u;
    if (name.size != 12u) {
        return false;
    }
    /*@ loop invariant k: k <= 12;
        loop assigns k;
        loop variant 12 - k;
    */
    for (uint32_t k = 0; k < 12u; k++) {
        if (name.byte[k] != write_word_byte(word + k)) {
            return false;
        }
    }
    return true;
}

/* Return why no file can hold a tensor after `data` bytes, or ASSAY_OK. text, size: of its text and its data. */
/*@ requires name: \valid_read(name.byte + (0 .. name.size - 1));
    requires data: data < WRITE_DATA_END;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures fits: \result == ASSAY_OK ==> text != UINT64_MAX && size < WRITE_DATA_END - data;
*/
static assay_status tensor_status(assay_chars name, uint64_t text, uint64_t size, uint64_t data)
{
    return text == ASSAY_NONE              ? ASSAY_W_NUL
           : is_reserved(name)             ? ASSAY_W_RESERVED
           : size == ASSAY_NONE            ? ASSAY_W_TENSOR
           : size >= WRITE_DATA_END - data ? ASSAY_W_DATA_LARGE
                                           : ASSAY_OK;
}

/* Add the bytes of all tensors, with commas, and those of their data. */
/*@ requires what: readable_description(what) && few_described(what);
    requires text: text <= 300000200;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures text: \result.status == ASSAY_OK ==> \result.text <= 1000000000 && \result.data < WRITE_DATA_END;
*/
static write_count count_tensors(const assay_description *what, uint64_t text)
{
    write_count count = {text, 0, ASSAY_NONE, ASSAY_NONE, ASSAY_OK};
    /*@ loop invariant k: k <= what->tensors;
        loop invariant text: count.text <= 1000000000 && count.status == ASSAY_OK;
        loop invariant data: count.data < WRITE_DATA_END;
        loop assigns k, count;
        loop variant what->tensors - k;
    */
    for (uint64_t k = 0; k < what->tensors && count.text <= WRITE_HEADER_MAX; k++) {
        const assay_new_tensor *tensor = what->tensor + k;
        const uint64_t text_size = tensor_text_size(tensor), size = tensor_size(tensor);
        count.status = tensor_status(tensor->name, text_size, size, count.data);
        if (count.status != ASSAY_OK) {
            count.tensor = k;
            return count;
        }
        count.text += text_size + 1u;
        count.data += size;
    }
    return count;
}

/* Count all. */
/*@ requires what: given_description(what);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures few: \result.status == ASSAY_OK ==> few_described(what);
    ensures text: \result.status == ASSAY_OK ==> \result.text <= WRITE_HEADER_MAX && \result.data < WRITE_DATA_END;
*/
static write_count count_all(const assay_description *what, bool metadata)
{
    write_count count = {0, 0, ASSAY_NONE, ASSAY_NONE, ASSAY_W_HEADER_LARGE};
    if (what->tensors > WRITE_LISTED_MAX || what->pairs > WRITE_LISTED_MAX) {
        return count;
    }
    count = count_pairs(what, frame_size(what, metadata));
    if (count.status == ASSAY_OK) {
        count = count_tensors(what, count.text);
    }
    if (count.status == ASSAY_OK && count.text > WRITE_HEADER_MAX) {
        count.status = ASSAY_W_HEADER_LARGE;
    }
    return count;
}

/* Return the bytes of all data offsets; 0 if the sizes are not what they were. */
/*@ requires what: readable_description(what) && few_described(what);
    requires order: \valid_read(order + (0 .. what->tensors - 1));
    requires below: words_below(order, what->tensors, what->tensors);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures size: \result <= 41 * what->tensors;
*/
static uint64_t offsets_size(const assay_description *what, const uint32_t *order)
{
    uint64_t used = 0, end = 0;
    uint32_t digits = 1;
    /*@ loop invariant k: k <= what->tensors;
        loop invariant used: used <= 41 * k && 1 <= digits <= 20;
        loop assigns k, used, end, digits;
        loop variant what->tensors - k;
    */
    for (uint64_t k = 0; k < what->tensors; k++) {
        const uint64_t size = tensor_size(what->tensor + order[k]);
        if (size > UINT64_MAX - end) {
            return 0;
        }
        used += digits + 1u;
        end += size;
        digits = number_size(end);
        used += digits;
    }
    return used;
}

/* Return 8 + N for a header of this many bytes, or 0 if N would be above the limit. */
/*@ requires options: options == \null || (\valid_read(options) && 8 <= options->align <= WRITE_ALIGN_MAX);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures size: \result == 0 || 16 <= \result <= 8 + WRITE_HEADER_MAX;
*/
static uint64_t head_size(uint64_t text, const assay_write_options *options)
{
    const uint64_t align = options == NULL ? 8u : options->align;
    const uint64_t reserve = options == NULL ? 0 : options->reserve;
    const uint64_t length = text > reserve ? text : reserve;
    if (length > WRITE_HEADER_MAX) {
        return 0;
    }
    const uint64_t size = (8u + length + (align - 1u)) & ~(align - 1u);
    return size < 16u || size > 8u + WRITE_HEADER_MAX ? 0 : size;
}

#endif
