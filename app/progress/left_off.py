"""Where someone goes on: the one thing they worked on last and have not finished.

Found from what they wrote (answers, submissions, drafts, lessons read). That a lesson was merely opened is not noted:
it would take a write for a page view. A reader who answered nothing in it goes on with the next unread lesson, which
nearly always is that one; their browser knows where in it they stopped (js/place.js).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.content.course import Course
from app.content.lesson import Lesson
from app.db import now
from app.people.users import User
from app.practice.drafts import Draft
from app.practice.submissions import Submission
from app.progress.progress import Progress
from app.quizzes.answers import Answer, Occasion
from app.quizzes.responses import SittingResponse
from app.quizzes.sittings import Sitting
from app.reading.catalog import Catalog

LOOKED_AT = 40  # answers; of one sitting at a lesson
LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class LeftOff:
    """`why` in a few words that go on after the title; `at` when they last were at it."""

    url: str
    title: str
    why: str
    at: datetime = LONG_AGO


def left_off(db: Session, catalog: Catalog, user: User | None, progress: Progress) -> LeftOff | None:
    """None: they have not begun, or have finished all there is."""
    if user is None:
        return None
    candidates = [
        *open_sittings(db, catalog, user),
        last_exercise(db, catalog, user, progress),
        last_lesson(db, catalog, user, progress),
    ]
    return latest(candidates)


def latest(candidates: Iterable[LeftOff | None]) -> LeftOff | None:
    return max((one for one in candidates if one), key=lambda candidate: candidate.at, default=None)


def last_exercise(db: Session, catalog: Catalog, user: User, progress: Progress) -> LeftOff | None:
    """The unsolved exercise that they sent or wrote something for last."""
    return latest(_exercises(db, catalog, user, progress))


def last_lesson(db: Session, catalog: Catalog, user: User, progress: Progress) -> LeftOff | None:
    """The unread lesson that they were in last, or that comes next."""
    return latest((*_lessons(db, catalog, user, progress), *_next_lessons(catalog, progress)))


def _exercises(db: Session, catalog: Catalog, user: User, progress: Progress) -> Iterator[LeftOff]:
    unsolved = [slug for slug in catalog.exercises if not progress.has_solved(slug)]
    sent = select(Submission.exercise, Submission.created_at).where(
        Submission.user_id == user.id, Submission.exercise.in_(unsolved)
    )
    for slug, at in db.execute(sent.order_by(Submission.id.desc()).limit(1)):
        yield LeftOff(f"/exercises/{slug}", catalog.exercises[slug].title, "an exercise, not solved yet", at)
    drafts = select(Draft.exercise, Draft.saved_at).where(Draft.user_id == user.id, Draft.exercise.in_(unsolved))
    for slug, at in db.execute(drafts.order_by(Draft.saved_at.desc()).limit(1)):
        yield LeftOff(f"/exercises/{slug}", catalog.exercises[slug].title, "an exercise; you have a draft", at)


def open_sittings(db: Session, catalog: Catalog, user: User) -> Iterator[LeftOff]:
    """A sitting that is open; one with a clock comes before everything."""
    is_open = select(Sitting).where(Sitting.user_id == user.id, Sitting.submitted_at.is_(None))
    for sitting in db.scalars(is_open.order_by(Sitting.id.desc())):
        course = catalog.courses.get(sitting.course)
        lesson = course.lesson(sitting.lesson) if course else None
        if lesson is None or sitting.is_due():
            continue
        saved_at = db.scalar(select(func.max(SittingResponse.saved_at)).where(SittingResponse.sitting_id == sitting.id))
        why = "a quiz; the clock is running" if sitting.deadline_at else "a quiz; your attempt is open"
        at = now() if sitting.deadline_at else saved_at or sitting.started_at
        yield LeftOff(f"/sittings/{sitting.id}", lesson.title, why, at)


def _lessons(db: Session, catalog: Catalog, user: User, progress: Progress) -> Iterator[LeftOff]:
    answered = select(Answer.question, Answer.created_at, Answer.occasion).where(Answer.user_id == user.id)
    for question, at, occasion in db.execute(answered.order_by(Answer.created_at.desc()).limit(LOOKED_AT)):
        course_slug, slug, _ = question.split(".", 2)
        course = catalog.courses.get(course_slug)
        lesson = course.lesson(slug) if course else None
        if lesson and occasion == Occasion.lesson and not progress.has_read(course_slug, slug):
            yield LeftOff(lesson.url, lesson.title, "a lesson; you were answering its questions", at)
            return


def _next_lessons(catalog: Catalog, progress: Progress) -> Iterator[LeftOff]:
    """After the lesson read last; where that course is read, in the one read in before it."""
    for read in reversed(progress.lessons_read):
        course = catalog.courses.get(read.course)
        lesson = first_unread(course, progress) if course else None
        if course and lesson:
            yield LeftOff(lesson.url, lesson.title, f"the next lesson in {course.title}", read.read_at)
            return


def first_unread(course: Course, progress: Progress) -> Lesson | None:
    return next((lesson for lesson in course.lessons if not progress.has_read(course.slug, lesson.slug)), None)
