/* write_compare.h: the size of a tensor, and views compared with descriptions and with each other. Only assay_write.c
 * includes it. */
#ifndef ASSAY_WRITE_COMPARE_H
#define ASSAY_WRITE_COMPARE_H

/* ---- Sizes ---------------------------------------------------------------------------------------------- */

/* Return a * b, or 0 if that is above 2^64 - 1. Halves of 32 bits: a division would call a library on machines of 32
 * bits. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == (a * b <= UINT64_MAX ? a * b : 0);
*/
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
/*@ requires tensor: \valid_read(tensor) && new_tensor_readable(tensor);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures size: \result <= 2305843009213693951 || \result == UINT64_MAX;
    ensures exact: \result != UINT64_MAX ==> described_size(tensor, \result);
*/
static uint64_t tensor_size(const assay_new_tensor *tensor)
{
    uint64_t bits = write_dtype_bits(tensor->dtype);
    bool empty = false;
    //@ ghost uint64_t width = bits;
    /*@ loop invariant k: k <= tensor->rank;
        loop invariant empty: empty == 1 <==> described_empty(tensor->dim, k);
        loop invariant bits: bits != 0 ==> bits == width * described_product(tensor->dim, k);
        loop assigns k, bits, empty;
        loop variant tensor->rank - k;
    */
    for (uint64_t k = 0; k < tensor->rank && bits != 0; k++) {
        /*@ assert step: described_product(tensor->dim, k + 1) ==
                described_product(tensor->dim, k) * (tensor->dim[k] == 0 ? 1 : tensor->dim[k]); */
        if (tensor->dim[k] == 0) {
            empty = true;
        } else {
            //@ ghost uint64_t before = bits;
            bits = product_or_0(bits, tensor->dim[k]);
            //@ assert product: bits != 0 ==> bits == before * tensor->dim[k];
            /*@ assert whole: bits != 0 ==>
                    bits == width * (described_product(tensor->dim, k) * tensor->dim[k]); */
        }
    }
    if (bits == 0 || (!empty && bits % 8u != 0)) {
        return ASSAY_NONE;
    }
    return empty ? 0 : bits / 8u;
}

/* ---- A view and a description --------------------------------------------------------------------------- */

/* Are these the dims that the cursor has left? */
/*@ requires view: valid_view(view) && view_says(view);
    requires tensor: \valid_read(tensor) && tensor_says(tensor, view->head, view->data_begin);
    requires dims: tensor->dims.left == tensor->rank;
    requires dim: \valid_read(dim + (0 .. rank - 1));
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures dims: \result ==> tensor->rank == rank &&
        dims_say(dim, view->head, shape_of(tensor, view->head, view->data_begin), view->data_begin, rank);
*/
static bool dims_match(const assay_view *view, const assay_tensor *tensor, const uint64_t *dim, uint64_t rank)
{
    assay_dims rest = {tensor->dims.at, tensor->dims.left};
    uint64_t found = 0;
    if (tensor->rank != rank) {
        return false;
    }
    //@ ghost uint64_t end = view->data_begin;
    /*@ loop invariant view: valid_view(view);
        loop invariant k: k <= rank;
        loop invariant stand: dims_stand(&rest, view->head, shape_of(tensor, view->head, end), end, k);
        loop invariant dims: dims_say(dim, view->head, shape_of(tensor, view->head, end), end, k);
        loop assigns k, rest, found, assay_work;
        loop variant rank - k;
    */
    for (uint64_t k = 0; k < rank; k++) {
        if (!assay_dim_next(view, &rest, &found) || found != dim[k]) {
            return false;
        }
        /*@ assert dim: found == integer_value(view->head,
                dim_at(view->head, shape_of(tensor, view->head, end), end, k), end); */
        //@ assert same: dim[k] == found;
        //@ assert before: \forall integer i; 0 <= i < k ==> dim[i] == \at(dim[i], LoopCurrent);
    }
    return true;
}

