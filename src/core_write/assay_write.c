/* assay_write.c: writes the head of a file, has it judged, and compares the view with what was described: a unit beside
 * the core, which calls nothing but the functions of assay.h. */
#include "write_contracts.h"

#include "write_words.h"
#include "write_order.h"
#include "write_bytes.h"
#include "write_compare.h"

#define WRITE_LISTED_MAX 16777215u /* tensors and pairs: more do not fit into a header */
#define WRITE_ALIGN_MAX 67108864u
#define WRITE_DATA_END (UINT64_C(9223372036854775808) - 8u - WRITE_HEADER_MAX)

/* ---- Errors --------------------------------------------------------------------------------------------- */

/* Set an error. What is ASSAY_NONE is not set. */
static assay_status set_error(assay_error *error, assay_status status, uint64_t tensor, uint64_t other,
                              uint64_t expected, uint64_t found)
{
    error->status = status;
    error->offset = ASSAY_NONE;
    error->tensor = tensor;
    error->other = other;
    error->expected = expected;
    error->found = found;
    error->has = (tensor != ASSAY_NONE ? ASSAY_HAS_TENSOR : 0u) + (other != ASSAY_NONE ? ASSAY_HAS_OTHER : 0u) +
                 (expected != ASSAY_NONE ? ASSAY_HAS_EXPECTED : 0u) + (found != ASSAY_NONE ? ASSAY_HAS_FOUND : 0u);
    error->name.at = 0;
    error->name.end = 0;
    error->other_name.at = 0;
    error->other_name.end = 0;
    return status;
}

static assay_status set_status(assay_error *error, assay_status status)
{
    return set_error(error, status, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE);
}

/* ---- The plan ------------------------------------------------------------------------------------------- */

static bool options_valid(const assay_write_options *options)
{
    return options == NULL ||
           (options->api == ASSAY_API && options->order <= ASSAY_ORDER_GIVEN && options->align >= 8u &&
            options->align <= WRITE_ALIGN_MAX && (options->align & (options->align - 1u)) == 0 &&
            options->metadata <= 1u);
}

/* Does the header have __metadata__? */
static bool has_metadata(const assay_description *what, const assay_write_options *options)
{
    return what->pairs > 0 || (options != NULL && options->metadata == 1u);
}

/* Return the bytes of the header that are no pair, no tensor and no comma after one. */
static uint64_t frame_size(const assay_description *what, bool metadata)
{
    return metadata ? TOKEN_OPEN_METADATA % 256u + (what->pairs > 0 ? 1u : 2u) : what->tensors > 0 ? 1u : 2u;
}

/* Return the bytes of a pair in the header without the comma; above the limit if they are too many, ASSAY_NONE if there
 * is a NUL. */
static uint64_t pair_size(const assay_new_pair *pair)
{
    const uint64_t key = string_size(pair->key), value = string_size(pair->value);
    if (key > WRITE_HEADER_MAX || value > WRITE_HEADER_MAX) {
        return key == ASSAY_NONE || value == ASSAY_NONE ? ASSAY_NONE : WRITE_HEADER_MAX + 1u;
    }
    return key + value + TOKEN_KEY % 256u + 2u;
}

/* The same for a tensor without its data offsets. */
static uint64_t tensor_text_size(const assay_new_tensor *tensor)
{
    uint64_t size = string_size(tensor->name);
    if (size > WRITE_HEADER_MAX) {
        return size;
    }
    for (uint64_t k = 0; k < tensor->rank && size <= WRITE_HEADER_MAX; k++) {
        size += number_size(tensor->dim[k]) + (k > 0 ? 1u : 0u);
    }
    return size + write_dtype_word(tensor->dtype) % 256u + TOKEN_DTYPE % 256u + TOKEN_SHAPE % 256u +
           TOKEN_OFFSETS % 256u + TOKEN_CLOSE % 256u + 1u;
}

/* Add the bytes of all pairs, with commas, to *text. */
static assay_status count_pairs(const assay_description *what, uint64_t *text, assay_error *error)
{
    for (uint64_t k = 0; k < what->pairs && *text <= WRITE_HEADER_MAX; k++) {
        const uint64_t size = pair_size(what->pair + k);
        if (size == ASSAY_NONE) {
            return set_error(error, ASSAY_W_NUL, ASSAY_NONE, k, ASSAY_NONE, ASSAY_NONE);
        }
        *text += size + 1u;
    }
    return ASSAY_OK;
}

/* Is this the name that no tensor may have? */
static bool is_reserved(assay_chars name)
{
    const uint32_t word = TOKEN_OPEN_METADATA / 256u + 2u;
    if (name.size != 12u) {
        return false;
    }
    for (uint32_t k = 0; k < 12u; k++) {
        if (name.byte[k] != write_words[word + k]) {
            return false;
        }
    }
    return true;
}

