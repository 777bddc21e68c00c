/* proxy.h: finds the proxy of a request in the environment, by the rules of libcurl. They are repeated here because
 * reachable.c must know whether a connection leads to a server or to a proxy. */
#ifndef ASSAY_REMOTE_PROXY_H
#define ASSAY_REMOTE_PROXY_H

#include <stdbool.h>

/* Return the proxy for a URL with this scheme (http or https) and host, or NULL. Valid until the environment
 * changes. */
const char *proxy_find(const char *scheme, const char *host);

/* Return whether a list such as no_proxy contains the host. An entry is a name, which includes the names below it, an
 * address, or address/bits; the list * contains all hosts. */
bool proxy_is_excluded(const char *list, const char *host);

/* Return whether the environment names a proxy for any scheme. */
bool proxy_is_set(void);

#endif
