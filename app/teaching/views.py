"""One file of an exercise or a course as students would see it, of a state that may be published nowhere.

attack: a text on which a parser hangs, sent with every key. defence: all of it is first read and rendered in the
reader's child, which has limits on time and memory (`app.content.reading`); what the child does not come back from is
a fault that names the file. Of a course only the lesson that is looked at goes along in full.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from sqlalchemy.orm import Session

from app.content.course import Course
from app.content.exercise import page
from app.content.highlight import coloured
from app.content.lesson import CellBlock, ExerciseBlock, Lesson, QuestionBlock, lesson_slug
from app.content.reading import ReadCourse, ReadExercise, Unsound
from app.people.users import User
from app.progress.lessons import ShownBlock, ShownCell, ShownExercise
from app.quizzes.questions import ask
from app.reading.catalog import Catalog
from app.reading.cells import LessonCells
from app.teaching.subjects import Subject
from graders.exercise.definition import Exercise
from graders.exercise.fault import Fault

LESSON = re.compile(r"\d+-[^/]*\.md")
STUB = b"---\ntitle: Another lesson\n---\n"
Shows = Literal["statement", "hints", "solution"]


@dataclass(frozen=True)
class View:
    """What there is to see of a file, and what is wrong with it. Everything None: it cannot be read as it is."""

    faults: tuple[Fault, ...]
    exercise: Exercise | None = None
    shows: Shows = "statement"
    html: tuple[str, ...] = ()
    course: Course | None = None
    lesson: Lesson | None = None
    blocks: tuple[ShownBlock, ...] = ()

    @property
    def is_readable(self) -> bool:
        return self.exercise is not None or self.course is not None


def view_of(
    db: Session,
    viewer: User,
    catalog: Catalog,
    cells: LessonCells,
    subject: Subject,
    files: Mapping[str, bytes],
    path: str,
) -> View:
    """Never raises for what an author wrote."""
    is_lesson = subject.kind == "course" and LESSON.fullmatch(path) is not None
    shown = {
        name: STUB if is_lesson and name != path and LESSON.fullmatch(name) else held for name, held in files.items()
    }
    try:
        read = catalog.read(subject.kind, subject.slug, shown)
    except Unsound as unsound:
        return View(unsound.faults)
    # A link to a heading of another lesson, which is not read here, is looked at when the course is checked.
    faults = tuple(
        replace(fault, path=fault.path.removeprefix(f"{subject.slug}/"))
        for fault in read.proof.faults
        if not (is_lesson and (not fault.path.endswith(path) or fault.message.startswith("The linked lesson has")))
    )
    match read:
        case ReadExercise(exercise=exercise):
            return _of_exercise(exercise, path, faults)
        case ReadCourse(course=course):
            lesson = course.lesson(lesson_slug(path)) if is_lesson else None
            if lesson is None:
                return View(faults, course=course)
            return View(faults, course=course, lesson=lesson, blocks=tuple(_blocks(db, viewer, catalog, cells, lesson)))


def _of_exercise(exercise: Exercise, path: str, faults: tuple[Fault, ...]) -> View:
    made = page(exercise)
    if path == "hints.md":
        return View(faults, exercise, "hints", made.hints_html)
    if path == "solution.md":
        return View(faults, exercise, "solution", (made.solution_html,))
    return View(faults, exercise, "statement", (made.statement_html,))


def _blocks(db: Session, viewer: User, catalog: Catalog, cells: LessonCells, lesson: Lesson) -> Iterator[ShownBlock]:
    """Before any answer: an author's own answers to what is published are another matter."""
    rendered = lesson.render()
    questions = ask(db, viewer, rendered.questions.values(), lambda _: False)
    for block in rendered.blocks:
        match block:
            case QuestionBlock(question=question):
                yield questions[question.id]
            case ExerciseBlock(slug=slug):
                if (found := catalog.exercises.get(slug)) is not None:
                    yield ShownExercise(found, solved=False, tried=False)
            case CellBlock(cell=cell):
                yield ShownCell(cell, coloured(cell.source), cell.source, cells.output(cell))
            case _:
                yield block
