"""Home, and a course with its table of contents."""

from dataclasses import dataclass
from functools import partial

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.content.course import Course
from app.content.lesson import Lesson
from app.people import identity
from app.progress.going_on import going_on
from app.progress.left_off import first_unread
from app.progress.progress import Progress, progress_of
from app.progress.way import after_course
from app.state import AppState, state_of
from app.teaching.authors import closed_to
from app.web.errors import NotFound
from app.web.pictures import picture
from app.web.rendering import render
from graders.exercise.definition import Exercise

router = APIRouter()


@dataclass(frozen=True)
class CourseEntry:
    course: Course
    minutes: int
    read: int


@dataclass(frozen=True)
class ExerciseEntry:
    exercise: Exercise
    solved: bool


@dataclass(frozen=True)
class FirstLesson:
    """Where someone new begins."""

    course: Course
    lesson: Lesson


@router.get("/")
def index(request: Request) -> Response:
    """What Lectern is, what there is to read, and where this person left off."""
    state = state_of(request)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        progress = progress_of(db, viewer)
        begun = going_on(db, state.catalog, viewer, progress)
        held = state.catalog.held_for(viewer, partial(closed_to, db, viewer))
    courses = state.catalog.courses.values()
    return render(
        request,
        "reading/courses/index.html",
        courses=[CourseEntry(course, course.minutes, len(read_slugs(progress, course))) for course in courses],
        exercises=[ExerciseEntry(one, progress.has_solved(one.slug)) for one in state.catalog.exercises.values()],
        going_on=begun,
        first=None if progress.lessons_read else _first(state),
        held=held,
    )


@router.get("/courses/{course}")
def show(request: Request, course: str) -> Response:
    state = state_of(request)
    found = course_named(state, course)
    with state.db.reading() as db:
        viewer = identity.viewer(db, request)
        progress = progress_of(db, viewer)
        held = state.catalog.held_for(viewer, partial(closed_to, db, viewer), course)
    return render(
        request,
        "reading/courses/show.html",
        course=found,
        minutes=found.minutes,
        read=read_slugs(progress, found),
        next_lesson=first_unread(found, progress),
        way=after_course(found, state.catalog, progress),
        held=held,
    )


@router.get("/courses/{course}/figures/{name}")
def figure(request: Request, course: str, name: str) -> Response:
    return picture(course_named(state_of(request), course).figure(name))


def course_named(state: AppState, slug: str) -> Course:
    course = state.catalog.courses.get(slug)
    if course is None:
        raise NotFound("There is no such course.", "See the list of courses.")
    return course


def read_slugs(progress: Progress, course: Course) -> set[str]:
    """The lessons of this course that were read, less those that it no longer has."""
    return {read.lesson for read in progress.lessons_read if read.course == course.slug} & {
        lesson.slug for lesson in course.lessons
    }


def _first(state: AppState) -> FirstLesson | None:
    return next((FirstLesson(one, one.lessons[0]) for one in state.catalog.courses.values() if one.lessons), None)
