/* scan_steps.h: lemmas on the header's logic, as contracts of functions that do nothing: one step of each
 * definition that is recursive, for the loops of header.c. */
#ifndef ASSAY_SCAN_STEPS_H
#define ASSAY_SCAN_STEPS_H

/*@ ghost
/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures stopped: \forall integer stop; stop > end ==> pairs_end(head, stop, end, count, max_metadata) == stop;
   ensures end: key <= end && head[key] != 0x22 ==> pairs_end(head, key, end, count, max_metadata) == key + 1;
   ensures next: key <= end && head[key] == 0x22 ==>
       \let last = pair_judged(head, key, end, count, max_metadata);
       \let next = next_key(head, last, end);
       pairs_end(head, key, end, count, max_metadata) ==
           (last > end ? last : key < next < end ? pairs_end(head, next, end, count + 1, max_metadata) : next);
   ensures fields_stopped: \forall integer stop; stop > end ==>
       pairs_fields(head, stop, end, count, max_metadata) == no_fields;
   ensures fields: key <= end ==>
       \let last = pair_end(head, key, end);
       \let next = next_key(head, last, end);
       pairs_fields(head, key, end, count, max_metadata) ==
           (head[key] != 0x22 || string_end(head, key + 1, end) > end ? no_fields
            : count > max_metadata ? fields(max_metadata, count)
            : last <= end && key < next < end ? pairs_fields(head, next, end, count + 1, max_metadata) : no_fields);
@/
void assay_pairs_step(const uint8_t *head, uint32_t key, uint32_t end, uint64_t count, uint64_t max_metadata);

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures value: pair_value(head, end, k) ==
       key_value(head, string_end(head, pair_key(head, end, k) + 1, end), end, 0x22);
   ensures first: \let key = metadata_key(head, end); pair_key(head, end, 0) == (head[key] != 0x22 ? key
       : first_key(head, key_value(head, string_end(head, key + 1, end), end, 0x7B) + 1, end));
   ensures next: pair_key(head, end, k + 1) == next_key(head, pair_end(head, pair_key(head, end, k), end), end);
@/
void assay_pair_step(const uint8_t *head, uint32_t end, uint64_t k);

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures first: tensor_key(head, end, 0) == tensor_from(head, first_key(head, 9, end), end);
   ensures next: tensor_key(head, end, k + 1) ==
       tensor_from(head, root_next(head, tensor_key(head, end, k), end), end);
@/
void assay_tensor_step(const uint8_t *head, uint32_t end, uint64_t k);

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures tensor: \let next = root_next(head, key, end); tensor_from(head, key, end) ==
       (head[key] != 0x22 || is_metadata(head, key + 1, string_end(head, key + 1, end)) != 1 ? key
        : key < next < end ? tensor_from(head, next, end) : next);
   ensures metadata: \let next = root_next(head, key, end); metadata_from(head, key, end) ==
       (head[key] != 0x22 || is_metadata(head, key + 1, string_end(head, key + 1, end)) == 1 ? key
        : key < next < end ? metadata_from(head, next, end) : next);
@/
void assay_from_step(const uint8_t *head, uint32_t key, uint32_t end);

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures step: trailing_end(head, at, end) ==
       (at >= end ? end : head[at] != 0x20 ? stop(E_TRAILING, at) : trailing_end(head, at + 1, end));
@/
void assay_trailing_step(const uint8_t *head, uint32_t at, uint32_t end);

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures stopped: \forall integer stop; stop > end ==> root_within(head, stop, end, seen, count, plan) == stop;
   ensures end: key <= end && head[key] != 0x22 ==> root_within(head, key, end, seen, count, plan) == key + 1;
   ensures next: key <= end && head[key] == 0x22 ==>
       \let last = member_within(head, key, end, seen, count, plan);
       \let next = next_key(head, last, end);
       \let metadata = is_metadata(head, key + 1, string_end(head, key + 1, end));
       root_within(head, key, end, seen, count, plan) ==
           (last > end ? last : key < next < end
            ? root_within(head, next, end, seen + metadata, count + 1 - metadata, plan) : next);
   ensures fields_stopped: \forall integer stop; stop > end ==>
       root_says(head, stop, end, seen, count, plan) == no_tensor(no_fields);
   ensures fields: key <= end ==>
       \let last = member_within(head, key, end, seen, count, plan);
       \let next = next_key(head, last, end);
       \let metadata = is_metadata(head, key + 1, string_end(head, key + 1, end));
       root_says(head, key, end, seen, count, plan) ==
           (head[key] != 0x22 ? no_tensor(no_fields)
            : last > end ? member_says(head, key, end, seen, count, plan)
            : key < next < end ? root_says(head, next, end, seen + metadata, count + 1 - metadata, plan)
            : no_tensor(no_fields));
@/
void assay_root_step(const uint8_t *head, uint32_t key, uint32_t end, uint64_t seen, uint64_t count, assay_plan plan);
*/

#endif
