/* contracts.h: what is proved of the public functions of assay.h. A part of core.h.
 *
 * Each contract is on a second declaration of its function; the first, in include/assay.h, documents it. */
#ifndef ASSAY_CONTRACTS_H
#define ASSAY_CONTRACTS_H

#include "assay.h"

#ifdef __FRAMAC__
#include "judge.acsl"
#include "layout.acsl"
#include "view.acsl"
#include "slice.acsl"
#include "work_counter.h"
#endif

/*@ requires need: \valid(need);
    terminates \true;
    exits \false;
    assigns *need;
    ensures head: need->head == 8 + \min(header_length, 100000000);
    ensures tensors: need->entries == need->tensors == (need->head - 8) / 32;
    ensures pairs: need->pairs == (need->head - 8) / 4;
    ensures words: need->words == (need->head - 8) + (need->head - 8) / 3;
    ensures bound: bound_met(need->entries, need->words, need->head - 8);
*/
void assay_bound(uint64_t header_length, assay_need *need);

/*@ requires input: judge_input(input, options);
    requires result: judge_result(result, input, options);
    terminates \true;
    exits \false;
    assigns result->need, result->error, assay_work;
    ensures error: result->error.status == \result;
    ensures fields: error_right(&result->error, input->head_size);
    ensures named: error_named(&result->error, \old(input->head), 8 + header_length(\old(input->head)));
    ensures usage: \old(!options_right(options)) ==> \result == ASSAY_USAGE && error_empty(&result->error);
    ensures clear: \result == ASSAY_OK ==> error_clear(&result->error);
    ensures frame: \old(frame_stops(input, options)) ==> error_of_frame(&result->error, input->head, input->head_size,
        input->file_size, \old(limit_header(options)));
    ensures header: \old(header_stops(input, options)) ==>
        error_of_header(&result->error, \old(options_fields(input->head, options)));
    ensures alone: \old(options_right(options)) && \old(input_judged(input, options)) != 0 ==>
        result->error.other == UINT64_MAX;
    ensures exact: \old(options_right(options)) ==> \old(input_judged(input, options)) ==
        (\result == ASSAY_OK ? 0 : verdict_of(\result, result->error.offset));
    ensures need: \result == ASSAY_OK ==>
        need_says(&result->need, input->head, 1) && result->need.head <= input->file_size;
    ensures bound: \result == ASSAY_OK ==> need_bounded(&result->need);
    ensures kept: \result != ASSAY_OK ==> need_same{Pre, Post}(&result->need);
    ensures more: \result == ASSAY_NEED_MORE && \old(frame_stops(input, options)) ==> head_needed(result, input);
    ensures head: \result != ASSAY_OK && \result != ASSAY_NEED_MORE ==> result->need.head == \old(result->need.head);
    ensures cost: assay_work <= \old(assay_work) + 20 * \min(\old(input->head_size), 100000008);
*/
assay_status assay_measure(const assay_input *input, const assay_options *options, assay_result *result);

