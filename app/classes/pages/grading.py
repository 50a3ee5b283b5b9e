"""The grading queue of a class: what waits, who has what, the next one; and an answer in a quiz with its grade."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from app.classes.assignments import title_of
from app.classes.classes import Enrolment, require_member, require_writer
from app.classes.grading import (
    claims_on,
    essay_key,
    find_class_essay,
    grade_class_essay,
    release,
    take_next,
    waiting_items,
)
from app.classes.rights import Right
from app.classes.rubrics import rubrics_of
from app.db import now
from app.people.identity import Caller
from app.people.users import User
from app.state import state_of
from app.web.errors import Conflict, Invalid, Problem
from app.web.rendering import render

router = APIRouter()
LISTED = 200


@router.get("/classes/{class_id}/grading")
def index(request: Request, class_id: str, done: str = "") -> Response:
    """`?done=1`: somebody has just graded the last one that was free."""
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.grade_by_hand)
    items = waiting_items(state.db, state.catalog, member.class_)
    with state.db.reading() as db:
        rubrics = rubrics_of(db, member.class_)
    titles = {key: title_of(state.catalog, member.class_, *key) for key in rubrics}
    return render(
        request,
        "classes/grading/index.html",
        member=member,
        tab="grading",
        items=items[:LISTED],
        count=len(items),
        free=sum(not item.is_held_from(member) for item in items),
        rubrics=[(rubric, titles[key]) for key, rubric in rubrics.items() if rubric.is_graded],
        is_done=bool(done),
    )


@router.post("/classes/{class_id}/grading/next")
def create_claim(request: Request, class_id: str) -> Response:
    """Takes the next one that nobody has."""
    state = state_of(request)
    with state.db.writing() as db:
        member = require_writer(db, Caller(request), class_id, Right.grade_by_hand)
    item = take_next(state.db, state.catalog, member)
    return RedirectResponse(item.url if item is not None else f"/classes/{class_id}/grading?done=1", 303)


@router.post("/classes/{class_id}/grading/release")
def delete_claim(request: Request, class_id: str, item: Annotated[str, Form()] = "") -> Response:
    """Puts back what the caller has taken."""
    with state_of(request).db.writing() as db:
        release(db, require_writer(db, Caller(request), class_id, Right.grade_by_hand), item[:160])
    return RedirectResponse(f"/classes/{class_id}/grading", 303)


@router.get("/classes/{class_id}/essays/{id}/{place}")
def show_essay(request: Request, class_id: str, id: str, place: str) -> Response:
    return _show(request, class_id, id, place)


@router.post("/classes/{class_id}/essays/{id}/{place}/grade")
def update_essay(
    request: Request,
    class_id: str,
    id: str,
    place: str,
    points: Annotated[str, Form()] = "",
    comment: Annotated[str, Form()] = "",
    go: Annotated[str, Form()] = "",
) -> Response:
    """`go=next` takes the next one that waits."""
    state = state_of(request)
    try:
        with state.db.writing() as db:
            member = require_writer(db, Caller(request), class_id, Right.grade_by_hand)
            grade_class_essay(db, member, state.catalog, id, place, points, comment)
    except (Invalid, Conflict) as problem:
        return _show(request, class_id, id, place, problem, {"points": points, "comment": comment})
    item = take_next(state.db, state.catalog, member) if go == "next" else None
    if item is not None:
        return RedirectResponse(item.url, 303)
    return RedirectResponse(f"/classes/{class_id}/grading?done=1" if go == "next" else request.url.path[:-6], 303)


def _show(
    request: Request,
    class_id: str,
    id: str,
    place: str,
    problem: Problem | None = None,
    form: dict[str, str] | None = None,
) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.grade_by_hand)
        essay, assignment = find_class_essay(db, member, state.catalog, id, place)
        key = essay_key(essay.sitting.id, essay.response.place)
        held = claims_on(db, member.class_, [key], now()).get(key)
        rubric = rubrics_of(db, member.class_).get(assignment.key)
        student = db.get_one(Enrolment, (member.class_.id, essay.sitting.user_id))
        email = db.get_one(User, essay.sitting.user_id).email
    is_held = held is not None and held.holder_id != member.user.id
    hides = rubric is not None and rubric.is_anonymous
    return render(
        request,
        "classes/grading/essay.html",
        status=problem.status if problem else 200,
        member=member,
        tab="grading",
        essay=essay,
        title=title_of(state.catalog, member.class_, "quiz", assignment.slug),
        name="A student, whose name is hidden" if hides else student.name or email or f"guest {student.user_id}",
        held=held if is_held else None,
        claim=held if not is_held else None,
        claim_key=key,
        problem=problem,
        form=form or {},
        has_math=True,
    )
