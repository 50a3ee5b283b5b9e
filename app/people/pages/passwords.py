"""My password, which its owner changes."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from app.people import identity
from app.people.identity import Caller
from app.people.password_change import change_password
from app.state import state_of
from app.web.errors import Problem
from app.web.rendering import render

router = APIRouter()


@router.get("/me/password")
def edit(request: Request) -> Response:
    return _form(request, None)


@router.post("/me/password")
async def update(
    request: Request, current: Annotated[str, Form()] = "", password: Annotated[str, Form()] = ""
) -> Response:
    try:
        await change_password(state_of(request), Caller(request), current, password)
    except Problem as problem:
        return await run_in_threadpool(_form, request, problem)
    return RedirectResponse("/me/password/changed", 303)


@router.get("/me/password/changed")
def changed(request: Request) -> Response:
    with state_of(request).db.reading() as db:
        identity.viewer(db, request)
    return render(request, "people/me/password_changed.html")


def _form(request: Request, problem: Problem | None) -> Response:
    with state_of(request).db.reading() as db:
        person = identity.viewer(db, request)
    return render(
        request,
        "people/me/password.html",
        status=problem.status if problem else 200,
        headers=problem.headers if problem else None,
        person=person,
        problem=problem,
    )
