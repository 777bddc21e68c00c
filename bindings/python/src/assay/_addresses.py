"""Which IP addresses the public internet routes: the same as for `assay check --public-only` (src/remote/ip_range.c)."""
import ipaddress
import re
import socket
from typing import Optional, Tuple, Union

Network = Union[ipaddress.IPv4Network, ipaddress.IPv6Network]
REFUSED = "not public (private, loopback, link-local or reserved)"


def _networks(text: str) -> Tuple[Network, ...]:
    return tuple(map(ipaddress.ip_network, text.split()))


# From IANA's registries of special addresses. The last of IPv4 is only for virtual machines of Azure.
SPECIAL = _networks(
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 "
    "192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32 "
    "2001::/23 2001:db8::/32 3fff::/20")
UNICAST = ipaddress.ip_network("2000::/3")  # every other IPv6 address is special
# Networks whose addresses contain one of IPv4, which counts; and how many bits come after it.
EMBEDDING = list(zip(_networks("::ffff:0:0/96 64:ff9b::/96 2002::/16"), (0, 0, 80)))
NAME = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)+\Z")
OWN = re.compile(r"(?:.*\.)?(?:localhost|local|internal|home\.arpa)\Z")


def is_public(address: object) -> bool:
    """Whether an IP address, as a socket names it, is public."""
    if not isinstance(address, str):  # of a Python without IPv6
        return False
    ip = ipaddress.ip_address(address.partition("%")[0])
    for network, after in EMBEDDING:
        if ip in network:
            ip = ipaddress.IPv4Address(int(ip) >> after & 0xFFFFFFFF)
            break
    return (ip.version == 4 or ip in UNICAST) and not any(ip in network for network in SPECIAL)


def is_public_text(host: str) -> Optional[bool]:
    """Whether the host of an address is a public IP address, however it is written; None if it is a name."""
    try:
        found = socket.getaddrinfo(host.encode("ascii"), None, 0, socket.SOCK_STREAM, 0, socket.AI_NUMERICHOST)
    except socket.gaierror as error:
        return None if error.errno == socket.EAI_NONAME else False
    except (OSError, ValueError):
        return False
    return all(is_public(place[0]) for *_, place in found)


def may_be_public(host: str) -> bool:
    """Whether the host of an address may be public. A name may, unless it belongs to a network of one's own: only whoever
    resolves it, a proxy for example, knows its IP address."""
    name = host[:-1].lower() if host.endswith(".") else host.lower()
    public = is_public_text(name)
    if public is None:
        return len(name) < 256 and NAME.match(name) is not None and OWN.match(name) is None
    return public
