"""Signing in and out."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from app.people import identity, sessions
from app.state import state_of
from app.web.errors import Problem, Unauthenticated
from app.web.rendering import own_path, render

router = APIRouter()


@router.get("/sessions/new")
def new(request: Request, back: str = "/") -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        identity.viewer(db, request)
    return render(request, "people/sessions/new.html", problem=None, email="", back=own_path(back))


@router.post("/sessions")
async def create(
    request: Request,
    email: Annotated[str, Form()] = "",
    password: Annotated[str, Form()] = "",
    back: Annotated[str, Form()] = "/",
) -> Response:
    try:
        await sessions.sign_in(state_of(request).db, request, email, password)
    except Problem as problem:
        return render(
            request,
            "people/sessions/new.html",
            status=problem.status,
            headers=problem.headers,
            problem=problem,
            email=email,
            back=own_path(back),
        )
    return RedirectResponse(own_path(back), 303)


@router.post("/sessions/delete")
def delete(request: Request) -> Response:
    """Sign out. A person who is signed out already gets what they wanted."""
    try:
        sessions.sign_out(state_of(request).db, request)
    except Unauthenticated:
        pass
    return RedirectResponse("/", 303)
