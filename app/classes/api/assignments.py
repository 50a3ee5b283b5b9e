"""Assignments and extensions of a class, and what they come to: the gradebook and one's own grades."""

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session

from app.classes.assignments import (
    Schedule,
    give_extension,
    public,
    put_assignment,
    remove_assignment,
    require_assignment,
    shown_to,
    take_extension_back,
    terms_for,
)
from app.classes.classes import Member, require_member, require_writer
from app.classes.exports import Columns, gradebook_csv
from app.classes.gradebook import gradebook_of, override_score, withdraw_override
from app.classes.rights import Right
from app.classes.roster import read_person, students_of
from app.people.identity import Caller
from app.state import state_of
from app.web.csv_file import csv_response, wants_csv

router = APIRouter(tags=["classes"])
Kind = Literal["exercise", "quiz"]
PLACE = "/classes/{class_id}/assignments/{kind}/{slug}"


class Late(BaseModel):
    model_config = ConfigDict(extra="forbid")

    per_day: float = Field(0.0, ge=0, le=1, description="Of the score, for each day late that has begun.")
    grace_minutes: int = Field(0, ge=0, le=10_080, description="After the due date, that cost nothing.")


class NewAssignment(BaseModel):
    """Moments are RFC 3339. What is left out has no limit."""

    model_config = ConfigDict(extra="forbid")

    opens_at: AwareDatetime | None = None
    due_at: AwareDatetime | None = None
    closes_at: AwareDatetime | None = None
    hidden_until: AwareDatetime | None = None
    weight: float = Field(1.0, ge=0, le=1000)
    late: Late = Late(per_day=0.0, grace_minutes=0)
    attempts: int | None = Field(None, ge=1, le=1000)
    access_code: str | None = Field(None, min_length=1, max_length=80)
    answers_shown: Literal["submitted", "due", "closed"] = "submitted"


class AssignmentOut(BaseModel):
    """With the dates of the person who asks. `access_code` and `hidden_until` are for staff."""

    kind: Kind
    slug: str
    title: str
    url: str
    opens_at: datetime | None
    due_at: datetime | None
    closes_at: datetime | None
    hidden_until: datetime | None = None
    weight: float
    late: Late
    attempts: int | None
    answers_shown: Literal["submitted", "due", "closed"]
    excused: bool
    needs_access_code: bool
    access_code: str | None = None


class NewExtension(BaseModel):
    model_config = ConfigDict(extra="forbid")

    due_at: AwareDatetime | None = None
    attempts: int | None = Field(None, ge=1, le=1000)
    excused: bool = False
    reason: str = Field("", max_length=500)


class ExtensionOut(BaseModel):
    user: int
    kind: Kind
    slug: str
    due_at: datetime | None
    attempts: int | None
    excused: bool
    reason: str


class NewScore(BaseModel):
    model_config = ConfigDict(extra="forbid")

    score: float = Field(ge=0, le=1)
    reason: str = Field(min_length=1, max_length=500)


class ScoreOut(BaseModel):
    user: int
    kind: Kind
    slug: str
    score: float
    reason: str


class ColumnOut(BaseModel):
    kind: Kind
    slug: str
    title: str
    weight: float
    due_at: datetime | None


class CellOut(BaseModel):
    """`score` is after lateness, `raw` before. `override`: why an instructor replaced it."""

    score: float | None
    late_days: int
    attempts: int
    submission: int | None
    sitting: int | None
    raw: float | None
    override: str | None
    waiting: bool
    excused: bool


class RowOut(BaseModel):
    user: int | None
    email: str | None
    name: str
    section: str
    cells: list[CellOut | None]
    total: float | None
    total_text: str


class GradebookOut(BaseModel):
    columns: list[ColumnOut]
    rows: list[RowOut]


CSV: dict[int | str, dict[str, Any]] = {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}


@router.get("/classes/{class_id}/assignments")
def index(request: Request, class_id: str) -> list[AssignmentOut]:
    """In the order in which they are due, with the caller's own dates."""
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id)
        return [AssignmentOut(**_public(db, request, member, row.kind, row.slug)) for row in shown_to(db, member)]


