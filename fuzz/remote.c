/* remote: the input is what strangers and users say to the process that fetches. First byte even: the head of an
 * answer, see remote_answer.c. Odd: an address, the path of a shard, the Hub's endpoint, a zero byte between them; 3, 7
 * and so on: the model's commit is known. What src/remote/remote_address.c makes of these is looked at from outside. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "fetch_limits.h"
#include "fuzz.h"
#include "remote.h"

void remote_head(const uint8_t *data, size_t size);

static const char commit[] = "0123456789abcdef0123456789abcdef01234567";

/* A text in memory of its own, with a zero byte behind it. */
static char *text_of(const char *bytes, size_t size)
{
    char *copy = guarded(size + 1, 0);
    if (size > 0)
        memcpy(copy, bytes, size);
    return copy;
}

static char *joined(const char *one, const char *two, const char *three)
{
    size_t first = strlen(one), second = strlen(two);
    char *both = guarded(first + second + strlen(three) + 1, 0);
    strcpy(both, one);
    strcpy(both + first, two);
    strcpy(both + first + second, three);
    return both;
}

static bool is_scheme(const char *address, const char *scheme)
{
    return strncasecmp(address, scheme, strlen(scheme)) == 0;
}

static bool is_plain(int byte)
{
    return byte != '\0' && (isalnum(byte) || strchr("-._~", byte) != NULL);
}

/* The text with its escapes undone; each byte of it is plain, a slash or escaped. */
static char *unescaped(const char *url)
{
    char *out = guarded(strlen(url) + 1, 0), *end = out;
    for (; *url != '\0'; url++) {
        demand(is_plain((uint8_t)*url) || *url == '/' || *url == '%', "a byte of a path that is not escaped");
        *end++ = *url;
        if (*url != '%')
            continue;
        demand(isxdigit((uint8_t)url[1]) && isxdigit((uint8_t)url[2]), "an escape that is none");
        char pair[3] = {url[1], url[2], '\0'};
        end[-1] = (char)strtoul(pair, NULL, 16);
        url += 2;
    }
    return out;
}

/* With a slash before and behind it, a path holds neither // nor /./ nor /../. */
static bool leads_elsewhere(const char *path)
{
    const char *round = joined("/", path, "/");
    return strstr(round, "//") != NULL || strstr(round, "/./") != NULL || strstr(round, "/../") != NULL;
}

/* ENDPOINT/OWNER/MODEL/resolve/REVISION/PATH */
static void check_hub_url(const char *url, const remote_name *name, const char *endpoint, const char *instead)
{
    const char *owner = name->base + strlen("hf://"), *wanted = joined(owner, name->path, "");
    size_t length = strlen(endpoint), both = strcspn(owner, "/");
    both += 1 + strcspn(owner + both + 1, "@/");
    demand(strncmp(url, endpoint, length) == 0 && url[length] == '/', "a URL beside the endpoint");
    demand((is_scheme(endpoint, "http://") || is_scheme(endpoint, "https://")) && strpbrk(endpoint, "?#\\") == NULL,
           "an endpoint that is none");
    url += length + 1;
    demand(strncmp(url, owner, both) == 0 && strncmp(url + both, "/resolve/", 9) == 0, "another owner or model");
    const char *revision = url + both + 9, *path = strchr(revision, '/');
    demand(path != NULL && path > revision, "a URL without a revision, or without a path");
    const char *spelt = text_of(revision, (size_t)(path - revision));
    const char *means = unescaped(spelt), *file = unescaped(path);
    demand(strstr(means, "..") == NULL && means[0] != '.', "a revision that leads elsewhere");
    demand(instead == NULL || strcmp(spelt, instead) == 0, "another revision than that of the index");
    demand(!leads_elsewhere(file + 1), "a path that leads elsewhere");
    demand(strlen(wanted) > strlen(file) && strcmp(wanted + strlen(wanted) - strlen(file), file) == 0, "another file");
    if (instead == NULL)
        demand(owner[both] == '@' ? strncasecmp(owner + both + 1, spelt, strcspn(spelt, "%/")) == 0
                                  : strcmp(spelt, "main") == 0, "another revision");
}

static void check_plain_url(const char *url, const remote_name *name)
{
    size_t base = strcspn(name->base, "#"), query = strlen(name->query), length = strlen(url);
    const char *host = strstr(url, "://") + 3;
    demand(length >= base + query && strncmp(url, name->base, base) == 0 &&
               strcmp(url + length - query, name->query) == 0, "a URL that is another");
    const char *path = text_of(url + base, length - base - query);
    demand(strcmp(name->as_it_is ? path : unescaped(path), name->path) == 0, "another path");
    demand(path[0] == '\0' || !leads_elsewhere(path), "a path that leads elsewhere");
    demand(strcspn(host, "/?#") > 0 && memchr(host, '@', strcspn(host, "/?#")) == NULL, "a host that is none");
    for (size_t i = 0; i < length; i++)
        demand(url[i] > ' ' && url[i] <= '~' && url[i] != '\\' && url[i] != '#', "a byte that a URL may not have");
}