/*@ requires input: judge_input(input, options);
    requires result: judge_result(result, input, options);
    requires workspace: judge_workspace(workspace) && judge_room(workspace, result);
    requires present: workspace->entry != \null && workspace->word != \null;
    requires memory: judge_memory(input, options, workspace);
    terminates \true;
    exits \false;
    assigns *result, workspace->entry[0 .. workspace->entries - 1],
        workspace->word[0 .. workspace->words - 1], assay_work, assay_passes;
    ensures error: result->error.status == \result;
    ensures fields: error_right(&result->error, input->head_size);
    ensures named: error_named(&result->error, \old(input->head), 8 + header_length(\old(input->head)));
    ensures usage: \old(!options_right(options)) ==> \result == ASSAY_USAGE && error_empty(&result->error);
    ensures clear: \result == ASSAY_OK ==> error_clear(&result->error);
    ensures frame: \old(frame_stops(input, options)) ==> error_of_frame(&result->error, input->head, input->head_size,
        input->file_size, \old(limit_header(options)));
    ensures header: \old(header_stops(input, options)) ==>
        error_of_header(&result->error, \old(options_fields(input->head, options)));
    ensures alone: \old(options_right(options)) && \old(input_judged(input, options)) != 0 ==>
        result->error.other == UINT64_MAX;
    ensures exact_header: \old(options_right(options)) ==> \let verdict = \old(input_judged(input, options));
        verdict != 0 ==> verdict_of(\result, result->error.offset) == verdict;
    ensures passed: \old(input_passes(input, options)) ==> \result == ASSAY_WORKSPACE || judged_whole(\result);
    ensures workspace: \old(input_passes(input, options)) ==> (\result == ASSAY_WORKSPACE <==>
        room_short(input->head, \old(workspace->entries), \old(workspace->words), 1));
    ensures bound: \old(input_passes(input, options)) &&
        \old(bound_met(workspace->entries, workspace->words, header_length(input->head))) ==>
        \result != ASSAY_WORKSPACE;
    ensures sound: \result == ASSAY_OK ==> \old(input_valid(input, options));
    ensures complete: \old(input_valid(input, options)) ==> \result == ASSAY_OK || \result == ASSAY_WORKSPACE;
    ensures exact: \old(input_passes(input, options)) && \result >= ASSAY_E_METADATA_KEY_TWICE ==>
        broken_whole(input->head, input->file_size, \result, result->error.offset);
    ensures whole: \old(input_passes(input, options)) && \result >= ASSAY_E_METADATA_KEY_TWICE ==>
        error_of_whole(&result->error, input->head, input->file_size);
    ensures room: \old(input_passes(input, options)) && \result == ASSAY_WORKSPACE ==> error_empty(&result->error);
    ensures view: \result == ASSAY_OK ==> valid_view(&result->view);
    ensures faithful: \result == ASSAY_OK ==> view_says(&result->view);
    ensures unique: \result == ASSAY_OK ==> view_finds(&result->view);
    ensures partition: \result == ASSAY_OK ==>
        partition(result->view.entry, result->view.tensors, result->view.data_size);
    ensures file: \result == ASSAY_OK ==> result->view.head == input->head &&
        result->view.data_begin + result->view.data_size == input->file_size;
    ensures memory: \result == ASSAY_OK ==> result->view.entry == \old(workspace->entry);
    ensures words: \result == ASSAY_OK ==>
        view_words(&result->view, \old(workspace->word), \old(workspace->words));
    ensures unchanged: \result != ASSAY_OK ==> result->view == \old(result->view);
    ensures need: \old(input_passes(input, options)) && (\result == ASSAY_OK || \result == ASSAY_WORKSPACE) ==>
        need_says(&result->need, input->head, 1) && result->need.head <= input->file_size;
    ensures kept: \result != ASSAY_OK && \result != ASSAY_WORKSPACE ==> need_same{Pre, Post}(&result->need);
    ensures more: \result == ASSAY_NEED_MORE && \old(frame_stops(input, options)) ==> head_needed(result, input);
    ensures kept_head: \result != ASSAY_OK && \result != ASSAY_WORKSPACE && \result != ASSAY_NEED_MORE ==>
        result->need.head == \old(result->need.head);
*/
assay_status assay_parse(const assay_input *input, const assay_options *options, const assay_workspace *workspace,
                         assay_result *result);

