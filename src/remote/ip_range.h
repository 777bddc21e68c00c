/* ip_range.h: which IP addresses the public internet routes, and which belong to a network or a machine. */
#ifndef ASSAY_REMOTE_IP_RANGE_H
#define ASSAY_REMOTE_IP_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sockaddr;

typedef enum {
    IP_NONE, /* the text is no address */
    IP_PUBLIC,
    IP_SPECIAL /* private, loopback, link-local, multicast, reserved, for documents, or of an unknown kind */
} ip_kind;

/* The kind of an address of 4 or 16 bytes, as they are sent. An IPv6 address that contains an IPv4 address (mapped,
 * NAT64, 6to4) is of that one's kind. Never IP_NONE. */
ip_kind ip_kind_of(const uint8_t *bytes, size_t size);

/* The same of the address that a socket is to be connected to. */
ip_kind ip_kind_of_socket(const struct sockaddr *address, size_t size);

/* The same of a host in a URL, without brackets: any form that resolvers take for a number, as 127.1 and 0x7f000001. */
ip_kind ip_kind_of_host(const char *host);

/* Is the host known not to be public, without a look at the name service? A special address, localhost and names below
 * it; with more: also a name without a dot, below local, internal or home.arpa, or with a byte that is in no name. */
bool ip_host_is_special(const char *host, bool more);

#endif
