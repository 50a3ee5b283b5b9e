"""Answers to a lesson's questions: a part of the page where scripts run, the whole lesson where they do not."""

import re
import time

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from app.content.questions.asking import Presented, present
from app.content.questions.kind import Given
from app.content.questions.question import Question, UnknownVariant
from app.content.questions.table import kind_of
from app.people import identity
from app.progress.progress import progress_of
from app.quizzes.answers import MAX_SECONDS, Occasion
from app.quizzes.api.questions import own_question, record_answer
from app.reading.pages.lessons import Answered, ShownQuestion, ask, show_lesson
from app.state import state_of
from app.web.errors import Conflict, Invalid
from app.web.rendering import is_partial, render

router = APIRouter()


@router.get("/questions/{id}")
def show(request: Request, id: str) -> Response:
    """The question as it is asked next, in other numbers where it has them."""
    state = state_of(request)
    question = state.catalog.question(id)
    if not is_partial(request):
        course, lesson, slug = id.split(".")
        return RedirectResponse(f"/courses/{course}/{lesson}#question-{course}-{lesson}-{slug}", 303)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        shown = ask(db, viewer, {question.slug: question}, progress_of(db, viewer))[id]
    return render(request, "quizzes/questions/_question.html", shown=shown)


@router.post("/questions/{id}/answers")
async def create_answer(request: Request, id: str) -> Response:
    form = await request.form()
    return await run_in_threadpool(_answer, request, id, [(name, str(value)) for name, value in form.multi_items()])


def _answer(request: Request, id: str, form: list[tuple[str, str]]) -> Response:
    shown, status = answer_form(request, id, form, Occasion.lesson)
    assert shown.answered is not None
    if is_partial(request):
        return render(request, "quizzes/questions/_question.html", status=status, shown=shown)
    course, lesson, _ = id.split(".")
    return show_lesson(request, course, lesson, (shown.question, shown.answered))


def answer_form(
    request: Request, id: str, form: list[tuple[str, str]], occasion: Occasion
) -> tuple[ShownQuestion, int]:
    """Judge and keep what a question's form sent: (the question with what came of it, the status to answer with).

    Raises NotFound, Conflict, RateLimited; what cannot be read is shown with the question.
    """
    question = own_question(request, id)
    shown = _variant(question, dict(form).get("variant", ""))
    given = given_in(question, form)
    status = 200
    try:
        judged = record_answer(request, id, shown.variant, given, seconds=seconds_in(form), occasion=occasion)
        answered = Answered(
            given,
            judged.correct,
            judged.score,
            judged.read_as,
            feedback_html=judged.feedback_html,
            explanation_html=judged.explanation_html,
        )
    except Invalid as problem:
        status = problem.status
        answered = Answered(given, unreadable=" ".join(filter(None, (problem.message, problem.hint))))
    return ShownQuestion(shown, answered, answered.correct, question.draws > 1), status


def _variant(question: Question, said: str) -> Presented:
    """Raises Conflict when the question has changed since it was shown."""
    try:
        return present(question, int(said))
    except (ValueError, UnknownVariant):
        raise Conflict("This question has changed since you loaded it.", "Reload the lesson.") from None


def given_in(question: Question, form: list[tuple[str, str]], prefix: str = "") -> Given:
    """The answer in a form with `quizzes/questions/_fields.html` in it, its fields' names without `prefix`."""
    fields = [(name.removeprefix(prefix), value) for name, value in form if name.startswith(prefix)]
    return kind_of(question).WIDGET.given(question, fields)


def seconds_in(form: list[tuple[str, str]]) -> float | None:
    """From shown to answered: what js/seconds.js measured while the question was to be seen, else the time since the
    page was made. None where neither says a number. It is a claim, and anyone can send another: statistics
    may use it, and nothing may depend on it."""
    said = dict(form)
    measured = _number(said.get("seconds", ""))
    if measured is not None:
        return min(measured, MAX_SECONDS)
    shown_at = _number(said.get("shown_at", ""))
    return None if shown_at is None else min(max(time.time() - shown_at, 0.0), MAX_SECONDS)


def _number(said: str) -> float | None:
    return float(said) if re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,6})?", said) else None
