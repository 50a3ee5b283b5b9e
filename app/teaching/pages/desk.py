"""The author's desk: what one may author, something new, and the editor of one exercise or course."""

import json
import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, Request
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.content.cell import OPTIONS as CELL_OPTIONS
from app.content.lesson import BLOCKS, lesson_slug
from app.content.parser import DIRECTIVES, FIGURE_OPTIONS
from app.content.picture import IMAGE_TYPES, figure_in
from app.content.questions.pieces import NAMES as QUESTION_OPTIONS
from app.content.questions.table import KINDS
from app.content.schema import schema_text
from app.people.identity import Caller
from app.people.users import User
from app.state import AppState, state_of
from app.teaching import beginnings
from app.teaching.authors import list_as, require_any_author, require_author
from app.teaching.checks import Check
from app.teaching.files import require_path
from app.teaching.overview import entries_for, title_in
from app.teaching.publications import MAX_WAIT_SECONDS, NotProved, publish
from app.teaching.redirects import comes_from, leads_to, rename, rename_lesson
from app.teaching.revisions import Revision, begin, files_of, newest, require_content, save
from app.teaching.subjects import Subject, require_new_slug, subject_of
from app.teaching.unsaved import Clashes, UnsavedText, forget_unsaved, keep, save_unsaved, unsaved_of, with_unsaved
from app.teaching.views import LESSON, View, view_of
from app.web.credentials import address_of
from app.web.errors import Conflict, Invalid, NotFound, Problem
from app.web.pictures import picture
from app.web.rendering import render, to_html
from graders.exercise.fault import Fault

router = APIRouter()

PUBLISH_WAIT_SECONDS = 25.0  # a proxy gives up on an answer after 30 or 60
IN_ORDER = (
    "exercise.toml", "course.toml", "statement.md", "starter.py", "reference.py", "cases.py", "hints.md", "solution.md",
)  # fmt: skip
Text = Annotated[str, Form()]


@dataclass(frozen=True)
class HeldFile:
    """One file as the editor lists it. `text` None: it is no text."""

    path: str
    text: str | None
    size: int
    is_unsaved: bool = False
    faults: int = 0

    @property
    def is_picture(self) -> bool:
        return self.path.startswith("figures/") and PurePosixPath(self.path).suffix in IMAGE_TYPES

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


# ---- what one may author ------------------------------------------------------------------------------------------


@router.get("/author")
def index(request: Request) -> Response:
    return _index(request)


@router.post("/author")
def create(request: Request, kind: Text, name: Text = "") -> Response:
    """A new exercise or course, from its template."""
    state = state_of(request)
    try:
        subject = Subject("exercise" if kind == "exercise" else "course", require_new_slug(name.strip()))
        make = beginnings.new_exercise if subject.kind == "exercise" else beginnings.new_course
        with state.db.writing() as db:
            person = require_any_author(db, Caller(request), writes=True)
            begin(db, person, subject, make(subject.slug), "From the template")
    except (Invalid, Conflict) as problem:
        return _index(request, problem, kind, name)
    return RedirectResponse(subject.desk_url, 303)


def _index(request: Request, problem: Problem | None = None, kind: str = "", name: str = "") -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        person = require_any_author(db, Caller(request))
        entries = entries_for(db, person, state.catalog, state.checks)
    return render(
        request, "teaching/desk/index.html", status=problem.status if problem else 200, problem=problem,
        kind=kind, name=name,
        courses=[one for one in entries if one.subject.kind == "course"],
        exercises=[one for one in entries if one.subject.kind == "exercise"],
    )  # fmt: skip


@router.post("/author/{kind}/{slug}/copies")
def duplicate(request: Request, kind: str, slug: str, name: Text = "") -> Response:
    state, subject = state_of(request), subject_of(kind, slug)
    copied = Subject(subject.kind, require_new_slug(name.strip()))
    with state.db.writing() as db:
        person = require_author(db, Caller(request), subject, writes=True)
        files = beginnings.duplicate(files_of(db, newest(db, subject).id))
        begin(db, person, copied, files, f"Copied from {subject.slug}")
        list_as(db, copied, subject)  # its hidden cases are in the copy too
    return RedirectResponse(copied.desk_url, 303)


