/* size_steps.h: how many bytes the object of a tensor takes at least: what assay_bound names suffices. Ghost functions,
 * no code. */
#ifndef ASSAY_SIZE_STEPS_H
#define ASSAY_SIZE_STEPS_H

/*@ ghost
// What skips bytes goes forward.
/@ requires inside: end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures space: \forall integer i; 0 <= i ==> i <= space_end(head, i, end);
@/
void assay_space_size(const uint8_t *head, uint32_t end);

/@ requires inside: end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures number: \forall integer i; 0 <= i ==> i <= number_end(head, i, end);
@/
void assay_number_size(const uint8_t *head, uint32_t end);

// From the { of a tensor to after its }.
/@ requires head: head_ok(head, end) && at < end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures size: tensor_end(head, at, end, unlimited) <= end ==> at + 28 <= tensor_end(head, at, end, unlimited);
@/
void assay_object_size(const uint8_t *head, uint32_t at, uint32_t end);
*/

#endif
