/* Tokens: white space, expected bytes, the first byte of each value, integers; checked products.
 * Rules H1 header_early, H3 unexpected, H14 type, H15 number_form, H16 number_range. */
#include "core.h"

/* Unfolds: space_end, next_byte, value_at, first_key, next_key. */
/* Unfolds: number_end, digits_end, digits_value, integer_end, integer_value. */

static uint32_t assay_space(const uint8_t *head, uint32_t pos, uint32_t end)
{
    uint64_t next = pos; /* compilers would extend a 32-bit number at each step */
    /*@ loop invariant next: pos <= next <= end;
        loop invariant rest: space_end(head, next, end) == space_end(head, pos, end);
        loop invariant cost: assay_work <= \at(assay_work, Pre) + next - pos;
        loop assigns next, assay_work;
        loop variant end - next;
    */
    while (next < end && (head[next] == ' ' || head[next] == '\n' || head[next] == '\t' || head[next] == '\r')) {
        //@ ghost assay_spend();
        next = next + 1u;
    }
    return (uint32_t)next;
}

static assay_step assay_token(const uint8_t *head, uint32_t pos, uint32_t end)
{
    pos = assay_space(head, pos, end);
    return pos < end ? pos : ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
}

static inline assay_step assay_expect(const uint8_t *head, uint32_t pos, uint32_t end, uint8_t x, uint8_t y)
{
    if (pos < end && (head[pos] == x || head[pos] == y)) {
        return pos; /* mostly */
    }
    ASSAY_TRY(pos, assay_token(head, pos, end));
    return head[pos] == x || head[pos] == y ? pos : ASSAY_STOP(ASSAY_E_UNEXPECTED, pos);
}

static inline assay_step assay_colon(const uint8_t *head, uint32_t pos, uint32_t end)
{
    ASSAY_TRY(pos, assay_expect(head, pos, end, ':', ':'));
    return pos + 1u;
}

static inline bool assay_is_number_start(uint8_t c)
{
    return c == '-' || (c >= '0' && c <= '9');
}

static assay_step assay_wrong(uint8_t c, uint32_t pos)
{
    bool value = c == '"' || c == '{' || c == '[' || c == 't' || c == 'f' || c == 'n' || assay_is_number_start(c);
    return value ? ASSAY_STOP(ASSAY_E_TYPE, pos) : ASSAY_STOP(ASSAY_E_UNEXPECTED, pos);
}

static inline assay_step assay_open(const uint8_t *head, uint32_t pos, uint32_t end, uint8_t first)
{
    if (pos < end && head[pos] == first) {
        return pos + 1u; /* mostly */
    }
    ASSAY_TRY(pos, assay_token(head, pos, end));
    return head[pos] == first ? pos + 1u : assay_wrong(head[pos], pos);
}

static inline assay_step assay_first_key(const uint8_t *head, uint32_t pos, uint32_t end)
{
    return assay_expect(head, pos, end, '"', '}');
}

static inline assay_step assay_next_key(const uint8_t *head, uint32_t pos, uint32_t end)
{
    if (end - pos >= 2u && head[pos] == ',' && head[pos + 1u] == '"') {
        //@ ghost assay_plain_next(head, pos, end);
        return pos + 1u; /* mostly */
    }
    ASSAY_TRY(pos, assay_expect(head, pos, end, ',', '}'));
    return head[pos] == '}' ? pos : assay_expect(head, pos + 1u, end, '"', '"');
}

#define ASSAY_U64_TENTH 1844674407370955161u /* (2^64 - 1) / 10, rounded down; the remainder is 5 */

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == 1 <==> number_byte(c);
    ensures logic: \result == is_number_byte(c);
*/
static bool assay_is_number_byte(uint8_t c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

static assay_step assay_integer(const uint8_t *head, uint32_t pos, uint32_t end, uint64_t *value)
{
    uint32_t start = pos;
    uint64_t sum = 0;
    bool plain = true;
    bool fits = true;
    /*@ loop invariant pos: start <= pos <= end;
        loop invariant some: pos == start ==> start < end && number_byte(head[start]);
        loop invariant number: number_end(head, pos, end) == number_end(head, start, end);
        loop invariant digits: plain ==> digits_end(head, pos, end) == digits_end(head, start, end);
        loop invariant zero: plain ==> head[start] != '0' || pos <= start + 1;
        loop invariant form: !plain ==> digits_end(head, start, end) < pos || head[start] == '0' && start + 1 < pos;
        loop invariant value: plain && fits ==> sum == digits_value(head, start, pos);
        loop invariant range: plain && !fits ==> digits_value(head, start, pos) > 18446744073709551615;
        loop invariant cost: assay_work <= \at(assay_work, Pre) + pos - start;
        loop assigns pos, sum, plain, fits, assay_work;
        loop variant end - pos;
    */
    while (pos < end && assay_is_number_byte(head[pos])) {
        //@ ghost assay_spend();
        uint8_t c = head[pos];
        if (c < '0' || c > '9' || (pos > start && head[start] == '0')) {
            plain = false;
        } else if (sum > ASSAY_U64_TENTH || (sum == ASSAY_U64_TENTH && c > '5')) {
            fits = false;
        } else {
            sum = sum * 10u + (uint64_t)(c - '0');
        }
        pos = pos + 1u;
    }
    if (pos >= end) {
        return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
    }
    if (!plain) {
        return ASSAY_STOP(ASSAY_E_NUMBER_FORM, start);
    }
    if (!fits) {
        return ASSAY_STOP(ASSAY_E_NUMBER_RANGE, start);
    }
    *value = sum;
    return pos;
}

/* Multiply 32-bit halves: a check by division would call a library on 32-bit targets. */
static inline bool assay_multiply(uint64_t a, uint64_t b, uint64_t *product)
{
    if (a <= UINT32_MAX && b <= UINT32_MAX) {
        *product = a * b;
        return true;
    }
    uint64_t high = a > b ? a : b;
    uint64_t low = a > b ? b : a;
    if (low > UINT32_MAX) {
        return false;
    }
    uint64_t upper = (high / 4294967296u) * low; /* both below 2^32 */
    uint64_t lower = (high % 4294967296u) * low;
    if (upper > UINT32_MAX) {
        return false;
    }
    if (upper * 4294967296u > UINT64_MAX - lower) {
        return false;
    }
    *product = upper * 4294967296u + lower;
    return true;
}