/*@ requires input: judge_input(input, options);
    requires result: judge_result(result, input, options);
    requires workspace: judge_workspace(workspace) && judge_room(workspace, result);
    requires present: workspace->entry != \null && workspace->word != \null;
    requires memory: judge_memory(input, options, workspace);
    terminates \true;
    exits \false;
    assigns result->need, result->error, workspace->entry[0 .. workspace->entries - 1],
        workspace->word[0 .. workspace->words - 1], assay_work, assay_passes;
    ensures error: result->error.status == \result;
    ensures fields: error_right(&result->error, input->head_size);
    ensures named: error_named(&result->error, \old(input->head), 8 + header_length(\old(input->head)));
    ensures usage: \old(!options_right(options)) ==> \result == ASSAY_USAGE && error_empty(&result->error);
    ensures clear: \result == ASSAY_OK ==> error_clear(&result->error);
    ensures frame: \old(frame_stops(input, options)) ==> error_of_frame(&result->error, input->head, input->head_size,
        input->file_size, \old(limit_header(options)));
    ensures header: \old(header_stops(input, options)) ==>
        error_of_header(&result->error, \old(options_fields(input->head, options)));
    ensures alone: \old(options_right(options)) && \old(input_judged(input, options)) != 0 ==>
        result->error.other == UINT64_MAX;
    ensures exact_header: \old(options_right(options)) ==> \let verdict = \old(input_judged(input, options));
        verdict != 0 ==> verdict_of(\result, result->error.offset) == verdict;
    ensures passed: \old(input_passes(input, options)) ==> \result == ASSAY_WORKSPACE || judged_whole(\result);
    ensures workspace: \old(input_passes(input, options)) ==> (\result == ASSAY_WORKSPACE <==>
        room_short(input->head, \old(workspace->entries), \old(workspace->words), 0));
    ensures bound: \old(input_passes(input, options)) &&
        \old(bound_met(workspace->entries, workspace->words, header_length(input->head))) ==>
        \result != ASSAY_WORKSPACE;
    ensures sound: \result == ASSAY_OK ==> \old(input_valid(input, options));
    ensures complete: \old(input_valid(input, options)) ==> \result == ASSAY_OK || \result == ASSAY_WORKSPACE;
    ensures exact: \old(input_passes(input, options)) && \result >= ASSAY_E_METADATA_KEY_TWICE ==>
        broken_whole(input->head, input->file_size, \result, result->error.offset);
    ensures whole: \old(input_passes(input, options)) && \result >= ASSAY_E_METADATA_KEY_TWICE ==>
        error_of_whole(&result->error, input->head, input->file_size);
    ensures room: \old(input_passes(input, options)) && \result == ASSAY_WORKSPACE ==> error_empty(&result->error);
    ensures partition: \result == ASSAY_OK ==>
        partition(\old(workspace->entry), result->need.tensors, input->file_size - result->need.head);
    ensures need: \old(input_passes(input, options)) && (\result == ASSAY_OK || \result == ASSAY_WORKSPACE) ==>
        need_says(&result->need, input->head, 0) && result->need.head <= input->file_size;
    ensures kept: \result != ASSAY_OK && \result != ASSAY_WORKSPACE ==> need_same{Pre, Post}(&result->need);
    ensures more: \result == ASSAY_NEED_MORE && \old(frame_stops(input, options)) ==> head_needed(result, input);
    ensures kept_head: \result != ASSAY_OK && \result != ASSAY_WORKSPACE && \result != ASSAY_NEED_MORE ==>
        result->need.head == \old(result->need.head);
*/
assay_status assay_validate(const assay_input *input, const assay_options *options, const assay_workspace *workspace,
                            assay_result *result);

/*@ requires view: valid_view(view);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures count: \result == view->tensors;
*/
uint64_t assay_tensor_count(const assay_view *view);

