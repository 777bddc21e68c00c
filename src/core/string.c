/* Strings: strict UTF-8, escapes, no control bytes. Rules H1 header_early, H5 control, H6 utf8; escape.c. */
#include "string_steps.h"

/* Unfolds: text_plain, utf8_end, escape_end. */

/* What begins with a byte. 8: it stands for itself. 16: a backslash. A UTF-8 sequence: what assay_second_table may say
 * of the next byte, as bits. 0: no character begins so. */
static const uint8_t assay_first_table[256] = {
    [' '] = 8, 8, ['#'] = 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
    8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, ['\\'] = 16, 8, 8, 8, 8, 8, 8,
    8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, [0xC2] = 7, 7, 7, 7, 7,
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 4, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
    7, 3, 7, 7, 6, 7, 7, 7, 1,
};

/* 16: what makes a backslash an escape. Bytes of UTF-8 that begin no sequence: 1 below 0x90, 2 below 0xA0, 4. */
static const uint8_t assay_second_table[256] = {
    ['"'] = 16, ['\\'] = 16, ['/'] = 16, ['b'] = 16, ['f'] = 16, ['n'] = 16, ['r'] = 16, ['t'] = 16, [0x80] = 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 4, 4, 4, 4, 4, 4, 4,
    4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
};

/* No function that is given a pointer reads the tables: so the proof need not take them for apart from it. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures plain: \result == 8 <==> plain_byte(c);
    ensures escape: \result == 16 <==> c == '\\';
    ensures lead: \result == (c == 0xE0 ? 4 : c == 0xED ? 3 : c == 0xF0 ? 6 : c == 0xF4 ? 1 : 7)
        <==> 0xC2 <= c <= 0xF4;
    ensures none: \result == 0 <==> !plain_byte(c) && c != '\\' && !(0xC2 <= c <= 0xF4);
*/
static inline uint8_t assay_first(uint8_t c)
{
    return assay_first_table[c];
}

/*@ ghost
/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures none: second == 0 ==> (first & second) == 0;
   ensures none_one: first == 0 && second == 1 ==> (first & second) == 0;
   ensures one_one: first == 1 && second == 1 ==> (first & second) == 1;
   ensures three_one: first == 3 && second == 1 ==> (first & second) == 1;
   ensures four_one: first == 4 && second == 1 ==> (first & second) == 0;
   ensures six_one: first == 6 && second == 1 ==> (first & second) == 0;
   ensures seven_one: first == 7 && second == 1 ==> (first & second) == 1;
   ensures eight_one: first == 8 && second == 1 ==> (first & second) == 0;
   ensures sixteen_one: first == 16 && second == 1 ==> (first & second) == 0;
   ensures none_two: first == 0 && second == 2 ==> (first & second) == 0;
   ensures one_two: first == 1 && second == 2 ==> (first & second) == 0;
   ensures three_two: first == 3 && second == 2 ==> (first & second) == 2;
   ensures four_two: first == 4 && second == 2 ==> (first & second) == 0;
   ensures six_two: first == 6 && second == 2 ==> (first & second) == 2;
   ensures seven_two: first == 7 && second == 2 ==> (first & second) == 2;
   ensures eight_two: first == 8 && second == 2 ==> (first & second) == 0;
   ensures sixteen_two: first == 16 && second == 2 ==> (first & second) == 0;
   ensures none_four: first == 0 && second == 4 ==> (first & second) == 0;
   ensures one_four: first == 1 && second == 4 ==> (first & second) == 0;
   ensures three_four: first == 3 && second == 4 ==> (first & second) == 0;
   ensures four_four: first == 4 && second == 4 ==> (first & second) == 4;
   ensures six_four: first == 6 && second == 4 ==> (first & second) == 4;
   ensures seven_four: first == 7 && second == 4 ==> (first & second) == 4;
   ensures eight_four: first == 8 && second == 4 ==> (first & second) == 0;
   ensures sixteen_four: first == 16 && second == 4 ==> (first & second) == 0;
   ensures none_sixteen: first == 0 && second == 16 ==> (first & second) == 0;
   ensures one_sixteen: first == 1 && second == 16 ==> (first & second) == 0;
   ensures three_sixteen: first == 3 && second == 16 ==> (first & second) == 0;
   ensures four_sixteen: first == 4 && second == 16 ==> (first & second) == 0;
   ensures six_sixteen: first == 6 && second == 16 ==> (first & second) == 0;
   ensures seven_sixteen: first == 7 && second == 16 ==> (first & second) == 0;
   ensures eight_sixteen: first == 8 && second == 16 ==> (first & second) == 0;
   ensures sixteen_sixteen: first == 16 && second == 16 ==> (first & second) == 16;
@/
void assay_bits(uint8_t first, uint8_t second)
{
}
*/

/* May c follow a byte of which assay_first says this? */
/*@ requires first: first == 0 || first == 1 || first == 3 || first == 4 || 6 <= first <= 8 || first == 16;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures exact: \result == 1 <==> first == 16 && escape_code(c) != 0
        || first <= 7 && (first % 2 == 1 && 0x80 <= c <= 0x8F || first / 2 % 2 == 1 && 0x90 <= c <= 0x9F
                          || 4 <= first && 0xA0 <= c <= 0xBF);
*/
static inline bool assay_follows(uint8_t first, uint8_t c)
{
    uint8_t second = assay_second_table[c];
    /*@ assert second: second == (escape_code(c) != 0 ? 16 : c < 0x80 || c > 0xBF ? 0 : c < 0x90 ? 1 : c < 0xA0 ? 2
                                  : 4); */
    //@ ghost assay_bits(first, second);
    return (first & second) != 0;
}

