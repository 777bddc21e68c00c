/* flat_edit.c: src/edit for callers that pass numbers and memory alone. The arena holds, one after the other: the view
 * of the old head, that of the new one, the steps, the pairs, scratch memory of the certificate, the new head. */
#include "assay_flat_edit.h"
#include "assay_write.h"
#include "edit_certificate.h"
#include "edit_head.h"
#include "flat_arena.h"
#include "utf8_codec.h"

#define BLOCK_MOST (UINT64_C(1) << 26)
#define STEP_MOST 6u    /* bytes of a pair in the header without its texts */
#define MEMBER_MOST 32u /* bytes of __metadata__ and its punctuation */

/* What is passed. */
typedef struct {
    const uint8_t *head;
    uint64_t head_size;
    const uint8_t *text;
    uint64_t text_size;
    const uint64_t *number;
    uint64_t steps;
} edit_request;

/* Where the parts of an arena begin, in bytes. */
typedef struct {
    uint64_t new_view, step, pair, scratch, head, head_room, end;
    edit_sizes sizes; /* of the certificate */
} edit_parts;

static uint64_t round_up(uint64_t size)
{
    return (size + 7u) / 8u * 8u;
}

static uint64_t smaller(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

/* ---- The request ------------------------------------------------------------------------------------------------ */

/* Return the numbers of a step. */
static const uint64_t *step_row(const edit_request *of, uint64_t step)
{
    return of->number + ASSAY_FLAT_EDIT + step * ASSAY_FLAT_STEP;
}

static bool has_key(const uint64_t *row)
{
    return row[0] != ASSAY_FLAT_STEP_CLEAR;
}

static bool has_value(const uint64_t *row)
{
    return row[0] == ASSAY_FLAT_STEP_SET || row[0] == ASSAY_FLAT_STEP_RENAME;
}

/* Return whether bytes row[0] to row[1] are a part of the text. */
static bool is_part(const edit_request *of, const uint64_t *row)
{
    return row[0] <= row[1] && row[1] <= of->text_size;
}

/* Check that all numbers are there, and name steps and parts of the text. */
static bool is_request(const edit_request *of, uint64_t numbers)
{
    if (of->head == NULL || (of->text == NULL && of->text_size > 0) || of->number == NULL ||
        numbers < ASSAY_FLAT_EDIT || (numbers - ASSAY_FLAT_EDIT) % ASSAY_FLAT_STEP != 0 ||
        of->steps > ASSAY_FLAT_STEPS) {
        return false;
    }
    const uint64_t block = of->number[ASSAY_FLAT_EDIT_BLOCK];
    bool fits = block >= 8u && block <= BLOCK_MOST && (block & (block - 1u)) == 0;
    uint64_t texts = 0;
    for (uint64_t k = 0; fits && k < of->steps; k++) {
        const uint64_t *row = step_row(of, k);
        fits = row[0] <= ASSAY_FLAT_STEP_CLEAR && (!has_key(row) || is_part(of, row + 1)) &&
               (!has_value(row) || is_part(of, row + 3));
        texts += fits && has_key(row) ? smaller(row[2] - row[1], ASSAY_FLAT_STEP_TEXTS) : 0;
        texts += fits && has_value(row) ? smaller(row[4] - row[3], ASSAY_FLAT_STEP_TEXTS) : 0;
    }
    return fits && texts <= ASSAY_FLAT_STEP_TEXTS;
}

static edit_request request(const uint8_t *head, uint64_t head_size, const uint8_t *text, uint64_t text_size,
                            const uint64_t *number, uint64_t numbers)
{
    const uint64_t steps = numbers < ASSAY_FLAT_EDIT ? 0 : (numbers - ASSAY_FLAT_EDIT) / ASSAY_FLAT_STEP;
    const edit_request made = {head, head_size, text, text_size, number, steps};
    return made;
}

/* Return key or value of a step: bytes row[0] to row[1] of the text. */
static edit_text text_of(const edit_request *of, const uint64_t *row)
{
    return edit_text_bytes(of->text == NULL ? (const uint8_t *)"" : of->text + row[0], row[1] - row[0]);
}

/* Return ASSAY_OK, or what is wrong with a text. */
static uint32_t text_status(const edit_text *text)
{
    uint64_t at = 0;
    while (at < text->size) {
        uint32_t code = 0;
        const size_t count = (size_t)(text->size - at), size = utf8_read(text->bytes + at, count, &code);
        if (size == 0 || size > count) {
            return ASSAY_W_UTF8;
        }
        if (code == 0) {
            return ASSAY_W_NUL;
        }
        at += size;
    }
    return ASSAY_OK;
}

/* Return the bytes that a text takes between quotes. */
static uint64_t written_size(const edit_text *text)
{
    uint64_t size = 0;
    for (uint64_t k = 0; k < text->size; k++) {
        const uint8_t byte = text->bytes[k];
        size += byte < 0x20u ? 6u : byte == '"' || byte == '\\' ? 2u : 1u;
    }
    return size;
}

/* ---- The arena -------------------------------------------------------------------------------------------------- */

/* Return an upper bound of the bytes of the new head: each text of a step is in it once at most. */
static uint64_t head_most(const edit_request *of, uint64_t before)
{
    uint64_t size = before + MEMBER_MOST + of->steps * STEP_MOST;
    for (uint64_t k = 0; k < of->steps; k++) {
        const uint64_t *row = step_row(of, k);
        const edit_text none = edit_text_bytes(NULL, 0);
        const edit_text key = has_key(row) ? text_of(of, row + 1) : none;
        const edit_text value = has_value(row) ? text_of(of, row + 3) : none;
        size += written_size(&key) + written_size(&value);
    }
    size += smaller(of->number[ASSAY_FLAT_EDIT_RESERVE], EDIT_HEADER_MOST) + of->number[ASSAY_FLAT_EDIT_BLOCK];
    return smaller(size, 8u + (uint64_t)EDIT_HEADER_MOST);
}

static bool clears(const edit_request *of)
{
    for (uint64_t k = 0; k < of->steps; k++) {
        if (step_row(of, k)[0] == ASSAY_FLAT_STEP_CLEAR) {
            return true;
        }
    }
    return false;
}

/* Place the parts, for what assay_flat_measure has set for the old head. */
static bool place_parts(const edit_request *of, const uint64_t *out, edit_parts *parts)
{
    const uint64_t pairs = edit_pairs_memory(out[ASSAY_FLAT_PAIRS], of->steps);
    parts->new_view = round_up(out[ASSAY_FLAT_ARENA]);
    parts->step = parts->new_view + round_up(out[ASSAY_FLAT_ARENA] + of->steps * 8u * sizeof(uint32_t));
    parts->pair = parts->step + round_up((of->steps + 1u) * sizeof(edit_step));
    parts->scratch = parts->pair + round_up(pairs);
    parts->head_room = head_most(of, out[ASSAY_FLAT_NEED_HEAD]);
    parts->sizes.pairs = out[ASSAY_FLAT_PAIRS] + of->steps;
    parts->sizes.keys = 2u * of->steps + (clears(of) ? out[ASSAY_FLAT_PAIRS] : 0);
    parts->sizes.bytes = parts->head_room + (clears(of) ? out[ASSAY_FLAT_NEED_HEAD] : 0);
    parts->head = parts->scratch + round_up(edit_certificate_memory(&parts->sizes));
    parts->end = parts->head + round_up(parts->head_room);
    return pairs != 0;
}

uint64_t assay_flat_edit_arena(const uint8_t *head, uint64_t head_size, const uint8_t *text, uint64_t text_size,
                               const uint64_t *number, uint64_t numbers)
{
    const edit_request of = request(head, head_size, text, text_size, number, numbers);
    uint64_t out[ASSAY_FLAT_OUT];
    edit_parts parts;
    const bool fits = is_request(&of, numbers) &&
                      assay_flat_measure(head, head_size, number[ASSAY_FLAT_EDIT_FILE_SIZE], NULL, out) == ASSAY_OK &&
                      place_parts(&of, out, &parts);
    return fits ? parts.end : 0;
}

/* ---- The edit --------------------------------------------------------------------------------------------------- */

/* Set out for a status that is not about a file. step: ASSAY_NONE, or the step that it is about. */
static uint32_t put_status(uint32_t status, uint64_t step, uint64_t *out)
{
    for (uint32_t k = 0; k < ASSAY_FLAT_EDIT_OUT; k++) {
        out[k] = k >= ASSAY_FLAT_HAS && k < ASSAY_FLAT_NEED_HEAD ? 0 : ASSAY_NONE;
    }
    out[ASSAY_FLAT_STATUS] = status;
    out[ASSAY_FLAT_EDIT_STEP] = step;
    return status;
}

/* Take the steps from the numbers. Return ASSAY_OK, or what is wrong with the texts of step *at. */
static uint32_t fill_steps(const edit_request *of, edit_step *step, uint64_t *at)
{
    static const edit_kind kinds[] = {EDIT_SET, EDIT_DELETE, EDIT_RENAME, EDIT_CLEAR};
    uint32_t status = ASSAY_OK;
    for (uint64_t k = 0; k < of->steps && status == ASSAY_OK; k++) {
        const uint64_t *row = step_row(of, k);
        const edit_text none = edit_text_bytes((const uint8_t *)"", 0);
        const edit_step made = {kinds[row[0]], has_key(row) ? text_of(of, row + 1) : none,
                                has_value(row) ? text_of(of, row + 3) : none, NULL};
        step[k] = made;
        status = text_status(&made.key);
        status = status != ASSAY_OK ? status : text_status(&made.value);
        *at = k;
    }
    return status;
}

/* Apply the steps. Return ASSAY_OK, or what is wrong with step *at. */
static uint32_t apply(edit_pairs *pairs, const edit_step *step, uint64_t steps, uint64_t *at)
{
    edit_problem problem = EDIT_FINE;
    for (uint64_t k = 0; k < steps && problem == EDIT_FINE; k++) {
        problem = edit_pairs_apply(pairs, &step[k]);
        *at = k;
    }
    return problem == EDIT_FINE ? ASSAY_OK : problem == EDIT_NO_KEY ? ASSAY_FLAT_NO_KEY : ASSAY_W_TWICE;
}

/* Judge the new head, and compare it with the old one and the steps. Set out, after ASSAY_OK. */
static uint32_t certify(const edit_request *of, const edit_parts *parts, const assay_view *old, uint64_t head_size,
                        uint8_t *memory, uint64_t *out)
{
    const uint8_t *head = memory + parts->head;
    const uint64_t arena_size = parts->step - parts->new_view;
    void *arena = memory + parts->new_view;
    assay_view made;
    out[ASSAY_FLAT_ENTRIES] = old->tensors;
    out[ASSAY_FLAT_WORDS] = 8u * (old->pairs + of->steps) + 6u * old->tensors;
    const uint32_t status = assay_flat_parse(head, head_size, head_size + old->data_size, NULL, arena, arena_size, out);
    const edit_step *step = (const void *)(memory + parts->step);
    const bool same = status == ASSAY_OK && assay_flat_open(head, head_size, arena, arena_size, &made) &&
                      assay_same_tensors(old, &made) && edit_same_rest(old, &made) &&
                      edit_same_pairs(old, &made, step, (size_t)of->steps, &parts->sizes, memory + parts->scratch);
    return same ? ASSAY_OK : ASSAY_W_DIFFERS;
}

/* Make the new head of a valid file. The arena has room for it. */
static uint32_t edit(const edit_request *of, const edit_parts *parts, const assay_view *old, uint8_t *memory,
                     uint64_t *out)
{
    edit_step *step = (void *)(memory + parts->step);
    const edit_size as = {of->number[ASSAY_FLAT_EDIT_RESERVE], of->number[ASSAY_FLAT_EDIT_BLOCK]};
    edit_pairs pairs;
    uint64_t at = 0, size = 0;
    uint32_t status = fill_steps(of, step, &at);
    if (status == ASSAY_OK) {
        edit_pairs_begin(&pairs, old, of->steps, of->number[ASSAY_FLAT_EDIT_SEED], memory + parts->pair);
        status = apply(&pairs, step, of->steps, &at);
    }
    if (status != ASSAY_OK) {
        return put_status(status, at, out);
    }
    if (edit_head_write(&pairs, &as, memory + parts->head, parts->head_room, &size) != EDIT_FINE) {
        return put_status(ASSAY_W_HEADER_LARGE, ASSAY_NONE, out);
    }
    if (old->data_size > (uint64_t)INT64_MAX - size) {
        return put_status(ASSAY_W_DATA_LARGE, ASSAY_NONE, out);
    }
    status = certify(of, parts, old, size, memory, out);
    if (status != ASSAY_OK) {
        return put_status(status, ASSAY_NONE, out);
    }
    out[ASSAY_FLAT_EDIT_STEP] = ASSAY_NONE;
    out[ASSAY_FLAT_EDIT_HEAD] = parts->head;
    out[ASSAY_FLAT_EDIT_HEAD_SIZE] = size;
    return ASSAY_OK;
}

uint32_t assay_flat_edit(const uint8_t *head, uint64_t head_size, const uint8_t *text, uint64_t text_size,
                         const uint64_t *number, uint64_t numbers, void *arena, uint64_t arena_size, uint64_t *out)
{
    const edit_request of = request(head, head_size, text, text_size, number, numbers);
    edit_parts parts;
    assay_view old;
    put_status(ASSAY_USAGE, ASSAY_NONE, out);
    if (!is_request(&of, numbers)) {
        return ASSAY_USAGE;
    }
    const uint64_t file_size = number[ASSAY_FLAT_EDIT_FILE_SIZE];
    const uint32_t measured = assay_flat_measure(head, head_size, file_size, NULL, out);
    if (measured != ASSAY_OK) {
        return measured;
    }
    if (!place_parts(&of, out, &parts) || arena_size < parts.end || !flat_is_aligned(arena)) {
        return put_status(flat_is_aligned(arena) ? ASSAY_WORKSPACE : ASSAY_USAGE, ASSAY_NONE, out);
    }
    const uint32_t status = assay_flat_parse(head, head_size, file_size, NULL, arena, parts.new_view, out);
    if (status != ASSAY_OK) {
        return status;
    }
    if (!assay_flat_open(head, head_size, arena, parts.new_view, &old)) {
        return put_status(ASSAY_W_DIFFERS, ASSAY_NONE, out);
    }
    return edit(&of, &parts, &old, arena, out);
}