/*@ requires view: valid_view(view);
    requires out: \valid(tensor) && \separated(tensor, view) &&
        \separated(tensor, view->entry + (0 .. view->tensors - 1));
    requires apart: \separated(tensor, view->head + (0 .. view->data_begin - 1));
    terminates \true;
    exits \false;
    assigns *tensor;
    ensures answer: \result <==> index < view->tensors;
    ensures place: \result ==> tensor->index == view->order[index];
    ensures table: \result ==> unpacked(tensor, view->entry + tensor->index, view->data_begin);
    ensures faithful: \old(view_says(view)) && \result ==> tensor_says(tensor, view->head, view->data_begin);
    ensures text: \old(view_says(view)) && \result ==> text_value(view->head, tensor->name.at, tensor->name.end) ==
        tensor_name(view->head, view->data_begin, tensor->index);
    ensures lexed: \old(view_says(view)) && \result ==>
        text_lexed(view->head, tensor->name.at, tensor->name.end, view->data_begin);
    ensures name: \result ==> in_header(&tensor->name, view);
    ensures in_data: \result ==> in_data(tensor, view);
    ensures unchanged: !\result ==> *tensor == \old(*tensor);
    ensures kept: view_kept{Pre, Post}(view);
*/
bool assay_tensor_at(const assay_view *view, uint64_t index, assay_tensor *tensor);

/*@ requires view: valid_view(view);
    requires name: \valid_read(name + (0 .. size - 1));
    requires out: \valid(tensor) && \separated(tensor, view) &&
        \separated(tensor, view->entry + (0 .. view->tensors - 1));
    requires apart: \separated(tensor, view->head + (0 .. view->data_begin - 1)) &&
        \separated(tensor, name + (0 .. size - 1));
    terminates \true;
    exits \false;
    assigns *tensor, assay_work;
    ensures place: \result ==> tensor->index < view->tensors;
    ensures table: \result ==> unpacked(tensor, view->entry + tensor->index, view->data_begin);
    ensures faithful: \old(view_says(view)) && \result ==> tensor_says(tensor, view->head, view->data_begin);
    ensures text: \old(view_says(view)) && \result ==> text_value(view->head, tensor->name.at, tensor->name.end) ==
        tensor_name(view->head, view->data_begin, tensor->index);
    ensures found: \old(view_says(view)) && \result ==>
        tensor_name(view->head, view->data_begin, tensor->index) == bytes_value(name, 0, size);
    ensures absent: \old(view_says(view) && view_finds(view)) && !\result ==> \forall integer k;
        0 <= k < view->tensors ==> tensor_name(view->head, view->data_begin, k) != bytes_value(name, 0, size);
    ensures name: \result ==> in_header(&tensor->name, view);
    ensures in_data: \result ==> in_data(tensor, view);
    ensures unchanged: !\result ==> *tensor == \old(*tensor);
    ensures kept: view_kept{Pre, Post}(view);
*/
bool assay_tensor_find(const assay_view *view, const uint8_t *name, uint64_t size, assay_tensor *tensor);

/*@ requires view: valid_view(view);
    requires out: \valid(dims) && \valid(dim) && \separated(dims, dim, view);
    requires entries: \separated(dims, view->entry + (0 .. view->tensors - 1)) &&
        \separated(dim, view->entry + (0 .. view->tensors - 1));
    requires apart: \separated(dims, view->head + (0 .. view->data_begin - 1)) &&
        \separated(dim, view->head + (0 .. view->data_begin - 1));
    terminates \true;
    exits \false;
    assigns *dims, *dim, assay_work;
    ensures answer: \result <==> \old(dims->left) > 0 && dim_there(view->head, \old(dims->at), view->data_begin);
    ensures number: \result ==> *dim == dim_number(view->head, \old(dims->at), view->data_begin);
    ensures behind: \result ==> dims->at == dim_stop(view->head, \old(dims->at), view->data_begin);
    ensures bounds: \result ==> \old(dims->at) < dims->at <= view->data_begin;
    ensures left: \result ==> dims->left == \old(dims->left) - 1;
    ensures unchanged: !\result ==> *dims == \old(*dims) && *dim == \old(*dim);
    ensures shape: \forall integer at, k; shape_judged(view->head, at, view->data_begin) &&
        0 <= k < shape_rank(view->head, at, view->data_begin) &&
        dims_stand{Old}(dims, view->head, at, view->data_begin, k) ==>
            \result && dims_stand(dims, view->head, at, view->data_begin, k + 1) &&
            *dim == integer_value(view->head, dim_at(view->head, at, view->data_begin, k), view->data_begin);
    ensures kept: view_kept{Pre, Post}(view);
*/
bool assay_dim_next(const assay_view *view, assay_dims *dims, uint64_t *dim);

