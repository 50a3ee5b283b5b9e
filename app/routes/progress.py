"""How far someone has come."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from fastapi import APIRouter, Request
from starlette.responses import Response

from app import auth
from app.content.course import Course
from app.models.progress import Progress, progress_of
from app.models.submission import Listed, submissions_of
from app.rendering import render
from app.routes.courses import read_slugs
from app.state import AppState, state_of

router = APIRouter()

RECENT = 500


@dataclass(frozen=True)
class ExerciseLine:
    slug: str
    title: str
    solved: bool
    sent: int
    last_id: int
    last_at: datetime


@dataclass(frozen=True)
class CourseLine:
    course: Course
    read: set[str]
    questions: int
    right: int


@router.get("/progress")
def show(request: Request) -> Response:
    state = state_of(request)
    with state.db.reading() as db:
        viewer = auth.viewer(db, request)
        progress = progress_of(db, viewer)
        sent = submissions_of(db, viewer, limit=RECENT)
    return render(
        request,
        "progress/show.html",
        progress=progress,
        exercises=_exercises(state, progress, sent),
        courses=[_course(course, progress) for course in state.catalog.courses.values()],
    )


def _exercises(state: AppState, progress: Progress, sent: list[Listed]) -> list[ExerciseLine]:
    """One line an exercise, the one worked on last first. Runs do not count as sent."""
    newest: dict[str, Listed] = {}
    for one in sent:
        if one.kind == "submit":
            newest.setdefault(one.exercise, one)
    counts = Counter(one.exercise for one in sent if one.kind == "submit")
    return [
        ExerciseLine(
            slug,
            exercise.title if (exercise := state.catalog.exercises.get(slug)) else slug,
            progress.has_solved(slug),
            counts[slug],
            last.id,
            last.created_at,
        )
        for slug, last in newest.items()
    ]


def _course(course: Course, progress: Progress) -> CourseLine:
    ids = [question.id for lesson in course.lessons for question in lesson.questions.values()]
    return CourseLine(course, read_slugs(progress, course), len(ids), sum(progress.is_right(id) for id in ids))
