"""Signing up: a guest stays the same person, with all they did."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from app.people import sessions
from app.people.pages.sessions import enter, form
from app.state import state_of

router = APIRouter()


@router.get("/users/new")
def new(request: Request, back: str = "/") -> Response:
    return form(request, "people/users/new.html", back)


@router.post("/users")
async def create(
    request: Request,
    email: Annotated[str, Form()] = "",
    password: Annotated[str, Form()] = "",
    back: Annotated[str, Form()] = "/",
) -> Response:
    entering = sessions.sign_up(state_of(request).db, request, email, password)
    return await enter(request, "people/users/new.html", entering, email, back)
