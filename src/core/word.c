/* Keywords, read as two numbers: 12 bytes are the longest, __metadata__ and data_offsets. */
#include "core.h"

void assay_word_read(const uint8_t *head, uint32_t at, uint32_t end, assay_word *word)
{
    uint64_t lo = 0;
    uint64_t hi = 0;
    uint64_t unit = 1; /* 256 to the power of the place among the 8 or 4 bytes */
    uint32_t length = 0;
    while (at < end && length < 12u) {
        uint64_t step = assay_decode(head, at, end);
        uint64_t code = step / 4294967296u;
        if (code >= 0x80u) {
            break;
        }
        if (length < 8u) {
            lo = lo + code * unit;
        } else {
            hi = hi + code * unit;
        }
        length = length + 1u;
        unit = length == 8u ? 1u : unit * 256u;
        at = (uint32_t)(step % 4294967296u);
    }
    word->lo = lo;
    word->hi = hi;
    word->length = at < end ? ASSAY_WORD_LONG : length;
}
