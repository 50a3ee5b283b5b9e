"""How far someone has come, what comes back today, and where they go on."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from fastapi import APIRouter, Request
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.content.course import Course
from app.content.lesson import Lesson
from app.content.questions.question import Question
from app.db import now
from app.people import identity
from app.people.users import User
from app.practice.submissions import Listed, submissions_of
from app.progress.activity import activity_of
from app.progress.left_off import left_off
from app.progress.progress import Progress, best_scores, progress_of
from app.quizzes.questions import reviewed_by
from app.quizzes.quizzes import counting, submitted_by
from app.quizzes.reviews import Today, today_of
from app.quizzes.sittings import close_due
from app.state import AppState, state_of
from app.web.day import day_of, offset_in, until
from app.web.rendering import render

router = APIRouter()

RECENT = 500
Scores = Mapping[tuple[str, str | None], float]  # app.progress.progress.best_scores


@dataclass(frozen=True)
class ExerciseProgress:
    slug: str
    title: str
    solved: bool
    after_reading: bool
    sent: int
    last_id: int
    last_at: datetime


@dataclass(frozen=True)
class Partly:
    """Not right yet; the best so far, in percent of the credit."""

    percent: int


@dataclass(frozen=True)
class Sat:
    """A quiz that was sat: what counts of so many sittings."""

    id: int
    score: float
    of: float
    sittings: int


@dataclass(frozen=True)
class LessonProgress:
    """Of its questions, as they are asked now: how many there are, were answered right, and partly. `changed`: right
    only before they were edited."""

    lesson: Lesson
    read: bool
    questions: int
    right: int
    partly: tuple[Partly, ...]
    changed: int
    sat: Sat | None = None


Sittings = Mapping[tuple[str, str], Sat]


@dataclass(frozen=True)
class CourseProgress:
    course: Course
    lessons: tuple[LessonProgress, ...]

    @property
    def read(self) -> int:
        return sum(lesson.read for lesson in self.lessons)

    @property
    def questions(self) -> int:
        return sum(lesson.questions for lesson in self.lessons)

    @property
    def right(self) -> int:
        return sum(lesson.right for lesson in self.lessons)


@dataclass(frozen=True)
class Days:
    """Whose days they are, in words: `UTC+2`."""

    zone: str
    is_known: bool


@router.get("/progress")
def show(request: Request) -> Response:
    state = state_of(request)
    browser_offset = offset_in(request)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
    if viewer is not None:
        close_due(state.db, state.catalog, viewer.id)
    with state.db.reading() as db:
        progress = progress_of(db, viewer)
        scores = best_scores(db, viewer)
        sittings = _sat(state, db, viewer)
        sent = submissions_of(db, viewer, limit=RECENT)
        today = today_of(db, viewer, reviewed_by(db, viewer, state.catalog))
        going_on = left_off(db, state.catalog, viewer, progress)
        offset = browser_offset if browser_offset is not None else viewer.offset_minutes if viewer else 0
        activity = activity_of(db, viewer, offset) if viewer else None
    is_known = browser_offset is not None or (viewer is not None and viewer.utc_offset_minutes is not None)
    return render(
        request,
        "progress/progress/show.html",
        progress=progress,
        exercises=_exercises(state, progress, sent),
        courses=[_course(course, progress, scores, sittings) for course in state.catalog.courses.values()],
        left_off=going_on,
        today=today,
        next_in=_until(today, viewer),
        activity=activity,
        days=Days(zone(offset), is_known),
    )


def zone(offset_minutes: int) -> str:
    """`UTC`, `UTC+2`, `UTC−3:30`."""
    hours, minutes = divmod(abs(offset_minutes), 60)
    if not offset_minutes:
        return "UTC"
    return f"UTC{'+' if offset_minutes > 0 else '−'}{hours}{f':{minutes:02}' if minutes else ''}"


def _until(today: Today, viewer: User | None) -> str | None:
    if today.next_at is None or viewer is None:
        return None
    return until((day_of(today.next_at, viewer.offset_minutes) - day_of(now(), viewer.offset_minutes)).days)


def _exercises(state: AppState, progress: Progress, sent: list[Listed]) -> list[ExerciseProgress]:
    """One line an exercise, the one worked on last first. Runs do not count as sent."""
    newest: dict[str, Listed] = {}
    for submission in sent:
        if submission.kind == "submit":
            newest.setdefault(submission.exercise, submission)
    counts = Counter(submission.exercise for submission in sent if submission.kind == "submit")
    return [
        ExerciseProgress(
            slug,
            exercise.title if (exercise := state.catalog.exercises.get(slug)) else slug,
            progress.has_solved(slug),
            progress.solved_after_reading(slug),
            counts[slug],
            last.id,
            last.created_at,
        )
        for slug, last in newest.items()
    ]


def _course(course: Course, progress: Progress, scores: Scores, sittings: Sittings) -> CourseProgress:
    return CourseProgress(
        course, tuple(_lesson(course, lesson, progress, scores, sittings) for lesson in course.lessons)
    )


def _lesson(course: Course, lesson: Lesson, progress: Progress, scores: Scores, sittings: Sittings) -> LessonProgress:
    questions = list(lesson.questions.values())
    wanting = [question for question in questions if not progress.is_right(question)]
    partly = [round(100 * _best(question, scores)) for question in wanting]
    return LessonProgress(
        lesson,
        progress.has_read(course.slug, lesson.slug),
        len(questions),
        len(questions) - len(wanting),
        tuple(Partly(percent) for percent in partly if percent),
        sum(progress.was_right(question.id) for question in wanting),
        sittings.get((course.slug, lesson.slug)),
    )


def _sat(state: AppState, db: Session, viewer: User | None) -> Sittings:
    sat: dict[tuple[str, str], Sat] = {}
    for (course, slug), count in submitted_by(db, viewer).items():
        lesson = state.catalog.courses[course].lesson(slug) if course in state.catalog.courses else None
        if viewer is not None and lesson is not None and (counted := counting(db, viewer, lesson)):
            sat[course, slug] = Sat(counted.id, counted.score or 0.0, counted.points, count)
    return sat


def _best(question: Question, scores: Scores) -> float:
    return max(scores.get((question.id, question.content_hash), 0.0), scores.get((question.id, None), 0.0))