@router.get("/author/{kind}/{slug}/name")
def name_page(request: Request, kind: str, slug: str) -> Response:
    """Another name, or a copy under another name: what each would do."""
    state, subject = state_of(request), subject_of(kind, slug)
    with state.db.reading() as db:
        require_author(db, Caller(request), subject)
        content = require_content(db, subject)
        title = title_in(files_of(db, content.newest_id), subject)
        redirect = leads_to(db, subject.kind, subject.slug)
        in_folder = content.folder_hash is not None
    embedding = _embedding(state, subject)
    return render(
        request, "teaching/desk/name.html", subject=subject, title=title, redirect=redirect, in_folder=in_folder,
        embedding=embedding,
    )  # fmt: skip


@router.post("/author/{kind}/{slug}/names")
def create_name(request: Request, kind: str, slug: str, name: Text = "") -> Response:
    """Begin it under a new name. The old addresses lead there once that is published."""
    state, subject = state_of(request), subject_of(kind, slug)
    with state.db.writing() as db:
        person = require_author(db, Caller(request), subject, writes=True)
        if name.strip() == subject.slug:
            raise Invalid("This is its name already.", "Write another one.")
        renamed = rename(db, person, subject, name.strip())
    return RedirectResponse(renamed.desk_url, 303)


def _embedding(state: AppState, subject: Subject) -> list[tuple[str, str]]:
    """(title, desk address) of the lessons that show this exercise."""
    if subject.kind != "exercise":
        return []
    return [
        (lesson.title, Subject("course", course.slug).desk_url)
        for course in list(state.catalog.courses.values())
        for lesson in course.lessons
        if subject.slug in lesson.render().exercises
    ]


# ---- the editor ---------------------------------------------------------------------------------------------------


@router.get("/author/{kind}/{slug}")
def show(request: Request, kind: str, slug: str, file: str = "") -> Response:
    return _editor(request, subject_of(kind, slug), file)


def _editor(
    request: Request, subject: Subject, path: str = "", problem: Problem | None = None, faults: tuple[Fault, ...] = ()
) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        person = require_author(db, Caller(request), subject)
        content, revision = require_content(db, subject), newest(db, subject)
        files, texts = files_of(db, revision.id), unsaved_of(db, person, subject)
        check = state.checks.of(db, subject.kind, subject.slug, revision.content_hash)
        published = db.get(Revision, content.published_id) if content.published_id is not None else None
        renaming, now_called = comes_from(db, subject), leads_to(db, subject.kind, subject.slug)
        held = _held(files, texts, check)
        opened = next((one for one in held if one.path == path), None)
        if path and opened is None:
            raise NotFound("There is no such file.", "It may have been renamed or deleted.")
        opened = opened or _first(held, subject)
        view = None
        if opened.text is not None:
            now = with_unsaved(files, texts)
            view = view_of(db, person, state.catalog, state.cells, subject, now, opened.path)
    state.checks.want(subject.kind, subject.slug, files)
    row = texts.get(opened.path)
    return render(
        request,
        "teaching/desk/show.html",
        status=problem.status if problem else 200,
        subject=subject,
        title=title_in(files, subject),
        revision=revision,
        published=published,
        in_conflict=content.conflict_id is not None,
        renaming=renaming,
        now_called=now_called,
        held=held,
        opened=opened,
        saved_text=_text(files.get(opened.path, b"")),
        unsaved_revision=row.revision if row else 0,
        unsaved_base=row.base if row else revision.content_hash,
        has_unsaved=bool(texts),
        seen=_seen(request, subject, view, opened.path) if view else None,
        check=check,
        try_at=f"/preview{subject.url}{f'/{view.lesson.slug}' if view and view.lesson else ''}",
        problem=problem,
        publish_faults=faults,
        person=person.id,
        schema=schema_text(subject.kind) if opened.path == f"{subject.kind}.toml" else "",
        directives=json.dumps(_directives(state, subject)),
    )


