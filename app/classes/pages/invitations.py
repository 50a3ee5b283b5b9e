"""An invitation to a class: the link in the letter, and the page on which its reader takes the place."""

import re
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from app.classes.invitations import LIFE, PATH, A, accept, place_by
from app.classes.rights import ClassRole
from app.people import identity, sessions
from app.people.identity import Caller
from app.people.users import user_by_email
from app.state import state_of
from app.web.credentials import address_of
from app.web.errors import NotFound, Problem
from app.web.rendering import render

router = APIRouter()

COOKIE = "lectern_invitation"
CURRENT = f"{PATH}/current"


@router.get(CURRENT)
def show_current(request: Request) -> Response:
    return _page(request, None)


@router.post(CURRENT)
def create(request: Request) -> Response:
    """Anyone who has an account joins with it."""
    try:
        with state_of(request).db.writing() as db:
            class_id = accept(db, Caller(request), _token(request)).class_.id
    except Problem as problem:
        return _page(request, problem)
    return _joined(class_id)


@router.post(f"{CURRENT}/account")
async def create_account(request: Request, password: Annotated[str, Form()] = "") -> Response:
    """People without one make it, with the address to which the link was sent; also where nobody else may sign up."""
    try:
        email, class_id = await run_in_threadpool(_invited, request)
        await sessions.sign_up(state_of(request).db, request, email, password, is_invited=True)
    except Problem as problem:
        return await run_in_threadpool(_page, request, problem)
    return _joined(class_id)


@router.get(f"{PATH}/{{token}}")
def show(request: Request, token: str) -> Response:
    """The link itself: it changes nothing, and its token goes into a cookie (as people/pages/resets.py does)."""
    state_of(request).limits.spend("token", address=address_of(request))
    response = RedirectResponse(CURRENT, 303, {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store"})
    if re.fullmatch(r"[A-Za-z0-9_-]{43}", token):
        is_https = state_of(request).settings.is_https
        seconds = int(LIFE.total_seconds())
        response.set_cookie(COOKIE, token, seconds, path=PATH, secure=is_https, httponly=True, samesite="lax")
    return response


def _invited(request: Request) -> tuple[str, int]:
    with state_of(request).db.reading() as db:
        place, class_ = place_by(db, _token(request))
        return place.email, class_.id


def _token(request: Request) -> str:
    return request.cookies.get(COOKIE, "")


def _joined(class_id: int) -> Response:
    response = RedirectResponse(f"/classes/{class_id}", 303)
    response.delete_cookie(COOKIE, path=PATH)
    return response


def _page(request: Request, problem: Problem | None) -> Response:
    with state_of(request).db.reading() as db:
        person = identity.viewer(db, request)
        try:
            place, class_ = place_by(db, _token(request))
        except NotFound as dead:
            context = {"problem": dead, "title": "", "role": "", "email": "", "has_account": False}
        else:
            known = user_by_email(db, place.email) is not None
            context = {"problem": problem, "title": class_.title, "role": A[ClassRole(place.role)]}
            context |= {"email": place.email, "has_account": known}
    shown = context["problem"]
    return render(
        request,
        "classes/invitations/show.html",
        status=shown.status if isinstance(shown, Problem) else 200,
        headers={**(shown.headers if isinstance(shown, Problem) else {}), "Cache-Control": "no-store"},
        person=person,
        **context,
    )
