/* test_ip_range.c: which addresses are public: the boundaries of each range of IANA's registries, and IPv4 addresses
 * inside IPv6 ones; and which hosts no_proxy names. */
#include "posix.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "../../src/remote/ip_range.c" /* with what is static in it */
#include "../../src/remote/proxy.c"
#include "suite.h"

typedef struct {
    const char *before, *first, *last, *after; /* "": there is none, or it is special too */
} special;

static const special specials[] = {
    {"", "0.0.0.0", "0.255.255.255", "1.0.0.0"},
    {"9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"},
    {"100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"},
    {"126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"},
    {"168.63.129.15", "168.63.129.16", "168.63.129.16", "168.63.129.17"},
    {"169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"},
    {"172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"},
    {"191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"},
    {"192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"},
    {"192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"},
    {"192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"},
    {"198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"},
    {"198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"},
    {"203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"},
    {"223.255.255.255", "224.0.0.0", "239.255.255.255", ""},
    {"", "240.0.0.0", "255.255.255.255", ""},
    {"", "::", "::1", ""},
    {"", "::2", "::fffe:ffff:ffff", ""},
    {"", "::ffff:0.0.0.0", "::ffff:0.255.255.255", "::ffff:1.0.0.0"},
    {"::ffff:126.255.255.255", "::ffff:127.0.0.0", "::ffff:127.255.255.255", "::ffff:128.0.0.0"},
    {"::ffff:223.255.255.255", "::ffff:224.0.0.0", "::1:0:0:0", ""},
    {"", "64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff", "64:ff9b::0.255.255.255", "64:ff9b::1.0.0.0"},
    {"64:ff9b::9.255.255.255", "64:ff9b::10.0.0.0", "64:ff9b::10.255.255.255", "64:ff9b::11.0.0.0"},
    {"64:ff9b::223.255.255.255", "64:ff9b::224.0.0.0", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", ""},
    {"", "100::", "100::1:ffff:ffff:ffff:ffff", ""},
    {"", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2000::"},
    {"2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"},
    {"2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"},
    {"2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2002::", "2002:ff:ffff:ffff:ffff:ffff:ffff:ffff", "2002:100::"},
    {"2002:9ff:ffff::", "2002:a00::", "2002:aff:ffff:ffff:ffff:ffff:ffff:ffff", "2002:b00::"},
    {"2002:c0a7:ffff::", "2002:c0a8::", "2002:c0a8:ffff::1", "2002:c0a9::"},
    {"2002:dfff:ffff::", "2002:e000::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"},
    {"3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"},
    {"3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "4000::", "5f00::", ""},
    {"", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fc00::", ""},
    {"", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fe00::", ""},
    {"", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""},
    {"", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""},
    {"", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""},
};

/* Return the kind of an address, which must be the same by every function. */
static ip_kind kind_of(const char *text)
{
    uint8_t bytes[16];
    struct sockaddr_storage room = {0};
    bool six = strchr(text, ':') != NULL;
    size_t size = six ? 16 : 4, length = six ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    ck_assert_msg(inet_pton(six ? AF_INET6 : AF_INET, text, bytes) == 1, "%s", text);
    room.ss_family = six ? AF_INET6 : AF_INET;
    if (six)
        memcpy(&((struct sockaddr_in6 *)&room)->sin6_addr, bytes, 16);
    else
        memcpy(&((struct sockaddr_in *)&room)->sin_addr, bytes, 4);
    uint8_t *exact = exactly((const char *)bytes, size);
    ip_kind kind = ip_kind_of(exact, size);
    free(exact);
    ck_assert_msg(kind == ip_kind_of_socket((struct sockaddr *)&room, length), "%s", text);
    ck_assert_msg(kind == ip_kind_of_host(text), "%s", text);
    ck_assert_msg((kind == IP_SPECIAL) == ip_host_is_special(text, true), "%s", text);
    ck_assert_msg((kind == IP_SPECIAL) == ip_host_is_special(text, false), "%s", text);
    ck_assert(ip_kind_of_socket((struct sockaddr *)&room, length - 1) == IP_SPECIAL);
    return kind;
}

START_TEST(boundaries)
{
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        const special *row = &specials[i];
        ck_assert_msg(kind_of(row->first) == IP_SPECIAL, "%s", row->first);
        ck_assert_msg(kind_of(row->last) == IP_SPECIAL, "%s", row->last);
        ck_assert_msg(row->before[0] == '\0' || kind_of(row->before) == IP_PUBLIC, "%s", row->before);
        ck_assert_msg(row->after[0] == '\0' || kind_of(row->after) == IP_PUBLIC, "%s", row->after);
    }
    ck_assert(kind_of("93.184.215.14") == IP_PUBLIC && kind_of("2606:2800:21f::1") == IP_PUBLIC);
    ck_assert(kind_of("169.254.169.254") == IP_SPECIAL);
    struct sockaddr_storage other = {.ss_family = AF_UNIX};
    ck_assert(ip_kind_of_socket((struct sockaddr *)&other, sizeof other) == IP_SPECIAL);
}
END_TEST

/* IPv4 addresses of every range have the kind of the table, also inside IPv6 addresses. */
START_TEST(all_of_ipv4)
{
    for (uint64_t at = 0; at < 4294967296u; at += 32749) {
        uint8_t bytes[4] = {(uint8_t)(at >> 24), (uint8_t)(at >> 16), (uint8_t)(at >> 8), (uint8_t)at};
        uint8_t mapped[16] = {[10] = 0xFF, [11] = 0xFF}, nat[16] = {0, 0x64, 0xFF, 0x9B}, relay[16] = {0x20, 0x02};
        ip_kind kind = IP_PUBLIC;
        for (size_t i = 0; i < 16; i++) {
            uint32_t first, last;
            inet_pton(AF_INET, specials[i].first, &first);
            inet_pton(AF_INET, specials[i].last, &last);
            kind = at >= ntohl(first) && at <= ntohl(last) ? IP_SPECIAL : kind;
        }
        memcpy(mapped + 12, bytes, 4);
        memcpy(nat + 12, bytes, 4);
        memcpy(relay + 2, bytes, 4);
        if (ip_kind_of(bytes, 4) != kind || ip_kind_of(mapped, 16) != kind || ip_kind_of(nat, 16) != kind ||
            ip_kind_of(relay, 16) != kind)
            ck_abort_msg("%u.%u.%u.%u", bytes[0], bytes[1], bytes[2], bytes[3]);
    }
}
END_TEST

START_TEST(hosts)
{
    static const char *const always[] = {
        "127.0.0.1", "127.1", "127.0.0.1.", "0x7f.1", "0x7f000001", "2130706433", "017700000001", "0", "10.1",
        "0xa9fea9fe", "localhost", "LOCALHOST", "localhost.", "a.localhost", "::1", "fe80::1%1",
        "::ffff:127.0.0.1", "fd00::1"};
    static const char *const maybe[] = {"intranet", "", "printer.local", "a.b.internal", "INTERNAL", "nas.home.arpa",
                                        "a b.example", "\xEF\xBC\x91.example", "a%2e.example", "local."};
    static const char *const never[] = {
        "example.org", "localhost.example", "notlocalhost.org", "xinternal.org", "93.184.215.14", "1572395790",
        "2606:2800:21f::1", "a_b.example", "home.arpa.org"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        ck_assert_msg(ip_host_is_special(always[i], false) && ip_host_is_special(always[i], true), "%s", always[i]);
    for (size_t i = 0; i < sizeof maybe / sizeof *maybe; i++)
        ck_assert_msg(!ip_host_is_special(maybe[i], false) && ip_host_is_special(maybe[i], true), "%s", maybe[i]);
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        ck_assert_msg(!ip_host_is_special(never[i], false) && !ip_host_is_special(never[i], true), "%s", never[i]);
}
END_TEST

START_TEST(proxies)
{
    static const struct {
        const char *list, *host;
        bool excluded;
    } rows[] = {
        {"*", "a.org", true}, {"a.org", "a.org", true}, {"a.org", "A.ORG.", true}, {".a.org", "a.org", true},
        {".a.org", "b.a.org", true}, {"a.org", "b.a.org", true}, {"a.org", "ba.org", false}, {"a.org.", "a.org", true},
        {"b.org, a.org", "a.org", true}, {"b.org a.org", "a.org", true}, {"b.org\ta.org,", "a.org", true},
        {"", "a.org", false}, {",, ", "a.org", false}, {".", "a.org", false}, {"org", "a.org", true},
        {"a.org,*", "b.org", false}, {"127.0.0.1", "127.0.0.1", true}, {"127.0.0.1", "127.0.0.2", false},
        {"10.0.0.0/8", "10.255.0.1", true}, {"10.0.0.0/8", "11.0.0.1", false}, {"10.0.0.0/9", "10.128.0.1", false},
        {"10.0.0.0/0", "11.0.0.1", true}, {"10.0.0.0/33", "10.0.0.0", false}, {"10.0.0.0/", "10.0.0.0", false},
        {"10.0.0.0/x", "10.0.0.0", false}, {"10.0.0.0/0008", "10.0.0.0", false}, {"10.0.0.1/32", "10.0.0.1", true},
        {"0.0.1", "127.0.0.1", false}, {"::1", "::1", true}, {"[::1]", "::1", true}, {"fd00::/8", "fdff::1", true},
        {"fd00::/8", "fe00::1", false}, {"fd00::/129", "fd00::", false}, {"10.0.0.0/8", "fd00::1", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(proxy_is_excluded(rows[i].list, rows[i].host) == rows[i].excluded, "%s: %s", rows[i].list,
                      rows[i].host);
    static const char *const names[] = {"http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy",
                                        "ALL_PROXY", "no_proxy", "NO_PROXY"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
    ck_assert(!proxy_is_set() && proxy_find("http", "a.org") == NULL);
    setenv("HTTP_PROXY", "1", 1); /* as for libcurl */
    ck_assert(!proxy_is_set() && proxy_find("http", "a.org") == NULL);
    setenv("ALL_PROXY", "2", 1);
    ck_assert(proxy_is_set() && strcmp(proxy_find("http", "a.org"), "2") == 0);
    setenv("all_proxy", "3", 1);
    setenv("HTTPS_PROXY", "4", 1);
    ck_assert(strcmp(proxy_find("http", "a.org"), "3") == 0 && strcmp(proxy_find("https", "a.org"), "4") == 0);
    setenv("https_proxy", "5", 1);
    setenv("http_proxy", "6", 1);
    ck_assert(strcmp(proxy_find("http", "a.org"), "6") == 0 && strcmp(proxy_find("https", "a.org"), "5") == 0);
    setenv("NO_PROXY", "a.org", 1);
    ck_assert(proxy_find("http", "a.org") == NULL && proxy_find("http", "b.org") != NULL);
    setenv("no_proxy", "b.org", 1);
    ck_assert(proxy_find("http", "a.org") != NULL && proxy_find("https", "b.org") == NULL);
}
END_TEST

SUITE_MAIN("ip_range", boundaries, all_of_ipv4, hosts, proxies)
