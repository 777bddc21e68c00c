/* remote.h: files on servers. Of each the head alone is fetched, or an index of a model, by a process that does nothing
 * else (remote_serve); what it hands over is an open file, of the true size, which is judged as any other. */
#ifndef ASSAY_REMOTE_H
#define ASSAY_REMOTE_H

#include "host.h"

/* Why a file could not be had: host_fetch.problem, with HOST_REMOTE. */
typedef enum {
    REMOTE_FINE,
    REMOTE_ADDRESS,   /* it is no address */
    REMOTE_ENDPOINT,  /* HF_ENDPOINT is none */
    REMOTE_PASSWORD,  /* it holds a user's name or password */
    REMOTE_REACH,     /* detail: a CURLcode */
    REMOTE_TLS,       /* detail: a CURLcode */
    REMOTE_LOST,      /* detail: a CURLcode */
    REMOTE_SLOW,
    REMOTE_TIME,
    REMOTE_STATUS,    /* detail: the status, here and below */
    REMOTE_MISSING,
    REMOTE_DENIED,
    REMOTE_DENIED_HUB, /* by the Hub, without a token; see hub_error for those that follow */
    REMOTE_NO_REPOSITORY,
    REMOTE_NO_REPOSITORY_TOKEN, /* the request had a token, here and below */
    REMOTE_NO_REVISION,
    REMOTE_GATED,
    REMOTE_GATED_TOKEN,
    REMOTE_DISABLED,
    REMOTE_CREDENTIALS,
    REMOTE_TOKEN_BYTE,   /* the token can't be sent; detail: its source, here and below */
    REMOTE_TOKEN_LENGTH,
    REMOTE_BUSY,
    REMOTE_LATER,     /* detail: seconds */
    REMOTE_REDIRECTS,
    REMOTE_REDIRECT,  /* to what isn't fetched */
    REMOTE_DOWNGRADE, /* from https to http */
    REMOTE_INWARD,    /* a redirection from a public address to one that is not */
    REMOTE_ELSEWHERE, /* it can't be had where a redirection led; why is not reported */
    REMOTE_NAMED_SPECIAL, /* --public-only, and the address that was named is not public */
    REMOTE_NOT_REACHED, /* --public-only, and there is no public address, or nothing there */
    REMOTE_ENCODED,
    REMOTE_NO_SIZE,
    REMOTE_SIZE,      /* no file is that long */
    REMOTE_NO_RANGE,  /* the range is refused */
    REMOTE_RANGE,     /* it isn't what was asked for, or contradicts itself */
    REMOTE_LENGTH,    /* what came isn't as long as it was said to be */
    REMOTE_HEAD,      /* too many or too long fields */
    REMOTE_PROTOCOL,  /* detail: a CURLcode */
    REMOTE_CHANGED,
    REMOTE_PIECES,    /* too many requests */
    REMOTE_LARGE,     /* an index */
    REMOTE_MODEL,     /* files of it have cost too much */
    REMOTE_NO_MODEL,  /* a repository without one */
    REMOTE_LIBRARY    /* libcurl can't be loaded */
} remote_problem;

/* ---- remote_address.c: what the user names ---------------------------------------------------------------------- */

typedef enum {
    REMOTE_NONE,       /* a path on this machine */
    REMOTE_FILE,
    REMOTE_INDEX,      /* of a model */
    REMOTE_REPOSITORY  /* hf://OWNER/MODEL */
} remote_kind;

remote_kind remote_kind_of(const char *address);

/* An index as a folder's name, its own name in it, and the query: "" or from ? on. Of a repository the name is that of
 * an index. Room: as long as the address and 40. */
void remote_split(const char *address, remote_kind kind, char *folder, char *name, char *query);

/* What a process that fetches is asked for: an address, or (with a path behind it) the beginning of one and what comes
 * at its end. as_it_is: the path is a piece of the address, where escapes stand already (but for the Hub); else it is
 * escaped. */
typedef struct {
    const char *base, *path, *query;
    bool as_it_is;
} remote_name;

/* The URL of a file. endpoint: that of the Hub; revision: in place of the one that is named, or NULL.
 * url[REMOTE_ADDRESS_MOST] */
remote_problem remote_url(char *url, const remote_name *name, const char *endpoint, const char *revision);

/* ---- credentials.c: the Hub, as its users set it up -------------------------------------------------------------- */

/* Without / at its end. */
const char *remote_endpoint(void);

/* The user's token, from HF_TOKEN, HUGGING_FACE_HUB_TOKEN, HF_TOKEN_PATH, $HF_HOME/token or ~/.cache/huggingface/token.
 * token[room]: empty if there is none. *source: for remote_token_source. REMOTE_TOKEN_BYTE, REMOTE_TOKEN_LENGTH: there
 * is one, which can't be sent. */
remote_problem remote_token(char *token, size_t room, uint32_t *source);

/* The variable or file that the number of a source means, in words. */
const char *remote_token_source(uint32_t number);

#define REMOTE_TOKEN_ROOM 512 /* bytes, the zero byte after the token too */

/* ---- fetch_problem.c ------------------------------------------------------------------------------------------ */

/* In words, of which none is the server's. text[room] */
void remote_explain(const host_fetch *fetch, char *text, size_t room);

/* ---- fetch_server.c --------------------------------------------------------------------------------------------- */

/* Which servers may be asked. */
typedef enum {
    REMOTE_SCOPE_NAMED,  /* whatever the user names; a redirection from a public address leads to public ones alone */
    REMOTE_SCOPE_PUBLIC, /* public addresses alone */
    REMOTE_SCOPE_ANY     /* wherever a redirection leads */
} remote_scope;

/* In a process of its own: fetches what it is asked for over the socket (wire.h), until that is closed. scope: a
 * remote_scope. */
void remote_serve(int socket, unsigned connections, unsigned scope);

/* Was this program built with libcurl? */
bool remote_built(void);

/* What fetches, as a line for people without its end. */
const char *remote_describe(void);

#endif
