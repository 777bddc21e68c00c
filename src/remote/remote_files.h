/* remote_files.h: files on servers. A process that does nothing else (remote_serve) fetches the head of a file, or the
 * whole index of a model. It passes an open file that has the size of the remote file, and is judged like a local
 * one. */
#ifndef ASSAY_REMOTE_FILES_H
#define ASSAY_REMOTE_FILES_H

#include "fetch_result.h"
#include "host.h"

typedef host_fetch_problem remote_problem; /* why a remote file could not be fetched */

/* ---- remote_address.c: addresses ------------------------------------------------------------------------- */

typedef enum {
    REMOTE_NONE,       /* a path on this machine */
    REMOTE_FILE,
    REMOTE_INDEX,      /* the index of a model */
    REMOTE_REPOSITORY  /* hf://OWNER/MODEL */
} remote_kind;

/* Return what an address names. */
remote_kind remote_kind_of(const char *address);

/* Split the address of an index into its folder with a slash, its name, and its query, which is empty or begins with ?.
 * Of a repository, the name is that of its index. Each result needs 40 bytes more than the length of the address. */
void remote_split(const char *address, remote_kind kind, char *folder, char *name, char *query);

/* A request for a file: an address, or the beginning of one, a path below it, and a query. as_it_is: the path is a part
 * of a URL and already escaped. Otherwise, and for the Hub, it will be escaped. */
typedef struct {
    const char *base, *path, *query;
    bool as_it_is;
} remote_name;

/* Store the URL of a file. endpoint: of the Hub; revision: replaces the one that is named, unless it is NULL. Return
 * REMOTE_FINE, or why there is no such URL. url[REMOTE_ADDRESS_MOST] */
remote_problem remote_url(char *url, const remote_name *name, const char *endpoint, const char *revision);

/* ---- credentials.c: the user's settings for the Hub -------------------------------------------------------- */

/* Return the URL of the Hub, without a slash at its end. */
const char *remote_endpoint(void);

/* Store the user's token, from HF_TOKEN, HUGGING_FACE_HUB_TOKEN, HF_TOKEN_PATH, $HF_HOME/token or
 * ~/.cache/huggingface/token, or an empty string if there is none. *source is for remote_token_source. Return
 * REMOTE_FINE, or REMOTE_TOKEN_BYTE or REMOTE_TOKEN_LENGTH if the token can't be sent. token[room] */
remote_problem remote_token(char *token, size_t room, uint32_t *source);

/* Return the name of the variable or file that a token is from. */
const char *remote_token_source(uint32_t number);

#define REMOTE_TOKEN_ROOM 512 /* bytes, with the zero byte after the token */

/* ---- fetch_problem.c: messages --------------------------------------------------------------------------- */

/* Store the message for a problem. It contains no text of the server. text[room] */
void remote_explain(const host_fetch *fetch, char *text, size_t room);

/* ---- fetch_server.c: the process that fetches ------------------------------------------------------------ */

/* Which servers may be reached. */
typedef enum {
    REMOTE_SCOPE_NAMED,  /* those that the user names; a redirection from a public address leads to public ones only */
    REMOTE_SCOPE_PUBLIC, /* public addresses only */
    REMOTE_SCOPE_ANY     /* all, wherever a redirection leads */
} remote_scope;

/* Fetch the files that are requested over the socket (socket_message.h), until it is closed. To be called in a process
 * of its own. connections: how many there may be at once; scope: a remote_scope. */
void remote_serve(int socket, unsigned connections, unsigned scope);

/* Return whether this program was built with libcurl. */
bool remote_built(void);

/* Return a description of what fetches, for --version. */
const char *remote_describe(void);

#endif
