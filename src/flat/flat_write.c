/* flat_write.c: assay_write.h for callers that pass numbers and memory alone. The arena holds, one after the other: the
 * tensors, the pairs, the pieces, the entries of the workspace, the order, the words of the workspace, the head. */
#include "assay_flat_write.h"
#include "assay_write.h"
#include "flat_arena.h"

#define HEADER_MAX UINT64_C(100000000)
#define LISTED_MAX UINT64_C(16777215) /* tensors and pairs: more do not fit into a header */
#define TENSOR_MOST 160u              /* bytes of a tensor in the header without its name and dims */
#define PAIR_MOST 6u
#define NUMBER_MOST 21u               /* bytes of a number and a comma */

/* Where the parts of an arena begin, in bytes. */
typedef struct {
    uint64_t tensors, pairs, dims;
    uint64_t pair, piece, entry, order, word, head, head_room, end;
} write_parts;

/* Return whether [begin, end) is a part of the text. */
static bool is_part(uint64_t begin, uint64_t end, uint64_t text_size)
{
    return begin <= end && end <= text_size;
}

/* Read the counts, and check that all numbers are there and name parts of the text. */
static bool read_counts(uint64_t text_size, const uint64_t *number, uint64_t numbers, write_parts *parts)
{
    if (number == NULL || numbers < ASSAY_FLAT_NEW || number[ASSAY_FLAT_NEW_TENSORS] > LISTED_MAX ||
        number[ASSAY_FLAT_NEW_PAIRS] > LISTED_MAX) {
        return false;
    }
    parts->tensors = number[ASSAY_FLAT_NEW_TENSORS];
    parts->pairs = number[ASSAY_FLAT_NEW_PAIRS];
    const uint64_t rows = ASSAY_FLAT_NEW + parts->tensors * ASSAY_FLAT_NEW_TENSOR + parts->pairs * ASSAY_FLAT_NEW_PAIR;
    if (rows > numbers) {
        return false;
    }
    const uint64_t *row = number + ASSAY_FLAT_NEW;
    uint64_t dims = 0;
    for (uint64_t k = 0; k < parts->tensors; k++, row += ASSAY_FLAT_NEW_TENSOR) {
        if (!is_part(row[0], row[1], text_size) || row[3] > numbers - rows - dims) {
            return false;
        }
        dims += row[3];
    }
    for (uint64_t k = 0; k < parts->pairs; k++, row += ASSAY_FLAT_NEW_PAIR) {
        if (!is_part(row[0], row[1], text_size) || !is_part(row[2], row[3], text_size)) {
            return false;
        }
    }
    parts->dims = dims;
    return dims == numbers - rows;
}

