"""What every request passes on its way in and out, before and after any route: one ASGI middleware.

In: by which name it was sent, the size and the pace of the body, and where a write comes from. Out: security headers
and the session's cookie. A fault that no route expected is answered here too, so that the answer to it carries the same
headers. HEAD is answered as GET is, without the body; a stream of events, which is nothing but its body, takes GET
alone.
"""

import asyncio
import secrets
import time
from collections.abc import Iterable
from http.cookies import Morsel
from urllib.parse import urlsplit

import structlog
from python_multipart.multipart import parse_options_header
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.settings import Settings
from app.state import state_of
from app.web import credentials, errors, tracing
from app.web.errors import Forbidden, Invalid, NotFound, Passing, Problem, TooLarge
from app.web.held import Bodies, Body, busy
from app.web.hosts import Hosts

BODY_PAUSE_SECONDS = 30  # between two parts of a body; a part is whatever the network brings
BODY_SECONDS = 120  # for all of it: a megabyte at 9 kB a second
SAFE_METHODS = ("GET", "HEAD", "OPTIONS", "TRACE")
DIRECTIVES = {
    "default-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "object-src": "'none'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
}
POLICY = "; ".join(f"{name} {value}" for name, value in DIRECTIVES.items())
# Addresses to which other sites' pages may send a form, by what they prove in it. No session is looked at there.
_FROM_ELSEWHERE: set[str] = set()
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
ASSET_HEADERS = ("X-Content-Type-Options", "Cross-Origin-Resource-Policy")


