/* remote_address.c: makes URLs of addresses: http(s)://..., and hf://OWNER/MODEL[@REVISION][/PATH], a file of the
 * Hub. */
#include "posix.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "fetch_limits.h"
#include "remote_files.h"

static bool begins(const char *text, const char *with)
{
    return strncasecmp(text, with, strlen(with)) == 0;
}

static bool is_hub(const char *address)
{
    return begins(address, "hf://");
}

/* Return where the path begins, after the host, or NULL if there is none. */
static const char *path_of(const char *address)
{
    const char *host = strstr(address, "://") + 3;
    const char *path = host + strcspn(host, "/?#");
    return *path == '/' ? path : NULL;
}

/* Return the length of an address without its query and fragment. */
static size_t plain_length(const char *address)
{
    return is_hub(address) ? strlen(address) : strcspn(address, "?#");
}

remote_kind remote_kind_of(const char *address)
{
    char plain[REMOTE_ADDRESS_MOST];
    if (!is_hub(address) && !begins(address, "http://") && !begins(address, "https://"))
        return REMOTE_NONE;
    const char *path = path_of(address);
    size_t length = plain_length(address);
    if (path == NULL || length >= sizeof plain)
        return REMOTE_FILE;
    snprintf(plain, sizeof plain, "%.*s", (int)length, address);
    if (is_hub(address)) {
        const char *model = path + 1, *rest = strchr(model, '/');
        const char *at = strchr(model, '@');
        if (at != NULL && (rest == NULL || at < rest) && begins(at + 1, "refs/")) /* refs/pr/1 */
            for (int i = 0; i < 2 && rest != NULL; i++)
                rest = strchr(rest + 1, '/');
        if (*model != '\0' && (rest == NULL || rest[1] == '\0'))
            return REMOTE_REPOSITORY;
    }
    return host_is_index(plain) ? REMOTE_INDEX : REMOTE_FILE;
}

void remote_split(const char *address, remote_kind kind, char *folder, char *name, char *query)
{
    size_t length = plain_length(address);
    size_t fragment = strcspn(address, "#");
    if (kind == REMOTE_REPOSITORY) {
        length = strlen(address);
        sprintf(folder, address[length - 1] == '/' ? "%s" : "%s/", address);
        strcpy(name, "model.safetensors.index.json");
        query[0] = '\0';
        return;
    }
    size_t before = length;
    while (address[before - 1] != '/')
        before--;
    sprintf(folder, "%.*s", (int)before, address);
    sprintf(name, "%.*s", (int)(length - before), address + before);
    sprintf(query, "%.*s", is_hub(address) ? 0 : (int)(fragment - length), address + length);
}

/* ---- URLs ----------------------------------------------------------------------------------------------- */

/* A URL that is put together; full: it is too long. */
typedef struct {
    char *url;
    size_t length;
    bool full;
} builder;

static void add(builder *to, const char *bytes, size_t count)
{
    to->full = to->full || count >= REMOTE_ADDRESS_MOST - to->length;
    if (to->full)
        return;
    memcpy(to->url + to->length, bytes, count);
    to->length += count;
    to->url[to->length] = '\0';
}

/* Add a path or a part of one. Each byte that could have a meaning in a URL is escaped, unless `also` contains it. */
static void add_escaped(builder *to, const char *path, size_t count, const char *also)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    for (size_t i = 0; i < count; i++) {
        char escaped[4];
        snprintf(escaped, sizeof escaped, "%%%02X", (unsigned)(uint8_t)path[i]);
        if (strchr(plain, path[i]) != NULL || strchr(also, path[i]) != NULL)
            add(to, path + i, 1);
        else
            add(to, escaped, 3);
    }
}

/* Return whether no component of the path is empty, . or .. */
static bool stays_below(const char *path)
{
    for (;;) {
        size_t length = strcspn(path, "/");
        if (length == 0 || (length == 1 && path[0] == '.') || (length == 2 && memcmp(path, "..", 2) == 0))
            return false;
        if (path[length] == '\0')
            return true;
        path += length + 1;
    }
}

/* Return whether this can be the name of an owner or a model on the Hub. */
static bool is_name(const char *name, size_t length)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._";
    return length > 0 && strspn(name, plain) >= length && name[0] != '.';
}

