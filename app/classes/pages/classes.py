"""Your classes, joining one, and the page of each: what is due, and what came of it."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from app.classes.agenda import Agenda, staff_agenda, student_agenda
from app.classes.assignments import shown_to
from app.classes.classes import (
    Class,
    Enrolment,
    Member,
    class_by_code,
    classes_of,
    create_class,
    require_member,
    size_of,
    timezones,
)
from app.classes.rights import Right
from app.classes.roster import Listed, join_class, roster_of, students_of
from app.classes.walltime import Clocks
from app.people.identity import Caller
from app.people.permission import Wish, may
from app.state import state_of
from app.web.day import offset_in
from app.web.edge import own_origin
from app.web.errors import Conflict, Forbidden, Invalid, NotFound, Problem, RateLimited
from app.web.rendering import render

router = APIRouter()


@router.get("/classes")
def index(request: Request) -> Response:
    return _index(request, None, {})


@router.post("/classes")
def create(
    request: Request,
    course: Annotated[str, Form()] = "",
    title: Annotated[str, Form()] = "",
    timezone: Annotated[str, Form()] = "",
) -> Response:
    state, caller = state_of(request), Caller(request)
    try:
        with state.db.writing() as db:
            state.limits.spend("class", address=caller.address)
            member = create_class(db, caller, state.catalog, course, title, timezone.strip())
    except Invalid as problem:
        return _index(request, problem, {"course": course, "title": title, "timezone": timezone})
    return RedirectResponse(f"/classes/{member.class_.id}", 303)


@router.get("/join")
def new_enrolment(request: Request) -> Response:
    with state_of(request).db.reading() as db:
        person = Caller(request).viewer(db)
    return _join(request, "", None, is_known=person is not None and not person.is_guest)


@router.get("/join/{code}")
def show_join(request: Request, code: str) -> Response:
    """What the code opens, and a button; nobody is in a class for having followed a link.

    attack: try codes, one after the other. defence: there are 31 to the power of 10, and an address has one a second.
    """
    state, caller = state_of(request), Caller(request)
    problem: Problem | None = None
    class_: Class | None = None
    is_member = False
    with state.db.reading() as db:
        person = caller.viewer(db)
        try:
            state.limits.spend("join", address=caller.address)
            class_ = class_by_code(db, code)
            is_member = person is not None and db.get(Enrolment, (class_.id, person.id)) is not None
        except (NotFound, RateLimited) as found:
            problem = found
    if is_member and class_ is not None:
        return RedirectResponse(f"/classes/{class_.id}", 303)
    return _join(request, code, problem, class_, is_known=person is not None and not person.is_guest)


@router.post("/join")
def enrol(request: Request, code: Annotated[str, Form()] = "") -> Response:
    state, caller = state_of(request), Caller(request)
    try:
        with state.db.writing() as db:
            person = caller.require_user(db)
            state.limits.spend("join", person=person.id, address=caller.address)
            class_, _, is_new = join_class(db, person, code)
    except (Conflict, Forbidden, NotFound, RateLimited) as problem:
        with state.db.reading() as db:
            viewer = caller.viewer(db)
        return _join(request, code, problem, is_known=viewer is not None and not viewer.is_guest)
    return RedirectResponse(f"/classes/{class_.id}{'?joined=1' if is_new else ''}", 303)


@router.get("/classes/{class_id}")
def show(request: Request, class_id: str, joined: str = "") -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id)
        own = students_of(db, member.class_, member.user.id)
        rows = shown_to(db, member)
        people = roster_of(db, member.class_) if member.may(Right.see_people) else []
    if own:
        agenda = student_agenda(state.db, state.catalog, member.class_, own[0])
        return show_agenda(request, member, agenda, joined=bool(joined))
    return render(
        request,
        "classes/classes/staff.html",
        member=member,
        tab="home",
        agenda=staff_agenda(state.catalog, member.class_, rows),
        course=_course_title(request, member.class_),
        clocks=Clocks(member.class_.zone, offset_in(request)),
        students=sum(one.role == "student" and one.user is not None for one in people),
        assistants=sum(one.role == "assistant" and one.user is not None for one in people),
        expected=[one for one in people if one.user is None],
        join_url=f"{own_origin(request)}/join/{member.class_.join_code}" if member.may(Right.change_class) else "",
    )


def show_agenda(
    request: Request, member: Member, agenda: Agenda, *, joined: bool = False, seen_as: Listed | None = None
) -> Response:
    """What a student has before them. `seen_as`: whose, where an instructor looks at it."""
    return render(
        request,
        "classes/classes/student.html",
        member=member,
        tab="people" if seen_as else "home",
        agenda=agenda,
        course=_course_title(request, member.class_),
        clocks=Clocks(member.class_.zone, offset_in(request)),
        joined=joined,
        seen_as=seen_as,
    )


def _course_title(request: Request, class_: Class) -> str:
    course = state_of(request).catalog.courses.get(class_.course)
    return course.title if course is not None else class_.course


def _index(request: Request, problem: Invalid | None, typed: dict[str, str]) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        person = Caller(request).viewer(db)
        mine = classes_of(db, person) if person is not None else []
        sizes = {class_.id: size_of(db, class_.id) for class_, enrolment in mine if enrolment.role != "student"}
    return render(
        request,
        "classes/classes/index.html",
        status=problem.status if problem else 200,
        classes=mine,
        sizes=sizes,
        courses={slug: course.title for slug, course in sorted(state.catalog.courses.items())},
        can_create=may(person, Wish.teach_class),
        timezones=timezones(),
        problem=problem,
        typed={"course": "", "title": "", "timezone": ""} | typed,
    )


def _join(
    request: Request, code: str, problem: Problem | None, class_: Class | None = None, *, is_known: bool
) -> Response:
    """`is_known`: whether the person who asks has an account."""
    return render(
        request,
        "classes/classes/join.html",
        status=problem.status if problem else 200,
        headers=problem.headers if problem else None,
        code=code,
        problem=problem,
        class_=class_,
        course=_course_title(request, class_) if class_ is not None else "",
        is_known=is_known,
    )
