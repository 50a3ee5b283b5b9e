"""Signing in by the operator's provider: to it, and back."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.people import identity
from app.people.identity import Caller
from app.people.oidc import LIFE, begin, end
from app.people.provider import Provider
from app.state import state_of
from app.web.credentials import address_of
from app.web.errors import Forbidden, NotFound, Problem
from app.web.rendering import own_path, render

router = APIRouter()

PATH = "/oidc"
COOKIE = "lectern_oidc"


@router.get(f"{PATH}/start")
def start(request: Request, back: str = "/") -> Response:
    provider = _provider(request)
    state_of(request).limits.spend("sign_up", address=address_of(request))
    try:
        begun = begin(state_of(request), provider, own_path(back))
    except Problem as problem:
        return _failed(request, problem)
    response = RedirectResponse(begun.address, 303, {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"})
    is_https, seconds = state_of(request).settings.is_https, int(LIFE.total_seconds())
    response.set_cookie(COOKIE, begun.browser, seconds, path=PATH, secure=is_https, httponly=True, samesite="lax")
    return response


@router.get(f"{PATH}/callback")
def callback(request: Request, state: str = "", code: str = "", iss: str = "") -> Response:
    provider = _provider(request)
    state_of(request).limits.spend("sign_up", address=address_of(request))
    try:
        if iss and iss != provider.issuer:  # RFC 9207: the end of a sign-in at another provider
            raise Forbidden("This sign-in is of another provider.", "Start it again.")
        browser = request.cookies.get(COOKIE, "")
        ended = end(state_of(request), Caller(request), provider, state, browser, code)
    except Problem as problem:
        return _failed(request, problem)
    address = "/me?letter=linked" if ended.is_linked else own_path(ended.back)
    response = RedirectResponse(address, 303, {"Cache-Control": "no-store"})
    response.delete_cookie(COOKIE, path=PATH)
    return response


def _provider(request: Request) -> Provider:
    provider: Provider | None = state_of(request).provider
    if provider is None:
        raise NotFound("There is no sign-in by a provider here.", "Sign in with your password, at /sessions/new.")
    return provider


def _failed(request: Request, problem: Problem) -> Response:
    with state_of(request).db.reading() as db:
        identity.viewer(db, request)
    headers = {**problem.headers, "Cache-Control": "no-store"}
    return render(request, "people/oidc/failed.html", status=problem.status, headers=headers, problem=problem)
