/* Strings: strict UTF-8, escapes, no control bytes. Rules H1 header_early, H5 control, H6 utf8; escape.c. */
#include "core.h"

/* Unfolds: text_plain, utf8_end. */

assay_step assay_utf8(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint8_t lead = head[at];
    uint32_t size = lead < 0xC2u || lead > 0xF4u ? 0 : lead < 0xE0u ? 2u : lead < 0xF0u ? 3u : 4u;
    uint8_t low = lead == 0xE0u ? 0xA0u : lead == 0xF0u ? 0x90u : 0x80u; /* the range of the next byte */
    uint8_t high = lead == 0xEDu ? 0x9Fu : lead == 0xF4u ? 0x8Fu : 0xBFu;
    /*@ loop invariant k: 1 <= k <= 4 && (k < size ==> at + k <= end);
        loop invariant size: size == 0 || size == utf8_tails(lead) + 1 && k <= size && 2 <= size <= 4;
        loop invariant second: k == 1 ==> low == utf8_second_low(lead) && high == utf8_second_high(lead);
        loop invariant later: k >= 2 ==> low == 0x80 && high == 0xBF;
        loop invariant tails: size != 0 ==> at + k <= end && (k >= 2 ==> utf8_tail(lead, 1, head[at + 1]) == 1)
            && (k >= 3 ==> utf8_tail(lead, 2, head[at + 2]) == 1)
            && (k >= 4 ==> utf8_tail(lead, 3, head[at + 3]) == 1);
        loop assigns k, low, high;
        loop variant 4 - k;
    */
    for (uint32_t k = 1; k < size; k++) {
        if (at + k == end) {
            //@ assert cut: utf8_end(head, at, end) == early(end);
            return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
        }
        if (head[at + k] < low || head[at + k] > high) {
            //@ assert wrong: utf8_end(head, at, end) == stop(E_UTF8, at);
            return ASSAY_STOP(ASSAY_E_UTF8, at);
        }
        low = 0x80;
        high = 0xBF;
    }
    //@ assert two: size == 2 ==> utf8_end(head, at, end) == at + 2;
    //@ assert three: size == 3 ==> utf8_end(head, at, end) == at + 3;
    //@ assert four: size == 4 ==> utf8_end(head, at, end) == at + 4;
    return size == 0 ? ASSAY_STOP(ASSAY_E_UTF8, at) : at + size;
}

