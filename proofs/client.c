/* client.c: a program as a user of the library would write it, proved.
 *
 * It calls the public functions one after another, with nothing but include/assay.h and its contracts. So what these
 * promise suffices: after each call the next one may follow, and the assertions hold for every file. */
#include "contracts.h"

/* Return the number of code points of a name. */
/*@ requires view: valid_view(view);
    requires name: name.at <= name.end <= view->data_begin;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures count: \result <= \old(name.end) - \old(name.at);
*/
static uint64_t client_characters(const assay_view *view, assay_text name)
{
    uint64_t count = 0;
    uint32_t code_point = 0;
    /*@ loop invariant view: valid_view(view);
        loop invariant name: \at(name.at, Pre) + count <= name.at <= name.end <= view->data_begin;
        loop invariant end: name.end == \at(name.end, Pre);
        loop assigns name, code_point, count, assay_work;
        loop variant name.end - name.at;
    */
    while (assay_text_next(view, &name, &code_point)) {
        //@ assert character: code_point <= 0x10FFFF;
        count++;
    }
    //@ assert all: name.at == name.end;
    return count;
}

/* Return the number of code points of the name in the error of a file that is not valid: a view of nothing but the head
 * suffices for texts. */
/*@ requires head: \valid_read(head + (0 .. end - 1)) && 10 <= end <= 100000008;
    requires name: name.at <= name.end <= end;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures count: \result <= \old(name.end) - \old(name.at);
*/
uint64_t client_error_characters(const uint8_t *head, uint64_t end, assay_text name)
{
    assay_view view = {.head = head, .data_begin = end};
    return client_characters(&view, name);
}

/* Read the dims of a tensor one by one, and return how many are 1. */
/*@ requires view: valid_view(view) && view_says(view);
    requires tensor: \valid_read(tensor) && tensor_says(tensor, view->head, view->data_begin);
    requires dims: tensor->dims.left == tensor->rank;
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures ones: \result <= tensor->rank;
*/
static uint64_t client_ones(const assay_view *view, const assay_tensor *tensor)
{
    assay_dims dims = {tensor->dims.at, tensor->dims.left};
    uint64_t dim = 0, read = 0, ones = 0;
    //@ ghost uint64_t end = view->data_begin;
    /*@ loop invariant view: valid_view(view);
        loop invariant read: ones <= read && read + dims.left == tensor->rank;
        loop invariant dims: dims_stand(&dims, view->head, shape_of(tensor, view->head, end), end, read);
        loop assigns dims, dim, read, ones, assay_work;
        loop variant dims.left;
    */
    while (assay_dim_next(view, &dims, &dim)) {
        /*@ assert dim: dim == integer_value(view->head,
                dim_at(view->head, shape_of(tensor, view->head, end), end, read), end); */
        ones += dim == 1;
        read++;
    }
    //@ assert all: read == tensor->rank;
    return ones;
}

/* Return the length in bits of the first run of a slice, 0 if the slice cannot be taken or is empty. */
/*@ requires view: valid_view(view);
    requires tensor: \valid_read(tensor) && in_data(tensor, view);
    requires axis: \valid(axis + (0 .. axes - 1)) && \separated(axis + (0 .. axes - 1), view) &&
        \separated(axis + (0 .. axes - 1), tensor) &&
        \separated(axis + (0 .. axes - 1), view->entry + (0 .. view->tensors - 1)) &&
        \separated(axis + (0 .. axes - 1), view->head + (0 .. view->data_begin - 1));
    terminates \true;
    exits \false;
    assigns axis[0 .. axes - 1], assay_work;
    ensures inside: \result <= 8 * (\old(tensor->end) - \old(tensor->begin));
*/
static uint64_t client_run(const assay_view *view, const assay_tensor *tensor, assay_axis *axis, uint64_t axes)
{
    assay_slice slice;
    assay_run run;
    //@ ghost uint64_t begin = tensor->begin;
    //@ ghost uint64_t end = tensor->end;
    if (assay_slice_begin(view, tensor, axis, axes, &slice) != ASSAY_OK) {
        return 0;
    }
    //@ assert slice: slice.begin == begin && slice.bits == 8 * (end - begin);
    if (!assay_slice_next(&slice, axis, &run)) {
        return 0;
    }
    //@ assert slice: slice.begin == begin && slice.bits == 8 * (end - begin);
    //@ assert end: 8 * (run.byte - begin) + run.skip + run.bits <= 8 * (end - begin);
    return run.bits;
}

