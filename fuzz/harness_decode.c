/* harness_decode.c: fuzz the cursors of texts and dims over bytes that were not judged. The input is the positions of
 * the cursors, and then the head of a view without tensors:
 *
 *     at(2) end(2) left(2) size(1) ... other bytes[size] ... head
 *
 * The decoder for comparison is written from the ABNF of spec/format.md: what the ABNF does not allow is U+FFFD, one
 * byte long. */
#include <string.h>

#include "fuzz.h"

enum { FRONT = 7, FILL = 0xA5, MOST_STEPS = 512 };

static bool is_hex(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Return the code unit of a \u at `at`, or -1. */
static int64_t unit(const uint8_t *head, uint64_t at, uint64_t end)
{
    int64_t number = 0;
    if (end - at < 6 || head[at] != '\\' || head[at + 1] != 'u') {
        return -1;
    }
    for (uint64_t i = at + 2; i < at + 6; i++) {
        if (!is_hex(head[i])) {
            return -1;
        }
        number = number * 16 + (head[i] <= '9' ? head[i] - '0' : (head[i] | 0x20) - 'a' + 10);
    }
    return number;
}

static int64_t escape(const uint8_t *head, uint64_t at, uint64_t end, uint64_t *length)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char *letter = end - at < 2 || head[at + 1] == 0 ? NULL : strchr(letters, head[at + 1]);
    *length = 2;
    if (letter != NULL) {
        return meanings[letter - letters];
    }
    int64_t first = unit(head, at, end), second = first < 0 ? -1 : unit(head, at + 6, end);
    *length = 6;
    if (first >= 0xD800 && first < 0xDC00 && second >= 0xDC00 && second < 0xE000) {
        *length = 12;
        return 0x10000 + (first - 0xD800) * 1024 + second - 0xDC00;
    }
    return first == 0 || (first >= 0xD800 && first < 0xE000) ? -1 : first;
}

static int64_t utf8(const uint8_t *head, uint64_t at, uint64_t end, uint64_t *length)
{
    uint8_t lead = head[at];
    uint64_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    int64_t code = lead & (0x3F >> more), least = more == 1 ? 0x80 : more == 2 ? 0x800 : 0x10000;
    *length = more + 1;
    if (lead < 0xC0 || lead > 0xF7 || end - at <= more) {
        return -1;
    }
    for (uint64_t i = at + 1; i <= at + more; i++) {
        if (head[i] / 64 != 2) {
            return -1;
        }
        code = code * 64 + head[i] % 64;
    }
    return code < least || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) ? -1 : code;
}

/* Return the character at `at` and its length in bytes. */
static uint32_t character(const uint8_t *head, uint64_t at, uint64_t end, uint64_t *length)
{
    *length = 1;
    if (head[at] < 0x80 && head[at] != '\\') {
        return head[at];
    }
    int64_t code = head[at] == '\\' ? escape(head, at, end, length) : utf8(head, at, end, length);
    if (code < 0) {
        *length = 1;
        return 0xFFFD;
    }
    return (uint32_t)code;
}

/* ---- Texts -------------------------------------------------------------------------------------------- */

static void read_text(const assay_view *view, assay_text text)
{
    bool inside = text.end <= view->data_begin;
    while (inside && text.at < text.end) {
        uint64_t length, before = text.at, end = text.end;
        uint32_t code = 0, wanted = character(view->head, before, end, &length);
        demand(assay_text_next(view, &text, &code), "a text ends too early");
        demand(text.at == before + length && text.end == end, "a character of another length");
        demand(code == wanted, "another character");
    }
    const assay_text before = text;
    uint32_t *code = guarded(sizeof *code, FILL);
    demand(!assay_text_next(view, &text, code), "a text does not end");
    demand(same_bytes(&text, &before, sizeof text), "a text's cursor moves after its end");
    demand(all_bytes(code, sizeof *code, FILL), "a code point written after the end of a text");
}

static int sign(int number)
{
    return (number > 0) - (number < 0);
}

/* Write the text as it is compared: escapes as UTF-8, every other byte as it is; a quote ends it. */
static uint64_t plain(const uint8_t *head, assay_text text, uint8_t *out)
{
    uint64_t size = 0, length = 0;
    for (uint64_t at = text.at; at < text.end && head[at] != '"'; at += length) {
        uint32_t code = character(head, at, text.end, &length);
        if (head[at] != '\\') {
            length = 1;
            out[size++] = head[at];
            continue;
        }
        uint64_t more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        static const uint8_t lead[] = {0, 0xC0, 0xE0, 0xF0};
        out[size++] = (uint8_t)(lead[more] | code >> 6 * more);
        while (more-- > 0) {
            out[size++] = (uint8_t)(0x80 | (code >> 6 * more & 0x3F));
        }
    }
    return size;
}

