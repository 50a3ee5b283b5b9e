"""Who may author an exercise or a course, and the log of what was changed."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from app.people.audit import LISTED, entries_of
from app.people.identity import Caller
from app.state import state_of
from app.teaching.authors import authors_of, list_author, require_author, unlist_author
from app.teaching.overview import title_in
from app.teaching.revisions import files_of, newest
from app.teaching.subjects import subject_of
from app.web.errors import Conflict, Invalid, NotFound, Problem
from app.web.rendering import render

router = APIRouter()

Text = Annotated[str, Form(max_length=254)]


@router.get("/author/{kind}/{slug}/authors")
def index(request: Request, kind: str, slug: str, first: Annotated[int, Query(ge=0, le=10**6)] = 0) -> Response:
    return _index(request, kind, slug, first)


@router.post("/author/{kind}/{slug}/authors")
def create(request: Request, kind: str, slug: str, email: Text = "") -> Response:
    """List somebody; from the first on, only those who are listed may author this."""
    state, subject = state_of(request), subject_of(kind, slug)
    try:
        with state.db.writing() as db:
            person = require_author(db, Caller(request), subject, writes=True)
            newest(db, subject)
            _read_person(lambda: list_author(db, person, subject, email))
    except (Invalid, Conflict) as problem:
        return _index(request, kind, slug, 0, problem, email)
    return RedirectResponse(f"{subject.desk_url}/authors", 303)


@router.post("/author/{kind}/{slug}/authors/removals")
def remove(request: Request, kind: str, slug: str, email: Text = "") -> Response:
    state, subject = state_of(request), subject_of(kind, slug)
    try:
        with state.db.writing() as db:
            person = require_author(db, Caller(request), subject, writes=True)
            _read_person(lambda: unlist_author(db, person, subject, email))
    except Invalid as problem:
        return _index(request, kind, slug, 0, problem)
    return RedirectResponse(f"{subject.desk_url}/authors", 303)


def _read_person(change: Any) -> None:
    """A name that nobody has is a fault of the form: the page itself is there. Raises Invalid."""
    try:
        change()
    except NotFound as missing:
        raise Invalid(missing.message, missing.hint) from None


def _index(
    request: Request, kind: str, slug: str, first: int, problem: Problem | None = None, email: str = ""
) -> Response:
    state, subject = state_of(request), subject_of(kind, slug)
    with state.db.reading() as db:
        person = require_author(db, Caller(request), subject)
        title = title_in(files_of(db, newest(db, subject).id), subject)
        listed, entries = authors_of(db, subject), entries_of(db, subject, first)
        own = person.email
    return render(
        request, "teaching/authors/index.html", status=problem.status if problem else 200, problem=problem,
        subject=subject, title=title, listed=listed, own=own, email=email, entries=entries, first=first,
        older=first + LISTED if len(entries) == LISTED else None,
    )  # fmt: skip
