"""Which network addresses are everybody's: neither this machine's, nor a private or reserved network's."""

import ipaddress

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # RFC 6052: the IPv4 address in the last 32 bits
# RFC 4291: of IPv6 nothing else is given out to the public.
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
# Protocol assignments and the former 6to4 relays (RFC 6890, RFC 7526), which this Python takes for public in part.
_SPECIAL = (ipaddress.IPv4Network("192.0.0.0/24"), ipaddress.IPv4Network("192.88.99.0/24"))


def is_public(address: Address) -> bool:
    """attack: an inner address in the clothes of another family: ::ffff:10.0.0.1, 64:ff9b::10.0.0.1, 2002:a00:1::.
    defence: what is inside is looked at, and of IPv6 nothing is public but what is given out."""
    if isinstance(address, ipaddress.IPv6Address) and address in _NAT64:
        return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    if not address.is_global or address.is_multicast or address.is_reserved or address.is_unspecified:
        return False
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _SPECIAL)
    inside = (address.sixtofour, *(address.teredo or ()))
    return address in _GLOBAL_UNICAST and all(is_public(one) for one in inside if one is not None)
