/* word_steps.c: words one character at a time, by the definitions of word.acsl. Ghost functions, no code. */
#include "core.h"

/* Unfolds: character, utf8, packed_text, has_escape. */

/*@ ghost
void assay_packed_step(const uint8_t *head, uint32_t at, uint32_t end)
{
}

void assay_escape_step(const uint8_t *head, uint32_t at, uint32_t end)
{
}

void assay_plain_step(const uint8_t *head, uint32_t at, uint32_t end)
{
}

void assay_high_step(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_utf8_lands(head, at, end);
}

void assay_bytes(uint64_t sum, uint8_t b0, uint8_t b1, uint8_t b2, uint8_t b3, uint8_t b4, uint8_t b5,
                 uint8_t b6, uint8_t b7)
{
    uint64_t rest = sum / 256u;
    /@ assert one: sum == b0 + 0x100 * rest && rest == b1 + 0x100 * (b2 + 0x100 * (b3 + 0x100 * (b4 + 0x100 * (b5
         + 0x100 * (b6 + 0x100 * b7))))); @/
    rest = rest / 256u;
    /@ assert two: rest == sum / 0x10000 && rest == b2 + 0x100 * (b3 + 0x100 * (b4 + 0x100 * (b5 + 0x100 * (b6
         + 0x100 * b7)))); @/
    rest = rest / 256u;
    /@ assert three: rest == sum / 0x1000000 && rest == b3 + 0x100 * (b4 + 0x100 * (b5 + 0x100 * (b6 + 0x100 * b7))); @/
    rest = rest / 256u;
    /@ assert four: rest == sum / 0x100000000 && rest == b4 + 0x100 * (b5 + 0x100 * (b6 + 0x100 * b7)); @/
    rest = rest / 256u;
    /@ assert five: rest == sum / 0x10000000000 && rest == b5 + 0x100 * (b6 + 0x100 * b7); @/
    rest = rest / 256u;
    /@ assert six: rest == sum / 0x1000000000000 && rest == b6 + 0x100 * b7; @/
    rest = rest / 256u;
    /@ assert seven: rest == sum / 0x100000000000000 && rest == b7; @/
}
*/
