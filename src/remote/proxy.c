/* proxy.c: see proxy.h. */
#include "posix.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "environment.h"
#include "ip_range.h"
#include "proxy.h"

/* Store the bytes of an address, perhaps in brackets. Return their count, 4 or 16, or 0 if it is not an address. */
static size_t address_of(uint8_t bytes[16], const char *text, size_t length)
{
    char copy[64];
    if (length > 2 && text[0] == '[' && text[length - 1] == ']') {
        text++;
        length -= 2;
    }
    if (length >= sizeof copy)
        return 0;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return inet_pton(AF_INET, copy, bytes) == 1 ? 4 : inet_pton(AF_INET6, copy, bytes) == 1 ? 16 : 0;
}

/* Return a number of one to three digits, or SIZE_MAX if the text is not one. */
static size_t number_of(const char *text, size_t length)
{
    size_t number = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || length > 3)
            return SIZE_MAX;
        number = number * 10 + (size_t)(text[i] - '0');
    }
    return length > 0 ? number : SIZE_MAX;
}

/* Return whether an entry of the list, an address or address/bits, covers this address. */
static bool has_address(const char *word, size_t length, const uint8_t *bytes, size_t size)
{
    uint8_t given[16];
    const char *slash = memchr(word, '/', length);
    size_t before = slash == NULL ? length : (size_t)(slash - word);
    size_t bits = slash == NULL ? 8 * size : number_of(slash + 1, length - before - 1);
    return bits <= 8 * size && address_of(given, word, before) == size && ip_same_prefix(bytes, given, bits);
}

/* Return whether an entry of the list, a name, is this host or a domain that contains it. */
static bool has_name(const char *word, size_t length, const char *host, size_t host_length)
{
    length -= length > 0 && word[length - 1] == '.';
    if (length > 0 && word[0] == '.') {
        word++;
        length--;
    }
    if (length == 0 || length > host_length || strncasecmp(host + host_length - length, word, length) != 0)
        return false;
    return length == host_length || host[host_length - length - 1] == '.';
}

bool proxy_is_excluded(const char *list, const char *host)
{
    static const char between[] = ", \t";
    uint8_t bytes[16];
    size_t host_length = strlen(host), size = address_of(bytes, host, host_length);
    host_length -= size == 0 && host_length > 0 && host[host_length - 1] == '.';
    if (strcmp(list, "*") == 0)
        return true;
    for (const char *word = list + strspn(list, between); *word != '\0'; word += strspn(word, between)) {
        size_t length = strcspn(word, between);
        if (size > 0 ? has_address(word, length, bytes, size) : has_name(word, length, host, host_length))
            return true;
        word += length;
    }
    return false;
}

bool proxy_is_set(void)
{
    static const char *const names[] = {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (environment_get(names[i]) != NULL)
            return true;
    return false;
}

const char *proxy_find(const char *scheme, const char *host)
{
    bool https = strcmp(scheme, "https") == 0;
    const char *none = environment_get("no_proxy"), *found = environment_get(https ? "https_proxy" : "http_proxy");
    none = none != NULL ? none : environment_get("NO_PROXY");
    if (found == NULL && https) /* HTTP_PROXY is ignored: of a CGI program it is the request's field Proxy */
        found = environment_get("HTTPS_PROXY");
    found = found != NULL ? found : environment_get("all_proxy");
    found = found != NULL ? found : environment_get("ALL_PROXY");
    return found != NULL && none != NULL && proxy_is_excluded(none, host) ? NULL : found;
}
