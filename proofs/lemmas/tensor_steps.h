/* tensor_steps.h: one step of each recursive definition of spec/tensor.acsl, for the loops that walk a tensor. Ghost
 * functions, no code. */
#ifndef ASSAY_TENSOR_STEPS_H
#define ASSAY_TENSOR_STEPS_H

/*@ predicate white_byte(integer c) = c == ' ' || c == '\t' || c == '\n' || c == '\r'; */

/*@ ghost
/@ requires inside: at < end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures beyond: integer_end(head, at, end, 1) ==
       (integer_end(head, at, end, 0) == early(end) ? early(end) : stop(N_LIMIT_RANK, at));
@/
void assay_integer_beyond(const uint8_t *head, uint32_t at, uint32_t end);

// An item within the limit on the rank does not exceed it.
/@ requires inside: at <= end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures within: item_end(head, at, end, 0) / 4294967296 != N_LIMIT_RANK;
@/
void assay_item_within(const uint8_t *head, uint32_t at, uint32_t end);

/@ requires inside: at <= end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures step: \let next = item_end(head, at, end, count > max_rank ? 1 : 0);
       dims_end(head, at, end, count, max_rank) ==
       (next > end ? next
        : at <= next && next < end && head[next] == ',' ? dims_end(head, next + 1, end, count + 1, max_rank)
        : next + 1);
@/
void assay_dims_step(const uint8_t *head, uint32_t at, uint32_t end, uint64_t count, uint64_t max_rank);

/@ requires inside: at <= end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures product: \let next = item_end(head, at, end, 0); \let dim = item_value(head, at, end);
       \forall integer product; dims_product(head, at, end, product) ==
       (at <= next && next < end && head[next] == ',' ? dims_product(head, next + 1, end, times_dim(product, dim))
        : times_dim(product, dim));
   ensures zero: \let next = item_end(head, at, end, 0);
       dims_zero(head, at, end) ==
       (item_value(head, at, end) == 0 ? 1
        : at <= next && next < end && head[next] == ',' ? dims_zero(head, next + 1, end) : 0);
   ensures count: \let next = item_end(head, at, end, 0);
       dims_count(head, at, end) ==
       (at <= next && next < end && head[next] == ',' ? 1 + dims_count(head, next + 1, end) : 1);
@/
void assay_dim_step(const uint8_t *head, uint32_t at, uint32_t end);

/@ requires inside: key <= end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures last: head[key] != '"' ==>
       members_end(head, key, end, max_rank, d, s, o) == tensor_judged(head, key, end, d, s, o);
   ensures step: head[key] == '"' ==>
       \let value = member_value(head, key, end, d, s, o);
       \let member = member_at(head, key, end);
       \let close = member_end(head, value, end, member, max_rank);
       \let next = next_key(head, close, end);
       members_end(head, key, end, max_rank, d, s, o) ==
       (value > end ? value
        : close > end ? close
        : key < next && next < end
        ? members_end(head, next, end, max_rank, member == 1 ? value : d, member == 2 ? value : s,
                      member == 4 ? value : o)
        : next);
@/
void assay_members_step(const uint8_t *head, uint32_t key, uint32_t end, uint64_t max_rank, uint64_t d, uint64_t s,
                        uint64_t o);

/@ requires inside: key <= end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures last: head[key] != '"' ==>
       members_fields(head, key, end, max_rank, d, s, o) == tensor_fields(head, end, d, s, o);
   ensures step: head[key] == '"' ==>
       \let value = member_value(head, key, end, d, s, o);
       \let member = member_at(head, key, end);
       \let close = member_end(head, value, end, member, max_rank);
       \let next = next_key(head, close, end);
       members_fields(head, key, end, max_rank, d, s, o) ==
       (value > end ? no_fields
        : close > end ? member_fields(head, value, end, member, max_rank)
        : key < next && next < end
        ? members_fields(head, next, end, max_rank, member == 1 ? value : d, member == 2 ? value : s,
                         member == 4 ? value : o)
        : no_fields);
@/
void assay_fields_step(const uint8_t *head, uint32_t key, uint32_t end, uint64_t max_rank, uint64_t d, uint64_t s,
                       uint64_t o);

/@ requires inside: key <= end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures step: \let value = member_value(head, key, end, 0, 0, 0);
       \let next = next_key(head, member_end(head, value, end, member_at(head, key, end), unlimited), end);
       member_from(head, key, end, member) ==
       (member_at(head, key, end) == member ? value
        : key < next && next < end && head[next] == '"' ? member_from(head, next, end, member) : next);
@/
void assay_member_from_step(const uint8_t *head, uint32_t key, uint32_t end, uint32_t member);

// A key's closing quote, and at once its colon.
/@ requires inside: at + 1 < end <= ASSAY_END_MAX;
   requires colon: head[at + 1] == ':';
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures value: \forall integer kind; key_value(head, at, end, kind) == value_at(head, at + 2, end, kind);
@/
void assay_key_colon(const uint8_t *head, uint32_t at, uint32_t end);

// Between the members of an object that has no white space.
/@ requires inside: at < end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures first: head[at] == '"' ==> first_key(head, at, end) == at;
   ensures value: \let c = head[at + 2];
       at + 2 < end && head[at + 1] == ':' && (c == '"' || c == '[' || c == '{') ==>
       key_value(head, at, end, c) == at + 2;
   ensures next: at + 1 < end && head[at] == ',' && head[at + 1] == '"' ==> next_key(head, at, end) == at + 1;
   ensures last: head[at] == '}' ==> next_key(head, at, end) == at;
@/
void assay_plain_next(const uint8_t *head, uint32_t at, uint32_t end);

/@ requires inside: start <= at <= end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures digits: digits_end(head, at, end) ==
       (at < end && is_digit(head[at]) == 1 ? digits_end(head, at + 1, end) : at);
   ensures number: number_end(head, at, end) ==
       (at < end && is_number_byte(head[at]) == 1 ? number_end(head, at + 1, end) : at);
   ensures none: digits_value(head, start, start) == 0;
   ensures value: digits_value(head, start, at + 1) == 10 * digits_value(head, start, at) + (head[at] - '0');
@/
void assay_digit_step(const uint8_t *head, uint32_t start, uint32_t at, uint32_t end);

/@ requires inside: from <= at <= end <= ASSAY_END_MAX;
   requires gap: \forall integer i; from <= i < at ==> white_byte(head[i]);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures same: space_end(head, from, end) == space_end(head, at, end);
@/
void assay_gap(const uint8_t *head, uint32_t from, uint32_t at, uint32_t end);

/@ requires inside: from <= at < behind <= close < end <= ASSAY_END_MAX;
   requires before: \forall integer i; from <= i < at ==> white_byte(head[i]);
   requires after: \forall integer i; behind <= i < close ==> white_byte(head[i]);
   requires digits: digits_end(head, behind, end) == digits_end(head, at, end);
   requires number: number_end(head, behind, end) == number_end(head, at, end);
   requires started: '0' <= head[at] <= '9';
   requires ended: head[close] == ',' || head[close] == ']';
   requires form: head[at] != '0' || behind == at + 1;
   requires range: digits_value(head, at, behind) <= UINT64_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures start: space_end(head, from, end) == at;
   ensures end: item_end(head, from, end, 0) == close;
   ensures value: item_value(head, from, end) == digits_value(head, at, behind);
@/
void assay_item_plain(const uint8_t *head, uint32_t from, uint32_t at, uint32_t behind, uint32_t close, uint32_t end);
*/

#endif