/* Walk all tensors, and return where the last of them ends in the file. */
/*@ requires view: valid_view(view) && view_says(view);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures reach: \result == 0 || view->data_begin <= \result <= view->data_begin + view->data_size;
*/
static uint64_t client_walk(const assay_view *view)
{
    assay_tensor tensor;
    uint64_t reach = 0;
    /*@ loop invariant view: valid_view(view) && view_says(view);
        loop invariant index: i <= view->tensors;
        loop invariant reach: reach == 0 || view->data_begin <= reach <= view->data_begin + view->data_size;
        loop assigns i, tensor, reach, assay_work;
        loop variant view->tensors - i;
    */
    for (uint64_t i = 0; assay_tensor_at(view, i, &tensor); i++) {
        //@ assert data: view->data_begin <= tensor.begin <= tensor.end <= view->data_begin + view->data_size;
        uint64_t characters = client_characters(view, tensor.name);
        uint64_t ones = client_ones(view, &tensor);
        //@ assert characters: characters <= tensor.name.end - tensor.name.at;
        //@ assert ones: ones <= tensor.rank;
        reach = tensor.end;
    }
    return reach;
}

/* Find a tensor twice: it has the name that was asked for. */
/*@ requires view: valid_view(view) && view_says(view) && view_finds(view);
    requires name: \valid_read(name + (0 .. size - 1));
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures found: \result ==> \exists integer k; 0 <= k < view->tensors &&
        tensor_name(view->head, view->data_begin, k) == bytes_value(name, 0, size);
    ensures absent: !\result ==> \forall integer k; 0 <= k < view->tensors ==>
        tensor_name(view->head, view->data_begin, k) != bytes_value(name, 0, size);
*/
static bool client_find(const assay_view *view, const uint8_t *name, uint64_t size)
{
    assay_tensor tensor;
    if (!assay_tensor_find(view, name, size, &tensor)) {
        return false;
    }
    int order = assay_text_compare(view, tensor.name, name, size);
    //@ assert name: order == 0;
    bool again = assay_tensor_find(view, name, size, &tensor);
    //@ assert again: again;
    return order == 0 && again;
}

/* Judge a file; if it is valid, walk its tensors and look one up. The code point was declared before the file was
 * judged: it lies in no array of the view, since these are parts of the workspace. */
/*@ requires input: judge_input(input, \null);
    requires workspace: judge_workspace(workspace) && workspace->entry != \null && workspace->word != \null;
    requires memory: judge_memory(input, \null, workspace);
    requires name: \valid_read(name + (0 .. size - 1));
    terminates \true;
    exits \false;
    assigns workspace->entry[0 .. workspace->entries - 1], workspace->word[0 .. workspace->words - 1], assay_work, assay_passes;
*/
bool client_file(const assay_input *input, const assay_workspace *workspace, const uint8_t *name, uint64_t size)
{
    assay_result result;
    uint32_t code_point = 0;
    if (assay_parse(input, NULL, workspace, &result) != ASSAY_OK) {
        return false;
    }
    uint64_t reach = client_walk(&result.view);
    //@ assert reach: reach <= result.view.data_begin + result.view.data_size;
    assay_tensor tensor;
    if (assay_tensor_at(&result.view, 0, &tensor)) {
        assay_text_next(&result.view, &tensor.name, &code_point);
        //@ assert character: code_point <= 0x10FFFF;
    }
    return client_find(&result.view, name, size) || reach == 0;
}
