/* assay_write.c: writes the head of a file, has it judged, and compares the view with what was described: a unit beside
 * the core, which calls nothing but the functions of assay.h. */
#include "write_contracts.h"

#include "write_words.h"
#include "write_order.h"
#include "write_bytes.h"
#include "write_compare.h"
#include "write_sizes.h"

/* ---- Errors --------------------------------------------------------------------------------------------- */

/* Set an error. What is ASSAY_NONE is not set. */
/*@ requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns *error;
    ensures status: \result == status && error->status == status;
*/
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

/*@ requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns *error;
    ensures status: \result == status && error->status == status;
*/
static assay_status set_status(assay_error *error, assay_status status)
{
    return set_error(error, status, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE);
}

/* ---- The plan ------------------------------------------------------------------------------------------- */

/*@ requires options: options == \null || \valid_read(options);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures align: \result && options != \null ==> 8 <= options->align <= WRITE_ALIGN_MAX;
*/
static bool options_valid(const assay_write_options *options)
{
    return options == NULL ||
           (options->api == ASSAY_API && options->order <= ASSAY_ORDER_GIVEN && options->align >= 8u &&
            options->align <= WRITE_ALIGN_MAX && (options->align & (options->align - 1u)) == 0 &&
            options->metadata <= 1u);
}

/* Does the header have __metadata__? */
/*@ requires what: \valid_read(what);
    requires options: options == \null || \valid_read(options);
    terminates \true;
    exits \false;
    assigns \nothing;
*/
static bool has_metadata(const assay_description *what, const assay_write_options *options)
{
    return what->pairs > 0 || (options != NULL && options->metadata == 1u);
}

assay_status assay_head_plan(const assay_description *what, const assay_write_options *options, uint32_t *order,
                             assay_file_plan *plan, assay_error *error)
{
    const bool canonical = options == NULL || options->order == ASSAY_ORDER_CANONICAL;
    if (!options_valid(options)) {
        return set_status(error, ASSAY_USAGE);
    }
    const write_count count = count_all(what, has_metadata(what, options));
    if (count.status != ASSAY_OK) {
        return set_error(error, count.status, count.tensor, count.pair, ASSAY_NONE, ASSAY_NONE);
    }
    const uint32_t tensors = (uint32_t)what->tensors, pairs = (uint32_t)what->pairs;
    put_in_order(what, true, canonical, order, order + (tensors + pairs), tensors);
    put_in_order(what, false, canonical, order + tensors, order + (tensors + pairs), pairs);
    const uint64_t head = head_size(count.text + offsets_size(what, order), options);
    if (head == 0) {
        return set_status(error, ASSAY_W_HEADER_LARGE);
    }
    plan->head = head;
    plan->data = count.data;
    plan->file = head + count.data;
    return set_status(error, ASSAY_OK);
}

/* ---- The head ------------------------------------------------------------------------------------------- */

