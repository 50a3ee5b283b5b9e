"""Setting a mistake right: a dry run begun, looked at side by side, applied, and taken back. For instructors."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Form, Request
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from app.classes import regradings
from app.classes.assignments import assignments_of, title_of
from app.classes.classes import Class, require_member, require_writer
from app.classes.regradings import (
    Difference,
    Outdated,
    Regrading,
    RegradingItem,
    Standing,
    begin_regrading,
    begin_ruling,
    delete_regrading,
    outdated_of,
    require_regrading,
    standing_of,
    take_back,
)
from app.classes.rights import Right
from app.classes.roster import Listed, students_of
from app.classes.rulings import ACTIONS
from app.content.highlight import numbered
from app.db import read_id
from app.people.identity import Caller
from app.practice.gradings import Grading
from app.practice.sheets import read_cases, sheets_of
from app.practice.submissions import Submission
from app.queue.messages import finished_from_row
from app.state import AppState, state_of
from app.teaching.revisions import content_of, list_revisions
from app.teaching.subjects import Subject
from app.web.errors import Conflict, Invalid, NotFound, Problem
from app.web.rendering import render
from graders.verdict import CaseResult

router = APIRouter()

REVISIONS = 20  # those that can be chosen: the newest
PAGE = 200  # differences that are listed


@dataclass(frozen=True)
class Choice:
    """A revision to judge by."""

    content_hash: str
    message: str
    author: str | None
    created_at: datetime
    is_published: bool


@dataclass(frozen=True)
class Line:
    """A regrading in the list."""

    regrading: Regrading
    title: str
    what: str


@dataclass(frozen=True)
class Changed:
    """A difference, and whose it is."""

    difference: Difference
    student: Listed | None


@dataclass(frozen=True)
class Side:
    """A verdict as it was, or would be."""

    heading: str
    verdict: str
    score: float
    summary: str | None
    diagnosis: str | None
    cases: tuple[CaseResult, ...]


@router.get("/classes/{class_id}/regradings")
def index(request: Request, class_id: str, exercise: str = "", quiz: str = "", older: str = "") -> Response:
    """`exercise` or `quiz`: the one that is to be regraded, for which the form asks the rest. `older`: whether to count
    what was judged by an earlier state, for which every submission of the class is looked at."""
    return _index(request, class_id, exercise, quiz, None, counts_older=bool(older))


@router.post("/classes/{class_id}/regradings")
def create(
    request: Request,
    class_id: str,
    exercise: Annotated[str, Form()] = "",
    revision: Annotated[str, Form()] = "",
    quiz: Annotated[str, Form()] = "",
    question: Annotated[str, Form()] = "",
    action: Annotated[str, Form()] = "",
    answer: Annotated[str, Form()] = "",
) -> Response:
    """A dry run of an exercise's revision, or of a ruling on a quiz's question."""
    state = state_of(request)
    try:
        with state.db.writing() as db:
            member = require_writer(db, Caller(request), class_id, Right.regrade)
            if quiz:
                row = begin_ruling(db, member, state.catalog, quiz, question, action, answer or None)
            else:
                row = begin_regrading(db, member, state.catalog, exercise, revision)
    except (Conflict, Invalid, NotFound) as problem:
        return _index(request, class_id, exercise, quiz, problem)
    state.regrader.look()
    return RedirectResponse(f"/regradings/{row.id}", 303)


@router.get("/regradings/{id}")
def show(request: Request, id: str) -> Response:
    return _show(request, id, None)


@router.get("/regradings/{id}/submissions/{submission}")
def compare(request: Request, id: str, submission: str) -> Response:
    """One submission with both verdicts side by side."""
    state = state_of(request)
    with state.db.reading() as db:
        member, row = require_regrading(db, Caller(request), id)
        found = _compared(db, row, submission)
        student = next(iter(students_of(db, member.class_, found[0].user_id)), None)
        title = title_of(state.catalog, member.class_, row.kind, row.slug)
    return render(
        request,
        "classes/regradings/compare.html",
        member=member,
        regrading=row,
        title=title,
        submission=found[0],
        student=student,
        sides=found[1],
        source_html=numbered(found[0].source.decode("utf-8", "replace")),
    )


@router.post("/regradings/{id}/application")
def apply(
    request: Request, id: str, keep: Annotated[str, Form()] = "better", message: Annotated[str, Form()] = ""
) -> Response:
    state, caller = state_of(request), Caller(request)
    kept: regradings.Keep = "new" if keep == "new" else "better"
    return _done(request, id, lambda: regradings.apply(state.db, state.catalog, caller, id, kept, message))


@router.post("/regradings/{id}/application/delete")
def undo(request: Request, id: str) -> Response:
    state, caller = state_of(request), Caller(request)
    return _done(request, id, lambda: take_back(state.db, caller, id))


@router.post("/regradings/{id}/delete")
def delete(request: Request, id: str) -> Response:
    try:
        with state_of(request).db.writing() as db:
            member, row = require_regrading(db, Caller(request), id, writes=True)
            delete_regrading(db, member, row)
    except Conflict as problem:
        return _show(request, id, problem)
    return RedirectResponse(f"/classes/{member.class_.id}/regradings", 303)


# ---- what the pages show --------------------------------------------------------------------------------------


def _index(
    request: Request, class_id: str, exercise: str, quiz: str, problem: Problem | None, *, counts_older: bool = False
) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.regrade)
        class_, assigned = member.class_, assignments_of(db, member.class_)
        titles = {row.key: title_of(state.catalog, class_, row.kind, row.slug) for row in assigned}
        lines = [_line(state, class_, row) for row in regradings.regradings_of(db, class_)]
        choices = _choices(db, exercise) if exercise else []
        slugs = [row.slug for row in assigned if row.kind == "exercise"] if counts_older else []
        older = [one for one in outdated_of(db, class_, slugs, state.catalog) if one.older]
    return render(
        request,
        "classes/regradings/index.html",
        status=problem.status if problem else 200,
        member=member,
        lines=lines,
        titles=titles,
        exercise=exercise,
        choices=choices,
        quiz=quiz,
        questions=_questions(state, class_, quiz) if quiz else [],
        actions=ACTIONS,
        older=_with_titles(older, titles),
        counts_older=counts_older,
        problem=problem,
    )


def _with_titles(older: list[Outdated], titles: Mapping[tuple[str, str], str]) -> list[tuple[str, Outdated]]:
    return [(titles["exercise", one.slug], one) for one in older]


def _line(state: AppState, class_: Class, row: Regrading) -> Line:
    title = title_of(state.catalog, class_, row.kind, row.slug)
    if row.ruling is not None:
        what = f"{row.ruling['question']}: {ACTIONS[row.ruling['action']]}"
    else:
        what = f"by revision {(row.revision or '')[:8]}"
    return Line(row, title, what)


def _choices(db: Session, exercise: str) -> list[Choice]:
    subject = Subject("exercise", exercise)
    content = content_of(db, subject)
    published = content.published_id if content is not None else None
    return [
        Choice(one.content_hash, one.message, email, one.created_at, one.id == published)
        for one, email in list_revisions(db, subject, 0, REVISIONS)
    ]


def _questions(state: AppState, class_: Class, quiz: str) -> list[str]:
    course = state.catalog.courses.get(class_.course)
    lesson = course.lesson(quiz) if course is not None else None
    return list(lesson.questions) if lesson is not None else []


def _show(request: Request, id: str, problem: Problem | None) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        member, row = require_regrading(db, Caller(request), id)
        standing = standing_of(db, row)
        people = {one.user: one for one in students_of(db, member.class_)}
    line = _line(state, member.class_, row)
    return render(
        request,
        "classes/regradings/show.html",
        status=problem.status if problem else 200,
        member=member,
        line=line,
        standing=standing,
        groups=_groups(standing, people),
        is_published=row.kind == "quiz" or _is_live(state, row),
        problem=problem,
        most=PAGE,
    )


def _groups(standing: Standing, people: Mapping[int | None, Listed]) -> list[tuple[str, str, list[Changed]]]:
    return [
        (key, words, [Changed(one, people.get(one.user)) for one in differences[:PAGE]])
        for key, words, differences in (("gain", "gain", standing.gain), ("lose", "lose", standing.lose))
    ]


def _is_live(state: AppState, row: Regrading) -> bool:
    exercise = state.catalog.exercises.get(row.slug)
    return exercise is not None and exercise.content_hash == row.revision


def _compared(db: Session, row: Regrading, submission: str) -> tuple[Submission, tuple[Side, Side]]:
    """Raises NotFound."""
    number = read_id(submission)
    item = db.get(RegradingItem, (row.id, number)) if number is not None and row.kind == "exercise" else None
    sent = db.get(Submission, item.submission_id) if item is not None else None
    if item is None or sent is None or item.result is None:
        raise NotFound("This submission is not judged again yet, or not here.", f"See /regradings/{row.id}.")
    grading = db.scalars(select(Grading).where(Grading.id == item.before_id)).one()
    sheet = sheets_of(db, [grading.sheet_id])[grading.sheet_id]
    before = Side(
        "Before",
        item.before_verdict or "",
        item.before_score,
        grading.summary,
        grading.diagnosis,
        read_cases(grading.cases, sheet),
    )
    result = finished_from_row(item.result).result
    after = Side("Judged again", result.verdict, result.score, result.summary, result.diagnosis, result.cases)
    return sent, (before, after)


def _done(request: Request, id: str, verb: Callable[[], list[int]]) -> Response:
    try:
        changed = verb()
    except (Conflict, Invalid) as problem:
        return _show(request, id, problem)
    for submission in changed:
        state_of(request).events.announce(submission)
    return RedirectResponse(f"/regradings/{read_id(id)}", 303)
