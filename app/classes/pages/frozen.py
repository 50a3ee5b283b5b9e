"""Frozen copies of the gradebook: which there are, one beside today's scores, and one as a table to keep."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from app.classes.assignments import assignments_of, title_of
from app.classes.classes import require_member, require_writer
from app.classes.frozen import compare, freeze_by_hand, frozen_csv, frozen_of, read_wanted, require_frozen
from app.classes.rights import Right
from app.people.identity import Caller
from app.state import state_of
from app.web.csv_file import csv_response
from app.web.errors import Invalid, Problem
from app.web.rendering import render

router = APIRouter()


@router.get("/classes/{class_id}/frozen")
def index(request: Request, class_id: str) -> Response:
    return _list(request, class_id)


@router.post("/classes/{class_id}/frozen")
def create(
    request: Request, class_id: str, what: Annotated[str, Form()] = "", why: Annotated[str, Form()] = ""
) -> Response:
    state = state_of(request)
    try:
        with state.db.writing() as db:
            member = require_writer(db, Caller(request), class_id, Right.freeze)
            assignment, reason = read_wanted(db, member, what, why)
        number = freeze_by_hand(state.db, state.catalog, member, assignment, reason)
    except Invalid as problem:
        return _list(request, class_id, problem, what, why)
    return RedirectResponse(f"/classes/{class_id}/frozen/{number}", 303)


@router.get("/classes/{class_id}/frozen/{frozen}")
def show(request: Request, class_id: str, frozen: str, all: str = "") -> Response:
    """Beside today's scores: those that differ, or with `?all=1` every one."""
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.see_gradebook)
        copy, rows = require_frozen(db, member, frozen)
    shown = compare(state.db, state.catalog, member.class_, copy, rows, only_differing=not all)
    return render(
        request,
        "classes/frozen/show.html",
        member=member,
        tab="grades",
        frozen=copy,
        people=len(rows),
        count=len(rows) * len(copy.columns),
        differ=sum(not one.is_same for one in shown),
        shown=shown,
        shows_all=bool(all),
    )


@router.get("/classes/{class_id}/frozen/{frozen}/gradebook.csv")
def show_csv(request: Request, class_id: str, frozen: str) -> Response:
    with state_of(request).db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.see_gradebook)
        copy, rows = require_frozen(db, member, frozen)
    return csv_response(frozen_csv(copy, rows), f"gradebook-{member.class_.id}-frozen-{copy.id}.csv")


def _list(request: Request, class_id: str, problem: Problem | None = None, what: str = "", why: str = "") -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.see_gradebook)
        copies = frozen_of(db, member.class_)
        assignments = assignments_of(db, member.class_)
    titles = {row.key: title_of(state.catalog, member.class_, row.kind, row.slug) for row in assignments}
    named = [
        (copy, "All assignments" if copy.kind is None or not copy.columns else copy.columns[0]["title"])
        for copy in copies
    ]
    return render(
        request,
        "classes/frozen/index.html",
        status=problem.status if problem else 200,
        member=member,
        tab="grades",
        copies=named,
        choices=[(f"{kind}/{slug}", title) for (kind, slug), title in titles.items()],
        problem=problem,
        what=what,
        why=why,
    )
