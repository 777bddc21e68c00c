/* written_heads.c: heads of generated descriptions, by assay and by the reference.
 *
 *     written_heads [COUNT [SEED]]
 *
 * Of each description without a defect: the head in canonical form is byte for byte what the reference writes (its
 * metadata sorted), with any options the reference reads exactly what was described, the view matches, and writing what
 * the view states makes the same head again. Of each with a defect: its status, and the index of the cause. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay_text.h"
#include "assay_write.h"

enum { MOST = 96, TEXT = 160, ROOM = 1 << 18, DIMS = 5 };

uint64_t reference_write(const assay_description *what, bool metadata, uint8_t *out, uint64_t capacity);
bool reference_reads(const assay_description *what, const uint8_t *head, uint64_t size, uint64_t file_size);

/* A description and the memory that it points to. */
typedef struct {
    assay_new_tensor tensor[MOST];
    assay_new_pair pair[MOST];
    assay_description what;
    uint64_t dim[MOST][DIMS];
    char text[3 * MOST][TEXT];
} written;

static uint64_t state;
static written given, again;
static uint8_t head[ROOM], head_again[ROOM], head_reference[ROOM];
static uint32_t order[4 * MOST];
static assay_entry entry[MOST];
static uint32_t word[14 * MOST];
static const assay_workspace workspace = {entry, MOST, word, 14 * MOST};

static uint32_t below(uint32_t limit)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % limit;
}

static void fail(const char *why)
{
    fprintf(stderr, "written_heads: %s\n", why);
    abort();
}

static char *append(char *at, uint32_t code)
{
    if (code < 0x80) {
        *at++ = (char)code;
    } else if (code < 0x800) {
        *at++ = (char)(0xC0 + code / 64), *at++ = (char)(0x80 + code % 64);
    } else if (code < 0x10000) {
        *at++ = (char)(0xE0 + code / 4096), *at++ = (char)(0x80 + code / 64 % 64), *at++ = (char)(0x80 + code % 64);
    } else {
        *at++ = (char)(0xF0 + code / 262144), *at++ = (char)(0x80 + code / 4096 % 64);
        *at++ = (char)(0x80 + code / 64 % 64), *at++ = (char)(0x80 + code % 64);
    }
    return at;
}

static uint32_t code_point(void)
{
    static const uint32_t special[] = {'"', '\\', '/', 0x7F, 0x80, 0x9F, 0x7FF, 0x800, 0x2028, 0xD7FF, 0xE000, 0xFEFF,
                                       0xFFFD, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF};
    switch (below(8)) {
    case 0: return 1 + below(0x1F);
    case 1: return special[below(sizeof special / sizeof *special)];
    case 2: return 0xA0 + below(0x700);
    default: return ' ' + below(0x5F);
    }
}

/* A text that no other one of this description is: it ends with # and the number. */
static assay_chars text(char *buffer, uint32_t number)
{
    static const char *const stems[] = {"", "model.layers.", "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p."};
    char *at = stpcpy(buffer, stems[below(3)]);
    for (uint32_t left = below(4) == 0 ? below(20) : below(3); left > 0; left--) {
        at = append(at, code_point());
    }
    at += sprintf(at, "#%u", number);
    return (assay_chars){(const uint8_t *)buffer, (uint64_t)(at - buffer)};
}

static void describe(written *to)
{
    const uint32_t tensors = below(3) == 0 ? below(MOST) : below(6), pairs = below(3) == 0 ? below(12) : below(2);
    for (uint32_t k = 0; k < tensors; k++) {
        uint64_t rank = below(DIMS), bits = 64, *dim = to->dim[k];
        for (uint64_t i = 0; i < rank; i++) {
            const uint32_t kind = below(8);
            dim[i] = kind == 0 ? 0 : kind == 1 ? 1 : 4 * (1 + below(kind == 2 ? 20000 : 20));
            bits *= dim[i] > 1 ? dim[i] : 1;
            if (bits > (UINT64_C(1) << 28)) {
                dim[i] = 4, rank = i + 1;
            }
        }
        uint64_t dtype = 1 + below(ASSAY_DTYPE_LAST);
        const bool narrow = dtype >= ASSAY_DTYPE_F4 && dtype <= ASSAY_DTYPE_F6_E3M2;
        for (uint64_t i = 0; narrow && i < 1; i++) {
            rank = rank == 0 ? 1 : rank;
            dim[0] = 4 * (1 + below(9));
        }
        to->tensor[k] = (assay_new_tensor){text(to->text[k], k), dtype, dim, rank};
    }
    for (uint32_t k = 0; k < pairs; k++) {
        to->pair[k] = (assay_new_pair){text(to->text[MOST + k], k), text(to->text[2 * MOST + k], k)};
    }
    to->what = (assay_description){to->tensor, tensors, to->pair, pairs};
}

