/* fetch_server.c: the process that sends requests to servers. It has the token, and reads only the files that libcurl
 * needs. It passes each fetched file as an open file without a name. */
#include "posix.h"

#include <stdio.h>

#include "remote_files.h"

#if defined(ASSAY_CURL)

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fetch.h"
#include "socket_message.h"

/* The models of the Hub whose index was fetched last. Their shards come from the same commit as the index, whatever is
 * pushed to the branch meanwhile. */
#define PINS 64u

typedef struct {
    char base[512], commit[REMOTE_COMMIT];
} pinned_model;

typedef struct {
    int socket;
    CURLM *multi;
    remote_hub hub;
    remote_fetch *fetch;
    unsigned fetches;
    pinned_model pin[PINS];
    unsigned pins; /* count of all that were added */
} server;

/* ---- Models of the Hub ----------------------------------------------------------------------------------- */

/* Return the commit of the model that base names, or NULL if it is unknown. */
static const char *pinned(const server *all, const char *base)
{
    for (unsigned i = all->pins; i > 0 && all->pins - i < PINS; i--)
        if (strcmp(all->pin[(i - 1) % PINS].base, base) == 0)
            return all->pin[(i - 1) % PINS].commit;
    return NULL;
}

static void pin_model(server *all, const remote_fetch *fetch)
{
    pinned_model *pin = &all->pin[all->pins % PINS];
    if (!fetch->is_index || fetch->commit[0] == '\0' || strlen(fetch->base) >= sizeof pin->base)
        return;
    strcpy(pin->base, fetch->base);
    strcpy(pin->commit, fetch->commit);
    all->pins++;
}

/* ---- One file -------------------------------------------------------------------------------------------- */

/* Send the file or the problem to the process that requested it. Return false if the socket is closed. */
static bool hand_over(server *all, remote_fetch *fetch, host_problem problem)
{
    fetch->cost.milliseconds = (uint64_t)(remote_now() - fetch->started);
    socket_message message = {.problem = problem, .id = fetch->id, .text = "", .file = {.fd = -1, .size = ASSAY_NONE}};
    fetch->cost.there = fetch->stored;
    message.file.fetch = fetch->cost;
    message.file.system = problem == HOST_READ ? fetch->error : 0;
    if (problem == HOST_FINE) {
        pin_model(all, fetch);
        message.file.fd = fetch->fd;
        message.file.size = fetch->state.total;
    }
    int error = socket_send(all->socket, &message, 1);
    if (fetch->fd >= 0)
        close(fetch->fd);
    fetch->fd = -1;
    fetch->in_use = false;
    return error == 0;
}

static void clear(remote_fetch *fetch)
{
    CURL *easy = fetch->easy;
    struct curl_slist *fields = fetch->fields;
    *fetch = (remote_fetch){.easy = easy, .fields = fields, .fd = -1};
}

/* Start to fetch what a message requests: base, path and query, each with a zero byte after it. Return false if the
 * message is not well-formed, or the socket is closed. */
static bool begin_fetch(server *all, const socket_message *message)
{
    const char *base = message->text, *end = base + message->size;
    unsigned zeros = 0;
    for (size_t i = 0; i < message->size; i++)
        zeros += base[i] == '\0';
    remote_fetch *fetch = all->fetch;
    while (fetch < all->fetch + all->fetches && fetch->in_use)
        fetch++;
    if (fetch == all->fetch + all->fetches || zeros != 3 || end[-1] != '\0')
        return false;
    const char *path = base + strlen(base) + 1, *query = path + strlen(path) + 1;
    const remote_name name = {base, path, query, message->folder}; /* the name of an index is part of the address */
    clear(fetch);
    fetch->in_use = true;
    fetch->id = message->id;
    fetch->is_index = message->folder;
    fetch->started = fetch->not_before = remote_now();
    snprintf(fetch->base, sizeof fetch->base, "%s", base);
    const char *commit = fetch->is_index ? NULL : pinned(all, base);
    fetch->cost.problem = remote_url(fetch->named_url, &name, all->hub.endpoint, commit);
    if (fetch->cost.problem != REMOTE_FINE)
        return hand_over(all, fetch, HOST_REMOTE);
    fetch_rewind(fetch, &all->hub);
    if (fetch->guarded && scope_is_special(fetch->url)) {
        fetch->cost.problem = REMOTE_NAMED_SPECIAL;
        return hand_over(all, fetch, HOST_REMOTE);
    }
    if (fetch->trusted && all->hub.problem != REMOTE_FINE) {
        fetch->cost.problem = all->hub.problem;
        fetch->cost.detail = all->hub.source;
        return hand_over(all, fetch, HOST_REMOTE);
    }
    fetch->fd = host_nameless();
    fetch->error = errno;
    return fetch->fd >= 0 || hand_over(all, fetch, HOST_READ);
}

