/* remote.h: judge a safetensors file on a server, and fetch only its head. examples/remote_curl.c and
 * examples/remote_socket.c share this code. They are the transports; this file reads the HTTP response, and requests
 * again while assay_measure needs more.
 *
 * Parts of two responses are never joined, because the file may have changed between them. The first response mostly
 * brings enough; otherwise the next brings the whole head. Everything is bounded: the responses, the seconds for
 * each request, the bytes before a body, and the body: 64 KiB, or the head that assay_measure requests. The size of
 * the file is what the server states: if the server lies, the file it describes is judged.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "assay.h"

#define REMOTE_GUESS 65536 /* bytes of the first request: few files have a longer head */
#define REMOTE_FIELDS 65536 /* bytes before the body, including those of redirects and errors */
#define REMOTE_ANSWERS 3
#ifndef REMOTE_SECONDS
#define REMOTE_SECONDS 60
#endif

/* A response, as far as it has come. */
typedef struct {
    uint8_t *head;       /* the file's first bytes */
    uint64_t want, size; /* requested, received */
    uint64_t file_size;  /* ASSAY_NONE: not stated by the server */
    uint64_t fields;     /* bytes of the status line and the header fields */
    uint64_t moved;      /* bytes of all responses */
    unsigned status;     /* of HTTP; 0: none yet */
    const char *fault;   /* what is wrong with it; NULL: nothing so far */
} remote;

/* Return the decimal number at *at, and move *at after it. */
static bool remote_number(const char **at, uint64_t *value)
{
    const char *begin = *at;
    for (*value = 0; **at >= '0' && **at <= '9'; ++*at) {
        if (*value >= UINT64_MAX / 10) {
            return false;
        }
        *value = *value * 10 + (uint64_t)(**at - '0');
    }
    return *at > begin;
}

/* Parse Content-Range: "bytes 0-LAST/SIZE", or for an empty file, which has no range, "bytes * /0" with status 416. */
static bool remote_range(remote *r, const char *at)
{
    uint64_t last = 0;
    bool empty = r->status == 416;
    if (strncasecmp(at, empty ? "bytes */" : "bytes 0-", 8) != 0) {
        return false;
    }
    at += 8;
    if (!empty && (!remote_number(&at, &last) || *at++ != '/')) {
        return false;
    }
    return remote_number(&at, &r->file_size) && (empty ? r->file_size == 0 : last < r->file_size);
}

/* Read one line before the body. False: stop this response. */
static bool remote_line(remote *r, const char *line, size_t length)
{
    char text[256] = "";
    memcpy(text, line, length < sizeof text ? length : sizeof text - 1);
    const char *value = text + strcspn(text, ": \t");
    value += strspn(value, ": \t");
    uint64_t told = r->file_size;
    r->fields += length;
    r->moved += length;
    if (strncmp(text, "HTTP/", 5) == 0) { /* a new response begins: an earlier one, a redirect, does not count */
        r->size = 0;
        r->file_size = ASSAY_NONE;
        r->fault = NULL;
        r->status = (unsigned)strtoul(value, NULL, 10);
        told = ASSAY_NONE;
    } else if (strncasecmp(text, "content-range:", 14) == 0 && (r->status == 206 || r->status == 416)) {
        r->fault = remote_range(r, value) ? r->fault : "the server sends a different range, or none";
    } else if (strncasecmp(text, "content-length:", 15) == 0 && r->status == 200) {
        r->fault = remote_number(&value, &r->file_size) ? r->fault : "the server says a length that is none";
    } else if (strncasecmp(text, "content-encoding:", 17) == 0 && strncasecmp(value, "identity", 8) != 0) {
        r->fault = "the server encodes the file, though nobody asked for that";
    }
    if (told != ASSAY_NONE && told != r->file_size) {
        r->fault = "the server says two lengths";
    }
    return r->fields <= REMOTE_FIELDS;
}

/* Return whether the body of this response is that of the file, not of a redirect or an error. */
static bool remote_given(const remote *r)
{
    return r->status == 200 || r->status == 206;
}