/* Is the tensor at this position of the layout order as described, with data that begin at this file offset? Return
 * where they end, or 0. */
/*@ requires view: valid_view(view) && view_says(view);
    requires described: \valid_read(described) && new_tensor_readable(described);
    requires index: index < view->tensors;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures described: \result != 0 ==>
        tensor_described(view->head, view->data_begin, view->order[index], described);
    ensures begin: \result != 0 ==>
        begin == view->data_begin + tensor_begin(view->head, view->data_begin, view->order[index]);
    ensures size: \result != 0 ==> described_size(described, \result - begin);
    ensures end: \result != 0 ==>
        \result == view->data_begin + tensor_finish(view->head, view->data_begin, view->order[index]);
*/
static uint64_t tensor_matches(const assay_view *view, uint64_t index, const assay_new_tensor *described,
                               uint64_t begin)
{
    assay_tensor tensor;
    if (!assay_tensor_at(view, index, &tensor)) {
        return 0;
    }
    //@ ghost const uint8_t *head = view->head;
    //@ ghost uint64_t end = view->data_begin;
    //@ assert place: tensor.index == view->order[index];
    //@ assert says: tensor_says(&tensor, head, end);
    const bool named = assay_text_compare(view, tensor.name, described->name.byte, described->name.size) == 0;
    /*@ assert name: named ==>
            tensor_name(head, end, tensor.index) == bytes_value(described->name.byte, 0, described->name.size); */
    if (!named || tensor.begin != begin || tensor.end - begin != tensor_size(described) ||
        tensor.dtype != described->dtype ||
        !dims_match(view, &tensor, described->dim, described->rank)) {
        return 0;
    }
    //@ assert described: tensor_described(head, end, tensor.index, described);
    return tensor.end;
}

typedef struct {
    assay_text key, value;
} write_texts;

/* Return key and value of a pair. */
/*@ requires view: valid_view(view) && view_says(view) && index < view->pairs;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures inside: \result.key.at <= \result.key.end <= view->data_begin &&
        \result.value.at <= \result.value.end <= view->data_begin;
    ensures key: \result.key.at == pair_key(view->head, view->data_begin, index) + 1;
    ensures key_end: \result.key.end ==
        text_end(view->head, pair_key(view->head, view->data_begin, index) + 1, view->data_begin);
    ensures value: \result.value.at == pair_value(view->head, view->data_begin, index) + 1;
    ensures value_end: \result.value.end ==
        text_end(view->head, pair_value(view->head, view->data_begin, index) + 1, view->data_begin);
*/
static write_texts pair_of(const assay_view *view, uint64_t index)
{
    assay_text key, value;
    (void)assay_metadata_at(view, index, &key, &value);
    const write_texts texts = {key, value};
    return texts;
}

/*@ requires view: valid_view(view) && view_says(view) && index < view->pairs;
    requires described: \valid_read(described) && new_pair_readable(described);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures described: \result ==> pair_described(view->head, view->data_begin, index, described);
*/
static bool pair_matches(const assay_view *view, uint64_t index, const assay_new_pair *described)
{
    const write_texts texts = pair_of(view, index);
    return assay_text_compare(view, texts.key, described->key.byte, described->key.size) == 0 &&
           assay_text_compare(view, texts.value, described->value.byte, described->value.size) == 0;
}

/* Are all tensors as described, and their data one after another? */
/*@ requires view: valid_view(view) && view_says(view);
    requires what: readable_description(what) && what->tensors == view->tensors;
    requires order: \valid_read(order + (0 .. what->tensors - 1));
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures described: \result ==> tensors_described(view, what, order, what->tensors);
    ensures laid: \result ==> laid_on(view, what->tensors) && sizes_described(view, what, order, what->tensors);
*/
static bool tensors_match(const assay_view *view, const assay_description *what, const uint32_t *order)
{
    uint64_t begin = view->data_begin;
    /*@ loop invariant k: k <= what->tensors;
        loop invariant described: tensors_described(view, what, order, k);
        loop invariant sizes: sizes_described(view, what, order, k);
        loop invariant laid: laid_on(view, k) && begin == view->data_begin + laid_end(view, k);
        loop assigns k, begin, assay_work;
        loop variant what->tensors - k;
    */
    for (uint64_t k = 0; k < what->tensors; k++) {
        begin = order[k] < what->tensors ? tensor_matches(view, k, what->tensor + order[k], begin) : 0;
        if (begin == 0) {
            return false;
        }
    }
    return true;
}

