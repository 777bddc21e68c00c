/* afar.c: files on servers. A process that does nothing else fetches them (pool_options.serve); what it hands over is
 * an open file, and goes to the worker that waits for it. */
#include "posix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fetch_limits.h"
#include "pool_parts.h"
#include "remote.h"
#include "wire.h"

#define INDEX_END ".index.json" /* what goes at the end of a file's name to make that of its index */

static void forget(pool_fetch *fetch)
{
    if (fetch->state == FETCH_HERE && fetch->file.fd >= 0)
        close(fetch->file.fd);
    free(fetch->path);
    *fetch = (pool_fetch){.path = NULL};
}

static void arrived(pool_fetch *fetch, host_problem problem, const host_file *file)
{
    fetch->state = FETCH_HERE;
    fetch->problem = problem;
    fetch->file = *file;
}

static void failed(pool_fetch *fetch, host_problem problem, int system)
{
    arrived(fetch, problem, &(host_file){.fd = -1, .system = system, .size = ASSAY_NONE});
}

/* ---- What is wanted -------------------------------------------------------------------------------------- */

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

bool afar_ask(pool *all, pool_slot *slot, char how, const char *path)
{
    size_t length = strlen(slot->path), place = (size_t)(slot - all->slot), ahead = 0;
    bool is_file = !slot->folder && strcmp(path, slot->path) == 0;
    bool is_shard = slot->folder && (how == 's' || how == 'w') && strncmp(path, slot->path, length) == 0;
    bool is_index = !slot->folder && strncmp(path, slot->path, length) == 0 && strcmp(path + length, INDEX_END) == 0;
    if (!is_file && !is_shard && !is_index && (!slot->folder || ask_name(slot, path) == NULL))
        return false;
    path += length;
    for (size_t i = 0; i < all->fetches; i++) {
        pool_fetch *fetch = &all->fetch[i];
        if (fetch->path == NULL || fetch->dropped || fetch->slot != place)
            continue;
        ahead++;
        if (strcmp(fetch->path, path) == 0) {
            fetch->awaited |= how != 'w';
            return true;
        }
    }
    pool_fetch *fetch = ahead <= all->options.connections ? free_entry(all) : NULL;
    char *kept = fetch == NULL ? NULL : strdup(path);
    if (kept == NULL)
        return false;
    bool whole = slot->folder && how == 'f' && host_is_index(path);
    *fetch = (pool_fetch){.path = kept, .slot = place, .whole = whole, .awaited = how != 'w', .file = {.fd = -1}};
    return true;
}

void afar_drop(pool *all, const pool_slot *slot)
{
    for (size_t i = 0; i < all->fetches; i++) {
        pool_fetch *fetch = &all->fetch[i];
        if (fetch->path == NULL || fetch->dropped || fetch->slot != (size_t)(slot - all->slot))
            continue;
        if (fetch->state == FETCH_ASKED)
            fetch->dropped = true;
        else
            forget(fetch);
    }
}

/* ---- The process that fetches ---------------------------------------------------------------------------- */

/* It is gone, and with it what it was at. */
static void lose(pool *all)
{
    int died_of = worker_end(&all->server, true);
    all->asked = 0;
    for (size_t i = 0; i < all->fetches; i++) {
        pool_fetch *fetch = &all->fetch[i];
        if (fetch->path == NULL || fetch->state != FETCH_ASKED)
            continue;
        failed(fetch, HOST_DIED, died_of);
        if (fetch->dropped)
            forget(fetch);
    }
}

/* Base, path and query, a zero byte behind each. */
static int ask(pool *all, pool_fetch *fetch)
{
    const pool_slot *slot = &all->slot[fetch->slot];
    size_t room = strlen(slot->path) + strlen(fetch->path) + strlen(slot->query) + 3;
    char *text = malloc(room);
    if (text == NULL)
        return ENOMEM;
    stpcpy(stpcpy(stpcpy(text, slot->path) + 1, fetch->path) + 1, slot->query);
    wire_message message = {.id = (uint64_t)(fetch - all->fetch), .folder = fetch->whole, .file = {.fd = -1}};
    message.text = text;
    message.size = room;
    int error = wire_send(all->server.socket, &message, 1);
    free(text);
    return error;
}

/* What a worker waits for comes first. */
static pool_fetch *next_wanted(pool *all)
{
    pool_fetch *found = NULL;
    for (size_t i = 0; i < all->fetches; i++) {
        pool_fetch *fetch = &all->fetch[i];
        bool waits = fetch->path != NULL && fetch->state == FETCH_WANTED;
        if (waits && (found == NULL || (fetch->awaited && !found->awaited)))
            found = fetch;
    }
    return found;
}

