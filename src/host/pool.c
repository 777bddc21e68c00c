/* pool.c: see pool.h. Files go to workers, and what these say goes to the ring; a worker that has more to say than is
 * kept waits. So nothing grows, however many files there are and however long an answer is. */
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "pool_parts.h"
#include "sandbox.h"
#include "wire.h"

#define SLOTS_EACH 16u
#define SLOTS_LEAST 512u /* so that a slow file doesn't hold up the others soon */
#define TICK 100         /* milliseconds */
#define NAP 100000       /* nanoseconds: in that time no worker judges NAP_LEAST files */
#define NAP_LEAST 24u
#define POOL_WORKER_MOST 512u
/* Descriptors that are for neither workers nor the files that they have: standard streams, a list, two walks, what a
 * question opens. */
#define APART 16u

/* How many workers, and files that are with them, may be open at once: a half for the workers. */
static void share_descriptors(pool *all)
{
    struct rlimit limit;
    size_t room = 2 * POOL_WORKER_MOST * POOL_AHEAD;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < room + APART)
        room = limit.rlim_cur < APART + 2 ? 2 : (size_t)limit.rlim_cur - APART;
    if (all->options.connections > room / 4) /* a file that was fetched ahead is open here */
        all->options.connections = room < 4 ? 1 : (unsigned)(room / 4);
    room = room < all->options.connections + 2 ? 2 : room - all->options.connections;
    if (all->options.workers > POOL_WORKER_MOST)
        all->options.workers = POOL_WORKER_MOST;
    if (all->options.workers > room / 2)
        all->options.workers = (unsigned)(room / 2);
    all->files = room - all->options.workers;
}

/* How much a worker may have at once: no more than its share of the files that may be open, and of the ring. */
static void share_slots(pool *all)
{
    size_t share = (all->files < all->slots ? all->files : all->slots) / all->options.workers;
    all->ahead = share >= POOL_AHEAD ? POOL_AHEAD : share == 0 ? 1 : (unsigned)share;
    all->batch = all->ahead < 2 ? 1 : all->ahead / 2;
}

pool *pool_begin(const pool_options *options)
{
    pool *all = calloc(1, sizeof *all);
    if (all == NULL)
        return NULL;
    all->options = *options;
    share_descriptors(all);
    all->slots = (size_t)all->options.workers * SLOTS_EACH;
    all->slots = all->slots < SLOTS_LEAST ? SLOTS_LEAST : all->slots;
    share_slots(all);
    all->worker = calloc(all->options.workers, sizeof *all->worker);
    all->wait = calloc((size_t)all->options.workers + 1, sizeof *all->wait);
    all->slot = calloc(all->slots, sizeof *all->slot);
    if (all->worker == NULL || all->wait == NULL || all->slot == NULL) {
        free(all->worker);
        free(all->wait);
        free(all->slot);
        free(all);
        return NULL;
    }
    for (unsigned i = 0; i < all->options.workers; i++)
        all->worker[i].socket = -1;
    all->server.socket = -1;
    return all;
}

/* ---- Workers ------------------------------------------------------------------------------------------- */

void pool_hear(pool *all, pool_worker *worker)
{
    char bytes[sizeof worker->held + 32768];
    size_t held = worker->holds, room = sizeof bytes - held;
    memcpy(bytes, worker->held, held);
    ssize_t got = recv(worker->socket, bytes + held, room, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK))
        return;
    all->eager |= got == (ssize_t)room;
    if (got <= 0)
        pool_lose(all, worker, got < 0 && errno != ECONNRESET);
    else if (!answer_take(all, worker, bytes, held + (size_t)got))
        pool_lose(all, worker, true);
    ring_tell(all);
}

/* Is anything to be heard of it? Not while it has said as much as is kept of an answer whose turn hasn't come. Of one
 * that is gone, and has said all of what it was given, the end. */
static bool is_heard(pool *all, const pool_worker *worker)
{
    if (worker->socket < 0 || (pool_given(worker) == 0 && !worker->gone))
        return false;
    const pool_slot *slot = &all->slot[worker->slot[0]];
    return slot == ring_at(all, 0) || slot->length < KEPT_MOST;
}

/* Have all that work enough to do for a while? Then it is better to leave them the processor, and to hear of many files
 * at once, than to wake up for each. */
static bool may_nap(pool *all)
{
    bool any = false;
    if (all->eager || all->server.socket >= 0 || all->batch < NAP_LEAST)
        return false;
    for (unsigned i = 0; i < all->options.workers; i++) {
        const pool_worker *worker = &all->worker[i];
        if (!is_heard(all, worker))
            continue;
        if (worker->gone || worker->slots < all->batch)
            return false;
        any = true;
    }
    return any;
}

/* Waits until there is something to hear: in wait, from whom. */
static void wait_for_some(pool *all)
{
    struct pollfd *server = &all->wait[all->options.workers];
    bool nap = may_nap(all);
    for (unsigned i = 0; i < all->options.workers; i++)
        all->wait[i] = (struct pollfd){is_heard(all, &all->worker[i]) ? all->worker[i].socket : -1, POLLIN, POLLIN};
    *server = (struct pollfd){all->server.socket, POLLIN, POLLIN};
    all->eager = false;
    if (nap)
        nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
    else if (poll(all->wait, all->options.workers + 1, TICK) < 0 && errno == EINTR)
        for (unsigned i = 0; i <= all->options.workers; i++)
            all->wait[i].fd = -1;
}

