/* dispatch.c: hands inputs to workers, and reads what they write. A worker that writes more than is kept waits until
 * its turn comes, so nothing grows with the number of inputs or the length of a record. */
#include "posix.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "pool_state.h"
#include "socket_message.h"

#define SLOTS_EACH 16u   /* for each worker */
#define SLOTS_LEAST 512u /* so that one slow file does not soon hold up all others */
#define TICK 100         /* milliseconds */
#define NAP 100000       /* nanoseconds: no worker judges NAP_LEAST files in this time */
#define NAP_LEAST 24u
#define WORKERS_MOST 512u
#define OTHER_DESCRIPTORS 16u /* standard streams, a list, two walks, a file that a worker requests */
#define LIFE 300        /* seconds after which a worker gets no more files: its time is limited, see sandbox.c */
#define SMALL 65536u    /* bytes of a file that takes less than a millisecond, whatever it holds */
#define PATH_LIGHT 256u /* bytes of a path that add 1 to the weight, so that unread messages never fill the socket */

static void read_worker(pool *all, pool_worker *worker);
static void wait_and_read(pool *all);

/* ---- Begin --------------------------------------------------------------------------------------------- */

/* Divide the descriptors that the process may have: half for workers, half for the files that these judge, less what
 * the process that fetches needs. */
static void share_descriptors(pool *all)
{
    struct rlimit limit;
    size_t room = 2 * WORKERS_MOST * POOL_LOAD_MOST;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < (rlim_t)(room + OTHER_DESCRIPTORS))
        room = limit.rlim_cur < OTHER_DESCRIPTORS + 2 ? 2 : (size_t)limit.rlim_cur - OTHER_DESCRIPTORS;
    if (all->options.connections > room / 4) /* a file that was fetched in advance is open here */
        all->options.connections = room < 4 ? 1 : (unsigned)(room / 4);
    room = room < all->options.connections + 2 ? 2 : room - all->options.connections;
    if (all->options.workers > WORKERS_MOST)
        all->options.workers = WORKERS_MOST;
    if (all->options.workers > room / 2)
        all->options.workers = (unsigned)(room / 2);
    all->files = room - all->options.workers;
}

/* Set how much a worker may have at once: no more than its share of the open files and of the ring. */
static void share_slots(pool *all)
{
    size_t share = (all->files < all->slots ? all->files : all->slots) / all->options.workers;
    all->load_most = share >= POOL_LOAD_MOST ? POOL_LOAD_MOST : share == 0 ? 1 : (unsigned)share;
    all->batch_most = all->load_most < 2 ? 1 : all->load_most / 2;
}

pool *pool_begin(const pool_options *options)
{
    pool *all = calloc(1, sizeof *all);
    if (all == NULL)
        return NULL;
    all->options = *options;
    all->stop = options->stop;
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
    all->fetcher.socket = -1;
    return all;
}

/* ---- Sending ------------------------------------------------------------------------------------------- */

/* Send a worker the inputs that it was given and has not got yet. Return errno, or 0. A worker that is found dead may
 * have completed an input before: it keeps its inputs, these too, until all that it wrote has been read. */
static int send_unsent(pool *all, pool_worker *worker)
{
    socket_message message[SOCKET_MESSAGES_MOST];
    int error = 0;
    while (error == 0 && !worker->gone && worker->sent < worker->slots) {
        unsigned left = worker->slots - worker->sent, count = left < SOCKET_MESSAGES_MOST ? left : SOCKET_MESSAGES_MOST;
        for (unsigned i = 0; i < count; i++) {
            const pool_slot *slot = &all->slot[worker->slot[worker->sent + i]];
            message[i] = (socket_message){.folder = slot->folder,
                                          .remote = slot->remote,
                                          .ahead = all->options.connections,
                                          .file = slot->may_request ? (host_file){.fd = -1} : slot->file,
                                          .text = slot->path,
                                          .size = slot->size};
        }
        error = socket_send(worker->socket, message, count);
        worker->sent += error == 0 ? count : 0;
    }
    if ((error == EPIPE || error == ECONNRESET) && worker->sent > 0) {
        worker->gone = true;
        error = 0;
    }
    return error;
}

/* End a worker that died, or wrote what no worker writes. The input that it was at is not judged; a new worker gets
 * the others. */
