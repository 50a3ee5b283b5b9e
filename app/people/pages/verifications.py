"""Confirming an e-mail address: the link in the letter, the page that asks, and another letter."""

import re

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.people import identity
from app.people.identity import Caller
from app.people.verifications import LIFE, PATH, ask_to_verify, confirm, user_to_verify
from app.state import state_of
from app.web.credentials import address_of
from app.web.errors import Conflict, Problem
from app.web.rendering import render

router = APIRouter()

COOKIE = "lectern_verification"
CURRENT = f"{PATH}/current"


@router.post(PATH)
def create(request: Request) -> Response:
    """Another letter, for a person who asks from their own account."""
    state, caller = state_of(request), Caller(request)
    with state.db.writing() as db:
        person = caller.require_viewer(db, writes=True)
        state.limits.spend("verification", person=person.id, address=caller.address)
        if person.email is None or person.verified_at is not None or not state.outbox.sends("verification"):
            raise Conflict("There is no address of yours to confirm.", "See /me.")
        ask_to_verify(db, person)
    return RedirectResponse("/me?letter=sent", 303)


@router.get(CURRENT)
def show_current(request: Request) -> Response:
    with state_of(request).db.reading() as db:
        person = identity.viewer(db, request)
        try:
            user = user_to_verify(db, _token(request))
        except Problem as problem:
            return _page(request, problem, email="", is_theirs=False)
    return _page(request, None, email=user.email, is_theirs=person is not None and person.id == user.id)


@router.post(CURRENT)
def update(request: Request) -> Response:
    try:
        with state_of(request).db.writing() as db:
            confirm(db, Caller(request), _token(request))
    except Problem as problem:
        return _page(request, problem, email="", is_theirs=False)
    response = RedirectResponse("/me?letter=confirmed", 303)
    response.delete_cookie(COOKIE, path=PATH)
    return response


@router.get(f"{PATH}/{{token}}")
def show(request: Request, token: str) -> Response:
    """The link itself: it changes nothing, and its token goes into a cookie (as pages/resets.py does)."""
    state_of(request).limits.spend("token", address=address_of(request))
    response = RedirectResponse(CURRENT, 303, {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store"})
    if re.fullmatch(r"[A-Za-z0-9_-]{43}", token):
        is_https = state_of(request).settings.is_https
        seconds = int(LIFE.total_seconds())
        response.set_cookie(COOKIE, token, seconds, path=PATH, secure=is_https, httponly=True, samesite="lax")
    return response


def _token(request: Request) -> str:
    return request.cookies.get(COOKIE, "")


def _page(request: Request, problem: Problem | None, **context: object) -> Response:
    status = problem.status if problem else 200
    headers = {**(problem.headers if problem else {}), "Cache-Control": "no-store"}
    return render(request, "people/verifications/show.html", status=status, headers=headers, problem=problem, **context)
