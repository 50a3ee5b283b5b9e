"""What holds for a class as a whole: its name, how people join, and what becomes of it after the term."""

from datetime import date, datetime
from typing import Annotated

from fastapi import APIRouter, Form, Request
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from app.classes.assignments import assignments_of, copy_schedule
from app.classes.classes import (
    Class,
    change_class,
    copy_class,
    require_member,
    require_writer,
    timezones,
)
from app.classes.rights import Right
from app.classes.rubrics import copy_rubrics
from app.classes.walltime import wall_words
from app.people.identity import Caller
from app.state import state_of
from app.web.edge import own_origin
from app.web.errors import Invalid
from app.web.rendering import render

router = APIRouter()

MAX_DAYS = 3660
DONE = {
    "saved": "Saved.",
    "code": "There is a new join code. The old one opens nothing any more.",
    "archived": "The class is archived: people read it, and nothing in it changes.",
    "taken-up": "The class is open again.",
}


@router.get("/classes/{class_id}/settings")
def show(request: Request, class_id: str, done: str = "") -> Response:
    return _show(request, class_id, done=done)


@router.post("/classes/{class_id}/settings")
def update(
    request: Request,
    class_id: str,
    title: Annotated[str, Form()] = "",
    timezone: Annotated[str, Form()] = "",
    joining: Annotated[str, Form()] = "",
    drop_lowest: Annotated[str, Form()] = "0",
) -> Response:
    typed = {"title": title, "timezone": timezone, "joining": joining, "drop_lowest": drop_lowest}
    try:
        with state_of(request).db.writing() as db:
            member = require_writer(db, Caller(request), class_id, Right.change_class)
            change_class(
                db, member, title=title, timezone=timezone.strip(), joining=joining,
                drop_lowest=_whole(drop_lowest, "drop_lowest"),
            )  # fmt: skip
    except Invalid as problem:
        return _show(request, class_id, problem=problem, typed=typed)
    return _back(class_id, "saved")


@router.post("/classes/{class_id}/join-code")
def renew_join_code(request: Request, class_id: str) -> Response:
    with state_of(request).db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.change_class)
        change_class(db, member, new_join_code=True)
    return _back(class_id, "code")


@router.post("/classes/{class_id}/archive")
def archive(request: Request, class_id: str, archived: Annotated[str, Form()] = "") -> Response:
    """`archived`: yes, or no to reopen it."""
    with state_of(request).db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.change_class)
        change_class(db, member, archived=archived == "yes")
    return _back(class_id, "archived" if archived == "yes" else "taken-up")


@router.post("/classes/{class_id}/copies")
def copy(
    request: Request,
    class_id: str,
    title: Annotated[str, Form()] = "",
    days: Annotated[str, Form()] = "",
    first: Annotated[str, Form()] = "",
) -> Response:
    """`first`: the day on which the first date of the copy is, from which the number of days follows; else `days`."""
    typed = {"copy_title": title, "days": days, "first": first}
    try:
        with state_of(request).db.writing() as db:
            member = require_writer(db, Caller(request), class_id, Right.copy_class)
            shift = _shift(db, member.class_, days, first)
            copied = copy_class(db, member, title)
            copy_schedule(db, member.class_, copied.class_, shift)
            copy_rubrics(db, member.class_, copied.class_)
    except Invalid as problem:
        return _show(request, class_id, problem=problem, typed=typed)
    return RedirectResponse(f"/classes/{copied.class_.id}/schedule", 303)


def _shift(db: Session, class_: Class, days: str, first: str) -> int:
    """How many days later the copy is. Raises Invalid."""
    if not first.strip():
        return _whole(days or "0", "days", -MAX_DAYS, MAX_DAYS)
    try:
        wanted = date.fromisoformat(first.strip())
    except ValueError:
        raise Invalid("first: this is no date.", "Write it as 2027-10-04.") from None
    at = first_moment(db, class_)
    if at is None:
        return 0
    shift = (wanted - at.astimezone(class_.zone).date()).days
    if abs(shift) > MAX_DAYS:
        raise Invalid(f"first: this is more than {MAX_DAYS} days away.", "Check the year.")
    return shift


def first_moment(db: Session, class_: Class) -> datetime | None:
    """The earliest date of the schedule."""
    rows = assignments_of(db, class_)
    moments = [at for row in rows for at in (row.opens_at, row.due_at, row.closes_at) if at is not None]
    return min(moments, default=None)


def _whole(text: str, name: str, least: int = 0, most: int = 100) -> int:
    """Raises Invalid."""
    try:
        number = int(text.strip())
    except ValueError:
        number = most + 1
    if not least <= number <= most:
        raise Invalid(f"{name}: this is not a whole number from {least} to {most}.", None)
    return number


def _back(class_id: str, done: str) -> Response:
    return RedirectResponse(f"/classes/{class_id}/settings?done={done}", 303)


def _show(
    request: Request,
    class_id: str,
    *,
    done: str = "",
    problem: Invalid | None = None,
    typed: dict[str, str] | None = None,
) -> Response:
    with state_of(request).db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.change_class)
        first = first_moment(db, member.class_)
    class_ = member.class_
    values = {
        "title": class_.title,
        "timezone": class_.timezone,
        "joining": class_.joining,
        "drop_lowest": str(class_.drop_lowest),
        "copy_title": "",
        "days": "",
        "first": "",
    }
    return render(
        request,
        "classes/settings/show.html",
        status=problem.status if problem else 200,
        member=member,
        tab="settings",
        values=values | (typed or {}),
        timezones=timezones(),
        first="" if first is None else wall_words(first, class_.zone),
        join_url=f"{own_origin(request)}/join/{class_.join_code}",
        notice=DONE.get(done, ""),
        problem=problem,
    )
