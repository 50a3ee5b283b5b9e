"""A lesson: its text, its questions in place, and that it has been read."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from fastapi import APIRouter, Request
from markupsafe import Markup
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from app.content.cell import Cell
from app.content.highlight import coloured
from app.content.lesson import Block, CellBlock, ExerciseBlock, QuestionBlock
from app.content.questions.asking import Presented, present
from app.content.questions.kind import Given
from app.content.questions.question import Question, draw
from app.people import identity
from app.people.users import User
from app.progress.progress import Progress, mark_read, progress_of
from app.quizzes.answers import attempts, variant_seed
from app.quizzes.pages.quizzes import show_quiz
from app.state import AppState, state_of
from app.web.errors import Problem
from app.web.rendering import render
from graders.cell import CellRun
from graders.exercise.definition import Exercise

router = APIRouter()


@dataclass(frozen=True)
class Answered:
    """An answer and what came of it, to be shown with the question: `keys` and `typed` in its fields."""

    given: Given = ""
    correct: bool = False
    score: float = 0.0
    read_as: str | None = None
    unreadable: str | None = None
    feedback_html: str | None = None
    explanation_html: str | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.given,) if isinstance(self.given, str) else tuple(self.given)

    @property
    def typed(self) -> str:
        return self.given if isinstance(self.given, str) else ""


@dataclass(frozen=True)
class ShownQuestion:
    """`shown_at`: seconds of the epoch; the form carries it, since a page without scripts measures no time itself."""

    question: Presented
    answered: Answered | None
    was_right: bool
    has_variants: bool
    shown_at: int = field(default_factory=lambda: int(time.time()))
    kind: Literal["question"] = "question"


@dataclass(frozen=True)
class ShownExercise:
    exercise: Exercise
    solved: bool
    kind: Literal["exercise"] = "exercise"


@dataclass(frozen=True)
class Ran:
    """What came of a reader's own code in the cell called `name`; `run` None: it could not be run, and why."""

    name: str
    source: str
    run: CellRun | None
    problem: Problem | None = None


@dataclass(frozen=True)
class ShownCell:
    """A cell with the code that stands in it, and its output where that is known. `ran`: it is the reader's own."""

    cell: Cell
    code: Markup
    source: str
    run: CellRun | None
    ran: bool = False
    problem: Problem | None = None
    kind: Literal["cell"] = "cell"


@router.get("/courses/{course}/{lesson}")
def show(request: Request, course: str, lesson: str) -> Response:
    return show_lesson(request, course, lesson)


@router.post("/courses/{course}/{lesson}/reads")
def create_read(request: Request, course: str, lesson: str) -> Response:
    """The lesson counts as read, and the next one opens."""
    state = state_of(request)
    found, read = state.catalog.lesson(course, lesson)
    with state.db.writing() as db:
        mark_read(db, identity.require_user(db, request), course, lesson)
    following = found.lessons[found.lessons.index(read) + 1 :]
    return RedirectResponse(following[0].url if following else f"/courses/{course}", 303)


def show_lesson(
    request: Request,
    course_slug: str,
    lesson_slug: str,
    answered: tuple[Presented, Answered] | None = None,
    ran: Ran | None = None,
) -> Response:
    """The lesson's page; with `answered` and `ran`, that question and that cell show what came of them."""
    state = state_of(request)
    course, lesson = state.catalog.lesson(course_slug, lesson_slug)
    if lesson.is_quiz:
        return show_quiz(request, course, lesson)
    rendered = lesson.render()
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        progress = progress_of(db, viewer)
        asked = ask(db, viewer, rendered.questions, progress)
    if answered:
        presented, answer = answered
        asked[presented.id] = ShownQuestion(
            presented, answer, asked[presented.id].was_right, asked[presented.id].has_variants
        )
    place = course.lessons.index(lesson)
    return render(
        request,
        "reading/lessons/show.html",
        course=course,
        lesson=lesson,
        number=place + 1,
        outline=rendered.outline,
        blocks=list(_shown(rendered.blocks, asked, state, progress, ran)),
        person=viewer.id if viewer is not None and not viewer.is_guest else "",
        was_read=progress.has_read(course.slug, lesson.slug),
        previous=course.lessons[place - 1] if place else None,
        next=course.lessons[place + 1] if place + 1 < len(course.lessons) else None,
        here=lesson.url,
        status=ran.problem.status if ran and ran.problem else 200,
    )


def ask(
    db: Session, viewer: User | None, questions: Mapping[str, Question], progress: Progress
) -> dict[str, ShownQuestion]:
    """These questions by id, each in the variant that is this person's for their next attempt."""
    user_id = viewer.id if viewer else None
    made = attempts(db, user_id, [question.id for question in questions.values()])
    return {
        one.id: ShownQuestion(
            present(one, draw(one, variant_seed(user_id, one.id, made.get(one.id, 0)))),
            None,
            progress.is_right(one),
            one.draws > 1,
        )
        for one in questions.values()
    }


def _shown(
    blocks: tuple[Block, ...],
    asked: Mapping[str, ShownQuestion],
    state: AppState,
    progress: Progress,
    ran: Ran | None = None,
) -> Iterator[Block | ShownQuestion | ShownExercise | ShownCell]:
    for block in blocks:
        match block:
            case QuestionBlock(question=question):
                yield asked[question.id]
            case ExerciseBlock(slug=slug):
                if slug in state.catalog.exercises:
                    yield ShownExercise(state.catalog.exercises[slug], progress.has_solved(slug))
            case CellBlock(cell=cell):
                yield _shown_cell(cell, state, ran if ran and ran.name == cell.name else None)
            case _:
                yield block


def _shown_cell(cell: Cell, state: AppState, ran: Ran | None) -> ShownCell:
    if ran is None:
        return ShownCell(cell, coloured(cell.source), cell.source, state.cells.output(cell))
    return ShownCell(cell, coloured(ran.source), ran.source, ran.run, ran=True, problem=ran.problem)
