/* header.h: the root of the header, its tensors, and the dims of a shape. A part of core.h. */
#ifndef ASSAY_HEADER_H
#define ASSAY_HEADER_H

/* ---- tensor.c: one tensor ------------------------------------------------------------------------------ */

/* What is known of a tensor while its object is read, and texts of the tensor before, which are often repeated. */
typedef struct {
    uint64_t dtype_at, shape_at, offsets_at; /* of the members' values: of the quote, of each [; 0: not seen yet */
    uint64_t dtype;
    uint64_t rank;
    uint64_t elements; /* product of the dims that aren't 0; 0: it does not fit 64 bits */
    uint64_t empty;    /* 1: a dim is 0 */
    uint64_t begin, end;
    uint64_t expected, found; /* of the error, if there is one */
    uint64_t text, text_size, text_dtype; /* eight bytes that begin with the name of a dtype; its size; the dtype */
    uint64_t dims_at, dims_size;          /* the text of the dims and the ] in the header; 0 bytes: there is none */
    uint64_t end_at, end_size;            /* the same for `end` */
} assay_draft;

/*@ // Eight bytes and the number that they make.
    predicate bytes_of{L}(uint8_t *head, integer at, integer sum) =
        head[at] == byte_of(sum, 1) && head[at + 1] == byte_of(sum, 0x100) && head[at + 2] == byte_of(sum, 0x10000)
        && head[at + 3] == byte_of(sum, 0x1000000) && head[at + 4] == byte_of(sum, 0x100000000)
        && head[at + 5] == byte_of(sum, 0x10000000000) && head[at + 6] == byte_of(sum, 0x1000000000000)
        && head[at + 7] == byte_of(sum, 0x100000000000000);

    // The texts before `at` that it remembers mean what it holds.
    predicate dtype_kept{L}(assay_draft *draft) =
        names_dtype(draft->text, draft->text_size, draft->text_dtype) && draft->text_size <= 7
        && 1 <= draft->text_dtype <= 22;

    predicate dims_kept{L}(assay_draft *draft, uint8_t *head, integer at, integer end) =
        draft->dims_at + draft->dims_size <= at && (draft->dims_size != 0 ==>
            shape_text(head, draft->dims_at, draft->dims_size, end, draft->rank, draft->elements, draft->empty));

    predicate end_kept{L}(assay_draft *draft, uint8_t *head, integer at, integer end) =
        draft->end_at + draft->end_size <= at && (draft->end_size != 0 ==>
            item_text(head, draft->end_at, draft->end_size, end, draft->end));

    predicate draft_remembers{L}(assay_draft *draft, uint8_t *head, integer at, integer end) =
        dtype_kept(draft) && dims_kept(draft, head, at, end) && end_kept(draft, head, at, end);

    // The fields of the error, none so far.
    logic integer draft_fields{L}(assay_draft *draft) = fields(draft->expected, draft->found);
    predicate draft_silent{L}(assay_draft *draft) = draft->expected == UINT64_MAX && draft->found == UINT64_MAX;

    // A tensor that keeps the rules H19 to H23.
    predicate draft_valid(assay_draft *draft, integer at) =
        1 <= draft->dtype <= 22 && draft->shape_at < at && draft->rank < 134217728 && draft->begin <= draft->end;

    // It holds what the object with its { at `at` means.
    predicate draft_says(assay_draft *draft, uint8_t *head, integer at, integer end) =
        draft->dtype == object_dtype(head, at, end) && draft->shape_at == object_shape(head, at, end)
        && draft->rank == object_rank(head, at, end) && draft->begin == object_begin(head, at, end)
        && draft->end == object_finish(head, at, end) && shape_judged(head, draft->shape_at, end);

    // The draft holds the dims from the one at `first` on, up to the one that must follow at `at`.
    predicate dims_held{L}(assay_draft *draft, uint8_t *head, integer first, integer at, integer end,
                           integer max_rank) =
        draft->rank <= at && draft->empty <= 1
        && dims_end(head, first, end, 1, max_rank) == dims_end(head, at, end, draft->rank + 1, max_rank)
        && dims_end(head, first, end, 1, unlimited) == dims_end(head, at, end, draft->rank + 1, unlimited)
        && dims_count(head, first, end) == draft->rank + dims_count(head, at, end)
        && dims_product(head, first, end, 1) == dims_product(head, at, end, elements_product(draft->elements))
        && dims_zero(head, first, end) == (draft->empty == 1 ? 1 : dims_zero(head, at, end));
*/

