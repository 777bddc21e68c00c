/* harness_header.c: fuzz the judgement with options. The input is the first bytes of a file, then the file size and the
 * options:
 *
 *     head ... file_size(8) max_header(8) max_tensors(2) max_rank(2) max_name(2) max_metadata(2) cut(2)
 *     flags(1) api(1)
 *
 * little-endian. cut: how many of the last bytes of the head are not passed. A limit of 65535 means none. Limits from
 * 65280 on mean 0, 1, 2 ... times 2^32: a core that keeps only their low 32 bits has 0. */
#include "fuzz.h"

enum { TAIL = 28, NO_OPTIONS = 1, AFTER_HEADER = 2, RELAX = 4, RELAX_WIDE = 8, API_WIDE = 16, WIDE = 0xFF00 };

static uint64_t limit(const uint8_t *at)
{
    uint64_t number = number_at(at, 2);
    return number == 0xFFFF ? ASSAY_NONE : number >= WIDE ? (number - WIDE) << 32 : number;
}

static assay_options options_at(const uint8_t *tail)
{
    uint64_t high = UINT64_C(1) << 32;
    return (assay_options){.api = tail[27] + ((tail[26] & API_WIDE) != 0 ? high : 0),
                           .relax = ((tail[26] & RELAX) != 0) + ((tail[26] & RELAX_WIDE) != 0 ? high : 0),
                           .max_header = number_at(tail + 8, 8),
                           .max_tensors = limit(tail + 16),
                           .max_rank = limit(tail + 18),
                           .max_name = limit(tail + 20),
                           .max_metadata = limit(tail + 22)};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < TAIL || size > INPUT_MAX) {
        return 0;
    }
    size_t given = size - TAIL;
    const uint8_t *tail = data + given;
    assay_options options = options_at(tail);
    uint64_t cut = number_at(tail + 24, 2), length = given < 8 ? 0 : number_at(data, 8);
    bool alone = (tail[26] & NO_OPTIONS) != 0, relative = (tail[26] & AFTER_HEADER) != 0;
    question q = {data, given - (cut < given ? cut : given), number_at(tail, 8), alone ? NULL : &options};
    if (relative) { /* the number is the size of the data section, which can be right by chance */
        q.file_size = capped_sum(q.file_size, capped_sum(length, 8));
    }
    oracle_judge(&q);
    guard_drop();
    return 0;
}
