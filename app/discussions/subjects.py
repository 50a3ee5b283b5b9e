"""What a discussion is about: an exercise or a question; and what a person has done there, so what they may read."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from app.content.course import Course
from app.content.lesson import Lesson
from app.content.questions.question import Question
from app.people.permission import Wish, may
from app.people.users import User
from app.practice.solutions import access_of
from app.quizzes.answers import Answer
from app.quizzes.responses import SittingResponse
from app.quizzes.sittings import Sitting
from app.quizzes.terms import withheld_from
from app.reading.catalog import Catalog
from app.reading.embedded import places_of
from app.settings import Settings
from app.web.errors import Forbidden, NotFound
from graders.exercise.definition import Exercise

Kind = Literal["exercise", "question"]
AFTER: Mapping[Kind, str] = {"exercise": "solved this exercise", "question": "answered this question"}


@dataclass(frozen=True)
class Subject:
    """`name`: an exercise's slug, a question's id. `place`: where it stands. `quiz`: the one that asks the question."""

    kind: Kind
    name: str
    title: str
    place: str
    content_hash: str
    frameworks: tuple[str, ...] = ()
    quiz: Lesson | None = None

    @property
    def key(self) -> str:
        return f"{self.kind}/{self.name}"

    @property
    def url(self) -> str:
        """Of its discussion."""
        return f"/discussions/{self.key}"


def of_exercise(exercise: Exercise) -> Subject:
    place = f"/exercises/{exercise.slug}"
    return Subject("exercise", exercise.slug, exercise.title, place, exercise.content_hash, exercise.frameworks)


def of_question(lesson: Lesson, question: Question) -> Subject:
    place = lesson.url if lesson.is_quiz else f"{lesson.url}#question-{question.id.replace('.', '-')}"
    quiz = lesson if lesson.is_quiz else None
    return Subject("question", question.id, f"A question in “{lesson.title}”", place, question.content_hash, (), quiz)


def find_subject(catalog: Catalog, kind: str, name: str) -> Subject:
    """Raises NotFound."""
    if kind == "exercise":
        return of_exercise(catalog.exercise(name))
    if kind == "question":
        course, _, rest = name.partition(".")
        lesson, _, slug = rest.partition(".")
        found = catalog.lesson(course, lesson)[1]
        if (question := found.questions.get(slug)) is not None:
            return of_question(found, question)
    raise NotFound("There is no such exercise or question.", "Its author may have removed it.")


def subject_at(catalog: Catalog, key: str) -> Subject | None:
    """As `find_subject`, by its key; None for what is no longer there."""
    kind, _, name = key.partition("/")
    try:
        return find_subject(catalog, kind, name)
    except NotFound:
        return None


def is_discussed(settings: Settings, catalog: Catalog, subject: Subject) -> bool:
    """Whether there is a discussion: the installation, the course and the exercise may each say no."""
    if settings.discussions == "off":
        return False
    if subject.kind == "question":
        return catalog.courses[subject.name.partition(".")[0]].discussions
    return catalog.exercises[subject.name].discussions and _may_be_discussed(catalog.courses, subject.name)


def _may_be_discussed(courses: Mapping[str, Course], exercise: str) -> bool:
    """A course closes the exercises that stand in no other."""
    holding = [place.course.discussions for place in places_of(courses, exercise)]
    return any(holding) or not holding


def require_readable(db: Session, viewer: User | None, subject: Subject) -> None:
    """Raises Forbidden.

    attack: read what classmates write about the questions of a quiz, then sit it; or in the second sitting, with its
    page in another tab. defence: of a quiz, people read about what a submitted sitting has asked them, and about
    nothing while a sitting of it is open, or while their class holds its answers back.
    """
    if subject.quiz is None or may(viewer, Wish.moderate):
        return
    if viewer is None or not _has_met(db, viewer, subject.quiz, subject.name.rpartition(".")[2]):
        raise Forbidden(
            "This discussion opens once you have submitted an attempt that asks this question.",
            "It is closed while an attempt of yours is open, and until your class shows the answers.",
        )


def _has_met(db: Session, viewer: User, quiz: Lesson, slug: str) -> bool:
    mine = (Sitting.user_id == viewer.id, Sitting.course == quiz.course_slug, Sitting.lesson == quiz.slug)
    if db.scalar(select(exists().where(*mine, Sitting.submitted_at.is_(None)))):
        return False
    if withheld_from(db, viewer.id, quiz.course_slug, quiz.slug):
        return False
    asked = select(SittingResponse.slug).join(Sitting, Sitting.id == SittingResponse.sitting_id)
    return db.scalar(asked.where(*mine, SittingResponse.slug == slug).limit(1)) is not None


def has_solved(db: Session, viewer: User | None, subject: Subject) -> bool:
    """Whether they have an accepted submission to the exercise, or have answered the question."""
    if viewer is None:
        return False
    if subject.kind == "exercise":
        return access_of(db, viewer, subject.name).solved
    if subject.quiz is not None:
        return _has_met(db, viewer, subject.quiz, subject.name.rpartition(".")[2])
    answered = select(Answer.id).where(Answer.user_id == viewer.id, Answer.question == subject.name)
    return db.scalar(answered.limit(1)) is not None