/* Read an integer of an array in any form; return the offset of the comma or bracket after it. beyond: it is a dim
 * above the limit on the rank. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    requires value: \valid(value);
    terminates \true;
    exits \false;
    assigns *value, assay_work;
    ensures on: lands_on(\result, at + 1, end);
    ensures which: went_on(\result) ==> head[\result] == ',' || head[\result] == ']';
    ensures exact: \result == item_end(head, at, end, beyond == 1 ? 1 : 0);
    ensures beyond: beyond == 1 ==> !went_on(\result);
    ensures always: went_on(\result) ==> \result == item_end(head, at, end, 0);
    ensures value: went_on(\result) ==> *value == item_value(head, at, end);
    ensures cost: assay_work <= \old(assay_work) + reached(\result, end) - at;
*/
static assay_step assay_item_any(const uint8_t *head, uint32_t at, uint32_t end, bool beyond, uint64_t *value);

/* Read a shape, or data offsets; at: after the [. Return the offset after the ]. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    requires draft: \valid(draft) && draft_silent(draft);
    terminates \true;
    exits \false;
    assigns draft->rank, draft->elements, draft->empty, draft->expected, draft->found, assay_work;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \result == shape_end(head, at - 1, end, max_rank);
    ensures always: went_on(\result) ==> \result == shape_end(head, at - 1, end, unlimited);
    ensures rank: went_on(\result) ==> draft->rank == shape_rank(head, at - 1, end) && draft->rank <= \result;
    ensures product: went_on(\result) ==> elements_product(draft->elements) == shape_product(head, at - 1, end);
    ensures empty: went_on(\result) ==> draft->empty == shape_zero(head, at - 1, end);
    ensures closes: went_on(\result) ==> head[\result - 1] == ']';
    ensures silent: went_on(\result) ==> draft_silent(draft);
    ensures fields: draft_fields(draft) == shape_fields(head, at - 1, end, max_rank);
    ensures cost: assay_work <= \old(assay_work) + cost(at, \result, end);
*/
static assay_step assay_shape(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft);

/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    requires draft: \valid(draft) && draft_silent(draft) && end_kept(draft, head, at, end);
    terminates \true;
    exits \false;
    assigns draft->begin, draft->end, draft->expected, draft->found, draft->end_at, draft->end_size, assay_work;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \result == offsets_end(head, at - 1, end);
    ensures silent: went_on(\result) ==> draft_silent(draft);
    ensures fields: draft_fields(draft) == offsets_fields(head, at - 1, end);
    ensures begin: went_on(\result) ==> draft->begin == offsets_begin(head, at - 1, end);
    ensures finish: went_on(\result) ==> draft->end == offsets_finish(head, at - 1, end);
    ensures kept: went_on(\result) ==> end_kept(draft, head, \result, end);
    ensures cost: assay_work <= \old(assay_work) + cost(at, \result, end);
*/
static assay_step assay_offsets(const uint8_t *head, uint32_t at, uint32_t end, assay_draft *draft);

