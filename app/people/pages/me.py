"""My data: what is kept and why, all of it as a file, and the way out."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Request
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response, StreamingResponse

from app.people import identity, sessions
from app.people.belongings import Belonging, belongings
from app.people.export import EXPORT_HEADERS, chunks, counts_of, export_file
from app.people.identity import Caller
from app.people.permission import Wish, may
from app.people.users import User
from app.state import state_of
from app.web.errors import Invalid, Problem
from app.web.rendering import render

router = APIRouter()

CONFIRMATION = "delete me"


@dataclass(frozen=True)
class Kept:
    section: Belonging
    count: int


@router.get("/me")
def show(request: Request, letter: str = "") -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        person = identity.viewer(db, request)
        is_unconfirmed = person is not None and person.email is not None and person.verified_at is None
        return render(
            request,
            "people/me/show.html",
            person=person,
            kept=_kept(db, person),
            manages_people=may(person, Wish.manage_people),
            operates=may(person, Wish.operate),
            asks_to_confirm=is_unconfirmed and state.outbox.sends("verification"),
            letter=letter,
            moderates=may(person, Wish.moderate),
        )


@router.get("/me/export")
def export(request: Request) -> Response:
    file = export_file(state_of(request), Caller(request))
    return StreamingResponse(chunks(file), media_type="application/json", headers=EXPORT_HEADERS)


@router.get("/me/deletion")
def new_deletion(request: Request) -> Response:
    return _deletion(request, None)


@router.post("/me/deletion")
async def create_deletion(
    request: Request, password: Annotated[str, Form()] = "", confirmation: Annotated[str, Form()] = ""
) -> Response:
    """Once it is done there is nobody to lead back to: the answer is the last page, and loading it again does nothing
    but lead home."""
    person = await run_in_threadpool(_viewer, request)
    if person is None:
        return RedirectResponse("/", 303)
    try:
        if person.password_hash is None and confirmation.strip().casefold() != CONFIRMATION:
            raise Invalid(f"confirmation: type “{CONFIRMATION}” to go on.", "Nothing was deleted.")
        await sessions.leave(request, password)
    except Problem as problem:
        return await run_in_threadpool(_deletion, request, problem)
    return render(request, "people/me/goodbye.html")


def _viewer(request: Request) -> User | None:
    with state_of(request).db.reading() as db:
        return identity.viewer(db, request)


def _deletion(request: Request, problem: Problem | None) -> Response:
    with state_of(request).db.reading() as db:
        person = identity.viewer(db, request)
        kept = [one for one in _kept(db, person) if one.count]
    return render(
        request,
        "people/me/deletion.html",
        status=problem.status if problem else 200,
        headers=problem.headers if problem else None,
        person=person,
        kept=kept,
        confirmation=CONFIRMATION,
        problem=problem,
    )


def _kept(db: Session, person: User | None) -> list[Kept]:
    counts = counts_of(db, person.id) if person else {}
    return [Kept(section, counts.get(section.key, 0)) for section in belongings()]
