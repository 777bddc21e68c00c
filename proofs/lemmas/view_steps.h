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
*/

#endif