/*@ // What the draft holds of the members seen so far is what they mean, and head[0 .. at) holds them.
    predicate dtype_says{L}(assay_draft *draft, uint8_t *head, integer at, integer end) =
        draft->dtype_at <= at &&
        (draft->dtype_at != 0 ==> 1 <= draft->dtype <= 22 && draft->dtype == dtype_at(head, draft->dtype_at, end));

    predicate shape_says{L}(assay_draft *draft, uint8_t *head, integer at, integer end) =
        draft->shape_at <= at &&
        (draft->shape_at != 0 ==> draft->rank <= at && draft->rank == shape_rank(head, draft->shape_at, end)
            && elements_product(draft->elements) == shape_product(head, draft->shape_at, end)
            && draft->empty == shape_zero(head, draft->shape_at, end) && shape_judged(head, draft->shape_at, end));

    predicate offsets_say{L}(assay_draft *draft, uint8_t *head, integer at, integer end) =
        draft->offsets_at <= at &&
        (draft->offsets_at != 0 ==> draft->begin == offsets_begin(head, draft->offsets_at, end)
            && draft->end == offsets_finish(head, draft->offsets_at, end));

    predicate members_say{L}(assay_draft *draft, uint8_t *head, integer at, integer end) =
        dtype_says(draft, head, at, end) && shape_says(draft, head, at, end) && offsets_say(draft, head, at, end)
        && draft_remembers(draft, head, at, end);

    // From the first key to this one: the value of the member was met at `place`, or (0) not yet.
    predicate member_met{L}(uint8_t *head, integer first, integer key, integer end, integer member, integer place) =
        (place != 0 ==> member_from(head, first, end, member) == place) &&
        (place == 0 && head[key] == '"' ==>
            member_from(head, first, end, member) == member_from(head, key, end, member));

    predicate members_met{L}(assay_draft *draft, uint8_t *head, integer first, integer key, integer end) =
        member_met(head, first, key, end, 1, draft->dtype_at) && member_met(head, first, key, end, 2, draft->shape_at)
        && member_met(head, first, key, end, 4, draft->offsets_at);
*/

/*@ // From K to L, when the step went on: the draft has taken the value of the member, which begins at `value`.
    predicate takes{K, L}(assay_draft *draft, uint8_t *head, integer end, integer member, integer value, integer step) =
        went_on(step) ==> members_say{L}(draft, head, step, end)
            && \at(draft->dtype_at, L) == (member == 1 ? value : \at(draft->dtype_at, K))
            && \at(draft->shape_at, L) == (member == 2 ? value : \at(draft->shape_at, K))
            && \at(draft->offsets_at, L) == (member == 4 ? value : \at(draft->offsets_at, K));
*/

/* Read the name of a dtype in any form; at: after its opening quote. Return the offset after the closing one. */
/*@ requires head: head_ok(head, end);
    requires at: 2 <= at <= end;
    requires draft: \valid(draft) && members_say(draft, head, at - 1, end);
    terminates \true;
    exits \false;
    assigns *draft, assay_work;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \result == dtype_end(head, at - 1, end);
    ensures takes: takes{Pre, Here}(draft, head, end, 1, at - 1, \result);
    ensures same: draft->expected == \old(draft->expected) && draft->found == \old(draft->found);
    ensures cost: assay_work <= \old(assay_work) + 18 * (reached(\result, end) - at) + (\result <= end ? 4 : 22);
*/
static assay_step assay_dtype_read(const uint8_t *head, uint32_t at, uint32_t end, assay_draft *draft);

/*@ // The key whose opening quote is at `key` is this member's; its value, if not seen before, begins at `value`.
    predicate member_begins{L}(uint8_t *head, integer key, integer end, integer member, integer value) =
        member_at(head, key, end) == member &&
        (\forall integer d, s, o; (member == 1 ? d : member == 2 ? s : o) == 0 ==>
            member_value(head, key, end, d, s, o) == value);
*/

/* Read a key in any form; at: after its opening quote. Return the offset after its colon. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end && head[at - 1] == '"';
    requires draft: \valid_read(draft);
    requires member: \valid(member) && \separated(member, draft);
    terminates \true;
    exits \false;
    assigns *member, assay_work;
    ensures after: lands(\result, at + 2, end);
    ensures stop: !went_on(\result) ==>
        member_value(head, at - 1, end, draft->dtype_at, draft->shape_at, draft->offsets_at) == \result;
    ensures once: went_on(\result) ==> *member == 1 && draft->dtype_at == 0 || *member == 2 && draft->shape_at == 0
        || *member == 4 && draft->offsets_at == 0;
    ensures begins: went_on(\result) ==>
        member_begins(head, at - 1, end, *member, value_at(head, \result, end, *member == 1 ? '"' : '['));
    ensures cost: assay_work <= \old(assay_work) + cost(at, \result, end);
*/
static assay_step assay_member_key(const uint8_t *head, uint32_t at, uint32_t end, const assay_draft *draft,
                                   uint32_t *member);

