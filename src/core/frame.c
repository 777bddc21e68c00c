/* The frame: 8 bytes of header length, the header, the data section.
 * Rules F1 file_short, F2 header_large, F3 header_cut; the limit on the header. */
/* Unfolds: header_length, frame_judged. */
#include "core.h"

/* The header length N: 8 bytes, the least significant first. */
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

/*@ requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns error->status, error->offset, error->expected, error->found;
    ensures status: \result == status && error->status == status;
    ensures offset: error->offset == offset;
    ensures expected: error->expected == expected;
*/
static assay_status assay_frame_stop(assay_status status, uint64_t offset, uint64_t expected, uint64_t found,
                                     assay_error *error)
{
    error->status = status;
    error->offset = offset;
    error->expected = expected;
    error->found = found;
    return status;
}

static assay_status assay_frame(assay_input in, uint64_t max_header, uint32_t *end, assay_error *error)
{
    if (in.file_size < 8u) {
        return assay_frame_stop(ASSAY_E_FILE_SHORT, in.file_size, 8u, in.file_size, error);
    }
    if (in.head_size < 8u) {
        return assay_frame_stop(ASSAY_NEED_MORE, ASSAY_NONE, 8u, in.head_size, error);
    }
    uint64_t length = assay_length(in.head);
    if (length > ASSAY_HEADER_MAX) {
        return assay_frame_stop(ASSAY_E_HEADER_LARGE, 0, ASSAY_HEADER_MAX, length, error);
    }
    if (length > max_header) {
        return assay_frame_stop(ASSAY_LIMIT_HEADER, 0, max_header, length, error);
    }
    if (8u + length > in.file_size) {
        return assay_frame_stop(ASSAY_E_HEADER_CUT, in.file_size, 8u + length, in.file_size, error);
    }
    if (in.head_size < 8u + length) {
        return assay_frame_stop(ASSAY_NEED_MORE, ASSAY_NONE, 8u + length, in.head_size, error);
    }
    *end = (uint32_t)(8u + length);
    return ASSAY_OK;
}