/* Are all pairs as described? order: that of the pairs. */
/*@ requires view: valid_view(view) && view_says(view);
    requires what: readable_description(what) && what->pairs == view->pairs;
    requires order: \valid_read(order + (0 .. what->pairs - 1));
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures described: \result ==> pairs_described(view, what, order, what->pairs);
*/
static bool pairs_match(const assay_view *view, const assay_description *what, const uint32_t *order)
{
    /*@ loop invariant k: k <= what->pairs;
        loop invariant described: pairs_described(view, what, order, k);
        loop assigns k, assay_work;
        loop variant what->pairs - k;
    */
    for (uint64_t k = 0; k < what->pairs; k++) {
        if (order[k] >= what->pairs || !pair_matches(view, k, what->pair + order[k])) {
            return false;
        }
    }
    return true;
}

bool assay_view_matches(const assay_view *view, const assay_description *what, const uint32_t *order)
{
    return view->tensors == what->tensors && view->pairs == what->pairs && tensors_match(view, what, order) &&
           pairs_match(view, what, order + what->tensors);
}

/* ---- Two views ------------------------------------------------------------------------------------------ */

typedef struct {
    assay_text left;
    uint32_t code;
    bool found;
} write_character;

/*@ // What a text says whose next character is this one.
    logic integer character_value{L}(uint8_t *b, write_character next) =
        next.found == 1 ? digits(next.code, text_value(b, next.left.at, next.left.end)) : 0;
*/

/* Read the next character of a text, and return it with what is left. */
/*@ requires view: valid_view(view);
    requires text: text_lexed(view->head, text.at, text.end, view->data_begin);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures left: \result.found == 1 ==> text.at < \result.left.at <= \result.left.end == text.end;
    ensures lexed: \result.found == 1 ==>
        text_lexed(view->head, \result.left.at, \result.left.end, view->data_begin);
    ensures value: text_value(view->head, text.at, text.end) == character_value(view->head, \result);
*/
static write_character next_character(const assay_view *view, assay_text text)
{
    uint32_t code = 0;
    const bool found = assay_text_next(view, &text, &code);
    const write_character next = {text, code, found};
    return next;
}

/* Return the tensor at this position of the layout order. */
/*@ requires view: valid_view(view) && view_says(view) && index < view->tensors;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures index: \result.index == view->order[index];
    ensures name: text_lexed(view->head, \result.name.at, \result.name.end, view->data_begin) &&
        text_value(view->head, \result.name.at, \result.name.end) ==
        tensor_name(view->head, view->data_begin, \result.index);
    ensures data: view->data_begin <= \result.begin <= \result.end;
    ensures place: \result.begin == view->data_begin + tensor_begin(view->head, view->data_begin, \result.index) &&
        \result.end == view->data_begin + tensor_finish(view->head, view->data_begin, \result.index);
    ensures dtype: \let object = tensor_object(view->head, view->data_begin, \result.index);
        \result.dtype == object_dtype(view->head, object, view->data_begin) &&
        \result.rank == object_rank(view->head, object, view->data_begin);
    ensures dims: dims_read(\result.dims, view->head, shape_nth(view->head, view->data_begin, \result.index),
                            view->data_begin, 0);
*/
static assay_tensor tensor_of(const assay_view *view, uint64_t index)
{
    assay_tensor tensor;
    (void)assay_tensor_at(view, index, &tensor);
    //@ assert says: tensor_says(&tensor, view->head, view->data_begin);
    /*@ assert dims: dims_read(tensor.dims, view->head, shape_nth(view->head, view->data_begin, tensor.index),
            view->data_begin, 0); */
    return tensor;
}

