/* witness.c: what the contracts of public functions ask of their callers can be met.
 *
 * These functions ask for nothing, and their calls are proved to keep the preconditions of every public function
 * (`make prove`); `make check` runs them: every call is reached. So no precondition of a public function is a
 * contradiction, from which anything would follow. */
#include "text_contracts.h"
#include "write_contracts.h"

static const uint8_t head[65] = "\x35\0\0\0\0\0\0\0{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}}1234";
static assay_entry entry[1];
static uint32_t word[6];
static const assay_workspace workspace = {entry, 1, word, 6};
static const assay_input input = {head, 61, 65};
static assay_result result;
static char buffer[8];

/*@ terminates \true;
    exits \false;
    assigns entry[0 .. 0], word[0 .. 5], result, assay_work, assay_passes;
    ensures view: \result ==> valid_view(&result.view) && result.view.entry == &entry[0] && result.view.head == &head[0];
*/
static bool witness_parse(void)
{
    //@ assert input: input.head == &head[0] && input.head_size == 61 && input.file_size == 65;
    //@ assert workspace: workspace.entry == &entry[0] && workspace.entries == 1;
    //@ assert words: workspace.word == &word[0] && workspace.words == 6;
    return assay_parse(&input, NULL, &workspace, &result) == ASSAY_OK;
}

/*@ terminates \true;
    exits \false;
    assigns result.need;
*/
bool witness_bound(void)
{
    assay_bound(53, &result.need);
    return true;
}

/*@ terminates \true;
    exits \false;
    assigns result, assay_work;
*/
bool witness_measure(void)
{
    //@ assert input: input.head == &head[0] && input.head_size == 61 && input.file_size == 65;
    return assay_measure(&input, NULL, &result) == ASSAY_OK;
}

/*@ terminates \true;
    exits \false;
    assigns entry[0 .. 0], word[0 .. 5], result, assay_work, assay_passes;
*/
bool witness_validate(void)
{
    //@ assert input: input.head == &head[0] && input.head_size == 61 && input.file_size == 65;
    //@ assert workspace: workspace.entry == &entry[0] && workspace.entries == 1;
    //@ assert words: workspace.word == &word[0] && workspace.words == 6;
    return assay_validate(&input, NULL, &workspace, &result) == ASSAY_OK;
}

/*@ terminates \true;
    exits \false;
    assigns entry[0 .. 0], word[0 .. 5], result, assay_work, assay_passes;
*/
bool witness_tensors(void)
{
    assay_tensor tensor;
    uint8_t name = 'a';
    if (!witness_parse() || assay_tensor_count(&result.view) != 1 || !assay_tensor_at(&result.view, 0, &tensor)) {
        return false;
    }
    return witness_parse() && assay_tensor_find(&result.view, &name, 1, &tensor);
}

/*@ terminates \true;
    exits \false;
    assigns entry[0 .. 0], word[0 .. 5], result, assay_work, assay_passes;
*/
bool witness_contents(void)
{
    assay_tensor tensor;
    assay_dims dims;
    uint64_t dim = 0;
    if (!witness_parse() || !assay_tensor_at(&result.view, 0, &tensor)) {
        return false;
    }
    dims = tensor.dims;
    if (!witness_parse() || !assay_dim_next(&result.view, &dims, &dim)) {
        return false;
    }
    return witness_parse() && assay_tensor_dims(&result.view, &tensor, &dim, 1) == 1 &&
           assay_tensor_data(&tensor, head, 65) == head + 61;
}

/* Read a character of the view into a variable that is younger than the view, hence none of its words. */
/*@ requires view: valid_view(view);
    terminates \true;
    exits \false;
    assigns assay_work;
*/
static bool witness_character(const assay_view *view, assay_text text)
{
    uint32_t code_point = 0;
    return assay_text_next(view, &text, &code_point) && code_point == 'a';
}

/*@ terminates \true;
    exits \false;
    assigns entry[0 .. 0], word[0 .. 5], result, assay_work, assay_passes;
*/
bool witness_text(void)
{
    assay_text text = {10, 11};
    uint8_t name = 'a';
    if (!witness_parse() || assay_text_compare(&result.view, text, &name, 1) != 0) {
        return false;
    }
    return witness_character(&result.view, text);
}

