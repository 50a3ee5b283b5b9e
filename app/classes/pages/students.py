"""One student of a class, as its staff see them: every assignment, what is given to them alone, and what they see."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Form, Request
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from app.classes.agenda import policy_words, student_agenda
from app.classes.assignments import (
    Assignment,
    Extension,
    assignments_of,
    extensions_of,
    give_extension,
    require_assignment,
    take_extension_back,
    url_of,
)
from app.classes.classes import Member, require_member, require_writer
from app.classes.gradebook import Cell, gradebook_of, override_score, withdraw_override
from app.classes.lateness import Terms
from app.classes.pages.classes import show_agenda
from app.classes.rights import Right
from app.classes.roster import Listed, read_person, students_of
from app.classes.walltime import Clocks, read_wall_field, wall_field
from app.classes.work import Handed, work_of
from app.people.audit import note
from app.people.identity import Caller
from app.state import state_of
from app.web.day import offset_in
from app.web.errors import Invalid, NotFound, Problem
from app.web.rendering import render

router = APIRouter()

SHOWN = 30  # of what was handed in to one assignment
DONE = {
    "extended": "The extension is given.",
    "taken": "The extension is taken back.",
    "scored": "The score is replaced.",
    "withdrawn": "The computed score counts again.",
}


@dataclass(frozen=True)
class Entry:
    """An assignment of this student's. `values`: what stands in its two forms."""

    assignment: Assignment
    title: str
    url: str
    terms: Terms
    policy: str
    cell: Cell
    is_dropped: bool
    extension: Extension | None
    handed: tuple[tuple[Handed, str], ...]
    more: int
    values: Mapping[str, str]

    @property
    def what(self) -> str:
        return f"{self.assignment.kind}/{self.assignment.slug}"


@router.get("/classes/{class_id}/students/{user}")
def show(request: Request, class_id: str, user: str, done: str = "") -> Response:
    return _show(request, class_id, user, done=done)


@router.get("/classes/{class_id}/students/{user}/view")
def view(request: Request, class_id: str, user: str) -> Response:
    """What this student sees, to be read. That somebody looked is noted."""
    state = state_of(request)
    with state.db.writing() as db:
        member = require_member(db, Caller(request), class_id, Right.view_as_student)
        student = _student(db, member, user)
        note(db, member.user, member.class_.as_thing, "viewed as a student", {"person": student.user})
    agenda = student_agenda(state.db, state.catalog, member.class_, student)
    return show_agenda(request, member, agenda, seen_as=student)


@router.post("/classes/{class_id}/students/{user}/extensions")
def update_extension(
    request: Request,
    class_id: str,
    user: str,
    what: Annotated[str, Form()] = "",
    due: Annotated[str, Form()] = "",
    attempts: Annotated[str, Form()] = "",
    excused: Annotated[str, Form()] = "",
    reason: Annotated[str, Form()] = "",
    do: Annotated[str, Form()] = "give",
) -> Response:
    """`do`: give, or take (back)."""
    kind, _, slug = what.partition("/")
    number = read_person(user)
    try:
        with state_of(request).db.writing() as db:
            member = require_writer(db, Caller(request), class_id, Right.give_extensions)
            if do == "take":
                take_extension_back(db, member, number, kind, slug)
            else:
                was = extensions_of(db, member.class_, [number]).get(number, {}).get((kind, slug))
                give_extension(
                    db, member, number, kind, slug,
                    due_at=read_wall_field(due, member.class_.zone, was.due_at if was else None),
                    attempts=_attempts(attempts), excused=bool(excused), reason=reason,
                )  # fmt: skip
    except Invalid as problem:
        typed = {"due": due, "attempts": attempts, "excused": excused, "reason": reason}
        return _show(request, class_id, user, problem=problem, open_at=what, typed=typed)
    return _back(class_id, user, "taken" if do == "take" else "extended", what)