/*@ requires view: valid_view(view);
    requires tensor: \valid_read(tensor);
    requires out: \valid(dims + (0 .. size - 1)) && \separated(dims + (0 .. size - 1), view) &&
        \separated(dims + (0 .. size - 1), tensor);
    requires entries: \separated(dims + (0 .. size - 1), view->entry + (0 .. view->tensors - 1));
    requires apart: \separated(dims + (0 .. size - 1), view->head + (0 .. view->data_begin - 1));
    terminates \true;
    exits \false;
    assigns dims[0 .. size - 1], assay_work;
    ensures count: 0 <= \result <= size;
    ensures count_says: \old(tensor_says(tensor, view->head, view->data_begin)) ==>
        \result == (size <= \old(tensor->rank) ? size : \old(tensor->rank));
    ensures shape: \old(tensor_says(tensor, view->head, view->data_begin)) ==> dims_say(dims, view->head,
        \old(shape_of(tensor, view->head, view->data_begin)), view->data_begin, \result);
    ensures kept: view_kept{Pre, Post}(view);
*/
uint64_t assay_tensor_dims(const assay_view *view, const assay_tensor *tensor, uint64_t *dims, uint64_t size);

/*@ requires tensor: \valid_read(tensor);
    requires file: file == \null || \valid_read(file + (0 .. file_size - 1));
    terminates \true;
    exits \false;
    assigns \result \from file, file_size, tensor->begin, tensor->end;
    ensures answer: \result != \null <==> file != \null && tensor->begin <= tensor->end <= file_size;
    ensures place: \result != \null ==> \result == file + tensor->begin;
    ensures in_file: \result != \null ==> \valid_read(\result + (0 .. tensor->end - tensor->begin - 1));
*/
const uint8_t *assay_tensor_data(const assay_tensor *tensor, const uint8_t *file, uint64_t file_size);

/*@ requires view: valid_view(view);
    requires out: \valid(text) && \valid(code_point) && \separated(text, code_point, view);
    requires entries: \separated(text, view->entry + (0 .. view->tensors - 1));
    requires words: word_apart(code_point, view);
    requires apart: \separated(text, view->head + (0 .. view->data_begin - 1)) &&
        \separated(code_point, view->head + (0 .. view->data_begin - 1));
    terminates \true;
    exits \false;
    assigns *text, *code_point, assay_work;
    ensures answer: \result <==> \old(text->at) < text->end <= view->data_begin;
    ensures forward: \result ==> \old(text->at) < text->at <= text->end;
    ensures end: text->end == \old(text->end);
    ensures range: \result ==> *code_point <= 0x10FFFF;
    ensures faithful: \result ==> *code_point * 4294967296 + text->at ==
        character{Pre}(view->head, \old(text->at), \old(text->end));
    ensures value: text_lexed(view->head, \old(text->at), \old(text->end), view->data_begin) ==>
        text_value(view->head, \old(text->at), text->end) ==
        (\result ? digits(*code_point, text_value(view->head, text->at, text->end)) : 0);
    ensures lexed: \result && text_lexed(view->head, \old(text->at), \old(text->end), view->data_begin) ==>
        text_lexed(view->head, text->at, text->end, view->data_begin);
    ensures unchanged: !\result ==> *text == \old(*text) && *code_point == \old(*code_point);
    ensures kept: view_kept{Pre, Post}(view);
*/
bool assay_text_next(const assay_view *view, assay_text *text, uint32_t *code_point);