def _held(files: dict[str, bytes], texts: dict[str, UnsavedText], check: Check | None) -> list[HeldFile]:
    """Those that every exercise has first, then by folder."""
    after = with_unsaved(files, texts)
    faults = [fault.path for fault in check.faults if fault.severity == "error"] if check else []

    def place(path: str) -> tuple[int, bool, str]:
        return (IN_ORDER.index(path) if path in IN_ORDER else len(IN_ORDER), "/" in path, path)

    return [
        HeldFile(path, _text(after[path]), len(after[path]), path in texts, faults.count(path))
        for path in sorted(after, key=place)
    ]


def _text(content: bytes) -> str | None:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text.replace("\r\n", "\n")


def _first(held: list[HeldFile], subject: Subject) -> HeldFile:
    """Where writing begins."""

    def begins(one: HeldFile) -> bool:
        return one.path == "statement.md" if subject.kind == "exercise" else LESSON.fullmatch(one.path) is not None

    return next((one for one in held if begins(one)), held[0])


def _directives(state: AppState, subject: Subject) -> dict[str, object]:
    """What the editor proposes in Markdown; questions, cells and exercises stand in lessons alone."""
    names = [*DIRECTIVES, *BLOCKS] if subject.kind == "course" else list(DIRECTIVES)
    return {
        "names": sorted(set(names)),
        "options": {"question": QUESTION_OPTIONS, "figure": FIGURE_OPTIONS, "code-cell": CELL_OPTIONS},
        "types": sorted(KINDS),
        "exercises": sorted(state.catalog.exercises) if subject.kind == "course" else [],
    }


def _seen(request: Request, subject: Subject, view: View, path: str) -> Markup:
    """Its forms stand still: an answer here would be the author's own. Its pictures are those of the author's draft:
    students may not have them yet."""
    page = to_html(request, "teaching/desk/_view.html", view=view, subject=subject, path=path)
    page = re.sub(r"<(button|input|select|textarea)(?=[\s>])", r"<\1 disabled", page)
    return Markup(page.replace(f'src="{subject.url}/figures/', f'src="{subject.desk_url}/figures/'))  # noqa: S704


