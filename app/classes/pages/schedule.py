"""The schedule of a class: all its assignments in one form, and as a file in and out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.responses import RedirectResponse, Response

from app.classes.assignments import (
    MAX_ASSIGNMENTS,
    Assignment,
    Schedule,
    assignments_of,
    put_assignment,
    quizzes_of,
    remove_assignment,
    require_assignment,
    title_of,
    url_of,
)
from app.classes.classes import Class, require_member, require_writer
from app.classes.rights import Right
from app.classes.schedule import (
    FaultySchedule,
    differences,
    read_schedule,
    replace_schedule,
    schedule_of,
    write_schedule,
)
from app.classes.walltime import read_wall_field, wall_field
from app.people.identity import Caller
from app.reading.catalog import Catalog
from app.state import state_of
from app.web.errors import Conflict, Invalid, NotFound, Problem
from app.web.filters import points
from app.web.rendering import render

router = APIRouter()

FIELDS = (
    "opens", "due", "closes", "hidden", "weight", "late", "grace", "attempts", "code", "answers",
)  # fmt: skip
DATES = {"opens": "opens_at", "due": "due_at", "closes": "closes_at", "hidden": "hidden_until"}
LABELS = {"opens": "opens", "due": "due", "closes": "closes", "hidden": "hidden until", "weight": "weight",
          "late": "late per day", "grace": "grace", "attempts": "attempts", "code": "access code",
          "answers": "answers shown"}  # fmt: skip
DONE = {
    "saved": "Saved.",
    "same": "Nothing was changed.",
    "added": "Added at the end of the list. Set its dates now.",
    "removed": "Removed. It stays open for practice.",
    "replaced": "The schedule is in place.",
}


@dataclass
class Line:
    """An assignment as a row of the form: what stands in its fields, and what is wrong with it."""

    kind: str
    slug: str
    title: str
    url: str
    values: dict[str, str]
    faults: list[str] = field(default_factory=list)

    @property
    def key(self) -> str:
        return f"{self.kind}/{self.slug}"


@router.get("/classes/{class_id}/schedule")
def index(request: Request, class_id: str, done: str = "") -> Response:
    return _form(request, class_id, done=done)


@router.get("/classes/{class_id}/schedule.toml")
def download(request: Request, class_id: str) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        class_ = require_member(db, Caller(request), class_id, Right.change_schedule).class_
        text = write_schedule(state.catalog, class_, assignments_of(db, class_))
    headers = {"Content-Disposition": 'attachment; filename="schedule.toml"'}
    return Response(text.encode(), media_type="application/toml", headers=headers)


@router.post("/classes/{class_id}/schedule")
async def update(request: Request, class_id: str) -> Response:
    """Every row, or none where one is at fault."""
    most = MAX_ASSIGNMENTS * (len(FIELDS) + 1) + 10
    form = {name: str(value) for name, value in (await request.form(max_files=0, max_fields=most)).items()}
    return await run_in_threadpool(_update, request, class_id, form)


def _update(request: Request, class_id: str, form: Mapping[str, str]) -> Response:
    state = state_of(request)
    faulty: list[Line] = []
    changed = 0
    with state.db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.change_schedule)
        rows = {f"{row.kind}/{row.slug}": row for row in assignments_of(db, member.class_)}
        wanted: list[tuple[Assignment, Schedule]] = []
        for name, key in form.items():
            if not name.startswith("key-") or key not in rows:  # what was removed meanwhile stays so
                continue
            row, values = rows[key], {one: form.get(f"{one}-{name[4:]}", "") for one in FIELDS}
            schedule, faults = _read(values, row, member.class_)
            if faults:
                faulty.append(_line(state.catalog, member.class_, row, values, faults))
            elif schedule is not None and schedule != schedule_of(row):
                wanted.append((row, schedule))
        if not faulty:
            for row, schedule in wanted:
                put_assignment(db, member, state.catalog, row.kind, row.slug, schedule)
                changed += 1
    if faulty:
        typed = {one.key: one for one in faulty}
        for name, key in form.items():
            if name.startswith("key-") and key in rows and key not in typed:
                values = {one: form.get(f"{one}-{name[4:]}", "") for one in FIELDS}
                typed[key] = _line(state.catalog, member.class_, rows[key], values, [])
        return _form(request, class_id, typed=typed)
    return _back(class_id, "saved" if changed else "same")


@router.post("/classes/{class_id}/schedule/assignments")
async def create(request: Request, class_id: str) -> Response:
    what = str((await request.form(max_files=0, max_fields=10)).get("what", ""))
    return await run_in_threadpool(_create, request, class_id, what)


def _create(request: Request, class_id: str, what: str) -> Response:
    state = state_of(request)
    kind, _, slug = what.strip().partition("/")
    try:
        with state.db.writing() as db:
            member = require_writer(db, Caller(request), class_id, Right.change_schedule)
            if any(row.key == (kind, slug) for row in assignments_of(db, member.class_)):
                raise Invalid("This is assigned already.", "Change its dates in its row.")
            put_assignment(db, member, state.catalog, kind, slug, Schedule())
    except (Invalid, NotFound) as problem:
        if isinstance(problem, NotFound) and not what.strip():
            problem = Invalid("Nothing is chosen.", "Choose an exercise or a quiz from the list.")
        return _form(request, class_id, problem=problem)
    return RedirectResponse(f"/classes/{class_id}/schedule?done=added#{kind}.{slug}", 303)


@router.get("/classes/{class_id}/schedule/{kind}/{slug}/removal")
def confirm_removal(request: Request, class_id: str, kind: str, slug: str) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.change_schedule)
        row = require_assignment(db, member, kind, slug)
    title = title_of(state.catalog, member.class_, row.kind, row.slug)
    return render(request, "classes/schedule/removal.html", member=member, tab="schedule", row=row, title=title)


@router.post("/classes/{class_id}/schedule/{kind}/{slug}/removal")
def delete(request: Request, class_id: str, kind: str, slug: str) -> Response:
    with state_of(request).db.writing() as db:
        remove_assignment(db, require_writer(db, Caller(request), class_id, Right.change_schedule), kind, slug)
    return _back(class_id, "removed")


@router.post("/classes/{class_id}/schedule/file")
async def preview(request: Request, class_id: str) -> Response:
    """What the file would change; nothing yet."""
    async with request.form(max_files=1, max_fields=10) as form:
        sent = form.get("file")
        data = await sent.read() if isinstance(sent, UploadFile) else b""
    return await run_in_threadpool(_preview, request, class_id, data)


def _preview(request: Request, class_id: str, data: bytes) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.change_schedule)
        try:
            found = differences(db, state.catalog, member.class_, read_schedule(data, state.catalog, member.class_))
        except FaultySchedule as faulty:
            problem = faulty
            found = None
    if found is None:
        return _form(request, class_id, problem=problem)
    return render(
        request, "classes/schedule/preview.html", member=member, tab="schedule", found=found,
        text=data.decode("utf-8-sig"),
    )  # fmt: skip


@router.post("/classes/{class_id}/schedule/replacement")
async def replace(request: Request, class_id: str) -> Response:
    """What the preview has shown."""
    text = str((await request.form(max_files=0, max_fields=10)).get("text", ""))
    return await run_in_threadpool(_replace, request, class_id, text)


def _replace(request: Request, class_id: str, text: str) -> Response:
    state = state_of(request)
    try:
        with state.db.reading() as db:
            class_ = require_member(db, Caller(request), class_id, Right.change_schedule).class_
        planned = read_schedule(text.encode(), state.catalog, class_)  # no other writer waits for that
        with state.db.writing() as db:
            member = require_writer(db, Caller(request), class_id, Right.change_schedule)
            replace_schedule(db, member, state.catalog, planned)
    except (Conflict, Invalid) as problem:
        return _form(request, class_id, problem=problem)
    return _back(class_id, "replaced")


def _back(class_id: str, done: str) -> Response:
    return RedirectResponse(f"/classes/{class_id}/schedule?done={done}", 303)


# ---- the form -------------------------------------------------------------------------------------------------


def _form(
    request: Request,
    class_id: str,
    *,
    done: str = "",
    problem: Problem | None = None,
    typed: Mapping[str, Line] | None = None,
) -> Response:
    """`typed`: rows as they were sent, where one of them is at fault."""
    state, typed = state_of(request), typed or {}
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.change_schedule)
        rows = assignments_of(db, member.class_)
    class_ = member.class_
    lines = [
        typed.get(f"{row.kind}/{row.slug}") or _line(state.catalog, class_, row, _written(row, class_), [])
        for row in rows
    ]
    is_faulty = any(line.faults for line in lines)
    return render(
        request,
        "classes/schedule/index.html",
        status=problem.status if problem else 422 if is_faulty else 200,
        member=member,
        tab="schedule",
        lines=lines,
        is_faulty=is_faulty,
        problem=problem,
        faults=problem.faults if isinstance(problem, FaultySchedule) else (),
        notice=DONE.get(done, ""),
        choices=_choices(state.catalog, class_, {row.key for row in rows}),
    )


def _choices(catalog: Catalog, class_: Class, taken: set[tuple[str, str]]) -> Mapping[str, list[tuple[str, str]]]:
    """What can be assigned and is not, as (value, title)."""
    quizzes = [(slug, title) for slug, title in quizzes_of(catalog, class_).items()]
    exercises = sorted(
        ((slug, one.title) for slug, one in catalog.exercises.items()), key=lambda one: one[1].casefold()
    )
    return {
        "Quizzes of the course": [(f"quiz/{slug}", title) for slug, title in quizzes if ("quiz", slug) not in taken],
        "Exercises": [(f"exercise/{slug}", title) for slug, title in exercises if ("exercise", slug) not in taken],
    }


def _line(catalog: Catalog, class_: Class, row: Assignment, values: dict[str, str], faults: list[str]) -> Line:
    title, url = title_of(catalog, class_, row.kind, row.slug), url_of(class_, row.kind, row.slug)
    return Line(row.kind, row.slug, title, url, values, faults)


def _written(row: Assignment, class_: Class) -> dict[str, str]:
    """What the fields show for how it is assigned."""
    dates = {name: wall_field(getattr(row, column), class_.zone) for name, column in DATES.items()}
    return {
        **dates,
        "weight": f"{row.weight:g}",
        "late": points(100 * row.late_per_day),
        "grace": str(row.grace_minutes),
        "attempts": "" if row.attempts is None else str(row.attempts),
        "code": row.access_code or "",
        "answers": row.answers_shown,
    }


def _read(values: Mapping[str, str], row: Assignment, class_: Class) -> tuple[Schedule | None, list[str]]:
    """How the fields want it, or what is wrong with them. A field that nobody touched stands for what it was made
    from, to the last digit."""
    before, faults = _written(row, class_), []
    read: dict[str, Any] = {}
    for name, column in DATES.items():
        was: datetime | None = getattr(row, column)
        try:
            read[column] = read_wall_field(values[name], class_.zone, was)
        except Invalid as fault:
            faults.append(f"{LABELS[name]}: {fault.message} {fault.hint}")
    numbers = {"weight": ("weight", 1.0), "late": ("late_per_day", 0.01), "grace": ("grace_minutes", 1.0)}
    for name, (column, unit) in numbers.items():
        number = _number(values[name] or "0")
        if values[name] == before[name]:
            read[column] = getattr(row, column)
        elif number is None or (name == "grace" and number != int(number)):
            faults.append(f"{LABELS[name]}: this is not a number.")
        else:
            read[column] = int(number) if name == "grace" else round(number * unit, 10)
    attempts = values["attempts"].strip()
    if attempts and not (attempts.isascii() and attempts.isdecimal() and len(attempts) < 6):
        faults.append("attempts: this is not a whole number. Leave it empty for as many as they like.")
    else:
        read["attempts"] = int(attempts) if attempts else None
    read["access_code"] = values["code"].strip() or None
    read["answers_shown"] = values["answers"] or row.answers_shown
    if faults:
        return None, faults
    schedule = Schedule(**read)
    try:
        schedule.require_sound()
    except Invalid as fault:
        return None, [f"{_in_words(fault.message)} {fault.hint or ''}".rstrip()]
    return schedule, []


def _number(text: str) -> float | None:
    try:
        number = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return number if abs(number) < 1e9 else None


def _in_words(message: str) -> str:
    for name, column in DATES.items():
        message = message.replace(column, LABELS[name])
    return message
