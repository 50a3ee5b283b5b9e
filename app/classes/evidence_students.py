"""Evidence of one student: what they did in this class's course and its assignments, the newest first."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.classes.evidence_scope import Person, Scope, people_of
from app.db import read_id
from app.practice.efforts import Effort
from app.practice.gradings import Grading
from app.practice.hints import HintOpened
from app.practice.solutions import GiveUp
from app.practice.submissions import Submission
from app.quizzes.answers import Answer, Occasion
from app.quizzes.sittings import Sitting
from app.reading.lessons import LessonRead
from app.web.errors import NotFound

PAGE = 50

What = Literal["submission", "answer", "quiz_begun", "quiz_submitted", "lesson_read", "hint", "give_up"]


@dataclass(frozen=True)
class Event:
    """Something that a student did. `slug`: of the exercise, question, quiz or lesson. `id`: of the submission or the
    quiz attempt. `number`: of the hint, or of the quiz attempt. `score`: in [0, 1]."""

    at: datetime
    what: What
    slug: str
    title: str
    id: int | None = None
    number: int | None = None
    verdict: str | None = None
    mistake: str | None = None
    score: float | None = None


@dataclass(frozen=True)
class StudentEvidence:
    """`before`: where the next page begins; None on the last."""

    person: Person
    tried: int
    solved: int
    exercises: int
    lessons_read: int
    lessons: int
    events: tuple[Event, ...]
    before: datetime | None


def require_student(db: Session, scope: Scope, user: str | int) -> Person:
    """Raises NotFound for who is no student of this class."""
    number = read_id(user)
    person = people_of(db, scope, [number]).get(number) if number is not None else None
    if person is None:
        raise NotFound("This class has no such student.", f"Its students are listed at {scope.url}.")
    return person


def student_evidence(db: Session, scope: Scope, user: str | int, before: datetime | None = None) -> StudentEvidence:
    """A page of what they did, up to and including `before`. Raises NotFound."""
    person = require_student(db, scope, user)
    counted = select(func.count(), func.count(Effort.solved_at)).where(
        Effort.user_id == person.user, Effort.exercise.in_(list(scope.exercises))
    )
    tried, solved = db.execute(counted).one()
    lessons = [lesson.slug for lesson in scope.lessons]
    read = select(func.count()).where(
        LessonRead.user_id == person.user, LessonRead.course == scope.class_.course, LessonRead.lesson.in_(lessons)
    )
    events, following = _page(db, scope, person.user, before)
    return StudentEvidence(
        person, tried, solved, len(scope.exercises), db.scalar(read) or 0, len(lessons), events, following
    )


def _page(
    db: Session, scope: Scope, user_id: int, before: datetime | None
) -> tuple[tuple[Event, ...], datetime | None]:
    """What happened at one moment is not torn apart: it goes to the next page together."""
    until = before or datetime.max.replace(tzinfo=UTC)
    found = sorted(_events(db, scope, user_id, until), key=lambda one: (one.at, one.id or 0), reverse=True)
    if len(found) <= PAGE:
        return tuple(found), None
    following = found[PAGE].at
    shown = [event for event in found[:PAGE] if event.at > following]
    if shown:
        return tuple(shown), following
    return tuple(found[: PAGE + 1]), following - timedelta(microseconds=1)  # all of one moment


def _events(db: Session, scope: Scope, user_id: int, until: datetime) -> Iterator[Event]:
    """The newest of each kind, one more than a page has."""
    yield from _submissions(db, scope, user_id, until)
    yield from _answers(db, scope, user_id, until)
    yield from _sittings(db, scope, user_id, until)
    titles, slugs = {lesson.slug: lesson.title for lesson in scope.lessons}, list(scope.exercises)
    read = select(LessonRead.read_at, LessonRead.lesson).where(
        LessonRead.user_id == user_id, LessonRead.course == scope.class_.course, LessonRead.read_at <= until
    )
    for at, lesson in db.execute(read.order_by(LessonRead.read_at.desc()).limit(PAGE + 1)):
        yield Event(at, "lesson_read", lesson, titles.get(lesson, lesson))
    hints = select(HintOpened.opened_at, HintOpened.exercise, HintOpened.number).where(
        HintOpened.user_id == user_id, HintOpened.exercise.in_(slugs), HintOpened.opened_at <= until
    )
    for at, slug, number in db.execute(hints.order_by(HintOpened.opened_at.desc()).limit(PAGE + 1)):
        yield Event(at, "hint", slug, scope.exercises[slug], number=number)
    given = select(GiveUp.given_up_at, GiveUp.exercise).where(
        GiveUp.user_id == user_id, GiveUp.exercise.in_(slugs), GiveUp.given_up_at <= until
    )
    for at, slug in db.execute(given.order_by(GiveUp.given_up_at.desc()).limit(PAGE + 1)):
        yield Event(at, "give_up", slug, scope.exercises[slug])


def _submissions(db: Session, scope: Scope, user_id: int, until: datetime) -> Iterator[Event]:
    sent = (
        select(Submission.id, Submission.exercise, Submission.created_at)
        .where(Submission.user_id == user_id, Submission.created_at <= until, Submission.kind == "submit")
        .where(Submission.exercise.in_(list(scope.exercises)))
        .order_by(Submission.created_at.desc())
        .limit(PAGE + 1)
    )
    rows = db.execute(sent).all()
    columns = (Grading.submission_id, Grading.verdict, Grading.mistake, Grading.score)
    judged = select(*columns).where(Grading.submission_id.in_([row.id for row in rows])).order_by(Grading.id)
    newest = {row.submission_id: row for row in db.execute(judged)} if rows else {}
    for row in rows:
        one = newest.get(row.id)
        outcome = (one.verdict, one.mistake, one.score) if one is not None else (None, None, None)
        yield Event(row.created_at, "submission", row.exercise, scope.exercises[row.exercise], row.id, None, *outcome)


def _answers(db: Session, scope: Scope, user_id: int, until: datetime) -> Iterator[Event]:
    """Those in a lesson or its review; what a quiz asked is told by its attempt."""
    asked = f"{scope.class_.course}."
    given = (
        select(Answer.created_at, Answer.question, Answer.score)
        .where(Answer.user_id == user_id, Answer.created_at <= until, Answer.occasion != Occasion.sitting)
        .where(Answer.question.startswith(asked, autoescape=True))
        .order_by(Answer.created_at.desc())
        .limit(PAGE + 1)
    )
    for at, question, score in db.execute(given):
        yield Event(at, "answer", question, question.removeprefix(asked).replace(".", ": "), score=score)


def _sittings(db: Session, scope: Scope, user_id: int, until: datetime) -> Iterator[Event]:
    titles = {lesson.slug: lesson.title for lesson in scope.lessons}
    columns = (Sitting.id, Sitting.lesson, Sitting.number, Sitting.started_at, Sitting.submitted_at)
    taken = select(*columns, Sitting.score, Sitting.points).where(
        Sitting.user_id == user_id, Sitting.course == scope.class_.course, Sitting.started_at <= until
    )
    for row in db.execute(taken.order_by(Sitting.started_at.desc()).limit(2 * PAGE + 2)):
        title = titles.get(row.lesson, row.lesson)
        yield Event(row.started_at, "quiz_begun", row.lesson, title, row.id, row.number)
        if row.submitted_at is not None and row.submitted_at <= until:
            score = row.score / row.points if row.points else 0.0
            yield Event(row.submitted_at, "quiz_submitted", row.lesson, title, row.id, row.number, score=score)