/*@ requires one: valid_view(one) && text_lexed(one->head, text.at, text.end, one->data_begin);
    requires other: valid_view(other) &&
        text_lexed(other->head, text_other.at, text_other.end, other->data_begin);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures same: \result ==> text_value(one->head, text.at, text.end) ==
        text_value(other->head, text_other.at, text_other.end);
*/
static bool same_texts(const assay_view *one, assay_text text, const assay_view *other, assay_text text_other)
{
    write_character next = next_character(one, text), next_other = next_character(other, text_other);
    /*@ loop invariant left: next.found == 1 ==> next.left.at <= next.left.end;
        loop invariant lexed: next.found == 1 ==>
            text_lexed(one->head, next.left.at, next.left.end, one->data_begin);
        loop invariant lexed_other: next_other.found == 1 ==>
            text_lexed(other->head, next_other.left.at, next_other.left.end, other->data_begin);
        loop invariant same: character_value(one->head, next) == character_value(other->head, next_other) ==>
            text_value(one->head, text.at, text.end) == text_value(other->head, text_other.at, text_other.end);
        loop assigns next, next_other, assay_work;
        loop variant next.found == 1 ? 1 + next.left.end - next.left.at : 0;
    */
    while (next.found && next_other.found && next.code == next_other.code) {
        next = next_character(one, next.left);
        next_other = next_character(other, next_other.left);
    }
    return !next.found && !next_other.found;
}

typedef struct {
    assay_dims left;
    uint64_t dim;
    bool found;
} write_dim;

/* Read the next dim, and return it with what is left. */
/*@ requires view: valid_view(view);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures shape: \forall integer at, k; 0 <= k < shape_rank(view->head, at, view->data_begin) &&
        dims_read(dims, view->head, at, view->data_begin, k) ==>
            \result.found == 1 && dims_read(\result.left, view->head, at, view->data_begin, k + 1) &&
            \result.dim == integer_value(view->head, dim_at(view->head, at, view->data_begin, k), view->data_begin);
*/
static write_dim next_dim(const assay_view *view, assay_dims dims)
{
    uint64_t dim = 0;
    const bool found = assay_dim_next(view, &dims, &dim);
    const write_dim next = {dims, dim, found};
    return next;
}

/* Are the dims of two tensors the same? */
/*@ requires one: valid_view(one) && \valid_read(tensor) &&
        dims_read(tensor->dims, one->head, shape_nth(one->head, one->data_begin, tensor->index), one->data_begin, 0);
    requires other: valid_view(other) && \valid_read(tensor_other) && tensor_other->index == tensor->index &&
        dims_read(tensor_other->dims, other->head,
                  shape_nth(other->head, other->data_begin, tensor_other->index), other->data_begin, 0);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures rank: \result ==> shape_rank(one->head, shape_nth(one->head, one->data_begin, tensor->index),
        one->data_begin) == tensor->dims.left == tensor_other->dims.left == shape_rank(other->head,
            shape_nth(other->head, other->data_begin, tensor->index), other->data_begin);
    ensures same: \result ==> dims_alike(one->head, one->data_begin, other->head, other->data_begin,
                                        tensor->index, tensor->dims.left);
*/
static bool same_dims(const assay_view *one, const assay_tensor *tensor, const assay_view *other,
                      const assay_tensor *tensor_other)
{
    assay_dims dims = tensor->dims, dims_other = tensor_other->dims;
    const uint64_t rank = dims.left;
    if (dims_other.left != rank) {
        return false;
    }
    /*@ loop invariant k: k <= rank;
        loop invariant dims: dims_read(dims, one->head,
            shape_nth(one->head, one->data_begin, tensor->index), one->data_begin, k);
        loop invariant dims_other: dims_read(dims_other, other->head,
            shape_nth(other->head, other->data_begin, tensor_other->index), other->data_begin, k);
        loop invariant same: dims_alike(one->head, one->data_begin, other->head, other->data_begin, tensor->index, k);
        loop assigns k, dims, dims_other, assay_work;
        loop variant rank - k;
    */
    for (uint64_t k = 0; k < rank; k++) {
        const write_dim next = next_dim(one, dims), next_other = next_dim(other, dims_other);
        if (next.dim != next_other.dim) {
            return false;
        }
        dims = next.left;
        dims_other = next_other.left;
    }
    return true;
}

