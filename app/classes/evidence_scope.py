"""What a class's evidence is about: its students; the exercises, questions and lessons of its course; what is assigned.

attack: see through one class what a student did in another. defence: nothing is counted or listed but what belongs to
this class's course, or is assigned in it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from app.classes.assignments import Assignment
from app.classes.classes import Class, Enrolment
from app.classes.rights import ClassRole
from app.content.course import Course
from app.content.lesson import Lesson
from app.content.questions.question import Question
from app.people.users import User
from app.reading.catalog import Catalog
from app.web.errors import NotFound


@dataclass(frozen=True)
class Scope:
    """`names`: what the class calls each student, by number; "" where it has no name for them. `exercises`: titles by
    slug, in the course's order, then the others that are assigned. `assigned`: kinds and slugs, of which the class's
    staff read what was sent."""

    class_: Class
    course: Course | None
    names: Mapping[int, str]
    exercises: Mapping[str, str]
    assigned: frozenset[tuple[str, str]]

    @property
    def students(self) -> int:
        """How many there are."""
        return len(self.names)

    @property
    def whose(self) -> frozenset[int]:
        return frozenset(self.names)

    def has(self, user_id: Any) -> ColumnElement[bool]:
        """Whether that column is one of the students: asked of the table, however many they are."""
        found: ColumnElement[bool] = user_id.in_(select(Enrolment.user_id).where(*self.of_class))
        return found

    @property
    def of_class(self) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
        """The places of the students."""
        return students_in(self.class_)

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        return self.course.lessons if self.course is not None else ()

    def lesson(self, slug: str) -> Lesson:
        """Raises NotFound."""
        own = slug.removeprefix(f"{self.class_.course}.")
        found = next((lesson for lesson in self.lessons if lesson.slug == own), None)
        if found is None:
            raise NotFound("The course of this class has no such lesson.", f"See {self.url}.")
        return found

    def question(self, id: str) -> tuple[Lesson, Question]:
        """Raises NotFound."""
        for lesson in self.lessons:
            for question in lesson.questions.values():
                if question.id == id:
                    return lesson, question
        raise NotFound(
            "The course of this class has no such question.", "A question is named by course, lesson and its own name."
        )

    def require_exercise(self, slug: str) -> str:
        """Its title. Raises NotFound."""
        if slug not in self.exercises:
            raise NotFound(
                "This exercise is neither in the course of this class nor assigned in it.", f"See {self.url}."
            )
        return self.exercises[slug]

    @property
    def url(self) -> str:
        return f"/classes/{self.class_.id}/evidence"


@dataclass(frozen=True)
class Person:
    """A student, as the class calls them."""

    user: int
    name: str


def students_in(class_: Class) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return Enrolment.class_id == class_.id, Enrolment.role == ClassRole.student


def scope_of(db: Session, catalog: Catalog, class_: Class) -> Scope:
    """For those who came through the door with `Right.see_evidence`."""
    names = {
        row.user_id: row.name
        for row in db.execute(select(Enrolment.user_id, Enrolment.name).where(*students_in(class_)))
    }
    course = catalog.courses.get(class_.course)
    in_course = (slug for lesson in (course.lessons if course else ()) for slug in lesson.render().exercises)
    rows = select(Assignment.kind, Assignment.slug).where(Assignment.class_id == class_.id).order_by(Assignment.place)
    assigned = [(kind, slug) for kind, slug in db.execute(rows)]
    slugs = dict.fromkeys((*in_course, *(slug for kind, slug in assigned if kind == "exercise")))
    titles = {slug: found.title if (found := catalog.exercises.get(slug)) else slug for slug in slugs}
    return Scope(class_, course, names, titles, frozenset(assigned))


def people_of(db: Session, scope: Scope, user_ids: Iterable[int]) -> dict[int, Person]:
    """By number, in the order of their names. Who is no student of the class is not among them."""
    wanted = sorted(scope.names.keys() & set(user_ids))
    unnamed = [id for id in wanted if not scope.names[id]]
    emails: dict[int, str | None] = {}
    if unnamed:  # by number: joined, everybody's addresses might be read
        emails = {row.id: row.email for row in db.execute(select(User.id, User.email).where(User.id.in_(unnamed)))}
    found = [Person(id, scope.names[id] or emails.get(id) or f"guest {id}") for id in wanted]
    return {one.user: one for one in sorted(found, key=lambda one: (one.name.casefold(), one.user))}
