"""A sitting of a quiz begins here; the quiz's own page is a lesson's (app/reading/pages/lessons.py)."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.people import identity
from app.quizzes.papers import paper_of
from app.quizzes.quizzes import quiz_lesson
from app.quizzes.sittings import start_sitting
from app.state import state_of
from app.web import credentials

router = APIRouter()


@router.post("/courses/{course}/{lesson}/sittings")
def create_sitting(request: Request, course: str, lesson: str) -> Response:
    """A new sitting opens at its first question, one that is open already at the first without an answer."""
    state = state_of(request)
    quiz = quiz_lesson(state.catalog, course, lesson)
    state.limits.spend("sitting", address=credentials.address_of(request))
    with state.db.writing() as db:
        user = identity.require_user(db, request)
        sitting, is_new = start_sitting(db, user, state, quiz)
    address = f"/sittings/{sitting.id}"
    if is_new:
        return RedirectResponse(f"{address}/questions/1", 303)
    paper = paper_of(state.db, user, state.catalog, str(sitting.id))
    empty = next((question.place for question in paper.questions if not question.is_answered), None)
    return RedirectResponse(f"{address}/questions/{empty}" if empty else address, 303)
