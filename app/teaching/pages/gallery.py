"""The gallery, for authors: a list of all that can be written, and its examples, alive. Nothing that happens in it is
kept: no answer, no run and no submission."""

import secrets
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, RedirectResponse, Response

from app.content.exercise import page
from app.content.expression import UnreadableAnswer
from app.content.highlight import coloured
from app.content.lesson import Block, CellBlock, ExerciseBlock, QuestionBlock
from app.content.picture import figure_in
from app.content.questions.asking import read_answer
from app.content.questions.question import UnknownVariant
from app.people.identity import Caller
from app.progress.lessons import ShownCell, ShownExercise
from app.quizzes.questions import ShownQuestion, changed
from app.reading.cell_runs import run as run_cell
from app.reading.labs import run_experiment
from app.state import state_of
from app.teaching.authors import require_any_author
from app.teaching.gallery import (
    WRITABLE,
    Example,
    gallery_course,
    gallery_exercise,
    gallery_exercises,
    gallery_experiment,
    gallery_lesson,
    gallery_lessons,
    gallery_question,
    judge_example,
    where_shown,
)
from app.teaching.questions import tried_in_place, unanswered
from app.web.errors import Conflict, Invalid, NotFound, Problem
from app.web.pictures import picture
from app.web.rendering import is_partial, render

router = APIRouter(prefix="/author/gallery")

Form = list[tuple[str, str]]
Shown = Block | ShownQuestion | ShownCell | ShownExercise


@dataclass(frozen=True)
class ShownExample:
    example: Example
    blocks: list[Shown]


def _require_author(request: Request) -> None:
    """attack: a student reads here what an author writes of every question. defence: the page is for staff."""
    with state_of(request).db.reading() as db:
        require_any_author(db, Caller(request))


async def _form(request: Request) -> Form:
    return [(name, str(value).replace("\r\n", "\n")) for name, value in (await request.form()).multi_items()]


@router.get("")
def index(request: Request) -> Response:
    _require_author(request)
    return render(
        request,
        "teaching/gallery/index.html",
        lessons=gallery_lessons().values(),
        exercises=gallery_exercises().values(),
        writable=WRITABLE,
        where=where_shown(),
    )


# ---- questions ------------------------------------------------------------------------------------------------


@router.get("/questions/{id}")
def show_question(request: Request, id: str) -> Response:
    """The question in other numbers."""
    _require_author(request)
    question = gallery_question(id)
    if not is_partial(request):
        return RedirectResponse(f"/author/gallery/{id.split('.')[1]}#question-{id.replace('.', '-')}", 303)
    return _question(request, unanswered(question, secrets.randbelow(question.variants)))


@router.post("/questions/{id}/answers")
async def create_answer(request: Request, id: str) -> Response:
    return await run_in_threadpool(_answer, request, id, await _form(request))


def _answer(request: Request, id: str, form: Form) -> Response:
    _require_author(request)
    question = gallery_question(id)
    try:
        shown, status = tried_in_place(question, int(dict(form).get("variant", "")), form)
    except (ValueError, UnknownVariant):
        raise Conflict("This question has changed since you loaded it.", "Reload the page.") from None
    if is_partial(request):
        return _question(request, shown, status)
    return _show(request, id.split(".")[1], answered=shown)


def _question(request: Request, shown: ShownQuestion, status: int = 200) -> Response:
    return render(request, "teaching/gallery/_question.html", shown=shown, status=status)


@router.post("/questions/{id}/readings")
async def create_reading(request: Request, id: str) -> Response:
    """How an answer is understood while it is typed, as /api/v1/questions/…/readings tells it of other questions."""
    sent = await request.json()
    if not isinstance(sent, dict) or type(sent.get("variant")) is not int:
        raise Invalid("Send a variant and an answer.", None)
    return await run_in_threadpool(_read, request, id, sent["variant"], sent.get("answer"))


def _read(request: Request, id: str, variant: int, answer: object) -> Response:
    _require_author(request)
    try:
        return JSONResponse({"read_as": read_answer(gallery_question(id), variant, answer), "problem": None})
    except UnknownVariant:
        raise changed() from None
    except UnreadableAnswer as error:
        return JSONResponse({"read_as": None, "problem": {"message": error.message, "hint": error.hint}})


# ---- exercises ------------------------------------------------------------------------------------------------


@router.get("/exercises/{slug}")
def show_exercise(request: Request, slug: str) -> Response:
    _require_author(request)
    return _exercise(request, slug)


