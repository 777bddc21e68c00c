/* harness_structure.c: fuzz the judgement with headers that are mutated as documents. The input is the head of a
 * file and the size of its data section (8 bytes, little-endian), which itself is absent. mutator.c keeps both
 * meaningful. */
#include "fuzz.h"

const bool tail_is_data_size = true;
const size_t tail_more = 0;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 8 || size > INPUT_MAX) {
        return 0;
    }
    size_t given = size - 8;
    uint64_t length = given < 8 ? 0 : number_at(data, 8), data_size = number_at(data + given, 8);
    question q = {data, given, capped_sum(capped_sum(length, 8), data_size), NULL};
    oracle_judge(&q);
    guard_drop();
    return 0;
}
