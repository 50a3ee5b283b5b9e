"""Which accounts in learning management systems sign in to one's own, at /me/systems."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from app.classes.lti.accounts import disconnect_account, systems_of
from app.db import read_id
from app.people import identity
from app.people.identity import Caller
from app.state import state_of
from app.web.errors import Conflict, Problem
from app.web.rendering import render

router = APIRouter()


@router.get("/me/systems")
def show(request: Request, done: str = "") -> Response:
    return _page(request, "It is disconnected." if done == "disconnected" else "", None)


@router.post("/me/systems/deletion")
def delete(request: Request, platform: Annotated[str, Form()] = "", subject: Annotated[str, Form()] = "") -> Response:
    try:
        with state_of(request).db.writing() as db:
            person = Caller(request).require_viewer(db, writes=True)
            disconnect_account(db, person, read_id(platform) or 0, subject)
    except Conflict as problem:
        return _page(request, "", problem)
    return RedirectResponse("/me/systems?done=disconnected", 303)


def _page(request: Request, notice: str, problem: Problem | None) -> Response:
    with state_of(request).db.reading() as db:
        person = identity.viewer(db, request)
        connected = systems_of(db, person.id) if person is not None else []
    return render(
        request,
        "classes/lti/accounts.html",
        status=problem.status if problem else 200,
        headers=problem.headers if problem else None,
        person=person,
        connected=connected,
        notice=notice,
        problem=problem,
    )
