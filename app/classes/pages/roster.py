"""Who is in a class: the list, a file in and out, and each person's place in it."""

from itertools import groupby
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.responses import RedirectResponse, Response

from app.classes.classes import Member, require_member, require_writer
from app.classes.invitations import invite_again
from app.classes.rights import ClassRole, Right
from app.classes.roster import (
    Listed,
    Preview,
    Wanted,
    add_people,
    change_person,
    forget_expected,
    preview_roster,
    read_person,
    read_roster,
    read_roster_csv,
    remove_person,
    replace_roster,
    roster_csv,
    roster_of,
)
from app.db import read_id
from app.people.identity import Caller
from app.state import state_of
from app.web.csv_file import csv_response
from app.web.errors import Conflict, Invalid, NotFound, Problem
from app.web.rendering import render

router = APIRouter()

PAGE = 100
DONE = {
    "replaced": "The roster is in place.",
    "added": "They are in the class.",
    "expected": "They have no account yet. They are in the class once they sign up with that address.",
    "changed": "Changed.",
    "removed": "They are no longer in the class. Their work stays theirs.",
    "forgotten": "They are no longer expected.",
    "invited": "Another letter is on its way to them.",
}


@router.get("/classes/{class_id}/roster")
def index(
    request: Request, class_id: str, q: str = "", section: str | None = None, page: str = "1", done: str = ""
) -> Response:
    return _list(request, class_id, q, section, read_id(page) or 1, done, None, {})


@router.get("/classes/{class_id}/roster.csv")
def download(request: Request, class_id: str) -> Response:
    with state_of(request).db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.see_people)
        return csv_response(roster_csv(roster_of(db, member.class_)), f"roster-{member.class_.id}.csv")


@router.post("/classes/{class_id}/roster")
def create(
    request: Request,
    class_id: str,
    email: Annotated[str, Form()] = "",
    name: Annotated[str, Form()] = "",
    section: Annotated[str, Form()] = "",
    role: Annotated[str, Form()] = "student",
) -> Response:
    """Adds one person, or changes how the one of this address is listed."""
    typed = {"email": email, "name": name, "section": section, "role": role}
    try:
        with state_of(request).db.writing() as db:
            member = require_writer(db, Caller(request), class_id, Right.change_people)
            done = add_people(db, member, _one(typed))
    except (Conflict, Invalid) as problem:
        return _list(request, class_id, "", None, 1, "", problem, typed)
    return _back(class_id, "expected" if done.expected else "added")


@router.post("/classes/{class_id}/roster/file")
async def preview(request: Request, class_id: str) -> Response:
    """What the file would change, person by person; nothing yet."""
    async with request.form(max_files=1, max_fields=10) as form:
        sent = form.get("file")
        data = await sent.read() if isinstance(sent, UploadFile) else b""
    return await run_in_threadpool(_preview, request, class_id, data)


def _preview(request: Request, class_id: str, data: bytes) -> Response:
    with state_of(request).db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.change_people)
        found: Preview | None = None
        try:
            wanted = read_roster_csv(data)
            found = preview_roster(db, member.class_, wanted)
        except Invalid as fault:
            problem = fault
    if found is None:
        return _list(request, class_id, "", None, 1, "", problem, {})
    return render(request, "classes/roster/preview.html", member=member, tab="people", found=found,
                  csv=roster_csv(wanted))  # fmt: skip


@router.post("/classes/{class_id}/roster/replacement")
def replace(request: Request, class_id: str, csv: Annotated[str, Form()] = "") -> Response:
    """What the preview has shown. `csv`: the file's people, in our own columns."""
    try:
        with state_of(request).db.reading() as db:
            require_member(db, Caller(request), class_id, Right.change_people)
        wanted = read_roster_csv(csv.encode())  # no other writer waits for that
        with state_of(request).db.writing() as db:
            member = require_writer(db, Caller(request), class_id, Right.change_people)
            replace_roster(db, member, wanted)
    except (Conflict, Invalid) as problem:
        return _list(request, class_id, "", None, 1, "", problem, {})
    return _back(class_id, "replaced")


@router.post("/classes/{class_id}/roster/expected/removal")
def forget(request: Request, class_id: str, email: Annotated[str, Form()] = "") -> Response:
    with state_of(request).db.writing() as db:
        forget_expected(db, require_writer(db, Caller(request), class_id, Right.change_people), email)
    return _back(class_id, "forgotten")


@router.post("/classes/{class_id}/roster/expected/invitations")
def invite_expected(request: Request, class_id: str, email: Annotated[str, Form()] = "") -> Response:
    """Another letter to somebody who is expected."""
    try:
        with state_of(request).db.writing() as db:
            invite_again(db, require_writer(db, Caller(request), class_id, Right.change_people), email)
    except Conflict as problem:
        return _list(request, class_id, "", None, 1, "", problem, {})
    return _back(class_id, "invited")


