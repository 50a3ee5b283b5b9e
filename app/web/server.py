"""The running server: uvicorn, made to say where it is and to end at once when asked to."""

import asyncio
import contextlib
import fcntl
import gc
import resource
import socket
import sys
from pathlib import Path
from types import FrameType
from typing import IO, cast

import httptools
import uvicorn
from fastapi import FastAPI
from sqlalchemy.exc import SQLAlchemyError
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from app.db import Database
from app.main import create_app
from app.moving import NotMoved, half_moved
from app.private import Exposed, keep_private
from app.settings import Settings
from app.web.edge import BODY_SECONDS
from app.web.errors import Problem
from app.web.held import Connections
from app.web.hosts import TARGET, address
from app.web.log import write_line
from app.web.tracing import API

# Open streams end by themselves within milliseconds; an answer that is not taken by then is cut off.
GRACE_SECONDS = 1
HEAD_MAX_BYTES = 64 << 10
HEAD_SECONDS = 20.0
LINGER_SECONDS = 2.0  # for a connection that is refused to read why
BODY_GRACE_SECONDS = 30.0  # Edge tells who sends a body too slowly; who does not care is cut off
DESCRIPTORS = 65_536
SETTLED_SECONDS = 30.0  # after its start: lessons are rendered by then


def serve(settings: Settings, *, is_demo: bool = False) -> int:
    """Serve until interrupted; returns the process's exit code: 0, or 2 when it could not begin."""
    try:
        keep_private(settings)
    except Exposed as exposed:
        _say(exposed.message, exposed.hint)
        return 2
    listener = _listen(settings)
    if listener is None:
        return 2
    with listener:
        lock = _lock(settings.data)
        if lock is None:
            _say(
                f"Another Lectern server is using {settings.data}.",
                "Stop it, or set LECTERN_DATA to a different folder for this one.",
            )
            return 2
        with lock:
            _raise_descriptors()
            unfinished = _unfinished_move(settings)
            if unfinished is not None:
                _say(unfinished.message, unfinished.hint)
                return 2
            app = create_app(settings, _tell if is_demo else None)
            config = uvicorn.Config(
                app,
                host=settings.host,
                port=settings.port,
                http=Protocol,
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=bool(settings.trusted_proxies),
                forwarded_allow_ips=settings.trusted_proxies or None,
                timeout_graceful_shutdown=GRACE_SECONDS,
            )
            host, port = listener.getsockname()[:2]
            try:
                _OwnProcess(config, app, address(host, port)).run(sockets=[listener])
            except KeyboardInterrupt:
                pass  # uvicorn raises the signal again once it has ended in good order
    return 0


def _unfinished_move(settings: Settings) -> NotMoved | None:
    """attack: a server starts between two runs of `move-data`, and what people send meanwhile is in the way of the
    rest. defence: it does not start."""
    if not settings.database_url:
        return None
    with contextlib.closing(Database(settings.database)) as database:
        try:
            return half_moved(database)
        except SQLAlchemyError:  # it is away: the start itself says so
            return None


class Server(uvicorn.Server):
    """Ends event streams first: uvicorn by itself would wait for every open one."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, address: str) -> None:
        super().__init__(config)
        self._app, self._address = app, address

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        _tell(f"Lectern is at {self._address}")

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._app.state.events.close()
        if self._app.state.live is not None:
            self._app.state.live.hang_up()
        super().handle_exit(sig, frame)


class _OwnProcess(Server):
    """A server that has its process to itself."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        make_routes_ready(self._app)
        await super().startup(sockets)
        settle()
        asyncio.get_running_loop().call_later(SETTLED_SECONDS, settle)


def make_routes_ready(app: FastAPI) -> None:
    """FastAPI makes what a route needs when an address is first compared with it: of the API a fifth of a second, in
    which no page is answered. So we compare one address with all of them before the server listens."""
    scope = {"type": "http", "method": "GET", "path": f"{API}/-", "root_path": "", "headers": []}
    for route in app.router.routes:
        route.matches(scope)


