/* judge.h: errors and their fields, and stage F. A part of core.h. */
#ifndef ASSAY_JUDGE_H
#define ASSAY_JUDGE_H

#ifdef __FRAMAC__
#include "judge.acsl"
#endif

/* ---- frame.c -------------------------------------------------------------------------------------------- */

/* Set which fields of an error are set, by its status and the others; return its status. */
/*@ requires error: \valid(error) && error->status < 4294967296;
    terminates \true;
    exits \false;
    assigns error->has;
    ensures status: \result == error->status;
    ensures has: has_right(error);
*/
static assay_status assay_error_has(assay_error *error);

/* Set an error, except its tensors and their names; return its status. */
/*@ requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns error->status, error->offset, error->expected, error->found, error->has;
    ensures status: \result == status && error->status == status;
    ensures offset: error->offset == offset;
    ensures fields: error->expected == expected && error->found == found;
    ensures tensors: error->tensor == \old(error->tensor) && error->other == \old(error->other);
    ensures has: has_right(error);
    ensures texts: \forall integer size; \old(error_texts(error, size)) ==> error_texts(error, size);
    ensures alone: \old(error_alone(error)) ==> error_alone(error);
*/
static assay_status assay_error_set(assay_error *error, assay_status status, uint64_t offset, uint64_t expected,
                                    uint64_t found);

/* Judge the options, which are `right` or not, and stage F. ASSAY_OK: *end is 8 + N, and all of head[0 .. *end) is
 * there. *error is set in any case. */
/*@ requires head: \valid_read(in.head + (0 .. in.head_size - 1));
    requires end: \valid(end);
    requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns *end, *error;
    ensures whole: \result == ASSAY_OK ==> 8 <= *end <= ASSAY_END_MAX && *end <= in.head_size && *end <= in.file_size;
    ensures clear: \result == ASSAY_OK ==> error_clear(error);
    ensures status: error->status == \result;
    ensures right: has_right(error);
    ensures texts: error_texts(error, 0);
    ensures alone: error_alone(error);
    ensures usage: right == 0 ==> \result == ASSAY_USAGE && error_empty(error);
    ensures passed: \result == ASSAY_OK ==> right == 1;
    ensures more: \result == ASSAY_NEED_MORE ==>
        in.head_size < error->expected == (in.head_size < 8 ? 8 : 8 + header_length(in.head)) <= in.file_size;
    ensures exact: right == 1 ==>
        frame_judged(in.head, in.head_size, in.file_size, max_header) ==
        (\result == ASSAY_OK ? 0 : verdict_of(\result, error->offset));
    ensures fields: right == 1 && \result != ASSAY_OK ==>
        frame_fields(in.head, in.head_size, in.file_size, max_header, \result, error->expected, error->found);
    ensures length: \result == ASSAY_OK ==> *end == 8 + header_length(in.head);
*/
static assay_status assay_frame(assay_input in, bool right, uint64_t max_header, uint32_t *end, assay_error *error);

#endif
