/* ring.c: a ring of files: those at its end are with workers, those at its beginning have been judged and wait for the
 * first one. What is said of the first goes out at once; of the others a bounded part is kept. */
#include "posix.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pool_parts.h"

pool_slot *ring_at(pool *all, size_t place)
{
    return &all->slot[(all->first + place) % all->slots];
}

/* Text of the first file's answer, without marks. */
static void tell_text(pool *all, const char *bytes, size_t count)
{
    if (count == 0)
        return;
    all->inside = true;
    all->options.text(all->options.context, bytes, count);
}

static void tell_mark(pool *all, char mark)
{
    if (((unsigned char)mark & POOL_RULE) == 0)
        all->inside = false;
    all->options.end(all->options.context, (pool_mark)(unsigned char)mark);
}

/* What was kept of an answer, marks and all. */
static void tell_kept(pool *all, pool_slot *slot)
{
    for (size_t at = 0; at < slot->length;) {
        const char *end = memchr(slot->text + at, '\0', slot->length - at);
        size_t count = end == NULL ? slot->length - at : (size_t)(end - slot->text) - at;
        tell_text(all, slot->text + at, count);
        at += count;
        if (end != NULL) {
            tell_mark(all, slot->text[at + 1]);
            at += 2;
        }
    }
    slot->length = 0;
}

static void keep(pool_slot *slot, const char *bytes, size_t count)
{
    if (slot->problem != HOST_FINE || count == 0)
        return;
    if (slot->length + count > slot->room) {
        size_t room = 2 * (slot->length + count);
        char *text = realloc(slot->text, room);
        if (text == NULL) {
            slot->problem = HOST_MEMORY;
            return;
        }
        slot->text = text;
        slot->room = room;
    }
    memcpy(slot->text + slot->length, bytes, count);
    slot->length += count;
}

/* The file's descriptor isn't needed any more. */
void ring_done(pool_slot *slot)
{
    if (slot->file.fd >= 0)
        close(slot->file.fd);
    slot->file.fd = -1;
    slot->done = true;
}

void ring_fail(pool_slot *slot, host_problem problem, int system)
{
    ring_done(slot);
    slot->problem = problem;
    slot->system = system;
}

/* How the user knows it: an index that was named, by its path. */
static const char *shown(const pool_slot *slot)
{
    static char path[POOL_ASK_MOST];
    if (!slot->named)
        return slot->path;
    snprintf(path, sizeof path, "%s%s", slot->path, slot->path + strlen(slot->path) + 1);
    return path;
}

/* Tells all that can be told in order, and what there is of the first file that isn't done. Once it is stopped, no new
 * record is begun. */
void ring_tell(pool *all)
{
    while (all->count > 0 && !pool_is_over(all)) {
        pool_slot *slot = ring_at(all, 0);
        if (slot->problem == HOST_FINE)
            tell_kept(all, slot);
        if (!slot->done)
            return;
        if (slot->problem != HOST_FINE)
            all->options.problem(all->options.context, shown(slot), slot->problem, slot->system);
        all->inside = false;
        free(slot->path);
        free(slot->query);
        slot->path = slot->query = NULL;
        if (slot->room > KEPT_MOST) {
            free(slot->text);
            slot->text = NULL;
            slot->room = 0;
        }
        all->first = (all->first + 1) % all->slots;
        all->count--;
    }
}

void ring_text(pool *all, pool_slot *slot, const char *bytes, size_t count)
{
    if (slot == ring_at(all, 0) && slot->problem == HOST_FINE)
        tell_text(all, bytes, count);
    else
        keep(slot, bytes, count);
}

void ring_mark(pool *all, pool_slot *slot, char mark)
{
    char pair[2] = {'\0', mark};
    slot->records += ((unsigned char)mark & POOL_RULE) == 0;
    if (slot == ring_at(all, 0) && slot->problem == HOST_FINE)
        tell_mark(all, mark);
    else
        keep(slot, pair, 2);
}