/* Add the bytes of all tensors, with commas and without data offsets, to *text, and those of their data to *data. */
static assay_status count_tensors(const assay_description *what, uint64_t *text, uint64_t *data, assay_error *error)
{
    for (uint64_t k = 0; k < what->tensors && *text <= WRITE_HEADER_MAX; k++) {
        const assay_new_tensor *tensor = what->tensor + k;
        const uint64_t text_size = tensor_text_size(tensor), size = tensor_size(tensor);
        if (text_size == ASSAY_NONE) {
            return set_error(error, ASSAY_W_NUL, k, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE);
        }
        if (is_reserved(tensor->name)) {
            return set_error(error, ASSAY_W_RESERVED, k, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE);
        }
        if (size == ASSAY_NONE) {
            return set_error(error, ASSAY_W_TENSOR, k, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE);
        }
        if (size >= WRITE_DATA_END - *data) {
            return set_error(error, ASSAY_W_DATA_LARGE, k, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE);
        }
        *text += text_size + 1u;
        *data += size;
    }
    return ASSAY_OK;
}

/* Return the bytes of all data offsets. */
static uint64_t offsets_size(const assay_description *what, const uint32_t *order)
{
    uint64_t used = 0, end = 0;
    uint32_t digits = 1;
    for (uint64_t k = 0; k < what->tensors; k++) {
        used += digits + 1u;
        end += tensor_size(what->tensor + order[k]);
        digits = number_size(end);
        used += digits;
    }
    return used;
}

/* Return 8 + N for a header of this many bytes, or 0 if N would be above the limit. */
static uint64_t head_size(uint64_t text, const assay_write_options *options)
{
    const uint64_t align = options == NULL ? 8u : options->align;
    const uint64_t reserve = options == NULL ? 0 : options->reserve;
    const uint64_t length = text > reserve ? text : reserve;
    if (length > WRITE_HEADER_MAX) {
        return 0;
    }
    const uint64_t size = (8u + length + (align - 1u)) & ~(align - 1u);
    return size > 8u + WRITE_HEADER_MAX ? 0 : size;
}

assay_status assay_head_plan(const assay_description *what, const assay_write_options *options, uint32_t *order,
                             assay_file_plan *plan, assay_error *error)
{
    uint64_t text = frame_size(what, has_metadata(what, options)), data = 0, size = 0;
    if (!options_valid(options)) {
        return set_status(error, ASSAY_USAGE);
    }
    if (what->tensors > WRITE_LISTED_MAX || what->pairs > WRITE_LISTED_MAX) {
        return set_status(error, ASSAY_W_HEADER_LARGE);
    }
    if (count_pairs(what, &text, error) != ASSAY_OK || count_tensors(what, &text, &data, error) != ASSAY_OK) {
        return (assay_status)error->status;
    }
    if (text <= WRITE_HEADER_MAX) {
        const bool canonical = options == NULL || options->order == ASSAY_ORDER_CANONICAL;
        const uint32_t tensors = (uint32_t)what->tensors, pairs = (uint32_t)what->pairs;
        put_in_order(what, true, canonical, order, order + (tensors + pairs), tensors);
        put_in_order(what, false, canonical, order + tensors, order + (tensors + pairs), pairs);
        text += offsets_size(what, order);
        size = head_size(text, options);
    }
    if (size == 0) {
        return set_status(error, ASSAY_W_HEADER_LARGE);
    }
    plan->head = size;
    plan->data = data;
    plan->file = size + data;
    return set_status(error, ASSAY_OK);
}

/* ---- The head ------------------------------------------------------------------------------------------- */

/* Write what comes before the tensors: the brace, and the metadata. */
static uint32_t put_metadata(const assay_description *what, bool metadata, const uint32_t *order, uint8_t *head,
                             uint32_t limit)
{
    if (!metadata) {
        return put_byte(head, 8, limit, '{');
    }
    uint32_t at = put_word(head, 8, limit, TOKEN_OPEN_METADATA);
    for (uint64_t k = 0; k < what->pairs && at <= limit; k++) {
        if (k > 0) {
            at = put_byte(head, at, limit, ',');
        }
        if (order[k] >= what->pairs) {
            return limit + 1u;
        }
        at = put_pair(head, at, limit, what->pair + order[k]);
    }
    return put_byte(head, at, limit, '}');
}

/* Write the tensors. metadata: something comes before them. */
static uint32_t put_tensors(const assay_description *what, bool metadata, const uint32_t *order, uint8_t *head,
                            uint32_t at, uint32_t limit)
{
    uint64_t begin = 0;
    for (uint64_t k = 0; k < what->tensors && at <= limit; k++) {
        const uint64_t size = order[k] < what->tensors ? tensor_size(what->tensor + order[k]) : ASSAY_NONE;
        if (size > UINT64_MAX - 1u - begin) {
            return limit + 1u;
        }
        if (k > 0 || metadata) {
            at = put_byte(head, at, limit, ',');
        }
        at = put_tensor(head, at, limit, what->tensor + order[k], begin, begin + size);
        begin += size;
    }
    return at;
}

/* Write the header length, and spaces from head[at] on. */
static void put_rest(uint8_t *head, uint32_t at, uint32_t limit)
{
    uint32_t length = limit - 8u;
    for (uint32_t k = 0; k < 8u; k++) {
        head[k] = (uint8_t)(length % 256u);
        length /= 256u;
    }
    for (uint32_t k = at; k < limit; k++) {
        head[k] = ' ';
    }
}

