"""Notes on lessons: the list below a lesson, all of one's own on a page and as a file, and the form for one."""

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from app.db import read_id
from app.people import identity
from app.people.identity import Caller
from app.reading.note_markdown import to_markdown
from app.reading.note_places import arranged, arranged_by_lesson
from app.reading.notes import (
    COLOURS,
    TEXT_MAX,
    NewNote,
    Note,
    change_note,
    delete_note,
    keep_note,
    load_note,
    notes_of,
    notes_on,
)
from app.state import state_of
from app.web.credentials import address_of
from app.web.edge import own_origin
from app.web.errors import Conflict, NotFound
from app.web.rendering import is_partial, render

router = APIRouter()

MARKDOWN_HEADERS = {"Content-Disposition": 'attachment; filename="notes.md"', "Cache-Control": "no-store"}
BESIDE = "This note was changed in another tab or on another device. Both versions are kept, as two notes."


@router.get("/courses/{course}/{lesson}/notes")
def index_of_lesson(request: Request, course: str, lesson: str) -> Response:
    if is_partial(request):
        with state_of(request).db.reading() as db:
            person = identity.viewer(db, request)
        return _list(request, person.id if person else None, course, lesson)
    return RedirectResponse(f"{state_of(request).catalog.lesson(course, lesson)[1].url}#my-notes", 303)


@router.post("/courses/{course}/{lesson}/notes")
async def create(request: Request, course: str, lesson: str) -> Response:
    form = await request.form()
    sent = NewNote(**{name: _text(form, name) for name in ("section", "quote", "before", "after", "text")},
                   colour=_text(form, "colour") or COLOURS[0], key=_text(form, "key") or None)  # fmt: skip
    return await run_in_threadpool(_create, request, course, lesson, sent)


@router.get("/me/notes")
def index(request: Request) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        notes = notes_of(db, identity.viewer(db, request))
    return render(request, "reading/notes/index.html", lessons=arranged_by_lesson(state.catalog, notes))


@router.get("/me/notes.md")
def show_markdown(request: Request) -> Response:
    state = state_of(request)
    state.limits.spend("export", address=address_of(request))
    with state.db.reading() as db:
        person = identity.require_viewer(db, request)
        state.limits.spend("export", person=person.id)
        notes = notes_of(db, person)
    text = to_markdown(arranged_by_lesson(state.catalog, notes), own_origin(request))
    return Response(text, media_type="text/markdown; charset=utf-8", headers=MARKDOWN_HEADERS)


@router.get("/me/notes/{id}")
def edit(request: Request, id: str, beside: bool = False) -> Response:
    with state_of(request).db.reading() as db:
        note = load_note(db, id, identity.viewer(db, request))
    return _edit(request, note, BESIDE if beside else None)


@router.post("/me/notes/{id}")
async def update(request: Request, id: str) -> Response:
    form = await request.form()
    return await run_in_threadpool(_update, request, id, form)


@router.post("/me/notes/{id}/deletion")
async def delete(request: Request, id: str) -> Response:
    form = await request.form()
    return await run_in_threadpool(_delete, request, id, read_id(_text(form, "revision")) or 0)


def _create(request: Request, course: str, lesson: str, sent: NewNote) -> Response:
    note = keep_note(state_of(request), Caller(request), course, lesson, sent)
    return _shown(request, note)


def _update(request: Request, id: str, form: FormData) -> Response:
    state, text = state_of(request), _text(form, "text")
    try:
        revision = read_id(_text(form, "revision")) or 0
        kept = change_note(state, Caller(request), id, _text(form, "colour"), text, revision)
    except NotFound:
        if is_partial(request) or not text.strip():
            raise
        return render(request, "reading/notes/gone.html", status=404, text=text)
    if kept.is_beside and not is_partial(request):
        return RedirectResponse(f"/me/notes/{kept.note.id}?beside=yes", 303)
    return _shown(request, kept.note, BESIDE if kept.is_beside else None)


def _delete(request: Request, id: str, revision: int) -> Response:
    state = state_of(request)
    try:
        note = delete_note(state, Caller(request), id, revision)
    except Conflict as problem:
        if is_partial(request):
            raise
        with state.db.reading() as db:
            newer = load_note(db, id, identity.viewer(db, request))
        return _edit(request, newer, problem.message, problem.status)
    if is_partial(request):
        return _list(request, note.user_id, note.course, note.lesson)
    return RedirectResponse("/me/notes", 303)


def _shown(request: Request, note: Note, message: str | None = None) -> Response:
    """Back to the note in its lesson; the new list where a part of the page was asked for."""
    if is_partial(request):
        return _list(request, note.user_id, note.course, note.lesson, message)
    return RedirectResponse(f"{_lesson_address(request, note)}#note-{note.id}", 303)


def _lesson_address(request: Request, note: Note) -> str:
    """Where the note is shown: all of them are at /me/notes, also those on lessons that are no longer there."""
    try:
        return state_of(request).catalog.lesson(note.course, note.lesson)[1].url
    except NotFound:
        return "/me/notes"


def _list(request: Request, user_id: int | None, course: str, lesson: str, message: str | None = None) -> Response:
    """`user_id`: whose. Somebody who has just become a guest is not known by this request's cookie yet."""
    state = state_of(request)
    found = state.catalog.lesson(course, lesson)
    with state.db.reading() as db:
        notes = arranged(*found, notes_on(db, user_id, course, lesson))
    return render(request, "reading/notes/_notes.html", notes=notes, message=message)


def _edit(request: Request, note: Note, message: str | None, status: int = 200) -> Response:
    return render(
        request,
        "reading/notes/edit.html",
        status=status,
        note=note,
        message=message,
        colours=COLOURS,
        text_max=TEXT_MAX,
    )


def _text(form: FormData, name: str) -> str:
    value = form.get(name, "")
    return value if isinstance(value, str) else ""
