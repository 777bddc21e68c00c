/* The members of a tensor's object: their keys, and the dtype. Rules H10, H12 and H17. */
#include "dtypes.h"
#include "member.h"

/* Unfolds: dtype_end, dtype_at. */

/* The member that head[at .. end) names, or 0; *word is the text. */
/*@ requires head: head_ok(head, end) && end < whole <= ASSAY_END_MAX && \valid_read(head + (0 .. whole - 1));
    requires at: at <= end;
    requires lexed: string_end(head, at, whole) == end;
    requires word: \valid(word);
    terminates \true;
    exits \false;
    assigns *word;
    ensures exact: \result == member_named(head, at, end);
    ensures escaped: \result != 0 ==> (has_escape(head, at, end) == 1 <==> end - at != word->length);
*/
static uint32_t assay_member_of(const uint8_t *head, uint32_t at, uint32_t end, assay_word *word)
    /*@ ghost (uint32_t whole) */
{
    assay_word_read(head, at, end, word) /*@ ghost (whole) */;
    if (word->lo == ASSAY_WORD_DTYPE_LO) {
        return word->length == ASSAY_WORD_DTYPE_LEN ? ASSAY_MEMBER_DTYPE : 0;
    }
    if (word->lo == ASSAY_WORD_SHAPE_LO) {
        return word->length == ASSAY_WORD_SHAPE_LEN ? ASSAY_MEMBER_SHAPE : 0;
    }
    if (word->lo == ASSAY_WORD_DATA_OFFSETS_LO && word->hi == ASSAY_WORD_DATA_OFFSETS_HI) {
        return word->length == ASSAY_WORD_DATA_OFFSETS_LEN ? ASSAY_MEMBER_OFFSETS : 0;
    }
    return 0;
}

assay_step assay_member_read(const uint8_t *head, uint32_t at, uint32_t end, uint32_t *member)
{
    assay_step close = assay_string(head, at, end);
    if (close >= ASSAY_STOPPED) {
        return close;
    }
    assay_word word;
    *member = assay_member_of(head, at, (uint32_t)close, &word) /*@ ghost (end) */;
    if (*member == 0) {
        return ASSAY_STOP(ASSAY_E_MEMBER_UNKNOWN, at - 1u);
    }
    if (close - at != word.length) {
        return ASSAY_STOP(ASSAY_E_KEYWORD_ESCAPED, at - 1u);
    }
    return close;
}

inline bool assay_key_dtype(const uint8_t *head, uint32_t at) /*@ ghost (uint32_t end) */
{
    if (assay_eight(head, at) != ASSAY_KEY_DTYPE_FIRST) {
        return false;
    }
    //@ ghost assay_plain_word(head, at + 1, at + 6, end);
    //@ assert says: word_of(head, at + 1, at + 6) == word(WORD_DTYPE_LO, WORD_DTYPE_HI);
    return true;
}

inline bool assay_key_shape(const uint8_t *head, uint32_t at) /*@ ghost (uint32_t end) */
{
    if (assay_eight(head, at) != ASSAY_KEY_SHAPE_FIRST) {
        return false;
    }
    //@ ghost assay_plain_word(head, at + 1, at + 6, end);
    //@ assert says: word_of(head, at + 1, at + 6) == word(WORD_SHAPE_LO, WORD_SHAPE_HI);
    return true;
}

inline bool assay_key_offsets(const uint8_t *head, uint32_t at) /*@ ghost (uint32_t end) */
{
    if (assay_eight(head, at) != ASSAY_KEY_DATA_OFFSETS_FIRST
        || assay_eight(head, at + 7u) != ASSAY_KEY_DATA_OFFSETS_LAST) {
        return false;
    }
    //@ ghost assay_plain_word(head, at + 1, at + 13, end);
    //@ assert says: word_of(head, at + 1, at + 13) == word(WORD_DATA_OFFSETS_LO, WORD_DATA_OFFSETS_HI);
    return true;
}

uint32_t assay_member_plain(const uint8_t *head, uint32_t at, uint32_t end)
{
    if (end - at < ASSAY_KEY_DATA_OFFSETS_LEN) {
        return 0;
    }
    if (assay_key_dtype(head, at - 1u) /*@ ghost (end) */) {
        return ASSAY_MEMBER_DTYPE;
    }
    if (assay_key_shape(head, at - 1u) /*@ ghost (end) */) {
        return ASSAY_MEMBER_SHAPE;
    }
    return assay_key_offsets(head, at - 1u) /*@ ghost (end) */ ? ASSAY_MEMBER_OFFSETS : 0;
}