static void lose_worker(pool *all, pool_worker *worker, bool kill_it)
{
    pool_worker dead = *worker;
    int died_of = worker_end(worker, kill_it);
    unsigned first = dead.sent > 0;
    if (all->filling == worker)
        all->filling = NULL;
    if (first > 0)
        worker_records_fail(all, &all->slot[dead.slot[0]], HOST_DIED, died_of);
    if (dead.slots == first)
        return;
    int error = worker_start(worker, &all->options);
    bool started = error == 0;
    if (started) {
        worker->slots = dead.slots - first;
        memcpy(worker->slot, dead.slot + first, worker->slots * sizeof *worker->slot);
        for (unsigned i = 0; i < worker->slots; i++)
            worker->load += all->slot[worker->slot[i]].weight;
        error = send_unsent(all, worker);
    }
    for (unsigned i = first; i < dead.slots && error != 0; i++)
        worker_records_fail(all, &all->slot[dead.slot[i]], HOST_START, error);
    if (started && error != 0)
        worker_end(worker, true);
}

/* Send a worker what it was given. One that cannot be sent anything is replaced, once. */
static void send_batch(pool *all, pool_worker *worker)
{
    int error = send_unsent(all, worker);
    if (all->filling == worker)
        all->filling = NULL;
    if (error != 0)
        lose_worker(all, worker, error != EPIPE && error != ECONNRESET);
}

/* ---- Which worker gets an input ------------------------------------------------------------------------ */

static bool is_small(const pool_slot *slot)
{
    return !slot->may_request && slot->file.size <= SMALL;
}

/* Return whether a worker gets this input with no other: while it waits for a file that it requested it reads nothing
 * else, and nobody knows how long a stream takes. */
static bool is_alone(const pool_slot *slot)
{
    return slot->may_request || slot->file.stream;
}

/* Return whether a worker can get one more input. Small files are sent together: there must be room for a batch. */
static bool has_room(const pool *all, const pool_worker *worker, const pool_slot *slot)
{
    if (worker->slots == 0)
        return true;
    if (is_alone(slot) || worker->gone || is_alone(&all->slot[worker->slot[0]]))
        return false;
    return worker->load + (is_small(slot) ? all->batch_most : slot->weight) <= all->load_most;
}

/* Return a worker for an input: an idle one, else a new one, else the one with the least load. NULL: none has room, or
 * none can be started; then *error is errno. A worker that is too old gets nothing, and ends when it is idle. */
