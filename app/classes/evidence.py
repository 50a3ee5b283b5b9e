"""Evidence: what a class does not understand now. Exercises by who solved them, questions that may be broken, and who
is stuck at this moment. Each has a page of its own, in the modules beside this one.

attack: learn from a number that is one person what they did. defence: all of this is for the class's staff, who may
read what its students sent; no other page, export or letter takes a number from here.
"""

from dataclasses import dataclass

from sqlalchemy.orm import Session

from app.classes.evidence_exercises import Standing, standings_of
from app.classes.evidence_lessons import readers_of
from app.classes.evidence_questions import QuestionFigures, question_figures
from app.classes.evidence_scope import Scope
from app.classes.evidence_stuck import Stuck, stuck_now


@dataclass(frozen=True)
class LessonFigures:
    """`asked` and `right`: first answers to its questions, and those of them that are right."""

    lesson: str
    title: str
    students: int
    read: int
    asked: int
    right: int


@dataclass(frozen=True)
class Overview:
    """`exercises`: those that most people met and have not solved come first; `untried`: nobody has tried them.
    `flagged`: questions that may be broken."""

    students: int
    stuck: tuple[Stuck, ...]
    exercises: tuple[Standing, ...]
    untried: tuple[Standing, ...]
    flagged: tuple[QuestionFigures, ...]
    lessons: tuple[LessonFigures, ...]


def overview_of(db: Session, scope: Scope) -> Overview:
    """For those who came through the door with `Right.see_evidence`."""
    standings = standings_of(db, scope)
    met = [one for one in standings if one.students > one.not_begun]
    figures = question_figures(db, scope, scope.lessons)
    readers = readers_of(db, scope)
    lessons = []
    for lesson in scope.lessons:
        own = [one for one in figures if one.lesson == lesson.slug]
        asked, right = sum(one.people for one in own), sum(one.right for one in own)
        counts = (scope.students, readers.get(lesson.slug, 0), asked, right)
        lessons.append(LessonFigures(lesson.slug, lesson.title, *counts))
    return Overview(
        scope.students,
        tuple(stuck_now(db, scope)),
        tuple(sorted(met, key=lambda one: (-one.unsolved, -one.tried))),
        tuple(one for one in standings if one.students == one.not_begun),
        tuple(one for one in figures if one.flags),
        tuple(lessons),
    )