static void compare_text(const assay_view *view, assay_text text, const uint8_t *bytes, uint64_t size)
{
    static uint8_t room[3 * INPUT_MAX];
    bool inside = text.at <= text.end && text.end <= view->data_begin;
    uint64_t own = inside ? plain(view->head, text, room) : 0, least = own < size ? own : size;
    int order = least == 0 ? 0 : sign(memcmp(room, bytes, (size_t)least));
    order = order != 0 ? order : (own > size) - (own < size);
    demand(assay_text_compare(view, text, bytes, size) == order, "a text compares otherwise than its bytes");
    demand(assay_text_compare(view, text, guarded_copy(room, own), own) == 0, "a text is not equal to itself");
}

/* ---- Dims --------------------------------------------------------------------------------------------- */

static uint64_t skip(const assay_view *view, uint64_t at)
{
    while (at < view->data_begin && view->head[at] != 0 && strchr(" \t\n\r", view->head[at]) != NULL) {
        at++;
    }
    return at;
}

/* Read the dim of a cursor at `at`: white space, perhaps a comma and white space, digits, and a byte after them. */
static bool dim_at(const assay_view *view, uint64_t at, uint64_t *stop, uint64_t *number)
{
    const uint8_t *head = view->head;
    uint64_t end = view->data_begin, first;
    unsigned __int128 sum = 0;
    at = skip(view, at);
    first = at = at < end && head[at] == ',' ? skip(view, at + 1) : at;
    while (at < end && head[at] != 0 && strchr("0123456789+-.eE", head[at]) != NULL) {
        if (head[at] < '0' || head[at] > '9') {
            return false;
        }
        sum = sum > UINT64_MAX ? sum : sum * 10 + (head[at] - (uint8_t)'0');
        at++;
    }
    *stop = at;
    *number = (uint64_t)sum;
    return at > first && at < end && sum <= UINT64_MAX && (head[first] != '0' || at == first + 1);
}

static void read_dims(const assay_view *view, assay_dims dims)
{
    for (int step = 0; step < MOST_STEPS; step++) {
        const assay_dims before = dims;
        uint64_t *dim = guarded(sizeof *dim, FILL), stop = 0, wanted = 0;
        bool there = dims.left > 0 && dims.at < view->data_begin && dim_at(view, dims.at, &stop, &wanted);
        demand(assay_dim_next(view, &dims, dim) == there, there ? "a dim is not read" : "a dim is read that is none");
        if (!there) {
            demand(same_bytes(&dims, &before, sizeof dims) && all_bytes(dim, sizeof *dim, FILL), "no dim, but written");
            return;
        }
        demand(*dim == wanted && dims.at == stop && dims.left == before.left - 1, "another dim");
    }
}

/* The dims of a tensor that assay did not make, at once: those that the cursor reads. */
static void read_dims_at_once(const assay_view *view, assay_dims dims)
{
    const assay_tensor forged = {.dims = dims}, *tensor = guarded_copy(&forged, sizeof forged);
    const uint64_t size = dims.at % MOST_STEPS;
    uint64_t *room = guarded(size * sizeof *room, FILL), count = 0, dim = 0;
    const uint64_t written = assay_tensor_dims(view, tensor, room, size);
    demand(same_bytes(tensor, &forged, sizeof forged), "the tensor was written");
    demand(written <= size, "more dims than there is room for");
    while (count < size && assay_dim_next(view, &dims, &dim)) {
        demand(room[count++] == dim, "a dim at once that is not the cursor's");
    }
    demand(written == count, "another number of dims at once than of the cursor");
    demand(all_bytes(room + count, (size_t)(size - count) * sizeof *room, FILL), "dims written beyond the last");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < FRONT || size > INPUT_MAX || size - FRONT < 10 + (size_t)data[6]) {
        return 0;
    }
    uint64_t other_size = data[6], head_size = size - FRONT - other_size;
    const uint8_t *other = guarded_copy(data + FRONT, other_size);
    const assay_view none = {.head = guarded_copy(data + FRONT + other_size, head_size), .data_begin = head_size};
    assay_view *view = guarded_copy(&none, sizeof none);
    assay_text text = {number_at(data, 2), number_at(data + 2, 2)}, all = {0, head_size};
    count_execution(false);
    read_text(view, text);
    read_text(view, all);
    compare_text(view, text, other, other_size);
    compare_text(view, all, other, other_size);
    read_dims(view, (assay_dims){text.at, number_at(data + 4, 2)});
    read_dims_at_once(view, (assay_dims){text.at, number_at(data + 4, 2)});
    demand(same_bytes(view, &none, sizeof none) && same_bytes(none.head, data + FRONT + other_size, head_size),
           "the view or the head was written");
    guard_drop();
    return 0;
}
