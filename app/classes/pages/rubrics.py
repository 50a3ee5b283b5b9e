"""Rubrics: which assignments are graded by hand, and by what."""

import re

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from app.classes.assignments import assignments_of, require_assignment, title_of
from app.classes.classes import require_member, require_writer
from app.classes.rights import Right
from app.classes.rubrics import MAX_CRITERIA, Criterion, put_rubric, rubric_of, rubrics_of
from app.people.identity import Caller
from app.state import state_of
from app.web.errors import Invalid
from app.web.rendering import render

router = APIRouter()
EMPTY_ROWS = 3  # below those that are there: more come once these are saved


@router.get("/classes/{class_id}/rubrics")
def index(request: Request, class_id: str) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.change_schedule)
        assignments, rubrics = assignments_of(db, member.class_), rubrics_of(db, member.class_)
    lines = [
        (row, title_of(state.catalog, member.class_, row.kind, row.slug), rubrics.get(row.key)) for row in assignments
    ]
    return render(request, "classes/rubrics/index.html", member=member, tab="grading", lines=lines)


@router.get("/classes/{class_id}/rubrics/{kind}/{slug}")
def show(request: Request, class_id: str, kind: str, slug: str, saved: str = "") -> Response:
    return _show(request, class_id, kind, slug, is_saved=bool(saved))


@router.post("/classes/{class_id}/rubrics/{kind}/{slug}")
async def update(request: Request, class_id: str, kind: str, slug: str) -> Response:
    form = {name: str(value) for name, value in (await request.form()).items()}
    return await run_in_threadpool(_update, request, class_id, kind, slug, form)


def _update(request: Request, class_id: str, kind: str, slug: str, form: dict[str, str]) -> Response:
    """A row without a title, and without anything else, is none."""
    criteria = _criteria(form)
    try:
        if not re.fullmatch(r"[0-9]{1,3}([.,][0-9]{1,2})?", percent := form.get("percent", "0").strip()):
            raise Invalid("percent: this is not a number from 0 to 100.", "30 makes it three tenths of the score.")
        weight = float(percent.replace(",", ".")) / 100
        with state_of(request).db.writing() as db:
            member = require_writer(db, Caller(request), class_id, Right.change_schedule)
            assignment = require_assignment(db, member, kind, slug)
            put_rubric(
                db, member, assignment, criteria, hand_weight=weight, is_anonymous=form.get("anonymous") == "yes"
            )
    except Invalid as problem:
        return _show(request, class_id, kind, slug, problem, criteria, form)
    return RedirectResponse(f"/classes/{class_id}/rubrics/{assignment.kind}/{assignment.slug}?saved=1", 303)


def _criteria(form: dict[str, str]) -> list[Criterion]:
    found = []
    for number in range(MAX_CRITERIA + EMPTY_ROWS):
        title, points, text = (form.get(f"{name}-{number}", "").strip() for name in ("title", "points", "text"))
        if title or points or text:
            value = points.replace(",", ".")
            worth = float(value) if re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,2})?", value) else 0.0
            found.append(Criterion(title, worth, text, form.get(f"key-{number}", "")))
    return found


def _show(
    request: Request,
    class_id: str,
    kind: str,
    slug: str,
    problem: Invalid | None = None,
    typed: list[Criterion] | None = None,
    form: dict[str, str] | None = None,
    *,
    is_saved: bool = False,
) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.change_schedule)
        assignment = require_assignment(db, member, kind, slug)
        rubric = rubric_of(db, member.class_, assignment.kind, assignment.slug)
    stored = list(rubric.criteria) if rubric is not None else []
    criteria = [*(stored if typed is None else typed), *[Criterion("", 0.0)] * EMPTY_ROWS][:MAX_CRITERIA]
    return render(
        request,
        "classes/rubrics/show.html",
        status=problem.status if problem else 200,
        member=member,
        tab="grading",
        assignment=assignment,
        title=title_of(state.catalog, member.class_, assignment.kind, assignment.slug),
        rubric=rubric,
        criteria=criteria,
        percent=form.get("percent", "") if form else 100 * (rubric.hand_weight if rubric is not None else 0.5),
        is_anonymous=form.get("anonymous") == "yes" if form else rubric is not None and rubric.is_anonymous,
        problem=problem,
        is_saved=is_saved,
    )
