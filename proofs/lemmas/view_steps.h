/* view_steps.h: reading dim after dim, as view.c does, meets the dims of the shape (T6). Lemmas: the contracts of
 * functions that do nothing. view_steps.c has them. */
#ifndef ASSAY_VIEW_STEPS_H
#define ASSAY_VIEW_STEPS_H

/*@ ghost
// Every dim of a shape that has been judged.
/@ requires head: head_ok(head, end);
   requires at: at < end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures met: shape_judged(head, at, end) ==> dims_met(head, at, end);
@/
void assay_dims_judged(const uint8_t *head, uint32_t at, uint32_t end);

// Every such shape.
/@ requires head: head_ok(head, end);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures met: \forall integer at; shape_judged(head, at, end) ==> dims_met(head, at, end);
@/
void assay_shapes_judged(const uint8_t *head, uint32_t end);

// The name of a tensor, seen from where it ends.
/@ requires head: head_ok(head, end);
   requires inside: at <= close <= end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures name: \forall integer k; tensor_key(head, end, k) + 1 == at && tensor_name_end(head, end, k) == close ==>
       text_value(head, at, close) == tensor_name(head, end, k);
   ensures lexed: \forall integer k; tensor_key(head, end, k) + 1 == at && tensor_name_end(head, end, k) == close ==>
       text_lexed(head, at, close, end);
@/
void assay_name_closed(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end);
*/

#endif
