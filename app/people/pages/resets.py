"""A forgotten password: asking for a link, opening it, and choosing a new one."""

import re
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from app.people import identity
from app.people.accounts import readable_email
from app.people.identity import Caller
from app.people.password_change import email_of_reset, reset_password
from app.people.resets import RESET_LIFE
from app.state import state_of
from app.web.credentials import address_of
from app.web.errors import NotFound, Problem
from app.web.rendering import render

router = APIRouter()

COOKIE = "lectern_reset"
PATH = "/password-resets"
CURRENT = f"{PATH}/current"


@router.get(f"{PATH}/new")
def new(request: Request) -> Response:
    return _page(request, "people/resets/new.html", None, email="")


@router.post(PATH)
def create(request: Request, email: Annotated[str, Form()] = "") -> Response:
    """The same answer whether or not anybody has the address (reset_links.py)."""
    state = state_of(request)
    known_as = readable_email(email)
    try:
        state.limits.spend("reset", person=known_as or email.strip().casefold(), address=address_of(request))
    except Problem as problem:
        return _page(request, "people/resets/new.html", problem, email=email)
    if known_as is not None:
        state.reset_links.ask(known_as)
    return _page(request, "people/resets/asked.html", None, is_mailed=state.reset_links.is_mailed)


@router.get(CURRENT)
def edit(request: Request) -> Response:
    try:
        email = email_of_reset(state_of(request), _token(request))
    except Problem as problem:
        return _page(request, "people/resets/edit.html", problem, email="")
    return _page(request, "people/resets/edit.html", None, email=email)


@router.post(CURRENT)
async def update(request: Request, password: Annotated[str, Form()] = "") -> Response:
    try:
        await reset_password(state_of(request), Caller(request), _token(request), password)
    except Problem as problem:
        return await run_in_threadpool(_again, request, problem)
    response = RedirectResponse("/me/password/changed", 303)
    response.delete_cookie(COOKIE, path=PATH)
    return response


@router.get(f"{PATH}/{{token}}")
def show(request: Request, token: str) -> Response:
    """The link itself. Opening it changes nothing, for a mail server may look at it first.

    attack: the address of a page is seen by whatever it links to or loads, by the history, and over a shoulder.
    defence: there is no page at this address. The token goes into a cookie, and the browser on to a page without it.
    """
    response = RedirectResponse(CURRENT, 303, {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store"})
    if re.fullmatch(r"[A-Za-z0-9_-]{43}", token):
        seconds = int(RESET_LIFE.total_seconds())
        is_https = state_of(request).settings.is_https
        response.set_cookie(COOKIE, token, seconds, path=PATH, secure=is_https, httponly=True, samesite="lax")
    return response


def _token(request: Request) -> str:
    return request.cookies.get(COOKIE, "")


def _again(request: Request, problem: Problem) -> Response:
    """The form, with what is wrong; without it where the link does not work any more."""
    if isinstance(problem, NotFound):
        return _page(request, "people/resets/edit.html", problem, email="")
    try:
        email = email_of_reset(state_of(request), _token(request))
    except Problem as dead:
        return _page(request, "people/resets/edit.html", dead, email="")
    return _page(request, "people/resets/edit.html", problem, email=email)


def _page(request: Request, template: str, problem: Problem | None, **context: object) -> Response:
    with state_of(request).db.reading() as db:
        identity.viewer(db, request)
    return render(
        request,
        template,
        status=problem.status if problem else 200,
        headers={**(problem.headers if problem else {}), "Cache-Control": "no-store"},
        problem=problem,
        **context,
    )
