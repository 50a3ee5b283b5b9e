"""Under which names this server answers.

attack: a page of another site has its own name point to us a moment after it was loaded (DNS rebinding). For the
browser we are that site then: it reads our answers, and writes with whatever session it gets here.
defence: the request says by which name it was sent, and only names that are ours are answered. An address in the place
of a name cannot be rebound, and nobody but this machine gives `localhost` a meaning.
"""

import ipaddress
import re
from urllib.parse import urlsplit

from starlette.types import Scope

from app.settings import Settings, is_loopback
from app.web.errors import Invalid, Problem

PROBES = ("/healthz", "/readyz")  # asked by address, from machines that know no name
TARGET = "target_host"  # in a scope's state: whom the target itself names, where it does (app/web/server.py)
_HOST = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z_.-]+)(?::\d{1,5})?")


class Hosts:
    def __init__(self, settings: Settings) -> None:
        configured = [urlsplit(settings.origin).hostname or ""] if settings.origin else []
        self._names = {_plain(name) for name in (*configured, *settings.host_names)}
        if not is_any(settings.host):
            self._names.add(_plain(settings.host))
        # Without a public name, people open what listens in their network by its address.
        self._takes_addresses = not is_loopback(settings.host) and not configured

    def require_ours(self, scope: Scope) -> None:
        """Raises Invalid: 400 for a request that names no host, or two; 421 for one whose name is not ours."""
        named = [value for name, value in scope["headers"] if name == b"host"]
        if not named and scope["http_version"] == "1.0":
            return  # a probe, or a very old program: no browser, which names the host that it means
        if len(named) != 1:
            raise _unclear("more than one Host header" if named else "no Host header")
        host = _read(named[0])
        if scope["state"].get(TARGET, host) != host:
            raise _unclear("one host in its target and another in its Host header")
        if not self._is_ours(host, scope["path"]):
            raise _misdirected(host)

    def _is_ours(self, host: str, path: str) -> bool:
        if host in self._names or is_loopback(host):
            return True
        return is_address(host) and (self._takes_addresses or path in PROBES)


def is_any(host: str) -> bool:
    """Whether this stands for every address of the machine, and so is nobody's name for it."""
    return is_address(host) and ipaddress.ip_address(host.strip("[]")).is_unspecified


def is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def address(host: str, port: int) -> str:
    """What to type into a browser on this machine."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{shown}:{port}"


def _read(header: bytes) -> str:
    found = _HOST.fullmatch(header.decode("latin-1").strip())
    if found is None:
        raise _unclear("a Host header that is not a host name")
    return _plain(found["host"])


def _plain(host: str) -> str:
    """One spelling a name: small letters, without the dot of the root; an address in its shortest form."""
    host = host.lower().removesuffix(".").strip("[]")
    return str(ipaddress.ip_address(host)) if is_address(host) else host


def _misdirected(host: str) -> Problem:
    return Invalid(
        f"This server does not serve the host name {host}.",
        f"If it is one of its names, its operator must add it: LECTERN_HOSTS={host}",
        status=421,
    )


def _unclear(what: str) -> Problem:
    return Invalid(f"The request has {what}.", "Send one Host header with the server's name.", status=400)