/* Describe what a view states. */
static void restate(const assay_view *view, written *to)
{
    assay_tensor tensor;
    assay_text key, value;
    for (uint64_t k = 0; assay_tensor_at(view, k, &tensor); k++) {
        const uint64_t size = assay_text_utf8(view, tensor.name, to->text[k], TEXT);
        assay_tensor_dims(view, &tensor, to->dim[k], DIMS);
        to->tensor[k] =
            (assay_new_tensor){{(const uint8_t *)to->text[k], size}, tensor.dtype, to->dim[k], tensor.rank};
    }
    for (uint64_t k = 0; assay_metadata_at(view, k, &key, &value); k++) {
        char *one = to->text[MOST + k], *two = to->text[2 * MOST + k];
        to->pair[k] = (assay_new_pair){{(const uint8_t *)one, assay_text_utf8(view, key, one, TEXT)},
                                       {(const uint8_t *)two, assay_text_utf8(view, value, two, TEXT)}};
    }
    to->what = (assay_description){to->tensor, view->tensors, to->pair, view->pairs};
}

static assay_write_options some_options(void)
{
    return (assay_write_options){ASSAY_API, below(2), UINT64_C(8) << below(10), below(2) * below(20000), below(2)};
}

/* The canonical form, beside the reference's. */
static void check_canonical(bool metadata)
{
    const assay_write_options options = {ASSAY_API, ASSAY_ORDER_CANONICAL, 8, 0, metadata};
    const assay_head_buffer to = {head, ROOM}, to_again = {head_again, ROOM};
    assay_file_plan plan, plan_again;
    assay_result result;
    if (assay_head_make(&given.what, metadata ? &options : NULL, order, &to, &workspace, &plan, &result) != ASSAY_OK) {
        fail("a description without a defect was refused");
    }
    /* The reference's JSON is broken then. */
    const bool empty = metadata && given.what.tensors == 0 && given.what.pairs == 0;
    if (!empty && (reference_write(&given.what, metadata, head_reference, ROOM) != plan.head ||
                   memcmp(head, head_reference, plan.head) != 0)) {
        fail("the reference writes another head");
    }
    restate(&result.view, &again);
    if (assay_head_make(&again.what, metadata ? &options : NULL, order, &to_again, &workspace, &plan_again, &result) !=
            ASSAY_OK || plan_again.head != plan.head || memcmp(head, head_again, plan.head) != 0) {
        fail("what the view states makes another head");
    }
}

static void check_options(void)
{
    const assay_write_options options = some_options();
    const assay_head_buffer to = {head, ROOM};
    assay_file_plan plan, planned;
    assay_result result;
    assay_error error;
    assay_piece piece = {0};
    if (assay_head_plan(&given.what, &options, order, &planned, &error) != ASSAY_OK ||
        assay_head_make(&given.what, &options, order, &to, &workspace, &plan, &result) != ASSAY_OK) {
        fail("a description without a defect was refused");
    }
    if (planned.head != plan.head || planned.file != plan.file || plan.head % options.align != 0 ||
        plan.head < 8 + options.reserve) {
        fail("the plan is not what was written, or not what the options require");
    }
    if (!reference_reads(&given.what, head, plan.head, plan.file)) {
        fail("the reference reads something else");
    }
    for (uint64_t end = plan.head; assay_piece_next(&given.what, order, &plan, &piece); end = piece.end) {
        assay_tensor tensor;
        if (!assay_tensor_at(&result.view, piece.next - 1, &tensor) || tensor.begin != piece.begin ||
            tensor.end != piece.end || piece.begin != end) {
            fail("the pieces are not the tensors of the view");
        }
    }
    if (piece.next != given.what.tensors || (piece.next > 0 && piece.end != plan.file)) {
        fail("the pieces do not end where the file does");
    }
}