/*@ requires view: valid_view(view);
    requires bytes: \valid_read(bytes + (0 .. size - 1));
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures answer: -1 <= \result <= 1;
    ensures faithful: text.at <= text.end <= view->data_begin ==> \result ==
        value_order(text_value(view->head, text.at, text.end), bytes_value(bytes, 0, size));
    ensures same: text.at <= text.end <= view->data_begin ==>
        (\result == 0 <==> text_value(view->head, text.at, text.end) == bytes_value(bytes, 0, size));
    ensures outside: !(text.at <= text.end <= view->data_begin) ==>
        \result == value_order(0, bytes_value(bytes, 0, size));
*/
int assay_text_compare(const assay_view *view, assay_text text, const uint8_t *bytes, uint64_t size);

/*@ requires view: valid_view(view);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures count: \result == view->pairs;
*/
uint64_t assay_metadata_count(const assay_view *view);

/*@ requires view: valid_view(view);
    requires out: \valid(key) && \valid(value) && \separated(key, value, view);
    requires entries: \separated(key, view->entry + (0 .. view->tensors - 1)) &&
        \separated(value, view->entry + (0 .. view->tensors - 1));
    requires apart: \separated(key, view->head + (0 .. view->data_begin - 1)) &&
        \separated(value, view->head + (0 .. view->data_begin - 1));
    terminates \true;
    exits \false;
    assigns *key, *value, assay_work;
    ensures answer: \result <==> index < view->pairs;
    ensures key: \result ==> key->at == view->key[index] && in_header(key, view);
    ensures value: \result ==> value->at == view->value[view->pairs - 1 - index] && in_header(value, view);
    ensures faithful: \old(view_says(view)) && \result ==>
        text_behind(key, view->head, view->data_begin, pair_key(view->head, view->data_begin, index)) &&
        text_behind(value, view->head, view->data_begin, pair_value(view->head, view->data_begin, index));
    ensures unchanged: !\result ==> *key == \old(*key) && *value == \old(*value);
    ensures kept: view_kept{Pre, Post}(view);
*/
bool assay_metadata_at(const assay_view *view, uint64_t index, assay_text *key, assay_text *value);

/*@ requires view: valid_view(view);
    requires key: \valid_read(key + (0 .. size - 1));
    requires out: \valid(value) && \separated(value, view);
    requires entries: \separated(value, view->entry + (0 .. view->tensors - 1));
    requires apart: \separated(value, view->head + (0 .. view->data_begin - 1)) &&
        \separated(value, key + (0 .. size - 1));
    terminates \true;
    exits \false;
    assigns *value, assay_work;
    ensures value: \result ==> in_header(value, view);
    ensures found: \old(view_says(view)) && \result ==> \exists integer k; 0 <= k < view->pairs &&
        pair_name(view->head, view->data_begin, k) == bytes_value(key, 0, size) &&
        text_behind(value, view->head, view->data_begin, pair_value(view->head, view->data_begin, k));
    ensures absent: \old(view_says(view) && view_finds(view)) && !\result ==> \forall integer k;
        0 <= k < view->pairs ==> pair_name(view->head, view->data_begin, k) != bytes_value(key, 0, size);
    ensures unchanged: !\result ==> *value == \old(*value);
    ensures kept: view_kept{Pre, Post}(view);
*/
bool assay_metadata_find(const assay_view *view, const uint8_t *key, uint64_t size, assay_text *value);

