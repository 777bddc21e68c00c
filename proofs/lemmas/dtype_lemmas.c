/* dtype_lemmas.c: the name of a dtype within the number that eight bytes make. Ghost functions, no code. */
#include "core.h"

/* Unfolds: names_dtype, dtype_end, dtype_at. */

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

void assay_dtype_names(const uint8_t *head, uint32_t at, uint64_t sum, uint32_t size, uint32_t dtype)
{
}

void assay_dtype_first(uint64_t text)
{
}

void assay_dtype_text(const uint8_t *head, uint32_t at, uint32_t end, uint64_t sum, uint32_t size, uint32_t dtype)
{
    uint64_t name = size == 3 ? sum % 0x1000000 : size == 2 ? sum % 0x10000 : size == 4 ? sum % 0x100000000
                    : sum % 0x100000000000000;
    /@ assert size: size == 2 || size == 3 || size == 4 || size == 7; @/
    /@ assert two: size == 2 ==> head[at + 2] == '"' && head[at + 1] != 0; @/
    /@ assert three: size == 3 ==> head[at + 3] == '"' && head[at + 2] != 0; @/
    /@ assert four: size == 4 ==> head[at + 4] == '"' && head[at + 3] != 0; @/
    /@ assert seven: size == 7 ==> head[at + 7] == '"' && head[at + 6] != 0; @/
    /@ assert quote: head[at + size] == '"' && head[at + size - 1] != 0; @/
    assay_low_word(head, at, sum, size);
    assay_dtype_word(head, at, size, name);
    assay_plain_word(head, at, at + size, end);
    /@ assert close: string_end(head, at, end) == at + size; @/
    /@ assert named: dtype_named(head, at, at + size) == dtype; @/
    /@ assert plain: has_escape(head, at, at + size) == 0; @/
}
*/
