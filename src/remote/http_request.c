/* http_request.c: a request as libcurl is to make it. Certificates are always checked: nothing here, and no option
 * of the
 * program, can change that. */
#include "posix.h"

#if defined(ASSAY_CURL)

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "fetch.h"

int64_t remote_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- What comes ------------------------------------------------------------------------------------------ */

static size_t take_line(char *line, size_t size, size_t count, void *context)
{
    remote_fetch *fetch = context;
    fetch->cost.bytes += size * count;
    if (answer_line(&fetch->answer, line, size * count))
        return size * count;
    fetch->wrong = REMOTE_HEAD;
    return 0;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context)
{
    remote_fetch *fetch = context;
    fetch->cost.bytes += size * count;
    return fetch_take(fetch, bytes, size * count) ? size * count : 0;
}

/* What a server sends beyond what is taken waits in the system: not much of it. */
static int set_socket(void *context, curl_socket_t socket, curlsocktype kind)
{
    int size = REMOTE_BUFFER;
    (void)context;
    if (kind == CURLSOCKTYPE_IPCXN)
        setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    return CURL_SOCKOPT_OK;
}

/* ---- What is asked --------------------------------------------------------------------------------------- */

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
        fine = fine && add_field(fetch, "If-Range", answer_proof(&fetch->state));
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

/* As for the program curl: who signs certificates, where the system doesn't know all. */
static void set_authorities(CURL *easy)
{
    const char *file = getenv("CURL_CA_BUNDLE");
    if (file == NULL || file[0] == '\0')
        file = getenv("SSL_CERT_FILE");
    if (file != NULL && file[0] != '\0')
        curl.easy_setopt(easy, CURLOPT_CAINFO, file);
}

static void set_bounds(const remote_fetch *fetch)
{
    CURL *easy = fetch->easy;
    int64_t left = fetch->begun + REMOTE_SECONDS_MOST * 1000 - remote_now();
    curl.easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)(left < 1 ? 1 : left));
    curl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)REMOTE_CONNECT_SECONDS);
    curl.easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, (long)REMOTE_SLOW_BYTES);
    curl.easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, (long)REMOTE_SLOW_SECONDS);
    curl.easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, set_socket);
}

bool fetch_ask(remote_fetch *fetch, const remote_hub *hub)
{
    CURL *easy = fetch->easy;
    char range[64];
    bool goes_on = fetch->known && answer_proof(&fetch->state) != NULL;
    fetch->from = goes_on ? fetch->got : 0; /* without a proof nothing is put together from two answers */
    fetch->to = fetch_want(fetch);
    if (fetch->to <= fetch->from)
        fetch->to = fetch->from + 1; /* of an empty file */
    fetch->answer = (remote_answer){.fields = 0};
    fetch->judged = fetch->enough = false;
    fetch->came = 0;
    fetch->wrong = REMOTE_FINE;
    fetch->cost.requests++;
    snprintf(range, sizeof range, "%" PRIu64 "-%" PRIu64, fetch->from, fetch->to - 1);
    curl.easy_reset(easy);
    set_protocols(easy);
    set_authorities(easy);
    set_bounds(fetch);
    curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl.easy_setopt(easy, CURLOPT_FRESH_CONNECT, fetch->lost + fetch->slow > 0 ? 1L : 0L);
    curl.easy_setopt(easy, CURLOPT_HTTP_CONTENT_DECODING, 0L);
    curl.easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl.easy_setopt(easy, CURLOPT_USERAGENT, "assay/" ASSAY_VERSION);
    curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_line);
    curl.easy_setopt(easy, CURLOPT_HEADERDATA, fetch);
    curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    curl.easy_setopt(easy, CURLOPT_WRITEDATA, fetch);
    curl.easy_setopt(easy, CURLOPT_PRIVATE, fetch);
    return curl.easy_setopt(easy, CURLOPT_URL, fetch->url) == CURLE_OK &&
           curl.easy_setopt(easy, CURLOPT_RANGE, range) == CURLE_OK && set_fields(fetch, hub) && scope_set(fetch);
}

/* ---- Where to -------------------------------------------------------------------------------------------- */

/* A part of a URL, for curl_free; NULL: there is none. */
static char *part(CURLU *url, CURLUPart which)
{
    char *text;
    return curl.url_get(url, which, &text, CURLU_DEFAULT_PORT) == CURLUE_OK ? text : NULL;
}

void remote_origin(char *origin, const char *url)
{
    CURLU *parts = curl.url();
    origin[0] = '\0';
    if (parts != NULL && curl.url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK) {
        char *scheme = part(parts, CURLUPART_SCHEME), *host = part(parts, CURLUPART_HOST);
        char *port = part(parts, CURLUPART_PORT);
        int length = 0;
        if (scheme != NULL && host != NULL && port != NULL)
            length = snprintf(origin, 1024, "%s://%s:%s", scheme, host, port);
        if (length < 0 || length >= 1024)
            origin[0] = '\0';
        for (char *byte = origin; *byte != '\0'; byte++)
            *byte = *byte >= 'A' && *byte <= 'Z' ? (char)(*byte + ('a' - 'A')) : *byte;
        curl.free(scheme);
        curl.free(host);
        curl.free(port);
    }
    curl.url_cleanup(parts);
}

static bool has_password(const char *url)
{
    CURLU *parts = curl.url();
    char *user = NULL, *password = NULL;
    bool fine = parts != NULL && curl.url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK;
    if (fine) {
        user = part(parts, CURLUPART_USER);
        password = part(parts, CURLUPART_PASSWORD);
        fine = user == NULL && password == NULL;
    }
    curl.free(user);
    curl.free(password);
    curl.url_cleanup(parts);
    return !fine;
}

static bool is_scheme(const char *origin, const char *scheme)
{
    return strncmp(origin, scheme, strlen(scheme)) == 0 && origin[strlen(scheme)] == ':';
}

void fetch_return(remote_fetch *fetch, const remote_hub *hub)
{
    char origin[1024];
    strcpy(fetch->url, fetch->first_url);
    remote_origin(origin, fetch->url);
    fetch->trusted = origin[0] != '\0' && strcmp(origin, hub->origin) == 0;
    fetch->redirects = 0;
    scope_return(fetch, hub);
}

remote_problem fetch_follow(remote_fetch *fetch, const remote_hub *hub)
{
    char *to = NULL, before[1024], now[1024];
    curl.easy_getinfo(fetch->easy, CURLINFO_REDIRECT_URL, &to);
    if (to == NULL || strlen(to) >= sizeof fetch->url || has_password(to))
        return REMOTE_REDIRECT;
    remote_origin(before, fetch->url);
    remote_origin(now, to);
    if (!is_scheme(now, "https") && !is_scheme(now, "http"))
        return REMOTE_REDIRECT;
    if (is_scheme(before, "https") && !is_scheme(now, "https"))
        return REMOTE_DOWNGRADE;
    if (fetch->guarded && scope_is_special(to))
        return REMOTE_INWARD;
    if (++fetch->redirects > REMOTE_REDIRECTS_MOST)
        return REMOTE_REDIRECTS;
    fetch->trusted = fetch->trusted && strcmp(now, hub->origin) == 0;
    strcpy(fetch->url, to);
    return REMOTE_FINE;
}

#else

typedef int remote_nothing; /* a file can't be empty */

#endif
