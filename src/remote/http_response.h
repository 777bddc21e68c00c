/* http_response.h: the head of a server's response. None of its bytes is trusted. */
#ifndef ASSAY_REMOTE_HTTP_RESPONSE_H
#define ASSAY_REMOTE_HTTP_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "remote_files.h"

#define REMOTE_COMMIT 65 /* SHA-1 or SHA-256 in hexadecimal digits, and a zero byte */

/* What identifies a state of a file that may change on the server. A string is empty if the server does not send it. */
typedef struct {
    char etag[256], modified[64];
    uint64_t written; /* a number that grows with `modified`; 0: unknown */
    uint64_t sent;    /* the same of the date of the response */
    uint64_t total;
} remote_state;

/* Why the Hub refuses a file, from the fields X-Error-Code and X-Error-Message. */
typedef enum {
    HUB_SILENT, /* no reason, or an unknown one */
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
    bool ended; /* the head is complete */
    unsigned status;
    bool has_length, has_range, has_total;
    bool bad_length, bad_range;   /* contradictory or malformed */
    bool encoded, in_chunks;
    char commit[REMOTE_COMMIT]; /* the Hub's commit for the revision, or empty */
    hub_error error;
    uint64_t length;
    uint64_t first, last; /* bytes of the range, both included */
    remote_state state;   /* its total is that of the range */
} remote_response;

/* Read a line of the head, with its line end; size is at least 1. Return false if there are too many lines or bytes. */
bool response_line(remote_response *response, const char *line, size_t size);

/* Check the head of a response of status 200 or 206 to a request for the bytes from first to last, both included.
 * Return REMOTE_FINE or the problem. The total of the state is set. */
remote_problem response_check(remote_response *response, uint64_t first, uint64_t last);

/* Return the value of If-Range with which a server sends a part of the file in this state only, or NULL if there is
 * none. A date is one only if the response was sent at least a second later, because the file may change twice in a
 * second. */
const char *response_validator(const remote_state *state);

/* Return whether two states are the same, by what the server sent. */
bool response_same_state(const remote_state *left, const remote_state *right);

#endif
