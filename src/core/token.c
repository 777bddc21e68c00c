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

/*@ predicate blank_byte(integer c) = c == 0x20 || c == 0x09 || c == 0x0A || c == 0x0D; */

static const bool assay_blank_table[256] = {[' '] = true, ['\n'] = true, ['\t'] = true, ['\r'] = true};

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == 1 <==> blank_byte(c);
*/
static inline bool assay_is_blank(uint8_t c)
{
    return assay_blank_table[c];
}

/*@ ghost
/@ requires inside: at + run <= end <= ASSAY_END_MAX;
   requires blank: \forall integer i; at <= i < at + run ==> blank_byte(head[i]);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures same: space_end(head, at, end) == space_end(head, at + run, end);
@/
void assay_blanks(const uint8_t *head, uint32_t at, uint32_t run, uint32_t end)
{
    uint32_t i = 0;

    /@ loop invariant inside: 0 <= i <= run;
       loop invariant same: space_end(head, at, end) == space_end(head, at + i, end);
       loop assigns i;
       loop variant run - i;
    @/
    while (i < run) {
        /@ assert here: blank_byte(head[at + i]); @/
        i++;
    }
}
*/

/* How many bytes of a block stand before the first that is no white space: all are looked at, and without a branch, so
 * that a compiler may do it with vectors. */
/*@ requires block: \valid_read(head + (at .. at + ASSAY_BLOCK - 1));
    requires at: at + ASSAY_BLOCK <= ASSAY_END_MAX;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures inside: \result <= ASSAY_BLOCK;
    ensures blank: \forall integer i; at <= i < at + \result ==> blank_byte(head[i]);
    ensures solid: \result < ASSAY_BLOCK ==> !blank_byte(head[at + \result]);
*/
static uint8_t assay_blank_run(const uint8_t *head, uint32_t at)
{
    const uint8_t *block = head + at;
    uint8_t first = ASSAY_BLOCK;
    /*@ loop invariant i: 0 <= i <= ASSAY_BLOCK;
        loop invariant first: first < i || first == ASSAY_BLOCK;
        loop invariant blank: \forall integer j; at <= j < at + i && j < at + first ==> blank_byte(head[j]);
        loop invariant solid: first < i ==> !blank_byte(head[at + first]);
        loop assigns i, first;
        loop variant ASSAY_BLOCK - i;
    */
    for (uint8_t i = 0; i < ASSAY_BLOCK; i++) {
        uint8_t c = block[i] == '\n' ? ' ' : block[i];
        c = c == '\t' ? ' ' : c;
        c = c == '\r' ? ' ' : c;
        uint8_t place = c == ' ' ? ASSAY_BLOCK : i;
        first = place < first ? place : first;
    }
    return first;
}

/* The first byte that is no white space, or end. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures after: at <= \result <= end;
    ensures exact: \result == space_end(head, at, end);
    ensures solid: space_end(head, \result, end) == \result;
*/
static uint32_t assay_blanks_end(const uint8_t *head, uint32_t at, uint32_t end)
{
    /*@ loop invariant at: \at(at, Pre) <= at <= end;
        loop invariant rest: space_end(head, at, end) == space_end(head, \at(at, Pre), end);
        loop assigns at;
        loop variant end - at;
    */
    while (at < end && assay_is_blank(head[at])) {
        at = at + 1u;
        if (end - at >= ASSAY_BLOCK) {
            uint8_t run = assay_blank_run(head, at);
            //@ ghost assay_blanks(head, at, run, end);
            at = at + run;
        }
    }
    return at;
}

/* Most runs are short: the first bytes are looked at one by one. */
uint32_t assay_space(const uint8_t *head, uint32_t at, uint32_t end)
{
    if (end - at >= ASSAY_BLOCK) {
        const uint8_t *bytes = head + at;
        uint32_t run = 0;
        /*@ loop invariant run: 0 <= run <= ASSAY_BLOCK / 2u;
            loop invariant blank: \forall integer i; at <= i < at + run ==> blank_byte(head[i]);
            loop assigns run;
            loop variant ASSAY_BLOCK - run;
        */
        while (run < ASSAY_BLOCK / 2u && assay_is_blank(bytes[run])) {
            run++;
        }
        //@ ghost assay_blanks(head, at, run, end);
        at = at + run;
        if (run < ASSAY_BLOCK / 2u) {
            return at;
        }
    }
    return assay_blanks_end(head, at, end);
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
