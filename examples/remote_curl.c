/* Judge a safetensors file at an address with libcurl, before it is downloaded.
 * cc -Iinclude examples/remote_curl.c build/libassay.a -lcurl */
#include <curl/curl.h>

#include "remote.h"

#define REDIRECTS 5

/* A callback that returns another number than it got ends the transfer. */
static size_t on_line(char *line, size_t one, size_t length, void *r)
{
    return remote_line(r, line, one * length) ? length : 0;
}

static size_t on_body(char *bytes, size_t one, size_t length, void *r)
{
    return remote_body(r, bytes, one * length) ? length : 0;
}

/* Redirects are followed here: libcurl itself would read their bodies, however long. From https they lead only to
 * https. */
static const char *fetch(void *curl, remote *r)
{
    char range[32], *next = NULL, *scheme = NULL;
    snprintf(range, sizeof range, "0-%" PRIu64, r->want - 1);
    curl_easy_setopt(curl, CURLOPT_RANGE, range);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, r);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, r);
    for (int redirects = 0; redirects <= REDIRECTS; redirects++) {
        r->status = 0;
        CURLcode code = curl_easy_perform(curl);
        curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &next);
        if (code != CURLE_OK || next == NULL) {
            return code == CURLE_OK ? NULL : curl_easy_strerror(code);
        }
        curl_easy_getinfo(curl, CURLINFO_SCHEME, &scheme);
        if (strcasecmp(scheme, "https") == 0) {
            curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "https");
        }
        curl_easy_setopt(curl, CURLOPT_URL, next);
    }
    return "the server redirects for ever";
}

int main(int argc, char **argv)
{
    CURL *curl = argc == 2 ? curl_easy_init() : NULL;
    if (curl == NULL) {
        return 2;
    }
    curl_easy_setopt(curl, CURLOPT_URL, argv[1]);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)REMOTE_SECONDS);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_line);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
    int status = remote_judge(fetch, curl);
    curl_easy_cleanup(curl);
    return status;
}