assay_status assay_head_write(const assay_description *what, const assay_write_options *options, const uint32_t *order,
                              const assay_file_plan *plan, const assay_head_buffer *head, assay_error *error)
{
    if (!options_valid(options)) {
        return set_status(error, ASSAY_USAGE);
    }
    if (plan->head < 16u || plan->head > 8u + WRITE_HEADER_MAX) {
        return set_status(error, ASSAY_W_DIFFERS);
    }
    if (plan->head > head->size) {
        return set_error(error, ASSAY_W_BUFFER, ASSAY_NONE, ASSAY_NONE, plan->head, head->size);
    }
    const uint32_t limit = (uint32_t)plan->head;
    const bool metadata = has_metadata(what, options);
    uint32_t at = put_metadata(what, metadata, order + what->tensors, head->byte, limit);
    at = put_tensors(what, metadata, order, head->byte, at, limit);
    at = put_byte(head->byte, at, limit, '}');
    if (at > limit) {
        return set_status(error, ASSAY_W_DIFFERS);
    }
    put_rest(head->byte, at, limit);
    return set_status(error, ASSAY_OK);
}

/* ---- Judged --------------------------------------------------------------------------------------------- */

/* Find the text that is not UTF-8: offset is that of a byte of it. */
static assay_status utf8_error(const assay_description *what, const assay_write_options *options,
                               const uint32_t *order, uint64_t offset, assay_error *error)
{
    uint64_t at = 8u + frame_size(what, has_metadata(what, options)), begin = 0;
    for (uint64_t k = 0; k < what->pairs; k++) {
        at += pair_size(what->pair + order[what->tensors + k]) + 1u;
        if (offset < at) {
            return set_error(error, ASSAY_W_UTF8, ASSAY_NONE, order[what->tensors + k], ASSAY_NONE, ASSAY_NONE);
        }
    }
    for (uint64_t k = 0; k < what->tensors; k++) {
        const assay_new_tensor *tensor = what->tensor + order[k];
        const uint64_t end = begin + tensor_size(tensor);
        at += tensor_text_size(tensor) + number_size(begin) + number_size(end) + 2u;
        if (offset < at) {
            return set_error(error, ASSAY_W_UTF8, order[k], ASSAY_NONE, ASSAY_NONE, ASSAY_NONE);
        }
        begin = end;
    }
    return set_status(error, ASSAY_W_DIFFERS);
}

/* Say why the head was not accepted, with the caller's indexes. */
static assay_status judged_error(const assay_description *what, const assay_write_options *options,
                                 const uint32_t *order, assay_error *error)
{
    const uint64_t tensors = what->tensors, pairs = what->pairs;
    switch (error->status) {
    case ASSAY_WORKSPACE: return ASSAY_WORKSPACE;
    case ASSAY_E_UTF8: return utf8_error(what, options, order, error->offset, error);
    case ASSAY_E_NAME_TWICE:
        if (error->tensor < tensors && error->other < tensors) {
            return set_error(error, ASSAY_W_TWICE, order[error->tensor], order[error->other], ASSAY_NONE, ASSAY_NONE);
        }
        break;
    case ASSAY_E_METADATA_KEY_TWICE:
        if (error->other < pairs && error->found < pairs) {
            return set_error(error, ASSAY_W_TWICE, ASSAY_NONE, order[tensors + error->other], ASSAY_NONE,
                             order[tensors + error->found]);
        }
        break;
    default: break;
    }
    return set_status(error, ASSAY_W_DIFFERS);
}

assay_status assay_head_make(const assay_description *what, const assay_write_options *options, uint32_t *order,
                             const assay_head_buffer *head, const assay_workspace *workspace, assay_file_plan *plan,
                             assay_result *result)
{
    if (assay_head_plan(what, options, order, plan, &result->error) != ASSAY_OK ||
        assay_head_write(what, options, order, plan, head, &result->error) != ASSAY_OK) {
        return (assay_status)result->error.status;
    }
    const assay_input input = {head->byte, plan->head, plan->file};
    if (assay_parse(&input, NULL, workspace, result) != ASSAY_OK) {
        return judged_error(what, options, order, &result->error);
    }
    if (!assay_view_matches(&result->view, what, order)) {
        return set_status(&result->error, ASSAY_W_DIFFERS);
    }
    return ASSAY_OK;
}

/* ---- The data ------------------------------------------------------------------------------------------- */

bool assay_piece_next(const assay_description *what, const uint32_t *order, const assay_file_plan *plan, assay_piece *piece)
{
    const uint64_t begin = piece->next == 0 ? plan->head : piece->end;
    if (piece->next >= what->tensors || order[piece->next] >= what->tensors) {
        return false;
    }
    const uint64_t size = tensor_size(what->tensor + order[piece->next]);
    if (size > UINT64_MAX - 1u - begin) {
        return false;
    }
    piece->tensor = order[piece->next];
    piece->begin = begin;
    piece->end = begin + size;
    piece->next++;
    return true;
}