/*@ requires view: valid_view(view);
    requires in: \valid_read(tensor);
    requires out: \valid(axis + (0 .. axes - 1)) && \valid(slice);
    requires apart: \separated(axis + (0 .. axes - 1), slice, view) &&
        \separated(axis + (0 .. axes - 1), slice, tensor);
    requires entries: \separated(axis + (0 .. axes - 1), view->entry + (0 .. view->tensors - 1)) &&
        \separated(slice, view->entry + (0 .. view->tensors - 1));
    requires bytes: \separated(axis + (0 .. axes - 1), view->head + (0 .. view->data_begin - 1)) &&
        \separated(slice, view->head + (0 .. view->data_begin - 1));
    terminates \true;
    exits \false;
    assigns axis[0 .. axes - 1], *slice, assay_work;
    ensures answer: \result == ASSAY_OK <==> \old(slice_fits(view->head, view->data_begin, tensor, axis, axes));
    ensures usage: \result == ASSAY_OK || \result == ASSAY_USAGE;
    ensures tensor: \result == ASSAY_OK ==>
        slice->begin == \old(tensor->begin) && slice->bits == 8 * (\old(tensor->end) - \old(tensor->begin));
    ensures axes: \result == ASSAY_OK ==> slice->axes <= axes;
    ensures some: \result == ASSAY_OK ==> (slice->run >= 1 <==> axes_some(axis, axes));
    ensures dims: \result == ASSAY_OK ==> axes_measured(view->head, tensor->dims.at, view->data_begin, axis, axes);
    ensures inside: \result == ASSAY_OK ==> slice->first + slice->run <= slice->bits &&
        slice->begin + slice->bits / 8 <= UINT64_MAX;
    ensures scalar: \result == ASSAY_OK && axes == 0 ==>
        slice->axes == 0 && slice->first == 0 && slice->run == slice->bits;
    ensures rows: \result == ASSAY_OK && 1 <= axes && axis->step == 1 && axes_whole(axis, 1, axes) &&
        axes_some(axis, axes) ==> slice_rows(slice, axis);
    ensures begun: \result == ASSAY_OK ==> slice_begun(slice, axis, axes);
    ensures kept: axes_kept{Pre, Post}(axis, axes);
    ensures unchanged: \result != ASSAY_OK ==>
        *slice == \old(*slice) && \forall integer k; 0 <= k < axes ==> axis[k] == \old(axis[k]);
    ensures view: view_kept{Pre, Post}(view);
*/
assay_status assay_slice_begin(const assay_view *view, const assay_tensor *tensor, assay_axis *axis, uint64_t axes,
                               assay_slice *slice);

/*@ requires slice: \valid(slice) && \valid(axis + (0 .. slice->axes - 1)) && \valid(run);
    requires apart: \separated(slice, axis + (0 .. slice->axes - 1), run);
    terminates \true;
    exits \false;
    assigns *slice, axis[0 .. slice->axes - 1], *run, assay_work;
    ensures answer: \result <==> \old(slice->run >= 1 && slice->first + slice->run <= slice->bits &&
        slice->begin + slice->bits / 8 <= UINT64_MAX);
    ensures inside: \result ==> run_inside(run, slice);
    ensures begin: \result ==> 8 * (run->byte - slice->begin) + run->skip == \old(slice->first);
    ensures length: \result ==> run->bits == \old(slice->run);
    ensures tensor: slice->begin == \old(slice->begin) && slice->bits == \old(slice->bits);
    ensures axes: slice->axes == \old(slice->axes);
    ensures kept: axes_kept{Pre, Post}(axis, slice->axes);
    ensures laid: axes_laid{Pre, Post}(axis, slice->axes);
    ensures walked: \result ==> axes_walked{Pre, Post}(axis, \old(slice->axes), \old(slice->first));
    ensures run: \result ==>
        slice->run == (axis_next{Pre}(axis, \old(slice->axes), \old(slice->first)) < 0 ? 0 : \old(slice->run));
    ensures first: \result && 0 <= axis_next{Pre}(axis, \old(slice->axes), \old(slice->first)) ==>
        slice->first == first_next{Pre}(axis, \old(slice->axes), \old(slice->first));
    ensures last: \result && slice->axes == 0 ==> slice->run == 0;
    ensures taken: \result && slice_walks{Pre}(slice, axis) ==> run_taken{Pre}(slice, axis);
    ensures goes: \result && slice_walks{Pre}(slice, axis) ==> walk_goes{Pre, Post}(slice, axis);
    ensures unchanged: !\result ==> *slice == \old(*slice) && *run == \old(*run);
*/
bool assay_slice_next(assay_slice *slice, assay_axis *axis, assay_run *run);

#endif
