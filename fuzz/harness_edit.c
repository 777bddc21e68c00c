/* harness_edit.c: fuzz what `assay edit` makes of a header. The input is a number of steps, each a kind, a key and a
 * value with their lengths; the size of the data, bytes to be reserved, and the size of a block; then a header. If the
 * file is valid, the steps are applied. Each edit must have room, be judged valid, and pass the certificate.
 * assay_flat_edit must make the same head, or refuse the same steps. */
#include <stdlib.h>
#include <string.h>

#include "assay_flat_edit.h"
#include "assay_write.h"
#include "edit_certificate.h"
#include "edit_head.h"
#include "fuzz.h"

#define STEPS 8u
#define TEXT_MOST 16u

typedef struct {
    const uint8_t *bytes;
    size_t size;
} source;

static uint8_t take(source *from)
{
    if (from->size == 0)
        return 0;
    from->size--;
    return *from->bytes++;
}

/* Take a key or a value: ASCII without NUL, which is UTF-8. */
static edit_text take_text(source *from)
{
    size_t size = take(from) % TEXT_MOST, good = 0;
    size = size < from->size ? size : from->size;
    while (good < size && from->bytes[good] != 0 && from->bytes[good] < 0x80)
        good++;
    edit_text made = edit_text_bytes(guarded_copy(from->bytes, good), good);
    from->bytes += good;
    from->size -= good;
    return made;
}

static size_t take_steps(source *from, edit_step step[STEPS])
{
    static const edit_kind kinds[] = {EDIT_SET, EDIT_DELETE, EDIT_RENAME, EDIT_CLEAR};
    size_t count = take(from) % STEPS;
    for (size_t i = 0; i < count; i++) {
        step[i] = (edit_step){.kind = kinds[take(from) % 4]};
        step[i].key = take_text(from);
        step[i].value = take_text(from);
    }
    return count;
}

/* Judge a head. */
static assay_status judge(const uint8_t *head, uint64_t size, uint64_t data, assay_result *result)
{
    const assay_input input = {head, size, size + data};
    assay_status status = assay_measure(&input, NULL, result);
    if (status != ASSAY_OK)
        return status;
    const assay_need *need = &result->need;
    const assay_workspace workspace = {guarded((need->entries + 1) * sizeof(assay_entry), 0), need->entries,
                                       guarded((need->words + 1) * sizeof(uint32_t), 0), need->words};
    return assay_parse(&input, NULL, &workspace, result);
}

typedef struct {
    const uint8_t *head;
    uint64_t size;
} made_head;

/* Write the new head, and let the certificate compare it with the old one. */
static made_head write_head(const edit_pairs *pairs, const edit_size *as, const edit_step *step, size_t steps,
                            uint64_t data)
{
    const assay_view *old = pairs->old;
    uint64_t room = old->data_begin + 64 + as->reserve + as->block + steps * (8 + 2 * 6 * TEXT_MOST), size = 0;
    uint8_t *head = guarded(room, 0x5A);
    assay_result result;
    demand(edit_head_write(pairs, as, head, room, &size) == EDIT_FINE && size <= room, "edit: there is room");
    head = guarded_copy(head, size);
    demand(judge(head, size, data, &result) == ASSAY_OK, "edit: the new head is valid");
    demand(assay_same_tensors(old, &result.view), "edit: the tensors are the same");
    const edit_sizes sizes = edit_certificate_sizes(old, size, steps, step, steps);
    const uint64_t memory_size = edit_certificate_memory(&sizes);
    void *memory = guarded((memory_size + 7) / 8 * 8, 0);
    demand(edit_same_rest(old, &result.view), "edit: the bytes outside __metadata__ are the same");
    demand(edit_same_pairs(old, &result.view, step, steps, &sizes, memory), "edit: the pairs are those requested");
    demand((size - old->data_begin) % as->block == 0, "edit: the data keep their alignment");
    if (steps == 0 && as->reserve == 0)
        demand(size == old->data_begin && same_bytes(head, old->head, size), "edit: no step, no change");
    return (made_head){head, size};
}