class TextToSee(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    path: str = Field(max_length=500)
    text: str


@router.post("/author/{kind}/{slug}/views")
def create_view(request: Request, kind: str, slug: str, sent: TextToSee) -> Response:
    """The page beside the editor, of what is typed now. Nothing is stored."""
    state, subject = state_of(request), subject_of(kind, slug)
    state.limits.spend("draft", address=address_of(request))
    with state.db.reading() as db:
        person = require_author(db, Caller(request), subject)
        files = with_unsaved(files_of(db, newest(db, subject).id), unsaved_of(db, person, subject))
        files[require_path(sent.path)] = sent.text.encode("utf-8", "replace")
        view = view_of(db, person, state.catalog, state.cells, subject, files, sent.path)
    return HTMLResponse(_seen(request, subject, view, sent.path), headers={"Cache-Control": "no-store"})


@router.get("/author/{kind}/{slug}/figures/{name}")
def figure(request: Request, kind: str, slug: str, name: str) -> Response:
    state, subject = state_of(request), subject_of(kind, slug)
    with state.db.reading() as db:
        require_author(db, Caller(request), subject)
        files = files_of(db, newest(db, subject).id)
    response = picture(figure_in(files, name))
    response.headers["Cache-Control"] = "no-store"
    return response


# ---- saving, and what becomes of files ----------------------------------------------------------------------------


@router.post("/author/{kind}/{slug}/revisions")
def create_revision(
    request: Request,
    kind: str,
    slug: str,
    path: Text,
    base: Text,
    text: Text = "",
    unsaved: Text = "0",
    message: Text = "",
    then: Text = "",
) -> Response:
    """Save this text, and whatever else one has typed here, as one revision; or publish it besides."""
    state, subject = state_of(request), subject_of(kind, slug)
    text = text.replace("\r\n", "\n")
    number = int(unsaved) if unsaved.isdecimal() and len(unsaved) < 10 else 0
    with state.db.writing() as db:
        person = require_author(db, Caller(request), subject, writes=True)
        kept = keep(db, person, subject, path, text, base, number)
    if not kept.yours:
        raise Conflict(
            "You have typed something else into this file in another tab.",
            "Go back, copy your text, and reload the page: both texts are there.",
        )
    try:
        with state.db.writing() as db:
            person = require_author(db, Caller(request), subject, writes=True)
            revision = save_unsaved(db, person, subject, message or f"Changed {path}").content_hash
    except Clashes:
        return RedirectResponse(f"{subject.desk_url}/clashes", 303)
    if then == "publish":
        return _publish(request, subject, revision, path)
    return RedirectResponse(f"{subject.desk_url}?file={quote(path)}", 303)


@router.post("/author/{kind}/{slug}/publications")
def create_publication(request: Request, kind: str, slug: str, revision: Text, file: Text = "") -> Response:
    return _publish(request, subject_of(kind, slug), revision, file)


def _publish(request: Request, subject: Subject, revision: str, path: str) -> Response:
    try:
        publish(state_of(request), Caller(request), subject, revision, min(PUBLISH_WAIT_SECONDS, MAX_WAIT_SECONDS))
    except NotProved as failed:
        return _editor(request, subject, path, failed, failed.faults)
    except Conflict as waiting:
        return _editor(request, subject, path, waiting)
    return RedirectResponse(f"{subject.desk_url}?file={quote(path)}", 303)


@router.post("/author/{kind}/{slug}/files")
def change_files(
    request: Request, kind: str, slug: str, change: Text, path: Text = "", to: Text = "", name: Text = ""
) -> Response:
    """Add, rename or delete a file, or begin a lesson or a quiz: each a revision of its own."""
    state, subject = state_of(request), subject_of(kind, slug)
    try:
        with state.db.writing() as db:
            person = require_author(db, Caller(request), subject, writes=True)
            require_content(db, subject, writes=True)
            opened = _change_file(db, person, subject, change, path, to.strip(), name.strip())
    except (Invalid, Conflict, NotFound) as problem:
        return _editor(request, subject, problem=problem)
    return RedirectResponse(f"{subject.desk_url}?file={quote(opened)}", 303)


def _change_file(db: Session, person: User, subject: Subject, change: str, path: str, to: str, name: str) -> str:
    """The path of the file to open. Raises Invalid, Conflict, NotFound."""
    revision = newest(db, subject)
    files = files_of(db, revision.id)
    match change:
        case "lesson" | "quiz" if subject.kind == "course":
            if not beginnings.is_slug(name):
                raise Invalid(f"{name!r} is not a name for a lesson.", "Use lower case and hyphens: rows-and-columns.")
            try:
                new, content = beginnings.new_lesson(files, name, change)
            except beginnings.NameTaken:
                raise Conflict(f"The course has a lesson {name} already.", "Choose another name.") from None
            save(db, person, subject, revision.content_hash, {new: content}, f"New {change}: {new}")
            return new
        case "add":
            _require_free(files, to)
            save(db, person, subject, revision.content_hash, {to: b"\n"}, f"New file: {to}")
            return to
        case "rename":
            if path not in files:
                raise NotFound("There is no such file.", "Reload the page.")
            _require_free(files, to)
            text = unsaved_of(db, person, subject).get(path)
            content = text.text.encode() if text else files[path]
            save(db, person, subject, revision.content_hash, {path: None, to: content}, f"Renamed {path} to {to}")
            forget_unsaved(db, person, subject, path)
            if subject.kind == "course" and LESSON.fullmatch(path) and LESSON.fullmatch(to):
                rename_lesson(db, person, subject, lesson_slug(path), lesson_slug(to))
            return to
        case "delete":
            if path not in files and path not in unsaved_of(db, person, subject):
                raise NotFound("There is no such file.", "Reload the page.")
            save(db, person, subject, revision.content_hash, {path: None}, f"Deleted {path}")
            forget_unsaved(db, person, subject, path)
            return ""
    raise Invalid("This is no change that can be made.", "Reload the page.")


def _require_free(files: dict[str, bytes], path: str) -> None:
    if require_path(path) in files:
        raise Conflict(f"There is a file {path} already.", "Choose another name.")
