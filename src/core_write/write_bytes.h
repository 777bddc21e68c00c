/* write_bytes.h: the bytes of a header, counted and written. Only assay_write.c includes it.
 *
 * Each function put_... writes at head[at], and returns where it ended; bytes after that, up to the limit, may be
 * overwritten too. If the end would be above the limit, limit + 1 is returned. That position stays: what follows is not
 * written either. */
#ifndef ASSAY_WRITE_BYTES_H
#define ASSAY_WRITE_BYTES_H

#define WRITE_HEADER_MAX 100000000u /* the format's limit on N */
#define WRITE_NUMBER_GROUPS 5u      /* of four digits each: 2^64 has 20 digits */

/* ---- Numbers -------------------------------------------------------------------------------------------- */

/* Divide by 10,000, without the library that a 64-bit division takes on machines of 32 bits. */
/*@ requires rest: \valid(rest);
    terminates \true;
    exits \false;
    assigns *rest;
    ensures rest: *rest < 10000;
*/
static uint64_t ten_thousandth(uint64_t number, uint32_t *rest)
{
    if (number <= UINT32_MAX) {
        *rest = (uint32_t)number % 10000u;
        return (uint32_t)number / 10000u;
    }
    const uint32_t high = (uint32_t)(number / 4294967296u), low = (uint32_t)(number % 4294967296u);
    const uint32_t middle = high % 10000u * 65536u + low / 65536u;
    const uint32_t last = middle % 10000u * 65536u + low % 65536u;
    *rest = last % 10000u;
    return high / 10000u * UINT64_C(4294967296) + middle / 10000u * UINT64_C(65536) + last / 10000u;
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures digits: 1 <= \result <= 4;
*/
static uint32_t group_digits(uint32_t group)
{
    return group < 10u ? 1u : group < 100u ? 2u : group < 1000u ? 3u : 4u;
}

/* Split a number into groups of four digits, the last first. Return how many there are. */
/*@ requires group: \valid(group + (0 .. WRITE_NUMBER_GROUPS - 1));
    terminates \true;
    exits \false;
    assigns group[0 .. WRITE_NUMBER_GROUPS - 1];
    ensures count: 1 <= \result <= WRITE_NUMBER_GROUPS;
    ensures groups: words_below(group, \result, 10000);
*/
static uint32_t number_groups(uint64_t number, uint32_t *group)
{
    uint32_t count = 1;
    uint64_t rest = ten_thousandth(number, group);
    /*@ loop invariant count: 1 <= count <= WRITE_NUMBER_GROUPS;
        loop invariant groups: words_below(group, count, 10000);
        loop assigns count, rest, group[0 .. WRITE_NUMBER_GROUPS - 1];
        loop variant WRITE_NUMBER_GROUPS - count;
    */
    while (rest != 0 && count < WRITE_NUMBER_GROUPS) {
        rest = ten_thousandth(rest, group + count);
        count++;
    }
    return count;
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures size: 1 <= \result <= 20;
*/
static uint32_t number_size(uint64_t number)
{
    if (number < 10000u) {
        return group_digits((uint32_t)number);
    }
    if (number < 100000000u) {
        return 4u + group_digits((uint32_t)number / 10000u);
    }
    return number < 1000000000u                       ? 9u
           : number < UINT64_C(10000000000)           ? 10u
           : number < UINT64_C(100000000000)          ? 11u
           : number < UINT64_C(1000000000000)         ? 12u
           : number < UINT64_C(10000000000000)        ? 13u
           : number < UINT64_C(100000000000000)       ? 14u
           : number < UINT64_C(1000000000000000)      ? 15u
           : number < UINT64_C(10000000000000000)     ? 16u
           : number < UINT64_C(100000000000000000)    ? 17u
           : number < UINT64_C(1000000000000000000)   ? 18u
           : number < UINT64_C(10000000000000000000)  ? 19u
                                                      : 20u;
}

/* Write the last digits of a group. */
/*@ requires head: \valid(head + (0 .. limit - 1));
    requires at: at <= limit + 1 <= 100000009;
    requires digits: 1 <= digits <= 4 && group < 10000;
    terminates \true;
    exits \false;
    assigns head[0 .. limit - 1];
    ensures at: at <= \result <= limit + 1;
*/
static uint32_t put_digits(uint8_t *head, uint32_t at, uint32_t limit, uint32_t group, uint32_t digits)
{
    if (at > limit || limit - at < digits) {
        return limit + 1u;
    }
    const uint32_t high = group / 100u, low = group % 100u;
    uint32_t pos = at;
    if (digits >= 4u) {
        head[pos] = (uint8_t)('0' + high / 10u);
        pos++;
    }
    if (digits >= 3u) {
        head[pos] = (uint8_t)('0' + high % 10u);
        pos++;
    }
    if (digits >= 2u) {
        head[pos] = (uint8_t)('0' + low / 10u);
        pos++;
    }
    head[pos] = (uint8_t)('0' + low % 10u);
    return pos + 1u;
}

/* Write the four digits of a group. */
/*@ requires to: \valid(to + (0 .. 3));
    requires group: group < 10000;
    terminates \true;
    exits \false;
    assigns to[0 .. 3];
*/
static inline void put_group(uint8_t *to, uint32_t group)
{
    const uint32_t high = group / 100u, low = group % 100u;
    to[0] = (uint8_t)('0' + high / 10u);
    to[1] = (uint8_t)('0' + high % 10u);
    to[2] = (uint8_t)('0' + low / 10u);
    to[3] = (uint8_t)('0' + low % 10u);
}

/*@ requires head: \valid(head + (0 .. limit - 1));
    requires at: at <= limit + 1 <= 100000009;
    terminates \true;
    exits \false;
    assigns head[0 .. limit - 1];
    ensures at: at <= \result <= limit + 1;
*/
static uint32_t put_number(uint8_t *head, uint32_t at, uint32_t limit, uint64_t number)
{
    uint32_t group[WRITE_NUMBER_GROUPS];
    if (number < 10000u) {
        return put_digits(head, at, limit, (uint32_t)number, group_digits((uint32_t)number));
    }
    uint32_t left = number_groups(number, group) - 1u;
    at = put_digits(head, at, limit, group[left], group_digits(group[left]));
    if (at > limit || limit - at < 4u * left) {
        return limit + 1u;
    }
    /*@ loop invariant left: left < WRITE_NUMBER_GROUPS && words_below(&group[0], left + 1, 10000);
        loop invariant at: \at(at, Pre) <= at <= at + 4 * left <= limit;
        loop assigns left, at, head[0 .. limit - 1];
        loop variant left;
    */
    while (left > 0) {
        left--;
        put_group(head + at, group[left]);
        at += 4u;
    }
    return at;
}

/* ---- Bytes ---------------------------------------------------------------------------------------------- */

/*@ requires head: \valid(head + (0 .. limit - 1));
    requires at: at <= limit + 1 <= 100000009;
    terminates \true;
    exits \false;
    assigns head[0 .. limit - 1];
    ensures at: at <= \result <= limit + 1;
*/
static uint32_t put_byte(uint8_t *head, uint32_t at, uint32_t limit, uint8_t byte)
{
    if (at >= limit) {
        return limit + 1u;
    }
    head[at] = byte;
    return at + 1u;
}

/*@ requires to: \valid(to + (0 .. WRITE_BLOCK - 1));
    requires from: \valid_read(from + (0 .. WRITE_BLOCK - 1));
    terminates \true;
    exits \false;
    assigns to[0 .. WRITE_BLOCK - 1];
*/
static void copy_block(uint8_t *to, const uint8_t *from)
{
    uint8_t block[WRITE_BLOCK];
    /*@ loop invariant k: k <= WRITE_BLOCK;
        loop assigns k, block[0 .. WRITE_BLOCK - 1];
        loop variant WRITE_BLOCK - k;
    */
    for (uint32_t k = 0; k < WRITE_BLOCK; k++) {
        block[k] = from[k];
    }
    /*@ loop invariant k: k <= WRITE_BLOCK;
        loop assigns k, to[0 .. WRITE_BLOCK - 1];
        loop variant WRITE_BLOCK - k;
    */
    for (uint32_t k = 0; k < WRITE_BLOCK; k++) {
        to[k] = block[k];
    }
}

/*@ requires head: \valid(head + (0 .. limit - 1));
    requires at: at <= limit + 1 <= 100000009;
    requires byte: \valid_read(byte + (0 .. size - 1));
    terminates \true;
    exits \false;
    assigns head[0 .. limit - 1];
    ensures at: at <= \result <= limit + 1;
*/
static uint32_t put_bytes(uint8_t *head, uint32_t at, uint32_t limit, const uint8_t *byte, uint64_t size)
{
    if (at > limit || size > limit - at) {
        return limit + 1u;
    }
    const uint32_t count = (uint32_t)size;
    uint32_t k = 0;
    /*@ loop invariant k: k <= count;
        loop assigns k, head[0 .. limit - 1];
        loop variant count - k;
    */
    while (count - k >= WRITE_BLOCK) {
        copy_block(head + at + k, byte + k);
        k += WRITE_BLOCK;
    }
    if (count >= WRITE_BLOCK) { /* the last block overlaps what is written already */
        copy_block(head + at + count - WRITE_BLOCK, byte + count - WRITE_BLOCK);
        return at + count;
    }
    /*@ loop invariant k: k <= count;
        loop assigns k, head[0 .. limit - 1];
        loop variant count - k;
    */
    while (k < count) {
        head[at + k] = byte[k];
        k++;
    }
    return at + count;
}

/* Write the bytes of the words from this position on. */
/*@ requires to: \valid(to + (0 .. WRITE_BLOCK - 1));
    requires from: from + WRITE_BLOCK <= WRITE_WORDS_SIZE;
    terminates \true;
    exits \false;
    assigns to[0 .. WRITE_BLOCK - 1];
*/
static void write_word_block(uint8_t *to, uint32_t from)
{
    /*@ loop invariant k: k <= WRITE_BLOCK;
        loop assigns k, to[0 .. WRITE_BLOCK - 1];
        loop variant WRITE_BLOCK - k;
    */
    for (uint32_t k = 0; k < WRITE_BLOCK; k++) {
        to[k] = write_word_byte(from + k);
    }
}

/*@ requires head: \valid(head + (0 .. limit - 1));
    requires at: at <= limit + 1 <= 100000009;
    requires word: word / 256 + word % 256 < WRITE_WORDS_SIZE;
    terminates \true;
    exits \false;
    assigns head[0 .. limit - 1];
    ensures at: at <= \result <= limit + 1;
*/
static uint32_t put_word(uint8_t *head, uint32_t at, uint32_t limit, uint32_t word)
{
    const uint32_t count = word % 256u, from = word / 256u;
    if (at > limit || count > limit - at) {
        return limit + 1u;
    }
    if (count <= WRITE_BLOCK && limit - at >= WRITE_BLOCK && from < WRITE_WORDS_SIZE - WRITE_BLOCK) {
        write_word_block(head + at, from); /* what comes next overwrites the bytes after the word */
        return at + count;
    }
    /*@ loop invariant k: k <= count;
        loop assigns k, head[0 .. limit - 1];
        loop variant count - k;
    */
    for (uint32_t k = 0; k < count; k++) {
        head[at + k] = write_word_byte(from + k);
    }
    return at + count;
}

/* ---- Strings -------------------------------------------------------------------------------------------- */

/*@ terminates \true;
    exits \false;
    assigns \nothing;
*/
static bool is_escaped(uint8_t byte)
{
    return byte < 0x20u || byte == '"' || byte == '\\';
}

/*@ requires byte: \valid_read(byte + (0 .. WRITE_BLOCK - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
*/
static bool block_plain(const uint8_t *byte)
{
    uint8_t escaped[WRITE_BLOCK], any = 0; /* bytes, like what is compared: compilers vectorize this */
    /*@ loop invariant k: k <= WRITE_BLOCK;
        loop assigns k, escaped[0 .. WRITE_BLOCK - 1];
        loop variant WRITE_BLOCK - k;
    */
    for (uint32_t k = 0; k < WRITE_BLOCK; k++) {
        escaped[k] = (uint8_t)((byte[k] < 0x20u) + (byte[k] == '"') + (byte[k] == '\\'));
    }
    /*@ loop invariant k: k <= WRITE_BLOCK;
        loop assigns k, any;
        loop variant WRITE_BLOCK - k;
    */
    for (uint32_t k = 0; k < WRITE_BLOCK; k++) {
        any = any > escaped[k] ? any : escaped[k];
    }
    return any == 0;
}

/* Return how many of these bytes come before the first that is escaped. The last block overlaps the one before. */
/*@ requires byte: \valid_read(byte + (0 .. size - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures run: \result <= size;
*/
static uint64_t plain_run(const uint8_t *byte, uint64_t size)
{
    uint64_t k = 0;
    /*@ loop invariant k: k <= size;
        loop assigns k;
        loop variant size - k;
    */
    while (size - k >= WRITE_BLOCK && block_plain(byte + k)) {
        k += WRITE_BLOCK;
    }
    if (size >= WRITE_BLOCK && size - k < WRITE_BLOCK && block_plain(byte + (size - WRITE_BLOCK))) {
        return size;
    }
    /*@ loop invariant k: k <= size;
        loop assigns k;
        loop variant size - k;
    */
    while (k < size && !is_escaped(byte[k])) {
        k++;
    }
    return k;
}

/* Return the letter after the backslash; u: four digits follow it. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
*/
static uint8_t escape_letter(uint8_t byte)
{
    switch (byte) {
    case '\b': return 'b';
    case '\t': return 't';
    case '\n': return 'n';
    case '\f': return 'f';
    case '\r': return 'r';
    case '"': return '"';
    case '\\': return '\\';
    default: return 'u';
    }
}

/* Return the size of a text with its escapes; ASSAY_NONE if it has a NUL, which no file may have. */
/*@ requires text: \valid_read(text.byte + (0 .. text.size - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures size: \result <= 600000000 || \result == UINT64_MAX;
*/
static uint64_t string_size(assay_chars text)
{
    uint64_t used = 0, k = 0;
    if (text.size > WRITE_HEADER_MAX) {
        return WRITE_HEADER_MAX + 1u;
    }
    /*@ loop invariant k: k <= text.size && used <= 6 * k;
        loop assigns k, used;
        loop variant text.size - k;
    */
    while (k < text.size) {
        const uint64_t run = plain_run(text.byte + k, text.size - k);
        used += run;
        k += run;
        if (k < text.size) {
            if (text.byte[k] == 0) {
                return ASSAY_NONE;
            }
            used += escape_letter(text.byte[k]) == 'u' ? 6u : 2u;
            k++;
        }
    }
    return used;
}

/*@ requires head: \valid(head + (0 .. limit - 1));
    requires at: at <= limit + 1 <= 100000009;
    terminates \true;
    exits \false;
    assigns head[0 .. limit - 1];
    ensures at: at <= \result <= limit + 1;
*/
static uint32_t put_escape(uint8_t *head, uint32_t at, uint32_t limit, uint8_t byte)
{
    const uint8_t letter = escape_letter(byte);
    at = put_byte(head, at, limit, '\\');
    at = put_byte(head, at, limit, letter);
    if (letter == 'u') {
        at = put_byte(head, at, limit, '0');
        at = put_byte(head, at, limit, '0');
        at = put_byte(head, at, limit, byte >= 0x10u ? '1' : '0');
        at = put_byte(head, at, limit, (uint8_t)(byte % 16u + (byte % 16u < 10u ? '0' : 'a' - 10u)));
    }
    return at;
}

/*@ requires head: \valid(head + (0 .. limit - 1));
    requires at: at <= limit + 1 <= 100000009;
    requires text: \valid_read(text.byte + (0 .. text.size - 1));
    terminates \true;
    exits \false;
    assigns head[0 .. limit - 1];
    ensures at: at <= \result <= limit + 1;
*/
static uint32_t put_string(uint8_t *head, uint32_t at, uint32_t limit, assay_chars text)
{
    uint64_t k = 0;
    /*@ loop invariant k: k <= text.size;
        loop invariant at: \at(at, Pre) <= at <= limit + 1;
        loop assigns k, at, head[0 .. limit - 1];
        loop variant text.size - k;
    */
    while (k < text.size && at <= limit) {
        const uint64_t run = plain_run(text.byte + k, text.size - k);
        at = put_bytes(head, at, limit, text.byte + k, run);
        k += run;
        if (k < text.size) {
            at = put_escape(head, at, limit, text.byte[k]);
            k++;
        }
    }
    return at;
}

/* ---- Members -------------------------------------------------------------------------------------------- */

/*@ requires head: \valid(head + (0 .. limit - 1));
    requires at: at <= limit + 1 <= 100000009;
    requires pair: \valid_read(pair) && new_pair_readable(pair);
    terminates \true;
    exits \false;
    assigns head[0 .. limit - 1];
    ensures at: at <= \result <= limit + 1;
*/
static uint32_t put_pair(uint8_t *head, uint32_t at, uint32_t limit, const assay_new_pair *pair)
{
    at = put_byte(head, at, limit, '"');
    at = put_string(head, at, limit, pair->key);
    at = put_word(head, at, limit, TOKEN_KEY);
    at = put_string(head, at, limit, pair->value);
    return put_byte(head, at, limit, '"');
}

/*@ requires head: \valid(head + (0 .. limit - 1));
    requires at: at <= limit + 1 <= 100000009;
    requires dim: \valid_read(dim + (0 .. rank - 1));
    terminates \true;
    exits \false;
    assigns head[0 .. limit - 1];
    ensures at: at <= \result <= limit + 1;
*/
static uint32_t put_dims(uint8_t *head, uint32_t at, uint32_t limit, const uint64_t *dim, uint64_t rank)
{
    /*@ loop invariant k: k <= rank;
        loop invariant at: \at(at, Pre) <= at <= limit + 1;
        loop assigns k, at, head[0 .. limit - 1];
        loop variant rank - k;
    */
    for (uint64_t k = 0; k < rank && at <= limit; k++) {
        if (k > 0) {
            at = put_byte(head, at, limit, ',');
        }
        at = put_number(head, at, limit, dim[k]);
    }
    return at;
}

/* Where in the head a number is. size 0: nowhere. */
typedef struct {
    uint32_t at, size;
} write_span;

/* Write a tensor whose data end at `end`. offset: where the end of the tensor before is, which is where this one
 * begins; afterwards, where its end is. */
/*@ requires head: \valid(head + (0 .. limit - 1));
    requires at: at <= limit + 1 <= 100000009;
    requires tensor: \valid_read(tensor) && new_tensor_readable(tensor);
    requires offset: \valid(offset) && \separated(offset, head + (0 .. limit - 1)) &&
                     \separated(offset, tensor) && offset->at + offset->size <= limit;
    terminates \true;
    exits \false;
    assigns head[0 .. limit - 1], *offset;
    ensures at: at <= \result <= limit + 1;
    ensures offset: offset->at + offset->size <= limit;
*/
static uint32_t put_tensor(uint8_t *head, uint32_t at, uint32_t limit, const assay_new_tensor *tensor,
                           write_span *offset, uint64_t end)
{
    at = put_byte(head, at, limit, '"');
    at = put_string(head, at, limit, tensor->name);
    at = put_word(head, at, limit, TOKEN_DTYPE);
    at = put_word(head, at, limit, write_dtype_word(tensor->dtype));
    at = put_word(head, at, limit, TOKEN_SHAPE);
    at = put_dims(head, at, limit, tensor->dim, tensor->rank);
    at = put_word(head, at, limit, TOKEN_OFFSETS);
    at = offset->size == 0 ? put_byte(head, at, limit, '0')
                           : put_bytes(head, at, limit, head + offset->at, offset->size);
    at = put_byte(head, at, limit, ',');
    const uint32_t from = at;
    at = put_number(head, at, limit, end);
    offset->at = at <= limit ? from : 0;
    offset->size = at <= limit ? at - from : 0;
    return put_word(head, at, limit, TOKEN_CLOSE);
}

#endif
