"""What this server asks of other servers, at addresses that people give it.

attack: an address that leads inside: to the cloud's metadata, to a database, to this machine; or one that resolves to
the outside when it is looked at and to the inside when it is used; or a redirect there; or an answer without end.
defence: https alone; a name is resolved once, every address that it has must be public, and the connection is made to
that very address; no redirect is followed; an answer has a limit in bytes and in seconds. A host that the operator
names (`LECTERN_LTI_PRIVATE_HOSTS`) may be inside, and on loopback be asked without TLS.

attack: a server that sends a byte of its head every two seconds, without end, to as many of our threads as ask it,
until no page is answered. defence: the seconds are those of the whole answer, with its head (`_Bounded`), and few ask
at once.
"""

import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import httpcore

from app.settings import is_loopback
from app.web.errors import Invalid
from app.web.public import is_public

MAX_BYTES = 1 << 20
SECONDS = 10.0  # for all of an answer
PAUSE_SECONDS = 5.0  # for a connection, and between two parts of an answer
MAX_URL = 2000
AT_ONCE = 4  # requests of this process; pages have some forty threads
WAIT_SECONDS = 2.0  # for one of these to end


class Unreachable(Exception):
    """No answer, or none that is taken. Says why."""


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]  # by their names in small letters; of several of one name, joined by commas
    body: bytes


class Outgoing:
    """`private`: names of hosts that may be inside."""

    def __init__(self, private: Iterable[str] = (), *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._private = frozenset(name.lower().strip("[]") for name in private)
        self._places = threading.BoundedSemaphore(AT_ONCE)

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        """The context for TLS, made for the first request: it reads every authority's certificate, which is slow."""
        return ssl.create_default_context()

    def require_url(self, url: str, what: str) -> str:
        """An address that may be asked, as far as that can be told without asking. Raises Invalid."""
        try:
            parts = urlsplit(url)
            host, port = (parts.hostname or "").lower(), parts.port
        except ValueError:
            parts, host, port = urlsplit(""), "", None
        plain = 0 < len(url) <= MAX_URL and url.isascii() and url.isprintable() and " " not in url
        if not (plain and host and port != 0 and "@" not in parts.netloc and parts.scheme in ("http", "https")):
            raise Invalid(f"{what}: this is not the address of a server.", "It begins with https://.")
        is_allowed = host in self._private
        if parts.scheme == "http" and not (is_allowed and is_loopback(host)):
            raise Invalid(f"{what}: this is not an https address.", "Lectern asks other servers by https alone.")
        if not is_allowed and (is_loopback(host) or _is_inside(host)):
            raise Invalid(
                f"{what}: this address is inside a private network.",
                f"If it is meant, the operator can allow it: LECTERN_LTI_PRIVATE_HOSTS={host}",
            )
        return url

    def ask(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
    ) -> Answer:
        """Raises Unreachable. An answer of any status is one, but a redirect is not followed."""
        try:
            self.require_url(url, "url")
        except Invalid as refused:
            raise Unreachable(refused.message) from None
        if not self._places.acquire(timeout=WAIT_SECONDS):
            raise Unreachable("This server waits for too many others already. Try again in a minute.")
        try:
            return self._answer(method, url, headers or {}, body)
        finally:
            self._places.release()

    def _answer(self, method: str, url: str, headers: Mapping[str, str], body: bytes) -> Answer:
        until = self._clock() + SECONDS
        sent: dict[bytes | str, bytes | str] = {"User-Agent": "Lectern", "Accept-Encoding": "identity"}
        sent.update(headers)
        if method != "GET":
            sent["Content-Length"] = str(len(body))
        pauses = dict.fromkeys(("connect", "read", "write", "pool"), PAUSE_SECONDS)
        backend = _Guarded(self._private, until, self._clock)
        try:
            with (
                httpcore.ConnectionPool(self._tls, network_backend=backend, max_connections=1) as pool,
                pool.stream(method, url, headers=sent, content=body, extensions={"timeout": pauses}) as response,
            ):
                found = b""
                for part in response.iter_stream():
                    found += part
                    if len(found) > MAX_BYTES:
                        raise Unreachable(f"The answer is larger than {MAX_BYTES >> 20} MiB.")
                return Answer(response.status, _headers(response.headers), found)
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, ssl.SSLError) as error:
            why = "no answer in time" if isinstance(error, httpcore.TimeoutException) else str(error)[:200]
            raise Unreachable(f"{urlsplit(url).hostname} cannot be reached: {why or 'the connection broke'}.") from None


class _Guarded(httpcore.NetworkBackend):
    """Connects to addresses that were looked at, not to a name that is looked up again."""

    def __init__(self, private: frozenset[str], until: float, clock: Callable[[], float]) -> None:
        self._private, self._until, self._clock = private, until, clock
        self._plain = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise httpcore.ConnectError("its name is unknown") from None
        addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
        if host.lower() not in self._private and any(map(_is_inside, addresses)):
            raise httpcore.ConnectError("its address is inside a private network")
        stream = self._plain.connect_tcp(addresses[0], port, timeout, local_address, socket_options)
        return _Bounded(stream, self._until, self._clock)


class _Bounded(httpcore.NetworkStream):
    """A connection that ends at a time, whatever comes until then."""

    def __init__(self, stream: httpcore.NetworkStream, until: float, clock: Callable[[], float]) -> None:
        self._stream, self._until, self._clock = stream, until, clock

    def _left(self, timeout: float | None) -> float:
        left = self._until - self._clock()
        if left <= 0:
            raise httpcore.ReadTimeout
        return left if timeout is None else min(left, timeout)

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        encrypted = self._stream.start_tls(ssl_context, server_hostname, self._left(timeout))
        return _Bounded(encrypted, self._until, self._clock)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _is_inside(host: str) -> bool:
    """Whether this is an address that is not everybody's; a name is not one."""
    try:
        return not is_public(ipaddress.ip_address(host.strip("[]").partition("%")[0]))
    except ValueError:
        return False


def _headers(pairs: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in pairs:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        found[key] = f"{found[key]}, {text}" if key in found else text
    return found