@router.get("/classes/{class_id}/roster/{user}")
def show(request: Request, class_id: str, user: str) -> Response:
    return _person(request, class_id, user, "person", None)


@router.post("/classes/{class_id}/roster/{user}")
def update(
    request: Request,
    class_id: str,
    user: str,
    name: Annotated[str, Form()] = "",
    section: Annotated[str, Form()] = "",
    role: Annotated[str, Form()] = "",
) -> Response:
    try:
        with state_of(request).db.writing() as db:
            member = require_writer(db, Caller(request), class_id, Right.change_people)
            change_person(db, member, read_person(user), name=name, section=section, role=role)
    except (Conflict, Invalid) as problem:
        return _person(request, class_id, user, "person", problem)
    return _back(class_id, "changed")


@router.get("/classes/{class_id}/roster/{user}/removal")
def confirm_removal(request: Request, class_id: str, user: str) -> Response:
    return _person(request, class_id, user, "removal", None)


@router.post("/classes/{class_id}/roster/{user}/removal")
def delete(request: Request, class_id: str, user: str) -> Response:
    try:
        with state_of(request).db.writing() as db:
            remove_person(db, require_writer(db, Caller(request), class_id, Right.change_people), read_person(user))
    except Conflict as problem:
        return _person(request, class_id, user, "removal", problem)
    return _back(class_id, "removed")


def _one(line: dict[str, str]) -> list[Wanted]:
    try:
        return read_roster([line])
    except Invalid as fault:  # of a file it would name the line
        message = fault.message.removeprefix("The roster has faults: line 1: ")
        raise Invalid(message, "Nothing was changed. Correct it.") from None


def _back(class_id: str, done: str) -> Response:
    return RedirectResponse(f"/classes/{class_id}/roster?done={done}", 303)


def _list(
    request: Request,
    class_id: str,
    q: str,
    section: str | None,
    page: int,
    done: str,
    problem: Problem | None,
    typed: dict[str, str],
) -> Response:
    """`q`: a part of a name or an address. `section`: the one that is listed; None for all. `typed`: of a person who
    could not be added."""
    with state_of(request).db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.see_people)
        everybody = roster_of(db, member.class_)
    sections = sorted({one.section for one in everybody if one.section}, key=str.casefold)
    part = q.strip().casefold()
    listed = [
        one
        for one in everybody
        if (not section or one.section == section) and (not part or part in f"{one.name}\n{one.email}".casefold())
    ]
    shown = listed[(page - 1) * PAGE : page * PAGE]
    return render(
        request,
        "classes/roster/index.html",
        status=problem.status if problem else 200,
        member=member,
        tab="people",
        counts=_counts(everybody),
        groups=_groups(shown),
        sections=sections,
        section=section or "",
        q=q,
        page=page,
        has_next=len(listed) > page * PAGE,
        query=urlencode({"q": q, "section": section or ""}),
        notice=DONE.get(done, ""),
        problem=problem,
        typed={"email": "", "name": "", "section": "", "role": "student"} | typed,
        roles=[role.value for role in ClassRole],
    )


def _counts(people: list[Listed]) -> str:
    """`1 instructor, 12 students; 3 have no account yet`."""
    parts = []
    for role in reversed(ClassRole):
        count = sum(one.role == role and one.user is not None for one in people)
        if count:
            parts.append(f"{count} {role.value}{'' if count == 1 else 's'}")
    waiting = sum(one.user is None for one in people)
    words = ", ".join(parts)
    return f"{words}; {waiting} {'has' if waiting == 1 else 'have'} no account yet" if waiting else words


def _groups(people: list[Listed]) -> list[tuple[str, list[Listed]]]:
    """Instructors, assistants, and students by section, as they are listed."""

    def head(one: Listed) -> tuple[int, str, str]:
        order = {role.value: place for place, role in enumerate(reversed(ClassRole))}
        title = {"instructor": "Instructors", "assistant": "Assistants"}.get(one.role)
        if title is None:
            title = f"Students, section {one.section}" if one.section else "Students"
        return order[one.role], one.section.casefold() if one.role == "student" else "", title

    ordered = sorted(people, key=head)  # stable: by name within
    return [(title, list(some)) for (_, _, title), some in groupby(ordered, key=head)]


def _person(request: Request, class_id: str, user: str, page: str, problem: Problem | None) -> Response:
    with state_of(request).db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.change_people)
        person = _listed(member, roster_of(db, member.class_), user)
    return render(
        request,
        f"classes/roster/{page}.html",
        status=problem.status if problem else 200,
        member=member,
        tab="people",
        person=person,
        roles=[role.value for role in ClassRole],
        problem=problem,
    )


def _listed(member: Member, people: list[Listed], user: str) -> Listed:
    """Raises NotFound."""
    number = read_person(user)
    found = next((one for one in people if one.user == number), None)
    if found is None:
        raise NotFound("This person is not in the class.", f"Who is in it is listed at {_url(member)}.")
    return found


def _url(member: Member) -> str:
    return f"/classes/{member.class_.id}/roster"
