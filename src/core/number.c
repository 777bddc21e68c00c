/* Integers: 0, or a digit 1 to 9 followed by digits, at most 2^64 - 1; products that are checked.
 * Rules H1 header_early, H15 number_form, H16 number_range. */
#include "core.h"

/* Unfolds: number_end, digits_end, digits_value, integer_end, integer_value. */

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

assay_step assay_integer(const uint8_t *head, uint32_t at, uint32_t end, uint64_t *value)
{
    uint32_t start = at;
    uint64_t sum = 0;
    bool plain = true;
    bool fits = true;
    /*@ loop invariant at: start <= at <= end;
        loop invariant some: at == start ==> start < end && number_byte(head[start]);
        loop invariant number: number_end(head, at, end) == number_end(head, start, end);
        loop invariant digits: plain ==> digits_end(head, at, end) == digits_end(head, start, end);
        loop invariant zero: plain ==> head[start] != '0' || at <= start + 1;
        loop invariant form: !plain ==> digits_end(head, start, end) < at || head[start] == '0' && start + 1 < at;
        loop invariant value: plain && fits ==> sum == digits_value(head, start, at);
        loop invariant range: plain && !fits ==> digits_value(head, start, at) > 18446744073709551615;
        loop assigns at, sum, plain, fits;
        loop variant end - at;
    */
    while (at < end && assay_is_number_byte(head[at])) {
        uint8_t c = head[at];
        if (c < '0' || c > '9' || (at > start && head[start] == '0')) {
            plain = false;
        } else if (sum > ASSAY_U64_TENTH || (sum == ASSAY_U64_TENTH && c > '5')) {
            fits = false;
        } else {
            sum = sum * 10u + (uint64_t)(c - '0');
        }
        at = at + 1u;
    }
    if (at >= end) {
        return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
    }
    if (!plain) {
        return ASSAY_STOP(ASSAY_E_NUMBER_FORM, start);
    }
    if (!fits) {
        return ASSAY_STOP(ASSAY_E_NUMBER_RANGE, start);
    }
    *value = sum;
    return at;
}

/* On 32-bit halves: a 64-bit division, the other way to check, calls a library on 32-bit targets. */
bool assay_multiply(uint64_t a, uint64_t b, uint64_t *product)
{
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
