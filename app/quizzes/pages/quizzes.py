"""A sitting of a quiz begins here; the quiz's own page is a lesson's (app/reading/pages/lessons.py)."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from app.people import identity
from app.quizzes.papers import paper_of
from app.quizzes.quizzes import overview_of, quiz_lesson
from app.quizzes.sittings import NoAccessCode, start_sitting
from app.state import state_of
from app.web import credentials
from app.web.rendering import render

router = APIRouter()


@router.post("/courses/{course}/{lesson}/sittings")
def create_sitting(request: Request, course: str, lesson: str, access_code: Annotated[str, Form()] = "") -> Response:
    """A new sitting opens at its first question, one that is open already at the first without an answer. Without the
    code that a class asks for, the quiz's page says so."""
    state = state_of(request)
    quiz = quiz_lesson(state.catalog, course, lesson)
    address = credentials.address_of(request)
    state.limits.spend("sitting", address=address)
    try:
        with state.db.writing() as db:
            user = identity.require_user(db, request)
            sitting, is_new = start_sitting(db, user, state, quiz, access_code, address=address)
    except NoAccessCode as problem:
        return _ask_again(request, course, lesson, problem)
    address = f"/sittings/{sitting.id}"
    if is_new:
        return RedirectResponse(f"{address}/questions/1", 303)
    paper = paper_of(state.db, user, state.catalog, str(sitting.id))
    empty = next((question.place for question in paper.questions if not question.is_answered), None)
    return RedirectResponse(f"{address}/questions/{empty}" if empty else address, 303)


def _ask_again(request: Request, course: str, lesson: str, problem: NoAccessCode) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
    overview = overview_of(state.db, viewer, state.catalog, course, lesson)
    here = overview.lesson.url
    return render(
        request, "quizzes/quizzes/show.html", status=problem.status, overview=overview, before=None, problem=problem,
        here=here,
    )  # fmt: skip
