/* record_order.c: writes records in the order of the inputs. The inputs are a ring. Records of the first are written
 * as they come; of the others a bounded part is kept (POOL_KEPT_MOST). */
#include "posix.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dispatch.h"

pool_slot *order_slot(pool *all, size_t position)
{
    return &all->slot[(all->first + position) % all->slots];
}

/* Write text of the first input's records, without marks. */
static void write_text(pool *all, const char *bytes, size_t count)
{
    if (count == 0)
        return;
    all->inside = true;
    all->options.text(all->options.context, bytes, count);
}

/* Pass a mark of the first input's records on. All but the mark of a rule end a record. */
static void write_mark(pool *all, char mark)
{
    if (((unsigned char)mark & POOL_RULE) == 0)
        all->inside = false;
    all->options.end(all->options.context, (pool_mark)(unsigned char)mark);
}

/* Keep bytes of an input whose turn has not come. */
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

void order_add_text(pool *all, pool_slot *slot, const char *bytes, size_t count)
{
    if (slot == order_slot(all, 0) && slot->problem == HOST_FINE)
        write_text(all, bytes, count);
    else
        keep(slot, bytes, count);
}

void order_add_mark(pool *all, pool_slot *slot, char mark)
{
    char pair[2] = {'\0', mark};
    slot->records += ((unsigned char)mark & POOL_RULE) == 0;
    if (slot == order_slot(all, 0) && slot->problem == HOST_FINE)
        write_mark(all, mark);
    else
        keep(slot, pair, 2);
}

void order_finish(pool_slot *slot)
{
    if (slot->file.fd >= 0)
        close(slot->file.fd);
    slot->file.fd = -1;
    slot->done = true;
}

void order_fail(pool_slot *slot, host_problem problem, int system)
{
    order_finish(slot);
    slot->problem = problem;
    slot->system = system;
}

/* Write what was kept, text and marks. */
static void write_kept(pool *all, pool_slot *slot)
{
    for (size_t next = 0; next < slot->length;) {
        const char *end = memchr(slot->text + next, '\0', slot->length - next);
        size_t count = end == NULL ? slot->length - next : (size_t)(end - slot->text) - next;
        write_text(all, slot->text + next, count);
        next += count;
        if (end != NULL) {
            write_mark(all, slot->text[next + 1]);
            next += 2;
        }
    }
    slot->length = 0;
}

/* Return the path under which an input is reported: of an index that the user named, the index's. */
static const char *reported_path(const pool_slot *slot)
{
    static char path[POOL_REQUEST_MOST];
    if (!slot->named)
        return slot->path;
    snprintf(path, sizeof path, "%s%s", slot->path, slot->path + strlen(slot->path) + 1);
    return path;
}

void order_write(pool *all)
{
    while (all->count > 0 && !pool_is_over(all)) {
        pool_slot *slot = order_slot(all, 0);
        if (slot->problem == HOST_FINE)
            write_kept(all, slot);
        if (!slot->done)
            return;
        if (slot->problem != HOST_FINE)
            all->options.problem(all->options.context, reported_path(slot), slot->problem, slot->system);
        all->inside = false;
        free(slot->path);
        free(slot->query);
        slot->path = slot->query = NULL;
        if (slot->room > POOL_KEPT_MOST) {
            free(slot->text);
            slot->text = NULL;
            slot->room = 0;
        }
        all->first = (all->first + 1) % all->slots;
        all->count--;
    }
}