@router.post("/classes/{class_id}/students/{user}/scores")
def update_score(
    request: Request,
    class_id: str,
    user: str,
    what: Annotated[str, Form()] = "",
    score: Annotated[str, Form()] = "",
    why: Annotated[str, Form()] = "",
    do: Annotated[str, Form()] = "replace",
) -> Response:
    """`score`: in percent. `do`: replace, or withdraw."""
    kind, _, slug = what.partition("/")
    number = read_person(user)
    try:
        with state_of(request).db.writing() as db:
            member = require_writer(db, Caller(request), class_id, Right.change_scores)
            if do == "withdraw":
                withdraw_override(db, member, number, kind, slug)
            else:
                assignment = require_assignment(db, member, kind, slug)
                override_score(db, member, number, assignment, _percent(score), why)
    except Invalid as problem:
        return _show(
            request, class_id, user, problem=problem, open_at=what, typed={"score": score, "why": why}
        )  # fmt: skip
    return _back(class_id, user, "withdrawn" if do == "withdraw" else "scored", what)


def _attempts(text: str) -> int | None:
    """Raises Invalid."""
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise Invalid("attempts: this is not a whole number.", "Leave it empty to change nothing.")
    return int(text)


def _percent(text: str) -> float:
    """Raises Invalid."""
    try:
        number = float(text.strip().removesuffix("%").replace(",", "."))
    except ValueError:
        number = -1.0
    if not 0 <= number <= 100:
        raise Invalid("score: this is not a number from 0 to 100.", "80 is 80%.")
    return round(number / 100, 10)


def _back(class_id: str, user: str, done: str, what: str) -> Response:
    place = what.replace("/", ".")
    return RedirectResponse(f"/classes/{class_id}/students/{user}?done={done}#{place}", 303)


def _student(db: Session, member: Member, user: str) -> Listed:
    """Raises NotFound."""
    found = students_of(db, member.class_, read_person(user))
    if not found:
        raise NotFound("This person is not a student of the class.", "The gradebook lists its students.")
    return found[0]


def _show(
    request: Request,
    class_id: str,
    user: str,
    *,
    done: str = "",
    problem: Problem | None = None,
    open_at: str = "",
    typed: Mapping[str, str] | None = None,
) -> Response:
    """`open_at`: the assignment whose forms are open, with what was typed there."""
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.see_gradebook)
        student = _student(db, member, user)
    class_, number = member.class_, student.user or 0
    book = gradebook_of(state.db, state.catalog, class_, [student])
    row = book.rows[0]
    with state.db.reading() as db:
        extensions = extensions_of(db, class_, [number]).get(number, {})
        work = work_of(db, class_, number, assignments_of(db, class_))
    entries = []
    for column, cell in zip(book.columns, row.cells, strict=True):
        assignment, extension = column.assignment, extensions.get(column.key)
        terms, handed = assignment.terms(class_.timezone, extension), work.get(column.key, ())
        values = _values(class_.zone, extension, cell)
        if open_at == f"{assignment.kind}/{assignment.slug}":
            values |= typed or {}
        entries.append(
            Entry(
                assignment, column.title, url_of(class_, *column.key), terms, policy_words(terms), cell,
                column.key in row.total.dropped, extension,
                tuple((one, _counts(terms, one)) for one in handed[:SHOWN]), max(0, len(handed) - SHOWN), values,
            )
        )  # fmt: skip
    return render(
        request,
        "classes/students/show.html",
        status=problem.status if problem else 200,
        member=member,
        tab="grades",
        student=student,
        entries=entries,
        total=row.total,
        clocks=Clocks(class_.zone, offset_in(request)),
        notice=DONE.get(done, ""),
        problem=problem,
        open_at=open_at,
    )


def _values(zone: ZoneInfo, extension: Extension | None, cell: Cell) -> dict[str, str]:
    due = extension.due_at if extension else None
    attempts = extension.attempts if extension else None
    return {
        "due": wall_field(due, zone),
        "attempts": "" if attempts is None else str(attempts),
        "excused": "1" if extension and extension.excused else "",
        "reason": extension.reason if extension else "",
        "score": f"{100 * cell.score:g}" if cell.override is not None and cell.score is not None else "",
        "why": cell.override or "",
    }


def _counts(terms: Terms, one: Handed) -> str:
    """How an attempt stands: late, or only practice."""
    if not terms.is_open_at(one.at):
        return "practice: not while it was open"
    days = terms.days_late(one.at)
    return "" if not days else f"{days} day{'' if days == 1 else 's'} late"
