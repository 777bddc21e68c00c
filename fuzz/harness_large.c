/* large: a head that becomes long. The input is a head, the size of its data section, and what is put into the head, so
 * that what stands behind it does so beyond 64 KiB, 1 MiB, 2 MiB; more than 65,536 tensors or pairs:
 *
 *     head ... data_size(8) piece(1) place(1) more(2) scale(1)
 *
 * little-endian. piece: which of those below; place: behind which of the bytes of the head that are named with it; more
 * and scale: how many bytes of it. The length of the header and the size of the file grow with it. */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"

enum { TAIL = 13, COPIES = 66000, LONGEST = 2 << 20, MOST = 5 << 20, TENSORS_PIECE = 5 };

const bool tail_is_data_size = true;
const size_t tail_more = TAIL - 8;

/* In a form, % is the number of the copy: so all have names of their own. The tensors have a byte each, behind the data
 * of the head's own, the last first: # is where it begins, + where it ends. size: about as long is a copy. */
static const struct {
    const char *behind, *form;
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

/* How many bytes are put into the head: mostly 64 KiB and somewhat more, seldom 1 MiB or all that fit, which
 * is slow. */
static uint64_t bytes_wanted(const uint8_t *tail)
{
    uint64_t scale = tail[12] % 64, more = number_at(tail + 10, 2);
    return more + (scale == 63 ? MOST : scale >= 60 ? 1 << 20 : scale >= 48 ? 0 : 1 << 16);
}

/* Behind which byte of the head: the chosen one of those that fit, which are counted around; 0: there is none. */
static size_t place_of(const uint8_t *head, size_t size, const char *behind, size_t choice)
{
    size_t count = 0, at = 8;
    for (size_t i = 8; i < size; i++) {
        count += head[i] != 0 && strchr(behind, head[i]) != NULL;
    }
    choice = count == 0 ? 0 : choice % count + 1;
    for (; choice > 0; at++) {
        choice -= head[at] != 0 && strchr(behind, head[at]) != NULL;
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

/* Copies of the piece, so many bytes or about. How many. */
static uint64_t put_copies(size_t piece, uint64_t bytes, uint64_t data)
{
    uint64_t fit = bytes / pieces[piece].size, count = fit < pieces[piece].most ? fit : pieces[piece].most;
    for (uint64_t k = 0; k < count; k++) {
        put_copy(pieces[piece].form, k, capped_sum(data, count - 1 - k));
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
    size_t at = place_of(data, given, pieces[piece].behind, tail[9]);
    uint64_t length = number_at(data, 8), data_size = number_at(tail, 8), copies = 0;
    used = 0;
    put(data, at);
    if (at > 0) {
        copies = put_copies(piece, bytes_wanted(tail), data_size);
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