/*@ // One byte of a number, and all of them but the highest.
    logic integer byte_of(integer sum, integer unit) = sum / unit % 256;
    predicate bytes_of{L}(uint8_t *head, integer at, integer sum) =
        head[at] == byte_of(sum, 1) && head[at + 1] == byte_of(sum, 0x100) && head[at + 2] == byte_of(sum, 0x10000)
        && head[at + 3] == byte_of(sum, 0x1000000) && head[at + 4] == byte_of(sum, 0x100000000)
        && head[at + 5] == byte_of(sum, 0x10000000000) && head[at + 6] == byte_of(sum, 0x1000000000000);

    // The number that the lowest bytes make.
    logic integer low_bytes(integer sum, integer size) =
        size == 3 ? sum % 0x1000000 : size == 2 ? sum % 0x10000 : size == 4 ? sum % 0x100000000
        : sum % 0x100000000000000;

    // This byte is plain, or above all that the number has.
    predicate plain_of(integer name, integer unit) = plain_byte(byte_of(name, unit)) || name < unit;
*/
/*@ ghost
/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures two: low_bytes(sum, 2) == byte_of(sum, 1) + 0x100 * byte_of(sum, 0x100);
   ensures three: low_bytes(sum, 3) == low_bytes(sum, 2) + 0x10000 * byte_of(sum, 0x10000);
   ensures four: low_bytes(sum, 4) == low_bytes(sum, 3) + 0x1000000 * byte_of(sum, 0x1000000);
   ensures seven: low_bytes(sum, 7) == low_bytes(sum, 4) + 0x100000000 * byte_of(sum, 0x100000000)
       + 0x10000000000 * byte_of(sum, 0x10000000000) + 0x1000000000000 * byte_of(sum, 0x1000000000000);
@/
static void assay_low_bytes(uint64_t sum)
{
}

/@ requires head: \valid_read(head + (at .. at + 7)) && at < ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures two: plain_word(head, at, 2) == head[at] + 0x100 * head[at + 1];
   ensures three: plain_word(head, at, 3) == plain_word(head, at, 2) + 0x10000 * head[at + 2];
   ensures four: plain_word(head, at, 4) == plain_word(head, at, 3) + 0x1000000 * head[at + 3];
   ensures seven: plain_word(head, at, 7) == plain_word(head, at, 4) + 0x100000000 * head[at + 4]
       + 0x10000000000 * head[at + 5] + 0x1000000000000 * head[at + 6];
@/
static void assay_word_sizes(const uint8_t *head, uint32_t at)
{
}

/@ requires head: \valid_read(head + (at .. at + 7)) && at < ASSAY_END_MAX;
   requires bytes: bytes_of(head, at, sum);
   requires size: size == 2 || size == 3 || size == 4 || size == 7;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures number: low_bytes(sum, size) == plain_word(head, at, size);
@/
static void assay_low_word(const uint8_t *head, uint32_t at, uint64_t sum, uint32_t size)
{
    assay_low_bytes(sum);
    assay_word_sizes(head, at);
}

// The names of dtypes have plain bytes.
/@ requires dtype: dtype_of(name, 0) != 0;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures low: plain_of(name, 1) && plain_of(name, 0x100) && plain_of(name, 0x10000) && plain_of(name, 0x1000000);
   ensures high: plain_of(name, 0x100000000) && plain_of(name, 0x10000000000) && plain_of(name, 0x1000000000000);
@/
static void assay_dtype_bytes(uint64_t name)
{
}

/@ requires head: \valid_read(head + (at .. at + 7)) && at < ASSAY_END_MAX;
   requires size: size == 2 || size == 3 || size == 4 || size == 7;
   requires two: plain_byte(head[at]) && plain_byte(head[at + 1]);
   requires more: (size > 2 ==> plain_byte(head[at + 2])) && (size > 3 ==> plain_byte(head[at + 3]));
   requires seven: size == 7 ==> plain_byte(head[at + 4]) && plain_byte(head[at + 5]) && plain_byte(head[at + 6]);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures plain: \forall integer i; at <= i < at + size ==> plain_byte(head[i]);
@/
static void assay_all_plain(const uint8_t *head, uint32_t at, uint32_t size)
{
    /@ assert which: \forall integer i; at <= i < at + size ==> i == at || i == at + 1 || size > 2 && i == at + 2
         || size > 3 && i == at + 3 || size == 7 && (i == at + 4 || i == at + 5 || i == at + 6); @/
}

/@ requires head: \valid_read(head + (at .. at + 7)) && at < ASSAY_END_MAX;
   requires size: size == 2 || size == 3 || size == 4 || size == 7;
   requires name: name == plain_word(head, at, size) && dtype_of(name, 0) != 0;
   requires whole: head[at + size - 1] != 0;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures plain: \forall integer i; at <= i < at + size ==> plain_byte(head[i]);
@/
static void assay_dtype_word(const uint8_t *head, uint32_t at, uint32_t size, uint64_t name)
{
    assay_word_sizes(head, at);
    uint8_t b2 = size > 2 ? head[at + 2] : 0;
    uint8_t b3 = size > 3 ? head[at + 3] : 0;
    uint8_t b4 = size == 7 ? head[at + 4] : 0;
    uint8_t b5 = size == 7 ? head[at + 5] : 0;
    uint8_t b6 = size == 7 ? head[at + 6] : 0;
    /@ assert by_two: size == 2 ==> name == head[at] + 0x100 * head[at + 1]; @/
    /@ assert by_three: size == 3 ==> name == head[at] + 0x100 * head[at + 1] + 0x10000 * b2; @/
    /@ assert by_four: size == 4 ==> name == head[at] + 0x100 * head[at + 1] + 0x10000 * b2 + 0x1000000 * b3; @/
    /@ assert by_seven: size == 7 ==> name == head[at] + 0x100 * head[at + 1] + 0x10000 * b2 + 0x1000000 * b3
         + 0x100000000 * b4 + 0x10000000000 * b5 + 0x1000000000000 * b6; @/
    assay_bytes(name, head[at], head[at + 1], b2, b3, b4, b5, b6, 0);
    assay_dtype_bytes(name);
    /@ assert most: name >= word_power(size - 1); @/
    /@ assert two: plain_byte(head[at]) && plain_byte(head[at + 1]); @/
    /@ assert more: (size > 2 ==> plain_byte(head[at + 2])) && (size > 3 ==> plain_byte(head[at + 3])); @/
    /@ assert seven: size == 7 ==> plain_byte(head[at + 4]) && plain_byte(head[at + 5]) && plain_byte(head[at + 6]); @/
    assay_all_plain(head, at, size);
}
*/

