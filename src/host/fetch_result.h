/* fetch_result.h: how the fetching of a remote file ended: the problem, if there is one, and what it cost. The process
 * that fetches (src/remote/) reports it, and reports of the program show it. */
#ifndef ASSAY_HOST_FETCH_RESULT_H
#define ASSAY_HOST_FETCH_RESULT_H

#include <stdint.h>

/* Why a remote file could not be fetched. */
typedef enum {
    REMOTE_FINE,
    REMOTE_ADDRESS,   /* not an address */
    REMOTE_ENDPOINT,  /* HF_ENDPOINT is not an address */
    REMOTE_PASSWORD,  /* the address contains a user name or password */
    REMOTE_REACH,     /* detail: a CURLcode */
    REMOTE_TLS,       /* detail: a CURLcode */
    REMOTE_LOST,      /* detail: a CURLcode */
    REMOTE_SLOW,
    REMOTE_TIME,
    REMOTE_STATUS,    /* detail: the HTTP status, here and below */
    REMOTE_MISSING,
    REMOTE_DENIED,
    REMOTE_DENIED_HUB, /* by the Hub, without a token; the next are from its header X-Error-Code */
    REMOTE_NO_REPOSITORY,
    REMOTE_NO_REPOSITORY_TOKEN, /* REMOTE_..._TOKEN: the request had a token */
    REMOTE_NO_REVISION,
    REMOTE_GATED,
    REMOTE_GATED_TOKEN,
    REMOTE_DISABLED,
    REMOTE_CREDENTIALS,
    REMOTE_TOKEN_BYTE,   /* the token cannot be sent; detail: its source, here and below */
    REMOTE_TOKEN_LENGTH,
    REMOTE_BUSY,
    REMOTE_LATER,     /* detail: seconds */
    REMOTE_REDIRECTS,
    REMOTE_REDIRECT,  /* to an address that is not fetched */
    REMOTE_DOWNGRADE, /* from https to http */
    REMOTE_INWARD,    /* a redirection from a public address to one that is not public */
    REMOTE_ELSEWHERE, /* the address after a redirection does not provide it; why is not reported */
    REMOTE_NAMED_SPECIAL, /* --public-only, and the address is not public */
    REMOTE_NOT_REACHED, /* --public-only, and no public address responds */
    REMOTE_ENCODED,
    REMOTE_NO_SIZE,
    REMOTE_SIZE,      /* no file is that large */
    REMOTE_NO_RANGE,  /* the server refuses the range */
    REMOTE_RANGE,     /* not the range that was requested, or contradictory */
    REMOTE_LENGTH,    /* not as many bytes as announced */
    REMOTE_HEAD,      /* too many or too long header fields */
    REMOTE_PROTOCOL,  /* detail: a CURLcode */
    REMOTE_CHANGED,
    REMOTE_PIECES,    /* too many requests */
    REMOTE_LARGE,     /* an index that is too large */
    REMOTE_MODEL,     /* the files of the model together reached a limit */
    REMOTE_NO_MODEL,  /* a repository without a model */
    REMOTE_LIBRARY    /* libcurl cannot be loaded */
} host_fetch_problem;

/* The requests for one file. All zero: the file is not remote. */
typedef struct {
    uint32_t requests;
    uint32_t problem, detail; /* with HOST_REMOTE: a host_fetch_problem, and a number that belongs to it */
    uint64_t bytes;           /* received, response headers too */
    uint64_t there;           /* bytes received from the beginning of the file on; the others are read as zeros */
    uint64_t milliseconds;
} host_fetch;

#endif
