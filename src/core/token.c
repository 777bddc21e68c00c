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
    uint64_t i = at; /* not a 32-bit number, which compilers would extend at each step */
    /*@ loop invariant i: at <= i <= end;
        loop invariant rest: space_end(head, i, end) == space_end(head, at, end);
        loop assigns i;
        loop variant end - i;
    */
    while (i < end && (head[i] == ' ' || head[i] == '\n' || head[i] == '\t' || head[i] == '\r')) {
        i = i + 1u;
    }
    return (uint32_t)i;
}

assay_step assay_first_item(const uint8_t *head, uint32_t at, uint32_t end)
{
    at = assay_space(head, at, end);
    return at < end ? at : ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
}

/* The next byte that is no white space, where x and y alone are allowed. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures on: lands_on(\result, at, end);
    ensures which: went_on(\result) ==> head[\result] == x || head[\result] == y;
    ensures exact: \result == next_byte(head, at, end, x, y);
*/
static assay_step assay_next_solid(const uint8_t *head, uint32_t at, uint32_t end, uint8_t x, uint8_t y)
{
    assay_step step = assay_first_item(head, at, end);
    return step >= ASSAY_STOPPED || head[step] == x || head[step] == y ? step : ASSAY_STOP(ASSAY_E_UNEXPECTED, step);
}

/* The same, at once if it stands here. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures on: lands_on(\result, at, end);
    ensures which: went_on(\result) ==> head[\result] == x || head[\result] == y;
    ensures exact: \result == next_byte(head, at, end, x, y);
*/
static inline assay_step assay_next_byte(const uint8_t *head, uint32_t at, uint32_t end, uint8_t x, uint8_t y)
{
    return at < end && head[at] > ' ' && (head[at] == x || head[at] == y) ? at : assay_next_solid(head, at, end, x, y);
}

assay_step assay_colon(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_step step = assay_next_byte(head, at, end, ':', ':');
    return step >= ASSAY_STOPPED ? step : step + 1u;
}

/* Where the value stands that begins with `want`, if it does not stand at `at`. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    requires want: want == '"' || want == '{' || want == '[';
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures after: lands(\result, at + 1, end);
    ensures exact: \let p = value_at(head, at, end, want); \result == (p > end ? p : p + 1);
*/
static assay_step assay_open_solid(const uint8_t *head, uint32_t at, uint32_t end, uint8_t want)
{
    assay_step step = assay_first_item(head, at, end);
    return step >= ASSAY_STOPPED ? step : head[step] == want ? step + 1u : assay_wrong(head[step], (uint32_t)step);
}

assay_step assay_open(const uint8_t *head, uint32_t at, uint32_t end, uint8_t want)
{
    return at < end && head[at] == want ? at + 1u : assay_open_solid(head, at, end, want);
}

assay_step assay_separator(const uint8_t *head, uint32_t at, uint32_t end, uint8_t close)
{
    return assay_next_byte(head, at, end, ',', close);
}

assay_step assay_first_key(const uint8_t *head, uint32_t at, uint32_t end)
{
    return assay_next_byte(head, at, end, '"', '}');
}

assay_step assay_next_key(const uint8_t *head, uint32_t at, uint32_t end)
{
    if (end - at >= 2u && head[at] == ',' && head[at + 1u] == '"') {
        return at + 1u;
    }
    assay_step step = assay_next_byte(head, at, end, ',', '}');
    if (step >= ASSAY_STOPPED || head[step] == '}') {
        return step;
    }
    return assay_next_byte(head, (uint32_t)step + 1u, end, '"', '"');
}
