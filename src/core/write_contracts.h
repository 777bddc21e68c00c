/* write_contracts.h: what is proved of the public functions of assay_write.h. */
#ifndef ASSAY_WRITE_CONTRACTS_H
#define ASSAY_WRITE_CONTRACTS_H

#include "contracts.h"
#include "assay_write.h"

#ifdef __FRAMAC__
#include "write.acsl"
#endif

/*@ requires what: given_description(what);
    requires options: options == \null || \valid_read(options);
    requires order: few_described(what) ==> \valid(order + (0 .. 2 * (what->tensors + what->pairs) - 1));
    requires out: \valid(plan) && \valid(error) && \separated(plan, error);
    requires apart: \separated(plan, what, what->tensor + (0 .. what->tensors - 1),
        what->pair + (0 .. what->pairs - 1));
    requires error: \separated(error, what, what->tensor + (0 .. what->tensors - 1),
        what->pair + (0 .. what->pairs - 1));
    terminates \true;
    exits \false;
    assigns order[0 .. 2 * (what->tensors + what->pairs) - 1], *plan, *error;
    ensures status: \result == error->status;
    ensures few: \result == ASSAY_OK ==> few_described(what) && order_below(what, order);
    ensures head: \result == ASSAY_OK ==> 16 <= plan->head <= 100000008;
    ensures file: \result == ASSAY_OK ==> plan->file == plan->head + plan->data <= 9223372036854775807;
    ensures kept: \result != ASSAY_OK ==> *plan == \old(*plan);
*/
assay_status assay_head_plan(const assay_description *what, const assay_write_options *options, uint32_t *order,
                             assay_file_plan *plan, assay_error *error);

/*@ requires what: readable_description(what) && few_described(what);
    requires options: options == \null || \valid_read(options);
    requires order: \valid_read(order + (0 .. what->tensors + what->pairs - 1));
    requires plan: \valid_read(plan);
    requires head: \valid_read(head) && \valid(head->byte + (0 .. head->size - 1));
    requires error: \valid(error) && \separated(error, plan, head);
    terminates \true;
    exits \false;
    assigns head->byte[0 .. plan->head - 1], *error;
    ensures status: \result == error->status;
    ensures size: \result == ASSAY_OK ==> 16 <= plan->head <= 100000008 && plan->head <= head->size;
*/
assay_status assay_head_write(const assay_description *what, const assay_write_options *options, const uint32_t *order,
                              const assay_file_plan *plan, const assay_head_buffer *head, assay_error *error);

/*@ requires what: given_description(what);
    requires options: options == \null || \valid_read(options);
    requires order: few_described(what) ==> \valid(order + (0 .. 2 * (what->tensors + what->pairs) - 1));
    requires head: \valid_read(head) && \valid(head->byte + (0 .. head->size - 1));
    requires out: \valid(plan) && \valid(result) && \separated(plan, result, head, workspace, options);
    requires workspace: judge_workspace(workspace) && judge_room(workspace, result);
    requires present: workspace->entry != \null && workspace->word != \null;
    requires plan: \separated(plan, what, what->tensor + (0 .. what->tensors - 1), what->pair + (0 .. what->pairs - 1));
    requires result: \separated(result, what, what->tensor + (0 .. what->tensors - 1),
        what->pair + (0 .. what->pairs - 1), head->byte + (0 .. head->size - 1));
    requires entries: \separated(workspace->entry + (0 .. workspace->entries - 1), what,
        what->tensor + (0 .. what->tensors - 1), what->pair + (0 .. what->pairs - 1), plan, head,
        head->byte + (0 .. head->size - 1));
    requires words: \separated(workspace->word + (0 .. workspace->words - 1), plan, head,
        order + (0 .. 2 * (what->tensors + what->pairs) - 1), head->byte + (0 .. head->size - 1));
    requires null: \separated((assay_options *)\null, workspace->entry + (0 .. workspace->entries - 1),
        workspace->word + (0 .. workspace->words - 1));
    terminates \true;
    exits \false;
    assigns order[0 .. 2 * (what->tensors + what->pairs) - 1], *plan, *result, head->byte[0 .. head->size - 1],
        workspace->entry[0 .. workspace->entries - 1], workspace->word[0 .. workspace->words - 1], assay_work,
        assay_passes;
    ensures status: \result == result->error.status;
    ensures valid: \result == ASSAY_OK ==> valid(head->byte, plan->head, plan->file, \null);
    ensures view: \result == ASSAY_OK ==>
        valid_view(&result->view) && view_says(&result->view) && view_finds(&result->view);
    ensures described: \result == ASSAY_OK ==> view_described(&result->view, what, order);
    ensures laid: \result == ASSAY_OK ==> laid_on(&result->view, what->tensors) &&
        sizes_described(&result->view, what, order, what->tensors);
    ensures size: \result == ASSAY_OK ==> result->view.head == head->byte &&
        result->view.data_begin == plan->head <= head->size;
    ensures file: \result == ASSAY_OK ==> plan->head + result->view.data_size == plan->file;
*/
assay_status assay_head_make(const assay_description *what, const assay_write_options *options, uint32_t *order,
                             const assay_head_buffer *head, const assay_workspace *workspace, assay_file_plan *plan,
                             assay_result *result);