def settle() -> None:
    """What is in memory now stays until the end: code, routes, content. The collector need not go through it again and
    again, for a fifth of a second in which no page is answered."""
    gc.collect()
    gc.freeze()


class Protocol(HttpToolsProtocol):
    """attack: a head that never ends. Uvicorn keeps all of one that is large, at a cost that grows with its square,
    and waits forever for one that is slow. defence: a head has a size and a time.

    attack: connections without number. defence: they are counted (app/web/held.py), and one too many is told why.

    attack: bodies that nobody reads: sent on after their answer, or behind a request that is not answered yet.
    defence: a body has a time, and none waits behind another request. (What is read of a body is Edge's to bound.)
    """

    _head_bytes = 0
    _in_head = False
    _head_due: asyncio.TimerHandle | None = None
    _body_due: asyncio.TimerHandle | None = None
    _refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        problem = self._connections.open(self._peer)
        if problem is None:
            self._wait_for_head()
        else:
            self._refuse(problem)

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.close(self._peer)
        self._head_is_there()
        self._body_is_there()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        super().data_received(data)
        if self._in_head and not self.transport.is_closing():
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_MAX_BYTES:
                self.send_400_response("The request headers are too large.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self._head_bytes = True, 0
        self._wait_for_head()

    def on_headers_complete(self) -> None:
        self._head_is_there()
        if b"://" in self.url:
            host = httptools.parse_url(self.url).host or b""
            self.scope["state"][TARGET] = host.decode("latin-1").lower().removesuffix(".")
        super().on_headers_complete()
        if any(name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
               for name, value in self.headers):  # fmt: skip
            if self.pipeline:
                self.transport.close()
            self._body_due = self.loop.call_later(BODY_SECONDS + BODY_GRACE_SECONDS, self.transport.close)

    def on_message_complete(self) -> None:
        self._body_is_there()
        super().on_message_complete()

    @property
    def _connections(self) -> Connections:
        return cast(Connections, cast(FastAPI, self.config.app).state.connections)

    @property
    def _peer(self) -> str | None:
        """None for a trusted proxy, whose connections are everybody's."""
        host = self.client[0] if self.client else ""
        app = self.config.loaded_app
        return None if isinstance(app, ProxyHeadersMiddleware) and host in app.trusted_hosts else host

    def _refuse(self, problem: Problem) -> None:
        self._refused = True
        text = f"{problem.message} {problem.hint}\n".encode()
        head = "content-type: text/plain; charset=utf-8\r\nretry-after: 5\r\nconnection: close\r\n"
        self.transport.write(STATUS_LINE[problem.status] + f"{head}content-length: {len(text)}\r\n\r\n".encode() + text)
        if problem.status == 503:  # no descriptor is left for somebody who reads slowly
            self.transport.close()
        else:
            self.transport.write_eof()
            self._head_due = self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    def _wait_for_head(self) -> None:
        if self._head_due is None:
            self._head_due = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _head_is_there(self) -> None:
        self._in_head = False
        if self._head_due is not None:
            self._head_due.cancel()
            self._head_due = None

    def _body_is_there(self) -> None:
        if self._body_due is not None:
            self._body_due.cancel()
            self._body_due = None


def _raise_descriptors() -> None:
    """As many as this process may have, for the connections of those who wait: what a shell gives is often few."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def _listen(settings: Settings) -> socket.socket | None:
    """The listening socket, taken before anything else is begun: a taken port is said at once."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host.strip("[]"), settings.port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        what = f"Cannot listen on {settings.host} port {settings.port}: {(error.strerror or str(error)).lower()}."
        _say(what, "Stop the program that uses it, or choose another port: ./lectern serve --port 8001")
        return None
    return listener


def _lock(data: Path) -> IO[str] | None:
    """One server a data folder: two would take turns through the same waiting gradings, each in its own order. (That no
    grading is run twice is another matter: app/queue/leases.py.)"""
    lock = (data / "server.lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    return lock


def _tell(line: str) -> None:
    write_line(line, sys.stdout)  # a script that started it waits for this


def _say(what: str, remedy: str) -> None:
    write_line(f"lectern: {what}\n         {remedy}", sys.stderr)