/* Are the tensors at this position of the two layout orders the same? */
/*@ requires one: valid_view(one) && view_says(one) && index < one->tensors;
    requires other: valid_view(other) && view_says(other) && index < other->tensors;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures index: \result ==> one->order[index] == other->order[index];
    ensures same: \result ==>
        tensor_alike(one->head, one->data_begin, other->head, other->data_begin, one->order[index]);
*/
static bool same_tensor(const assay_view *one, const assay_view *other, uint64_t index)
{
    const assay_tensor tensor = tensor_of(one, index), tensor_other = tensor_of(other, index);
    return tensor.index == tensor_other.index && tensor.dtype == tensor_other.dtype &&
           tensor.begin - one->data_begin == tensor_other.begin - other->data_begin &&
           tensor.end - one->data_begin == tensor_other.end - other->data_begin &&
           tensor.rank == tensor_other.rank && same_texts(one, tensor.name, other, tensor_other.name) &&
           same_dims(one, &tensor, other, &tensor_other);
}

bool assay_same_tensors(const assay_view *one, const assay_view *other)
{
    if (one->tensors != other->tensors) {
        return false;
    }
    /*@ loop invariant k: k <= one->tensors;
        loop invariant same: tensors_alike(one, other, k);
        loop assigns k, assay_work;
        loop variant one->tensors - k;
    */
    for (uint64_t k = 0; k < one->tensors; k++) {
        if (!same_tensor(one, other, k)) {
            return false;
        }
    }
    return true;
}

/* Is the key of this pair the one of these bytes? */
/*@ requires view: valid_view(view) && view_says(view) && index < view->pairs;
    requires key: \valid_read(key) && \valid_read(key->byte + (0 .. key->size - 1));
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures named: \result ==> pair_named(view->head, view->data_begin, index, key);
*/
static bool key_matches(const assay_view *view, uint64_t index, const assay_chars *key)
{
    const write_texts texts = pair_of(view, index);
    return assay_text_compare(view, texts.key, key->byte, key->size) == 0;
}

/* Do pair `index` of one and pair `at` of the other state these texts? */
/*@ requires one: valid_view(one) && view_says(one) && index < one->pairs;
    requires other: valid_view(other) && view_says(other) && at < other->pairs;
    requires text: \valid_read(text) && new_pair_readable(text);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures alike: \result ==>
        pair_alike(one->head, one->data_begin, index, other->head, other->data_begin, at);
*/
static bool same_pair(const assay_view *one, uint64_t index, const assay_view *other, uint64_t at,
                      const assay_new_pair *text)
{
    return pair_matches(one, index, text) && pair_matches(other, at, text);
}

bool assay_pairs_kept(const assay_view *one, const assay_view *other, const assay_new_pair *text,
                      const uint32_t *where, const assay_chars *key, uint64_t keys)
{
    /*@ loop invariant k: k <= one->pairs;
        loop invariant kept: pairs_unchanged(one, other, where, key, keys, k);
        loop assigns k, assay_work;
        loop variant one->pairs - k;
    */
    for (uint64_t k = 0; k < one->pairs; k++) {
        const uint64_t at = where[k];
        const bool kept =
            at < other->pairs ? same_pair(one, k, other, at, text + k)
                              : at - other->pairs < keys && key_matches(one, k, key + (at - other->pairs));
        if (!kept) {
            return false;
        }
    }
    return true;
}

#endif