static uint64_t smaller(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

/* Add the bytes that a part of the text takes between quotes to *size, until there are more than a header has. */
static void add_text(const uint8_t *text, uint64_t begin, uint64_t end, uint64_t *size)
{
    for (uint64_t k = begin; k < end && *size <= HEADER_MAX; k++) {
        *size += text[k] < 0x20u ? 6u : text[k] == '"' || text[k] == '\\' ? 2u : 1u;
    }
}

/* Return an upper bound of the bytes of the head. */
static uint64_t head_most(const uint8_t *text, const uint64_t *number, const write_parts *parts)
{
    const uint64_t *row = number + ASSAY_FLAT_NEW;
    uint64_t size = 64u + parts->tensors * TENSOR_MOST + parts->pairs * PAIR_MOST +
                    smaller(parts->dims, HEADER_MAX) * NUMBER_MOST;
    for (uint64_t k = 0; k < parts->tensors; k++, row += ASSAY_FLAT_NEW_TENSOR) {
        add_text(text, row[0], row[1], &size);
    }
    for (uint64_t k = 0; k < parts->pairs; k++, row += ASSAY_FLAT_NEW_PAIR) {
        add_text(text, row[0], row[1], &size);
        add_text(text, row[2], row[3], &size);
    }
    size = smaller(size, HEADER_MAX) + smaller(number[ASSAY_FLAT_NEW_RESERVE], HEADER_MAX);
    return smaller(size + smaller(number[ASSAY_FLAT_NEW_ALIGN], HEADER_MAX), HEADER_MAX) + 8u;
}

static bool find_parts(const uint8_t *text, uint64_t text_size, const uint64_t *number, uint64_t numbers,
                       write_parts *parts)
{
    if ((text == NULL && text_size > 0) || !read_counts(text_size, number, numbers, parts)) {
        return false;
    }
    const uint64_t listed = parts->tensors + parts->pairs;
    parts->pair = parts->tensors * sizeof(assay_new_tensor);
    parts->piece = parts->pair + parts->pairs * sizeof(assay_new_pair);
    parts->piece += (8u - parts->piece % 8u) % 8u; /* where pointers have 4 bytes */
    parts->entry = parts->piece + parts->tensors * ASSAY_FLAT_PIECE * sizeof(uint64_t);
    parts->order = parts->entry + parts->tensors * sizeof(assay_entry);
    parts->word = parts->order + 2u * listed * sizeof(uint32_t);
    parts->head = parts->word + (8u * parts->pairs + 6u * parts->tensors) * sizeof(uint32_t);
    parts->head_room = head_most(text, number, parts);
    parts->end = (parts->head + parts->head_room + 15u) / 8u * 8u;
    return true;
}

uint64_t assay_flat_write_arena(const uint8_t *text, uint64_t text_size, const uint64_t *number, uint64_t numbers)
{
    write_parts parts;
    return find_parts(text, text_size, number, numbers, &parts) ? parts.end : 0;
}

/* Describe the file in the structures of assay_write.h. */
static void fill_rows(const uint8_t *text, const uint64_t *number, const write_parts *parts, assay_new_tensor *tensor,
                      assay_new_pair *pair)
{
    const uint64_t *row = number + ASSAY_FLAT_NEW;
    const uint64_t *dim = row + parts->tensors * ASSAY_FLAT_NEW_TENSOR + parts->pairs * ASSAY_FLAT_NEW_PAIR;
    for (uint64_t k = 0; k < parts->tensors; k++, row += ASSAY_FLAT_NEW_TENSOR) {
        const assay_chars name = {text == NULL ? NULL : text + row[0], row[1] - row[0]};
        tensor[k].name = name;
        tensor[k].dtype = row[2];
        tensor[k].dim = dim;
        tensor[k].rank = row[3];
        dim += row[3];
    }
    for (uint64_t k = 0; k < parts->pairs; k++, row += ASSAY_FLAT_NEW_PAIR) {
        const assay_chars key = {text == NULL ? NULL : text + row[0], row[1] - row[0]};
        const assay_chars value = {text == NULL ? NULL : text + row[2], row[3] - row[2]};
        pair[k].key = key;
        pair[k].value = value;
    }
}

/* Set out, except what only ASSAY_OK sets. */
static uint32_t put_error(const assay_error *error, uint64_t *out)
{
    for (uint32_t k = 0; k < ASSAY_FLAT_WRITE_OUT; k++) {
        out[k] = ASSAY_NONE;
    }
    out[ASSAY_FLAT_STATUS] = error->status;
    out[ASSAY_FLAT_TENSOR] = error->tensor;
    out[ASSAY_FLAT_OTHER] = error->other;
    out[ASSAY_FLAT_EXPECTED] = error->expected;
    out[ASSAY_FLAT_FOUND] = error->found;
    out[ASSAY_FLAT_HAS] = error->has;
    for (uint32_t k = 0; k < 4u; k++) {
        out[ASSAY_FLAT_NAME + k] = 0;
    }
    return (uint32_t)error->status;
}

static uint32_t put_status(assay_status status, uint64_t *out)
{
    const assay_error error = {status, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, 0, {0, 0}, {0, 0}};
    return put_error(&error, out);
}

uint32_t assay_flat_write(const uint8_t *text, uint64_t text_size, const uint64_t *number, uint64_t numbers,
                          void *arena, uint64_t arena_size, uint64_t *out)
{
    write_parts parts;
    if (!flat_is_aligned(arena) || !find_parts(text, text_size, number, numbers, &parts)) {
        return put_status(ASSAY_USAGE, out);
    }
    if (parts.end > arena_size) {
        return put_status(ASSAY_WORKSPACE, out);
    }
    uint8_t *memory = arena;
    assay_new_tensor *tensor = arena;
    assay_new_pair *pair = (void *)(memory + parts.pair);
    uint64_t *row = (void *)(memory + parts.piece);
    uint32_t *order = (void *)(memory + parts.order);
    const assay_workspace workspace = {(void *)(memory + parts.entry), parts.tensors, (void *)(memory + parts.word),
                                       8u * parts.pairs + 6u * parts.tensors};
    const assay_head_buffer head = {memory + parts.head, parts.head_room};
    const assay_description what = {tensor, parts.tensors, pair, parts.pairs};
    const assay_write_options options = {ASSAY_API, number[ASSAY_FLAT_NEW_ORDER], number[ASSAY_FLAT_NEW_ALIGN],
                                         number[ASSAY_FLAT_NEW_RESERVE], number[ASSAY_FLAT_NEW_METADATA]};
    assay_file_plan plan;
    assay_result result;
    fill_rows(text, number, &parts, tensor, pair);
    if (assay_head_make(&what, &options, order, &head, &workspace, &plan, &result) != ASSAY_OK) {
        return put_error(&result.error, out);
    }
    assay_piece piece = {0, 0, 0, 0};
    for (; assay_piece_next(&what, order, &plan, &piece); row += ASSAY_FLAT_PIECE) {
        row[0] = piece.tensor;
        row[1] = piece.begin;
        row[2] = piece.end;
    }
    put_error(&result.error, out);
    out[ASSAY_FLAT_TENSORS] = parts.tensors;
    out[ASSAY_FLAT_PAIRS] = parts.pairs;
    out[ASSAY_FLAT_DATA_BEGIN] = plan.head;
    out[ASSAY_FLAT_DATA_SIZE] = plan.data;
    out[ASSAY_FLAT_WRITE_HEAD] = parts.head;
    out[ASSAY_FLAT_WRITE_HEAD_SIZE] = plan.head;
    out[ASSAY_FLAT_WRITE_PIECES] = parts.piece;
    return ASSAY_OK;
}