/* Is an address, as it is, one that is fetched? */
static remote_problem plain_problem(const char *address)
{
    const char *host = strstr(address, "://") + 3;
    size_t length = strcspn(address, "#"), end = strcspn(host, "/?#");
    remote_problem problem = end == 0 || length >= REMOTE_ADDRESS_MOST ? REMOTE_ADDRESS : REMOTE_FINE;
    for (size_t i = 0; i < length; i++)
        if (address[i] <= ' ' || address[i] > '~' || address[i] == '\\')
            problem = REMOTE_ADDRESS;
    return memchr(host, '@', end) != NULL ? REMOTE_PASSWORD : problem;
}

static remote_problem check_url(const remote_name *name, const char *endpoint, const char *instead)
{
    char *url = guarded(REMOTE_ADDRESS_MOST, 0x00), *again = guarded(REMOTE_ADDRESS_MOST, 0xFF);
    remote_problem problem = remote_url(url, name, endpoint, instead);
    demand(problem == remote_url(again, name, endpoint, instead), "a URL depends on what was in its memory");
    if (problem == REMOTE_FINE) {
        demand(strnlen(url, REMOTE_ADDRESS_MOST) < REMOTE_ADDRESS_MOST && strcmp(url, again) == 0, "no URL");
        if (is_scheme(name->base, "hf://"))
            check_hub_url(url, name, endpoint, instead);
        else
            check_plain_url(url, name);
    }
    demand(problem == REMOTE_FINE || problem == REMOTE_ADDRESS ||
               problem == (is_scheme(name->base, "hf://") ? REMOTE_ENDPOINT : REMOTE_PASSWORD),
           "a problem that an address does not have");
    return problem;
}

/* The parts together are the address, and a shard beside the index is asked for at its place. */
static void check_model(const char *address, remote_kind kind, const char *path, const char *endpoint,
                        const char *instead)
{
    size_t length = strlen(address);
    char *folder = guarded(length + 40, 0xFF), *name = guarded(length + 40, 0xFF), *query = guarded(length + 40, 0xFF);
    remote_split(address, kind, folder, name, query);
    bool hub = is_scheme(address, "hf://");
    const char *whole = joined(folder, name, query), *plain = hub ? address : text_of(address, strcspn(address, "#"));
    demand(folder[strlen(folder) - 1] == '/' && strchr(name, '/') == NULL, "a folder that is none");
    demand(query[0] == (hub ? '\0' : query[0]) && (query[0] == '\0' || query[0] == '?'), "a query that is none");
    if (kind == REMOTE_REPOSITORY)
        demand(strcmp(folder, address[length - 1] == '/' ? address : joined(address, "/", "")) == 0, "another folder");
    else
        demand(strcmp(whole, plain) == 0, "the parts of an address are not all of it");
    const remote_name index = {folder, name, query, true}, shard = {folder, path, query, false};
    remote_problem problem = check_url(&index, endpoint, NULL);
    demand(remote_kind_of(whole) == REMOTE_INDEX || problem != REMOTE_FINE, "an index that is none");
    demand(hub || problem == plain_problem(plain) || leads_elsewhere(name), "an index is not asked for at its address");
    if (path[0] != '\0')
        check_url(&shard, endpoint, instead);
}

static void check_address(const char *address, const char *path, const char *endpoint, const char *instead)
{
    remote_kind kind = remote_kind_of(address), again = remote_kind_of(text_of(address, strlen(address)));
    bool hub = is_scheme(address, "hf://"), any = is_scheme(address, "http://") || is_scheme(address, "https://");
    demand(kind == again && kind <= REMOTE_REPOSITORY, "an address is of two kinds");
    demand((kind != REMOTE_NONE) == (hub || any) && (kind != REMOTE_REPOSITORY || hub), "an address of another kind");
    if (kind == REMOTE_NONE)
        return;
    if (kind != REMOTE_REPOSITORY) {
        const remote_name name = {address, "", "", false};
        remote_problem problem = check_url(&name, endpoint, instead);
        demand(hub || problem == plain_problem(address), "an address is refused that is fine, or the other way round");
    }
    if (kind != REMOTE_FILE)
        check_model(address, kind, path, endpoint, instead);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *part[3] = {NULL};
    count_execution(false); /* no stage of a file is reached */
    if (size == 0)
        return 0;
    if (data[0] % 2 == 0) {
        remote_head(data + 1, size - 1);
    } else {
        for (size_t i = 0, at = 1; i < 3; i++) {
            size_t length = at < size ? strnlen((const char *)data + at, size - at) : 0;
            part[i] = text_of((const char *)data + (at < size ? at : 0), length);
            at += length + 1;
        }
        check_address(part[0], part[1], part[2], data[0] % 4 == 3 ? commit : NULL);
    }
    guard_drop();
    return 0;
}
