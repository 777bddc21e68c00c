/* answer.c: what a worker says. It may have been taken over by a file: nothing of it is trusted to be more than text,
 * and marks where they may stand. */
#include "posix.h"

#include <string.h>

#include "pool_parts.h"

/* ---- Text ---------------------------------------------------------------------------------------------- */

/* ESC [ 3 and a digit, or 0, and m: it paints a word, or ends that. Nothing else that a terminal obeys. */
static size_t painting(const uint8_t *bytes, size_t count)
{
    size_t length = count > 2 && bytes[2] == '0' ? 4 : 5;
    for (size_t i = 1; i < length && i < count; i++) {
        uint8_t byte = bytes[i];
        bool fits = i == 1            ? byte == '['
                    : i == 2          ? byte == '3' || byte == '0'
                    : i + 1 == length ? byte == 'm'
                                      : byte >= '0' && byte <= '7';
        if (!fits)
            return 0;
    }
    return length;
}

/* How long is the character, or the painting, that begins here? 0: it is none; more than count: it isn't whole yet.
 * Well-formed UTF-8 without control characters, be they of one byte or of two (U+0080 to U+009F). */
static size_t piece(const uint8_t *bytes, size_t count, bool colour)
{
    uint8_t lead = bytes[0];
    if (lead < 0x80)
        return lead == 0x1B && colour ? painting(bytes, count) : lead == '\n' || (lead >= 0x20 && lead != 0x7F);
    size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    uint8_t least = lead == 0xC2 || lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    uint8_t most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    for (size_t i = 1; i < length && i < count; i++) {
        if (bytes[i] < least || bytes[i] > most)
            return 0;
        least = 0x80;
        most = 0xBF;
    }
    return length;
}

/* Moves *at behind all text up to a NUL, or to a piece that isn't whole yet; false: something is no text. */
static bool pass_text(const pool *all, const char *bytes, size_t count, size_t *at)
{
    while (*at < count && bytes[*at] != '\0') {
        size_t length = piece((const uint8_t *)bytes + *at, count - *at, all->options.colour);
        if (length == 0)
            return false;
        if (length > count - *at)
            return true;
        *at += length;
    }
    return true;
}

/* ---- Marks --------------------------------------------------------------------------------------------- */

/* One mark; false: it has no place there. */
static bool take_mark(pool *all, pool_worker *worker, pool_slot *slot, char mark)
{
    if (mark == POOL_DONE) {
        if (slot->records == 0)
            return false;
        afar_drop(all, slot);
        ring_done(slot);
        worker->load -= slot->weight;
        worker->slots--;
        memmove(worker->slot, worker->slot + 1, worker->slots * sizeof *worker->slot);
        ring_tell(all);
        return true;
    }
    if (mark == POOL_ASK) {
        worker->asks = pool_asks(slot);
        return worker->asks;
    }
    bool rule = ((unsigned char)mark & POOL_RULE) != 0;
    if (!rule && mark != POOL_VALID && mark != POOL_INVALID && mark != POOL_REFUSED && mark != POOL_NOTE &&
        mark != POOL_ERROR)
        return false;
    ring_mark(all, slot, mark);
    return true;
}

/* ---- Both ---------------------------------------------------------------------------------------------- */

/* What stands at *at: a part of a question, a mark, or text. False: it can't be. */
static bool take_one(pool *all, pool_worker *worker, const char *bytes, size_t count, size_t *at)
{
    size_t begin = *at;
    pool_slot *slot = &all->slot[worker->slot[0]];
    if (worker->asks) {
        *at += ask_take(all, worker, slot, bytes + begin, count - begin);
        return *at > begin;
    }
    if (worker->mark) {
        worker->mark = false;
        return take_mark(all, worker, slot, bytes[(*at)++]);
    }
    if (!pass_text(all, bytes, count, at))
        return false;
    ring_text(all, slot, bytes + begin, *at - begin);
    worker->mark = *at < count && bytes[*at] == '\0';
    *at += worker->mark;
    return true;
}

bool answer_take(pool *all, pool_worker *worker, const char *bytes, size_t count)
{
    worker->holds = 0;
    for (size_t at = 0; at < count && !pool_is_over(all);) {
        size_t begin = at;
        if (pool_given(worker) == 0 || !take_one(all, worker, bytes, count, &at))
            return false;
        if (at == begin) { /* a piece that isn't whole */
            worker->holds = count - at;
            memcpy(worker->held, bytes + at, worker->holds);
            return true;
        }
    }
    return true;
}
