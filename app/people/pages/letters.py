"""Which letters a person wants, at /me/letters; and the link at the end of each, which works signed out."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from app.people import identity
from app.people.identity import Caller
from app.people.outbox import STOP, choices_of, choose, kind_to_stop, optional_kinds, stop
from app.state import state_of
from app.web.credentials import address_of
from app.web.errors import NotFound
from app.web.rendering import render

router = APIRouter()

OLD = NotFound("This link is not valid, or is too old.", "Sign in, and choose your letters at /me/letters.")


@router.get("/me/letters")
def edit(request: Request, saved: str = "") -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        person = identity.viewer(db, request)
        choices = choices_of(db, person.id) if person is not None and person.email is not None else {}
    kinds = [kind for kind in optional_kinds() if kind.name not in state.settings.kinds_off]
    return render(
        request,
        "people/letters/edit.html",
        person=person,
        kinds=kinds,
        choices=choices,
        is_mailed=state.outbox.is_mailed,
        is_saved=bool(saved),
    )


@router.post("/me/letters")
def update(request: Request, wanted: Annotated[list[str] | None, Form()] = None) -> Response:
    with state_of(request).db.writing() as db:
        person = Caller(request).require_viewer(db, writes=True)
        choose(db, person.id, wanted or [])
    return RedirectResponse("/me/letters?saved=1", 303)


@router.get(f"{STOP}/{{token}}")
def confirm_stop(request: Request, token: str) -> Response:
    """Opening it changes nothing, for a mail server may look at it first."""
    return _stopping(request, token, is_done=False)


@router.post(f"{STOP}/{{token}}")
def create_stop(request: Request, token: str) -> Response:
    return _stopping(request, token, is_done=True)


def _stopping(request: Request, token: str, *, is_done: bool) -> Response:
    state = state_of(request)
    state.limits.spend("token", address=address_of(request))
    with state.db.writing() if is_done else state.db.reading() as db:
        identity.viewer(db, request)
        kind = stop(db, token) if is_done else kind_to_stop(db, token)
    if kind is None:
        raise OLD
    headers = {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
    return render(request, "people/letters/stop.html", headers=headers, kind=kind, token=token, is_done=is_done)
