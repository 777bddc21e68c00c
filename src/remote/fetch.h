/* fetch.h: the state of one file that is being fetched, by a few requests one after the other. Calls go in one
 * direction: fetch_server.c, http_request.c, fetch.c, reachable.c. */
#ifndef ASSAY_REMOTE_FETCH_H
#define ASSAY_REMOTE_FETCH_H

#include "http_response.h"
#include "fetch_limits.h"
#include "libcurl_load.h"
#include "remote_files.h"

/* The Hub, and the settings that hold for all files. The token is sent to the origin of the Hub only. */
typedef struct {
    char endpoint[1024];
    char origin[1024];             /* such as "https://huggingface.co:443"; empty: there is none */
    char token[REMOTE_TOKEN_ROOM]; /* empty: there is none */
    remote_problem problem;        /* why the token can't be sent, or REMOTE_FINE */
    uint32_t source;               /* where the token is from, for remote_token_source */
    remote_scope scope;            /* which servers may be reached */
} remote_hub;

typedef struct {
    bool in_use;
    uint64_t id;                         /* of the request for the file, for whoever made it */
    bool is_index;                       /* an index, which is fetched as a whole; else a file with a header */
    char named_url[REMOTE_ADDRESS_MOST]; /* of the request */
    char url[REMOTE_ADDRESS_MOST];       /* where redirections have led */
    char base[REMOTE_ADDRESS_MOST];      /* see remote_name */
    char commit[REMOTE_COMMIT];          /* of the Hub's response, or empty */
    bool trusted;                        /* the file is at the Hub, and no redirection has led away from it */
    unsigned redirects;                  /* count */
    bool guarded;                        /* only public addresses may be connected to, see reachable.c */
    bool proxied;                        /* the request goes through a proxy, whose address the user chose */
    bool is_public;                      /* the last response is from a server whose address is known to be public */

    /* The bytes so far. */
    int fd;             /* a file without a name that contains bytes [0, stored) */
    uint64_t stored;
    uint8_t start[8];   /* the first bytes, for assay_measure */
    bool has_state;     /* the state of the file is known */
    remote_state state;

    /* The current request. */
    uint64_t from, to;        /* its range of bytes: [from, to) */
    remote_response response;
    bool checked;             /* the head of the response was checked */
    bool is_enough;           /* the rest of the body is not needed */
    uint64_t received;        /* bytes of the body */
    remote_problem problem;   /* of the response */
    bool write_failed;        /* fd can't be written */
    int error;                /* errno of that */

    /* The attempts. */
    unsigned restarts;     /* count of times that the file was fetched again from its beginning */
    unsigned slow_retries; /* count of retries because the server was too slow */
    unsigned retries;      /* count of retries since there was progress */
    int64_t started;       /* milliseconds of remote_now */
    int64_t not_before;    /* the same: no request before that; -1: a request is under way */
    host_fetch cost;
    CURL *easy;
    struct curl_slist *fields;
} remote_fetch;

/* ---- reachable.c: which servers a request may reach ------------------------------------------------------ */

/* Store the scheme, host and port of a URL, or an empty string if it has none. origin[1024] */
void remote_origin(char *origin, const char *url);

/* Return whether the host of a URL is known not to be public, without asking the name service. */
bool scope_is_special(const char *url);

/* Set the proxy of the next request, and which addresses its connection may reach. Return false if libcurl refuses. */
bool scope_set(remote_fetch *fetch);

/* After a request, record whether the server is public, which decides where it may redirect to. */
void scope_update(remote_fetch *fetch, const remote_hub *hub, CURLcode result);

/* Return the problem as it may be reported. The details of a server that the user did not name, and that is not known
 * to be public, are hidden: otherwise a server that redirects there could explore this machine's network. */
remote_problem scope_reported(const remote_fetch *fetch, const remote_hub *hub, remote_problem problem);

/* Go back to the URL that was named. */
void fetch_rewind(remote_fetch *fetch, const remote_hub *hub);

/* Follow the redirection of the last response. Return REMOTE_FINE, or why it is not followed. */
remote_problem fetch_redirect(remote_fetch *fetch, const remote_hub *hub);

/* ---- fetch.c: the bytes of the file, and the next step ---------------------------------------------------- */

/* Return the time in milliseconds of a clock that never goes back. */
int64_t remote_now(void);

/* Return how many bytes from the beginning of the file are needed, as far as that is known. */
uint64_t fetch_needed(const remote_fetch *fetch);

/* Store bytes of a response's body. Return false if they are wrong, or no more are needed. */
bool fetch_receive(remote_fetch *fetch, const char *bytes, size_t count);

/* Decide what follows a request that ended with this result. Return HOST_FINE if the file is ready in fd, HOST_START if
 * another request is to be made from not_before on, HOST_REMOTE if the file can't be fetched (cost.problem), HOST_READ
 * if it can't be stored (error), or HOST_MEMORY. */
host_problem fetch_step(remote_fetch *fetch, const remote_hub *hub, CURLcode result);

/* ---- http_request.c: the request -------------------------------------------------------------------------- */

/* Set up the next request. Return false if libcurl has no memory. */
bool fetch_prepare(remote_fetch *fetch, const remote_hub *hub);

#endif