@router.put(PLACE)
def put(request: Request, class_id: str, kind: Kind, slug: str, sent: NewAssignment) -> AssignmentOut:
    """Assign an exercise, or a quiz of the class's course; or say its dates again. For the class's instructors."""
    state = state_of(request)
    fields = sent.model_dump(exclude={"late"})
    schedule = Schedule(**fields, late_per_day=sent.late.per_day, grace_minutes=sent.late.grace_minutes)
    with state.db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.change_schedule)
        row = put_assignment(db, member, state.catalog, kind, slug, schedule)
        return AssignmentOut(**_public(db, request, member, row.kind, row.slug))


@router.get(PLACE)
def show(request: Request, class_id: str, kind: Kind, slug: str) -> AssignmentOut:
    """With the caller's own dates."""
    with state_of(request).db.reading() as db:
        member = require_member(db, Caller(request), class_id)
        return AssignmentOut(**_public(db, request, member, kind, slug))


@router.delete(PLACE, status_code=204)
def delete(request: Request, class_id: str, kind: Kind, slug: str) -> None:
    """It stays open for practice. For the class's instructors."""
    with state_of(request).db.writing() as db:
        remove_assignment(db, require_writer(db, Caller(request), class_id, Right.change_schedule), kind, slug)


@router.put("/classes/{class_id}/extensions/{user}/{kind}/{slug}")
def put_extension(
    request: Request, class_id: str, user: str, kind: Kind, slug: str, sent: NewExtension
) -> ExtensionOut:
    """Another date, more attempts, or excused: for one person. For the class's instructors."""
    with state_of(request).db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.give_extensions)
        row = give_extension(
            db, member, read_person(user), kind, slug, due_at=sent.due_at, attempts=sent.attempts, excused=sent.excused,
            reason=sent.reason,
        )  # fmt: skip
        return ExtensionOut(**row.as_json())


@router.delete("/classes/{class_id}/extensions/{user}/{kind}/{slug}", status_code=204)
def delete_extension(request: Request, class_id: str, user: str, kind: Kind, slug: str) -> None:
    """For the class's instructors."""
    with state_of(request).db.writing() as db:
        take_extension_back(
            db, require_writer(db, Caller(request), class_id, Right.give_extensions), read_person(user), kind, slug
        )


@router.put("/classes/{class_id}/scores/{user}/{kind}/{slug}")
def put_score(request: Request, class_id: str, user: str, kind: Kind, slug: str, sent: NewScore) -> ScoreOut:
    """A score in place of what is computed, with a reason that the student reads. For the class's instructors."""
    with state_of(request).db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.change_scores)
        assignment = require_assignment(db, member, kind, slug)
        row = override_score(db, member, read_person(user), assignment, sent.score, sent.reason)
        return ScoreOut(user=row.user_id, kind=kind, slug=row.slug, score=row.score, reason=row.reason)


@router.delete("/classes/{class_id}/scores/{user}/{kind}/{slug}", status_code=204)
def delete_score(request: Request, class_id: str, user: str, kind: Kind, slug: str) -> None:
    """What is computed counts again. For the class's instructors."""
    with state_of(request).db.writing() as db:
        withdraw_override(
            db, require_writer(db, Caller(request), class_id, Right.change_scores), read_person(user), kind, slug
        )


@router.get("/classes/{class_id}/gradebook", response_model=GradebookOut, responses=CSV)
def gradebook(
    request: Request,
    class_id: str,
    columns: Annotated[Columns, Query(description="Of the CSV: as this or another system has them.")] = "lectern",
) -> Any:
    """Every student's scores and total; as CSV for `Accept: text/csv`. For the class's staff."""
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.see_gradebook)
    found = gradebook_of(state.db, state.catalog, member.class_)
    if wants_csv(request):
        return csv_response(gradebook_csv(found, columns), f"gradebook-{member.class_.id}.csv")
    # Written here: twelve thousand cells are a fifth of a second to check against what they are documented as.
    return Response(found.json_text, media_type="application/json")


@router.get("/classes/{class_id}/grades", response_model=GradebookOut)
def grades(request: Request, class_id: str) -> Any:
    """The caller's own row of the gradebook. For students of the class."""
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.see_own_grades)
        own = students_of(db, member.class_, member.user.id)
    return gradebook_of(state.db, state.catalog, member.class_, own, hides_hidden=True).as_json()


def _public(db: Session, request: Request, member: Member, kind: str, slug: str) -> dict[str, Any]:
    row = require_assignment(db, member, kind, slug)
    terms = terms_for(db, member.class_, member.user, row)
    staff = member.may(Right.see_hidden_assignments)
    return public(state_of(request).catalog, member.class_, row, terms, for_staff=staff)
