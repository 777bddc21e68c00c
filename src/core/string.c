/* Strings: strict UTF-8, escapes, no control bytes. Rules H1 header_early, H5 control; escape.c, utf8.c. */
#include "string_steps.h"

/* How many bytes of a block stand before the first that is no plain character. All are looked at, and without a
 * branch, so that a compiler may do it with vectors. */
/*@ requires block: \valid_read(head + (at .. at + ASSAY_BLOCK - 1));
    requires at: at + ASSAY_BLOCK <= ASSAY_END_MAX;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures inside: \result <= ASSAY_BLOCK;
    ensures plain: \forall integer i; at <= i < at + \result ==> plain_byte(head[i]);
    ensures other: \result < ASSAY_BLOCK ==> !plain_byte(head[at + \result]);
*/
static inline uint8_t assay_plain_run(const uint8_t *head, uint32_t at)
{
    const uint8_t *block = head + at;
    uint8_t first = ASSAY_BLOCK;
    /*@ loop invariant i: 0 <= i <= ASSAY_BLOCK;
        loop invariant first: first < i || first == ASSAY_BLOCK;
        loop invariant plain: \forall integer j; at <= j < at + i && j < at + first ==> plain_byte(head[j]);
        loop invariant other: first < i ==> !plain_byte(head[at + first]);
        loop assigns i, first;
        loop variant ASSAY_BLOCK - i;
    */
    for (uint8_t i = 0; i < ASSAY_BLOCK; i++) {
        uint8_t c = block[i];
        uint8_t place = c >= 0x20u && c < 0x80u && c != '"' && c != '\\' ? ASSAY_BLOCK : i;
        first = place < first ? place : first;
    }
    return first;
}

/* Behind the plain characters that begin at `at`. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures after: at <= \result <= end;
    ensures same: string_end(head, at, end) == string_end(head, \result, end);
    ensures other: \result < end ==> !plain_byte(head[\result]);
*/
static uint32_t assay_plain_end(const uint8_t *head, uint32_t at, uint32_t end)
{
    /*@ loop invariant at: \at(at, Pre) <= at <= end;
        loop invariant same: string_end(head, \at(at, Pre), end) == string_end(head, at, end);
        loop assigns at;
        loop variant end - at;
    */
    while (end - at >= ASSAY_BLOCK) {
        uint8_t run = assay_plain_run(head, at);
        //@ ghost assay_string_plain(head, at, run, end);
        at = at + run;
        if (run < ASSAY_BLOCK) {
            return at;
        }
    }
    /*@ loop invariant at: \at(at, Pre) <= at <= end;
        loop invariant same: string_end(head, \at(at, Pre), end) == string_end(head, at, end);
        loop assigns at;
        loop variant end - at;
    */
    while (at < end && head[at] >= 0x20u && head[at] < 0x80u && head[at] != '"' && head[at] != '\\') {
        //@ ghost assay_string_step(head, at, end);
        at = at + 1u;
    }
    return at;
}

/* Behind the escapes and the characters of more than one byte that begin at `at`. */
/*@ requires head: head_ok(head, end);
    requires at: at < end;
    requires other: !plain_byte(head[at]) && head[at] != '"';
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures after: lands(\result, at + 1, end);
    ensures same: went_on(\result) ==> string_end(head, at, end) == string_end(head, \result, end);
    ensures stop: !went_on(\result) ==> \result == string_end(head, at, end);
*/
static assay_step assay_other_end(const uint8_t *head, uint32_t at, uint32_t end)
{
    /*@ loop invariant at: \at(at, Pre) <= at <= end;
        loop invariant some: at == \at(at, Pre) ==> !plain_byte(head[at]) && head[at] != '"';
        loop invariant same: string_end(head, \at(at, Pre), end) == string_end(head, at, end);
        loop assigns at;
        loop variant end - at;
    */
    while (at < end && (head[at] == '\\' || head[at] < 0x20u || head[at] >= 0x80u)) {
        //@ ghost assay_string_step(head, at, end);
        if (head[at] < 0x20u) {
            return ASSAY_STOP(ASSAY_E_CONTROL, at);
        }
        assay_step step = head[at] == '\\' ? assay_escape(head, at, end) : assay_utf8(head, at, end);
        if (step >= ASSAY_STOPPED) {
            return step;
        }
        at = (uint32_t)step;
    }
    return at;
}

/* The place of the closing quote. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures quote: lands_on(\result, at, end);
    ensures closed: went_on(\result) ==> head[\result] == '"';
    ensures exact: \result == string_end(head, at, end);
*/
static assay_step assay_string_close(const uint8_t *head, uint32_t at, uint32_t end)
{
    /*@ loop invariant at: \at(at, Pre) <= at <= end;
        loop invariant exact: string_end(head, \at(at, Pre), end) == string_end(head, at, end);
        loop assigns at;
        loop variant end - at;
    */
    while (at < end) {
        at = assay_plain_end(head, at, end);
        if (at == end) {
            break;
        }
        //@ ghost assay_string_step(head, at, end);
        if (head[at] == '"') {
            return at;
        }
        assay_step step = assay_other_end(head, at, end);
        if (step >= ASSAY_STOPPED) {
            return step;
        }
        at = (uint32_t)step;
    }
    //@ ghost assay_string_step(head, at, end);
    return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
}

assay_step assay_string(const uint8_t *head, uint32_t at, uint32_t end)
{
    /* Most strings are short and plain: they end within one block. */
    if (end - at >= ASSAY_BLOCK) {
        uint8_t run = assay_plain_run(head, at);
        //@ ghost assay_string_plain(head, at, run, end);
        at = at + run;
        //@ ghost assay_string_step(head, at, end);
        if (run < ASSAY_BLOCK && head[at] == '"') {
            return at;
        }
    }
    return assay_string_close(head, at, end);
}