/* Let assay_flat_edit do the same: the same head, or the same refusal. */
static void check_flat(const edit_pairs *pairs, const edit_size *as, const edit_step *step, size_t steps, uint64_t data,
                       edit_problem problem, const made_head *made)
{
    const assay_view *old = pairs->old;
    const uint64_t first[] = {old->data_begin + data, as->reserve, as->block, steps * 77};
    const uint64_t numbers = ASSAY_FLAT_EDIT + steps * ASSAY_FLAT_STEP;
    uint64_t *number = guarded(numbers * sizeof *number, 0), *out = guarded(ASSAY_FLAT_EDIT_OUT * sizeof *out, 0);
    uint8_t *text = guarded(steps * 2 * TEXT_MOST, 0);
    uint64_t size = 0;
    memcpy(number, first, sizeof first);
    for (size_t i = 0; i < steps; i++) {
        static const uint64_t kinds[] = {ASSAY_FLAT_STEP_SET, ASSAY_FLAT_STEP_DELETE, ASSAY_FLAT_STEP_RENAME, 0,
                                         ASSAY_FLAT_STEP_CLEAR}; /* in the order of edit_kind */
        const edit_text *part[] = {&step[i].key, &step[i].value};
        uint64_t *row = number + ASSAY_FLAT_EDIT + i * ASSAY_FLAT_STEP;
        row[0] = kinds[step[i].kind];
        for (size_t k = 0; k < 2; k++) {
            row[1 + 2 * k] = size;
            row[2 + 2 * k] = size + part[k]->size;
            if (part[k]->size > 0)
                memcpy(text + size, part[k]->bytes, (size_t)part[k]->size);
            size += part[k]->size;
        }
    }
    text = guarded_copy(text, size);
    const uint8_t *head = guarded_copy(old->head, old->data_begin);
    const uint64_t need = assay_flat_edit_arena(head, old->data_begin, text, size, number, numbers);
    demand(need > 0 && need % 8 == 0, "edit: an arena");
    uint8_t *arena = guarded(need, 0xA5);
    uint32_t status = assay_flat_edit(head, old->data_begin, text, size, number, numbers, arena, need, out);
    demand(status == out[ASSAY_FLAT_STATUS], "edit: two statuses");
    if (problem != EDIT_FINE) {
        demand(status == (problem == EDIT_NO_KEY ? ASSAY_FLAT_NO_KEY : ASSAY_W_TWICE), "edit: another refusal");
        return;
    }
    demand(status == ASSAY_OK && out[ASSAY_FLAT_EDIT_HEAD_SIZE] == made->size &&
               same_bytes(arena + out[ASSAY_FLAT_EDIT_HEAD], made->head, made->size), "edit: another head");
    arena = guarded(need - 8, 0xA5);
    status = assay_flat_edit(head, old->data_begin, text, size, number, numbers, arena, need - 8, out);
    demand(status == ASSAY_WORKSPACE && all_bytes(arena, (size_t)need - 8, 0xA5), "edit: a small arena");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    source from = {bytes, size};
    edit_step step[STEPS];
    if (size > INPUT_MAX)
        return 0;
    size_t steps = take_steps(&from, step);
    uint64_t data = take(&from);
    const edit_size as = {take(&from), (uint64_t)8 << take(&from) % 6};
    uint8_t *head = guarded(8 + from.size, 0);
    assay_result result;
    for (unsigned i = 0; i < 8; i++)
        head[i] = (uint8_t)((uint64_t)from.size >> 8 * i);
    if (from.size > 0)
        memcpy(head + 8, from.bytes, from.size);
    assay_status status = judge(head, 8 + from.size, data, &result);
    if ((status == ASSAY_E_TRUNCATED || status == ASSAY_E_HOLE) && result.error.expected < UINT32_MAX) {
        data = result.error.expected; /* what the tensors have */
        status = judge(head, 8 + from.size, data, &result);
    }
    count_execution(status == ASSAY_OK);
    if (status == ASSAY_OK) {
        edit_pairs pairs;
        made_head made = {NULL, 0};
        edit_problem problem = EDIT_FINE;
        edit_pairs_begin(&pairs, &result.view, steps, 0, guarded(edit_pairs_memory(result.view.pairs, steps), 0x3C));
        for (size_t i = 0; i < steps && problem == EDIT_FINE; i++)
            problem = edit_pairs_apply(&pairs, &step[i]);
        if (problem == EDIT_FINE)
            made = write_head(&pairs, &as, step, steps, data);
        check_flat(&pairs, &as, step, steps, data, problem, &made);
    }
    guard_check();
    guard_drop();
    return 0;
}
