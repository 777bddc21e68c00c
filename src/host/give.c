/* give.c: which worker gets a file, and when. Small files go to it together, as many as it has still to judge: so they
 * cost few messages when there are many of them, and none waits for the next while a worker has nothing to do. */
#include "posix.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "pool_parts.h"
#include "wire.h"

#define LIFE 300        /* seconds after which a worker is given no more: its time is limited, see sandbox.c */
#define SMALL 65536u    /* bytes of a file: judging it takes less than a millisecond, whatever it holds */
#define PATH_LIGHT 256u /* bytes of a path: what is on its way to a worker never fills the socket */

/* ---- Sending ------------------------------------------------------------------------------------------- */

/* Sends what is still to be sent. errno, or 0. A worker that is found dead over another file may have judged that
 * before it died of the next: so it keeps what it has, and this too, until it has been heard to its end. */
static int send_rest(pool *all, pool_worker *worker)
{
    wire_message message[WIRE_MOST];
    int error = 0;
    while (error == 0 && !worker->gone && worker->unsent > 0) {
        unsigned count = worker->unsent < WIRE_MOST ? worker->unsent : WIRE_MOST;
        for (unsigned i = 0; i < count; i++) {
            const pool_slot *slot = &all->slot[worker->slot[pool_given(worker) + i]];
            bool apart = slot->folder || slot->afar;
            message[i] = (wire_message){.folder = slot->folder, .afar = slot->afar, .ahead = all->options.connections};
            message[i].file = apart ? (host_file){.fd = -1} : slot->file;
            message[i].text = slot->path;
            message[i].size = slot->size;
        }
        error = wire_send(worker->socket, message, count);
        worker->unsent -= error == 0 ? count : 0;
    }
    if ((error == EPIPE || error == ECONNRESET) && pool_given(worker) > 0) {
        worker->gone = true;
        error = 0;
    }
    return error;
}

/* A new process in the place of one that is dead, for what is left of its files, from the first on. */
static void start_again(pool *all, pool_worker *worker, const pool_worker *dead, unsigned first)
{
    int error = worker_start(worker, &all->options);
    bool started = error == 0;
    if (started) {
        worker->slots = worker->unsent = dead->slots - first;
        memcpy(worker->slot, dead->slot + first, worker->slots * sizeof *worker->slot);
        for (unsigned i = 0; i < worker->slots; i++)
            worker->load += all->slot[worker->slot[i]].weight;
        error = send_rest(all, worker);
    }
    for (unsigned i = first; i < dead->slots && error != 0; i++)
        ring_fail(&all->slot[dead->slot[i]], HOST_START, error);
    if (started && error != 0)
        worker_end(worker, true);
}

void pool_lose(pool *all, pool_worker *worker, bool kill_it)
{
    pool_worker dead = *worker;
    int died_of = worker_end(worker, kill_it);
    unsigned first = pool_given(&dead) > 0;
    if (all->filling == worker)
        all->filling = NULL;
    if (first > 0) {
        afar_drop(all, &all->slot[dead.slot[0]]);
        ring_fail(&all->slot[dead.slot[0]], HOST_DIED, died_of);
    }
    if (dead.slots > first)
        start_again(all, worker, &dead, first);
}

/* A worker that doesn't take what it is to be sent is replaced, once. */
static void send_now(pool *all, pool_worker *worker)
{
    int error = send_rest(all, worker);
    if (all->filling == worker)
        all->filling = NULL;
    if (error != 0)
        pool_lose(all, worker, error != EPIPE && error != ECONNRESET);
}

void give_rest(pool *all)
{
    if (all->filling != NULL)
        send_now(all, all->filling);
}

/* ---- Choosing ------------------------------------------------------------------------------------------ */

static bool is_small(const pool_slot *slot)
{
    return !pool_asks(slot) && slot->file.size <= SMALL;
}

static unsigned weight_of(const pool *all, const pool_slot *slot)
{
    size_t most = all->ahead < 4 ? 1 : all->ahead / 4, weight = 1 + slot->size / PATH_LIGHT;
    return (unsigned)(is_small(slot) && weight < most ? weight : most);
}

static bool is_old(const pool_worker *worker)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - worker->born >= LIFE;
}

/* Does a worker judge it with nothing else? While it judges what it asks for it hears only that; and nobody knows how
 * long a stream takes. */
static bool is_alone(const pool_slot *slot)
{
    return pool_asks(slot) || slot->file.stream;
}

/* Can the worker be given one more? Small files come
 * together: there is to be room for as many as go with one. */
static bool has_room(const pool *all, const pool_worker *worker, const pool_slot *slot)
{
    if (worker->slots == 0)
        return true;
    if (is_alone(slot) || worker->gone || is_alone(&all->slot[worker->slot[0]]))
        return false;
    return worker->load + (is_small(slot) ? all->batch : slot->weight) <= all->ahead;
}

/* A worker for one more file or folder: an idle one, else a new one, else the one that has least to do. NULL: none has
 * room, or none can be started, and *error says why. */
static pool_worker *choose(pool *all, const pool_slot *slot, int *error)
{
    pool_worker *found = NULL, *none = NULL;
    bool any = false;
    *error = 0;
    for (unsigned i = 0; i < all->options.workers; i++) {
        pool_worker *worker = &all->worker[i];
        bool old = worker->socket >= 0 && is_old(worker);
        if (old && worker->slots == 0)
            worker_end(worker, false);
        any |= worker->socket >= 0;
        if (worker->socket < 0 && none == NULL)
            none = worker;
        if (worker->socket >= 0 && !old && has_room(all, worker, slot) && (found == NULL || worker->load < found->load))
            found = worker;
    }
    if (none == NULL || (found != NULL && found->slots == 0))
        return found;
    *error = worker_start(none, &all->options);
    if (*error == 0)
        return none;
    if (any)
        *error = 0; /* there are some all the same */
    return found;
}

/* ---- Giving -------------------------------------------------------------------------------------------- */

/* The worker for a file whose turn it is; NULL: none, and *error says why, or it is stopped. What the one that has
 * least to do has judged meanwhile is heard first. */
static pool_worker *find(pool *all, const pool_slot *slot, int *error)
{
    pool_worker *worker = NULL;
    bool heard = false;
    while (!pool_stopped(all)) {
        worker = choose(all, slot, error);
        if (worker == NULL && *error != 0)
            return NULL;
        if (worker != NULL && (heard || pool_given(worker) == 0))
            return worker;
        if (worker == NULL)
            pool_hear_all(all);
        else
            pool_hear(all, worker);
        heard = worker != NULL;
    }
    return NULL;
}

int give(pool *all, pool_slot *slot)
{
    int error = 0;
    pool_worker *worker = all->filling;
    slot->weight = weight_of(all, slot);
    if (worker != NULL && (!is_small(slot) || worker->load + slot->weight > all->ahead)) {
        send_now(all, worker);
        worker = NULL;
    }
    if (worker == NULL) {
        worker = find(all, slot, &error);
        if (worker == NULL)
            return error;
        worker->batch = !is_small(slot) || worker->slots == 0 ? 1 : worker->slots;
        worker->batch = worker->batch < all->batch ? worker->batch : all->batch;
        all->filling = worker;
    }
    worker->slot[worker->slots++] = (size_t)(slot - all->slot);
    worker->unsent++;
    worker->load += slot->weight;
    if (worker->unsent >= worker->batch)
        send_now(all, worker);
    return 0;
}
