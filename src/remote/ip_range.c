/* ip_range.c: see ip_range.h. The tables are from IANA's registries: the IPv4 and the IPv6 Special-Purpose Address
 * Registry (RFC 6890), IPv4 Address Space (multicast and reserved), IPv6 Address Space (RFC 4291). One more is
 * documented by Microsoft as "What is IP address 168.63.129.16?": it is in a public range, but only virtual machines of
 * Azure reach it. */
#include "posix.h"

#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "ip_range.h"

#define WHOLE 0xFF /* embeds: the address contains no other */

typedef struct {
    uint8_t first[16];
    uint8_t bits;
    ip_kind kind;
    uint8_t embeds; /* the position of an embedded IPv4 address, whose kind counts; or WHOLE */
} range;

/* All special; every other address is public. */
static const range ranges4[] = {
    {{0}, 8, IP_SPECIAL, WHOLE},                 /* 0.0.0.0/8: this network, RFC 791 */
    {{10}, 8, IP_SPECIAL, WHOLE},                /* 10.0.0.0/8: private use, RFC 1918 */
    {{100, 64}, 10, IP_SPECIAL, WHOLE},          /* 100.64.0.0/10: shared, RFC 6598 */
    {{127}, 8, IP_SPECIAL, WHOLE},               /* 127.0.0.0/8: loopback, RFC 1122 */
    {{168, 63, 129, 16}, 32, IP_SPECIAL, WHOLE}, /* 168.63.129.16: the host of an Azure machine, Microsoft */
    {{169, 254}, 16, IP_SPECIAL, WHOLE},         /* 169.254.0.0/16: link-local, RFC 3927; metadata of clouds */
    {{172, 16}, 12, IP_SPECIAL, WHOLE},          /* 172.16.0.0/12: private use, RFC 1918 */
    {{192, 0, 0}, 24, IP_SPECIAL, WHOLE},        /* 192.0.0.0/24: IETF protocol assignments, RFC 6890 */
    {{192, 0, 2}, 24, IP_SPECIAL, WHOLE},        /* 192.0.2.0/24: documentation, RFC 5737 */
    {{192, 88, 99}, 24, IP_SPECIAL, WHOLE},      /* 192.88.99.0/24: former 6to4 relays, RFC 7526 */
    {{192, 168}, 16, IP_SPECIAL, WHOLE},         /* 192.168.0.0/16: private use, RFC 1918 */
    {{198, 18}, 15, IP_SPECIAL, WHOLE},          /* 198.18.0.0/15: benchmarks, RFC 2544 */
    {{198, 51, 100}, 24, IP_SPECIAL, WHOLE},     /* 198.51.100.0/24: documentation, RFC 5737 */
    {{203, 0, 113}, 24, IP_SPECIAL, WHOLE},      /* 203.0.113.0/24: documentation, RFC 5737 */
    {{224}, 4, IP_SPECIAL, WHOLE},               /* 224.0.0.0/4: multicast, RFC 1112 */
    {{240}, 4, IP_SPECIAL, WHOLE},               /* 240.0.0.0/4: reserved, RFC 1112; broadcast, RFC 919 */
};

/* The first range that contains an address decides. Addresses in none of them are special: ::, ::1, 64:ff9b:1::/48,
 * 100::/64, 5f00::/16, fc00::/7 (private), fe80::/10 (link-local), fec0::/10 (site-local), ff00::/8 (multicast), and
 * what is unassigned. */
static const range ranges6[] = {
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF}, 96, IP_SPECIAL, 12}, /* ::ffff:0:0/96: mapped, RFC 4291 */
    {{0, 0x64, 0xFF, 0x9B}, 96, IP_SPECIAL, 12},                      /* 64:ff9b::/96: NAT64, RFC 6052 */
    {{0x20, 0x02}, 16, IP_SPECIAL, 2},                                /* 2002::/16: 6to4, RFC 3056 */
    {{0x20, 0x01}, 23, IP_SPECIAL, WHOLE}, /* 2001::/23: IETF protocol assignments, RFC 2928; Teredo, RFC 4380 */
    {{0x20, 0x01, 0x0D, 0xB8}, 32, IP_SPECIAL, WHOLE}, /* 2001:db8::/32: documentation, RFC 3849 */
    {{0x3F, 0xFF}, 20, IP_SPECIAL, WHOLE},             /* 3fff::/20: documentation, RFC 9637 */
    {{0x20}, 3, IP_PUBLIC, WHOLE},                     /* 2000::/3: global unicast, RFC 4291 */
};

bool ip_same_prefix(const uint8_t *left, const uint8_t *right, size_t bits)
{
    size_t full = bits / 8, rest = bits % 8;
    return memcmp(left, right, full) == 0 && (rest == 0 || (left[full] ^ right[full]) >> (8 - rest) == 0);
}

ip_kind ip_kind_of(const uint8_t *bytes, size_t size)
{
    const range *table = size == 4 ? ranges4 : ranges6;
    size_t count = size == 4 ? sizeof ranges4 / sizeof *ranges4 : sizeof ranges6 / sizeof *ranges6;
    for (size_t i = 0; i < count; i++)
        if (ip_same_prefix(bytes, table[i].first, table[i].bits))
            return table[i].embeds == WHOLE ? table[i].kind : ip_kind_of(bytes + table[i].embeds, 4);
    return size == 4 ? IP_PUBLIC : IP_SPECIAL;
}

ip_kind ip_kind_of_socket(const struct sockaddr *address, size_t size)
{
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    uint8_t bytes[16];
    if (address->sa_family == AF_INET && size >= sizeof four) {
        memcpy(&four, address, sizeof four);
        memcpy(bytes, &four.sin_addr, 4);
        return ip_kind_of(bytes, 4);
    }
    if (address->sa_family != AF_INET6 || size < sizeof six)
        return IP_SPECIAL;
    memcpy(&six, address, sizeof six);
    memcpy(bytes, &six.sin6_addr, 16);
    return ip_kind_of(bytes, 16);
}

/* Store the host without a dot at its end, or an empty string if it is too long. name[256] */
static void without_dot(char *name, const char *host)
{
    size_t length = strlen(host);
    length -= length > 0 && host[length - 1] == '.';
    length = length < 256 ? length : 0;
    memcpy(name, host, length);
    name[length] = '\0';
}

ip_kind ip_kind_of_host(const char *host)
{
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    char name[256];
    without_dot(name, host);
    int error = getaddrinfo(name, NULL, &hints, &found);
    if (error != 0 || found == NULL)
        return error == EAI_NONAME || error == EAI_FAMILY ? IP_NONE : IP_SPECIAL;
    ip_kind kind = ip_kind_of_socket(found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    return kind;
}

static bool is_below(const char *name, const char *domain)
{
    size_t length = strlen(name), end = strlen(domain);
    return length >= end && strcasecmp(name + length - end, domain) == 0 &&
           (length == end || name[length - end - 1] == '.');
}

bool ip_host_is_special(const char *host, bool strict)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._";
    char name[256];
    without_dot(name, host);
    ip_kind kind = ip_kind_of_host(name);
    if (kind != IP_NONE)
        return kind == IP_SPECIAL;
    if (is_below(name, "localhost"))
        return true;
    return strict && (strchr(name, '.') == NULL || is_below(name, "local") || is_below(name, "internal") ||
                    is_below(name, "home.arpa") || name[strspn(name, plain)] != '\0');
}
