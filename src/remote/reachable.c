/* reachable.c: which servers a request may reach. The address that counts is the one that a socket is connected to,
 * whatever its name resolves to before or after; of a request through a proxy only its URL is known. */
#include "posix.h"

#if defined(ASSAY_CURL)

#include <string.h>
#include <sys/socket.h>

#include "fetch.h"
#include "ip_range.h"
#include "proxy.h"

/* The scheme and the host of a URL, the host without brackets. scheme[16], host[256]; false: it has none. */
static bool take_apart(char *scheme, char *host, const char *url)
{
    CURLU *parts = curl.url();
    char *first = NULL, *second = NULL;
    bool fine = parts != NULL && curl.url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK &&
                curl.url_get(parts, CURLUPART_SCHEME, &first, 0) == CURLUE_OK &&
                curl.url_get(parts, CURLUPART_HOST, &second, 0) == CURLUE_OK && strlen(first) < 16 &&
                strlen(second) < 256;
    if (fine) {
        size_t length = strlen(second);
        bool brackets = length > 2 && second[0] == '[' && second[length - 1] == ']';
        strcpy(scheme, first);
        memcpy(host, second + brackets, length - 2 * brackets);
        host[length - 2 * brackets] = '\0';
    }
    curl.free(first);
    curl.free(second);
    curl.url_cleanup(parts);
    return fine;
}

bool scope_is_special(const char *url)
{
    char scheme[16], host[256];
    if (!take_apart(scheme, host, url))
        return true;
    return ip_host_is_special(host, proxy_find(scheme, host) != NULL);
}

/* ---- While it connects ----------------------------------------------------------------------------------- */

static curl_socket_t open_socket(void *context, curlsocktype kind, struct curl_sockaddr *to)
{
    (void)context;
    if (kind != CURLSOCKTYPE_IPCXN || ip_kind_of_socket(&to->addr, to->addrlen) != IP_PUBLIC)
        return CURL_SOCKET_BAD;
    return socket(to->family, to->socktype, to->protocol);
}

#if LIBCURL_VERSION_NUM >= 0x075000
/* A connection that is there already may have been made for a request that could go anywhere. */
static int before_request(void *context, char *to, char *from, int to_port, int from_port)
{
    (void)context, (void)from, (void)to_port, (void)from_port;
    return ip_kind_of_host(to) == IP_PUBLIC ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}
#endif

/* Is each connection judged before a request goes over it, one that is there already too? */
static bool judge_connections(CURL *easy)
{
#if LIBCURL_VERSION_NUM >= 0x075000
    if (curl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, before_request) == CURLE_OK)
        return true;
#endif
    return curl.easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L) == CURLE_OK;
}

bool scope_set(remote_fetch *fetch)
{
    CURL *easy = fetch->easy;
    char scheme[16], host[256];
    const char *proxy = take_apart(scheme, host, fetch->url) ? proxy_find(scheme, host) : NULL;
    fetch->proxied = proxy != NULL;
    fetch->is_public = false;
    bool fine = curl.easy_setopt(easy, CURLOPT_PROXY, proxy == NULL ? "" : proxy) == CURLE_OK &&
                curl.easy_setopt(easy, CURLOPT_NOPROXY, "") == CURLE_OK;
    if (!fetch->guarded || fetch->proxied)
        return fine;
    return fine && curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket) == CURLE_OK &&
           judge_connections(easy);
}

/* ---- After it -------------------------------------------------------------------------------------------- */

/* Does this come from a server that is connected? */
static bool is_of_connection(CURLcode result)
{
    return result == CURLE_PEER_FAILED_VERIFICATION || result == CURLE_SSL_ISSUER_ERROR ||
           result == CURLE_SSL_CONNECT_ERROR || result == CURLE_GOT_NOTHING || result == CURLE_RECV_ERROR ||
           result == CURLE_SEND_ERROR;
}

void scope_learn(remote_fetch *fetch, const remote_hub *hub, CURLcode result)
{
    char *from = NULL;
    bool answered = fetch->answer.fields > 0;
    ip_kind kind = answered ? IP_NONE : IP_SPECIAL; /* IP_NONE: it is not known whose answer it is */
    if (fetch->proxied)
        kind = scope_is_special(fetch->url) ? IP_SPECIAL : kind;
    else if (answered && curl.easy_getinfo(fetch->easy, CURLINFO_PRIMARY_IP, &from) == CURLE_OK && from != NULL)
        kind = ip_kind_of_host(from);
    else if (fetch->guarded && is_of_connection(result))
        kind = IP_PUBLIC;
    fetch->is_public = kind == IP_PUBLIC;
    fetch->guarded = fetch->guarded || (kind != IP_SPECIAL && hub->scope != REMOTE_SCOPE_ANY);
}

void scope_return(remote_fetch *fetch, const remote_hub *hub)
{
    fetch->guarded = hub->scope == REMOTE_SCOPE_PUBLIC;
}

/* ---- What is reported ------------------------------------------------------------------------------------ */

/* Did a redirection lead to another server than the one that was named? */
static bool is_elsewhere(const remote_fetch *fetch)
{
    char named[1024], now[1024];
    if (fetch->redirects == 0)
        return false;
    remote_origin(named, fetch->first_url);
    remote_origin(now, fetch->url);
    return strcmp(named, now) != 0;
}

remote_problem scope_problem(const remote_fetch *fetch, const remote_hub *hub, remote_problem problem)
{
    if (fetch->is_public)
        return problem;
    if (is_elsewhere(fetch))
        return REMOTE_ELSEWHERE;
    bool silent = problem == REMOTE_REACH || problem == REMOTE_LOST || problem == REMOTE_SLOW || problem == REMOTE_TIME;
    return silent && hub->scope == REMOTE_SCOPE_PUBLIC && !fetch->proxied ? REMOTE_NOT_REACHED : problem;
}

#else

typedef int remote_nothing; /* a file can't be empty */

#endif
