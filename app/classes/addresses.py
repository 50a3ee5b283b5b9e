"""Whom a webhook may reach: what its URL may be, and which machines a name may lead to.

attack: a URL that leads into the operator's own network (a database, a cloud's metadata), by its name, by a name that
is another address when it is asked again, or by a redirect; and its answer, read on the page of deliveries. defence:
each time, the name is looked up once, all it leads to must be public, and the connection goes to that very address.
Redirects are not followed, and of an answer nothing is kept but its number. The operator may allow networks
(LECTERN_WEBHOOK_NETWORKS); only in these is a connection without TLS allowed.
"""

import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from app.web.errors import Invalid
from app.web.public import Address, is_public

MAX_URL = 500
PORTS = {"https": 443, "http": 80}
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
WRONG = Invalid("url: this is no address for a webhook.", "Use one such as https://example.org/lectern.")


class Refused(OSError):
    """Nothing is sent there."""


@dataclass(frozen=True)
class Place:
    """Where a delivery goes: `address` is one of those that `host` leads to, and the one that is connected to."""

    is_tls: bool
    host: str
    port: int
    address: str
    path: str

    @property
    def host_header(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        is_usual = self.port == PORTS["https" if self.is_tls else "http"]
        return host if is_usual else f"{host}:{self.port}"


def read_url(url: str) -> str:
    """Raises Invalid for what is no URL of a webhook; asks nobody."""
    url = url.strip()
    if not url or len(url) > MAX_URL or not all("!" <= letter <= "~" for letter in url):
        raise WRONG
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise WRONG from None
    if parts.scheme not in PORTS or not parts.hostname or parts.fragment or "\\" in url or port == 0:
        raise WRONG
    if "@" in parts.netloc:
        raise Invalid("url: a name and a password do not belong in it.", "Check our signature instead.")
    return url


def find_place(url: str, allowed: tuple[Network, ...]) -> Place:
    """Looks the name up. Raises Refused, and OSError for a name that leads nowhere."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    found = [str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    addresses = [ipaddress.ip_address(one.partition("%")[0]) for one in found]
    if not all(is_public(one) or _is_in(one, allowed) for one in addresses):
        raise Refused("the address is not public")
    if parts.scheme == "http" and not all(_is_in(one, allowed) for one in addresses):
        raise Refused("the connection would not be encrypted")
    return Place(parts.scheme == "https", host, port, found[0], _path(parts))


def _path(parts: SplitResult) -> str:
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _is_in(address: Address, networks: tuple[Network, ...]) -> bool:
    return any(address in network for network in networks)
