"""Quizzes: what is known of one before a sitting begins, a person's sittings of it, and which of them counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.content.course import Course
from app.content.lesson import Lesson
from app.content.questions.asking import is_graded_by_hand
from app.content.quiz import Quiz, quiz_of
from app.db import Database, now
from app.people.due import DueDate, due_dates
from app.people.permission import Wish, may
from app.people.users import User
from app.quizzes.sittings import Sitting, allowance_of, begun_by, close_due, of_quiz
from app.quizzes.terms import Withheld, terms_of
from app.reading.catalog import Catalog
from app.web.errors import NotFound

LISTED = 20  # sittings at once


@dataclass(frozen=True)
class OwnSittings:
    """Someone's sittings of a quiz: how many they have begun, the one that is open, the one whose score counts, and of
    those submitted some, the newest first; `more`: there are others before this number."""

    count: int = 0
    open: Sitting | None = None
    counted: Sitting | None = None
    listed: tuple[Sitting, ...] = ()
    more: int | None = None


@dataclass(frozen=True)
class QuizOverview:
    """A quiz as one person finds it: the time and the attempts that are theirs, None for as many as they like; and what
    their class asks. `opens_at`: it cannot be begun before. `closes_at`: an attempt ends then. `withheld`: answers are
    told later than the attempt is submitted. `due`: in each of their classes."""

    course: Course
    lesson: Lesson
    quiz: Quiz
    taken: OwnSittings
    time_limit_seconds: int | None
    multiplier: float
    attempts_allowed: int | None
    attempts_left: int | None
    may_grade: bool
    opens_at: datetime | None = None
    closes_at: datetime | None = None
    needs_code: bool = False
    withheld: Withheld | None = None
    due: Sequence[DueDate] = ()


def overview_of(
    database: Database, viewer: User | None, catalog: Catalog, course: str, lesson: str, before: int | None = None
) -> QuizOverview:
    """None of the sittings is past its time and still open. `before` as for `taken_by`. Raises NotFound."""
    in_course = catalog.lesson(course, lesson)[0]
    quiz = quiz_lesson(catalog, course, lesson)
    at = now()
    with database.reading() as db:
        terms = terms_of(db, viewer, course, lesson)
        allowance = allowance_of(db, viewer, quiz, terms, at)
        taken = taken_by(db, viewer, quiz, before)
        due = due_dates(db, viewer, "quiz", lesson, course)
    if viewer is not None and taken.open is not None and taken.open.is_due():
        close_due(database, catalog, viewer.id)
        with database.reading() as db:
            taken = taken_by(db, viewer, quiz, before)
    multiplier = viewer.time_multiplier if viewer else 1.0
    may_grade = may(viewer, Wish.grade_answers) and any(map(is_graded_by_hand, quiz.questions.values()))
    seconds = None if quiz.time_limit is None else round(quiz.time_limit * 60 * multiplier)
    return QuizOverview(
        in_course, quiz, quiz_of(quiz), taken, seconds, multiplier, allowance.allowed, allowance.left, may_grade,
        opens_at=terms.opens_at(at), closes_at=terms.closes_at(at), needs_code=bool(terms.codes(at)),
        withheld=terms.withheld_at(at), due=due,
    )  # fmt: skip


def quiz_lesson(catalog: Catalog, course: str, lesson: str) -> Lesson:
    """Raises NotFound."""
    quiz = catalog.lesson(course, lesson)[1]
    if not quiz.is_quiz:
        raise NotFound("There is no such quiz.", "This is a lesson: its questions are in its text.")
    return quiz


def sittings_of(db: Session, user: User | None, course: str, lesson: str) -> list[Sitting]:
    """This person's sittings of this quiz, all of them, the first one first."""
    if user is None:
        return []
    return list(db.scalars(select(Sitting).where(*of_quiz(user, course, lesson)).order_by(Sitting.number)))


def taken_by(db: Session, user: User | None, lesson: Lesson, before: int | None = None) -> OwnSittings:
    """This person's sittings of this quiz. `before`: those listed are older than the one of this number."""
    if user is None:
        return OwnSittings()
    mine = of_quiz(user, lesson.course_slug, lesson.slug)
    listed = select(Sitting).where(*mine, Sitting.submitted_at.is_not(None))
    if before is not None:
        listed = listed.where(Sitting.number < before)
    newest = list(db.scalars(listed.order_by(Sitting.number.desc()).limit(LISTED + 1)))
    return OwnSittings(
        begun_by(db, user, lesson.course_slug, lesson.slug),
        db.scalar(select(Sitting).where(*mine, Sitting.submitted_at.is_(None))),
        counting(db, user, lesson),
        tuple(newest[:LISTED]),
        newest[LISTED - 1].number if len(newest) > LISTED else None,
    )


def submitted_by(db: Session, user: User | None) -> dict[tuple[str, str], int]:
    """How many sittings of each quiz, by (course, lesson), this person has submitted."""
    if user is None:
        return {}
    mine = select(Sitting.course, Sitting.lesson, func.count()).where(Sitting.user_id == user.id)
    counted = mine.where(Sitting.submitted_at.is_not(None)).group_by(Sitting.course, Sitting.lesson)
    return {(course, lesson): count for course, lesson, count in db.execute(counted)}


def counting(db: Session, user: User, lesson: Lesson) -> Sitting | None:
    """The sitting whose score is this person's for the quiz: the last one, or the first of the best.

    attack: sit it as one guest after another, then sign in with what they gathered. defence: of more sittings than
    are allowed the first ones count.
    """
    terms = terms_of(db, user, lesson.course_slug, lesson.slug)
    allowance = allowance_of(db, user, lesson, terms, now())
    done = select(Sitting).where(*of_quiz(user, lesson.course_slug, lesson.slug), Sitting.score.is_not(None))
    if allowance.last is not None:
        done = done.where(Sitting.number <= allowance.last)
    if lesson.counts == "last":
        return db.scalar(done.order_by(Sitting.number.desc()).limit(1))
    share = Sitting.score / func.coalesce(func.nullif(Sitting.points, 0), 1)
    return db.scalar(done.order_by(share.desc(), Sitting.number).limit(1))


def may_start(db: Session, viewer: User | None, catalog: Catalog, after: Sitting) -> bool:
    """Whether this person, whose own that sitting is, may begin another one of its quiz, as it is now, at once: where a
    code is asked for, its page does that."""
    if viewer is None or viewer.id != after.user_id:
        return False
    course = catalog.courses.get(after.course)
    quiz = course.lesson(after.lesson) if course else None
    if quiz is None or not quiz.is_quiz:
        return False
    at, terms = now(), terms_of(db, viewer, after.course, after.lesson)
    if terms.codes(at) or terms.opens_at(at):
        return False
    return allowance_of(db, viewer, quiz, terms, at).left != 0
