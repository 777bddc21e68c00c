/* same_text.h: where the header holds the same bytes, it means the same. Ghost functions, no code. */
#ifndef ASSAY_SAME_TEXT_H
#define ASSAY_SAME_TEXT_H

#include "tensor_steps.h"

/*@ predicate closes_item(integer c) = c == ',' || c == ']';

    // The texts at x and y are the same.
    predicate same_text{L}(uint8_t *head, integer x, integer y, integer size) =
        \forall integer i; x <= i < x + size ==> head[i] == head[i - x + y];

    // They have the same bytes, and after each a byte that closes an item.
    predicate same_inside{L}(uint8_t *head, integer x, integer y, integer size, integer end) =
        head_ok(head, end) && x + size < end && y + size < end && same_text(head, x, y, size)
        && closes_item(head[x + size]) && closes_item(head[y + size]);
*/
/*@ ghost
/@ requires same: same_text(head, x, y, k);
   requires low: head[x + k] == head[y + k] && head[x + k + 1] == head[y + k + 1]
       && head[x + k + 2] == head[y + k + 2] && head[x + k + 3] == head[y + k + 3];
   requires high: head[x + k + 4] == head[y + k + 4] && head[x + k + 5] == head[y + k + 5]
       && head[x + k + 6] == head[y + k + 6] && head[x + k + 7] == head[y + k + 7];
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures same: same_text(head, x, y, k + 8);
@/
void assay_eight_same(const uint8_t *head, uint32_t x, uint32_t y, uint32_t k);
/@ requires inside: at + size < end && (head[at + size] == ',' || head[at + size] == ']');
   requires item: item_end(head, at, end, 0) == at + size;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures text: item_text(head, at, size, end, item_value(head, at, end));
@/
void assay_item_keep(const uint8_t *head, uint32_t at, uint32_t size, uint32_t end);

// What has the text of an item is one, and has its value.
/@ requires head: head_ok(head, end);
   requires item: item_text(head, x, size, end, value);
   requires same: same_text(head, x, y, size);
   requires inside: y + size < end && (head[y + size] == ',' || head[y + size] == ']');
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures end: \let p = space_end(head, y, end); y <= p < y + size && head[p] != ']'
       && item_end(head, p, end, 0) == y + size && item_value(head, p, end) == value;
@/
void assay_item_same(const uint8_t *head, uint32_t x, uint32_t y, uint32_t size, uint32_t end, uint64_t value);

/@ requires inside: 1 <= at && at + size <= end && head[at + size - 1] == ']';
   requires shape: shape_end(head, at - 1, end, unlimited) == at + size;
   requires rank: rank == shape_rank(head, at - 1, end) && rank <= at + size;
   requires product: elements_product(elements) == shape_product(head, at - 1, end);
   requires empty: empty == shape_zero(head, at - 1, end);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures text: shape_text(head, at, size, end, rank, elements, empty);
@/
void assay_shape_keep(const uint8_t *head, uint32_t at, uint32_t size, uint32_t end, uint64_t rank, uint64_t elements,
                      uint64_t empty);

// What has the text of a shape is one, and has its dims.
/@ requires head: head_ok(head, end);
   requires shape: 1 <= size && shape_text(head, x, size, end, rank, elements, empty);
   requires same: same_text(head, x, y, size);
   requires inside: 1 <= y && y + size <= end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures end: shape_end(head, y - 1, end, unlimited) == y + size;
   ensures within: rank <= max_rank ==> shape_end(head, y - 1, end, max_rank) == y + size;
   ensures rank: shape_rank(head, y - 1, end) == rank <= x + size;
   ensures product: shape_product(head, y - 1, end) == elements_product(elements);
   ensures empty: shape_zero(head, y - 1, end) == empty;
@/
void assay_shape_same(const uint8_t *head, uint32_t x, uint32_t y, uint32_t size, uint32_t end, uint64_t max_rank,
                      uint64_t rank, uint64_t elements, uint64_t empty);
*/

#endif