/* Return how many bytes of the file are still to come, if it is worth waiting for them. */
static uint64_t remote_left(const remote *r)
{
    uint64_t all = r->want < r->file_size ? r->want : r->file_size;
    bool worth = remote_given(r) && r->fault == NULL && r->file_size != ASSAY_NONE;
    return worth && r->size < all ? all - r->size : 0;
}

/* Read a part of the body. False: stop this response. */
static bool remote_body(remote *r, const void *bytes, size_t length)
{
    uint64_t room = r->want - r->size, taken = length < room ? length : room;
    r->moved += length;
    if (!remote_given(r)) {
        r->fields += length;
        return r->fields <= REMOTE_FIELDS;
    }
    memcpy(r->head + r->size, bytes, (size_t)taken);
    r->size += taken;
    return length <= room;
}

/* After a response: return why it is not the requested head; NULL: it is. failed: the error of the transport. */
static const char *remote_fault(const remote *r, const char *failed)
{
    bool empty = r->status == 416 && r->file_size == 0;
    if (!remote_given(r) && !empty) {
        return failed != NULL && r->fields <= REMOTE_FIELDS ? failed : "the server did not send the file";
    }
    if (r->fault != NULL || r->fields > REMOTE_FIELDS) {
        return r->fault != NULL ? r->fault : "the server's header fields do not end";
    }
    if (r->file_size == ASSAY_NONE && (failed == NULL || r->size > 0)) {
        return "the server does not report the size of the file";
    }
    if (r->file_size != ASSAY_NONE && remote_left(r) == 0) {
        return NULL;
    }
    return failed != NULL ? failed : "the answer ends too early";
}

static void *remote_memory(void *old, uint64_t size)
{
    void *memory = realloc(old, (size_t)size + 1);
    if (memory == NULL) {
        exit(2);
    }
    return memory;
}

/* Fetch a head and judge it. fetch requests the file's first r->want bytes, and passes each line before the body to
 * remote_line and the body to remote_body, until one returns false. It returns what failed, or NULL. */
static int remote_judge(const char *(*fetch)(void *transport, remote *r), void *transport)
{
    remote r = {NULL, REMOTE_GUESS, 0, ASSAY_NONE, 0, 0, 0, NULL};
    assay_input input;
    assay_result result;
    assay_status status = ASSAY_NEED_MORE;
    for (int answers = 0; status == ASSAY_NEED_MORE; answers++) {
        r.head = remote_memory(r.head, r.want);
        r = (remote){r.head, r.want, 0, ASSAY_NONE, 0, r.moved, 0, NULL};
        const char *failed = fetch(transport, &r);
        const char *fault = answers < REMOTE_ANSWERS ? remote_fault(&r, failed) : "the file changes all the time";
        if (fault != NULL) {
            printf("not judged: %s (HTTP status %u, %" PRIu64 " bytes came)\n", fault, r.status, r.moved);
            free(r.head);
            return 2;
        }
        input = (assay_input){r.head, r.size, r.file_size};
        status = assay_measure(&input, NULL, &result);
        r.want = status == ASSAY_NEED_MORE ? result.need.head : r.want;
    }
    if (status == ASSAY_OK) {
        const assay_need need = result.need;
        assay_workspace memory = {remote_memory(NULL, need.entries * sizeof(assay_entry)), need.entries,
                                  remote_memory(NULL, need.words * sizeof(uint32_t)), need.words};
        status = assay_validate(&input, NULL, &memory, &result);
        free(memory.entry);
        free(memory.word);
    }
    free(r.head);
    if (status == ASSAY_OK) {
        printf("valid: %" PRIu64 " tensors, file of %" PRIu64 " bytes, of which", result.need.tensors, r.file_size);
    } else {
        printf("%s: status %" PRIu32 " at byte %" PRIu64 ",",
               status >= ASSAY_E_FIRST ? "invalid" : "not judged", status, result.error.offset);
    }
    printf(" %" PRIu64 " bytes came\n", r.moved);
    return status == ASSAY_OK ? 0 : status >= ASSAY_E_FIRST ? 1 : 2;
}
