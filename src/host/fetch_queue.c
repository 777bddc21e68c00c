/* fetch_queue.c: remote files that workers need. One process, which does nothing else, fetches them
 * (pool_options.serve); it returns each as an open file. That process reads what servers send, so its messages are
 * checked. */
#include "posix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pool_state.h"
#include "fetch_result.h"
#include "socket_message.h"

/* Free an entry, and close its file. */
static void discard(pool_fetch *fetch)
{
    if (fetch->state == FETCH_ARRIVED && fetch->file.fd >= 0)
        close(fetch->file.fd);
    free(fetch->path);
    *fetch = (pool_fetch){.path = NULL};
}

/* Record why a file did not arrive. */
static void fail(pool_fetch *fetch, host_problem problem, int system)
{
    fetch->state = FETCH_ARRIVED;
    fetch->problem = problem;
    fetch->file = (host_file){.fd = -1, .system = system, .size = ASSAY_NONE};
}

/* ---- The queue ----------------------------------------------------------------------------------------- */

/* Return a free entry; NULL: not enough memory. */
static pool_fetch *free_entry(pool *all)
{
    for (size_t i = 0; i < all->fetches; i++)
        if (all->fetch[i].path == NULL)
            return &all->fetch[i];
    size_t more = all->fetches == 0 ? 16 : 2 * all->fetches;
    pool_fetch *grown = realloc(all->fetch, more * sizeof *grown);
    if (grown == NULL)
        return NULL;
    for (size_t i = all->fetches; i < more; i++)
        grown[i] = (pool_fetch){.path = NULL};
    pool_fetch *found = &grown[all->fetches];
    all->fetch = grown;
    all->fetches = more;
    return found;
}

bool fetch_queue_add(pool *all, const pool_slot *slot, const char *path, bool is_index, bool awaited)
{
    size_t number = (size_t)(slot - all->slot), ahead = 0;
    for (size_t i = 0; i < all->fetches; i++) {
        pool_fetch *fetch = &all->fetch[i];
        if (fetch->path == NULL || fetch->dropped || fetch->slot != number)
            continue;
        ahead++;
        if (strcmp(fetch->path, path) == 0) {
            fetch->awaited |= awaited;
            return true;
        }
    }
    pool_fetch *fetch = ahead <= all->options.connections ? free_entry(all) : NULL;
    char *kept = fetch == NULL ? NULL : strdup(path);
    if (kept == NULL)
        return false;
    *fetch = (pool_fetch){.path = kept, .slot = number, .is_index = is_index, .awaited = awaited, .file = {.fd = -1}};
    return true;
}

void fetch_queue_drop(pool *all, const pool_slot *slot)
{
    for (size_t i = 0; i < all->fetches; i++) {
        pool_fetch *fetch = &all->fetch[i];
        if (fetch->path == NULL || fetch->dropped || fetch->slot != (size_t)(slot - all->slot))
            continue;
        if (fetch->state == FETCH_SENT)
            fetch->dropped = true;
        else
            discard(fetch);
    }
}

bool fetch_queue_take(pool *all, pool_fetch *fetched)
{
    for (size_t i = 0; i < all->fetches; i++) {
        pool_fetch *fetch = &all->fetch[i];
        if (fetch->path == NULL || fetch->state != FETCH_ARRIVED || !fetch->awaited)
            continue;
        *fetched = *fetch;
        free(fetch->path);
        fetched->path = NULL;
        *fetch = (pool_fetch){.path = NULL};
        return true;
    }
    return false;
}

/* ---- The process that fetches -------------------------------------------------------------------------- */

/* End the process after it failed: the files that it was fetching do not arrive. */
static void lose_fetcher(pool *all)
{
    int died_of = worker_end(&all->fetcher, true);
    all->sent = 0;
    for (size_t i = 0; i < all->fetches; i++) {
        pool_fetch *fetch = &all->fetch[i];
        if (fetch->path == NULL || fetch->state != FETCH_SENT)
            continue;
        fail(fetch, HOST_DIED, died_of);
        if (fetch->dropped)
            discard(fetch);
    }
}

