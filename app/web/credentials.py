"""What a request shows of its sender: a bearer token, a cookie, an address, and whether a browser sent it."""

from starlette.requests import Request

from app.settings import Settings
from app.state import state_of

TOKEN_MAX_LENGTH = 200


def bearer_token(request: Request) -> str | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip()[:TOKEN_MAX_LENGTH] if scheme.lower() == "bearer" else None


def cookie_token(request: Request) -> str | None:
    return request.cookies.get(cookie_name(state_of(request).settings), "")[:TOKEN_MAX_LENGTH] or None


def cookie_name(settings: Settings) -> str:
    # __Host- binds the cookie to https, this host and the whole path; a browser refuses it on plain http.
    return "__Host-lectern" if settings.is_https else "lectern"


def is_browser(request: Request) -> bool:
    """Browsers name the page that a write comes from; the origin check has passed by the time this is asked."""
    return "sec-fetch-site" in request.headers or "origin" in request.headers


def address_of(request: Request) -> str:
    return request.client.host if request.client else "unknown"
