/* harness_large.c: fuzz the judgement with long heads. The input is a head, the size of its data section, and a piece
 * that is inserted many times, so that positions exceed 64 KiB, 1 MiB or 2 MiB, or tensors or pairs exceed 65,536:
 *
 *     head ... data_size(8) piece(1) place(1) more(2) scale(1)
 *
 * little-endian. piece: an index of the table below; place: after which of the bytes of the head that the table
 * names; more and scale: how many bytes are inserted. The header length and the file size grow with them. */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"

enum { TAIL = 13, COPIES = 66000, LONGEST = 2 << 20, MOST = 5 << 20, TENSORS_PIECE = 5 };
enum { NUMBERS = 1 << 17, SCATTER = 77773 }; /* odd, so that the numbers below NUMBERS stay distinct */

const bool tail_is_data_size = true;
const size_t tail_more = TAIL - 8;

/* In a form, % is the number of the copy, scattered, which makes names unique and leaves them in no order: names in a
 * few ascending runs are merged, and never sorted by digits. Each tensor has one byte, after the data of the head's own
 * tensors, the last first: # is its begin, + its end. after: the bytes after which the form is valid. size: the
 * approximate length of a copy. */
static const struct {
    const char *after, *form;
    uint64_t size, most;
} pieces[] = {
    {"{}[],:", " ", 1, LONGEST},
    {"\"", "a", 1, LONGEST},
    {"\"", "\\u00e9", 6, LONGEST / 6},
    {"[,", "1,", 2, LONGEST / 2},
    {"{", "\"%\":\"\",", 11, COPIES},
    {"{", "\"%\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[#,+]},", 64, COPIES},
};

enum { PIECES = sizeof pieces / sizeof *pieces };

static uint8_t large[SPEC_HEAD_MAX];
static size_t used;

static void put(const void *bytes, size_t size)
{
    demand(size <= sizeof large - used, "fuzz/harness_large.c has too little room");
    memcpy(large + used, bytes, size);
    used += size;
}

/* Return how many bytes to insert: mostly a little more than 64 KiB, rarely 1 MiB or all that fit, which is slow. */
static uint64_t insert_size(const uint8_t *tail)
{
    uint64_t scale = tail[12] % 64, more = number_at(tail + 10, 2);
    return more + (scale == 63 ? MOST : scale >= 60 ? 1 << 20 : scale >= 48 ? 0 : 1 << 16);
}

/* Return the position after the chosen byte, counted modulo the number of fitting bytes; 0: there is none. */
static size_t place_of(const uint8_t *head, size_t size, const char *after, size_t choice)
{
    size_t count = 0, at = 8;
    for (size_t i = 8; i < size; i++) {
        count += head[i] != 0 && strchr(after, head[i]) != NULL;
    }
    choice = count == 0 ? 0 : choice % count + 1;
    for (; choice > 0; at++) {
        choice -= head[at] != 0 && strchr(after, head[at]) != NULL;
    }
    return count == 0 ? 0 : at;
}

static void put_copy(const char *form, uint64_t number, uint64_t data)
{
    char digits[24];
    for (; *form != '\0'; form++) {
        uint64_t value = *form == '%' ? number : *form == '#' ? data : data + 1;
        if (strchr("%#+", *form) != NULL) {
            put(digits, (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)value));
        } else {
            put(form, 1);
        }
    }
}

/* Insert copies of the piece of about that many bytes, and return their number. */
static uint64_t put_copies(size_t piece, uint64_t bytes, uint64_t data)
{
    uint64_t fit = bytes / pieces[piece].size, count = fit < pieces[piece].most ? fit : pieces[piece].most;
    for (uint64_t k = 0; k < count; k++) {
        put_copy(pieces[piece].form, k * SCATTER % NUMBERS, capped_sum(data, count - 1 - k));
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 8 + TAIL || size > INPUT_MAX) {
        return 0;
    }
    size_t given = size - TAIL, piece = data[given + 8] % PIECES;
    const uint8_t *tail = data + given;
    size_t at = place_of(data, given, pieces[piece].after, tail[9]);
    uint64_t length = number_at(data, 8), data_size = number_at(tail, 8), copies = 0;
    used = 0;
    put(data, at);
    if (at > 0) {
        copies = put_copies(piece, insert_size(tail), data_size);
    }
    length = capped_sum(length, used - at);
    put(data + at, given - at);
    data_size = piece == TENSORS_PIECE ? capped_sum(data_size, copies) : data_size;
    for (int k = 0; k < 8; k++) {
        large[k] = (uint8_t)(length >> 8 * k);
    }
    question q = {large, used, capped_sum(capped_sum(length, 8), data_size), NULL};
    oracle_judge(&q);
    guard_drop();
    return 0;
}
