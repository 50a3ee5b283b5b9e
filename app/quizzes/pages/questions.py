"""Answers to a lesson's questions: a part of the page where scripts run, the whole lesson where they do not."""

import re
import time

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from app.content.questions.asking import Presented, present
from app.content.questions.kind import Reply
from app.content.questions.question import Question, UnknownVariant
from app.content.questions.table import kind_of
from app.discussions.threads import folds_in
from app.people import identity
from app.people.identity import Caller
from app.progress.lessons import lesson_page
from app.progress.progress import progress_of
from app.quizzes.answers import MAX_SECONDS, Occasion, record_answer
from app.quizzes.questions import Answered, ShownQuestion, ask, judge, open_question, own_question
from app.state import state_of
from app.web import credentials
from app.web.errors import Conflict, Invalid
from app.web.rendering import is_partial, render

router = APIRouter()

Form = list[tuple[str, str]]


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
        question = open_question(db, viewer, state.catalog, id)
        shown = ask(db, viewer, [question], progress_of(db, viewer).is_right)[id]
    return render(request, "quizzes/questions/_question.html", shown=shown)


@router.post("/questions/{id}/answers")
async def create_answer(request: Request, id: str) -> Response:
    form = await request.form()
    return await run_in_threadpool(_answer, request, id, [(name, str(value)) for name, value in form.multi_items()])


def _answer(request: Request, id: str, form: Form) -> Response:
    shown, status = answer_form(request, own_question(state_of(request), Caller(request), id), form, Occasion.lesson)
    if is_partial(request):
        return render(request, "quizzes/questions/_question.html", status=status, shown=shown)
    return _show_lesson(request, shown)


def _show_lesson(request: Request, answered: ShownQuestion) -> Response:
    state = state_of(request)
    course, slug, _ = answered.question.id.split(".")
    lesson = state.catalog.lesson(course, slug)[1]
    if lesson.is_quiz:  # its page shows no question
        return RedirectResponse(lesson.url, 303)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        page = lesson_page(db, viewer, state.catalog, state.cells, course, slug, answered=answered)
        discussions = folds_in(db, state, course, slug)
    return render(request, "reading/lessons/show.html", page=page, discussions=discussions, here=lesson.url)


def answer_form(request: Request, question: Question, form: Form, occasion: Occasion) -> tuple[ShownQuestion, int]:
    """Judge and keep what a question's form sent: (the question with what came of it, the status to answer with).

    Raises Conflict, RateLimited, TooLarge; what cannot be read is shown with the question.
    """
    state = state_of(request)
    shown = _presented(question, dict(form).get("variant", ""))
    reply = reply_in(question, form)
    state.limits.spend("answer", address=credentials.address_of(request))
    status = 200
    try:
        judged = judge(question, shown.variant, reply)
    except Invalid as problem:
        status = problem.status
        answered = Answered(reply, unreadable=" ".join(filter(None, (problem.message, problem.hint))))
    else:
        with state.db.writing() as db:
            user = identity.require_user(db, request)
            record_answer(
                db, user, state, question, shown.variant, reply, judged, seconds=seconds_in(form), occasion=occasion
            )
        answered = Answered(
            reply,
            judged.correct,
            judged.score,
            judged.read_as,
            feedback_html=judged.feedback_html,
            explanation_html=judged.explanation_html,
        )
    return ShownQuestion(shown, answered, answered.correct, question.draws > 1), status


def _presented(question: Question, variant: str) -> Presented:
    """Raises Conflict when the question has changed since it was shown."""
    try:
        return present(question, int(variant))
    except (ValueError, UnknownVariant):
        raise Conflict("This question has changed since you loaded it.", "Reload the lesson.") from None


def reply_in(question: Question, form: Form, prefix: str = "") -> Reply:
    """The answer in a form with `quizzes/questions/_fields.html` in it, its fields' names without `prefix`."""
    fields = [(name.removeprefix(prefix), value) for name, value in form if name.startswith(prefix)]
    return kind_of(question).WIDGET.reply(question, fields)


def seconds_in(form: Form) -> float | None:
    """From shown to answered: what js/seconds.js measured while the question was to be seen, else the time since the
    page was made. None where neither says a number. It is a claim, and anyone can send another: statistics
    may use it, and nothing may depend on it."""
    fields = dict(form)
    measured = _number(fields.get("seconds", ""))
    if measured is not None:
        return min(measured, MAX_SECONDS)
    shown_at = _number(fields.get("shown_at", ""))
    return None if shown_at is None else min(max(time.time() - shown_at, 0.0), MAX_SECONDS)


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,6})?", text) else None