inline uint32_t assay_dtype_size(const uint8_t *head, uint32_t at) /*@ ghost (uint32_t end) */
{
    if (head[at + 3u] == '"') {
        return 3u; /* mostly */
    }
    if (head[at + 2u] == '"') {
        return 2u;
    }
    return head[at + 4u] == '"' ? 4u : 7u;
}

inline uint32_t assay_dtype_plain(const uint8_t *head, uint32_t at, uint32_t size) /*@ ghost (uint32_t end) */
{
    if (head[at + size] != '"' || head[at + size - 1u] == 0) {
        return 0;
    }
    uint64_t name = assay_eight(head, at);
    //@ ghost uint64_t sum = name;
    name = size == 3u ? name % 0x1000000u : size == 2u ? name % 0x10000u : size == 4u ? name % 0x100000000u
           : name % 0x100000000000000u;
    uint32_t dtype = assay_dtype_of(name, 0);
    /*@ ghost if (dtype != 0) {
            assay_low_word(head, at, sum, size);
            assay_dtype_word(head, at, size, name);
            assay_plain_word(head, at, at + size, end);
        } */
    return dtype;
}

assay_step assay_dtype_read(const uint8_t *head, uint32_t at, uint32_t end, assay_draft *draft)
{
    assay_step close = assay_string(head, at, end);
    if (close >= ASSAY_STOPPED) {
        return close;
    }
    assay_word word;
    assay_word_read(head, at, (uint32_t)close, &word) /*@ ghost (end) */;
    uint32_t dtype = word.length == ASSAY_WORD_LONG ? 0 : assay_dtype_of(word.lo, word.hi);
    if (dtype == 0) {
        return ASSAY_STOP(ASSAY_E_DTYPE_UNKNOWN, at - 1u);
    }
    if (close - at != word.length) {
        return ASSAY_STOP(ASSAY_E_KEYWORD_ESCAPED, at - 1u);
    }
    draft->dtype_at = at - 1u;
    draft->dtype = dtype;
    return close + 1u;
}