void pool_hear_all(pool *all)
{
    const struct pollfd *server = &all->wait[all->options.workers];
    give_rest(all);
    wait_for_some(all);
    if (server->fd >= 0 && server->revents != 0)
        afar_hear(all);
    for (unsigned i = 0; i < all->options.workers; i++)
        if (all->wait[i].fd >= 0 && all->wait[i].revents != 0 && is_heard(all, &all->worker[i]))
            pool_hear(all, &all->worker[i]);
    afar_go_on(all);
    if (all->options.tick != NULL)
        all->options.tick(all->options.context);
}

/* ---- Files --------------------------------------------------------------------------------------------- */

static bool is_full(const pool *all)
{
    return all->count == all->slots;
}

/* A path, or a folder's name and those in it, a zero byte behind each. */
static char *text_of(const char *path, char *const *names, size_t count, size_t *size)
{
    *size = strlen(path) + 1;
    for (size_t i = 0; i < count; i++)
        *size += strlen(names[i]) + 1;
    char *text = malloc(*size), *at = text;
    if (text == NULL)
        return NULL;
    at = stpcpy(at, path) + 1;
    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, names[i]) + 1;
    return text;
}

/* The next slot of the ring. Without memory for its text, all before it are told and then this. */
static pool_slot *take_slot(pool *all, const pool_slot *like, char *const *names, size_t count)
{
    while (is_full(all) && !pool_stopped(all))
        pool_hear_all(all);
    if (pool_stopped(all))
        return NULL;
    size_t size;
    const char *path = like->path;
    char *kept = text_of(path, names, count, &size);
    if (kept == NULL) {
        host_problem problem = like->problem == HOST_FINE ? HOST_MEMORY : like->problem;
        while (all->count > 0 && !pool_stopped(all))
            pool_hear_all(all);
        if (!pool_stopped(all))
            all->options.problem(all->options.context, path, problem, like->system);
        return NULL;
    }
    pool_slot *slot = ring_at(all, all->count++), old = *slot;
    *slot = *like;
    slot->path = kept;
    slot->size = size;
    slot->text = old.text;
    slot->room = old.room;
    return slot;
}

/* One more for the workers. */
static bool add(pool *all, const pool_slot *like, char *const *names, size_t count)
{
    pool_slot *slot = take_slot(all, like, names, count);
    if (slot == NULL) {
        if (like->file.fd >= 0)
            close(like->file.fd);
        free(like->query);
        return !pool_stopped(all);
    }
    int error = give(all, slot);
    if (error != 0)
        ring_fail(slot, HOST_START, error);
    ring_tell(all);
    return !pool_stopped(all);
}

bool pool_file(pool *all, const char *path, const host_file *file)
{
    return add(all, &(pool_slot){.path = (char *)(uintptr_t)path, .file = *file}, NULL, 0);
}

bool pool_folder(pool *all, const char *name, int directory, char *const *names, size_t count)
{
    pool_slot like = {.path = (char *)(uintptr_t)name, .folder = true, .file = {.fd = directory}};
    like.named = directory < 0 && count == 1;
    return add(all, &like, names, count);
}

bool pool_afar(pool *all, const char *path, char *const *names, size_t count, const char *query)
{
    pool_slot like = {.path = (char *)(uintptr_t)path, .folder = count > 0, .file = {.fd = -1}, .afar = true};
    like.named = count == 1;
    like.query = strdup(query);
    if (like.query == NULL)
        return pool_problem(all, path, HOST_MEMORY, 0);
    return add(all, &like, names, count);
}

bool pool_problem(pool *all, const char *path, host_problem problem, int system)
{
    pool_slot like = {.path = (char *)(uintptr_t)path, .problem = problem, .system = system, .file = {.fd = -1}};
    pool_slot *slot = take_slot(all, &like, NULL, 0);
    if (slot != NULL)
        ring_fail(slot, problem, system);
    ring_tell(all);
    return !pool_stopped(all);
}

bool pool_wait(pool *all)
{
    bool busy = false;
    for (unsigned i = 0; i < all->options.workers; i++)
        busy |= all->worker[i].socket >= 0 && all->worker[i].slots > 0;
    if (busy)
        pool_hear_all(all);
    return busy;
}

void pool_end(pool *all)
{
    while (all->count > 0 && !pool_is_over(all))
        pool_hear_all(all);
    for (unsigned i = 0; i < all->options.workers; i++)
        if (all->worker[i].socket >= 0)
            worker_end(&all->worker[i], pool_stopped(all));
    for (size_t i = 0; i < all->slots; i++) {
        pool_slot *slot = ring_at(all, i);
        free(slot->text);
        if (i < all->count) {
            ring_done(slot);
            free(slot->path);
            free(slot->query);
        }
    }
    afar_end(all);
    free(all->worker);
    free(all->wait);
    free(all->slot);
    free(all);
}