/* Return the size of the slash that begins here, which may be written as %2F, or 0 if there is none. */
static size_t slash_at(const char *name, size_t length)
{
    return name[0] == '/' ? 1 : length > 2 && begins(name, "%2F") ? 3 : 0;
}

/* Return whether this can be a branch, tag or commit of git: no component is empty or begins with a dot, none contains
 * two dots in a row. */
static bool is_revision(const char *name, size_t length)
{
    bool begun = false; /* the current component is not empty */
    for (size_t i = 0, slash; i < length; i += slash > 0 ? slash : 1) {
        slash = slash_at(name + i, length - i);
        bool leads_up = name[i] == '.' && (!begun || name[i - 1] == '.');
        if (leads_up || (slash > 0 && !begun) || (slash == 0 && name[i] == '%'))
            return false;
        begun = slash == 0;
    }
    return begun;
}

/* Return whether this can be the endpoint of a Hub. Without a scheme libcurl would take it for http. */
static bool is_endpoint(const char *endpoint)
{
    return (begins(endpoint, "https://") || begins(endpoint, "http://")) && endpoint[strcspn(endpoint, "?#\\")] == '\0';
}

/* Make the URL ENDPOINT/OWNER/MODEL/resolve/REVISION/PATH. `instead` replaces the revision, unless it is NULL. */
static remote_problem hub_url(builder *to, const remote_name *name, const char *endpoint, const char *instead)
{
    char both[REMOTE_ADDRESS_MOST];
    const char *owner = name->base + strlen("hf://"), *model = owner + strcspn(owner, "/");
    size_t owner_length = (size_t)(model - owner), length = strcspn(model + (*model == '/'), "@/");
    model += *model == '/';
    if (!is_endpoint(endpoint))
        return REMOTE_ENDPOINT;
    if (!is_name(owner, owner_length) || !is_name(model, length))
        return REMOTE_ADDRESS;
    const char *revision = "main", *rest = model + length;
    size_t revision_length = 4;
    if (*rest == '@') {
        revision = rest + 1;
        revision_length = strcspn(revision, "/");
        for (int i = 0; i < 2 && begins(revision, "refs/") && revision[revision_length] == '/'; i++)
            revision_length += 1 + strcspn(revision + revision_length + 1, "/");
        rest = revision + revision_length;
    }
    int count = snprintf(both, sizeof both, "%s%s", rest + (*rest == '/'), name->path);
    if (count < 0 || (size_t)count >= sizeof both || !is_revision(revision, revision_length) || !stays_below(both))
        return REMOTE_ADDRESS;
    revision_length = instead == NULL ? revision_length : strlen(instead);
    add(to, endpoint, strlen(endpoint));
    add(to, "/", 1);
    add(to, owner, owner_length);
    add(to, "/", 1);
    add(to, model, length);
    add(to, "/resolve/", strlen("/resolve/"));
    add_escaped(to, instead == NULL ? revision : instead, revision_length, "%"); /* refs%2Fpr%2F1 may be written so */
    add(to, "/", 1);
    add_escaped(to, both, strlen(both), "/");
    return REMOTE_FINE;
}

static remote_problem plain_url(builder *to, const remote_name *name)
{
    const char *host = strstr(name->base, "://") + 3;
    if (memchr(host, '@', strcspn(host, "/?#")) != NULL)
        return REMOTE_PASSWORD;
    if (name->path[0] != '\0' && !stays_below(name->path))
        return REMOTE_ADDRESS;
    add(to, name->base, strcspn(name->base, "#"));
    if (name->as_it_is)
        add(to, name->path, strlen(name->path));
    else
        add_escaped(to, name->path, strlen(name->path), "/");
    add(to, name->query, strlen(name->query));
    for (const char *byte = to->url; *byte != '\0'; byte++)
        if (*byte <= ' ' || *byte > '~' || *byte == '\\')
            return REMOTE_ADDRESS;
    return strcspn(host, "/?#") == 0 ? REMOTE_ADDRESS : REMOTE_FINE;
}

remote_problem remote_url(char *url, const remote_name *name, const char *endpoint, const char *revision)
{
    builder to = {url, 0, false};
    url[0] = '\0';
    remote_problem problem = is_hub(name->base) ? hub_url(&to, name, endpoint, revision) : plain_url(&to, name);
    return problem == REMOTE_FINE && to.full ? REMOTE_ADDRESS : problem;
}