/* Of the short escape or of UTF-8 that begins at `at` its size; 0: something else does. */
/*@ requires readable: \valid_read(head + (at .. at + 3));
    requires at: at <= ASSAY_END_MAX;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures size: \result == 0 || 2 <= \result <= 4;
    ensures escape: \result != 0 && head[at] < 0x80 ==> head[at] == '\\' && \result == 2
        && \forall integer end; at + 2 <= end ==> escape_end(head, at, end) == at + 2;
    ensures utf8: \result != 0 && head[at] >= 0x80 ==>
        \forall integer end; at + 4 <= end ==> utf8_end(head, at, end) == at + \result;
*/
static inline uint32_t assay_size(const uint8_t *head, uint32_t at)
{
    const uint8_t *bytes = head + at;
    return !assay_follows(assay_first(bytes[0]), bytes[1]) ? 0 : bytes[0] < 0xE0u ? 2u
        : !assay_follows(7, bytes[2]) ? 0 : bytes[0] < 0xF0u ? 3u : !assay_follows(7, bytes[3]) ? 0 : 4u;
}

assay_step assay_utf8(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint8_t lead = head[at];
    uint8_t first = assay_first(lead);
    uint32_t size = lead < 0xC2u || lead > 0xF4u ? 0 : lead < 0xE0u ? 2u : lead < 0xF0u ? 3u : 4u;
    /*@ loop invariant k: 1 <= k <= 4 && (k < size ==> at + k <= end);
        loop invariant size: size == 0 || size == utf8_tails(lead) + 1 && k <= size && 2 <= size <= 4;
        loop invariant wrong: size == 0 ==> utf8_end(head, at, end) == stop(E_UTF8, at);
        loop invariant first: k == 1 ==> first == \at(first, LoopEntry);
        loop invariant later: k >= 2 ==> first == 7;
        loop invariant tails: size != 0 ==> at + k <= end && (k >= 2 ==> utf8_tail(lead, 1, head[at + 1]) == 1)
            && (k >= 3 ==> utf8_tail(lead, 2, head[at + 2]) == 1)
            && (k >= 4 ==> utf8_tail(lead, 3, head[at + 3]) == 1);
        loop assigns k, size, first;
        loop variant 4 - k;
    */
    for (uint32_t k = 1; k < size; k++) {
        if (at + k == end) {
            //@ assert cut: utf8_end(head, at, end) == early(end);
            return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
        }
        if (!assay_follows(first, head[at + k])) {
            size = 0;
        }
        first = 7;
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

/* Behind characters that begin at `at`, as many as are plain, a short escape or UTF-8; but not behind a long run of
 * plain ones, which is quicker by blocks. */
/*@ requires head: head_ok(head, end);
    requires at: at <= end;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures after: at <= \result <= end;
    ensures same: string_end(head, at, end) == string_end(head, \result, end);
*/
static inline uint32_t assay_string_most(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t size = 1;
    /*@ loop invariant at: \at(at, Pre) <= at <= end;
        loop invariant same: string_end(head, \at(at, Pre), end) == string_end(head, at, end);
        loop assigns at, size;
        loop variant end - at + (size == 0 ? 0 : 1);
    */
    while (size != 0 && end - at > 3u * ASSAY_BLOCK) {
        const uint8_t *bytes = head + at;
        uint32_t run = 0;
        /*@ loop invariant run: 0 <= run <= 2u * ASSAY_BLOCK;
            loop invariant plain: \forall integer i; at <= i < at + run ==> plain_byte(head[i]);
            loop assigns run;
            loop variant 2u * ASSAY_BLOCK - run;
        */
        while (run < 2u * ASSAY_BLOCK && assay_first(bytes[run]) == 8u) {
            run++;
        }
        //@ ghost assay_string_plain(head, at, run, end);
        at = at + run;
        //@ ghost assay_string_step(head, at, end);
        size = run < 2u * ASSAY_BLOCK ? assay_size(head, at) : 0;
        at = at + size;
    }
    return at;
}

assay_step assay_string_rest(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_step step = at;
    /*@ loop invariant on: \at(at, Pre) <= at <= step <= end;
        loop invariant exact: string_end(head, \at(at, Pre), end) == string_end(head, step, end);
        loop assigns at, step;
        loop variant end - step;
    */
    do {
        at = assay_string_most(head, (uint32_t)step, end);
        //@ ghost assay_string_step(head, at, end);
        step = at >= end           ? ASSAY_STOP(ASSAY_E_HEADER_EARLY, end)
               : head[at] == '\\'  ? assay_escape(head, at, end)
               : head[at] == '"'   ? at
               : head[at] >= 0x80u ? assay_utf8(head, at, end)
               : head[at] < 0x20u  ? ASSAY_STOP(ASSAY_E_CONTROL, at)
                                   : assay_plain_far(head, at + 1u, end);
    } while (step < ASSAY_STOPPED && step != at);
    return step;
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
