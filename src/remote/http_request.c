/* http_request.c: sets up a request of libcurl. Certificates are always checked; no option of the program changes
 * that. */
#include "posix.h"

#if defined(ASSAY_CURL)

#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>

#include "assay_text.h"
#include "environment.h"
#include "fetch.h"

/* ---- The response ---------------------------------------------------------------------------------------- */

static size_t receive_line(char *line, size_t size, size_t count, void *context)
{
    remote_fetch *fetch = context;
    fetch->cost.bytes += size * count;
    if (response_line(&fetch->response, line, size * count))
        return size * count;
    fetch->problem = REMOTE_HEAD;
    return 0;
}

static size_t receive_body(char *bytes, size_t size, size_t count, void *context)
{
    remote_fetch *fetch = context;
    fetch->cost.bytes += size * count;
    return fetch_receive(fetch, bytes, size * count) ? size * count : 0;
}

/* Limit the memory for what a server sends ahead of what is read. */
static int set_socket(void *context, curl_socket_t socket, curlsocktype kind)
{
    int size = REMOTE_BUFFER;
    (void)context;
    if (kind == CURLSOCKTYPE_IPCXN)
        setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    return CURL_SOCKOPT_OK;
}

/* ---- The request ----------------------------------------------------------------------------------------- */

static bool add_field(remote_fetch *fetch, const char *name, const char *value)
{
    char line[1024];
    int length = snprintf(line, sizeof line, "%s: %s", name, value);
    struct curl_slist *longer =
        length < 0 || (size_t)length >= sizeof line ? NULL : curl.slist_append(fetch->fields, line);
    fetch->fields = longer == NULL ? fetch->fields : longer;
    memset(line, 0, sizeof line);
    return longer != NULL;
}

static bool set_fields(remote_fetch *fetch, const remote_hub *hub)
{
    char bearer[sizeof hub->token + 8];
    curl.slist_free_all(fetch->fields);
    fetch->fields = NULL;
    bool fine = add_field(fetch, "Accept-Encoding", "identity");
    if (fetch->from > 0)
        fine = fine && add_field(fetch, "If-Range", response_validator(&fetch->state));
    if (fetch->trusted && hub->token[0] != '\0') {
        snprintf(bearer, sizeof bearer, "Bearer %s", hub->token);
        fine = fine && add_field(fetch, "Authorization", bearer);
    }
    return fine && curl.easy_setopt(fetch->easy, CURLOPT_HTTPHEADER, fetch->fields) == CURLE_OK;
}

static void set_protocols(CURL *easy)
{
#if LIBCURL_VERSION_NUM >= 0x075500
    curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl.easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/* Set the file of trusted authorities from the environment, as the program curl does. */
static void set_authorities(CURL *easy)
{
    const char *file = environment_get("CURL_CA_BUNDLE");
    file = file != NULL ? file : environment_get("SSL_CERT_FILE");
    if (file != NULL)
        curl.easy_setopt(easy, CURLOPT_CAINFO, file);
}

static void set_bounds(const remote_fetch *fetch)
{
    CURL *easy = fetch->easy;
    int64_t left = fetch->started + REMOTE_SECONDS_MOST * 1000 - remote_now();
    curl.easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)(left < 1 ? 1 : left));
    curl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)REMOTE_CONNECT_SECONDS);
    curl.easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, (long)REMOTE_SLOW_BYTES);
    curl.easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, (long)REMOTE_SLOW_SECONDS);
    curl.easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, set_socket);
}

bool fetch_prepare(remote_fetch *fetch, const remote_hub *hub)
{
    CURL *easy = fetch->easy;
    char range[64];
    bool goes_on = fetch->has_state && response_validator(&fetch->state) != NULL;
    fetch->from = goes_on ? fetch->stored : 0; /* else parts of two states of the file could be joined */
    fetch->to = fetch_needed(fetch);
    if (fetch->to <= fetch->from)
        fetch->to = fetch->from + 1; /* the file is empty: request one byte */
    fetch->response = (remote_response){.fields = 0};
    fetch->checked = fetch->is_enough = false;
    fetch->received = 0;
    fetch->problem = REMOTE_FINE;
    fetch->cost.requests++;
    snprintf(range, sizeof range, "%" PRIu64 "-%" PRIu64, fetch->from, fetch->to - 1);
    curl.easy_reset(easy);
    set_protocols(easy);
    set_authorities(easy);
    set_bounds(fetch);
    curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl.easy_setopt(easy, CURLOPT_FRESH_CONNECT, fetch->retries + fetch->slow_retries > 0 ? 1L : 0L);
    curl.easy_setopt(easy, CURLOPT_HTTP_CONTENT_DECODING, 0L);
    curl.easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl.easy_setopt(easy, CURLOPT_USERAGENT, "assay/" ASSAY_VERSION);
    curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, receive_line);
    curl.easy_setopt(easy, CURLOPT_HEADERDATA, fetch);
    curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive_body);
    curl.easy_setopt(easy, CURLOPT_WRITEDATA, fetch);
    curl.easy_setopt(easy, CURLOPT_PRIVATE, fetch);
    return curl.easy_setopt(easy, CURLOPT_URL, fetch->url) == CURLE_OK &&
           curl.easy_setopt(easy, CURLOPT_RANGE, range) == CURLE_OK && set_fields(fetch, hub) && scope_set(fetch);
}

#else

typedef int remote_nothing; /* ISO C has no empty source file */

#endif