/* Write what comes before the tensors: the brace, and the metadata. */
/*@ requires what: readable_description(what) && few_described(what);
    requires order: \valid_read(order + (0 .. what->pairs - 1));
    requires head: \valid(head + (0 .. limit - 1));
    requires limit: 16 <= limit <= 100000008;
    terminates \true;
    exits \false;
    assigns head[0 .. limit - 1];
    ensures at: 8 <= \result <= limit + 1;
*/
static uint32_t put_metadata(const assay_description *what, bool metadata, const uint32_t *order, uint8_t *head,
                             uint32_t limit)
{
    if (!metadata) {
        return put_byte(head, 8, limit, '{');
    }
    uint32_t at = put_word(head, 8, limit, TOKEN_OPEN_METADATA);
    /*@ loop invariant k: k <= what->pairs;
        loop invariant at: 8 <= at <= limit + 1;
        loop assigns k, at, head[0 .. limit - 1];
        loop variant what->pairs - k;
    */
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
/*@ requires what: readable_description(what) && few_described(what);
    requires order: \valid_read(order + (0 .. what->tensors - 1));
    requires head: \valid(head + (0 .. limit - 1));
    requires at: 8 <= at <= limit + 1 <= 100000009;
    terminates \true;
    exits \false;
    assigns head[0 .. limit - 1];
    ensures at: 8 <= \result <= limit + 1;
*/
static uint32_t put_tensors(const assay_description *what, bool metadata, const uint32_t *order, uint8_t *head,
                            uint32_t at, uint32_t limit)
{
    uint64_t end = 0;
    write_span offset = {0, 0};
    /*@ loop invariant k: k <= what->tensors;
        loop invariant at: 8 <= at <= limit + 1;
        loop invariant offset: offset.at + offset.size <= limit;
        loop assigns k, at, end, offset, head[0 .. limit - 1];
        loop variant what->tensors - k;
    */
    for (uint64_t k = 0; k < what->tensors && at <= limit; k++) {
        const uint64_t size = order[k] < what->tensors ? tensor_size(what->tensor + order[k]) : ASSAY_NONE;
        if (size == ASSAY_NONE || size > UINT64_MAX - end) {
            return limit + 1u;
        }
        if (k > 0 || metadata) {
            at = put_byte(head, at, limit, ',');
        }
        end += size;
        at = put_tensor(head, at, limit, what->tensor + order[k], &offset, end);
    }
    return at;
}

/* Write the header length, and spaces from head[at] on. */
/*@ requires head: \valid(head + (0 .. limit - 1));
    requires at: 8 <= at <= limit <= 100000008;
    terminates \true;
    exits \false;
    assigns head[0 .. limit - 1];
*/
static void put_rest(uint8_t *head, uint32_t at, uint32_t limit)
{
    uint32_t length = limit - 8u;
    /*@ loop invariant k: k <= 8;
        loop assigns k, length, head[0 .. limit - 1];
        loop variant 8 - k;
    */
    for (uint32_t k = 0; k < 8u; k++) {
        head[k] = (uint8_t)(length % 256u);
        length /= 256u;
    }
    /*@ loop invariant k: 8 <= k <= limit;
        loop assigns k, head[0 .. limit - 1];
        loop variant limit - k;
    */
    for (uint32_t k = at; k < limit; k++) {
        head[k] = ' ';
    }
}

/* Write a head of `limit` bytes. Return false if the header does not fit. */
/*@ requires what: readable_description(what) && few_described(what);
    requires order: \valid_read(order + (0 .. what->tensors + what->pairs - 1));
    requires byte: \valid(byte + (0 .. limit - 1));
    requires limit: 16 <= limit <= 100000008;
    terminates \true;
    exits \false;
    assigns byte[0 .. limit - 1];
*/
static bool put_head(const assay_description *what, bool metadata, const uint32_t *order, uint8_t *byte,
                     uint32_t limit)
{
    uint32_t at = put_metadata(what, metadata, order + what->tensors, byte, limit);
    at = put_tensors(what, metadata, order, byte, at, limit);
    at = put_byte(byte, at, limit, '}');
    if (at > limit) {
        return false;
    }
    put_rest(byte, at, limit);
    return true;
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
    const bool done = put_head(what, has_metadata(what, options), order, head->byte, (uint32_t)plan->head);
    return set_status(error, done ? ASSAY_OK : ASSAY_W_DIFFERS);
}

/* ---- Judged --------------------------------------------------------------------------------------------- */

/* An element of the order, and how many bytes come from where it begins to a byte of the head. */
typedef struct {
    uint64_t index, left;
} write_element;

/* Find the pair that holds a byte, which is `left` bytes from the first pair. index: the number of pairs if none
 * does. */
/*@ requires what: readable_description(what) && few_described(what);
    requires order: \valid_read(order + (0 .. what->pairs - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures index: \result.index <= what->pairs;
*/
static write_element pair_around(const assay_description *what, const uint32_t *order, uint64_t left)
{
    write_element found = {0, left};
    /*@ loop invariant index: found.index <= what->pairs;
        loop assigns found;
        loop variant what->pairs - found.index;
    */
    while (found.index < what->pairs && order[found.index] < what->pairs) {
        const uint64_t size = pair_size(what->pair + order[found.index]);
        if (found.left <= size) {
            return found;
        }
        found.left -= size + 1u;
        found.index++;
    }
    found.index = what->pairs;
    return found;
}

/* The same for tensors. */
/*@ requires what: readable_description(what) && few_described(what);
    requires order: \valid_read(order + (0 .. what->tensors - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures index: \result <= what->tensors;
*/
static uint64_t tensor_around(const assay_description *what, const uint32_t *order, uint64_t left)
{
    uint64_t begin = 0;
    /*@ loop invariant k: k <= what->tensors;
        loop assigns k, begin, left;
        loop variant what->tensors - k;
    */
    for (uint64_t k = 0; k < what->tensors && order[k] < what->tensors; k++) {
        const assay_new_tensor *tensor = what->tensor + order[k];
        const uint64_t size = tensor_size(tensor), text = tensor_text_size(tensor);
        if (size > UINT64_MAX - begin || text == ASSAY_NONE) {
            return what->tensors;
        }
        const uint64_t used = text + number_size(begin) + number_size(begin + size) + 2u;
        if (left < used) {
            return k;
        }
        begin += size;
        left -= used;
    }
    return what->tensors;
}

/* Find the text that is not UTF-8, of which the byte at `offset` is one. start: of pairs and tensors. */
/*@ requires what: readable_description(what) && few_described(what);
    requires order: \valid_read(order + (0 .. what->tensors + what->pairs - 1));
    requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns *error;
    ensures status: \result == error->status && \result != ASSAY_OK;
*/
static assay_status utf8_error(const assay_description *what, const uint32_t *order, uint64_t start, uint64_t offset,
                               assay_error *error)
{
    if (offset < start) {
        return set_status(error, ASSAY_W_DIFFERS);
    }
    const write_element pair = pair_around(what, order + what->tensors, offset - start);
    if (pair.index < what->pairs) {
        return set_error(error, ASSAY_W_UTF8, ASSAY_NONE, order[what->tensors + pair.index], ASSAY_NONE, ASSAY_NONE);
    }
    const uint64_t tensor = tensor_around(what, order, pair.left);
    if (tensor < what->tensors) {
        return set_error(error, ASSAY_W_UTF8, order[tensor], ASSAY_NONE, ASSAY_NONE, ASSAY_NONE);
    }
    return set_status(error, ASSAY_W_DIFFERS);
}

/* Report why the head was not accepted, with the caller's indexes. */
/*@ requires what: readable_description(what) && few_described(what);
    requires order: \valid_read(order + (0 .. what->tensors + what->pairs - 1));
    requires error: \valid(error) && error->status != ASSAY_OK;
    terminates \true;
    exits \false;
    assigns *error;
    ensures status: \result == error->status && \result != ASSAY_OK;
*/
static assay_status judged_error(const assay_description *what, const uint32_t *order, uint64_t start,
                                 assay_error *error)
{
    const uint64_t tensors = what->tensors, pairs = what->pairs;
    const uint64_t status = error->status, tensor = error->tensor, other = error->other, found = error->found;
    if (status == ASSAY_WORKSPACE) {
        return ASSAY_WORKSPACE;
    }
    if (status == ASSAY_E_UTF8) {
        return utf8_error(what, order, start, error->offset, error);
    }
    if (status == ASSAY_E_NAME_TWICE && tensor < tensors && other < tensors) {
        return set_error(error, ASSAY_W_TWICE, order[tensor], order[other], ASSAY_NONE, ASSAY_NONE);
    }
    if (status == ASSAY_E_METADATA_KEY_TWICE && other < pairs && found < pairs) {
        return set_error(error, ASSAY_W_TWICE, ASSAY_NONE, order[tensors + other], ASSAY_NONE,
                         order[tensors + found]);
    }
    return set_status(error, ASSAY_W_DIFFERS);
}

/* Judge a head, with a contract that has no more than is needed here. */
/*@ requires input: judge_input(input, \null);
    requires result: judge_result(result, input, \null);
    requires workspace: judge_workspace(workspace) && judge_room(workspace, result);
    requires present: workspace->entry != \null && workspace->word != \null;
    requires memory: judge_memory(input, \null, workspace);
    terminates \true;
    exits \false;
    assigns *result, workspace->entry[0 .. workspace->entries - 1], workspace->word[0 .. workspace->words - 1],
        assay_work, assay_passes;
    ensures status: \result == result->error.status;
    ensures valid: \result == ASSAY_OK ==> \old(input_valid(input, \null));
    ensures view: \result == ASSAY_OK ==>
        valid_view(&result->view) && view_says(&result->view) && view_finds(&result->view);
    ensures head: \result == ASSAY_OK ==> result->view.head == \old(input->head);
    ensures file: \result == ASSAY_OK ==>
        result->view.data_begin + result->view.data_size == \old(input->file_size);
*/
static assay_status parse_head(const assay_input *input, const assay_workspace *workspace, assay_result *result)
{
    //@ ghost const uint8_t *byte = input->head;
    //@ ghost uint64_t file = input->file_size;
    //@ assert head_apart: \separated(&input->head, result);
    /*@ assert file_apart: \separated(&input->file_size, result) &&
            \separated(&input->file_size, workspace->entry + (0 .. workspace->entries - 1)); */
    const assay_status status = assay_parse(input, NULL, workspace, result);
    //@ assert head: input->head == byte;
    //@ assert file: input->file_size == file;
    return status;
}

/* Judge a head, and compare its view with what was described. start: of its pairs and tensors. */
/*@ requires what: readable_description(what) && few_described(what);
    requires order: \valid_read(order + (0 .. what->tensors + what->pairs - 1));
    requires input: judge_input(input, \null);
    requires result: judge_result(result, input, \null);
    requires workspace: judge_workspace(workspace) && judge_room(workspace, result);
    requires present: workspace->entry != \null && workspace->word != \null;
    requires memory: judge_memory(input, \null, workspace);
    requires apart: \separated(result, what, what->tensor + (0 .. what->tensors - 1),
        what->pair + (0 .. what->pairs - 1));
    requires entries: \separated(workspace->entry + (0 .. workspace->entries - 1), what,
        what->tensor + (0 .. what->tensors - 1), what->pair + (0 .. what->pairs - 1));
    requires words: \separated(workspace->word + (0 .. workspace->words - 1),
        order + (0 .. what->tensors + what->pairs - 1));
    terminates \true;
    exits \false;
    assigns *result, workspace->entry[0 .. workspace->entries - 1], workspace->word[0 .. workspace->words - 1],
        assay_work, assay_passes;
    ensures status: \result == result->error.status;
    ensures valid: \result == ASSAY_OK ==> valid(result->view.head, result->view.data_begin,
        result->view.data_begin + result->view.data_size, \null);
    ensures view: \result == ASSAY_OK ==>
        valid_view(&result->view) && view_says(&result->view) && view_finds(&result->view);
    ensures described: \result == ASSAY_OK ==> view_described(&result->view, what, order);
    ensures head: \result == ASSAY_OK ==> result->view.head == \old(input->head);
    ensures laid: \result == ASSAY_OK ==> laid_on(&result->view, what->tensors) &&
        sizes_described(&result->view, what, order, what->tensors);
*/
static assay_status judge_head(const assay_description *what, const uint32_t *order, uint64_t start,
                               const assay_input *input, const assay_workspace *workspace, assay_result *result)
{
    const uint64_t size = input->head_size;
    /*@ assert tensors_apart: \separated(&what->tensors, result) &&
            \separated(&what->tensors, workspace->entry + (0 .. workspace->entries - 1)); */
    /*@ assert pairs_apart: \separated(&what->pairs, result) &&
            \separated(&what->pairs, workspace->entry + (0 .. workspace->entries - 1)); */
    //@ assert arrays_apart: \separated(&what->tensor, result) && \separated(&what->pair, result);
    /*@ assert each_apart: \forall integer i; 0 <= i < what->tensors ==>
            \separated(what->tensor + i, result) &&
            \separated(what->tensor + i, workspace->entry + (0 .. workspace->entries - 1)); */
    /*@ assert pair_apart: \forall integer i; 0 <= i < what->pairs ==>
            \separated(what->pair + i, result) &&
            \separated(what->pair + i, workspace->entry + (0 .. workspace->entries - 1)); */
    //@ ghost const uint8_t *byte = input->head;
    //@ ghost uint64_t file = input->file_size;
    //@ assert meant: input_valid(input, \null) <==> valid(byte, size, file, \null);
    const assay_status status = parse_head(input, workspace, result);
    //@ assert sound: status == ASSAY_OK ==> valid(byte, size, file, \null);
    //@ assert tensors: what->tensors == \at(what->tensors, Pre);
    //@ assert pairs: what->pairs == \at(what->pairs, Pre);
    //@ assert arrays: what->tensor == \at(what->tensor, Pre) && what->pair == \at(what->pair, Pre);
    //@ assert counts1: same_description{Pre, Here}(what);
    //@ assert tensors1: same_tensors{Pre, Here}(what->tensor, what->tensors);
    //@ assert pairs1: same_pairs{Pre, Here}(what->pair, what->pairs);
    //@ assert readable1: readable_description(what) && few_described(what);
    if (status != ASSAY_OK) {
        return judged_error(what, order, start, &result->error);
    }
    if (result->view.data_begin != size || !assay_view_matches(&result->view, what, order)) {
        return set_status(&result->error, ASSAY_W_DIFFERS);
    }
    return ASSAY_OK;
}

/* Plan and write. */
/*@ requires what: given_description(what);
    requires options: options == \null || \valid_read(options);
    requires order: few_described(what) ==> \valid(order + (0 .. 2 * (what->tensors + what->pairs) - 1));
    requires head: \valid_read(head) && \valid(head->byte + (0 .. head->size - 1));
    requires out: \valid(plan) && \valid(error) && \separated(plan, error, head, options);
    requires plan: \separated(plan, what, what->tensor + (0 .. what->tensors - 1),
        what->pair + (0 .. what->pairs - 1));
    requires error: \separated(error, what, what->tensor + (0 .. what->tensors - 1),
        what->pair + (0 .. what->pairs - 1));
    terminates \true;
    exits \false;
    assigns order[0 .. 2 * (what->tensors + what->pairs) - 1], *plan, *error, head->byte[0 .. head->size - 1];
    ensures status: \result == error->status;
    ensures same: \result == ASSAY_OK ==> same_description{Pre, Post}(what);
    ensures what: \result == ASSAY_OK ==> readable_description(what) && few_described(what);
    ensures input: \result == ASSAY_OK ==> plan->input.head == head->byte && plan->input.head_size == plan->head &&
        plan->input.file_size == plan->file;
    ensures size: \result == ASSAY_OK ==> plan->head <= head->size;
*/
static assay_status write_planned(const assay_description *what, const assay_write_options *options, uint32_t *order,
                                  const assay_head_buffer *head, assay_file_plan *plan, assay_error *error)
{
    const assay_status status = assay_head_plan(what, options, order, plan, error);
    if (status != ASSAY_OK) {
        return status;
    }
    //@ assert counts1: same_description{Pre, Here}(what);
    //@ assert tensors1: same_tensors{Pre, Here}(what->tensor, what->tensors);
    //@ assert pairs1: same_pairs{Pre, Here}(what->pair, what->pairs);
    //@ assert readable1: readable_description(what) && few_described(what);
    if (plan->head > head->size) {
        return set_error(error, ASSAY_W_BUFFER, ASSAY_NONE, ASSAY_NONE, plan->head, head->size);
    }
    if (!put_head(what, has_metadata(what, options), order, head->byte, (uint32_t)plan->head)) {
        return set_status(error, ASSAY_W_DIFFERS);
    }
    plan->input.head = head->byte;
    plan->input.head_size = plan->head;
    plan->input.file_size = plan->file;
    //@ assert counts2: same_description{Pre, Here}(what);
    //@ assert tensors2: same_tensors{Pre, Here}(what->tensor, what->tensors);
    //@ assert pairs2: same_pairs{Pre, Here}(what->pair, what->pairs);
    //@ assert readable2: readable_description(what) && few_described(what);
    return status;
}

assay_status assay_head_make(const assay_description *what, const assay_write_options *options, uint32_t *order,
                             const assay_head_buffer *head, const assay_workspace *workspace, assay_file_plan *plan,
                             assay_result *result)
{
    assay_status status = write_planned(what, options, order, head, plan, &result->error);
    if (status != ASSAY_OK) {
        return status;
    }
    //@ assert counts: same_description{Pre, Here}(what);
    const uint64_t start = 8u + frame_size(what, has_metadata(what, options));
    //@ ghost const uint8_t *byte = head->byte;
    //@ ghost uint64_t room = head->size;
    /*@ assert workspace: workspace->entry == \at(workspace->entry, Pre) &&
            workspace->entries == \at(workspace->entries, Pre) && workspace->word == \at(workspace->word, Pre) &&
            workspace->words == \at(workspace->words, Pre); */
    //@ assert buffer: head->byte == \at(head->byte, Pre) && head->size == \at(head->size, Pre);
    /*@ assert apart: \separated(byte + (0 .. plan->head - 1), workspace->entry + (0 .. workspace->entries - 1)) &&
            \separated(byte + (0 .. plan->head - 1), workspace->word + (0 .. workspace->words - 1)); */
    //@ assert written: plan->input.head == byte;
    status = judge_head(what, order, start, &plan->input, workspace, result);
    //@ assert head: head->byte == byte && head->size == room;
    //@ assert bytes: status == ASSAY_OK ==> result->view.head == byte;
    if (status != ASSAY_OK) {
        return status;
    }
    const assay_view *view = &result->view;
    if (view->data_begin != plan->head || view->data_begin > head->size ||
        view->data_begin + view->data_size != plan->file) {
        return set_status(&result->error, ASSAY_W_DIFFERS);
    }
    //@ assert begin: result->view.data_begin == plan->head <= head->size;
    //@ assert file: plan->head + result->view.data_size == plan->file;
    //@ assert valid: valid(head->byte, plan->head, plan->file, \null);
    return ASSAY_OK;
}

/* ---- The data ------------------------------------------------------------------------------------------- */

bool assay_piece_next(const assay_description *what, const uint32_t *order, const assay_file_plan *plan,
                      assay_piece *piece)
{
    const uint64_t begin = piece->next == 0 ? plan->head : piece->end;
    if (piece->next >= what->tensors || order[piece->next] >= what->tensors) {
        return false;
    }
    const uint64_t size = tensor_size(what->tensor + order[piece->next]);
    if (size == ASSAY_NONE || size > UINT64_MAX - begin) {
        return false;
    }
    piece->tensor = order[piece->next];
    piece->begin = begin;
    piece->end = begin + size;
    piece->next++;
    return true;
}