/* Put a defect into the description; set the error that it must cause. */
static bool spoil(assay_error *expected)
{
    static const char *const ill_formed[] = {"\xFF", "a\xC3", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xC0\xAF"};
    static const uint64_t huge[] = {UINT64_C(1) << 33, UINT64_C(1) << 33}, three[] = {3};
    const uint32_t tensors = (uint32_t)given.what.tensors, pairs = (uint32_t)given.what.pairs, kind = below(8);
    *expected = (assay_error){.tensor = ASSAY_NONE, .other = ASSAY_NONE, .found = ASSAY_NONE};
    if (kind < 3 ? pairs < 2 : tensors < 2) {
        return false;
    }
    const uint32_t k = 1 + below((kind < 3 ? pairs : tensors) - 1), j = below(k);
    const char *const ill = ill_formed[below(5)];
    const assay_chars bad = {(const uint8_t *)ill, strlen(ill)}, nul = {(const uint8_t *)"a\0", 2};
    assay_new_tensor *tensor = &given.tensor[k];
    switch (kind) {
    case 0: given.pair[k].value = bad, expected->status = ASSAY_W_UTF8, expected->other = k; break;
    case 1: given.pair[k].key = nul, expected->status = ASSAY_W_NUL, expected->other = k; break;
    case 2:
        given.pair[k].key = given.pair[j].key;
        expected->status = ASSAY_W_TWICE, expected->other = j, expected->found = k;
        break;
    case 3: tensor->name = bad, expected->status = ASSAY_W_UTF8, expected->tensor = k; break;
    case 4: tensor->name = nul, expected->status = ASSAY_W_NUL, expected->tensor = k; break;
    case 5:
        tensor->name = (assay_chars){(const uint8_t *)"__metadata__", 12};
        expected->status = ASSAY_W_RESERVED, expected->tensor = k;
        break;
    case 6:
        tensor->name = given.tensor[j].name;
        expected->status = ASSAY_W_TWICE, expected->tensor = k, expected->other = j;
        break;
    default:
        tensor->rank = below(2) + 1;
        tensor->dim = tensor->rank == 2 ? huge : three;
        tensor->dtype = tensor->rank == 2 ? ASSAY_DTYPE_U8 : ASSAY_DTYPE_F4;
        expected->status = ASSAY_W_TENSOR, expected->tensor = k;
    }
    return true;
}

static void check_defect(const assay_error *expected)
{
    const assay_write_options options = some_options();
    const assay_head_buffer to = {head, ROOM};
    assay_file_plan plan;
    assay_result result;
    assay_head_make(&given.what, &options, order, &to, &workspace, &plan, &result);
    const assay_error *error = &result.error;
    /* Which of two equal names comes first in the file depends on the order. */
    const bool turned = expected->status == ASSAY_W_TWICE && expected->tensor != ASSAY_NONE &&
                        error->tensor == expected->other && error->other == expected->tensor;
    if (error->status != expected->status || (!turned && (error->tensor != expected->tensor ||
        error->other != expected->other || error->found != expected->found))) {
        fail("a defect was not reported as it should be");
    }
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000;
    uint64_t defects = 0;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (uint64_t k = 0; k < count; k++) {
        assay_error expected;
        describe(&given);
        check_canonical(below(4) == 0);
        check_options();
        if (spoil(&expected)) {
            defects++;
            check_defect(&expected);
        }
    }
    printf("%llu descriptions, %llu with a defect too\n%llu passed, 0 failed\n", (unsigned long long)count,
           (unsigned long long)defects, (unsigned long long)(count + defects));
    return 0;
}
