"""Signing in and out."""

from collections.abc import Awaitable
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from app.people import identity, sessions
from app.people.identity import SignedIn
from app.state import state_of
from app.web.errors import Problem, Unauthenticated
from app.web.rendering import own_path, render

router = APIRouter()


@router.get("/sessions/new")
def new(request: Request, back: str = "/") -> Response:
    return form(request, "people/sessions/new.html", back)


@router.post("/sessions")
async def create(
    request: Request,
    email: Annotated[str, Form()] = "",
    password: Annotated[str, Form()] = "",
    back: Annotated[str, Form()] = "/",
) -> Response:
    entering = sessions.sign_in(state_of(request).db, request, email, password)
    return await enter(request, "people/sessions/new.html", entering, email, back)


@router.post("/sessions/delete")
def delete(request: Request) -> Response:
    """Sign out. A person who is signed out already gets what they wanted."""
    try:
        sessions.sign_out(state_of(request).db, request)
    except Unauthenticated:
        pass
    return RedirectResponse("/", 303)


def form(request: Request, template: str, back: str) -> Response:
    """The empty form; signing up has one of the same shape."""
    with state_of(request).db.reading() as db:
        identity.viewer(db, request)
    return render(request, template, problem=None, email="", back=own_path(back), provider=_label(request))


def _label(request: Request) -> str:
    """Of the button that leads to the operator's provider; empty where there is none."""
    state = state_of(request)
    return state.settings.oidc_label if state.provider is not None else ""


async def enter(request: Request, template: str, entering: Awaitable[SignedIn], email: str, back: str) -> Response:
    """Back to where they came from, or the form again with what is wrong."""
    try:
        await entering
    except Problem as problem:
        return render(
            request,
            template,
            status=problem.status,
            headers=problem.headers,
            problem=problem,
            email=email,
            back=own_path(back),
            provider=_label(request),
        )
    return RedirectResponse(own_path(back), 303)