/*@ requires what: readable_description(what);
    requires order: \valid_read(order + (0 .. what->tensors - 1));
    requires plan: \valid_read(plan);
    requires piece: \valid(piece) && \separated(piece, what, what->tensor + (0 .. what->tensors - 1), plan);
    terminates \true;
    exits \false;
    assigns *piece;
    ensures next: \result ==> \old(piece->next) < what->tensors && piece->next == \old(piece->next) + 1;
    ensures tensor: \result ==> piece->tensor == order[\old(piece->next)] < what->tensors;
    ensures begin: \result ==> piece->begin == (\old(piece->next) == 0 ? plan->head : \old(piece->end)) <= piece->end;
    ensures size: \result ==>
        described_size{Pre}(\old(what->tensor + order[piece->next]), piece->end - piece->begin);
    ensures unchanged: !\result ==> *piece == \old(*piece);
*/
bool assay_piece_next(const assay_description *what, const uint32_t *order, const assay_file_plan *plan,
                      assay_piece *piece);

/*@ requires view: valid_view(view) && view_says(view);
    requires what: readable_description(what);
    requires order: \valid_read(order + (0 .. what->tensors + what->pairs - 1));
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures described: \result ==> view_described(view, what, order);
    ensures laid: \result ==> laid_on(view, what->tensors) && sizes_described(view, what, order, what->tensors);
*/
bool assay_view_matches(const assay_view *view, const assay_description *what, const uint32_t *order);

/*@ requires one: valid_view(one) && view_says(one);
    requires other: valid_view(other) && view_says(other);
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures count: \result ==> one->tensors == other->tensors;
    ensures same: \result ==> tensors_alike(one, other, one->tensors);
*/
bool assay_same_tensors(const assay_view *one, const assay_view *other);

/*@ requires one: valid_view(one) && view_says(one);
    requires other: valid_view(other) && view_says(other);
    requires text: \valid_read(text + (0 .. one->pairs - 1));
    requires texts: \forall integer i; 0 <= i < one->pairs ==> new_pair_readable(text + i);
    requires where: \valid_read(where + (0 .. one->pairs - 1));
    requires key: \valid_read(key + (0 .. keys - 1));
    requires bytes: \forall integer i; 0 <= i < keys ==> \valid_read(key[i].byte + (0 .. key[i].size - 1));
    terminates \true;
    exits \false;
    assigns assay_work;
    ensures kept: \result ==> pairs_unchanged(one, other, where, key, keys, one->pairs);
*/
bool assay_pairs_kept(const assay_view *one, const assay_view *other, const assay_new_pair *text,
                      const uint32_t *where, const assay_chars *key, uint64_t keys);

#endif
