/* harness_write.c: fuzz the writer. The input is a description: the options, the tensors and the metadata pairs (see
 * take_description). Which defects it has is found here by simple code. If it has none, a head must be made; it must be
 * valid by the core and by the model, state what was described, and have the order and the length of the options. A
 * defect must be refused with its status and its cause. Memory has exactly the size that is stated. */
#include <stdlib.h>
#include <string.h>

#include "assay_flat_write.h"
#include "assay_write.h"
#include "fuzz.h"

enum { TENSORS = 32, PAIRS = 16, DIMS = 4, NAME_MOST = 40 };

static const char reserved[] = "__metadata__";

typedef struct {
    const uint8_t *bytes;
    size_t size;
} source;

/* What is described, and the memory for the calls. */
typedef struct {
    assay_description what;
    assay_write_options options;
    uint32_t *order;
    uint64_t listed; /* tensors and pairs */
} task;

/* What a description has to be refused with, and which tensor or pair is the cause: an index, or ASSAY_NONE. */
typedef struct {
    assay_status status;
    uint64_t tensor, pair;
} defect;

/* ---- The description ---------------------------------------------------------------------------------- */

static uint8_t take(source *from)
{
    if (from->size == 0) {
        return 0;
    }
    from->size--;
    return *from->bytes++;
}

/* Take a text: a length, and as many bytes, which need not be UTF-8. A length of 255: the reserved name. */
static assay_chars take_text(source *from)
{
    const uint8_t length = take(from);
    if (length == 255) {
        return (assay_chars){guarded_copy(reserved, 12), 12};
    }
    size_t size = length % (NAME_MOST + 1u);
    size = size < from->size ? size : from->size;
    const assay_chars text = {size == 0 ? NULL : guarded_copy(from->bytes, size), size};
    from->bytes += size;
    from->size -= size;
    return text;
}

/* Take a dim: a byte, or after 0xFF eight. */
static uint64_t take_dim(source *from)
{
    uint8_t bytes[8];
    const uint8_t first = take(from);
    if (first != 255) {
        return first;
    }
    for (size_t k = 0; k < 8; k++) {
        bytes[k] = take(from);
    }
    return number_at(bytes, 8);
}

static void take_tensor(source *from, assay_new_tensor *tensor)
{
    tensor->name = take_text(from);
    tensor->dtype = take(from) % (ASSAY_DTYPE_LAST + 2u);
    tensor->rank = take(from) % (DIMS + 1u);
    uint64_t *dim = guarded(tensor->rank * sizeof *dim, 0);
    for (uint64_t k = 0; k < tensor->rank; k++) {
        dim[k] = take_dim(from);
    }
    tensor->dim = tensor->rank == 0 ? NULL : dim;
}

/* Take the options: order, metadata, alignment in one byte, room to be reserved in another; then the numbers of tensors
 * and pairs, and these. */
static void take_description(source *from, task *given)
{
    const uint8_t flags = take(from);
    given->options = (assay_write_options){ASSAY_API, flags % 2u, (uint64_t)8 << flags / 4u % 4u, 0, flags / 2u % 2u};
    given->options.reserve = (uint64_t)take(from) << (flags >= 192 ? 19 : 2);
    given->what.tensors = take(from) % (TENSORS + 1u);
    given->what.pairs = take(from) % (PAIRS + 1u);
    assay_new_tensor *tensor = guarded(given->what.tensors * sizeof *tensor, 0);
    assay_new_pair *pair = guarded(given->what.pairs * sizeof *pair, 0);
    for (uint64_t k = 0; k < given->what.tensors; k++) {
        take_tensor(from, &tensor[k]);
    }
    for (uint64_t k = 0; k < given->what.pairs; k++) {
        pair[k].key = take_text(from);
        pair[k].value = take_text(from);
    }
    given->what.tensor = tensor;
    given->what.pair = pair;
    given->listed = given->what.tensors + given->what.pairs;
    given->order = guarded(2 * given->listed * sizeof *given->order, 0x5A);
}

/* ---- What is wrong with it ---------------------------------------------------------------------------- */

static int compare(assay_chars one, assay_chars other)
{
    const uint64_t least = one.size < other.size ? one.size : other.size;
    const int order = least == 0 ? 0 : memcmp(one.byte, other.byte, (size_t)least);
    return order != 0 ? order : (one.size > other.size) - (one.size < other.size);
}

static bool has_nul(assay_chars text)
{
    return text.size > 0 && memchr(text.byte, 0, (size_t)text.size) != NULL;
}