static pool_worker *choose_worker(pool *all, const pool_slot *slot, int *error)
{
    struct timespec now;
    pool_worker *found = NULL, *none = NULL;
    bool any = false;
    *error = 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    for (unsigned i = 0; i < all->options.workers; i++) {
        pool_worker *worker = &all->worker[i];
        bool old = worker->socket >= 0 && now.tv_sec - worker->born >= LIFE;
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
        *error = 0; /* the other workers go on */
    return found;
}

/* Return a worker for an input as soon as there is one. NULL: none can be started, and *error is errno, or the program
 * is stopped. Before a busy worker is chosen, what it has written is read: it may have finished. */
static pool_worker *wait_for_worker(pool *all, const pool_slot *slot, int *error)
{
    bool was_read = false;
    while (*all->stop == 0) {
        pool_worker *worker = choose_worker(all, slot, error);
        if (worker == NULL && *error != 0)
            return NULL;
        if (worker != NULL && (was_read || worker->sent == 0))
            return worker;
        if (worker == NULL)
            wait_and_read(all);
        else
            read_worker(all, worker);
        was_read = worker != NULL;
    }
    return NULL;
}

/* Give an input to a worker: at once, or with the next ones. A batch has as many small files as the worker has still
 * to judge: so there are few messages if there are many files, and no worker is idle while a file waits. Return errno
 * if nobody takes the input, or 0. */
static int hand_out(pool *all, pool_slot *slot)
{
    int error = 0;
    pool_worker *worker = all->filling;
    size_t most = all->load_most < 4 ? 1 : all->load_most / 4, weight = 1 + slot->size / PATH_LIGHT;
    slot->weight = (unsigned)(is_small(slot) && weight < most ? weight : most);
    if (worker != NULL && (!is_small(slot) || worker->load + slot->weight > all->load_most)) {
        send_batch(all, worker);
        worker = NULL;
    }
    if (worker == NULL) {
        worker = wait_for_worker(all, slot, &error);
        if (worker == NULL)
            return error;
        worker->batch = !is_small(slot) || worker->slots == 0 ? 1 : worker->slots;
        worker->batch = worker->batch < all->batch_most ? worker->batch : all->batch_most;
        all->filling = worker;
    }
    worker->slot[worker->slots++] = (size_t)(slot - all->slot);
    worker->load += slot->weight;
    if (worker->slots - worker->sent >= worker->batch)
        send_batch(all, worker);
    return 0;
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

/* Read what a worker has written, without waiting. */
static void read_worker(pool *all, pool_worker *worker)
{
    char bytes[sizeof worker->held + 32768];
    size_t held = worker->held_size, room = sizeof bytes - held;
    memcpy(bytes, worker->held, held);
    ssize_t got = recv(worker->socket, bytes + held, room, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK))
        return;
    all->busy |= got == (ssize_t)room;
    if (got <= 0)
        lose_worker(all, worker, got < 0 && errno != ECONNRESET);
    else if (!worker_records_take(all, worker, bytes, held + (size_t)got))
        lose_worker(all, worker, true);
    worker_records_write(all);
}

/* Return whether a worker is read now: not if as much is kept of its records as may be kept. One that is gone is read
 * to its end. */
static bool is_read(pool *all, const pool_worker *worker)
{
    if (worker->socket < 0 || (worker->sent == 0 && !worker->gone))
        return false;
    const pool_slot *slot = &all->slot[worker->slot[0]];
    return slot == &all->slot[all->first] || slot->length < POOL_KEPT_MOST;
}

/* Return whether all workers have enough to do for a while. Then it is better to leave them the processor and to read
 * the records of many files at once than to wake up for each. */
static bool may_nap(pool *all)
{
    bool any = false;
    if (all->busy || all->fetcher.socket >= 0 || all->batch_most < NAP_LEAST)
        return false;
    for (unsigned i = 0; i < all->options.workers; i++) {
        const pool_worker *worker = &all->worker[i];
        if (!is_read(all, worker))
            continue;
        if (worker->gone || worker->slots < all->batch_most)
            return false;
        any = true;
    }
    return any;
}

/* Wait until a process has written something. In all->wait: which. */
static void wait_for_some(pool *all)
{
    struct pollfd *fetcher = &all->wait[all->options.workers];
    bool nap = may_nap(all);
    for (unsigned i = 0; i < all->options.workers; i++)
        all->wait[i] = (struct pollfd){is_read(all, &all->worker[i]) ? all->worker[i].socket : -1, POLLIN, POLLIN};
    *fetcher = (struct pollfd){all->fetcher.socket, POLLIN, POLLIN};
    all->busy = false;
    if (nap)
        nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
    else if (poll(all->wait, all->options.workers + 1, TICK) < 0 && errno == EINTR)
        for (unsigned i = 0; i <= all->options.workers; i++)
            all->wait[i].fd = -1;
}

/* Send fetched files to the workers that wait for them. */
static void deliver_fetched(pool *all)
{
    pool_fetch fetched;
    while (fetch_queue_take(all, &fetched)) {
        pool_worker *worker = NULL;
        for (unsigned i = 0; i < all->options.workers && worker == NULL; i++)
            if (all->worker[i].socket >= 0 && all->worker[i].sent > 0 && all->worker[i].slot[0] == fetched.slot)
                worker = &all->worker[i];
        socket_message message = {.problem = fetched.problem, .file = fetched.file, .text = ""};
        bool sent = worker != NULL && socket_send(worker->socket, &message, 1) == 0;
        if (fetched.file.fd >= 0)
            close(fetched.file.fd);
        if (!sent && worker != NULL)
            lose_worker(all, worker, false);
    }
}

/* Send what is to be sent, wait for workers and the process that fetches, and read what they have written. */
static void wait_and_read(pool *all)
{
    const struct pollfd *fetcher = &all->wait[all->options.workers];
    if (all->filling != NULL)
        send_batch(all, all->filling);
    wait_for_some(all);
    if (fetcher->fd >= 0 && fetcher->revents != 0)
        fetch_queue_receive(all);
    for (unsigned i = 0; i < all->options.workers; i++)
        if (all->wait[i].fd >= 0 && all->wait[i].revents != 0 && is_read(all, &all->worker[i]))
            read_worker(all, &all->worker[i]);
    fetch_queue_send(all);
    deliver_fetched(all);
    if (all->options.tick != NULL)
        all->options.tick(all->options.context);
}

/* ---- Inputs -------------------------------------------------------------------------------------------- */

/* Return a copy of a path and a folder's names, with a zero byte after each; NULL: not enough memory. */
static char *copy_names(const char *path, char *const *names, size_t count, size_t *size)
{
    *size = strlen(path) + 1;
    for (size_t i = 0; i < count; i++)
        *size += strlen(names[i]) + 1;
    char *text = malloc(*size), *next = text;
    if (text == NULL)
        return NULL;
    next = stpcpy(next, path) + 1;
    for (size_t i = 0; i < count; i++)
        next = stpcpy(next, names[i]) + 1;
    return text;
}

/* Return the next slot of the ring, with the contents of `like`; NULL: the program is stopped, or there is no memory.
 * The latter is reported here, after all earlier inputs. */
static pool_slot *take_slot(pool *all, const pool_slot *like, char *const *names, size_t count)
{
    while (all->count == all->slots && *all->stop == 0)
        wait_and_read(all);
    if (*all->stop != 0)
        return NULL;
    size_t size;
    const char *path = like->path;
    char *kept = copy_names(path, names, count, &size);
    if (kept == NULL) {
        host_problem problem = like->problem == HOST_FINE ? HOST_MEMORY : like->problem;
        while (all->count > 0 && *all->stop == 0)
            wait_and_read(all);
        if (*all->stop == 0)
            all->options.problem(all->options.context, path, problem, like->system);
        return NULL;
    }
    pool_slot *slot = &all->slot[(all->first + all->count++) % all->slots], old = *slot;
    *slot = *like;
    slot->path = kept;
    slot->size = size;
    slot->text = old.text;
    slot->room = old.room;
    return slot;
}

/* Add an input: hand it to a worker, or report its problem. Closes its file. Return false if the program is stopped. */
static bool add(pool *all, const pool_slot *like, char *const *names, size_t count)
{
    pool_slot *slot = take_slot(all, like, names, count);
    if (slot == NULL) {
        if (like->file.fd >= 0)
            close(like->file.fd);
        free(like->query);
        return *all->stop == 0;
    }
    if (slot->problem != HOST_FINE) {
        worker_records_fail(all, slot, slot->problem, slot->system);
    } else {
        int error = hand_out(all, slot);
        if (error != 0)
            worker_records_fail(all, slot, HOST_START, error);
    }
    worker_records_write(all);
    return *all->stop == 0;
}

bool pool_file(pool *all, const char *path, const host_file *file)
{
    return add(all, &(pool_slot){.path = (char *)(uintptr_t)path, .file = *file}, NULL, 0);
}

bool pool_folder(pool *all, const char *name, int directory, char *const *names, size_t count)
{
    pool_slot like = {.path = (char *)(uintptr_t)name, .folder = true, .may_request = true, .file = {.fd = directory}};
    like.named = directory < 0 && count == 1;
    return add(all, &like, names, count);
}

bool pool_remote(pool *all, const char *path, char *const *names, size_t count, const char *query)
{
    pool_slot like = {.path = (char *)(uintptr_t)path, .remote = true, .may_request = true, .file = {.fd = -1}};
    like.folder = count > 0;
    like.named = count == 1;
    like.query = strdup(query);
    if (like.query == NULL)
        return pool_problem(all, path, HOST_MEMORY, 0);
    return add(all, &like, names, count);
}

bool pool_problem(pool *all, const char *path, host_problem problem, int system)
{
    pool_slot like = {.path = (char *)(uintptr_t)path, .problem = problem, .system = system, .file = {.fd = -1}};
    return add(all, &like, NULL, 0);
}

bool pool_wait(pool *all)
{
    bool any = false;
    for (unsigned i = 0; i < all->options.workers; i++)
        any |= all->worker[i].socket >= 0 && all->worker[i].slots > 0;
    if (any)
        wait_and_read(all);
    return any;
}

void pool_end(pool *all)
{
    while (all->count > 0 && (*all->stop == 0 || all->inside))
        wait_and_read(all);
    for (unsigned i = 0; i < all->options.workers; i++)
        if (all->worker[i].socket >= 0)
            worker_end(&all->worker[i], *all->stop != 0);
    for (size_t i = 0; i < all->slots; i++) {
        pool_slot *slot = &all->slot[i];
        if (slot->path != NULL && !slot->done)
            worker_records_finish(all, slot);
        free(slot->text);
        free(slot->path);
        free(slot->query);
    }
    fetch_queue_end(all);
    free(all->worker);
    free(all->wait);
    free(all->slot);
    free(all);
}
