"""Signing up: a guest stays the same person, with all they did."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from app.people import identity, sessions
from app.state import state_of
from app.web.errors import Problem
from app.web.rendering import own_path, render

router = APIRouter()


@router.get("/users/new")
def new(request: Request, back: str = "/") -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        identity.viewer(db, request)
    return render(request, "people/users/new.html", problem=None, email="", back=own_path(back))


@router.post("/users")
async def create(
    request: Request,
    email: Annotated[str, Form()] = "",
    password: Annotated[str, Form()] = "",
    back: Annotated[str, Form()] = "/",
) -> Response:
    try:
        await sessions.sign_up(state_of(request).db, request, email, password)
    except Problem as problem:
        return render(
            request,
            "people/users/new.html",
            status=problem.status,
            headers=problem.headers,
            problem=problem,
            email=email,
            back=own_path(back),
        )
    return RedirectResponse(own_path(back), 303)
