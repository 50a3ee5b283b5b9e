"""Answers to a lesson's questions: a part of the page where scripts run, the whole lesson where they do not."""

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from app import auth
from app.content.question import Presented, Question, UnknownVariant, present
from app.errors import Conflict, Invalid
from app.models.progress import progress_of
from app.rendering import is_partial, render
from app.routes.api.questions import record_answer
from app.routes.lessons import Answered, ShownQuestion, ask, show_lesson
from app.state import state_of

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
        viewer = auth.viewer(db, request)
        shown = ask(db, viewer, {question.slug: question}, progress_of(db, viewer))[id]
    return render(request, "questions/_question.html", shown=shown)


@router.post("/questions/{id}/answers")
async def create_answer(request: Request, id: str) -> Response:
    form = await request.form()
    return await run_in_threadpool(_answer, request, id, [(name, str(value)) for name, value in form.multi_items()])


def _answer(request: Request, id: str, form: list[tuple[str, str]]) -> Response:
    question = state_of(request).catalog.question(id)
    shown = _variant(question, dict(form).get("variant", ""))
    keys, given = _given(question, form)
    typed = given if isinstance(given, str) and not keys else ""
    status = 200
    try:
        judged = record_answer(request, id, shown.variant, given)
        answered = Answered(
            keys, typed, judged.correct, judged.read_as, None, judged.feedback_html, judged.explanation_html
        )
    except Invalid as problem:
        status = problem.status
        answered = Answered(keys, typed, unreadable=" ".join(filter(None, (problem.message, problem.hint))))
    if is_partial(request):
        return render(
            request,
            "questions/_question.html",
            status=status,
            shown=ShownQuestion(shown, answered, answered.correct, question.draws > 1),
        )
    course, lesson, _ = id.split(".")
    return show_lesson(request, course, lesson, (shown, answered))


def _variant(question: Question, said: str) -> Presented:
    """Raises Conflict when the question has changed since it was shown."""
    try:
        return present(question, int(said))
    except (ValueError, UnknownVariant):
        raise Conflict("This question has changed since you loaded it.", "Load the lesson again.") from None


def _given(question: Question, form: list[tuple[str, str]]) -> tuple[tuple[str, ...], str | list[str]]:
    """(the keys chosen, to show them again; the answer as the question takes it)."""
    said = [value for name, value in form if name == "answer"]
    if question.type == "order":
        ranks = {name.removeprefix("rank-"): value for name, value in form if name.startswith("rank-")}
        ordered = sorted(ranks, key=lambda key: (len(ranks[key]), ranks[key]))
        return tuple(ordered), ordered
    if question.type == "choices":
        return tuple(said), said
    answer = said[0] if said else ""
    return (answer,) if question.type == "choice" else (), answer
