/* reachable.c: which servers a request may reach, and which redirections are followed. The address that counts is the
 * one that a socket is connected to, whatever the name resolves to before or after. Of a request through a proxy, only
 * the URL is known. */
#include "posix.h"

#if defined(ASSAY_CURL)

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "fetch.h"
#include "ip_range.h"
#include "proxy.h"

/* ---- URLs ------------------------------------------------------------------------------------------------- */

/* Return a part of a URL, to be freed by curl.free, or NULL if there is none. */
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

/* Return whether a URL contains a user name or a password, or can't be parsed. */
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

/* Store the scheme and the host of a URL, the host without brackets. Return false if it has none, or they are too long.
 * scheme[16], host[256] */
static bool split_url(char *scheme, char *host, const char *url)
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
    if (!split_url(scheme, host, url))
        return true;
    return ip_host_is_special(host, proxy_find(scheme, host) != NULL);
}

/* ---- Before a request ------------------------------------------------------------------------------------ */

/* Refuse to connect to an address that is not public. */
static curl_socket_t open_socket(void *context, curlsocktype kind, struct curl_sockaddr *to)
{
    (void)context;
    if (kind != CURLSOCKTYPE_IPCXN || ip_kind_of_socket(&to->addr, to->addrlen) != IP_PUBLIC)
        return CURL_SOCKET_BAD;
    return socket(to->family, to->socktype, to->protocol);
}

#if LIBCURL_VERSION_NUM >= 0x075000
/* Refuse to use an open connection to an address that is not public: an earlier request was allowed to make it. */
static int before_request(void *context, char *to, char *from, int to_port, int from_port)
{
    (void)context, (void)from, (void)to_port, (void)from_port;
    return ip_kind_of_host(to) == IP_PUBLIC ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}
#endif

/* Make libcurl check each connection before it uses it, or open a new one for each request if it is too old for
 * that. */
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
    const char *proxy = split_url(scheme, host, fetch->url) ? proxy_find(scheme, host) : NULL;
    fetch->proxied = proxy != NULL;
    fetch->is_public = false;
    bool fine = curl.easy_setopt(easy, CURLOPT_PROXY, proxy == NULL ? "" : proxy) == CURLE_OK &&
                curl.easy_setopt(easy, CURLOPT_NOPROXY, "") == CURLE_OK;
    if (!fetch->guarded || fetch->proxied)
        return fine;
    return fine && curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket) == CURLE_OK &&
           judge_connections(easy);
}

/* ---- After a request ------------------------------------------------------------------------------------- */

/* Return whether this error occurs only after a connection was made. */
static bool is_of_connection(CURLcode result)
{
    return result == CURLE_PEER_FAILED_VERIFICATION || result == CURLE_SSL_ISSUER_ERROR ||
           result == CURLE_SSL_CONNECT_ERROR || result == CURLE_GOT_NOTHING || result == CURLE_RECV_ERROR ||
           result == CURLE_SEND_ERROR;
}

void scope_update(remote_fetch *fetch, const remote_hub *hub, CURLcode result)
{
    char *from = NULL;
    bool responded = fetch->response.fields > 0;
    ip_kind kind = responded ? IP_NONE : IP_SPECIAL; /* IP_NONE: the server's address is unknown */
    if (fetch->proxied)
        kind = scope_is_special(fetch->url) ? IP_SPECIAL : kind;
    else if (responded && curl.easy_getinfo(fetch->easy, CURLINFO_PRIMARY_IP, &from) == CURLE_OK && from != NULL)
        kind = ip_kind_of_host(from);
    else if (fetch->guarded && is_of_connection(result))
        kind = IP_PUBLIC;
    fetch->is_public = kind == IP_PUBLIC;
    fetch->guarded = fetch->guarded || (kind != IP_SPECIAL && hub->scope != REMOTE_SCOPE_ANY);
}

/* ---- Redirections ----------------------------------------------------------------------------------------- */

void fetch_rewind(remote_fetch *fetch, const remote_hub *hub)
{
    char origin[1024];
    strcpy(fetch->url, fetch->named_url);
    remote_origin(origin, fetch->url);
    fetch->trusted = origin[0] != '\0' && strcmp(origin, hub->origin) == 0;
    fetch->redirects = 0;
    fetch->guarded = hub->scope == REMOTE_SCOPE_PUBLIC;
}

remote_problem fetch_redirect(remote_fetch *fetch, const remote_hub *hub)
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

/* ---- What is reported ------------------------------------------------------------------------------------ */

/* Return whether a redirection led to another server than the one that was named. */
static bool is_elsewhere(const remote_fetch *fetch)
{
    char named[1024], now[1024];
    if (fetch->redirects == 0)
        return false;
    remote_origin(named, fetch->named_url);
    remote_origin(now, fetch->url);
    return strcmp(named, now) != 0;
}

remote_problem scope_reported(const remote_fetch *fetch, const remote_hub *hub, remote_problem problem)
{
    if (fetch->is_public)
        return problem;
    if (is_elsewhere(fetch))
        return REMOTE_ELSEWHERE;
    bool silent = problem == REMOTE_REACH || problem == REMOTE_LOST || problem == REMOTE_SLOW || problem == REMOTE_TIME;
    return silent && hub->scope == REMOTE_SCOPE_PUBLIC && !fetch->proxied ? REMOTE_NOT_REACHED : problem;
}

#else

typedef int remote_nothing; /* ISO C has no empty source file */

#endif