/* ---- All files ---------------------------------------------------------------------------------------------- */

/* Start the requests that are due. Return false if the socket is closed. */
static bool start_requests(server *all)
{
    for (unsigned i = 0; i < all->fetches; i++) {
        remote_fetch *fetch = &all->fetch[i];
        if (!fetch->in_use || fetch->not_before < 0 || fetch->not_before > remote_now())
            continue;
        fetch->not_before = -1;
        if (!fetch_prepare(fetch, &all->hub) || curl.multi_add_handle(all->multi, fetch->easy) != CURLM_OK)
            if (!hand_over(all, fetch, HOST_MEMORY))
                return false;
    }
    return true;
}

/* Process the requests that have ended. Return false if the socket is closed. */
static bool finish_requests(server *all)
{
    CURLMsg *ended;
    int left;
    while ((ended = curl.multi_info_read(all->multi, &left)) != NULL) {
        remote_fetch *fetch = NULL;
        CURLcode result = ended->data.result;
        curl.easy_getinfo(ended->easy_handle, CURLINFO_PRIVATE, &fetch);
        curl.multi_remove_handle(all->multi, fetch->easy);
        host_problem problem = fetch_step(fetch, &all->hub, result);
        if (problem != HOST_START && !hand_over(all, fetch, problem))
            return false;
    }
    return true;
}

/* Return the milliseconds until the next request is due, at most 10 seconds. */
static int until_next(const server *all)
{
    int64_t least = 10000, now = remote_now();
    for (unsigned i = 0; i < all->fetches; i++) {
        const remote_fetch *fetch = &all->fetch[i];
        if (fetch->in_use && fetch->not_before >= 0 && fetch->not_before - now < least)
            least = fetch->not_before - now;
    }
    return least < 0 ? 0 : (int)least;
}

static void serve(server *all)
{
    char *text = NULL;
    size_t room = 0;
    for (;;) {
        int running;
        struct curl_waitfd wait = {all->socket, CURL_WAIT_POLLIN, 0};
        if (!start_requests(all) || curl.multi_perform(all->multi, &running) != CURLM_OK || !finish_requests(all))
            return;
        if (curl.multi_poll(all->multi, &wait, 1, until_next(all), NULL) != CURLM_OK)
            return;
        socket_message message;
        if (wait.revents == 0)
            continue;
        if (socket_receive(all->socket, &message, 1, &text, &room) == 0 || !begin_fetch(all, &message))
            return;
    }
}

/* Respond to each request that libcurl can't be loaded. */
static void serve_without_libcurl(int socket)
{
    char *text = NULL;
    size_t room = 0;
    socket_message message;
    while (socket_receive(socket, &message, 1, &text, &room) > 0) {
        message.problem = HOST_REMOTE;
        message.text = "";
        message.size = 0;
        message.file = (host_file){.fd = -1, .size = ASSAY_NONE, .fetch.problem = REMOTE_LIBRARY};
        if (socket_send(socket, &message, 1) != 0)
            return;
    }
}

void remote_serve(int socket, unsigned connections, unsigned scope)
{
    static server all;
    signal(SIGPIPE, SIG_IGN);
    if (!curl_load()) {
        serve_without_libcurl(socket);
        return;
    }
    all.socket = socket;
    all.hub.scope = (remote_scope)scope;
    all.fetches = connections;
    all.fetch = calloc(connections, sizeof *all.fetch);
    if (all.fetch == NULL || curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return;
    all.multi = curl.multi_init();
    bool fine = all.multi != NULL;
    for (unsigned i = 0; i < connections && fine; i++) {
        all.fetch[i].fd = -1;
        fine = (all.fetch[i].easy = curl.easy_init()) != NULL;
    }
    if (!fine)
        return;
    curl.multi_setopt(all.multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, (long)connections);
    snprintf(all.hub.endpoint, sizeof all.hub.endpoint, "%s", remote_endpoint());
    remote_origin(all.hub.origin, all.hub.endpoint);
    all.hub.problem = remote_token(all.hub.token, sizeof all.hub.token, &all.hub.source);
    serve(&all);
}

bool remote_built(void)
{
    return true;
}

const char *remote_describe(void)
{
    return "http, https and hf, by libcurl (built with " LIBCURL_VERSION ")";
}

#else

void remote_serve(int socket, unsigned connections, unsigned scope)
{
    (void)socket, (void)connections, (void)scope;
}

bool remote_built(void)
{
    return false;
}

const char *remote_describe(void)
{
    return "none: built without libcurl";
}

#endif
