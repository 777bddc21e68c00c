/* writer_driver.c: what the writer makes of generated descriptions, a line each; writer_tests.py compares the lines of
 * a mutant with those of the writer itself.
 *
 *     writer_driver COUNT SEED
 *
 * A line begins with `fine` if the description has no defect. Then come the status, the cause, the plan, the order, the
 * places of the data, and a hash of the head. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay_write.h"

enum { MOST = 40, TEXT = 96, DIMS = 4, ROOM = 1 << 16 };

static uint64_t state;
static assay_new_tensor tensor[MOST];
static assay_new_pair pair[MOST];
static uint64_t dims[MOST][DIMS];
static char text[3 * MOST][TEXT];

static uint32_t below(uint32_t limit)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % limit;
}

/* Make a text that ends with a number of its own. */
static assay_chars make_text(uint32_t place, bool defect)
{
    static const char *const parts[] = {"", "layers.0.attention.weight", "b", "\xC3\xA9", "\xF0\x9F\x98\x80", "\"",
                                        "\\", "\n", "\t\b\f\r", "\x01\x1F", "\x7F",
                                        "a long plain text without any escapes"};
    static const char *const defects[] = {"\x80", "\xC3", "\xED\xA0\x80", "\xF4\x90\x80\x80"};
    const uint32_t limit = sizeof parts / sizeof *parts;
    const int size = snprintf(text[place], TEXT, "%s%s%s%u", parts[below(limit)], parts[below(2)],
                              defect ? defects[below(4)] : "", place);
    return (assay_chars){(const uint8_t *)text[place], (uint64_t)(size < TEXT ? size : TEXT - 1)};
}

static uint64_t make_dim(bool large)
{
    static const uint64_t some[] = {0, 1, 2, 3, 8, 10, 99, 100, 1000, 4096, 9999};
    return large ? (uint64_t)1 << (24 + below(40)) : some[below(sizeof some / sizeof *some)];
}

/* Make a description; kind: 0 to 7 without a defect, above that with one. */
static assay_description make(uint32_t kind)
{
    const assay_description what = {tensor, below(kind % 4 == 0 ? MOST : 4), pair, below(kind % 8 < 2 ? MOST : 3)};
    for (uint32_t k = 0; k < what.tensors; k++) {
        const uint64_t rank = below(DIMS + 1);
        tensor[k] = (assay_new_tensor){make_text(k, false), 1 + below(ASSAY_DTYPE_LAST), dims[k], rank};
        for (uint64_t i = 0; i < rank; i++) {
            dims[k][i] = make_dim(kind == 9 && below(8) == 0);
        }
        if (tensor[k].dtype >= ASSAY_DTYPE_F4 && tensor[k].dtype <= ASSAY_DTYPE_F6_E3M2 && kind < 8) {
            dims[k][0] = 8, tensor[k].rank = rank == 0 ? 1 : rank;
        }
    }
    for (uint32_t k = 0; k < what.pairs; k++) {
        pair[k].key = make_text(MOST + k, false);
        pair[k].value = make_text(2 * MOST + k, false);
    }
    const uint32_t one = what.tensors > 0 ? below((uint32_t)what.tensors) : 0;
    const uint32_t other = what.pairs > 0 ? below((uint32_t)what.pairs) : 0;
    switch (kind) {
    case 10: tensor[one].name = make_text(one, true); break;
    case 11: pair[other].key = make_text(MOST + other, true); break;
    case 12: pair[other].value = make_text(2 * MOST + other, true); break;
    case 13: tensor[one].name = tensor[0].name; break;
    case 14: pair[other].key = pair[0].key; break;
    case 15: tensor[one].name = (assay_chars){(const uint8_t *)"__metadata__", 12}; break;
    case 16: tensor[one].name = (assay_chars){(const uint8_t *)"a\0b", 3}; break;
    case 17: pair[other].value = (assay_chars){(const uint8_t *)"\0", 1}; break;
    case 18: tensor[one].dtype = below(2) * (ASSAY_DTYPE_LAST + 1); break;
    default: break;
    }
    return what;
}

static void print(const assay_description *what, const uint32_t *order, const uint8_t *head,
                  const assay_file_plan *plan, const assay_error *error)
{
    printf(" %" PRIu64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64, error->status, error->tensor,
           error->other, error->expected, error->found, error->has);
    if (error->status == ASSAY_OK) {
        uint64_t hash = UINT64_C(14695981039346656037);
        for (uint64_t k = 0; k < plan->head; k++) {
            hash = (hash ^ head[k]) * UINT64_C(1099511628211);
        }
        printf(" head %" PRIu64 " data %" PRIu64 " file %" PRIu64 " hash %" PRIx64 " order", plan->head, plan->data,
               plan->file, hash);
        for (uint64_t k = 0; k < what->tensors + what->pairs; k++) {
            printf(" %" PRIu32, order[k]);
        }
        assay_piece piece = {0};
        while (assay_piece_next(what, order, plan, &piece)) {
            printf(" %" PRIu64 ":%" PRIu64 "-%" PRIu64, piece.tensor, piece.begin, piece.end);
        }
    }
    putchar('\n');
}

int main(int count, char **word)
{
    static uint8_t room[ROOM];
    static uint32_t order[4 * MOST], words[14 * MOST];
    static assay_entry entry[MOST];
    const uint32_t limit = count > 1 ? (uint32_t)atoi(word[1]) : 2000;
    state = count > 2 ? (uint64_t)atoi(word[2]) : 1;
    for (uint32_t k = 0; k < limit; k++) {
        const uint32_t kind = below(19);
        const assay_description what = make(kind);
        const assay_write_options options = {ASSAY_API, below(4) == 0, (uint64_t)8 << below(4), below(3) * 200,
                                             below(2)};
        const assay_head_buffer head = {room, below(20) == 0 ? 15 : ROOM};
        const assay_workspace workspace = {entry, what.tensors, words, 8 * what.pairs + 6 * what.tensors};
        assay_file_plan plan = {0};
        assay_result result;
        memset(room, 0xC3, ROOM);
        (void)assay_head_make(&what, &options, order, &head, &workspace, &plan, &result);
        printf("%s", kind < 8 && head.size == ROOM ? "fine" : "some");
        print(&what, order, room, &plan, &result.error);
    }
    return 0;
}