/* Send one file's base, path and query, with a zero byte after each. Return errno, or 0. */
static int send_one(pool *all, const pool_fetch *fetch)
{
    const pool_slot *slot = &all->slot[fetch->slot];
    size_t room = strlen(slot->path) + strlen(fetch->path) + strlen(slot->query) + 3;
    char *text = malloc(room);
    if (text == NULL)
        return ENOMEM;
    stpcpy(stpcpy(stpcpy(text, slot->path) + 1, fetch->path) + 1, slot->query);
    socket_message message = {.id = (uint64_t)(fetch - all->fetch), .folder = fetch->is_index, .file = {.fd = -1}};
    message.text = text;
    message.size = room;
    int error = socket_send(all->fetcher.socket, &message, 1);
    free(text);
    return error;
}

/* Return the next file to fetch, or NULL. Those that a worker waits for come first. Files that are fetched in advance
 * wait here, each with memory and a descriptor: there are at most as many of them as connections. */
static pool_fetch *next_to_send(pool *all)
{
    pool_fetch *next = NULL;
    size_t held = 0;
    for (size_t i = 0; i < all->fetches; i++) {
        pool_fetch *fetch = &all->fetch[i];
        bool queued = fetch->path != NULL && fetch->state == FETCH_QUEUED;
        held += fetch->path != NULL && fetch->state != FETCH_QUEUED;
        if (queued && (next == NULL || (fetch->awaited && !next->awaited)))
            next = fetch;
    }
    bool room = next != NULL && all->sent < all->options.connections &&
                (next->awaited || held < all->options.connections);
    return room ? next : NULL;
}

/* Return whether a model has used up its limits. Its index may name 65,535 files, and each file has limits of its
 * own. */
static bool is_spent(const pool_options *limit, pool_slot *slot)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    slot->fetched_at = slot->fetched_at == 0 ? now.tv_sec : slot->fetched_at;
    return slot->moved >= limit->model_bytes_most || now.tv_sec - slot->fetched_at >= limit->model_seconds_most;
}

void fetch_queue_send(pool *all)
{
    pool_fetch *fetch;
    while ((fetch = next_to_send(all)) != NULL) {
        if (is_spent(&all->options, &all->slot[fetch->slot])) {
            fail(fetch, HOST_REMOTE, 0);
            fetch->file.fetch.problem = REMOTE_MODEL;
            continue;
        }
        int error = all->fetcher.socket >= 0 ? 0 : worker_start_fetcher(&all->fetcher, &all->options);
        if (error != 0) {
            fail(fetch, HOST_START, error);
            continue;
        }
        error = send_one(all, fetch);
        fetch->state = FETCH_SENT;
        all->sent++;
        if (error != 0)
            lose_fetcher(all);
    }
}

void fetch_queue_receive(pool *all)
{
    socket_message message;
    static char *none;
    static size_t room;
    if (socket_receive(all->fetcher.socket, &message, 1, &none, &room) == 0 || message.id >= all->fetches ||
        all->fetch[message.id].path == NULL || all->fetch[message.id].state != FETCH_SENT) {
        lose_fetcher(all);
        return;
    }
    pool_fetch *fetch = &all->fetch[message.id];
    host_file file = message.file;
    uint64_t size = file.size;
    if (message.problem == HOST_FINE) {
        message.problem = host_take(&file, message.file.fd);
    } else if (file.fd >= 0) { /* only from a process that a server has taken over */
        close(file.fd);
        file.fd = -1;
    }
    file.fetch = message.file.fetch;
    all->sent--;
    bool is_reported = file.fetch.problem != REMOTE_ELSEWHERE && file.fetch.problem != REMOTE_NOT_REACHED;
    if (all->options.cost != NULL && is_reported) {
        all->options.cost->requests += file.fetch.requests;
        all->options.cost->bytes += file.fetch.bytes;
    }
    if (!fetch->dropped)
        all->slot[fetch->slot].moved += file.fetch.bytes;
    if (!is_reported)
        file.fetch = (host_fetch){.problem = file.fetch.problem}; /* the cost would reveal what is not reported */
    fetch->state = FETCH_ARRIVED;
    fetch->problem = message.problem == HOST_FINE && file.size != size ? HOST_CHANGED : message.problem;
    fetch->file = file;
    if (fetch->dropped)
        discard(fetch);
}

void fetch_queue_end(pool *all)
{
    for (size_t i = 0; i < all->fetches; i++)
        if (all->fetch[i].path != NULL)
            discard(&all->fetch[i]);
    free(all->fetch);
    if (all->fetcher.socket >= 0)
        worker_end(&all->fetcher, true);
}