/* `left`, or 0 if c is a plain character: a number, so that nothing branches. */
/*@ requires left: left <= 3 * ASSAY_BLOCK;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures plain: plain_byte(c) ==> \result == 0;
    ensures other: !plain_byte(c) ==> \result == left;
*/
static inline uint8_t assay_rest(uint8_t c, uint32_t left)
{
    return (uint8_t)((c < 0x20u || c >= 0x80u || c == '"' || c == '\\') * left);
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures more: \result == \max(a, b);
*/
static inline uint8_t assay_more(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

/* How many bytes of a block stand before the first that is no plain character. All are looked at, and without a
 * branch, so that a compiler may do it with vectors. */
/*@ requires block: \valid_read(head + (at .. at + ASSAY_BLOCK - 1));
    requires at: at + ASSAY_BLOCK <= ASSAY_END_MAX;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures inside: \result <= ASSAY_BLOCK;
    ensures plain: \forall integer k; at <= k < at + \result ==> plain_byte(head[k]);
    ensures other: \result < ASSAY_BLOCK ==> !plain_byte(head[at + \result]);
*/
static inline uint32_t assay_plain_run(const uint8_t *head, uint32_t at)
{
    const uint8_t *block = head + at;
    uint8_t rest = 0; /* of the block, from that byte on */
    /*@ loop invariant i: 0 <= i <= ASSAY_BLOCK && rest <= ASSAY_BLOCK;
        loop invariant plain: \forall integer k; at <= k < at + i ==>
            plain_byte(head[k]) || at + ASSAY_BLOCK - k <= rest;
        loop invariant other: rest != 0 ==> !plain_byte(head[at + ASSAY_BLOCK - rest]);
        loop assigns i, rest;
        loop variant ASSAY_BLOCK - i;
    */
    for (uint8_t i = 0; i < ASSAY_BLOCK; i++) {
        rest = assay_more(rest, assay_rest(block[i], ASSAY_BLOCK - i));
    }
    return ASSAY_BLOCK - rest;
}

/* The same of three blocks. */
/*@ requires block: \valid_read(head + (at .. at + 3 * ASSAY_BLOCK - 1));
    requires at: at + 3 * ASSAY_BLOCK <= ASSAY_END_MAX;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures inside: \result <= 3 * ASSAY_BLOCK;
    ensures plain: \forall integer k; at <= k < at + \result ==> plain_byte(head[k]);
*/
static inline uint32_t assay_plain_three(const uint8_t *head, uint32_t at)
{
    const uint8_t *block = head + at;
    uint8_t rest = 0;
    /*@ loop invariant i: 0 <= i <= ASSAY_BLOCK && rest <= 3 * ASSAY_BLOCK;
        loop invariant first: \forall integer k; at <= k < at + i ==>
            plain_byte(head[k]) || at + 3 * ASSAY_BLOCK - k <= rest;
        loop invariant second: \forall integer k; at + ASSAY_BLOCK <= k < at + ASSAY_BLOCK + i ==>
            plain_byte(head[k]) || at + 3 * ASSAY_BLOCK - k <= rest;
        loop invariant third: \forall integer k; at + 2 * ASSAY_BLOCK <= k < at + 2 * ASSAY_BLOCK + i ==>
            plain_byte(head[k]) || at + 3 * ASSAY_BLOCK - k <= rest;
        loop assigns i, rest;
        loop variant ASSAY_BLOCK - i;
    */
    for (uint8_t i = 0; i < ASSAY_BLOCK; i++) {
        rest = assay_more(rest, assay_rest(block[i], 3u * ASSAY_BLOCK - i));
        rest = assay_more(rest, assay_rest(block[ASSAY_BLOCK + i], 2u * ASSAY_BLOCK - i));
        rest = assay_more(rest, assay_rest(block[2u * ASSAY_BLOCK + i], ASSAY_BLOCK - i));
    }
    return 3u * ASSAY_BLOCK - rest;
}

/* Behind the plain characters that begin at `at`; behind some of them where the header ends soon. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures after: at <= \result <= end;
    ensures plain: \forall integer k; at <= k < \result ==> plain_byte(head[k]);
    ensures same: string_end(head, at, end) == string_end(head, \result, end);
*/
static uint32_t assay_plain_far(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t run = 3u * ASSAY_BLOCK;
    /*@ loop invariant at: \at(at, Pre) <= at <= end;
        loop invariant plain: \forall integer k; \at(at, Pre) <= k < at ==> plain_byte(head[k]);
        loop invariant same: string_end(head, \at(at, Pre), end) == string_end(head, at, end);
        loop assigns at, run;
        loop variant end - at + run;
    */
    while (run == 3u * ASSAY_BLOCK && end - at > 3u * ASSAY_BLOCK) {
        run = assay_plain_three(head, at);
        //@ ghost assay_string_plain(head, at, run, end);
        at = at + run;
    }
    return at;
}

uint32_t assay_plain_end(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t place = at;
    if (end - at > 3u * ASSAY_BLOCK) {
        /* Most names end within three blocks: no loop for them. */
        uint32_t run = assay_plain_three(head, at);
        //@ ghost assay_string_plain(head, at, run, end);
        place = run < 3u * ASSAY_BLOCK ? at + run : assay_plain_far(head, at + run, end);
    }
    //@ ghost assay_string_step(head, place, end);
    return place;
}

assay_step assay_string_rest(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_step step = at;
    /*@ loop invariant on: \at(at, Pre) <= step <= end;
        loop invariant exact: string_end(head, \at(at, Pre), end) == string_end(head, step, end);
        loop assigns at, step;
        loop variant step < ASSAY_STOPPED ? end - step : 0;
    */
    while (step < end && head[step] != '"') {
        at = (uint32_t)step;
        //@ ghost assay_string_step(head, at, end);
        uint8_t c = head[at];
        if (c < 0x20u) {
            return ASSAY_STOP(ASSAY_E_CONTROL, at);
        }
        if (c == '\\' || c >= 0x80u) {
            step = c == '\\' ? assay_escape(head, at, end) : assay_utf8(head, at, end);
            if (step >= ASSAY_STOPPED) {
                return step;
            }
        } else {
            uint32_t run = end - at > ASSAY_BLOCK ? assay_plain_run(head, at) : 1u;
            //@ ghost assay_string_plain(head, at, run, end);
            step = at + run;
        }
    }
    //@ ghost assay_string_step(head, (uint32_t)step, end);
    return step < end ? step : ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
}

assay_step assay_string(const uint8_t *head, uint32_t at, uint32_t end)
{
    /* Most strings are short and plain: they end within one block. */
    if (end - at > ASSAY_BLOCK) {
        uint32_t run = head[at] == '"' ? 0 : assay_plain_run(head, at);
        //@ ghost assay_string_plain(head, at, run, end);
        at = at + run;
        //@ ghost assay_string_step(head, at, end);
        if (head[at] == '"') {
            return at;
        }
    }
    return assay_string_rest(head, at, end);
}
