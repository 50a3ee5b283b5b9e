"""Evidence of a lesson: how far its readers come, step by step in its own order, and where they stop."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.classes.evidence_kept import kept
from app.classes.evidence_questions import QuestionFigures, answers_stamp, answers_to, question_figures
from app.classes.evidence_scope import Scope
from app.content.lesson import ExerciseBlock, Lesson, QuestionBlock
from app.practice.efforts import Effort
from app.quizzes.answers import Answer
from app.reading.lessons import LessonRead


@dataclass(frozen=True)
class Step:
    """A question or an exercise of the lesson, in its order, and at the end that it is marked as read. `people`: who
    answered it or sent something to it; `reached`: who did that, or anything that comes later."""

    kind: Literal["question", "exercise", "read"]
    slug: str
    title: str
    people: int
    reached: int

    @property
    def url_part(self) -> str:
        return f"/{self.kind}/{self.slug}"


@dataclass(frozen=True)
class LessonEvidence:
    """`begun`: students who did anything in it. `widest`: the step after which most stop, and how many; None where
    nobody does."""

    lesson: str
    title: str
    students: int
    begun: int
    read: int
    steps: tuple[Step, ...]
    questions: tuple[QuestionFigures, ...]

    @property
    def widest(self) -> tuple[int, int] | None:
        """(the place of the step after which most stop, how many)"""
        losses = [one.reached - after.reached for one, after in zip(self.steps, self.steps[1:], strict=False)]
        most = max(losses, default=0)
        return (losses.index(most), most) if most else None


def lesson_evidence(db: Session, scope: Scope, slug: str) -> LessonEvidence:
    """Raises NotFound."""
    lesson = scope.lesson(slug)
    places = list(_places(lesson))
    numbers = {key: number for number, key in enumerate(places)}
    done: Counter[int] = Counter()
    furthest: dict[int, int] = {}

    def came_to(user_id: int, number: int) -> None:
        done[number] += 1
        furthest[user_id] = max(furthest.get(user_id, 0), number)

    stamp = answers_stamp(db, scope, [lesson])
    answered = kept(db, ("answered", scope.class_.id, lesson.slug), stamp, lambda: _answered(db, scope, lesson))
    for user_id, question in answered:
        if ("question", question) in numbers:  # else one that is there no more
            came_to(user_id, numbers["question", question])
    for user_id, exercise in _tried(db, scope, [slug for kind, slug in places if kind == "exercise"]):
        came_to(user_id, numbers["exercise", exercise])
    for user_id in _read(db, scope, lesson):
        came_to(user_id, numbers["read", ""])
    ends = Counter(furthest.values())
    reached, steps = 0, []
    for number in reversed(range(len(places))):
        reached += ends[number]
        kind, name = places[number]
        steps.append(Step(kind, name, _title(scope, kind, name), done[number], reached))
    figures = tuple(question_figures(db, scope, [lesson], stamp))
    return LessonEvidence(
        lesson.slug, lesson.title, scope.students, len(furthest), done[len(places) - 1],
        tuple(reversed(steps)), figures,
    )  # fmt: skip


def _places(lesson: Lesson) -> Iterable[tuple[Literal["question", "exercise", "read"], str]]:
    seen = set()
    for block in lesson.render().blocks:
        if isinstance(block, QuestionBlock):
            yield "question", block.question.id
        elif isinstance(block, ExerciseBlock) and block.slug not in seen:
            seen.add(block.slug)
            yield "exercise", block.slug
    yield "read", ""


def _title(scope: Scope, kind: str, slug: str) -> str:
    if kind == "read":
        return "Marked as read"
    return scope.exercises.get(slug, slug) if kind == "exercise" else slug.rpartition(".")[2]


def _answered(db: Session, scope: Scope, lesson: Lesson) -> list[tuple[int, str]]:
    """Each person and question once, however the question has changed meanwhile."""
    found = select(Answer.user_id, Answer.question).where(answers_to(scope, [lesson])).distinct()
    return [(row.user_id, row.question) for row in db.execute(found)]


def _tried(db: Session, scope: Scope, exercises: list[str]) -> Iterable[tuple[int, str]]:
    found = select(Effort.user_id, Effort.exercise).where(Effort.exercise.in_(exercises))
    if exercises:
        yield from ((row.user_id, row.exercise) for row in db.execute(found.where(scope.has(Effort.user_id))))


def _read(db: Session, scope: Scope, lesson: Lesson) -> Iterable[int]:
    read = select(LessonRead.user_id).where(LessonRead.course == lesson.course_slug, LessonRead.lesson == lesson.slug)
    return db.scalars(read.where(scope.has(LessonRead.user_id)))


def readers_of(db: Session, scope: Scope) -> dict[str, int]:
    """How many students have marked each lesson of the course as read."""
    read = select(LessonRead.lesson, func.count().label("people")).where(LessonRead.course == scope.class_.course)
    rows = db.execute(read.where(scope.has(LessonRead.user_id)).group_by(LessonRead.lesson))
    return {row.lesson: row.people for row in rows}
