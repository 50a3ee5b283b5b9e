"""A lesson as one person sees it: its text, and in place what they have answered, solved and run."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup
from sqlalchemy.orm import Session

from app.content.cell import Cell
from app.content.course import Course
from app.content.highlight import coloured
from app.content.lesson import Block, CellBlock, ExerciseBlock, Lesson, QuestionBlock
from app.content.page import Heading
from app.people.users import User
from app.practice.tried import tried_of
from app.progress.progress import Progress, progress_of
from app.progress.way import WayOn, after_lesson, just_finished
from app.quizzes.questions import ShownQuestion, ask
from app.reading.catalog import Catalog
from app.reading.cells import LessonCells
from app.reading.note_places import LessonNotes, arranged
from app.reading.notes import notes_on
from app.web.errors import Problem
from graders.cell import CellRun
from graders.exercise.definition import Exercise


@dataclass(frozen=True)
class ShownExercise:
    exercise: Exercise
    solved: bool
    tried: bool
    kind: Literal["exercise"] = "exercise"


@dataclass(frozen=True)
class OwnRun:
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


ShownBlock = Block | ShownQuestion | ShownExercise | ShownCell


@dataclass(frozen=True)
class LessonPage:
    """`way`: the way on, once it is read. `finished`: what is said of the lesson that was finished a moment ago.
    `person`: under which name their browser keeps what is theirs in this lesson; "": under none, for a guest."""

    course: Course
    lesson: Lesson
    outline: tuple[Heading, ...]
    blocks: list[ShownBlock]
    was_read: bool
    way: WayOn | None
    finished: WayOn | None
    person: int | Literal[""]
    notes: LessonNotes


def lesson_page(
    db: Session,
    viewer: User | None,
    catalog: Catalog,
    cells: LessonCells,
    course_slug: str,
    lesson_slug: str,
    *,
    answered: ShownQuestion | None = None,
    own_run: OwnRun | None = None,
) -> LessonPage:
    """With `answered` and `own_run`, that question and that cell show what came of them. Raises NotFound."""
    course, lesson = catalog.lesson(course_slug, lesson_slug)
    rendered = lesson.render()
    progress = progress_of(db, viewer)
    questions = ask(db, viewer, rendered.questions.values(), progress.is_right)
    tried = tried_of(db, viewer, rendered.exercises)
    if answered is not None:
        questions[answered.question.id] = answered
    return LessonPage(
        course,
        lesson,
        rendered.outline,
        list(_shown(rendered.blocks, questions, progress, tried, catalog.exercises, cells, own_run)),
        progress.has_read(course.slug, lesson.slug),
        after_lesson(course, lesson, catalog, progress),
        just_finished(course, lesson, catalog, progress),
        viewer.id if viewer is not None and not viewer.is_guest else "",
        arranged(course, lesson, notes_on(db, viewer.id if viewer else None, course.slug, lesson.slug)),
    )


def _shown(
    blocks: tuple[Block, ...],
    questions: Mapping[str, ShownQuestion],
    progress: Progress,
    tried: Collection[str],
    exercises: Mapping[str, Exercise],
    cells: LessonCells,
    own_run: OwnRun | None,
) -> Iterator[ShownBlock]:
    for block in blocks:
        match block:
            case QuestionBlock(question=question):
                yield questions[question.id]
            case ExerciseBlock(slug=slug):
                if slug in exercises:
                    yield ShownExercise(exercises[slug], progress.has_solved(slug), slug in tried)
            case CellBlock(cell=cell):
                yield _shown_cell(cell, cells, own_run if own_run and own_run.name == cell.name else None)
            case _:
                yield block


def _shown_cell(cell: Cell, cells: LessonCells, own_run: OwnRun | None) -> ShownCell:
    if own_run is None:
        return ShownCell(cell, coloured(cell.source), cell.source, cells.output(cell))
    return ShownCell(cell, coloured(own_run.source), own_run.source, own_run.run, ran=True, problem=own_run.problem)
