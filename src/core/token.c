/* Between tokens: white space, colons, commas, and the first byte of each value.
 * Rules H1 header_early, H3 unexpected, H14 type. */
#include "core.h"

/* Unfolds: space_end, next_byte, value_at, first_key, next_key. */

bool assay_is_number_start(uint8_t c)
{
    return c == '-' || (c >= '0' && c <= '9');
}

assay_step assay_wrong(uint8_t c, uint32_t at)
{
    bool value = c == '"' || c == '{' || c == '[' || c == 't' || c == 'f' || c == 'n' || assay_is_number_start(c);
    return value ? ASSAY_STOP(ASSAY_E_TYPE, at) : ASSAY_STOP(ASSAY_E_UNEXPECTED, at);
}

uint32_t assay_space(const uint8_t *head, uint32_t at, uint32_t end)
{
    /*@ loop invariant at: \at(at, Pre) <= at <= end;
        loop invariant rest: space_end(head, at, end) == space_end(head, \at(at, Pre), end);
        loop assigns at;
        loop variant end - at;
    */
    while (at < end && (head[at] == ' ' || head[at] == '\n' || head[at] == '\t' || head[at] == '\r')) {
        at = at + 1u;
    }
    return at;
}

assay_step assay_colon(const uint8_t *head, uint32_t at, uint32_t end)
{
    at = assay_space(head, at, end);
    if (at >= end) {
        return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
    }
    return head[at] == ':' ? at + 1u : ASSAY_STOP(ASSAY_E_UNEXPECTED, at);
}

assay_step assay_open(const uint8_t *head, uint32_t at, uint32_t end, uint8_t want)
{
    at = assay_space(head, at, end);
    if (at >= end) {
        return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
    }
    return head[at] == want ? at + 1u : assay_wrong(head[at], at);
}

assay_step assay_separator(const uint8_t *head, uint32_t at, uint32_t end, uint8_t close)
{
    at = assay_space(head, at, end);
    if (at >= end) {
        return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
    }
    return head[at] == ',' || head[at] == close ? at : ASSAY_STOP(ASSAY_E_UNEXPECTED, at);
}

assay_step assay_first_key(const uint8_t *head, uint32_t at, uint32_t end)
{
    at = assay_space(head, at, end);
    if (at >= end) {
        return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
    }
    return head[at] == '"' || head[at] == '}' ? at : ASSAY_STOP(ASSAY_E_UNEXPECTED, at);
}

assay_step assay_next_key(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_step step = assay_separator(head, at, end, '}');
    if (step >= ASSAY_STOPPED || head[step] == '}') {
        return step;
    }
    at = assay_space(head, (uint32_t)step + 1u, end);
    if (at >= end) {
        return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
    }
    return head[at] == '"' ? at : ASSAY_STOP(ASSAY_E_UNEXPECTED, at);
}

assay_step assay_first_item(const uint8_t *head, uint32_t at, uint32_t end)
{
    at = assay_space(head, at, end);
    return at < end ? at : ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
}
