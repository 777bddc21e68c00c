/* tensor.h: one tensor, and the dims of a shape. A part of core.h. */
#ifndef ASSAY_TENSOR_H
#define ASSAY_TENSOR_H

/* ---- shape.c, tensor.c: one tensor --------------------------------------------------------------------- */

/* What is known of a tensor while its object is read. */
typedef struct {
    uint64_t dtype_at, shape_at, offsets_at; /* of the members' values: of the quote, of each [; 0: not seen yet */
    uint64_t dtype;
    uint64_t rank;
    uint64_t elements; /* product of the dims that aren't 0; 0: it does not fit 64 bits */
    uint64_t empty;    /* 1: a dim is 0 */
    uint64_t begin, end;
    uint64_t expected, found; /* of the error, if there is one */
} assay_draft;

/*@ logic integer elements_product(integer elements) = elements == 0 ? 18446744073709551616 : elements;

    // A tensor that keeps the rules H19 to H23.
    predicate draft_valid(assay_draft *draft, integer at) =
        1 <= draft->dtype <= 22 && draft->shape_at < at && draft->rank < 134217728 && draft->begin <= draft->end;

    // It is what the object whose { stands at `at` says.
    predicate draft_says(assay_draft *draft, uint8_t *head, integer at, integer end) =
        draft->dtype == object_dtype(head, at, end) && draft->shape_at == object_shape(head, at, end)
        && draft->rank == object_rank(head, at, end) && draft->begin == object_begin(head, at, end)
        && draft->end == object_finish(head, at, end) && shape_judged(head, draft->shape_at, end);
*/

/* shape.c: the arrays. at: behind the [. Gives the place behind the ]. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    requires draft: \valid(draft);
    terminates \true;
    exits \false;
    assigns draft->rank, draft->elements, draft->empty, draft->expected, draft->found;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \result == shape_end(head, at - 1, end, max_rank);
    ensures always: went_on(\result) ==> \result == shape_end(head, at - 1, end, unlimited);
    ensures rank: went_on(\result) ==> draft->rank == shape_rank(head, at - 1, end) && draft->rank <= \result;
    ensures product: went_on(\result) ==> elements_product(draft->elements) == shape_product(head, at - 1, end);
    ensures empty: went_on(\result) ==> draft->empty == shape_zero(head, at - 1, end);
    ensures limit: \result / 4294967296 == N_LIMIT_RANK ==>
        draft->expected == max_rank && draft->found == draft->rank;
    ensures silent: \result / 4294967296 != N_LIMIT_RANK ==>
        draft->expected == \old(draft->expected) && draft->found == \old(draft->found);
*/
assay_step assay_shape(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft);
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    requires draft: \valid(draft);
    terminates \true;
    exits \false;
    assigns draft->begin, draft->end, draft->expected, draft->found;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \result == offsets_end(head, at - 1, end);
    ensures begin: went_on(\result) ==> draft->begin == offsets_begin(head, at - 1, end);
    ensures finish: went_on(\result) ==> draft->end == offsets_finish(head, at - 1, end);
*/
assay_step assay_offsets(const uint8_t *head, uint32_t at, uint32_t end, assay_draft *draft);

/* tensor.c. at: behind the {. Gives the place behind the }, all rules H10 to H23 kept. *draft is set in any case. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    requires draft: \valid(draft);
    terminates \true;
    exits \false;
    assigns *draft;
    ensures after: lands(\result, at + 1, end);
    ensures kept: went_on(\result) ==> draft_valid(draft, \result);
    ensures exact: \result == tensor_end(head, at - 1, end, max_rank);
    ensures always: went_on(\result) ==> \result == tensor_end(head, at - 1, end, unlimited);
    ensures says: went_on(\result) ==> draft_says(draft, head, at - 1, end);
*/
assay_step assay_tensor_any(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft);

/* plain.c: the same for an object in the official writer's form. 0: it is left to assay_tensor_any, and *draft says
 * nothing. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    requires draft: \valid(draft);
    terminates \true;
    exits \false;
    assigns *draft;
    ensures after: \result != 0 ==> lands(\result, at + 1, end);
    ensures kept: \result != 0 && went_on(\result) ==> draft_valid(draft, \result);
    ensures exact: \result != 0 ==> \result == tensor_end(head, at - 1, end, max_rank);
    ensures always: \result != 0 && went_on(\result) ==> \result == tensor_end(head, at - 1, end, unlimited);
    ensures says: \result != 0 && went_on(\result) ==> draft_says(draft, head, at - 1, end);
*/
assay_step assay_tensor_plain(const uint8_t *head, uint32_t at, uint32_t end, uint64_t max_rank, assay_draft *draft);

/* ---- view.c: shapes -------------------------------------------------------------------------------------- */

/* The next dim of a shape, as assay_dim_next says it, of a header that ends at end. */
/*@ requires head: head_ok(head, end);
  @ requires out: \valid(dims) && \valid(dim) && \separated(dims, dim);
  @ terminates \true;
  @ exits \false;
  @ assigns *dims, *dim;
  @ ensures answer: \result <==> \old(dims->left) > 0 && dim_there(head, \old(dims->at), end);
  @ ensures number: \result ==> *dim == dim_number(head, \old(dims->at), end);
  @ ensures behind: \result ==> dims->at == dim_stop(head, \old(dims->at), end);
  @ ensures bounds: \result ==> \old(dims->at) < dims->at <= end;
  @ ensures left: \result ==> dims->left == \old(dims->left) - 1;
  @ ensures unchanged: !\result ==> *dims == \old(*dims) && *dim == \old(*dim);
  @*/
bool assay_dim_read(const uint8_t *head, uint32_t end, assay_dims *dims, uint64_t *dim);

#endif
