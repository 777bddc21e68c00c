/* remote.h: files on servers. Of each the head alone is fetched, or an index of a model, by a process that does nothing
 * else (remote_serve); what it hands over is an open file, of the true size, which is judged as any other. */
#ifndef ASSAY_REMOTE_H
#define ASSAY_REMOTE_H

#include "fetch_result.h"
#include "host.h"

typedef host_fetch_problem remote_problem; /* why a remote file could not be fetched */

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

/* Fetch, in a process of its own, what is requested over the socket (socket_message.h), until that is closed. scope: a
 * remote_scope. */
void remote_serve(int socket, unsigned connections, unsigned scope);

/* Was this program built with libcurl? */
bool remote_built(void);

/* What fetches, as a line for people without its end. */
const char *remote_describe(void);

#endif