/*@ terminates \true;
    exits \false;
    assigns entry[0 .. 0], word[0 .. 5], result, assay_work, assay_passes;
*/
bool witness_metadata(void)
{
    assay_text key, value;
    uint8_t name = 'k';
    if (!witness_parse() || assay_metadata_count(&result.view) != 0 || assay_metadata_at(&result.view, 0, &key, &value)) {
        return false;
    }
    return witness_parse() && !assay_metadata_find(&result.view, &name, 1, &value);
}

/*@ terminates \true;
    exits \false;
    assigns entry[0 .. 0], word[0 .. 5], result, assay_work, assay_passes;
*/
bool witness_slices(void)
{
    assay_tensor tensor;
    assay_axis axis[1] = {{.start = 1, .stop = 3, .step = 1}};
    assay_slice slice;
    assay_run run;
    if (!witness_parse() || !assay_tensor_at(&result.view, 0, &tensor)) {
        return false;
    }
    if (!witness_parse() || assay_slice_begin(&result.view, &tensor, axis, 1, &slice) != ASSAY_OK) {
        return false;
    }
    return slice.axes <= 1 && assay_slice_next(&slice, axis, &run) && run.bits == 16;
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
*/
bool witness_words(void)
{
    const char *version = assay_version(), *name = assay_status_name(61), *rule = assay_status_rule(61);
    const char *text = assay_status_text(61), *dtype = assay_dtype_name(1);
    char letters[2] = {'U', '8'};
    return *version != 0 && *name != 0 && *rule != 0 && *text != 0 && *dtype != 0 && assay_dtype_parse(letters, 2) > 0;
}

/*@ terminates \true;
    exits \false;
    assigns entry[0 .. 0], word[0 .. 5], result, buffer[0 .. 7], assay_work, assay_passes;
*/
bool witness_texts(void)
{
    assay_text text = {10, 11};
    if (!witness_parse()) {
        return false;
    }
    return assay_text_utf8(&result.view, text, buffer, 8) == 1 && assay_error_format(buffer, 8, &result.error) > 0;
}

/* ---- The writer ----------------------------------------------------------------------------------------- */

static const uint8_t letter[1] = {'a'};
static const uint64_t dim[1] = {4};
static const assay_new_tensor new_tensor[1] = {{{letter, 1}, ASSAY_DTYPE_U8, dim, 1}};
static const assay_new_pair new_pair[1] = {{{letter, 1}, {letter, 1}}};
static const assay_description what = {new_tensor, 1, new_pair, 1};
static uint8_t bytes[200];
static const assay_head_buffer space = {bytes, 200};
static uint32_t new_word[14];
static const assay_workspace new_workspace = {entry, 1, new_word, 14};
static uint32_t order[4];
static const uint32_t place[1] = {0};
static assay_file_plan plan;

/*@ terminates \true;
    exits \false;
    assigns order[0 .. 3], plan, result.error;
*/
bool witness_plan(void)
{
    //@ assert counts: what.tensors == 1 && what.pairs == 1;
    //@ assert arrays: what.tensor == &new_tensor[0] && what.pair == &new_pair[0];
    //@ assert tensor: new_tensor[0].name.byte == &letter[0] && new_tensor[0].name.size == 1;
    //@ assert dims: new_tensor[0].dim == &dim[0] && new_tensor[0].rank == 1;
    //@ assert key: new_pair[0].key.byte == &letter[0] && new_pair[0].key.size == 1;
    //@ assert value: new_pair[0].value.byte == &letter[0] && new_pair[0].value.size == 1;
    return assay_head_plan(&what, NULL, order, &plan, &result.error) == ASSAY_OK;
}

/*@ terminates \true;
    exits \false;
    assigns bytes[0 .. 199], order[0 .. 3], plan, result.error;
*/
bool witness_write(void)
{
    assay_file_plan planned = {128, 4, 132};
    //@ assert counts: what.tensors == 1 && what.pairs == 1;
    //@ assert arrays: what.tensor == &new_tensor[0] && what.pair == &new_pair[0];
    //@ assert tensor: new_tensor[0].name.byte == &letter[0] && new_tensor[0].name.size == 1;
    //@ assert dims: new_tensor[0].dim == &dim[0] && new_tensor[0].rank == 1;
    //@ assert key: new_pair[0].key.byte == &letter[0] && new_pair[0].key.size == 1;
    //@ assert value: new_pair[0].value.byte == &letter[0] && new_pair[0].value.size == 1;
    //@ assert space: space.byte == &bytes[0] && space.size == 200;
    return assay_head_write(&what, NULL, order, &planned, &space, &result.error) == ASSAY_OK;
}

/*@ terminates \true;
    exits \false;
    assigns bytes[0 .. 199], order[0 .. 3], entry[0 .. 0], new_word[0 .. 13], plan, result, assay_work, assay_passes;
    ensures view: \result ==> valid_view(&result.view) && view_says(&result.view);
*/
static bool witness_made(void)
{
    //@ assert counts: what.tensors == 1 && what.pairs == 1;
    //@ assert arrays: what.tensor == &new_tensor[0] && what.pair == &new_pair[0];
    //@ assert tensor: new_tensor[0].name.byte == &letter[0] && new_tensor[0].name.size == 1;
    //@ assert dims: new_tensor[0].dim == &dim[0] && new_tensor[0].rank == 1;
    //@ assert key: new_pair[0].key.byte == &letter[0] && new_pair[0].key.size == 1;
    //@ assert value: new_pair[0].value.byte == &letter[0] && new_pair[0].value.size == 1;
    //@ assert space: space.byte == &bytes[0] && space.size == 200;
    //@ assert workspace: new_workspace.entry == &entry[0] && new_workspace.entries == 1;
    //@ assert words: new_workspace.word == &new_word[0] && new_workspace.words == 14;
    return assay_head_make(&what, NULL, order, &space, &new_workspace, &plan, &result) == ASSAY_OK;
}

/*@ terminates \true;
    exits \false;
    assigns bytes[0 .. 199], order[0 .. 3], entry[0 .. 0], new_word[0 .. 13], plan, result, assay_work, assay_passes;
*/
bool witness_make(void)
{
    return witness_made() && assay_same_tensors(&result.view, &result.view);
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
*/
bool witness_piece(void)
{
    assay_piece piece = {0, 0, 0, 0};
    //@ assert counts: what.tensors == 1 && what.pairs == 1;
    //@ assert arrays: what.tensor == &new_tensor[0] && what.pair == &new_pair[0];
    //@ assert tensor: new_tensor[0].name.byte == &letter[0] && new_tensor[0].name.size == 1;
    //@ assert dims: new_tensor[0].dim == &dim[0] && new_tensor[0].rank == 1;
    //@ assert key: new_pair[0].key.byte == &letter[0] && new_pair[0].key.size == 1;
    //@ assert value: new_pair[0].value.byte == &letter[0] && new_pair[0].value.size == 1;
    return assay_piece_next(&what, order, &plan, &piece) && piece.tensor == 0;
}

/* Compare a view that was made with the description: what else holds of the view does not matter here. */
/*@ requires view: valid_view(view) && view_says(view);
    terminates \true;
    exits \false;
    assigns assay_work;
*/
static bool witness_matches(const assay_view *view)
{
    //@ assert counts: what.tensors == 1 && what.pairs == 1;
    //@ assert arrays: what.tensor == &new_tensor[0] && what.pair == &new_pair[0];
    //@ assert tensor: new_tensor[0].name.byte == &letter[0] && new_tensor[0].name.size == 1;
    //@ assert dims: new_tensor[0].dim == &dim[0] && new_tensor[0].rank == 1;
    //@ assert key: new_pair[0].key.byte == &letter[0] && new_pair[0].key.size == 1;
    //@ assert value: new_pair[0].value.byte == &letter[0] && new_pair[0].value.size == 1;
    return assay_view_matches(view, &what, order);
}

/*@ terminates \true;
    exits \false;
    assigns bytes[0 .. 199], order[0 .. 3], entry[0 .. 0], new_word[0 .. 13], plan, result, assay_work, assay_passes;
*/
bool witness_match(void)
{
    return witness_made() && witness_matches(&result.view);
}

/* Compare the pairs of a view that was made with themselves. */
/*@ requires view: valid_view(view) && view_says(view) && view->pairs == 1;
    terminates \true;
    exits \false;
    assigns assay_work;
*/
static bool witness_pairs(const assay_view *view)
{
    const assay_chars key = {letter, 1};
    //@ assert key: new_pair[0].key.byte == &letter[0] && new_pair[0].key.size == 1;
    //@ assert value: new_pair[0].value.byte == &letter[0] && new_pair[0].value.size == 1;
    return assay_pairs_kept(view, view, new_pair, place, &key, 1);
}

/*@ terminates \true;
    exits \false;
    assigns bytes[0 .. 199], order[0 .. 3], entry[0 .. 0], new_word[0 .. 13], plan, result, assay_work, assay_passes;
*/
bool witness_kept(void)
{
    return witness_made() && result.view.pairs == 1 && witness_pairs(&result.view);
}