/* Read the object of a tensor and judge it by the rules H10 to H23; at: after the {. Return the offset after the }. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    requires draft: \valid(draft) && draft_silent(draft) && draft_remembers(draft, head, at, end);
    terminates \true;
    exits \false;
    assigns *draft, assay_work;
    ensures after: lands(\result, at + 1, end);
    ensures kept: went_on(\result) ==> draft_valid(draft, \result);
    ensures exact: \result == tensor_end(head, at - 1, end, max_rank);
    ensures fields: draft_fields(draft) == object_fields(head, at - 1, end, max_rank);
    ensures silent: went_on(\result) ==> draft_silent(draft);
    ensures always: went_on(\result) ==> \result == tensor_end(head, at - 1, end, unlimited);
    ensures says: went_on(\result) ==> draft_says(draft, head, at - 1, end);
    ensures remembers: went_on(\result) ==> draft_remembers(draft, head, \result, end);
    ensures cost: assay_work <= \old(assay_work) + cost(at, \result, end);
*/
static assay_step assay_tensor_object(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank,
                                      assay_draft *draft);

/* ---- view.c: shapes -------------------------------------------------------------------------------------- */

/* The next dim of a shape, as assay_dim_next says it, of a header that ends at end. */
/*@ requires head: head_ok(head, end);
  @ requires out: \valid(dims) && \valid(dim) && \separated(dims, dim);
  @ terminates \true;
  @ exits \false;
  @ assigns *dims, *dim, assay_work;
  @ ensures answer: \result <==> \old(dims->left) > 0 && dim_there(head, \old(dims->at), end);
  @ ensures number: \result ==> *dim == dim_number(head, \old(dims->at), end);
  @ ensures behind: \result ==> dims->at == dim_stop(head, \old(dims->at), end);
  @ ensures bounds: \result ==> \old(dims->at) < dims->at <= end;
  @ ensures left: \result ==> dims->left == \old(dims->left) - 1;
  @ ensures unchanged: !\result ==> *dims == \old(*dims) && *dim == \old(*dim);
  @*/
static bool assay_dim_read(const uint8_t *head, uint32_t end, assay_dims *dims, uint64_t *dim);

/* ---- header.c: the root ------------------------------------------------------------------------------------------ */

/* Where a scan puts what it finds: as much as there is room for. */
typedef struct {
    assay_entry *entry; /* tensors, in header order */
    uint64_t entries;
    uint32_t *word; /* metadata: keys from the front, values from the back */
    uint64_t words;
    uint64_t max_tensors, max_rank, max_name, max_metadata;
} assay_plan;

/* What a scan has found. */
typedef struct {
    uint64_t tensors, pairs; /* counted, whether there was room or not */
    uint64_t metadata;       /* 1: there is a __metadata__ */
    uint64_t tensor;         /* the one being read, or none */
    uint32_t name, name_end; /* its name: head[name .. name_end) */
    assay_draft draft;       /* of the tensor being read or, between two, of the one before */
} assay_found;

/* What stages F and H have counted in a header. */
typedef struct {
    uint32_t end; /* where the header ends */
    uint32_t tensors, pairs;
    uint32_t metadata; /* 1: there is a __metadata__ */
} assay_counts;

#ifdef __FRAMAC__
#include "scan.acsl"
#endif

/* Stage H: judges head[8 .. end). Gives end, or the stop. *found is set in any case. */
/*@ requires head: head_ok(head, end);
    requires end: 8 <= end;
    requires plan: plan_ok(plan, found);
    terminates \true;
    exits \false;
    assigns *found, plan.entry[0 .. plan.entries - 1], plan.word[0 .. plan.words - 1], assay_work;
    ensures all: went_on(\result) ==> \result == end && 10 <= end;
    ensures counted: went_on(\result) ==> counted(found, end);
    ensures stored: went_on(\result) ==> stored(plan, found, end);
    ensures named: found_named(found, head, end);
    ensures exact: \result == header_end(head, end, plan.max_tensors, plan.max_rank, plan.max_name,
                                         plan.max_metadata);
    ensures fields: !went_on(\result) ==> error_fields(found->tensor, found_fields(found)) ==
        header_fields(head, end, plan.max_tensors, plan.max_rank, plan.max_name, plan.max_metadata);
    ensures says: went_on(\result) ==> found_says(plan, found, head, end);
    ensures cost: assay_work <= \old(assay_work) + 20 * (end - 8) + 64;
*/
static assay_step assay_scan(const uint8_t *head, uint32_t end, assay_plan plan, assay_found *found);

#endif