/* Return the size of the UTF-8 sequence that the text begins with, by the table of RFC 3629; 0 if there is none. */
static size_t sequence(const uint8_t *byte, uint64_t size)
{
    static const struct {
        uint8_t first, last, second_first, second_last;
        size_t size;
    } table[] = {{0x00, 0x7F, 0, 0, 1}, {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
                 {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
                 {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        if (byte[0] < table[k].first || byte[0] > table[k].last || size < table[k].size) {
            continue;
        }
        bool good = table[k].size == 1 || (byte[1] >= table[k].second_first && byte[1] <= table[k].second_last);
        for (size_t i = 2; i < table[k].size; i++) {
            good = good && byte[i] >= 0x80 && byte[i] <= 0xBF;
        }
        return good ? table[k].size : 0;
    }
    return 0;
}

static bool is_utf8(assay_chars text)
{
    uint64_t at = 0;
    while (at < text.size) {
        const size_t step = sequence(text.byte + at, text.size - at);
        if (step == 0) {
            return false;
        }
        at += step;
    }
    return true;
}

/* Return the bytes of a tensor's data, or ASSAY_NONE if the format can't have them. */
static uint64_t data_size(const assay_new_tensor *tensor)
{
    unsigned __int128 bits = 0;
    bool empty = false;
    for (size_t k = 0; k < SPEC_DTYPES; k++) {
        bits = spec_dtypes[k].code == tensor->dtype ? spec_dtypes[k].bits : bits;
    }
    for (uint64_t k = 0; k < tensor->rank && bits <= UINT64_MAX; k++) {
        empty = empty || tensor->dim[k] == 0;
        bits *= tensor->dim[k] == 0 ? 1 : tensor->dim[k];
    }
    if (bits == 0 || bits > UINT64_MAX || (!empty && bits % 8 != 0)) {
        return ASSAY_NONE;
    }
    return empty ? 0 : (uint64_t)bits / 8;
}

/* Find a defect that the plan sees. *data gets the bytes of all data. */
static defect planned_defect(const assay_description *what, uint64_t *data)
{
    const uint64_t most = (UINT64_C(1) << 63) - 8 - 100000000;
    *data = 0;
    for (uint64_t k = 0; k < what->pairs; k++) {
        if (has_nul(what->pair[k].key) || has_nul(what->pair[k].value)) {
            return (defect){ASSAY_W_NUL, ASSAY_NONE, k};
        }
    }
    for (uint64_t k = 0; k < what->tensors; k++) {
        const assay_new_tensor *tensor = &what->tensor[k];
        const uint64_t size = data_size(tensor);
        const assay_status status = has_nul(tensor->name)                                   ? ASSAY_W_NUL
                                    : compare(tensor->name, (assay_chars){(const uint8_t *)reserved, 12}) == 0
                                        ? ASSAY_W_RESERVED
                                    : size == ASSAY_NONE                                    ? ASSAY_W_TENSOR
                                    : size >= most - *data                                  ? ASSAY_W_DATA_LARGE
                                                                                            : ASSAY_OK;
        if (status != ASSAY_OK) {
            return (defect){status, k, ASSAY_NONE};
        }
        *data += size;
    }
    return (defect){ASSAY_OK, ASSAY_NONE, ASSAY_NONE};
}

static bool all_utf8(const assay_description *what)
{
    bool good = true;
    for (uint64_t k = 0; k < what->tensors; k++) {
        good = good && is_utf8(what->tensor[k].name);
    }
    for (uint64_t k = 0; k < what->pairs; k++) {
        good = good && is_utf8(what->pair[k].key) && is_utf8(what->pair[k].value);
    }
    return good;
}

/* Is there a name or a key twice? */
static bool any_twice(const assay_description *what)
{
    for (uint64_t k = 0; k < what->tensors; k++) {
        for (uint64_t i = 0; i < k; i++) {
            if (compare(what->tensor[k].name, what->tensor[i].name) == 0) {
                return true;
            }
        }
    }
    for (uint64_t k = 0; k < what->pairs; k++) {
        for (uint64_t i = 0; i < k; i++) {
            if (compare(what->pair[k].key, what->pair[i].key) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* Does the error name a text that is not UTF-8, or two that are the same? */
static void check_cause(const assay_description *what, const assay_error *error)
{
    const uint64_t tensor = error->tensor, other = error->other, found = error->found;
    demand(tensor == ASSAY_NONE || tensor < what->tensors, "write: an error of a tensor that is not there");
    if (error->status == ASSAY_W_UTF8) {
        demand(tensor != ASSAY_NONE
                   ? !is_utf8(what->tensor[tensor].name)
                   : other < what->pairs && !(is_utf8(what->pair[other].key) && is_utf8(what->pair[other].value)),
               "write: the text is UTF-8");
    } else if (tensor != ASSAY_NONE) {
        demand(other < what->tensors && other != tensor &&
                   compare(what->tensor[tensor].name, what->tensor[other].name) == 0, "write: the names differ");
    } else {
        demand(other < what->pairs && found < what->pairs && other != found &&
                   compare(what->pair[other].key, what->pair[found].key) == 0, "write: the keys differ");
    }
}

/* ---- What was made ------------------------------------------------------------------------------------ */

static assay_chars utf8_text(const spec_text *text)
{
    assay_chars bytes;
    bytes.byte = utf8_of(text, &bytes.size);
    return bytes;
}

/* Compare the table of the model, which knows nothing of the writer, with the description. */
static void check_table(const task *given, const assay_file_plan *plan)
{
    const assay_description *what = &given->what;
    assay_piece piece = {0};
    uint64_t end = plan->head;
    demand(model_result.tensors == what->tensors && model_result.pairs == what->pairs, "write: other counts");
    demand(model_result.metadata == (what->pairs > 0 || given->options.metadata == 1), "write: __metadata__");
    for (uint64_t k = 0; k < what->tensors; k++) {
        const spec_tensor *made = &model_result.tensor[k];
        demand(given->order[k] < what->tensors, "write: the order is none");
        const assay_new_tensor *tensor = &what->tensor[given->order[k]];
        demand(compare(utf8_text(&made->name), tensor->name) == 0, "write: another name");
        demand(made->dtype == tensor->dtype && made->rank == tensor->rank &&
                   same_bytes(made->dim, tensor->dim, made->rank * sizeof *made->dim), "write: another dtype or shape");
        demand(assay_piece_next(what, given->order, plan, &piece) && piece.next == k + 1, "write: a piece is missing");
        demand(piece.tensor == given->order[k] && piece.begin == end && piece.end - end == data_size(tensor),
               "write: a piece is elsewhere");
        demand(made->begin == piece.begin - plan->head && made->end == piece.end - plan->head, "write: other offsets");
        end = piece.end;
    }
    demand(end == plan->file && !assay_piece_next(what, given->order, plan, &piece), "write: the pieces do not end");
    for (uint64_t k = 0; k < what->pairs; k++) {
        const uint32_t index = given->order[what->tensors + k];
        demand(index < what->pairs, "write: the order is none");
        demand(compare(utf8_text(&model_result.pair[k].key), what->pair[index].key) == 0 &&
                   compare(utf8_text(&model_result.pair[k].value), what->pair[index].value) == 0,
               "write: another pair");
    }
}

/* The position of each dtype in the canonical order (spec/canonical.md), from the last. */
static uint64_t dtype_position(uint64_t dtype)
{
    static const char *const names[SPEC_DTYPES] = {
        "BOOL", "F4", "F6_E2M3", "F6_E3M2", "U8", "I8", "F8_E5M2", "F8_E4M3", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ",
        "I16", "U16", "F16", "BF16", "I32", "U32", "F32", "C64", "F64", "I64", "U64"};
    for (size_t k = 0; k < SPEC_DTYPES; k++) {
        for (size_t i = 0; i < SPEC_DTYPES; i++) {
            if (spec_dtypes[k].code == dtype && strcmp(spec_dtypes[k].name, names[i]) == 0) {
                return i;
            }
        }
    }
    return 0;
}

/* Is the order that of the options? */
static void check_order(const task *given)
{
    const assay_description *what = &given->what;
    const uint32_t *order = given->order;
    for (uint64_t k = 1; k < what->tensors; k++) {
        const assay_new_tensor *before = &what->tensor[order[k - 1]], *tensor = &what->tensor[order[k]];
        const uint64_t one = dtype_position(before->dtype), two = dtype_position(tensor->dtype);
        demand(given->options.order == ASSAY_ORDER_GIVEN
                   ? order[k] == k
                   : one > two || (one == two && compare(before->name, tensor->name) < 0),
               "write: tensors out of order");
    }
    for (uint64_t k = 1; k < what->pairs; k++) {
        const uint32_t before = order[what->tensors + k - 1], pair = order[what->tensors + k];
        demand(given->options.order == ASSAY_ORDER_GIVEN ? pair == k
                                                          : compare(what->pair[before].key, what->pair[pair].key) < 0,
               "write: pairs out of order");
    }
}

/* Is the length the least that the options allow, and is the rest spaces? */
static void check_length(const task *given, const uint8_t *head, uint64_t size)
{
    uint64_t used = size;
    while (used > 8 && head[used - 1] == ' ') {
        used--;
    }
    const uint64_t align = given->options.align, least = 8 + given->options.reserve;
    const uint64_t need = used > least ? used : least;
    demand(size == (need + align - 1) / align * align, "write: not the least length");
    bool inside = false;
    for (uint64_t k = 8; k < used; k++) {
        demand(inside || head[k] > ' ', "write: white space that is no padding");
        if (inside && head[k] == '\\') {
            k++;
        } else if (head[k] == '"') {
            inside = !inside;
        }
    }
}

/* ---- The calls ---------------------------------------------------------------------------------------- */

static assay_status make(const task *given, uint64_t room, uint64_t entries, uint64_t words, uint8_t **head,
                         assay_file_plan *plan, assay_result *result)
{
    *head = guarded(room, 0xC3);
    const assay_head_buffer buffer = {*head, room};
    const assay_workspace workspace = {guarded(entries * sizeof(assay_entry), 0x77), entries,
                                       guarded(words * sizeof(uint32_t), 0x77), words};
    return assay_head_make(&given->what, &given->options, given->order, &buffer, &workspace, plan, result);
}

/* Too little memory is reported, and what is written then is no more than there is. */
static void check_memory(const task *given, const assay_file_plan *plan)
{
    const uint64_t entries = given->what.tensors, words = 8 * given->what.pairs + 6 * given->what.tensors;
    assay_file_plan other;
    assay_result result;
    uint8_t *head;
    demand(make(given, plan->head - 1, entries, words, &head, &other, &result) == ASSAY_W_BUFFER &&
               result.error.expected == plan->head && result.error.found == plan->head - 1,
           "write: a buffer that is too small");
    demand(all_bytes(head, (size_t)plan->head - 1, 0xC3), "write: a buffer that is too small is written to");
    if (entries > 0) {
        demand(make(given, plan->head, entries - 1, words, &head, &other, &result) == ASSAY_WORKSPACE &&
                   result.need.entries == entries, "write: a workspace that is too small");
    }
    demand(make(given, plan->head + 5, entries, words, &head, &other, &result) == ASSAY_OK &&
               all_bytes(head + plan->head, 5, 0xC3), "write: more than the head");
}

/* Write again what the view states: the same head. */
static void check_again(const task *given, const uint8_t *head, const assay_file_plan *plan, const assay_view *view)
{
    task again = {.options = given->options, .listed = given->listed};
    assay_new_tensor *tensor = guarded(given->what.tensors * sizeof *tensor, 0);
    assay_new_pair *pair = guarded(given->what.pairs * sizeof *pair, 0);
    for (uint64_t k = 0; k < given->what.tensors; k++) {
        tensor[k] = given->what.tensor[given->order[k]];
    }
    for (uint64_t k = 0; k < given->what.pairs; k++) {
        pair[k] = given->what.pair[given->order[given->what.tensors + k]];
    }
    again.what = (assay_description){tensor, given->what.tensors, pair, given->what.pairs};
    again.order = guarded(2 * given->listed * sizeof *again.order, 0);
    assay_file_plan other;
    assay_result result;
    uint8_t *made;
    demand(make(&again, plan->head, again.what.tensors, 8 * again.what.pairs + 6 * again.what.tensors, &made, &other,
                &result) == ASSAY_OK, "write: what was written can't be written again");
    demand(other.head == plan->head && other.file == plan->file && same_bytes(made, head, plan->head),
           "write: another head of what was written");
    for (uint64_t k = 0; k < given->listed; k++) {
        demand(again.order[k] == (k < given->what.tensors ? k : k - given->what.tensors), "write: it was in order");
    }
    demand(assay_same_tensors(view, &result.view), "write: the same tensors differ");
    demand(assay_view_matches(&result.view, &again.what, again.order), "write: the view does not match");
    if (given->what.tensors > 1) {
        again.order[0] = 1;
        demand(!assay_view_matches(&result.view, &again.what, again.order), "write: a view of other tensors matches");
    }
}

/* Return where a text of the description is in the text of all: after the others. */
static void put_text(const assay_chars *one, uint8_t *text, uint64_t *size, uint64_t *row)
{
    row[0] = *size;
    if (one->size > 0) {
        memcpy(text + *size, one->byte, (size_t)one->size);
    }
    *size += one->size;
    row[1] = *size;
}

/* Let assay_flat_write do the same: the same status, and the same head. */
static void check_flat(const task *given, assay_status wanted, const uint8_t *head, uint64_t head_size)
{
    const assay_description *what = &given->what;
    uint64_t size = 0, dims = 0, texts = 0;
    for (uint64_t k = 0; k < what->tensors; k++) {
        texts += what->tensor[k].name.size;
        dims += what->tensor[k].rank;
    }
    for (uint64_t k = 0; k < what->pairs; k++) {
        texts += what->pair[k].key.size + what->pair[k].value.size;
    }
    const uint64_t first[] = {what->tensors, what->pairs, given->options.order, given->options.align,
                              given->options.reserve, given->options.metadata};
    const uint64_t numbers = ASSAY_FLAT_NEW + 4 * (what->tensors + what->pairs) + dims;
    uint64_t *number = guarded(numbers * sizeof *number, 0), *out = guarded(ASSAY_FLAT_WRITE_OUT * sizeof *out, 0);
    uint64_t *row = number + ASSAY_FLAT_NEW, *dim = row + 4 * (what->tensors + what->pairs);
    uint8_t *text = guarded(texts, 0);
    memcpy(number, first, sizeof first);
    for (uint64_t k = 0; k < what->tensors; k++, row += ASSAY_FLAT_NEW_TENSOR) {
        put_text(&what->tensor[k].name, text, &size, row);
        row[2] = what->tensor[k].dtype;
        row[3] = what->tensor[k].rank;
        for (uint64_t i = 0; i < row[3]; i++) {
            *dim++ = what->tensor[k].dim[i];
        }
    }
    for (uint64_t k = 0; k < what->pairs; k++, row += ASSAY_FLAT_NEW_PAIR) {
        put_text(&what->pair[k].key, text, &size, row);
        put_text(&what->pair[k].value, text, &size, row + 2);
    }
    const uint64_t need = assay_flat_write_arena(text, texts, number, numbers);
    if (need > 16 * INPUT_MAX) { /* for speed */
        return;
    }
    uint8_t *arena = guarded(need, 0x99);
    demand(need > 0 && need % 8 == 0, "write: an arena");
    demand(assay_flat_write(text, texts, number, numbers, arena, need, out) == wanted &&
               out[ASSAY_FLAT_STATUS] == wanted, "write: assay_flat_write returns another status");
    demand(wanted != ASSAY_OK || (out[ASSAY_FLAT_WRITE_HEAD_SIZE] == head_size &&
                                  same_bytes(arena + out[ASSAY_FLAT_WRITE_HEAD], head, head_size)),
           "write: assay_flat_write writes another head");
}

static bool write_description(const task *given)
{
    const uint64_t entries = given->what.tensors, words = 8 * given->what.pairs + 6 * given->what.tensors;
    uint64_t data;
    defect wanted = planned_defect(&given->what, &data);
    assay_file_plan plan = {0};
    assay_result result;
    assay_status status = assay_head_plan(&given->what, &given->options, given->order, &plan, &result.error);
    if (wanted.status == ASSAY_OK && given->options.reserve > 100000000) {
        wanted.status = ASSAY_W_HEADER_LARGE;
    }
    demand(status == wanted.status && result.error.status == status, "write: the plan has another status");
    demand(result.error.tensor == wanted.tensor && result.error.other == wanted.pair, "write: another cause");
    if (status != ASSAY_OK) {
        uint8_t *head;
        demand(make(given, 64, entries, words, &head, &plan, &result) == status, "write: make and plan disagree");
        check_flat(given, status, NULL, 0);
        return false;
    }
    demand(plan.data == data && plan.file == plan.head + data, "write: the plan has other sizes");
    if (plan.head > INPUT_MAX) { /* for speed */
        return false;
    }
    uint8_t *head;
    status = make(given, plan.head, entries, words, &head, &plan, &result);
    demand(result.error.status == status, "write: two statuses");
    if (!all_utf8(&given->what) || any_twice(&given->what)) {
        demand(status == ASSAY_W_TWICE || (status == ASSAY_W_UTF8 && !all_utf8(&given->what)),
               "write: a defect is not refused");
        check_cause(&given->what, &result.error);
        check_flat(given, status, NULL, 0);
        return false;
    }
    demand(status == ASSAY_OK, "write: a description without a defect is refused");
    const assay_view view = result.view;
    const question q = {head, plan.head, plan.file, NULL};
    demand(oracle_judge(&q), "write: the head is not valid");
    check_table(given, &plan);
    check_order(given);
    check_length(given, head, plan.head);
    check_again(given, head, &plan, &view);
    check_memory(given, &plan);
    check_flat(given, ASSAY_OK, head, plan.head);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    source from = {bytes, size};
    task given;
    if (size > INPUT_MAX) {
        return 0;
    }
    take_description(&from, &given);
    count_execution(write_description(&given));
    guard_check();
    guard_drop();
    return 0;
}
