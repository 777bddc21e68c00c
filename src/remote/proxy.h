/* proxy.h: which proxy a request goes through, by the environment, with the rules of libcurl. They are here because
 * whose address a connection leads to is known only if it is known whether there is a proxy. */
#ifndef ASSAY_REMOTE_PROXY_H
#define ASSAY_REMOTE_PROXY_H

#include <stdbool.h>

/* The proxy for a URL with this scheme (http, https) and host; NULL: none. Valid until the environment changes. */
const char *proxy_find(const char *scheme, const char *host);

/* Is the host in the list, as in no_proxy: names, with all that is below them, addresses, address/bits, or a star? */
bool proxy_is_excluded(const char *list, const char *host);

/* Does the environment name a proxy, for whatever? */
bool proxy_is_set(void);

#endif