class Edge:
    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.body_max_bytes = settings.body_max_kb << 10
        self.hosts, self.bodies = Hosts(settings), Bodies()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        scope.setdefault("state", {})
        is_head = scope["method"] == "HEAD" and not errors.is_stream(scope["path"])
        if is_head:
            scope = {**scope, "method": "GET"}
        misdirected = self._misdirected(scope)
        request = Request(scope)
        body = self.bodies.begin(request.client.host if request.client else "unknown")
        started = False
        # attack: an id of the sender's choice, and with it lines in our log. defence: ids are ours alone.
        request.state.id = secrets.token_hex(8)
        structlog.contextvars.bind_contextvars(request=request.state.id)

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                answered(message["status"])
                self._dress(request, MutableHeaders(scope=message))
                took = time.perf_counter() - began
                state_of(request).metrics.answered(_series_of(scope), scope["method"], message["status"], took)
            elif is_head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        with tracing.request_span(scope["method"], scope["path"], scope) as answered:
            try:
                if misdirected is not None:
                    raise misdirected
                self._admit(request)
                await self.app(scope, self._capped(receive, body), send_with_headers)
            except Problem as problem:
                await errors.respond(request, problem)(scope, receive, send_with_headers)
            except asyncio.CancelledError:  # by a server that ends, once it has waited as long as it may
                if started:
                    raise
                await errors.respond(request, errors.restarting())(scope, receive, send_with_headers)
            except Exception as error:
                if started:
                    raise
                await errors.unexpected(request, error)(scope, receive, send_with_headers)
            finally:
                self.bodies.end(body)
                structlog.contextvars.unbind_contextvars("request")

    def _misdirected(self, scope: Scope) -> Problem | None:
        try:
            self.hosts.require_ours(scope)
        except Problem as problem:
            # The answer to it is made without the name: a page's own address may be no address at all.
            scope["headers"] = [(name, value) for name, value in scope["headers"] if name != b"host"]
            return problem
        return None

    def _admit(self, request: Request) -> None:
        length = request.headers.get("content-length", "0")
        if length.isdecimal() and int(length) > self.body_max_bytes:
            raise _too_large(self.settings)
        if "\0" in request.scope["path"]:
            # attack: `%00` in an address, which PostgreSQL takes in no text. defence: nothing of ours is named so.
            raise NotFound("There is nothing at this address.", "Check the address.")
        if errors.is_stream(request.scope["path"]) and (length != "0" or "transfer-encoding" in request.headers):
            # attack: a body that nobody reads, beside a stream that does not end: it is kept as long.
            raise Invalid(
                "An event stream takes no request body.", "Request it with GET.", headers={"Connection": "close"}
            )
        if request.method not in SAFE_METHODS:
            if request.scope["path"] not in _FROM_ELSEWHERE:
                require_own_origin(request)
            _require_utf_8(request)

    def _capped(self, receive: Receive, body: Body) -> Receive:
        seen, more = 0, True
        clock = asyncio.get_running_loop().time
        due: float | None = None

        async def receive_part() -> Message:
            nonlocal due
            due = due or clock() + BODY_SECONDS
            try:
                async with asyncio.timeout_at(min(due, clock() + BODY_PAUSE_SECONDS)) as body.wait:
                    return await receive()
            except TimeoutError:
                raise Passing(busy() if body.given_up else _too_slow()) from None
            finally:
                body.wait = None

        async def receive_capped() -> Message:
            nonlocal seen, more
            if not more:
                return await receive()
            if body.given_up:
                raise Passing(busy())
            message = await receive_part()
            size = len(message.get("body", b""))
            seen += size
            more = bool(message.get("more_body"))
            if seen > self.body_max_bytes:
                raise Passing(_too_large(self.settings))
            try:
                self.bodies.take(body, size, more)
            except Problem as problem:
                raise Passing(problem) from None
            return message

        return receive_capped

    def _dress(self, request: Request, headers: MutableHeaders) -> None:
        # Static files are ours, and no page: what rules a page would double the weight of the small ones.
        is_page = headers.get("content-type", "").startswith("text/html")
        if (policy := getattr(request.state, "policy", None)) is not None:
            headers["Content-Security-Policy"] = policy
        for name in HEADERS if is_page or not request.url.path.startswith("/static/") else ASSET_HEADERS:
            if name != "X-Frame-Options" or policy is None:  # it knows of no origins
                headers.setdefault(name, HEADERS[name])
        if not request.url.path.startswith("/static/"):
            headers["X-Request-Id"] = request.state.id
        headers.setdefault("Cache-Control", "no-store" if errors.is_api(request.url.path) else "private, no-cache")
        if self.settings.is_https:
            headers.setdefault("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
        token = getattr(request.state, "set_cookie", None)
        if token is not None:
            headers.append("Set-Cookie", _cookie(self.settings, token))


def take_from_elsewhere(*paths: str) -> None:
    """Other sites' pages may send forms to these."""
    _FROM_ELSEWHERE.update(paths)


def allow(request: Request, *, framed_by: Iterable[str] = (), sends_to: Iterable[str] = ()) -> None:
    """The answer to this request may lie in a frame of these origins' pages, and send its forms to those."""
    changed = {
        "frame-ancestors": " ".join(framed_by) or "'none'",
        "form-action": " ".join(("'self'", *sends_to)),
    }
    request.state.policy = "; ".join(f"{name} {value}" for name, value in {**DIRECTIVES, **changed}.items())


def require_own_origin(request: Request) -> None:
    """attack: another site makes the browser of someone signed in here send a write. defence: it says who asks.

    A bearer token is the exception: no browser adds one by itself. So is a program that calls the API with no
    cookie and no browser headers: there is no session for it to misuse.
    """
    if credentials.bearer_token(request) is not None:
        return
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None:
        allowed = site == "same-origin"
    elif origin is not None:
        allowed = origin.lower() == own_origin(request)
    else:
        allowed = credentials.cookie_token(request) is None and errors.is_api(request.url.path)
    if not allowed:
        raise Forbidden(
            "This request does not come from one of our own pages.",
            "Open Lectern's own page and send it from there. Programs need a bearer token.",
        )


def _require_utf_8(request: Request) -> None:
    """attack: a form in a charset of the sender's choice: one that Python fails on (`undefined`, `punycode`), or one
    in which half a surrogate pair is text (`utf-7`), so that the page which shows what was typed cannot be sent.
    defence: a form is UTF-8, as every browser sends it from our pages.
    """
    kind, options = parse_options_header(request.headers.get("content-type"))
    if kind.startswith(b"multipart/") and options.get(b"charset", b"utf-8").lower() not in (b"utf-8", b"utf8"):
        raise Invalid("The form is not in UTF-8.", "Send it as UTF-8, without naming another charset.")


def own_origin(request: Request) -> str:
    """The origin that the browser knows us by: as configured, else the address it asked."""
    configured = state_of(request).settings.origin
    return configured or f"{request.url.scheme}://{urlsplit(str(request.url)).netloc}".lower()


def _series_of(scope: Scope) -> str:
    """attack: addresses without end, each with a series of its own in the metrics. defence: a route's template stands
    for all of its addresses, and one word for all that have no route, or were refused before one was looked for."""
    return "/static/" if scope["path"].startswith("/static/") else tracing.route_of(scope) or "unmatched"


def _too_large(settings: Settings) -> Problem:
    return TooLarge(
        "The request is too large.",
        f"A request may have up to {settings.body_max_kb} KiB, and source code up to {settings.source_max_kb} KiB.",
    )


def _too_slow() -> Problem:
    return Invalid(
        "The rest of the request did not arrive.",
        f"Send it again, in full within {BODY_SECONDS} s.",
        headers={"Connection": "close"},
        status=408,
    )


def _cookie(settings: Settings, token: str) -> str:
    morsel: Morsel[str] = Morsel()
    morsel.set(credentials.cookie_name(settings), token, token)
    morsel["path"] = "/"
    morsel["httponly"] = True
    morsel["samesite"] = "Lax"
    morsel["max-age"] = str(settings.session_days * 86_400 if token else 0)
    if settings.is_https:
        morsel["secure"] = True
    return morsel.OutputString()