@router.post("/exercises/{slug}/tries")
async def create_try(request: Request, slug: str) -> Response:
    return await run_in_threadpool(_try, request, slug, dict(await _form(request)))


def _try(request: Request, slug: str, form: dict[str, str]) -> Response:
    _require_author(request)
    exercise = gallery_exercise(slug).exercise
    source, framework = form.get("source", ""), form.get("framework", "")
    result, problem = None, None
    try:
        result = judge_example(state_of(request), Caller(request), exercise, source, framework)
    except Problem as found:
        problem = found
    status = problem.status if problem else 200
    return _exercise(request, slug, source=source, framework=framework, result=result, problem=problem, status=status)


def _exercise(request: Request, slug: str, *, status: int = 200, **tried: object) -> Response:
    found = gallery_exercise(slug)
    first = found.exercise.frameworks[0]
    begun = {"source": found.exercise.starter(first), "framework": first, "result": None, "problem": None}
    statement = page(found.exercise).statement_html.replace(f'"/exercises/{slug}/', f'"{found.url}/')
    template = "teaching/gallery/_try.html" if is_partial(request) else "teaching/gallery/exercise.html"
    context: dict[str, Any] = {"found": found, "statement_html": statement, **begun, **tried}
    return render(request, template, status=status, **context)


@router.get("/exercises/{slug}/figures/{name}")
def show_exercise_figure(request: Request, slug: str, name: str) -> Response:
    _require_author(request)
    return picture(figure_in(gallery_exercise(slug).exercise.files, name))


# ---- lessons --------------------------------------------------------------------------------------------------


@router.get("/figures/{name}")
def show_figure(request: Request, name: str) -> Response:
    _require_author(request)
    return picture(gallery_course().figure(name))


@router.get("/{lesson}")
def show(request: Request, lesson: str) -> Response:
    _require_author(request)
    return _show(request, lesson)


def _show(
    request: Request, slug: str, *, answered: ShownQuestion | None = None, ran: ShownCell | None = None
) -> Response:
    """With `answered` and `ran`, that question and that cell show what came of them."""
    found = gallery_lesson(slug)

    def shown(block: Block) -> Shown:
        match block:
            case QuestionBlock(question=question):
                is_it = answered is not None and answered.question.id == question.id
                return answered if answered and is_it else unanswered(question, 0)
            case CellBlock(cell=cell):
                output = state_of(request).cells.output(cell)
                return ran if ran and ran.cell is cell else ShownCell(cell, coloured(cell.source), cell.source, output)
            case ExerciseBlock(slug=name):
                return ShownExercise(gallery_exercise(name).exercise, solved=False, tried=False)
        return block

    examples = [ShownExample(one, [shown(block) for block in one.blocks]) for one in found.examples]
    return render(request, "teaching/gallery/lesson.html", lesson=found, examples=examples)


@router.post("/{lesson}/labs/{lab}/runs")
async def create_experiment(request: Request, lesson: str, lab: str) -> Response:
    return await run_in_threadpool(_experiment, request, lesson, lab, dict(await _form(request)))


def _experiment(request: Request, lesson: str, lab: str, form: dict[str, str]) -> Response:
    try:
        _require_author(request)
        done = run_experiment(state_of(request), Caller(request), lab, gallery_experiment(lesson, lab), form)
    except Problem as problem:
        return JSONResponse(problem.public(), problem.status, problem.headers)
    return JSONResponse({"parameters": done.parameters, "frames": done.frames})


@router.post("/{lesson}/cells/{cell}/runs")
async def create_run(request: Request, lesson: str, cell: str) -> Response:
    return await run_in_threadpool(_run, request, lesson, cell, dict(await _form(request)))


def _run(request: Request, lesson: str, name: str, form: dict[str, str]) -> Response:
    _require_author(request)
    cell = gallery_lesson(lesson).lesson.cells.get(name)
    if cell is None:
        raise NotFound("The gallery has no such cell.", "Reload the page.")
    edited = {key.removeprefix("edited-"): text for key, text in form.items() if key.startswith("edited-")}
    source = form.get("source", "")
    run = run_cell(state_of(request), Caller(request), cell, source, edited)
    if is_partial(request):
        return render(request, "reading/cells/_output.html", cell=cell, run=run, figures_at=None)
    return _show(request, lesson, ran=ShownCell(cell, coloured(source), source, run, ran=True))
