"""What a student of the class sent, for its staff: the code with comments on its lines, what they sent before, and the
rubric's points."""

import re
from typing import Annotated

from fastapi import APIRouter, Form, Request
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from app.classes.assignments import title_of
from app.classes.classes import Enrolment, Member, require_member, require_writer
from app.classes.comments import (
    add_comment,
    change_comment,
    comments_on,
    delete_comment,
    require_submission,
    text_of,
)
from app.classes.grading import claims_on, grade_class_submission, rubric_key, take_next
from app.classes.rights import Right
from app.classes.rubrics import HandGrade, Rubric, assessment_of, rubric_of
from app.db import now, read_id
from app.people.identity import Caller
from app.people.users import User
from app.practice.feedback import lines_of
from app.practice.submissions import submissions_of
from app.state import state_of
from app.web.errors import Conflict, Invalid, NotFound, Problem
from app.web.rendering import render

router = APIRouter()
HISTORY = 30


@router.get("/classes/{class_id}/submissions/{id}")
def show(request: Request, class_id: str, id: str, line: str = "", edit: str = "") -> Response:
    """`?line=12` opens a form under that line, `?edit=` one in place of a comment."""
    return _show(request, class_id, id, line=read_id(line), editing=read_id(edit))


@router.post("/classes/{class_id}/submissions/{id}/comments")
def create(
    request: Request, class_id: str, id: str, line: Annotated[str, Form()] = "", text: Annotated[str, Form()] = ""
) -> Response:
    number = read_id(line) or 0
    try:
        with state_of(request).db.writing() as db:
            comment = add_comment(db, require_writer(db, Caller(request), class_id, Right.comment), id, number, text)
    except (Invalid, Conflict) as problem:
        return _show(request, class_id, id, line=number, typed=text, problem=problem)
    return RedirectResponse(f"/classes/{class_id}/submissions/{id}#comment-{comment.id}", 303)


@router.post("/classes/{class_id}/comments/{comment}")
def update(request: Request, class_id: str, comment: str, text: Annotated[str, Form()] = "") -> Response:
    state = state_of(request)
    try:
        with state.db.writing() as db:
            row = change_comment(db, require_writer(db, Caller(request), class_id, Right.comment), comment, text)
    except Invalid as problem:
        with state.db.reading() as db:
            row = text_of(db, require_member(db, Caller(request), class_id, Right.comment), comment)
        return _show(request, class_id, str(row.submission_id), editing=row.id, typed=text, problem=problem)
    return RedirectResponse(f"/classes/{class_id}/submissions/{row.submission_id}#comment-{row.id}", 303)


@router.post("/classes/{class_id}/comments/{comment}/delete")
def delete(request: Request, class_id: str, comment: str) -> Response:
    with state_of(request).db.writing() as db:
        row = delete_comment(db, require_writer(db, Caller(request), class_id, Right.comment), comment)
    return RedirectResponse(f"/classes/{class_id}/submissions/{row.submission_id}#line-{row.line}", 303)


@router.post("/classes/{class_id}/submissions/{id}/grade")
async def update_grade(request: Request, class_id: str, id: str) -> Response:
    """The rubric's points. `go=next` takes the next one that waits."""
    form = {name: str(value) for name, value in (await request.form()).items()}
    return await run_in_threadpool(_grade, request, class_id, id, form)


def _grade(request: Request, class_id: str, id: str, form: dict[str, str]) -> Response:
    state = state_of(request)
    entries = {name.removeprefix("points-"): value for name, value in form.items() if name.startswith("points-")}
    points = {key: number for key, value in entries.items() if (number := _number(value)) is not None}
    try:
        with state.db.writing() as db:
            member = require_writer(db, Caller(request), class_id, Right.grade_by_hand)
            grade_class_submission(db, member, id, points, form.get("comment", ""))
    except (Invalid, Conflict) as problem:
        return _show(request, class_id, id, form=form, problem=problem)
    if form.get("go") != "next":
        return RedirectResponse(f"/classes/{class_id}/submissions/{id}#grade", 303)
    item = take_next(state.db, state.catalog, member)
    return RedirectResponse(item.url if item is not None else f"/classes/{class_id}/grading?done=1", 303)


def _number(text: str) -> float | None:
    text = text.strip().replace(",", ".")
    return float(text) if re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,2})?", text) else None


def _show(
    request: Request,
    class_id: str,
    id: str,
    *,
    line: int | None = None,
    editing: int | None = None,
    typed: str = "",
    form: dict[str, str] | None = None,
    problem: Problem | None = None,
) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.read_work)
        shown, assignment = require_submission(db, member, id)
        submission = shown.submission
        rubric = rubric_of(db, member.class_, "exercise", assignment.slug)
        remarks = comments_on(db, shown.id, member)
        if editing is not None and not typed:
            typed = _own_text(db, member, editing)
        student = db.get_one(User, submission.user_id)
        history = submissions_of(db, student, exercise=submission.exercise, which="submissions", limit=HISTORY)
        key = rubric_key(member.class_.id, submission.user_id, assignment.slug)
        held = claims_on(db, member.class_, [key], now()).get(key)
        grade = db.get(HandGrade, (member.class_.id, submission.user_id, assignment.slug))
        assessment = assessment_of(db, member.class_, grade, rubric) if grade is not None and rubric else None
        name = _name(db, member, student, rubric)
    address = f"/classes/{member.class_.id}/submissions/{shown.id}"
    is_held = held is not None and held.holder_id != member.user.id
    return render(
        request,
        "classes/comments/show.html",
        status=problem.status if problem else 200,
        member=member,
        tab="grading",
        name=name,
        title=title_of(state.catalog, member.class_, "exercise", assignment.slug),
        shown=shown,
        rubric=rubric if rubric is not None and rubric.is_graded else None,
        grade=grade,
        assessment=assessment,
        held=held if is_held else None,
        claim=held if held is not None and not is_held else None,
        claim_key=key,
        history=history,
        lines=lines_of(shown.source, remarks) if submission.erased_at is None else (),
        commenting=address if member.may(Right.comment) and member.class_.archived_at is None else "",
        comments_url=f"/classes/{member.class_.id}/comments",
        address=address,
        at_line=line,
        editing=editing,
        typed=typed,
        form=form or {},
        problem=problem,
    )


def _own_text(db: Session, member: Member, comment: int) -> str:
    try:
        return text_of(db, member, str(comment)).text
    except NotFound:
        return ""


def _name(db: Session, member: Member, student: User, rubric: Rubric | None) -> str:
    """What the class calls them; nothing of it where names are hidden."""
    if rubric is not None and rubric.is_anonymous:
        return "A student, whose name is hidden"
    place = db.get_one(Enrolment, (member.class_.id, student.id))
    return place.name or student.email or f"guest {student.id}"
