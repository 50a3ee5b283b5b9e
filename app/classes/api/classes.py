"""Classes, how people join them, and their rosters."""

import json
from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from app.classes.assignments import copy_schedule
from app.classes.classes import (
    MAX_TITLE,
    Member,
    change_class,
    classes_of,
    copy_class,
    create_class,
    require_member,
    require_writer,
    size_of,
)
from app.classes.rights import Right
from app.classes.roster import (
    MAX_CSV_BYTES,
    Changes,
    change_person,
    join_class,
    read_person,
    read_roster,
    read_roster_csv,
    remove_person,
    replace_roster,
    roster_csv,
    roster_of,
)
from app.classes.rubrics import copy_rubrics
from app.people.identity import Caller
from app.state import AppState, state_of
from app.web.csv_file import csv_response, wants_csv
from app.web.errors import Invalid, TooLarge

router = APIRouter(tags=["classes"])
Role = Literal["student", "assistant", "instructor"]


class NewClass(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    course: str = Field(max_length=120, description="The course's slug.")
    title: str = Field(max_length=MAX_TITLE)
    timezone: str = Field("UTC", max_length=64, description="An IANA name, such as Europe/Berlin.")


class ClassChange(BaseModel):
    """What is left out stays as it is."""

    model_config = ConfigDict(extra="forbid", strict=True)

    title: str | None = Field(None, max_length=MAX_TITLE)
    timezone: str | None = Field(None, max_length=64)
    joining: Literal["code", "invitation"] | None = None
    drop_lowest: int | None = Field(None, ge=0, le=100)
    new_join_code: bool = False
    archived: bool | None = None


class NewCopy(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    title: str = Field(max_length=MAX_TITLE)
    days: int = Field(0, ge=-3660, le=3660, description="How many days later every date of the schedule is.")


class NewEnrolment(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    join_code: str = Field(max_length=64)


class ClassOut(BaseModel):
    """`join_code` is null for those who may not give it on."""

    id: int
    title: str
    course: str
    timezone: str
    join_code: str | None
    joining: Literal["code", "invitation"]
    drop_lowest: int
    archived: bool
    role: Role
    students: int


class EnrolmentOut(BaseModel):
    """`class`: its id."""

    model_config = ConfigDict(populate_by_name=True)

    class_id: int = Field(serialization_alias="class")
    title: str
    role: Role


class PersonOut(BaseModel):
    """`user` is null for somebody who has no account yet, `email` for a guest."""

    user: int | None
    email: str | None
    name: str
    section: str
    role: Role
    state: Literal["enrolled", "expected"]


class PersonChange(BaseModel):
    """What is left out stays as it is."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str | None = Field(None, max_length=200)
    section: str | None = Field(None, max_length=80)
    role: Role | None = None


class RosterOut(BaseModel):
    roster: list[PersonOut]


class RosterChangesOut(RosterOut):
    """In people. `expected`: those without an account yet."""

    added: int
    changed: int
    removed: int
    expected: int


CSV: dict[int | str, dict[str, Any]] = {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}
_LINE = {
    "type": "object",
    "required": ["email"],
    "properties": {name: {"type": "string"} for name in ("email", "name", "section", "role")},
}
ROSTER_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": {"type": "array", "items": _LINE}},
            "text/csv": {"schema": {"type": "string"}},
        },
    }
}


@router.post("/classes", status_code=201)
def create(request: Request, sent: NewClass) -> ClassOut:
    """A class of a course, whose instructor is the caller. For instructors of the site."""
    state, caller = state_of(request), Caller(request)
    with state.db.writing() as db:
        state.limits.spend("class", address=caller.address)
        return _public(db, create_class(db, caller, state.catalog, sent.course, sent.title, sent.timezone))


@router.get("/classes")
def index(request: Request) -> list[ClassOut]:
    """Those that the caller is in."""
    with state_of(request).db.reading() as db:
        person = Caller(request).require_viewer(db)
        return [_public(db, Member(class_, enrolment, person)) for class_, enrolment in classes_of(db, person)]


@router.get("/classes/{class_id}")
def show(request: Request, class_id: str) -> ClassOut:
    with state_of(request).db.reading() as db:
        return _public(db, require_member(db, Caller(request), class_id))


@router.patch("/classes/{class_id}")
def update(request: Request, class_id: str, sent: ClassChange) -> ClassOut:
    """Rename it, archive it, or say how people join. For its instructors."""
    with state_of(request).db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.change_class)
        change_class(db, member, **sent.model_dump())
        return _public(db, member)


@router.post("/classes/{class_id}/copies", status_code=201)
def copy(request: Request, class_id: str, sent: NewCopy) -> ClassOut:
    """An empty class with the same schedule, so many days later. For its instructors."""
    with state_of(request).db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.copy_class)
        copied = copy_class(db, member, sent.title)
        copy_schedule(db, member.class_, copied.class_, sent.days)
        copy_rubrics(db, member.class_, copied.class_)
        return _public(db, copied)


@router.post("/enrolments", status_code=201, response_model_by_alias=True)
def enrol(request: Request, sent: NewEnrolment) -> EnrolmentOut:
    """Join a class by its code. Who is in it already stays what they are."""
    state, caller = state_of(request), Caller(request)
    with state.db.writing() as db:
        person = caller.require_user(db)
        state.limits.spend("join", person=person.id, address=caller.address)
        class_, enrolment, _ = join_class(db, person, sent.join_code)
        return EnrolmentOut(class_id=class_.id, title=class_.title, role=enrolment.role)  # type: ignore[arg-type]


@router.get("/classes/{class_id}/roster", response_model=RosterOut, responses=CSV)
def show_roster(request: Request, class_id: str) -> Any:
    """Everybody in the class, and who is expected; as CSV for `Accept: text/csv`. For its staff."""
    with state_of(request).db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.see_people)
        people = roster_of(db, member.class_)
    if wants_csv(request):
        return csv_response(roster_csv(people), f"roster-{member.class_.id}.csv")
    return {"roster": [one.as_json() for one in people]}


@router.put("/classes/{class_id}/roster", response_model=RosterChangesOut, openapi_extra=ROSTER_BODY)
async def replace_all(request: Request, class_id: str) -> Any:
    """From now on these are in the class, and nobody else (its instructors stay): JSON, or CSV with the columns email,
    name, section and role. Work is not touched. For its instructors."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    data = await request.body()
    if len(data) > MAX_CSV_BYTES:
        raise TooLarge("The roster is larger than 1 MiB.", "Send the columns email, name, section and role alone.")
    people, changes = await run_in_threadpool(_replaced, state_of(request), request, class_id, kind, data)
    return {"roster": people, **vars(changes)}


def _replaced(
    state: AppState, request: Request, class_id: str, kind: str, data: bytes
) -> tuple[list[dict[str, Any]], Changes]:
    with state.db.reading() as db:
        require_member(db, Caller(request), class_id, Right.change_people)
    wanted = read_roster_csv(data) if kind == "text/csv" else _from_json(data)  # no other writer waits for that
    with state.db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.change_people)
        changes = replace_roster(db, member, wanted)
        return [one.as_json() for one in roster_of(db, member.class_)], changes


def _from_json(data: bytes) -> Any:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise Invalid("This is not JSON.", "Send a list, or CSV with Content-Type: text/csv.") from None
    lines = found.get("roster") if isinstance(found, dict) else found
    if not isinstance(lines, list) or not all(isinstance(line, dict) for line in lines):
        raise Invalid(
            "The roster is a list of objects.", 'For example [{"email": "ada@example.org", "role": "student"}]'
        )
    return read_roster(lines)


@router.patch("/classes/{class_id}/roster/{user}")
def update_person(request: Request, class_id: str, user: str, sent: PersonChange) -> PersonOut:
    """For its instructors."""
    with state_of(request).db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.change_people)
        change_person(db, member, read_person(user), name=sent.name, section=sent.section, role=sent.role)
        found = next(one for one in roster_of(db, member.class_) if one.user == read_person(user))
        return PersonOut(**found.as_json())


@router.delete("/classes/{class_id}/roster/{user}", status_code=204)
def delete_person(request: Request, class_id: str, user: str) -> None:
    """Their work stays theirs. For its instructors."""
    with state_of(request).db.writing() as db:
        remove_person(db, require_writer(db, Caller(request), class_id, Right.change_people), read_person(user))


def _public(db: Session, member: Member) -> ClassOut:
    class_ = member.class_
    return ClassOut(
        id=class_.id,
        title=class_.title,
        course=class_.course,
        timezone=class_.timezone,
        join_code=class_.join_code if member.may(Right.change_class) else None,
        joining=class_.joining,  # type: ignore[arg-type]
        drop_lowest=class_.drop_lowest,
        archived=class_.archived_at is not None,
        role=member.role.value,
        students=size_of(db, class_.id),
    )
