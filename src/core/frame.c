/* frame.c: errors and their fields; stage F: the file is 8 bytes of header length, the header, the data section.
 * Rules F1 file_short, F2 header_large, F3 header_cut; the limit on the header; the statuses usage and need_more. */
#include "core.h"
#include "words.h"

/* Unfolds: fields_set, header_length, frame_judged. */

static assay_status assay_error_has(assay_error *error)
{
    uint64_t status = error->status % 64u;
    uint64_t has = (ASSAY_SETS_OFFSET >> status) % 2u * ASSAY_HAS_OFFSET;
    has += (ASSAY_SETS_EXPECTED >> status) % 2u * ASSAY_HAS_EXPECTED;
    has += (ASSAY_SETS_FOUND >> status) % 2u * ASSAY_HAS_FOUND;
    has += error->tensor == ASSAY_NONE ? 0 : ASSAY_HAS_TENSOR;
    has += error->other == ASSAY_NONE ? 0 : ASSAY_HAS_OTHER;
    error->has = has;
    return (assay_status)error->status;
}

static assay_status assay_error_set(assay_error *error, assay_status status, uint64_t offset, uint64_t expected,
                                    uint64_t found)
{
    error->status = status;
    error->offset = offset;
    error->expected = expected;
    error->found = found;
    return assay_error_has(error);
}

/* Clear an error: its status is ASSAY_OK, and no field is set. */
/*@ requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns *error;
    ensures clear: error_clear(error);
*/
static void assay_error_clear(assay_error *error)
{
    error->tensor = ASSAY_NONE;
    error->other = ASSAY_NONE;
    error->name.at = 0;
    error->name.end = 0;
    error->other_name.at = 0;
    error->other_name.end = 0;
    assay_error_set(error, ASSAY_OK, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE);
}

/* Return the header length N: 8 bytes, the least significant first. */
/*@ requires head: \valid_read(head + (0 .. 7));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == header_length(head);
*/
static uint64_t assay_length(const uint8_t *head)
{
    return head[0] + head[1] * UINT64_C(0x100) + head[2] * UINT64_C(0x10000) + head[3] * UINT64_C(0x1000000)
           + head[4] * UINT64_C(0x100000000) + head[5] * UINT64_C(0x10000000000)
           + head[6] * UINT64_C(0x1000000000000) + head[7] * UINT64_C(0x100000000000000);
}

/* Judge the header length against the limits and the sizes of head and file, which are at least 8. */
/*@ requires sizes: 8 <= in.head_size && 8 <= in.file_size && \valid_read(in.head + (0 .. in.head_size - 1));
    requires length: length == header_length(in.head);
    requires error: \valid(error) && error_clear(error);
    terminates \true;
    exits \false;
    assigns error->status, error->offset, error->expected, error->found, error->has;
    ensures whole: \result == ASSAY_OK ==>
        length <= ASSAY_HEADER_MAX && 8 + length <= in.head_size && 8 + length <= in.file_size;
    ensures clear: \result == ASSAY_OK ==> error_clear(error);
    ensures status: error->status == \result;
    ensures right: has_right(error);
    ensures texts: error_texts(error, 0);
    ensures alone: error_alone(error);
    ensures more: \result == ASSAY_NEED_MORE ==> in.head_size < error->expected == 8 + length <= in.file_size;
    ensures exact: frame_judged(in.head, in.head_size, in.file_size, max_header) ==
        (\result == ASSAY_OK ? 0 : verdict_of(\result, error->offset));
    ensures fields: \result != ASSAY_OK ==>
        frame_fields(in.head, in.head_size, in.file_size, max_header, \result, error->expected, error->found);
*/
static assay_status assay_frame_length(assay_input in, uint64_t length, uint64_t max_header, assay_error *error)
{
    if (length > ASSAY_HEADER_MAX) {
        return assay_error_set(error, ASSAY_E_HEADER_LARGE, 0, ASSAY_HEADER_MAX, length);
    }
    if (length > max_header) {
        return assay_error_set(error, ASSAY_LIMIT_HEADER, 0, max_header, length);
    }
    if (8u + length > in.file_size) {
        return assay_error_set(error, ASSAY_E_HEADER_CUT, in.file_size, 8u + length, in.file_size);
    }
    if (in.head_size < 8u + length) {
        return assay_error_set(error, ASSAY_NEED_MORE, ASSAY_NONE, 8u + length, in.head_size);
    }
    return ASSAY_OK;
}

static assay_status assay_frame(assay_input in, bool right, uint64_t max_header, uint32_t *end, assay_error *error)
{
    uint64_t length = 0;
    assay_status status = ASSAY_OK;
    assay_error_clear(error);
    if (!right) {
        status = assay_error_set(error, ASSAY_USAGE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE);
    } else if (in.file_size < 8u) {
        status = assay_error_set(error, ASSAY_E_FILE_SHORT, in.file_size, 8u, in.file_size);
        //@ assert file: frame_fields(in.head, in.head_size, in.file_size, max_header, status, 8, in.file_size);
    } else if (in.head_size < 8u) {
        status = assay_error_set(error, ASSAY_NEED_MORE, ASSAY_NONE, 8u, in.head_size);
        //@ assert head: frame_fields(in.head, in.head_size, in.file_size, max_header, status, 8, in.head_size);
    } else {
        length = assay_length(in.head);
        status = assay_frame_length(in, length, max_header, error);
    }
    if (status == ASSAY_OK) {
        *end = (uint32_t)(8u + length);
    }
    return status;
}
