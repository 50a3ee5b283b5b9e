"""What every request passes on its way in and out, before and after any route: one ASGI middleware.

In: the size of the body, and where a write comes from. Out: security headers and the session's cookie. A fault that
no route expected is answered here too, so that the answer to it carries the same headers.
"""

import asyncio
from http.cookies import Morsel
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import auth, errors
from app.errors import Forbidden, Problem, TooLarge
from app.settings import Settings
from app.state import state_of

BODY_PAUSE_SECONDS = 30  # between two parts of a body; a part is whatever the network brings
SAFE_METHODS = ("GET", "HEAD", "OPTIONS", "TRACE")
POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


class Edge:
    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.body_max_bytes = settings.body_max_kb << 10

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope.setdefault("state", {})
        request = Request(scope)
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                self._dress(request, MutableHeaders(scope=message))
            await send(message)

        try:
            self._admit(request)
            await self.app(scope, self._capped(receive), send_with_headers)
        except Problem as problem:
            await errors.respond(request, problem)(scope, receive, send_with_headers)
        except Exception as error:
            if started:
                raise
            await errors.unexpected(request, error)(scope, receive, send_with_headers)

    def _admit(self, request: Request) -> None:
        length = request.headers.get("content-length", "0")
        if length.isdecimal() and int(length) > self.body_max_bytes:
            raise _too_large(self.settings)
        if request.method not in SAFE_METHODS:
            require_own_origin(request)

    def _capped(self, receive: Receive) -> Receive:
        seen, more = 0, True

        async def receive_capped() -> Message:
            nonlocal seen, more
            try:
                async with asyncio.timeout(BODY_PAUSE_SECONDS if more else None):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, "The rest of the request did not come.") from None
            seen += len(message.get("body", b""))
            more = bool(message.get("more_body"))
            if seen > self.body_max_bytes:
                raise HTTPException(413)  # the one exception that passes through whoever reads the body
            return message

        return receive_capped

    def _dress(self, request: Request, headers: MutableHeaders) -> None:
        for name, value in HEADERS.items():
            headers.setdefault(name, value)
        headers.setdefault("Cache-Control", "no-store" if errors.is_api(request.url.path) else "private, no-cache")
        if self.settings.is_https:
            headers.setdefault("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
        token = getattr(request.state, "set_cookie", None)
        if token is not None:
            headers.append("Set-Cookie", _cookie(self.settings, token))


def require_own_origin(request: Request) -> None:
    """attack: another site makes the browser of someone signed in here send a write. defence: it says who asks.

    A bearer token is the exception: no browser adds one by itself. So is a program that calls the API with no
    cookie and no browser headers: there is no session for it to misuse.
    """
    if auth.bearer_token(request) is not None:
        return
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None:
        allowed = site == "same-origin"
    elif origin is not None:
        allowed = origin.lower() == own_origin(request)
    else:
        allowed = auth.cookie_token(request) is None and errors.is_api(request.url.path)
    if not allowed:
        raise Forbidden(
            "This request does not come from one of our own pages.",
            "Open Lectern's own page and send it from there; programs use a bearer token.",
        )


def own_origin(request: Request) -> str:
    """The origin that the browser knows us by: as configured, else the address it asked."""
    configured = state_of(request).settings.origin
    return configured or f"{request.url.scheme}://{urlsplit(str(request.url)).netloc}".lower()


def _too_large(settings: Settings) -> Problem:
    return TooLarge(
        "The request is too large.",
        f"A request may hold {settings.body_max_kb} KiB, and a source {settings.source_max_kb} KiB.",
    )


def _cookie(settings: Settings, token: str) -> str:
    morsel: Morsel[str] = Morsel()
    morsel.set(auth.cookie_name(settings), token, token)
    morsel["path"] = "/"
    morsel["httponly"] = True
    morsel["samesite"] = "Lax"
    morsel["max-age"] = str(settings.session_days * 86_400 if token else 0)
    if settings.is_https:
        morsel["secure"] = True
    return morsel.OutputString()
