/* http_response.h: the head of a server's response. Every byte of it is a stranger's. */
#ifndef ASSAY_REMOTE_HTTP_RESPONSE_H
#define ASSAY_REMOTE_HTTP_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "remote.h"

#define REMOTE_COMMIT 65 /* SHA-1 or SHA-256 in hexadecimal digits, and a zero byte */

/* What tells one state of a file from the next; empty: the server doesn't say. */
typedef struct {
    char etag[256], modified[64];
    uint64_t written, sent; /* modified and the response's own date, as numbers that grow with them; 0: none */
    uint64_t total;
} remote_state;

/* Why the Hub refuses, by the fields X-Error-Code and X-Error-Message. */
typedef enum {
    HUB_SILENT, /* no reason, or one that is not known here */
    HUB_REPOSITORY,
    HUB_REVISION,
    HUB_ENTRY,
    HUB_GATED,
    HUB_DISABLED,
    HUB_CREDENTIALS
} hub_error;

typedef struct {
    unsigned fields;
    size_t bytes;
    bool ended; /* the head is whole */
    unsigned status;
    bool has_length, has_range, has_total;
    bool bad_length, bad_range;   /* said twice, or no number */
    bool encoded, in_chunks;
    char commit[REMOTE_COMMIT]; /* of the Hub: what it takes the revision for, or empty */
    hub_error error;
    uint64_t length, first, last; /* first, last: of the range */
    remote_state state;           /* total: of the range */
} remote_response;

/* One line of the head, with its end. False: there are too many. */
bool response_line(remote_response *response, const char *line, size_t size);

/* What is wrong with an response of status 200 or 206 to a request for the bytes from first to last. Of a 200 the state's
 * total is set. */
remote_problem response_check(remote_response *response, uint64_t first, uint64_t last);

/* Can a part of the file in this state be asked for, and no other state's be had for it? With what: If-Range. A date
 * does only if it is at least a second old: in the second that it names the file can have changed once more. */
const char *response_validator(const remote_state *state);

/* Is it the same state of the file, as far as the server says? */
bool response_same_state(const remote_state *left, const remote_state *right);

#endif
