/* member.h: the members of a tensor's object. */
#ifndef ASSAY_MEMBER_H
#define ASSAY_MEMBER_H

#include "core.h"
#include "words.h"

#define ASSAY_MEMBER_DTYPE 1u
#define ASSAY_MEMBER_SHAPE 2u
#define ASSAY_MEMBER_OFFSETS 4u
#define ASSAY_MEMBERS_ALL 7u

/*@ // From K to L, when the step went on: the draft has taken the value of the member, which begins at `value`.
    predicate takes{K, L}(assay_draft *draft, uint8_t *head, integer end, integer member, integer value, integer step) =
        went_on(step) ==> members_say{L}(draft, head, step, end)
            && \at(draft->dtype_at, L) == (member == 1 ? value : \at(draft->dtype_at, K))
            && \at(draft->shape_at, L) == (member == 2 ? value : \at(draft->shape_at, K))
            && \at(draft->offsets_at, L) == (member == 4 ? value : \at(draft->offsets_at, K));
*/

/*@ // This member's key stands here as it is, quote to quote, and then its colon.
    predicate key_stands{L}(uint8_t *head, integer key, integer end, integer member, integer close) =
        head[key] == '"' && close + 1 < end && head[close + 1] == ':' && string_end(head, key + 1, end) == close
        && member_named(head, key + 1, close) == member && has_escape(head, key + 1, close) == 0;
*/

/* ---- member.c: keys -------------------------------------------------------------------------------------- */

/* Does the key stand here, byte by byte, with its colon? */
/*@ requires head: head_ok(head, end);
    requires room: at + ASSAY_KEY_DTYPE_LEN <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures key: \result == 1 ==> key_stands(head, at, end, 1, at + 6);
*/
bool assay_key_dtype(const uint8_t *head, uint32_t at) /*@ ghost (uint32_t end) */;
/*@ requires head: head_ok(head, end);
    requires room: at + ASSAY_KEY_SHAPE_LEN <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures key: \result == 1 ==> key_stands(head, at, end, 2, at + 6);
*/
bool assay_key_shape(const uint8_t *head, uint32_t at) /*@ ghost (uint32_t end) */;
/*@ requires head: head_ok(head, end);
    requires room: at + ASSAY_KEY_DATA_OFFSETS_LEN <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures key: \result == 1 ==> key_stands(head, at, end, 4, at + 13);
*/
bool assay_key_offsets(const uint8_t *head, uint32_t at) /*@ ghost (uint32_t end) */;

/* The member whose key stands so, but for its opening quote. 0: it is to be read character by character. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end && head[at - 1] == '"';
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures member: \result == 0 || \result == 1 || \result == 2 || \result == 4;
    ensures plain: \result != 0 ==> \let close = at + (\result == 4 ? 12 : 5);
        close < end && string_end(head, at, end) == close && member_named(head, at, close) == \result
        && has_escape(head, at, close) == 0;
*/
uint32_t assay_member_plain(const uint8_t *head, uint32_t at, uint32_t end);

/* The member whose key is read character by character. Gives the place of the key's closing quote. */
/*@ requires head: head_ok(head, end);
    requires at: 1 <= at <= end;
    requires member: \valid(member);
    terminates \true;
    exits \false;
    assigns *member;
    ensures after: lands_on(\result, at, end);
    ensures exact: \let close = string_end(head, at, end);
        \result == (close > end ? close : member_judged(head, at - 1, close, 0, 0, 0));
    ensures member: went_on(\result) ==>
        *member == member_named(head, at, \result) && (*member == 1 || *member == 2 || *member == 4);
*/
assay_step assay_member_read(const uint8_t *head, uint32_t at, uint32_t end, uint32_t *member);

/* ---- member.c: dtypes ------------------------------------------------------------------------------------ */

/* How many bytes the name at head[at] has, if it is one of a dtype of at most 7. */
/*@ requires head: head_ok(head, end);
    requires room: at + 8 <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures size: \result == 2 || \result == 3 || \result == 4 || \result == 7;
*/
uint32_t assay_dtype_size(const uint8_t *head, uint32_t at) /*@ ghost (uint32_t end) */;

/* The dtype whose name, of this size, stands at head[at] byte by byte, with its closing quote. 0: there is none. */
/*@ requires head: head_ok(head, end);
    requires room: at + 8 <= end;
    requires size: size == 2 || size == 3 || size == 4 || size == 7;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures known: \result <= 22;
    ensures plain: \result != 0 ==> string_end(head, at, end) == at + size
        && dtype_named(head, at, at + size) == \result && has_escape(head, at, at + size) == 0;
*/
uint32_t assay_dtype_plain(const uint8_t *head, uint32_t at, uint32_t size) /*@ ghost (uint32_t end) */;

/* A dtype whose name is read character by character. at: behind its opening quote. Gives the place behind the
 * closing one. */
/*@ requires head: head_ok(head, end);
    requires at: 2 <= at <= end;
    requires draft: \valid(draft) && members_say(draft, head, at - 1, end);
    terminates \true;
    exits \false;
    assigns *draft;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \result == dtype_end(head, at - 1, end);
    ensures takes: takes{Pre, Here}(draft, head, end, 1, at - 1, \result);
*/
assay_step assay_dtype_read(const uint8_t *head, uint32_t at, uint32_t end, assay_draft *draft);

/* ---- tensor.c: any tensor -------------------------------------------------------------------------------- */

/* The size of a tensor that has all members, against its data offsets. close: its closing brace. */
/*@ requires close: close < ASSAY_END_MAX;
    requires draft: \valid(draft);
    requires dtype: 1 <= draft->dtype <= 22;
    requires places: draft->shape_at <= close && draft->offsets_at <= close;
    terminates \true;
    exits \false;
    assigns draft->expected, draft->found;
    ensures exact: \let product = elements_product(draft->elements) * dtype_bits(draft->dtype);
        \result == size_judged(close, draft->shape_at, draft->offsets_at, product, draft->empty == 1 ? 0 : product,
                               draft->begin, draft->end);
    ensures order: went_on(\result) ==> draft->begin <= draft->end;
*/
assay_step assay_size_judge(uint32_t close, assay_draft *draft);

#endif
