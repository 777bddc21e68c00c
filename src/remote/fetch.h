/* fetch.h: one file that is being fetched: a few requests, one after the other. */
#ifndef ASSAY_REMOTE_FETCH_H
#define ASSAY_REMOTE_FETCH_H

#include "http_response.h"
#include "fetch_limits.h"
#include "libcurl_load.h"
#include "remote.h"

/* Who may be told the token: whoever answers at the endpoint's scheme, host and port. */
typedef struct {
    char endpoint[1024], origin[1024]; /* "https://huggingface.co:443"; empty: nobody */
    char token[REMOTE_TOKEN_ROOM];     /* or empty */
    remote_problem wrong;              /* with the token; REMOTE_FINE: nothing */
    uint32_t source;                   /* of the token */
    remote_scope scope;                /* which servers may be asked, whoever they are */
} remote_hub;

typedef struct {
    bool busy;
    uint64_t id; /* whoever asked for it knows it by that */
    bool whole;  /* all of it is wanted: an index */
    char first_url[REMOTE_ADDRESS_MOST], url[REMOTE_ADDRESS_MOST]; /* as asked for, and where redirections led */
    char base[REMOTE_ADDRESS_MOST], commit[REMOTE_COMMIT]; /* see remote_name, remote_answer */
    bool trusted;     /* it began at the Hub, and no redirection has left it */
    unsigned redirects;
    bool guarded;   /* only public addresses may be connected to: see reachable.c */
    bool proxied;   /* the request goes through a proxy, whose address is the user's */
    bool is_public; /* what came last is from a server whose own address was seen, and is public */

    int fd;               /* what there is of it: bytes [0, got) */
    uint64_t got;
    uint8_t start[8];
    bool known;           /* its state is */
    remote_state state;

    uint64_t from, to;    /* the range that was asked for: to is behind it */
    remote_answer answer;
    bool judged, enough;  /* the answer's head was looked at; there is no need for the rest of the body */
    uint64_t came;        /* bytes of the body */
    remote_problem wrong; /* with the answer */
    bool broken;          /* fd can't be written: see error */
    int error;

    unsigned anew, slow;
    unsigned lost; /* since there was progress */
    int64_t begun, again; /* milliseconds; again: no request before that */
    host_fetch cost;
    CURL *easy;
    struct curl_slist *fields;
} remote_fetch;

/* The last models of the Hub whose index was fetched: their shards come from the same commit, whatever is pushed to the
 * branch meanwhile. */
#define REMOTE_PINS 64u

typedef struct {
    char base[512], commit[REMOTE_COMMIT];
} remote_pin;

/* Milliseconds of a clock that never goes back. */
int64_t remote_now(void);

/* ---- byte_range.c: the file ----------------------------------------------------------------------------------- */

/* How many bytes from its beginning on are needed; no more than is known so far, or than the file has. */
uint64_t fetch_want(const remote_fetch *fetch);

/* Forgets what there is of it. */
bool fetch_empty(remote_fetch *fetch);

/* Keeps bytes of the body; false: they are wrong, or there is no need for more. */
bool fetch_take(remote_fetch *fetch, const char *bytes, size_t count);

/* Makes it as long as the file on the server, and immutable. */
bool fetch_seal(remote_fetch *fetch);

/* ---- http_request.c: libcurl's part --------------------------------------------------------------------------- */

/* Sets the next request. */
bool fetch_ask(remote_fetch *fetch, const remote_hub *hub);

/* Back to the address as it was named. */
void fetch_return(remote_fetch *fetch, const remote_hub *hub);

/* Follows a redirection. */
remote_problem fetch_follow(remote_fetch *fetch, const remote_hub *hub);

/* The scheme, host and port of a URL; empty: it has none. origin[1024] */
void remote_origin(char *origin, const char *url);

/* ---- reachable.c: which servers a request may reach ----------------------------------------------------------- */

/* Is the URL's host known not to be public, without a look at the name service? */
bool scope_is_special(const char *url);

/* Sets the proxy of the next request, and what its connection may lead to. */
bool scope_set(remote_fetch *fetch);

/* After a request: is the server public, and so, where may it redirect to? */
void scope_learn(remote_fetch *fetch, const remote_hub *hub, CURLcode result);

/* Back to the address as it was named. */
void scope_return(remote_fetch *fetch, const remote_hub *hub);

/* The problem as it is reported. Of a server that the user did not name, and that is not known to be public, nothing
 * is: else whoever sends there could find out what there is in this machine's network. */
remote_problem scope_problem(const remote_fetch *fetch, const remote_hub *hub, remote_problem problem);

/* ---- fetch_steps.c: what comes after a request ------------------------------------------------------------------- */

/* HOST_FINE: the file is there; HOST_REMOTE: it can't be had, and why stands in cost; HOST_START: again, not before
 * fetch->again. Others: see error. */
host_problem fetch_next(remote_fetch *fetch, const remote_hub *hub, CURLcode result);

#endif