/* May it be asked for? What is fetched ahead waits here, in memory and each with a descriptor: no more of it than there
 * are connections. What a worker waits for goes to it at once. */
static bool has_room(const pool *all, const pool_fetch *next)
{
    size_t held = 0;
    for (size_t i = 0; i < all->fetches; i++)
        held += all->fetch[i].path != NULL && all->fetch[i].state != FETCH_WANTED;
    return all->asked < all->options.connections && (next->awaited || held < all->options.connections);
}

/* Has the model cost what it may? Its index names up to 65,535 files, each of which may cost what one may. */
static bool is_spent(pool_slot *slot)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    slot->since = slot->since == 0 ? now.tv_sec : slot->since;
    return slot->moved >= REMOTE_MODEL_BYTES_MOST || now.tv_sec - slot->since >= REMOTE_MODEL_SECONDS_MOST;
}

static void ask_all(pool *all)
{
    pool_fetch *fetch;
    while ((fetch = next_wanted(all)) != NULL && has_room(all, fetch)) {
        if (is_spent(&all->slot[fetch->slot])) {
            failed(fetch, HOST_REMOTE, 0);
            fetch->file.fetch.problem = REMOTE_MODEL;
            continue;
        }
        int error = all->server.socket >= 0 ? 0 : worker_start_server(&all->server, &all->options);
        if (error != 0) {
            failed(fetch, HOST_START, error);
            continue;
        }
        error = ask(all, fetch);
        fetch->state = FETCH_ASKED;
        all->asked++;
        if (error != 0)
            lose(all);
    }
}

void afar_hear(pool *all)
{
    wire_message message;
    static char *none;
    static size_t room;
    if (wire_receive(all->server.socket, &message, 1, &none, &room) == 0 || message.id >= all->fetches ||
        all->fetch[message.id].path == NULL || all->fetch[message.id].state != FETCH_ASKED) {
        lose(all);
        return;
    }
    pool_fetch *fetch = &all->fetch[message.id];
    host_file file = message.file;
    uint64_t size = file.size;
    if (message.problem == HOST_FINE)
        message.problem = host_take(&file, message.file.fd);
    else if (file.fd >= 0) /* that can't be, unless the process was taken over */
        close(file.fd), file.fd = -1;
    file.fetch = message.file.fetch;
    all->asked--;
    bool is_reported = file.fetch.problem != REMOTE_ELSEWHERE && file.fetch.problem != REMOTE_NOT_REACHED;
    if (all->options.cost != NULL && is_reported) {
        all->options.cost->requests += file.fetch.requests;
        all->options.cost->bytes += file.fetch.bytes;
    }
    if (!fetch->dropped)
        all->slot[fetch->slot].moved += file.fetch.bytes;
    if (!is_reported)
        file.fetch = (host_fetch){.problem = file.fetch.problem}; /* its cost would reveal the rest */
    arrived(fetch, message.problem == HOST_FINE && file.size != size ? HOST_CHANGED : message.problem, &file);
    if (fetch->dropped)
        forget(fetch);
}

/* ---- Both ------------------------------------------------------------------------------------------------ */

/* The worker that is at the slot. */
static pool_worker *worker_at(pool *all, size_t slot)
{
    for (unsigned i = 0; i < all->options.workers; i++) {
        pool_worker *worker = &all->worker[i];
        if (worker->socket >= 0 && pool_given(worker) > 0 && worker->slot[0] == slot)
            return worker;
    }
    return NULL;
}

void afar_go_on(pool *all)
{
    if (all->fetches == 0)
        return;
    ask_all(all);
    for (size_t i = 0; i < all->fetches; i++) {
        pool_fetch *fetch = &all->fetch[i];
        if (fetch->path == NULL || fetch->state != FETCH_HERE || !fetch->awaited)
            continue;
        pool_worker *worker = worker_at(all, fetch->slot);
        wire_message message = {.problem = fetch->problem, .file = fetch->file, .text = ""};
        bool given = worker != NULL && wire_send(worker->socket, &message, 1) == 0;
        forget(fetch);
        if (!given && worker != NULL)
            pool_lose(all, worker, false);
    }
}

void afar_end(pool *all)
{
    for (size_t i = 0; i < all->fetches; i++)
        if (all->fetch[i].path != NULL)
            forget(&all->fetch[i]);
    free(all->fetch);
    if (all->server.socket >= 0)
        worker_end(&all->server, true);
}
