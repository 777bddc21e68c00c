/* ip_range.h: which IP addresses the public internet routes, and which belong to a network or a machine. */
#ifndef ASSAY_REMOTE_IP_RANGE_H
#define ASSAY_REMOTE_IP_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sockaddr;

typedef enum {
    IP_NONE, /* the text is not an address */
    IP_PUBLIC,
    IP_SPECIAL /* private, loopback, link-local, multicast, reserved, for documentation, or unassigned */
} ip_kind;

/* Return whether the first bits of two addresses are equal. */
bool ip_same_prefix(const uint8_t *left, const uint8_t *right, size_t bits);

/* Return the kind of an address of 4 or 16 bytes in network order, never IP_NONE. An IPv6 address that contains an IPv4
 * address (mapped, NAT64, 6to4) is of the kind of that one. */
ip_kind ip_kind_of(const uint8_t *bytes, size_t size);

/* Return the kind of the address that a socket is to be connected to. size: bytes of *address. Never IP_NONE. */
ip_kind ip_kind_of_socket(const struct sockaddr *address, size_t size);

/* Return the kind of a host in a URL, without brackets, or IP_NONE if it is a name. An address may have any form that
 * resolvers accept, such as 127.1 and 0x7f000001. */
ip_kind ip_kind_of_host(const char *host);

/* Return whether a host is known not to be public, without asking the name service: a special address, localhost, and
 * the names below it. If strict, also a name without a dot, a name below local, internal or home.arpa, and a name with
 * a byte that no name may contain. */
bool ip_host_is_special(const char *host, bool strict);

#endif
